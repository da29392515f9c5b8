import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ["MOTMOT_BIN"]).resolve()


needs_little_memory = pytest.mark.skipif(any(name in (BIN / "motmot").read_bytes() for name in (b"__asan_init", b"__tsan_init")),
                                         reason="a sanitizer needs more memory than this test allows")


class Run:
    """What a command printed and how it ended."""

    def __init__(self, arguments, cwd, stdin=None, env=None):
        done = subprocess.run([BIN / "motmot", *map(str, arguments)], cwd=cwd, input=stdin, capture_output=True,
                              env={**os.environ, **(env or {})}, timeout=300)
        self.code, self.out, self.err = done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture
def motmot(tmp_path):
    def run(*arguments, stdin=None, env=None):
        return Run(arguments, tmp_path, stdin, env)
    return run


@pytest.fixture
def toy(tmp_path, motmot):
    """120 and 90 rows with 12 outliers in X, in toy/."""
    assert motmot("generate", "d1", "--n", 120, "--m", 90, "--tau-x", 0.1, "--seed", 1, "--output", "toy").code == 0
    return tmp_path / "toy"
