"""make demo shows the numbers that motmot computed."""
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_bars_of_the_demo_are_the_numbers_of_the_answer(tmp_path):
    motmot = pathlib.Path(os.environ["MOTMOT_BIN"], "motmot").resolve()
    done = subprocess.run([ROOT / "scripts/demo", motmot], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    shown = {label.strip(): float(number) for label, number in re.findall(r"^  (\S.*?|  \S.*?)  +(\d+\.\d+)  #+ ", done.stdout, re.M)}
    answer = json.loads((tmp_path / "demo/answer.json").read_text())
    clean = json.loads((tmp_path / "demo/clean.json").read_text())["cost"]
    expected = {"distance, clean samples": clean, "with outliers: all rows": answer["plain"],
                "with outliers: this answer": answer["value"],
                "with outliers: medians of means": answer["neighbours"]["paper"]["value"]}
    assert shown == {label: round(value, 3) for label, value in expected.items()}
    assert "50 rows of X stand alone and were left out" in done.stdout


def test_the_picture_of_readme_is_drawn_from_the_demo(tmp_path):
    motmot = pathlib.Path(os.environ["MOTMOT_BIN"], "motmot").resolve()
    subprocess.run([ROOT / "scripts/demo", motmot], cwd=tmp_path, check=True, capture_output=True, timeout=120)
    subprocess.run([ROOT / "scripts/picture.py", "demo", "demo.svg"], cwd=tmp_path, check=True, timeout=60)
    assert (tmp_path / "demo.svg").read_text().startswith("<svg ")
