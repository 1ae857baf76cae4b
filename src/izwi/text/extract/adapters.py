"""Extractors of other people behind our protocol, to compare with or to prefer for a source."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from izwi.model.document import Paragraph
from izwi.model.errors import MissingExtra
from izwi.text.blocks import segment


@dataclass(frozen=True, slots=True)
class TrafilaturaOptions:
    """Settings of trafilatura."""

    # Prefer precise or complete text: "", "precision" or "recall".
    favour: str = ""

    def __post_init__(self) -> None:
        if self.favour not in ("", "precision", "recall"):
            raise ValueError(f"favour = '{self.favour}' is not one of: precision, recall")


class Trafilatura:
    """trafilatura (Barbaresi 2021); needs `pip install izwi[trafilatura]`. Gives main text only."""

    Options: ClassVar[type] = TrafilaturaOptions
    depends_on: ClassVar[tuple[str, ...]] = ("trafilatura",)

    def __init__(self, options: TrafilaturaOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the lines trafilatura keeps."""
        try:
            from trafilatura import extract
        except ImportError:
            raise MissingExtra(
                "The extractor 'trafilatura' is not installed. Try: pip install izwi[trafilatura]"
            ) from None
        favour = self._options.favour
        text = extract(
            html,
            include_comments=False,
            favor_precision=favour == "precision",
            favor_recall=favour == "recall",
        )
        return _lines(text or "", "trafilatura")


@dataclass(frozen=True, slots=True)
class ResiliparseOptions:
    """Settings of resiliparse."""

    # Whether alternative texts of pictures count.
    alternative_texts: bool = False


class Resiliparse:
    """Resiliparse (Bevendorff et al. 2018); `pip install izwi[resiliparse]`. Main text only."""

    Options: ClassVar[type] = ResiliparseOptions
    depends_on: ClassVar[tuple[str, ...]] = ("resiliparse",)

    def __init__(self, options: ResiliparseOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the lines resiliparse keeps."""
        try:
            from resiliparse.extract.html2text import extract_plain_text
        except ImportError:
            raise MissingExtra(
                "The extractor 'resiliparse' is not installed. Try: pip install izwi[resiliparse]"
            ) from None
        text = extract_plain_text(
            html, main_content=True, alt_texts=self._options.alternative_texts, links=False
        )
        return _lines(text, "resiliparse")


@dataclass(frozen=True, slots=True)
class ReadabilityOptions:
    """Settings of readability-lxml."""

    # Fewer characters of text are looked for again, less strictly.
    retry_length: int = 250


class Readability:
    """readability-lxml, Arc90's rules; needs `pip install readability-lxml`. Main text only."""

    Options: ClassVar[type] = ReadabilityOptions
    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, options: ReadabilityOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks of what readability keeps."""
        try:
            from readability import Document
        except ImportError:
            raise MissingExtra(
                "The extractor 'readability' is not installed. Try: pip install readability-lxml"
            ) from None
        try:
            kept = Document(html, retry_length=self._options.retry_length).summary()
        except MemoryError:
            raise
        except Exception:  # it raises its own Unparseable, and lxml's errors, on odd pages
            return ()
        return _lines("\n".join(segment(kept).texts), "readability")


def _lines(text: str, reason: str) -> tuple[Paragraph, ...]:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return tuple(Paragraph(line, "p", True, reason) for line in lines if line)
