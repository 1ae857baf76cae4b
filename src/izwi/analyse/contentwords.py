"""Content words: nouns, verbs, adjectives and adverbs, told by the tags they mostly have."""

import re
from collections.abc import Sequence, Set

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.attributes import tags_named
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.languages import iso639_3
from izwi.query.deadline import Deadline

Numbers = NDArray[np.int64]
# Penn's tags and the universal ones; NUM, MD and AUX are none of them.
_CONTENT = re.compile(r"(?:N(?!UM)|V|J|RB|ADJ|ADV|PROPN|FW)")
# Verbs by their tags, but they help others more often than they say something themselves; by
# language, since "word" helps in Afrikaans and is a noun in English.
_HELPERS = {
    "afr": frozenset({"had", "het", "is", "was", "wees", "word"}),
    "eng": frozenset({
        "am", "are", "be", "been", "being", "did", "do", "does", "doing", "had", "has", "have",
        "having", "is", "was", "were", "'s", "'re", "'ve", "'m", "'d", "n't",
    }),
}  # fmt: skip
# Places looked at for each word: its tag is the commonest there.
_MOST_PLACES = 25


def are_content_words(
    segments: Sequence[Segment], attribute: str, values: Sequence[str], deadline: Deadline
) -> NDArray[np.bool_]:
    """Return which values of an attribute are mostly tagged as content words."""
    if not segments or not tags_named(segments[0]):
        raise QueryError("This index has no tags, so that content words cannot be told; ask all.")
    found = np.zeros(len(values), np.bool_)
    for place, value in enumerate(values):
        deadline.check()
        found[place] = _is_content(segments, attribute, value)
    return found


def _is_content(segments: Sequence[Segment], attribute: str, value: str) -> bool:
    plain = value.lower().replace("\u2019", "'")
    helping = {language for language, words in _HELPERS.items() if plain in words}
    votes = 0
    for segment in segments:
        number = segment.attribute(attribute).number(value)
        if number is None:
            continue
        places = np.asarray(segment.attribute(attribute).positions(number))
        some = places[:: -(-len(places) // _MOST_PLACES)] if len(places) else places
        own = [_vote(tag) for tag in _tags(segment, some)]
        helps = _is_of(segment, some, helping) if helping else [False] * len(own)
        votes += sum(-1 if is_helper else vote for vote, is_helper in zip(own, helps, strict=True))
    return votes > 0


def _is_of(segment: Segment, places: NDArray[np.integer], languages: Set[str]) -> list[bool]:
    """Return whether each place is in text of some languages, or of one nobody told."""
    codes = segment.cards.column("language")
    told = (codes[document].as_py() for document in segment.documents_at(places).tolist())
    return [not code or iso639_3(code) in languages for code in told]


def _vote(tag: str) -> int:
    return 1 if _CONTENT.match(tag) else -1


def _tags(segment: Segment, places: NDArray[np.integer]) -> list[str]:
    if not len(places):
        return []
    tags = segment.attribute(tags_named(segment))
    return tags.values(np.asarray(tags.column[places]))
