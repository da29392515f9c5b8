#!/usr/bin/env python3
"""Table 1 from nothing: WGAN, MoMWGAN and trim on polluted Fashion-MNIST and CIFAR-10.

One row of experiments/table1/runs-NET.csv per finished run; runs that are there are skipped and a run that was killed goes
on from its last checkpoint, so the table can be extended at any time. FID and KID are means over the checkpoints at 80,
90 and 100 % of the steps, 10 000 images each, against the held-out inliers, in the features of motmot's own classifiers.

usage: experiments/gan_table1.py BUILD_DIR [--net dcgan|mlp] [--steps N] [--cifar DIR] [--work DIR] [--seeds 3] [--hours 8]
  --cifar DIR   CIFAR-10 in its binary layout; without it only Fashion-MNIST is run
  --work DIR    where runs are kept (default: build/table1 beside BUILD_DIR)
  --quick       a tiny version into WORK/quick.csv, to see that it works
then:  motmot gan compare experiments/table1/runs-dcgan.csv
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
COMMON = ["--width", "16", "--batch", "64", "--optimizer", "rmsprop", "--lr", "5e-4", "--clip", "0.05", "--latent", "64"]
NETS = {"dcgan": ["--net", "dcgan", "--critic-steps", "2"], "mlp": ["--net", "mlp", "--critic-steps", "3"]}
METHODS = {
    "wgan": ["--loss", "wgan"],
    "mom": ["--loss", "mom", "--blocks", "4", "--match-batch"],
    "mom-5": ["--loss", "mom", "--blocks", "5", "--match-batch"],  # an odd number has one middle block
    "trim": ["--loss", "trim", "--trim", "0.15"],
    "trim-scores": ["--loss", "trim-scores", "--trim", "0.15"],
    "mom-16": ["--loss", "mom", "--blocks", "4"],  # 4 blocks of 16, 64 fakes
    "mom-published": ["--loss", "mom", "--blocks", "4", "--norm", "batch", "--fakes", "16"],
    "wgan-batchnorm": ["--loss", "wgan", "--norm", "batch"],
}
FIELDS = ["data", "contaminate", "method", "seed", "net", "width", "steps", "fid", "kid", "kid_error", "outlier_share", "precision", "recall",
          "auc", "used_dirty_share", "rejected_dirty_share", "train_seconds", "images", "features"]


def plan(seeds, cifar):
    """The order of work: what answers most comes first."""
    taus, cifar_taus = ("0.1", "0", "0.05", "0.015"), ("0.1", "0")
    jobs = []
    for seed in range(seeds):
        jobs += [("fashion-mnist", tau, method, seed) for tau in taus for method in ("wgan", "trim")]
        jobs += [("fashion-mnist", tau, "mom", seed) for tau in taus]
        jobs += [(cifar, tau, method, seed) for tau in cifar_taus for method in ("wgan", "trim", "mom")]
        jobs += [("fashion-mnist", "0.1", method, seed)
                 for method in ("mom-5", "trim-scores", "mom-published", "mom-16", "wgan-batchnorm")]
        jobs += [(cifar, tau, method, seed) for tau in ("0.05", "0.015") for method in ("wgan", "trim", "mom")]
    return [job for job in jobs if job[0]]


def motmot(build, *arguments):
    return subprocess.run([build / "bin" / "motmot", "gan", *map(str, arguments)], check=True, capture_output=True, text=True).stdout


def rows_in(path):
    return list(csv.DictReader(path.open())) if path.exists() else []


def append(path, row):
    rows = rows_in(path) + [row]
    part = path.with_suffix(".part")
    with part.open("w", newline="") as out:
        writer = csv.DictWriter(out, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    os.replace(part, path)


def log_seconds(folder):
    """Training time over all processes that worked on it: the clock of the log starts anew with each."""
    total = last = 0
    for line in (folder / "log.jsonl").read_text().splitlines():
        seconds = json.loads(line)["seconds"]
        total += seconds - last if seconds >= last else seconds
        last = seconds
    return total


def name_of(data):
    return data if data == "fashion-mnist" else "cifar-10"


def features_for(options, data):
    path = options.work / f"features-{name_of(data)}.npz"
    if not path.exists():
        epochs = 1 if options.quick else 3 if data == "fashion-mnist" else 8
        print(motmot(options.build, "features", "--data", data, "--output", path, "--epochs", epochs, "--threads", options.threads).strip())
    return path


def run(options, data, tau, method, seed):
    folder = options.work / f"{options.net}-{options.steps}-{name_of(data)}-{tau}-{method}-{seed}"
    every = options.steps // 10
    threads = ["--threads", options.threads]
    motmot(options.build, "train", "--data", data, "--contaminate", tau, *COMMON, *NETS[options.net], *METHODS[method], "--steps", options.steps, "--seed", seed,
           "--checkpoint-every", every, "--output", folder, "--resume", "--quiet", *threads)
    features = features_for(options, data)
    score = json.loads(motmot(options.build, "score", folder, "--features", features, "--images", options.images, "--json", "-", "--quiet", *threads))
    found = json.loads(motmot(options.build, "suspects", folder, "--json", "-", "--quiet"))
    number = lambda value: "" if value is None else f"{value:.6g}"
    return {"data": name_of(data), "contaminate": tau, "method": method, "seed": seed, "net": options.net, "width": 16, "steps": options.steps,
            **{key: number(score[key]) for key in ("fid", "kid", "kid_error", "outlier_share")},
            **{key: number(found[key] if float(tau) > 0 else None) for key in ("precision", "recall", "auc", "used_dirty_share", "rejected_dirty_share")},
            "train_seconds": f"{log_seconds(folder):.0f}", "images": options.images, "features": features.name}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--cifar", default="")
    parser.add_argument("--work", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--hours", type=float, default=8)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--net", choices=sorted(NETS), default="dcgan")
    parser.add_argument("--steps", type=int, default=1500)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.build = options.build.resolve()
    options.work = (options.work or options.build.parent / "table1").resolve()
    options.work.mkdir(parents=True, exist_ok=True)
    options.steps, options.images = (20, 500) if options.quick else (options.steps, 10000)
    table = options.work / "quick.csv" if options.quick else HERE / "table1" / f"runs-{options.net}.csv"
    table.parent.mkdir(exist_ok=True)
    end = time.monotonic() + 3600 * options.hours
    for job in plan(1 if options.quick else options.seeds, options.cifar)[:3 if options.quick else None]:
        done = {(r["data"], r["contaminate"], r["method"], r["seed"], r["net"], r["steps"]) for r in rows_in(table)}
        if (name_of(job[0]), *map(str, job[1:]), options.net, str(options.steps)) in done or time.monotonic() > end:
            continue
        row = run(options, *job)
        append(table, row)
        print(" ".join(f"{key} {row[key]}" for key in FIELDS[:12]), flush=True)


if __name__ == "__main__":
    main()
