"""The scripts that make tables of docs/ run, through the front door that is shipped."""
import importlib.util
import re
import sys

import motmot
import numpy as np
import pytest
from conftest import ROOT


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "study" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(ROOT / "study"))  # for the files beside it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.pop(0)
    return module


def test_the_answer_is_judged_by_the_right_rows():
    answer = script("answer")
    found = answer.run("ratings 1-7, rows of 0", 3)
    assert abs(found["error"]) < 1 and found["plain"] > 20 and found["covers"]
    assert found["missed"] == 0 and found["small_alarm"]
    assert answer.limits(5, 10) == "5/10 (19-81 %)"


def test_networks_are_compared_with_the_distance_of_the_laws(capsys):
    script("networks").run_case("d1", 2, 0, 100, 1)
    words = capsys.readouterr().out
    share = float(re.search(r"value ([\d.]+) ", words)[1])
    assert "W1 of the laws  7.071" in words and share == pytest.approx(1, abs=0.1)


def test_real_tables_are_told_apart_from_their_planted_dirt():
    pytest.importorskip("sklearn")
    tables, page = script("real_tables"), script("real_page")
    cell = tables.Cell("planted", "iris", "sentinel", 1, 0.1)
    x, y, wrong = tables.planted(cell)
    clean, same_y = tables.clean(cell)
    assert (x[~wrong] == clean[~wrong]).all() and (y == same_y).all() and wrong.sum() == round(0.08 * len(x))
    assert ((x[wrong] == -999).sum(axis=1) == 1).all()
    result = script("real_data").run(cell)
    units = np.array([column.unit for column in motmot.distance(x, y, scale="robust").columns])
    assert result["truth"] == motmot.transport(x[~wrong] / units, y / units).cost
    assert result["found"] == result["wrong"] and result["lost"] == 0 and page.covers(result, "interval")
    assert page.errors([result], "company")[0] < 1e-6 and page.errors([result], "plain")[0] > 100


def test_the_page_of_real_tables_sets_in_bold_who_beats_us(tmp_path):
    pytest.importorskip("sklearn")
    page = script("real_page")
    values = {method: 1.2 for method in page.METHODS} | {"forest": 1.1, "LOF": 1.3}
    cells = page.methods_line(["t"], [{"values": values, "truth": 1.0}]).strip("| ").split(" | ")
    bold = [method for method, cell in zip(page.METHODS, cells[1:]) if cell.startswith("**")]
    assert bold == ["forest"] and cells[1] == "20.0 / 20.0 / 20.0"
    assert page.limits(24, 24) == "24 of 24 (86-100 %)"  # 0.025 ** (1 / 24) = 0.8575
    script("real_data").main(["--quick", "--output", str(tmp_path / "page.md")])
    text = (tmp_path / "page.md").read_text()
    assert "| all 14 runs |" in text and "Glass" not in text
