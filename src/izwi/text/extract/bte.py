"""BTE (Finn 2001; Pomikálek 2011, 2.6.1): the run with the most words and fewest tags."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from izwi.model.document import Paragraph
from izwi.text.blocks import Segmented, segment


@dataclass(frozen=True, slots=True)
class BteOptions:
    """Settings of BTE."""

    # How many words outweigh one tag.
    tag_weight: float = 1.0


class Bte:
    """Keeps one run of blocks: the one where words most outnumber tags."""

    Options: ClassVar[type] = BteOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: BteOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks, those of the best run marked as main text."""
        page = segment(html)
        worth = [
            len(block.text.split()) - self._options.tag_weight * tags
            for block, tags in zip(page.blocks, tags_before(page), strict=True)
        ]
        start, end = best_run(worth)
        return tuple(
            Paragraph(
                block.text,
                block.kind,
                start <= place < end,
                "in the run" if start <= place < end else "outside the run",
            )
            for place, block in enumerate(page.blocks)
        )


def tags_before(page: Segmented) -> list[int]:
    """Return for each block how many tags stand in it and between it and the block before."""
    tags, last = [], -1
    for block in page.blocks:
        opened = max(block.node - last, 0)
        last = max(last, block.node)
        tags.append(2 * (opened + block.inlines) + block.breaks)
    return tags


def best_run(worth: Sequence[float]) -> tuple[int, int]:
    """Return the start and end of the run with the greatest sum; an empty one if none is positive.

    >>> best_run([-1, 3, -1, 2, -5, 1])
    (1, 4)
    """
    best, found, total, start = 0.0, (0, 0), 0.0, 0
    for place, value in enumerate(worth):
        if total <= 0:
            total, start = 0.0, place
        total += value
        if total > best:
            best, found = total, (start, place + 1)
    return found
