"""What a user types, cut as the texts were cut."""

from collections.abc import Sequence
from functools import partial

from izwi.annotate.tokens import words_of
from izwi.index.reader import Segment
from izwi.query.simple import tokens_of

# English texts are cut at clitics and hyphens, all others are not.
_CONVENTIONS = ("und", "eng")

Tokens = tuple[str, ...]


def tokenisations(query: str) -> list[Tokens]:
    """Return the ways in which a query may have been cut, the plainest first.

    Apostrophes may have been set as a typewriter does or as a printer does.

    >>> tokenisations("blue-light")
    [('blue-light',), ('blue', '-', 'light')]
    """
    printed = query.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    typed = query.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    ways = (
        tokens_of(text, partial(words_of, language=each))
        for text in dict.fromkeys((query, printed, typed))
        for each in _CONVENTIONS
    )
    return list(dict.fromkeys(ways))


def occurring(ways: Sequence[Tokens], segments: Sequence[Segment]) -> list[Tokens]:
    """Return the ways whose tokens all occur in some segment; the plainest if none do."""
    if len(ways) == 1:
        return list(ways)
    found = [way for way in ways if any(_occur(way, segment) for segment in segments)]
    return found or [ways[0]]


def _occur(tokens: Tokens, segment: Segment) -> bool:
    """Whether a segment has all of some tokens, whatever their case; wildcards always fit."""
    lexicon = segment.word.lexicon
    return all("*" in token or len(lexicon.same_but_for_case(token)) > 0 for token in tokens)
