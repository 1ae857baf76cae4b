"""Roots that a treebank marks, as a table by which they are found inside words.

In the Nguni languages a word is its class or concord, its root and its endings; a tagger that knows
the root of a new word sees all three.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.conllu import GoldSentence
from izwi.annotate.conventions import text_hash
from izwi.model.records import dataclass

# Morphemes that carry the meaning of a word in the SADiLaR annotation.
LABELS = ("NStem", "VRoot", "AdjStem", "AdvStem", "RelStem", "QuantStem", "NumStem", "Foreign")
# So short a root is found in any word; so few words of the own treebank may have it by chance, and
# would all be found while learning. A kind is one that so large a share of the words has.
_SHORTEST, _FEWEST, _LEAST_SHARE = 3, 2, 0.2


@dataclass(frozen=True, slots=True)
class RootList:
    """Hashes of roots in a table of a power of two slots (-1: free), and the kind of each."""

    slots: NDArray[np.int64]
    kinds: NDArray[np.int64]

    def __len__(self) -> int:
        return int((self.slots >= 0).sum())

    def sorted(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return hashes in order, and their kinds."""
        used = np.flatnonzero(self.slots >= 0)
        order = used[np.argsort(self.slots[used])]
        return self.slots[order], self.kinds[order]


def root_list(hashes: Iterable[int], kinds: Iterable[int]) -> RootList:
    """Return the table of some roots; each stands in the first slot free from its own on."""
    kind_by_hash = dict(zip(hashes, kinds, strict=True))
    size = 1 << (2 * len(kind_by_hash)).bit_length()
    slots, kind_by_slot = np.full(size, -1, np.int64), np.zeros(size, np.int64)
    for value, kind in kind_by_hash.items():
        slot = value & (size - 1)
        while slots[slot] >= 0:
            slot = (slot + 1) & (size - 1)
        slots[slot], kind_by_slot[slot] = value, kind
    return RootList(slots, kind_by_slot)


NO_ROOTS = root_list((), ())


def roots_of(own: Iterable[GoldSentence], sisters: Iterable[GoldSentence]) -> RootList:
    """Return the roots of a treebank and of those of near languages, with the kinds they are of."""
    words, others = _words_by_root(own), _words_by_root(sisters)
    kinds_by_root = {}
    for root in sorted(words.keys() | others.keys()):
        if root in others or len(set().union(*words[root].values())) >= _FEWEST:
            kinds_by_root[root] = _kinds(words.get(root, {}), others.get(root, {}))
    number = {kinds: place for place, kinds in enumerate(sorted(set(kinds_by_root.values())), 1)}
    return root_list(
        map(text_hash, kinds_by_root), [number[kinds] for kinds in kinds_by_root.values()]
    )


Words = dict[str, set[str]]


def _words_by_root(sentences: Iterable[GoldSentence]) -> dict[str, Words]:
    """Return the words that have each root, by the label it has there."""
    found: defaultdict[str, Words] = defaultdict(lambda: defaultdict(set))
    for sentence in sentences:
        for word in sentence.words:
            for root, label in labelled_roots(word.morphemes):
                if len(root) >= _SHORTEST:
                    found[root.lower()][label].add(word.form.lower())
    return found


def _kinds(*found: Words) -> tuple[str, ...]:
    counts = Counter[str]()
    for words in found:
        counts.update({label: len(some) for label, some in words.items()})
    return tuple(sorted(k for k, n in counts.items() if n >= _LEAST_SHARE * counts.total()))


def labelled_roots(morphemes: str) -> Iterator[tuple[str, str]]:
    """Yield the roots in an annotation with their labels.

    >>> list(labelled_roots("i[NPrePre8]-zi[BPre8]-dingo[NStem]"))
    [('dingo', 'NStem')]
    """
    for part in morphemes.split("-"):
        text, _, label = part.partition("[")
        own = next((each for each in LABELS if label.startswith(each)), "")
        if text and own:
            yield text, own
