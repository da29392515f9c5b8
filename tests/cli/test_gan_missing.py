"""Where motmot-gan was not built, one line says how to get it."""
import shutil
import subprocess

from conftest import BIN


def test_one_line_says_how_to_get_it(tmp_path):
    shutil.copy(BIN / "motmot", tmp_path / "motmot")
    done = subprocess.run([tmp_path / "motmot", "gan", "train", "--help"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and "scripts/setup --all" in done.stderr and done.stderr.count("\n") == 1 and done.stdout == ""
