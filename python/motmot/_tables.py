"""Tables whose columns are of several kinds, as the core takes them: numbers, times, and words as codes of levels."""
from __future__ import annotations

import datetime
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import NDArray

from . import _frames, _motmot
from ._arrays import LEVEL_OR_DROP, Floats, column_names, complain, is_missing, matrix, place, shown, weights

NO_LEVEL = np.uint32(0xFFFFFFFF)


class Words(NamedTuple):
    """A category."""

    codes: NDArray[np.uint32]  #: places in levels, or NO_LEVEL where there is no value
    levels: list[str]


class Numbers(NamedTuple):
    values: Floats  #: NaN where there is no value; of times seconds since 1970-01-01 00:00 UTC
    is_time: bool = False


Cells = Union[Words, Numbers]


Names = Optional[Sequence[str]]
Values = Optional[Sequence[Any]]


class Table(NamedTuple):
    """A sample as the core takes it."""

    frame: _motmot.Frame
    weights: Optional[Floats]
    used: Optional[NDArray[np.bool_]]  #: which rows of what was given are in the frame; None: all


def is_table(data: Any) -> bool:
    """Whether columns must be looked at one by one: a dict of them, or a table in which one holds no numbers."""
    if isinstance(data, Mapping):
        return True
    if not hasattr(data, "columns"):  # one column of a table
        one = hasattr(data, "name") and hasattr(data, "__array__") and not hasattr(data, "detach")
        return one and _holds_words(data)
    return column_names(data) is not None and any(_holds_words(data[name]) for name in data.columns)


def read_foreign(data: Any, name: str) -> Any:
    """Tables of other libraries as a dict of columns, read by the protocols that they share; the rest as it is."""
    if not _frames.is_table(data) or hasattr(data, "iloc"):  # pandas has columns of objects, which no protocol knows
        return data
    columns = _frames.from_object(data, name).columns
    cells = {c.name: Words(c.codes, c.levels) if c.kind == "category" else Numbers(c.numbers, c.kind == "time") for c in columns}
    if len(cells) < len(columns):
        complain(f"{name} has two columns of the same name")
    return cells


def chosen(data: Any, name: str, columns: Names, exclude: Names, na: Values) -> Any:
    """These columns but not those, with these values taken for missing ones; what was given where nothing is asked for."""
    if columns is None and exclude is None and na is None:
        return data
    names = names_of(data)
    wanted = names if columns is None else strings(columns, "columns")
    gone = strings(exclude, "exclude")
    for one in [*wanted, *gone]:
        if names.count(one) != 1:
            complain(f"{name} has several columns {shown(one)}" if one in names else
                     f"{name} has no column {shown(one)}; its columns are {', '.join(shown(known) for known in names)}")
    values = dict(zip(names, enumerate(_columns(data, name))))
    left = {one: _cells(values[one][1], name, values[one][0], names) for one in wanted if one not in gone}
    if not left:
        complain(f"no column of {name} is left")
    return {one: _blanked(cells, strings(na, "na")) for one, cells in left.items()}


def strings(values: Any, option: str) -> list[str]:
    """A list of words as an option takes it; None is an empty one."""
    if values is None:
        return []
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__"):
        complain(f"{option} must be a list, got {shown(values)}")
    return [str(value) for value in values]


def _blanked(cells: Cells, na: list[str]) -> Cells:
    """Without the values that are missing ones: words as they are spelt, numbers by their value."""
    if isinstance(cells, Words):
        left = [level for level in cells.levels if level not in na]
        place = [left.index(level) if level in left else NO_LEVEL for level in cells.levels]
        return Words(np.append(np.array(place, np.uint32), NO_LEVEL)[np.minimum(cells.codes, len(place))], left)
    numbers = [float(value) for value in na if _is_number(value)]
    return cells if cells.is_time else Numbers(np.where(np.isin(cells.values, numbers), np.nan, cells.values))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def intake_table(data: Any, name: str, kinds: Mapping[str, str], missing: str) -> Table:
    """One sample, called `name` in complaints."""
    return _table(data, name, kinds, missing, None)


def intake_tables(x: Any, y: Any, kinds: Mapping[str, str], missing: str, weights_x: Any,
                  weights_y: Any) -> tuple[Table, Table]:
    return (_table(x, "X", kinds, missing, weights(weights_x, "weights_x")),
            _table(y, "Y", kinds, missing, weights(weights_y, "weights_y")))


def frame_of(data: Any, name: str, kinds: Mapping[str, str], missing: str) -> _motmot.Frame:
    """One table; rows that are dropped are gone."""
    return intake_table(read_foreign(data, name), name, kinds, missing).frame


def names_of(data: Any) -> list[str]:
    """Of the columns; c1, c2, ... where there are none."""
    if isinstance(data, Mapping):
        return [str(name) for name in data]
    names = column_names(data)
    if names is not None:
        return names
    return [f"c{j + 1}" for j in range(1 if is_table(data) else matrix(data, "the sample").shape[1])]


def _table(data: Any, name: str, kinds: Mapping[str, str], missing: str, own: Optional[Floats]) -> Table:
    names = names_of(data)
    columns = [_cells(values, name, j, names) for j, values in enumerate(_columns(data, name))]
    lengths = sorted({len(column[0]) for column in columns})
    if len(lengths) > 1:
        complain(f"{name} has columns of {', '.join(map(str, lengths))} rows; all must have as many")
    if not lengths or lengths[0] == 0:
        complain(f"{name} is empty")
    if missing == "error":
        _require_present(columns, name, names, kinds)
    used = np.ones(lengths[0], dtype=bool)
    if missing == "drop":
        used = ~np.any([_gaps(column) for column in columns], axis=0)
        if own is not None and len(own) == len(used):
            used &= np.isfinite(own)
            own = own[used]
    if not used.any():
        complain(f"{name} has no rows left: a value is missing in each of its {len(used)} rows", "numeric")
    return Table(_frame(names, columns, used), own, None if used.all() else used)


def _gaps(column: Cells) -> NDArray[np.bool_]:
    return np.equal(column.codes, NO_LEVEL) if isinstance(column, Words) else ~np.isfinite(column.values)


def _require_present(columns: list[Cells], name: str, names: list[str], kinds: Mapping[str, str]) -> None:
    """Numbers and times must be there; a category has a level where there is no value."""
    for j, column in enumerate(columns):
        if isinstance(column, Numbers) and kinds.get(names[j]) != "category" and _gaps(column).any():
            i = int(np.argmax(_gaps(column)))
            complain(f"{place(name, i, j, names)} is {column.values[i]:g}; every value must be finite{LEVEL_OR_DROP}", "numeric")


def _frame(names: list[str], columns: list[Cells], used: NDArray[np.bool_]) -> _motmot.Frame:
    frame = _motmot.Frame()
    for name, column in zip(names, columns):
        if isinstance(column, Words):
            frame.add_words(name, column.codes[used], column.levels)
        else:
            frame.add_numbers(name, column.values[used], column.is_time)
    if not used.all():
        frame.keep_numbers(used)
    return frame


def _columns(data: Any, name: str) -> Iterable[Any]:
    if isinstance(data, Mapping):
        return data.values()
    if hasattr(data, "columns"):
        return (data[column] for column in data.columns)
    if is_table(data):
        return [data]
    return list(matrix(data, name).T)


def _holds_words(values: Any) -> bool:
    """Whether a column of a table is no numbers; numbers with a word among them are numbers that are wrong."""
    array = np.asarray(values)
    if array.dtype.kind != "O":
        return array.dtype.kind not in "iuf"
    numbers, others = _counted(array)
    return others > 0 and others >= numbers


def _counted(array: NDArray[Any]) -> tuple[int, int]:
    """How many values are numbers, and how many are something else."""
    present = [value for value in array.ravel() if not _is_gap(value)]
    numbers = sum(not isinstance(value, (str, bytes, bool, np.bool_, datetime.date)) for value in present)
    return numbers, len(present) - numbers


def _is_gap(value: Any) -> bool:
    return is_missing(value) or (isinstance(value, float) and np.isnan(value)) or type(value).__name__ == "NaTType"


def _cells(values: Any, name: str, j: int, names: list[str]) -> Cells:
    """A column, whatever it is."""
    if isinstance(values, (Words, Numbers)):
        return values
    categories = getattr(getattr(values, "cat", None), "categories", None)
    if categories is not None:  # pandas: -1 stands for no value
        codes = np.asarray(values.cat.codes).astype(np.int64)
        return Words(np.where(codes < 0, NO_LEVEL, codes).astype(np.uint32), [_spelt(level) for level in categories])
    array = np.asarray(values, dtype="datetime64[ns]") if hasattr(getattr(values, "dtype", None), "tz") else np.asarray(values)
    if array.ndim != 1:
        complain(f"column '{names[j]}' of {name} must have one dimension, got {array.ndim}")
    if array.dtype.kind == "M":
        return _times(array)
    if array.dtype.kind in "iuf":
        return Numbers(np.ascontiguousarray(array, dtype=np.float64))
    if array.dtype.kind == "O" and not _holds_words(array):
        return Numbers(_numbers(array, name, j, names))
    present = [None if _is_gap(value) else value for value in array.tolist()]
    if all(isinstance(value, datetime.date) for value in present if value is not None):
        return _times(np.array([None if value is None else _utc(value) for value in present], dtype="datetime64[us]"))
    if array.dtype.kind not in "bUSO":
        complain(f"column '{names[j]}' of {name} must hold numbers, words, booleans or times, got {array.dtype}")
    return _words(present)


def _numbers(array: NDArray[Any], name: str, j: int, names: list[str]) -> Floats:
    result = np.full(len(array), np.nan)
    for i, value in enumerate(array):
        try:
            result[i] = np.nan if _is_gap(value) else float("text" if isinstance(value, (str, bytes)) else value)
        except (TypeError, ValueError):
            complain(f"{place(name, i, j, names)} is {shown(value)}, which is not a number", "numeric")
    return result


def _times(array: NDArray[Any]) -> Numbers:
    micros = array.astype("datetime64[us]")
    return Numbers(np.where(np.isnat(micros), np.nan, micros.astype(np.int64) / 1e6), True)


def _utc(value: Any) -> datetime.datetime:
    if not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day)
    return value.astimezone(datetime.timezone.utc).replace(tzinfo=None) if value.tzinfo else value


def _words(values: list[Any]) -> Words:
    levels: dict[str, int] = {}
    codes = [int(NO_LEVEL) if value is None else levels.setdefault(_spelt(value), len(levels)) for value in values]
    return Words(np.array(codes, dtype=np.uint32), list(levels))


def _spelt(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
