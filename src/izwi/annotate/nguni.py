"""Names, numbers and loans in the Nguni languages: what their spelling says better than a model.

*uThabo* writes a name behind its prefix with a capital, *i-internet* a loan behind a hyphen, and
*45* and *R50* are numbers. Treebanks of statutes hold few of them, so taggers guess.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

LANGUAGES = frozenset(("zul", "xho", "nbl", "ssw"))
_NUMBER = re.compile(r"(?:R|US\$|\$|€|£)?\d[\d.,:/]*(?:%|km|kg|m|bn)?")
_HYPHENED = re.compile(r"([a-zA-Z]{1,9})-((?:R|\$)?\d[\d.,]*%?|[A-Za-z][\w&'-]*)")
_NAME = re.compile(r"([A-Z]?[a-z]{0,6}[aeiou]|[UIEO])([A-Z][a-z]{2,})")
# A digit, a hyphen, or a capital inside: without one of them a spelling shows nothing.
_MAY_SHOW = re.compile(r"\d|-|.[A-Z]")
# What a prefix makes of the name behind it, and the tags that may stand there already.
_TAG_BY_PREFIX = {
    "u": "N01a", "no": "ADV", "ngo": "ADV", "njengo": "ADV", "ku": "NLOC", "kwa": "NLOC",
    "e": "NLOC", "se": "NLOC", "ka": "POSSKA",
}  # fmt: skip
_NOUNS = ("N0", "N1", "NPP", "NLOC", "POSS", "ADV", "COP")
# Words with a hyphen that are no loans: particles behind a word.
_PARTICLES = frozenset(("ke", "nje", "ni", "phi", "ze"))


class Spelling(NamedTuple):
    """What the spelling of a word says: its tag ("" if nothing), its lemma."""

    tag: str
    lemma: str


def by_spelling(word: str, tag: str, lemma: str, *, is_frequent: bool) -> Spelling | None:
    """Return tag and lemma where the spelling shows them; words the model knows well stay.

    >>> by_spelling("uThabo", "V", "thaba", is_frequent=False)
    Spelling(tag='N01a', lemma='Thabo')
    """
    if _NUMBER.fullmatch(word):
        return Spelling("NUM", word)
    if is_frequent:
        return None
    joined = _HYPHENED.fullmatch(word)
    if joined and joined[2] not in _PARTICLES and joined[1][-1] in "aeiouUIEOA":
        return Spelling("", _learnt_case(joined[2], lemma))
    name = _NAME.fullmatch(word)
    if name is None:
        return None
    usual = _TAG_BY_PREFIX.get(name[1].lower(), "")
    if tag.startswith(_NOUNS):
        return Spelling("", lemma if lemma in name[2].lower() else name[2])
    return Spelling(usual, name[2])


def _learnt_case(part: str, lemma: str) -> str:
    return lemma if lemma.lower() == part.lower() else part


def corrections(
    words: Sequence[str],
    tags: Sequence[str],
    lemmas: Sequence[str],
    is_frequent: Callable[[str], bool],
) -> list[Spelling | None]:
    """Return what is to be changed of each word, None where nothing is."""
    return [
        by_spelling(word, tag, lemma, is_frequent=is_frequent(word))
        if _MAY_SHOW.search(word)
        else None
        for word, tag, lemma in zip(words, tags, lemmas, strict=True)
    ]
