"""Outputs that must not be lost, inputs that must not be written over, signals and limits."""
import json
import os
import resource
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import BIN, needs_little_memory

CLIPPED = ["--estimator", "mom", "--critic", "clipped", "--hidden", "4", "--steps", "20", "--blocks", "5"]


@pytest.fixture
def folder(tmp_path):
    rows = "".join(f"{i},{(i * 7) % 11}\n" for i in range(30))
    for name in ["a.csv", "b.csv"]:
        (tmp_path / name).write_text("u,v\n" + rows)
    np.savez(tmp_path / "a.npz", points=np.arange(60.0).reshape(30, 2), other=np.zeros((30, 2)))
    os.symlink("a.csv", tmp_path / "soft.csv")
    os.link(tmp_path / "a.csv", tmp_path / "hard.csv")
    os.symlink(".", tmp_path / "here")
    os.symlink("new.csv", tmp_path / "dangling.csv")
    (tmp_path / "sub").mkdir()
    os.symlink("y.csv", tmp_path / "sub/x.csv")
    (tmp_path / "peers.csv").write_text("data,tau,method,blocks,epoch,repetition,value,reference,shown\n")
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file() and "here" not in path.parts}


D = ["distance", "a.csv", "b.csv", *CLIPPED]
SAME = [  # words, what the complaint says
    ([*D, "--rows", "a.csv"], "--rows would write over X"),
    ([*D, "--rows", "b.csv"], "--rows would write over Y"),
    ([*D, "--json", "./a.csv"], "--json would write over X"),
    ([*D, "--json", "here/a.csv"], "--json would write over X"),
    ([*D, "--report", "soft.csv"], "--report would write over X"),
    ([*D, "--trace", "hard.csv"], "--trace would write over X"),
    (["distance", "soft.csv", "b.csv", *CLIPPED, "--save-phi", "hard.csv"], "--save-phi would write over X"),
    (["distance", "a.npz:points", "b.csv", *CLIPPED, "--json", "a.npz"], "--json would write over X"),
    ([*D, "--rows", "new.csv", "--json", "new.csv"], "--json and --rows both write to 'new.csv'"),
    ([*D, "--rows", "new.csv", "--json", "here/new.csv"], "both write to"),
    ([*D, "--rows", "dangling.csv", "--json", "new.csv"], "both write to"),
    ([*D, "--rows", "-", "--json", "-"], "--json and --rows both write to standard output"),
    ([*D, "--rows", "/dev/stdout", "--json", "-"], "both write to"),
    (["transport", "a.csv", "b.csv", "--plan", "b.csv"], "--plan would write over Y"),
    (["transport", "a.csv", "b.csv", "--plan", "p", "--json", "p"], "--plan and --json both write to 'p'"),
    (["evaluate", "c.json", "a.csv", "--output", "soft.csv"], "--output would write over X"),
    (["evaluate", "a.csv", "b.csv", "--output", "a.csv"], "--output would write over CRITIC"),
    (["generate", "d1", "--n", "5", "--output", "sub"], "X and Y both write to"),
    (["reproduce", "error", "--quick", "--output", "o", "--report", "o/error.csv"], "both write to"),
    (["reproduce", "rate", "--quick", "--output", "o", "--report", "o/rate.csv"], "both write to"),
    (["reproduce", "schemes", "--quick", "--output", "o", "--report", "o/schemes.md"], "both write to"),
    (["reproduce", "breakdown", "--quick", "--output", "here", "--report", "figure2.svg"], "both write to"),
    (["reproduce", "breakdown", "--quick", "--output", ".", "--peers", "peers.csv", "--report", "peers.csv"],
     "--report would write over --peers"),
]


@pytest.mark.parametrize("words,says", SAME, ids=[" ".join(case[0]) for case in SAME])
def test_an_output_that_is_an_input_or_another_output_is_refused(motmot, folder, words, says):
    before = contents(folder)
    done = motmot(*words)
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1, done.err
    assert says in done.err, done.err
    assert contents(folder) == before


def test_standard_input_is_not_written_over_either(folder):
    before = contents(folder)
    with open(folder / "a.csv") as stdin:
        done = subprocess.run([BIN / "motmot", "distance", "-", "b.csv", *CLIPPED, "--json", "a.csv"], cwd=folder, stdin=stdin,
                              capture_output=True, text=True)
    assert done.returncode == 2 and "would write over X" in done.stderr and contents(folder) == before


def test_what_is_thrown_away_may_be_thrown_away_twice(motmot, folder):
    assert motmot(*D, "--rows", "/dev/null", "--json", "/dev/null").code == 0


SPEAKING = [["--help"], ["--version"], ["distance", "--help"], D, [*D, "--quiet", "--json", "-"], [*D, "--quiet", "--rows", "/dev/stdout"],
            ["transport", "a.csv", "b.csv"], ["transport", "a.csv", "b.csv", "--quiet", "--plan", "-"], ["advise"],
            ["advise", "--quiet", "--json", "-"], ["generate", "d1", "--n", "5", "--output", "g"], ["selfcheck"],
            ["reproduce", "figure1", "--output", "f"], ["evaluate", "critic.json", "a.csv"]]


@pytest.mark.parametrize("words", SPEAKING, ids=[" ".join(words) for words in SPEAKING])
@pytest.mark.parametrize("how", ["> /dev/full", ">&-", "| true"])
def test_an_answer_that_cannot_be_printed_is_an_error(motmot, folder, words, how):
    if words[0] == "evaluate":
        assert motmot(*D, "--save-phi", "critic.json").code == 0
    start = "sleep 0.2; " if how == "| true" else ""  # until nobody reads the pipe any more
    done = subprocess.run(["bash", "-c", f'({start}exec "$0" "$@") {how}; exit ${{PIPESTATUS[0]}}', BIN / "motmot", *words], cwd=folder,
                          capture_output=True, text=True)
    assert done.returncode == 2, (done.returncode, done.stderr)
    assert "cannot write standard output" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_a_closed_standard_output_is_not_mistaken_for_a_file(folder):
    done = subprocess.run(["bash", "-c", '"$0" "$@" >&-', BIN / "motmot", *D, "--rows", "rows.csv"], cwd=folder, capture_output=True)
    assert done.returncode == 2
    assert (folder / "rows.csv").read_text().startswith("sample,row,")
    quiet = subprocess.run(["bash", "-c", '"$0" "$@" >&-', BIN / "motmot", *D, "--quiet", "--json", "r.json"], cwd=folder)
    assert quiet.returncode == 0 and json.loads((folder / "r.json").read_text())["asked"]["n"] == 30


def temporaries(folder):
    return [path.name for path in folder.rglob(".motmot-*")]


def start_long_run(folder, *more):
    """A run that takes minutes, once it has opened its outputs."""
    run = subprocess.Popen([BIN / "motmot", "distance", "a.csv", "b.csv", "--estimator", "mom", "--critic", "clipped", "--steps", "100000000", "--json", "r.json",
                            "--rows", "rows.csv", *more], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    deadline = time.time() + 60
    while len(temporaries(folder)) < 2 and time.time() < deadline:
        time.sleep(0.01)
    time.sleep(0.2)
    return run


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_the_run_and_leaves_nothing(folder, number):
    before = contents(folder)
    run = start_long_run(folder)
    run.send_signal(number)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130 and out == b"" and err == b"motmot distance: interrupted; nothing was written\n"
    assert contents(folder) == before


def test_ctrl_c_ends_a_query(folder):
    query = "sql:select count(*) as x from range(1000000) a, range(1000000) b where a.range * b.range % 7 = 3"
    run = subprocess.Popen([BIN / "motmot", "distance", query, "b.csv"], cwd=folder, stderr=subprocess.PIPE)
    time.sleep(1)
    run.send_signal(signal.SIGINT)
    code, err = run.wait(timeout=20), run.stderr.read()
    if b"scripts/setup --duckdb" in err:
        pytest.skip("DuckDB's library is not there")
    assert code == 130 and err == b"motmot: interrupted\n"


def test_ctrl_c_ends_a_read_that_does_not_end(folder):
    before = contents(folder)
    os.mkfifo(folder / "pipe")
    run = subprocess.Popen([BIN / "motmot", "distance", "pipe", "b.csv", "--json", "r.json"], cwd=folder, stderr=subprocess.PIPE)
    time.sleep(0.3)
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=20) == 130 and run.stderr.read() == b"motmot: interrupted\n"
    (folder / "pipe").unlink()
    assert contents(folder) == before


def test_the_second_ctrl_c_ends_a_run_that_does_not_look_at_the_first(folder):
    """It waits for a reader of its output, who reads nothing."""
    (folder / "big.csv").write_text("u\n" + "".join(f"{i}\n" for i in range(9000)))
    os.mkfifo(folder / "pipe")
    reader = os.open(folder / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    before = contents(folder)
    run = subprocess.Popen([BIN / "motmot", "transport", "big.csv", "big.csv", "--plan", "pipe", "--json", "r.json", "--quiet"], cwd=folder,
                           stderr=subprocess.PIPE)
    time.sleep(3)
    run.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert run.poll() is None, "the first is not enough here, or this tests nothing"
    assert len(temporaries(folder)) == 1
    run.send_signal(signal.SIGINT)
    assert run.wait(timeout=20) == 130 and run.stderr.read() == b"motmot: interrupted\n"
    os.close(reader)
    assert contents(folder) == before


def test_signals_in_quick_succession_leave_nothing(folder):
    before = contents(folder)
    for _ in range(5):
        run = start_long_run(folder)
        for _ in range(20):
            run.send_signal(signal.SIGINT)
        run.communicate(timeout=20)
        assert run.returncode == 130
        assert contents(folder) == before


def test_what_a_killed_run_left_is_swept_up_by_the_next(motmot, folder):
    before = contents(folder)
    killed = start_long_run(folder)
    killed.kill()
    killed.wait()
    assert len(temporaries(folder)) == 2
    alive = start_long_run(folder)
    assert len(temporaries(folder)) == 2, "those of the dead run are gone, those of the living one are there"
    assert motmot(*D, "--quiet", "--json", "other.json").code == 0
    assert len(temporaries(folder)) == 2, "a living run keeps its own"
    alive.send_signal(signal.SIGINT)
    alive.communicate(timeout=60)
    (folder / "other.json").unlink()
    assert contents(folder) == before


def test_a_limit_of_file_sizes_is_an_error_and_leaves_nothing(folder):
    before = contents(folder)
    done = subprocess.run([BIN / "motmot", *D, "--report", "page.html"], cwd=folder, capture_output=True, text=True, restore_signals=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000)))
    assert done.returncode == 2 and "page.html': File too large" in done.stderr and done.stderr.count("\n") == 1
    assert contents(folder) == before


@pytest.mark.parametrize("asked", [100000, 2**64 - 1])
def test_no_more_threads_than_cores_are_started(motmot, folder, asked):
    done = motmot(*D, "--quiet", "--json", "-", "--threads", asked)
    assert done.code == 0 and 1 <= json.loads(done.out)["run"]["threads"] <= os.cpu_count()


@needs_little_memory
def test_fewer_threads_than_wanted_give_the_same_answer(motmot, folder):
    want = json.loads(motmot(*D, "--quiet", "--json", "-", "--threads", 1).out)
    # 500 stacks do not fit into this memory.
    done = subprocess.run([BIN / "motmot", *D, "--quiet", "--json", "-", "--threads", "500"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, "MOTMOT_CORES": "500"},
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30)))
    assert done.returncode == 0, done.stderr
    got = json.loads(done.stdout)
    assert got["run"]["threads"] < 500 and got["value"] == want["value"]


def test_a_plan_has_the_rows_of_the_file(motmot, tmp_path):
    """Rows 1 and 3 of X are left out."""
    (tmp_path / "x.csv").write_text("u\nNA\n1\nNA\n5\n")
    (tmp_path / "y.csv").write_text("u\n5\n1\n")
    done = motmot("transport", "x.csv", "y.csv", "--missing", "drop", "--plan", "plan.csv", "--json", "r.json")
    assert done.code == 0, done.err
    pairs = sorted(line.split(",")[:2] for line in (tmp_path / "plan.csv").read_text().split()[1:])
    assert pairs == [["2", "2"], ["4", "1"]]
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["rows_dropped"] == {"x": 2, "y": 0}
    assert "2 rows of X dropped" in done.out


@needs_little_memory
def test_memory_that_ends_is_one_sentence_and_nothing_written(tmp_path):
    """Where the forecast was told that there is more than there is."""
    done = subprocess.run([BIN / "motmot", "generate", "d1", "--n", "4000000000", "--memory-limit", "1TB", "--output", "g"],
                          cwd=tmp_path, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 29, 1 << 29)))
    assert done.returncode == 2 and done.stderr == ("motmot generate: this takes more memory than --memory-limit allows: "
                                                    "compare fewer rows or columns, or allow more\n")
    assert list(tmp_path.iterdir()) == []


def test_rows_are_numbered_as_in_the_file_and_those_dropped_are_counted(motmot, tmp_path):
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(60, 2)), rng.normal(size=(50, 2)) + 3
    x[7] = 90  # an outlier, in row 8 of the file
    lines = [f"{a},{b}" for a, b in x]
    for row in [1, 4, 20]:
        lines.insert(row, "NA,1")  # the outlier is now in row 10
    (tmp_path / "x.csv").write_text("u,v\n" + "\n".join(lines) + "\n")
    np.savetxt(tmp_path / "y.csv", y, delimiter=",", header="u,v", comments="")
    done = motmot("distance", "x.csv", "y.csv", "--missing", "drop", "--rows", "rows.csv", "--json", "r.json", "--report", "page.html")
    assert done.code == 0, done.err
    kept = [line.split(",") for line in (tmp_path / "rows.csv").read_text().split()[1:]]
    numbers = [int(row[1]) for row in kept if row[0] == "x"]
    assert numbers == [row for row in range(1, 64) if row not in (2, 5, 21)]
    assert [int(row[1]) for row in kept if row[0] == "y"] == list(range(1, 51))
    assert [row[:2] for row in kept if row[2] == "1"] == [["x", "10"]]
    result = json.loads((tmp_path / "r.json").read_text())
    assert result["left_out"] == {"x": [10], "y": []}
    assert result["asked"]["rows_dropped"] == {"x": 3, "y": 0} and result["asked"]["n"] == 60
    assert "60 rows, 3 dropped for missing values" in done.out
    page = (tmp_path / "page.html").read_text()
    assert "60 rows, 3 dropped for missing values" in page and "<td class=\"n\">10</td>" in page
