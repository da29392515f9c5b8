"""Files as people have them: every command that reads takes the same options about them."""
import json

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
    (PLAIN, ["--decimal", ",", "--separator", "comma"], ["--separator and --decimal are both ','"]),
    (PLAIN, ["--decimal", "dot"], ["--decimal must be '.' or ','", "dot"]),
    (PLAIN, ["--separator", "tabs"], ["--separator must be tab", "'tabs'"]),
    (PLAIN, ["--missing", "ignore"], ["--missing must be one of error, drop", "'ignore'"]),
    (PLAIN, ["--columns", "99999999999999999999999"], ["no column '99999999999999999999999'", "1 to 2"]),
    (b"PAR1\x15\x04\x15\x80\0\0PAR1", [], ["is a Parquet file", "export it as CSV or .npy"]),
]


@pytest.mark.parametrize("text, options, words", COMPLAINTS)
def test_a_complaint_is_one_sentence_that_says_what_helps(motmot, write, text, options, words):
    write("a.csv", text)
    write("b.csv", PLAIN)
    run = motmot("transport", "a.csv", "b.csv", *options)
    assert run.code == 2 and run.err.count("\n") == 1 and run.out == ""
    for word in words:
        assert word in run.err, run.err
