#!/usr/bin/python3
"""Writes certificate.json: the exact optimum of mom, mou and mou-diag on fixed partitions of tiny samples.

With p_i, q_j the values of phi on X and on Y, p_i - q_j <= |x_i - y_j| for all pairs is all that a
1-Lipschitz function has to obey here (its upper extension from Y does no worse). "The median is at least
v" says that a majority of block means is: one binary variable per block, or per pair of blocks for mou. The
blocks that the integer programme chooses go into a linear programme without big constants, whose
value is stored; for few blocks every choice is tried as well, and must agree.

Needs SciPy >= 1.9. Run: python3 make_certificate.py > certificate.json  (about a minute)
"""
import itertools
import json
import sys

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_matrix


def mean_rows(blocks, size):
    rows = np.zeros((len(blocks), size))
    for k, block in enumerate(blocks):
        rows[k, block] = 1 / len(block)
    return rows


class Problem:
    """Columns: p (n), q (m), alpha, beta. Maximise alpha - beta."""

    def __init__(self, x, y, blocks_x, blocks_y):
        self.n, self.m = len(x), len(y)
        self.cost = np.linalg.norm(x[:, None] - y[None], axis=2)
        self.a = mean_rows(blocks_x, self.n)
        self.b = mean_rows(blocks_y, self.m)
        self.columns = self.n + self.m + 2

    def lipschitz(self):
        rows = np.zeros((self.n * self.m, self.columns))
        for i in range(self.n):
            for j in range(self.m):
                rows[i * self.m + j, [i, self.n + j]] = 1, -1
        return rows, self.cost.ravel()

    def goals(self, estimator):
        """Rows r with r . columns >= 0 for each block or pair that is among the majority."""
        zeros = np.zeros
        if estimator == "mom":
            above = [np.r_[a, zeros(self.m), -1, 0] for a in self.a]
            below = [np.r_[zeros(self.n), -b, 0, 1] for b in self.b]
            return [above, below]
        pairs = zip(self.a, self.b) if estimator == "mou-diag" else itertools.product(self.a, self.b)
        return [[np.r_[a, -b, -1, 1] for a, b in pairs]]

    def value_for(self, chosen):
        rows, limit = self.lipschitz()
        rows = np.vstack([rows, -np.array(chosen)])
        limit = np.r_[limit, np.zeros(len(chosen))]
        c = np.zeros(self.columns)
        c[-2:] = -1, 1
        # phi is fixed up to a constant: one value is pinned.
        bounds = [(None, None)] * self.columns
        bounds[self.n] = (0, 0)
        result = linprog(c, A_ub=csr_matrix(rows), b_ub=limit, bounds=bounds, method="highs")
        assert result.status == 0, result.message
        return -result.fun

    def optimum(self, estimator):
        groups = self.goals(estimator)
        binaries = sum(map(len, groups))
        big = 2 * self.cost.max()
        rows, limit = self.lipschitz()
        constraints = [LinearConstraint(csr_matrix(np.hstack([rows, np.zeros((len(rows), binaries))])), ub=limit)]
        first = self.columns
        for group in groups:
            for k, goal in enumerate(group):  # goal . columns >= -big (1 - z)
                row = np.r_[goal, np.zeros(binaries)]
                row[first + k] = -big
                constraints.append(LinearConstraint(row, lb=-big))
            row = np.zeros(self.columns + binaries)
            row[first:first + len(group)] = 1
            constraints.append(LinearConstraint(row, lb=len(group) // 2 + 1))
            first += len(group)
        c = np.zeros(self.columns + binaries)
        c[self.columns - 2:self.columns] = -1, 1
        lower, upper = np.full(len(c), -4 * big), np.full(len(c), 4 * big)
        lower[self.columns:], upper[self.columns:] = 0, 1
        lower[self.n] = upper[self.n] = 0
        result = milp(c, constraints=constraints, bounds=Bounds(lower, upper),
                      integrality=np.r_[np.zeros(self.columns), np.ones(binaries)],
                      options={"mip_rel_gap": 1e-9, "time_limit": 300})
        assert result.status == 0, result.message
        z = result.x[self.columns:] > 0.5
        chosen = [goal for goal, on in zip([g for group in groups for g in group], z) if on]
        exact = self.value_for(chosen)
        assert abs(exact + result.fun) < 1e-5 * big, (exact, -result.fun)
        return exact

    def optimum_by_trying(self, estimator):
        choices = [itertools.combinations(group, len(group) // 2 + 1) for group in self.goals(estimator)]
        return max(self.value_for([g for part in parts for g in part]) for parts in itertools.product(*choices))


def sample(rng, kind, n, m, d):
    x, y = rng.normal(size=(n, d)), rng.normal(size=(m, d))
    if kind.startswith("shift"):
        y += 2
    if kind.startswith("shape"):
        y *= 2
    if "one outlier" in kind:
        x[0] = 20
    if "both dirty" in kind:
        x[:2] = rng.uniform(-15, 15, size=(2, d))
        y[1:3] = rng.uniform(-15, 15, size=(2, d))
    if "lattice" in kind:  # ties
        x, y = np.round(x), np.round(y) + 1
    return np.round(x, 4), np.round(y, 4)


SHAPES = [(9, 9, 3, 3, 2), (12, 12, 3, 3, 2), (15, 15, 5, 5, 2), (20, 20, 5, 5, 2), (21, 21, 7, 7, 3),
          (24, 18, 3, 5, 1), (16, 23, 5, 7, 2), (7, 7, 7, 7, 2), (14, 14, 7, 7, 2), (24, 24, 1, 1, 2)]
KINDS = ["shift, one outlier", "shape, one outlier", "shape, both dirty", "same law, lattice"]


def main():
    cases = []
    for seed, ((n, m, k_x, k_y, d), kind) in enumerate(itertools.product(SHAPES, KINDS)):
        rng = np.random.default_rng(seed)
        x, y = sample(rng, kind, n, m, d)
        blocks = [rng.permutation(rows)[:k * (rows // k)].reshape(k, -1) for rows, k in ((n, k_x), (m, k_y))]
        problem = Problem(x, y, *blocks)
        for estimator in ("mom", "mou", "mou-diag"):
            if estimator == "mou-diag" and k_x != k_y or estimator == "mou" and k_x * k_y > 25:
                continue
            optimum = problem.optimum(estimator)
            if k_x * k_y <= 9 or estimator == "mou-diag" and k_x <= 5:
                tried = problem.optimum_by_trying(estimator)
                assert abs(tried - optimum) < 1e-7 * (1 + optimum), (kind, estimator, tried, optimum)
            print(kind, n, m, k_x, k_y, estimator, optimum, file=sys.stderr)
            cases.append({"kind": kind, "estimator": estimator, "d": d, "x": x.ravel().tolist(),
                          "y": y.ravel().tolist(), "k_x": k_x, "k_y": k_y,
                          "blocks_x": blocks[0].ravel().tolist(), "blocks_y": blocks[1].ravel().tolist(),
                          "optimum": optimum})
    print("[" + ",\n".join(json.dumps(case) for case in cases) + "]")


if __name__ == "__main__":
    main()
