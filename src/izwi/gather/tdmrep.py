"""What a host reserves from text and data mining: its /.well-known/tdmrep.json (TDMRep, W3C)."""

import time
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlsplit

import aiohttp

from izwi.gather.fetch import Limits, NotModified, Redirected, Refused, fetch_beginning
from izwi.gather.scope import Glob
from izwi.model.capture import Lead
from izwi.model.json_text import read_json
from izwi.store.warc import decoded_body

PLACE = "/.well-known/tdmrep.json"
KEPT_SECONDS = 86400.0
LARGEST = 512 * 1024
# More rules than this are a mistake, and each costs a comparison a page.
_MOST_RULES = 1000


@dataclass(frozen=True, slots=True)
class Reservation:
    """What is said of some pages: whether they are reserved, and where the terms stand."""

    location: str
    is_reserved: bool
    policy: str = ""


@dataclass(frozen=True)
class Reservations:
    """A host's file as it was sent; empty if there is none."""

    text: str = ""
    asked: float = 0.0

    def is_fresh(self, now: float) -> bool:
        """Whether the file may still be used: for a day, as robots.txt."""
        return 0 <= now - self.asked < KEPT_SECONDS

    def of(self, url: str) -> Reservation | None:
        """Return what is said of a page: the longest location that fits; None if nothing is.

        >>> text = '[{"location": "/", "tdm-reservation": 1}, {"location": "/free/*.html",'
        >>> text += '"tdm-reservation": 0}]'
        >>> said = Reservations(text)
        >>> said.of("http://a.example/b").is_reserved
        True
        >>> said.of("http://a.example/free/b.html").is_reserved
        False
        """
        parts = urlsplit(url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        fitting = (rule for rule, glob in self._rules if glob.fullmatch(path))
        return max(fitting, key=lambda rule: (len(rule.location), rule.is_reserved), default=None)

    @cached_property
    def _rules(self) -> tuple[tuple[Reservation, Glob], ...]:
        return tuple((rule, _glob(rule.location)) for rule in read_rules(self.text))


def read_rules(text: str) -> list[Reservation]:
    """Return the rules of a file; what cannot be understood is passed over."""
    try:
        rows = read_json(text)
    except ValueError:
        return []
    rows = rows if isinstance(rows, list) else [rows]
    return [
        Reservation(str(row["location"]), str(row["tdm-reservation"]) == "1", _policy(row))
        for row in rows[:_MOST_RULES]
        if isinstance(row, dict) and "location" in row and "tdm-reservation" in row
    ]


async def ask_reservations(
    session: aiohttp.ClientSession, url: str, limits: Limits
) -> Reservations:
    """Return what a host's file says; one that cannot be had says nothing."""
    parts = urlsplit(url)
    lead = Lead(f"{parts.scheme}://{parts.netloc}{PLACE}", "tdmrep")
    try:
        capture = await fetch_beginning(session, lead, replace(limits, max_bytes=LARGEST))
        text = decoded_body(capture, LARGEST).decode("utf-8-sig", "replace")
    except (Refused, Redirected, NotModified, ValueError):
        text = ""
    return Reservations(text, time.time())


def _policy(row: dict[str, object]) -> str:
    return str(row.get("tdm-policy") or "")[:500]


def _glob(location: str) -> Glob:
    """Return a location as a pattern: * is any text, $ the end, else all that begins so."""
    return Glob(location[:-1] if location.endswith("$") else f"{location}*")
