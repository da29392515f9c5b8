"""scripts/check in a repository whose only step that does anything counts its runs."""
import pathlib
import shutil
import subprocess

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/check"


@pytest.fixture
def place(tmp_path):
    def git(*words):
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=tmp_path, check=True, capture_output=True)

    (tmp_path / "scripts").mkdir()
    shutil.copy(SCRIPT, tmp_path / "scripts/check")
    (tmp_path / "scripts/check_layers.py").write_text("open('build/runs', 'a').write('x')\nraise SystemExit(open('code').read() or 0)\n")
    (tmp_path / ".gitignore").write_text("/build/\n")
    (tmp_path / "code").write_text("")
    git("init")
    git("add", ".")
    git("commit", "-m", "first")
    return tmp_path


def check(place, *words):
    done = subprocess.run(["scripts/check", *words], cwd=place, capture_output=True, text=True)
    runs = place / "build/runs"
    return done.returncode, len(runs.read_text()) if runs.exists() else 0, done.stdout + done.stderr


def test_a_step_that_passed_on_these_files_runs_again_only_where_asked(place):
    assert check(place, "layers")[:2] == (0, 1)
    code, runs, text = check(place, "layers")
    assert (code, runs) == (0, 1) and "passed before on these files" in text
    assert check(place, "--again", "layers")[:2] == (0, 2)


def test_a_step_runs_again_on_other_files_and_after_it_failed(place):
    assert check(place, "layers")[0] == 0
    (place / "code").write_text("broken")  # not committed
    code, runs, text = check(place, "layers")
    assert (code, runs) == (1, 2) and "layers FAILED" in text and "failed: layers" in text
    assert check(place, "layers")[:2] == (1, 3)


def test_files_that_are_not_those_of_a_commit_are_never_taken_for_checked(place):
    (place / "new").write_text("")
    assert [check(place, "layers")[1] for _ in range(2)] == [1, 2]


def test_an_unknown_step_is_refused(place):
    code, runs, text = check(place, "layers", "colour")
    assert (code, runs) == (2, 0) and "there is no step 'colour'" in text
