"""What distance() takes, and how it complains."""
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
    ((X, Y), {"tau": 0.5}, "tau_x must lie in [0, 0.5), got 0.5"),
    ((X, Y), {"tau": "much"}, "tau must be a number in [0, 0.5) or auto; got 'much'"),
    ((X, Y), {"tau": "auto", "tau_x": 0.1}, "tau auto sets both samples: leave out tau_x and tau_y"),
    ((X, Y), {"estimator": "median"}, "estimator must be one of mom, mou, mou-diag, plain; got 'median'"),
    ((X, Y), {"critic": "oracle"}, "critic must be one of auto, exact, lipschitz, clipped; got 'oracle'"),
    ((X, Y), {"scheme": "random"}, "scheme must be one of shuffle, partition, swor, pairs; got 'random'"),
    ((X, Y), {"blocks": 31}, "need K_X <= n, got K_X = 31, n = 30"),
    ((X, Y), {"blocks": 0}, "blocks must be at least 1, got 0"),
    ((X, Y), {"blocks": 2.5}, "blocks must be a whole number, got 2.5"),
    ((X, Y), {"blocks": 3, "blocks_y": 3}, "blocks sets both samples: leave out blocks_y"),
    ((X, Y), {"seed": -1}, "seed must be a whole number, got -1"),
    ((X, Y), {"seed": 1, "random_state": 1}, "seed and random_state say the same: leave one out"),
    ((X, Y), {"weights_x": np.ones(30)}, "row weights are for estimator plain: block means take none, got estimator mom"),
    ((X, Y), {"estimator": "mou-diag", "blocks_x": 3, "blocks_y": 5}, "estimator mou-diag needs K_X = K_Y, got 3 and 5"),
    ((X, Y), {"block_size": 3}, "block sizes are free in scheme swor only, got scheme shuffle"),
    ((X, Y[:, :1]), {}, "X and Y must have the same number of columns, got 2 and 1"),
    ((X[:0], Y), {}, "X is empty"),
    ((with_value(np.nan), Y), {}, "row 3, column 2 of X is nan; every value must be finite"),
    ((X, with_value(-np.inf)), {}, "row 3, column 2 of Y is -inf; every value must be finite"),
    ((with_value("tall"), Y), {}, "row 3, column 2 of X is 'tall', which is not a number"),
    ((3.0, Y), {}, "X must be an array of rows, got 3.0"),
    ((X + 1j, Y), {}, "X must hold real numbers, got an array of complex128"),
    ((np.ma.masked_greater(X, 3), Y), {}, "X has masked values; fill them or leave their rows out"),
]


@pytest.mark.parametrize("arguments,keywords,sentence", BAD, ids=[case[2] for case in BAD])
def test_bad_input_gets_one_sentence(arguments, keywords, sentence):
    with pytest.raises(motmot.Error) as caught:
        motmot.distance(*arguments, **keywords)
    assert str(caught.value) == sentence and isinstance(caught.value, ValueError)


def test_tables_keep_the_names_of_columns_in_complaints():
    for value, ending in [(np.nan, "is nan; every value must be finite"), ("tall", "is 'tall', which is not a number")]:
        with pytest.raises(motmot.Error) as caught:
            motmot.distance(X, table(with_value(value)))
        assert str(caught.value) == f"row 3, column 2 'weight' of Y {ending}"


def test_tables_whose_columns_differ_are_not_compared():
    assert motmot.distance(table(X), table(Y, ("length", "mass"))).value == WANT  # no name shared: named otherwise
    assert motmot.distance(table(X, (0, 1)), table(Y, (1, 2))).value == WANT  # numbers are no names
    for names, words in [(("weight", "height"), "column 1 is 'height' in X and 'weight' in Y"),
                         (("height", "mass"), "column 2 is 'weight' in X and 'mass' in Y")]:
        with pytest.raises(motmot.Error, match=words):
            motmot.distance(table(X), table(Y, names))


def test_the_sentences_are_those_of_the_command(command):
    for keywords, arguments in [({"tau": 0.6}, ["--tau", 0.6]), ({"blocks": 31}, ["--blocks", 31]),
                                ({"scheme": "pairs"}, ["--scheme", "pairs"]), ({"hidden": [0]}, ["--hidden", 0]),
                                ({"critic": "clipped", "rate": -1.0}, ["--critic", "clipped", "--rate", -1.0])]:
        with pytest.raises(motmot.Error) as caught:
            motmot.distance(X, Y, **keywords)
        assert str(caught.value) == command("distance", X, Y, *arguments)


def test_the_core_says_the_same_of_values_that_are_not_finite():
    from motmot import _motmot
    for call in (lambda: _motmot.robust_w1(with_value(np.nan), Y, _motmot.EstimateOptions()),
                 lambda: motmot.distance(with_value(np.nan), Y)):
        with pytest.raises(motmot.Error, match="row 3, column 2 of X is nan; every value must be finite") as caught:
            call()
        assert caught.value.code == "numeric"


def test_random_state_is_another_name_of_the_seed():
    assert motmot.distance(X, Y, random_state=5).to_dict()["seed"] == 5
    draws = {motmot.distance(X, Y, random_state=make(3)).seed for make in (np.random.default_rng, np.random.RandomState)}
    assert len(draws) == 2
    assert motmot.generate("d1", n=5, random_state=4).x.tolist() == motmot.generate("d1", n=5, seed=4).x.tolist()


def test_other_functions_complain_alike(tmp_path):
    (tmp_path / "not.json").write_text("{}")
    critic = motmot.distance(X, Y).critic
    for call, words in [(lambda: motmot.transport(X, Y[:, :1]), "same number of columns"),
                        (lambda: motmot.transport(X, Y, [1, 2], None), "weights"),
                        (lambda: motmot.transport(X, Y, -np.ones(30)), "weights must be finite"),
                        (lambda: motmot.partial_transport(X, Y, tau=1), "tau"),
                        (lambda: motmot.generate("d9"), "toy must be one of d1|d2"),
                        (lambda: motmot.generate("d1", n=0), "n"),
                        (lambda: motmot.generate("d1", tau=2), "tau"),
                        (lambda: motmot.advise(tau=0.7), "tau"),
                        (lambda: motmot.advise(estimator="plain"), "plain has no blocks to advise on"),
                        (lambda: motmot.load_critic(tmp_path / "none.json"), "cannot read critic"),
                        (lambda: motmot.load_critic(tmp_path / "not.json"), "is not a critic"),
                        (lambda: critic(np.ones((2, 3))), "the critic takes 2 columns, the data have 3"),
                        (lambda: critic([[1, np.inf]]), "row 1, column 2 of the data is inf")]:
        with pytest.raises(motmot.Error, match=words.replace("|", r"\|")):
            call()
