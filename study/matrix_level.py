#!/usr/bin/python3
"""How often motmot.matrix calls a pair of samples of one law different: the table of docs/results-matrix.md.

    PYTHONPATH=build/release/python study/matrix_level.py [--pairs 1000] [--seed 0]

One line a cell: per cent of pairs with a p-value of at most 10, 5, 1 and 0.1 %, tau = 0.
"""
import argparse
import sys

import numpy as np

import motmot

LAWS = {
    "gauss": lambda g, n, d: g.normal(size=(n, d)),
    "lognormal": lambda g, n, d: g.lognormal(size=(n, d)),
    "bimodal": lambda g, n, d: g.normal(size=(n, d)) + 6 * (g.random((n, 1)) < 0.5),
    "counts": lambda g, n, d: g.poisson(2, (n, d)).astype(float),
}
CELLS = [("gauss", 1), ("gauss", 2), ("gauss", 10), ("lognormal", 2), ("bimodal", 2), ("counts", 2)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    o = parser.parse_args()
    print("| rows | law, columns | 10 | 5 | 1 | 0.1 |\n| --- | --- | --- | --- | --- | --- |")
    for n, m in ((20, 20), (40, 60), (100, 300)):
        for law, d in CELLS:
            rng = np.random.default_rng([o.seed, n, m, d, len(law)])
            p = np.array([motmot.matrix([LAWS[law](rng, n, d), LAWS[law](rng, m, d)], tau=0, seed=k).pairs[0].p_value
                          for k in range(o.pairs)])
            print(f"| {n} x {m} | {law} {d} | " + " | ".join(f"{100 * np.mean(p <= a):.1f}" for a in (0.1, 0.05, 0.01, 0.001))
                  + " |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
