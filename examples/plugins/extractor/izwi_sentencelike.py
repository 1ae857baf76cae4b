"""An extractor that keeps the blocks of a page that are long and end like a sentence."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from izwi.model.document import Paragraph
from izwi.text.blocks import segment


@dataclass(frozen=True, slots=True)
class Options:
    """The keys below [extract.options] in corpus.toml; another value makes the text anew."""

    least_words: int = 8


class Sentencelike:
    """Made once a shard, called once a page."""

    Options: ClassVar[type] = Options
    # Distributions whose version changes what comes out: a new one makes the text anew.
    depends_on: ClassVar[tuple[str, ...]] = ("izwi-sentencelike",)

    def __init__(self, options: Options) -> None:
        self._least = options.least_words

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return all blocks of a page, those of the main text marked, each with a reason."""
        return tuple(self._judged(block.text, block.kind) for block in segment(html).blocks)

    def _judged(self, text: str, kind: str) -> Paragraph:
        if len(text.split()) < self._least:
            return Paragraph(text, kind, False, "short")
        if not text.endswith((".", "!", "?", "”", "…")):
            return Paragraph(text, kind, False, "ends in the middle")
        return Paragraph(text, kind, True, "a sentence")
