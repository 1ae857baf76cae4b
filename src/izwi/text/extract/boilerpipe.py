"""boilerpipe's classifiers (Kohlschütter 2010; Pomikálek 2011, Algorithm 2.1) on our blocks."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from izwi.model.document import Paragraph
from izwi.text.blocks import segment

_SENTENCE = re.compile(r"[.!?…。！？।](?:\s|[\"'”’)]|$)")
# Where an article ends and what readers say of it begins.
_ENDINGS = re.compile(
    r"^(?:\d+\s+)?(?:users?(?:'s)?\s+)?comments?\b|^(?:add|leave|post|write)\s+(?:a\s+|your\s+)?(?:comment|reply)\b"
    r"|^what you think\b|^read the full (?:story|article)|^related (?:articles|stories)\b",
    re.IGNORECASE,
)
# Blocks of so few words are no articles by themselves.
_SHORTEST_ARTICLE = 15


@dataclass(frozen=True, slots=True)
class Counted:
    """What the classifiers see of a block."""

    text: str
    kind: str
    words: int
    link_density: float


@dataclass(frozen=True, slots=True)
class BoilerpipeOptions:
    """Settings of boilerpipe."""

    # default, article, sentences, largest or everything.
    variant: str = "article"

    def __post_init__(self) -> None:
        if self.variant not in VARIANTS:
            raise ValueError(f"variant = '{self.variant}' is not one of: {', '.join(VARIANTS)}")


class Boilerpipe:
    """Judges blocks by their words and links and those of their two neighbours."""

    Options: ClassVar[type] = BoilerpipeOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: BoilerpipeOptions) -> None:
        self._judge = VARIANTS[options.variant]
        self._reason = options.variant

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks, marked by the variant chosen."""
        blocks = [
            Counted(
                block.text,
                block.kind,
                len(block.text.split()),
                sum(link.end - link.start for link in block.links) / len(block.text),
            )
            for block in segment(html).blocks
        ]
        return tuple(
            Paragraph(block.text, block.kind, is_main, self._reason)
            for block, is_main in zip(blocks, self._judge(blocks), strict=True)
        )


_EDGE = Counted("", "", 0, 0.0)


def by_words_and_links(blocks: Sequence[Counted]) -> list[bool]:
    """Return Algorithm 2.1's answer for each block."""
    padded = [_EDGE, *blocks, _EDGE]
    return [_is_content(*padded[place : place + 3]) for place in range(len(blocks))]


def _is_content(before: Counted, block: Counted, after: Counted) -> bool:
    if block.link_density > 1 / 3:
        return False
    if before.link_density <= 5 / 9:
        return block.words > 16 or after.words > 15 or before.words > 4
    return block.words > 40 or after.words > 17


def as_article(blocks: Sequence[Counted]) -> list[bool]:
    """Return the default's answer, without what follows the article and without stray blocks."""
    marks = by_words_and_links(blocks)
    seen = 0
    for place, block in enumerate(blocks):
        if seen > 200 and block.words < 15 and _ENDINGS.search(block.text):
            marks[place:] = [False] * (len(marks) - place)
            break
        seen += block.words * marks[place]
    return _near_largest(blocks, marks, gap=8)


def as_sentences(blocks: Sequence[Counted]) -> list[bool]:
    """Return the article's blocks that hold a sentence."""
    return [
        is_main and bool(_SENTENCE.search(block.text))
        for block, is_main in zip(blocks, as_article(blocks), strict=True)
    ]


def largest(blocks: Sequence[Counted]) -> list[bool]:
    """Return the run of neighbouring content blocks with the most words."""
    return _near_largest(blocks, by_words_and_links(blocks), gap=1)


def everything(blocks: Sequence[Counted]) -> list[bool]:
    """Return that all is main text."""
    return [True] * len(blocks)


def _near_largest(blocks: Sequence[Counted], marks: Sequence[bool], *, gap: int) -> list[bool]:
    """Keep the runs of content that lie, gap by gap, near the one with the most words."""
    runs: list[list[int]] = []
    for place, is_main in enumerate(marks):
        if is_main and runs and place - runs[-1][-1] <= gap:
            runs[-1].append(place)
        elif is_main:
            runs.append([place])
    best = max(runs, key=lambda run: sum(blocks[place].words for place in run), default=[])
    if gap > 1 and sum(blocks[place].words for place in best) < _SHORTEST_ARTICLE:
        return list(marks)
    kept = set(best)
    return [place in kept for place in range(len(blocks))]


VARIANTS: Mapping[str, Callable[[Sequence[Counted]], list[bool]]] = {
    "default": by_words_and_links,
    "article": as_article,
    "sentences": as_sentences,
    "largest": largest,
    "everything": everything,
}
