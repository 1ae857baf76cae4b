"""Sentences and tokens for any language, with exact places in the text."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.annotate import boundaries, scan
from izwi.annotate.characters import characters, code_points, kind_of, lower_of
from izwi.annotate.compiled import compiled
from izwi.annotate.conventions import Conventions, conventions
from izwi.model.document import Annotation

Places = NDArray[np.int32]

# Loading the compiled functions costs as much as reading so many characters without them.
_SHORT = 2000


@dataclass(frozen=True, slots=True)
class Tokens:
    """Where the tokens of a paragraph begin and end, and which of them begin sentences."""

    starts: Places
    ends: Places
    sentences: Places


class Tokeniser:
    """The annotator for any language: words, punctuation, sentences; nothing is lost but spaces."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, language: str = "und", whole: Iterable[str] = ()) -> None:
        self._rules = conventions(language, frozenset(whole))

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens of the paragraphs."""
        words: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        sentences: list[int] = []
        first_tokens: list[int] = []
        base = 0
        for text, found in zip(paragraphs, self.cut(paragraphs), strict=True):
            begins, stops = found.starts.tolist(), found.ends.tolist()
            if begins:
                first_tokens.append(len(words))
                sentences.extend((found.sentences + len(words)).tolist())
            words.extend([text[a:b] for a, b in zip(begins, stops, strict=True)])
            starts.extend((found.starts + base).tolist())
            ends.extend((found.ends + base).tolist())
            base += len(text) + 1
        return Annotation(
            tuple(words), tuple(starts), tuple(ends), tuple(sentences), tuple(first_tokens)
        )

    def cut(self, paragraphs: Sequence[str]) -> Iterable[Tokens]:
        """Yield the places of the tokens, paragraph by paragraph."""
        is_short = sum(map(len, paragraphs)) < _SHORT
        cut_one = _cut_interpreted if is_short else _cut_compiled
        for text in paragraphs:
            yield cut_one(text, self._rules)


def words_of(text: str, language: str = "und") -> list[str]:
    """Return the tokens of a text, as the index knows them in that language.

    >>> words_of("The blue-light brigade didn't stop.")
    ['The', 'blue-light', 'brigade', "didn't", 'stop', '.']
    >>> words_of("They didn't stop.", "eng")
    ['They', 'did', "n't", 'stop', '.']
    """
    return list(Tokeniser(language)([text]).words)


class _Kinds:
    """The kind of any code point, looked up one by one."""

    def __getitem__(self, code: int) -> int:
        return kind_of(0x20000 if code == 0x20000 else 0x10FFFF if code == 0x20001 else code)


class _Lower:
    """The lower-case form of any code point, looked up one by one."""

    def __getitem__(self, code: int) -> int:
        return lower_of(code)


@dataclass(frozen=True, slots=True)
class _FewCharacters:
    """The tables of characters without the second it takes to make them."""

    kinds: _Kinds = _Kinds()  # noqa: RUF009 - it holds nothing
    lower: _Lower = _Lower()  # noqa: RUF009 - it holds nothing


def _cut_interpreted(text: str, rules: Conventions) -> Tokens:
    codes = [ord(sign) for sign in text]
    return _cut(codes, len(codes), _FewCharacters(), rules, vars(scan), vars(boundaries))


def _cut_compiled(text: str, rules: Conventions) -> Tokens:
    codes = code_points(text)
    scanning, bounding = compiled(scan.__name__), compiled(boundaries.__name__)
    return _cut(codes, len(codes), characters(), rules, scanning, bounding)


def _cut(
    codes: Any,
    size: int,
    chars: Any,
    rules: Conventions,
    scanning: dict[str, Callable[..., Any]],
    bounding: dict[str, Callable[..., Any]],
) -> Tokens:
    starts, ends, begins = (np.empty(size, np.int32) for _ in range(3))
    count = scanning["cut_text"](codes, chars, rules, starts, ends)
    found = bounding["find_sentences"](codes, chars, rules, starts, ends, count, begins)
    return Tokens(starts[:count], ends[:count], begins[:found])
