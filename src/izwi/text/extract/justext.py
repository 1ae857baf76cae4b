"""jusText (Pomikálek 2011, 2.7): blocks judged by length, links, stop words, then neighbours.

The classes are those of the package of that name, block by block, where both segment a page alike.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal

from izwi.model.document import Paragraph
from izwi.model.errors import MissingExtra
from izwi.text.blocks import Block, segment

JustextClass = Literal["bad", "short", "neargood", "good"]


@dataclass(frozen=True, slots=True)
class JustextOptions:
    """Settings of jusText; the numbers are the defaults of Pomikálek 2011, section 2.7.2."""

    # A stop list of the jusText package (izwi[justext]), such as "English"; without one, length and
    # links decide.
    stoplist: str = ""
    # A stop list of your own, for instance the most frequent words of the language.
    stopwords: tuple[str, ...] = ()
    # Blocks shorter than this many characters are short.
    length_low: int = 70
    # Blocks longer than this are good if they hold enough stop words.
    length_high: int = 200
    # Share of stop words below which a block is bad, and above which it is good.
    stopwords_low: float = 0.30
    stopwords_high: float = 0.32
    # Share of characters inside links above which a block is bad.
    max_link_density: float = 0.2
    # How many characters away from main text a heading may stand.
    max_heading_distance: int = 200

    def __post_init__(self) -> None:
        if self.stoplist:
            _named_stoplist(self.stoplist)


class Justext:
    """Classifies blocks by length, links and stop words, then by their neighbours."""

    Options: ClassVar[type] = JustextOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: JustextOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks with jusText's class as the reason."""
        blocks = segment(html).blocks
        first = [self.class_alone(block) for block in blocks]
        classes = classes_in_context(blocks, first, self._options.max_heading_distance)
        return tuple(
            Paragraph(block.text, block.kind, found == "good", found)
            for block, found in zip(blocks, classes, strict=True)
        )

    def class_alone(self, block: Block) -> JustextClass:
        """Return the class of a block by itself (Algorithm 2.2)."""
        options, length = self._options, len(block.text)
        linked = sum(link.end - link.start for link in block.links)
        if linked / length > options.max_link_density or "©" in block.text:
            return "bad"
        if length < options.length_low:
            return "bad" if linked else "short"
        stopwords = self._stopwords
        if not stopwords:
            return "good" if length > options.length_high else "neargood"
        words = block.text.lower().split()
        density = sum(word in stopwords for word in words) / len(words)
        if density >= options.stopwords_high and length > options.length_high:
            return "good"
        return "neargood" if density >= options.stopwords_low else "bad"

    @cached_property
    def _stopwords(self) -> frozenset[str]:
        own = frozenset(word.lower() for word in self._options.stopwords)
        return own | (_named_stoplist(self._options.stoplist) if self._options.stoplist else own)


def classes_in_context(
    blocks: Sequence[Block], alone: Sequence[JustextClass], reach: int
) -> list[JustextClass]:
    """Return the classes after a look at the neighbours (Algorithm 2.3), headings last."""
    classes = _near_good_judged(_short_judged(list(alone)))
    for place in _headings(blocks, classes, "bad"):
        if alone[place] != "bad" and _is_before_good(blocks, classes, place, reach):
            classes[place] = "good"
    return classes


def _short_judged(classes: list[JustextClass]) -> list[JustextClass]:
    """Settle short blocks by the nearest good or bad block on each side."""
    decided_before, near_before = _nearest(classes)
    decided_after, near_after = (side[::-1] for side in _nearest(classes[::-1]))
    sides = zip(classes, decided_before, near_before, decided_after, near_after, strict=True)
    return [
        found if found != "short" else _short(before, near, after, beyond)
        for found, before, near, after, beyond in sides
    ]


def _short(before: str, near: str, after: str, beyond: str) -> JustextClass:
    if before == after:
        return "good" if before == "good" else "bad"
    delimiter = near if before == "bad" else beyond
    return "good" if delimiter == "neargood" else "bad"


def _near_good_judged(classes: list[JustextClass]) -> list[JustextClass]:
    """Settle near-good blocks: bad only between two bad ones; a settled one counts for the next."""
    after, _ = (side[::-1] for side in _nearest(classes[::-1]))
    settled: list[JustextClass] = []
    before: JustextClass = "bad"
    for found, following in zip(classes, after, strict=True):
        if found == "neargood":
            found = "bad" if (before, following) == ("bad", "bad") else "good"
        before = found
        settled.append(found)
    return settled


def _nearest(classes: Sequence[JustextClass]) -> tuple[list[JustextClass], list[JustextClass]]:
    """Return for each place the last good or bad class before it, and the last not short."""
    decided: list[JustextClass] = []
    not_short: list[JustextClass] = []
    last: JustextClass = "bad"
    last_not_short: JustextClass = "bad"
    for found in classes:
        decided.append(last)
        not_short.append(last_not_short)
        if found in ("good", "bad"):
            last = found
        if found != "short":
            last_not_short = found
    return decided, not_short


def _headings(
    blocks: Sequence[Block], classes: Sequence[JustextClass], wanted: JustextClass
) -> Iterator[int]:
    for place, (block, found) in enumerate(zip(blocks, classes, strict=True)):
        if block.kind == "h" and found == wanted:
            yield place


def _is_before_good(
    blocks: Sequence[Block], classes: Sequence[JustextClass], place: int, reach: int
) -> bool:
    distance = 0
    for following in range(place + 1, len(blocks)):
        if distance > reach:
            return False
        if classes[following] == "good":
            return True
        distance += len(blocks[following].text)
    return False


def _named_stoplist(name: str) -> frozenset[str]:
    try:
        import justext
    except ImportError:
        raise MissingExtra(
            f"stoplist = '{name}' is a list of the jusText package. Try: pip install "
            "izwi[justext]; or give words of your own (stopwords)."
        ) from None
    known = justext.get_stoplists()
    if name not in known:
        raise ValueError(f"stoplist = '{name}' is not one of: {', '.join(sorted(known))}")
    return frozenset(justext.get_stoplist(name))
