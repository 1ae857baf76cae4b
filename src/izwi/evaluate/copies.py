"""How many copies of each kind are found, what is left of them, and what is lost."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from izwi.evaluate.forgery import KINDS, Forged
from izwi.model.results import CopyScores

_WORD = re.compile(r"\w+")
_TEN = 10


def score(
    forged: Sequence[Forged], kept: Mapping[str, Sequence[int]], settings: tuple[int, float, int]
) -> CopyScores:
    """Return the measures of a decision; `settings` are n, threshold and ignored words.

    A copy is found in so far as the words of its copied paragraphs are not kept. The first
    document with a piece of boilerplate is its owner, so boilerplate is counted from the second.
    """
    found = tuple((kind, _found(forged, kept, kind)) for kind in KINDS)
    return CopyScores(*settings, found, _duplicate_left(forged, kept), _unique_lost(forged, kept))


def _found(forged: Sequence[Forged], kept: Mapping[str, Sequence[int]], kind: str) -> float:
    documents = [each for each in forged if each.kind == kind]
    if kind == "boilerplate":
        documents = documents[1:]
    total = missed = 0
    for document in documents:
        stays = set(kept[document.id])
        for place in document.copied:
            words = len(document.paragraphs[place].split())
            total += words
            missed += words if place in stays else 0
    return 1 - missed / total if total else 0.0


def _duplicate_left(forged: Sequence[Forged], kept: Mapping[str, Sequence[int]]) -> float:
    """Return the share of 10-grams in the text that is kept which stood there before."""
    seen: Counter[int] = Counter()
    for document in forged:
        for place in kept[document.id]:
            words = _WORD.findall(document.paragraphs[place].lower())
            seen.update(hash(tuple(words[i : i + _TEN])) for i in range(len(words) - _TEN + 1))
    total = sum(seen.values())
    return (total - len(seen)) / total if total else 0.0


def _unique_lost(forged: Sequence[Forged], kept: Mapping[str, Sequence[int]]) -> float:
    """Return the share of words lost in clean documents whose 5-grams stand nowhere else."""
    clean = [each for each in forged if not each.kind]
    counts: Counter[int] = Counter()
    for document in clean:
        for text in document.paragraphs:
            counts.update(set(_grams(text)))
    total = lost = 0
    for document in clean:
        stays = set(kept[document.id])
        for place, text in enumerate(document.paragraphs):
            unique = sum(counts[gram] == 1 for gram in _grams(text))
            total += unique
            lost += 0 if place in stays else unique
    return lost / total if total else 0.0


def _grams(text: str) -> list[int]:
    words = _WORD.findall(text.lower())
    size = min(5, len(words))
    return [hash(tuple(words[i : i + size])) for i in range(len(words) - size + 1)] if words else []
