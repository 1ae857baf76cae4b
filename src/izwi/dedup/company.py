"""Which short copies of a document stand in the company they have where they were found.

A line of a few words may be left out of the document that owns it, as a rest between copies or
with the whole of it. It surely can be read there (or where that has it from) only if enough of the
owner's text stands in the copy, too, and the line beside it in both: as one n-gram says that runs
over the end between them, or the short n-grams of the owner.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence

import numpy as np

from izwi.dedup.batch import Batch, Sketch
from izwi.dedup.ownership import NOBODY, Owners
from izwi.model.records import dataclass


@dataclass(frozen=True, slots=True)
class Company:
    """The copied blocks of one document, and whose they are."""

    batch: Batch
    ngram_owners: Owners
    # By the number of the block; blocks that are no copies are not among them. Of a word or two
    # between others' n-grams it may be unknown whose they are.
    owner_by_block: dict[int, int]
    # Tokens in an n-gram and in a short one.
    ngram: int
    gram: int
    sketch: Callable[[int], Sketch]

    def kept(self, stub: int, rest: int) -> set[int]:
        """Return the blocks that stay copies.

        Blocks of more than `stub` tokens do, of an owner of more than `rest` tokens in these, and
        what stands beside them there.
        """
        named = {b: o for b, o in self.owner_by_block.items() if o != NOBODY}
        larger = {b: o for b, o in named.items() if self._size(b) > stub}
        sizes = self._sizes_by_owner(larger)
        firm = {block: owner for block, owner in larger.items() if sizes[owner] > rest}
        in_order = sorted(self.owner_by_block)
        found = set(firm) | self._beside(firm, in_order) | self._beside(firm, in_order[::-1])
        return found | {b for b in named if b not in found and self._is_beside_there(b, firm)}

    def _size(self, block: int) -> int:
        return int(self.batch.block_sizes[block])

    def _sizes_by_owner(self, blocks: dict[int, int]) -> dict[int, int]:
        """Return how many tokens are whose; what is said twice counts once."""
        texts = {(owner, int(self.batch.block_keys[b])): b for b, owner in blocks.items()}
        sizes = defaultdict[int, int](int)
        for (owner, _), block in texts.items():
            sizes[owner] += self._size(block)
        return sizes

    def _beside(self, firm: dict[int, int], blocks: Sequence[int]) -> set[int]:
        """Return the blocks that stand, in one direction, beside firm ones of an owner there."""
        found = set[int]()
        before, owner = -2, -1
        for block in blocks:
            if block in firm:
                owner = firm[block]
            elif owner != -1 and self._is_beside(owner, block, before):
                found.add(block)
            else:
                owner = -1
            before = block
        return found

    def _is_beside(self, owner: int, block: int, before: int) -> bool:
        return abs(block - before) == 1 and self._owns_both(owner, max(block, before))

    def _owns_both(self, owner: int, block: int) -> bool:
        """Whether someone owns an n-gram that runs from the block before into a block."""
        start = int(self.batch.block_ends[block - 1])
        crossing = self.ngram_owners[start : start + self.ngram - 1]
        return bool(np.any(crossing == owner))

    def _is_beside_there(self, block: int, firm: dict[int, int]) -> bool:
        """Whether a block's owner has it beside the next firm one here: below a day, say."""
        owner = self.owner_by_block[block]
        own = [each for each, whose in firm.items() if whose == owner]
        before = max((each for each in own if each < block), default=None)
        after = min((each for each in own if each > block), default=None)
        pairs = [(before, block), (block, after)]
        return any(
            first is not None and second is not None and self._has_beside(owner, first, second)
            for first, second in pairs
        )

    def _has_beside(self, owner: int, first: int, second: int) -> bool:
        """Whether a document has the end of one block right before the beginning of another."""
        if min(self._size(first), self._size(second)) < self.gram:
            return False
        last = int(self.batch.block_ends[first]) - 1
        begin = int(self.batch.block_ends[second - 1]) + self.gram - 1
        there = self.sketch(owner)
        places = np.flatnonzero(there[: -self.gram] == self.batch.grams[last])
        return bool(np.any(there[places + self.gram] == self.batch.grams[begin]))
