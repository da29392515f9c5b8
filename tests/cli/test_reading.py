"""Files as people have them: every command that reads takes the same options about them."""
import json
import sqlite3

import pytest

ROWS = [(1.5, 2), (3, 4.25), (5, 6), (7.5, 8), (2, 1)]
PLAIN = "x,y\n" + "".join(f"{x},{y}\n" for x, y in ROWS)


def cost(run):
    assert run.code == 0, run.err
    return json.loads(run.out)["cost"]


@pytest.fixture
def write(tmp_path):
    def write(name, text):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        return name
    return write


DIALECTS = {  # text, options
    "pipes": (PLAIN.replace(",", "|"), []),
    "blanks": (PLAIN.replace(",", "   "), []),
    "told": (PLAIN.replace(",", ":"), ["--separator", ":"]),
    "tab": (PLAIN.replace(",", "\t"), ["--separator", "tab"]),
    "decimal commas": (PLAIN.replace(",", ";").replace(".", ","), ["--decimal", ","]),
    "decimal commas, blanks": (PLAIN.replace(",", " ").replace(".", ","), ["--decimal", ",", "--separator", "space"]),
    "decimal commas in quotes": ("".join(",".join(f'"{field}"' for field in line.replace(".", ";").split(",")) + "\n"
                                         for line in PLAIN.splitlines()).replace(";", ","), ["--decimal", ","]),
    "comments": ("# by hand\n" + PLAIN.replace("3,", "# 3 comes now\n3,"), ["--comment", "#"]),
    "missing": (PLAIN + "-999,7\nnone,1\nunknown,3\n", ["--na", "-999,unknown", "--missing", "drop"]),
}


@pytest.mark.parametrize("name", DIALECTS)
def test_every_dialect_gives_the_answer_of_the_plain_file(motmot, write, name):
    text, options = DIALECTS[name]
    write("a.csv", PLAIN)
    write("b.csv", text)
    assert motmot("generate", "d1", "--n", 9, "--m", 7, "--format", "npy", "--output", "toy").code == 0
    read = ["toy/y.npy", "--quiet", "--json", "-"]
    assert cost(motmot("transport", "b.csv", *read, *options)) == cost(motmot("transport", "a.csv", *read))


@pytest.mark.parametrize("command", ["distance", "transport", "evaluate"])
def test_every_command_that_reads_has_the_options(motmot, command):
    out = motmot(command, "--help").out
    for option in ["--columns", "--exclude", "--missing", "--na", "--separator", "--decimal", "--comment"]:
        assert option in out


COMPLAINTS = [
    ("city,x\nParis,1\nRome,2\n", [], ["'Paris' is not a number", "--columns", "--exclude"]),
    ("x,y\n1,NA\n", [], ["row 1", "column 2 'y'", "--missing drop"]),
    ("x;y\n1,5;2\n", [], ["'1,5' is not a number", "--decimal ,"]),
    ("x,y\n# note\n1,2\n", [], ["--comment '#'"]),
    (PLAIN, ["--decimal", "dot"], ["--decimal must be '.' or ','", "dot"]),
    (PLAIN, ["--separator", "tabs"], ["--separator must be tab", "'tabs'"]),
    (PLAIN, ["--missing", "ignore"], ["--missing must be one of error, drop", "'ignore'"]),
    (PLAIN, ["--columns", "99999999999999999999999"], ["no column '99999999999999999999999'", "1 to 2"]),
    (b"\x89HDF\r\n\x1a\n", [], ["is an HDF5 file", "export it as CSV or .npy"]),
    (b"PAR1\x15\x04\x15\x80\0\0PAR1", [], ["'a.csv'", "DuckDB"]),
]


@pytest.mark.parametrize("text, options, words", COMPLAINTS)
def test_a_complaint_is_one_sentence_that_says_what_helps(motmot, write, text, options, words):
    write("a.csv", text)
    write("b.csv", PLAIN)
    run = motmot("transport", "a.csv", "b.csv", *options)
    assert run.code == 2 and run.err.count("\n") == 1 and run.out == ""
    for word in words:
        assert word in run.err, run.err


@pytest.mark.parametrize("x, y", [("points.csv", "commas.csv"), ("commas.csv", "points.csv")])
def test_decimal_points_held_against_commas_are_read_as_the_complaint_says(motmot, write, x, y):
    many = PLAIN + 20 * PLAIN[4:]
    write("points.csv", many)
    write("commas.csv", many.replace(",", ";").replace(".", ","))
    typed = "motmot reference R points.csv; motmot check R commas.csv --decimal ,"
    for options, other in ([], "points.csv"), (["--decimal", ","], "commas.csv"):
        for command in "distance", "compare", "transport":
            run = motmot(command, x, y, *options)
            assert run.code == 2 and run.err.count("\n") == 1 and run.err.endswith(f", but not '{other}': {typed}\n"), run.err
    found = motmot("doctor", x, y).out
    assert ("check R Y --decimal ," if y == "commas.csv" else "check R X --decimal ,") in found and "--kinds" not in found
    for line in typed.split("; "):
        assert motmot(*line.split()[1:]).code == 0


NAMED = "a,b,c\n" + "".join(f"{i},{7 * i % 11}.5,{5 * i % 13}.25\n" for i in range(40))
TURNED = "\n".join(",".join(line.split(",")[j] for j in (2, 0, 1)) for line in NAMED.splitlines()) + "\n"
BY_NAME = "note: the columns of 'turned.csv' are matched by name: their order is not that of 'named.csv'."


@pytest.mark.parametrize("command", ["distance", "transport", "compare", "outliers", "doctor", "matrix"])
def test_columns_in_another_order_are_matched_by_name(motmot, write, command):
    for name, text in [("named.csv", NAMED), ("turned.csv", TURNED), ("other.csv", NAMED)]:
        write(name, text)
    by_name, in_order = motmot(command, "named.csv", "turned.csv"), motmot(command, "named.csv", "other.csv")
    assert by_name.code == 0 and BY_NAME in " ".join(by_name.out.split()), by_name.err
    assert "note:" not in in_order.out + motmot(command, "named.csv", "turned.csv", "--quiet").out
    if command in ("outliers", "doctor"):
        assert by_name.out.startswith(in_order.out)


def test_tables_of_spreadsheets_in_latin_1_meet_those_in_utf_8(motmot, write):
    rows = [f"{i % 17 / 4},{'Köln' if i % 3 else 'Düren'}" for i in range(60)]
    text = "größe,stadt\n" + "\n".join(rows) + "\n"
    write("utf.csv", text), write("latin.csv", text.encode("cp1252")), write("more.csv", text.replace("\n0.", "\n9."))
    answer = lambda *words: json.loads(motmot("distance", *words, "--json", "-", "--quiet").out)
    same = answer("latin.csv", "utf.csv")
    assert same["value"] == 0 and {column["name"] for column in same["columns"]} <= {"größe", "stadt"}
    for options in [], ["--columns", "größe"]:
        answers = [answer(name, "more.csv", *options) for name in ("utf.csv", "latin.csv")]
        assert answers[0]["value"] == answers[1]["value"] > 0 and answers[0]["columns"] == answers[1]["columns"]


def test_columns_by_number_count_in_each_file(motmot, write):
    write("named.csv", NAMED)
    write("turned.csv", TURNED)
    for options in [], ["--columns", "b,a"], ["--exclude", "c"], ["--weights-x", "c", "--weights-y", "c"]:
        assert cost(motmot("transport", "named.csv", "turned.csv", *options, "--json", "-")) == 0, options
    run = motmot("transport", "named.csv", "turned.csv", "--columns", "1,2")
    assert run.code == 0 and not run.out.startswith("  W1 0 ")
    assert "note: column 1 is 'a' in 'named.csv' and 'c' in 'turned.csv': compared by their numbers" in run.out
    mom = ["--estimator", "mom", "--cache", "cache", "--quiet", "--json", "-"]
    cached = [json.loads(motmot("distance", "named.csv", y, *mom).out)["value"] for y in ("named.csv", "turned.csv")]
    assert cached[0] == cached[1]


@pytest.mark.parametrize("command", ["distance", "compare", "outliers", "doctor", "matrix"])
def test_a_row_is_not_taken_for_names(motmot, write, command):
    write("named.csv", "id,city\n" + "".join(f"{i},{('Rome', 'Paris')[i % 3 > 0]}\n" for i in range(40)))
    write("rows.csv", "".join(f"{i},{('Rome', 'Paris')[i % 4 > 0]}\n" for i in range(1, 41)))
    for files in ("named.csv", "rows.csv"), ("rows.csv", "named.csv"):
        run = motmot(command, *files)
        assert run.code == 2 and run.err.endswith("the first line of 'rows.csv' looks like a row ('1', 'Paris') where "
                                                  "'named.csv' has names: give it a header\n"), run.err


def test_columns_without_a_name_and_tables_without_a_header_are_no_rows(motmot, write):
    write("r.csv", ",a,b\n1,2,3\n2,4,5\n")
    write("other.csv", "x,y,z\n1,2,3\n2,4,5\n")
    write("bare.csv", "1,2,3\n2,4,5\n")
    for files in ("r.csv", "other.csv"), ("bare.csv", "other.csv"), ("r.csv", "bare.csv"):
        assert cost(motmot("transport", *files, "--json", "-")) == 0


@pytest.fixture
def database(tmp_path):
    with sqlite3.connect(tmp_path / "shop.db") as shop:
        shop.execute("create table points (x real, y real)")
        shop.executemany("insert into points values (?, ?)", ROWS)
        shop.execute("create table places (city text, x real)")
        shop.executemany("insert into places values (?, ?)", [("Paris", 1), ("Rome", 2)])
        shop.execute("create table empty (x real)")
    return "shop.db"


def test_tables_of_sqlite_are_read_like_files(motmot, write, database):
    write("a.csv", PLAIN)
    write("b.csv", "x,y\n0,0\n1,2\n")
    by_file = cost(motmot("transport", "a.csv", "b.csv", "--json", "-"))
    assert cost(motmot("transport", "shop.db:points", "b.csv", "--json", "-")) == by_file


def test_queries_are_read_like_files(motmot, write):
    write("a.csv", PLAIN)
    write("b.csv", "x,y\n0,0\n1,2\n")
    run = motmot("transport", "sql:select x, y from 'a.csv'", "b.csv", "--json", "-")
    if "scripts/setup --duckdb" in run.err:
        pytest.skip("DuckDB's library is not there")
    assert cost(run) == cost(motmot("transport", "a.csv", "b.csv", "--json", "-"))
    for query, word in [("select x from 'a.csv' where x > 99", "no rows"), ("selec x", "syntax error"),
                        ("select x from 'away.parquet'", "away.parquet")]:
        run = motmot("distance", f"sql:{query}", "b.csv")
        assert run.code == 2 and run.err.count("\n") == 1 and run.out == "" and word in run.err, run.err


def test_a_query_without_repeated_rows_goes_with_its_file(motmot, write):
    """What doctor says to type where rows repeat."""
    write("a.csv", "id,age\n" + "".join(f"{i // 2},{i // 2 % 17 + 0.5 if i % 20 > 1 else 'NA'}\n" for i in range(80)))
    for options in ["--missing", "level"], ["--missing", "drop"], ["--missing", "level", "--kinds", "age=number"]:
        run = motmot("distance", "a.csv", "sql:select distinct * from 'a.csv'", *options)
        if "scripts/setup --duckdb" in run.err:
            pytest.skip("DuckDB's library is not there")
        assert run.code == 0, run.err


ENDLESS = "sql:select count(*) as x from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3"


def test_the_time_limit_ends_a_query(motmot, write):
    write("b.csv", "x\n0\n1\n")
    run = motmot("distance", ENDLESS, "b.csv", "--time-limit", "0.5")
    if "scripts/setup --duckdb" in run.err:
        pytest.skip("DuckDB's library is not there")
    assert run.code == 2 and "stopped before DuckDB had read it" in run.err and run.err.count("\n") == 1, run.err


@pytest.mark.parametrize("table, word", [("places", "'city' is a category, not a number"), ("empty", "no rows"),
                                         ("away", "no such table: away")])
def test_complaints_about_a_database_are_one_sentence(motmot, write, database, table, word):
    write("b.csv", PLAIN)
    run = motmot("transport", f"shop.db:{table}", "b.csv")
    assert run.code == 2 and run.err.count("\n") == 1 and run.out == "" and word in run.err, run.err
