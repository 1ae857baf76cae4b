"""What a source is."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import ClassVar, Protocol, runtime_checkable

from izwi.model.capture import Capture, Lead

# A list that goes on for longer than this never ends: what it names as the next page is broken.
MOST_PAGES = 1000


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
    # What seems to be wrong with the list: it ends where it should not, say.
    problem: str = ""


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


@runtime_checkable
class ListSource(Protocol):
    """A source whose lists have many pages."""

    def onward(self, capture: Capture, body: bytes) -> Onward:
        """Return where a list goes on after one of its pages."""

    def ended(self, lead: Lead) -> Onward | None:
        """Return where to go on after a page that is not there; None if it should be."""


@runtime_checkable
class FinalSource(Protocol):
    """A source some of whose lists need never be read again."""

    def is_over(self, capture: Capture, body: bytes) -> bool:
        """Return whether a list is never read again."""


@runtime_checkable
class ThreadSource(Protocol):
    """A source that asks for the comments on other sources' pages."""

    def threads_of(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the thread of a page."""


@runtime_checkable
class ReplaySource(Protocol):
    """A source whose leads stand for pages that an archive replays."""

    @property
    def per_url(self) -> str:
        """Which captures of one URL are wanted: first, last or all."""

    def original(self, lead: Lead) -> str:
        """Return the address that a replay's lead stands for, empty if it is no replay."""

    def restored(self, capture: Capture) -> Capture | None:
        """Return a replayed page as it was captured; None if the archive answers with its own."""

    def redirected(self, lead: Lead, target: str) -> str:
        """Return where a replay's redirect leads."""

    def live_lead(self, lead: Lead) -> Lead | None:
        """Return the live page for a replay that the archive does not have."""
