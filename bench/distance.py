#!/usr/bin/python3
"""The whole robust answer of `motmot distance` (exact critic) against POT's plain, non-robust ot.dist + ot.emd2.

Alternating on the same data, one thread each, processor time (of motmot: less that of a command that does nothing; it
includes reading two .npy files). POT's cost must equal the `beside.plain` that motmot reports with its robust value.

usage: bench/distance.py BUILD_DIR [--quick]
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
import json
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import ot

MOTMOT = pathlib.Path(sys.argv[1]) / "bin" / "motmot"
QUICK = "--quick" in sys.argv


def sample(family, n, d, seed):
    rng = np.random.default_rng(seed)
    x, y = rng.standard_normal((n, d)), rng.standard_normal((n, d))
    y = y + 5 if family == "shift" else 2 * y
    x[: n // 10] = rng.uniform(-50, 50, (n // 10, d))
    return x, y


def run(*arguments):
    """Standard output, and processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run([MOTMOT, *arguments], check=True, capture_output=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return output, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def ours(folder, nothing):
    output, seconds = run("distance", folder / "x.npy", folder / "y.npy", "--critic", "exact", "--tau", "0.1",
                          "--threads", "1", "--quiet", "--json", "-")
    return json.loads(output), seconds - nothing


def peer(x, y):
    start = time.process_time()
    weights = np.full(len(x), 1 / len(x))
    cost = ot.emd2(weights, weights, ot.dist(x, y, metric="euclidean"), numItermax=10**8)
    return cost, time.process_time() - start


def main():
    nothing = statistics.median(run("--version")[1] for _ in range(9))
    for n in [500, 2000] if QUICK else [500, 2000, 10000]:
        for family, d in [("shift", 2), ("shape", 2), ("shift", 10), ("shape", 10)]:
            rounds = 7 if n == 500 else 3 if n == 2000 else 1
            ratios, mine = [], []
            with tempfile.TemporaryDirectory() as name:
                folder = pathlib.Path(name)
                for seed in range(100, 100 + rounds):
                    x, y = sample(family, n, d, seed)
                    np.save(folder / "x.npy", x)
                    np.save(folder / "y.npy", y)
                    result, own = ours(folder, nothing)
                    mine.append(own)
                    if n <= 2000:
                        cost, seconds = peer(x, y)
                        plain = result["beside"]["plain"]
                        assert abs(plain / cost - 1) < 1e-6, (plain, cost)
                        ratios.append(seconds / own)
            note = f"POT / motmot {statistics.median(ratios):5.2f} ({min(ratios):.2f}-{max(ratios):.2f})" if ratios else \
                f"gap {result['run']['gap']:.1e}, settled {result['run']['settled']}"
            print(f"n = m = {n:5} {family} d = {d:2}: robust answer {statistics.median(mine):7.3f} s   {note}", flush=True)


if __name__ == "__main__":
    main()
