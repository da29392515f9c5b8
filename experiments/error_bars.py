#!/usr/bin/python3
"""The table of error_bars.csv: python3 error_bars.py error_bars.csv. Errors in % of the inliers' W1, mean (q90 of |.|)."""
import csv
import sys


def error(values, targets):
    errors = [100 * (v / t - 1) for v, t in zip(values, targets)]
    if not errors:
        return "none"
    quantile = sorted(map(abs, errors))[min(len(errors) - 1, int(0.9 * len(errors)))]
    return f"{sum(errors) / len(errors):+.1f} ({quantile:.1f})"


def main():
    groups = {}
    for row in csv.reader(open(sys.argv[1])):
        groups.setdefault(tuple(row[:4]), []).append([float(v) for v in row[5:]])
    print("| set | scenario | tau true | assumed | W1 | value | bar | covered | corrected (given) | trim | warned |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for key, rows in groups.items():
        target = [r[0] for r in rows]
        mean = lambda values: sum(values) / len(values)
        covered = mean([abs(r[1] - r[0]) <= r[2] for r in rows])
        given = [r for r in rows if r[4]]
        print(f"| {' | '.join(key)} | {mean(target):.3f} | {error([r[1] for r in rows], target)} | "
              f"{100 * mean([r[2] / r[0] for r in rows]):.1f} | {100 * covered:.0f} % | "
              f"{error([r[4] for r in given], [r[0] for r in given])} ({len(given)}/{len(rows)}) | "
              f"{error([r[5] for r in rows], target)} | {100 * mean([r[6] > 0 for r in rows]):.0f} % |")


if __name__ == "__main__":
    main()
