"""Exact optimal transport, and its partial form."""
from __future__ import annotations

from typing import Any, Optional, Union

import numpy as np

from . import _motmot
from ._arrays import Floats, intake, per_sample, whole
from ._progress import Callback, callback

_USUAL = _motmot.TransportOptions()


def transport(x: Any, y: Any, weights_x: Any = None, weights_y: Any = None, *, missing: str = "error",
              plan: bool = _USUAL.want_plan, potentials: bool = _USUAL.want_potentials,
              stored_costs: int = _USUAL.stored_costs, memory_limit: int = _USUAL.memory_limit, gap: float = _USUAL.gap,
              time_limit: float = _USUAL.time_limit, vertex: bool = _USUAL.vertex,
              progress: Union[None, bool, Callback] = None) -> _motmot.Transport:
    """Exact W1 with Euclidean cost between the rows of `x` and of `y`. Not robust: see :func:`distance`.

    Parameters
    ----------
    x, y : n x d and m x d arrays, tables, tensors or lists; one dimension is one column.
    weights_x, weights_y : weights of the rows, >= 0, any sum; None: equal.
    missing : rows with NaN or infinite values: 'error', or 'drop' to leave them out. The plan numbers rows as `x` and `y`
        do, from 0; rows left out have NaN potentials.
    plan, potentials : whether the result has them.
    stored_costs : bytes that stored costs may take; beyond, they are recomputed as needed.
    memory_limit : see :func:`distance`.
    gap : share of the cost: stop, with status 'close', when the plan is certified to be so close to the optimum.
    time_limit : seconds after which the best plan so far is given, with status 'stopped' and its gap; 0: none.
    vertex : many points of equal weight in two or three dimensions: go on from a gap of 1e-11 to an exact vertex of all plans.
    progress : see :func:`distance`.

    >>> import motmot
    >>> t = motmot.transport([[0.0, 0.0], [1.0, 0.0]], [[0.0, 3.0], [1.0, 3.0]])
    >>> t.cost, t.status
    (3.0, 'optimal')
    >>> t.dense()
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    a, b = intake(x, y, missing, weights_x, weights_y)
    options = _options(plan, potentials, stored_costs, memory_limit, gap, time_limit)
    options.vertex = bool(vertex)
    with callback(progress) as watch:
        return _motmot.transport(a.points, b.points, a.weights, b.weights, a.used, b.used, options, watch)


def partial_transport(x: Any, y: Any, tau: float = 0.1, *, tau_x: Optional[float] = None,
                      tau_y: Optional[float] = None, missing: str = "error", plan: bool = _USUAL.want_plan,
                      potentials: bool = _USUAL.want_potentials, stored_costs: int = _USUAL.stored_costs,
                      memory_limit: int = _USUAL.memory_limit, gap: float = _USUAL.gap, time_limit: float = _USUAL.time_limit,
                      progress: Union[None, bool, Callback] = None) -> _motmot.Transport:
    """The cheapest transport that may leave out the share `tau_x` of X and `tau_y` of Y; `tau` sets both.

    If at most these shares are outliers, cost - gap is a lower bound of the inliers' W1. Other options: see
    :func:`transport`.

    >>> import motmot
    >>> t = motmot.partial_transport([[0.0], [1.0], [100.0]], [[0.5], [1.5], [2.0]], 0.34)
    >>> round(t.cost, 2), sorted({int(i) for i in t.plan.row[t.plan.mass > 0.1]})
    (0.5, [0, 1])
    """
    shares = per_sample("tau", _motmot.PerSample(0.1, 0.1), tau, tau_x, tau_y)
    a, b = intake(x, y, missing)
    options = _options(plan, potentials, stored_costs, memory_limit, gap, time_limit)
    with callback(progress) as watch:
        return _motmot.partial_transport(a.points, b.points, shares.x, shares.y, a.used, b.used, options, watch)


def _options(plan: bool, potentials: bool, stored_costs: int, memory_limit: int, gap: float,
             time_limit: float) -> _motmot.TransportOptions:
    options = _motmot.TransportOptions()
    options.want_plan, options.want_potentials = bool(plan), bool(potentials)
    options.stored_costs, options.memory_limit = whole(stored_costs, "stored_costs"), whole(memory_limit, "memory_limit")
    options.gap, options.time_limit = float(gap), float(time_limit)
    return options


def dense(self: _motmot.Transport) -> Floats:
    """The plan as an array with a row for each row of X and a column for each row of Y."""
    matrix = np.zeros((self.n + self.rows_dropped.x, self.m + self.rows_dropped.y))
    matrix[self.plan.row, self.plan.col] = self.plan.mass
    return matrix
