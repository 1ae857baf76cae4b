"""Simple rules of quality: length, repetition, letters, signs, capitals, length of words.

They know scripts: marks on letters, soft hyphens and joiners are no signs, and where no spaces are
written words are counted by their letters.
"""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from izwi.model.document import Verdict, dropped

_WORD = re.compile(r"[^\W\d_]+")
_SIGN = re.compile(r"[^\w\s.,;:!?'\"()\[\]{}/%&@#*+=<>–—…‘’“”«»°€£$-]")
_LINE = re.compile(r"[^\n.!?。！？।॥።؟]+")
# Chinese and Japanese; Thai, Lao, Tibetan, Burmese, Khmer: letters a word has on average.
_IDEOGRAPHS, _IDEOGRAPHS_A_WORD = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]"), 1.6
_UNSPACED, _UNSPACED_A_WORD = re.compile(r"[\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff]"), 5.0
_EITHER = re.compile(f"[{_IDEOGRAPHS.pattern[1:-1]}{_UNSPACED.pattern[1:-1]}]")
# Punctuation of scripts beyond the Latin: stops, commas and brackets of their own.
_OTHER_SCRIPTS = re.compile(r"[\u0370-\u1fff\u3000-\u303f\uff00-\uffef]")

# Why a text is dropped by the rules.
QUALITY_REASONS = (
    "too-long", "repetitive", "few-letters", "many-symbols", "many-capitals", "short-words",
    "long-words",
)  # fmt: skip
# A text that says so many words once is more than repetition.
_FRESH = 100


@dataclass(frozen=True, slots=True)
class Rules:
    """The bounds of corpus.toml [select] beyond the number of words."""

    maximum_words: int = 0
    maximum_repetition: float = 0.5
    minimum_letters: float = 0.6
    maximum_symbols: float = 0.1
    maximum_capitals: float = 0.5
    word_length: tuple[float, float] = (2.0, 15.0)


@dataclass(frozen=True, slots=True)
class Quality:
    """What the rules look at, measured."""

    words: int
    # Shares, 0 to 1: of words in lines said before, of characters but spaces, of letters.
    repetition: float
    letters: float
    symbols: float
    capitals: float
    # Letters per word; 0 where no spaces tell words.
    word_length: float


def measure_quality(text: str) -> Quality:
    """Return the measures of a text; an empty one has none of anything."""
    ideographs, others = _unspaced(text)
    words_all, is_unspaced = _words(text, ideographs, others), 2 * (ideographs + others) > len(text)
    text = _without_marks(text)
    found = _characters(text)
    return Quality(
        words_all,
        repetition(text),
        found.letters / max(found.written, 1),
        found.signs / max(found.written, 1),
        found.capitals / max(found.letters, 1),
        0.0 if is_unspaced else found.of_words / max(found.words, 1),
    )


def count_words(text: str) -> int:
    """Return how many words a text has, in scripts without spaces about so many.

    >>> count_words("Two words"), count_words("今天天气很好我们去公园散步吧")
    (2, 9)
    """
    return _words(text, *_unspaced(text))


def _words(text: str, ideographs: int, others: int) -> int:
    words = len(text.split())
    return max(words, round(ideographs / _IDEOGRAPHS_A_WORD + others / _UNSPACED_A_WORD))


def _unspaced(text: str) -> tuple[int, int]:
    """Return how many letters are of scripts without spaces: ideographs, and others."""
    # Most texts have none, which one look tells.
    if text.isascii() or not _EITHER.search(text):
        return 0, 0
    return len(_IDEOGRAPHS.findall(text)), len(_UNSPACED.findall(text))


def _without_marks(text: str) -> str:
    """Return a text without marks on letters, soft hyphens and joiners."""
    if text.isascii():
        return text
    odd = [each for each in set(text) if unicodedata.category(each) in ("Mn", "Mc", "Me", "Cf")]
    return text.translate(dict.fromkeys(map(ord, odd))) if odd else text


def _is_sign(character: str) -> bool:
    if not _SIGN.match(character):
        return False
    is_stop = unicodedata.category(character).startswith("P")
    return not (is_stop and _OTHER_SCRIPTS.match(character))


class _Characters(NamedTuple):
    """How many characters of a text are of which kind, and how many words those of words make."""

    written: int
    letters: int
    signs: int
    capitals: int
    of_words: int
    words: int


def _characters(text: str) -> _Characters:
    # A text has many characters and few different ones: each of these is looked at once.
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    counts = np.bincount(codes)
    present = np.flatnonzero(counts)
    kinds = np.array([_kinds(chr(code)) for code in present.tolist()], np.int64).reshape(-1, 5)
    is_of_word = np.zeros(len(counts), np.bool_)
    is_of_word[present] = kinds[:, -1]
    of_word = is_of_word[codes]
    words = int(np.count_nonzero(of_word[1:] & ~of_word[:-1]) + of_word[:1].sum())
    written, letters, signs, capitals, of_words = (counts[present] @ kinds).tolist()
    return _Characters(written, letters, signs, capitals, of_words, words)


@lru_cache(maxsize=1 << 14)
def _kinds(character: str) -> tuple[bool, ...]:
    """Whether a character is written, a letter, a sign, a capital and part of a word."""
    return (
        not character.isspace(),
        character.isalpha(),
        _is_sign(character),
        character.isupper(),
        bool(_WORD.match(character)),
    )


def repetition(text: str) -> float:
    """Return the share of words that stand in a line or sentence said before."""
    keys = [" ".join(line.split()) for line in _LINE.findall(_lowered(text))]
    seen = set(keys)
    if len(seen) == len(keys):
        return 0.0
    sizes = [key.count(" ") + bool(key) for key in keys]
    fresh = sum(key.count(" ") + bool(key) for key in seen)
    return (sum(sizes) - fresh) / max(sum(sizes), 1)


def _lowered(text: str) -> str:
    """Return a text in small letters, each line or sentence as if it stood alone."""
    # The small sigma is another one at the end of a word, and a stop is no end to Python.
    return _LINE.sub(lambda line: line[0].lower(), text) if "Σ" in text else text.lower()


def broken_rule(text: str, rules: Rules) -> Verdict | None:
    """Return the verdict of the first rule a text breaks, with value and threshold."""
    if not text.strip():
        return None
    found = measure_quality(text)
    low, high = rules.word_length
    broken = (
        (0 < rules.maximum_words < found.words, "too-long", found.words, rules.maximum_words),
        _above("repetitive", found.repetition, _most_repeated(found, rules)),
        _below("few-letters", found.letters, rules.minimum_letters),
        _above("many-symbols", found.symbols, rules.maximum_symbols),
        _above("many-capitals", found.capitals, rules.maximum_capitals),
        (0 < found.word_length < low, "short-words", found.word_length, low),
        _above("long-words", found.word_length, high),
    )
    for is_broken, reason, value, threshold in broken:
        if is_broken:
            return dropped("select", reason, value=round(value, 4), threshold=threshold)
    return None


def _most_repeated(found: Quality, rules: Rules) -> float:
    """Return which share of a text may be said before: terms of several sales repeat much."""
    fresh = found.words * (1 - found.repetition)
    most = rules.maximum_repetition
    return most if fresh < _FRESH else (1 + most) / 2


def _above(reason: str, value: float, bound: float) -> tuple[bool, str, float, float]:
    return value > bound, reason, value, bound


def _below(reason: str, value: float, bound: float) -> tuple[bool, str, float, float]:
    return value < bound, reason, value, bound
