"""Robust optimal transport: the 1-Wasserstein distance between two samples when some of their rows are outliers.

>>> import motmot
>>> toy = motmot.generate("d1", n=200, tau_x=0.1, seed=1)
>>> result = motmot.distance(toy.x, toy.y, tau=0.1)
>>> print(f"plain {result.plain:.3g}, robust {result.value:.3g} +- {result.error_bar:.2g}")
plain 10.4, robust 7.31 +- 0.5

`distance` is the front door; `transport` is exact and not robust; `advise` says how many blocks to take; `generate` makes
samples whose outliers are known. The same seed gives the same bits as the command line and as C++.
"""
from ._advice import Advice, Toy, advise, generate
from ._critic import Critic, load_critic
from ._distance import distance
from ._motmot import Error, version as _version
from ._result import Result, Rows, Suspects
from ._transport import Plan, Transport, partial_transport, transport

__version__ = _version()
__all__ = ["Advice", "Critic", "Error", "Plan", "Result", "Rows", "Suspects", "Toy", "Transport", "advise", "distance",
           "generate", "load_critic", "partial_transport", "transport"]
for _thing in (Advice, Critic, Plan, Result, Rows, Suspects, Toy, Transport, advise, distance, generate, load_critic,
               partial_transport, transport):
    _thing.__module__ = __name__  # where people find them, and where pickles look
del _thing
