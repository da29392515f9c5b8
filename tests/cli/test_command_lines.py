"""Strange command lines: one sentence of ours that names the command, the option, and where help is."""
import pytest

CLI11 = ["required", "expected", "Could not", "disallowed", "INI", "excludes", "Expected", "At Most", "At least"]
D = ["distance", "a.csv", "b.csv"]
BIG = "99999999999999999999999"
LINES = [  # words, how the complaint begins, words that it has
    ([], "motmot: a command is needed", ["choose distance, matrix, compare, transport", "'motmot --help'"]),
    (["fly"], "motmot: there is no command 'fly'", ["choose distance", "selfcheck"]),
    (["distnace", "a.csv", "b.csv"], "motmot: ", ["did you mean distance?"]),
    (["dist", "a.csv"], "motmot: ", ["did you mean distance?"]),
    (["--sed", "3", "distance"], "motmot distance: ", ["'--sed'", "follow the name of a command"]),
    (["--nonsense"], "motmot: ", ["'--nonsense'"]),
    (["distance"], "motmot distance: X is missing", ["'motmot distance --help'"]),
    (["distance", "a.csv"], "motmot distance: Y is missing", []),
    ([*D, "c.csv"], "motmot distance: 'c.csv' is one argument too many", []),
    ([*D, "c.csv", "d.csv"], "motmot distance: 'c.csv' is one argument too many", []),
    ([*D, "--sead", "3"], "motmot distance: there is no option '--sead' (did you mean --seed?)", []),
    ([*D, "--sead=3"], "motmot distance: there is no option '--sead' (did you mean --seed?)", []),
    ([*D, "-seed", "3"], "motmot distance: there is no option '-seed' (did you mean --seed?)", []),
    ([*D, "--estim", "mom"], "motmot distance: ", ["did you mean --estimator?"]),
    ([*D, "--tua", "0.1"], "motmot distance: ", ["did you mean --tau?"]),
    ([*D, "--block", "3"], "motmot distance: ", ["did you mean --blocks?"]),
    ([*D, "--xyzzy"], "motmot distance: there is no option '--xyzzy'; see", []),
    ([*D, "-q"], "motmot distance: there is no option '-q'", []),
    ([*D, "---json", "f"], "motmot distance: there is no option '---json' (did you mean --json?)", []),
    (["distance", "--sead"], "motmot distance: there is no option '--sead'", []),
    ([*D, "--seed"], "motmot distance: --seed needs a value: --seed S", []),
    ([*D, "--json"], "motmot distance: --json needs a value", []),
    ([*D, "--json="], "motmot distance: --json needs a value", []),
    ([*D, "--json", ""], "motmot distance: --json must not be empty", []),
    ([*D, "--rows", ""], "motmot distance: --rows must not be empty", []),
    ([*D, "--report", "--quiet"], "motmot distance: --report needs a value, got the option '--quiet'", []),
    ([*D, "--seed", "1", "--seed", "2"], "motmot distance: --seed is given more than once", []),
    ([*D, "--seed", BIG], "motmot distance: --seed must be a whole number from 0 to 2^64 - 1", [BIG]),
    ([*D, "--seed", "18446744073709551616"], "motmot distance: --seed must be", ["18446744073709551616"]),
    ([*D, "--seed", "-1"], "motmot distance: --seed must be", ["'-1'"]),
    ([*D, "--seed", "1.5"], "motmot distance: --seed must be", ["'1.5'"]),
    ([*D, "--seed", "0x10"], "motmot distance: --seed must be", ["'0x10'"]),
    ([*D, "--seed", " 1"], "motmot distance: --seed must be", []),
    ([*D, "--seed", ""], "motmot distance: --seed must be", []),
    ([*D, "--threads", BIG], "motmot distance: --threads must be", []),
    ([*D, "--blocks", BIG], "motmot distance: --blocks must be", []),
    ([*D, "--blocks-x", "0"], "motmot distance: --blocks-x must be at least 1", []),
    ([*D, "--block-size", "0", "--scheme", "swor"], "motmot distance: --block-size must be at least 1", []),
    ([*D, "--hidden", "8,x"], "motmot distance: --hidden must be a whole number", ["'x'"]),
    ([*D, "--hidden", ","], "motmot distance: --hidden needs a value", []),
    ([*D, "--rate", "nan"], "motmot distance: --rate must be a finite number", ["'nan'"]),
    ([*D, "--clip", "inf"], "motmot distance: --clip must be a finite number", ["'inf'"]),
    ([*D, "--clip", "1e999"], "motmot distance: --clip must be a finite number", []),
    ([*D, "--rate", "fast"], "motmot distance: --rate must be a finite number", ["'fast'"]),
    ([*D, "--time-limit", "nan"], "motmot distance: --time-limit must be", ["'nan'"]),
    ([*D, "--time-limit", "-1"], "motmot distance: --time-limit must be positive", ["'-1'"]),
    ([*D, "--time-limit", "0"], "motmot distance: --time-limit must be positive", ["'0'"]),
    ([*D, "--time-limit", "inf"], "motmot distance: --time-limit must be", []),
    ([*D, "--tau", "some"], "motmot distance: --tau must be", ["'some'"]),
    ([*D, "--tau-x", "nan"], "motmot distance: --tau-x must be", ["'nan'"]),
    ([*D, "--permutations", "-1"], "motmot distance: --permutations must be a whole number", ["'-1'"]),
    ([*D, "--permutations", "few"], "motmot distance: --permutations must be a whole number", ["'few'"]),
    ([*D, "--scale", "x=1"], "motmot distance: ", ["'x'", "u"]),
    ([*D, "--scale", "u=0"], "motmot distance: ", ["u", "0"]),
    ([*D, "--scale", "rubost"], "motmot distance: ", ["robust", "rubost"]),
    ([*D, "--quiet=maybe"], "motmot distance: --quiet takes no value", []),
    ([*D, "--certify=2"], "motmot distance: --certify takes no value", []),
    (["transport", "a.csv", "b.csv", "--gap", "2"], "motmot transport: the gap must be a share", ["2"]),
    (["transport", "a.csv", "b.csv", "--time-limit", "-1"], "motmot transport: the time limit must be", ["-1"]),
    (["transport", "a.csv", "b.csv", "--tau", "1"], "motmot transport: need 0 <= tau < 1", ["1"]),
    (["transport", "a.csv", "b.csv", "--tau", "0.1", "--weights-x", "u"], "motmot transport: --tau leaves out rows of equal weight", []),
    (["transport", "a.csv", "b.csv", "--tau", "0.1", "--certificate", "c.json"], "motmot transport: --certificate proves the transport of all rows", []),
    (["transport", "a.csv", "b.csv", "--plan", ""], "motmot transport: --plan must not be empty", []),
    (["transport", "a.csv", "b.csv", "--plna", "p"], "motmot transport: ", ["did you mean --plan?"]),
    (["evaluate"], "motmot evaluate: CRITIC is missing", []),
    (["evaluate", "c.json", "a.csv", "--output", ""], "motmot evaluate: --output must not be empty", []),
    (["advise", "--n", BIG], "motmot advise: --n must be", []),
    (["advise", "--diameter", "inf"], "motmot advise: --diameter must be a finite number", []),
    (["advise", "--tau", "0.1", "--tau-x", "0.2"], "motmot advise: --tau sets both samples", []),
    (["advise", "--json", ""], "motmot advise: --json must not be empty", []),
    (["generate"], "motmot generate: TOY is missing", []),
    (["generate", "d1"], "motmot generate: --output is needed", []),
    (["generate", "d1", "--output", ""], "motmot generate: --output must not be empty", []),
    (["generate", "d1", "--output", "t", "--tau", "0.1", "--tau-y", "0"], "motmot generate: --tau sets both samples", []),
    (["generate", "d1", "--output", "t", "--seed", BIG], "motmot generate: --seed must be", []),
    (["reproduce"], "motmot reproduce: a command is needed: choose error", ["'motmot reproduce --help'"]),
    (["reproduce", "erorr"], "motmot reproduce: ", ["did you mean error?"]),
    (["reproduce", "error"], "motmot reproduce error: --output is needed", ["'motmot reproduce error --help'"]),
    (["reproduce", "error", "--output", "o", "--tau", "0.1,nan"], "motmot reproduce error: --tau must be", ["'nan'"]),
    (["reproduce", "error", "--output", "o", "--quikc"], "motmot reproduce error: ", ["did you mean --quick?"]),
    (["selfcheck", "now"], "motmot selfcheck: 'now' is one argument too many", []),
]


@pytest.mark.parametrize("words,begin,has", LINES, ids=[" ".join(line[0]) or "nothing" for line in LINES])
def test_a_strange_command_line_gets_one_sentence_of_ours(motmot, tmp_path, words, begin, has):
    for name in ["a.csv", "b.csv"]:
        (tmp_path / name).write_text("u,v\n" + "".join(f"{i},{i * i}\n" for i in range(30)))
    done = motmot(*words)
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1, done.err
    assert done.err.startswith(begin), done.err
    for word in has:
        assert word in done.err, done.err
    for word in CLI11:
        assert word not in done.err, done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.csv", "b.csv"], "something was left behind"


def test_a_list_does_not_swallow_the_files_after_it(motmot, tmp_path):
    for name in ["a.csv", "b.csv"]:
        (tmp_path / name).write_text("u,v\n" + "".join(f"{i},{i * i}\n" for i in range(30)))
    assert motmot("distance", "--hidden", "8,4", "a.csv", "b.csv", "--estimator", "mom", "--critic", "clipped", "--steps", 3).code == 0


def test_a_number_with_leading_zeros_is_decimal(motmot, tmp_path):
    for seed in ["010", "10"]:
        assert motmot("generate", "d1", "--n", 5, "--seed", seed, "--output", seed).code == 0
    assert (tmp_path / "010/x.csv").read_text() == (tmp_path / "10/x.csv").read_text()


def test_tau_is_for_both_samples_in_every_command(motmot, tmp_path):
    counts = {}
    for option in ["--tau", "--tau-x", "--tau-y"]:
        assert motmot("generate", "d1", "--n", 20, option, 0.2, "--output", "t").code == 0
        lines = (tmp_path / "t/outliers.csv").read_text().split()[1:]
        counts[option] = [sum(line.startswith(sample) for line in lines) for sample in "xy"]
    assert counts == {"--tau": [4, 4], "--tau-x": [4, 0], "--tau-y": [2, 4]}
