#!/usr/bin/python3
"""The 1-Lipschitz network against distances known in closed form: shifts and shape changes, clean and with outliers.

One line a case: mean and range over the seeds of the value, and of the value on rows held out, as a share of W1 between the
laws. The table of docs/results.md.

    PYTHONPATH=build/release/python study/networks.py [--seeds 3] [--n 1000] [--quick]

--quick takes one seed and 200 rows.
"""
import argparse

import motmot


def shown(shares):
    return f"{sum(shares) / len(shares):.3f} ({min(shares):.3f}-{max(shares):.3f})"


def run_case(toy, d, tau, n, seeds):
    values, held_out, lipschitz = [], [], 0
    for seed in range(seeds):
        sample = motmot.generate(toy, n, d=d, tau_x=tau, seed=seed)
        paper = motmot.distance(sample.x, sample.y, estimator="mom", critic="lipschitz", tau_x=tau, tau_y=0, seed=seed).neighbours.paper
        values.append(paper.value / sample.population_w1)
        if paper.held_out is not None:
            held_out.append(paper.held_out / sample.population_w1)
        lipschitz = max(lipschitz, paper.lipschitz)
    print(f"{toy:>6} d = {d:2} tau = {tau:4.2f}: W1 of the laws {sample.population_w1:6.3f}, value {shown(values)}, held out "
          f"{shown(held_out) if held_out else 'none'}, Lipschitz constant {lipschitz:.7f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--n", type=int, default=1000)
    parser.add_argument("--quick", action="store_true", help="one seed, 200 rows")
    options = parser.parse_args()
    n, seeds = (200, 1) if options.quick else (options.n, options.seeds)
    for toy in ("d1", "shape"):
        for d in (2, 10, 50):
            for tau in (0, 0.05):
                run_case(toy, d, tau, n, seeds)


if __name__ == "__main__":
    main()
