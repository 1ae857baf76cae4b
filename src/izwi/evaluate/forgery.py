"""Realistic copies of known kinds, made from any collection, with the truth about each."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Paragraphs = list[str]

KINDS = (
    "exact", "variant", "5%", "10%", "20%", "40%", "half", "index", "boilerplate",
)  # fmt: skip
_EDITS = {"5%": 0.05, "10%": 0.1, "20%": 0.2, "40%": 0.4}
_BOILERPLATE = (
    "This story was first published by the agency and appears here with its kind permission.",
    "Subscribe to our weekly letter and never miss a story from your own town again.",
    "The opinions expressed on this page are those of the author and not of the newspaper.",
)
# Documents with fewer words are not copied: nobody could say what is left of them.
_LEAST_WORDS = 60


@dataclass(frozen=True, slots=True)
class Forged:
    """A document, and which of its paragraphs are copies; `kind` is empty for a clean one."""

    id: str
    paragraphs: Paragraphs
    kind: str = ""
    copied: frozenset[int] = frozenset()


def forge(documents: Sequence[tuple[str, Paragraphs]], seed: int = 1) -> list[Forged]:
    """Return the documents with a copy of some kind after every third one that is long enough."""
    chance = random.Random(seed)
    made = [Forged(name, paragraphs) for name, paragraphs in documents]
    long = [each for each in made if _words(each.paragraphs) >= _LEAST_WORDS]
    forged = []
    for number, original in enumerate(long[::3]):
        kind = KINDS[number % len(KINDS)]
        forged.append(_copy(kind, number, original, long, chance))
    # Originals come first, as in a corpus: who is first owns.
    return [*made, *forged]


def _copy(
    kind: str, number: int, original: Forged, others: Sequence[Forged], chance: random.Random
) -> Forged:
    name = f"{kind}-{number}"
    if kind in _EDITS:
        paragraphs = [_edited(text, _EDITS[kind], chance) for text in original.paragraphs]
        return Forged(name, paragraphs, kind, frozenset(range(len(paragraphs))))
    paragraphs, copied = _MAKERS[kind](original, others, chance)
    return Forged(name, paragraphs, kind, frozenset(copied))


def _exact(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    return list(original.paragraphs), range(len(original.paragraphs))


def _variant(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """Other quotes, dashes, spacing, case and Unicode form: the same text in another style."""
    return [_restyled(text) for text in original.paragraphs], range(len(original.paragraphs))


def _half(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """New text followed by the second half of another document."""
    own = [_scrambled(text, chance) for text in chance.choice(others).paragraphs]
    shared = original.paragraphs[len(original.paragraphs) // 2 :]
    return [*own, *shared], range(len(own), len(own) + len(shared))


def _index(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """The first paragraphs of several documents."""
    sources = chance.sample(list(others), min(6, len(others)))
    firsts = [_first_long(each.paragraphs) for each in sources]
    return firsts, range(len(firsts))


def _boilerplate(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """New text with sentences that stand on every page of a site."""
    own = [_scrambled(text, chance) for text in original.paragraphs]
    return [*own, *_BOILERPLATE], range(len(own), len(own) + len(_BOILERPLATE))


_Made = tuple[Paragraphs, range]
_Maker = Callable[[Forged, Sequence[Forged], random.Random], _Made]
_MAKERS: dict[str, _Maker] = {
    "exact": _exact,
    "variant": _variant,
    "half": _half,
    "index": _index,
    "boilerplate": _boilerplate,
}


def _words(paragraphs: Paragraphs) -> int:
    return sum(len(text.split()) for text in paragraphs)


def _first_long(paragraphs: Paragraphs) -> str:
    return next((text for text in paragraphs if len(text.split()) >= 15), max(paragraphs, key=len))


def _restyled(text: str) -> str:
    changes = str.maketrans({"“": '"', "”": '"', "’": "'", "–": "-", " ": "\u00a0"})
    return text.translate(changes).upper()


def _scrambled(text: str, chance: random.Random) -> str:
    """Return the words of a text in another order: new text of the same vocabulary."""
    words = text.split()
    chance.shuffle(words)
    return " ".join(words)


def _edited(text: str, share: float, chance: random.Random) -> str:
    """Return a text with this share of its words replaced, left out or added."""
    words = text.split()
    out: list[str] = []
    for word in words:
        if chance.random() >= share:
            out.append(word)
            continue
        act = chance.choice(("replace", "replace", "drop", "add"))
        if act == "add":
            out.append(word)
        if act != "drop":
            out.append(chance.choice(words)[::-1])
    return " ".join(out)
