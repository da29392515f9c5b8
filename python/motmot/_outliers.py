"""Rows that are likely wrong, and tables that are."""
from __future__ import annotations

from typing import Any, Mapping, Optional, Union

from . import _motmot
from ._arrays import complain, in_order_of, per_sample, real, shown, whole
from ._progress import Callback, callback
from ._tables import Names, Table, Values, chosen, intake_table, intake_tables, names_of, read_foreign

_USUAL = _motmot.OutlierOptions()


def outliers(x: Any, y: Any = None, *, tau: float = _USUAL.tau.x, tau_x: Optional[float] = None,
             tau_y: Optional[float] = None, scale: Union[str, Mapping[str, float]] = _USUAL.scale,
             category_weight: float = _USUAL.category_weight, list: int = _USUAL.list, missing: str = "level",
             kinds: Optional[Mapping[str, str]] = None, columns: Names = None, exclude: Names = None, na: Values = None,
             threads: int = _USUAL.threads,
             memory_limit: int = _USUAL.memory_limit, progress: Union[None, bool, Callback] = None) -> _motmot.Outliers:
    """Which rows of a table are likely wrong, ranked, each with a reason in words. One table is enough.

    Rows stand out that have no company in their own sample (at most the share `tau`), or that hold a value which stands
    for something else, such as -999; with `y` also rows that lie where the other sample has none. The other rows are
    ranked, too, by several looks at them (docs/json.md). ``print(result)`` says it in words.

    Parameters
    ----------
    x, y : Tables or arrays, as distance() takes them.
    tau, tau_x, tau_y : Largest share of wrong rows, in [0, 0.5), in both or in one.
    scale : 'robust' (each column divided by its spread), 'none', or a dict of units.
    category_weight : How far apart two levels of a category are, and a missing number from one that is there.
    list : Rows to list in ``result.rows``: all that stand out are, and the next ones until there are so many.
    missing : 'level' (default), 'drop' or 'error', as in distance().
    kinds : Of columns, instead of those found: {"zip": "category"}.
    columns, exclude, na, memory_limit : As in distance().

    Examples
    --------
    >>> import motmot, numpy as np
    >>> rows = np.random.default_rng(1).normal(size=(200, 2)).round(2)
    >>> rows[7, 0] = 40
    >>> found = motmot.outliers({"height": rows[:, 0], "weight": rows[:, 1]})
    >>> found.x.suspects, found.rows[0].column, found.rows[0].sign
    ([7], 'height', 'off')
    """
    options = _motmot.OutlierOptions()
    options.tau = per_sample("tau", _USUAL.tau, tau, tau_x, tau_y)
    options.scale = (",".join(f"{column}={real(unit, 'scale'):.17g}" for column, unit in scale.items())
                     if isinstance(scale, Mapping) else str(scale))
    options.category_weight = real(category_weight, "category_weight")
    options.list, options.threads = whole(list, "list"), whole(threads, "threads")
    options.memory_limit = whole(memory_limit, "memory_limit")
    if y is None and tau_y is not None:
        complain("tau_y does nothing here: it is for two tables")
    if missing not in ("error", "drop", "level"):
        complain(f"missing must be one of error, drop, level; got {shown(missing)}")
    x, y = _chosen(x, y, columns, exclude, na)
    s, t = _intake(x, y, kinds or {}, missing)
    with callback(progress) as watch:
        return _motmot.outliers(s.frame, t.frame if t else None, options, dict(kinds or {}), missing == "level", s.used,
                                t.used if t else None, watch)


def doctor(x: Any, y: Any = None, *, kinds: Optional[Mapping[str, str]] = None, columns: Names = None, exclude: Names = None,
           na: Values = None, memory_limit: int = 0) -> _motmot.Checkup:
    """What stands in the way of comparing tables, the worst first, each with what to type; and what methods would cost.

    What to type are arguments of distance(), outliers(), matrix() and compare(), and of this.

    >>> import motmot
    >>> found = motmot.doctor({"income": [1000.0 + 7 * i % 90 for i in range(60)] + [-999.0] * 3, "land": ["FR"] * 63})
    >>> [(one.code, one.column, one.type) for one in found.findings]
    [('sentinel', 'income', "na=[-999], missing='level'"), ('constant', 'land', "exclude=['land']")]
    """
    x, y = _chosen(x, y, columns, exclude, na)
    s, t = _intake(x, y, kinds or {}, "level")
    return _motmot.doctor(s.frame, t.frame if t else None, dict(kinds or {}), whole(memory_limit, "memory_limit"))


def _chosen(x: Any, y: Any, columns: Names, exclude: Names, na: Values) -> tuple[Any, Any]:
    return (chosen(read_foreign(x, "X"), "X", columns, exclude, na),
            None if y is None else chosen(read_foreign(y, "Y"), "Y", columns, exclude, na))


def _intake(x: Any, y: Any, kinds: Mapping[str, str], missing: str) -> tuple[Table, Optional[Table]]:
    if y is None:
        return intake_table(x, "X", kinds, missing), None
    y = in_order_of(names_of(x), names_of(y), y)
    return intake_tables(x, y, kinds, missing, None, None)
