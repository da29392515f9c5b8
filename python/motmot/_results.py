"""What the compiled results leave to Python."""
from __future__ import annotations

import html
from typing import Any, Mapping

import numpy as np

from . import _motmot, _transport
from ._arrays import Floats, column_names, complain, rows, whole
from ._tables import intake_table, read_foreign

_of_rows = _motmot.Critic.evaluate


def _call(self: _motmot.Critic, data: Any, memory_limit: int = 0) -> Floats:
    """phi of every row of `data` (anything that distance() takes), in order. `memory_limit`: as in distance().

    The columns of a table go by name where the critic has names: in any order, with others beside them. Arrays go by place.
    """
    return _of_rows(self, rows(_taken(self, data), "rows"), whole(memory_limit, "memory_limit"))


def _taken(critic: _motmot.Critic, data: Any) -> Any:
    """The columns that the critic takes, in its order."""
    table = read_foreign(data, "rows")
    names = [str(name) for name in table] if isinstance(table, Mapping) else column_names(table)
    if names is None:
        return table
    places = critic.places(names, "rows")
    if not isinstance(table, Mapping):  # a data frame, or one column of it
        return table.iloc[:, places] if hasattr(table, "columns") else table
    columns = list(table.items())
    taken = intake_table(dict(columns[place] for place in places), "rows", {}, "error").frame.columns
    for column in taken:
        if column.kind != "number":
            complain(f"rows, column '{column.name}' is a {column.kind}; the critic takes numbers")
    return np.column_stack([column.numbers for column in taken])


def _repr_html_(self: _motmot.Distance) -> str:
    """For notebooks: the numbers in a table, the warnings below it."""
    lines = [("distance", f"{self.value:.4g}")]
    if self.floor is not None and self.p_value is not None:
        lines.append(("chance alone", f"{self.floor.level:.4g} (p = {self.p_value:.2g})"))
    if self.interval is not None:
        lines.append(("between", f"{self.interval.low:.4g} and {self.interval.high:.4g}"))
    if self.asked.estimator == "company":
        lines.append(("rows left out", f"{len(self.left_out.x)} + {len(self.left_out.y)}"))
    if self.plain is not None:
        lines.append(("all rows", f"{self.plain:.4g}"))
    body = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value}</td></tr>" for name, value in lines)
    notes = "".join(f"<p><b>Warning:</b> {html.escape(warning.text)}</p>" for warning in self.warnings)
    caption = f"{self.verdict or self.asked.estimator}: {self.asked.n} x {self.asked.m} rows of {self.asked.d} columns"
    return f"<table><caption>{html.escape(caption)}</caption>{body}</table>{notes}"


setattr(_motmot.Critic, "__call__", _call)
setattr(_motmot.Critic, "evaluate", _call)
setattr(_motmot.Distance, "_repr_html_", _repr_html_)
setattr(_motmot.Transport, "dense", _transport.dense)
