"""What a source is."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Protocol

from izwi.model.capture import Capture, Lead


@dataclass(frozen=True, slots=True)
class Onward:
    """Where a list goes on after one of its pages."""

    next: Lead | None = None
    # The page that is read again, until nothing is new, when the list goes nowhere new.
    again: Lead | None = None
    # Whether pages that were read before are worth reading again while there is news.
    is_growing: bool = False
    # Whether a page without news is the end.
    only_with_news: bool = False


class Source(Protocol):
    """A configured way of finding pages.

    A source of lists may also have `onward(capture, body)`, which says where a list goes on,
    `ended(lead)`, the same for a page that is missing, None if it should be there, and
    `is_over(capture, body)`, whether a list need never be read again.
    """

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
