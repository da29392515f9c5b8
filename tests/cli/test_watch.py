"""reference, check and monitor as a user types them: exit codes, files, logs, kills."""
import json
import os
import random
import signal
import subprocess
import time

import pytest
from conftest import BIN, ROOT

SCHEMAS = {name: json.loads((ROOT / f"docs/schema/{name}-{version}.json").read_text())
           for name, version in (("reference", 3), ("check", 1), ("monitor", 2))}


def write(path, seed, n, shift=0.0, header="age,city,when,size", cities=("Ulm", "Bonn", "Kiel"), gaps=0):
    rng = random.Random(seed)
    lines = [header]
    for i in range(n):
        age = "" if i < gaps else f"{rng.gauss(40 + 10 * shift, 10):.3f}"
        lines.append(f"{age},{rng.choice(cities)},2024-06-{1 + i * 10 // n:02d}T{i % 24:02d}:00:00Z,{rng.gauss(0, 1):.3f}")
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def watched(tmp_path, motmot):
    """x.csv of 900 rows, its reference with 30 own chunks, and chunks: same1, same2, moved."""
    write(tmp_path / "x.csv", 1, 900)
    for name, seed, shift in [("same1", 2, 0), ("same2", 3, 0), ("moved", 4, 2)]:
        write(tmp_path / f"{name}.csv", seed, 30, shift)
    done = motmot("reference", "x.ref", "x.csv", "--exclude", "when", "--chunk-rows", 30, "--json", "ref.json", "--report", "ref.html")
    assert done.code == 0, done.err
    return tmp_path


def test_a_reference_never_replaces_a_table(watched, motmot):
    before = (watched / "x.csv").read_bytes()
    refused = motmot("reference", "x.csv", "same1.csv", "--exclude", "when")
    assert refused.code == 2 and "'x.csv' is there and is no reference" in refused.err, refused.err
    assert (watched / "x.csv").read_bytes() == before
    assert motmot("reference", "x.ref", "x.csv", "--exclude", "when", "--chunk-rows", 30).code == 0
    (watched / "empty").touch()
    assert motmot("reference", "empty", "x.csv", "--exclude", "when", "--chunk-rows", 30).code == 0


def test_a_check_cannot_leave_out_what_its_reference_compares(watched, motmot):
    done = motmot("check", "x.ref", "same1.csv", "--exclude", "when,age")
    assert done.code == 2 and "the reference compares the column 'age', so a check of it cannot leave it out" in done.err, done.err
    assert motmot("check", "x.ref", "same1.csv", "--exclude", "when").code in (0, 1)
    assert motmot("reference", "with_time.ref", "x.csv", "--chunk-rows", 30).code == 0
    later = (watched / "same1.csv").read_text().replace("2024-06-", "2024-08-")
    (watched / "later.csv").write_text(later)
    done = motmot("check", "with_time.ref", "later.csv")
    said = " ".join(done.out.split())
    assert done.code == 1 and "when of X lies before that of Y and alone tells them apart; a reference made with --exclude 'when' compares the rest" in said, said
    assert motmot("reference", "without_time.ref", "x.csv", "--chunk-rows", 30, "--exclude", "when").code == 0
    assert "tells them apart" not in motmot("check", "without_time.ref", "later.csv").out


def valid(name, path):
    jsonschema = pytest.importorskip("jsonschema")
    result = json.loads(path.read_text())
    jsonschema.Draft202012Validator(SCHEMAS[name]).validate(result)
    return result


def test_reference_says_what_it_learnt(watched):
    learnt = valid("reference", watched / "ref.json")
    assert [column["kind"] for column in learnt["columns"]] == ["number", "category", "number"]
    assert len(learnt["own"]["distance"]) == 30 and learnt["rows"] == 900
    page = (watched / "ref.html").read_text()
    assert "Its own chunks" in page and "chunks is the rarest that they support." in page


def test_check_answers_like_diff(motmot, watched):
    write(watched / "y.csv", 5, 300)
    write(watched / "z.csv", 6, 300, shift=1)
    same = motmot("check", "x.ref", "y.csv", "--json", "y.json")
    different = motmot("check", "x.ref", "z.csv", "--json", "z.json", "--report", "z.html")
    y, z = valid("check", watched / "y.json"), valid("check", watched / "z.json")
    assert (same.code, different.code) == (0, 1), same.err + different.err
    assert not y["differs"] and y["distance"]["p_value"] > 0.05
    assert z["differs"] and z["distance"]["columns"][0]["share"] > 0.8
    assert different.out.startswith("  Different (p = 0.01, at most 0.05).") and different.err == ""
    assert "held against the reference x.ref" in (watched / "z.html").read_text()
    assert motmot("check", "x.ref", "z.csv", "--effect", 50, "--quiet").code == 0
    assert motmot("check", "x.ref", "z.csv", "--effect", 0.1, "--quiet").code == 1


def test_check_of_many_rows_says_how_many_it_drew(motmot, watched):
    write(watched / "y.csv", 5, 700)
    done = motmot("check", "x.ref", "y.csv", "--rows", 100, "--json", "y.json")
    result = valid("check", watched / "y.json")
    assert "Y has 100 of its 700 rows" in done.out and result["subsample_error"] > 0
    assert result["rows"] == {"x": 900, "y": 700} and result["distance"]["asked"]["m"] == 100
    assert all(1 <= row <= 700 for row in result["distance"]["left_out"]["y"])


def test_unseen_levels_and_gaps_are_differences(motmot, watched):
    write(watched / "y.csv", 5, 300, cities=("Ulm", "Bonn", "Rom"))
    write(watched / "z.csv", 6, 300, gaps=100)
    assert motmot("check", "x.ref", "y.csv").code == 1
    gaps = motmot("check", "x.ref", "z.csv")
    assert gaps.code == 1 and "(missing)" in gaps.out


BAD = [  # words, what the complaint says
    (["check", "x.csv", "y.csv"], "'x.csv' is not a reference"),
    (["check", "none.ref", "y.csv"], "none.ref"),
    (["check", "cut.ref", "y.csv"], "cut short or changed"),
    (["check", "later.ref", "y.csv"], "is a reference of schema 4"),
    (["check", "x.ref", "less.csv"], "no column 'size'"),
    (["check", "x.ref", "more.csv"], "additional column 'extra'"),
    (["check", "x.ref", "word.csv"], "row 1"),
    (["check", "x.ref", "empty.csv"], "empty.csv"),
    (["check", "x.ref", "y.csv", "--alpha", "0.9"], "alpha must lie in [0.001, 0.5]"),
    (["monitor", "x.ref", "y.csv", "--one-in", "40"], "needs 39 chunks of the reference's own, and it has 30"),
    (["monitor", "x.ref", "y.csv", "--time", "when"], "--time and --chunk go together"),
    (["monitor", "x.ref", "y.csv", "--time", "when", "--chunk", "moon"], "--chunk must be day, week or a number"),
    (["monitor", "x.ref", "y.csv", "--time", "size", "--chunk", "day"], "the reference compares the column 'size'"),
    (["monitor", "x.ref", "y.csv", "--log", "y.csv"], "--log would write over Y"),
    (["monitor", "x.ref", "y.csv", "--log", "x.csv"], "is not a log of motmot monitor"),
    (["reference", "x.csv", "x.csv"], "NAME would write over X"),
    (["reference", "new.ref", "y.csv", "--chunk-rows", "31"], "more than half"),
]


@pytest.mark.parametrize("words, said", BAD)
def test_trouble_is_one_sentence(motmot, watched, words, said):
    whole = (watched / "x.ref").read_bytes()
    (watched / "cut.ref").write_bytes(whole[:5000])
    (watched / "later.ref").write_bytes(whole.replace(b"reference 3 ", b"reference 4 ", 1))
    write(watched / "y.csv", 5, 60)
    write(watched / "word.csv", 5, 60)
    (watched / "word.csv").write_text((watched / "word.csv").read_text().replace("\n", "\nforty", 1))
    lines = (watched / "y.csv").read_text().splitlines()
    (watched / "less.csv").write_text("\n".join(",".join(line.split(",")[:3]) for line in lines) + "\n")
    (watched / "more.csv").write_text("\n".join(line + ("," + ("extra" if i == 0 else "1")) for i, line in enumerate(lines)) + "\n")
    (watched / "empty.csv").write_text(lines[0] + "\n")
    before = {path.name: path.read_bytes() for path in watched.iterdir()}
    done = motmot(*words)
    assert done.code == 2 and said in done.err and done.err.count("\n") == 1, done.err
    assert done.out == ""
    assert {path.name: path.read_bytes() for path in watched.iterdir()} == before


def test_monitor_judges_once_and_names_columns(motmot, watched):
    first = motmot("monitor", "x.ref", "same1.csv", "moved.csv", "--log", "a.log", "--json", "a.json", "--report", "a.html")
    result = valid("monitor", watched / "a.json")
    assert first.code == 1 and [chunk["alarm"] for chunk in result["chunks"]] == [False, True], first.err
    assert result["chunks"][1]["columns"][0]["name"] == "age" and result["chunks"][1]["rows_behind"]
    assert "Alarm: moved.csv" in (watched / "a.html").read_text()
    log = (watched / "a.log").read_bytes()
    again = motmot("monitor", "x.ref", "same1.csv", "moved.csv", "--log", "a.log", "--json", "b.json")
    assert again.code == 0 and (watched / "a.log").read_bytes() == log
    assert [chunk["is_new"] for chunk in json.loads((watched / "b.json").read_text())["chunks"]] == [False, False]
    os.rename(watched / "moved.csv", watched / "renamed.csv")  # known by its content
    more = motmot("monitor", "x.ref", "same1.csv", "renamed.csv", "same2.csv", "--log", "a.log")
    assert more.code == 0 and (watched / "a.log").read_bytes().startswith(log)
    bad = motmot("monitor", "x.ref", "x.ref", "--log", "a.log")
    assert bad.code == 2 and "x.ref" in bad.err


def test_alarms_need_no_explanation(motmot, watched):
    words = ["monitor", "x.ref", "same1.csv", "moved.csv", "--json", "a.json"]
    assert motmot(*words).code == 1
    full = json.loads((watched / "a.json").read_text())["chunks"]
    bare = motmot(*words, "--no-explain", "--report", "a.html")
    chunks = valid("monitor", watched / "a.json")["chunks"]
    assert bare.code == 1 and "ALARM" in bare.out and "Rows that pull most" not in bare.out, bare.err
    assert [(one["alarm"], one["p_value"], one["score"]) for one in chunks] == [(one["alarm"], one["p_value"], one["score"]) for one in full]
    assert chunks[1]["columns"] == [] and chunks[1]["low"] is None and "Alarm: moved.csv" not in (watched / "a.html").read_text()
    small = motmot(*words, "--no-explain", "--effect", 1000)  # the effect is looked at in any case
    assert small.code == 0 and valid("monitor", watched / "a.json")["chunks"][1]["low"] is not None


def test_one_file_is_cut_by_its_times(motmot, watched):
    write(watched / "june.csv", 7, 300)
    done = motmot("monitor", "x.ref", "june.csv", "--time", "when", "--chunk", "day", "--json", "a.json")
    chunks = json.loads((watched / "a.json").read_text())["chunks"]
    assert done.code in (0, 1) and [chunk["name"] for chunk in chunks] == [f"2024-06-{day:02d}" for day in range(1, 11)]
    motmot("monitor", "x.ref", "june.csv", "--time", "when", "--chunk", 45, "--json", "b.json")
    assert [chunk["rows"] for chunk in json.loads((watched / "b.json").read_text())["chunks"]] == [45] * 6


def test_a_killed_run_goes_on_where_it_was(motmot, watched):
    """Killed without warning at several moments; in the end the log is that of a run that was not."""
    names = []
    for i in range(12):
        names.append(f"chunk{i}.csv")
        write(watched / names[-1], 20 + i, 30, shift=2 if i == 3 else 0)
    words = ["monitor", "x.ref", *names, "--threads", 1]
    assert motmot(*words, "--log", "whole.log").code == 1
    judged = [line for line in (watched / "whole.log").read_text().splitlines() if '"end"' not in line]
    killed = 0
    for wait in (0.02, 0.05, 0.1, 0.2, 0.3, 0.5):
        run = subprocess.Popen([BIN / "motmot", *map(str, words), "--log", "a.log"], cwd=watched, stdout=subprocess.DEVNULL)
        time.sleep(wait)
        run.send_signal(signal.SIGKILL)
        killed += run.wait() == -signal.SIGKILL
    last = motmot(*words, "--log", "a.log", "--json", "a.json")
    assert killed > 0
    assert [line for line in (watched / "a.log").read_text().splitlines() if '"end"' not in line] == judged
    if '"end"' not in (watched / "a.log").read_text().splitlines()[-2]:
        assert last.code == 1  # the alarm of a run that was killed is not lost
    assert motmot(*words, "--log", "a.log").code == 0


def test_a_log_in_use_is_refused(motmot, watched):
    import fcntl
    assert motmot("monitor", "x.ref", "same1.csv", "--log", "a.log").code == 0
    with open(watched / "a.log") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        done = motmot("monitor", "x.ref", "same2.csv", "--log", "a.log")
    assert done.code == 2 and "is in use by another run" in done.err
