import json
import os
import pathlib
import shutil
import subprocess
import time

import numpy as np
import pytest

HERE = pathlib.Path(__file__).resolve().parent
BIN = pathlib.Path(os.environ["MOTMOT_BIN"]).resolve()


def pytest_collection_modifyitems(items):
    missing = ("mpirun is not installed: scripts/setup --all" if shutil.which("mpirun") is None else
               "motmot-mpi was not built: it needs libopenmpi-dev" if not (BIN / "motmot-mpi").exists() else None)
    if missing:
        for item in items:
            item.add_marker(pytest.mark.skip(reason=missing))


def start(ranks, *words, cwd, env=None, program=BIN / "motmot"):
    """A job of so many ranks, under way. Jobs that start at once must not share the folder of mpirun's own files."""
    return subprocess.Popen([HERE / "mpirun", "-n", str(ranks), program, *map(str, words)], cwd=cwd, text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, env={**os.environ, "OMPI_MCA_orte_tmpdir_base": str(cwd), **(env or {})})


class Job:
    def __init__(self, running):
        self.out, self.err = running.communicate(timeout=300)
        self.code = running.returncode


@pytest.fixture
def motmot(tmp_path):
    """motmot(ranks, words...): 0 ranks is without mpirun."""
    def run(ranks, *words, env=None):
        if ranks > 0:
            return Job(start(ranks, *words, cwd=tmp_path, env=env))
        return Job(subprocess.Popen([BIN / "motmot", *map(str, words)], cwd=tmp_path, text=True, stdout=subprocess.PIPE,
                                    stderr=subprocess.PIPE, env={**os.environ, **(env or {})}))
    return run


def answer_of(job):
    """The answer as JSON, without how the run went."""
    assert job.code == 0, (job.code, job.out, job.err)
    answer = json.loads(job.out)
    return answer, answer.pop("run")


@pytest.fixture
def large(tmp_path):
    """Two samples whose rows are split: n m > 2e8."""
    rng = np.random.default_rng(3)
    x, y = rng.normal(size=(20000, 5)), rng.normal(size=(15000, 5)) + 0.5
    x[:200] += 30
    np.save(tmp_path / "x.npy", x)
    np.save(tmp_path / "y.npy", y)
    return tmp_path


def children(job, program="motmot-mpi"):
    """The ranks of a job, by rank."""
    found = {}
    for path in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            words = dict(word.split("=", 1) for word in path.read_bytes().decode(errors="replace").split("\0") if "=" in word)
            exe = os.readlink(path.parent / "exe")
            parent = int((path.parent / "stat").read_text().rsplit(")", 1)[1].split()[1])
        except OSError:
            continue
        if exe.endswith("/" + program) and parent == job.pid:
            found[int(words.get("OMPI_COMM_WORLD_RANK", -1))] = int(path.parent.name)
    return found


def wait_for(condition, seconds=120):
    end = time.time() + seconds
    while not condition():
        assert time.time() < end, "it did not come"
        time.sleep(0.02)
