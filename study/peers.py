#!/usr/bin/python3
"""POT's partial and unbalanced transport on the data of `motmot reproduce breakdown`.

    motmot reproduce breakdown --output breakdown
    study/peers.py breakdown --motmot build/release/bin/motmot --output breakdown/peers.csv
    motmot reproduce breakdown --output breakdown --peers breakdown/peers.csv

pot-partial     ot.partial.partial_wasserstein with mass 1 - tau, told the true tau; it leaves out the share tau of
                both samples, also where only X is dirty; cost divided by the mass
pot-unbalanced  ot.unbalanced.mm_unbalanced, KL marginals with weight --weight times the median distance of a
                pair (3 was the best of 0.3, 1, 3, 10 on one repetition), 300 iterations, cost of the plan divided
                by its mass
Values are lengths in the data's units. Data are made anew by `motmot generate`, so they are the study's.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import tempfile

import numpy
import ot


def samples(motmot, data, tau, n, seed, folder):
    subprocess.run([motmot, "generate", data, "--n", str(n), "--tau-x", str(tau), "--seed", str(seed), "--format", "npy",
                    "--output", folder, "--quiet"], check=True)
    rows = list(csv.reader(open(pathlib.Path(folder) / "outliers.csv")))[1:]
    outliers = {s: [int(row) - 1 for which, row in rows if which == s] for s in "xy"}
    return {s: numpy.load(pathlib.Path(folder) / f"{s}.npy") for s in "xy"}, outliers


def equal(n):
    return numpy.full(n, 1 / n)


def inlier_w1(sample, outliers):
    x, y = (numpy.delete(sample[s], outliers[s], axis=0) for s in "xy")
    return ot.emd2(equal(len(x)), equal(len(y)), ot.dist(x, y, "euclidean"), numItermax=10_000_000)


def partial(cost, tau):
    n, m = cost.shape
    if tau == 0:
        return ot.emd2(equal(n), equal(m), cost, numItermax=10_000_000)
    plan = ot.partial.partial_wasserstein(equal(n), equal(m), cost, m=1 - tau, nb_dummies=10)
    return (plan * cost).sum() / plan.sum()


def unbalanced(cost, weight):
    n, m = cost.shape
    plan = ot.unbalanced.mm_unbalanced(equal(n), equal(m), cost, weight * numpy.median(cost), div="kl", numItermax=300)
    return (plan * cost).sum() / plan.sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", help="folder of motmot reproduce breakdown")
    parser.add_argument("--motmot", default="motmot")
    parser.add_argument("--output", required=True, help="CSV file")
    parser.add_argument("--repetitions", type=int, default=None, help="fewer than the study's")
    parser.add_argument("--weight", type=float, default=3)
    options = parser.parse_args()
    grid = json.loads((pathlib.Path(options.study) / "breakdown.json").read_text())["settings"]
    lines = ["data,tau,method,blocks,epoch,repetition,value,reference,shown"]
    for data in grid["data"]:
        for tau in grid["tau"]:
            for r in range(options.repetitions or grid["repetitions"]):
                with tempfile.TemporaryDirectory() as folder:
                    sample, outliers = samples(options.motmot, data, tau, grid["n"], grid["seed"] + r, folder)
                target = inlier_w1(sample, outliers)
                cost = ot.dist(sample["x"], sample["y"], "euclidean")
                for method, value in (("pot-partial", partial(cost, tau)), ("pot-unbalanced", unbalanced(cost, options.weight))):
                    lines.append(f"{data},{tau},{method},1,0,{r},{value!r},{target!r},{100 * (value / target - 1)!r}")
    pathlib.Path(options.output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
