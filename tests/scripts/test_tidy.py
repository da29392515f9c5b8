"""scripts/tidy.py: a file that is compiled together with another is looked at no less than one that is compiled alone."""
import json
import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts/tidy.py"
pytestmark = pytest.mark.skipif(shutil.which("clang-tidy") is None, reason="clang-tidy is not there")
FINDINGS = {
    "clang-analyzer-core.NullDereference": "int f(int a) { int* p = nullptr; return a == 7 ? *p : a; }\n",
    "misc-unused-using-decls": "using std::pair;\n",
    "performance-unnecessary-value-param": "unsigned long g(std::string s) { return s.size(); }\n",
}


def look(folder, alone):
    """What is said of src/planted.cpp, compiled alone or with another file."""
    build = folder / "build"
    unity = build / "Unity/unity_0.cxx"
    unity.parent.mkdir(parents=True, exist_ok=True)
    (folder / "src").mkdir(exist_ok=True)
    (folder / "src/other.cpp").write_text("int other() { return 3; }\n")
    files = [folder / "src/planted.cpp", folder / "src/other.cpp"]
    unity.write_text("".join(f'#include "{file}"\n' for file in files))
    entries = [{"directory": str(build), "file": str(file), "command": f"clang++ -std=gnu++20 -o x.o -c {file}"} for file in (files if alone else [unity])]
    (build / "compile_commands.json").write_text(json.dumps(entries))
    done = subprocess.run([sys.executable, SCRIPT, build], capture_output=True, text=True)
    return done.returncode, done.stdout


@pytest.mark.parametrize("alone", [True, False], ids=["alone", "together"])
def test_findings_of_every_kind_are_found_once_and_clean_files_are_read_once(tmp_path, alone):
    (tmp_path / "src").mkdir()
    planted = tmp_path / "src/planted.cpp"
    planted.write_text("#include <string>\n" + "".join(FINDINGS.values()))
    code, said = look(tmp_path, alone)
    assert code == 1
    assert {name: said.count(f"[{name},") for name in FINDINGS} == dict.fromkeys(FINDINGS, 1)
    planted.write_text("int fine() { return 3; }\n")
    assert look(tmp_path, alone)[0] == 0
    passed = {path: path.stat().st_mtime_ns for path in (tmp_path / "build/tidy").iterdir()}
    assert look(tmp_path, alone)[0] == 0
    assert {path: path.stat().st_mtime_ns for path in (tmp_path / "build/tidy").iterdir()} == passed
