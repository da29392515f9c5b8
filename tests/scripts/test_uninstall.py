"""scripts/uninstall removes what was installed and nothing else."""
import os
import pathlib
import subprocess

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/uninstall"


def run(*arguments, destdir=""):
    return subprocess.run([SCRIPT, *map(str, arguments)], env={**os.environ, "DESTDIR": str(destdir)}, capture_output=True, text=True)


@pytest.mark.parametrize("staged", [False, True])
def test_what_was_installed_goes_and_what_others_put_there_stays(tmp_path, staged):
    destdir = tmp_path / "stage" if staged else ""
    prefix = pathlib.Path("/opt/house") if staged else tmp_path / "house"
    at = lambda name: pathlib.Path(f"{destdir}{prefix}/{name}")
    ours = ["bin/motmot", "include/motmot/base.hpp", "lib/python3/dist-packages/motmot/__init__.py"]
    others = ["bin/ls", "lib/python3/dist-packages/other.py"]
    for name in [*ours, *others, "lib/python3/dist-packages/motmot/__pycache__/x.pyc"]:
        at(name).parent.mkdir(parents=True, exist_ok=True)
        at(name).write_text(name)
    build = tmp_path / "build"
    build.mkdir()
    (build / "install_manifest.txt").write_text("\n".join(f"{prefix}/{name}" for name in ours))
    assert run("--record", build, prefix, destdir=destdir).returncode == 0
    (build / "install_manifest.txt").write_text("/another/install/bin/motmot")

    done = run(build, prefix, destdir=destdir)
    assert done.returncode == 0 and done.stdout.startswith("uninstall: 3 files removed from ")
    left = {str(path.relative_to(at(""))) for path in at("").rglob("*") if path.is_file()}
    assert left == set(others)
    assert not at("include/motmot").exists() and not at("lib/python3/dist-packages/motmot").exists()


def test_without_a_record_of_an_install_nothing_is_removed(tmp_path):
    done = run(tmp_path, tmp_path / "house")
    assert done.returncode == 1 and "nothing was installed into" in done.stderr
