"""The frequent words of each language: its stop list, and texts made of them."""

import json
import lzma
import random
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

# Of the words that are known of a language, so many stand in its stop list.
STOP_WORDS = 60
# How often a word of a made text is put together from the halves of two: rare words look so.
_MADE_UP = 0.5


@cache
def frequent_words() -> Mapping[str, tuple[str, ...]]:
    """Return the frequent words of each language (ISO 639-3), the most frequent first."""
    packed = (files("izwi") / "models" / "words.json.xz").read_bytes()
    rows = json.loads(lzma.decompress(packed))
    return {code: tuple(words.split()) for code, words in rows.items()}


def stop_words(language: str) -> tuple[str, ...]:
    """Return the words that any text of a language is full of, none if it is not known.

    >>> "och" in stop_words("swe")
    True
    """
    return frequent_words().get(language, ())[:STOP_WORDS]


def made_texts(words: Sequence[str], count: int, chance: random.Random) -> list[str]:
    """Return texts of one to fifteen words in a language of which only frequent words are known."""
    shares = [1 / (rank + 3) for rank in range(len(words))]
    long = [word for word in words if len(word) > 3] or list(words)
    return [
        " ".join(
            _made_up(long, chance) if chance.random() < _MADE_UP else word
            for word in chance.choices(words, shares, k=size)
        )
        for size in (chance.randint(*chance.choice(((1, 5), (6, 15)))) for _ in range(count))
    ]


def _made_up(words: Sequence[str], chance: random.Random) -> str:
    first, second = chance.choice(words), chance.choice(words)
    return first[: (len(first) + 1) // 2] + second[len(second) // 2 :]
