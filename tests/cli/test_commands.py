"""The commands as a user types them."""
import csv
import gzip
import json
import re
import subprocess

import pytest
from conftest import BIN, ROOT

QUICK = ["--estimator", "mom", "--critic", "clipped", "--hidden", "8", "--steps", "300", "--blocks", "11"]
CLIPPED = ["--estimator", "mom", "--critic", "clipped"]
SCHEMA = json.loads((ROOT / "docs/schema/distance-1.json").read_text())


def distance(motmot, *arguments, **more):
    done = motmot("distance", *arguments, "--quiet", "--json", "-", **more)
    assert done.code == 0, done.err
    return json.loads(done.out)


def test_every_command_has_help_with_an_example(motmot):
    assert "Examples:" in motmot("--help").out and "Examples:" not in motmot("selfcheck", "--help").out
    for command in ["distance", "evaluate", "advise", "generate"]:
        done = motmot(command, "--help")
        assert done.code == 0 and "Example" in done.out and done.err == "" and "... ..." not in done.out


def test_version(motmot):
    assert motmot("--version").out.startswith("motmot 0.")


def test_generate_lists_its_outliers(toy):
    rows = list(csv.DictReader((toy / "outliers.csv").open()))
    assert len(rows) == 12 and {row["sample"] for row in rows} == {"x"}
    x = list(csv.reader((toy / "x.csv").open()))
    assert len(x) == 121 and len(list(csv.reader((toy / "y.csv").open()))) == 91
    listed = {int(row["row"]) for row in rows}
    far = {i for i, row in enumerate(x[1:], 1) if max(abs(float(v)) for v in row) > 6}
    assert far <= listed and len(far) >= 10


KINDS = [[], ["--tau", "auto"], ["--tau", "0"], ["--permutations", "0"], ["--paper", "--network", "--steps", "5"], ["--scale", "robust"],
         ["--scale", "c1=10"], ["--estimator", "mom", "--certify"], ["--estimator", "mou", "--critic", "lipschitz", "--steps", "5"],
         ["--estimator", "mom", "--metric", "mmd", "--certify"], ["--estimator", "mou-diag", "--metric", "energy"],
         ["--estimator", "plain", "--metric", "mmd", "--bandwidth", "2"],
         QUICK, ["--estimator", "plain"], ["--time-limit", "1e-9"]]


@pytest.mark.parametrize("options", KINDS, ids=[" ".join(options) or "default" for options in KINDS])
def test_json_is_what_the_schema_says(motmot, toy, options):
    jsonschema = pytest.importorskip("jsonschema")
    result = distance(motmot, toy / "x.csv", toy / "y.csv", *options, "--seed", 3)
    jsonschema.Draft202012Validator(SCHEMA).validate(result)
    asked = result["asked"]
    assert (asked["n"], asked["m"], asked["d"], asked["seed"], asked["columns"]) == (120, 90, 2, 3, ["c1", "c2"])
    assert asked["files"] == {"x": str(toy / "x.csv"), "y": str(toy / "y.csv")}


def test_every_key_of_the_schema_is_described():
    page = (ROOT / "docs/json.md").read_text()

    def keys(schema):
        for name, inner in schema.get("properties", {}).items():
            yield name
            yield from keys(inner)
        if "items" in schema:
            yield from keys(schema["items"])
    for key in keys(SCHEMA):
        assert re.search(rf"`([a-z0-9_.]+\.)?{key}(\.[a-z]+)?`", page), key
    for code in SCHEMA["properties"]["warnings"]["items"]["properties"]["code"]["enum"]:
        assert f"`{code}`" in page


def test_the_answer_comes_first(motmot, toy):
    """The twelve rows that are wrong are found; the numbers are those of the JSON."""
    done = motmot("distance", toy / "x.csv", toy / "y.csv")
    result = distance(motmot, toy / "x.csv", toy / "y.csv")
    lines = done.out.splitlines()
    assert lines[0] == f"  X (120 rows) and Y (90 rows) are {result['value']:.2f} apart."
    assert lines[1].startswith(f"  They differ: chance alone would give {result['floor']['level']:.2f} (p = 0.01).")
    low, high = result["interval"]
    assert lines[2] == (f"  Between {low:.2f} and {high:.2f} if another 0 + 9 rows are wrong (at most 10 % of each; "
                        "lower end certified if those left out are).")
    assert lines[3] == (f"  12 rows of X stand alone and were left out; with them the distance would be {result['plain']:.2f}."
                        "        --rows FILE lists them")
    assert lines[5].split() == ["column", "share", "moved", "by"]
    listed = {int(row["row"]) for row in csv.DictReader((toy / "outliers.csv").open())}
    assert set(result["left_out"]["x"]) == listed and result["left_out"]["y"] == []
    assert "estimator" not in done.out
    verbose = motmot("distance", toy / "x.csv", toy / "y.csv", "--verbose", "--paper").out
    assert verbose.startswith(done.out) and "  paper " in verbose and "  run " in verbose


def test_what_is_asked_for_beside_the_answer_is_printed(motmot, toy):
    plain = motmot("distance", toy / "x.csv", toy / "y.csv").out
    paper = motmot("distance", toy / "x.csv", toy / "y.csv", "--paper").out
    both = motmot("distance", toy / "x.csv", toy / "y.csv", "--paper", "--network", "--steps", 20).out
    assert paper.startswith(plain + "\n  paper ") and both.startswith(paper) and both[len(paper):].startswith("  network ")
    assert motmot("distance", toy / "x.csv", toy / "y.csv", "--report", "page.html").out == plain
    verbose = motmot("distance", toy / "x.csv", toy / "y.csv", "--paper", "--verbose").out
    assert verbose.count("  paper ") == 1


def test_rows_say_who_was_left_out(motmot, toy, tmp_path):
    result = distance(motmot, toy / "x.csv", toy / "y.csv", "--rows", "rows.csv", "--save-phi", "phi.json")
    rows = list(csv.DictReader((tmp_path / "rows.csv").open()))
    assert [int(row["row"]) for row in rows if row["left_out"] == "1"] == result["left_out"]["x"]
    assert [row["sample"] for row in rows] == ["x"] * 120 + ["y"] * 90
    alone = min(float(row["score"]) for row in rows if row["left_out"] == "1")
    assert alone > sorted(float(row["score"]) for row in rows)[105]
    phi = [float(value) for value in motmot("evaluate", "phi.json", toy / "x.csv").out.split()[1:]]
    assert phi == pytest.approx([float(row["phi"]) for row in rows[:120]], abs=1e-9)


PEOPLE = "age,income,weight\n" + "".join(f"{20 + i % 7},{1000 + 37 * i % 900},{60 + i % 11}\n" for i in range(40))
OTHERS = "age,income,weight\n" + "".join(f"{24 + i % 7},{1100 + 41 * i % 900},{61 + i % 11}\n" for i in range(40))


def rearranged(table, order, names=True):
    lines = [",".join(line.split(",")[k] for k in order) for line in table.split()]
    return "\n".join(lines if names else lines[1:]) + "\n"


@pytest.mark.parametrize("options", [[], ["--scale", "robust"], ["--estimator", "mom", "--critic", "exact"]])
def test_a_saved_potential_takes_its_columns_by_name(motmot, tmp_path, options):
    (tmp_path / "x.csv").write_text(PEOPLE)
    (tmp_path / "y.csv").write_text(OTHERS)
    assert motmot("distance", "x.csv", "y.csv", "--save-phi", "phi.json", *options).code == 0
    want = motmot("evaluate", "phi.json", "x.csv")
    assert want.code == 0
    (tmp_path / "swapped.csv").write_text(rearranged(PEOPLE, [2, 0, 1]))
    (tmp_path / "more.csv").write_text(rearranged(PEOPLE, [1, 1, 0, 2]).replace("income", "id", 1))
    (tmp_path / "bare.csv").write_text(rearranged(PEOPLE, [0, 1, 2], names=False))
    (tmp_path / "wage.csv").write_text(PEOPLE.replace("income", "wage"))
    (tmp_path / "german.csv").write_text(PEOPLE.replace("age,income,weight", "alter,einkommen,gewicht"))
    for name in ["swapped.csv", "more.csv", "bare.csv"]:
        assert motmot("evaluate", "phi.json", name).out == want.out, name
    done = motmot("evaluate", "phi.json", "wage.csv", "--output", "phi.csv")
    assert done.code == 2 and not (tmp_path / "phi.csv").exists()
    assert done.err == ("motmot evaluate: 'wage.csv' has no column 'income', which the critic takes; its columns are "
                        "'age', 'wage', 'weight'\n")
    assert motmot("evaluate", "phi.json", "german.csv").code == 2
    assert motmot("evaluate", "phi.json", "german.csv", "--columns", "alter,einkommen,gewicht").out == want.out


def test_a_potential_without_names_goes_by_place(motmot, tmp_path):
    (tmp_path / "x.csv").write_text(rearranged(PEOPLE, [0, 1, 2], names=False))
    (tmp_path / "y.csv").write_text(rearranged(OTHERS, [0, 1, 2], names=False))
    (tmp_path / "named.csv").write_text(PEOPLE)
    assert motmot("distance", "x.csv", "y.csv", "--save-phi", "phi.json").code == 0
    assert "columns" not in json.loads((tmp_path / "phi.json").read_text())
    assert motmot("evaluate", "phi.json", "named.csv").out == motmot("evaluate", "phi.json", "x.csv").out != ""


def test_the_potential_gives_the_value_back(motmot, toy, tmp_path):
    result = distance(motmot, toy / "x.csv", toy / "y.csv", "--rows", "rows.csv")
    kept = [row for row in csv.DictReader((tmp_path / "rows.csv").open()) if row["left_out"] == "0"]
    means = [sum(float(row["phi"]) for row in kept if row["sample"] == sample) /
             sum(row["sample"] == sample for row in kept) for sample in "xy"]
    assert means[0] - means[1] == pytest.approx(result["value"], rel=1e-9)


def test_columns_without_a_name_have_their_number(motmot, toy, tmp_path):
    for name in ("x.csv", "y.csv"):
        (tmp_path / name).write_text("\n".join((toy / name).read_text().split()[1:]))
    result = distance(motmot, "x.csv", "y.csv", "--columns", "2")
    assert result["asked"]["columns"] == ["c2"] == [column["name"] for column in result["columns"]]
    assert distance(motmot, "x.csv", "y.csv", "--scale", "c2=10")["columns"][1]["unit"] == 10


def test_threads_change_nothing_and_seeds_do(motmot, toy):
    values = [distance(motmot, toy / "x.csv", toy / "y.csv", *QUICK, "--threads", t, env={"MOTMOT_CORES": "8"})["value"]
              for t in (1, 2, 3, 7)]
    assert len(set(values)) == 1
    assert distance(motmot, toy / "x.csv", toy / "y.csv", *QUICK, "--seed", 1)["value"] != values[0]


@pytest.mark.parametrize("options", [["mou"], ["mou-diag"], ["mom", "--scheme", "partition"],
                                     ["mom", "--scheme", "swor", "--block-size", "4"], ["mou", "--scheme", "pairs", "--pairs", "20"]])
def test_estimators_and_schemes_run(motmot, toy, options):
    assert distance(motmot, toy / "x.csv", toy / "y.csv", *QUICK[2:], "--estimator", *options)["value"] > 0


def test_plain_and_sizes_that_differ(motmot, toy):
    plain = distance(motmot, toy / "x.csv", toy / "y.csv", "--critic", "clipped", "--estimator", "plain", "--steps", "50")
    assert plain["neighbours"]["paper"]["blocks"] == {"x": 1, "y": 1}
    other = distance(motmot, toy / "x.csv", toy / "y.csv", *CLIPPED, "--blocks-x", "20", "--blocks-y", "9", "--steps", "50")
    paper = other["neighbours"]["paper"]
    assert paper["blocks"] == {"x": 20, "y": 9} and paper["block_size"] == {"x": 6, "y": 10}


def test_tau_sets_both_samples(motmot, toy):
    both = distance(motmot, toy / "x.csv", toy / "y.csv", "--tau", "0.05")
    assert (both["tau_x"], both["tau_y"]) == (0.05, 0.05)
    one = distance(motmot, toy / "x.csv", toy / "y.csv", *CLIPPED, "--tau-x", "0.05", "--tau-y", "0", "--steps", "20")
    blocks = one["neighbours"]["paper"]["blocks"]
    assert one["tau_y"] == 0 and blocks["y"] == 1 and blocks["x"] % 2 == 1


def test_trace_holds_every_step_and_value_is_the_mean_of_its_tail(motmot, toy, tmp_path):
    result = distance(motmot, toy / "x.csv", toy / "y.csv", *QUICK, "--trace", "trace.csv")
    rows = list(csv.DictReader((tmp_path / "trace.csv").open()))
    assert len(rows) == 300 and rows[10]["epoch"] == "1" and rows[11]["epoch"] == "2"
    tail = [float(row["value"]) for row in rows[-100:]]
    assert sum(tail) / 100 == pytest.approx(result["value"], rel=1e-12)


def test_a_saved_critic_gives_the_value_back(motmot, toy, tmp_path):
    result = distance(motmot, toy / "x.csv", toy / "y.csv", "--critic", "clipped", "--estimator", "plain", "--steps",
                      "2000", "--save-phi", "critic.json")
    means = []
    for name in ["x", "y"]:
        done = motmot("evaluate", "critic.json", toy / f"{name}.csv")
        lines = done.out.split()
        assert done.code == 0 and lines[0] == "phi"
        means.append(sum(map(float, lines[1:])) / len(lines[1:]))
    assert means[0] - means[1] == pytest.approx(result["value"], rel=0.05)


def test_summary_and_json_do_not_mix(motmot, toy):
    both = motmot("distance", toy / "x.csv", toy / "y.csv", *QUICK, "--json", "-")
    json.loads(both.out)
    assert "value" in both.err and "\r" not in both.err
    text = motmot("distance", toy / "x.csv", toy / "y.csv", *QUICK)
    assert "constant" in text.out and text.err == ""
    quiet = motmot("distance", toy / "x.csv", toy / "y.csv", *QUICK, "--quiet")
    assert quiet.out == "" and quiet.err == ""


def test_one_row_is_a_row_and_one_repetition_a_repetition(motmot, tmp_path):
    assert motmot("generate", "d1", "--n", 1, "--d", 1, "--tau-x", 0, "--output", "g").out.startswith(
        "d1: X 1 row, 0 of them outliers; Y 1 row, 0 outliers; 1 column\n")
    assert motmot("advise", "--delta", 2).err == "motmot advise: delta must lie in (0, 1), got 2\n"
    done = motmot("reproduce", "error", "--quick", "--n", 40, "--repetitions", 1, "--blocks", "1,5", "--tau", "0", "--output", "o")
    assert ", 1 repetition; results and figures in o" in done.out, done.err


def test_other_formats_give_the_same_value(motmot, toy, tmp_path):
    want = distance(motmot, toy / "x.csv", toy / "y.csv", *QUICK)["value"]
    (tmp_path / "x.csv.gz").write_bytes(gzip.compress((toy / "x.csv").read_bytes()))
    assert distance(motmot, "x.csv.gz", toy / "y.csv", *QUICK)["value"] == want
    assert distance(motmot, "-", toy / "y.csv", *QUICK, stdin=(toy / "x.csv").read_bytes())["value"] == want
    assert motmot("generate", "d1", "--n", 120, "--m", 90, "--tau-x", 0.1, "--seed", 1, "--output", "np", "--format",
                  "npy").code == 0
    assert distance(motmot, "np/x.npy", "np/y.npy", *QUICK)["value"] == want
    labelled = "\n".join(f"{line},{'label' if i == 0 else 'a b'}"
                         for i, line in enumerate((toy / "x.csv").read_text().split()))
    (tmp_path / "labelled.csv").write_text(labelled)
    assert distance(motmot, "labelled.csv", "labelled.csv", *QUICK, "--exclude", "label")["asked"]["d"] == 2
    assert distance(motmot, "labelled.csv", toy / "y.csv", *QUICK, "--columns", "c1,c2")["value"] == want
    swapped = "\n".join(",".join(reversed(line.split(","))) for line in (toy / "x.csv").read_text().split())
    (tmp_path / "swapped.csv").write_text(swapped)
    assert distance(motmot, "swapped.csv", toy / "y.csv", *QUICK, "--columns", "c1,c2")["value"] == want
    (tmp_path / "other_names.csv").write_text((toy / "x.csv").read_text().replace("c1,c2", "u,v"))
    assert distance(motmot, "other_names.csv", toy / "y.csv", *QUICK)["value"] == want
    # Numbers are no names: column 2 of the weighted file is column 1 of the other.
    bare = {name: (toy / name).read_text().split()[1:] for name in ("x.csv", "y.csv")}
    (tmp_path / "weighted.csv").write_text("\n".join(f"1,{line}" for line in bare["x.csv"]))
    (tmp_path / "bare.csv").write_text("\n".join(bare["y.csv"]))
    plain = distance(motmot, toy / "x.csv", toy / "y.csv", "--estimator", "plain")["value"]
    assert distance(motmot, "weighted.csv", "bare.csv", "--estimator", "plain", "--weights-x", 1)["value"] == pytest.approx(plain)


def test_an_unknown_command_is_named_with_those_there_are(motmot):
    for arguments, words in [([], "a command is needed: choose distance, matrix, compare, transport"), (["dist", "x.csv"], "there is no command 'dist' (did you mean distance?)")]:
        done = motmot(*arguments)
        assert done.code == 2 and words in done.err and done.err.count("\n") == 1


def test_missing_rows_can_be_dropped(motmot, toy, tmp_path):
    (tmp_path / "gaps.csv").write_text((toy / "x.csv").read_text() + "NA,1\n2,inf\n")
    assert distance(motmot, "gaps.csv", toy / "y.csv", *QUICK, "--missing", "drop")["asked"]["n"] == 120


def test_advise_prints_every_rule(motmot):
    done = motmot("advise", "--n", 500, "--tau-x", 0.1, "--tau-y", 0, "--json", "advice.json")
    assert done.code == 0
    for word in ["default", "prop4", "section42", "seventy", "gan", "vacuous", "249"]:
        assert word in done.out


def test_selfcheck_prints_the_recorded_digest(motmot):
    from conftest import ROOT
    done = motmot("selfcheck")
    assert done.code == 0
    assert done.out.split("Selfcheck: ")[1].strip() == (ROOT / "tests/golden/selfcheck.txt").read_text().strip()


def test_help_speaks_plain_english(motmot):
    """CLI11's own words for what an option needs stay out of it."""
    for command in ["distance", "transport", "evaluate", "advise", "generate", "reproduce error"]:
        out = motmot(*command.split(), "--help").out
        for word in ["REQUIRED", "Excludes", "TEXT", "ENUM", "UINT", "FLOAT"]:
            assert word not in out, (command, word)


def test_the_bill_of_materials_names_what_is_linked(motmot):
    for words in (["--version", "--json"], ["--json", "--version"]):
        done = motmot(*words)
        assert done.code == 0, done.err
    bill = json.loads(done.out)
    assert bill["bomFormat"] == "CycloneDX" and bill["metadata"]["component"]["version"] == motmot("--version").out.split()[1]
    linked = {part["name"]: part["properties"][0]["value"] for part in bill["components"]}
    assert len(linked) == len(bill["components"]) and set(linked.values()) == {"shared", "headers", "embedded", "at run time"}
    assert all(part["licenses"][0]["license"] for part in bill["components"])
    assert {part["name"] for part in bill["components"] if "version" not in part} == {"duckdb"}
    loaded = set(re.findall(r"^\s*lib([\w+]+)\.so", subprocess.run(["ldd", BIN / "motmot"], capture_output=True, text=True).stdout, re.M))
    called = {"z": "zlib", "stdc++": "libstdc++", "gcc_s": "libstdc++", "m": "glibc", "c": "glibc"}
    sanitizers = {"asan", "ubsan", "tsan"}
    assert {called.get(name, name) for name in loaded - sanitizers} == {name for name, how in linked.items() if how == "shared"}
    package = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "libzstd1"], capture_output=True, text=True, check=True).stdout
    version = next(part["version"] for part in bill["components"] if part["name"] == "zstd")
    assert version == re.split("[+-]", package)[0]


def test_transport_leaves_out_the_shares_that_it_may(motmot, tmp_path):
    (tmp_path / "x.csv").write_text("a\n0\n1\n2\n100\n")
    (tmp_path / "y.csv").write_text("a\n0.5\n1.5\n2.5\n-50\n")
    for more, cost in ([], 37.125), (["--tau", "0.25"], 0.5), (["--tau-x", "0.25", "--tau-y", "0.25"], 0.5):
        done = motmot("transport", "x.csv", "y.csv", *more, "--json", "-", "--quiet")
        assert done.code == 0, done.err
        assert abs(json.loads(done.out)["cost"] - cost) < 1e-9
    assert motmot("transport", "x.csv", "y.csv", "--tau", "0.25").out.startswith("  partial W1 0.5 ")
