"""What users hand over, as the core takes it: n x d float64 rows without gaps, or a complaint in one sentence."""
from __future__ import annotations

import operator
from typing import Any, NoReturn, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

from ._motmot import Error

Floats = NDArray[np.float64]


def complain(sentence: str, code: str = "invalid_argument") -> NoReturn:
    error = Error(sentence)
    error.code = code
    raise error


def rows(data: Any, name: str) -> Floats:
    """`data` as rows: float64 without gaps as it is, anything else as a copy.

    One dimension is one column; dimensions after the second are flattened, as the command does with .npy files.
    """
    columns = column_names(data)
    array = numbers(plain_array(data, name), name, columns)
    if array.ndim == 0:
        complain(f"{name} must be an array of rows, got {shown(data)}")
    wanted = array.reshape(len(array), -1 if array.size else int(np.prod(array.shape[1:])))
    wanted = np.ascontiguousarray(wanted, dtype=np.float64)
    if not np.isfinite(wanted).all():
        i, j = np.argwhere(~np.isfinite(wanted))[0]
        complain(f"{place(i, j, columns)} of {name} is {wanted[i, j]:g}; every value must be finite", "numeric")
    return wanted


def samples(x: Any, y: Any) -> tuple[Floats, Floats]:
    """Two samples. Tables that share a column's name must have the same columns in the same order."""
    of_x, of_y = column_names(x) or [], column_names(y) or []
    shared = [name for name in of_x if name in of_y and not name.isdigit()]  # numbers are no names
    if of_x != of_y and shared:
        for j, (in_x, in_y) in enumerate(zip(of_x, of_y)):
            if in_x != in_y:
                complain(f"column {j + 1} is '{in_x}' in X and '{in_y}' in Y: give both the same, in one order")
    return rows(x, "X"), rows(y, "Y")


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
    if isinstance(data, np.ma.MaskedArray) and np.any(data.mask):
        complain(f"{name} has masked values; fill them or leave their rows out", "numeric")
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
        if array.dtype.kind in "US" and array.ndim > 0:
            array = array.astype(object)
        else:
            complain(f"{name} must hold real numbers, got an array of {array.dtype}")
    result = np.empty(array.shape, dtype=np.float64)
    for at, value in np.ndenumerate(array):
        try:
            result[at] = float(value) if not isinstance(value, (str, bytes)) else float("text")
        except (TypeError, ValueError):
            if not at:
                complain(f"{name} must be an array of rows, got {shown(value)}")
            j = at[1] if len(at) > 1 else 0
            complain(f"{place(at[0], j, columns)} of {name} is {shown(value)}, which is not a number", "numeric")
    return result


def column_names(data: Any) -> Optional[list[str]]:
    """Of a table; None for what has no names."""
    columns = getattr(data, "columns", None)
    if columns is None or callable(columns):
        name = getattr(data, "name", None)  # one column of a table
        return [name] if isinstance(name, str) and hasattr(data, "__array__") else None
    return [str(column) for column in columns]


def place(i: int, j: int, columns: Optional[Sequence[str]]) -> str:
    """As the command says it: "row 3, column 2 'height'", both from 1."""
    label = f"row {i + 1}, column {j + 1}"
    if columns is not None and j < len(columns) and columns[j] != str(j + 1):
        label += f" '{columns[j]}'"
    return label


def shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:40] + "..."


def same_columns(x: Floats, y: Floats) -> None:
    if x.shape[1] != y.shape[1]:
        complain(f"X and Y must have the same number of columns, got {x.shape[1]} and {y.shape[1]}")
    for sample, name in ((x, "X"), (y, "Y")):
        if sample.size == 0:
            complain(f"{name} is empty")


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


def choice(value: Any, option: str, words: Sequence[str]) -> str:
    if value not in words:
        complain(f"{option} must be one of {', '.join(words)}; got '{value}'")
    return str(value)


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
