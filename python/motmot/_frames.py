"""Tables of other libraries, by the protocols that they share: Arrow's C stream and the data frame protocol.

No library is needed for it. Values are read where they lie and copied once, into the frame.
"""
from __future__ import annotations

import ctypes
import sys
from typing import Any, Iterator, Optional

import numpy as np
from numpy.typing import NDArray

from ._arrays import complain, shown
from ._motmot import Error, Frame, frame_of_buffers, frame_of_stream

# As the data frame protocol numbers them.
_INT, _UINT, _FLOAT, _BOOL, _STRING, _DATETIME, _CATEGORICAL = 0, 1, 2, 20, 21, 22, 23
_NON_NULLABLE, _NAN, _SENTINEL, _BIT_MASK, _BYTE_MASK = range(5)

# Arrow's letters for numbers.
_FORMATS = {(_INT, 8): "c", (_INT, 16): "s", (_INT, 32): "i", (_INT, 64): "l",
            (_UINT, 8): "C", (_UINT, 16): "S", (_UINT, 32): "I", (_UINT, 64): "L",
            (_FLOAT, 16): "e", (_FLOAT, 32): "f", (_FLOAT, 64): "g"}


def is_table(obj: Any) -> bool:
    """Whether from_object() can read it."""
    return hasattr(obj, "__arrow_c_stream__") or hasattr(obj, "__dataframe__")


def from_object(obj: Any, name: str = "the table") -> Frame:
    """A table of any library as a frame; `name` is for complaints."""
    if hasattr(obj, "__arrow_c_stream__"):
        try:
            capsule = obj.__arrow_c_stream__()
        except ImportError:  # pandas offers a stream that needs pyarrow
            if not hasattr(obj, "__dataframe__"):
                raise
        else:
            return frame_of_stream(capsule, name)
    if not hasattr(obj, "__dataframe__"):
        complain(f"{name} must have __arrow_c_stream__ or __dataframe__, got {shown(obj)}")
    kept: list[Any] = []  # what the addresses point into
    table = obj.__dataframe__()
    names = [str(column) for column in table.column_names()]
    if not names:
        complain(f"{name} has no columns", "io")
    chunks = [[_named(chunk.get_column(j), column, f"{name}, column {j + 1} {shown(column)}", kept)
               for j, column in enumerate(names)] for chunk in table.get_chunks()]
    frame = frame_of_buffers(chunks, name)
    kept.clear()
    return frame


def _named(column: Any, name: str, label: str, kept: list[Any]) -> tuple[Any, ...]:
    """A column as frame_of_buffers() takes it: name, format, length, offset, addresses, dictionary."""
    try:
        return (name, *_Column(column, label, kept).parts())
    except Error:
        raise
    except (NotImplementedError, AttributeError, LookupError, TypeError, ValueError) as error:
        complain(f"{label} cannot be had by the data frame protocol ({_first_line(error)}); cast it to a number, a "
                 "string or a timestamp", "io")


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _at(address: int, size: int) -> NDArray[np.uint8]:
    """Bytes of somebody else's memory, where they lie."""
    if size == 0:
        return np.empty(0, np.uint8)
    return np.frombuffer(memoryview((ctypes.c_ubyte * size).from_address(address)), np.uint8)


class _Column:
    """A column of the data frame protocol on its way into Arrow's layout."""

    def __init__(self, column: Any, label: str, kept: list[Any]) -> None:
        self.column, self.label, self.kept = column, label, kept
        self.kind, self.bits, self.format, endianness = column.dtype
        self.kind = int(self.kind)
        if endianness not in ("=", "|", "<" if sys.byteorder == "little" else ">"):
            complain(f"{label} has the byte order of another machine", "io")
        self.offset = int(column.offset)
        size = column.size
        self.size = int(size() if callable(size) else size)
        self.end = self.offset + self.size
        self.buffers = column.get_buffers()
        kept.append(self.buffers)

    def parts(self) -> tuple[Any, ...]:
        if self.kind == _CATEGORICAL:
            _, bits, _, _ = self.buffers["data"][1]
            return self.made(_FORMATS[_INT, bits], [self.address("data")], self.levels())
        if self.kind == _STRING:
            offsets = self.buffers["offsets"][1][1]
            return self.made("U" if offsets == 64 else "u", [self.address("offsets"), self.address("data")])
        if self.kind == _BOOL:
            return self.made("b", [self.truths()])
        if self.kind == _DATETIME:
            return self.made(self.format, [self.address("data")])
        return self.made(_FORMATS[self.kind, self.bits], [self.address("data")])

    def made(self, format: str, addresses: list[int], dictionary: Optional[tuple[Any, ...]] = None) -> tuple[Any, ...]:
        return format, self.size, self.offset, [self.presence(), *addresses], dictionary

    def address(self, which: str) -> int:
        return int(self.buffers[which][0].ptr)

    def values(self, which: str, dtype: str) -> NDArray[Any]:
        """The elements of a buffer, where they lie."""
        return _at(self.address(which), self.end * np.dtype(dtype).itemsize).view(dtype)

    def mask(self, truths: NDArray[np.bool_]) -> int:
        """A bit for each element, as Arrow has them."""
        bits = np.packbits(truths, bitorder="little")
        self.kept.append(bits)
        return int(bits.ctypes.data)

    def truths(self) -> int:
        if self.bits == 1:
            return self.address("data")
        return self.mask(self.values("data", "u1") != 0)

    def presence(self) -> int:
        """The address of the bits that say which values are there; 0: all are, or NaN says it."""
        how, missing = self.column.describe_null
        how = int(how)
        if how in (_NON_NULLABLE, _NAN):
            return 0
        if how == _SENTINEL:
            return self.mask(self.values("data", f"i{self.width() // 8}") != missing)
        if self.buffers["validity"] is None:
            return 0
        if how == _BYTE_MASK:
            return self.mask(self.values("validity", "u1") != missing)
        if missing == 0:
            return self.address("validity")
        bits = _at(self.address("validity"), (self.end + 7) // 8)
        return self.mask(np.unpackbits(bits, count=self.end, bitorder="little") == 0)

    def width(self) -> int:
        return int(self.buffers["data"][1][1])

    def levels(self) -> tuple[Any, ...]:
        """The dictionary of a category: its levels as strings, whatever they are."""
        levels = self.column.describe_categorical["categories"]
        if int(levels.dtype[0]) == _STRING:
            return _named(levels, "", self.label, self.kept)
        text = [str(level).encode() for level in _plain(_Column(levels, self.label, self.kept))]
        ends = np.cumsum([0, *map(len, text)], dtype="i8")
        data = np.frombuffer(b"".join(text) or b"\0", "u1")
        self.kept += [ends, data]
        return "", "U", len(text), 0, [0, int(ends.ctypes.data), int(data.ctypes.data)], None


def _plain(column: _Column) -> Iterator[Any]:
    """The values of a column of numbers, booleans or times."""
    letters = {_INT: f"i{column.bits // 8}", _UINT: f"u{column.bits // 8}", _FLOAT: f"f{column.bits // 8}", _BOOL: "?",
               _DATETIME: "M8[ns]"}
    for value in column.values("data", letters[column.kind])[column.offset:]:
        yield str(value).lower() if column.kind == _BOOL else value
