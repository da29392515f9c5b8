"""Advice before a run, and samples to try things on."""
from __future__ import annotations

from typing import Any, Optional

from . import _motmot
from ._arrays import per_sample, real, seed_of, whole

_USUAL = _motmot.AdviseOptions()
_BOUNDS = _USUAL.bounds
_TOY = _motmot.ToyOptions()


def advise(n: int = _USUAL.n, m: Optional[int] = None, d: int = _BOUNDS.d, *, tau: float = _USUAL.tau.x,
           tau_x: Optional[float] = None, tau_y: Optional[float] = None, estimator: Optional[str] = None,
           diameter: float = _BOUNDS.diameter, c_l: float = _BOUNDS.c_l,
           delta: float = _BOUNDS.delta, alpha_o: Optional[float] = None, c_o: Optional[float] = None,
           beta: float = _BOUNDS.beta) -> _motmot.Advice:
    """How many blocks to take, what they withstand and what the paper proves, for n x m rows of d columns.

    `tau` is the share of outliers in both samples, `tau_x` and `tau_y` that in one. `diameter`, `c_l`, `delta`,
    `alpha_o`, `c_o` (Assumption 3) and `beta` enter the bounds of Prop. 5 and Theorem 6 only. The first rule of each estimator is the recommended one.

    >>> import motmot
    >>> blocks = motmot.advise(500, tau=0.1, estimator="mom").estimators[0].rules[0].blocks
    >>> blocks.k_x, blocks.k_y
    (249, 249)
    """
    options = _motmot.AdviseOptions()
    options.n = whole(n, "n")
    options.m = options.n if m is None else whole(m, "m")
    options.tau = per_sample("tau", _USUAL.tau, tau, tau_x, tau_y)
    if estimator is not None:
        options.estimator = str(estimator)
    options.bounds.d = whole(d, "d")
    options.bounds.diameter, options.bounds.c_l = real(diameter, "diameter"), real(c_l, "c_l")
    options.bounds.delta, options.bounds.beta = real(delta, "delta"), real(beta, "beta")
    if alpha_o is not None:
        options.bounds.alpha_o = real(alpha_o, "alpha_o")
    if c_o is not None:
        options.bounds.c_o = real(c_o, "c_o")
    return _motmot.advise(options)


def generate(toy: str, n: int = _TOY.n, m: Optional[int] = None, d: int = _TOY.d, *, tau: Optional[float] = None,
             tau_x: Optional[float] = None, tau_y: Optional[float] = None, seed: int = _TOY.seed,
             memory_limit: int = _TOY.memory_limit, random_state: Any = None) -> _motmot.ToySample:
    """Toy samples: the same numbers as ``motmot generate TOY`` for the same seed.

    `toy` is 'd1' or 'd2' (the paper's: N(0, I) against N(5, I) with outliers in X), 'far', 'behind', 'inside', 'both',
    'shape', 'skewed', 'lognormal', 't3', 'bimodal' or 'shares'. `tau` is the share of outliers in both samples,
    `tau_x` and `tau_y` that in one; by default 0.1 in X, and in Y none but for 'both'. `memory_limit` is that of
    :func:`distance`.

    >>> import motmot
    >>> toy = motmot.generate("d1", n=100, tau_x=0.1, seed=1)
    >>> toy.x.shape, len(toy.outliers_x), round(toy.population_w1, 3)
    ((100, 2), 10, 7.071)
    """
    options = _motmot.ToyOptions()
    options.toy = str(toy)
    options.n = whole(n, "n")
    options.m = options.n if m is None else whole(m, "m")
    options.d = whole(d, "d")
    if tau is not None:
        options.tau_x, options.tau_y = per_sample("tau", _motmot.PerSample(None, None), real(tau, "tau"), tau_x, tau_y)
    if tau_x is not None:
        options.tau_x = real(tau_x, "tau_x")
    if tau_y is not None:
        options.tau_y = real(tau_y, "tau_y")
    options.seed = seed_of(seed, random_state)
    options.memory_limit = whole(memory_limit, "memory_limit")
    return _motmot.generate(options)
