"""Simple rules of quality: length, repetition, letters, signs, capitals, length of words."""

import re
from dataclasses import dataclass

from izwi.model.document import Verdict, dropped

_WORD = re.compile(r"[^\W\d_]+")
_SIGN = re.compile(r"[^\w\s.,;:!?'\"()\[\]{}/%&@#*+=<>–—…‘’“”«»°€£$-]")
_LINE = re.compile(r"[^\n.!?]+")


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
    # Letters per word.
    word_length: float


def measure_quality(text: str) -> Quality:
    """Return the measures of a text; an empty one has none of anything."""
    written = sum(not character.isspace() for character in text)
    letters = sum(map(str.isalpha, text))
    words = _WORD.findall(text)
    return Quality(
        len(text.split()),
        repetition(text),
        letters / max(written, 1),
        len(_SIGN.findall(text)) / max(written, 1),
        sum(map(str.isupper, text)) / max(letters, 1),
        sum(map(len, words)) / max(len(words), 1),
    )


def repetition(text: str) -> float:
    """Return the share of words that stand in a line or sentence said before."""
    seen: set[str] = set()
    all_words = again = 0
    for match in _LINE.finditer(text):
        key = " ".join(match[0].lower().split())
        size = key.count(" ") + bool(key)
        all_words += size
        again += size if key in seen else 0
        seen.add(key)
    return again / max(all_words, 1)


def broken_rule(text: str, rules: Rules) -> Verdict | None:
    """Return the verdict of the first rule a text breaks, with value and threshold."""
    if not text.strip():
        return None
    found = measure_quality(text)
    low, high = rules.word_length
    broken = (
        (0 < rules.maximum_words < found.words, "too-long", found.words, rules.maximum_words),
        _above("repetitive", found.repetition, rules.maximum_repetition),
        _below("few-letters", found.letters, rules.minimum_letters),
        _above("many-symbols", found.symbols, rules.maximum_symbols),
        _above("many-capitals", found.capitals, rules.maximum_capitals),
        _below("short-words", found.word_length, low),
        _above("long-words", found.word_length, high),
    )
    for is_broken, reason, value, threshold in broken:
        if is_broken:
            return dropped("select", reason, value=round(value, 4), threshold=threshold)
    return None


def _above(reason: str, value: float, bound: float) -> tuple[bool, str, float, float]:
    return value > bound, reason, value, bound


def _below(reason: str, value: float, bound: float) -> tuple[bool, str, float, float]:
    return value < bound, reason, value, bound
