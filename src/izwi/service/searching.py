"""What a user types, cut as the texts were cut."""

from collections.abc import Sequence

from izwi.annotate.tokens import words_of
from izwi.index.reader import Segment
from izwi.query.engine import find

# English texts are cut at clitics and hyphens, all others are not.
_CONVENTIONS = ("und", "eng")


def tokenisations(query: str) -> list[tuple[str, ...]]:
    """Return the ways in which a query may have been cut, the plainest first.

    >>> tokenisations("blue-light")
    [('blue-light',), ('blue', '-', 'light')]
    """
    return list(dict.fromkeys(tuple(words_of(query, language)) for language in _CONVENTIONS))


def as_indexed(query: str, segments: Sequence[Segment], *, is_exact_case: bool) -> list[str]:
    """Return the query's tokens in the way that occurs most often."""
    ways = tokenisations(query)
    if len(ways) == 1:
        return list(ways[0])

    def hits(tokens: tuple[str, ...]) -> int:
        found = find(segments, tokens, is_exact_case=is_exact_case)
        return sum(len(part.starts) for part in found)

    best = max(ways, key=hits)
    return list(best)
