"""docs/tutorial.md and README's Python example print what they say."""
import contextlib
import io
import os
import re

import pytest
from conftest import ROOT

BLOCK = re.compile(r"```python\n(.*?)```(?:\s*```\n(.*?)```)?", re.S)


def run_page(path, folder):
    """The pairs (printed, shown) of a page whose blocks share one namespace."""
    names, pairs = {}, []
    here = os.getcwd()
    os.chdir(folder)
    try:
        for code, shown in BLOCK.findall((ROOT / path).read_text()):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                exec(compile(code, path, "exec"), names)
            pairs.append((out.getvalue(), shown))
    finally:
        os.chdir(here)
    return pairs


@pytest.mark.parametrize("path,blocks", [("docs/tutorial.md", 13), ("README.md", 1)])
def test_python_blocks_print_what_is_shown(tmp_path, path, blocks):
    for needed in ("sklearn", "matplotlib", "pandas"):
        pytest.importorskip(needed)
    pairs = run_page(path, tmp_path)
    assert len(pairs) == blocks
    for printed, shown in pairs:
        assert printed == shown
    if path == "docs/tutorial.md":
        assert "</svg>" in (tmp_path / "tutorial.svg").read_text() and (ROOT / "docs/figures/tutorial.svg").exists()
