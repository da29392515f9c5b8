import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

BIN = pathlib.Path(os.environ["MOTMOT_BIN"]).resolve()


class Run:
    def __init__(self, arguments, cwd):
        done = subprocess.run([BIN / "motmot", "gan", *map(str, arguments)], cwd=cwd, capture_output=True, timeout=300)
        self.code, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()

    def json(self):
        assert self.code == 0, self.err
        return json.loads(self.out)


@pytest.fixture
def gan(tmp_path):
    def run(*arguments):
        return Run(arguments, tmp_path)
    return run


def blobs(n, seed, size=32):
    """One bright spot per image, somewhere in the left half."""
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[:size, :size]
    cy, cx = rng.uniform(8, 24, (n, 1, 1)), rng.uniform(6, 14, (n, 1, 1))
    return 2 * np.exp(-((y - cy) ** 2 + (x - cx) ** 2) / 18) - 1


@pytest.fixture
def data(tmp_path):
    np.save(tmp_path / "blobs.npy", blobs(900, 1))
    return tmp_path / "blobs.npy"


TINY = {"--net": "mlp", "--width": 4, "--latent": 8, "--batch": 32, "--critic-steps": 2, "--threads": 1}


def tiny(*more):
    """Options of a run that takes seconds; those in `more` come instead of its own."""
    return [word for name, value in TINY.items() if name not in more for word in (name, value)] + ["--quiet", *more]
