"""Robust optimal transport: how far apart two samples are when some of their rows are wrong.

>>> import motmot
>>> toy = motmot.generate("d1", n=200, tau_x=0.1, seed=1)   # every tenth row of x is wrong
>>> result = motmot.distance(toy.x, toy.y)
>>> result.verdict, len(result.left_out.x)
('differ', 20)
>>> print(f"{result.value:.2f} apart; {result.plain:.2f} with the wrong rows")
7.11 apart; 10.42 with the wrong rows

`print(result)` says all of it in words. `distance` is the front door; `transport` is exact and not robust; `advise` says
how many blocks the paper's estimators take; `generate` makes samples whose wrong rows are known; the potential of an
answer is `result.phi`, and `Critic.load` reads one from a file. `Reference` keeps a table, its `check` says whether another
differs from it, and `monitor` watches a series of chunks.

>>> phi = result.phi
>>> phi, phi(toy.x[:3]).shape
(<motmot.Critic exact, 2 columns>, (3,))

Options and results have the names of the command line and of C++, and the same seed gives the same bits.
"""
from . import _results  # completes the compiled classes
from ._advice import advise, generate
from ._distance import distance
from ._motmot import (Admission, Advice, Asked, BlockChoice, Bound, Check, ColumnLeftOut, ColumnMove, Condition, Critic, Distance,
                      DistanceWarning, Error, EstimatorAdvice, Floor, Interval, Judgement, LevelMove, Monitored, Neighbours,
                      NetworkEstimate, OwnChunks, PaperEstimate, PerSample, Plan, Population, ProfilePoint, Reading, RowDiagnostics, RuleAdvice,
                      RunReport, TauPoint, Tolerance, ToySample, Transport, version as _version)
from ._transport import partial_transport, transport
from ._watch import Reference, monitor

__version__ = _version()
__all__ = ["Admission", "Advice", "Asked", "BlockChoice", "Bound", "Check", "ColumnLeftOut", "ColumnMove", "Condition", "Critic", "Distance",
           "DistanceWarning", "Error", "EstimatorAdvice", "Floor", "Interval", "Judgement", "LevelMove", "Monitored", "Neighbours",
           "NetworkEstimate", "OwnChunks", "PaperEstimate", "PerSample", "Plan", "Population", "ProfilePoint", "Reading", "Reference", "RowDiagnostics",
           "RuleAdvice", "RunReport", "TauPoint", "Tolerance", "ToySample", "Transport", "advise", "distance",
           "generate", "monitor", "partial_transport", "transport"]
for _name in __all__:
    globals()[_name].__module__ = __name__  # where people find them, and where pickles look
del _name, _results
