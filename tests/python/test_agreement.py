"""The same numbers from Python, the command line and C++; and the numbers of others where they compute the same."""
import json
import os
import subprocess

import numpy as np
import pytest
from conftest import without_time

import motmot

datasets = pytest.importorskip("sklearn.datasets")

RUNS = [  # keywords, arguments
    ({}, []),
    ({"tau": "auto", "scale": "robust", "seed": 2**63 + 5}, ["--tau", "auto", "--scale", "robust", "--seed", 2**63 + 5]),
    ({"tau_x": 0.05, "tau_y": 0.0, "permutations": 19, "scale": {"c2": 10}, "paper": True},
     ["--tau-x", 0.05, "--tau-y", 0, "--permutations", 19, "--scale", "c2=10", "--paper"]),
    ({"seed": 7, "estimator": "mou", "blocks": 21}, ["--seed", 7, "--estimator", "mou", "--blocks", 21]),
    ({"estimator": "mou-diag", "tau_x": 0.05, "tau_y": 0.0, "certify": True},
     ["--estimator", "mou-diag", "--tau-x", 0.05, "--tau-y", 0, "--certify"]),
    ({"estimator": "mom", "critic": "exact", "scheme": "swor", "blocks": 31, "block_size": 3},
     ["--estimator", "mom", "--critic", "exact", "--scheme", "swor", "--blocks", 31, "--block-size", 3]),
    ({"estimator": "mom", "critic": "lipschitz", "steps": 80}, ["--estimator", "mom", "--critic", "lipschitz", "--steps", 80]),
    ({"estimator": "mom", "critic": "clipped", "steps": 100, "blocks": 11, "hidden": [16], "rate": 1e-3, "clip": 0.05},
     ["--estimator", "mom", "--critic", "clipped", "--steps", 100, "--blocks", 11, "--hidden", 16, "--rate", 1e-3, "--clip", 0.05]),
    ({"estimator": "plain"}, ["--estimator", "plain"]),
    ({"estimator": "mou", "metric": "mmd", "blocks": 21}, ["--estimator", "mou", "--metric", "mmd", "--blocks", 21]),
    ({"estimator": "mom", "metric": "energy", "certify": True}, ["--estimator", "mom", "--metric", "energy", "--certify"]),
]


def test_advice_is_that_of_the_command(tmp_path):
    from conftest import BIN
    for keywords, arguments in [({}, []), ({"n": 60, "m": 40, "tau_x": 0.45, "estimator": "mom"},
                                           ["--n", "60", "--m", "40", "--tau-x", "0.45", "--estimator", "mom"]),
                                ({"alpha_o": 0.4, "c_o": 9, "beta": 0.9}, ["--alpha-o", "0.4", "--c-o", "9", "--beta", "0.9"])]:
        done = subprocess.run([BIN / "motmot", "advise", *arguments, "--json", "advice.json"], cwd=tmp_path, check=True,
                              capture_output=True, text=True)
        advice = motmot.advise(**keywords)
        assert advice.to_dict() == json.loads((tmp_path / "advice.json").read_text())
        assert repr(advice) == done.stdout.rstrip("\n")


@pytest.mark.parametrize("keywords,arguments", RUNS, ids=[" ".join(map(str, run[1])) or "default" for run in RUNS])
def test_python_and_the_command_give_the_same_bits(command, keywords, arguments):
    """Rows count from 0 here and from 1 there, and arrays come from no file."""
    toy = motmot.generate("d1", n=120, m=90, seed=1)
    here, there = motmot.distance(toy.x, toy.y, **keywords).to_dict(), command("distance", toy.x, toy.y, *arguments)
    here["left_out"] = {sample: [row + 1 for row in rows] for sample, rows in here["left_out"].items()}
    here["asked"]["files"] = {"x": "x.npy", "y": "y.npy"}
    assert without_time(here) == without_time(there)


def steps_of(critic, steps):
    """As keywords: the exact critic takes none."""
    return {} if critic == "exact" else {"steps": steps}


def test_python_and_cpp_give_the_same_bits():
    lines = subprocess.run([os.environ["MOTMOT_PYTHON_BITS"]], check=True, capture_output=True, text=True).stdout.split("\n")
    toy = motmot.generate("d2", n=120, m=90, tau_x=0.1, seed=3)
    result = motmot.distance(toy.x, toy.y, seed=5)
    assert [result.value, result.p_value] == [float.fromhex(word) for word in lines[0].split()]
    for critic, line in zip(["exact", "lipschitz", "clipped"], lines[1:]):
        result = motmot.distance(toy.x, toy.y, estimator="mom", critic=critic, seed=5, **steps_of(critic, 60))
        assert [result.value, result.neighbours.paper.sd] == [float.fromhex(word) for word in line.split()], critic
    t = motmot.transport(toy.x, toy.y)
    assert [t.cost, t.u[7]] == [float.fromhex(word) for word in lines[4].split()]


def test_generate_makes_the_samples_of_the_command(tmp_path):
    from conftest import BIN
    subprocess.run([BIN / "motmot", "generate", "both", "--n", "40", "--m", "30", "--d", "3", "--tau", "0.2", "--seed", "9",
                    "--output", "toy", "--format", "npy", "--quiet"], cwd=tmp_path, check=True)
    toy = motmot.generate("both", n=40, m=30, d=3, tau=0.2, seed=9)
    assert np.array_equal(toy.x, np.load(tmp_path / "toy/x.npy")) and np.array_equal(toy.y, np.load(tmp_path / "toy/y.npy"))
    assert len(toy.outliers_x) == 8 and len(toy.outliers_y) == 6


def test_transport_and_the_command_give_the_same_bits(command):
    toy = motmot.generate("t3", n=70, m=50, seed=4)
    assert without_time(motmot.transport(toy.x, toy.y).to_dict()) == without_time(command("transport", toy.x, toy.y))


def test_any_number_of_threads_gives_the_same_bits():
    toy = motmot.generate("shape", n=150, seed=2)
    blocks = [{"estimator": "mom", "critic": critic, "blocks": 51, **steps_of(critic, 60)} for critic in ["exact", "lipschitz", "clipped"]]
    for options in [{}, {"paper": True, "scale": "robust"}, *blocks]:
        one, many = (motmot.distance(toy.x, toy.y, threads=threads, **options) for threads in (1, 7))
        assert without_time(one.to_dict()) == without_time(many.to_dict())
        assert np.array_equal(one.rows.x.phi, many.rows.x.phi)


def halves(name):
    """A dataset with standardised columns, split by class into two samples."""
    data, target = getattr(datasets, f"load_{name}")(return_X_y=True)
    data = (data - data.mean(0)) / np.where(data.std(0) > 0, data.std(0), 1)
    return np.ascontiguousarray(data[target == 0]), np.ascontiguousarray(data[target == 1])


DATA = ["iris", "wine", "breast_cancer", "digits"]


@pytest.mark.parametrize("name", DATA)
def test_transport_agrees_with_pot_and_scipy_on_real_data(name):
    ot = pytest.importorskip("ot")
    from scipy.stats import wasserstein_distance
    x, y = halves(name)
    rng = np.random.default_rng(1)
    a, b = rng.random(len(x)), rng.random(len(y))
    costs = np.sqrt(((x[:, None] - y[None]) ** 2).sum(2))
    t = motmot.transport(x, y, a, b)
    assert t.cost == pytest.approx(ot.emd2(a / a.sum(), b / b.sum(), costs, numItermax=10**7), rel=1e-9)
    plan = t.dense()
    assert np.allclose(plan.sum(1), a / a.sum(), atol=1e-12) and np.allclose(plan.sum(0), b / b.sum(), atol=1e-12)
    assert (plan * costs).sum() == pytest.approx(t.cost, rel=1e-9)
    assert (t.u[:, None] + t.v[None] <= costs + 1e-9).all()
    column = int(np.argmax(x.std(0)))
    assert motmot.transport(x[:, column], y[:, column], a, b).cost == \
        pytest.approx(wasserstein_distance(x[:, column], y[:, column], a, b), rel=1e-9)


@pytest.mark.parametrize("name", DATA)
def test_corrupted_rows_ruin_plain_and_are_left_out_on_real_data(name):
    """One row in fifteen of X is moved far away (fixed seed): plain W1 more than doubles; these rows are found, and the
    distance stays within a fiftieth of the clean one, the truth in the interval."""
    x, y = halves(name)
    clean = motmot.transport(x, y).cost
    rng = np.random.default_rng(3)
    bad = np.sort(rng.choice(len(x), len(x) // 15, replace=False))
    dirty = x.copy()
    dirty[bad] += 40 * clean * rng.standard_normal((len(bad), x.shape[1])) / np.sqrt(x.shape[1])
    inliers = motmot.transport(np.delete(x, bad, axis=0), y).cost
    result = motmot.distance(dirty, y, tau=0.1)
    assert result.verdict == "differ" and result.plain > 2 * clean
    assert result.plain == pytest.approx(motmot.transport(dirty, y).cost, rel=1e-9)
    assert set(bad) <= set(result.suspects.x)
    assert result.value == pytest.approx(inliers, rel=0.02)
    assert result.interval.low <= inliers * (1 + 1e-9) and inliers <= result.interval.high * (1 + 1e-9)
    assert result.partial <= inliers * (1 + 1e-9)
    assert np.array_equal(np.flatnonzero(result.rows.x.left_out), result.suspects.x)
