#!/usr/bin/python3
"""Medians of means of kernel distances (Remark 7) on dirty samples: the table of docs/results-theory.md.

    PYTHONPATH=build/release/python study/metrics.py [--seeds 10] [--first 0] [--n 300] [--tau 0.05]

For each toy and metric: the plain value of the inliers, and by how much each estimator is off on all rows, in % of it (mean and 90 %
quantile of |error| over seeds); how often value -+ error_bar holds the inliers' value, with 95 % binomial limits (mom).
"""
import argparse
import sys

import numpy as np
from scipy import stats

import motmot

TOYS = ("d1", "d2", "far", "both", "shape", "shares")
ESTIMATORS = ("plain", "mom", "mou", "mou-diag")


def limits(hits, runs):
    low = stats.beta.ppf(0.025, hits, runs - hits + 1) if hits else 0
    high = stats.beta.ppf(0.975, hits + 1, runs - hits) if hits < runs else 1
    return f"{hits}/{runs} ({100 * low:.0f}-{100 * high:.0f} %)"


def run(toy, metric, seed, n, tau):
    """Errors in % by estimator, and whether mom's bar holds the inliers' value."""
    data = motmot.generate(toy, n=n, tau_x=tau, tau_y=tau if toy == "both" else 0.0, seed=seed)
    x, y = np.asarray(data.x), np.asarray(data.y)
    right = (np.delete(x, data.outliers_x, axis=0), np.delete(y, data.outliers_y, axis=0))
    width = {"bandwidth": motmot.distance(x, y, estimator="plain", metric="mmd").asked.bandwidth} if metric == "mmd" else {}
    truth = motmot.distance(*right, estimator="plain", metric=metric, **width).value
    errors, held = {}, False
    for estimator in ESTIMATORS:
        told = {} if estimator == "plain" else {"tau": tau}
        answer = motmot.distance(x, y, estimator=estimator, metric=metric, seed=seed, **told, **width)
        errors[estimator] = 100 * (answer.value / truth - 1)
        if estimator == "mom":
            held = answer.interval is not None and answer.interval[0] <= truth <= answer.interval[1]
    return errors, held


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--n", type=int, default=300)
    parser.add_argument("--tau", type=float, default=0.05)
    o = parser.parse_args()
    print(f"{o.seeds} seeds from {o.first}, n = m = {o.n}, {100 * o.tau:g} % outliers, tau told.\n")
    print("| metric | data | " + " | ".join(ESTIMATORS) + " | mom's bar holds |\n|---|---|" + "---|" * (len(ESTIMATORS) + 1))
    for metric in ("mmd", "energy"):
        for toy in TOYS:
            runs = [run(toy, metric, seed, o.n, o.tau) for seed in range(o.first, o.first + o.seeds)]
            cells = []
            for estimator in ESTIMATORS:
                errors = np.array([errors[estimator] for errors, _ in runs])
                cells.append(f"{errors.mean():+.1f} ({np.quantile(np.abs(errors), 0.9):.1f})")
            print(f"| {metric} | {toy} | " + " | ".join(cells) + f" | {limits(sum(held for _, held in runs), o.seeds)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
