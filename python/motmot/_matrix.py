"""Many samples, each against each; several methods on one pair."""
from __future__ import annotations

import time
from concurrent.futures import Executor
from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from . import _motmot
from ._arrays import Floats, complain, in_order_of, real, seed_of, shown, whole
from ._progress import Callback, callback
from ._tables import Names, Values, chosen, intake_table, names_of, read_foreign

_USUAL = _motmot.MatrixOptions()
_COMPARE = _motmot.CompareOptions()
_Found = Optional[tuple[float, float, float]]
_Pairs = Sequence[tuple[int, int]]
_GROUPS = 8  #: an executor gets a task for each two groups of samples: 36 of them, and each sample travels 9 times


def matrix(samples: Union[Mapping[str, Any], Sequence[Any]], *, names: Optional[Sequence[str]] = None,
           against: Optional[str] = None, tau: float = _USUAL.tau, scale: Union[str, Mapping[str, float]] = _USUAL.scale,
           missing: str = "level", kinds: Optional[Mapping[str, str]] = None, columns: Names = None,
           exclude: Names = None, na: Values = None,
           category_weight: float = _USUAL.category_weight, alpha: float = _USUAL.alpha, most_rows: int = _USUAL.most_rows,
           seed: int = _USUAL.seed, threads: int = _USUAL.threads, memory_limit: int = _USUAL.memory_limit,
           random_state: Any = None, executor: Optional[Executor] = None, progress: Union[None, bool, Callback] = None) -> _motmot.Matrix:
    """How far apart many samples are, each from each or one from all others.

    Rows that stand alone in their own sample are left out once for each sample, at most the share `tau`; each entry is the
    exact 1-Wasserstein distance of the rows kept, so the matrix is symmetric and obeys the triangle inequality. distance()
    of two of them may differ: it also leaves out rows that lie where the other sample has none, which no rule can do that
    sees each sample once. The same
    bits as ``motmot matrix``, on any number of threads and with any executor.

    Parameters
    ----------
    samples : a dict of samples by their names, or a list of them (`names`, or s1, s2, ...): whatever distance() takes.
    against : The name of one sample that all others are held against; None: all pairs.
    tau : Largest share of wrong rows in a sample, in [0, 0.5).
    scale, category_weight, missing, kinds, columns, exclude, na : As in distance(), but that missing values are a level unless said otherwise.
    alpha : Share of false ones among the pairs that are said to differ (Benjamini and Hochberg).
    most_rows : Rows of a sample that are compared at most, drawn by the seed; 0: all.
    executor : Any concurrent.futures.Executor (threads, processes, Dask's client.get_executor(), mpi4py's
        MPIPoolExecutor, ...): the pairs are spread over it. Processes must be able to import motmot.
    progress : True for a bar, or a function of the share of the work that is done; False from it stops the run.

    Returns
    -------
    motmot.Matrix : `values`, `floors`, `p_values` and `q_values` are square arrays, `pairs` has the same pair by pair;
        `order`, `merges` and `map` say what lies near what.

    Examples
    --------
    >>> import motmot, numpy as np
    >>> rng = np.random.default_rng(0)
    >>> m = motmot.matrix({"a": rng.normal(size=(80, 2)), "b": rng.normal(size=(80, 2)), "c": rng.normal(3, 1, size=(80, 2))})
    >>> [(m.names[pair.first], m.names[pair.second]) for pair in m.pairs if pair.differ]
    [('a', 'c'), ('b', 'c')]
    >>> bool(m.values[0, 2] > 5 * m.values[0, 1])
    True
    """
    by_name = {name: chosen(read_foreign(data, name), name, columns, exclude, na) for name, data in _by_name(samples, names).items()}
    options = _motmot.MatrixOptions()
    options.tau, options.category_weight, options.alpha = real(tau, "tau"), real(category_weight, "category_weight"), real(alpha, "alpha")
    options.scale, options.missing, options.against = _scale(scale), _missing(missing), against
    options.memory_limit = whole(memory_limit, "memory_limit")
    options.most_rows, options.threads, options.seed = whole(most_rows, "most_rows"), whole(threads, "threads"), seed_of(seed, random_state)
    first = names_of(next(iter(by_name.values()))) if by_name else []
    tables = []
    for name, data in by_name.items():
        tables.append(intake_table(in_order_of(first, names_of(data), data), name, kinds or {}, missing))
    given = (list(by_name), [table.frame for table in tables], [table.used for table in tables], dict(kinds or {}), options)
    with callback(progress) as watch:
        return _motmot.matrix(*given, watch) if executor is None else _spread(executor, given, watch)


def compare(x: Any, y: Any, *, stress: bool = _COMPARE.stress, tau: float = _COMPARE.tau,
            scale: Union[str, Mapping[str, float]] = _COMPARE.scale, missing: str = "error",
            kinds: Optional[Mapping[str, str]] = None, columns: Names = None, exclude: Names = None, na: Values = None,
            category_weight: float = _COMPARE.category_weight,
            seed: int = _COMPARE.seed, threads: int = _COMPARE.threads, memory_limit: int = _COMPARE.memory_limit, random_state: Any = None,
            progress: Union[None, bool, Callback] = None) -> _motmot.Comparison:
    """Several distances of two samples side by side: what each says, what it assumes, how long it takes.

    company is the answer of distance(); mom, mou and mou-diag are the paper's; plain, partial, sliced and energy are what
    others use. With `stress`, known dirt is planted in x (a sentinel, a far cluster, a decimal error), up to the share
    `tau` of its rows, and `movement` says how far each method moves.

    Parameters
    ----------
    x, y, tau, scale, missing, kinds, columns, exclude, na, category_weight, seed, threads, memory_limit, random_state,
        progress : As in distance().
    stress : Also plant dirt.

    Examples
    --------
    >>> import motmot
    >>> toy = motmot.generate("d1", n=100, tau_x=0, seed=1)
    >>> c = motmot.compare(toy.x, toy.y, stress=True)
    >>> moved = {method.method: method.stress[0].movement for method in c.methods}
    >>> abs(moved["company"]) < 0.05 and moved["plain"] > 5     # -999 in every tenth row
    True
    """
    options = _motmot.CompareOptions()
    options.tau, options.category_weight, options.stress = real(tau, "tau"), real(category_weight, "category_weight"), bool(stress)
    options.scale, options.missing = _scale(scale), _missing(missing)
    options.threads, options.seed = whole(threads, "threads"), seed_of(seed, random_state)
    options.memory_limit = whole(memory_limit, "memory_limit")
    x, y = (chosen(read_foreign(data, name), name, columns, exclude, na) for data, name in ((x, "X"), (y, "Y")))
    y = in_order_of(names_of(x), names_of(y), y)
    tables = [intake_table(data, name, kinds or {}, missing) for data, name in ((x, "X"), (y, "Y"))]
    with callback(progress) as watch:
        return _motmot.compare(tables[0].frame, tables[1].frame, dict(kinds or {}), options, watch)


def _by_name(samples: Any, names: Optional[Sequence[str]]) -> dict[str, Any]:
    if isinstance(samples, Mapping):
        if names is not None:
            complain("a dict has the names of its samples: leave out names")
        return {str(name): sample for name, sample in samples.items()}
    if isinstance(samples, (str, bytes)) or not hasattr(samples, "__iter__"):
        complain(f"samples must be a dict or a list of samples, got {shown(samples)}")
    listed = list(samples)
    called = [f"s{k + 1}" for k in range(len(listed))] if names is None else [str(name) for name in names]
    if len(called) != len(listed):
        complain(f"there are {len(listed)} samples and {len(called)} names")
    if len(set(called)) != len(called):
        complain(f"two samples are called '{next(name for name in called if called.count(name) > 1)}'")
    return dict(zip(called, listed))


def _scale(scale: Union[str, Mapping[str, float]]) -> str:
    if isinstance(scale, Mapping):
        return ",".join(f"{column}={real(unit, 'scale'):.17g}" for column, unit in scale.items())
    return str(scale)


def _missing(missing: str) -> str:
    if missing not in ("error", "drop", "level"):
        complain(f"missing must be one of error, drop, level; got {shown(missing)}")
    return missing


# ------------------------------------------------------------------------------------------------------ executors

def _found(ready: Mapping[int, _motmot.ReadySample], pairs: _Pairs) -> list[_Found]:
    """What a worker does."""
    return [_motmot.pair_found(ready[a], ready[b]) for a, b in pairs]


def _tiles(pairs: _Pairs, samples: int) -> list[list[int]]:
    """Places in `pairs`, by the groups that their samples belong to."""
    tiles: dict[tuple[int, int], list[int]] = {}
    for place, (a, b) in enumerate(pairs):
        tiles.setdefault((a * _GROUPS // samples, b * _GROUPS // samples), []).append(place)
    return list(tiles.values())


def _spread(executor: Executor, given: tuple[Any, ...], watch: Optional[Callback]) -> _motmot.Matrix:
    start = time.perf_counter()
    plan = _motmot.plan_matrix(*given)
    pairs, ready = plan.pairs, plan.ready
    found: list[_Found] = [None] * len(pairs)
    tiles = _tiles(pairs, len(ready))
    futures = []
    try:
        for tile in tiles:
            needed = {sample for place in tile for sample in pairs[place]}
            futures.append(executor.submit(_found, {k: ready[k] for k in sorted(needed)}, [pairs[place] for place in tile]))
        for done, (tile, future) in enumerate(zip(tiles, futures)):
            for place, pair in zip(tile, future.result()):
                found[place] = pair
            if watch is not None and watch((done + 1) / len(tiles)) is False:
                break
    finally:
        for future in futures:
            future.cancel()
    return _motmot.finish_matrix(plan, found, time.perf_counter() - start)


# -------------------------------------------------------------------------------------------------- the result

def _square(m: _motmot.Matrix, field: str, diagonal: float) -> Floats:
    square = np.full((len(m.samples), len(m.samples)), np.nan)
    np.fill_diagonal(square, diagonal)
    for pair in m.pairs:
        value = getattr(pair, field)
        square[pair.first, pair.second] = square[pair.second, pair.first] = np.nan if value is None else value
    return square


def _square_of(field: str, diagonal: float, doc: str) -> property:
    return property(lambda self: _square(self, field, diagonal), doc=doc)


setattr(_motmot.Matrix, "names", property(lambda self: [sample.name for sample in self.samples], doc="Of the samples"))
setattr(_motmot.Matrix, "values", _square_of("value", 0, "The distances as a square array; NaN where a pair was not asked for"))
setattr(_motmot.Matrix, "floors", _square_of("floor", 0, "What chance alone gives, about, as a square array"))
setattr(_motmot.Matrix, "p_values", _square_of("p_value", 1, "Of no difference, approximate, as a square array"))
setattr(_motmot.Matrix, "q_values", _square_of("q_value", 1, "The same for all pairs at once, as a square array"))
