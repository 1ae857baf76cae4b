"""Text that is no running text, made from running text: what a profile must reject."""

import random
import re
from collections.abc import Iterator

_WORD = re.compile(r"[^\W\d_]{3,}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")


def made_lists(text: str, lexicon: list[str], chance: random.Random) -> Iterator[str]:
    """Yield lists of many kinds, as long as texts are, of the words of a text and its language."""
    own = _WORD.findall(text)
    if len(own) < 30:
        return
    size = chance.randint(40, 300)
    for words in (own, lexicon):
        picked = chance.choices(words, k=size)
        yield chance.choice((" ", ", ", " · ", "\n")).join(word.lower() for word in picked)
        yield chance.choice((" ", "\n", ", ")).join(sorted(picked))
        yield from _lines(picked, chance)
    yield from _excerpts(text, chance)


def _lines(words: list[str], chance: random.Random) -> Iterator[str]:
    """Yield names, goods with prices, rows of a table, titles with numbers."""
    groups = [words[start : start + chance.randint(1, 3)] for start in range(0, len(words), 3)]
    capital = [" ".join(word.capitalize() for word in group) for group in groups if group]
    between = chance.choice(("\n", "; ", ", ", " | "))
    yield between.join(capital)
    yield between.join(f"{name} ({chance.randint(1, 99)})" for name in capital)
    yield "\n".join(f"{name} R {chance.randint(1, 99_999) / 100:.2f}" for name in capital)
    yield "\n".join(
        f"{number}. {' '.join(group)} {chance.randint(0, 9)}:{chance.randint(10, 59)}"
        for number, group in enumerate(groups, 1)
        if group
    )


def _excerpts(text: str, chance: random.Random) -> Iterator[str]:
    """Yield one sentence again and again, a menu on every page, and beginnings of sentences."""
    sentences = [one for one in _SENTENCE.split(text) if len(one.split()) > 3]
    if not sentences:
        return
    yield chance.choice((" ", "\n")).join([chance.choice(sentences)] * chance.randint(8, 40))
    menu = [" ".join(one.split()[: chance.randint(1, 2)]) for one in sentences]
    yield "\n".join(menu * chance.randint(2, 12))
    yield "\n".join(" ".join(one.split()[: chance.randint(2, 4)]).title() for one in sentences)
