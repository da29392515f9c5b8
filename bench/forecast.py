#!/usr/bin/python3
"""What methods cost by the number of rows and columns: the constants of src/doctor/forecast.cpp.

    PATH=build/release/bin:$PATH bench/forecast.py [--most 30]

Runs each method on normal samples of n rows and d columns on one thread, takes CPU seconds and the largest resident set
of the process, and fits log(seconds - start) = a + b log(n) + c log(d) by least squares (the start-up of 0.02 s apart), and
megabytes = base + n d times 8 bytes times p + n^2 times q. Runs beyond --most seconds of CPU end a series.
"""
import argparse
import os
import pathlib
import subprocess
import tempfile

import numpy as np

METHODS = {"distance": ["distance"], "plain": ["distance", "--estimator", "plain"], "mom": ["distance", "--estimator", "mom"],
           "outliers": ["outliers"]}
ROWS, COLUMNS = (500, 1000, 2000, 4000, 8000), (2, 10, 40)


def cost(words, folder):
    """CPU seconds and MB of one run."""
    process = subprocess.Popen(["motmot", *words, "--quiet", "--threads", "1"], cwd=folder, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(process.stderr.read().decode())
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--most", type=float, default=30)
    parser.add_argument("--only", default=",".join(METHODS))
    options = parser.parse_args()
    rng = np.random.default_rng(1)
    with tempfile.TemporaryDirectory() as folder:
        for n in ROWS:
            for d in COLUMNS:
                for name in "xy":
                    np.save(pathlib.Path(folder, f"{name}{n}_{d}.npy"), rng.normal(size=(n, d)) + (name == "y"))
        for method in options.only.split(","):
            found = []
            for d in COLUMNS:
                for n in ROWS:
                    seconds, megabytes = cost([*METHODS[method], f"x{n}_{d}.npy", f"y{n}_{d}.npy"], folder)
                    found.append((n, d, seconds, megabytes))
                    print(method, n, d, f"{seconds:.2f} s {megabytes:.0f} MB", flush=True)
                    if 5 * seconds > options.most:
                        break
            n, d, seconds, megabytes = np.array(found).T
            slow = seconds > 0.05
            design = np.column_stack([np.ones(slow.sum()), np.log(n[slow]), np.log(d[slow])])
            fit, *_ = np.linalg.lstsq(design, np.log(seconds[slow] - 0.02), rcond=None)
            off = np.exp(np.abs(design @ fit - np.log(seconds[slow] - 0.02)).max())
            memory, *_ = np.linalg.lstsq(np.column_stack([np.ones(len(n)), 16e-6 * n * d, 1e-6 * n * n]), megabytes, rcond=None)
            print(f"{method}: exp({fit[0]:.3f}) n^{fit[1]:.3f} d^{fit[2]:.3f}, off by a factor of {off:.2f} at most; "
                  f"{memory[0]:.0f} MB + {memory[1]:.1f} * 16 n d bytes + {memory[2]:.1f} n^2 bytes", flush=True)


if __name__ == "__main__":
    main()
