#!/usr/bin/python3
"""What a step of clipped takes on one rank and on two: time, CPU, bytes.

    bench/ranks.py BIN [--rows 1000000] [--columns 10] [--steps 3] [--rounds 3]

Runs of few and of more steps alternate, without mpirun and on two ranks of one thread each; what one step takes is their
difference, the smallest of all rounds. CPU is that of the whole rank without what it spends in MPI, where it waits for the other: on a
machine that does other things too, it tells more than the clock.
"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile
import time

import numpy as np

MPIRUN = pathlib.Path(__file__).resolve().parents[1] / "tests" / "mpi" / "mpirun"
TOLD = re.compile(r"rank (\d+): ([\d.]+) s, CPU ([\d.]+) s; of these in MPI ([\d.]+) s, CPU ([\d.]+) s; sent (\d+) bytes")


def one_run(binary, ranks, words):
    """Seconds of the clock, and of CPU outside MPI of the busiest rank."""
    before, start = os.times(), time.perf_counter()
    mpirun = [MPIRUN, "-n", str(ranks)] if ranks > 1 else []
    done = subprocess.run([*mpirun, binary, *words], capture_output=True, text=True, env={**os.environ, "MOTMOT_MPI_TIMES": "1"})
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    seconds, after = time.perf_counter() - start, os.times()
    told = [(float(m[3]) - float(m[5])) for m in TOLD.finditer(done.stderr)]
    cpu = after.children_user - before.children_user + after.children_system - before.children_system
    return seconds, max(told) if told else cpu


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    for name, usual in (("rows", 1_000_000), ("columns", 10), ("steps", 3), ("rounds", 3), ("blocks", 100)):
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    rng = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("x.npy", "y.npy")]
        for k, file in enumerate(files):
            np.save(file, rng.normal(size=(given.rows, given.columns)) + k)
        best = {}
        for _ in range(given.rounds):
            for ranks in (1, 2):
                for steps in (1, 1 + given.steps):
                    words = ["distance", *files, "--estimator", "mom", "--critic", "clipped", "--blocks", given.blocks, "--steps", steps,
                             "--threads", 1, "--quiet", "--json", "/dev/null"]
                    found = one_run(given.binary / "motmot", ranks, list(map(str, words)))
                    best[ranks, steps] = tuple(map(min, zip(found, best.get((ranks, steps), found))))
    step = {ranks: [(best[ranks, 1 + given.steps][k] - best[ranks, 1][k]) / given.steps for k in (0, 1)] for ranks in (1, 2)}
    print(f"n = m = {given.rows}, d = {given.columns}, K = {given.blocks}; a step, the smallest of {given.rounds} rounds")
    for ranks in (1, 2):
        print(f"  {ranks} rank(s): {step[ranks][0]:.3f} s by the clock, {step[ranks][1]:.3f} s of CPU on the busiest rank outside MPI")
    print(f"  efficiency of two: {step[1][0] / (2 * step[2][0]):.3f} by the clock, {step[1][1] / (2 * step[2][1]):.3f} by CPU")


if __name__ == "__main__":
    main()
