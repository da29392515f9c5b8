"""motmot gan train on several ranks: the same training up to rounding, checkpoints that any number of ranks goes on from."""
import os
import signal
import time

import numpy as np
import pytest
from conftest import BIN, Job, children, start, wait_for

PLAIN = ["gan", "train", "--contaminate", 0.1, "--loss", "trim", "--width", 4, "--seed", 3, "--threads", 1, "--quiet"]
TRAIN = [*PLAIN, "--batch", 16, "--penalty-rows", 8]

pytestmark = pytest.mark.skipif(not (BIN / "motmot-gan-mpi").exists(), reason="motmot-gan-mpi was not built: it needs libtorch-dev and libopenmpi-dev")


@pytest.fixture
def pictures(tmp_path):
    rng = np.random.default_rng(1)
    at, side = rng.uniform(4, 28, size=(200, 2, 1, 1)), np.arange(32.0)
    spots = np.exp(-((side[:, None] - at[:, 0]) ** 2 + (side[None, :] - at[:, 1]) ** 2) / rng.uniform(10, 80, size=(200, 1, 1)))
    np.save(tmp_path / "pictures.npy", (255 * spots).astype(np.uint8))
    return "pictures.npy"


def weights(folder, net):
    with np.load(folder / "final.npz") as file:
        return np.concatenate([file[name].ravel() for name in file.files if name.startswith(net) and file[name].dtype.kind == "f"])


def test_ranks_train_the_same_networks_up_to_rounding(motmot, pictures, tmp_path):
    runs = {"alone": 0, "one": 1, "two": 2, "again": 2, "three": 3}
    for name, ranks in runs.items():
        job = motmot(ranks, *TRAIN, "--data", pictures, "--steps", 5, "--output", name)
        assert (job.code, job.out) == (0, ""), (name, job.err)
    for net in ("critic", "generator"):
        alone = weights(tmp_path / "alone", net)
        assert np.array_equal(alone, weights(tmp_path / "one", net))
        assert np.array_equal(weights(tmp_path / "two", net), weights(tmp_path / "again", net))
        for name in ("two", "three"):
            off = np.abs(weights(tmp_path / name, net) - alone)
            # Adam moves a weight whose gradient is 0 up to rounding, such as the critic's last shift, as far as any other.
            assert 0 < np.quantile(off, 0.99) < 1e-5 and off.max() < 0.05, (net, name, off.max())
    assert (tmp_path / "two" / "log.jsonl").read_text().count("\n") == (tmp_path / "alone" / "log.jsonl").read_text().count("\n")


def test_a_killed_rank_ends_the_job_and_another_number_of_ranks_goes_on(motmot, pictures, tmp_path):
    words = [*TRAIN, "--data", pictures, "--steps", 4000, "--checkpoint-every", 3, "--output", "run"]
    job = start(2, *words, cwd=tmp_path)
    wait_for(lambda: list(tmp_path.glob("run/checkpoints/step-*.npz")))
    os.kill(children(job, "motmot-gan-mpi")[1], signal.SIGKILL)
    killed = time.time()
    done = Job(job)
    assert time.time() - killed < 10 and done.code != 0 and done.out == ""
    said = [line for line in done.err.splitlines() if line.startswith("motmot")]
    assert said == ["motmot gan train: a rank ended or the job was cancelled; go on with: motmot gan train --output run --resume"]
    newest = max(int(path.stem[5:]) for path in tmp_path.glob("run/checkpoints/step-*.npz"))
    on = start(3, "gan", "train", "--output", "run", "--resume", "--quiet", "--threads", 1, cwd=tmp_path)
    wait_for(lambda: max(int(path.stem[5:]) for path in tmp_path.glob("run/checkpoints/step-*.npz")) >= newest + 6)
    os.kill(children(on, "motmot-gan-mpi")[2], signal.SIGKILL)
    Job(on)


@pytest.mark.parametrize("more,said", [
    (["--norm", "batch"], "motmot gan train: --norm batch looks at whole batches: train it on one rank"),
    (["--batch", 4, "--penalty-rows", 2], "motmot gan train: 2 ranks are too many for batches of 2 images: two for each rank are needed"),
])
def test_what_cannot_be_split_is_refused_by_one_sentence(motmot, pictures, more, said, tmp_path):
    job = motmot(2, *PLAIN, "--data", pictures, *more, "--steps", 5, "--output", "run")
    assert job.code == 2 and [line for line in job.err.splitlines() if line.startswith("motmot")] == [said]
    assert not (tmp_path / "run").exists()


def test_other_commands_of_gan_run_on_one_rank(motmot):
    job = motmot(2, "gan", "score", "run")
    assert job.code == 2
    assert [line for line in job.err.splitlines() if line.startswith("motmot")] == [
        "motmot gan: 'gan score' runs on one rank: start it without mpirun (gan train runs on several)"]
