"""Robust optimal transport: how far apart two samples are when some of their rows are wrong.

>>> import motmot
>>> toy = motmot.generate("d1", n=200, tau_x=0.1, seed=1)   # every tenth row of x is wrong
>>> result = motmot.distance(toy.x, toy.y)
>>> result.verdict, len(result.left_out.x)
('differ', 20)
>>> print(f"{result.value:.2f} apart; {result.plain:.2f} with the wrong rows")
7.11 apart; 10.42 with the wrong rows

`print(result)` says all of it in words. `distance` is the front door; `matrix` compares many
samples and `compare` several methods; `outliers` ranks the rows that are likely wrong, with reasons, and `doctor` says what
stands in the way of a comparison; `transport` is exact and not robust; `advise` says
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
from ._matrix import compare, matrix
from ._motmot import (Admission, Advice, Asked, BlockChoice, Bound, Check, Checkup, ColumnLeftOut, ColumnMove,
                      Comparison, Condition, Critic, Distance, DistanceWarning, Error, EstimatorAdvice, Floor,
                      Forecast, Interval, Judgement, LevelMove, MapPoint, Matrix, MatrixPair, MatrixSample, Merge,
                      MethodResult, Monitored, Neighbours, NetworkEstimate, OutlierRow, OutlierSample, Outliers,
                      OwnChunks, PaperEstimate, PerSample, Plan, Planted, Population, ProfilePoint, Reading,
                      RowDiagnostics, RuleAdvice, RunReport, SharedValue, Stressed, Symptom, TauPoint, Tolerance, ToySample,
                      Transport, version as _version)
from ._outliers import doctor, outliers
from ._transport import partial_transport, transport
from ._watch import Reference, monitor

__version__ = _version()
__all__ = ["Admission", "Advice", "Asked", "BlockChoice", "Bound", "Check", "Checkup", "ColumnLeftOut", "ColumnMove",
           "Comparison", "Condition", "Critic", "Distance", "DistanceWarning", "Error", "EstimatorAdvice", "Floor",
           "Forecast", "Interval", "Judgement", "LevelMove", "MapPoint", "Matrix", "MatrixPair", "MatrixSample",
           "Merge", "MethodResult", "Monitored", "Neighbours", "NetworkEstimate", "OutlierRow", "OutlierSample",
           "Outliers", "OwnChunks", "PaperEstimate", "PerSample", "Plan", "Planted", "Population", "ProfilePoint",
           "Reading", "Reference", "RowDiagnostics", "RuleAdvice", "RunReport", "SharedValue", "Stressed", "Symptom",
           "TauPoint", "Tolerance", "ToySample", "Transport", "advise", "compare", "distance", "doctor", "generate", "matrix",
           "monitor", "outliers", "partial_transport", "transport"]
for _name in __all__:
    globals()[_name].__module__ = __name__  # where people find them, and where pickles look
del _name, _results
