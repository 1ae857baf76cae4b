"""Content words: nouns, verbs, adjectives and adverbs, told by the tags they mostly have."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.model.errors import QueryError

Numbers = NDArray[np.int64]
# Penn's tags and the universal ones; NUM, MD and AUX are none of them.
_CONTENT = re.compile(r"(?:N(?!UM)|V|J|RB|ADJ|ADV|PROPN|FW)")
# Verbs by their tags, but they help others more often than they say something themselves.
_HELPERS = frozenset(
    [
        "am",
        "are",
        "be",
        "been",
        "being",
        "did",
        "do",
        "does",
        "doing",
        "had",
        "has",
        "have",
        "having",
        "is",
        "was",
        "were",
        "'s",
        "'re",
        "'ve",
        "'m",
        "'d",
        "n't",
        "het",
        "word",
        "wees",
    ]
)
# Places looked at for each word: its tag is the commonest there.
_MOST_PLACES = 25


def are_content_words(
    segments: Sequence[Segment], attribute: str, values: Sequence[str]
) -> NDArray[np.bool_]:
    """Return which values of an attribute are mostly tagged as content words."""
    if not segments or "pos" not in segments[0].attributes:
        raise QueryError("This index has no tags, so that content words cannot be told; ask all.")
    return np.array([_is_content(segments, attribute, value) for value in values], np.bool_)


def _is_content(segments: Sequence[Segment], attribute: str, value: str) -> bool:
    if value.lower().replace("\u2019", "'") in _HELPERS:
        return False
    votes = 0
    for segment in segments:
        number = segment.attribute(attribute).number(value)
        if number is None:
            continue
        places = np.asarray(segment.attribute(attribute).positions(number))
        some = places[:: -(-len(places) // _MOST_PLACES)] if len(places) else places
        votes += sum(map(_vote, _tags(segment, some)))
    return votes > 0


def _vote(tag: str) -> int:
    return 1 if _CONTENT.match(tag) else -1


def _tags(segment: Segment, places: NDArray[np.integer]) -> list[str]:
    if not len(places):
        return []
    tags = segment.attribute("pos")
    return tags.values(np.asarray(tags.column[places]))
