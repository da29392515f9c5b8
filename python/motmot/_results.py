"""What the compiled results leave to Python."""
from __future__ import annotations

import html
from typing import Any

from . import _motmot, _transport
from ._arrays import Floats, rows


def _call(self: _motmot.Critic, data: Any) -> Floats:
    """phi of every row of `data` (anything that distance() takes), in order."""
    return self.evaluate(rows(data, "rows"))


def _repr_html_(self: _motmot.Distance) -> str:
    """For notebooks: the numbers in a table, the warnings below it."""
    beside, asked = self.beside, self.asked
    lines = [("robust", self.value, self.error_bar), ("corrected", beside.corrected, None), ("trim", beside.trim, None),
             ("partial", self.bounds.partial, None), ("plain", beside.plain, None)]
    body = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value:.6g}"
                   f"{'' if bar is None else f' &plusmn; {bar:.2g}'}</td></tr>"
                   for name, value, bar in lines if value is not None)
    notes = "".join(f"<p><b>Warning:</b> {html.escape(text)}</p>" for text in self.run.warnings)
    caption = (f"{asked.estimator}, critic {asked.critic}, {asked.n} x {asked.m} rows of {asked.d} columns, "
               f"at most {100 * asked.tau.x:.4g} % / {100 * asked.tau.y:.4g} % outliers assumed")
    return f"<table><caption>{html.escape(caption)}</caption>{body}</table>{notes}"


setattr(_motmot.Critic, "__call__", _call)
setattr(_motmot.Distance, "_repr_html_", _repr_html_)
setattr(_motmot.Transport, "dense", _transport.dense)
