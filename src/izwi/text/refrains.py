"""Refrains: paragraphs that a text says again after other words, as songs, hymns and prayers do.

A paragraph that stands word for word earlier in its text is searched once: much of that is shown
twice by mistake. What comes again after something else that is about as long is said again.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from izwi.model.document import Document

REPEATED, STUB = "repeated", "stub"
# What stands between has so many words for each of the refrain's.
_LEAST_BETWEEN, _MOST_BETWEEN = 0.5, 6
_WORD = re.compile(r"\w+")


def refrains(document: Document) -> frozenset[int]:
    """Return the paragraphs of a document that only seem to be left over: refrains.

    What stands between two of them and was too short to stay alone is among these.
    """
    again = {block.paragraph for block in document.copied if block.method == REPEATED}
    if not again:
        return frozenset()
    main = [number for number, each in enumerate(document.paragraphs) if each.is_main]
    words = [tuple(_WORD.findall(document.paragraphs[n].text.casefold())) for n in main]
    runs = _said_again(words, [number in again for number in main])
    found = frozenset(main[place] for run in runs for place in run)
    return found | _beside(document, found, main) if found else found


def _said_again(words: Sequence[tuple[str, ...]], are_again: Sequence[bool]) -> Iterator[range]:
    """Yield the runs of paragraphs that come again after other words, neither few nor many."""
    last: dict[tuple[str, ...], int] = {}
    before = [-1] * len(words)
    for place, said in enumerate(words):
        before[place], last[said] = last.get(said, -1) if are_again[place] else -1, place
    sizes, start = list(map(len, words)), 0
    while start < len(words):
        end = start + 1
        if before[start] >= 0:
            while end < len(words) and before[end] == before[end - 1] + 1:
                end += 1
            between = sum(sizes[before[end - 1] + 1 : start])
            size = sum(sizes[start:end])
            if _LEAST_BETWEEN * size <= between <= _MOST_BETWEEN * size:
                yield range(start, end)
        start = end


def _beside(document: Document, found: Iterable[int], main: Sequence[int]) -> frozenset[int]:
    """Return the short rests that were removed because refrains beside them were."""
    removed = {block.paragraph for block in document.copied}.difference(found)
    stubs = {block.paragraph for block in document.copied if block.method == STUB}
    gone = removed - stubs
    return frozenset(
        number
        for before, number, after in zip([-1, *main], main, [*main[1:], -1], strict=False)
        if number in stubs and before not in gone and after not in gone
    )
