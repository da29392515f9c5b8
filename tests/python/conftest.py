import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

os.environ["MOTMOT_CORES"] = "8"  # bits must not depend on the number of threads: try several on any machine
ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ["MOTMOT_BIN"]).resolve()
PACKAGE = pathlib.Path(os.environ["PYTHONPATH"].split(":")[0]).resolve()


@pytest.fixture
def command(tmp_path):
    """The command on two arrays: the JSON it writes, or its complaint."""

    def run(name, x, y, *arguments):
        np.save(tmp_path / "x.npy", x)
        np.save(tmp_path / "y.npy", y)
        done = subprocess.run([BIN / "motmot", name, "x.npy", "y.npy", "--quiet", "--json", "-", *map(str, arguments)],
                              cwd=tmp_path, capture_output=True, text=True, timeout=300)
        if done.returncode == 2:
            return done.stderr.removeprefix(f"motmot {name}: ").rstrip("\n")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    return run


def without_time(fields):
    """What must be the same in every run."""
    return {key: without_time(value) if isinstance(value, dict) else value for key, value in fields.items()
            if key not in ("seconds", "threads")}
