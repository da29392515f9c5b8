#!/usr/bin/python3
"""One thread against two, on a machine with nothing else to do and beside a process that keeps one core busy.

Short runs, alternating, wall time; the smallest and the median of each. What two threads take over what one takes must not
be above 1.1 beside the busy process. As many busy processes run as the machine has cores less one. The script asks for a
priority above that of other users' work (root only), so that these disturb less; --fifo runs the quiet half with real-time priority.

usage: bench/beside.py BUILD_DIR [--quick] [--old MOTMOT] [--fifo]
"""
import argparse
import contextlib
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

BUSY = [sys.executable, "-c", "while True: pass"]


def samples(folder, n, d):
    rng = np.random.default_rng([7, n, d])
    x, y = rng.normal(size=(n, d)), 5 + rng.normal(size=(n, d))
    x[: n // 10] = rng.uniform(-50, 50, size=(n // 10, d))
    names = folder / f"x{n}-{d}.npy", folder / f"y{n}-{d}.npy"
    np.save(names[0], x)
    np.save(names[1], y)
    return names


def clipped(n, steps):
    return n, 2, ["--critic", "clipped", "--estimator", "mom", "--blocks", "71", "--steps", str(steps)]


def lipschitz(n, steps):
    return n, 2, ["--critic", "lipschitz", "--estimator", "mom", "--blocks", "71", "--steps", str(steps)]


# Sample size, columns, options. A step of the clipped loop takes some 0.15, 1 and 4 ms.
CASES = {
    "clipped, n = 500": clipped(500, 3000),
    "clipped, n = 4000": clipped(4000, 500),
    "clipped, n = 16000": clipped(16000, 120),
    "lipschitz, n = 500": lipschitz(500, 1000),
    "exact critic, n = 500": (500, 2, ["--estimator", "mom"]),
    "answer, n = 500, d = 2": (500, 2, []),
    "answer, n = 2000, d = 10": (2000, 10, []),
}


@contextlib.contextmanager
def busy(count):
    processes = [subprocess.Popen(BUSY) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def measure(binaries, case, files, rounds, wrapper):
    """{(binary, threads): seconds of each round}"""
    found = {}
    for _ in range(rounds):
        for name, binary in binaries.items():
            for threads in (1, 2):
                command = [*wrapper, binary, "distance", *files, *case[2], "--threads", str(threads), "--quiet"]
                found.setdefault((name, threads), []).append(seconds(command))
    return found


def line(found, name):
    one, two = found[name, 1], found[name, 2]
    ratio = statistics.median(b / a for a, b in zip(one, two))
    return (f"{name}: one {min(one):.3f} ({statistics.median(one):.3f}) s, two {min(two):.3f} ({statistics.median(two):.3f}) s, "
            f"two / one {min(two) / min(one):.2f} ({ratio:.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--old", help="another motmot to measure beside it")
    parser.add_argument("--fifo", action="store_true")
    parser.add_argument("--only", default="", help="cases that contain this text")
    args = parser.parse_args()
    binaries = {"motmot": args.build / "bin" / "motmot"}
    if args.old:
        binaries["old"] = args.old
    with contextlib.suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, 0, -19)
    print(f"load before: {os.getloadavg()[0]:.1f}, {os.cpu_count()} cores; smallest (median) of each")
    rounds = 3 if args.quick else 9
    with tempfile.TemporaryDirectory() as folder:
        for name, case in CASES.items():
            if args.only not in name:
                continue
            files = samples(pathlib.Path(folder), case[0], case[1])
            quiet = measure(binaries, case, files, rounds, ["chrt", "-f", "1"] if args.fifo else [])
            with busy(os.cpu_count() - 1):
                beside = measure(binaries, case, files, rounds, [])
            for binary in binaries:
                print(f"{name:26} quiet   {line(quiet, binary)}\n{'':26} beside  {line(beside, binary)}", flush=True)


if __name__ == "__main__":
    main()
