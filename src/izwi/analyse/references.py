"""What words are compared with: other documents, another corpus, or a list of frequencies."""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.selection import Selection
from izwi.model.errors import QueryError

Counts = NDArray[np.int64]
Words = tuple[str, ...]
# Below this share of running words that a list knows, it is probably spelt in another way.
_KNOWN_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Reference:
    """How often the words of one text occur in another, how long that is, and what it is."""

    counts: Counts
    tokens: int
    words: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrequencyList:
    """Words and how often they occur in some text of so many tokens."""

    name: str
    frequencies: Mapping[str, int]
    tokens: int


def read_frequency_list(path: Path) -> FrequencyList:
    """Return a list of lines `word<TAB>frequency`; `# tokens N` says how long its text was.

    Without that, it is as long as its frequencies add up to. Words given twice are added up.
    """
    frequencies: dict[str, int] = {}
    tokens = 0
    for number, line in enumerate(_lines(path), 1):
        if line.startswith("#"):
            tokens = _said_tokens(line) or tokens
            continue
        word, _, rest = line.rstrip("\n").partition("\t")
        many = rest.split("\t")[0].strip().replace(",", "")
        if not many.isdecimal():
            if number > 1:
                raise QueryError(f"{path}, line {number}: '{rest.strip()}' is not a frequency.")
            continue
        key = unicodedata.normalize("NFC", word)
        frequencies[key] = frequencies.get(key, 0) + int(many)
    if not frequencies:
        raise QueryError(f"{path} has no line of a word, a tab and its frequency.")
    return FrequencyList(path.name, frequencies, tokens or sum(frequencies.values()))


def _lines(path: Path) -> Iterable[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"The frequency list {path} cannot be read: {error}.") from None


def _said_tokens(line: str) -> int:
    words = line.lstrip("# ").split()
    is_said = len(words) == 2 and words[0].casefold() in ("tokens", "size")
    many = words[1].replace(",", "") if is_said else ""
    return int(many) if many.isdecimal() else 0


def from_list(
    given: FrequencyList, words: Sequence[Words], hits: Counts, attribute: str
) -> Reference:
    """Return what a list says of some words or terms; in lower case if the words are."""
    known = given.frequencies
    if attribute == "lc":
        known = {}
        for word, many in given.frequencies.items():
            known[word.lower()] = known.get(word.lower(), 0) + many
    found = np.array([known.get(" ".join(each), 0) for each in words], np.int64)
    return Reference(found, given.tokens, f"the list {given.name}", _coverage(given, found, hits))


def _coverage(given: FrequencyList, found: Counts, hits: Counts) -> tuple[str, ...]:
    """Return a warning if the list knows too little of the text."""
    share = float(hits[found > 0].sum() / max(1, hits.sum()))
    if share >= _KNOWN_ENOUGH or not len(hits):
        return ()
    return (
        f"The list {given.name} knows only {share:.0%} of the running words compared: it may be "
        "of another language, or spelt or cut in another way (capitals, lemmas, diacritics). "
        "What it does not know counts as absent there.",
    )


def empty(other: Selection, name: str) -> tuple[str, ...]:
    """Return a warning if there is nothing to compare with."""
    return (
        ()
        if other.tokens
        else (f"There is no text in {name}, so there is nothing to compare with.",)
    )


def rest_of(selection: Selection, whole: Selection) -> Selection:
    """Return the other documents of the same version."""
    only = tuple(
        np.zeros(len(segment.document_starts), np.bool_) if mask is None else ~mask
        for segment, mask in zip(selection.segments, selection.masks, strict=True)
    )
    return Selection(whole.segments, whole.chosen, only)
