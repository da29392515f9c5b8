"""Robust optimal transport: the 1-Wasserstein distance between two samples when some of their rows are outliers.

>>> import motmot
>>> toy = motmot.generate("d1", n=200, tau_x=0.1, seed=1)
>>> result = motmot.distance(toy.x, toy.y, tau=0.1)
>>> print(f"plain {result.beside.plain:.3g}, robust {result.value:.3g} +- {result.error_bar:.2g}")
plain 10.4, robust 7.31 +- 0.5

`distance` is the front door; `transport` is exact and not robust; `advise` says how many blocks to take; `generate` makes
samples whose outliers are known; a fitted critic is `result.phi`, and `Critic.load` reads one from a file.

>>> phi = result.phi
>>> phi, phi(toy.x[:3]).shape
(<motmot.Critic exact, 2 columns>, (3,))

Options and results have the names of the command line and of C++, and the same seed gives the same bits.
"""
from . import _results  # completes the compiled classes
from ._advice import advise, generate
from ._distance import distance
from ._motmot import (Admission, Advice, Asked, Beside, BlockChoice, Bound, Bounds, Condition, Critic, Distance, Error,
                      EstimatorAdvice, NetworkEstimate, PerSample, Plan, RowDiagnostics, RuleAdvice, RunReport,
                      Tolerance, ToySample, Transport, version as _version)
from ._transport import partial_transport, transport

__version__ = _version()
__all__ = ["Admission", "Advice", "Asked", "Beside", "BlockChoice", "Bound", "Bounds", "Condition", "Critic", "Distance",
           "Error", "EstimatorAdvice", "NetworkEstimate", "PerSample", "Plan", "RowDiagnostics", "RuleAdvice",
           "RunReport", "Tolerance", "ToySample", "Transport", "advise", "distance", "generate", "partial_transport",
           "transport"]
for _name in __all__:
    globals()[_name].__module__ = __name__  # where people find them, and where pickles look
del _name, _results
