#!/usr/bin/env python3
"""Samples past memory: motmot distance --critic lipschitz on mapped files, inside a control group of a few GB, and how
long a step takes at several numbers of rows.

  bench/past_memory.py [--motmot build/release/bin/motmot] [--dir /var/tmp/motmot] [--limit 2G] [--rows 1e4,1e5,1e6,1e7]

Makes x-N.npy and y-N.npy (20 columns, 2 % of the rows anywhere in [-50, 50]^20, the first column of Y shifted by 1) in the
folder where they are not there yet. Prints one line for each N: time per step from two runs that differ in --steps alone
(user CPU and wall clock), the largest RssAnon and the largest resident set that were seen, and, where the machine lets us
make a control group of memory (version 1 or 2), that the run lived inside it and how often pages had to be read from disk.
"""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

COLUMNS = 20


def make(path, n, shift, seed):
    if path.exists():
        return
    out = np.lib.format.open_memmap(path.with_suffix(".new"), mode="w+", dtype="<f8", shape=(n, COLUMNS))
    rng = np.random.default_rng(seed)
    for first in range(0, n, 1_000_000):
        rows = rng.standard_normal((min(n - first, 1_000_000), COLUMNS))
        rows[:, 0] += shift
        wrong = rng.choice(len(rows), len(rows) // 50, replace=False)
        rows[wrong] = rng.uniform(-50, 50, (len(wrong), COLUMNS))
        out[first:first + len(rows)] = rows
    out.flush()
    path.with_suffix(".new").rename(path)


class Group:
    """A control group of memory inside our own, removed at the end; None where there may be none."""

    def __init__(self, limit):
        self.folder = None
        lines = dict(line.strip().split(":", 2)[1:] for line in open("/proc/self/cgroup"))
        version1 = "memory" in lines
        root = pathlib.Path("/sys/fs/cgroup") / ("memory" if version1 else "")
        own = root / lines["memory" if version1 else ""].lstrip("/")
        self.limit_file, self.peak_file = (("memory.limit_in_bytes", "memory.max_usage_in_bytes") if version1 else
                                           ("memory.max", "memory.peak"))
        folder = own / f"motmot-bench-{os.getpid()}"
        try:
            folder.mkdir()
            self.folder = folder
            (folder / self.limit_file).write_text(str(limit))
        except OSError as error:
            print(f"no control group: {error}", file=sys.stderr)
            self.close()

    def enter(self):
        if self.folder:
            (self.folder / "cgroup.procs").write_text(str(os.getpid()))

    def peak(self):
        try:
            return int((self.folder / self.peak_file).read_text())
        except (OSError, TypeError):
            return float("nan")

    def close(self):
        if self.folder and self.folder.exists():
            self.folder.rmdir()
        self.folder = None


def forget(path):
    """The system keeps no page of the file: those that are kept count for whoever read them first, not for the group."""
    with open(path, "rb") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def run(command, group):
    """Wall seconds, user seconds, largest RssAnon and resident set in MB, pages read from disk, answer."""
    start = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, preexec_fn=group.enter if group else None)
    anonymous = resident = 0
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            break
        try:
            text = open(f"/proc/{process.pid}/status").read()
            anonymous = max(anonymous, int(text.split("RssAnon:")[1].split()[0]) / 1024)
            resident = max(resident, int(text.split("VmRSS:")[1].split()[0]) / 1024)
        except (OSError, IndexError):
            pass
        time.sleep(0.02)
    wall = time.monotonic() - start
    out = process.stdout.read()
    if status:
        sys.exit(f"{' '.join(map(str, command))} ended with status {status}")
    return wall, usage.ru_utime, anonymous, resident, usage.ru_majflt, json.loads(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--motmot", default="build/release/bin/motmot")
    parser.add_argument("--dir", type=pathlib.Path, default=pathlib.Path("/var/tmp/motmot"))
    parser.add_argument("--limit", default="2G")
    parser.add_argument("--rows", default="1e4,1e5,1e6,1e7")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--read-out", type=int, default=500)
    parser.add_argument("--more", default="", help="further options of motmot distance")
    options = parser.parse_args()
    limit = int(options.limit[:-1]) << {"M": 20, "G": 30}[options.limit[-1]]
    options.dir.mkdir(parents=True, exist_ok=True)
    group = Group(limit)
    few = max(1, options.steps // 10)
    print("rows, ms a step (user CPU), ms a step (wall), whole run s (wall), RssAnon MB, RSS MB, group's peak MB, "
          "pages read from disk, value, held out")
    try:
        for word in options.rows.split(","):
            n = int(float(word))
            x, y = options.dir / f"x-{n}.npy", options.dir / f"y-{n}.npy"
            make(x, n, 0, 1)
            make(y, n, 1, 2)
            command = [options.motmot, "distance", x, y, "--estimator", "mom", "--critic", "lipschitz", "--threads",
                       options.threads, "--read-out", options.read_out, "--quiet", "--json", "-", *options.more.split()]
            forget(x)
            forget(y)
            short = run([*command, "--steps", few], group)
            full = run([*command, "--steps", options.steps], group)
            # Held-out values take a second ascent of as many steps (5 columns and more).
            steps = 2 * (options.steps - few)
            paper = full[5]["neighbours"]["paper"]
            print(f"{n}, {1000 * (full[1] - short[1]) / steps:.2f}, {1000 * (full[0] - short[0]) / steps:.2f}, {full[0]:.0f}, "
                  f"{full[2]:.0f}, {full[3]:.0f}, {group.peak() / 2**20 if group.folder else float('nan'):.0f}, {full[4]}, "
                  f"{full[5]['value']:.4f}, {paper['held_out']:.4f}", flush=True)
    finally:
        group.close()


if __name__ == "__main__":
    main()
