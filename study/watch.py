#!/usr/bin/python3
"""False alarms and power of motmot.monitor, by the module that is shipped, against peers at the same rate.

    PYTHONPATH=build/release/python study/watch.py [--series 500] [--quick] [--cells watch.csv] [--first 0] [--rows 1000]

A series is a reference of 1000 rows (two Gaussian columns, one lognormal, one category of four levels) with own chunks of 50
rows, and chunks of 50 rows: without drift (three of them, of which none, 2 % or 5 % of the rows are wrong) and, in every second
series, with drift (one of each kind, clean and with 5 % wrong). Every method alarms once in 20 chunks where nothing drifts, or
says that it does: motmot; the energy distance and MMD (Gaussian kernel, median distance) by 199 permutations of the rows,
coded as motmot codes them; Kolmogorov-Smirnov for each column, and the Wasserstein distance of each column by the same 199
permutations, with chi-squared for the category, by Bonferroni. --days SD gives every chunk, of the reference too, a shift of
its own in each column of numbers, of that standard deviation: days that differ.

Cells are appended to a CSV file, one line each; what it has is not computed again; --report joins several. Rates have 95 %
binomial limits (Clopper-Pearson) over chunks and, because the chunks of a series share a reference, 1.96 standard errors over
series.
"""
import argparse
import csv
import glob
import os
import sys

import numpy as np
import pandas as pd
from scipy import stats

import motmot

RATE, ROWS, CHUNK, QUIET = 20, 1000, 50, 3
LEVELS = np.array(["north", "east", "south", "west"])
DRIFTS = ["shift", "shifts", "spread", "levels", "missing"]
PEERS = ["energy", "mmd", "ks", "wasserstein"]
FIELDS = ["series", "wrong", "drift", "chunk", "motmot", *PEERS]


# ------------------------------------------------------------------------------------------------- tables

def table(rng, n, drift="", days=0.0):
    u = rng.normal(size=(n, 3))
    u[:, 1] += 0.5 * u[:, 0]
    u += days * np.repeat(rng.normal(size=(n // CHUNK, 3)), CHUNK, axis=0)
    if drift == "shifts":
        u += 0.3
    if drift == "shift":
        u[:, 0] += 0.5
    if drift == "spread":
        u[:, :2] *= 1.5
    u[:, 2] = np.exp(u[:, 2])
    shares = [0.25, 0.2, 0.3, 0.25] if drift == "levels" else [0.4, 0.3, 0.2, 0.1]
    if drift == "missing":
        u[rng.random(n) < 0.1, 1] = np.nan
    return pd.DataFrame({"a": u[:, 0], "b": u[:, 1], "c": u[:, 2], "where": rng.choice(LEVELS, n, p=shares)})


def spoilt(rng, rows, share):
    """Some rows typed wrongly: a sentinel, a decimal point, a unit."""
    rows = rows.copy()
    for i in rng.choice(len(rows), int(round(share * len(rows))), replace=False):
        column = ["a", "b", "c"][rng.integers(3)]
        rows.loc[i, column] = [-999.0, 100 * (1 + rows.loc[i, column]), 50 * rng.normal()][rng.integers(3)]
    return rows


# -------------------------------------------------------------------------------------------------- peers

def coded(x, y):
    """Robust units, levels one apart, a coordinate for missing values: as motmot does."""
    parts = []
    for column in ["a", "b", "c"]:
        present = x[column].dropna()
        unit = 1.4826 * np.median(np.abs(present - np.median(present)))
        both = pd.concat([x[column], y[column]])
        parts += [both.fillna(present.median()) / unit, both.isna().astype(float)]
    both = pd.concat([x["where"], y["where"]])
    parts += [(both == level) / np.sqrt(2) for level in LEVELS]
    return np.column_stack([part.to_numpy(float) for part in parts])


def permuted_p_value(kernel, chunks):
    """Of w' K w, w = 1/m on the chunk and -1/n on the other rows; the first of the chunks is the one that was seen."""
    n, m = len(kernel) - chunks.shape[1], chunks.shape[1]
    within = np.array([kernel[np.ix_(rows, rows)].sum() for rows in chunks])
    from_chunk = kernel.sum(axis=1)[chunks].sum(axis=1)
    others = kernel.sum() - 2 * from_chunk + within
    return share_reached(within / m**2 + others / n**2 - 2 * (from_chunk - within) / (n * m))


def share_reached(values):
    return np.sum(values >= values[0] - 1e-12) / len(values)


def wasserstein_p_value(x, y, chunks):
    """By permutations: the integral of |F - G|."""
    both = np.r_[x, y]
    order = np.argsort(both)
    is_y = np.zeros((len(chunks), len(both)))
    np.put_along_axis(is_y, chunks, 1, axis=1)
    is_y = is_y[:, order] * ~np.isnan(both[order])
    present = np.sum(~np.isnan(both))
    count = np.maximum(is_y.sum(axis=1, keepdims=True), 1)
    y_below = np.cumsum(is_y, axis=1)[:, :present - 1]
    apart = np.abs(y_below / count - (np.arange(1, present) - y_below) / (present - count))
    return share_reached(apart @ np.diff(both[order][:present]))


def peers(x, y, rng, permutations=199):
    z = coded(x, y)
    square = np.sum(z * z, axis=1)
    distances = np.sqrt(np.maximum(square[:, None] + square - 2 * z @ z.T, 0))
    chunks = np.array([np.arange(len(x), len(z)), *(rng.permutation(len(z))[:len(y)] for _ in range(permutations))])
    energy = permuted_p_value(-distances, chunks)
    mmd = permuted_p_value(np.exp(-0.5 * (distances / np.median(distances[::7])) ** 2), chunks)
    ks = [stats.ks_2samp(x[c].dropna(), y[c].dropna()).pvalue for c in ["a", "b", "c"]]
    wasserstein = [wasserstein_p_value(x[c].to_numpy(), y[c].to_numpy(), chunks) for c in ["a", "b", "c"]]
    counts = np.array([[np.sum(t["where"] == level) for level in LEVELS] for t in (x, y)])
    levels = stats.chi2_contingency(counts[:, counts.sum(0) > 0]).pvalue
    return energy <= 1 / RATE, mmd <= 1 / RATE, min(*ks, levels) <= 1 / RATE / 4, min(*wasserstein, levels) <= 1 / RATE / 4


# -------------------------------------------------------------------------------------------------- cells

def cells(series, days):
    """All chunks of one series: (wrong, drift, chunk, table)."""
    for wrong in (0, 0.02, 0.05):
        for chunk in range(QUIET):
            rng = np.random.default_rng([series, 1, chunk])
            yield wrong, "", chunk, spoilt(rng, table(rng, CHUNK, days=days), wrong)
    for wrong in (0, 0.05) if series % 2 == 0 else ():
        for kind, drift in enumerate(DRIFTS):
            rng = np.random.default_rng([series, 2, kind])
            yield wrong, drift, 0, spoilt(rng, table(rng, CHUNK, drift, days), wrong)


def compute(series, asked, done, writer):
    wanted = [cell for cell in cells(series, asked.days) if (str(series), str(cell[0]), cell[1], str(cell[2])) not in done]
    if not wanted:
        return
    x = table(np.random.default_rng([series, 0]), asked.rows, days=asked.days)
    reference = motmot.Reference(x, chunk_rows=CHUNK, threads=asked.threads)
    names = {f"{wrong} {drift} {chunk}": rows for wrong, drift, chunk, rows in wanted}
    alarms = {one.name: one.alarm for one in motmot.monitor(reference, names, one_in=RATE, explain=False, threads=asked.threads).chunks}
    for wrong, drift, chunk, rows in wanted:
        rng = np.random.default_rng([series, 3, chunk])
        # one chunk of a series is enough for the peers' rates
        found = list(map(int, peers(x, rows, rng))) if chunk == 0 else [""] * len(PEERS)
        writer.writerow([series, wrong, drift, chunk, int(alarms[f"{wrong} {drift} {chunk}"]), *found])


# ------------------------------------------------------------------------------------------------- tables

def rate(values):
    k, n = int(np.sum(values)), len(values)
    low, high = stats.binomtest(k, n).proportion_ci() if n else (np.nan, np.nan)
    return f"{100 * k / max(n, 1):5.1f} % [{100 * low:4.1f}, {100 * high:4.1f}] of {n}"


def report(paths):
    data = pd.concat([pd.read_csv(path, keep_default_na=False) for path in paths]).drop_duplicates(FIELDS[:4])
    print(f"{data['series'].nunique()} series; stated rate {100 / RATE:.0f} %\n\n| drift | wrong rows | motmot | energy | MMD | KS | "
          "Wasserstein |\n| --- | --- | --- | --- | --- | --- | --- |")
    for drift in ["", *DRIFTS]:
        for wrong in sorted(data.loc[data["drift"] == drift, "wrong"].unique()):
            rows = data[(data["drift"] == drift) & (data["wrong"] == wrong)]
            both = rows[rows["energy"] != ""].astype({peer: int for peer in PEERS})
            print(f"| {drift or 'none'} | {100 * wrong:.0f} % | {rate(rows['motmot'])} | "
                  + " | ".join(rate(both[peer]) for peer in PEERS) + " |")
    quiet = data[data["drift"] == ""]
    for wrong, rows in quiet.groupby("wrong"):
        means = rows.groupby("series")["motmot"].mean()
        error = means.std() / np.sqrt(len(means))
        print(f"\nmotmot without drift, {100 * wrong:.0f} % wrong, by series: {100 * means.mean():.1f} +- {100 * 1.96 * error:.1f} %", end="")
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--series", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="4 series")
    parser.add_argument("--cells", default="watch.csv")
    parser.add_argument("--rows", type=int, default=ROWS, help="of the reference; a file of cells is of one size")
    parser.add_argument("--days", type=float, default=0.0, help="sd of the shift that every chunk has of its own")
    parser.add_argument("--threads", type=int, default=0)
    parser.add_argument("--report", nargs="+", metavar="CSV", help="only the table of these files of cells")
    asked = parser.parse_args()
    if asked.report:
        return report(sorted(path for pattern in asked.report for path in glob.glob(pattern)))
    done = set()
    if os.path.exists(asked.cells):
        with open(asked.cells, newline="") as file:
            lines = [line for line in csv.reader(file) if len(line) == len(FIELDS)][1:]
        done = {tuple(line[:4]) for line in lines}
        with open(asked.cells, "w", newline="") as file:  # a line that was torn is computed again
            csv.writer(file).writerows([FIELDS, *lines])
    else:
        with open(asked.cells, "w", newline="") as file:
            csv.writer(file).writerow(FIELDS)
    for series in range(asked.first, asked.first + (4 if asked.quick else asked.series)):
        with open(asked.cells, "a", newline="") as file:
            compute(series, asked, done, csv.writer(file))
        print(f"\rseries {series}", end="", file=sys.stderr)
    print(file=sys.stderr)
    report([asked.cells])


if __name__ == "__main__":
    main()
