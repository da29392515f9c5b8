"""motmot reproduce: figures, tables, claims; killed and run again; bad input."""
import csv
import json
import os
import signal
import subprocess
import time
import xml.etree.ElementTree as xml

import pytest
from conftest import BIN

TINY = ["--quick", "--n", 40, "--repetitions", 2, "--blocks", "1,5,20", "--tau", "0,0.1"]
NET = ["--hidden", 8, "--steps", 60]
STUDIES = {
    "error": [*TINY, *NET, "--data", "d1,d2"],
    "convergence": [*TINY, *NET, "--epochs", 12],
    "breakdown": [*TINY, "--data", "d1,far,both"],
}
FIGURES = {
    "error": ["figure2.svg", "figure5.svg"],
    "convergence": ["figure3.svg", "figure6.svg"],
    "breakdown": ["breakdown.svg", "breakdown-blocks.svg", "breakdown-over-blocks.svg"],
}


def contents(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if "-cells-" not in p.name}


@pytest.mark.parametrize("study", STUDIES)
def test_files_agree_with_each_other_and_figures_are_xml(motmot, tmp_path, study):
    done = motmot("reproduce", study, *STUDIES[study], "--output", "out")
    assert done.code == 0, done.err
    out = tmp_path / "out"
    result = json.loads((out / f"{study}.json").read_text())
    rows = list(csv.DictReader(open(out / f"{study}-summary.csv")))
    assert len(rows) == len(result["summary"]) > 0
    for row, entry in zip(rows, result["summary"]):
        assert {k: str(v) for k, v in entry.items() if isinstance(v, str)} == {
            k: row[k] for k, v in entry.items() if isinstance(v, str)}
        for k, v in entry.items():
            assert isinstance(v, str) or float(row[k]) == v
    shown = {}
    for m in csv.DictReader(open(out / f"{study}.csv")):
        key = tuple(m[k] for k in ("data", "tau", "method", "blocks", "epoch"))
        shown.setdefault(key, []).append(float(m["shown"]))
    for row in rows:
        values = shown.pop(tuple(row[k] for k in ("data", "tau", "method", "blocks", "epoch")))
        assert float(row["mean"]) == pytest.approx(sum(values) / len(values), rel=1e-12, abs=1e-12)
        assert int(row["repetitions"]) == len(values)
    assert not shown
    for name in FIGURES[study]:
        root = xml.parse(out / name).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert root.find("{http://www.w3.org/2000/svg}title").text
        assert root.find("{http://www.w3.org/2000/svg}desc").text
    for claim in result["claims"]:
        assert claim["verdict"] in ("holds", "does not hold", "holds only if")
        assert claim["verdict"] in done.out


def cells_size(folder):
    return sum(path.stat().st_size for path in folder.glob("error-cells-*"))


def test_threads_and_kill_9_change_no_byte(motmot, tmp_path):
    arguments = ["reproduce", "error", *TINY, "--hidden", 8, "--steps", 6000, "--data", "d1,d2", "--quiet"]
    assert motmot(*arguments, "--output", "whole", "--threads", 1).code == 0
    assert motmot(*arguments, "--output", "threads", "--threads", 3).code == 0
    assert contents(tmp_path / "threads") == contents(tmp_path / "whole")
    killed = 0
    for _ in range(5):
        before = cells_size(tmp_path / "killed")
        run = subprocess.Popen([BIN / "motmot", *map(str, arguments), "--output", "killed", "--threads", "1"],
                               cwd=tmp_path)
        while run.poll() is None and cells_size(tmp_path / "killed") < before + 200:
            time.sleep(0.002)
        if run.poll() is not None:
            break
        run.send_signal(signal.SIGKILL)
        run.wait()
        killed += 1
    assert killed > 0 and motmot(*arguments, "--output", "killed").code == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_ctrl_c_keeps_what_is_finished_and_says_so(motmot, tmp_path):
    arguments = [BIN / "motmot", "reproduce", "error", "--output", "out", "--threads", "1"]
    run = subprocess.Popen(arguments, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.PIPE)
    deadline = time.time() + 60
    while not any(p.stat().st_size > 200 for p in tmp_path.glob("out/error-cells-*")) and time.time() < deadline:
        time.sleep(0.1)
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=60)
    assert run.returncode == 130 and out == b""
    assert b"the same command goes on" in err and err.count(b"\n") == 1
    assert not (tmp_path / "out/error.csv").exists()


def test_the_report_is_a_page_with_the_numbers_of_the_json(motmot, tmp_path):
    done = motmot("reproduce", "error", *STUDIES["error"], "--output", "out", "--report", "page.html")
    assert done.code == 0, done.err
    page = (tmp_path / "page.html").read_text()
    start = page.index('id="result"')
    text = page[page.index(">", start) + 1:page.index("</script>", start)]
    assert json.loads(text) == json.loads((tmp_path / "out/error.json").read_text())
    assert "holds" in page


def test_peers_stand_beside_ours(motmot, tmp_path):
    assert motmot("reproduce", "breakdown", *STUDIES["breakdown"], "--output", "out").code == 0
    plain = next(m for m in csv.DictReader(open(tmp_path / "out/breakdown.csv")) if m["method"] == "plain")
    line = f"{plain['data']},{plain['tau']},pot-partial,1,0,0,{2 * float(plain['reference'])},{plain['reference']},100"
    header = "data,tau,method,blocks,epoch,repetition,value,reference,shown"
    (tmp_path / "peers.csv").write_text(f"{header}\n{line}\n")
    assert motmot("reproduce", "breakdown", *STUDIES["breakdown"], "--output", "out", "--peers", "peers.csv").code == 0
    assert "POT partial" in (tmp_path / "out/breakdown.svg").read_text()
    assert "pot-partial" in (tmp_path / "out/breakdown-summary.csv").read_text()


THEORY = {
    "rate": ["--laws", "same,shift", "--d", "1,2", "--n", "40,80", "--rules", "prop4", "--repetitions", 2],
    "schemes": ["--laws", "shift", "--n", 60, "--blocks", "9,15", "--repetitions", 2],
}


@pytest.mark.parametrize("study", THEORY)
def test_studies_of_the_theory_write_tables_figures_and_a_page(motmot, tmp_path, study):
    done = motmot("reproduce", study, *THEORY[study], "--output", "out", "--report", "page.html")
    assert done.code == 0, done.err
    out = tmp_path / "out"
    result = json.loads((out / f"{study}.json").read_text())
    assert len(result["claims"]) >= 2 and all(claim["why"] for claim in result["claims"])
    assert "What the paper claims" in done.out and "claim" in (tmp_path / "page.html").read_text()
    for path in out.glob("*.svg"):
        assert xml.parse(path).getroot().tag.endswith("svg")
    assert len(list(out.glob("*.svg"))) == (3 if study == "rate" else 1)
    again = motmot("reproduce", study, *THEORY[study], "--output", "out")
    cells = result["cells"]
    assert f"{cells} cells ({cells} found finished)" in again.out
    assert json.loads((out / f"{study}.json").read_text()) == result


def test_the_rate_study_fits_what_its_table_says(motmot, tmp_path):
    assert motmot("reproduce", "rate", *THEORY["rate"], "--output", "out").code == 0
    rows = list(csv.DictReader(open(tmp_path / "out/rate.csv")))
    curves = json.loads((tmp_path / "out/rate.json").read_text())["curves"]
    for curve in curves:
        for point in curve["points"]:
            errors = [float(r["error"]) for r in rows if r["law"] == curve["law"] and int(r["d"]) == curve["d"]
                      and r["outliers"] == curve["outliers"] and r["estimator"] == curve["estimator"]
                      and r["rule"] == (curve["rule"] or "") and int(r["n"]) == point["n"]]
            assert len(errors) == 2 and point["mean"] == pytest.approx(sum(errors) / 2)


def test_figure1(motmot, tmp_path):
    assert motmot("reproduce", "figure1", "--output", "out").code == 0
    text = (tmp_path / "out/figure1.svg").read_text()
    assert xml.fromstring(text) is not None and "MoU-diag" in text


@pytest.mark.parametrize("arguments,words", [
    ([], []),
    (["errors", "--output", "o"], ["'errors'", "did you mean error?"]),
    (["error"], ["--output"]),
    (["error", "--output", "o", "--tau", "0.6"], ["0.6"]),
    (["error", "--output", "o", "--tau", "some"], ["--tau"]),
    (["error", "--output", "o", "--blocks", "501"], ["501", "500"]),
    (["error", "--output", "o", "--blocks", "-1"], ["--blocks"]),
    (["error", "--output", "o", "--data", "d9"], ["--data", "d9"]),
    (["error", "--output", "o", "--estimators", "plain"], ["estimator plain"]),
    (["error", "--output", "o", "--repetitions", "0"], ["repetition"]),
    (["error", "--output", "o", "--hidden", "0"], ["hidden"]),
    (["error", "--output", "o", "--steps", "0"], ["steps"]),
    (["error", "--output", "o", "--epochs", "3"], ["--epochs"]),
    (["breakdown", "--output", "o", "--hidden", "3"], ["--hidden"]),
    (["breakdown", "--output", "o", "--peers", "none.csv"], ["none.csv"]),
    (["error", "--output", "file"], ["file"]),
    (["error", "--output", "o", "--report", "no/such/page.html"], ["no/such/page.html"]),
    (["figure1"], ["--output"]),
])
def test_bad_input_gets_one_line_and_code_2(motmot, tmp_path, arguments, words):
    (tmp_path / "file").write_text("not a folder")
    done = motmot("reproduce", *arguments)
    assert done.code == 2 and done.out == "" and done.err.count("\n") == 1, done.err
    for word in words:
        assert word in done.err, done.err
    assert os.listdir(tmp_path) == ["file"], "something was left behind"
