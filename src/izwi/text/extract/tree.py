"""The scored tree (Dwyer 2014, 3.1.4): paragraphs give points to the elements round them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from izwi.model.document import Paragraph
from izwi.text.blocks import Block, Segmented, segment

# Points pass to the element, its parent and so on, each time by this factor.
_DECAY = (1.0, 1.0, 0.5, 0.25)


@dataclass(frozen=True, slots=True)
class TreeOptions:
    """Settings of the scored tree."""

    # Blocks with fewer words give no points.
    least_words: int = 6
    # Share of characters inside links above which a block is not main text.
    max_link_density: float = 0.5


class Tree:
    """Finds the element with the most points and keeps the text inside it."""

    Options: ClassVar[type] = TreeOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: TreeOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks; main text is what lies in the best element and is not mostly links."""
        page = segment(html)
        points = self._points(page)
        best = max(range(len(points)), key=points.__getitem__, default=-1)
        inside = _inside(page, best) if best >= 0 and points[best] > 0 else set()
        return tuple(self._judged(block, block.node in inside) for block in page.blocks)

    def _judged(self, block: Block, is_inside: bool) -> Paragraph:
        if not is_inside:
            return Paragraph(block.text, block.kind, False, "outside the best element")
        if link_share(block) > self._options.max_link_density:
            return Paragraph(block.text, block.kind, False, "links")
        return Paragraph(block.text, block.kind, True, "in the best element")

    def _points(self, page: Segmented) -> list[float]:
        points = [0.0] * len(page.nodes)
        for block in page.blocks:
            words = len(block.text.split())
            if words < self._options.least_words and len(block.text) < 25:
                continue
            worth = (1 + block.text.count(",") + len(block.text) / 100) * (1 - link_share(block))
            node = block.node
            for factor in _DECAY:
                if node < 0:
                    break
                points[node] += factor * worth
                node = page.nodes[node].parent
        return points


def link_share(block: Block) -> float:
    """Return the share of a block's characters that lie in links."""
    return sum(link.end - link.start for link in block.links) / len(block.text)


def _inside(page: Segmented, best: int) -> set[int]:
    """Return the numbers of an element and of all elements below it."""
    inside = {best}
    for number in range(best + 1, len(page.nodes)):
        if page.nodes[number].parent in inside:
            inside.add(number)
    return inside
