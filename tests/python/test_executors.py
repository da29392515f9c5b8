"""Permutations and pairs on executors of every kind: the same bits as without."""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import motmot

RNG = np.random.default_rng(11)
X, Y = RNG.normal(size=(120, 3)), RNG.normal(size=(90, 3)) + 0.05


def said(result):
    told = result.to_dict()
    told.pop("run")
    return told


@pytest.fixture(scope="module")
def result():
    return motmot.distance(X, Y, seed=4)


def test_threads_give_the_same_bits(result):
    class Counting(concurrent.futures.ThreadPoolExecutor):
        tasks = 0

        def submit(self, *words, **more):
            Counting.tasks += 1
            return super().submit(*words, **more)

    with Counting(3) as pool:
        assert said(motmot.distance(X, Y, seed=4, executor=pool)) == said(result)
    assert Counting.tasks > 3  # it was asked
    assert result.floor.permutations > 20


def test_a_pool_of_processes_gives_the_same_bits(result):
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        assert said(motmot.distance(X, Y, seed=4, executor=pool)) == said(result)


def test_the_order_of_the_samples_changes_nothing():
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert motmot.distance(Y, X, seed=4, executor=pool).p_value == motmot.distance(X, Y, seed=4).p_value


def test_what_a_worker_raises_comes_out():
    class Broken(concurrent.futures.ThreadPoolExecutor):
        def submit(self, *words, **more):
            raise OSError("no workers left")

    with Broken(1) as pool, pytest.raises(OSError, match="no workers left"):
        motmot.distance(X, Y, executor=pool)


def test_tables_take_one_too():
    tables = [{"city": np.where(sample[:, 0] > 0, "Rome", "Oslo"), "age": sample[:, 1]} for sample in (X, Y)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        assert said(motmot.distance(*tables, executor=pool)) == said(motmot.distance(*tables))


def test_mpi4py_gives_the_same_bits(result, tmp_path):
    pytest.importorskip("mpi4py", reason="needs python3-mpi4py")
    if shutil.which("mpirun") is None:
        pytest.skip("mpirun is not installed: scripts/setup --all")
    np.savez(tmp_path / "data.npz", x=X, y=Y)
    script = tmp_path / "spread.py"
    script.write_text(textwrap.dedent("""
        import json, numpy as np, motmot
        from mpi4py.futures import MPIPoolExecutor
        if __name__ == "__main__":
            data = np.load("data.npz")
            samples = {"a": data["x"], "b": data["y"], "c": data["y"] + 1}
            with MPIPoolExecutor() as pool:
                one = motmot.distance(data["x"], data["y"], seed=4, executor=pool)
                many = motmot.matrix(samples, seed=4, executor=pool)
            print(json.dumps([one.value, one.p_value, list(one.floor.permuted), many.values.tolist(), many.p_values.tolist()]))
    """))
    mpirun = pathlib.Path(__file__).resolve().parents[1] / "mpi" / "mpirun"
    done = subprocess.run([mpirun, "-n", "3", sys.executable, "-m", "mpi4py.futures", script], cwd=tmp_path, capture_output=True,
                          text=True, timeout=300, env=dict(os.environ))
    assert done.returncode == 0, done.stderr
    import json
    value, p_value, permuted, values, p_values = json.loads(done.stdout)
    many = motmot.matrix({"a": X, "b": Y, "c": Y + 1}, seed=4)
    assert (value, p_value, permuted) == (result.value, result.p_value, list(result.floor.permuted))
    assert values == many.values.tolist() and p_values == many.p_values.tolist()
