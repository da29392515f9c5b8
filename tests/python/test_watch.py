"""Reference, check and monitor through the module: the same as the command, and its own ways of going wrong."""
import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

import motmot

BIN = os.path.join(os.environ["MOTMOT_BIN"], "motmot")


def table(seed, n, shift=0.0):
    rng = np.random.default_rng(seed)
    return pd.DataFrame({"age": rng.normal(40 + 10 * shift, 10, n).round(3), "city": rng.choice(["Ulm", "Bonn", "Kiel"], n),
                         "size": rng.normal(size=n).round(3)})


@pytest.fixture(scope="module")
def reference():
    return motmot.Reference(table(1, 600), name="x.ref", chunk_rows=20)


def test_the_command_gives_the_same(tmp_path, reference):
    table(1, 600).to_csv(tmp_path / "x.csv", index=False)
    table(2, 200, 0.5).to_csv(tmp_path / "y.csv", index=False)
    run = lambda *words: subprocess.run([BIN, *words], cwd=tmp_path, capture_output=True, text=True)
    assert run("reference", "x.ref", "x.csv", "--chunk-rows", "20").returncode == 0
    assert motmot.Reference.load(tmp_path / "x.ref").digest == reference.digest
    reference.save(tmp_path / "again.ref")
    assert (tmp_path / "again.ref").read_bytes() == (tmp_path / "x.ref").read_bytes()
    done = run("check", "x.ref", "y.csv", "--json", "y.json", "--quiet")
    theirs, ours = json.loads((tmp_path / "y.json").read_text()), reference.check(table(2, 200, 0.5)).to_dict()
    assert done.returncode == 1 and theirs["differs"] and ours["differs"]
    assert theirs["distance"]["value"] == ours["distance"]["value"] and theirs["distance"]["p_value"] == ours["distance"]["p_value"]
    assert [row - 1 for row in theirs["distance"]["left_out"]["y"]] == ours["distance"]["left_out"]["y"]
    assert set(theirs) == set(ours) and set(theirs["distance"]) == set(ours["distance"])


def test_check_is_true_where_tables_differ(reference):
    assert not reference.check(table(3, 150))
    different = reference.check(table(4, 150, 1))
    assert different and different.distance.columns[0].name == "age"
    assert not reference.check(table(4, 150, 1), effect=20)
    assert repr(different).startswith("  Different (p = 0.01")


def test_columns_go_by_name(reference):
    y = table(5, 100)
    assert reference.check(y[["size", "age", "city"]]).distance.value == reference.check(y).distance.value
    with pytest.raises(motmot.Error, match="no column 'size'"):
        reference.check(y.drop(columns="size"))
    with pytest.raises(motmot.Error, match="additional column 'more'"):
        reference.check(y.assign(more=1))


def test_what_was_excluded_or_taken_for_missing_is_so_later(tmp_path):
    x, y = table(1, 600), table(2, 200)
    for sample in (x, y):
        sample.loc[::9, "age"] = -999
        sample["when"] = range(len(sample))
    x.to_csv(tmp_path / "x.csv", index=False)
    y.to_csv(tmp_path / "y.csv", index=False)
    run = lambda *words: subprocess.run([BIN, *words], cwd=tmp_path, capture_output=True, text=True)
    assert run("reference", "x.ref", "x.csv", "--chunk-rows", "20", "--exclude", "when", "--na", "-999").returncode == 0
    run("check", "x.ref", "y.csv", "--json", "y.json", "--quiet")
    theirs = json.loads((tmp_path / "y.json").read_text())["distance"]["value"]
    ours = motmot.Reference(x, name="x.ref", chunk_rows=20, exclude=["when"], na=[-999])
    assert ours.digest == motmot.Reference.load(tmp_path / "x.ref").digest
    assert ours.check(y).distance.value == motmot.Reference.load(tmp_path / "x.ref").check(y).distance.value == theirs
    more = y.assign(more=1, size=y["size"].mask(y.index < 3, 77.0))
    assert ours.check(more, exclude=["more"], na=[77]).distance.value != theirs
    assert motmot.monitor(ours, {"june": more}, exclude=["more"], na=[77]).chunks[0].name == "june"
    with pytest.raises(motmot.Error, match="cannot leave it out"):
        ours.check(y, exclude=["age"])


def test_unseen_levels_and_numbers_where_words_were(reference):
    assert reference.check(table(6, 150).replace("Ulm", "Rom")).differs
    numbers = table(6, 150).assign(city=np.arange(150) % 3)  # words that look like numbers are levels, too
    assert reference.check(numbers).differs
    with pytest.raises(motmot.Error, match="is not a number"):
        reference.check(table(6, 150).assign(age="old"))


def test_monitor_keeps_a_log(tmp_path, reference):
    chunks = {"a": table(7, 20), "b": table(8, 20, 2)}
    first = motmot.monitor(reference, chunks, log=tmp_path / "a.log")
    again = motmot.monitor(reference, chunks, log=tmp_path / "a.log")
    assert [chunk.alarm for chunk in first.chunks] == [False, True] and first.alarms == 1
    assert again.alarms == 0 and again.chunks[1].alarm and not again.chunks[1].is_new
    assert first.to_dict()["chunks"][1]["columns"][0]["name"] == "age"
    with pytest.raises(motmot.Error, match="of other settings"):
        motmot.monitor(reference, chunks, log=tmp_path / "a.log", one_in=10)
    with pytest.raises(motmot.Error, match="one alarm in 100 chunks needs 99"):
        motmot.monitor(reference, chunks, one_in=100)


def test_alarms_need_no_explanation(reference):
    chunks = {"same": table(5, 40), "moved": table(6, 40).assign(age=90.0)}
    full, bare = (motmot.monitor(reference, chunks, explain=explain).chunks for explain in (True, False))
    assert [one.alarm for one in bare] == [one.alarm for one in full] and full[1].alarm
    assert full[1].columns and not bare[1].columns and bare[1].low is None


def test_a_table_is_cut_by_its_times(reference):
    days = table(9, 96).assign(when=pd.date_range("2024-06-01", periods=96, freq="h"))
    series = motmot.monitor(reference, days, time="when", chunk="day")
    assert [chunk.name for chunk in series.chunks] == [f"2024-06-0{day}" for day in range(1, 5)]
    assert len(motmot.monitor(reference, days, time="when", chunk=40).chunks) == 2
    with pytest.raises(motmot.Error, match="go together"):
        motmot.monitor(reference, days, time="when")


def test_arrays_have_numbers_for_names(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 2))
    reference = motmot.Reference(x, chunk_rows=20)
    assert reference.columns == {"c1": "number", "c2": "number"}
    assert not reference.check(rng.normal(size=(80, 2))) and reference.check(1 + rng.normal(size=(80, 2)))
    reference.save(tmp_path / "a.ref")
    np.save(tmp_path / "y.npy", 1 + rng.normal(size=(80, 2)))
    assert subprocess.run([BIN, "check", "a.ref", "y.npy", "--quiet"], cwd=tmp_path).returncode == 1


def test_a_changed_file_is_refused(tmp_path, reference):
    reference.save(tmp_path / "a.ref")
    (tmp_path / "a.ref").write_bytes((tmp_path / "a.ref").read_bytes().replace(b"Ulm", b"Rom", 1))
    with pytest.raises(motmot.Error, match="cut short or changed"):
        motmot.Reference.load(tmp_path / "a.ref")
