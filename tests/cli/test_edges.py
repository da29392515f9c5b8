"""Numbers at the edge of double: a right answer, held against exact arithmetic, or one sentence; never a negative distance, a NaN,
an infinity, or a certified bound that is not one."""
import decimal
import fractions
import json
import math

import numpy
import pytest
import scipy.optimize

decimal.getcontext().prec = 60
decimal.getcontext().Emin, decimal.getcontext().Emax = -99999, 99999
LARGEST, TINIEST = 1.7976931348623157e308, 5e-324


def exact_distance(a, b):
    """In 60 digits: the differences and squares have no rounding that could be seen."""
    square = sum((fractions.Fraction(float(u)) - fractions.Fraction(float(v))) ** 2 for u, v in zip(a, b) if u != v)
    if square == 0:
        return decimal.Decimal(0)
    return (decimal.Decimal(square.numerator) / decimal.Decimal(square.denominator)).sqrt()


def exact_w1(x, y):
    """Rows repeated until both samples have as many; the assignment is found in double relative to the largest distance, and its
    cost summed up in 60 digits."""
    distances = {}
    def between(i, j):
        if (i, j) not in distances:
            distances[i, j] = exact_distance(x[i], y[j])
        return distances[i, j]
    rows = math.lcm(len(x), len(y)) if len(x) > 1 else len(y)
    pairs = [[between(i * len(x) // rows, j * len(y) // rows) for j in range(rows)] for i in range(rows)] if len(x) > 1 else None
    if pairs is None:
        return sum(between(0, j) for j in range(len(y))) / len(y)
    largest = max(max(line) for line in pairs)
    if largest == 0:
        return decimal.Decimal(0)
    chosen = scipy.optimize.linear_sum_assignment([[float(cost / largest) for cost in line] for line in pairs])
    return sum(pairs[i][j] for i, j in zip(*chosen)) / rows


def steps(start, count):
    """`start` and the doubles that follow it."""
    values = [start]
    while len(values) < count:
        values.append(math.nextafter(values[-1], math.inf))
    return values


def normal(seed, n, d, centre=0.0, spread=1.0):
    return centre + spread * numpy.random.default_rng(seed).normal(size=(n, d))


def ties(seed, n, d):
    """Nine of ten rows are the same one."""
    rows = normal(seed, n, d)
    rows[: n * 9 // 10] = rows[0]
    return rows


def pair(make, n=8, m=8):
    return make(1, n), make(2, m)


CASES = {
    "1e308": pair(lambda seed, n: 1e308 * (1 - 1e-3 * numpy.abs(normal(seed, n, 2)))),
    "1e308 and -1e308 in one column": (numpy.array([[1e308], [0.5], [-1e308]]), numpy.array([[1e307], [1.0], [-1e307]])),
    "differences beyond double": (numpy.full((8, 2), LARGEST), numpy.full((8, 2), -LARGEST)),
    "the largest double": (numpy.full((8, 1), LARGEST), numpy.zeros((8, 1))),
    "squares beyond double": pair(lambda seed, n: 1e200 * normal(seed, n, 3)),
    "1e-308": pair(lambda seed, n: 1e-308 * normal(seed, n, 2)),
    "denormals": pair(lambda seed, n: TINIEST * numpy.round(100 * normal(seed, n, 2))),
    "the tiniest double": (numpy.zeros((8, 1)), numpy.full((8, 1), TINIEST)),
    "squares below double": pair(lambda seed, n: 1e-200 * normal(seed, n, 3)),
    "1e308 beside 1e-308": (numpy.array([[1e308, 1e-308], [1e308, 2e-308]]), numpy.array([[1e308, 4e-308], [1e308, 7e-308]])),
    "a column of 1e300 beside one of 1": pair(lambda seed, n: normal(seed, n, 2) * [1e300, 1]),
    "minus zero": (numpy.zeros((8, 2)), -numpy.zeros((8, 2))),
    "offset 1e9, spread 1e-6, 1 column": pair(lambda seed, n: normal(seed, n, 1, 1e9, 1e-6)),
    "offset 1e9, spread 1e-6, 3 columns": pair(lambda seed, n: normal(seed, n, 3, 1e9, 1e-6)),
    "offset 1e9, spread 1e-6, 30 rows": pair(lambda seed, n: normal(seed, n, 2, 1e9, 1e-6), 30, 30),
    "the last bit, 1 column": (numpy.array([steps(1.0, 8)]).T, numpy.array([steps(1.0 + 2e-16, 8)]).T),
    "the last bit, 2 columns": (numpy.array([steps(3.0, 8), steps(1e9, 8)]).T, numpy.array([steps(3.0, 8)[::-1], steps(1e9, 8)]).T),
    "single rows": (numpy.array([[3.0, 4.0]]), numpy.array([[0.0, 0.0]])),
    "single rows, the same": (numpy.array([[3.0, 4.0]]), numpy.array([[3.0, 4.0]])),
    "one row and 7": pair(lambda seed, n: normal(seed, n, 2), 1, 7),
    "7 rows and one": pair(lambda seed, n: normal(seed, n, 2), 7, 1),
    "2000 columns": pair(lambda seed, n: normal(seed, n, 2000), 4, 4),
    "all rows equal": (numpy.full((30, 3), 0.1), numpy.full((30, 3), 0.1)),
    "all rows equal, but other ones in Y": (numpy.full((30, 3), 0.1), numpy.full((20, 3), 0.3)),
    "binary columns": pair(lambda seed, n: numpy.float64(normal(seed, n, 4) > 0), 30, 30),
    "nine of ten rows are ties": pair(lambda seed, n: ties(seed, n, 2), 30, 30),
    "nine of ten rows are ties, 1 column": pair(lambda seed, n: ties(seed, n, 1), 40, 40),
}
BEYOND = {"differences beyond double"}  # no double is the answer: a sentence is the right one


def numbers(json_value, path=""):
    """Every number with its path."""
    if isinstance(json_value, dict):
        for key, value in json_value.items():
            yield from numbers(value, f"{path}.{key}")
    elif isinstance(json_value, list):
        for value in json_value:
            yield from numbers(value, path + "[]")
    elif isinstance(json_value, (int, float)) and not isinstance(json_value, bool):
        yield path, json_value


def refuse(constant):
    raise AssertionError(f"JSON has {constant}")


def sound(done):
    """The JSON of an answer, or None where it was one sentence."""
    if done.code == 2:
        assert done.err.count("\n") == 1 and "internal" not in done.err, done.err
        return None
    assert done.code in (0, 1), (done.code, done.err)
    answer = json.loads(done.out, parse_constant=refuse)
    for path, number in numbers(answer):
        assert math.isfinite(number), path
    return answer


def save(folder, x, y):
    numpy.save(folder / "x.npy", x)
    numpy.save(folder / "y.npy", y)


def near(value, expected):
    return abs(decimal.Decimal(value) - expected) <= decimal.Decimal(1e-9) * expected + decimal.Decimal(TINIEST)


def is_moderate(x, y):
    """Other commands than transport refuse values beyond 1e300, of which distances and their sums may overflow."""
    return max(numpy.abs(x).max(), numpy.abs(y).max()) <= 1e300


@pytest.mark.parametrize("case", CASES)
def test_transport_is_right_and_its_bounds_hold(motmot, tmp_path, case):
    x, y = CASES[case]
    save(tmp_path, x, y)
    answer = sound(motmot("transport", "x.npy", "y.npy", "--quiet", "--json", "-"))
    assert (answer is None) == (case in BEYOND)
    if answer is None:
        return
    expected = exact_w1(x, y)
    assert near(answer["cost"], expected), (answer["cost"], expected)
    assert answer["gap"] >= 0
    rounding = decimal.Decimal(1e-12) * expected + decimal.Decimal(TINIEST)
    assert decimal.Decimal(answer["cost"]) - decimal.Decimal(answer["gap"]) <= expected + rounding, (answer, expected)


@pytest.mark.parametrize("case", CASES)
def test_distance_is_right_or_one_sentence(motmot, tmp_path, case):
    x, y = CASES[case]
    save(tmp_path, x, y)
    for options in (["--tau", 0], ["--estimator", "plain"], ["--scale", "robust"], ["--tau", 0.2, "--verbose"], ["--estimator", "mom"]):
        answer = sound(motmot("distance", "x.npy", "y.npy", "--quiet", "--json", "-", *options))
        if answer is None:
            assert not is_moderate(x, y) or "robust" in options or "mom" in options, options
            continue
        assert answer["value"] >= 0, options
        if options[:2] in (["--tau", 0], ["--estimator", "plain"]):
            expected = exact_w1(x, y)
            assert near(answer["value"], expected), (options, answer["value"], expected)
        if answer.get("interval"):
            assert 0 <= answer["interval"][0] <= answer["interval"][1], options
        if answer.get("p_value"):
            assert 0 < answer["p_value"] <= 1, options


@pytest.mark.parametrize("case", CASES)
def test_outliers_matrix_and_check_are_sound(motmot, tmp_path, case):
    x, y = CASES[case]
    save(tmp_path, x, y)
    for scale in ("none", "robust"):
        sound(motmot("outliers", "x.npy", "y.npy", "--scale", scale, "--quiet", "--json", "-"))
        found = sound(motmot("matrix", "x.npy", "y.npy", "x.npy", "--scale", scale, "--quiet", "--json", "-"))
        if found is not None:
            for path, number in numbers(found["pairs"]):
                assert not path.endswith(".value") or number >= 0, (path, number)
    numpy.save(tmp_path / "x.npy", numpy.repeat(x, -(-20 // len(x)), axis=0))
    if motmot("reference", "x.ref", "x.npy", "--quiet").code == 0:
        sound(motmot("check", "x.ref", "y.npy", "--quiet", "--json", "-"))


@pytest.mark.parametrize("columns", [1, 3])
@pytest.mark.parametrize("fill", [-999e3, 1e13, 1e20, 9.97e36, -1e100])
def test_a_fill_value_in_both_samples_costs_no_digits(motmot, tmp_path, columns, fill):
    """What may be left out is, so that how far away it is does not matter: bounds are those of a fill value of 1e5."""
    def partial(value):
        x, y = normal(1, 60, columns), normal(2, 50, columns, 1.0)
        x[:4, 0] = y[:3, 0] = value
        save(tmp_path, x, y)
        answer = sound(motmot("distance", "x.npy", "y.npy", "--quiet", "--json", "-", "--permutations", 0))
        return answer["partial"], answer["value"], answer["interval"]
    numpy.testing.assert_allclose(numpy.hstack(partial(fill)), numpy.hstack(partial(math.copysign(1e5, fill))), rtol=1e-9)


def test_one_row_against_many(motmot, tmp_path):
    """1 x 100 000: the mean distance, summed up without rounding."""
    x, y = normal(1, 1, 2, 1e9, 1e-3), normal(2, 100_000, 2, 1e9, 1e-3)
    save(tmp_path, x, y)
    expected = math.fsum(math.dist(x[0], row) for row in y) / len(y)
    for arguments in (["transport", "x.npy", "y.npy"], ["transport", "y.npy", "x.npy"], ["distance", "x.npy", "y.npy", "--estimator", "plain"]):
        answer = sound(motmot(*arguments, "--quiet", "--json", "-"))
        assert math.isclose(answer.get("cost", answer.get("value")), expected, rel_tol=1e-9), arguments
    sound(motmot("distance", "x.npy", "y.npy", "--quiet", "--json", "-"))


@pytest.mark.parametrize("command", ["distance", "outliers", "matrix"])
def test_the_unit_of_the_columns_does_not_matter(motmot, tmp_path, command):
    """Powers of two change lengths alone: no p-value, score, share or number of rows."""
    x, y = normal(1, 40, 2), normal(2, 30, 2, 1.0)
    x[0] = 9
    answers = []
    for power in (0, -1000, -520, 520, 900):
        save(tmp_path, numpy.ldexp(x, power), numpy.ldexp(y, power))
        answer = sound(motmot(command, "x.npy", "y.npy", "--quiet", "--json", "-"))
        answers.append([(path, number, power) for path, number in numbers(answer) if "seconds" not in path])
    for answer in answers[1:]:
        assert len(answer) == len(answers[0])
        for (path, number, power), (_, plain, _) in zip(answer, answers[0]):
            assert math.isclose(number, plain, rel_tol=1e-6) or math.isclose(number, math.ldexp(plain, power), rel_tol=1e-6), (path, power)
