"""The samples of real_data.py: real tables, what is wrong with them, and which rows that is."""
import csv
import functools
import pathlib
import subprocess
import sys
import zlib
from dataclasses import dataclass

import numpy as np
from sklearn import datasets

ROOT = pathlib.Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "real-data"  # tables of R packages and finished cells


@dataclass(frozen=True)
class Cell:
    """One question: a table, what is wrong with it, the share of wrong rows that everybody is told."""
    group: str  # planted, classes, heights, textbook
    table: str
    dirt: str
    seed: int
    tau: float
    scale: str = "robust"

    def rng(self, *purpose):
        words = " ".join([self.table, *purpose])
        return np.random.default_rng([self.seed, zlib.crc32(words.encode())])


# ------------------------------------------------------------------------------------------- planted dirt

def drawn(rows, rng, count=None):
    """So many of these rows, in random order; nine tenths of them unless said."""
    return rows[rng.permutation(len(rows))[:count or round(0.9 * len(rows))]]


def halves(table, name, rng):
    """Two classes of a table (or the patients whose disease progressed less and more than the median's)."""
    data = table()
    first, second = {"cancer": (0, 1), "wine": (0, 1), "iris": (1, 2)}.get(name, (False, True))
    label = data.target > np.median(data.target) if name == "diabetes" else data.target
    return drawn(data.data[label == first], rng), drawn(data.data[label == second], rng)


def digits(name, rng):
    data = datasets.load_digits()
    if name == "digits 3, 8":
        return tuple(drawn(data.data[data.target == digit], rng) for digit in (3, 8))
    if name == "digits even, odd":
        return tuple(drawn(data.data[data.target % 2 == odd], rng) for odd in (0, 1))
    parts = [drawn(data.data[data.target == digit], rng, 144) for digit in (0, 1, 2)]  # name: digits, shares
    counts = [90, 54, 36]  # of 0, 1, 2 in X, and the other way round in Y
    return (np.concatenate([part[:count] for part, count in zip(parts, counts)]),
            np.concatenate([part[-count:] for part, count in zip(parts, counts[::-1])]))


TABLES = {"cancer": datasets.load_breast_cancer, "wine": datasets.load_wine, "iris": datasets.load_iris,
          "diabetes": datasets.load_diabetes, "digits 3, 8": None, "digits even, odd": None, "digits, shares": None}


# Table of an R package, column of the class, the class that is right, the one that foreign rows come from
PAIRS = {
    "Pima": ("PimaIndiansDiabetes", "diabetes", "neg", "pos"),
    "Vehicle": ("Vehicle", "Class", "van", "bus"),
    "Sonar": ("Sonar", "Class", "M", "R"),
    "Boston": ("BostonHousing", "chas", "0", "1"),
    "olive": ("olive", "region", "Southern Italy", "Northern Italy"),
}


def clean(cell):
    rng = cell.rng("rows")
    if cell.table in PAIRS:
        table, label, first, second = PAIRS[cell.table]
        rows, labels = numbers(table, label)
        return drawn(rows[labels == first], rng), drawn(rows[labels == second], rng, (labels == second).sum())
    load = TABLES[cell.table]
    return halves(load, cell.table, rng) if load else digits(cell.table, rng)


def sentinel(x, rows, rng):
    """A quarter of the columns, the same in every wrong row, read -999."""
    columns = rng.permutation(x.shape[1])[:max(1, x.shape[1] // 4)]
    x[np.ix_(rows, columns)] = -999


def decimal(x, rows, rng):
    """A quarter of the columns, others in every wrong row, are 10 or 100 times what they should be."""
    for row in rows:
        columns = rng.permutation(x.shape[1])[:max(1, x.shape[1] // 4)]
        x[row, columns] *= rng.choice([10, 100])


def far(x, rows, rng):
    """All wrong rows lie together: 10 standard deviations of every column away, up or down, and 0.1 from one another."""
    centre = x.mean(axis=0) + 10 * x.std(axis=0) * rng.choice([-1, 1], x.shape[1])
    x[rows] = centre + 0.1 * x.std(axis=0) * rng.normal(size=(len(rows), x.shape[1]))


def noise(x, rows, rng):
    """Normal noise about the mean, with five times the standard deviation of every column."""
    x[rows] = x.mean(axis=0) + 5 * x.std(axis=0) * rng.normal(size=(len(rows), x.shape[1]))


def zeros(x, rows, rng):
    """All values are 0."""
    x[rows] = 0


def copies(x, rows, rng):
    """All wrong rows repeat one right row."""
    x[rows] = x[rng.choice(np.setdiff1d(np.arange(len(x)), rows))]


DIRT = {"none": None, "sentinel": sentinel, "decimal": decimal, "far": far, "noise": noise, "zeros": zeros, "copies": copies}


def planted(cell):
    """x, y and which rows of x are wrong: 8 % of them."""
    x, y = (np.array(rows, dtype=float) for rows in clean(cell))
    wrong = np.zeros(len(x), dtype=bool)
    if DIRT[cell.dirt]:
        rng = cell.rng("dirt", cell.dirt)
        rows = rng.permutation(len(x))[:round(0.08 * len(x))]
        DIRT[cell.dirt](x, rows, rng)
        wrong[rows] = True
    return x, y, wrong


# ---------------------------------------------------------------------------------------------- real dirt

def exported(name):
    """A table of an R package: its header and its rows, as text."""
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        try:
            subprocess.run(["Rscript", ROOT / "study" / "real_data.R", FOLDER], check=True, capture_output=True, text=True)
        except (FileNotFoundError, subprocess.CalledProcessError) as error:
            sys.exit(f"real_data: cannot export tables of R packages; run scripts/setup --data first "
                     f"({getattr(error, 'stderr', '') or error})")
    with open(path, newline="") as file:
        header, *lines = csv.reader(file)
    return header, lines


@functools.lru_cache
def numbers(name, label):
    """The numeric columns that are not constant, and the column of that name."""
    def is_number(text):
        try:
            float(text)
        except ValueError:
            return False
        return True

    header, lines = exported(name)
    labels = np.array([line[header.index(label)] for line in lines])
    columns = np.array([[float(line[k]) for line in lines] for k in range(len(header))
                        if header[k] != label and is_number(lines[0][k])]).T
    return columns[:, columns.std(axis=0) > 0], labels


LETTERS = [chr(code) for code in range(ord("A"), ord("Z") + 1)]
# Table of R's mlbench, column of the class, classes that are right (None: all that are not wrong), wrong ones
CLASSES = {
    "Glass": ("Glass", "Type", None, ["6"]),
    "Ionosphere": ("Ionosphere", "Class", ["good"], ["bad"]),
    "Vowel": ("Vowel", "Class", ["hid", "hId", "hEd"], ["hod"]),
    "Satellite, cotton": ("Satellite", "classes", None, ["cotton crop"]),
    "Satellite, three": ("Satellite", "classes", None, ["cotton crop", "damp grey soil", "vegetation stubble"]),
    "Shuttle": ("Shuttle", "Class", ["Rad.Flow"], ["Fpv.Close", "Fpv.Open", "Bypass", "Bpv.Close", "Bpv.Open"]),
    "Letters A to C": ("LetterRecognition", "lettr", LETTERS[:3], LETTERS[3:]),
}


def minority(cell):
    """Right rows dealt into two halves (at most 1200 each); 8 % of X, or all there are, come from a class of their own."""
    table, label, right, wrong = CLASSES[cell.table]
    rows, labels = numbers(table, label)
    if table == "Vowel":
        rows = rows[:, 1:]  # the first column is the speaker
    rng = cell.rng("rows")
    strangers = rng.permutation(np.flatnonzero(np.isin(labels, wrong)))
    inliers = rng.permutation(np.flatnonzero(np.isin(labels, right) if right else ~np.isin(labels, wrong)))[:2400]
    half = len(inliers) // 2
    x = np.concatenate([inliers[:half], strangers[:round(half * 0.08 / 0.92)]])
    return rows[x], rows[inliers[half:]], np.arange(len(x)) >= half


def heights(cell):
    """Answers of students against the cleaned heights; wrong: not within 50 to 84 inches (feet, centimetres, nonsense)."""
    header, lines = exported("reported_heights")
    answers = []
    for line in lines:
        try:
            answers.append(float(line[header.index("height")]))
        except ValueError:
            pass  # words, feet and inches with quotes: a reader of numbers drops them
    x = np.array([answer for answer in answers if np.isfinite(answer)])[:, None]
    header, lines = exported("heights")
    y = np.array([float(line[header.index("height")]) for line in lines])[:, None]
    return x, y, (x[:, 0] < 50) | (x[:, 0] > 84)


# Rows that the literature calls outliers, from 1; of bushfire and milk those that are usually named
TEXTBOOK = {
    "hbk": range(1, 15),
    "wood": [4, 6, 8, 19],
    "starsCYG": [11, 20, 30, 34],
    "bushfire": [*range(7, 12), *range(32, 39)],
    "milk": [1, 2, 3, 12, 41, 44, 70, 74],
}


def textbook(cell):
    """The table as it was published against its right rows, moved by one standard deviation a column in a random direction."""
    _, lines = exported(cell.table)
    x = np.array(lines, dtype=float)
    wrong = np.isin(np.arange(len(x)) + 1, TEXTBOOK[cell.table])
    right = x[~wrong]
    direction = cell.rng("direction").normal(size=x.shape[1])
    move = right.std(axis=0) * direction / np.linalg.norm(direction) * np.sqrt(x.shape[1])
    return x, right + move, wrong


SAMPLES = {"planted": planted, "classes": minority, "heights": heights, "textbook": textbook}
ENOUGH = {"heights": 0.25, "hbk": 0.2, "wood": 0.2, "bushfire": 0.35}  # tau that is, where 0.1 is below the true share


def cells(seeds, quick):
    if quick:
        return [Cell("planted", table, dirt, seeds[0], 0.1) for table in ("iris", "wine") for dirt in DIRT]
    found = [Cell("planted", table, dirt, seed, 0.1, "none" if table.startswith("digits") else "robust")
             for table in TABLES for dirt in DIRT for seed in seeds]
    found += [Cell("classes", table, "another class", seed, 0.1) for table in CLASSES for seed in seeds]
    for tau in (0.1, ENOUGH["heights"]):
        found.append(Cell("heights", "reported heights", "units", seeds[0], tau, "none"))
    for table in TEXTBOOK:
        for tau in dict.fromkeys([0.1, ENOUGH.get(table, 0.1)]):
            found += [Cell("textbook", table, "as published", seed, tau) for seed in seeds]
    return found
