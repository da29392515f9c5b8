#!/usr/bin/python3
"""Times motmot's exact W1 against POT (ot.dist + ot.emd2), alternating, on the same data.

Usage: transport.py LIBRARY [--sizes 500,1000] [--seed 11] [--rounds 3] [--ours] [--only TEXT]
       transport.py LIBRARY --tiny | --warm
       transport.py LIBRARY --plane --sizes 10000 [--seed 7] [--ours] [--masses exp | --masses fewer] [--tau 0.1,0.1]
       transport.py LIBRARY --growth --sizes 10000,100000 [--gap 0.01] [--ours] [--only shape] [--tau 0.1,0.1] [--dim 3]
       transport.py LIBRARY --real --sizes 10000,100000 [--gap 0.01] [--only coast]
LIBRARY is build/release/bench/libtransport_bench.so. All times are processor time of the one thread.
Ours are taken inside the call; POT's include the cost matrix. Costs are compared before any time is printed.
"""
import argparse
import ctypes
import math
import os
import pathlib
import tempfile
import time

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(name, "1")
import numpy as np  # noqa: E402


class Result(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double)
                for name in ("cost", "gap", "seconds", "bids", "searches", "pivots", "scans")]


def pointer(array):
    return None if array is None else array.ctypes.data_as(ctypes.c_void_p)


def sample(family, n, m, d, rng):
    x, y = rng.standard_normal((n, d)), rng.standard_normal((m, d))
    if family == "shift":
        y += 1
    elif family == "shape":
        y *= 2
    elif family == "bimodal":
        y[: int(0.4 * m)] += 6
        x[: int(0.6 * n)] += 6
    elif family == "outliers":
        y += 0.5
        x[: n // 10] = 50 + 10 * rng.standard_normal((n // 10, d))
    elif family == "whole":  # counts, ratings: few points with many rows each
        x, y = np.round(x), np.round(y + 0.3)
    elif family == "flags":  # one measurement beside columns of 0 and 1: points on few lines
        x[:, 1:], y[:, 1:] = x[:, 1:] > 0, y[:, 1:] > 0
        y[:, 0] += 0.3
    elif family == "units":  # incomes beside ages: one column is nearly all of the distance
        x[:, 0], y[:, 0] = 1000 * x[:, 0], 1000 * y[:, 0] + 300
    return x, y


def weights(kind, n, rng):
    if kind == "equal":
        return None
    if kind == "exp":
        return rng.exponential(size=n)
    return rng.random(n)


def cases(sizes):
    for n in sizes:
        for d in (2, 5, 10, 50):
            for family in ("shift", "shape", "bimodal", "outliers"):
                yield n, n, d, family, "equal"
        for d in (2, 5):
            for family in ("whole", "flags", "units"):
                yield n, n, d, family, "equal"
        for d in (2, 5, 10, 50):
            yield n, n - 3, d, "shift", "equal"
            yield n, n - 3, d, "shape", "random"
            yield n, n, d, "outliers", "exp"


def solve_pot(x, y, a, b):
    import ot
    n, m = len(x), len(y)
    a = np.full(n, 1 / n) if a is None else a / a.sum()
    b = np.full(m, 1 / m) if b is None else b / b.sum()
    start = time.thread_time()
    cost = ot.emd2(a, b, ot.dist(x, y, metric="euclidean"), numItermax=100_000_000)
    return cost, time.thread_time() - start


def compare(library, case, args):
    n, m, d, family, kind = case
    rng = np.random.default_rng([args.seed, n, d])
    x, y = sample(family, n, m, d, rng)
    a, b = weights(kind, n, rng), weights(kind, m, rng)
    ours, theirs, result = [], [], Result()
    cost = None
    rounds = args.rounds if n <= 2000 else 1
    for _ in range(rounds):
        library.motmot_bench_solve(pointer(x), n, pointer(y), m, d, pointer(a), pointer(b), ctypes.byref(result))
        ours.append(result.seconds)
        if not args.ours:
            cost, seconds = solve_pot(x, y, a, b)
            theirs.append(seconds)
    if cost is not None and abs(result.cost / cost - 1) > 1e-9:
        print("COSTS DIFFER", result.cost, cost)
    t = np.median(ours)
    ratio = f"{np.median(theirs):9.4f} {np.median(theirs) / t:6.1f}x" if theirs else ""
    print(f"{n:6d} {m:6d} {d:3d} {family:9s} {kind:7s} {t:9.5f} {ratio}  gap {result.gap / result.cost:.0e}"
          f" bids/n {result.bids / n:5.1f} searches/n {result.searches / n:.3f} pivots/n {result.pivots / n:5.2f}"
          f" scans/n {result.scans / n:5.1f}", flush=True)


def tiny(library, args):
    """2500 problems of 100 x 100 points."""
    import ot
    count, n = 2500, 100
    for d in (2, 10):
        rng = np.random.default_rng([args.seed, d])
        x, y = rng.standard_normal((count, n, d)), rng.standard_normal((count, n, d)) + 0.5
        costs = np.empty(count)
        library.motmot_bench_batch.restype = ctypes.c_double
        best = min(library.motmot_bench_batch(pointer(x), pointer(y), count, n, d, pointer(costs))
                   for _ in range(3))
        line = f"tiny d {d:2d}: ours {count / best:7.0f} a second"
        if not args.ours:
            w = np.full(n, 1 / n)
            start = time.thread_time()
            theirs = [ot.emd2(w, w, ot.dist(x[k], y[k], metric="euclidean")) for k in range(count)]
            seconds = time.thread_time() - start
            assert np.allclose(costs, theirs, rtol=1e-9, atol=0)
            line += f", POT {count / seconds:7.0f}, ratio {seconds / best:.1f}x"
        print(line)


def warm(library, args):
    """Weights that change by 10 % between solves."""
    for n, d in ((500, 2), (500, 10), (1000, 2), (1000, 10), (2000, 2), (2000, 10)):
        rng = np.random.default_rng([args.seed, n, d])
        x, y = sample("shape", n, n, d, rng)
        rounds = 5
        a, b = np.empty((rounds, n)), np.empty((rounds, n))
        a[0], b[0] = rng.random(n), rng.random(n)
        for t in range(1, rounds):
            a[t] = a[t - 1] * (1 + 0.1 * rng.standard_normal(n)).clip(0)
            b[t] = b[t - 1] * (1 + 0.1 * rng.standard_normal(n)).clip(0)
        costs, seconds = np.empty(rounds), np.empty(rounds)
        library.motmot_bench_warm(pointer(x), n, pointer(y), n, d, pointer(a), pointer(b), rounds,
                                  pointer(costs), pointer(seconds))
        result = Result()
        cold = []
        for t in range(rounds):
            library.motmot_bench_solve(pointer(x), n, pointer(y), n, d, pointer(a[t]), pointer(b[t]),
                                       ctypes.byref(result))
            cold.append(result.seconds)
            assert abs(result.cost / costs[t] - 1) < 1e-9
        print(f"warm {n} d {d}: first {seconds[0]:.4f}, later {np.median(seconds[1:]):.4f}, "
              f"cold {np.median(cold):.4f}")


def blobs(rng, n):
    """20 Gaussian blobs of random places, sizes and shares."""
    place, size, share = 10 * rng.random((20, 2)), 0.05 + 0.5 * rng.random(20), rng.random(20)
    which = rng.choice(20, n, p=share / share.sum())
    return place[which] + size[which, None] * rng.standard_normal((n, 2))


def plane_sample(family, n, rng, d=2):
    """The first three families in any dimension, the others in the plane."""
    x, y = rng.standard_normal((n, d)), rng.standard_normal((n, d))
    if family == "uniform":
        return rng.random((n, d)), rng.random((n, d))
    if family == "clusters":
        return blobs(rng, n), blobs(rng, n)
    if family == "shape":
        y *= np.linspace(2, 0.5, d)
    elif family == "shift":
        y[:, :2] += [6, 8]
    elif family == "shares":
        y[: int(0.4 * n)] += 6
        x[: int(0.6 * n)] += 6
    elif family == "outliers":
        y += 0.5
        x[: n // 10] = 40 * rng.random((n // 10, 2)) - 20
    return x, y


def solve(library, x, y, a, b, tau):
    result = Result()
    points = pointer(x), len(x), pointer(y), len(y), x.shape[1]
    if tau:
        library.motmot_bench_partial(*points, *map(float, tau.split(",")), ctypes.byref(result))
    else:
        library.motmot_bench_solve(*points, pointer(a), pointer(b), ctypes.byref(result))
    return result


def plane(library, args):
    """Many points in the plane: the tree, and (unless --ours) the solver for all other problems, alternating."""
    print("     n family        tree      flat  ratio")
    for n in [int(text) for text in args.sizes.split(",")]:
        for family in ("uniform", "shape", "shift", "clusters", "shares", "outliers"):
            if args.only not in family:
                continue
            x, y = map(np.ascontiguousarray, plane_sample(family, n, np.random.default_rng([args.seed, n])))
            results, a, b = [], None, None
            if args.masses == "exp":
                a, b = (np.random.default_rng([args.seed, n, side]).exponential(size=n) for side in (1, 2))
            if args.masses == "fewer":
                y = y[n // 10:].copy()
            for fewest in ("0",) if args.ours else ("0", "1e18"):
                os.environ["TUNE_P_FEWEST"] = fewest
                results.append(solve(library, x, y, a, b, args.tau))
            tree = results[0]
            line = f"{n:6d} {family:9s} {tree.seconds:9.3f}"
            if len(results) > 1:
                line += f" {results[1].seconds:9.3f} {results[1].seconds / tree.seconds:5.1f}x"
                line += f"  costs differ by {abs(tree.cost / results[1].cost - 1):.0e}"
            print(f"{line}  gap {tree.gap / tree.cost:.0e} bids/n {tree.bids / n:.0f} pivots/n {tree.pivots / n:.1f}",
                  flush=True)


def apart(work):
    """What `work` returns, a line of numbers, and the most memory in MB, of a process of its own."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, " ".join(map(repr, work())).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        numbers = [float(text) for text in pipe.read().split()]
    return numbers, os.wait4(child, 0)[2].ru_maxrss / 1024


def solve_apart(library, x, y, args):
    os.environ["TUNE_GAP"] = repr(args.gap)

    def work():
        result = solve(library, x, y, None, None, args.tau)
        return result.seconds, result.cost, result.gap
    return apart(work)


def growth(library, args):
    """Points in the plane or in more dimensions, each size a process of its own: time, memory of the process, power of n."""
    print("      n family      seconds power     MB     gap      POT")
    for family in ("uniform", "shape", "shift", "clusters")[:4 if args.dim == 2 else 3]:
        before = None
        for n in [int(text) for text in args.sizes.split(",")]:
            if args.only not in family:
                continue
            x, y = map(np.ascontiguousarray, plane_sample(family, n, np.random.default_rng([args.seed, n]), args.dim))
            (seconds, cost, gap), megabytes = solve_apart(library, x, y, args)
            power = math.log(seconds / before[1]) / math.log(n / before[0]) if before else math.nan
            before = n, seconds
            line = f"{n:7d} {family:9s} {seconds:9.2f} {power:5.2f} {megabytes:6.0f} {gap / cost:.1e}"
            if n <= 10_000 and not args.ours and not args.tau:
                (_, theirs), peak = apart(lambda: solve_pot(x, y, None, None))
                line += f" {theirs:8.2f} s, {peak:.0f} MB"
            print(line, flush=True)


def cache():
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME", pathlib.Path.home() / ".cache")) / "motmot"


def shore_points(name):
    """Longitude and latitude of all points of one file of gmt-gshhg-full: bins of a degree, row by row from the north."""
    import h5py
    with h5py.File(f"/usr/share/gmt-gshhg/{name}") as file:
        bins = file["N_segments_in_a_bin"][:]
        points = np.diff(np.append(file["Id_of_first_point_in_a_segment"][:], file["N_points_in_file"][0]))
        of_point = np.repeat(np.repeat(np.arange(len(bins)), bins), points)
        east, north = (file[f"Relative_{axis}_from_SW_corner_of_bin"][:].astype(np.uint16) / 65535
                       for axis in ("longitude", "latitude"))
    return np.column_stack([of_point % 360 + east, 89 - of_point // 360 + north])


def coast():
    """Coast lines against rivers."""
    return shore_points("binned_GSHHS_f.nc"), shore_points("binned_river_f.nc")


def stars():
    """Right ascension and declination in degrees: the brighter half against the fainter."""
    lines = [line for line in open(cache() / "stars.dat", encoding="latin-1") if line[0] in "012"]

    def sexagesimal(text):
        return float(text[:-7] or 0) + float(text[-7:-5]) / 60 + float(text[-5:]) / 3600
    at = np.array([(15 * sexagesimal(line[:9].strip()),
                    (-1 if line[10] == "-" else 1) * sexagesimal(line[11:19].strip() + "0")) for line in lines])
    order = np.argsort([float(line[46:51]) for line in lines], kind="stable")
    return at[order[: len(at) // 2]], at[order[len(at) // 2:]]


def flights():
    """Delay in whole minutes and distance in whole miles: the earlier half against the later."""
    duckdb = ctypes.CDLL(str(cache() / "libduckdb.so"))
    database, connection, result = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.create_string_buffer(256)
    duckdb.duckdb_open(None, ctypes.byref(database))
    duckdb.duckdb_connect(database, ctypes.byref(connection))
    source, halves = cache() / "vega-datasets" / "flights-3m.parquet", []
    with tempfile.TemporaryDirectory() as folder:
        for sign in ("<", ">="):
            path = os.path.join(folder, "half.csv")
            query = (f"COPY (SELECT delay, distance FROM '{source}' WHERE date {sign} (SELECT median(date) FROM '{source}')) "
                     f"TO '{path}' (HEADER false)")
            if duckdb.duckdb_query(connection, query.encode(), result) != 0:
                raise RuntimeError(f"DuckDB cannot read {source}")
            halves.append(np.loadtxt(path, delimiter=","))
    return halves


def real(library, args):
    """Real coordinates, rows drawn without return; fewer where there are not so many."""
    print("      n sample      seconds     MB     gap         cost")
    for load in (coast, stars, flights):
        if args.only not in load.__name__:
            continue
        try:
            everything = load()
        except (OSError, ImportError) as error:
            print(f"{load.__name__}: skipped, scripts/setup --data has it ({error})")
            continue
        for n in sorted({min([int(text)] + [len(side) for side in everything]) for text in args.sizes.split(",")}):
            rng = np.random.default_rng([args.seed, n])
            x, y = (np.ascontiguousarray(side[rng.permutation(len(side))[:n]]) for side in everything)
            (seconds, cost, gap), megabytes = solve_apart(library, x, y, args)
            print(f"{n:7d} {load.__name__:9s} {seconds:9.2f} {megabytes:6.0f} {gap / cost:.1e} {cost:12.6f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("--sizes", default="500,1000,2000")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", default="", help="cases whose line contains this text, as '2 shift equal'")
    parser.add_argument("--ours", action="store_true", help="do not run POT")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--warm", action="store_true")
    parser.add_argument("--plane", action="store_true")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--real", action="store_true")
    parser.add_argument("--gap", type=float, default=0, help="with --growth, --real: share of the cost that is good enough")
    parser.add_argument("--masses", choices=("equal", "exp", "fewer"), default="equal",
                        help="with --plane: exponential weights, or a tenth of Y less")
    parser.add_argument("--tau", default="",
                        help="with --plane, --growth, --real: shares of X and of Y that may be left out, as 0.1,0.1")
    parser.add_argument("--dim", type=int, default=2, help="with --growth: columns of the samples")
    args = parser.parse_args()
    library = ctypes.CDLL(os.path.abspath(args.library))
    size = ctypes.c_size_t
    library.motmot_bench_solve.argtypes = [ctypes.c_void_p, size, ctypes.c_void_p, size, size,
                                           ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
    library.motmot_bench_partial.argtypes = [ctypes.c_void_p, size, ctypes.c_void_p, size, size,
                                             ctypes.c_double, ctypes.c_double, ctypes.c_void_p]
    library.motmot_bench_batch.argtypes = [ctypes.c_void_p, ctypes.c_void_p, size, size, size, ctypes.c_void_p]
    library.motmot_bench_warm.argtypes = [ctypes.c_void_p, size, ctypes.c_void_p, size, size, ctypes.c_void_p,
                                          ctypes.c_void_p, size, ctypes.c_void_p, ctypes.c_void_p]
    if args.tiny:
        return tiny(library, args)
    if args.warm:
        return warm(library, args)
    if args.plane:
        return plane(library, args)
    if args.growth:
        return growth(library, args)
    if args.real:
        return real(library, args)
    print("     n      m   d family    weights      ours       POT  ratio")
    for case in cases([int(text) for text in args.sizes.split(",")]):
        if args.only in " ".join(map(str, case[2:])):
            compare(library, case, args)


if __name__ == "__main__":
    main()
