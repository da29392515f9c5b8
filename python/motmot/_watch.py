"""Watching data: a reference that is kept, tables that are checked against it, series that are monitored."""
from __future__ import annotations

import os
from typing import Any, Iterable, Mapping, Optional, Union

from . import _motmot
from ._arrays import complain, real, seed_of, whole
from ._progress import Callback, callback
from ._tables import Names, Values, chosen, frame_of, read_foreign, strings

_REFERENCE, _CHECK, _MONITOR = _motmot.ReferenceOptions(), _motmot.CheckOptions(), _motmot.MonitorOptions()


class Reference:
    """A table that others are held against: its rows, kinds, units and levels, and how far its own chunks are from it.

    Parameters
    ----------
    x : a table or an array, as distance() takes them. Columns of tables are matched by name later.
    name : What answers call it.
    tau : Largest share of wrong rows, of x and of what is checked.
    scale, category_weight : As in distance(); 'auto' is robust.
    missing : 'level' (that a value is missing is compared, too), 'drop' or 'error'; of what is checked, too.
    kinds : Of columns, instead of those found: {"zip": "category"}.
    columns, exclude, na : As in distance(). What is excluded may be there or not in what is checked; `na` holds for that, too.
    rows : Rows kept at most, drawn by the seed.
    chunk_rows : Rows of its own chunks: as many as chunks will have; 0: a fortieth of x, 25 to 1000; a twentieth where x is small.
    chunks : Own chunks at most, spread evenly over x.

    Examples
    --------
    >>> import motmot
    >>> may = motmot.generate("d1", n=400, tau_x=0, seed=1)
    >>> reference = motmot.Reference(may.x, name="may", chunk_rows=20)
    >>> reference.check(may.y).differs                        # its law is another
    True
    """

    def __init__(self, x: Any, *, name: str = "", tau: float = _REFERENCE.tau, scale: str = _REFERENCE.scale,
                 category_weight: float = _REFERENCE.category_weight, missing: str = _REFERENCE.missing,
                 kinds: Optional[Mapping[str, str]] = None, columns: Names = None, exclude: Names = None,
                 na: Values = None, rows: int = _REFERENCE.rows, chunk_rows: int = _REFERENCE.chunk_rows,
                 chunks: int = _REFERENCE.chunks, seed: int = 0, threads: int = 0, memory_limit: int = 0,
                 progress: Union[None, bool, Callback] = None) -> None:
        options = _motmot.ReferenceOptions()
        options.name, options.tau, options.scale, options.missing = str(name), real(tau, "tau"), str(scale), str(missing)
        options.category_weight = real(category_weight, "category_weight")
        options.rows, options.chunk_rows = whole(rows, "rows"), whole(chunk_rows, "chunk_rows")
        options.chunks, options.threads = whole(chunks, "chunks"), whole(threads, "threads")
        options.memory_limit = whole(memory_limit, "memory_limit")
        options.seed = seed_of(seed, None)
        options.exclude, options.na = strings(exclude, "exclude"), strings(na, "na")
        frame = frame_of(chosen(read_foreign(x, "X"), "X", columns, exclude, na), "X", kinds or {}, options.missing)
        with callback(progress) as watch:
            self._data = _motmot.make_reference(frame, dict(kinds or {}), options, watch)

    @classmethod
    def load(cls, path: Union[str, os.PathLike[str]]) -> Reference:
        """What save() or ``motmot reference`` wrote."""
        reference = cls.__new__(cls)
        reference._data = _motmot.load_reference(os.fspath(path))
        return reference

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """One file, which appears whole or not at all."""
        self._data.save(os.fspath(path))

    def check(self, y: Any, *, alpha: float = _CHECK.alpha, effect: Optional[float] = None, rows: int = _CHECK.rows,
              exclude: Names = None, na: Values = None, seed: int = 0, threads: int = 0, memory_limit: int = 0,
              progress: Union[None, bool, Callback] = None) -> _motmot.Check:
        """Whether a table differs: p_value <= alpha and, with `effect`, the distance of the laws is above it.

        At most `rows` rows of each table are compared, drawn by the seed. `exclude` leaves out columns that the reference
        has not, `na` are missing values besides those of the reference. ``if reference.check(y): ...``
        """
        options = _motmot.CheckOptions()
        options.alpha, options.effect = real(alpha, "alpha"), None if effect is None else real(effect, "effect")
        options.rows, options.seed, options.threads = whole(rows, "rows"), seed_of(seed, None), whole(threads, "threads")
        options.memory_limit = whole(memory_limit, "memory_limit")
        with callback(progress) as watch:
            return _motmot.check(self._data, self._read(y, "Y", exclude, na), options, watch)

    def _read(self, data: Any, name: str, exclude: Names, na: Values) -> _motmot.Frame:
        """A table as it is held against the reference."""
        missing = [*self._data.na, *strings(na, "na")]
        for column in strings(exclude, "exclude"):
            if column in self.columns:
                complain(f"the reference compares the column '{column}', so a check of it cannot leave it out; make the reference without it")
        return frame_of(chosen(read_foreign(data, name), name, None, exclude, missing or None), name, self.columns, "level")

    @property
    def name(self) -> str:
        """What answers call it."""
        return self._data.name

    @property
    def digest(self) -> str:
        """SHA-256 of all of it."""
        return self._data.digest

    @property
    def rows(self) -> int:
        """Rows kept."""
        return self._data.rows

    @property
    def columns(self) -> dict[str, str]:
        """The columns that are compared, and their kinds."""
        return self._data.columns

    @property
    def own(self) -> _motmot.OwnChunks:
        """How far its own chunks are from its other rows."""
        return self._data.own

    def __repr__(self) -> str:
        return repr(self._data)


def monitor(reference: Reference, chunks: Union[Mapping[str, Any], Iterable[Any]], *, one_in: int = _MONITOR.one_in,
            effect: Optional[float] = None, rolling: int = 0, log: Union[None, str, os.PathLike[str]] = None,
            time: Optional[str] = None, chunk: Union[None, str, int] = None, explain: bool = True, exclude: Names = None,
            na: Values = None, threads: int = 0, memory_limit: int = 0, progress: Union[None, bool, Callback] = None) -> _motmot.Monitored:
    """Holds a series of chunks against a reference; without drift one of `one_in` alarms.

    Parameters
    ----------
    chunks : {name: table}, or tables, which are then called 1, 2, ...; with `time` and `chunk` one table.
    one_in : 0 is 20, or as many as the chunks of the reference's own support. Refused where the reference has not that many chunks of its own.
    effect : The smallest distance that matters.
    rolling : Hold each chunk against so many before it instead of against the reference.
    log : File of judgements; what it has is not judged again.
    time, chunk : Cut one table by this column into chunks: 'day', 'week' or a number of rows.
    explain : Find the columns and rows behind each alarm, which takes most of the time (and is done with an effect in any case).
    exclude, na : As in Reference.check(), of every chunk.
    """
    options = _motmot.MonitorOptions()
    options.one_in, options.rolling = whole(one_in, "one_in"), whole(rolling, "rolling")
    options.effect, options.threads = None if effect is None else real(effect, "effect"), whole(threads, "threads")
    options.memory_limit = whole(memory_limit, "memory_limit")
    options.log, options.explain = "" if log is None else os.fspath(log), bool(explain)
    if (time is None) != (chunk is None):
        complain("time and chunk go together: the column, and day, week or a number of rows")
    cut = None
    if time is not None:
        if time in reference.columns:
            complain(f"the reference compares the column '{time}', which moves by itself: make it without")
        cut = _motmot.ChunkOptions(str(time), chunk if isinstance(chunk, str) else "",
                                   0 if isinstance(chunk, str) else whole(chunk, "chunk"))
        chunks = {"the table": chunks}
    named = chunks.items() if isinstance(chunks, Mapping) else ((str(i + 1), table) for i, table in enumerate(chunks))
    frames = [(str(name), reference._read(table, f"'{name}'", exclude, na)) for name, table in named]
    with callback(progress) as watch:
        return _motmot.monitor(reference._data, frames, options, cut, watch)
