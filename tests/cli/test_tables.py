"""Tables whose columns are of several kinds."""
import json
import pathlib

import pytest

SCHEMA = json.loads((pathlib.Path(__file__).resolve().parents[2] / "docs/schema/distance-1.json").read_text())


def write_table(path, cities, ages, extra=""):
    """Rows of id, city, age, when, ok, land; ages may be None."""
    lines = ["id,city,age,when,ok,land"]
    for i, (city, age) in enumerate(zip(cities, ages)):
        day = 1 + i * 7 % 28
        lines.append(f"{i + 1},{city},{'' if age is None else age},2024-01-{day:02d}T06:00:00Z,{i % 3 == 0},FR{extra}")
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def tables(tmp_path):
    """60 and 60 rows: a third more of Paris, ages 3 higher, ten of them missing in the second."""
    ages = [20 + i * 13 % 40 + i % 7 / 8 for i in range(60)]
    write_table(tmp_path / "x.csv", ["Paris" if i % 3 == 0 else "Rome" for i in range(60)], ages)
    write_table(tmp_path / "y.csv", ["Rome" if i % 3 == 0 else "Paris" for i in range(60)],
                [None if i % 6 == 0 else age + 3 for i, age in enumerate(ages)])
    return tmp_path


def answer(run):
    assert run.code == 0, run.err
    result = json.loads(run.out)
    pytest.importorskip("jsonschema").validate(result, SCHEMA)
    return result


def test_a_table_with_words_needs_no_option(motmot, tables):
    result = answer(motmot("distance", "x.csv", "x.csv", "--quiet", "--json", "-"))
    assert result["value"] == 0 and result["asked"]["columns"] == ["city", "age", "when", "ok"]
    assert result["asked"]["kinds"] == ["category", "number", "time", "category"] and result["asked"]["scale"] == "robust"
    assert [(column["name"], column["why"]) for column in result["asked"]["columns_left_out"]] == [
        ("id", "is an identifier: it counts the rows; --kinds id=number keeps it"), ("land", "has one and the same value, 'FR'")]


def test_the_answer_speaks_of_the_tables_own_columns(motmot, tables):
    run = motmot("distance", "x.csv", "y.csv", "--missing", "level", "--tau", 0, "--json", "r.json", "--report", "p.html", "--rows", "rows.csv")
    assert run.code == 0, run.err
    for words in ["city and ok are categories; when (in days) is a time; age is a number. Two levels of a category are 1 apart.",
                  "Left out: land has one and the same value, 'FR'.", "% Paris", "% (missing)", "days"]:
        assert words in run.out, run.out
    result = json.loads((tables / "r.json").read_text())
    pytest.importorskip("jsonschema").validate(result, SCHEMA)
    columns = {column["name"]: column for column in result["columns"]}
    assert sum(column["share"] for column in result["columns"]) == pytest.approx(1)
    assert {level["level"]: round(level["moved"], 3) for level in columns["city"]["levels"]} == {"Paris": 0.333, "Rome": -0.333}
    assert columns["age"]["levels"] == [{"level": "(missing)", "moved": pytest.approx(1 / 6)}]
    ages = [20 + i * 13 % 40 + i % 7 / 8 for i in range(60)]
    present = [age + 3 for i, age in enumerate(ages) if i % 6 != 0]
    assert columns["age"]["moved"] == pytest.approx(sum(present) / 50 - sum(ages) / 60) and columns["when"]["time_unit"] == "days"
    page = (tables / "p.html").read_text()
    for words in ["+33 % Paris, -33 % Rome", "city and ok are categories", "+17 % (missing)"]:
        assert words in page, words
    assert len((tables / "rows.csv").read_text().splitlines()) == 121


def test_missing_numbers_are_refused_dropped_or_compared(motmot, tables):
    run = motmot("distance", "x.csv", "y.csv")
    assert run.code == 2 and run.err.count("\n") == 1 and run.out == ""
    assert "row 1 (line 2), column 3 'age': missing value ''; --missing level makes it something to compare, --missing drop" in run.err
    dropped = answer(motmot("distance", "x.csv", "y.csv", "--missing", "drop", "--quiet", "--json", "-"))
    assert dropped["asked"]["rows_dropped"] == {"x": 0, "y": 10}


def test_kinds_can_be_set(motmot, tables):
    def kinds(*options):
        asked = answer(motmot("distance", "x.csv", "x.csv", "--quiet", "--json", "-", *options))["asked"]
        return dict(zip(asked["columns"], asked["kinds"]))
    assert kinds("--kinds", "id=number,when=category") == {"id": "number", "city": "category", "age": "number",
                                                           "when": "category", "ok": "category"}
    assert kinds("--kinds", "3=category", "--columns", "city,age") == {"city": "category", "age": "category"}


def test_the_weight_of_categories_is_a_factor(motmot, tables):
    def value(*options):
        return answer(motmot("distance", "x.csv", "y.csv", "--columns", "city", "--tau", 0, "--quiet", "--json", "-", *options))["value"]
    assert value() == pytest.approx(1 / 3) and value("--category-weight", 2.5) == pytest.approx(2.5 / 3)


COMPLAINTS = [
    (["--kinds", "city"], "--kinds must be COLUMN=KIND,... with the kinds number, category, time; got 'city'"),
    (["--kinds", "city=text"], "--kinds must be COLUMN=KIND,... with the kinds number, category, time; got 'city=text'"),
    (["--kinds", "town=category"], "'x.csv' has no column 'town'; its columns are 'id', 'city', 'age', 'when', 'ok', 'land'"),
    (["--kinds", "city=number"], "'x.csv', row 1 (line 2), column 2 'city': 'Paris' is not a number; --kinds says that the column "
     "holds nothing else"),
    (["--scale", "city=2"], "scale names the column 'city', which is a category; --category-weight says how far apart its levels are"),
    (["--category-weight", "0"], "the weight of categories must be a positive number, got 0"),
    (["--columns", "age,when", "--category-weight", "2"], "--category-weight does nothing here: it is for tables in which a category "
     "or a missing level takes part"),
    (["--columns", "land"], "no column is left to compare: 'land' has one and the same value, 'FR'"),
    (["--save-phi", "phi.json"], "--save-phi does nothing here: it is for tables of numbers alone, none missing"),
]


@pytest.mark.parametrize("options, sentence", COMPLAINTS, ids=[" ".join(case[0]) for case in COMPLAINTS])
def test_bad_input_gets_one_sentence(motmot, tables, options, sentence):
    run = motmot("distance", "x.csv", "x.csv", *options)
    assert run.code == 2 and run.err == f"motmot distance: {sentence}\n" and run.out == ""
    assert not (tables / "phi.json").exists()


def test_kinds_that_differ_between_the_files_are_one_sentence(motmot, tmp_path):
    (tmp_path / "a.csv").write_text("zip,n\n1,2\n3,4\n5,6\n")
    (tmp_path / "b.csv").write_text("zip,n\nA1,2\nA2,4\nA3,7\n")
    run = motmot("distance", "a.csv", "b.csv")
    assert run.code == 2 and run.err == ("motmot distance: column 'zip' is a number in 'a.csv' and a category in 'b.csv': "
                                         "--kinds zip=category takes both as words\n")
    assert motmot("distance", "a.csv", "b.csv", "--kinds", "zip=category").code == 0


def test_standard_input_is_read_once(motmot, tmp_path):
    text = "code\n" + "7\n" + "".join(f"A{i % 4}\n" for i in range(20))
    (tmp_path / "a.csv").write_text(text)
    run = motmot("distance", "-", "a.csv", stdin=text.encode())
    assert run.code == 2 and "standard input, column 'code': it begins like numbers or times and goes on with words" in run.err
    assert motmot("distance", "-", "a.csv", "--kinds", "code=category", stdin=text.encode()).code == 0
    assert motmot("distance", "a.csv", "a.csv").code == 0


def test_thousands_of_levels_are_a_few_columns(motmot, tmp_path):
    for name, step in [("a.csv", 1), ("b.csv", 2)]:
        (tmp_path / name).write_text("w,g\n" + "".join(f"w{i * step % 1500},{i % 5}\n" for i in range(3000)))
    result = answer(motmot("distance", "a.csv", "b.csv", "--permutations", 0, "--quiet", "--json", "-"))
    assert result["asked"]["columns"] == ["w", "g"] and result["columns"][0]["levels"] == []


def test_a_column_without_values_is_left_out_or_refused(motmot, tmp_path):
    for name in ["a.csv", "b.csv"]:
        (tmp_path / name).write_text("gone,x\n" + "".join(f",{i * i % 7}\n" for i in range(20)))
    assert "row 1 (line 2), column 1 'gone': missing value ''" in motmot("distance", "a.csv", "b.csv").err
    run = motmot("distance", "a.csv", "b.csv", "--missing", "level")
    assert run.code == 0 and "Left out: gone has only missing values." in run.out


def test_transport_takes_numbers_alone(motmot, tables):
    assert "'Paris' is not a number" in motmot("transport", "x.csv", "y.csv", "--columns", "city").err
    assert "--missing level" in motmot("transport", "x.csv", "y.csv", "--columns", "age", "--missing", "level").err
    assert "--kinds" not in motmot("transport", "--help").out
