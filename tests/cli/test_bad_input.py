"""Bad input: one clear line, exit code 2, nothing left behind."""
import gzip
import json
import struct

import pytest

GOOD = "a,b\n" + "\n".join(f"{i},{i * 0.5}" for i in range(30)) + "\n"


def npy_header(shape):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}"
    head = head.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode()


FILES = {
    "empty.csv": b"",
    "ragged.csv": b"a,b\n1,2\n3\n",
    "text.csv": b"a,b\n1,2\n3,apple\n",
    "nan.csv": b"a,b\n1,2\n3,nan\n",
    "inf.csv": b"a,b\n1,inf\n",
    "renamed.csv": b"a,c\n1,2\n3,4\n",
    "row.csv": b"101,Rome\n102,Paris\n103,Rome\n",
    "dated.csv": b"2024-01-31,Rome\n2024-02-29,Paris\n",
    "first.csv": b"1,Rome\n2,Paris\n3,Rome\n",
    "three.csv": b"a,b,c\n1,2,3\n4,5,6\n",
    "cut.csv.gz": gzip.compress(GOOD.encode() * 50)[:-40],
    "cut.npy": npy_header("(30, 2)") + b"\0" * 100,
    "huge.npy": npy_header("(671088640, 2)") + b"\0" * 64,
    "magic.npy": b"not numpy at all",
    "huge_value.csv": b"a,b\n1,2\n1e300,4\n5,6\n",
}
X, Y = "good.csv", "good.csv"
MOM = ["--estimator", "mom"]
CASES = [  # arguments, words that the complaint must have
    (["nowhere.csv", Y], ["nowhere.csv"]),
    (["empty.csv", Y], ["empty.csv", "empty"]),
    (["ragged.csv", Y], ["ragged.csv", "2"]),
    (["text.csv", Y], ["text.csv", "apple", "b"]),
    (["nan.csv", Y], ["nan.csv", "2"]),
    (["inf.csv", Y], ["inf.csv", "b"]),
    (["three.csv", Y], ["three.csv", "3", "2", "--columns a,b compares those that both have"]),
    (["renamed.csv", Y], ["column 2 is 'c'", "renamed.csv", "; --columns a compares those that both have"]),
    (["row.csv", Y], ["the first line of 'row.csv' looks like a row ('101', 'Rome') where 'good.csv' has names: give it a header"]),
    ([X, "dated.csv"], ["the first line of 'dated.csv' looks like a row", "'2024-01-31'", "give it a header"]),
    ([X, "first.csv"], ["the first line of 'first.csv' looks like a row", "give it a header"]),
    (["cut.csv.gz", Y], ["cut.csv.gz"]),
    (["cut.npy", Y], ["cut.npy"]),
    (["huge.npy", Y], ["huge.npy"]),
    (["magic.npy", Y], ["magic.npy"]),
    (["huge_value.csv", Y, *MOM, "--critic", "clipped", "--blocks", "3"], ["row 2", "column 1", "float32"]),
    (["-", "-"], ["standard input"]),
    ([X, Y, *MOM, "--blocks", "31"], ["31", "30"]),
    ([X, Y, "--blocks", "0"], ["--blocks", "at least 1"]),
    ([X, Y, "--blocks", "-3"], ["--blocks"]),
    ([X, Y, "--blocks", "many"], ["--blocks"]),
    ([X, Y, "--tau", "0.5"], ["tau", "0.5"]),
    ([X, Y, "--tau", "-0.1"], ["tau"]),
    ([X, Y, "--tau", "0.1", "--tau-x", "0.2"], ["--tau"]),
    ([X, Y, "--estimator", "mou-diag", "--blocks-x", "3", "--blocks-y", "5"], ["mou-diag", "3", "5"]),
    ([X, Y, *MOM, "--scheme", "pairs"], ["pairs", "mou", "mom"]),
    ([X, Y, *MOM, "--block-size", "3"], ["swor"]),
    ([X, Y, "--estimator", "median"], ["--estimator", "mou-diag", "median"]),
    ([X, Y, "--scheme", "random"], ["--scheme", "random"]),
    ([X, Y, "--metric", "mmd"], ["metric mmd", "company"]),
    ([X, Y, *MOM, "--metric", "l2"], ["--metric", "l2"]),
    ([X, Y, *MOM, "--metric", "mmd", "--bandwidth", "-1"], ["bandwidth"]),
    ([X, Y, "--critic", "oracle"], ["--critic", "oracle"]),
    ([X, Y, "--missing", "ignore"], ["--missing", "ignore"]),
    ([X, Y, "--columns", "a,z"], ["z"]),
    ([X, Y, "--json", "no/such/folder/r.json"], ["no/such/folder/r.json"]),
    ([X, Y, *MOM, "--critic", "clipped", "--trace", "no/such/folder/t.csv"], ["no/such/folder/t.csv"]),
    ([X, Y, "--save-phi", "no/such/folder/c.json"], ["no/such/folder/c.json"]),
    ([X, Y, *MOM, "--critic", "clipped", "--hidden", "0"], ["hidden"]),
    ([X, Y, "--steps", "0"], ["--steps"]),
    ([X, Y, "--nonsense"], ["--nonsense"]),
    ([X], ["Y"]),
]


@pytest.mark.parametrize("arguments,words", CASES, ids=[" ".join(case[0]) for case in CASES])
def test_bad_input_gets_one_line_and_code_2(motmot, tmp_path, arguments, words):
    (tmp_path / "good.csv").write_text(GOOD)
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    before = sorted(tmp_path.rglob("*"))
    done = motmot("distance", *arguments, "--json", "result.json") if "--json" not in arguments else \
        motmot("distance", *arguments)
    assert done.code == 2, done.err
    assert done.out == ""
    assert done.err.startswith("motmot distance: ") and done.err.count("\n") == 1, done.err
    for word in words:
        assert word in done.err, done.err
    assert sorted(tmp_path.rglob("*")) == before, "something was left behind"


def test_other_commands_complain_alike(motmot, tmp_path):
    (tmp_path / "good.csv").write_text(GOOD)
    for arguments in [[], ["fly"], ["generate", "d9", "--output", "t"], ["generate", "d1"], ["generate", "d1", "--n", "0", "--output", "t"],
                      ["generate", "d1", "--tau-x", "2", "--output", "t"], ["generate", "d1", "--output", "good.csv"],
                      ["advise", "--tau", "0.7"], ["advise", "--n", "0"], ["evaluate", "none.json", "good.csv"],
                      ["evaluate", "good.csv", "good.csv"]]:
        done = motmot(*arguments)
        assert done.code == 2 and done.err.count("\n") == 1 and done.out == "", (arguments, done.err)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["good.csv"]


DAMAGE = [  # field, value, words of the complaint
    ("weights", lambda w: [1e300, *w[1:]], "weight 1 of"),
    ("weights", lambda w: w[:-1], "weights"),
    ("weights", lambda w: ["a", *w[1:]], "is not a critic"),
    ("weights", lambda w: [None, *w[1:]], "is not a critic"),
    ("hidden", lambda h: [9], "weights"),
    ("hidden", lambda h: [0], "hidden"),
    ("dimension", lambda d: 3, "weights"),
    ("dimension", lambda d: -1, "dimension"),
    ("kind", lambda k: "oracle", "'oracle'"),
]


@pytest.mark.parametrize("field,damage,words", DAMAGE)
def test_a_damaged_critic_is_refused(motmot, tmp_path, field, damage, words):
    (tmp_path / "good.csv").write_text(GOOD)
    assert motmot("distance", X, Y, *MOM, "--critic", "clipped", "--hidden", 3, "--steps", 3, "--save-phi", "c.json").code == 0
    critic = json.loads((tmp_path / "c.json").read_text())
    critic[field] = damage(critic[field])
    (tmp_path / "c.json").write_text(json.dumps(critic))
    done = motmot("evaluate", "c.json", X, "--output", "phi.csv")
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1
    assert "'c.json'" in done.err and words in done.err, done.err
    assert not (tmp_path / "phi.csv").exists()


BLOCKS = "estimators with blocks"
USELESS = [  # options that change nothing, and what they are for
    (["--critic", "exact"], BLOCKS), (["--blocks", "3"], BLOCKS), (["--scheme", "swor"], BLOCKS), (["--block-size", "2"], BLOCKS),
    (["--pairs", "2"], BLOCKS), (["--certify"], BLOCKS), (["--read-out", "9"], BLOCKS), (["--steps", "10"], "lipschitz and clipped"),
    (["--trace", "t.csv"], "lipschitz and clipped"), (["--hidden", "8"], "critic clipped"),
    ([*MOM, "--steps", "10"], "lipschitz and clipped"), ([*MOM, "--critic", "exact", "--steps", "10"], "lipschitz and clipped"),
    ([*MOM, "--critic", "lipschitz", "--hidden", "8"], "critic clipped"), ([*MOM, "--rate", "0.1"], "critic clipped"),
    ([*MOM, "--clip", "0.1"], "critic clipped"), ([*MOM, "--alpha", "0.9"], "critic clipped"), ([*MOM, "--eps", "0.1"], "critic clipped"),
    ([*MOM, "--tail", "5"], "critic clipped"), ([*MOM, "--trace", "t.csv"], "lipschitz and clipped"),
    ([*MOM, "--critic", "clipped", "--certify"], "exact and lipschitz"), ([*MOM, "--critic", "clipped", "--read-out", "9"], "exact and lipschitz"),
    ([*MOM, "--permutations", "9"], "estimator company"), ([*MOM, "--paper"], "estimator company"),
    *([["--estimator", "plain", *option], BLOCKS] for option in
      [["--blocks", "3"], ["--scheme", "swor"], ["--block-size", "2"], ["--pairs", "2"], ["--certify"], ["--read-out", "9"]]),
    ([*MOM, "--bandwidth", "2"], "metric mmd"), ([*MOM, "--metric", "energy", "--bandwidth", "2"], "metric mmd"),
    ([*MOM, "--metric", "mmd", "--save-phi", "c.json"], "metric w1"), ([*MOM, "--metric", "mmd", "--steps", "9"], "lipschitz and clipped"),
    (["--estimator", "plain", "--tau", "0.1"], "estimators that withstand wrong rows"),
    (["--estimator", "plain", "--tau-y", "0.1"], "estimators that withstand wrong rows"),
    (["--estimator", "plain", "--weights-x", "a", "--columns", "b", "--save-phi", "c.json"], "rows without weights"),
    (["--estimator", "plain", "--weights-x", "a", "--columns", "b", "--rows", "r.csv"], "rows without weights"),
]


@pytest.mark.parametrize("options,words", USELESS, ids=[" ".join(case[0]) for case in USELESS])
def test_an_option_that_would_change_nothing_is_refused(motmot, tmp_path, options, words):
    (tmp_path / "good.csv").write_text(GOOD)
    done = motmot("distance", X, Y, *options)
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1, done.err
    assert "does nothing here" in done.err and words in done.err, done.err
    assert [path.name for path in tmp_path.iterdir()] == ["good.csv"]


def test_a_value_that_overflows_is_named(motmot, tmp_path):
    (tmp_path / "good.csv").write_text(GOOD)
    assert motmot("distance", X, Y, *MOM, "--critic", "clipped", "--hidden", 3, "--steps", 3, "--save-phi", "c.json").code == 0
    critic = json.loads((tmp_path / "c.json").read_text())
    critic["weights"] = [3e38 for _ in critic["weights"]]
    (tmp_path / "c.json").write_text(json.dumps(critic))
    done = motmot("evaluate", "c.json", X)
    assert done.code == 2 and done.out == "" and "value at row 1 overflows" in done.err and done.err.count("\n") == 1


def test_rows_of_values_that_overflow_are_those_of_the_file(motmot, tmp_path):
    """With rows left out, too: the fourth row of the file is the third that is read."""
    (tmp_path / "x.csv").write_text("a,b\n1,2\nNA,3\n3,4\n5,1e305\n")
    (tmp_path / "good.csv").write_text(GOOD)
    done = motmot("distance", "x.csv", "good.csv", "--missing", "drop")
    assert done.code == 2 and done.err.count("\n") == 1, done.err
    assert "'x.csv', row 4, column 'b' is 1e+305" in done.err, done.err
    done = motmot("transport", "x.csv", "good.csv", "--missing", "drop")
    assert done.code == 0, "exact transport takes any finite value"
