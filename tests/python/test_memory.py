"""memory_limit: a forecast before the work, and one sentence where it is more."""
import pytest

import motmot

X = motmot.generate("d1", n=60, tau_x=0, seed=1).x
Y = motmot.generate("d1", n=50, tau_x=0, seed=2).x
REFERENCE = motmot.Reference(X, chunk_rows=10)

PHI = motmot.distance(X, Y, permutations=0).phi

CALLS = {
    "generate": lambda **more: motmot.generate("d1", **more),
    "Critic": lambda **more: PHI(X, **more),
    "transport": lambda **more: motmot.transport(X, Y, **more),
    "partial_transport": lambda **more: motmot.partial_transport(X, Y, 0.1, **more),
    "distance": lambda **more: motmot.distance(X, Y, permutations=9, **more),
    "distance of tables": lambda **more: motmot.distance({"a": X[:, 0]}, {"a": Y[:, 0]}, permutations=9, **more),
    "mom": lambda **more: motmot.distance(X, Y, estimator="mom", read_out=5, **more),
    "matrix": lambda **more: motmot.matrix([X, Y], **more),
    "compare": lambda **more: motmot.compare(X, Y, **more),
    "outliers": lambda **more: motmot.outliers(X, Y, **more),
    "doctor": lambda **more: motmot.doctor(X, Y, **more),
    "Reference": lambda **more: motmot.Reference(X, chunk_rows=10, **more),
    "check": lambda **more: REFERENCE.check(Y, **more),
    "monitor": lambda **more: motmot.monitor(REFERENCE, [Y], one_in=2, **more),
}


@pytest.mark.parametrize("call", CALLS)
def test_what_is_forecast_to_take_more_is_refused(call):
    with pytest.raises(motmot.Error, match=r"^this would take about \d+(\.\d+)? MB, and 1 MB are allowed \(memory_limit=\): "):
        CALLS[call](memory_limit=10**6)
    with pytest.raises(motmot.Error, match="memory_limit"):
        CALLS[call](memory_limit=-1)


@pytest.mark.parametrize("call", ["transport", "distance", "outliers", "check"])
def test_enough_changes_nothing(call):
    def values(result):
        return {name: value for name, value in result.to_dict().items() if name in ("cost", "value", "p_value", "rows")}
    assert values(CALLS[call](memory_limit=10**12)) == values(CALLS[call]())
