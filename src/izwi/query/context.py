"""What stands around a hit: so many tokens or characters, or the sentence or paragraph it is in."""

from collections.abc import Sequence

import numpy as np

from izwi.index.reader import Segment
from izwi.model.errors import QueryError

UNITS = ("tokens", "characters", "sentence", "paragraph")
_STRUCTURE = {"sentence": "s", "paragraph": "p"}


def stretch(
    segment: Segment, document: int, hit: tuple[int, int], context: int, unit: str
) -> tuple[int, int]:
    """Return from which to which position a hit is shown, inside its document."""
    start, end = hit
    begin, last = int(segment.document_starts[document]), int(segment.document_ends[document])
    if unit in _STRUCTURE:
        first, final = _around(segment, _STRUCTURE[unit], start, end)
        return max(begin, first), min(last, final)
    # A token has at least one character, so that so many tokens are enough for characters too.
    return max(begin, start - context), min(last, end + context)


def cut(left: str, right: str, context: int, unit: str) -> tuple[str, str]:
    """Return what is shown on both sides, cut to a number of characters if that was asked."""
    if unit != "characters":
        return left, right
    return _last_words(left, context), _first_words(right, context)


def paragraph_starts(segment: Segment, ranges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return which tokens after the first of each stretch, counted from it, begin a paragraph."""
    if "p" not in segment.structures or not ranges:
        return [[] for _ in ranges]
    starts = segment.structure("p").starts
    # Keys of the same type, or NumPy would convert all starts.
    edges = np.array([(first + 1, last) for first, last in ranges], starts.dtype)
    inside = np.searchsorted(starts, edges).tolist()
    return [
        (starts[low:high].astype(np.int64) - first).tolist() if high > low else []
        for (low, high), (first, _) in zip(inside, ranges, strict=True)
    ]


def _around(segment: Segment, name: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of the structures in which a hit begins and ends."""
    if name not in segment.structures:
        known = ", ".join(segment.structures)
        raise QueryError(f"There is no structure <{name}> to show; known structures: {known}.")
    structure = segment.structure(name)
    ends = np.array([start, end - 1], structure.starts.dtype)
    places = np.searchsorted(structure.starts, ends, side="right") - 1
    if places[0] < 0:
        return start, end
    first, last = int(structure.starts[places[0]]), int(structure.ends[places[1]])
    return min(first, start), max(last, end)


def _last_words(text: str, most: int) -> str:
    """Return the end of a text, cut where a word begins."""
    if len(text) <= most:
        return text
    cut = text[len(text) - most :]
    space = cut.find(" ")
    is_whole = text[len(text) - most - 1] == " "
    return cut if is_whole or space < 0 else cut[space + 1 :]


def _first_words(text: str, most: int) -> str:
    """Return the beginning of a text, cut where a word ends."""
    if len(text) <= most:
        return text
    cut = text[:most]
    return cut if text[most] == " " or " " not in cut else cut[: cut.rindex(" ")]
