#!/usr/bin/python3
"""Table 1 from nothing: WGAN, MoMWGAN and trim on polluted Fashion-MNIST and CIFAR-10.

One row of study/table1/runs.csv per finished run; runs that are there are skipped and a run that was killed goes
on from its last checkpoint, so the table can be extended at any time, by several processes side by side. FID and KID are
means over the checkpoints at 80, 90 and 100 % of the steps, 10 000 images each, against the held-out inliers, in the
features of motmot's own classifiers.

usage: study/gan_table1.py BUILD_DIR [--steps N] [--cifar DIR] [--work DIR] [--seeds 3] [--hours 8] [--data D,...] [--shares T,...] [--methods M,...]
  --steps N     generator steps (default 1500); other than that go into study/table1/runs-N.csv
  --table NAME  go into study/table1/NAME.csv instead: to have all methods of a comparison from one machine, whose rounding is part of every run
  --data, --shares, --methods   of the plan only runs of these data sets, shares of outliers and methods
  --cifar DIR   CIFAR-10 in its binary layout; without it only Fashion-MNIST is run
  --work DIR    where runs are kept (default: build/table1 beside BUILD_DIR)
  --quick       a tiny version into WORK/quick.csv, to see that it works
  --slopes      nothing is trained: FID at the last three checkpoints of finished runs, as Markdown
  --lists       nothing is trained: precision and recall of the two cleanings, as Markdown
  --figure4 FILE.svg   nothing is run: Figure 4, images of WGAN and MoMWGAN from the runs of Table 1's own setting
  --show        nothing is run: the finished runs as the tables of docs/results-gan.md
  --paired METHOD   the same with differences from METHOD, seed by seed; of --data, --shares and --methods where these are given
then:  motmot gan compare study/table1/runs.csv
"""
import argparse
import base64
import contextlib
import csv
import fcntl
import json
import os
import pathlib
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
SETTINGS = {"net": "dcgan", "width": 16, "batch": 64, "latent": 64, "norm": "layer", "optimizer": "adam", "rate": 1e-3,
            "decay": 0.6, "gradient-penalty": 10, "penalty-rows": 16, "critic-steps": 2}
STEPS = 1500
CLIPPED = {"optimizer": "rmsprop", "rate": 5e-4, "clip": 0.05, "gradient-penalty": None, "penalty-rows": None}
# "Standard parameters of WGAN", as the paper says of its Table 1: five critic steps, RMSProp 5e-5, weights within 0.01.
WGAN_PAPER = {"norm": "batch", "critic-steps": 5, "optimizer": "rmsprop", "rate": 5e-5, "decay": 0, "clip": 0.01,
              "gradient-penalty": None, "penalty-rows": None}
METHODS = {
    "wgan": {"loss": "wgan"},
    "mom": {"loss": "mom", "blocks": 4, "match-batch": True},
    "mom-5": {"loss": "mom", "blocks": 5, "match-batch": True},  # an odd number has one middle block
    "mom-16": {"loss": "mom", "blocks": 4},  # the paper's K = 4 with 64 images in all: 4 blocks of 16, 64 fakes
    "trim": {"loss": "trim", "trim": 0.3, "cut": 1.5},
    "trim-whole": {"loss": "trim", "trim": 0.3, "cut": 0},  # leaves out its whole share to the end
    "trim-scores": {"loss": "trim-scores", "trim": 0.3, "cut": 1.5},
    # As published: batch norm in the critic, 4 blocks of 16 and 16 fakes, weights clipped; and its control.
    "mom-published": {"loss": "mom", "blocks": 4, "fakes": 16, "norm": "batch", **CLIPPED},
    "wgan-batchnorm": {"loss": "wgan", "norm": "batch", **CLIPPED},
    "wgan-clipped": {"loss": "wgan", **CLIPPED},
    # Table 1 in its own setting; MoMWGAN with 4 blocks of 64 images, and with 4 blocks of 16 as the paper is written.
    "wgan-table1": {"loss": "wgan", **WGAN_PAPER},
    "mom-table1": {"loss": "mom", "blocks": 4, "match-batch": True, **WGAN_PAPER},
    "mom-16-table1": {"loss": "mom", "blocks": 4, **WGAN_PAPER},
    # Rivals, each told that at most ASSUMED of the images are wrong, whatever the true share is.
    "unbalanced": {"loss": "unbalanced", "mass-price": 1},
    "unbalanced-r1": {"loss": "unbalanced", "mass-price": 1, "penalty": "r1", "gradient-penalty": 0.2},  # as in UOTM
    "partial": {"loss": "partial", "mass": 0.9},
    "clean-suspects": {"loss": "wgan", "clean": "suspects"},  # motmot's ranking leaves ASSUMED out, WGAN on the rest
    "clean-forest": {"loss": "wgan", "clean": "forest"},      # the same by an isolation forest on the same features
    # trim that waits until the generator covers the inliers.
    "trim-covered": {"loss": "trim", "trim": 0.3, "cut": 1.5, "trim-from": 0.8},
}
ASSUMED = 0.1
RIVALS = ("unbalanced", "partial", "clean-suspects", "clean-forest", "unbalanced-r1", "trim-covered")
# A rare but honest class: trousers are 3 % of clean data, and counted where outliers are counted elsewhere.
DATA = {"fashion-mnist": {"data": "fashion-mnist"},
        "fashion-noise": {"data": "fashion-mnist", "outliers": "noise"},
        "rare-trousers": {"data": "fashion-mnist", "inliers": "0,2-4", "outliers": "class:1"}}
FIELDS = ["data", "contaminate", "method", "seed", "width", "steps", "fid", "kid", "kid_error", "outlier_share", "precision", "recall",
          "auc", "used_dirty_share", "rejected_dirty_share", "train_seconds", "images", "features"]
PARTS = ("data", "shares", "methods")  # a job is one of each, and a seed


def plan(seeds, cifar):
    """The order of work: what answers most comes first."""
    main, fashion, most = ("wgan", "trim", "mom", "mom-16"), ("0.1", "0", "0.05", "0.015"), ("0.1", "0")
    later = range(2, seeds + 1)
    jobs = [("fashion-mnist", tau, method, 1) for tau in fashion for method in main]
    jobs += [("rare-trousers", "0.03", method, 1) for method in ("wgan", "trim")]
    jobs += [("fashion-mnist", "0.1", method, 1) for method in ("mom-published", "wgan-batchnorm")]
    jobs += [("cifar-10", tau, method, 1) for tau in most for method in main]
    jobs += [("fashion-mnist", tau, method, seed) for seed in later for tau in fashion for method in main]
    jobs += [("cifar-10", tau, method, seed) for seed in later for tau in most for method in main]
    jobs += [("cifar-10", tau, method, 1) for tau in ("0.05", "0.015") for method in main]
    jobs += [("fashion-mnist", tau, "trim-whole", seed) for seed in (1, *later) for tau in most]
    jobs += [("rare-trousers", "0.03", method, seed) for seed in later for method in ("wgan", "trim")]
    jobs += [("fashion-mnist", "0.1", method, 1) for method in ("trim-scores", "mom-5", "wgan-clipped")]
    jobs += [("fashion-mnist", "0.1", method, seed) for seed in later for method in ("mom-published", "wgan-batchnorm")]
    jobs += [("cifar-10", tau, method, seed) for seed in later for tau in ("0.05", "0.015") for method in main]
    jobs += [(data, "0.015", method, seed) for seed in (1, *later) for data in ("fashion-mnist", "cifar-10")
             for method in ("wgan-table1", "mom-table1", "mom-16-table1")]
    compared = (*RIVALS, "wgan", "trim", "mom")
    jobs += [("fashion-mnist", tau, method, 1) for tau in most for method in compared]
    jobs += [("fashion-mnist", tau, method, seed) for seed in later for tau in most for method in compared]
    jobs += [("fashion-noise", "0.1", method, seed) for seed in (1, *later) for method in compared]
    jobs += [("fashion-mnist", "0.05", method, seed) for seed in (1, *later) for method in compared]
    jobs += [("cifar-10", tau, method, seed) for seed in (1, *later) for tau in most for method in compared]
    jobs = list(dict.fromkeys(jobs))
    return [job for job in jobs if cifar or job[0] != "cifar-10"]


def arguments(settings):
    """{"rate": 0.1, "match-batch": True, "clip": None} as options of the command."""
    given = {name: value for name, value in settings.items() if value is not None}
    return [part for name, value in given.items() for part in ([f"--{name}"] if value is True else [f"--{name}", value])]


def motmot(build, *arguments):
    return subprocess.run([build / "bin" / "motmot", "gan", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def rows_in(path):
    return list(csv.DictReader(path.open())) if path.exists() else []


def write_rows(path, fields, rows):
    part = path.with_suffix(".part")
    with part.open("w", newline="") as out:
        writer = csv.DictWriter(out, fields, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(part, path)


def append(path, row):
    write_rows(path, FIELDS, rows_in(path) + [row])


def log_seconds(folder):
    """Training time over all processes that worked on it: the clock of the log starts anew with each."""
    total = last = 0
    for line in (folder / "log.jsonl").read_text().splitlines():
        seconds = json.loads(line).get("seconds", last)  # a warning has none
        total += seconds - last if seconds >= last else seconds
        last = seconds
    return total


@contextlib.contextmanager
def locked(path, wait):
    """None where another process holds it and we do not wait."""
    with open(path, "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except BlockingIOError:
            yield None
            return
        yield file


def features_for(options, data):
    source = data["data"]
    path = options.work / f"features-{'fashion-mnist' if source == 'fashion-mnist' else 'cifar-10'}.npz"
    with locked(f"{path}.lock", wait=True):
        if not path.exists():
            epochs = 1 if options.quick else 3 if source == "fashion-mnist" else 8
            print(motmot(options.build, "features", "--data", source, "--output", path, "--epochs", epochs, "--threads", options.threads).strip(), flush=True)
    return path


def folder_of(options, name, tau, method, seed):
    return options.work / f"{options.steps}-{name}-{tau}-{method}-{seed}"


def forest_rows(rows, vectors, seed):
    """The list of `motmot gan clean` with the scores of an isolation forest instead of its own."""
    import numpy as np
    from sklearn.ensemble import IsolationForest
    features = np.load(vectors)
    scores = -IsolationForest(random_state=seed).fit(features).score_samples(features)
    left_out = set(np.argsort(-scores, kind="stable")[:sum(row["kept"] == "0" for row in rows)])
    return [{**row, "score": f"{scores[i]:.6g}", "kept": int(i not in left_out)} for i, row in enumerate(rows)]


def clean_lists(options, name, tau, seed):
    """Which images to leave out: by motmot's own ranking ("suspects"), and by a forest on the same features."""
    data = DATA.get(name, {"data": options.cifar})
    paths = {how: options.work / f"clean-{name}-{tau}-{how}-{seed}.csv" for how in ("suspects", "forest")}
    with locked(paths["suspects"].with_suffix(".lock"), wait=True):
        if not all(path.exists() for path in paths.values()):
            vectors = paths["suspects"].with_suffix(".npy")
            given = {key: value for key, value in data.items() if key != "data"}
            motmot(options.build, "clean", data["data"], *arguments(given), "--contaminate", tau, "--seed", seed, "--tau", ASSUMED, "--features",
                   features_for(options, data), "--output", paths["suspects"], "--vectors", vectors, "--threads", options.threads, "--quiet")
            rows = rows_in(paths["suspects"])
            write_rows(paths["forest"], list(rows[0]), forest_rows(rows, vectors, seed))
            vectors.unlink()
    return paths


def precision_of(path):
    """Precision and recall of what a list leaves out: of the images that were mixed in."""
    rows = rows_in(path)
    dirty = [not row["source"].startswith("train ") for row in rows]
    found = sum(d for d, row in zip(dirty, rows) if row["kept"] == "0")
    return found / sum(row["kept"] == "0" for row in rows), found / sum(dirty)


def score_of(options, folder, features):
    """What `motmot gan score` says of a run, from the file that it left there the first time."""
    path = folder / "score.json"
    if not path.exists():
        motmot(options.build, "score", folder, "--features", features, "--images", options.images, "--json", path, "--quiet", "--threads", options.threads)
    return json.loads(path.read_text())


def show_slopes(options, jobs):
    """FID at the kept checkpoints of finished runs, and how it moves over them per 1000 steps: has training converged?"""
    print("| data | outliers | loss | seed | FID at 80, 90 and 100 % of the steps | slope per 1000 steps |\n|" + " --- |" * 6)
    for job in jobs:
        folder = folder_of(options, *job)
        if not (folder / "final.npz").exists():
            continue
        name, tau, method, seed = job
        fid = [part["fid"] for part in score_of(options, folder, features_for(options, DATA.get(name, {"data": options.cifar})))["checkpoints"]]
        slope = (fid[-1] - fid[0]) / (0.2 * options.steps) * 1000
        print(f"| {name} | {100 * float(tau):g} % | {method} | {seed} | {', '.join(f'{x:.1f}' for x in fid)} | {slope:+.1f} |", flush=True)


def show_lists(options, jobs):
    print("| data | outliers | seed | cleaning | of what it leaves out, dirty | of the dirty, left out |\n|" + " --- |" * 6)
    for name, tau, seed in dict.fromkeys((name, tau, seed) for name, tau, method, seed in jobs if method.startswith("clean-") and float(tau) > 0):
        for how, path in clean_lists(options, name, tau, seed).items():
            print(f"| {name} | {100 * float(tau):g} % | {seed} | {how} | " + " | ".join(f"{100 * x:.1f} %" for x in precision_of(path)) + " |", flush=True)


def run(options, name, tau, method, seed):
    folder = folder_of(options, name, tau, method, seed)
    data = DATA.get(name, {"data": options.cifar})
    threads = ["--threads", options.threads]
    settings = {**data, **SETTINGS, **METHODS[method]}
    how = settings.pop("clean", None)
    if how:
        settings["without"] = clean_lists(options, name, tau, seed)[how]
    motmot(options.build, "train", *arguments(settings), "--contaminate", tau, "--steps", options.steps,
           "--seed", seed, "--checkpoint-every", options.steps // 10, "--output", folder, "--resume", "--quiet", *threads)
    features = features_for(options, data)
    score = score_of(options, folder, features)
    found = json.loads(motmot(options.build, "suspects", folder, "--json", "-", "--quiet"))
    if how and float(tau) > 0:  # what was cleaned counts, not the suspects of the training that followed
        found["precision"], found["recall"], found["auc"] = *precision_of(settings["without"]), None
    number = lambda value: "" if value is None else f"{value:.6g}"
    return {"data": name, "contaminate": tau, "method": method, "seed": seed, "width": SETTINGS["width"], "steps": options.steps,
            **{key: number(score[key]) for key in ("fid", "kid", "kid_error", "outlier_share")},
            **{key: number(found[key] if float(tau) > 0 else None) for key in ("precision", "recall", "auc", "used_dirty_share", "rejected_dirty_share")},
            "train_seconds": f"{log_seconds(folder):.0f}", "images": options.images, "features": features.name}


SHOWN = {"fid": "FID", "kid": "KID", "outlier_share": "outliers among generated", "precision": "precision of suspects",
         "used_dirty_share": "dirty among used", "rejected_dirty_share": "dirty among rejected"}


def shown(column, mean, low, high):
    """Mean and interval over seeds; shares as per cent."""
    form = "{:.2f}" if column == "precision" else "{:.1f}" if column in ("fid", "kid") else "{:.2%}"
    text = [form.format(float(value)).replace("%", " %") for value in (mean, low, high)]
    return text[0] if text[1] == text[2] else f"{text[0]} ({text[1].replace(' %', '')}-{text[2].replace(' %', '')})"


def show(build, table):
    """Markdown: a table per data set, a line per share of outliers and method."""
    cells = {}
    for row in csv.DictReader(motmot(build, "compare", table, "--columns", ",".join(SHOWN)).splitlines()):
        line = cells.setdefault(row["data"], {}).setdefault((float(row["contaminate"]), row["method"]), {"seeds": 0})
        line["seeds"] = max(line["seeds"], int(row["seeds"]))
        line[row["column"]] = shown(row["column"], row["mean"], row["low"], row["high"])
    for data, lines in cells.items():
        print(f"\n{data}\n\n| outliers | loss | seeds | {' | '.join(SHOWN.values())} |\n|{' --- |' * (3 + len(SHOWN))}")
        for (tau, method), line in sorted(lines.items(), key=lambda item: (item[0][0], list(METHODS).index(item[0][1]))):
            print(f"| {100 * tau:g} % | {method} | {line['seeds']} | {' | '.join(line.get(column, '-') for column in SHOWN)} |")


def show_paired(options, table, wanted):
    """Markdown: FID and KID with paired differences from a method, a line per share of outliers and method."""
    cells = {}
    columns = ("fid", "kid", "outlier_share")
    for row in csv.DictReader(motmot(options.build, "compare", table, "--baseline", options.paired, "--columns", ",".join(columns)).splitlines()):
        line = cells.setdefault((row["data"], row["contaminate"], row["method"]), {"seeds": row["seeds"], "less": {}})
        line[row["column"]] = shown(row["column"], row["mean"], row["low"], row["high"])
        if row["difference"]:
            line["less"][row["column"]] = "{:+.1f} ({:.1f} to {:.1f})".format(*(float(row[f"difference{end}"]) for end in ("", "_low", "_high")))
    order = [only or sorted({key[place] for key in cells}) for place, only in enumerate(wanted)]
    print("| data | outliers | loss | seeds | FID | FID less | KID | KID less | outliers among generated |\n|" + " --- |" * 9)
    for key in ((data, tau, method) for data in order[0] for tau in order[1] for method in order[2]):
        if key in cells:
            line = cells[key]
            print(f"| {key[0]} | {100 * float(key[1]):g} % | {key[2]} | {line['seeds']} | {line['fid']} | {line['less'].get('fid', '')} | {line['kid']} | "
                  f"{line['less'].get('kid', '')} | {line['outlier_share']} |")


def figure4(options, path):
    """Images of the newest checkpoints of seed 1: a column per method, a line per data set; each says how far its run has come."""
    shown = {"wgan-table1": "WGAN", "mom-table1": "MoMWGAN 4 x 64", "mom-16-table1": "MoMWGAN 4 x 16"}
    size, gap, top = 8 * 33 - 1, 24, 28
    parts, picture = [], options.work / "figure4.png"
    for line, (name, title) in enumerate({"fashion-mnist": "Fashion-MNIST", "cifar-10": "CIFAR-10"}.items()):
        for column, (method, label) in enumerate(shown.items()):
            x, y = gap + column * (size + gap), top + line * (size + gap + top)
            models = sorted(folder_of(options, name, "0.015", method, 1).glob("checkpoints/step-*.npz"))
            told = f"step {int(models[-1].stem[5:])}" if models else "no run yet"
            parts.append(f'<text x="{x}" y="{y - 8}">{title}, {label}, {told}</text>')
            if models:
                motmot(options.build, "sample", models[-1], "--count", 64, "--columns", 8, "--output", picture, "--quiet", "--threads", options.threads)
                encoded = base64.b64encode(picture.read_bytes()).decode()
                parts.append(f'<image x="{x}" y="{y}" width="{size}" height="{size}" href="data:image/png;base64,{encoded}"/>')
    picture.unlink(missing_ok=True)
    width, height = gap + len(shown) * (size + gap), 2 * (top + size + gap)
    path.write_text(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
                    f'font-family="sans-serif" font-size="11"><rect width="100%" height="100%" fill="white"/>{"".join(parts)}</svg>\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--cifar", default="")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--hours", type=float, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--table")
    for part in PARTS:
        parser.add_argument(f"--{part}", type=lambda text: text.split(","))
    parser.add_argument("--quick", action="store_true")
    for flag in ("--slopes", "--lists"):
        parser.add_argument(flag, action="store_true")
    parser.add_argument("--figure4", type=pathlib.Path)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--paired")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.work = (options.work or options.build.parent / "table1").resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    options.steps, options.images = (20, 500) if options.quick else (options.steps, 10000)
    name = f"{options.table}.csv" if options.table else "runs.csv" if options.steps == STEPS else f"runs-{options.steps}.csv"
    table = options.work / "quick.csv" if options.quick else HERE / "table1" / name
    table.parent.mkdir(exist_ok=True)
    if options.figure4:
        figure4(options, options.figure4)
        return
    if options.show:
        show(options.build, table)
        return
    end = time.monotonic() + 3600 * options.hours
    wanted = [getattr(options, part) for part in PARTS]
    if options.paired:
        show_paired(options, table, wanted)
        return
    jobs = [job for job in plan(1 if options.quick else options.seeds, options.cifar)
            if all(not only or value in only for only, value in zip(wanted, job))]
    if options.lists or options.slopes:
        (show_lists if options.lists else show_slopes)(options, jobs)
        return
    for job in jobs[:3 if options.quick else None]:
        with locked(f"{folder_of(options, *job)}.lock", wait=False) as mine:
            done = {(r["data"], r["contaminate"], r["method"], r["seed"], r["steps"]) for r in rows_in(table)}
            if not mine or (*map(str, job), str(options.steps)) in done or time.monotonic() > end:
                continue
            row = run(options, *job)
            with locked(options.work / "table.lock", wait=True):
                append(table, row)
            print(" ".join(f"{key} {row[key]}" for key in FIELDS[:12]), flush=True)


if __name__ == "__main__":
    main()
