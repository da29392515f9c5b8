#!/usr/bin/python3
"""The whole default answer of `motmot distance`, on all cores, against a permutation test with POT (ot.dist + ot.emd2).

Alternating on the same data, wall time (of motmot: less that of a command that does nothing; it includes reading two .npy
files). The peer is told which rows are wrong and solves W1 of the rest once, then 99 times with rows mixed; from n = 2000
on three mixed solves are timed and multiplied. POT's cost must equal the `value` of motmot where it left out just these
rows. The paper's estimator (`--estimator mom`) is timed beside it, and the same answer on one thread: all but the times must
be equal.

usage: bench/distance.py BUILD_DIR [--quick] [--ours]
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import ot

MOTMOT = pathlib.Path(sys.argv[1]) / "bin" / "motmot"
QUICK = "--quick" in sys.argv
OURS = "--ours" in sys.argv  # neither POT nor the paper's estimator


def sample(family, n, d, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((n, d)), rng.standard_normal((n, d))
    y = y + 5 if family == "shift" else 2 * y
    x[: n // 10] = rng.uniform(-50, 50, (n // 10, d))
    return x, y


def run(*arguments):
    """Standard output, and wall time."""
    start = time.perf_counter()
    output = subprocess.run([MOTMOT, *arguments], check=True, capture_output=True).stdout
    return output, time.perf_counter() - start


def ours(folder, nothing, *options):
    output, seconds = run("distance", folder / "x.npy", folder / "y.npy", *options, "--quiet", "--json", "-")
    return json.loads(output), seconds - nothing


def emd2(x, y):
    return ot.emd2(np.full(len(x), 1 / len(x)), np.full(len(y), 1 / len(y)), ot.dist(x, y, metric="euclidean"), numItermax=10**8)


def peer(x, y, rng):
    """W1 of the right rows, and the time of it and of 99 permutations."""
    kept = x[len(x) // 10:]
    start = time.perf_counter()
    cost = emd2(kept, y)
    once = time.perf_counter() - start
    pooled = np.concatenate([kept, y])
    timed = 99 if len(x) <= 500 else 3
    start = time.perf_counter()
    for _ in range(timed):
        rng.shuffle(pooled)
        emd2(pooled[: len(kept)], pooled[len(kept):])
    return cost, once + (time.perf_counter() - start) * 99 / timed


def main():
    nothing = statistics.median(run("--version")[1] for _ in range(9))
    for n in [500, 2000] if QUICK else [500, 2000, 10000]:
        for family, d in [("shift", 2), ("shape", 2), ("shift", 10), ("shape", 10)]:
            rounds = 3 if n <= 2000 else 1
            ratios, mine, alone, paper = [], [], [], []
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                for seed in range(100, 100 + rounds):
                    x, y = sample(family, n, d, seed)
                    np.save(folder / "x.npy", x)
                    np.save(folder / "y.npy", y)
                    result, own = ours(folder, nothing)
                    mine.append(own)
                    other, seconds = ours(folder, nothing, "--threads", "1")
                    alone.append(seconds)
                    assert {**result, "run": 0} == {**other, "run": 0}, "threads change the answer"
                    if OURS:
                        continue
                    paper.append(ours(folder, nothing, "--estimator", "mom")[1])
                    if n <= 2000:
                        cost, seconds = peer(x, y, np.random.default_rng(seed))
                        if result["left_out"] == {"x": list(range(1, n // 10 + 1)), "y": []}:
                            assert abs(result["value"] / cost - 1) < 1e-6, (result["value"], cost)
                        ratios.append(seconds / own)
            note = f"POT's test / motmot {statistics.median(ratios):5.2f} ({min(ratios):.2f}-{max(ratios):.2f})" if ratios else ""
            gain = statistics.median(one / all_cores for one, all_cores in zip(alone, mine))
            mom = f", mom {statistics.median(paper):7.3f} s" if paper else ""
            print(f"n = m = {n:5} {family} d = {d:2}: answer {statistics.median(mine):7.3f} s, on one thread {gain:4.2f} times as long{mom}   {note}",
                  flush=True)


if __name__ == "__main__":
    main()
