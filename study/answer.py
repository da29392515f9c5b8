#!/usr/bin/python3
"""How good is the default answer? The tables of docs/results-answer.md, by the module that is shipped.

    PYTHONPATH=build/release/python study/answer.py [--seeds 10] [--first 7000] [--quick] [--only NAME;...]
    PYTHONPATH=build/release/python study/answer.py --clean [--seeds 60] [--first 0]   rows that clean samples lose
    PYTHONPATH=build/release/python study/answer.py --alarms [--seeds 4] [--first 0]   warnings where no row is wrong

Twelve toys of motmot.generate and 36 scenarios, of which four had a part in choosing the rule; 8 % of X wrong unless said, tau = 0.1
told. Errors are in % of the exact W1 of the right rows. Rates have 95 % binomial limits (Clopper-Pearson).
"""
import argparse
import sys

import numpy as np
from scipy import stats

import motmot

SHARE = 0.08
TOYS = ["d1", "d2", "far", "behind", "inside", "both", "shape", "skewed", "lognormal", "t3", "bimodal", "shares"]


# ------------------------------------------------------------------------------------------------ scenarios

def spoil(rng, x, wrong):
    """x with SHARE of its rows replaced by wrong(rng, rows), and which."""
    bad = np.zeros(len(x), bool)
    bad[rng.choice(len(x), int(SHARE * len(x)), replace=False)] = True
    x = x.copy()
    x[bad] = wrong(rng, x[bad])
    return x, bad


def sphere(radius):
    def wrong(rng, rows):
        direction = rng.normal(size=rows.shape)
        return radius * direction / np.linalg.norm(direction, axis=1, keepdims=True)
    return wrong


def at(where, spread=0.3):
    return lambda rng, rows: np.asarray(where) + spread * rng.normal(size=rows.shape)


def box(half):
    return lambda rng, rows: rng.uniform(-half, half, size=rows.shape)


def modes(rng, n, centres, shares, sds):
    which = rng.choice(len(shares), n, p=shares)
    centres = np.asarray(centres, float)
    return centres[which] + np.asarray(sds)[which, None] * rng.normal(size=(n, centres.shape[1]))


def skewed(g, n):
    """Four normal columns, and incomes: far out, rows lie along that column alone."""
    return np.column_stack([g.normal(size=(n, 4)), 1.5 * g.lognormal(0, 1, n)])


def ar(rng, n, d, scale=1.0):
    rows = rng.normal(size=(n, d))
    for k in range(1, d):
        rows[:, k] = 0.7 * rows[:, k - 1] + np.sqrt(1 - 0.49) * rows[:, k]
    return scale * rows


def swapped(rng, rows):
    return rows[:, ::-1]


def table(rng, n, older=0.0):
    return np.column_stack([(40 + older + 10 * rng.normal(size=n)) / 10, rng.lognormal(1, 0.4, n), rng.random(n) < 0.3 + older / 50])


CENTRES5 = 6 * np.eye(5)
RING = lambda rng, n, r: (lambda a: np.column_stack([r * np.cos(a), r * np.sin(a)]))(rng.uniform(0, 2 * np.pi, n)) + 0.2 * rng.normal(size=(n, 2))
FACTORS = np.random.default_rng(5).normal(size=(4, 30))

# name: (draw X, draw Y, wrong rows of X or None, wrong rows of Y or None, n, m)
SCENARIOS = {
    "laplace d = 3 shift, box": (lambda g, n: g.laplace(size=(n, 3)), lambda g, n: g.laplace(size=(n, 3)) + 0.7, box(25), None),
    "autoregressive d = 8 scale, cluster": (lambda g, n: ar(g, n, 8), lambda g, n: ar(g, n, 8, 1.4), at([9.0] * 8), None),
    "t4 shift, sphere": (lambda g, n: g.standard_t(4, (n, 2)), lambda g, n: g.standard_t(4, (n, 2)) + 1, sphere(40), None),
    "gamma, code -99": (lambda g, n: g.gamma(2, 1, (n, 2)), lambda g, n: g.gamma(2, 1.4, (n, 2)), at([-99, -99], 0), None),
    "counts, 999 in one column": (lambda g, n: g.poisson(3, (n, 3)).astype(float), lambda g, n: g.poisson(4, (n, 3)).astype(float),
                                  lambda g, r: np.column_stack([r[:, :2], np.full(len(r), 999.0)]), None),
    "ratings 1-7, rows of 0": (lambda g, n: g.binomial(6, 0.5, (n, 4)) + 1.0, lambda g, n: g.binomial(6, 0.6, (n, 4)) + 1.0, at([0] * 4, 0), None),
    "ring, wrong rows in its middle": (lambda g, n: RING(g, n, 6), lambda g, n: RING(g, n, 7), at([0, 0]), None),
    "three modes, shares change, box": (lambda g, n: modes(g, n, [[0, 0], [8, 0], [0, 8]], [0.5, 0.3, 0.2], [1, 0.5, 1.5]),
                                        lambda g, n: modes(g, n, [[0, 0], [8, 0], [0, 8]], [0.3, 0.3, 0.4], [1, 0.5, 1.5]), box(60), None),
    "five modes d = 5, cluster in Y": (lambda g, n: modes(g, n, CENTRES5, [0.2] * 5, [1] * 5),
                                       lambda g, n: modes(g, n, CENTRES5, [0.3, 0.3, 0.15, 0.125, 0.125], [1] * 5), None, at([14.0] * 5)),
    "cube d = 6 against beta, corner": (lambda g, n: g.random((n, 6)), lambda g, n: g.beta(2, 1, (n, 6)), at([2.5] * 6, 0.05), None),
    "lognormal 0.7, cluster": (lambda g, n: g.lognormal(0, 0.7, (n, 2)), lambda g, n: 1.5 * g.lognormal(0, 0.7, (n, 2)), at([30, 30]), None),
    "exponential d = 1, decimal point": (lambda g, n: 1 + g.exponential(1, (n, 1)), lambda g, n: 1.5 + g.exponential(1, (n, 1)), lambda g, r: 100 * r, None),
    "normal d = 1, both sides": (lambda g, n: g.normal(size=(n, 1)), lambda g, n: g.normal(size=(n, 1)) + 0.5,
                                 lambda g, r: np.where(g.random(r.shape) < 0.5, -30, 30) + g.normal(size=r.shape), None),
    "mixed table, columns swapped": (table, lambda g, n: table(g, n, 6), lambda g, r: 10 * swapped(g, r), None),
    "correlation changes, far": (lambda g, n: g.multivariate_normal([0, 0], [[1, .8], [.8, 1]], n),
                                 lambda g, n: g.multivariate_normal([0, 0], [[1, -.8], [-.8, 1]], n), sphere(15), None),
    "graded: rows x 2 to 6": (lambda g, n: g.normal(3, 1, (n, 3)), lambda g, n: g.normal(3.5, 1, (n, 3)), lambda g, r: r * g.uniform(2, 6, (len(r), 1)), None),
    "graded: unit error x 2.54": (lambda g, n: g.normal(5, 1, (n, 4)), lambda g, n: g.normal(5.5, 1.2, (n, 4)), lambda g, r: 2.54 * r, None),
    "graded: wide noise": (lambda g, n: g.normal(size=(n, 3)), lambda g, n: g.normal(size=(n, 3)) + 0.7, lambda g, r: 6 * g.normal(size=r.shape), None),
    "d = 30, four factors, far": (lambda g, n: g.normal(size=(n, 4)) @ FACTORS + 0.3 * g.normal(size=(n, 30)),
                                  lambda g, n: (g.normal(size=(n, 4)) + 0.5) @ FACTORS + 0.3 * g.normal(size=(n, 30)), sphere(60), None),
    "n = 60, shift, far": (lambda g, n: g.normal(size=(n, 2)), lambda g, n: g.normal(size=(n, 2)) + 2, at([20, -10], 1), None, 60, 60),
    "60 against 200, d = 4, wrong rows in Y": (lambda g, n: g.normal(size=(n, 4)), lambda g, n: 1.5 * g.normal(size=(n, 4)), None, box(30), 60, 200),
    "n = 800, shape, both samples": (lambda g, n: g.normal(size=(n, 2)), lambda g, n: g.uniform(-2, 2, (n, 2)), sphere(12), sphere(20), 800, 800),
    "mostly zero counts, 40s": (lambda g, n: g.poisson(0.3, (n, 2)).astype(float), lambda g, n: g.poisson(0.6, (n, 2)).astype(float), at([40, 40], 0), None),
    "near cluster, 5 sd": (lambda g, n: g.normal(size=(n, 2)), lambda g, n: g.normal(size=(n, 2)) + 1, at([-5, 0], 0.5), None),
    "copies of one row": (lambda g, n: g.normal(size=(n, 5)), lambda g, n: g.normal(size=(n, 5)) + 0.5, lambda g, r: np.repeat(r[:1], len(r), 0), None),
    "none: t2.5": (lambda g, n: g.standard_t(2.5, (n, 3)), lambda g, n: g.standard_t(2.5, (n, 3)) + 1, None, None),
    "none: same law, d = 10": (lambda g, n: g.normal(size=(n, 10)), lambda g, n: g.normal(size=(n, 10)), None, None),
    "one skewed column of five, code -99": (skewed, lambda g, n: skewed(g, n) + [0.5, 0, 0, 0, 0],
                                            lambda g, r: np.column_stack([np.full(len(r), -99.0), r[:, 1:]]), None),
    "none: one skewed column of five": (skewed, lambda g, n: skewed(g, n) + [0.5, 0, 0, 0, 0], None, None),
    "d = 40, shift, near cluster": (lambda g, n: g.normal(size=(n, 40)), lambda g, n: g.normal(size=(n, 40)) + 0.3, at([8 / 40 ** 0.5] * 40, 0.7), None),
    "t5 d = 25, scale, near cluster in Y": (lambda g, n: g.standard_t(5, (n, 25)), lambda g, n: 1.3 * g.standard_t(5, (n, 25)), None, at([-2.5] * 25)),
    "normal d = 1, shift, box": (lambda g, n: g.normal(size=(n, 1)), lambda g, n: g.normal(size=(n, 1)) + 0.7, box(20), None),
    "gamma d = 1, rows x 3 to 8": (lambda g, n: g.gamma(2, 1, (n, 1)), lambda g, n: g.gamma(2, 1.4, (n, 1)), lambda g, r: r * g.uniform(3, 8, (len(r), 1)), None),
    "none: gamma against lognormal, d = 1": (lambda g, n: g.gamma(2, 1, (n, 1)), lambda g, n: g.lognormal(0.5, 0.8, (n, 1)), None, None),
    "none: d = 30, scale": (lambda g, n: g.normal(size=(n, 30)), lambda g, n: 1.2 * g.normal(size=(n, 30)), None, None),
    "none: shares change": (lambda g, n: modes(g, n, [[0, 0], [9, 0]], [0.7, 0.3], [1, 2]), lambda g, n: modes(g, n, [[0, 0], [9, 0]], [0.4, 0.6], [1, 2]), None, None),
}


def sample(name, seed):
    """X, Y and which of their rows are wrong."""
    if name in TOYS:
        toy = motmot.generate(name, n=300, m=300, tau_x=SHARE, seed=seed)
        bad_x, bad_y = np.zeros(300, bool), np.zeros(300, bool)
        bad_x[toy.outliers_x], bad_y[toy.outliers_y] = True, True
        return toy.x, toy.y, bad_x, bad_y
    draw_x, draw_y, wrong_x, wrong_y, n, m = (*SCENARIOS[name], 300, 300)[:6]
    rng = np.random.default_rng([seed, sum(name.encode())])
    x, y = np.asarray(draw_x(rng, n), float), np.asarray(draw_y(rng, m), float)
    x, bad_x = spoil(rng, x, wrong_x) if wrong_x else (x, np.zeros(n, bool))
    y, bad_y = spoil(rng, y, wrong_y) if wrong_y else (y, np.zeros(m, bool))
    return x, y, bad_x, bad_y


# --------------------------------------------------------------------------------------------------- numbers

def limits(hits, runs):
    low = stats.beta.ppf(0.025, hits, runs - hits + 1) if hits else 0
    high = stats.beta.ppf(0.975, hits + 1, runs - hits) if hits < runs else 1
    return f"{hits}/{runs} ({100 * low:.0f}-{100 * high:.0f} %)"


def codes(result):
    return {warning.code for warning in result.warnings}


def run(name, seed):
    x, y, bad_x, bad_y = sample(name, seed)
    truth = motmot.transport(x[~bad_x], y[~bad_y]).cost
    answer = motmot.distance(x, y, tau=0.1, permutations=0, paper=True)
    small = motmot.distance(x, y, tau=0.04, permutations=0)
    paper = answer.neighbours.paper
    error = lambda value: 100 * (value - truth) / truth
    left = np.concatenate([np.isin(np.arange(len(x)), answer.left_out.x), np.isin(np.arange(len(y)), answer.left_out.y)])
    bad = np.concatenate([bad_x, bad_y])
    low, high = answer.interval
    return {"error": error(answer.value), "paper": error(paper.value), "plain": error(answer.plain),
            "covers": low <= truth * (1 + 1e-9) and truth <= high * (1 + 1e-9), "half": 50 * (high - low) / truth,
            "bar": 100 * paper.error_bar / truth if paper.error_bar else np.nan,
            "bar_covers": bool(paper.error_bar) and abs(paper.value - truth) <= paper.error_bar,
            "lost": 100 * np.mean(left[~bad]), "missed": 100 * np.mean(~left[bad]) if bad.any() else np.nan,
            "unsure": bool(codes(answer) & {"remote_rows", "tau_small"} or answer.readings),
            "tau_alarm": "tau_small" in codes(answer), "remote_alarm": "remote_rows" in codes(answer),
            "small_error": error(small.value), "small_alarm": "tau_small" in codes(small),
            "small_said": bool(codes(small) & {"tau_small", "remote_rows"})}


CLEAN = {
    "normal, d = 2": lambda g, n: g.normal(size=(n, 2)),
    "exponential, d = 3": lambda g, n: g.exponential(1, (n, 3)),
    "gamma(2), d = 2": lambda g, n: g.gamma(2, 1.4, (n, 2)),
    "lognormal 0.7, d = 2": lambda g, n: g.lognormal(0, 0.7, (n, 2)),
    "t3, d = 2": lambda g, n: g.standard_t(3, (n, 2)),
    "ratings 1-7, d = 4": lambda g, n: g.binomial(6, 0.5, (n, 4)) + 1.0,
    "80 % zeros, d = 1": lambda g, n: g.exponential(1, (n, 1)) * (g.random((n, 1)) < 0.2),
    "age beside income": lambda g, n: g.normal(size=(n, 2)) * [8, 8000],
    "normal, d = 1": lambda g, n: g.normal(size=(n, 1)),
    "lognormal 1, d = 1": lambda g, n: g.lognormal(0, 1, (n, 1)),
    "t3, d = 1": lambda g, n: g.standard_t(3, (n, 1)),
    "normal, d = 50": lambda g, n: g.normal(size=(n, 50)),
    "lognormal 0.7, d = 30": lambda g, n: g.lognormal(0, 0.7, (n, 30)),
}



def small_modes(d):
    """Five modes, of which one is just below what may be left out and one far below."""
    centres = 10 * np.random.default_rng(d).normal(size=(5, d))
    return lambda g, n: modes(g, n, centres, [0.45, 0.25, 0.15, 0.09, 0.06], [1] * 5)


# Groups of at most the share tau may be left out, of both samples: not among the laws above.
SMALL_MODES = {f"five modes, 9 and 6 % small, d = {d}": small_modes(d) for d in (1, 2, 5, 20)}


def clean_table(seeds, first):
    """Rows that are left out although none is wrong: pairs of samples of one law, tau = 0.1."""
    print("| law | n | rows lost % | samples that lose some |\n|---|---|---|---|")
    for name, draw in {**CLEAN, **SMALL_MODES}.items():
        for n in (100, 300):
            lost = []
            for seed in range(first, first + seeds):
                rng = np.random.default_rng([seed, n])
                answer = motmot.distance(draw(rng, n), draw(rng, n), tau=0.1, permutations=0)
                lost += [len(answer.left_out.x), len(answer.left_out.y)]
            print(f"| {name} | {n} | {100 * np.mean(lost) / n:.2f} | {limits(int(np.count_nonzero(lost)), len(lost))} |", flush=True)


SIZES = [(300, 300), (100, 100), (60, 40)]


def alarm_table(seeds, first):
    """Warnings and readings where no row is wrong: every scenario without its wrong rows, and pairs of one law; tau = 0.1."""
    print("| rows of X and Y | runs | tau_small | remote_rows | one of the two | readings |\n|---|---|---|---|---|---|")
    everything, others = [], {}

    def line(name, found):
        count = lambda wanted: limits(sum(bool(said & wanted) for said in found), len(found))
        print(f"| {name} | {len(found)} | {count({'tau_small'})} | {count({'remote_rows'})} "
              f"| {count({'tau_small', 'remote_rows'})} | {count({'readings'})} |", flush=True)

    for n, m in SIZES:
        found = []
        for seed in range(first, first + seeds):
            pairs = [(name, scenario[0], scenario[1]) for name, scenario in SCENARIOS.items()]
            pairs += [(name, law, law) for name, law in CLEAN.items()]
            for name, draw_x, draw_y in pairs:
                rng = np.random.default_rng([seed, n, sum(name.encode())])
                answer = motmot.distance(np.asarray(draw_x(rng, n), float), np.asarray(draw_y(rng, m), float), tau=0.1, permutations=0)
                found.append(codes(answer) | ({"readings"} if answer.readings else set()))
                for code in codes(answer) - {"tau_small", "remote_rows"}:
                    others.setdefault(code, []).append(name)
        line(f"{n}, {m}", found)
        everything += found
    line("all", everything)
    print("\n| other warnings | runs | where |\n|---|---|---|")
    for code, where in sorted(others.items()):
        print(f"| {code} | {limits(len(where), len(everything))} | {', '.join(dict.fromkeys(where))} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=7000)
    parser.add_argument("--quick", action="store_true", help="one seed, four scenarios")
    parser.add_argument("--only", default="", help="names, separated by semicolons")
    parser.add_argument("--clean", action="store_true", help="samples without wrong rows: which are left out")
    parser.add_argument("--alarms", action="store_true", help="samples without wrong rows: what is warned of")
    o = parser.parse_args()
    if o.alarms:
        return alarm_table(o.seeds, o.first)
    if o.clean:
        return clean_table(o.seeds, o.first)
    names = TOYS + list(SCENARIOS)
    if o.quick:
        names, o.seeds = ["d1", "shares", "ratings 1-7, rows of 0", "n = 60, shift, far"], 1
    if o.only:
        names = o.only.split(";")
    rms = lambda values: np.sqrt(np.mean(np.square(values)))
    most = lambda values: np.quantile(np.abs(values), 0.9)
    print(f"{o.seeds} seeds from {o.first}, n = m = 300 unless said, tau = 0.1 told, {100 * SHARE:.0f} % true.\n")
    print("| scenario | company: RMSE % | 90 % quantile | paper (mom): RMSE % | 90 % quantile | plain: RMSE % | 90 % quantile | interval covers (95 % limits) | half-width % | paper's bar % | right rows lost % | wrong rows missed % | said unsure |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    every, rows = [], []
    for name in names:
        runs = [run(name, seed) for seed in range(o.first, o.first + o.seeds)]
        every += runs
        get = lambda key: np.array([r[key] for r in runs], float)
        rows.append((rms(get("error")), rms(get("paper")), rms(get("plain"))))
        print(f"| {name} | {rows[-1][0]:.1f} | {most(get('error')):.1f} | {rows[-1][1]:.0f} | {most(get('paper')):.0f} | {rows[-1][2]:.0f} | {most(get('plain')):.0f} "
              f"| {limits(int(get('covers').sum()), len(runs))} | {np.median(get('half')):.0f} | {np.nanmedian(get('bar')):.0f} "
              f"| {get('lost').mean():.2f} | {np.nan_to_num(get('missed').mean()):.0f} | {int(get('unsure').sum())}/{len(runs)} |", flush=True)
    rows = np.array(rows)
    get = lambda key: np.array([r[key] for r in every], float)
    off, right = np.abs(get("error")) > 10, np.abs(get("error")) <= 10
    small_off = np.abs(get("small_error")) > 10
    print(f"\n- RMSE of the median row, and mean over rows capped at 100: company {np.median(rows[:, 0]):.2f}, {np.minimum(rows[:, 0], 100).mean():.1f}; "
          f"mom {np.median(rows[:, 1]):.1f}, {np.minimum(rows[:, 1], 100).mean():.1f}; plain {np.median(rows[:, 2]):.1f}, {np.minimum(rows[:, 2], 100).mean():.1f}.")
    print(f"- 90 % quantile of |error| over all runs: company {most(get('error')):.2f}, mom {most(get('paper')):.1f}, plain {most(get('plain')):.1f}.")
    print(f"- Interval covers: {limits(int(get('covers').sum()), len(every))}; median half-width {np.median(get('half')):.1f} %. "
          f"The paper's bar: {limits(int(get('bar_covers').sum()), len(every))}, {np.nanmedian(get('bar')):.1f} %.")
    print(f"- Off by more than 10 %: {int(off.sum())} of {len(every)} runs; the answer says that it is unsure (remote rows, tau, readings) in "
          f"{limits(int((get('unsure') * off).sum()), int(off.sum())) if off.any() else 'none'}.")
    print(f"- Warnings where the value is right to 10 %: tau too small {limits(int((get('tau_alarm') * right).sum()), int(right.sum()))}, "
          f"remote rows {limits(int((get('remote_alarm') * right).sum()), int(right.sum()))}.")
    print(f"- tau = 0.04 told (half the true share): off by more than 10 % in {int(small_off.sum())} runs, of which tau_small warns in "
          f"{limits(int((get('small_alarm') * small_off).sum()), int(small_off.sum())) if small_off.any() else 'none'}, one of the two warnings in "
          f"{limits(int((get('small_said') * small_off).sum()), int(small_off.sum())) if small_off.any() else 'none'}.")
    print(f"- Right rows left out: {get('lost').mean():.3f} % on average.")


if __name__ == "__main__":
    sys.exit(main())
