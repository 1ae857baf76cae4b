"""From which documents a copy has its text: all of them, with when and where they appeared."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Protocol

import numpy as np

from izwi.dedup.claims import NOBODY, Owners
from izwi.dedup.judgement import Judged, Method
from izwi.dedup.ownership import ranked_date
from izwi.model.document import Original


class Register(Protocol):
    """What is known of a corpus's documents beside their texts; they are numbered by rank."""

    def name(self, document: int) -> str:
        """Return the id of a document."""

    def publication(self, document: int) -> str:
        """Return where a document was published."""

    def rank(self, document: int) -> bytes:
        """Return the rank of a document."""


def sharers(judged: Judged, ngrams: Owners, block: int, number: int) -> dict[int, int]:
    """Return which other documents own n-grams of a copied block, and how many, the most first.

    The document the block was found to copy is always among them; `number` is the block's own.
    """
    if judged.methods[block] == Method.REPEATED:
        return {}
    ends = judged.batch.block_ends
    start = int(ends[block - 1]) if block else 0
    found, counts = np.unique(ngrams[start : int(ends[block])], return_counts=True)
    shared = dict(zip(found.tolist(), counts.tolist(), strict=True))
    shared.setdefault(int(judged.owners[block]), 1)
    for nobody_else in (NOBODY, number):
        shared.pop(nobody_else, None)
    return dict(sorted(shared.items(), key=lambda each: (-each[1], each[0])))


def shares(blocks: Iterable[tuple[int, Mapping[int, int]]], words: int) -> list[tuple[int, float]]:
    """Return the share of a document's words that is from each other document, the most first.

    A block is given with its size and its sharers, between whom it is divided by n-grams.
    """
    found: dict[int, float] = defaultdict(float)
    for size, shared in blocks:
        total = sum(shared.values())
        for number, count in shared.items():
            found[number] += size * count / total
    best_first = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    return [(number, round(size / max(words, 1), 4)) for number, size in best_first]


def original(register: Register, number: int, share: float) -> Original:
    """Return a document, given by number, as one that another has text from."""
    when = ranked_date(register.rank(number))
    return Original(register.name(number), register.publication(number), when, share)
