"""motmot.outliers and motmot.doctor."""
import json
import pickle
import subprocess

import numpy as np
import pytest
from conftest import BIN, without_time

import motmot


@pytest.fixture
def rows():
    x = np.random.default_rng(3).normal(size=(150, 3))
    x[7, 1] = 60
    x[[20, 21, 22], 2] = -999
    return x


def test_python_and_the_command_say_the_same(rows, tmp_path):
    np.save(tmp_path / "x.npy", rows)
    done = subprocess.run([BIN / "motmot", "outliers", "x.npy", "--quiet", "--json", "-"], cwd=tmp_path, capture_output=True, text=True)
    told = without_time(json.loads(done.stdout))
    found = without_time(motmot.outliers(rows).to_dict())
    for row in told["rows"]:
        row["row"] -= 1
    told["x"]["suspects"] = [row - 1 for row in told["x"]["suspects"]]
    told["x"]["file"] = None
    assert found == told
    np.save(tmp_path / "x.npy", rows)
    done = subprocess.run([BIN / "motmot", "doctor", "x.npy", "--quiet", "--json", "-"], cwd=tmp_path, capture_output=True, text=True)
    assert motmot.doctor(rows).to_dict() == json.loads(done.stdout)


def test_planted_rows_have_their_reasons(rows):
    found = motmot.outliers(rows)
    assert found.x.suspects == [7, 20, 21, 22] and found.y is None
    assert {row.row: row.sign for row in found.rows if row.suspect} == {7: "off", 20: "sentinel", 21: "sentinel", 22: "sentinel"}
    assert found.x.scores.shape == (150,) and found.x.scores[7] == max(row.score for row in found.rows if row.row == 7)
    assert "typed as -999" in repr(found)


def test_tables_with_words_and_gaps():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(1)
    table = pandas.DataFrame({"city": rng.choice(["Paris", "Rome"], 120), "age": rng.normal(40, 9, 120)})
    table.loc[5, "city"] = "Pariss"
    table.loc[9, "age"] = np.nan
    found = motmot.outliers(table, list=0)
    assert [(row.row, row.sign, row.column) for row in found.rows] == [(5, "level", "city")]
    dropped = motmot.outliers(table, missing="drop")
    assert dropped.x.rows_dropped == 1 and np.isnan(dropped.x.scores[9]) and 5 in dropped.x.suspects
    after = table.drop(index=[3]).reset_index(drop=True)
    after.loc[2, "age"] = np.nan
    assert motmot.outliers(after, missing="drop", list=0).rows[0].row == 4


def test_two_tables(rows):
    found = motmot.outliers(rows, np.random.default_rng(4).normal(size=(90, 3)), tau_y=0.05)
    assert found.y.n == 90 and found.y.tau == 0.05 and found.x.suspects == [7, 20, 21, 22]


def test_results_can_be_kept(rows):
    found = motmot.outliers(rows)
    again = pickle.loads(pickle.dumps(found))
    assert again.to_dict() == found.to_dict() and np.array_equal(again.x.scores, found.x.scores)
    checkup = motmot.doctor(rows)
    assert pickle.loads(pickle.dumps(checkup)).to_dict() == checkup.to_dict()


def test_doctor_names_what_was_planted(rows):
    found = motmot.doctor({"a": rows[:, 0], "b": rows[:, 1], "c": rows[:, 2], "id": np.arange(150), "text": ["1.5", "2", "3.5"] * 50})
    assert {(one.code, one.column) for one in found.findings} == {("sentinel", "c"), ("identifier", "id"), ("number_words", "text")}


def test_doctor_gives_advice_that_python_can_read(rows):
    whole = np.arange(50)
    said = repr(motmot.doctor({"order no": whole, "1000": np.full(50, 5.0), "v": whole % 7 + 0.5}))
    for advice in ["exclude=['order no']", "exclude=['1000']", "columns=['A', 'B', ...]"]:
        assert f"     type: {advice}\n" in said, said
    gaps = motmot.doctor({"a": rows[:, 0], "c": np.where(whole.repeat(3) == 7, -999.0, rows[:, 2]),
                          "price": ["1,5", "2,5", "3,5"] * 50, "level": ["low", "unknown", "high"] * 50,
                          "cost": np.exp(3 * rows[:, 0]), "order": [f"n {k}" for k in range(150)]})
    types = {(one.code, one.column): one.type for one in gaps.findings}
    assert types["sentinel", "c"] == "na=[-999], missing='level'" and types["sentinel", "level"] == "na=['unknown']"
    assert types["number_words", "price"] == "" and types["heavy_tail", "cost"] in ("", "motmot.outliers(table)")
    assert all(word not in repr(gaps) for word in ["--", "sql:", "decimal", " FILE", "= "]), repr(gaps)
    assert motmot.doctor({"a": whole, "v": whole % 7 + 0.5}).to_dict()["findings"][0]["type"].startswith("--")


def test_what_doctor_says_is_to_be_typed_can_be_typed(rows):
    table = {"a": rows[:, 0], "b": rows[:, 1], "c": rows[:, 2], "id": np.arange(150), "level": ["low", "unknown", "high"] * 50}
    advice = [one.type for one in motmot.doctor(table).findings]
    assert sorted(advice) == ["exclude=['id']", "na=['unknown']", "na=[-999], missing='level'"]
    typed = {"exclude": ["id"], "na": [-999, "unknown"], "missing": "level"}
    by_hand = {name: values for name, values in table.items() if name != "id"}
    by_hand["c"] = np.where(rows[:, 2] == -999, np.nan, rows[:, 2])
    by_hand["level"] = ["low", None, "high"] * 50
    assert motmot.doctor(table, exclude=["id"], na=[-999, "unknown"]).to_dict() == motmot.doctor(by_hand).to_dict()
    assert motmot.distance(table, table, **typed).asked.columns == ["a", "b", "c", "level"]
    assert without_time(motmot.outliers(table, **typed).to_dict()) == without_time(motmot.outliers(by_hand).to_dict())
    assert motmot.compare(table, table, columns=["a", "b"]).columns == ["a", "b"]
    assert motmot.matrix([rows, rows], exclude=["c2"]).to_dict() is not None
    y = rows + 1.0
    assert motmot.distance(rows, y, columns=["c1", "c2"]).value == motmot.distance(rows[:, :2], y[:, :2]).value
    mixed = {"temp": ["1.5", "2.5", "-", "3.5"] * 20, "v": np.arange(80) % 7 + 0.1 * np.arange(80)}
    assert [one.type for one in motmot.doctor(mixed).findings] == ["na=['-'], kinds={'temp': 'number'}, missing='level'"]
    assert motmot.distance(mixed, mixed, na=["-"], kinds={"temp": "number"}, missing="level").asked.kinds == ["number", "number"]
    assert motmot.distance(mixed, mixed, na=["-"], kinds={"temp": "number"}, missing="drop").asked.n == 60
    for asked, words in [({"exclude": ["d"]}, "X has no column 'd'; its columns are 'a', 'b', 'c', 'id', 'level'"),
                         ({"exclude": list(table)}, "no column of X is left"), ({"columns": "id"}, "columns must be a list")]:
        with pytest.raises(motmot.Error, match=words):
            motmot.distance(table, table, **asked)


@pytest.mark.parametrize("ask, words", [
    (lambda x: motmot.outliers(x, tau=0.6), "tau must lie in"),
    (lambda x: motmot.outliers(x, tau_y=0.1), "tau_y does nothing here"),
    (lambda x: motmot.outliers(x, missing="perhaps"), "missing must be one of"),
    (lambda x: motmot.outliers(x, kinds={"c1": "colour"}), "kinds must be one of"),
    (lambda x: motmot.outliers(x, list=-1), "list"),
    (lambda x: motmot.outliers(x[:0]), "empty"),
    (lambda x: motmot.doctor(x, x[:, :2]), "columns"),
])
def test_bad_input_is_one_sentence(rows, ask, words):
    with pytest.raises(motmot.Error, match=words) as caught:
        ask(rows)
    assert "\n" not in str(caught.value)
