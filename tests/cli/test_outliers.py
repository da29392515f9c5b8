"""motmot outliers and motmot doctor."""
import csv
import json
import shlex
import pathlib
import random

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMAS = {name: json.loads((ROOT / f"docs/schema/{name}-1.json").read_text()) for name in ("outliers", "doctor")}


def write(path, n=200, seed=1, change=lambda i, row: None):
    """id, city, income, age, when; change(i, row) spoils rows, from 0."""
    rng = random.Random(seed)
    lines = ["id,city,income,age,when"]
    for i in range(n):
        row = {"id": i + 1, "city": rng.choice(["Paris", "Rome", "Oslo"]), "income": round(rng.gauss(42000, 8000)),
               "age": rng.randint(18, 80), "when": f"2024-05-{rng.randint(1, 28):02d}"}
        change(i, row)
        lines.append(",".join(str(value) for value in row.values()))
    path.write_text("\n".join(lines) + "\n")


def spoil(i, row):
    if i == 10:
        row["income"] = 5000000
    if i in (20, 30, 40):
        row["age"] = -999
    if i == 50:
        row["city"] = "Pariss"
    if i == 60:
        row["income"] = ""


def answer(run, name):
    assert run.code == 0, run.err
    result = json.loads(run.out)
    pytest.importorskip("jsonschema").Draft202012Validator(SCHEMAS[name]).validate(result)
    return result


def test_every_planted_row_has_its_reason(motmot, tmp_path):
    write(tmp_path / "x.csv", change=spoil)
    result = answer(motmot("outliers", "x.csv", "--quiet", "--json", "-"), "outliers")
    signs = {row["row"]: (row["sign"], row["column"]) for row in result["rows"] if row["suspect"]}
    assert signs == {11: ("off", "income"), 21: ("sentinel", "age"), 31: ("sentinel", "age"), 41: ("sentinel", "age"),
                     51: ("level", "city")}
    assert result["x"]["suspects"] == sorted(signs) and result["y"] is None
    assert len(result["rows"]) == 20 and result["columns_left_out"][0]["name"] == "id"
    assert 0 <= result["x"]["false_share"] < 0.01


def test_words_csv_and_page_say_the_same(motmot, tmp_path):
    write(tmp_path / "x.csv", change=spoil)
    run = motmot("outliers", "x.csv", "--csv", "o.csv", "--report", "o.html", "--list", 8)
    assert run.code == 0, run.err
    for words in ["5 of the 200 rows of X stand out", "income is", "robust units off", "typed as -999",
                  "'Pariss', a level that no other row has", "Of the others, the strangest first"]:
        assert words in run.out, run.out
    rows = list(csv.DictReader((tmp_path / "o.csv").open()))
    assert len(rows) == 200 and [int(row["rank"]) for row in rows] == list(range(1, 201))
    assert sorted(int(row["row"]) for row in rows) == list(range(1, 201))
    kept = [float(row["score"]) for row in rows if row["suspect"] == "0"]
    assert kept == sorted(kept, reverse=True) and sum(bool(row["reason"]) for row in rows) == 8
    page = (tmp_path / "o.html").read_text()
    assert "typed as -999" in page and "Of the others" not in run.err


def test_a_clean_table_is_said_to_be_clean(motmot, tmp_path):
    write(tmp_path / "x.csv")
    assert "No row of X" in motmot("outliers", "x.csv", "--exclude", "id").out


def test_two_tables_and_rows_that_were_dropped(motmot, tmp_path):
    write(tmp_path / "x.csv", change=spoil)
    write(tmp_path / "y.csv", seed=2)
    result = answer(motmot("outliers", "x.csv", "y.csv", "--missing", "drop", "--quiet", "--json", "-"), "outliers")
    assert result["x"]["rows_dropped"] == 1 and result["y"]["n"] == 200
    assert {row["row"] for row in result["rows"] if row["suspect"] and row["sample"] == "x"} >= {11, 21, 31, 41}
    assert all(row["row"] != 61 for row in result["rows"] if row["sample"] == "x")


def test_doctor_finds_what_was_planted(motmot, tmp_path):
    write(tmp_path / "x.csv", change=spoil)
    result = answer(motmot("doctor", "x.csv", "--quiet", "--json", "-"), "doctor")
    found = {(one["code"], one["column"]): one["type"] for one in result["findings"]}
    assert found == {("missing", "income"): "--missing level", ("identifier", "id"): "--exclude id",
                     ("sentinel", "age"): "--na -999 --missing level"}
    assert [one["method"] for one in result["forecasts"]][0] == "distance"


def test_what_the_doctor_says_to_type_helps(motmot, tmp_path):
    write(tmp_path / "x.csv", change=spoil)
    again = motmot("doctor", "x.csv", "--exclude", "id", "--na", "-999", "--missing", "drop", "--csv", "f.csv", "--report", "d.html")
    assert again.code == 0 and "Nothing stands in the way" in again.out, again.out
    assert (tmp_path / "f.csv").read_text() == "code,table,column,share,text,type\n"
    assert "What it would cost" in (tmp_path / "d.html").read_text()


def test_the_doctor_reads_words_among_numbers_where_others_refuse_them(motmot, tmp_path):
    write(tmp_path / "x.csv", change=lambda i, row: row.update(age=["unknown", "not said"][i % 3 > 0] if i % 20 == 7 else row["age"]))
    refused = motmot("outliers", "x.csv")
    assert refused.code == 2 and "is not a number" in refused.err
    found = answer(motmot("doctor", "x.csv", "--quiet", "--json", "-"), "doctor")["findings"][0]
    assert (found["code"], found["column"]) == ("mixed", "age") and "'not said', 'unknown'" in found["text"], found
    again = motmot("doctor", "x.csv", "--quiet", "--json", "-", *shlex.split(found["type"]))
    assert "mixed" not in {one["code"] for one in answer(again, "doctor")["findings"]}
    assert motmot("outliers", "x.csv", *shlex.split(found["type"])).code == 0


def test_the_doctor_looks_at_two_tables_that_cannot_be_compared(motmot, tmp_path):
    write(tmp_path / "x.csv")
    write(tmp_path / "y.csv", change=lambda i, row: row.update(age="old" if i % 2 else "young"))
    run = motmot("doctor", "x.csv", "y.csv")
    assert run.code == 0 and "1. 'age' is a number in X and a category in Y" in run.out.replace("X and Y: ", ""), run.out


@pytest.mark.parametrize("arguments, words", [
    (["outliers"], "X is missing"),
    (["outliers", "no.csv"], "cannot read 'no.csv'"),
    (["outliers", "x.csv", "--tau", "0.5"], "tau must lie in [0, 1/2)"),
    (["outliers", "x.csv", "--scale", "wide"], "scale"),
    (["outliers", "x.csv", "--tau-y", "0.1"], "--tau-y does nothing here"),
    (["outliers", "x.csv", "--csv", "x.csv"], "would write over X"),
    (["outliers", "x.csv", "--json", "a", "--csv", "a"], "both write to 'a'"),
    (["outliers", "x.csv", "--columns", "nope"], "nope"),
    (["outliers", "x.csv", "--missing", "error"], "missing"),
    (["doctor"], "X is missing"),
    (["doctor", "no.csv"], "cannot read 'no.csv'"),
    (["doctor", "x.csv", "x.csv", "--kinds", "age=colour"], "--kinds must be COLUMN=KIND"),
])
def test_bad_input_is_one_sentence(motmot, tmp_path, arguments, words):
    write(tmp_path / "x.csv", change=spoil)
    before = sorted(tmp_path.iterdir())
    run = motmot(*arguments)
    assert run.code == 2 and words in run.err and run.err.count("\n") == 1, run.err
    assert run.out == "" and sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize("name", ["outliers", "doctor"])
def test_every_key_of_the_schemas_is_described(name):
    text = (ROOT / "docs/json.md").read_text().split(f"# What `motmot {name} --json` writes")[1].split("\n# ")[0]

    def keys(schema):
        for key, inner in schema.get("properties", {}).items():
            yield key
            yield from keys(inner)
        if "items" in schema:
            yield from keys(schema["items"])
        for inner in schema.get("$defs", {}).values():
            yield from keys(inner)
    for key in set(keys(SCHEMAS[name])) - {"name", "why"}:
        assert f"`{key}`" in text or f".{key}`" in text, key
    for sign in SCHEMAS["outliers"]["properties"]["rows"]["items"]["properties"]["sign"]["enum"] if name == "outliers" else \
            SCHEMAS["doctor"]["properties"]["findings"]["items"]["properties"]["code"]["enum"]:
        assert f"`{sign}`" in text, sign
