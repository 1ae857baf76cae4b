"""What a user types, cut as the texts were cut."""

from collections.abc import Sequence
from functools import partial

from izwi.annotate.characters import kind_of
from izwi.annotate.tokens import words_of
from izwi.index.reader import Segment
from izwi.kernels.kinds import SPACELESS
from izwi.query.simple import tokens_of

# English texts are cut at clitics and hyphens, French and Italian ones after l', all others not.
_CONVENTIONS = ("und", "eng", "fra", "ita")
# No word of a script without spaces has more signs.
_LONGEST_WORD = 12

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
    found = list(dict.fromkeys(ways))
    return [*found, tuple(query.split())] if is_spaceless(query) else found


def is_spaceless(text: str) -> bool:
    """Whether a text has signs of a script that is written without spaces."""
    return not text.isascii() and any(kind_of(ord(sign)) == SPACELESS for sign in text)


def occurring(ways: Sequence[Tokens], segments: Sequence[Segment]) -> list[Tokens]:
    """Return the ways whose tokens all occur in some segment; the plainest if none do."""
    if len(ways) == 1:
        return list(ways)
    if is_spaceless("".join(ways[-1])):
        # Whoever cut the texts, their words are in the index: the longest first.
        cut = tuple(word for part in ways[-1] for word in _words_in(part, segments))
        ways = list(dict.fromkeys((*ways, cut)))
    found = [way for way in ways if any(_occur(way, segment) for segment in segments)]
    return found or [ways[0]]


def _words_in(run: str, segments: Sequence[Segment]) -> list[str]:
    """Return a run cut into the longest words that occur, from its beginning."""
    words, place = [], 0
    while place < len(run):
        sizes = range(min(_LONGEST_WORD, len(run) - place), 1, -1)
        size = next((n for n in sizes if _occurs(run[place : place + n], segments)), 1)
        words.append(run[place : place + size])
        place += size
    return words


def _occurs(word: str, segments: Sequence[Segment]) -> bool:
    return any(_occur((word,), segment) for segment in segments)


def _occur(tokens: Tokens, segment: Segment) -> bool:
    """Whether a segment has all of some tokens, whatever their case; wildcards always fit."""
    lexicon = segment.word.lexicon
    return all("*" in token or len(lexicon.same_but_for_case(token)) > 0 for token in tokens)
