"""Ranks that end, files that differ, disks without room."""
import json
import os
import shutil
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import BIN, Job, answer_of, children, start, wait_for

RUN = ["distance", "x.npy", "y.npy", "--estimator", "mom", "--critic", "clipped", "--blocks", 20, "--hidden", "16", "--seed", 5, "--threads", 1,
       "--quiet", "--json", "-", "--steps", 60]


@pytest.mark.parametrize("victim", [0, 1])
def test_a_killed_rank_ends_the_job_and_another_number_of_ranks_goes_on(motmot, large, victim):
    whole, _ = answer_of(motmot(0, *RUN))
    words = [*RUN, "--checkpoint", "run.state", "--checkpoint-seconds", 0]
    job = start(2, *words, cwd=large)
    wait_for(lambda: (large / "run.state").exists() and (large / "run.state").stat().st_size > 1000)
    os.kill(children(job)[victim], signal.SIGKILL)
    killed = time.time()
    done = Job(job)
    assert time.time() - killed < 10 and done.code != 0 and done.out == ""
    if victim == 1:
        said = [line for line in done.err.splitlines() if line.startswith("motmot")]
        assert said == ["motmot distance: a rank ended or the job was cancelled; the same command goes on from 'run.state'"]
    assert not list(large.glob(".motmot-*")) or victim == 0  # who is killed cannot tidy up
    before = (large / "run.state").read_bytes()
    answer, _ = answer_of(motmot(3, *words))
    assert answer == whole
    assert before != (large / "run.state").read_bytes()
    # It had not started from nothing: a finished run is answered at once, on any number of ranks.
    again, run = answer_of(motmot(2, *words))
    assert again == whole and run["bytes_a_step"] is None


def test_a_checkpoint_of_another_run_or_a_damaged_one_is_refused(motmot, large):
    words = [*RUN[:-1], 3, "--checkpoint", "run.state"]
    assert motmot(2, *words).code == 0
    state = (large / "run.state").read_bytes()
    for ranks in (0, 2):
        other = motmot(ranks, *words, "--rate", 0.1)
        assert other.code == 2 and "is of a run with other samples, options" in other.err
        (large / "run.state").write_bytes(state[:-1] + bytes([state[-1] ^ 1]))
        damaged = motmot(ranks, *words)
        assert damaged.code == 2 and "is damaged or not one" in damaged.err
        (large / "run.state").write_bytes(state)
    x = np.load(large / "x.npy")
    x[-1, -1] += 1
    np.save(large / "x.npy", x)
    changed = motmot(2, *words)
    assert changed.code == 2 and "is of a run with other samples" in changed.err


def one_sentence(job, words):
    """Refused by all ranks, told by one."""
    said = [line for line in job.err.splitlines() if line.startswith("motmot")]
    assert job.code == 2 and job.out == "" and len(said) == 1 and words in said[0], (job.code, job.err)


def test_what_cannot_be_read_or_written_is_refused_before_the_work(motmot, large):
    one_sentence(motmot(2, *RUN, "--checkpoint", "no/such/folder/run.state"), "cannot write")
    one_sentence(motmot(2, *RUN, "--checkpoint", "/dev/full"), "'/dev/full' is no regular file")
    one_sentence(motmot(2, "distance", "x.npy", "z.npy", *RUN[3:]), "z.npy")
    one_sentence(motmot(2, "distance", "x.npy", "-", *RUN[3:]), "standard input reaches one rank alone")
    one_sentence(motmot(2, *RUN, "--time-limit", 5), "a time limit is for one rank")
    one_sentence(motmot(3, "outliers", "x.npy"), "runs on one rank: start it without mpirun")
    one_sentence(motmot(2, *RUN, "--stpes", 4), "did you mean --steps")
    bad = np.load(large / "y.npy")
    bad[-1, 2] = np.nan
    np.save(large / "bad.npy", bad)
    one_sentence(motmot(2, "distance", "x.npy", "bad.npy", *RUN[3:]), "rank 1 of 2: row 15000, column 3 of Y")


@pytest.mark.skipif(os.geteuid() != 0, reason="a small disk is mounted by root")
def test_a_full_disk_is_refused_before_the_work(motmot, large):
    (large / "small").mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", large / "small"]).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        one_sentence(motmot(2, *[256 if word == "16" else word for word in RUN], "--checkpoint", "small/run.state"), "cannot write 'small/run.state': No space left")
        assert list((large / "small").iterdir()) == []
    finally:
        subprocess.run(["umount", large / "small"], check=True)


def test_ranks_with_different_files_are_refused(motmot, large, tmp_path):
    """Each rank in a folder of its own, as on machines that share no disk."""
    for rank in (0, 1):
        (large / f"m{rank}").mkdir()
        for name in ("x.npy", "y.npy"):
            (large / f"m{rank}" / name).write_bytes((large / name).read_bytes())
    script = large / "in_own_folder"
    script.write_text(f'#!/bin/sh\ncd m$OMPI_COMM_WORLD_RANK && exec "{BIN / "motmot"}" "$@"\n')
    script.chmod(0o755)

    def run():
        return Job(start(2, *[*RUN[:-1], 2], cwd=large, program=script))

    good = run()
    assert good.code == 0, good.err
    json.loads(good.out)
    y = np.load(large / "m1" / "y.npy")
    y[7000, 1] += 1
    np.save(large / "m1" / "y.npy", y)
    one_sentence(run(), "'y.npy' is not the same file on rank 0 and on rank 1")
    (large / "m1" / "y.npy").unlink()
    one_sentence(run(), "is not the same file on rank 0 and on rank 1")


def test_more_ranks_than_parts_are_refused(motmot, large):
    words = ["distance", "x.npy", "y.npy", "--estimator", "mom", "--critic", "lipschitz", "--steps", 2, "--quiet", "--json", "-"]
    one_sentence(motmot(9, *words), "start at most 8 ranks, got 9")


def test_a_build_without_mpi_says_so(tmp_path):
    shutil.copy(BIN / "motmot", tmp_path / "motmot")
    one_sentence(Job(start(2, "advise", cwd=tmp_path, program=tmp_path / "motmot")), "scripts/setup --all")
