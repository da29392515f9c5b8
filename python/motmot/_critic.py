"""Fitted critics."""
from __future__ import annotations

import os
from typing import Any, Union

from . import _motmot
from ._arrays import Floats, rows


class Critic:
    """The function phi that a distance was read from, to be called on new rows.

    Cheap to copy, immutable, safe to share between threads; pickling and :meth:`save` keep the bits.

    >>> import motmot
    >>> toy = motmot.generate("d1", n=60, seed=1)
    >>> critic = motmot.distance(toy.x, toy.y).critic
    >>> critic
    <motmot.Critic exact, 2 columns>
    >>> critic(toy.x[:3]).shape
    (3,)
    """

    __slots__ = ("_core",)

    def __init__(self, core: _motmot.Critic) -> None:
        self._core = core

    @property
    def kind(self) -> str:
        """'exact', 'lipschitz' or 'clipped'."""
        return self._core.kind

    @property
    def dimension(self) -> int:
        """Columns it takes."""
        return self._core.dimension

    def __call__(self, data: Any) -> Floats:
        """phi of every row of `data`, in order."""
        return self._core.evaluate(rows(data, "the data"))

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes a JSON file, whole or not at all; ``motmot evaluate`` and :func:`load_critic` read it."""
        self._core.save(os.fspath(path))

    def __getstate__(self) -> str:
        return self._core.to_json()

    def __setstate__(self, state: str) -> None:
        self._core = _motmot.Critic.from_json(state)

    def __repr__(self) -> str:
        return f"<motmot.Critic {self.kind}, {self.dimension} column{'' if self.dimension == 1 else 's'}>"


def load_critic(path: Union[str, "os.PathLike[str]"]) -> Critic:
    """The critic that :meth:`Critic.save` or ``motmot distance --save-phi`` wrote; phi has the same bits.

    >>> import motmot, os, tempfile
    >>> toy = motmot.generate("d1", n=60, seed=1)
    >>> critic = motmot.distance(toy.x, toy.y).critic
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     critic.save(os.path.join(folder, "critic.json"))
    ...     again = motmot.load_critic(os.path.join(folder, "critic.json"))
    >>> bool((again(toy.y) == critic(toy.y)).all())
    True
    """
    return Critic(_motmot.Critic.load(os.fspath(path)))
