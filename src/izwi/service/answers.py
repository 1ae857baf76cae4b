"""Answers kept for questions that are asked again: by version, so that they stay true."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

MOST = 128
Made = TypeVar("Made")


class Answers:
    """The latest answers, by what was asked; of many the one asked longest ago is forgotten."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def of(self, question: Hashable, make: Callable[[], Made]) -> Made:
        """Return the answer to a question: the one kept, or a new one, which is kept then."""
        with self._lock:
            if question in self._kept:
                self._kept.move_to_end(question)
                kept: Made = self._kept[question]
                return kept
        # Not locked: two who ask at once may both wait, but nobody waits for another's question.
        made = make()
        with self._lock:
            self._kept[question] = made
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return made
