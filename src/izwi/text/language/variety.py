"""How much a text looks like one variety of its language: a score with its parts, not a verdict.

Made for South African English, but the lists are the user's: words of the region, spellings of the
region and of others, ends of host names. The score says how much speaks for the variety; a text
without any such word is neither for nor against, and scores 0.
"""

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from urllib.parse import urlsplit

from izwi.model.document import VarietyScore

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
# Regional words per thousand at which the lexicon says all it can.
_MANY = 5.0
_SHARES = {"lexicon": 0.5, "spelling": 0.2, "host": 0.3}


@dataclass(frozen=True, slots=True)
class VarietyLists:
    """What the user says is typical of a variety."""

    words: Collection[str] = ()
    spellings: Collection[str] = ()
    other_spellings: Collection[str] = ()
    # Ends of host names, e.g. ".za".
    hosts: tuple[str, ...] = ()


def variety_score(text: str, lists: VarietyLists, *, url: str = "") -> VarietyScore:
    """Return how much of a text and its address is typical of the variety."""
    counts = Counter(word.lower() for word in _WORD.findall(text))
    regional = {word.lower() for word in lists.words}
    found = Counter({word: count for word, count in counts.items() if word in regional})
    lexicon = min(1.0, 1000 * found.total() / max(1, counts.total()) / _MANY)
    spelling = _spelling(counts, lists)
    host = float((urlsplit(url).hostname or "").endswith(lists.hosts)) if lists.hosts else 0.0
    parts = {"lexicon": lexicon, "spelling": spelling, "host": host}
    score = sum(_SHARES[name] * value for name, value in parts.items())
    return VarietyScore(score, lexicon, spelling, host, tuple(found.most_common()))


def _spelling(counts: Counter[str], lists: VarietyLists) -> float:
    """Return the share of regional among the spellings that differ between varieties."""
    own = sum(counts[word.lower()] for word in lists.spellings)
    others = sum(counts[word.lower()] for word in lists.other_spellings)
    return own / (own + others) if own + others else 0.0
