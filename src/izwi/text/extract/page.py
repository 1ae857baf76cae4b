"""One page without a corpus: its main text, blocks, comments and metadata."""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime

from izwi import plugins
from izwi.model.capture import Hints
from izwi.model.document import Metadata, Paragraph
from izwi.text.decode import Decoded, decode, tidy
from izwi.text.extract.base import Extractor
from izwi.text.metadata import read_metadata


@dataclass(frozen=True, slots=True)
class Extraction:
    """What is in a page: every block with its class and reason, and what it says of itself."""

    paragraphs: tuple[Paragraph, ...]
    metadata: Metadata
    method: str
    charset: str = ""

    @property
    def text(self) -> str:
        """The main text, one block a line."""
        return "\n".join(block.text for block in self.paragraphs if block.is_main)

    @property
    def comments(self) -> tuple[str, ...]:
        """What readers wrote below the text."""
        return tuple(
            block.text
            for block in self.paragraphs
            if not block.is_main and block.reason.startswith("comment") and len(block.text) > 20
        )


def extract(
    page: str | bytes, url: str | None = None, method: str = "izwi", *, captured: date | None = None
) -> Extraction:
    """Return the main text of a page, its blocks, comments and metadata; never fails on any bytes.

    >>> extract("<title>Bakkie</title><p>Too short to tell.").metadata.title
    'Bakkie'
    """
    decoded = decode(page) if isinstance(page, bytes) else Decoded(tidy(page), "", "text")
    metadata = read_metadata(
        decoded.text, url or "", Hints(), captured=captured or datetime.now(UTC).date()
    )
    return Extraction(_blocks(_extractor(method), decoded.text), metadata, method, decoded.charset)


def _extractor(method: str) -> Extractor:
    kind = plugins.load("izwi.extractors", method)
    made: Extractor = kind(kind.Options())
    return made


def _blocks(extractor: Extractor, html: str) -> tuple[Paragraph, ...]:
    """Return the blocks; character references may have brought back what decoding took away."""
    if not html.strip():
        return ()
    return tuple(
        replace(block, text=text) for block in extractor(html) if (text := tidy(block.text).strip())
    )
