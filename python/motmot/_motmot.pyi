"""The compiled part: the public C++ headers. A test compares names and signatures with what is compiled."""
import os
from typing import Any, Callable, Generic, NamedTuple, Optional, Sequence, TypeVar, Union

import numpy as np
from numpy.typing import NDArray

_T = TypeVar("_T")
_Floats = NDArray[np.float64]
_Integers = NDArray[np.int64]
_Used = Optional[NDArray[np.bool_]]
_Path = Union[str, "os.PathLike[str]"]
_Progress = Optional[Callable[[float], Optional[bool]]]

def version() -> str: ...

class Error(ValueError):
    code: str

class PerSample(NamedTuple, Generic[_T]):
    x: _T
    y: _T

class Interval(NamedTuple):
    low: float
    high: float

class Critic:
    @property
    def kind(self) -> str: ...
    @property
    def dimension(self) -> int: ...
    @property
    def columns(self) -> list[str]: ...
    def places(self, names: Sequence[str], source: str) -> list[int]: ...
    def evaluate(self, rows: Any, memory_limit: int = 0) -> _Floats: ...
    def save(self, path: _Path) -> None: ...
    @staticmethod
    def load(path: _Path) -> Critic: ...
    def __call__(self, data: Any, memory_limit: int = 0) -> _Floats: ...

# ----------------------------------------------------------------------------------------------- distance

class AscentOptions:
    hidden: list[int]
    steps: int
    rate: float
    alpha: float
    eps: float
    clip: float
    tail: int
    trace: bool

class DistanceOptions:
    def __init__(self) -> None: ...
    tau: PerSample[float]
    tau_auto: bool
    scale: str
    category_weight: float
    column_names: list[str]
    permutations: Optional[int]
    time_limit: float
    estimator: str
    paper: bool
    network: bool
    metric: str
    bandwidth: float
    critic: str
    certify: bool
    blocks: PerSample[int]
    scheme: str
    block_size: PerSample[int]
    pairs: int
    read_out: int
    seed: int
    threads: int
    memory_limit: int
    checkpoint: str
    checkpoint_seconds: float
    ascent: AscentOptions
    def spread_permutations(self, solve: Callable[[_Floats, _Floats, int, int, int], list[tuple[float, list[float]]]]) -> None: ...

class _Part:
    def to_dict(self) -> dict[str, Any]: ...

class Floor(_Part):
    level: float
    sd: float
    value: float
    w1_p_value: Optional[float]
    energy_p_value: float
    kernel_p_value: Optional[float]
    permutations: int
    rows: PerSample[int]
    permuted: Optional[_Floats]

class SizePoint(_Part):
    rows: PerSample[int]
    draws: int
    value: float
    sd: float
    chance: float

class Subsampling(_Part):
    sizes: list[SizePoint]
    spread: float
    slope: float
    power: float
    all_rows: float
    all_rows_sd: float

class Population(_Part):
    value: float
    interval: Optional[Interval]

class SharedValue(_Part):
    column: str
    value: str
    rows: int
    elsewhere: bool

class Reading(_Part):
    sample: str
    rows: int
    if_real: float
    if_wrong: float
    near_other: int
    in_both: bool
    strangers: bool
    copies: bool
    shared: Optional[SharedValue]

class ProfilePoint(_Part):
    x: int
    y: int
    value: float

class LevelMove(_Part):
    level: str
    moved: float

class ColumnMove(_Part):
    name: str
    unit: float
    share: Optional[float]
    moved: float
    kind: str
    time_unit: Optional[str]
    levels: list[LevelMove]

class ColumnLeftOut(_Part):
    name: str
    why: str

class TauPoint(_Part):
    tau: float
    x: int
    y: int
    value: Optional[float]

class DistanceWarning(_Part):
    code: str
    text: str

class PaperEstimate(_Part):
    estimator: str
    critic: str
    value: float
    sd: float
    error_bar: Optional[float]
    low: Optional[float]
    high: Optional[float]
    target: str
    lower: Optional[float]
    upper: Optional[float]
    fixed_partition_value: Optional[float]
    lipschitz: Optional[float]
    held_out: Optional[float]
    scheme: str
    blocks: PerSample[int]
    block_size: PerSample[int]
    gap: Optional[float]
    settled: bool
    solves: int
    steps: int

class NetworkEstimate(_Part):
    held_out: Optional[float]
    value: float
    sd: float
    lipschitz: float
    settled: bool

class Neighbours(_Part):
    paper: Optional[PaperEstimate]
    network: Optional[NetworkEstimate]

class Asked(_Part):
    estimator: str
    metric: str
    bandwidth: Optional[float]
    why_critic: str
    why_tau: str
    scale: str
    n: int
    m: int
    d: int
    rows_used: PerSample[int]
    rows_dropped: PerSample[int]
    rows_read: PerSample[int]
    files: PerSample[str]
    columns: list[str]
    kinds: list[str]
    columns_left_out: list[ColumnLeftOut]
    category_weight: Optional[float]
    seed: int

class RunReport(_Part):
    stopped: bool
    solves: int
    seconds: float
    threads: int
    ranks: int
    bytes_sent: int
    bytes_a_step: Optional[float]
    trace: Optional[_Floats]

class RowDiagnostics:
    phi: Optional[_Floats]
    score: Optional[_Floats]
    left_out: Optional[NDArray[np.bool_]]
    frequency: Optional[_Floats]

class Distance(_Part):
    verdict: Optional[str]
    value: float
    interval: Optional[Interval]
    interval_certified: Optional[str]
    p_value: Optional[float]
    floor: Optional[Floor]
    population: Optional[Population]
    subsampling: Optional[Subsampling]
    needed: Optional[float]
    plain: Optional[float]
    partial: Optional[float]
    left_out: PerSample[list[int]]
    readings: list[Reading]
    profile: list[ProfilePoint]
    columns: list[ColumnMove]
    tau_x: float
    tau_y: float
    tau_path: list[TauPoint]
    warnings: list[DistanceWarning]
    neighbours: Neighbours
    asked: Asked
    run: RunReport
    rows: PerSample[RowDiagnostics]
    phi: Optional[Critic]
    suspects: PerSample[_Integers]
    def text(self, verbose: bool = False) -> str: ...
    def __float__(self) -> float: ...
    def _repr_html_(self) -> str: ...

def permuted_w1(x: _Floats, y: _Floats, seed: int, numbers: Sequence[int]) -> list[tuple[float, list[float]]]: ...
def distance(x: _Floats, y: _Floats, options: DistanceOptions, weights_x: Optional[_Floats],
             weights_y: Optional[_Floats], used_x: _Used, used_y: _Used, progress: _Progress) -> Distance: ...

def distance_of_tables(x: Frame, y: Frame, options: DistanceOptions, kinds: dict[str, str], level: bool,
                       weights_x: Optional[_Floats], weights_y: Optional[_Floats], used_x: _Used, used_y: _Used,
                       progress: _Progress) -> Distance: ...

# ------------------------------------------------------------------------------------------------- matrix

class MatrixOptions:
    def __init__(self) -> None: ...
    tau: float
    scale: str
    category_weight: float
    alpha: float
    against: Optional[str]
    seed: int
    threads: int
    memory_limit: int
    most_rows: int
    missing: str

class MatrixSample(_Part):
    name: str
    n: int
    rows_dropped: int
    left_out: list[int]
    rows_used: int
    halves: Optional[float]
    rate: Optional[float]

class MatrixPair(_Part):
    first: int
    second: int
    value: float
    floor: Optional[float]
    energy: float
    p_value: float
    q_value: float
    differ: bool

class Merge(_Part):
    first: int
    second: int
    height: float
    size: int

class MapPoint(_Part):
    x: float
    y: float

class Matrix(_Part):
    samples: list[MatrixSample]
    pairs: list[MatrixPair]
    against: Optional[int]
    order: list[int]
    merges: list[Merge]
    map: list[MapPoint]
    map_share: Optional[float]
    tau: float
    alpha: float
    scale: str
    columns: list[str]
    kinds: list[str]
    columns_left_out: list[ColumnLeftOut]
    category_weight: Optional[float]
    seed: int
    warnings: list[str]
    run: RunReport
    @property
    def names(self) -> list[str]: ...
    @property
    def values(self) -> _Floats: ...
    @property
    def floors(self) -> _Floats: ...
    @property
    def p_values(self) -> _Floats: ...
    @property
    def q_values(self) -> _Floats: ...

class ReadySample: ...

class MatrixPlan:
    @property
    def pairs(self) -> list[tuple[int, int]]: ...
    @property
    def ready(self) -> list[ReadySample]: ...

def matrix(names: list[str], frames: list[Frame], used: list[_Used], kinds: dict[str, str], options: MatrixOptions,
           progress: _Progress) -> Matrix: ...
def plan_matrix(names: list[str], frames: list[Frame], used: list[_Used], kinds: dict[str, str],
                options: MatrixOptions) -> MatrixPlan: ...
def pair_found(a: ReadySample, b: ReadySample) -> tuple[float, float, float]: ...
def finish_matrix(plan: MatrixPlan, found: list[Optional[tuple[float, float, float]]], seconds: float) -> Matrix: ...

# ------------------------------------------------------------------------------------------------ compare

class CompareOptions:
    def __init__(self) -> None: ...
    tau: float
    scale: str
    category_weight: float
    stress: bool
    seed: int
    threads: int
    memory_limit: int
    missing: str

class Stressed(_Part):
    dirt: str
    value: float
    movement: Optional[float]

class MethodResult(_Part):
    method: str
    value: float
    seconds: float
    assumes: str
    stress: list[Stressed]

class Planted(_Part):
    dirt: str
    rows: int
    what: str

class Comparison(_Part):
    methods: list[MethodResult]
    planted: list[Planted]
    p_value: Optional[float]
    n: int
    m: int
    d: int
    tau: float
    scale: str
    columns: list[str]
    warnings: list[str]
    seed: int
    run: RunReport

def compare(x: Frame, y: Frame, kinds: dict[str, str], options: CompareOptions, progress: _Progress) -> Comparison: ...

# ----------------------------------------------------------------------------------------------- outliers

class OutlierOptions:
    def __init__(self) -> None: ...
    tau: PerSample[float]
    scale: str
    category_weight: float
    list: int
    threads: int
    memory_limit: int

class OutlierRow(_Part):
    sample: str
    row: int
    suspect: bool
    score: float
    sign: str
    column: str
    value: str
    units: Optional[float]
    reason: str

class OutlierSample(_Part):
    file: str
    n: int
    rows_dropped: int
    tau: float
    suspects: list[int]
    neighbour: int
    cut: float
    expected_false: float
    false_share: float
    scores: _Floats

class Outliers(_Part):
    rows: list[OutlierRow]
    x: OutlierSample
    y: Optional[OutlierSample]
    scale: str
    columns: list[str]
    kinds: list[str]
    columns_left_out: list[ColumnLeftOut]
    notes: list[str]
    run: RunReport

def outliers(x: Frame, y: Optional[Frame], options: OutlierOptions, kinds: dict[str, str], level: bool, used_x: _Used,
             used_y: _Used, progress: _Progress) -> Outliers: ...

class Symptom(_Part):
    code: str
    table: str
    column: str
    share: float
    text: str
    type: str

class Forecast(_Part):
    method: str
    seconds: float
    megabytes: float

class Checkup(_Part):
    n: int
    m: Optional[int]
    columns: list[str]
    kinds: list[str]
    findings: list[Symptom]
    forecasts: list[Forecast]

def doctor(x: Frame, y: Optional[Frame], kinds: dict[str, str], memory_limit: int) -> Checkup: ...

# ---------------------------------------------------------------------------------------------- transport

class TransportOptions:
    def __init__(self) -> None: ...
    stored_costs: int
    memory_limit: int
    want_plan: bool
    want_potentials: bool
    gap: float
    vertex: bool
    time_limit: float

class Plan:
    row: _Integers
    col: _Integers
    mass: _Floats

class Transport(_Part):
    cost: float
    status: str
    gap: float
    n: int
    m: int
    d: int
    rows_dropped: PerSample[int]
    seconds: float
    plan: Plan
    u: _Floats
    v: _Floats
    def dense(self) -> _Floats: ...

def transport(x: _Floats, y: _Floats, weights_x: Optional[_Floats], weights_y: Optional[_Floats], used_x: _Used,
              used_y: _Used, options: TransportOptions, progress: _Progress) -> Transport: ...
def partial_transport(x: _Floats, y: _Floats, tau_x: float, tau_y: float, used_x: _Used, used_y: _Used,
                      options: TransportOptions, progress: _Progress) -> Transport: ...

# ------------------------------------------------------------------------------------------------- advice

class BoundOptions:
    d: int
    diameter: float
    c_l: float
    delta: float
    alpha_o: Optional[float]
    c_o: Optional[float]
    beta: float

class AdviseOptions:
    def __init__(self) -> None: ...
    n: int
    m: int
    tau: PerSample[float]
    estimator: Optional[str]
    bounds: BoundOptions

class Tolerance(_Part):
    worst_case: PerSample[int]
    on_average: PerSample[int]

class BlockChoice(_Part):
    k_x: int
    k_y: int
    b_x: int
    b_y: int
    p_x: float
    p_y: float
    p: float
    warnings: list[str]

class RuleAdvice(_Part):
    rule: str
    blocks: BlockChoice
    bias: float
    tolerance: Tolerance
    majority: str

class Condition(_Part):
    text: str
    holds: bool

class Admission(_Part):
    conditions: list[Condition]
    def all(self) -> bool: ...

class Bound(_Part):
    statement: str
    bounded: str
    value: Optional[float]
    log_delta: Optional[float]
    vacuous: bool
    notes: list[str]

class EstimatorAdvice(_Part):
    estimator: str
    admission: Admission
    rules: list[RuleAdvice]
    gamma_x: float
    gamma_y: float
    bounds: list[Bound]

class Advice(_Part):
    options: AdviseOptions
    expected: PerSample[int]
    estimators: list[EstimatorAdvice]

def advise(options: AdviseOptions) -> Advice: ...

# ----------------------------------------------------------------------------------------------- watching

class ReferenceOptions:
    def __init__(self) -> None: ...
    name: str
    tau: float
    scale: str
    category_weight: float
    exclude: list[str]
    na: list[str]
    missing: str
    rows: int
    chunk_rows: int
    chunks: int
    seed: int
    threads: int
    memory_limit: int

class CheckOptions:
    def __init__(self) -> None: ...
    alpha: float
    effect: Optional[float]
    rows: int
    seed: int
    threads: int
    memory_limit: int

class MonitorOptions:
    def __init__(self) -> None: ...
    one_in: int
    effect: Optional[float]
    rolling: int
    log: str
    explain: bool
    threads: int
    memory_limit: int

class ChunkOptions:
    def __init__(self, time: str, by: str, rows: int) -> None: ...

class OwnChunks(_Part):
    rows: int
    distance: list[float]
    score: list[float]

class Judgement(_Part):
    name: str
    digest: str
    rows: int
    rows_used: int
    alarm: bool
    value: Optional[float]
    p_value: Optional[float]
    score: Optional[float]
    limit: Optional[float]
    band: Optional[Interval]
    low: Optional[float]
    columns: list[ColumnMove]
    rows_behind: list[int]
    rows_left_out: list[int]
    why_not: str
    is_new: bool

class Check(_Part):
    differs: bool
    alpha: float
    effect: Optional[float]
    reference: str
    digest: str
    rows: PerSample[int]
    subsample_error: Optional[float]
    distance: Distance
    def __bool__(self) -> bool: ...

class Monitored(_Part):
    reference: str
    digest: str
    one_in: int
    effect: Optional[float]
    rolling: int
    scale: str
    chunks: list[Judgement]
    own: OwnChunks
    @property
    def alarms(self) -> int: ...
    @property
    def not_judged(self) -> int: ...

class ReferenceData:
    name: str
    tau: float
    digest: str
    na: list[str]
    own: OwnChunks
    source_rows: int
    @property
    def rows(self) -> int: ...
    @property
    def columns(self) -> dict[str, str]: ...
    def save(self, path: str) -> None: ...

def make_reference(x: Frame, kinds: dict[str, str], options: ReferenceOptions, progress: Any) -> ReferenceData: ...
def load_reference(path: str) -> ReferenceData: ...
def check(reference: ReferenceData, y: Frame, options: CheckOptions, progress: Any) -> Check: ...
def monitor(reference: ReferenceData, chunks: list[tuple[str, Frame]], options: MonitorOptions, cut: Optional[ChunkOptions],
            progress: Any) -> Monitored: ...

# -------------------------------------------------------------------------------------------- toy samples

class ToyOptions:
    def __init__(self) -> None: ...
    toy: str
    n: int
    m: int
    d: int
    tau_x: float
    tau_y: Optional[float]
    seed: int
    memory_limit: int

class ToySample:
    x: _Floats
    y: _Floats
    outliers_x: _Integers
    outliers_y: _Integers
    population_w1: float

def generate(options: ToyOptions) -> ToySample: ...

# ------------------------------------------------------------------------------------------------- tables

class Column:
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def is_whole(self) -> bool: ...
    @property
    def levels(self) -> list[str]: ...
    @property
    def numbers(self) -> _Floats: ...
    @property
    def codes(self) -> NDArray[np.uint32]: ...

class Frame:
    def __init__(self) -> None: ...
    def add_numbers(self, name: str, values: _Floats, is_time: bool) -> None: ...
    def add_words(self, name: str, codes: NDArray[np.uint32], levels: list[str]) -> None: ...
    def keep_numbers(self, used: NDArray[np.bool_]) -> None: ...
    @property
    def columns(self) -> list[Column]: ...
    @property
    def n(self) -> int: ...

def frame_of_stream(capsule: Any, name: str) -> Frame: ...
def frame_of_buffers(chunks: list[list[tuple[Any, ...]]], name: str) -> Frame: ...
