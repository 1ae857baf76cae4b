"""What a source is, what its keys must be like, and what one page of a list tells the next."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.notation import seconds

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


_LONGEST_REST = 10 * 365 * 86400.0


def check_rest(key: str, value: str, *, shortest: float = 0.0) -> None:
    """Raise ValueError unless a key holds a length of time that makes sense as a rest."""
    try:
        rest = seconds(value)
    except ValueError as error:
        raise ValueError(f"{key} = {error}") from None
    if rest > _LONGEST_REST:
        raise ValueError(f"{key} = '{value}' is longer than ten years")
    if rest < shortest:
        raise ValueError(f"{key} = '{value}' is shorter than {shortest:.0f} seconds")


def longest_rest(every: str) -> timedelta:
    """Return how long a list rests at most: as long as its user says, a week if nothing is said.

    >>> longest_rest("10s").total_seconds(), longest_rest("").days
    (10.0, 7)
    """
    return timedelta(seconds=seconds(every)) if every else timedelta(days=7)


def check_address(value: str, *, example: str) -> None:
    """Raise ValueError unless a key `url` holds a web address."""
    if canonical(value) is None:
        raise ValueError(f"url = '{value}' is not a web address; write for example {example}")


def check_selector(key: str, selector: str) -> None:
    """Raise ValueError unless a key holds a CSS selector, or nothing."""
    if not selector:
        return
    # Only corpora with such keys need the parser here.
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    try:
        LexborHTMLParser("<p>").css(selector)
    except (SelectolaxError, ValueError):
        raise ValueError(f"{key} = '{selector}' is no CSS selector") from None


T = TypeVar("T")


def trail_text(trail: Any) -> str:
    """Return a trail, a flat dataclass with defaults, as a lead carries it."""
    known = {each.name: getattr(trail, each.name) for each in fields(trail)}
    defaults = {each.name: each.default for each in fields(trail)}
    return json.dumps({key: value for key, value in known.items() if value != defaults[key]})


def trail_of(kind: type[T], lead: Lead) -> T:
    """Return the trail a lead carries."""
    return kind(**json.loads(lead.hints.trail or "{}"))
