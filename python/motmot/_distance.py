"""The front door."""
from __future__ import annotations

from typing import Any, Optional, Sequence, Union

from . import _motmot
from ._arrays import choice, complain, real, samples, seed_of, weights, whole
from ._progress import Callback, callback
from ._result import Result

ESTIMATORS = tuple(_motmot.Estimator.__members__)
CRITICS = tuple(_motmot.CriticKind.__members__)
SCHEMES = tuple(_motmot.Scheme.__members__)


def distance(x: Any, y: Any, *, estimator: str = "mom", tau: Union[float, str] = 0.1, critic: str = "auto",
             seed: int = 0, tau_x: Optional[float] = None, tau_y: Optional[float] = None,
             blocks: Optional[int] = None, blocks_x: Optional[int] = None, blocks_y: Optional[int] = None,
             scheme: str = "shuffle", block_size: Optional[int] = None, block_size_x: Optional[int] = None,
             block_size_y: Optional[int] = None, pairs: Optional[int] = None, certify: bool = False,
             weights_x: Any = None, weights_y: Any = None, read_out: int = 500, steps: Optional[int] = None,
             hidden: Sequence[int] = (128, 64), rate: float = 5e-5, clip: float = 0.01, alpha: float = 0.99,
             eps: float = 1e-8, tail: int = 100, trace: bool = False, time_limit: Optional[float] = None,
             threads: Optional[int] = None, random_state: Any = None,
             progress: Union[None, bool, Callback] = None) -> Result:
    """The 1-Wasserstein distance between the inliers of two samples, some of whose rows may be outliers.

    The same data, options and seed give the same bits as ``motmot distance`` and as C++, on any number of threads.

    Parameters
    ----------
    x, y : n x d and m x d arrays, tables, tensors or nested lists; one dimension is one column. float64 without gaps is
        used as it is, anything else is copied.
    estimator : 'mom', 'mou', 'mou-diag' or 'plain' (not robust).
    tau : largest share of outliers in a sample, in [0, 0.5), or 'auto' to look for it in the data.
    critic : the functions that the supremum runs over: 'exact' (all 1-Lipschitz ones), 'lipschitz' (networks), 'clipped'
        (the paper's, in an unknown unit); 'auto' goes by the size of the data.
    seed, random_state : two names of one number; random_state may also be a NumPy generator, drawn from once.
    tau_x, tau_y : for one sample, instead of tau.
    blocks, blocks_x, blocks_y : numbers of blocks, used as they are; None: chosen from tau.
    scheme : how blocks are drawn: 'shuffle', 'partition', 'swor' or 'pairs'.
    block_size, block_size_x, block_size_y : rows in a block, for scheme 'swor'.
    pairs : pairs in a block, for scheme 'pairs'.
    certify : also prove a bracket [lower, upper] on one fixed partition.
    weights_x, weights_y : row weights, for estimator 'plain'.
    read_out : fresh draws of blocks that the value is a mean over ('exact', 'lipschitz').
    steps : of the ascent of a network; hidden, rate, clip, alpha, eps, tail : its shape and RMSProp, 'clipped' only.
    trace : keep the value of every step ('lipschitz', 'clipped').
    time_limit : seconds after which the best answer so far is given, flagged as stopped.
    threads : None: all cores. Changes the time, never the bits.
    progress : True for a bar (tqdm where installed), or a function of the share of the work that is done; when it
        returns False the run stops, and the result is flagged.

    Raises
    ------
    motmot.Error : bad input, in one sentence.
    KeyboardInterrupt : Ctrl-C, at once; the library's threads end by themselves when they next ask.

    Examples
    --------
    >>> import motmot
    >>> toy = motmot.generate("d1", n=200, tau_x=0.1, seed=1)   # every tenth row of x is an outlier
    >>> result = motmot.distance(toy.x, toy.y, tau=0.1)
    >>> bool(abs(result.value - toy.population_w1) < result.error_bar)
    True
    >>> result.plain > 1.2 * toy.population_w1                # plain W1 is ruined by them
    True
    >>> found = set(result.suspects.x) & set(toy.outliers_x)
    >>> len(found) >= 18                                      # of 20
    True
    """
    options = _motmot.EstimateOptions()
    options.estimator = _motmot.Estimator.__members__[choice(estimator, "estimator", ESTIMATORS)]
    options.critic = _motmot.CriticKind.__members__[choice(critic, "critic", CRITICS)]
    options.scheme = _motmot.Scheme.__members__[choice(scheme, "scheme", SCHEMES)]
    options.k_x, options.k_y = _per_sample("blocks", blocks, blocks_x, blocks_y)
    options.b_x, options.b_y = _per_sample("block_size", block_size, block_size_x, block_size_y)
    options.pairs = 0 if pairs is None else whole(pairs, "pairs", 1)
    _set_tau(options, tau, tau_x, tau_y)
    options.certify = bool(certify)
    options.read_out = whole(read_out, "read_out", 1)
    options.seed = seed_of(seed, random_state)
    options.threads = 0 if threads is None else whole(threads, "threads")
    options.time_limit = 0 if time_limit is None else real(time_limit, "time_limit")
    options.set_network([whole(units, "hidden") for units in hidden])
    options.set_ascent(0 if steps is None else whole(steps, "steps", 1), real(rate, "rate"), real(alpha, "alpha"),
                       real(eps, "eps"), real(clip, "clip"), whole(tail, "tail"), bool(trace))
    a, b = samples(x, y)
    with callback(progress) as watch:
        return Result(*_motmot.robust_w1(a, b, options, weights(weights_x, "weights_x"),
                                         weights(weights_y, "weights_y"), watch))


def _per_sample(name: str, both: Any, x: Any, y: Any) -> tuple[int, int]:
    """An option for both samples, or one for each; 0 leaves the choice to the library."""
    if both is not None:
        if x is not None or y is not None:
            complain(f"{name} sets both samples: leave out {name}_{'x' if x is not None else 'y'}")
        return whole(both, name, 1), whole(both, name, 1)
    return (0 if x is None else whole(x, f"{name}_x", 1)), (0 if y is None else whole(y, f"{name}_y", 1))


def _set_tau(options: _motmot.EstimateOptions, tau: Any, tau_x: Any, tau_y: Any) -> None:
    if isinstance(tau, str):
        if tau != "auto":
            complain(f"tau must be a number in [0, 0.5) or auto; got '{tau}'")
        if tau_x is not None or tau_y is not None:
            complain("tau auto sets both samples: leave out tau_x and tau_y")
        options.tau_auto = True
        return
    options.tau_x = real(tau if tau_x is None else tau_x, "tau" if tau_x is None else "tau_x")
    options.tau_y = real(tau if tau_y is None else tau_y, "tau" if tau_y is None else "tau_y")
