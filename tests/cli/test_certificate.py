"""--certificate, and motmot-verify, which checks it against the data without motmot."""
import copy
import itertools
import json
import re
import subprocess
import sys
import types
from decimal import Decimal, getcontext

import numpy as np
import pytest
from conftest import ROOT, Run

VERIFY = ROOT / "apps/verify/motmot-verify"


def verify(*words, cwd):
    done = subprocess.run([sys.executable, VERIFY, *map(str, words)], cwd=cwd, capture_output=True, text=True)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def write(path, table, header=True):
    names = [f"c{k}" for k in range(table.shape[1])] if header else []
    lines = [",".join(names)] if names else []
    path.write_text("\n".join(lines + [",".join(map(repr, map(float, row))) for row in table]) + "\n")


def normal(rng, n, d, shift=0.0):
    return rng.normal(size=(n, d)) + shift


def make(kind, rng):
    """Two tables of one of the kinds that solvers and rounding find hard."""
    if kind == "plane":
        return normal(rng, 40, 2), normal(rng, 33, 2, 1)
    if kind == "line":
        return normal(rng, 40, 1), normal(rng, 25, 1, 1)
    if kind == "ties":
        return np.round(normal(rng, 50, 2)), np.round(normal(rng, 41, 2, 0.5))
    if kind == "as many":
        return normal(rng, 30, 3), normal(rng, 30, 3, 0.2)
    if kind == "same":
        x = normal(rng, 20, 2)
        return x, x.copy()
    if kind == "columns":
        return normal(rng, 25, 40), normal(rng, 20, 40, 0.3)
    if kind == "offset":
        return 1e9 + 1e-6 * normal(rng, 30, 2), 1e9 + 1e-6 * normal(rng, 25, 2, 1)
    if kind == "far":
        x = normal(rng, 30, 2)
        x[3] = 1e12
        return x, normal(rng, 30, 2)
    if kind == "tiny":
        return 1e-200 * normal(rng, 12, 2), 1e-200 * normal(rng, 9, 2)
    if kind == "one":
        return normal(rng, 1, 2), normal(rng, 30, 2)
    raise ValueError(kind)


KINDS = ["plane", "line", "ties", "as many", "same", "columns", "offset", "far", "tiny", "one"]


@pytest.mark.parametrize("kind", KINDS)
def test_transport_is_verified(motmot, tmp_path, kind):
    x, y = make(kind, np.random.default_rng(KINDS.index(kind)))
    write(tmp_path / "x.csv", x)
    write(tmp_path / "y.csv", y)
    done = motmot("transport", "x.csv", "y.csv", "--certificate", "c.json", "--json", "r.json")
    assert done.code == 0, done.err
    seen = verify("c.json", "x.csv", "y.csv", cwd=tmp_path)
    assert seen.returncode == 0 and seen.stdout.startswith("verified: "), seen.stdout + seen.stderr
    low, high = map(float, re.search(r"\[(.*), (.*)\]", seen.stdout).groups())
    cost = json.loads((tmp_path / "r.json").read_text())["cost"]
    assert low <= high <= low + 1e-11 * (abs(cost) + 1e-300) + 1e-12 * np.abs(x - np.median(x, 0)).max()
    assert cost == pytest.approx((low + high) / 2, rel=1e-10)


@pytest.mark.parametrize("options", [[], ["--scale", "robust"], ["--tau", 0.2], ["--tau", 0]], ids=str)
def test_distance_and_its_bounds_are_verified(motmot, toy, tmp_path, options):
    assert motmot("distance", "toy/x.csv", "toy/y.csv", "--certificate", "c.json", "--json", "r.json", *options).code == 0
    seen = verify("c.json", "toy/x.csv", "toy/y.csv", cwd=tmp_path)
    assert seen.returncode == 0, seen.stdout + seen.stderr
    result = json.loads((tmp_path / "r.json").read_text())
    claimed = [float(re.search(r"claimed[^:]*: ([-+.0-9e]+)", line).group(1)) for line in seen.stdout.splitlines()]
    assert claimed == [result["value"], result["interval"][0], result["partial"]][:len(claimed)]
    assert len(claimed) == 3 or result["interval_certified"] is None
    kept = 120 - len(result["left_out"]["x"])
    assert f"W1 of {kept} rows of X" in seen.stdout


def test_weights_dropped_rows_and_files_without_names(motmot, tmp_path):
    rng = np.random.default_rng(3)
    write(tmp_path / "x.csv", np.c_[normal(rng, 30, 2), rng.random(30) * 10.0 ** rng.integers(-9, 3, 30)])
    write(tmp_path / "y.csv", np.c_[normal(rng, 20, 2, 1), rng.integers(0, 3, 20)])
    lines = (tmp_path / "x.csv").read_text().splitlines()
    lines[5] = "NA,1,1"
    (tmp_path / "x.csv").write_text("\n\n".join(lines))
    done = motmot("transport", "x.csv", "y.csv", "--weights-x", "c2", "--weights-y", "c2", "--missing", "drop", "--certificate", "c.json")
    assert done.code == 0, done.err
    assert verify("c.json", "x.csv", "y.csv", cwd=tmp_path).returncode == 0
    for name, n in (("p.tsv", 15), ("q.csv", 12)):
        write(tmp_path / name, normal(rng, n, 3), header=False)
    (tmp_path / "p.tsv").write_text((tmp_path / "p.tsv").read_text().replace(",", "\t"))
    for command in ("transport", "distance"):
        assert motmot(command, "p.tsv", "q.csv", "--columns", "1,3", "--certificate", "d.json").code == 0
        seen = verify("d.json", "p.tsv", "q.csv", cwd=tmp_path)
        assert seen.returncode == 0, seen.stdout + seen.stderr


def exact_w1(x, y):
    """By trying all, in 60 digits."""
    getcontext().prec = 60
    def distance(p, q):
        return sum(((Decimal(float(a)) - Decimal(float(b))) ** 2 for a, b in zip(p, q)), Decimal(0)).sqrt()
    costs = [[distance(p, q) for q in y] for p in x]
    return min(sum(costs[i][j] for i, j in enumerate(order)) for order in itertools.permutations(range(len(x)))) / len(x)


@pytest.mark.parametrize("seed", range(12))
def test_the_interval_holds_the_truth(motmot, tmp_path, seed):
    rng = np.random.default_rng(seed)
    x, y = normal(rng, 6, 1 + seed % 3), normal(rng, 6, 1 + seed % 3)
    if seed % 2:
        x, y = np.round(2 * x), np.round(2 * y)
    write(tmp_path / "x.csv", x)
    write(tmp_path / "y.csv", y)
    assert motmot("transport", "x.csv", "y.csv", "--certificate", "c.json").code == 0
    low, high = re.search(r"\[(.*), (.*)\]", verify("c.json", "x.csv", "y.csv", cwd=tmp_path).stdout).groups()
    assert Decimal(float(low)) <= exact_w1(x, y) <= Decimal(float(high))


@pytest.fixture(scope="module")
def certified(tmp_path_factory):
    """Certificates of a distance, of a transport with weights and of one that stopped early, and their data."""
    folder = tmp_path_factory.mktemp("certified")
    rng = np.random.default_rng(1)
    x, y = normal(rng, 30, 2), normal(rng, 24, 2, 1)
    x[4] = 50
    write(folder / "x.csv", np.c_[x, rng.random(30)])
    write(folder / "y.csv", np.c_[y, rng.random(24)])
    write(folder / "large.csv", normal(rng, 300, 2))
    write(folder / "z.csv", normal(rng, 24, 2))
    write(folder / "six.csv", normal(rng, 6, 3))
    write(folder / "other.csv", normal(rng, 6, 3, 1))
    for words in (["distance", "x.csv", "y.csv", "--columns", "c0,c1", "--certificate", "distance.json"],
                  ["transport", "x.csv", "y.csv", "--weights-x", "c2", "--weights-y", "c2", "--certificate", "transport.json"],
                  ["transport", "large.csv", "x.csv", "--columns", "c0,c1", "--gap", "0.5", "--certificate", "gap.json"],
                  ["transport", "y.csv", "z.csv", "--columns", "c0,c1", "--certificate", "equal.json"],
                  ["transport", "y.csv", "y.csv", "--columns", "c0,c1", "--certificate", "same.json"],
                  ["transport", "six.csv", "other.csv", "--certificate", "six.json"]):
        done = Run(words, folder)
        assert done.code == 0, done.err
    return folder


def at(certificate, path):
    for key in path[:-1]:
        certificate = certificate[key]
    return certificate, path[-1]


def change(path, by):
    def tamper(certificate):
        part, key = at(certificate, path)
        part[key] = by(part[key])
    return tamper


def exchange_targets(certificate):
    plan = certificate["transport"]["plan"]
    plan[0][1], plan[-1][1] = plan[-1][1], plan[0][1]


def send_all_from_one(certificate):
    """It costs nothing, as it should: only the masses are wrong."""
    certificate["transport"]["plan"] = [[1, 1, 1.0]]


TAMPERED = {  # certificate, what is done to it, exit code
    "cost up": ("distance.json", change(["transport", "cost"], lambda v: v * (1 + 1e-9)), 1),
    "cost down": ("distance.json", change(["transport", "cost"], lambda v: v * (1 - 1e-9)), 1),
    "gap": ("gap.json", change(["transport", "gap"], lambda v: v / 2), 1),
    "gap below 0": ("distance.json", change(["transport", "gap"], lambda v: -1), 1),
    "u up": ("distance.json", change(["transport", "u", 3], lambda v: v + 1e-3), 1),
    "u down": ("distance.json", change(["transport", "u", 3], lambda v: v - 1e-3), 1),
    "v up": ("distance.json", change(["transport", "v", 3], lambda v: v + 1e-3), 1),
    "v down": ("transport.json", change(["transport", "v", 3], lambda v: v - 1e-3), 1),
    "a mass": ("transport.json", change(["transport", "plan", 0, 2], lambda v: v + 1e-6), 1),
    "a mass below 0": ("transport.json", change(["transport", "plan", 0, 2], lambda v: -v), 1),
    "a source": ("transport.json", change(["transport", "plan", 0, 0], lambda v: v % 30 + 1), 1),
    "targets": ("transport.json", exchange_targets, 1),
    "targets of equal mass": ("equal.json", exchange_targets, 1),
    "masses alone": ("same.json", send_all_from_one, 1),
    "no plan": ("transport.json", change(["transport", "plan"], lambda v: []), 1),
    "a row": ("distance.json", change(["transport", "rows", "x", 0], lambda v: 5), 1),
    "rows in another order": ("distance.json", change(["transport", "rows", "x"], lambda v: v[::-1]), 1),
    "weights": ("transport.json", change(["weights", "x"], lambda v: None), 1),
    "other weights": ("transport.json", change(["weights", "y"], lambda v: "c0"), 2),  # some are negative
    "a unit": ("distance.json", change(["columns", 0, "unit"], lambda v: 2), 1),
    "a column": ("distance.json", change(["columns", 1, "name"], lambda v: "c2"), 1),
    "fewer columns": ("distance.json", change(["columns"], lambda v: v[:1]), 1),
    "a bound": ("distance.json", change(["bounds", 0, "value"], lambda v: v * 1.001), 1),
    "a bound's u": ("distance.json", change(["bounds", 0, "u", 2], lambda v: v + 100), 1),
    "a bound's rows": ("distance.json", change(["bounds", 1, "rows", "y"], lambda v: v[::-1]), 1),
    "more may go": ("distance.json", change(["bounds", 1, "may_go", "x"], lambda v: 20), 1),
    "all may go": ("distance.json", change(["bounds", 1, "may_go", "x"], lambda v: 30), 2),
    "version": ("distance.json", change(["certificate"], lambda v: 2), 2),
    "no potentials": ("distance.json", change(["transport", "u"], lambda v: v[1:]), 2),
    "a row twice": ("distance.json", change(["transport", "rows", "x", 0], lambda v: 2), 2),
    "a row beyond the file": ("distance.json", change(["transport", "rows", "x", 0], lambda v: 31), 2),
    "words": ("distance.json", change(["transport", "cost"], lambda v: "7"), 2),
    "not a number": ("distance.json", change(["transport", "u", 0], lambda v: float("nan")), 2),
    "no transport": ("distance.json", change(["transport"], lambda v: None), 2),
    "unknown column": ("distance.json", change(["columns", 0, "name"], lambda v: "c9"), 2),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_is_tampered_with_is_refuted(certified, tmp_path, what):
    name, tamper, code = TAMPERED[what]
    certificate = json.loads((certified / name).read_text())
    before = copy.deepcopy(certificate)
    data = [certified / file for file in (before["files"]["x"], before["files"]["y"])]
    assert verify(certified / name, *data, cwd=tmp_path).returncode == 0
    tamper(certificate)
    assert json.dumps(certificate) != json.dumps(before), "this changes nothing"
    (tmp_path / "tampered.json").write_text(json.dumps(certificate))
    done = verify("tampered.json", *data, cwd=tmp_path)
    assert done.returncode == code, done.stdout + done.stderr
    if code == 1:
        assert done.stdout.splitlines()[-1].startswith("refuted: ") and done.stderr == ""
    else:
        assert done.stderr.startswith("motmot-verify: ") and done.stderr.count("\n") == 1


def test_other_data_are_refuted(certified, tmp_path):
    rows = (certified / "x.csv").read_text().splitlines()
    rows[2] = rows[2].replace(rows[2].split(",")[0], "3.25", 1)
    (tmp_path / "x.csv").write_text("\n".join(rows))
    assert verify(certified / "distance.json", tmp_path / "x.csv", certified / "y.csv", cwd=tmp_path).returncode == 1
    assert verify(certified / "distance.json", certified / "y.csv", certified / "x.csv", cwd=tmp_path).returncode == 2  # too few rows


@pytest.mark.parametrize("words,says", [
    (["distance.json", "x.csv"], "three files are needed"),
    (["nowhere.json", "x.csv", "y.csv"], "cannot read 'nowhere.json'"),
    (["distance.json", "nowhere.csv", "y.csv"], "cannot read 'nowhere.csv'"),
    (["x.csv", "x.csv", "y.csv"], "cannot read 'x.csv'"),
    (["distance.json", "x.csv", "y.csv", "--most-rows", "20"], "20 at most are checked here"),
    (["distance.json", "x.csv", "y.csv", "--most-rows", "many"], "--most-rows needs a whole number"),
])
def test_bad_input_is_one_sentence(certified, words, says):
    done = verify(*words, cwd=certified)
    assert done.returncode == 2 and says in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""


def test_certificate_is_refused_where_there_is_none(motmot, toy, tmp_path):
    for more in (["--estimator", "mom"], ["--estimator", "plain"], ["--kinds", "c1=category"], ["--time-limit", "1e-9"]):
        done = motmot("distance", "toy/x.csv", "toy/y.csv", "--certificate", "c.json", *more)
        assert done.code == 2 and "--certificate" in done.err and not (tmp_path / "c.json").exists(), done.err


def test_the_checker_needs_nothing_but_the_standard_library():
    imports = re.findall(r"^(?:from|import) (\w+)", VERIFY.read_text(), re.M)
    assert set(imports) <= {"csv", "json", "math", "re", "sys", "fractions"}


# ------------------------------------------------------------------------------------------------ mutations

SEEDS = 600  #: mutated certificates of each of two kinds

ODD = [None, True, 0, -1, 1, 2, 30, 1e-320, 1e308, -1e308, 10**400, -10**400, float("nan"), float("inf"), 0.5, "", "c0", "0", "c" + "9" * 5000,
       "\ud800", "a\nverified: all", [], [[]], {}, {"x": []}, [1, 2, 3]]


def parts_of(value, path=()):
    """Every place in a document."""
    yield path
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, part in inner:
        yield from parts_of(part, (*path, key))


def mutated(text, rng):
    """The text of a certificate with one to three things changed: a value, a key, an element, bytes."""
    document = json.loads(text)
    for _ in range(rng.integers(1, 4)):
        places = list(parts_of(document))[1:]
        if not places:
            break
        # As many changes of what there is once as of the many numbers.
        depth = rng.integers(1, 1 + max(map(len, places)))
        chosen = [place for place in places if len(place) == depth]
        part, key = at(document, chosen[rng.integers(len(chosen))])
        what = rng.integers(6)
        if what == 0:
            part[key] = copy.deepcopy(ODD[rng.integers(len(ODD))])
        elif what == 1:
            del part[key]
        elif what == 2 and isinstance(part[key], (int, float)) and abs(part[key]) < 1e300:
            part[key] = part[key] * rng.choice([-1, 0, 1 + 1e-6, 2, 1e-3]) + rng.choice([0, 1e-3, 1])
        elif what == 3 and isinstance(part[key], (int, float)):
            part[key] += 1
        elif what == 4 and isinstance(part[key], list) and part[key]:
            part[key].append(copy.deepcopy(part[key][rng.integers(len(part[key]))]))
        elif what == 5 and isinstance(part[key], list):
            rng.shuffle(part[key])
    text = json.dumps(document)
    if rng.integers(4) == 0:
        cut = rng.integers(len(text))
        text = text[:cut] + rng.choice(["", "[" * 100_000, "9" * 5000, "\x00", "NaN", "1e999", text[cut + 1:]])
    return text


def distances(part, columns, tables):
    points = []
    for side in "xy":
        rows = np.array([tables[side][row - 1] for row in part["rows"][side]])
        units = [column["unit"] for column in columns]
        chosen = rows[:, [int(column["name"][1:]) for column in columns]]
        points.append(np.stack([chosen[:, k] / unit if unit else 0 * chosen[:, k] for k, unit in enumerate(units)], axis=1))
    return np.linalg.norm(points[0][:, None] - points[1][None], axis=2)


def is_true(certificate, tables):
    """What a certificate claims, looked at again in doubles: W1 of as many rows by trying all, bounds by their definition."""
    transport, columns = certificate["transport"], certificate["columns"]
    costs = distances(transport, columns, tables)
    if len(costs) == len(costs[0]) <= 6 and certificate["weights"] == {"x": None, "y": None}:
        best = min(sum(costs[i, j] for i, j in enumerate(order)) for order in itertools.permutations(range(len(costs)))) / len(costs)
        if abs(best - transport["cost"]) > 1e-9 * (1 + costs.max()) or transport["gap"] < 0:
            return False
    for bound in certificate["bounds"]:
        costs = distances(bound, columns, tables)
        if (np.add.outer(bound["u"], bound["v"]) > costs + 1e-9 * (1 + costs.max())).any():
            return False
        least = [np.mean(np.sort(bound[name])[:len(bound[name]) - bound["may_go"][side]]) for name, side in (("u", "x"), ("v", "y"))]
        if bound["value"] > max(0, sum(least)) + 1e-9 * (1 + costs.max()):
            return False
    return True


@pytest.mark.parametrize("name", ["distance.json", "six.json"])
def test_no_mutation_is_verified_unless_it_is_true(certified, tmp_path, capsys, name):
    """Never a traceback, never a false statement, never a word of `verified` beside exit code 2."""
    program = types.ModuleType("motmot_verify")
    exec(compile(VERIFY.read_text(), VERIFY, "exec"), program.__dict__)
    text = (certified / name).read_text()
    data = [certified / json.loads(text)["files"][side] for side in "xy"]
    tables = {side: np.loadtxt(path, delimiter=",", skiprows=1) for side, path in zip("xy", data)}
    assert program.main([str(certified / name), *map(str, data)]) == 0 and is_true(json.loads(text), tables)
    seen = {0: 0, 1: 0, 2: 0}
    capsys.readouterr()
    for seed in range(SEEDS):
        changed = mutated(text, np.random.default_rng(seed))
        (tmp_path / "c.json").write_text(changed, encoding="utf-8", errors="surrogatepass")
        code = program.main([str(tmp_path / "c.json"), *map(str, data)])
        said = capsys.readouterr()
        seen[code] += 1
        for line in said.out.splitlines():
            line.encode()
        if code == 0:
            assert said.err == "" and is_true(json.loads(changed), tables), (seed, said.out)
        elif code == 1:
            assert said.err == "" and said.out.splitlines()[-1].startswith("refuted: "), seed
        else:
            assert said.out == "" and said.err.startswith("motmot-verify: ") and said.err.count("\n") == 1, (seed, said)
    print(f"{name}: {SEEDS} mutations: {seen[0]} true all the same, {seen[1]} refuted, {seen[2]} refused")
    assert min(seen[1], seen[2]) > SEEDS // 10
