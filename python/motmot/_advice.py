"""Advice before a run, and samples to try things on."""
from __future__ import annotations

import json
from typing import Any, NamedTuple, Optional

import numpy as np
from numpy.typing import NDArray

from . import _motmot
from ._arrays import Floats, choice, complain, real, seed_of, whole


class Advice:
    """What :func:`advise` says; `repr` is the text that ``motmot advise`` prints."""

    def __init__(self, fields: str, text: str) -> None:
        self._fields: dict[str, Any] = json.loads(fields)
        self._text = text

    @property
    def estimators(self) -> list[dict[str, Any]]:
        """For each estimator: 'rules' for K (the first is recommended), 'conditions', 'bounds' of the paper."""
        return list(self._fields["estimators"])

    def blocks(self, estimator: str = "mom") -> tuple[int, int]:
        """The recommended numbers of blocks of X and of Y."""
        for advice in self._fields["estimators"]:
            if advice["estimator"] == estimator:
                return advice["rules"][0]["k_x"], advice["rules"][0]["k_y"]
        complain(f"no advice on estimator '{estimator}' was asked for")

    def to_dict(self) -> dict[str, Any]:
        """What ``motmot advise --json`` writes."""
        copy: dict[str, Any] = json.loads(json.dumps(self._fields))
        return copy

    def __repr__(self) -> str:
        return self._text


def advise(n: int = 500, m: Optional[int] = None, d: int = 2, *, tau: float = 0.1, tau_x: Optional[float] = None,
           tau_y: Optional[float] = None, estimator: Optional[str] = None, diameter: float = 1, c_l: float = 1,
           delta: float = 0.05) -> Advice:
    """How many blocks to take, what they withstand and what the paper proves, for n x m rows of d columns.

    `tau` is the share of outliers in both samples; `tau_x` and `tau_y` are used instead where given. `diameter`, `c_l`
    and `delta` enter the bounds of Prop. 5 and Theorem 6 only.

    >>> import motmot
    >>> motmot.advise(500, tau=0.1).blocks("mom")
    (249, 249)
    """
    which = None
    if estimator is not None:
        which = _motmot.Estimator.__members__[choice(estimator, "estimator", tuple(_motmot.Estimator.__members__))]
    rows_x = whole(n, "n")
    shares = [real(tau if own is None else own, name) for own, name in ((tau_x, "tau_x"), (tau_y, "tau_y"))]
    return Advice(*_motmot.advise(rows_x, rows_x if m is None else whole(m, "m"), whole(d, "d"), shares[0], shares[1],
                                  which, real(diameter, "diameter"), real(c_l, "c_l"), real(delta, "delta")))


class Toy(NamedTuple):
    """Two samples whose outliers are known, and the W1 between the laws of their inliers."""

    x: Floats
    y: Floats
    outliers_x: NDArray[np.int64]  #: rows of x that are outliers, from 0, ascending
    outliers_y: NDArray[np.int64]
    population_w1: float


def generate(toy: str, n: int = 500, m: Optional[int] = None, d: int = 2, *, tau: Optional[float] = None,
             tau_x: Optional[float] = None, tau_y: Optional[float] = None, seed: int = 0,
             random_state: Any = None) -> Toy:
    """Toy samples: the same numbers as ``motmot generate TOY`` for the same seed.

    `toy` is 'd1' or 'd2' (the paper's: N(0, I) against N(5, I) with outliers in X), 'far', 'behind', 'inside', 'both',
    'shape', 'skewed', 'lognormal', 't3', 'bimodal' or 'shares'. `tau` is the share of outliers in both samples,
    `tau_x` and `tau_y` that in one; by default 0.1 in X, and in Y none but for 'both'.

    >>> import motmot
    >>> toy = motmot.generate("d1", n=100, tau_x=0.1, seed=1)
    >>> toy.x.shape, len(toy.outliers_x), round(toy.population_w1, 3)
    ((100, 2), 10, 7.071)
    """
    if tau is not None:
        if tau_x is not None or tau_y is not None:
            complain(f"tau sets both samples: leave out {'tau_x' if tau_x is not None else 'tau_y'}")
        tau_x = tau_y = real(tau, "tau")
    rows_x = whole(n, "n")
    made = _motmot.generate(str(toy), rows_x, rows_x if m is None else whole(m, "m"), whole(d, "d"),
                            0.1 if tau_x is None else real(tau_x, "tau_x"),
                            None if tau_y is None else real(tau_y, "tau_y"), seed_of(seed, random_state))
    if made is None:
        complain(f"toy must be one of {'|'.join(_motmot.toys())}; got '{toy}'")
    return Toy(*made)
