#!/usr/bin/python3
"""The Python module: what a call costs beside the computation, and its answers beside POT's.

1. A call of distance() on 50 x 50 rows, less the seconds that the library itself reports.
2. transport() against ot.dist + ot.emd2, costs equal to 1e-9.
3. distance() against ot.partial and ot.unbalanced on data with outliers: time, and error against the inliers' exact W1.
   Partial transport is told the true share of outliers; unbalanced transport gets the best of several penalties, chosen
   by the answer: both know more than motmot, which is told tau = 0.1.
Alternating on the same data, one thread each, medians over the rounds.

usage: bench/python.py BUILD_DIR [--quick]
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
import pathlib
import statistics
import sys
import time

import numpy as np
import ot

sys.path.insert(0, str(pathlib.Path(sys.argv[1]).resolve() / "python"))
import motmot  # noqa: E402

ROUNDS = 3 if "--quick" in sys.argv else 7
PENALTIES = (0.5, 1, 2, 5, 10)  # in units of the inliers' distance


def timed(work):
    start = time.perf_counter()
    answer = work()
    return answer, time.perf_counter() - start


def call_overhead():
    toy = motmot.generate("d1", n=50, seed=1)
    beyond, inside = [], []
    for _ in range(300):
        result, seconds = timed(lambda: motmot.distance(toy.x, toy.y, threads=1))
        beyond.append(seconds - result.run.seconds)
        inside.append(result.run.seconds)
    print(f"distance, n = m = 50: library {1e3 * statistics.median(inside):.2f} ms, beyond it "
          f"{1e3 * statistics.median(beyond):.3f} ms (quartiles {1e3 * np.quantile(beyond, 0.25):.3f}-{1e3 * np.quantile(beyond, 0.75):.3f})")


def against_emd2():
    for n, d in [(50, 2), (500, 2), (500, 10), (2000, 2), (2000, 10)]:
        ratios, ours = [], []
        for seed in range(100, 100 + (ROUNDS if n > 50 else 100)):
            toy = motmot.generate("shape", n=n, d=d, tau=0, seed=seed)
            weights = np.full(n, 1 / n)
            mine, seconds = timed(lambda: motmot.transport(toy.x, toy.y))
            cost, theirs = timed(lambda: ot.emd2(weights, weights, ot.dist(toy.x, toy.y, metric="euclidean"), numItermax=10**8))
            assert abs(mine.cost / cost - 1) < 1e-9, (mine.cost, cost)
            ratios.append(theirs / seconds)
            ours.append(seconds)
        print(f"transport, n = m = {n:4}, d = {d:2}: {1e3 * statistics.median(ours):8.2f} ms   emd2 / motmot "
              f"{statistics.median(ratios):5.1f} (quartiles {np.quantile(ratios, 0.25):.1f}-{np.quantile(ratios, 0.75):.1f})", flush=True)


def partial(costs, tau):
    n, m = costs.shape
    kept = round((1 - tau) * n) / n
    plan = ot.partial.partial_wasserstein(np.full(n, 1 / n), np.full(m, 1 / m), costs, m=kept)
    return (plan * costs).sum() / kept


def unbalanced(costs, truth):
    """The plan's mean cost, by majorisation-minimisation with a KL penalty."""
    n, m = costs.shape
    answers = []
    for penalty in PENALTIES:
        plan = ot.unbalanced.mm_unbalanced(np.full(n, 1 / n), np.full(m, 1 / m), costs, penalty * truth, div="kl",
                                           numItermax=1000)
        answers.append((plan * costs).sum() / plan.sum())
    return min(answers, key=lambda value: abs(value - truth))


def against_robust_peers():
    n = 300
    print(f"error against the inliers' W1, and seconds; n = m = {n}, 10 % outliers in X")
    for toy_name, d in [("d1", 2), ("d2", 2), ("shape", 2), ("d1", 10)]:
        rows = {"motmot": [], "motmot mom": [], "ot.partial": [], "ot.unbalanced": []}
        for seed in range(200, 200 + ROUNDS):
            toy = motmot.generate(toy_name, n=n, d=d, tau_x=0.1, seed=seed)
            inliers = np.delete(toy.x, toy.outliers_x, axis=0)
            truth = motmot.transport(inliers, toy.y).cost
            for name, options in [("motmot", {}), ("motmot mom", {"estimator": "mom"})]:
                result, seconds = timed(lambda: motmot.distance(toy.x, toy.y, tau=0.1, threads=1, **options))
                rows[name].append((result.value / truth - 1, seconds))
            costs, made = timed(lambda: ot.dist(toy.x, toy.y, metric="euclidean"))
            value, seconds = timed(lambda: partial(costs, 0.1))
            rows["ot.partial"].append((value / truth - 1, seconds + made))
            value, seconds = timed(lambda: unbalanced(costs, truth))
            rows["ot.unbalanced"].append((value / truth - 1, seconds / len(PENALTIES) + made))
        for name, pairs in rows.items():
            errors, seconds = zip(*pairs)
            print(f"  {toy_name:6} d = {d:2}  {name:17} error {100 * statistics.median(errors):+7.2f} % "
                  f"(worst {100 * max(errors, key=abs):+.2f})   {statistics.median(seconds):7.3f} s", flush=True)


if __name__ == "__main__":
    call_overhead()
    against_emd2()
    against_robust_peers()
