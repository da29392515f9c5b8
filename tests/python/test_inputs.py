"""What distance() takes, and how it complains."""
import re

import numpy as np
import pytest

import motmot

TOY = motmot.generate("d1", n=30, seed=1)
X, Y = TOY.x, TOY.y
WANT = motmot.distance(X, Y).value


def table(array, names=("height", "weight")):
    return pytest.importorskip("pandas").DataFrame(array, columns=list(names))


def test_everything_that_holds_rows_is_taken():
    torch = pytest.importorskip("torch")
    same = [X.tolist(), tuple(map(tuple, X)), np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X.astype(">f8"), table(X),
            torch.tensor(X), torch.tensor(X, requires_grad=True), X.astype(np.longdouble), X.reshape(30, 2, 1), X.astype(object)]
    for data in same:
        assert motmot.distance(data, Y).value == WANT, type(data)
    assert motmot.distance(np.float32(X), Y).value == motmot.distance(np.float64(np.float32(X)), Y).value
    assert motmot.distance(np.round(X).astype(int), Y).value == motmot.distance(np.round(X), Y).value
    assert motmot.transport(X[:, 0], table(Y)["weight"]).d == 1


def test_float64_rows_are_not_copied_and_not_changed():
    from motmot._arrays import rows
    assert rows(X, "X") is X or np.shares_memory(rows(X, "X"), X)
    before = X.copy()
    locked = X.copy()
    locked.flags.writeable = False
    assert motmot.distance(locked, Y).value == WANT
    assert np.array_equal(X, before)


def with_value(value, i=2, j=1):
    array = X.astype(object if isinstance(value, str) else float)
    array[i, j] = value
    return array


BAD = [  # arguments, keywords, sentence
    ((X, Y), {"tau": 0.5}, "tau must lie in [0, 0.5), got 0.5"),
    ((X, Y), {"tau": "much"}, "tau must be a number in [0, 0.5) or auto; got 'much'"),
    ((X, Y), {"tau": "auto", "tau_x": 0.1}, "tau auto sets both samples: leave out tau_x and tau_y"),
    ((X, Y), {"estimator": "median"}, "estimator must be one of company, mom, mou, mou-diag, plain; got 'median'"),
    ((X, Y), {"critic": "oracle"}, "critic must be one of auto, exact, lipschitz, clipped; got 'oracle'"),
    ((X, Y), {"scheme": "random"}, "scheme must be one of shuffle, partition, swor, pairs; got 'random'"),
    ((X, Y), {"estimator": "mom", "blocks": 31}, "need K_X <= n, got K_X = 31, n = 30"),
    ((X, Y), {"blocks": 2.5}, "blocks must be a whole number, got 2.5"),
    ((X, Y), {"blocks": 3, "blocks_y": 3}, "blocks sets both samples: leave out blocks_y"),
    ((X, Y), {"seed": -1}, "seed must be a whole number, got -1"),
    ((X, Y), {"seed": 1, "random_state": 1}, "seed and random_state say the same: leave one out"),
    ((X, Y), {"weights_x": np.ones(30)}, "row weights are for estimator plain: company counts rows and block means take none; got estimator company"),
    ((X, Y), {"estimator": "mou-diag", "blocks_x": 3, "blocks_y": 5}, "estimator mou-diag needs K_X = K_Y, got 3 and 5"),
    ((X, Y), {"estimator": "mom", "block_size": 3}, "block sizes are free in scheme swor only, got scheme shuffle"),
    ((X, Y[:, :1]), {}, "X and Y must have the same number of columns, got 2 and 1"),
    ((X[:0], Y), {}, "X is empty"),
    ((with_value(np.nan), Y), {}, "X[2, 1] is nan; every value must be finite: missing='level' makes it something to compare, missing='drop' leaves such rows out"),
    ((X, with_value(-np.inf)), {}, "Y[2, 1] is -inf; every value must be finite: missing='level' makes it something to compare, missing='drop' leaves such rows out"),
    ((with_value("tall"), Y), {}, "X[2, 1] is 'tall', which is not a number"),
    ((3.0, Y), {}, "X must be an array of rows, got 3.0"),
    (("x.csv", Y), {}, "X must be an array of rows, got 'x.csv'"),
    ((X + 1j, Y), {}, "X must hold real numbers, got an array of complex128"),
    ((np.ma.masked_array(X, mask=np.arange(60).reshape(30, 2) == 5), Y), {}, "X[2, 1] is nan; every value must be finite: missing='level' makes it something to compare, missing='drop' leaves such rows out"),
    ((X, Y), {"missing": "ignore"}, "missing must be one of error, drop, level; got 'ignore'"),
    ((np.full((3, 2), np.nan), Y), {"missing": "drop"},
     "X has no rows left: a value is missing in each of its 3 rows"),
    ((X, Y), {"tau": 0.2, "tau_y": 0.1}, "tau sets both samples: leave out tau_y"),
    ((X, Y), {"steps": 5}, "steps does nothing here: it is for the critics lipschitz and clipped, and the network beside exact; "
     "this is estimator company"),
    ((X, Y), {"critic": "exact"}, "critic does nothing here: it is for estimators with blocks (mom, mou, mou-diag) and plain; "
     "this is estimator company"),
    ((X, Y), {"permutations": -1}, "permutations must be a whole number, got -1"),
    ((X, Y), {"scale": {"age": 10}}, "scale names the column 'age', which the data do not have"),
    ((X, Y), {"trace": True, "estimator": "mom", "critic": "exact"}, "trace does nothing here: it is for the critics lipschitz and clipped; "
     "this is estimator mom with critic exact"),
    ((X, Y), {"rate": 1e-3, "estimator": "mom", "critic": "lipschitz"}, "rate does nothing here: it is for critic clipped; "
     "this is estimator mom with critic lipschitz"),
    ((X, Y), {"blocks": 7, "estimator": "plain"}, "blocks does nothing here: it is for estimators with blocks "
     "(mom, mou, mou-diag); this is estimator plain with critic exact"),
    ((X, Y), {"read_out": 9, "estimator": "mom", "critic": "clipped"}, "read_out does nothing here: it is for estimators with blocks and the "
     "critics exact and lipschitz; this is estimator mom with critic clipped"),
    ((X, Y), {"time_limit": float("nan")}, "the time limit must be a number of seconds above 0, or 0 for none; got nan"),
]


@pytest.mark.parametrize("arguments,keywords,sentence", BAD, ids=[case[2] for case in BAD])
def test_bad_input_gets_one_sentence(arguments, keywords, sentence):
    with pytest.raises(motmot.Error) as caught:
        motmot.distance(*arguments, **keywords)
    assert str(caught.value) == sentence and isinstance(caught.value, ValueError)


def test_tables_keep_the_names_of_columns_in_complaints():
    both = "missing='level' makes it something to compare, missing='drop' leaves such rows out"
    for value, ending in [(np.nan, f"is nan; every value must be finite: {both}"), ("tall", "is 'tall', which is not a number")]:
        with pytest.raises(motmot.Error) as caught:
            motmot.distance(X, table(with_value(value)))
        assert str(caught.value) == f"Y[2, 1] ('weight') {ending}"


def test_tables_whose_columns_differ_are_not_compared():
    assert motmot.distance(table(X), table(Y, ("length", "mass"))).value == WANT  # no name shared: named otherwise
    assert motmot.distance(table(X, (0, 1)), table(Y, (1, 2))).value == WANT  # numbers are no names
    with pytest.raises(motmot.Error, match="column 2 is 'weight' in X and 'mass' in Y"):
        motmot.distance(table(X), table(Y, ("height", "mass")))


def test_columns_have_the_names_of_the_table():
    result = motmot.distance(table(X), Y, scale={"weight": 10})
    assert [(column.name, column.unit) for column in result.columns] == [("height", 1), ("weight", 10)]
    assert result.asked.columns == ["height", "weight"] and result.asked.scale == "weight=10"


def test_the_sentences_are_those_of_the_command(command):
    for keywords, arguments in [({"tau": 0.6}, ["--tau", 0.6]), ({"estimator": "mom", "blocks": 31}, ["--estimator", "mom", "--blocks", 31]),
                                ({"estimator": "mom", "scheme": "pairs"}, ["--estimator", "mom", "--scheme", "pairs"]),
                                ({"estimator": "mom", "critic": "clipped", "hidden": [0]}, ["--estimator", "mom", "--critic", "clipped", "--hidden", 0]),
                                ({"estimator": "mom", "critic": "clipped", "rate": -1.0}, ["--estimator", "mom", "--critic", "clipped", "--rate", -1.0])]:
        with pytest.raises(motmot.Error) as caught:
            motmot.distance(X, Y, **keywords)
        assert str(caught.value) == command("distance", X, Y, *arguments)


def test_options_in_sentences_are_spelt_as_keywords():
    x = np.column_stack([X[:, 0], 1000 * X[:, 1]])
    warnings = motmot.distance(x, x + 1).warnings
    said = " ".join(warning.text for warning in warnings)
    assert "scale='robust'" in said and "--" not in said + repr(motmot.distance(x, x + 1))
    with pytest.raises(motmot.Error) as caught:
        motmot.distance(*[{"city": ["Paris", "Rome"] * 10, "a": list(range(20))}] * 2, scale={"city": 2})
    assert "category_weight= says" in str(caught.value) and "--" not in str(caught.value)


def test_values_that_are_not_finite_have_a_code_of_their_own():
    with pytest.raises(motmot.Error) as caught:
        motmot.distance(with_value(np.nan), Y)
    assert caught.value.code == "numeric"


def with_gaps(array, rows):
    """The array with rows in between that miss a value, and where its own rows now are."""
    wide = np.insert(array, [row - at for at, row in enumerate(rows)], [[np.nan, 1.0]], axis=0)
    return wide, np.setdiff1d(np.arange(len(wide)), rows)


def test_rows_with_missing_values_can_be_dropped_and_the_others_keep_their_numbers():
    wide_x, at_x = with_gaps(X, [0, 7, 20])
    wide_y, at_y = with_gaps(Y, [30])
    wide_x[7] = [2.0, np.inf]
    want, got = motmot.distance(X, Y), motmot.distance(wide_x, wide_y, missing="drop")
    assert got.value == want.value and (got.asked.n, got.asked.m) == (30, 30) and got.asked.rows_dropped == (3, 1)
    assert want.asked.rows_dropped == (0, 0) and "30 rows, 3 dropped for missing values" in repr(got)
    assert len(want.suspects.x) > 0 and np.array_equal(got.suspects.x, at_x[want.suspects.x])
    assert got.left_out.x == got.suspects.x.tolist() == got.to_dict()["left_out"]["x"]
    for name in ("phi", "score"):
        many, few = getattr(got.rows.x, name), getattr(want.rows.x, name)
        assert np.array_equal(many[at_x], few) and np.isnan(np.delete(many, at_x)).all()
    assert len(got.rows.x.left_out) == 33 and not got.rows.x.left_out[[0, 7, 20]].any()


def test_transport_leaves_rows_out_and_numbers_its_plan_as_they_were_given():
    wide_x, at_x = with_gaps(X, [4, 5])
    wide_y, at_y = with_gaps(Y, [0])
    weights, wide_weights = np.arange(1.0, 31), np.ones(32)
    wide_weights[at_x] = weights
    wide_weights[5] = np.nan
    for want, got in [(motmot.transport(X, Y, weights), motmot.transport(wide_x, wide_y, wide_weights, missing="drop")),
                      (motmot.partial_transport(X, Y, 0.2), motmot.partial_transport(wide_x, wide_y, 0.2, missing="drop"))]:
        assert got.cost == want.cost and got.rows_dropped == (2, 1) and (got.n, got.m) == (30, 30)
        assert got.dense().shape == (32, 31) and np.array_equal(got.dense()[np.ix_(at_x, at_y)], want.dense())
        assert np.array_equal(got.u[at_x], want.u) and np.isnan(got.u[[4, 5]]).all() and np.isnan(got.v[0])


def test_a_weight_that_is_missing_leaves_its_row_out():
    weights = np.ones(30)
    weights[3] = np.nan
    got = motmot.distance(X, Y, estimator="plain", weights_x=weights, missing="drop")
    want = motmot.distance(np.delete(X, 3, axis=0), Y, estimator="plain", weights_x=np.ones(29))
    assert got.value == want.value and got.asked.rows_dropped == (1, 0)


def test_tables_have_their_own_words_for_missing_values():
    pandas = pytest.importorskip("pandas")
    frame = table(X).astype(object)
    frame.iloc[2, 0], frame.iloc[4, 1] = None, pandas.NA
    want = motmot.distance(np.delete(X, [2, 4], axis=0), Y)
    masked = np.ma.masked_array(X, mask=np.isin(np.arange(60), [4, 9]).reshape(30, 2))
    for data in (frame, masked):
        got = motmot.distance(data, Y, missing="drop")
        assert got.value == want.value and got.asked.rows_dropped == (2, 0)
        with pytest.raises(motmot.Error, match=r"X\[2, 0\].* is nan"):
            motmot.distance(data, Y)


def test_options_are_refused_where_the_command_refuses_them(command):
    for keywords, arguments in [({"steps": 5}, ["--steps", 5]), ({"hidden": [8]}, ["--hidden", 8]),
                                ({"tau_x": 0.2, "estimator": "plain"}, ["--tau-x", 0.2, "--estimator", "plain"]),
                                ({"certify": True}, ["--certify"]), ({"paper": True, "estimator": "mom"}, ["--paper", "--estimator", "mom"])]:
        with pytest.raises(motmot.Error) as caught:
            motmot.distance(X, Y, **keywords)
        assert str(caught.value).split(" does nothing ")[1] == command("distance", X, Y, *arguments).split(" does nothing ")[1]
    assert motmot.distance(X, Y, network=True, steps=5).neighbours.network is not None


def test_random_state_is_another_name_of_the_seed():
    assert motmot.distance(X, Y, random_state=5).asked.seed == 5
    draws = {motmot.distance(X, Y, random_state=make(3)).asked.seed for make in (np.random.default_rng, np.random.RandomState)}
    assert len(draws) == 2
    assert motmot.generate("d1", n=5, random_state=4).x.tolist() == motmot.generate("d1", n=5, seed=4).x.tolist()


def test_other_functions_complain_alike(tmp_path):
    (tmp_path / "not.json").write_text("{}")
    critic = motmot.distance(X, Y).phi
    for call, words in [(lambda: motmot.transport(X, Y[:, :1]), "same number of columns"),
                        (lambda: motmot.transport(X, Y, [1, 2], None), "weights"),
                        (lambda: motmot.transport(X, Y, -np.ones(30)), "weights must be finite"),
                        (lambda: motmot.partial_transport(X, Y, tau=1), "tau"),
                        (lambda: motmot.generate("d9"), "toy must be one of d1, d2"),
                        (lambda: motmot.generate("d1", n=0), "n"),
                        (lambda: motmot.generate("d1", tau=2), "tau"),
                        (lambda: motmot.advise(tau=0.7), "tau"),
                        (lambda: motmot.advise(estimator="plain"), "plain has no blocks to advise on"),
                        (lambda: motmot.advise(estimator="median"), "estimator must be one of company, mom, mou, mou-diag, plain"),
                        (lambda: motmot.Critic.load(tmp_path / "none.json"), "cannot read critic"),
                        (lambda: motmot.Critic.load(tmp_path / "not.json"), "is not a critic"),
                        (lambda: critic(np.ones((2, 3))), "the critic takes 2 columns, the data have 3"),
                        (lambda: critic([[1, np.inf]]), "rows[0, 1] is inf")]:
        with pytest.raises(motmot.Error, match=re.escape(words)):
            call()
