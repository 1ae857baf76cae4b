"""Sentences and tokens for any language, with exact places in the text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.characters import kind_of, looked_up, lower_of
from izwi.annotate.conventions import conventions
from izwi.annotate.lexicon import parse_lexicon
from izwi.annotate.spaceless import Cutter, clusters, recut
from izwi.kernels.kinds import SPACELESS
from izwi.kernels.tokens import Rules, cut_text, find_sentences
from izwi.model.document import Annotation
from izwi.model.languages import iso639_3

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
    *lists, splits_clitics, splits_hyphens = conventions(language, whole, abbreviations, clitics)
    return Rules(tuple(lists), bool(splits_clitics), bool(splits_hyphens))


def _cut(
    codes: NDArray[np.int32],
    kinds: NDArray[np.uint8],
    stops: NDArray[np.int64],
    rules: Rules,
    again: Callable[..., tuple[Places, Places]] | None = None,
) -> Tokens:
    starts, ends, begins = (np.empty(len(codes), np.int32) for _ in range(3))
    count = cut_text(codes, kinds, rules, starts, ends)
    if again is not None:
        starts, ends = again(kinds, starts[:count], ends[:count])
        count = len(starts)
    limits = np.searchsorted(starts[:count], stops).astype(np.int64)
    found = find_sentences(codes, kinds, rules, starts, ends, limits, begins)
    firsts = np.concatenate(([0], limits[:-1]))[: len(limits)]
    paragraphs = firsts[firsts < limits].astype(np.int32)
    return Tokens(starts[:count], ends[:count], begins[:found], paragraphs)
