#!/usr/bin/python3
"""The clipped loop (paper mode) against a vectorised PyTorch twin, one thread each.

The twin is what a competent user writes: one forward pass over all rows, block means by reshape, RMSprop,
backward through the median block alone, clip. Both sides start from the same weights; for K = 1 the two
traces must agree step by step, for K > 1 (other random blocks) the values must agree statistically.

usage: bench/clipped.py BUILD_DIR [--quick]
"""
import os

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch

torch.set_num_threads(1)
BUILD = pathlib.Path(sys.argv[1])
QUICK = "--quick" in sys.argv
MOTMOT = BUILD / "bin" / "motmot"


def gemm_peak():
    """GFLOP/s of OpenBLAS' sgemm on 1024 x 1024 matrices, the best of 15."""
    a = np.random.default_rng(0).random((1024, 1024), dtype=np.float32)
    best = 0.0
    for _ in range(15):
        start = time.perf_counter()
        a @ a
        best = max(best, 2 * 1024**3 / (time.perf_counter() - start) / 1e9)
    return best


def ours(folder, estimator, k, steps, *more):
    command = [MOTMOT, "distance", folder / "x.npy", folder / "y.npy", "--critic", "clipped", "--estimator", estimator,
               "--blocks", str(k), "--steps", str(steps), "--threads", "1", "--quiet", "--json", "-", *more]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def initial_network(folder, d, hidden):
    """The weights that motmot starts from (seed 0), as a torch module."""
    path = folder / "start.json"
    ours(folder, "mom", 1, 1, "--rate", "1e-30", "--save-phi", path, "--hidden", ",".join(map(str, hidden)))
    weights = torch.tensor(json.loads(path.read_text())["weights"], dtype=torch.float32)
    layers, sizes, at = [], [d, *hidden, 1], 0
    for i, o in zip(sizes, sizes[1:]):
        layer = torch.nn.Linear(i, o)
        layer.weight.data = weights[at:at + i * o].view(o, i).clone()
        layer.bias.data = weights[at + i * o:at + i * o + o].clone()
        at += i * o + o
        layers += [layer, torch.nn.ReLU()]
    return torch.nn.Sequential(*layers[:-1])


def median_index(values):
    return int(values.argsort()[len(values) // 2])


def torch_twin(net, x, y, estimator, k, steps, rate=5e-5, clip=0.01):
    """Values of all steps and the seconds they took."""
    optimiser = torch.optim.RMSprop(net.parameters(), lr=rate, alpha=0.99, eps=1e-8)
    n, m, trace = len(x), len(y), []
    bx, by = n // k, m // k
    both = torch.cat([x, y])
    start = time.perf_counter()
    for _ in range(steps):
        ix = torch.randperm(n)[:k * bx].view(k, bx)
        iy = n + torch.randperm(m)[:k * by].view(k, by)
        with torch.no_grad():
            phi = net(both).squeeze(1)
            a, b = phi[ix].mean(1), phi[iy].mean(1)
            if estimator == "mom":
                kx, ky = median_index(a), median_index(b)
            elif estimator == "mou-diag":
                kx = ky = median_index(a - b)
            else:
                pair = median_index((a[:, None] - b[None, :]).flatten())
                kx, ky = divmod(pair, k)
            trace.append(float(a[kx] - b[ky]))
        optimiser.zero_grad()
        block = net(both[torch.cat([ix[kx], iy[ky]])]).squeeze(1)
        (block[bx:].mean() - block[:bx].mean()).backward()
        optimiser.step()
        with torch.no_grad():
            for parameter in net.parameters():
                parameter.clamp_(-clip, clip)
    return trace, time.perf_counter() - start


def samples(folder, n, d):
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(n, d)), 5 + rng.normal(size=(n, d))
    x[:n // 10] = rng.uniform(-50, 50, size=(n // 10, d))
    np.save(folder / "x.npy", x)
    np.save(folder / "y.npy", y)
    return torch.tensor(x, dtype=torch.float32), torch.tensor(y, dtype=torch.float32)


def agreement(folder, x, y, hidden):
    mine = folder / "trace.csv"
    ours(folder, "mom", 1, 300, "--trace", mine, "--hidden", ",".join(map(str, hidden)))
    trace = np.loadtxt(mine, delimiter=",", skiprows=1)[:, 2]
    theirs, _ = torch_twin(initial_network(folder, x.shape[1], hidden), x, y, "mom", 1, 300)
    worst = np.max(np.abs(trace - theirs)) / np.max(np.abs(trace))
    assert worst < 1e-3, f"the loops disagree: {worst}"
    print(f"K = 1: 300 steps agree with torch within {worst:.1e} of the value")


def compare(folder, x, y, hidden, k, rounds, steps):
    flops = 2 * (len(x) + len(y)) * sum(i * o for i, o in zip([x.shape[1], *hidden], [*hidden, 1]))
    peak = gemm_peak()
    for estimator in ["mom", "mou", "mou-diag"]:
        ratios, mine, values = [], [], []
        for _ in range(rounds):  # alternately, on the same data
            result = ours(folder, estimator, k, steps, "--hidden", ",".join(map(str, hidden)))
            trace, seconds = torch_twin(initial_network(folder, x.shape[1], hidden), x, y, estimator, k, steps)
            mine.append(result["run"]["seconds"] / steps)
            ratios.append(seconds / result["run"]["seconds"])
            values.append(result["value"] / np.mean(trace[-100:]))
        step = statistics.median(mine)
        share = flops / step / 1e9 / peak
        print(f"{estimator:9} K = {k:3}  motmot {1e6 * step:7.1f} us/step  torch {1e6 * step * statistics.median(ratios):7.1f}"
              f"  ratio {statistics.median(ratios):5.1f} ({min(ratios):.1f}-{max(ratios):.1f})"
              f"  {100 * share:3.0f} % of the GEMM peak ({peak:.0f} GFLOP/s)  value/torch {statistics.median(values):.2f}")
        assert 0.5 < statistics.median(values) < 2, "the values disagree"


def growth(folder, hidden):
    """Cost per step over K (flat) and over n (linear)."""
    print("us per step over K, n = m = 500:")
    samples(folder, 500, 2)
    for estimator in ["mom", "mou", "mou-diag"]:
        times = [1e6 * min(ours(folder, estimator, k, 1500)["run"]["seconds"] for _ in range(3)) / 1500
                 for k in [10, 30, 70, 125, 250]]
        print(f"  {estimator:9} K = 10, 30, 70, 125, 250: " + "  ".join(f"{t:6.1f}" for t in times))
    print("us per step and row over n = m, K = 70:")
    for n in [250, 500, 1000, 4000, 16000]:
        samples(folder, n, 2)
        steps = max(100, 750000 // n)
        print(f"  n = {n:5}: {1e6 * ours(folder, 'mom', 70, steps)['run']['seconds'] / steps / (2 * n):.4f}")


def main():
    rounds, steps = (3, 500) if QUICK else (7, 2000)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        x, y = samples(folder, 500, 2)
        agreement(folder, x, y, [128, 64])
        compare(folder, x, y, [128, 64], 70, rounds, steps)
        growth(folder, [128, 64])


if __name__ == "__main__":
    main()
