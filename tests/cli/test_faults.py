"""Faults of the system, injected into every command that writes: disks that are full, threads that are not there, memory that
ends, signals and kill -9 at any moment, two runs in one place. Afterwards each output is the old one or the new one, whole; nothing
else is left behind; and the next run gives what it always gave.

MOTMOT_FAULTS=all takes every call and more moments; without it some of them, within seconds. Counts are printed (pytest -s).
"""
import itertools
import os
import random
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import BIN, needs_little_memory

ALL = os.environ.get("MOTMOT_FAULTS") == "all"
SHIM = BIN / "fault_shim.so"
pytestmark = needs_little_memory  # the sanitizers replace the same functions

MOM = ["--estimator", "mom", "--blocks", "5", "--quiet"]
COMMANDS = {  # words; what they write is found out by running them
    "distance": ["distance", "x.csv", "y.csv", "--permutations", "5", "--quiet", "--json", "o/r.json", "--rows", "o/rows.csv", "--report", "o/page.html",
                 "--certificate", "o/c.json"],
    "blocks": ["distance", "x.csv", "y.csv", *MOM, "--critic", "clipped", "--hidden", "4", "--steps", "20", "--trace", "o/t.csv", "--save-phi", "o/phi.json"],
    "checkpoint": ["distance", "x.csv", "y.csv", *MOM, "--critic", "clipped", "--hidden", "4", "--steps", "30", "--checkpoint", "o/check", "--json", "o/r.json"],
    "cache": ["distance", "x.csv", "y.csv", *MOM, "--read-out", "5", "--cache", "o", "--json", "o/r.json"],
    "transport": ["transport", "x.csv", "y.csv", "--quiet", "--plan", "o/plan.csv", "--json", "o/t.json"],
    "matrix": ["matrix", "x.csv", "y.csv", "--quiet", "--json", "o/m.json", "--csv", "o/m.csv", "--square", "o/s.csv", "--report", "o/m.html"],
    "compare": ["compare", "x.csv", "y.csv", "--quiet", "--json", "o/k.json"],
    "outliers": ["outliers", "x.csv", "--quiet", "--json", "o/o.json", "--csv", "o/o.csv", "--report", "o/o.html"],
    "reference": ["reference", "o/x.ref", "x.csv", "--chunk-rows", "10", "--quiet", "--report", "o/r.html"],
    "monitor": ["monitor", "x.ref", "y.csv", "x.csv", "--one-in", "2", "--quiet", "--log", "o/m.log", "--json", "o/m.json"],
    "generate": ["generate", "d1", "--n", "20", "--output", "o", "--quiet"],
    "reproduce": ["reproduce", "breakdown", "--quick", "--repetitions", "1", "--output", "o", "--quiet"],
}
if not ALL:
    del COMMANDS["reproduce"]  # a second each time
ENV = {**os.environ, "MOTMOT_CORES": "3"}


def is_cells(name):
    """The cells of a study, one on each line, in the order in which threads finish them."""
    return "-cells-" in name


def grows(name):
    """By lines: the whole lines of a run that ended are kept."""
    return name == "m.log" or is_cells(name)


@pytest.fixture
def place(tmp_path):
    rng = np.random.default_rng(0)
    for name, shift in (("x.csv", 0), ("y.csv", 1)):
        np.savetxt(tmp_path / name, rng.normal(size=(40, 2)) + shift, delimiter=",", header="u,v", comments="", fmt="%.6f")
    subprocess.run([BIN / "motmot", "reference", "x.ref", "x.csv", "--chunk-rows", "10", "--quiet"], cwd=tmp_path, check=True)
    return tmp_path


def fresh(folder):
    shutil.rmtree(folder / "o", ignore_errors=True)
    (folder / "o").mkdir()


def timeless(name, content):
    """Without what a clock says, and which thread was first."""
    if is_cells(name):
        return b"".join(sorted(content.splitlines(keepends=True)))
    if name.endswith((".json", ".html", "check")):
        return b"\n".join(line for line in content.replace(b",", b"\n").split(b"\n") if b"seconds" not in line and b" s on " not in line and b"threads" not in line)
    return content


def outputs(folder):
    return {path.name: timeless(path.name, path.read_bytes()) for path in sorted((folder / "o").rglob("*")) if path.is_file()}


def run(folder, words, fault=None):
    env = dict(ENV)
    if fault is not None:
        (folder / "told").unlink(missing_ok=True)
        env.update(LD_PRELOAD=str(SHIM), MOTMOT_FAULT=fault, MOTMOT_FAULT_TOLD=str(folder / "told"))
    done = subprocess.run([BIN / "motmot", *words], cwd=folder, capture_output=True, env=env, timeout=120)
    return done, fault is not None and (folder / "told").exists()


def start(folder, words):
    return subprocess.Popen([BIN / "motmot", *words], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=ENV)


def whole(name, content, allowed):
    """One of the versions there may be; of a log, lines from its beginning; some of the cells."""
    if is_cells(name):
        return any(set(content.splitlines(keepends=True)) <= set(version.splitlines(keepends=True)) for version in allowed)
    return any(content == version or (grows(name) and version.startswith(content) and content[-1:] in (b"", b"\n")) for version in allowed)


def require_whole(folder, old, new, told, temporaries=False):
    for name, content in outputs(folder).items():
        if name.startswith(".motmot-"):
            assert temporaries, f"{told}: {name} was left behind"
        elif name == "check":  # any step of the way; the next run goes on from it and must come to the same end
            assert content.startswith(b"motmot-checkpoint-1 "), told
        else:
            assert whole(name, content, [version[name] for version in (old, new) if name in version]), f"{told}: {name} is neither old nor new"


def first_and_second(folder, words):
    """What a run writes where nothing was, and where something else was: files of the same names."""
    fresh(folder)
    done, _ = run(folder, words)
    assert done.returncode in (0, 1), done.stderr
    new = outputs(folder)
    # A reference takes the place of a reference alone.
    old = {name: b"motmot reference of old\n" if name.endswith(".ref") else b"old\n" for name in new if not grows(name) and name != "check"}
    return old, new


def put(folder, old):
    fresh(folder)
    for name, content in old.items():
        (folder / "o" / name).write_bytes(content)


FAULTS = {"write": ["ENOSPC", "EIO", "EDQUOT", "short"], "fsync": ["EIO", "ENOSPC"], "rename": ["EIO", "ENOSPC"], "open": ["EDQUOT", "EIO"], "thread": ["EAGAIN"],
          "malloc": ["ENOMEM"]}


def moments(kind, name):
    """Which calls of a kind fail: all; of allocations, which are many, every 25th, or ever fewer. A study takes a second each time and
    allocates hundreds of thousands of times: there they are 1 % apart."""
    if kind != "malloc":
        return itertools.count(1)
    if ALL and name != "reproduce":
        return itertools.count(1, 25)
    ratio = 1.01 if ALL else 1.8
    return (n for n, _ in itertools.groupby(int(ratio**k) for k in itertools.count(0)))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_call_of_the_system_may_fail(place, name):
    words = COMMANDS[name]
    old, new = first_and_second(place, words)
    injected, told = 0, 0
    for kind, errors in FAULTS.items():
        for turn, n in enumerate(moments(kind, name)):
            error = errors[turn % len(errors)]
            put(place, old)
            done, fired = run(place, words, f"{kind}:{n}:{error}")
            what = f"{kind} {n} {error}: {done.stderr.decode()}"
            if not fired:
                assert done.returncode in (0, 1), what
                break
            injected += 1
            assert done.returncode in (0, 1, 2, 3), what
            if done.returncode in (0, 1):
                assert outputs(place) == new, what
            else:
                told += 1
                assert done.stderr.count(b"\n") == 1 and done.stderr.startswith(b"motmot"), what
            require_whole(place, old, new, what)
    put(place, old)
    assert run(place, words)[0].returncode in (0, 1) and outputs(place) == new
    print(f"\n  {name}: {injected} faults injected, {told} told by a sentence and an exit code, the others overcome")
    assert injected > 0 and told > 0


def judgements(log):
    return [line for line in log.splitlines() if not line.startswith(b'{"end"')]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
@pytest.mark.parametrize("name", COMMANDS)
def test_a_signal_at_any_moment(place, name, number):
    words = COMMANDS[name]
    old, new = first_and_second(place, words)
    began = time.monotonic()
    put(place, old)
    run(place, words)
    takes = time.monotonic() - began
    chance, sent, left = random.Random(f"{name} {number}"), 0, 0
    for _ in range(60 if ALL else 3):
        put(place, old)
        process = start(place, words)
        time.sleep(chance.uniform(0, takes))
        process.send_signal(number)
        _, err = process.communicate(timeout=60)
        what = f"{number.name} after some of {takes:.2f} s: {err.decode()}"
        assert process.returncode in (0, 1, 130, -number), what  # -number: before main() had begun
        sent += process.returncode not in (0, 1)
        found = outputs(place)
        left += sum(file.startswith(".motmot-") for file in found)
        require_whole(place, old, new, what, temporaries=number == signal.SIGKILL)
        done, _ = run(place, words)  # the next run: it sweeps up, and goes on from what is there
        assert done.returncode in (0, 1), done.stderr
        if name == "monitor":  # what an interrupted run had judged is news once more, and stands in the log once
            assert judgements(outputs(place)["m.log"]) == judgements(new["m.log"]), what
            assert set(outputs(place)) == set(new), what
        else:
            assert outputs(place) == new, what
    print(f"\n  {name}: {sent} runs ended by {number.name}, {left} temporaries left and swept up")


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("monitor", "reproduce", "checkpoint")])
def test_two_runs_in_one_place(place, name):
    words = COMMANDS[name]
    old, new = first_and_second(place, words)
    for _ in range(20 if ALL else 2):
        put(place, old)
        runs = [start(place, words) for _ in range(3)]
        for process in runs:
            _, err = process.communicate(timeout=60)
            assert process.returncode in (0, 1), err
        assert outputs(place) == new


def test_a_second_run_with_the_same_log_is_told_so_or_goes_on(place):
    words = COMMANDS["monitor"]
    _, new = first_and_second(place, words)
    refused = 0
    for _ in range(20 if ALL else 5):
        fresh(place)
        runs = [start(place, words) for _ in range(2)]
        for process in runs:
            _, err = process.communicate(timeout=60)
            refused += process.returncode == 2
            assert process.returncode in (0, 1) or b"is in use by another run" in err, err
        assert outputs(place)["m.log"] == new["m.log"]
    print(f"\n  {refused} of the second runs refused")
