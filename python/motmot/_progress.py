"""progress=True: a tqdm bar where tqdm is installed, a plain line on standard error otherwise."""
from __future__ import annotations

import sys
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Callable, Iterator, Optional, Union

Callback = Callable[[float], Optional[bool]]


class Line:
    """One line that is written over; shown only once it is clear that the run takes a while."""

    def __init__(self) -> None:
        self.shown = False

    def __call__(self, done: float) -> None:
        if done < 1:
            sys.stderr.write(f"\rmotmot: {100 * done:3.0f} %")
            sys.stderr.flush()
            self.shown = True

    def close(self) -> None:
        if self.shown:
            sys.stderr.write("\r" + " " * 16 + "\r")


class Bar:
    """The same by tqdm."""

    def __init__(self, tqdm: Any) -> None:
        self.bar = tqdm(total=100, unit="%", desc="motmot", leave=False)

    def __call__(self, done: float) -> None:
        self.bar.update(round(100 * done) - self.bar.n)

    def close(self) -> None:
        self.bar.close()


def shown_progress() -> Union[Line, Bar]:
    try:
        return Bar(import_module("tqdm.auto").tqdm)  # by name: type checkers need no stubs of tqdm
    except ImportError:
        return Line()


@contextmanager
def callback(progress: Union[None, bool, Callback]) -> Iterator[Optional[Callback]]:
    """None and False: nothing is shown. True: a bar. Otherwise a function that is called with the share of the work
    that is done; False from it stops the run."""
    if progress is None or progress is False:
        yield None
    elif progress is True:
        bar = shown_progress()
        try:
            yield bar
        finally:
            bar.close()
    else:
        yield progress
