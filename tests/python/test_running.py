"""Threads, Ctrl-C, progress, pickles: how a call behaves beside what it computes."""
import copy
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import motmot


@pytest.fixture(scope="module")
def long_problem():
    """Some seconds of exact transport."""
    toy = motmot.generate("shape", n=3000, d=2, seed=1)
    return toy.x, toy.y


@pytest.mark.parametrize("critic", ["exact", "lipschitz", "clipped"])
def test_critics_survive_pickles_and_files(tmp_path, critic):
    toy = motmot.generate("d1", n=50, seed=1)
    fitted = motmot.distance(toy.x, toy.y, estimator="mom", critic=critic, **({} if critic == "exact" else {"steps": 20})).phi
    want = fitted(toy.y)
    fitted.save(tmp_path / "critic.json")
    for again in (pickle.loads(pickle.dumps(fitted)), copy.deepcopy(fitted), motmot.Critic.load(tmp_path / "critic.json")):
        assert again.kind == critic and again.dimension == 2
        assert np.array_equal(again(toy.y), want)


@pytest.mark.parametrize("options", [{}, {"scale": "robust"}, {"estimator": "mom"}])
def test_the_potential_of_a_result_has_the_values_of_its_rows(options):
    toy = motmot.generate("d1", n=80, seed=1)
    result = motmot.distance(toy.x, toy.y, **options)
    assert np.allclose(result.phi(toy.x), result.rows.x.phi, atol=1e-9)


def test_results_survive_pickles():
    toy = motmot.generate("d1", n=50, seed=1)
    result = motmot.distance(toy.x, toy.y, estimator="mom", critic="clipped", steps=30, trace=True)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict() and repr(again) == repr(result)
    assert np.array_equal(again.run.trace, result.run.trace) and len(again.run.trace) == 30
    assert np.array_equal(again.rows.y.phi, result.rows.y.phi) and again.rows.x.left_out is result.rows.x.left_out is None
    assert np.array_equal(again.phi(toy.x), result.phi(toy.x))
    result = motmot.distance(toy.x, toy.y, scale="robust", paper=True)
    again = pickle.loads(pickle.dumps(result))
    assert again.to_dict() == result.to_dict() and again.text(verbose=True) == result.text(verbose=True)
    assert np.array_equal(again.suspects.x, result.suspects.x) and np.array_equal(again.rows.x.left_out, result.rows.x.left_out)
    assert np.array_equal(again.floor.permuted, result.floor.permuted) and np.array_equal(again.rows.x.score, result.rows.x.score)
    assert np.array_equal(pickle.loads(pickle.dumps(toy)).y, toy.y)
    assert repr(pickle.loads(pickle.dumps(motmot.advise(60)))) == repr(motmot.advise(60))
    plan = pickle.loads(pickle.dumps(motmot.transport(toy.x, toy.y))).plan
    assert plan.mass.sum() == pytest.approx(1)
    with pytest.raises(motmot.Error) as caught:
        raise pickle.loads(pickle.dumps(motmot.Error("a sentence")))
    assert str(caught.value) == "a sentence"


def test_other_threads_run_meanwhile(long_problem):
    """A counting thread gets turns while transport works: without the lock being released it would get none."""
    turns, stop = [0], threading.Event()

    def count():
        while not stop.is_set():
            turns[0] += 1
            time.sleep(0.001)
    counter = threading.Thread(target=count)
    counter.start()
    time.sleep(0.05)
    before, start = turns[0], time.perf_counter()
    motmot.transport(*long_problem)
    during, seconds = turns[0] - before, time.perf_counter() - start
    stop.set()
    counter.join()
    assert seconds > 0.05 and during > 10


INTERRUPTED = """
import sys, time
import motmot
toy = motmot.generate("shape", n=9000, d=2, seed=1)
print("ready", flush=True)
try:
    {call}
except KeyboardInterrupt:
    print("interrupted", flush=True)
    print(motmot.transport(toy.x[:50], toy.y[:50]).status, flush=True)
"""
CALLS = ["motmot.distance(toy.x, toy.y, estimator='mom', critic='exact', certify=True)", "motmot.transport(toy.x, toy.y)",
         "motmot.distance(toy.x, toy.y, estimator='mom', critic='clipped', steps=10**7)", "motmot.distance(toy.x, toy.y, tau='auto')",
         "motmot.distance(toy.x[:60], toy.y[:60], estimator='mom', critic='clipped', steps=10**8)"]


@pytest.mark.parametrize("call", CALLS)
def test_ctrl_c_is_heard_at_once(call):
    """The limit of two seconds is far above what is felt (a twentieth of one) and far below what the call takes."""
    process = subprocess.Popen([sys.executable, "-c", INTERRUPTED.format(call=call)], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.4)
        process.send_signal(signal.SIGINT)
        start = time.perf_counter()
        assert process.stdout.readline() == "interrupted\n"
        assert time.perf_counter() - start < 2
        assert process.stdout.readline() == "optimal\n"
        assert process.wait(timeout=60) == 0
    finally:
        process.kill()


@pytest.mark.parametrize("rows", [100, 150])  # on the calling thread, on another
def test_progress_is_told_and_may_stop_a_run(rows):
    toy = motmot.generate("d1", n=rows, seed=1)
    shares = []
    result = motmot.distance(toy.x, toy.y, estimator="mom", critic="clipped", steps=3000, progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1 and all(0 <= share <= 1 for share in shares) and not result.run.stopped
    stopped = motmot.distance(toy.x, toy.y, estimator="mom", critic="clipped", steps=10**8, progress=lambda share: False)
    assert stopped.run.stopped and 0 < stopped.neighbours.paper.steps < 10**8
    assert [warning.code for warning in stopped.warnings if "stopped early" in warning.text] == ["stopped"]


@pytest.mark.parametrize("rows", [100, 150])
def test_what_a_progress_callback_raises_comes_out(rows):
    toy = motmot.generate("d1", n=rows, seed=1)

    def tired(share):
        raise LookupError("tired")
    with pytest.raises(LookupError, match="tired"):
        motmot.distance(toy.x, toy.y, estimator="mom", critic="clipped", steps=10**8, progress=tired)


def test_progress_true_shows_a_bar_with_and_without_tqdm(capsys, monkeypatch):
    toy = motmot.generate("d1", n=200, seed=1)
    run = lambda: motmot.distance(toy.x, toy.y, estimator="mom", critic="clipped", steps=2500, progress=True)
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    run()
    assert "motmot:" in capsys.readouterr().err
    monkeypatch.undo()
    pytest.importorskip("tqdm")
    run()
    assert "motmot:" in capsys.readouterr().err


def test_a_time_limit_flags_the_result():
    toy = motmot.generate("d1", n=100, seed=1)
    assert motmot.distance(toy.x, toy.y, estimator="mom", critic="clipped", steps=10**8, time_limit=0.2).run.stopped


def test_results_speak():
    toy = motmot.generate("d1", n=100, seed=1)
    result = motmot.distance(toy.x, toy.y)
    assert repr(result).startswith(f"  X (100 rows) and Y (100 rows) are {result.value:.2f} apart.\n  They differ: ")
    assert result.text() == repr(result) + "\n" and result.text(verbose=True).startswith(result.text())
    page = result._repr_html_()
    assert page.startswith("<table><caption>differ: 100 x 100 rows of 2 columns</caption>")
    for word in [f"{result.value:.4g}", f"{result.floor.level:.4g} (p = 0.01)", f"{result.interval.low:.4g} and ", "10 + 0"]:
        assert f"<td>{word}" in page, word
    assert float(result) == result.value and (result.tau_x, result.tau_y) == (0.1, 0.1) and result.verdict == "differ"
    assert repr(result.phi) == "<motmot.Critic exact, 2 columns>"
    assert repr(result.floor).startswith(f"Floor(level={result.floor.level!r}, sd=") and repr(result.interval).startswith("Interval(low=")
    assert motmot.Distance.partial.__doc__.startswith("The distance of the right rows is not below this")
    advice = motmot.advise(100, tau=0.1)
    blocks = advice.estimators[0].rules[0].blocks
    assert (blocks.k_x, blocks.k_y) == motmot.distance(toy.x, toy.y, paper=True).neighbours.paper.blocks and "mou-diag" in repr(advice)


def test_warnings_are_shown_in_a_notebook():
    rng = np.random.default_rng(1)
    x, y = rng.uniform(size=(60, 2)) * [1, 1e4], rng.uniform(size=(60, 2)) * [1, 1e4]
    result = motmot.distance(x, y)
    assert "units" in [warning.code for warning in result.warnings]
    assert "<p><b>Warning:</b> c2 has 100 % of the spread" in result._repr_html_()


def test_shares_of_both_samples_are_proposed_as_two_arguments():
    rng = np.random.default_rng(7)
    x, y = rng.normal(size=(200, 2)), rng.normal(size=(200, 2))
    x[:24] += 20
    y[:36, 0] -= 25
    result = motmot.distance(x, y, tau_x=0.05, tau_y=0.2, permutations=0)
    assert [warning.text for warning in result.warnings][-1].endswith(" (tau_x=0.15, tau_y=0.2)")
    assert motmot.distance(x, y, tau_x=0.15, tau_y=0.2, permutations=0).value < 0.5


def test_arrays_of_a_result_are_views_that_outlive_it():
    toy = motmot.generate("d1", n=100, seed=1)
    rows = motmot.distance(toy.x, toy.y).rows
    phi, again = rows.x.phi, rows.x.phi
    assert np.shares_memory(phi, again) and not phi.flags.writeable
    want = phi.copy()
    del rows, again
    motmot.distance(toy.y, toy.x)  # would write over memory that was given back
    assert np.array_equal(phi, want)
