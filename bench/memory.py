#!/usr/bin/python3
"""Peak memory against forecasts: the tables of docs/results-trust.md.

    PATH=build/release/bin:$PATH bench/memory.py [--only jobs,options,commands,gan] [--most 120]

The peak is the largest resident set of the command (ru_maxrss), one run each, started by a process of 8 MB, which is the least that can be
seen. The forecast is what --memory-limit refused last: limits grow from 1 MB on until the command runs, and that run is measured. Cells are the peak and, in
brackets, the forecast, in MB, bold where the forecast is too low. Runs of more than --most seconds are stopped (-).
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

# A process that has little itself, since what a child has before it becomes the command counts, too.
STARTER = """import os, sys
pid = os.posix_spawnp(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss, file=sys.stderr)
sys.exit(os.waitstatus_to_exitcode(status) & 255)"""
REFUSED = re.compile(r"would take about ([\d.e+]+) (bytes|kB|MB|GB)")
UNIT = {"bytes": 1e-6, "kB": 1e-3, "MB": 1, "GB": 1e3}


class Runs:
    def __init__(self, folder, most):
        self.folder, self.most, self.number = pathlib.Path(folder), most, 0

    def run(self, words):
        """Exit code, what was said, MB."""
        self.number += 1
        words = [str(word).replace("NEW", f"new{self.number}") for word in words]  # outputs are not there yet
        done = subprocess.run([sys.executable, "-I", "-S", "-c", STARTER, "motmot", *words], cwd=self.folder, timeout=self.most,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        said, kilobytes = done.stderr.rstrip().rsplit("\n", 1) if "\n" in done.stderr.rstrip() else ("", done.stderr)
        return done.returncode, said, int(kilobytes) * 1024e-6

    def must(self, *words):
        code, said, _ = self.run([*words, "--quiet"])
        if code > 1:
            raise SystemExit(f"motmot {' '.join(map(str, words))}: {said}")

    def cell(self, *words):
        """Peak and forecast of a command, as a cell of a table."""
        limit, forecast, quiet = 1.0, None, [] if words[0] == "evaluate" else ["--quiet"]
        try:
            while True:
                code, said, peak = self.run([*words, *quiet, "--memory-limit", f"{limit:.3f}MB"])
                refused = REFUSED.search(said)
                if code <= 1:  # check and monitor say 1 where tables differ
                    break
                if refused:
                    forecast = float(refused[1]) * UNIT[refused[2]]
                    limit = max(1.01 * forecast, limit)
                elif "memory" in said:
                    limit *= 1.2
                else:
                    raise SystemExit(f"motmot {' '.join(map(str, words))}: {said}")
        except subprocess.TimeoutExpired:
            return "-"
        words = f"{peak:.0f} ({forecast:.0f})" if forecast else f"{peak:.0f}"
        return f"**{words}**" if forecast and peak > forecast else words

    def normal(self, n, d):
        """Text files x, y and z of normal rows; y and z are shifted by 0.1 and 0.2."""
        rng = np.random.default_rng([n, d])
        files = [f"{name}{n}_{d}.csv" for name in "xyz"]
        for k, file in enumerate(files):
            if not (self.folder / file).exists():
                np.savetxt(self.folder / file, rng.normal(size=(n, d)) + 0.1 * k, delimiter=",", fmt="%.6f")
        return files


def spaced(n):
    return f"{n:,}".replace(",", " ") if n >= 10_000 else str(n)


def table(head, rows):
    print("\n| " + " | ".join(head) + " |\n" + "| --- " * len(head) + "|", flush=True)
    for name, cells in rows:
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)
    print()


def jobs(runs):
    sizes = [(400, 2000, 1), (20_000, 2, 1), (5000, 20, 1), (2000, 40, 1), (5000, 20, 2), (2000, 40, 2)]

    def rows():
        for name, words in [("transport", "transport X Y"), ("distance", "distance X Y"),
                            ("distance --estimator plain", "distance X Y --estimator plain"),
                            ("distance --estimator mom", "distance X Y --estimator mom"), ("matrix of three", "matrix X Y Z"),
                            ("compare", "compare X Y"), ("outliers, one table", "outliers X"), ("outliers, two tables", "outliers X Y"),
                            ("doctor", "doctor X Y"), ("reference", "reference NEW.ref X"), ("check", "check REF Y"),
                            ("monitor", "monitor REF Y --one-in 5")]:
            cells = []
            for n, d, threads in sizes:
                files = dict(zip("XYZ", runs.normal(n, d)), REF=f"{n}_{d}.ref")
                if "REF" in words and not (runs.folder / files["REF"]).exists():
                    runs.must("reference", files["REF"], files["X"])
                some = [] if name in ("transport", "doctor") else ["--threads", threads]
                one = not some or name.endswith(("plain", "two tables"))  # one thread is all they take, or enough to see
                cells.append("-" if one and threads > 1 else runs.cell(*[files.get(word, word) for word in words.split()], *some))
            yield name, cells
    table(["job", *(f"{spaced(n)} x {d}, {threads} thread{'s' * (threads > 1)}" for n, d, threads in sizes)], rows())


def options(runs):
    sizes = [(2000, 3), (1000, 100), (10_000, 5)]

    def rows():
        for words, most in [("--estimator mom --certify", 10_000), ("--estimator mou --certify", 10_000),
                            ("--estimator mom --metric mmd", 10_000), ("--estimator mom --metric energy --certify", 10_000),
                            ("--estimator mom --critic clipped --hidden 2000,1000 --steps 3", 2000),
                            ("--estimator mom --critic lipschitz --steps 3 --read-out 3", 10_000), ("--network --steps 3", 2000)]:
            yield words, [runs.cell("distance", *runs.normal(n, d)[:2], *words.split(), "--threads", threads) if n <= most else "-"
                          for n, d in sizes for threads in (1, 2)]
    table(["`distance`", *(f"{spaced(n)} x {d}, {threads} thread{'s' * (threads > 1)}" for n, d in sizes for threads in (1, 2))], rows())


def commands(runs):
    def rows():
        for words in ["--n 100000 --d 2", "--n 1000000 --d 1", "--n 5000 --d 500", "--n 1 --d 1000000", "--n 1 --d 1000000 --format npy"]:
            yield f"generate d1 {words}", [runs.cell("generate", "d1", *words.split(), "--output", "NEW"), "-"]
        for n, d in [(1_000_000, 1), (5000, 500)]:
            x = runs.normal(n, d)[0]
            small = [file for file in runs.normal(50, d)[:2]]
            for critic in ("exact", "lipschitz", "clipped"):
                some = [] if critic == "exact" else ["--steps", 3]
                runs.must("distance", *small, "--estimator", "plain", "--critic", critic, *some, "--save-phi", f"{critic}{d}.json")
                yield f"evaluate, critic {critic}, {spaced(n)} x {d}, text", [runs.cell("evaluate", f"{critic}{d}.json", x, "--output", "NEW.csv"), "-"]
        runs.must("distance", *runs.normal(50, 20)[:2], "--estimator", "plain", "--critic", "clipped", "--hidden", "2000,1000", "--steps", 1,
                  "--save-phi", "wide.json")
        yield "evaluate, critic of 2 044 001 weights, 50 rows", [runs.cell("evaluate", "wide.json", runs.normal(50, 20)[0], "--output", "NEW.csv"), "-"]
        for words in ["error --quick --n 500 --steps 3 --blocks 1,10 --hidden 2000,1000 --repetitions 2",
                      "convergence --quick --repetitions 200 --n 10 --steps 1000 --hidden 2 --blocks 1,5",
                      "breakdown --quick --n 300 --data d1 --repetitions 2",
                      "breakdown --quick --n 2000 --data d1 --tau 0.1 --blocks 70 --repetitions 2", "rate --quick --repetitions 2",
                      "schemes --quick --n 2000 --repetitions 2"]:
            yield f"reproduce {words}", [runs.cell("reproduce", *words.split(), "--threads", threads, "--output", "NEW") for threads in (1, 2)]
    table(["command", "1 thread", "2 threads"], rows())


def gan(runs):
    rng = np.random.default_rng(0)
    for n, channels in [(200, 1), (2000, 1), (10_000, 3), (10_000, 1)]:
        np.save(runs.folder / f"images{n}_{channels}.npy", rng.integers(0, 256, (n, channels, 32, 32), dtype=np.uint8))

    def train(words, data="images2000_1.npy", output="NEW"):
        return ["gan", "train", "--data", data, "--contaminate", 0, "--steps", 2, "--threads", 2, "--output", output, *words.split()]

    def rows():
        for words in ["", "--width 32", "--width 64", "--width 128", "--net mlp --width 256", "--batch 512", "--batch 512 --width 64",
                      "--batch 512 --width 64 --penalty-rows 0", "--batch 256 --width 32 --loss mou", "--batch 256 --width 32 --loss mou --match-batch",
                      "--batch 256 --width 32 --norm batch", "--batch 64 --width 64 --latent 4000"]:
            yield f"train, 2000 images{', ' * bool(words)}{words}", [runs.cell(*train(words))]
        yield "train, 10 000 images of 3 channels", [runs.cell(*train("", "images10000_3.npy"))]
        yield "train, fashion-mnist", [runs.cell(*train("", "fashion-mnist"))]
        runs.must(*train("--width 64", "images10000_3.npy", "three"))
        for count in (64, 10_000):
            yield f"sample, {spaced(count)} images, --width 64, 3 channels, .npy", [runs.cell("gan", "sample", "three", "--count", count, "--threads", 2, "--output", "NEW.npy")]
    table(["`motmot gan`", "MB"], rows())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="jobs,options,commands,gan")
    parser.add_argument("--most", type=float, default=120, help="seconds of a run")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in given.only.split(","):
            {"jobs": jobs, "options": options, "commands": commands, "gan": gan}[name](Runs(folder, given.most))


if __name__ == "__main__":
    main()
