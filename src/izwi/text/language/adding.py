"""A new language in minutes: one more column for a model, from a raw sample of text.

The new language's n-grams are compared with what all other languages have of them on average, as
the others' were when training began; n-grams nobody owned get free slots. Nothing is trained anew,
so the others' text is not needed. A tenth of the sample is kept apart and says how well it went.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from izwi.model.errors import ConfigError
from izwi.text.language.base import Identifier
from izwi.text.language.letters import read
from izwi.text.language.model import NgramModel
from izwi.text.language.ngrams import Izwi
from izwi.text.language.training import BACKGROUND_STEP, FLOOR, START, snippet_texts

# Less text than this does not show what a language looks like.
_FEWEST_LETTERS = 2_000
# What is tried until the language wins its own snippets as often as it can without being greedy.
_LIFTS = (0.0, 0.5, 1.0, 2.0)
_ENOUGH = 0.95


@dataclass(frozen=True, slots=True)
class Added:
    """How a new language fares: snippets told rightly, and what the others were taken for."""

    code: str
    letters: int
    snippets: int
    accuracy: float
    # Language named instead, and how often; the most frequent first.
    confusions: tuple[tuple[str, int], ...]


def add_language(model: NgramModel, code: str, lines: Sequence[str]) -> tuple[NgramModel, Added]:
    """Return a model that names one more language, with a report on a tenth kept apart."""
    letters = sum(map(len, lines))
    learnt, snippets = held_back(code, lines)
    widened = _with_column(_without(model, code), code, _frequencies(model, learnt))
    for lift in _LIFTS:
        tried = replace(widened, bias=widened.bias + _only_last(widened, lift))
        report = report_on(Izwi(tried), code, snippets, letters)
        if report.accuracy >= _ENOUGH:
            break
    return tried, report


def held_back(code: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return nine tenths of a sample to learn from, and snippets of the rest to measure by."""
    letters = sum(map(len, lines))
    if letters < _FEWEST_LETTERS or len(lines) < 10:
        raise ConfigError(
            f"The sample of '{code}' has {letters:,} letters in {len(lines)} lines; "
            f"give at least {_FEWEST_LETTERS:,} in 10, one sentence or paragraph a line."
        )
    learnt = [line for number, line in enumerate(lines) if number % 10]
    return learnt, [text for _, text in snippet_texts({code: {"": lines[::10]}}, 600, 1)]


def report_on(identify: Identifier, code: str, snippets: Sequence[str], letters: int) -> Added:
    """Return how often an identifier names a language rightly, and what it says instead."""
    named = Counter(identify(snippet).code for snippet in snippets)
    wrong = tuple((other, count) for other, count in named.most_common() if other != code)
    return Added(code, letters, len(snippets), named[code] / max(1, len(snippets)), wrong)


def _without(model: NgramModel, code: str) -> NgramModel:
    """Return the model without a class of that name, so that a language can be added again."""
    kept = [number for number, name in enumerate(model.classes) if name != code]
    return replace(
        model,
        classes=tuple(model.classes[number] for number in kept),
        rows=np.ascontiguousarray(model.rows[:, kept]),
        bias=model.bias[kept],
    )


def _frequencies(model: NgramModel, lines: Sequence[str]) -> dict[int, float]:
    """Return frequencies per million by hash."""
    from izwi.text.language.learning import text_hashes

    counts = Counter[int]()
    for line in lines:
        counts.update(text_hashes(read(line).text).tolist())
    total = max(1, counts.total())
    return {value: 1e6 * count / total for value, count in counts.items()}


def _with_column(model: NgramModel, code: str, per_million: dict[int, float]) -> NgramModel:
    is_owned: NDArray[np.bool_] = np.asarray(model.rows.any(axis=1))
    tags, background = model.tags.copy(), model.background.copy()
    unseen = np.log(FLOOR)
    column = np.where(is_owned, unseen, 0.0)
    shift = int(model.shift)
    for value, frequency in sorted(per_million.items(), key=lambda pair: -pair[1]):
        slot, tag = value >> shift, (value >> 24) & 0xFF
        if is_owned[slot] and tags[slot] == tag:
            column[slot] = np.log(frequency + FLOOR)
        elif not is_owned[slot]:
            tags[slot], is_owned[slot] = tag, True
            background[slot] = round(unseen * BACKGROUND_STEP)
            column[slot] = np.log(frequency + FLOOR)
    return _widened(replace(model, tags=tags, background=background), code, column, is_owned)


def _widened(
    model: NgramModel, code: str, logs: NDArray[np.float64], is_owned: NDArray[np.bool_]
) -> NgramModel:
    weights = START * (logs - model.background / BACKGROUND_STEP) / model.scale
    column = np.where(is_owned, np.clip(np.rint(weights), -127, 127), 0).astype(np.int8)
    return replace(
        model,
        classes=(*model.classes, code),
        rows=np.ascontiguousarray(np.hstack([model.rows, column[:, None]])),
        bias=np.append(model.bias, np.float32(0.0)),
    )


def _only_last(model: NgramModel, lift: float) -> NDArray[np.float32]:
    only = np.zeros(len(model.classes), np.float32)
    only[-1] = lift
    return only
