"""The exact solver against POT and SciPy, over many random problems, through the library that bench/ loads.

usage: test_pot.py LIBRARY [PROBLEMS MOST_ROWS]; exit code 77 means that POT is not installed. scripts/check differential takes 500
problems of up to 3000 rows: sizes are drawn so that each power of two has as many. Every third problem is solved with partial shares, too.
"""
import ctypes
import sys

import numpy as np
from scipy.spatial.distance import cdist
from scipy.stats import wasserstein_distance

try:
    import ot
except ImportError:
    print("skipped: POT (python3-pot) is not installed")
    sys.exit(77)

PROBLEMS, MOST_ROWS = (int(word) for word in (sys.argv[2:] or ["1500", "60"]))
LARGEST = 1e-9


class Result(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("cost", "gap", "seconds", "bids", "searches", "pivots", "scans")]


def pointer(array):
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


def solve(library, x, y, a, b):
    result = Result()
    library.motmot_bench_solve(pointer(x), ctypes.c_size_t(len(x)), pointer(y), ctypes.c_size_t(len(y)),
                               ctypes.c_size_t(x.shape[1]), pointer(a), pointer(b), ctypes.byref(result))
    return result


def solve_partial(library, x, y, tau_x, tau_y):
    result = Result()
    library.motmot_bench_partial(pointer(x), ctypes.c_size_t(len(x)), pointer(y), ctypes.c_size_t(len(y)), ctypes.c_size_t(x.shape[1]),
                                 ctypes.c_double(tau_x), ctypes.c_double(tau_y), ctypes.byref(result))
    return result


def pot_partial(costs, tau_x, tau_y):
    """The same by ot.emd2: what is left out of one sample goes to a further row of the other one for nothing."""
    n, m = costs.shape
    # As partial_transport() takes shares.
    tau_x, tau_y = (tau + 1e-12 if tau > 0 else tau for tau in (tau_x, tau_y))
    a = np.append(np.full(n, 1 / n / (1 - tau_x)), tau_y / (1 - tau_y))
    b = np.append(np.full(m, 1 / m / (1 - tau_y)), tau_x / (1 - tau_x))
    with_slack = np.zeros((n + 1, m + 1))
    with_slack[:n, :m] = costs
    return a.sum() * ot.emd2(a / a.sum(), b / b.sum(), with_slack, numItermax=10**7)


def points(rng, n, d, kind):
    x = rng.standard_normal((n, d)) * rng.choice([0.1, 1, 3])
    if kind == "lattice":
        x = np.round(x)
    if kind == "duplicates":
        x = x[rng.integers(0, max(1, n // 3), n)]
    if kind == "outliers":
        x[rng.random(n) < 0.1] += rng.choice([100, 1e4])
    return np.ascontiguousarray(x)


def weights(rng, n, kind):
    if kind == "equal":
        return None
    w = rng.random(n) + 1e-3
    if kind == "zeros":
        w[rng.random(n) < 0.3] = 0
        w[0] = 1
    if kind == "tiny":
        w *= 10.0 ** rng.integers(-6, 1, n)
    return w


def normal(w, n):
    return np.full(n, 1 / n) if w is None else w / w.sum()


def main():
    library = ctypes.CDLL(sys.argv[1])
    rng, worst, rows = np.random.default_rng(20210413), 0.0, 0
    shares, worst_partial, partial = np.random.default_rng(20210414), 0.0, 0
    for problem in range(PROBLEMS):
        if MOST_ROWS == 60:
            n, m = rng.integers(1, 61), rng.integers(1, 61)
        else:
            n, m = (int(MOST_ROWS ** rng.uniform(0.5, 1)) for _ in range(2))
        d = rng.choice([1, 2, 3, 5, 10, 30])
        if problem % 3 == 0:
            m = n
        x = points(rng, n, d, rng.choice(["normal", "lattice", "duplicates", "outliers"]))
        y = points(rng, m, d, rng.choice(["normal", "lattice", "duplicates", "outliers"])) + rng.choice([0, 1])
        offset = rng.choice([0, 1e6]) if MOST_ROWS != 60 else 0
        x, y, rows = x + offset, y + offset, max(rows, n, m)
        a, b = weights(rng, n, rng.choice(["equal", "random", "zeros", "tiny"])), None
        if a is not None:
            b = weights(rng, m, rng.choice(["equal", "random", "zeros", "tiny"]))
        got = solve(library, x, y, a, b)
        # Distances by differences: POT's own go through squares and lose half of the digits near zero.
        costs = cdist(x, y)
        want = ot.emd2(normal(a, n), normal(b, m), costs, numItermax=10**7)
        if d == 1:
            line = wasserstein_distance(x[:, 0], y[:, 0], normal(a, n), normal(b, m))
            assert abs(got.cost - line) <= LARGEST * max(1, line), (problem, got.cost, line)
        error = abs(got.cost - want) / max(want, 1e-6)
        worst = max(worst, error)
        assert error <= LARGEST, f"problem {problem}: n = {n}, m = {m}, d = {d}: {got.cost} against {want}"
        assert got.gap <= LARGEST * max(want, 1e-6), (problem, got.gap)
        if problem % 3 == 1:
            tau_x, tau_y = shares.choice([0, 0.01, 0.1, 0.3, 0.45], 2)
            got, want = solve_partial(library, x, y, tau_x, tau_y), pot_partial(costs, tau_x, tau_y)
            error = abs(got.cost - want) / max(want, 1e-6)
            worst_partial, partial = max(worst_partial, error), partial + 1
            assert error <= LARGEST, f"problem {problem}, shares {tau_x}, {tau_y}: {got.cost} against {want}"
            assert got.gap <= LARGEST * max(want, 1e-6), (problem, got.gap)
        if MOST_ROWS > 60 and problem % 10 == 9:
            print(f"{problem + 1} of {PROBLEMS} problems, largest relative difference so far {worst:.1e}, "
                  f"with partial shares {worst_partial:.1e}", flush=True)
    print(f"{PROBLEMS} problems of up to {rows} rows agree with POT; largest relative difference {worst:.1e}; "
          f"{partial} of them with partial shares, too: {worst_partial:.1e}")
    print(f"{PROBLEMS} passed, 0 failed")


if __name__ == "__main__":
    main()
