"""Which words of a mixed text are in which language: a hidden Markov model over words.

Which words of a mixed text are in which language: a hidden Markov model over words. Each word says
how well it fits each language; changing the language costs more inside a sentence than at its end.
The cheapest path through the words (Viterbi) gives runs of one language, so that a quotation or a
switch of code is known, and single odd words do not break a run.
"""

import re
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import ngrams as loops
from izwi.model.document import LanguageRun
from izwi.text.language.ngrams import Izwi

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_SENTENCE_END = re.compile(r"[.!?:;\n”\"«»()]")
# Costs in nats of going on in another language: inside a sentence, and after its end.
# Knee of the word-level F1 on mixed pages in docs/explanation/language.md.
_INSIDE, _BETWEEN = 9.0, 4.0
# No word alone is surer than this (nats): a name of one language may stand in another.
_SUREST = 6.0


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    begins_sentence: bool


def language_runs(
    text: str, identify: Izwi, *, languages: tuple[str, ...] = ()
) -> tuple[LanguageRun, ...]:
    """Return the runs of one language in a text, in order; `languages` restricts the answer."""
    words = _words(text)
    if not words:
        return ()
    costs = _costs([text[word.start : word.end] for word in words], identify, languages)
    changes = np.array([_BETWEEN if word.begins_sentence else _INSIDE for word in words])

    return _joined(words, cheapest_path(costs, changes), identify.word_codes)


def _words(text: str) -> list[_Word]:
    found, before = [], 0
    for match in _WORD.finditer(text):
        between = text[before : match.start()]
        found.append(_Word(match.start(), match.end(), bool(_SENTENCE_END.search(between))))
        before = match.end()
    return found


def _costs(words: list[str], identify: Izwi, languages: tuple[str, ...]) -> NDArray[np.float64]:
    """Return the cost of each word in each language: 0 for the best, at most `_SUREST`."""
    logs = identify.word_probabilities(words)
    if languages:
        allowed = [code in languages or code == "und" for code in identify.word_codes]
        logs = np.where(allowed, logs, -1e3)
    costs: NDArray[np.float64] = np.minimum(logs.max(axis=1, keepdims=True) - logs, _SUREST)
    if languages:
        costs = np.where(allowed, costs, 1e3)
    return costs


def _joined(
    words: list[_Word], path: NDArray[np.int64], codes: tuple[str, ...]
) -> tuple[LanguageRun, ...]:
    bounds = [0, *(np.flatnonzero(np.diff(path)) + 1).tolist(), len(words)]
    return tuple(
        LanguageRun(words[low].start, words[high - 1].end, codes[path[low]], high - low)
        for low, high in pairwise(bounds)
    )


def cheapest_path(costs: NDArray[np.float64], changes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the language of each word: least cost of words plus cost of changes (Viterbi)."""
    words, languages = costs.shape
    path = np.empty(words, np.int64)
    came_from = np.empty((words, languages), np.int64)
    loops.cheapest_path(
        np.ascontiguousarray(costs), np.ascontiguousarray(changes, np.float64),
        np.empty(languages), came_from, path,
    )  # fmt: skip
    return path
