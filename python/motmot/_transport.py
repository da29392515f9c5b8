"""Exact optimal transport, and its partial form."""
from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Any, NamedTuple, Optional, Union

import numpy as np
from numpy.typing import NDArray

from . import _motmot
from ._arrays import Floats, real, samples, same_columns, weights, whole
from ._progress import Callback, callback


class Plan(NamedTuple):
    """Who goes where: `mass[k]` from row `row[k]` of X to row `col[k]` of Y (both from 0), of a total of 1.

    The three arrays are what ``scipy.sparse.coo_array((mass, (row, col)), shape=(n, m))`` takes.
    """

    row: NDArray[np.int64]
    col: NDArray[np.int64]
    mass: Floats


@dataclass(frozen=True, repr=False, eq=False)
class Transport:
    """An optimal plan, its potentials and a certificate that both are right: cost - gap <= optimum <= cost."""

    cost: float  #: the 1-Wasserstein distance, in the units of the points
    gap: float  #: what is certified to be missing at most
    status: str  #: 'optimal', 'stopped' or 'work_limit'
    plan: Plan  #: empty unless asked for
    u: Floats  #: potentials of the rows of X: u_i + v_j <= \|x_i - y_j\|; empty unless asked for
    v: Floats  #: of the rows of Y
    n: int
    m: int
    d: int
    seconds: float

    def dense(self) -> Floats:
        """The plan as an n x m array."""
        matrix = np.zeros((self.n, self.m))
        matrix[self.plan.row, self.plan.col] = self.plan.mass
        return matrix

    def to_dict(self) -> dict[str, Any]:
        """What ``motmot transport --json`` writes."""
        return {"cost": self.cost, "status": self.status, "gap": self.gap, "n": self.n, "m": self.m, "d": self.d,
                "seconds": self.seconds, "threads": 1, "version": _motmot.version()}

    def __repr__(self) -> str:
        return (f"<motmot.Transport W1 {self.cost:.12g}, {self.status}, certified to {self.gap:.1e}; "
                f"{self.n} x {self.m} rows, {self.d} column{'' if self.d == 1 else 's'}>")


def transport(x: Any, y: Any, weights_x: Any = None, weights_y: Any = None, *, plan: bool = True,
              potentials: bool = True, memory_limit: int = 2**30,
              progress: Union[None, bool, Callback] = None) -> Transport:
    """Exact W1 with Euclidean cost between the rows of `x` and of `y`. Not robust: see :func:`distance`.

    Parameters
    ----------
    x, y : n x d and m x d arrays, tables, tensors or lists; one dimension is one column.
    weights_x, weights_y : weights of the rows, >= 0, any sum; None: equal.
    plan, potentials : whether the result has them.
    memory_limit : bytes that stored costs may take; beyond, they are recomputed as needed.
    progress : see :func:`distance`.

    >>> import motmot
    >>> t = motmot.transport([[0.0, 0.0], [1.0, 0.0]], [[0.0, 3.0], [1.0, 3.0]])
    >>> t.cost, t.status
    (3.0, 'optimal')
    >>> t.dense()
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    start = perf_counter()
    a, b = samples(x, y)
    same_columns(a, b)
    limit = whole(memory_limit, "memory_limit")
    with callback(progress) as watch:
        parts = _motmot.exact_w1(a, b, weights(weights_x, "weights_x"), weights(weights_y, "weights_y"), bool(plan),
                                 bool(potentials), limit, watch)
    return _transport_of(parts, a, b, start)


def partial_transport(x: Any, y: Any, tau: float = 0.1, *, tau_x: Optional[float] = None,
                      tau_y: Optional[float] = None, plan: bool = True, potentials: bool = True,
                      memory_limit: int = 2**30, progress: Union[None, bool, Callback] = None) -> Transport:
    """The cheapest transport that may leave out the share `tau_x` of X and `tau_y` of Y (`tau` where not given).

    If at most these shares are outliers, cost - gap is a lower bound of the inliers' W1.

    >>> import motmot
    >>> t = motmot.partial_transport([[0.0], [1.0], [100.0]], [[0.5], [1.5], [2.0]], tau_x=0.34, tau_y=0.34)
    >>> round(t.cost, 2), sorted({int(i) for i in t.plan.row[t.plan.mass > 0.1]})
    (0.5, [0, 1])
    """
    start = perf_counter()
    a, b = samples(x, y)
    same_columns(a, b)
    shares = [real(tau if own is None else own, name) for own, name in ((tau_x, "tau_x"), (tau_y, "tau_y"))]
    limit = whole(memory_limit, "memory_limit")
    with callback(progress) as watch:
        parts = _motmot.partial_w1(a, b, shares[0], shares[1], bool(plan), bool(potentials), limit, watch)
    return _transport_of(parts, a, b, start)


def _transport_of(parts: Any, x: Floats, y: Floats, start: float) -> Transport:
    cost, gap, status, row, col, mass, u, v = parts
    return Transport(cost=cost, gap=gap, status=status, plan=Plan(row, col, mass), u=u, v=v, n=len(x), m=len(y),
                     d=x.shape[1], seconds=perf_counter() - start)
