#!/usr/bin/python3
"""How far from the truth are we on real tables, with planted and with real dirt? Makes docs/real-data.md.

    scripts/setup --data
    PYTHONPATH=build/release/python study/real_data.py [--output docs/real-data.md] [--seeds 5] [--first 7000] [--quick]
    PYTHONPATH=build/release/python study/real_data.py --words [--seeds 5] [--first 7000]

Truth is the exact W1 of the same two samples without their wrong rows. Tables of R packages are exported once into
build/real-data, which also holds every finished cell: a run that is interrupted goes on where it stopped, and cells of
another build of motmot are made anew. real_tables.py has the samples, real_page.py the page. --quick: iris and wine, one
seed, no R, nothing stored. --words: real dirt, our answer without its test, and what it says, on the screen.
"""
import argparse
import hashlib
import json
import os
import pathlib
import sys
from dataclasses import asdict

os.environ.setdefault("OMP_NUM_THREADS", "1")  # one core, also for the peers

import motmot
import numpy as np
from real_page import page, words_table
from real_tables import FOLDER, ROOT, SAMPLES, Cell, cells
from scipy.stats.mstats import winsorize
from sklearn.ensemble import IsolationForest
from sklearn.neighbors import LocalOutlierFactor


# ---------------------------------------------------------------------------------------------- methods

def answer(x, y, tau, estimator, **options):
    """What motmot says, as its JSON does (rows from 0), and in words."""
    result = motmot.distance(x, y, tau=tau, estimator=estimator, threads=1, **options)
    return {**result.to_dict(), "text": result.text()}


def w1(x, y):
    return motmot.transport(np.ascontiguousarray(x), np.ascontiguousarray(y), plan=False, potentials=False).cost


def kept_by_forest(rows, tau, seed):
    return rows[IsolationForest(contamination=tau, random_state=seed).fit_predict(rows) > 0]


def kept_by_lof(rows, tau, neighbours):
    return rows[LocalOutlierFactor(n_neighbors=min(neighbours, len(rows) - 1), contamination=tau).fit_predict(rows) > 0]


def winsorised(rows, tau):
    return np.column_stack([np.asarray(winsorize(column, limits=(tau, tau))) for column in rows.T])


def enough_neighbours(rows, tau):
    """More than a group of wrong rows can have: what our own score takes."""
    return int(np.ceil(tau * len(rows))) + 1


def in_units(rows, units):
    return np.where(units > 0, rows / np.where(units > 0, units, 1), 0)  # a column without spread is left out


def run(cell):
    """Truth, the value of every method, and what our answer says besides."""
    x, y, wrong = SAMPLES[cell.group](cell)
    ours = answer(x, y, cell.tau, "company", scale=cell.scale, seed=cell.seed)
    paper = answer(x, y, cell.tau, "mom", scale=cell.scale, seed=cell.seed)
    units = np.array([column["unit"] for column in ours["columns"]])
    u, v = in_units(x, units), in_units(y, units)
    left_out = ours["left_out"]
    values = {
        "company": ours["value"], "mom": paper["value"], "plain": ours["plain"],
        "forest": w1(*(kept_by_forest(rows, cell.tau, cell.seed) for rows in (u, v))),
        "LOF": w1(*(kept_by_lof(rows, cell.tau, 20) for rows in (u, v))),
        "LOF k": w1(*(kept_by_lof(rows, cell.tau, enough_neighbours(rows, cell.tau)) for rows in (u, v))),
        "winsor": w1(winsorised(u, cell.tau), winsorised(v, cell.tau)), "partial": ours["partial"],
    }
    return {**asdict(cell), "n": len(x), "m": len(y), "d": x.shape[1], "wrong": int(wrong.sum()),
            "truth": w1(u[~wrong], v), "values": values, "interval": ours["interval"], "paper_interval": paper["interval"],
            "found": int(wrong[left_out["x"]].sum()), "lost": int((~wrong[left_out["x"]]).sum()) + len(left_out["y"]),
            "said": said_by(ours), "text": ours["text"]}


def said_by(ours):
    return [warning["code"] for warning in ours["warnings"]] + (["readings"] if ours["readings"] else [])


def words_of(cell):
    """What run() gives, as far as words are counted: no peers, and no test, which has no part in these words."""
    x, y, wrong = SAMPLES[cell.group](cell)
    ours = answer(x, y, cell.tau, "company", scale=cell.scale, seed=cell.seed, permutations=0)
    units = np.array([column["unit"] for column in ours["columns"]])
    u, v = in_units(x, units), in_units(y, units)
    return {**asdict(cell), "n": len(x), "wrong": int(wrong.sum()), "truth": w1(u[~wrong], v),
            "values": {"company": ours["value"]}, "said": said_by(ours)}


# ------------------------------------------------------------------------------------------ finished cells

def maker():
    """Changes when a file of the module does, or of the study itself: what another build found is not mixed in."""
    module = sorted(path for path in pathlib.Path(motmot.__file__).parent.iterdir() if path.is_file())
    study = [ROOT / "study" / name for name in ("real_data.py", "real_tables.py")]
    return hashlib.sha256(b"".join(path.read_bytes() for path in module + study)).hexdigest()[:16]


def all_of(wanted, store):
    """The results in order, those in `store` (None: no file) as they are there."""
    made_by, done = maker(), {}
    if store and store.exists():
        for line in store.read_text().splitlines():
            record = json.loads(line) if line.endswith("}") else {"made_by": None}  # the last one may be torn
            if record.pop("made_by") == made_by:
                done[Cell(**{name: record[name] for name in Cell.__dataclass_fields__})] = record
    for number, cell in enumerate(wanted, 1):
        if cell in done:
            continue
        done[cell] = run(cell)
        print(f"{number} of {len(wanted)}: {cell.table}, {cell.dirt}, seed {cell.seed}, tau {cell.tau}", file=sys.stderr)
        if store:
            with open(store, "a") as file:
                file.write(json.dumps({**done[cell], "made_by": made_by}) + "\n")
    return [done[cell] for cell in wanted]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=pathlib.Path, help="where the page goes; default docs/real-data.md, with --quick the screen")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each cell")
    parser.add_argument("--first", type=int, default=7000, help="first seed")
    parser.add_argument("--quick", action="store_true", help="iris and wine, one seed, no R, nothing stored")
    parser.add_argument("--words", action="store_true", help="real dirt, our answer alone: does it say that it is unsure?")
    asked = parser.parse_args(arguments)
    seeds = range(asked.first, asked.first + (1 if asked.quick else asked.seeds))
    if asked.words:
        return print("\n".join(words_table([words_of(cell) for cell in cells(seeds, False) if cell.group != "planted"])))
    if not asked.quick:
        FOLDER.mkdir(parents=True, exist_ok=True)
    results = all_of(cells(seeds, asked.quick), None if asked.quick else FOLDER / "cells.jsonl")
    text = "\n".join(page(results, seeds)).rstrip() + "\n"
    output = asked.output or (None if asked.quick else ROOT / "docs" / "real-data.md")
    output.write_text(text) if output else print(text, end="")


if __name__ == "__main__":
    os.nice(19)
    main()
