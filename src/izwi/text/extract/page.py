"""One page without a corpus: its main text, blocks, comments and metadata."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import cached_property, lru_cache

from izwi import plugins
from izwi.model.capture import Hints
from izwi.model.document import Metadata, Paragraph
from izwi.model.records import dataclass
from izwi.text.decode import as_page, decode
from izwi.text.extract.judging import (
    Blocks,
    Extractor,
    JudgedPage,
    claims_of,
    judge,
    notes_of,
    type_chances_of,
    with_note,
)
from izwi.text.linewise import cleaned

# Shorter pieces among comments are dates, names and buttons.
_SHORTEST_COMMENT = 20


@dataclass(frozen=True)
class Extraction:
    """What is in a page: every block with its class and reason, and what it says of itself."""

    judged: JudgedPage
    method: str
    html: str = ""
    url: str = ""
    captured: date | None = None
    charset: str = ""
    # What says that it is this charset.
    charset_evidence: str = ""

    @property
    def page_type(self) -> str:
        """What sort of page it is: article, forum, listing, ..."""
        return self.judged.page_type

    @property
    def type_chances(self) -> Mapping[str, float]:
        """How likely the page is of each type; empty if the extractor cannot tell."""
        return type_chances_of(self.judged)

    @property
    def notes(self) -> tuple[str, ...]:
        """Where text was read beside plain markup, and whether the page was cut, in words."""
        return notes_of(self.judged)

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """Every block; made when first asked for, as most callers want the text alone."""
        return cleaned(self.judged.paragraphs)

    @cached_property
    def text(self) -> str:
        """The main text, one block a line."""
        return "\n".join([block.text for block in cleaned(self.judged.main) if block.is_main])

    @property
    def comments(self) -> tuple[str, ...]:
        """What readers wrote below the text, apart from it."""
        return tuple(
            block.text
            for block in self.paragraphs
            if not block.is_main
            and block.reason.startswith("comment")
            and len(block.text) > _SHORTEST_COMMENT
        )

    @cached_property
    def metadata(self) -> Metadata:
        """Title, author, dates and the rest; read when first asked for, as what reads it is."""
        from izwi.text.metadata.chosen import read_metadata

        found = read_metadata(
            self.html,
            self.url,
            Hints(),
            captured=self.captured or datetime.now(UTC).date(),
            page_type=self.page_type,
        )
        return replace(found, claims=(*found.claims, *claims_of(self.judged)))


def extract(
    page: str | bytes, url: str | None = None, method: str = "izwi", *, captured: date | None = None
) -> Extraction:
    """Return the main text of a page, its blocks, comments and metadata; never fails on any bytes.

    >>> extract("<title>Bakkie</title><p>Too short to tell.").metadata.title
    'Bakkie'
    """
    decoded = decode(page, url=url or "") if isinstance(page, bytes) else as_page(page)
    found: JudgedPage = Blocks()
    if decoded.text.strip():
        found = judge(_extractor(method), decoded.text, decoded.lean)
    if decoded.cut:
        found = with_note(found, decoded.cut)
    return Extraction(
        found, method, decoded.text, url or "", captured, decoded.charset, decoded.evidence
    )


@lru_cache(maxsize=16)
def _extractor(method: str) -> Extractor:
    kind = plugins.load("izwi.extractors", method)
    made: Extractor = kind(kind.Options())
    return made
