"""motmot matrix and motmot compare: inputs, outputs, complaints."""
import csv
import io
import json
import random
import re

import pytest
from conftest import ROOT


def schema_of(name):
    return json.loads((ROOT / f"docs/schema/{name}-1.json").read_text())


def valid(result, name):
    pytest.importorskip("jsonschema").Draft202012Validator(schema_of(name)).validate(result)
    return result


@pytest.fixture
def batches(tmp_path):
    """Four files of 50 rows in batches/, the last one shifted, and all of it in all.csv."""
    rng = random.Random(1)
    (tmp_path / "batches").mkdir()
    lines = ["batch,height,weight"]
    for k in range(4):
        rows = [f"{rng.gauss(2 * (k == 3), 1):.4f},{rng.gauss(0, 1):.4f}" for _ in range(50)]
        rows[7] = "-999,-999" if k == 1 else rows[7]
        (tmp_path / f"batches/{k}.csv").write_text("height,weight\n" + "\n".join(rows) + "\n")
        lines += [f"{k}.csv,{row}" for row in rows]
    (tmp_path / "batches/.hidden").write_text("not a sample")
    (tmp_path / "all.csv").write_text("\n".join(lines) + "\n")
    return tmp_path / "batches"


def answer(run):
    assert run.code == 0, run.err
    result = json.loads(run.out)
    result["run"]["seconds"] = 0
    return result


def test_files_a_folder_and_groups_of_a_table_are_the_same(motmot, batches):
    files = answer(motmot("matrix", *(batches / f"{k}.csv" for k in range(4)), "--quiet", "--json", "-"))
    folder = answer(motmot("matrix", batches, "--quiet", "--json", "-"))
    groups = answer(motmot("matrix", "all.csv", "--by", "batch", "--quiet", "--json", "-"))
    assert files == valid(folder, "matrix")
    assert folder["samples"][1]["left_out"] == [8] and groups["samples"][1]["left_out"] == [58]  # rows of their files
    for result in (folder, groups):
        for sample in result["samples"]:
            del sample["left_out"]
    assert folder == groups
    assert [(p["first"], p["second"]) for p in folder["pairs"] if p["differ"]] == [(0, 3), (1, 3), (2, 3)]


def test_one_against_all(motmot, batches):
    all_pairs = answer(motmot("matrix", batches, "--quiet", "--json", "-"))
    one = valid(answer(motmot("matrix", batches, "--against", "3.csv", "--quiet", "--json", "-")), "matrix")
    assert one["against"] == 3 and one["order"] == []
    value = {(p["first"], p["second"]): p["value"] for p in all_pairs["pairs"]}
    assert {(p["first"], p["second"]): p["value"] for p in one["pairs"]} == {k: v for k, v in value.items() if 3 in k}


def test_csv_and_page_and_text_have_the_numbers(motmot, batches, tmp_path):
    run = motmot("matrix", batches, "--csv", "pairs.csv", "--square", "square.csv", "--report", "page.html", "--json", "m.json")
    assert run.code == 0 and "3 of 6 pairs differ by more than chance" in run.out
    result = json.loads((tmp_path / "m.json").read_text())
    pairs = list(csv.DictReader(io.StringIO((tmp_path / "pairs.csv").read_text())))
    assert [float(row["distance"]) for row in pairs] == [p["value"] for p in result["pairs"]]
    assert [row["differ"] == "1" for row in pairs] == [p["differ"] for p in result["pairs"]]
    square = list(csv.reader(io.StringIO((tmp_path / "square.csv").read_text())))
    assert square[0] == ["sample", "0.csv", "1.csv", "2.csv", "3.csv"]
    for p in result["pairs"]:
        a, b = p["first"] + 1, p["second"] + 1
        assert float(square[a][b]) == float(square[b][a]) == p["value"] and square[a][a] == "0"
    page = (tmp_path / "page.html").read_text()
    body = page.split("<script")[0]
    assert body.count("<svg") == 2 and body.count("<rect") == 16 and "://" not in body.replace("http://www.w3.org/2000/svg", "")
    assert "motmot matrix" in body


def test_names_that_are_markup_stay_text(motmot, tmp_path):
    rows = "".join(f"<b>&\"{name},{i + 9 * (name == 'x')}.5\n" for name in "xyz" for i in range(20))
    (tmp_path / "t.csv").write_text("group,v\n" + rows.replace('"', '""').replace("<b>", '"<b>').replace(",", '",'))
    run = motmot("matrix", "t.csv", "--by", "group", "--report", "page.html", "--csv", "pairs.csv")
    assert run.code == 0, run.err
    assert "<b>" not in (tmp_path / "page.html").read_text().split("<script")[0]
    assert next(csv.DictReader(io.StringIO((tmp_path / "pairs.csv").read_text())))["first"] == '<b>&"x'


def test_names_on_the_map_cover_neither_names_nor_points(motmot, tmp_path):
    rng = random.Random(3)
    lines = ["group,x,y"] + [f"sample {g:02},{rng.gauss(g % 7, 1):.4f},{rng.gauss(g % 3, 1):.4f}" for g in range(40) for _ in range(12)]
    (tmp_path / "t.csv").write_text("\n".join(lines) + "\n")
    assert motmot("matrix", "t.csv", "--by", "group", "--report", "page.html").code == 0
    page = (tmp_path / "page.html").read_text()
    map_ = page[page.index('aria-label="Map of the samples"'):].split("</svg>")[0]
    names = [(float(x), float(y) - 11, float(x) + 7.2 * len(name), float(y) + 3)
             for x, y, name in re.findall(r'<text class="name" x="([\d.]+)" y="([\d.]+)">([^<]*)<', map_)]
    points = [(float(x) - 4, float(y) - 4, float(x) + 4, float(y) + 4) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', map_)]
    assert len(points) == 40 and len(names) >= 30
    for k, a in enumerate(names):
        for b in names[k + 1:] + points:
            assert not (a[0] < b[2] - .2 and b[0] < a[2] - .2 and a[1] < b[3] - .2 and b[1] < a[3] - .2), (a, b)


def test_missing_values_are_a_level_and_rows_without_a_group_are_one(motmot, tmp_path):
    rows = "".join(f"{'ab'[i % 2] if i % 10 else ''},{i * i % 37 if i % 7 else ''},{'xy'[i * 3 % 7 % 2]}\n" for i in range(120))
    (tmp_path / "t.csv").write_text("g,v,w\n" + rows)
    result = valid(answer(motmot("matrix", "t.csv", "--by", "g", "--quiet", "--json", "-")), "matrix")
    assert [s["name"] for s in result["samples"]] == ["(missing)", "b", "a"] and result["scale"] == "robust"
    assert motmot("matrix", "t.csv", "--by", "g", "--missing", "error").code == 2


@pytest.mark.parametrize("arguments, sentence", [
    (["batches/0.csv"], "a matrix needs two samples or more; 'batches/0.csv' is one (--by COLUMN makes several of it)"),
    (["batches", "--by", "height"], "--by groups the rows of one file, got a folder"),
    (["all.csv", "--by", "colour"], "no column 'colour'"),
    (["batches", "--against", "9.csv"], "no sample is called '9.csv'; there are '0.csv', '1.csv', '2.csv', '3.csv'"),
    (["batches", "all.csv"], "all samples must have the same number of columns: 'batches/0.csv' has 2, 'all.csv' has 3"),
    (["batches", "--tau", "0.7"], "tau must lie in [0, 1/2), got 0.7"),
    (["batches", "--json", "batches/0.csv"], "is the file that is read"),
    (["empty", "batches"], "the folder 'empty' has no files"),
    (["batches", "nothing.csv"], "'nothing.csv'"),
])
def test_complaints(motmot, batches, tmp_path, arguments, sentence):
    (tmp_path / "empty").mkdir()
    before = sorted(tmp_path.rglob("*"))
    run = motmot("matrix", *arguments)
    assert run.code == 2 and sentence in run.err and run.err.count("\n") == 1, run.err
    assert sorted(tmp_path.rglob("*")) == before


def test_compare(motmot, toy, tmp_path):
    plain = motmot("compare", "toy/x.csv", "toy/y.csv", "--json", "c.json", "--csv", "c.csv", "--report", "page.html")
    assert plain.code == 0 and "wrong rows stand alone" in plain.out
    result = valid(json.loads((tmp_path / "c.json").read_text()), "compare")
    assert [m["method"] for m in result["methods"]] == ["company", "mom", "mou", "mou-diag", "plain", "partial", "sliced", "energy"]
    assert len((tmp_path / "c.csv").read_text().splitlines()) == 9
    stress = valid(answer(motmot("compare", "toy/x.csv", "toy/y.csv", "--tau", 0.15, "--stress", "--quiet", "--json", "-")), "compare")
    assert [p["dirt"] for p in stress["planted"]] == ["sentinel", "cluster", "decimal"]
    assert stress["planted"][0]["rows"] == 18 - 12  # 12 of the 120 rows are outliers already
    moved = {m["method"]: [abs(s["movement"]) for s in m["stress"]] for m in stress["methods"]}
    assert max(moved["company"]) < 0.05 and moved["plain"][0] > 0.5
    full = motmot("compare", "toy/x.csv", "toy/y.csv", "--tau", 0.1, "--stress")
    assert full.code == 2 and "a larger --tau makes some" in full.err


def test_compare_needs_numbers_for_dirt(motmot, tmp_path):
    for name in "xy":
        (tmp_path / f"{name}.csv").write_text("city\n" + "Rome\nOslo\n" * 20)
    run = motmot("compare", "x.csv", "y.csv", "--stress")
    assert run.code == 2 and "--stress needs a column of numbers" in run.err


def test_every_key_of_the_schemas_is_described():
    text = (ROOT / "docs/json.md").read_text()

    def keys(schema):
        for name, inner in schema.get("properties", {}).items():
            yield name
            yield from keys(inner)
        if "items" in schema:
            yield from keys(schema["items"])
    for name in ("matrix", "compare"):
        for key in keys(schema_of(name)):
            assert f"`{key}`" in text or f".{key}`" in text, key


def test_man_and_help_know_the_commands(motmot):
    manual = motmot("man").out
    for command in ("matrix", "compare"):
        assert f"motmot {command}" in manual
        assert "Examples:" in motmot(command, "--help").out
        assert command in motmot("completion", "bash").out
