"""Sentences and tokens for any language, with exact places in the text."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.annotate import boundaries, scan
from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.characters import kind_of, looked_up, lower_of
from izwi.annotate.compiled import Functions, compiled
from izwi.annotate.conventions import Conventions, conventions
from izwi.annotate.lexicon import parse_lexicon
from izwi.model.document import Annotation
from izwi.model.languages import iso639_3

Places = NDArray[np.int32]

# Loading the compiled functions costs as much as reading so many characters without them.
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

    def __init__(self, settings: AnnotatorSettings = _ANY) -> None:
        whole = parse_lexicon(settings.lexicon).words
        self._rules = conventions(iso639_3(settings.language), whole)

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
        if len(text) < _SHORT:
            signs = _looked_up_one_by_one(text)
            return _cut(*signs, stops, self._rules, vars(scan), vars(boundaries))
        scanning, bounding = compiled(scan.__name__), compiled(boundaries.__name__)
        return _cut(*looked_up(text), stops, self._rules, scanning, bounding)


def words_of(text: str, language: str = "und") -> list[str]:
    """Return the tokens of a text, as the index knows them in that language.

    >>> words_of("The blue-light brigade didn't stop.")
    ['The', 'blue-light', 'brigade', "didn't", 'stop', '.']
    >>> words_of("They didn't stop.", "eng")
    ['They', 'did', "n't", 'stop', '.']
    """
    return list(Tokeniser(AnnotatorSettings(language))([text]).words)


def _looked_up_one_by_one(text: str) -> tuple[list[int], list[int]]:
    """Return codes and kinds as the tables give them, without the time it takes to make those."""
    signs = [ord(sign) for sign in text]
    return [lower_of(sign) for sign in signs], [kind_of(sign) for sign in signs]


def _cut(
    codes: Any,
    kinds: Any,
    stops: NDArray[np.int64],
    rules: Conventions,
    scanning: Functions,
    bounding: Functions,
) -> Tokens:
    starts, ends, begins = (np.empty(len(codes), np.int32) for _ in range(3))
    count = scanning["cut_text"](codes, kinds, rules, starts, ends)
    limits = np.searchsorted(starts[:count], stops)
    found = bounding["find_sentences"](codes, kinds, rules, starts, ends, limits, begins)
    firsts = np.concatenate(([0], limits[:-1]))[: len(limits)]
    paragraphs = firsts[firsts < limits].astype(np.int32)
    return Tokens(starts[:count], ends[:count], begins[:found], paragraphs)
