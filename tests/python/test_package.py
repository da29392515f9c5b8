"""Documentation that runs, stubs that fit, an installed tree that works."""
import doctest
import importlib
import inspect
import os
import pathlib
import pkgutil
import re
import subprocess
import sys

import pytest
from conftest import PACKAGE, ROOT

import motmot


def test_the_module_under_test_is_the_one_that_was_built():
    assert pathlib.Path(motmot.__file__).resolve().parent == PACKAGE / "motmot"
    assert motmot.__version__ == re.search(r"project\(motmot VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]


def test_examples_in_docstrings_run():
    ran = 0
    for name in ["motmot", *(f"motmot.{m.name}" for m in pkgutil.iter_modules(motmot.__path__) if m.name != "_motmot")]:
        result = doctest.testmod(importlib.import_module(name))
        assert result.failed == 0, name
        ran += result.attempted
    assert ran > 20
    for name in motmot.__all__:
        assert inspect.getdoc(getattr(motmot, name)), f"{name} has no docstring"


def test_stubs_and_annotations_fit(tmp_path):
    """mypy on the package, strictly, with the stub of the compiled part."""
    pytest.importorskip("mypy")
    env = {**os.environ, "MYPYPATH": str(PACKAGE), "MYPY_CACHE_DIR": str(tmp_path)}
    checked = subprocess.run([sys.executable, "-m", "mypy", "--strict", "-p", "motmot"], cwd=tmp_path, env=env,
                             capture_output=True, text=True)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_stub_has_the_signatures_of_the_compiled_part():
    """pybind11 writes signatures into docstrings: parameters by name and order must be the stub's."""
    import ast
    from motmot import _motmot
    tree = ast.parse((PACKAGE / "motmot/_motmot.pyi").read_text())

    def compare(node, thing, where):
        shown = re.match(r"\w+\((.*)\) ->", inspect.getdoc(thing))[1]
        names = re.findall(r"(?:^|, )(\w+): ", shown)
        assert names == [argument.arg for argument in node.args.args], where
    in_python = ("__init__", "__call__", "evaluate", "_repr_html_", "dense")
    stubbed = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            compare(node, getattr(_motmot, node.name), node.name)
            stubbed.add(node.name)
        elif isinstance(node, ast.ClassDef) and node.name != "_Part":
            stubbed.add(node.name)
            compiled = getattr(_motmot, node.name)
            for member in node.body:
                if isinstance(member, ast.FunctionDef) and not member.decorator_list and member.name not in in_python:
                    compare(member, getattr(compiled, member.name), member.name)
            named = {getattr(member, "name", None) or member.target.id for member in node.body
                     if not isinstance(member, ast.Expr)} - {"__init__"}
            assert {name for name in named if not hasattr(compiled, name)} == set(), node.name
            if node.name not in ("Error", "PerSample"):
                has = {name for name in vars(compiled) if not name.startswith("_")} - {"to_dict"}
                assert has == {name for name in named if not name.startswith("_")}, node.name
    assert stubbed == {name for name in dir(_motmot) if not name.startswith("_")}


def test_every_option_of_the_library_is_a_keyword_with_its_default_and_its_sentence():
    from motmot import _motmot
    usual = _motmot.DistanceOptions()
    parameters = inspect.signature(motmot.distance).parameters
    for part in (usual, usual.ascent):
        for name, field in vars(type(part)).items():
            if isinstance(field, property) and name not in ("tau_auto", "ascent", "column_names"):
                value = getattr(part, name)
                both = value.x if isinstance(value, motmot.PerSample) else tuple(value) if isinstance(value, list) else value
                assert parameters[name].default == both, name
                sentence = " ".join(field.__doc__.split())
                assert f"{name} : {sentence}" in " ".join(motmot.distance.__doc__.split()), name
                assert isinstance(value, motmot.PerSample) == (f"{name}_x" in parameters), name


def test_import_from_an_installed_tree_outside_the_source(tmp_path):
    build = PACKAGE.parent
    subprocess.run(["cmake", "--install", str(build), "--prefix", str(tmp_path / "tree"), "--component", "python"], check=True,
                   capture_output=True)
    found = list((tmp_path / "tree").rglob("motmot/__init__.py"))
    assert len(found) == 1 and list(found[0].parent.glob("_motmot*.so")) and (found[0].parent / "py.typed").exists()
    assert re.search(r"lib/python3(\.\d+)?/dist-packages$", str(found[0].parent.parent))
    code = "import motmot; print(motmot.__file__, motmot.transport([[0.0]], [[2.0]]).cost)"
    env = {**os.environ, "PYTHONPATH": str(found[0].parent.parent)}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, text=True)
    assert done.stdout.split() == [str(found[0]), "2.0"], done.stderr


def test_pyproject_names_what_cmake_builds():
    import tomllib
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["project"]["name"] == "motmot" and project["build-system"]["build-backend"] == "scikit_build_core.build"
    assert project["project"]["version"] == motmot.__version__
    options = (ROOT / "CMakeLists.txt").read_text()
    for option in project["tool"]["scikit-build"]["cmake"]["define"]:
        assert f"option({option} " in options, option
