"""README's examples do what they say."""
import os
import re
import subprocess

import pytest
from conftest import BIN, ROOT

README = (ROOT / "README.md").read_text()


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.S)


def test_shell_examples_run(tmp_path):
    ran = 0
    for block in blocks("sh"):
        if "motmot" not in block:
            continue
        env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", block], cwd=tmp_path, env=env, capture_output=True, timeout=300)
        assert done.returncode == 0, done.stderr.decode()
        ran += 1
    assert ran > 0


def test_the_answer_shown_is_the_one_printed(tmp_path):
    """All but the time and the number of threads."""
    shown = README.split("The second command prints\n\n```\n")[1].split("```")[0]
    make, ask = blocks("sh")[1].splitlines()[:2]
    env = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
    subprocess.run(make, shell=True, cwd=tmp_path, env=env, check=True, capture_output=True)
    printed = subprocess.run(ask, shell=True, cwd=tmp_path, env=env, check=True, capture_output=True, text=True).stdout
    any_time = lambda text: re.sub(r"[0-9.]+ s on \d+ threads?", "TIME", text).strip()
    assert any_time(printed) == any_time(shown)


def test_the_cpp_example_is_the_file_that_the_tests_build_and_run():
    shown = blocks("cpp")
    assert shown and shown[0] == (ROOT / "examples/distance.cpp").read_text()


@pytest.mark.parametrize("path", ["README.md", "docs/json.md", "docs/results.md", "docs/paper_map.md", "docs/tutorial.md", "docs/sources.md", "docs/results-outliers.md", "docs/trust.md", "docs/results-trust.md", "CONTRIBUTING.md"])
def test_links_lead_somewhere(path):
    page = ROOT / path
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
        assert (page.parent / target).exists(), f"{path} links to {target}"


def test_paper_map_names_things_that_exist():
    text = (ROOT / "docs/paper_map.md").read_text()
    for path in re.findall(r"`((?:src|tests|include|apps|study|report|python|bench)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path
