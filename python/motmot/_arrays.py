"""What users hand over, as the core takes it: n x d float64 rows without gaps, or a complaint in one sentence."""
from __future__ import annotations

import operator
from typing import Any, Mapping, NamedTuple, NoReturn, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from ._motmot import Error, PerSample

Floats = NDArray[np.float64]

DROP = ": missing='drop' leaves such rows out"
LEVEL_OR_DROP = ": missing='level' makes it something to compare, missing='drop' leaves such rows out"


def complain(sentence: str, code: str = "invalid_argument") -> NoReturn:
    error = Error(sentence)
    error.code = code
    raise error


class Sample(NamedTuple):
    """A sample as the core takes it."""

    points: Floats
    weights: Optional[Floats]  #: of the rows of points; None: equal
    used: Optional[NDArray[np.bool_]]  #: which rows of what was given are in points; None: all


def intake(x: Any, y: Any, missing: str, weights_x: Any = None, weights_y: Any = None,
           choice: bool = False) -> tuple[Sample, Sample]:
    """Two samples. `choice`: the caller takes ``columns=`` and ``missing="level"``, which complaints may advise."""
    if missing not in ("error", "drop"):
        complain(f"missing must be one of error, drop; got {shown(missing)}")
    y = in_order_of(column_names(x) or [], column_names(y) or [], y, choice)
    advice = LEVEL_OR_DROP if choice else DROP
    a = sample(x, "X", missing, weights_x, "weights_x", advice)
    b = sample(y, "Y", missing, weights_y, "weights_y", advice)
    if a.points.shape[1] != b.points.shape[1]:
        complain(f"X and Y must have the same number of columns, got {a.points.shape[1]} and {b.points.shape[1]}")
    return a, b


def in_order_of(of_x: Sequence[str], of_y: Sequence[str], y: Any, choice: bool = True) -> Any:
    """y with its columns in the order of x: by name where they have the same names, else as they stand.

    Tables that share some names alone are refused; those that share none may call the same columns otherwise. `choice`: the
    caller takes ``columns=``.
    """
    shared = [name for name in of_x if name in of_y and not name.isdigit()]  # tables number columns without a name
    if list(of_x) == list(of_y) or not shared:
        return y
    if sorted(of_x) == sorted(of_y) and len(set(of_x)) == len(of_x):
        if isinstance(y, Mapping):
            values = {str(name): column for name, column in y.items()}
            return {name: values[name] for name in of_x}
        columns = dict(zip(of_y, y.columns))
        return y[[columns[name] for name in of_x]]
    advice = f"; columns={shared if len(shared) <= 12 else ''} compares those that both have" if choice else ""
    if len(of_x) != len(of_y):
        complain(f"X and Y must have the same number of columns, got {len(of_x)} and {len(of_y)}{advice}")
    for j, (in_x, in_y) in enumerate(zip(of_x, of_y)):
        if in_x != in_y:
            complain(f"column {j + 1} is '{in_x}' in X and '{in_y}' in Y: give both the same{advice}")
    return y


def sample(data: Any, name: str, missing: str, row_weights: Any, name_of_weights: str, advice: str) -> Sample:
    if missing == "error":
        return Sample(rows(data, name, advice), weights(row_weights, name_of_weights), None)
    points, own = matrix(data, name), weights(row_weights, name_of_weights)
    used = np.isfinite(points).all(axis=1)
    if own is not None and len(own) == len(used):
        used &= np.isfinite(own)
        own = own[used]
    if used.all():
        return Sample(points, own, None)
    if not used.any():
        complain(f"{name} has no rows left: a value is missing in each of its {len(used)} rows", "numeric")
    return Sample(points[used], own, used)


def rows(data: Any, name: str, advice: str = "") -> Floats:
    """`data` as rows whose values are all finite."""
    wanted = matrix(data, name)
    if not np.isfinite(wanted).all():
        i, j = np.argwhere(~np.isfinite(wanted))[0]
        complain(f"{place(name, i, j, column_names(data))} is {wanted[i, j]:g}; every value must be finite{advice}", "numeric")
    return wanted


def matrix(data: Any, name: str) -> Floats:
    """`data` as rows: float64 without gaps as it is, anything else as a copy. What is missing is NaN.

    One dimension is one column; dimensions after the second are flattened, as the command does with .npy files.
    """
    array = numbers(plain_array(data, name), name, column_names(data))
    if array.ndim == 0:
        complain(f"{name} must be an array of rows, got {shown(data)}")
    flat = array.reshape(len(array), -1 if array.size else int(np.prod(array.shape[1:])))
    return np.ascontiguousarray(flat, dtype=np.float64)


def weights(data: Any, name: str) -> Optional[Floats]:
    """Row weights, or None for equal ones; the core checks their number and signs."""
    if data is None:
        return None
    array = numbers(plain_array(data, name), name, None)
    if array.ndim != 1:
        complain(f"{name} must have one dimension, got {array.ndim}")
    if array.size == 0:
        complain(f"{name} is empty")
    return np.ascontiguousarray(array, dtype=np.float64)


def plain_array(data: Any, name: str) -> NDArray[Any]:
    if isinstance(data, np.ma.MaskedArray):  # masked values are missing
        data = np.where(data.mask, np.nan, data.data) if np.any(data.mask) else data.data
    if hasattr(data, "detach") and hasattr(data, "cpu"):  # a tensor, which may hold a graph or live on a device
        data = data.detach().cpu()
    try:
        return np.asarray(data)
    except ValueError as error:  # lists of unequal lengths
        complain(f"{name} is not an array of rows: {error}")


def numbers(array: NDArray[Any], name: str, columns: Optional[Sequence[str]]) -> NDArray[Any]:
    """Numbers as they are; an array of objects (a table with mixed columns) value by value."""
    if array.dtype.kind in "biuf":
        return array
    if array.dtype.kind != "O":
        if array.dtype.kind in "US":
            array = array.astype(object)
        else:
            complain(f"{name} must hold real numbers, got an array of {array.dtype}")
    result = np.empty(array.shape, dtype=np.float64)
    for at, value in np.ndenumerate(array):
        try:
            result[at] = np.nan if is_missing(value) else float("text" if isinstance(value, (str, bytes)) else value)
        except (TypeError, ValueError):
            if not at:
                complain(f"{name} must be an array of rows, got {shown(value)}")
            j = at[1] if len(at) > 1 else 0
            complain(f"{place(name, at[0], j, columns)} is {shown(value)}, which is not a number", "numeric")
    return result


def is_missing(value: Any) -> bool:
    """What tables have where there is no value: None, pandas.NA."""
    return value is None or type(value).__name__ == "NAType"


def column_names(data: Any) -> Optional[list[str]]:
    """Of a table; None for what has no names."""
    columns = getattr(data, "columns", None)
    if columns is None or callable(columns):
        name = getattr(data, "name", None)  # one column of a table
        return [name] if isinstance(name, str) and hasattr(data, "__array__") else None
    return [str(column) for column in columns]


def place(name: str, i: int, j: int, columns: Optional[Sequence[str]]) -> str:
    """As Python counts, from 0: "X[2, 1]", and the column's name where it has one: "X[2, 1] ('height')"."""
    named = columns is not None and j < len(columns) and columns[j] != str(j)
    return f"{name}[{i}, {j}]" + (f" ('{columns[j]}')" if columns is not None and named else "")


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + "..."


def whole(value: Any, option: str, least: int = 0) -> int:
    """A whole number, of any type that is one."""
    try:
        number = operator.index(value)
    except TypeError:
        complain(f"{option} must be a whole number, got {shown(value)}")
    if number < least:
        if number == 0:
            complain(f"{option} must be at least {least}, got 0")
        complain(f"{option} must be a whole number, got {number}")
    if number >= 2**64:
        complain(f"{option} must be below 2^64, got {number}")
    return number


def real(value: Any, option: str) -> float:
    if not isinstance(value, (str, bytes)):
        try:
            return float(value)
        except (TypeError, ValueError):
            pass
    complain(f"{option} must be a number, got {shown(value)}")


def per_sample(name: str, usual: PerSample[Any], both: Any, x: Any, y: Any) -> PerSample[Any]:
    """An option for both samples, or one for each."""
    if (x is not None or y is not None) and both != usual.x:
        complain(f"{name} sets both samples: leave out {name}_{'x' if x is not None else 'y'}")

    def checked(value: Any, option: str) -> Any:
        return whole(value, option) if isinstance(usual.x, int) else real(value, option)
    return PerSample(*(checked(both, name) if own is None else checked(own, f"{name}_{which}")
                       for which, own in (("x", x), ("y", y))))


def seed_of(seed: Any, random_state: Any) -> int:
    """`random_state` is scikit-learn's name for the seed; its generators are drawn from once."""
    if random_state is None:
        return whole(seed, "seed")
    if seed != 0:
        complain("seed and random_state say the same: leave one out")
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**63))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**31))
    return whole(random_state, "random_state")
