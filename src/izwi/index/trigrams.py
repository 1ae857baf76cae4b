"""Which values hold a sequence of three bytes: candidates for an expression that begins anyhow."""

from collections.abc import Iterable, Sequence
from functools import reduce
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import read_packed, write_packed
from izwi.index.postings import Postings, write_lists

# One expression over a lexicon smaller than this takes less than a millisecond anyway.
TRIGRAMS_FROM = 20_000
_CAPITALS = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")


class Trigrams:
    """The values in which each trigram occurs; capitals count as small letters."""

    def __init__(self, path: Path) -> None:
        self._codes = read_packed(path.with_name(f"{path.name}.codes.bin"))[:]
        self._lists = Postings(path)

    def holding(self, texts: Iterable[bytes]) -> NDArray[np.int64] | None:
        """Return the values that may hold all of some texts; None if that says nothing."""
        codes = {code for text in texts for code in codes_of(text)}
        if not codes:
            return None
        places = np.searchsorted(self._codes, sorted(codes))
        if any(
            place == len(self._codes) or self._codes[place] != code
            for place, code in zip(places, sorted(codes), strict=True)
        ):
            return np.empty(0, np.int64)
        lists = sorted((self._lists.positions(int(place)) for place in places), key=len)
        return reduce(_common, lists).astype(np.int64)


def _common(few: NDArray[np.int32], many: NDArray[np.int32]) -> NDArray[np.int32]:
    if not len(few):
        return few
    places = np.minimum(np.searchsorted(many, few), len(many) - 1)
    return np.asarray(few[many[places] == few])


def codes_of(text: bytes) -> set[int]:
    """Return the trigrams of a text as numbers.

    >>> len(codes_of(b"Abcabc"))
    3
    """
    small = text.translate(_CAPITALS)
    return {int.from_bytes(small[at : at + 3], "big") for at in range(len(small) - 2)}


def write_trigrams(path: Path, values: Sequence[bytes]) -> None:
    """Write the trigrams of sorted values; nothing for a small lexicon."""
    if len(values) < TRIGRAMS_FROM:
        return
    text = np.frombuffer(b"\n".join(values).translate(_CAPITALS), np.uint8).astype(np.uint32)
    codes = text[:-2] << 16 | text[1:-1] << 8 | text[2:]
    lines = np.cumsum(text == 10, dtype=np.uint32)[:-2]
    # A sequence across a line break belongs to no value.
    whole = (text[:-2] != 10) & (text[1:-1] != 10) & (text[2:] != 10)
    pairs = codes[whole].astype(np.uint64) << np.uint64(32) | lines[whole]
    # Sorted and compared with the neighbour: five times as fast as np.unique on so many.
    pairs.sort()
    pairs = pairs[_is_new(pairs)]
    found = pairs >> np.uint64(32)
    firsts = np.flatnonzero(_is_new(found))
    write_packed(path.with_name(f"{path.name}.codes.bin"), found[firsts].astype(np.int64))
    counts = np.diff(np.append(firsts, len(pairs)))
    members = (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    write_lists(path, members, counts, len(values))


def _is_new(values: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which of some sorted values differ from the one before."""
    return np.concatenate(([True], values[1:] != values[:-1]))[: len(values)]
