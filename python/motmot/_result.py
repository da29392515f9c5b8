"""What distance() returns."""
from __future__ import annotations

import html
import json
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from ._arrays import Floats
from ._critic import Critic


class Rows(NamedTuple):
    """What is known of one sample's rows; None where the critic does not say."""

    phi: Optional[Floats]  #: the critic's value
    frequency: Optional[Floats]  #: how often the row carried the median; sums to 1
    dropped: Optional[NDArray[np.bool_]]  #: looks like an outlier: left out by trim


class Suspects(NamedTuple):
    """Rows that look like outliers, from 0, ascending."""

    x: NDArray[np.int64]
    y: NDArray[np.int64]


class Result:
    """A robust distance, what bounds it, and how the run went. Attributes that were not computed are None.

    `repr` is the summary that ``motmot distance`` prints; :meth:`to_dict` what its ``--json`` writes.
    """

    value: float  #: the robust distance, in the data's units (critic 'clipped': times an unknown constant)
    sd: float  #: over fresh partitions
    error_bar: Optional[float]  #: how far outliers and skew may have moved the value, given tau
    corrected: Optional[float]  #: value without the shift that outlying rows explain
    plain: Optional[float]  #: exact W1 of all rows: what outliers ruin
    trim: Optional[float]  #: exact W1 without the rows that look like outliers
    partial: Optional[float]  #: certified lower bound of the inliers' W1, given tau
    lower: Optional[float]  #: proved bracket of the estimator on one fixed partition (certify=True) ...
    upper: Optional[float]
    fixed_partition_value: Optional[float]  #: ... on which the critic has this value
    target: str  #: 'empirical', 'population' or 'unknown': what the value estimates
    scale: float  #: the samples were divided by this, and the value multiplied again
    stationarity_gap: Optional[float]
    lipschitz: Optional[float]  #: certified Lipschitz constant of the critic
    held_out: Optional[float]  #: value on rows that the critic was not fitted on
    population: Optional[dict[str, Any]]  #: the distance of the laws, where estimated beside that of the samples
    estimator: str
    critic_kind: str  #: 'exact', 'lipschitz' or 'clipped'
    scheme: str
    k_x: int  #: blocks
    k_y: int
    b_x: int  #: rows in a block
    b_y: int
    tau_x: float
    tau_y: float
    n: int
    m: int
    d: int
    trimmed_x: int  #: rows that trim left out
    trimmed_y: int
    steps: int
    solves: int
    settled: bool  #: the value no longer moves
    stopped: bool  #: ended early, by time_limit or progress
    seconds: float
    threads: int
    seed: int
    version: str
    warnings: list[str]  #: sentences about what does not fit together
    why_critic: Optional[str]  #: why critic 'auto' took it
    why_tau: Optional[str]  #: how tau 'auto' came to it
    critic: Optional[Critic]  #: callable on new rows
    rows_x: Rows
    rows_y: Rows
    trace: Optional[Floats]  #: the value of every step, with trace=True

    def __init__(self, fields: str, text: str, critic: Any, rows_x: Any, rows_y: Any, trace: Any) -> None:
        self._json = fields
        self._text = text
        known: dict[str, Any] = json.loads(fields)
        known.update(critic_kind=known.pop("critic"), critic=None if critic is None else Critic(critic),
                     rows_x=Rows(*rows_x), rows_y=Rows(*rows_y), trace=trace)
        known.setdefault("why_critic", None)
        known.setdefault("why_tau", None)
        self.__dict__.update(known)

    @property
    def suspects(self) -> Suspects:
        """Rows of X and of Y that look like outliers: those that trim leaves out."""
        return Suspects(*(np.flatnonzero(rows.dropped) if rows.dropped is not None else np.empty(0, np.int64)
                          for rows in (self.rows_x, self.rows_y)))

    def to_dict(self) -> dict[str, Any]:
        """The fields of ``motmot distance --json``, by the same names: 'critic' is the kind of critic here."""
        fields: dict[str, Any] = json.loads(self._json)
        return fields

    def __float__(self) -> float:
        return self.value

    def __repr__(self) -> str:
        return self._text.rstrip("\n")

    def _repr_html_(self) -> str:
        """For notebooks: the numbers in a table, the warnings below it."""
        lines = [("robust", self.value, self.error_bar), ("corrected", self.corrected, None), ("trim", self.trim, None),
                 ("partial", self.partial, None), ("plain", self.plain, None)]
        body = "".join(f"<tr><th style='text-align:left'>{name}</th><td>{value:.6g}"
                       f"{'' if bar is None else f' &plusmn; {bar:.2g}'}</td></tr>"
                       for name, value, bar in lines if value is not None)
        notes = "".join(f"<p><b>Warning:</b> {html.escape(text)}</p>" for text in self.warnings)
        caption = (f"{self.estimator}, critic {self.critic_kind}, {self.n} x {self.m} rows of {self.d} columns, "
                   f"at most {100 * self.tau_x:.4g} % / {100 * self.tau_y:.4g} % outliers assumed")
        return f"<table><caption>{html.escape(caption)}</caption>{body}</table>{notes}"
