#!/usr/bin/python3
"""False alarms and power of motmot.monitor, by the module that is shipped, against peers at the same rate.

    PYTHONPATH=build/release/python study/watch.py [--series 500] [--quick] [--cells watch.csv] [--first 0] [--rows 1000]

A series is a reference of 1000 rows (two Gaussian columns, one lognormal, one category of four levels) with own chunks of 50
rows, and chunks of 50 rows: without drift (10 of them, of which none, 2 % or 5 % of the rows are wrong) and with drift (one of
each kind, clean and with 5 % wrong). Every method alarms once in 20 chunks where nothing drifts, or says that it does:
motmot by the reference's own chunks; the energy distance and MMD (Gaussian kernel, median distance) by 199 permutations of
the rows, coded as motmot codes them; Kolmogorov-Smirnov for each column (chi-squared for the category) by Bonferroni.

Cells are appended to a CSV file, one line each; what it has is not computed again. Rates have 95 % binomial limits
(Clopper-Pearson), over chunks and, because the chunks of a series share a reference, over series too.
"""
import argparse
import csv
import os
import sys

import numpy as np
import pandas as pd
from scipy import stats

import motmot

RATE, ROWS, CHUNK, QUIET = 20, 1000, 50, 10
LEVELS = np.array(["north", "east", "south", "west"])
DRIFTS = ["shift", "spread", "levels", "missing"]
FIELDS = ["series", "wrong", "drift", "chunk", "motmot", "energy", "mmd", "ks"]


# ------------------------------------------------------------------------------------------------- tables

def table(rng, n, drift=""):
    u = rng.normal(size=(n, 3))
    u[:, 1] += 0.5 * u[:, 0]
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


def permuted_p_value(kernel, n, rng, permutations=199):
    """Of w' K w, w = 1/n on X and -1/m on Y."""
    size = len(kernel)
    weights = np.empty((size, permutations + 1))
    weights[:, 0] = np.r_[np.full(n, 1 / n), np.full(size - n, -1 / (size - n))]
    for b in range(permutations):
        weights[:, b + 1] = rng.permutation(weights[:, 0])
    values = np.einsum("ib,ib->b", weights, kernel @ weights)
    return (1 + np.sum(values[1:] >= values[0] - 1e-12)) / (permutations + 1)


def peers(x, y, rng):
    z = coded(x, y)
    square = np.sum(z * z, axis=1)
    distances = np.sqrt(np.maximum(square[:, None] + square - 2 * z @ z.T, 0))
    energy = permuted_p_value(-distances, len(x), rng)
    mmd = permuted_p_value(np.exp(-0.5 * (distances / np.median(distances)) ** 2), len(x), rng)
    columns = [stats.ks_2samp(x[c].dropna(), y[c].dropna()).pvalue for c in ["a", "b", "c"]]
    counts = np.array([[np.sum(t["where"] == level) for level in LEVELS] for t in (x, y)])
    columns.append(stats.chi2_contingency(counts[:, counts.sum(0) > 0]).pvalue)
    return energy <= 1 / RATE, mmd <= 1 / RATE, min(columns) <= 1 / RATE / len(columns)


# -------------------------------------------------------------------------------------------------- cells

def cells(series):
    """All chunks of one series: (wrong, drift, chunk, table)."""
    for wrong in (0, 0.02, 0.05):
        for chunk in range(QUIET):
            rng = np.random.default_rng([series, 1, chunk])
            yield wrong, "", chunk, spoilt(rng, table(rng, CHUNK), wrong)
    for wrong in (0, 0.05):
        for kind, drift in enumerate(DRIFTS):
            rng = np.random.default_rng([series, 2, kind])
            yield wrong, drift, 0, spoilt(rng, table(rng, CHUNK, drift), wrong)


def compute(series, rows_of_reference, done, writer):
    wanted = [cell for cell in cells(series) if (str(series), str(cell[0]), cell[1], str(cell[2])) not in done]
    if not wanted:
        return
    x = table(np.random.default_rng([series, 0]), rows_of_reference)
    reference = motmot.Reference(x, chunk_rows=CHUNK)
    names = {f"{wrong} {drift} {chunk}": rows for wrong, drift, chunk, rows in wanted}
    alarms = {one.name: one.alarm for one in motmot.monitor(reference, names, one_in=RATE).chunks}
    for wrong, drift, chunk, rows in wanted:
        rng = np.random.default_rng([series, 3, chunk])
        found = peers(x, rows, rng) if chunk < 2 else ("", "", "")  # the peers' chunks are enough for their rates
        writer.writerow([series, wrong, drift, chunk, int(alarms[f"{wrong} {drift} {chunk}"]),
                         *(found if found[0] == "" else map(int, found))])


# ------------------------------------------------------------------------------------------------- tables

def rate(values):
    k, n = int(np.sum(values)), len(values)
    low, high = stats.binomtest(k, n).proportion_ci() if n else (np.nan, np.nan)
    return f"{100 * k / max(n, 1):5.1f} % [{100 * low:4.1f}, {100 * high:4.1f}] of {n}"


def report(path):
    data = pd.read_csv(path, keep_default_na=False)
    print(f"{data['series'].nunique()} series; stated rate {100 / RATE:.0f} %\n\n| drift | wrong rows | motmot | energy | MMD | KS |\n"
          "| --- | --- | --- | --- | --- | --- |")
    for drift in ["", *DRIFTS]:
        for wrong in sorted(data.loc[data["drift"] == drift, "wrong"].unique()):
            rows = data[(data["drift"] == drift) & (data["wrong"] == wrong)]
            both = rows[rows["energy"] != ""].astype({"energy": int, "mmd": int, "ks": int})
            print(f"| {drift or 'none'} | {100 * wrong:.0f} % | {rate(rows['motmot'])} | {rate(both['energy'])} | "
                  f"{rate(both['mmd'])} | {rate(both['ks'])} |")
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
    asked = parser.parse_args()
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
            compute(series, asked.rows, done, csv.writer(file))
        print(f"\rseries {series}", end="", file=sys.stderr)
    print(file=sys.stderr)
    report(asked.cells)


if __name__ == "__main__":
    main()
