"""The front door."""
from __future__ import annotations

import inspect
import textwrap
from concurrent.futures import Executor
from typing import Any, Callable, Mapping, Optional, Sequence, Union

from . import _motmot
from ._arrays import Floats, column_names, complain, in_order_of, intake, per_sample, real, seed_of, shown, whole
from ._progress import Callback, callback
from ._tables import Names, Values, chosen, intake_tables, is_table, names_of, read_foreign

_USUAL = _motmot.DistanceOptions()
_ASCENT = _USUAL.ascent
_TASKS = 16  #: an executor gets the permutations in so many tasks


def distance(x: Any, y: Any, *, tau: Union[float, str] = _USUAL.tau.x, scale: Union[str, Mapping[str, float]] = _USUAL.scale,
             permutations: Optional[int] = _USUAL.permutations, seed: int = _USUAL.seed, tau_x: Optional[float] = None,
             tau_y: Optional[float] = None, missing: str = "error", kinds: Optional[Mapping[str, str]] = None,
             columns: Names = None, exclude: Names = None, na: Values = None,
             category_weight: float = _USUAL.category_weight, estimator: str = _USUAL.estimator,
             paper: bool = _USUAL.paper, network: bool = _USUAL.network, metric: str = _USUAL.metric,
             bandwidth: float = _USUAL.bandwidth, critic: str = _USUAL.critic,
             certify: bool = _USUAL.certify, blocks: int = _USUAL.blocks.x, blocks_x: Optional[int] = None,
             blocks_y: Optional[int] = None, scheme: str = _USUAL.scheme, block_size: int = _USUAL.block_size.x,
             block_size_x: Optional[int] = None, block_size_y: Optional[int] = None, pairs: int = _USUAL.pairs,
             read_out: int = _USUAL.read_out, weights_x: Any = None, weights_y: Any = None,
             steps: int = _ASCENT.steps, hidden: Sequence[int] = tuple(_ASCENT.hidden), rate: float = _ASCENT.rate,
             clip: float = _ASCENT.clip, alpha: float = _ASCENT.alpha, eps: float = _ASCENT.eps,
             tail: int = _ASCENT.tail, trace: bool = _ASCENT.trace, time_limit: float = _USUAL.time_limit,
             memory_limit: int = _USUAL.memory_limit,
             threads: int = _USUAL.threads, checkpoint: str = _USUAL.checkpoint,
             checkpoint_seconds: float = _USUAL.checkpoint_seconds, random_state: Any = None,
             executor: Optional[Executor] = None, progress: Union[None, bool, Callback] = None) -> _motmot.Distance:
    """How far apart two samples are when some of their rows may be wrong, and whether that is more than chance.

    Rows that stand alone in their own sample are left out, at most the share `tau` of each; the value is the exact
    1-Wasserstein distance of the rest. ``print(result)`` says what came out; the result has it by name.

    The same data, options and seed give the same bits as ``motmot distance`` and as C++, on any number of threads.
    Options that would change nothing are refused.

    Parameters
    ----------
    x, y : n x d and m x d arrays, tables, tensors or nested lists; one dimension is one column. float64 without gaps
        is used as it is, anything else is copied. Tables (a pandas data frame, a dict of columns) may hold words,
        categoricals, booleans and times beside numbers: ``result.asked.kinds`` says what was found, and
        ``result.asked.columns_left_out`` which columns were not compared.
    OPTIONS
    tau_x, tau_y, blocks_x, blocks_y, block_size_x, block_size_y : The same for one sample.
    missing : Rows with NaN or infinite values: 'error' names the first of them; 'drop' leaves them out and counts them
        in asked.rows_dropped; 'level' compares that they are missing, too. Categories keep missing values as a
        level of their own, except with 'drop'. Results number rows as x and y do, from 0; rows dropped have phi and score NaN.
    kinds : Of columns, instead of those found: {"zip": "category", "when": "time"}; number, category or time.
    columns, exclude : Names of the columns to compare, and of those to leave out; of an array c1, c2, ...
    na : Values that are missing ones, such as [-999, "unknown"], beside NaN and None.
    weights_x, weights_y : Row weights, for estimator 'plain'.
    random_state : scikit-learn's name for the seed; may also be a NumPy generator, drawn from once.
    executor : Any concurrent.futures.Executor (threads, processes, Dask's client.get_executor(), mpi4py's
        MPIPoolExecutor, ...): the permutations of up to 2000 rows are spread over it. Processes must be able to import
        motmot.
    progress : True for a bar (tqdm where installed), or a function of the share of the work that is done; when it
        returns False the run stops, and the result is flagged.

    `scale` may also be a dict, {"age": 10}: these columns are divided by these numbers.

    Raises
    ------
    motmot.Error : bad input, in one sentence.
    KeyboardInterrupt : Ctrl-C, at once; the library's threads end by themselves when they next ask.

    Examples
    --------
    >>> import motmot
    >>> toy = motmot.generate("d1", n=200, tau_x=0.1, seed=1)   # every tenth row of x is wrong
    >>> result = motmot.distance(toy.x, toy.y, tau=0.1)
    >>> abs(result.value - toy.population_w1) < 0.2
    True
    >>> result.plain > 1.2 * toy.population_w1                # with them the distance is ruined
    True
    >>> set(result.suspects.x) == set(toy.outliers_x)         # they were found
    True
    """
    given = dict(locals())
    x, y = (chosen(read_foreign(data, name), name, columns, exclude, na) for data, name in ((x, "X"), (y, "Y")))
    options = _motmot.DistanceOptions()
    if isinstance(tau, str):
        if tau != "auto":
            complain(f"tau must be a number in [0, 0.5) or auto; got '{tau}'")
        if tau_x is not None or tau_y is not None:
            complain("tau auto sets both samples: leave out tau_x and tau_y")
        options.tau_auto, given["tau"] = True, _USUAL.tau.x
    given["seed"] = seed_of(seed, random_state)
    if isinstance(scale, Mapping):
        given["scale"] = ",".join(f"{column}={real(unit, 'scale'):.17g}" for column, unit in scale.items())
    options.column_names = column_names(x) or column_names(y) or []
    for part in (options, options.ascent):
        for name in _names_of(part):
            setattr(part, name, _checked(name, getattr(part, name), given))
    if executor is not None:
        options.spread_permutations(_spread_over(executor))
    if missing not in ("error", "drop", "level"):
        complain(f"missing must be one of error, drop, level; got {shown(missing)}")
    if kinds or missing == "level" or is_table(x) or is_table(y):
        y = in_order_of(names_of(x), names_of(y), y)
        s, t = intake_tables(x, y, kinds or {}, missing, weights_x, weights_y)
        with callback(progress) as watch:
            return _motmot.distance_of_tables(s.frame, t.frame, options, dict(kinds or {}), missing == "level", s.weights,
                                              t.weights, s.used, t.used, watch)
    a, b = intake(x, y, missing, weights_x, weights_y, choice=True)
    with callback(progress) as watch:
        return _motmot.distance(a.points, b.points, options, a.weights, b.weights, a.used, b.used, watch)


def _permuted(x: Floats, y: Floats, seed: int, numbers: Sequence[int]) -> list[tuple[float, list[float]]]:
    """What a worker does."""
    return _motmot.permuted_w1(x, y, seed, numbers)


def _spread_over(executor: Executor) -> Callable[[Floats, Floats, int, int, int], list[tuple[float, list[float]]]]:
    def solve(x: Floats, y: Floats, seed: int, first: int, count: int) -> list[tuple[float, list[float]]]:
        size = -(-count // _TASKS)
        parts = [list(range(at, min(at + size, first + count))) for at in range(first, first + count, size)]
        futures = [executor.submit(_permuted, x, y, seed, numbers) for numbers in parts]
        try:
            return [found for future in futures for found in future.result()]
        finally:
            for future in futures:
                future.cancel()
    return solve


def _names_of(part: Any) -> list[str]:
    """The options in this part of DistanceOptions that are keywords of distance()."""
    return [name for name in vars(type(part)) if name in _KEYWORDS]


def _checked(name: str, usual: Any, given: dict[str, Any]) -> Any:
    """The value given for an option, as the type of its usual value demands."""
    value = given[name]
    if isinstance(usual, bool):
        return bool(value)
    if usual is None:  # permutations: by size
        return None if value is None else whole(value, name)
    if isinstance(usual, str):
        return str(value)  # the compiled part knows the names
    if isinstance(usual, list):
        return [whole(one, name) for one in value]
    if isinstance(usual, _motmot.PerSample):
        return per_sample(name, usual, value, given[f"{name}_x"], given[f"{name}_y"])
    return whole(value, name) if isinstance(usual, int) else real(value, name)


def _described() -> str:
    """The options in the order of the signature, each with the sentence that the command has for it."""
    lines = []
    for name in _KEYWORDS:
        for part in (_motmot.DistanceOptions, _motmot.AscentOptions):
            if name in vars(part):
                lines += textwrap.wrap(f"{name} : {vars(part)[name].__doc__}.", 120, initial_indent=" " * 4,
                                       subsequent_indent=" " * 8)
    return "\n".join(lines)


_KEYWORDS = list(inspect.signature(distance).parameters)
if distance.__doc__:  # there is none under python -OO
    distance.__doc__ = distance.__doc__.replace("    OPTIONS", _described())
