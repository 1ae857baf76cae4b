"""Sentences and tokens for any language, with exact places; what kind each character is."""

import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pathlib import Path
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.base import AnnotatorSettings, parse_lexicon
from izwi.annotate.conventions import conventions
from izwi.annotate.spaceless import Cutter, clusters, recut
from izwi.kernels.kinds import DIGIT, LOWER, MARK, SPACE, SPACELESS, SYMBOL, UPPER
from izwi.kernels.tokens import Rules, Text
from izwi.model.document import Annotation
from izwi.model.languages import iso639_3
from izwi.model.records import dataclass

Places = NDArray[np.int32]

# Making the tables of characters costs as much as asking so many characters one by one.
_SHORT = 2000


_ANY = AnnotatorSettings()


@dataclass(frozen=True, slots=True)
class Tokens:
    """Where the tokens of a text begin and end, and which begin its sentences and paragraphs."""

    starts: Places
    ends: Places
    sentences: Places
    paragraphs: Places


class Tokeniser:
    """The annotator for any language: words, punctuation, sentences; nothing is lost but spaces."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, settings: AnnotatorSettings = _ANY, cutter: Cutter = clusters) -> None:
        self._cutter = cutter
        whole = parse_lexicon(settings.lexicon).words
        self._rules = _rules(
            iso639_3(settings.language),
            whole,
            frozenset(settings.abbreviations),
            frozenset(settings.clitics),
        )

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens of the paragraphs."""
        found = self.cut(paragraphs)
        text = "\n".join(paragraphs)
        starts, ends = found.starts.tolist(), found.ends.tolist()
        return Annotation(
            tuple([text[start:end] for start, end in zip(starts, ends, strict=True)]),
            tuple(starts),
            tuple(ends),
            tuple(found.sentences.tolist()),
            tuple(found.paragraphs.tolist()),
        )

    def cut(self, paragraphs: Sequence[str]) -> Tokens:
        """Return the places of the tokens in the paragraphs joined by line breaks."""
        text = "\n".join(paragraphs)
        stops = np.cumsum([len(paragraph) + 1 for paragraph in paragraphs], dtype=np.int64)
        signs = _looked_up_one_by_one(text) if len(text) < _SHORT else looked_up(text)
        codes, kinds = signs
        if not (kinds == SPACELESS).any():
            return _cut(codes, kinds, stops, self._rules)
        return _cut(codes, kinds, stops, self._rules, lambda *places: self._recut(text, *places))

    def _recut(
        self, text: str, kinds: NDArray[np.uint8], starts: Places, ends: Places
    ) -> tuple[Places, Places]:
        return recut(text, kinds, starts, ends, self._cutter)


def words_of(text: str, language: str = "und") -> list[str]:
    """Return the tokens of a text, as the index knows them in that language.

    >>> words_of("The blue-light brigade didn't stop.")
    ['The', 'blue-light', 'brigade', "didn't", 'stop', '.']
    >>> words_of("They didn't stop.", "eng")
    ['They', 'did', "n't", 'stop', '.']
    """
    return list(Tokeniser(AnnotatorSettings(language))([text]).words)


def _looked_up_one_by_one(text: str) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return codes and kinds as the tables give them, without the time it takes to make those."""
    signs = [ord(sign) for sign in text]
    codes = np.array([lower_of(sign) for sign in signs], np.int32)
    return codes, np.array([kind_of(sign) for sign in signs], np.uint8)


@lru_cache(maxsize=64)
def _rules(
    language: str,
    whole: frozenset[str],
    abbreviations: frozenset[str],
    clitics: frozenset[str],
) -> Rules:
    """Return the conventions of a language as the scanner reads them."""
    found = conventions(language, whole, abbreviations, clitics)
    return Rules(found.lists, found.switches)


def _cut(
    codes: NDArray[np.int32],
    kinds: NDArray[np.uint8],
    stops: NDArray[np.int64],
    rules: Rules,
    again: Callable[..., tuple[Places, Places]] | None = None,
) -> Tokens:
    starts, ends, begins = (np.empty(len(codes), np.int32) for _ in range(3))
    count = Text(codes, kinds, rules, starts, ends).cut()
    if again is not None:
        starts, ends = again(kinds, starts[:count], ends[:count])
        count = len(starts)
    limits = np.searchsorted(starts[:count], stops).astype(np.int64)
    found = Text(codes, kinds, rules, starts, ends).find_sentences(limits, begins)
    firsts = np.concatenate(([0], limits[:-1]))[: len(limits)]
    paragraphs = firsts[firsts < limits].astype(np.int32)
    return Tokens(starts[:count], ends[:count], begins[:found], paragraphs)


# Beyond the second plane nothing is a letter of a script with spaces.
TABLE_SIZE = 0x20000
# Scripts written without spaces: each character is a token of its own.
_SPACELESS_RANGES = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
# Joiners and variation selectors hold an emoji or a letter together with what it modifies; soft
# hyphens and word joiners stand inside words and are not seen.
_JOINERS = (0x00AD, 0x200C, 0x200D, 0x2060, 0xFE0E, 0xFE0F)


def kind_of(code: int) -> int:
    """Return the kind of one code point.

    >>> [kind_of(ord(sign)) for sign in "aZ5 -"] == [LOWER, UPPER, DIGIT, SPACE, SYMBOL]
    True
    """
    sign = chr(code)
    if sign.isspace():
        return SPACE
    category = unicodedata.category(sign)
    if category[0] == "M" or code in _JOINERS:
        return MARK
    if any(first <= code <= last for first, last in _SPACELESS_RANGES):
        return SPACELESS
    if category in ("Lu", "Lt"):
        return UPPER
    if category[0] == "L":
        return LOWER
    return DIGIT if category[0] == "N" else SYMBOL


def lower_of(code: int) -> int:
    """Return the lower-case form of a code point, itself if that is longer than one."""
    small = chr(code).lower()
    return ord(small) if len(small) == 1 else code


def looked_up(text: str) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the code points of a text in lower case, and the kind of each."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
    kinds, lower = _tables()
    if not len(codes) or codes.max() < TABLE_SIZE:
        return lower[codes], kinds[codes]
    low = np.minimum(codes, TABLE_SIZE - 1)
    far = codes >= TABLE_SIZE
    far_kinds = np.where(codes <= _SPACELESS_RANGES[-1][1], SPACELESS, SYMBOL).astype(np.uint8)
    return np.where(far, codes, lower[low]), np.where(far, far_kinds, kinds[low])


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the kind and the lower-case form of every code point, as they were written."""
    with np.load(Path(__file__).with_name("characters.npz")) as found:
        return found["kinds"], np.arange(TABLE_SIZE, dtype=np.int32) + found["lower"]
