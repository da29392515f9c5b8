"""scripts/check_layers.py: what points the wrong way is found, and every folder has its place."""
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHECKER = ROOT / "scripts/check_layers.py"
sys.path.insert(0, str(CHECKER.parent))
import check_layers  # noqa: E402


def check(root):
    done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True)
    return done.returncode, done.stderr


@pytest.fixture
def tree(tmp_path):
    """A tree with one header in every room, and a way to add files to it."""
    def add(path, *includes):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("".join(f'#include "{name}"\n' for name in includes))
    for room in check_layers.RANK:
        add(f"{room}/{room}.hpp" if room in check_layers.BESIDE else f"src/{room}/{room}.hpp")
        add(f"include/motmot/{room}.hpp")
    for front in check_layers.FRONT:
        add(f"{front}/main.cpp")
    return add, tmp_path


def test_every_file_of_the_project_includes_only_rooms_to_its_left():
    assert check(ROOT) == (0, "")


def test_a_tree_where_all_point_left_is_clean(tree):
    add, root = tree
    add("src/blocks/a.cpp", "base/base.hpp", "data/data.hpp", "blocks/blocks.hpp", "motmot/data.hpp")
    add("apps/motmot/a.cpp", "motmot/report.hpp", "answer/answer.hpp")
    assert check(root) == (0, "")


@pytest.mark.parametrize("file, include", [
    ("src/base/a.cpp", "data/data.hpp"), ("src/estimate/a.cpp", "answer/answer.hpp"), ("src/data/a.cpp", "kernels/kernels.hpp"),
    ("src/blocks/a.cpp", "motmot/inference.hpp"), ("include/motmot/base.hpp", "motmot/answer.hpp"),
    ("src/answer/a.cpp", "report/report.hpp"), ("gan/src/a.cpp", "critics/critics.hpp"), ("python/src/a.cpp", "base/base.hpp")])
def test_an_include_that_points_right_is_named_with_its_file(tree, file, include):
    add, root = tree
    add(file, include)
    code, complaint = check(root)
    assert code == 1 and file in complaint and include in complaint and complaint.count("\n") == 1


def test_an_include_of_nothing_is_named(tree):
    add, root = tree
    add("src/base/a.cpp", "base/gone.hpp")
    assert check(root) == (1, "src/base/a.cpp includes base/gone.hpp, which is not there\n")


def test_a_folder_without_a_place_and_a_place_without_a_folder_are_named(tree):
    add, root = tree
    add("src/attic/a.cpp")
    (root / "src/theory/theory.hpp").unlink()
    code, complaint = check(root)
    assert code == 1 and "attic: this folder has no place" in complaint and "theory: " in complaint
