"""Four threads of Python call the module at once, each of them everything, in another order: the same bits as alone.

`scripts/check tsan` runs this with the module of the preset tsan under the thread sanitizer. Exits with 1 where bits differ.
"""
import sys
import threading

import numpy as np

import motmot

THREADS, ROUNDS = 4, 3
rng = np.random.default_rng(1)
X, Y = rng.normal(size=(60, 2)), rng.normal(size=(50, 2)) + 1
X[3] = 40
REFERENCE = motmot.Reference(X, chunk_rows=10, threads=2)

CALLS = [
    lambda: motmot.transport(X, Y).cost,
    lambda: motmot.partial_transport(X, Y, 0.1).cost,
    lambda: motmot.distance(X, Y, permutations=9, threads=2).p_value,
    lambda: motmot.distance(X, Y, estimator="mom", read_out=5, threads=2).value,
    lambda: motmot.distance({"a": X[:, 0], "b": ["u", "v"] * 30}, {"a": Y[:, 0], "b": ["v", "w"] * 25}, permutations=9, threads=2).value,
    lambda: motmot.matrix([X, Y, X + 1], threads=2).values.tobytes(),
    lambda: [row.score for row in motmot.outliers(X, Y, threads=2).rows],
    lambda: REFERENCE.check(Y, threads=2).distance.value,
]


def work(first, want, wrong):
    for k in range(ROUNDS * len(CALLS)):
        which = (first + k) % len(CALLS)
        if CALLS[which]() != want[which]:
            wrong.append(which)


def main():
    want, wrong = [call() for call in CALLS], []
    threads = [threading.Thread(target=work, args=(2 * t, want, wrong)) for t in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(f"{THREADS} threads, {THREADS * ROUNDS * len(CALLS)} calls, {len(wrong)} of them with other bits")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
