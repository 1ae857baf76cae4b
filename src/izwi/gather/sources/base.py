"""What a source is."""

from collections.abc import Iterable
from datetime import timedelta
from typing import ClassVar, Protocol

from izwi.model.capture import Capture, Lead


class Source(Protocol):
    """A configured way of finding pages."""

    type: ClassVar[str]

    @property
    def name(self) -> str:
        """Its name in corpus.toml."""

    @property
    def method(self) -> str:
        """The extractor for its pages; empty for the corpus's own."""

    @property
    def address(self) -> str:
        """The URL people know it by."""

    @property
    def interval(self) -> timedelta | None:
        """How long a feed rests before it is asked again; None for what is asked once."""

    def first_leads(self) -> Iterable[Lead]:
        """Yield where to begin."""

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield what a fetched page leads to; raise SourceError if it cannot be read."""
