#!/usr/bin/python3
"""Draws README's picture from what `make demo` left in demo/: the samples, and the distances between them.

usage: scripts/picture.py demo docs/demo.svg
"""
import csv
import json
import pathlib
import sys

INK, GREY, BLUE, ORANGE, RED, GREEN = "#1f2933", "#9aa5b1", "#2f6fb2", "#e08a1e", "#c22f2f", "#2d8a5f"


def points(path):
    with path.open() as file:
        return [tuple(map(float, row)) for row in list(csv.reader(file))[1:]]


def scatter(x, y, outliers, left, top, size):
    low, high = -55, 60
    at = lambda p: (left + (p[0] - low) / (high - low) * size, top + size - (p[1] - low) / (high - low) * size)
    parts = [f'<rect x="{left}" y="{top}" width="{size}" height="{size}" fill="none" stroke="{GREY}"/>']
    for rows, colour in [(y, ORANGE), ([p for i, p in enumerate(x, 1) if i not in outliers], BLUE)]:
        parts += [f'<circle cx="{at(p)[0]:.1f}" cy="{at(p)[1]:.1f}" r="1.6" fill="{colour}" fill-opacity="0.6"/>' for p in rows]
    for i in outliers:
        cx, cy = at(x[i - 1])
        parts.append(f'<path d="M{cx - 3:.1f} {cy - 3:.1f}l6 6m0 -6l-6 6" stroke="{RED}" stroke-width="1.4"/>')
    legend = [("X", BLUE), ("Y", ORANGE), ("outliers in X", RED)]
    for i, (label, colour) in enumerate(legend):
        parts.append(f'<circle cx="{left + 5 + 50 * i}" cy="{top - 12}" r="4" fill="{colour}"/>'
                     f'<text x="{left + 14 + 50 * i}" y="{top - 8}">{label}</text>')
    return parts


def bars(rows, left, top, width):
    largest = max(value for _, value, *_ in rows) * 1.05
    parts = []
    for i, (label, value, bar, colour) in enumerate(rows):
        y = top + 58 * i
        length = value / largest * width
        parts.append(f'<text x="{left}" y="{y}">{label}</text>'
                     f'<rect x="{left}" y="{y + 7}" width="{length:.1f}" height="20" rx="3" fill="{colour}"/>')
        text_at = left + length + 8
        if bar:
            low, high = (end / largest * width + left for end in bar)
            parts.append(f'<path d="M{low:.1f} {y + 17}H{high:.1f}M{low:.1f} {y + 12}v10M{high:.1f} {y + 12}v10" stroke="{INK}" fill="none"/>')
            text_at = high + 8
        number = f"{value:.2f}" + (f" (between {bar[0]:.2f} and {bar[1]:.2f})" if bar else "")
        parts.append(f'<text x="{text_at:.1f}" y="{y + 22}" font-weight="600">{number}</text>')
    return parts


def main():
    folder, target = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    answer = json.loads((folder / "answer.json").read_text())
    clean = json.loads((folder / "clean.json").read_text())["cost"]
    x, y = points(folder / "dirty/x.csv"), points(folder / "dirty/y.csv")
    outliers = {int(row["row"]) for row in csv.DictReader((folder / "dirty/outliers.csv").open())}
    rows = [("clean samples", clean, None, GREY), ("with outliers, all rows", answer["plain"], None, RED),
            ("with outliers, motmot", answer["value"], answer["interval"], GREEN),
            ("with outliers, the paper's medians of means", answer["neighbours"]["paper"]["value"], None, BLUE)]
    body = scatter(x, y, outliers, 20, 60, 290) + bars(rows, 370, 86, 300)
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 364" font-family="system-ui, sans-serif" '
           f'font-size="13" fill="{INK}"><rect width="800" height="364" fill="white"/>'
           f'<text x="20" y="26" font-size="16" font-weight="600">Two samples, 10 % of one of them wrong</text>'
           f'<text x="370" y="60">1-Wasserstein distance</text>' + "".join(body) + "</svg>\n")
    target.write_text(svg)


if __name__ == "__main__":
    main()
