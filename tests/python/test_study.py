"""The scripts that make tables of docs/ run, through the front door that is shipped."""
import importlib.util
import re

import pytest
from conftest import ROOT


def script(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "study" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_error_bars_say_how_far_the_answer_is_from_the_inliers():
    bars = script("error_bars")
    scenario = ("tune", "d1", 200, 150, 2, 0.1, 0, 0.1, 0.1)
    target, result = bars.run(scenario, 1)
    assert result.asked.tau == (0.1, 0.1) and (result.asked.n, result.asked.m) == (200, 150)
    cells = bars.line(scenario, [(target, result)]).split(" | ")
    assert cells[1:4] == ["d1 d2 200/150", "0.1/0", "0.1/0.1"] and float(cells[4]) == pytest.approx(target, abs=1e-3)
    value, _ = re.fullmatch(r"([-+\d.]+) \(([\d.]+)\)", cells[5]).groups()
    assert float(value) == pytest.approx(100 * (result.value / target - 1), abs=0.06)
    assert cells[7] == ("100 %" if abs(result.value - target) <= result.error_bar else "0 %")
    assert len({scenario[1:] for scenario in bars.SCENARIOS}) == len(bars.SCENARIOS) == 31


def test_networks_are_compared_with_the_distance_of_the_laws(capsys):
    script("networks").run_case("d1", 2, 0, 100, 1)
    words = capsys.readouterr().out
    share = float(re.search(r"value ([\d.]+) ", words)[1])
    assert "W1 of the laws  7.071" in words and share == pytest.approx(1, abs=0.1)
