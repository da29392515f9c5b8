"""Many samples and many methods: the same bits as the command, with threads and with executors."""
import concurrent.futures
import json
import pickle
import subprocess

import numpy as np
import pytest
from conftest import BIN, without_time

import motmot


@pytest.fixture(scope="module")
def samples():
    rng = np.random.default_rng(5)
    made = {f"b{k}": rng.normal(0.4 * k, 1, size=(40 + 5 * k, 2)) for k in range(9)}
    made["b0"][3] = 1e4  # stands alone
    return made


@pytest.fixture(scope="module")
def result(samples):
    return motmot.matrix(samples, threads=1)


def said(m):
    return without_time(m.to_dict())


def test_the_matrix_is_one(samples, result):
    assert result.names == list(samples)
    assert (result.values == result.values.T).all() and (np.diag(result.values) == 0).all()
    for a, b, c in np.ndindex(9, 9, 9):
        assert result.values[a, c] <= result.values[a, b] + result.values[b, c] + 1e-9
    assert result.samples[0].left_out == [3]
    kept = np.delete(samples["b0"], 3, axis=0)
    assert result.values[0, 4] == pytest.approx(motmot.transport(np.delete(samples["b4"], result.samples[4].left_out, axis=0),
                                                                 kept).cost, rel=1e-12)


def test_a_list_has_names_too(samples, result):
    assert said(motmot.matrix(list(samples.values()), names=list(samples))) == said(result)
    assert motmot.matrix(list(samples.values())[:2]).names == ["s1", "s2"]


def test_threads_and_executors_give_the_same_bits(samples, result):
    for threads in (2, 3):
        assert said(motmot.matrix(samples, threads=threads)) == said(result)
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        assert said(motmot.matrix(samples, executor=pool)) == said(result)


def test_a_pool_of_processes_gives_the_same_bits(samples, result):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert said(motmot.matrix(samples, executor=pool)) == said(result)
        one = motmot.matrix(samples, against="b3", executor=pool)
    assert said(one) == said(motmot.matrix(samples, against="b3"))


def test_dask_gives_the_same_bits(samples, result):
    distributed = pytest.importorskip("distributed", reason="needs python3-distributed")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True) as cluster:
        with distributed.Client(cluster) as client:
            assert said(motmot.matrix(samples, executor=client.get_executor())) == said(result)


def test_the_command_says_the_same(samples, result, tmp_path):
    for name, sample in samples.items():
        np.save(tmp_path / f"{name}.npy", sample)
    done = subprocess.run([BIN / "motmot", "matrix", ".", "--quiet", "--json", "-"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    theirs, ours = without_time(json.loads(done.stdout)), said(result)
    for sample in theirs["samples"]:
        sample["name"] = sample["name"].removesuffix(".npy")
        sample["left_out"] = [row - 1 for row in sample["left_out"]]
    assert theirs == ours


def test_results_can_be_pickled(result):
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict() and repr(again) == repr(result)
    assert "9 samples, each compared with each" in repr(result)


def test_a_run_can_be_stopped_and_watched(samples):
    shares = []
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        stopped = motmot.matrix(samples, executor=pool, progress=lambda share: shares.append(share) or len(shares) < 3)
    assert stopped.run.stopped and len(stopped.pairs) < 36 and len(shares) == 3


def test_tables_with_words_and_gaps():
    rng = np.random.default_rng(1)
    tables = {name: {"city": rng.choice(["Rome", "Oslo"], 60, p=[p, 1 - p]), "age": np.where(rng.random(60) < 0.1, np.nan, rng.normal(size=60))}
              for name, p in {"a": 0.5, "b": 0.5, "c": 0.95}.items()}
    m = motmot.matrix(tables)
    assert m.kinds == ["category", "number"] and m.scale == "robust" and m.values[0, 2] > m.values[0, 1]
    dropped = motmot.matrix(tables, missing="drop")
    assert all(s.rows_dropped + s.n == 60 and s.rows_dropped > 0 for s in dropped.samples)
    with pytest.raises(motmot.Error, match="every value must be finite"):
        motmot.matrix(tables, missing="error")


def test_warnings_speak_python(samples):
    by_a_column = {name: np.column_stack([1000 * rows[:, 0], rows[:, 1:]]) for name, rows in samples.items()}
    m = motmot.matrix(by_a_column)
    assert len(m.warnings) == 1 and m.warnings[0].endswith("; scale='robust' weighs columns alike"), m.warnings


@pytest.mark.parametrize("call, sentence", [
    (lambda s: motmot.matrix({"a": s["b0"]}), "a matrix needs two samples or more, got 1"),
    (lambda s: motmot.matrix(s, against="x"), "no sample is called 'x'; there are 'b0'"),
    (lambda s: motmot.matrix(s, tau=0.5), r"tau must lie in \[0, 1/2\), got 0.5"),
    (lambda s: motmot.matrix("abc"), "samples must be a dict or a list"),
    (lambda s: motmot.matrix(list(s.values()), names=["a"]), "there are 9 samples and 1 names"),
    (lambda s: motmot.matrix([s["b0"], s["b1"]], names=["a", "a"]), "two samples are called 'a'"),
    (lambda s: motmot.matrix({"a": s["b0"], "b": s["b1"][:, :1]}), "must have the same number of columns, got 2 and 1"),
    (lambda s: motmot.compare(s["b0"], s["b1"], tau=0.02, stress=True), "stress= has no room"),
])
def test_complaints_are_one_sentence(samples, call, sentence):
    with pytest.raises(motmot.Error, match=sentence):
        call(samples)


def test_compare_agrees_with_what_it_compares(command):
    toy = motmot.generate("d1", n=120, tau_x=0.05, seed=2)
    ours = motmot.compare(toy.x, toy.y, stress=True)
    value = {method.method: method.value for method in ours.methods}
    assert value["company"] == motmot.distance(toy.x, toy.y).value
    assert value["mom"] == motmot.distance(toy.x, toy.y, estimator="mom").value
    assert value["plain"] == pytest.approx(motmot.transport(toy.x, toy.y).cost)
    assert value["partial"] == pytest.approx(motmot.partial_transport(toy.x, toy.y, 0.1).cost)
    apart = {(a, b): np.linalg.norm(getattr(toy, a)[:, None] - getattr(toy, b), axis=2).mean() for a in "xy" for b in "xy"}
    assert value["energy"] == pytest.approx(2 * apart["x", "y"] - apart["x", "x"] - apart["y", "y"])
    assert 0 < value["sliced"] < value["plain"]
    moved = {method.method: [abs(one.movement) for one in method.stress] for method in ours.methods}
    assert max(moved["company"]) < 0.05 < 0.3 < moved["plain"][0]
    theirs = command("compare", toy.x, toy.y, "--stress")

    def without_seconds(fields):
        return [{**method, "seconds": None} for method in fields["methods"]]
    assert without_seconds(theirs) == without_seconds(ours.to_dict()) and theirs["planted"] == ours.to_dict()["planted"]
    assert pickle.loads(pickle.dumps(ours)).to_dict() == ours.to_dict()
