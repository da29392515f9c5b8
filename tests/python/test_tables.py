"""Tables whose columns are of several kinds."""
import datetime
import pickle

import numpy as np
import pytest

import motmot

pandas = pytest.importorskip("pandas")
RNG = np.random.default_rng(0)


def table(n, shares, shift=0.0):
    return pandas.DataFrame({
        "city": RNG.choice(["Paris", "Rome", "Oslo"], n, p=shares),
        "age": RNG.normal(40 + shift, 10, n).round(3),
        "when": pandas.Timestamp("2024-01-01") + pandas.to_timedelta(RNG.integers(0, 90 * 24, n), unit="h"),
        "ok": RNG.random(n) < 0.5,
    })


X, Y = table(150, [0.2, 0.4, 0.4]), table(120, [0.6, 0.2, 0.2], 5)
WANT = motmot.distance(X, Y)


def test_a_data_frame_is_compared_column_by_column():
    assert WANT.asked.columns == list(X) and WANT.asked.kinds == ["category", "number", "time", "category"]
    assert WANT.asked.scale == "robust" and WANT.asked.category_weight == 1 and WANT.verdict == "differ"
    city, age, when, ok = WANT.columns
    assert (city.kind, when.time_unit) == ("category", "days") and city.levels[0].level == "Paris" and city.levels[0].moved > 0.2
    assert {level.level for level in ok.levels} <= {"true", "false"} and sum(column.share for column in WANT.columns) == pytest.approx(1)
    assert "% Paris" in repr(WANT) and pickle.loads(pickle.dumps(WANT)).to_dict() == WANT.to_dict()


def test_columns_may_be_written_in_many_ways():
    iso = X.assign(when=X["when"].dt.strftime("%Y-%m-%dT%H:%M:%SZ"))
    zoned = X.assign(when=X["when"].dt.tz_localize("UTC").dt.tz_convert("Europe/Paris"))
    same = [{name: X[name].to_numpy() for name in X}, {name: X[name].tolist() for name in X}, iso, zoned,
            X.assign(city=X["city"].astype("category")), X.assign(city=X["city"].astype("string")), X.convert_dtypes(),
            X.assign(ok=X["ok"].map({True: "True", False: "False"})), X.astype(object)]
    for data in same:
        assert motmot.distance(data, Y).value == WANT.value, data


def test_columns_in_another_order_are_matched_by_name():
    turned = Y[["ok", "age", "city", "when"]]
    for data in (turned, {name: turned[name].tolist() for name in turned}):
        assert motmot.distance(X, data).value == WANT.value
        assert motmot.matrix({"x": X, "y": data}).pairs[0].value == motmot.matrix({"x": X, "y": Y}).pairs[0].value
        assert motmot.compare(X, data).methods[0].value == motmot.compare(X, Y).methods[0].value
        assert repr(motmot.doctor(X, data)) == repr(motmot.doctor(X, Y))
    numbers = pandas.DataFrame(RNG.normal(size=(60, 2)), columns=["a", "b"])
    assert motmot.transport(numbers, numbers[["b", "a"]]).cost == motmot.distance(numbers, numbers[["b", "a"]]).value == 0


def said_of_files(folder, x, y, *arguments):
    import json
    import subprocess
    from conftest import BIN
    for name, data in [("x.csv", x), ("y.csv", y)]:
        data.to_csv(folder / name, index=False)
    done = subprocess.run([BIN / "motmot", "distance", "x.csv", "y.csv", "--quiet", "--json", "-", *arguments], cwd=folder,
                          capture_output=True, check=True)
    return json.loads(done.stdout)


def test_the_command_says_the_same(tmp_path):
    said = said_of_files(tmp_path, X, Y)
    assert said["value"] == WANT.value and said["columns"] == WANT.to_dict()["columns"]


def test_missing_values_are_refused_dropped_or_compared():
    gaps = Y.copy()
    gaps.loc[::4, "age"] = np.nan
    gaps.loc[1::8, "city"] = None
    with pytest.raises(motmot.Error) as caught:
        motmot.distance(X, gaps)
    assert str(caught.value) == ("Y[0, 1] ('age') is nan; every value must be finite: missing='level' makes it something to "
                                 "compare, missing='drop' leaves such rows out")
    level = motmot.distance(X, gaps, missing="level")
    assert level.columns[1].levels[0].level == "(missing)" and level.columns[1].levels[0].moved == pytest.approx(0.25, abs=0.03)
    assert "(missing)" in {one.level for one in level.columns[0].levels} and level.asked.n == 150 and level.asked.m == 120
    dropped = motmot.distance(X, gaps, missing="drop")
    kept = gaps.notna().all(axis=1).to_numpy()
    assert dropped.value == motmot.distance(X, gaps[kept]).value and dropped.asked.rows_dropped == (0, int((~kept).sum()))
    assert len(dropped.rows.y.phi) == 120 and np.isnan(dropped.rows.y.phi[~kept]).all()
    only_words = motmot.distance(X[["city"]], gaps[["city"]])
    assert "(missing)" in {one.level for one in only_words.columns[0].levels}


def test_rows_that_are_dropped_do_not_make_an_amount_of_an_identifier(tmp_path):
    numbered = Y.assign(id=np.arange(5000, 5000 + len(Y)))
    numbered.loc[::4, "age"] = np.nan  # ids with a gap at every fourth row
    x = X.assign(id=np.arange(len(X)))
    found = motmot.distance(x, numbered, missing="drop")
    assert [one.name for one in found.asked.columns_left_out] == ["id"]
    assert found.value == said_of_files(tmp_path, x, numbered, "--missing", "drop")["value"]
    for other in (motmot.matrix({"x": x, "y": numbered}, missing="drop"), motmot.compare(x, numbered, missing="drop"),
                  motmot.outliers(x, numbered, missing="drop"), motmot.Reference(numbered, missing="drop")):
        assert "id" not in other.columns


def test_an_option_and_its_value_stand_in_one_line():
    x, y = np.arange(100.0), np.arange(100.0)
    x[::10] = -9999
    for length in range(1, 40):
        said = repr(motmot.distance({"a" * length: x}, {"a" * length: y}, permutations=0))
        assert "na=[-9999] (with missing='level') if" in " ".join(said.split()) and "=\n" not in said, said


def test_the_share_of_missing_values_is_distance():
    def column(missing):
        return [None] * missing + [3.5] * (100 - missing)
    for weight in (1.0, 3.0):
        found = motmot.distance({"n": column(10)}, {"n": column(40)}, missing="level", tau=0, permutations=0, category_weight=weight)
        assert found.value == pytest.approx(0.3 * weight)
    array = np.array(column(10), dtype=float)
    assert motmot.distance(array, np.full(50, 3.5), missing="level", tau=0, permutations=0).value == pytest.approx(0.1)


def test_kinds_can_be_set():
    zips = {"zip": [1000, 1010, 1000, 1020] * 5, "g": list(range(5)) * 4}
    assert motmot.distance(zips, zips).asked.kinds == ["number", "number"]
    asked = motmot.distance(zips, zips, kinds={"zip": "category"}).asked
    assert asked.kinds == ["category", "number"] and asked.scale == "robust"
    days = {"day": [datetime.date(2024, 1, 1 + i) for i in range(20)]}
    assert motmot.distance(days, days).asked.kinds == ["time"]


def test_numbers_alone_are_as_they_were():
    numbers = RNG.normal(size=(60, 2))
    frame = pandas.DataFrame(numbers, columns=["a", "b"])
    want = motmot.distance(numbers, numbers + 1)
    for data in (frame, {"a": numbers[:, 0], "b": numbers[:, 1]}):
        got = motmot.distance(data, numbers + 1)
        assert got.value == want.value and got.asked.scale == "none" and got.asked.category_weight is None


BAD = [
    ((X, Y[["city", "age"]]), {}, "X and Y must have the same number of columns, got 4 and 2; columns=['city', 'age'] compares those "
     "that both have"),
    ((X, Y.rename(columns={"city": "town"})), {}, "column 1 is 'city' in X and 'town' in Y: give both the same; "
     "columns=['age', 'when', 'ok'] compares those that both have"),
    ((X, Y.assign(age="old")), {}, "column 'age' is a number in X and a category in Y: kinds={'age': 'category'} takes both as words"),
    ((X, Y), {"kinds": {"town": "category"}}, "X has no column 'town'; its columns are 'city', 'age', 'when', 'ok'"),
    ((X, Y), {"kinds": {"city": "word"}}, "kinds must be one of number, category, time; got 'word'"),
    ((X, Y), {"category_weight": -1}, "the weight of categories must be a positive number, got -1"),
    ((X[["age"]], Y[["age"]]), {"category_weight": 2.0}, "category_weight does nothing here: it is for tables in which a category or a "
     "missing level takes part"),
    (({"a": [1, 2], "b": ["u"]}, Y), {}, "X has columns of 1, 2 rows; all must have as many"),
    (({}, Y), {}, "X is empty"),
]


@pytest.mark.parametrize("arguments,keywords,sentence", BAD, ids=[case[2] for case in BAD])
def test_bad_input_gets_one_sentence(arguments, keywords, sentence):
    with pytest.raises(motmot.Error) as caught:
        motmot.distance(*arguments, **keywords)
    assert str(caught.value) == sentence


def test_a_potential_takes_the_columns_of_a_table_by_name():
    people = pandas.DataFrame({"age": RNG.normal(40, 10, 60), "income": RNG.normal(2000, 500, 60)})
    others = people + [5.0, 100.0]
    phi = motmot.distance(people, others).phi
    want = phi(people.to_numpy())
    assert phi.columns == ["age", "income"] and pickle.loads(pickle.dumps(phi)).columns == phi.columns
    turned = people[["income", "age"]].assign(city="Rome")
    for data in [people, turned, {name: turned[name].tolist() for name in turned}]:
        assert np.array_equal(phi(data), want) and np.array_equal(phi.evaluate(data), want)
    assert np.array_equal(phi(pandas.DataFrame(people.to_numpy())), want)  # its columns are called 0 and 1
    with pytest.raises(motmot.Error, match="rows has no column 'income', which the critic takes; its columns are 'age', 'wage'"):
        phi(people.rename(columns={"income": "wage"}))
    with pytest.raises(motmot.Error, match="rows, column 'income' is a category; the critic takes numbers"):
        phi({"age": [1.0, 2.0], "income": ["low", "high"]})
    bare = motmot.distance(people.to_numpy(), others.to_numpy()).phi
    assert bare.columns == [] and np.array_equal(bare(turned[["age", "income"]]), want)
