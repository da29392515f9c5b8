"""motmot gan as a user types it, on data small enough for seconds."""
import csv
import json
import os
import re
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from conftest import BIN, blobs, tiny


def train(gan, data, output, *more):
    done = gan("train", "--data", data, "--output", output, *tiny(*more))
    assert done.code == 0, done.err
    return done


def log_of(folder):
    return [json.loads(line) for line in (folder / "log.jsonl").read_text().splitlines()]


def test_every_command_has_help_with_an_example(gan):
    assert "Examples:" in gan("--help").out
    for command in ["train", "score", "clean"]:
        done = gan(command, "--help")
        assert done.code == 0 and "Example" in done.out and done.err == ""


CLIPPED = ["--norm", "none", "--clip", 0.05, "--optimizer", "rmsprop", "--rate", 5e-4, "--decay", 0, "--trim", 0.15, "--cut", 0]


@pytest.mark.parametrize("options,precision,auc,rejected,used", [([], 0.6, 0.9, 0.4, 0.07), (CLIPPED, 0.9, 0.97, 0.25, 0.08)])
def test_training_moves_the_loss_and_finds_the_noise(gan, data, tmp_path, options, precision, auc, rejected, used):
    train(gan, data, "run", "--loss", "trim", "--contaminate", 0.1, "--steps", 600, "--seed", 1, *options)
    lines = log_of(tmp_path / "run")
    assert [line["step"] for line in lines] == sorted({line["step"] for line in lines}) and lines[-1]["step"] == 600
    early = np.mean([line["critic_loss"] for line in lines[:3]])
    late = np.mean([line["critic_loss"] for line in lines[-10:]])
    assert abs(late) < 0.7 * max(abs(line["critic_loss"]) for line in lines) and early != late
    rows = list(csv.DictReader((tmp_path / "run" / "rows.csv").open()))
    dirty = {row["row"] for row in rows if row["dirty"] == "1"}
    assert len(rows) == 1000 and len(dirty) == 100
    found = gan("suspects", "run", "--output", "suspects.csv", "--json", "-", "--quiet").json()
    assert found["precision"] > precision and found["auc"] > auc and found["dirty"] == 100
    assert found["rejected_dirty_share"] > rejected and found["used_dirty_share"] < used  # of 0.1 that are dirty
    listed = list(csv.DictReader((tmp_path / "suspects.csv").open()))
    assert len(listed) == 100
    assert found["precision"] == pytest.approx(np.mean([row["row"] in dirty for row in listed]))
    assert (tmp_path / "run" / "samples" / "step-00000600.png").read_bytes().startswith(b"\x89PNG")
    assert len(list((tmp_path / "run" / "checkpoints").iterdir())) == 3


@pytest.mark.parametrize("options", [["--loss", "wgan", "--clip", 0.05], ["--loss", "mom", "--blocks", 4], ["--loss", "mom", "--match-batch"],
                                     ["--loss", "mou", "--blocks", 3], ["--loss", "mou-diag"], ["--loss", "trim-scores"],
                                     ["--loss", "mom", "--norm", "batch", "--fakes", 8, "--clip", 0.05],
                                     ["--loss", "trim", "--gradient-penalty", 1, "--optimizer", "adam", "--norm", "layer"],
                                     ["--loss", "trim", "--gradient-penalty", 1, "--penalty-rows", 4, "--decay", 0.5],
                                     ["--loss", "trim", "--net", "dcgan", "--width", 2], ["--loss", "trim", "--trim-from", 0.7],
                                     ["--loss", "unbalanced", "--mass-price", 2], ["--loss", "partial", "--mass", 0.8],
                                     ["--loss", "unbalanced", "--penalty", "r1", "--gradient-penalty", 0.2]])
def test_losses_norms_and_rules_run_and_repeat(gan, data, tmp_path, options):
    for folder in ["a", "b"]:
        train(gan, data, folder, "--steps", 12, "--contaminate", 0.05, *options)
    assert (tmp_path / "a" / "final.npz").read_bytes() == (tmp_path / "b" / "final.npz").read_bytes()
    weights = np.load(tmp_path / "a" / "final.npz")
    assert all(np.isfinite(weights[name]).all() for name in weights if name.startswith(("generator.", "critic.")))
    if "--clip" in options:
        assert max(np.abs(weights[name]).max() for name in weights if name.startswith("critic.layer")) <= np.float32(0.05)
    assert weights["rows.weight"].sum() > 0


def test_trim_waits_until_the_generator_covers_the_inliers(gan, data, tmp_path):
    train(gan, data, "run", "--loss", "trim", "--trim-from", 0.93, "--contaminate", 0.1, "--steps", 300, "--seed", 1)
    lines = log_of(tmp_path / "run")
    early, late = ([line for line in lines if keep(line["step"])] for keep in (lambda step: 15 < step <= 90, lambda step: step > 200))
    # On average: libtorch rounds differently on other processors, and single steps with it.
    assert np.mean([line["lead"] for line in early]) > 0.95 and all(line["lead"] <= 1 and line["rejected"] == 0 for line in early)
    assert np.mean([line["lead"] for line in late]) < 0.95 and sum(line["rejected"] for line in late) > 0


def wait_for_checkpoint(folder, process):
    for _ in range(3000):
        if len(list(folder.glob("checkpoints/step-*.npz"))) >= 2:
            return
        assert process.poll() is None, "it ended before it could be killed"
        time.sleep(0.01)
    raise AssertionError("no checkpoint came")


@pytest.mark.parametrize("loss", ["trim-scores", "mom"])
def test_a_killed_run_goes_on_bit_for_bit(gan, data, tmp_path, loss):
    options = tiny("--loss", loss, "--steps", 400, "--checkpoint-every", 20, "--contaminate", 0.1, "--optimizer", "adam",
                   "--gradient-penalty", 1, "--decay", 0.7, "--seed", 3, *(["--trim-from", 0.95] if loss == "trim-scores" else []))
    assert gan("train", "--data", data, "--output", "whole", *options).code == 0
    command = [BIN / "motmot", "gan", "train", "--data", data, "--output", "killed", *options]
    process = subprocess.Popen(list(map(str, command)), cwd=tmp_path)
    wait_for_checkpoint(tmp_path / "killed", process)
    os.kill(process.pid, signal.SIGKILL)  # motmot has become motmot-gan: the same process
    process.wait()
    assert not (tmp_path / "killed" / "final.npz").exists()
    done = gan("train", "--output", "killed", "--resume", "--threads", 1)
    assert done.code == 0 and "went on from step" in done.out, done.err
    assert (tmp_path / "killed" / "final.npz").read_bytes() == (tmp_path / "whole" / "final.npz").read_bytes()
    assert timeless(tmp_path / "whole") == timeless(tmp_path / "killed")


def timeless(folder):
    return [{k: v for k, v in line.items() if k not in ("seconds", "images_per_second")} for line in log_of(folder)]


def flip(path):
    bytes_ = bytearray(path.read_bytes())
    bytes_[len(bytes_) // 2] ^= 0x40
    path.write_bytes(bytes_)


def truncate(path):
    path.write_bytes(path.read_bytes()[:path.stat().st_size * 2 // 3])


def empty(path):
    path.write_bytes(b"")


@pytest.mark.parametrize("damage,count", [(flip, 1), (truncate, 1), (empty, 2)])
def test_a_damaged_checkpoint_is_passed_over_and_the_bits_stay(gan, data, tmp_path, damage, count):
    train(gan, data, "run", "--steps", 60, "--checkpoint-every", 20, "--contaminate", 0.1)
    whole, log = (tmp_path / "run" / "final.npz").read_bytes(), timeless(tmp_path / "run")
    (tmp_path / "run" / "final.npz").unlink()
    names = [f"step-{step:08}" for step in (60, 40, 20)]
    for name in names[:count]:
        damage(tmp_path / "run" / "checkpoints" / f"{name}.npz")
    done = gan("train", "--output", "run", "--resume", "--threads", 1, "--quiet")
    assert done.code == 0 and done.err.count("\n") == 1 and names[0] in done.err and f"went on from {names[count]}" in done.err
    assert (tmp_path / "run" / "final.npz").read_bytes() == whole
    lines = timeless(tmp_path / "run")
    assert [line for line in lines if "warning" not in line] == log
    assert [line["step"] for line in lines if "warning" in line] == [60 - 20 * count]
    found = sorted(path.name for path in (tmp_path / "run" / "checkpoints").iterdir())
    assert found == sorted([f"{name}.npz" for name in names] + [f"{name}.npz.damaged" for name in names[:count]])


def test_a_run_without_a_readable_checkpoint_is_one_sentence(gan, data, tmp_path):
    train(gan, data, "run", "--steps", 10, "--checkpoint-every", 5)
    for path in (tmp_path / "run" / "checkpoints").iterdir():
        truncate(path)
    for command in (["train", "--output", "run", "--resume"], ["score", "run", "--features", "f.pt"], ["sample", "run/checkpoints/step-00000005.npz", "--output", "a.png"]):
        feature_file(tmp_path / "f.pt")
        done = gan(*command, "--quiet")
        assert done.code == 2 and "step-000000" in done.err and done.err.count("\n") == 1, done.err
    assert not (tmp_path / "a.png").exists()


def test_a_damaged_configuration_is_one_sentence(gan, data, tmp_path):
    train(gan, data, "run", "--steps", 10)
    config = tmp_path / "run" / "config.json"
    for text in ["", "[]", config.read_text()[:40], config.read_text().replace('"mlp"', '"cnn"'), config.read_text().replace('"rate"', '"lr"')]:
        config.write_text(text)
        done = gan("suspects", "run")
        assert done.code == 2 and "config.json" in done.err and done.err.count("\n") == 1, done.err


def start(line, cwd):
    """A process that Ctrl-C reaches, although a shell lets its background jobs ignore it."""
    return subprocess.Popen(list(map(str, line)), cwd=cwd, stderr=subprocess.PIPE, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def listens(process):
    """Whether motmot-gan has come so far as to catch Ctrl-C: libtorch takes its time to load."""
    caught = next(line for line in open(f"/proc/{process.pid}/status") if line.startswith("SigCgt"))
    return os.readlink(f"/proc/{process.pid}/exe").endswith("motmot-gan") and int(caught.split()[1], 16) >> (signal.SIGINT - 1) & 1


@pytest.mark.parametrize("command", ["train", "features"])
def test_ctrl_c_ends_with_130_and_a_run_goes_on_bit_for_bit(gan, data, tmp_path, command):
    options = tiny("--steps", 400, "--checkpoint-every", 150, "--contaminate", 0.1)
    if command == "features":
        cifar_folder(tmp_path / "cifar")
        options = ["--epochs", 100000, "--threads", 1, "--quiet"]
    line = [BIN / "motmot", "gan", command, "--data", data if command == "train" else "cifar",
            "--output", "run" if command == "train" else "features.npz", *options]
    process = start(line, tmp_path)
    begun = lambda: (tmp_path / "run" / "log.jsonl").exists() if command == "train" else any(tmp_path.glob(".*"))
    while not begun() and process.poll() is None:
        time.sleep(0.01)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and err.count("\n") == 1 and "interrupted" in err, err
    assert not (tmp_path / "features.npz").exists() and not any(tmp_path.glob(".*"))
    if command == "train":
        assert gan("train", "--output", "run", "--resume", "--threads", 1).code == 0
        assert gan("train", "--data", data, "--output", "whole", *options).code == 0
        assert (tmp_path / "run" / "final.npz").read_bytes() == (tmp_path / "whole" / "final.npz").read_bytes()


def test_a_second_ctrl_c_ends_a_run_in_the_middle_of_a_step(data, tmp_path):
    line = [BIN / "motmot", "gan", "train", "--data", data, "--output", "run", *tiny("--critic-steps", 60000)]
    process = start(line, tmp_path)
    while not (tmp_path / "run" / "log.jsonl").exists() and process.poll() is None:
        time.sleep(0.01)
    for _ in range(2):  # a step takes a minute, so the first one has no effect yet
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        time.sleep(0.5)
    err = process.communicate(timeout=5)[1]
    assert process.returncode == 130 and err.count("\n") == 1 and "interrupted" in err


def test_ctrl_c_leaves_nothing_half_written_of_looking_at_a_run(gan, data, tmp_path):
    train(gan, data, "run", "--steps", 10)
    (tmp_path / "images.npy").write_text("what was there before")
    process = start([BIN / "motmot", "gan", "sample", "run", "--count", 3000000, "--output", "images.npy", "--memory-limit", "1TB"], tmp_path)
    while process.poll() is None and not listens(process):
        time.sleep(0.01)
    time.sleep(0.5)
    assert process.poll() is None, "3 million images take longer"
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=60)[1]
    assert process.returncode == 130 and err.count("\n") == 1 and "interrupted" in err, err
    assert (tmp_path / "images.npy").read_text() == "what was there before" and not any(tmp_path.glob(".*"))


def test_a_folder_is_one_runs_at_a_time(gan, data, tmp_path):
    options = tiny("--steps", 40, "--checkpoint-every", 10)
    files = lambda: {path: path.read_bytes() for path in (tmp_path / "run").rglob("*") if path.is_file()}
    first = start([BIN / "motmot", "gan", "train", "--data", data, "--output", "run", *tiny("--critic-steps", 60000)], tmp_path)
    try:
        while not (tmp_path / "run" / "log.jsonl").exists() and first.poll() is None:
            time.sleep(0.01)
        before = files()
        for more in ["--data", data, *options], ["--resume", "--threads", 1]:
            second = gan("train", "--output", "run", *more)
            assert second.code == 2 and second.err.count("\n") == 1 and "another run is writing to 'run'" in second.err, second.err
        assert files() == before and first.poll() is None
    finally:
        first.kill()
        first.wait()
    assert gan("train", "--data", data, "--output", "run", *options).code == 0, "the folder is free again"


def test_resume_refuses_other_options(gan, data):
    train(gan, data, "run", "--steps", 10)
    done = gan("train", "--output", "run", "--resume", "--rate", 0.1)
    assert done.code == 2 and "--rate" in done.err and done.err.count("\n") == 1
    again = gan("train", "--data", data, "--output", "run", "--steps", 10)
    assert again.code == 2 and "--resume" in again.err


def feature_file(path):
    import torch

    class Features(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = torch.nn.Parameter(torch.randn(3 * 1024, 12) / 1000)

        def forward(self, x):
            return x.flatten(1) @ self.weight

    torch.manual_seed(0)
    net = Features()
    torch.jit.script(net).save(str(path))
    return net.weight.detach().double().numpy()


def test_fid_and_kid_are_those_of_scipy_and_numpy(gan, tmp_path):
    from scipy.linalg import sqrtm
    np.save(tmp_path / "blobs.npy", blobs(500, 1))  # one block of KID
    train(gan, "blobs.npy", "run", "--steps", 30, "--checkpoint-every", 30, "--contaminate", 0.1)
    weight = feature_file(tmp_path / "features.pt")
    got = gan("score", "run", "--features", "features.pt", "--images", 1200, "--json", "-", "--quiet").json()
    assert len(got["checkpoints"]) == 1 and got["outlier_share"] is None and got["reference"] == 500
    assert gan("sample", "run", "--count", 1200, "--output", "images.npy", "--quiet").code == 0
    generated = np.load(tmp_path / "images.npy")
    real = np.rint((blobs(500, 1).reshape(500, -1) + 1) * 127.5)
    a, b = (np.repeat(x, 3, 0).reshape(len(x), -1) @ weight for x in (generated, real))
    root = sqrtm(np.cov(a.T) @ np.cov(b.T)).real
    fid = ((a.mean(0) - b.mean(0)) ** 2).sum() + np.trace(np.cov(a.T) + np.cov(b.T) - 2 * root)
    assert got["fid"] == pytest.approx(fid, rel=1e-3)
    x, y, d = a[:500], b, 12
    k = lambda p, q: (p @ q.T / d + 1) ** 3
    mmd = (k(x, x).sum() - np.trace(k(x, x)) + k(y, y).sum() - np.trace(k(y, y))) / (500 * 499) - 2 * k(x, y).mean()
    assert got["kid"] == pytest.approx(mmd, rel=1e-3)
    (tmp_path / "run" / "checkpoints" / "step-00000030.npz").rename(tmp_path / "alone.npz")
    alone = gan("score", "alone.npz", "--features", "features.pt", "--images", 1200, "--json", "-", "--quiet").json()
    assert alone["fid"] == got["fid"] and alone["kid"] == got["kid"]  # a checkpoint knows its data


def script_file(path, module):
    import torch
    torch.jit.script(module).save(str(path))


def test_a_bad_feature_file_is_one_sentence_that_names_it(gan, data, tmp_path):
    import torch

    class Narrow(torch.nn.Module):
        def forward(self, x):
            return x.flatten(1) @ torch.ones(5, 3)

    class Nothing(torch.nn.Module):
        def forward(self, x):
            return x.flatten(1) * float("nan")

    class OneRow(torch.nn.Module):
        def forward(self, x):
            return x.flatten(1)[:1]

    train(gan, data, "run", "--steps", 5)
    feature_file(tmp_path / "whole.pt")
    bad = {"half.pt": (tmp_path / "whole.pt").read_bytes()[:2000], "text.pt": b"not a module\n", "empty.pt": b"", "text.npz": b"not an archive\n"}
    for name, content in bad.items():
        (tmp_path / name).write_bytes(content)
    for name, module in {"narrow.pt": Narrow(), "nothing.pt": Nothing(), "one_row.pt": OneRow()}.items():
        script_file(tmp_path / name, module)
    for name in [*bad, "narrow.pt", "nothing.pt", "one_row.pt", "run/final.npz", "nowhere.pt"]:
        done = gan("score", "run", "--features", name, "--images", 100, "--json", "scores.json")
        assert done.code == 2 and name in done.err and done.err.count("\n") == 1, done.err
        assert "Exception" not in done.err and "frame #" not in done.err and len(done.err) < 400, done.err
        assert not (tmp_path / "scores.json").exists()
    assert "shapes cannot be multiplied" in gan("score", "run", "--features", "narrow.pt", "--images", 100).err


def test_memory_that_ends_inside_libtorch_is_one_line(data, tmp_path):
    import resource
    limit = 2 << 30  # libtorch itself maps less; a network of this size needs more
    line = [BIN / "motmot-gan", "train", "--data", data, "--output", "run", "--net", "mlp", "--width", 1400, "--threads", 1]
    done = subprocess.run(list(map(str, line)), cwd=tmp_path, capture_output=True, text=True,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert done.returncode == 2 and "takes more memory than" in done.stderr and done.stderr.count("\n") == 1, done.stderr
    assert "frame #" not in done.stderr and "Exception raised" not in done.stderr


def write_pictures(folder, images):
    from PIL import Image
    folder.mkdir(parents=True)
    for i, image in enumerate(images):
        Image.fromarray(np.uint8((image + 1) * 127.5)).save(folder / f"{i:03}.{'png' if i % 2 else 'jpg'}", **({} if i % 2 else {"quality": 95}))


def test_a_folder_of_png_and_jpeg_and_a_folder_of_outliers(gan, tmp_path):
    pytest.importorskip("PIL")
    write_pictures(tmp_path / "pictures" / "one", blobs(60, 2, 50))
    write_pictures(tmp_path / 'odd "ones"', np.random.default_rng(0).uniform(-1, 1, (5, 40, 40)))
    train(gan, "pictures", "run", "--steps", 3, "--outliers", 'odd "ones"', "--contaminate", 4)
    rows = list(csv.DictReader((tmp_path / "run" / "rows.csv").open()))
    assert len(rows) == 64 and sum('odd "ones"' in row["source"] for row in rows if row["dirty"] == "1") == 4


def cifar_folder(folder):
    rng = np.random.default_rng(0)
    folder.mkdir()
    for name in [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin"]:
        labels = rng.integers(0, 10, 120)
        images = (np.uint8(25 * labels)[:, None] + rng.integers(0, 20, (120, 3072))).astype(np.uint8)
        np.hstack([labels[:, None].astype(np.uint8), images]).tofile(folder / name)
    return folder


def test_cifar_layout_features_and_outlier_share(gan, tmp_path):
    folder = cifar_folder(tmp_path / "cifar")
    done = gan("features", "--data", folder, "--output", "features.npz", "--epochs", 30, "--threads", 1)
    assert done.code == 0 and "100.0 % of noise" in done.out, done.out + done.err
    train(gan, folder, "run", "--steps", 5, "--batch", 16)
    rows = list(csv.DictReader((tmp_path / "run" / "rows.csv").open()))
    assert sum(row["dirty"] == "1" for row in rows) == 9  # 1.5 % by default, as in the paper
    got = gan("score", "run", "--features", "features.npz", "--images", 200, "--json", "-", "--quiet").json()
    assert 0 <= got["outlier_share"] <= 1 and "CIFAR-10" in got["features"] and not got["reference_is_train"]


def test_a_list_of_images_to_leave_out_is_kept_with_the_run(gan, data, tmp_path):
    train(gan, data, "all", "--steps", 5, "--contaminate", 0.1, "--seed", 2)
    rows = list(csv.DictReader((tmp_path / "all" / "rows.csv").open()))
    lines = [f"{row['row']},{row['source']},{1 - int(row['dirty'])}" for row in rows]
    (tmp_path / "list.csv").write_text("\n".join(["row,source,kept", *lines]) + "\n")
    for output in ["a", "b"]:
        train(gan, data, output, "--steps", 5, "--contaminate", 0.1, "--seed", 2, "--without", "list.csv")
    left = list(csv.DictReader((tmp_path / "a" / "rows.csv").open()))
    assert [row["source"] for row in left] == [row["source"] for row in rows if row["dirty"] == "0"]
    assert (tmp_path / "a" / "final.npz").read_bytes() == (tmp_path / "b" / "final.npz").read_bytes()
    assert gan("suspects", "a", "--json", "-", "--quiet").json()["dirty"] == 0
    assert gan("train", "--output", "a", "--resume", "--quiet").code == 0
    other = gan("train", "--data", data, "--output", "c", *tiny("--contaminate", 0.1, "--seed", 3, "--without", "list.csv"))
    assert other.code == 2 and "list.csv" in other.err and "line 2" in other.err and other.err.count("\n") == 1


def test_clean_lists_noise_and_shows_it(gan, data, tmp_path):
    feature_file(tmp_path / "f.pt")
    options = ["--features", "f.pt", "--contaminate", 0.1, "--tau", 0.1, "--threads", 1]
    found = gan("clean", data, *options, "--output", "clean.csv", "--report", "clean.html", "--vectors", "f.npy", "--json", "-", "--quiet").json()
    assert found["images"] == 1000 and found["left_out"] == 100 and found["neighbour"] == 126 and found["dirty"] == 100
    rows = list(csv.DictReader((tmp_path / "clean.csv").open()))
    out = [row for row in rows if row["kept"] == "0"]
    assert len(rows) == 1000 and len(out) == 100 and min(float(row["score"]) for row in out) >= max(float(row["score"]) for row in rows if row["kept"] == "1")
    assert found["precision"] == pytest.approx(np.mean([row["source"].startswith("noise") for row in out])) and found["precision"] > 0.95
    vectors = np.load(tmp_path / "f.npy")
    one = int(out[0]["row"]) - 1
    assert vectors.shape == (1000, 12)
    assert float(out[0]["score"]) == pytest.approx(np.sort(np.linalg.norm(vectors - vectors[one], axis=1))[126], rel=1e-4)
    page = (tmp_path / "clean.html").read_text()
    assert page.count("data:image/png;base64,") == 100 + 40 + 40 and "Left out first" in page
    train(gan, data, "run", "--steps", 5, "--contaminate", 0.1, "--without", "clean.csv", "--loss", "wgan")


@pytest.mark.parametrize("channels", [1, 3])
def test_clean_needs_neither_labels_nor_a_network(gan, tmp_path, channels):
    rng = np.random.default_rng(2)
    images = np.clip(128 + 127 * np.repeat(blobs(450, 1)[..., None], channels, 3) + rng.normal(0, 5, (450, 32, 32, channels)), 0, 255).astype(np.uint8)
    np.save(tmp_path / "all.npy", np.concatenate([images, rng.integers(0, 256, (50, 32, 32, channels), np.uint8)]))
    done = gan("clean", "all.npy", "--tau", 0.1, "--vectors", "f.npy", "--json", "j.json")
    assert done.code == 0 and "brightness, contrast and edges" in done.out and "wrote clean.csv and clean.html" in done.out, done.err
    rows = list(csv.DictReader((tmp_path / "clean.csv").open()))
    assert sorted(row["source"] for row in rows if row["kept"] == "0") == [f"train {number}" for number in range(451, 501)]
    page = (tmp_path / "clean.html").read_text()
    assert all(f">image {number}<" in page for number in range(451, 501))
    drawn = [int(row["source"].split()[1]) - 1 for row in rows]
    pixels = np.load(tmp_path / "all.npy") / 255
    across, down = np.zeros_like(pixels), np.zeros_like(pixels)
    across[:, :, :-1], down[:, :-1] = np.abs(np.diff(pixels, axis=2)), np.abs(np.diff(pixels, axis=1))
    fields = lambda values: values.reshape(500, 4, 8, 4, 8, channels).mean((2, 4))
    spread = np.sqrt(np.maximum(0, fields(pixels ** 2) - fields(pixels) ** 2))
    expected = np.stack([fields(pixels), spread, fields(across), fields(down)], -1)  # image, row, column, channel, number
    assert np.load(tmp_path / "f.npy") == pytest.approx(expected.transpose(0, 3, 1, 2, 4).reshape(500, -1)[drawn], abs=1e-7)
    listed = gan("clean", "all.npy", "--output", "-", "--quiet")
    assert listed.out == (tmp_path / "clean.csv").read_text() and sorted(path.name for path in tmp_path.glob("*.html")) == ["clean.html"]


def test_clean_refuses_in_one_sentence_and_writes_nothing(gan, data, tmp_path):
    feature_file(tmp_path / "f.pt")
    good = ["--features", "f.pt", "--output", "clean.csv"]
    for arguments, words in [([data, *good, "--tau", 0.5], "--tau"), ([data, *good, "--tau", 0], "--tau"), (["nowhere", *good], "nowhere"),
                             ([data, "--features", "no.pt", "--output", "clean.csv"], "no.pt"), ([data, *good, "--vectors", "v.csv"], "--vectors"),
                             ([data, *good, "--report", "clean.csv"], "clean.csv"), ([data, "--output", "a.html"], "a.html"),
                             ([data, "--output", "clean.csv", "--feature-size", 64], "--features")]:
        done = gan("clean", *arguments)
        assert done.code == 2 and words in done.err and done.err.count("\n") == 1, (arguments, done.err)
        assert not (tmp_path / "clean.csv").exists() and not any(tmp_path.glob(".*"))


def bad_files(folder):
    (folder / "empty").mkdir()
    (folder / "broken").mkdir()
    (folder / "broken" / "a.png").write_bytes(b"\x89PNG\r\n\x1a\nnonsense")
    (folder / "broken_jpeg").mkdir()
    (folder / "broken_jpeg" / "a.jpg").write_bytes(b"\xff\xd8\xff\xe0rubbish")
    (folder / "short.bin").write_bytes(b"\0" * 3000)
    np.save(folder / "odd.npy", np.zeros((5, 37)))
    np.save(folder / "range.npy", np.full((5, 32, 32), 300))


@pytest.mark.parametrize("data,words", [("nowhere", "nowhere"), ("empty", "empty"), ("broken", "a.png"), ("broken_jpeg", "a.jpg"),
                                        ("short.bin", "3073"), ("odd.npy", "37"), ("range.npy", "300")])
def test_bad_data_is_one_sentence_that_names_the_file(gan, tmp_path, data, words):
    bad_files(tmp_path)
    done = gan("train", "--data", data, "--output", "run", "--steps", 1)
    assert done.code == 2 and words in done.err and done.err.count("\n") == 1
    assert not (tmp_path / "run" / "final.npz").exists()


@pytest.mark.parametrize("options,words", [(["--loss", "wasser"], "--loss"), (["--trim", 1], "--trim"), (["--decay", 2], "--decay"), (["--batch", 5000], "5000"),
                                           (["--blocks", 50, "--loss", "mom"], "--blocks"), (["--contaminate", -1], "--contaminate"),
                                           (["--inliers", "0-x"], "--inliers"), (["--inliers", "4-0"], "4-0"), (["--device", "tpu"], "--device"),
                                           (["--outliers", "class:3", "--contaminate", 0.1], "labels"),
                                           (["--gradient-penalty", 1, "--norm", "batch"], "--gradient-penalty"), (["--keep", 1], "--keep"),
                                           (["--loss", "wgan", "--trim", 0.2], "--trim"), (["--loss", "mom", "--cut", 1], "--cut"),
                                           (["--loss", "wgan", "--blocks", 4], "--blocks"), (["--match-batch"], "--match-batch"),
                                           (["--clip", 0.1, "--gradient-penalty", 1], "--clip"), (["--clip", 0.1, "--penalty-rows", 4], "--penalty-rows"),
                                           (["--outliers", "noise"], "--contaminate"), (["--contaminate", 1.5], "--contaminate"),
                                           (["--width", 10**12], "--width"), (["--width", 60000], "--width"), (["--fakes", 10**12], "--fakes"),
                                           (["--blocks", 2**63, "--loss", "mom", "--match-batch"], "--blocks"), (["--seed", 2**64], "--seed"),
                                           (["--mass", 0.5, "--loss", "partial"], "--mass"), (["--mass", 0.9], "--mass"), (["--mass-price", 2], "--mass-price"),
                                           (["--mass-price", 0, "--loss", "unbalanced"], "--mass-price"), (["--trim-from", 2], "--trim-from"),
                                           (["--loss", "wgan", "--trim-from", 0.5], "--trim-from"), (["--penalty", "r2"], "--penalty"),
                                           (["--clip", 0.1, "--penalty", "r1"], "--penalty"), (["--without", "nowhere.csv"], "nowhere.csv"),
                                           (["--lr", 0.1], "--lr"), (["--rate", "nan"], "--rate")])
def test_bad_options_are_named(gan, data, options, words):
    done = gan("train", "--data", data, "--output", "run", *tiny(*options))
    assert done.code == 2 and words in done.err and done.err.count("\n") == 1


def test_empty_names_and_idle_options_of_other_commands_are_refused(gan, data, tmp_path):
    train(gan, data, "run", "--steps", 5)
    feature_file(tmp_path / "f.pt")
    (tmp_path / "f.npz").write_bytes(b"")
    for arguments, words in [(["train", "--data", data, "--output", ""], "--output"), (["train", "--data", "", "--output", "x"], "--data"),
                             (["sample", "run", "--output", ""], "--output"), (["sample", "", "--output", "a.png"], "RUN"),
                             (["sample", "run", "--output", "a.npy", "--columns", 4], "--columns"), (["sample", "run", "--output", "a.png", "--columns", 0], "--columns"),
                             (["features", "--data", data, "--output", ""], "--output"), (["features", "--data", "", "--output", "x.npz"], "--data"),
                             (["score", "run", "--features", ""], "--features"), (["score", "run", "--features", "f.pt", "--json", ""], "--json"),
                             (["score", "run", "--features", "f.npz", "--feature-size", 64], "--feature-size"),
                             (["score", "run", "--features", "f.pt", "--feature-size", 10**9], "--feature-size"),
                             (["suspects", "run", "--output", ""], "--output"), (["suspects", "run", "--seed", 1], "--seed"), (["compare", ""], "RUNS")]:
        done = gan(*arguments)
        assert done.code == 2 and words in done.err and done.err.count("\n") == 1, (arguments, done.err)


def forecast_of(done):
    """In MB, of a command that was refused."""
    assert done.code == 2 and done.err.count("\n") == 1 and done.out == "", done.err
    found = re.search(r"this would take about ([\d.e+]+) (MB|GB), and \d+ MB are allowed \(--memory-limit\): (choose|take) .*, or allow more$", done.err)
    assert found, done.err
    return float(found[1]) * (1000 if found[2] == "GB" else 1)


def peak_of(arguments, folder):
    """In MB. A process counts what the one that started it had: a small one starts it."""
    start = "import os, sys; child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ); _, code, used = os.wait4(child, 0); print(code, used.ru_maxrss)"
    done = subprocess.run([sys.executable, "-S", "-c", start, BIN / "motmot", "gan", *map(str, arguments), "--quiet"], cwd=folder, capture_output=True, check=True)
    code, kilobytes = map(int, done.stdout.split())
    assert code == 0, done.stderr
    return kilobytes * 1.024e-3


sanitized = b"__asan_init" in (BIN / "motmot-gan").read_bytes()
plain_memory = pytest.mark.skipif(sanitized, reason="a sanitizer takes memory of its own")


@plain_memory
@pytest.mark.parametrize("options", [["--net", "mlp"], ["--width", 64], ["--width", 32, "--batch", 128, "--penalty-rows", 0],
                                     ["--loss", "mom", "--match-batch", "--width", 32], ["--net", "mlp", "--width", 200],
                                     ["--latent", 4000, "--width", 32]])
def test_what_training_takes_is_forecast(gan, tmp_path, options):
    np.save(tmp_path / "few.npy", blobs(300, 1).astype(np.float32))
    command = ["train", "--data", "few.npy", "--output", "run", "--steps", 2, "--threads", 1, *options]
    forecast = forecast_of(gan(*command, "--quiet", "--memory-limit", "230MB"))
    assert not (tmp_path / "run").exists()
    peak = peak_of(command, tmp_path)
    assert peak <= forecast <= 2 * peak


@plain_memory
def test_what_images_take_is_forecast(gan, tmp_path):
    np.save(tmp_path / "many.npy", np.zeros((12_000, 32, 32), np.uint8))
    train_many = ["train", "--data", "many.npy", "--output", "run", "--net", "mlp", "--width", 4, "--steps", 2]
    for command in [train_many, ["sample", "run", "--count", 10_000, "--output", "a.npy"], ["sample", "run", "--count", 10_000, "--output", "a.png"],
                    ["suspects", "run"]]:
        forecast = forecast_of(gan(*command, "--quiet", "--memory-limit", "230MB"))
        peak = peak_of(command, tmp_path)
        assert peak <= forecast <= 2 * peak, (command, peak, forecast)


def test_what_does_not_fit_is_refused_before_the_work(gan, data, tmp_path):
    train(gan, data, "run", "--steps", 5)
    feature_file(tmp_path / "f.pt")
    before = sorted(path.name for path in tmp_path.iterdir())
    assert forecast_of(gan("train", "--data", data, "--output", "new", *tiny("--contaminate", 10**8), "--memory-limit", "500MB")) > 100_000
    assert forecast_of(gan("sample", "run", "--count", 10**18, "--output", "a.npy", "--memory-limit", "500MB")) > 1e12
    assert forecast_of(gan("score", "run", "--features", "f.pt", "--images", 10**18, "--memory-limit", "500MB")) > 1e12
    for command in [["train", "--data", data, "--output", "new"], ["sample", "run", "--output", "a.png"], ["score", "run", "--features", "f.pt"],
                    ["suspects", "run"], ["clean", data, "--features", "f.pt", "--output", "clean.csv"],
                    ["features", "--data", data, "--output", "g.npz"]]:
        done = gan(*command, "--memory-limit", "100MB")
        assert done.code == 2 and "libtorch alone takes about 220 MB, and 100 MB are allowed (--memory-limit)" in done.err, done.err
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_compare_pairs_by_seed(gan, tmp_path):
    lines = ["data,contaminate,method,seed,fid"]
    for seed, shared in enumerate([1, 50, 100]):
        lines += [f'"d, e",0.1,wgan,{seed},{shared + 10}', f'"d, e",0.1,trim,{seed},{shared + seed}']
    (tmp_path / "runs.csv").write_text("\n".join(lines) + "\n")
    done = gan("compare", "runs.csv", "--columns", "fid")
    rows = {row["method"]: row for row in csv.DictReader(done.out.splitlines())}
    assert float(rows["trim"]["difference"]) == pytest.approx(-9) and rows["trim"]["paired_seeds"] == "3"
    assert -10 <= float(rows["trim"]["difference_low"]) < float(rows["trim"]["difference_high"]) <= -8
    assert rows["wgan"]["difference"] == "" and rows["wgan"]["data"] == "d, e"
    for options, words in [(["--columns", "fidd"], "fidd"), (["--baseline", "gan"], "gan")]:
        done = gan("compare", "runs.csv", *options)
        assert done.code == 2 and words in done.err and not done.out
