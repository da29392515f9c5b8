"""The compiled part: the public C++ headers."""
from typing import Callable, Optional, Sequence

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Progress = Optional[Callable[[float], Optional[bool]]]
_RowArrays = tuple[Optional[_Floats], Optional[_Floats], Optional[NDArray[np.bool_]]]
_TransportParts = tuple[float, float, str, _Integers, _Integers, _Floats, _Floats, _Floats]

class Error(ValueError):
    code: str

class Critic:
    @property
    def kind(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    def evaluate(self, rows: _Floats) -> _Floats: ...
    def to_json(self) -> str: ...
    def save(self, path: str) -> None: ...
    @staticmethod
    def load(path: str) -> Critic: ...
    @staticmethod
    def from_json(text: str) -> Critic: ...

class _Enum:
    __members__: dict[str, "_Enum"]

class Estimator(_Enum): ...
class CriticKind(_Enum): ...
class Scheme(_Enum): ...

class EstimateOptions:
    def __init__(self) -> None: ...
    estimator: _Enum
    critic: _Enum
    scheme: _Enum
    k_x: int
    k_y: int
    b_x: int
    b_y: int
    pairs: int
    tau_x: float
    tau_y: float
    tau_auto: bool
    read_out: int
    certify: bool
    seed: int
    threads: int
    time_limit: float
    def set_network(self, hidden: Sequence[int]) -> None: ...
    def set_ascent(self, steps: int, rate: float, alpha: float, eps: float, clip: float, tail: int,
                   trace: bool) -> None: ...

def version() -> str: ...
def robust_w1(x: _Floats, y: _Floats, options: EstimateOptions, weights_x: Optional[_Floats] = ...,
              weights_y: Optional[_Floats] = ..., progress: _Progress = ...,
              ) -> tuple[str, str, Optional[Critic], _RowArrays, _RowArrays, Optional[_Floats]]: ...
def exact_w1(x: _Floats, y: _Floats, weights_x: Optional[_Floats], weights_y: Optional[_Floats], plan: bool,
             potentials: bool, memory_limit: int, progress: _Progress) -> _TransportParts: ...
def partial_w1(x: _Floats, y: _Floats, tau_x: float, tau_y: float, plan: bool, potentials: bool, memory_limit: int,
               progress: _Progress) -> _TransportParts: ...
def advise(n: int, m: int, d: int, tau_x: float, tau_y: float, estimator: Optional[_Enum], diameter: float, c_l: float,
           delta: float) -> tuple[str, str]: ...
def generate(name: str, n: int, m: int, d: int, tau_x: float, tau_y: Optional[float], seed: int,
             ) -> Optional[tuple[_Floats, _Floats, _Integers, _Integers, float]]: ...
def toys() -> list[str]: ...
