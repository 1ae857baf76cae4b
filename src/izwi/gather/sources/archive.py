"""Web archives: all captures of a host from a CDX list, or a walk along a home page's snapshots."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, ClassVar, Literal
from urllib.parse import urlencode

import xxhash

from izwi.config.schema import STRICT, check_name
from izwi.gather.links import read_page
from izwi.gather.sources.base import MOST_PAGES, Onward, trail_of, trail_text
from izwi.gather.urls import canonical, same_host
from izwi.gather.web_archives import CdxPage, CdxRow, chosen, moment_of, read_cdx, read_timemap
from izwi.model.capture import Capture, Headers, Hints, Lead
from izwi.model.errors import SourceError

# archive.org's interface does not lie below its replay, as pywb's does.
_KNOWN_CDX = {"https://web.archive.org/web/": "https://web.archive.org/cdx/search/cdx"}
_ORIGINAL = "x-archive-orig-"
# Of an answer these speak of the bytes that came; all others are the archive's own.
_OF_THE_BYTES = ("content-type", "content-encoding")


@dataclass(frozen=True, slots=True)
class ArchiveTrail:
    """Which list a lead is, and what it must know of the one before."""

    # cdx, timemap or snapshot.
    list: str = ""
    page: int = 0
    seen: str = ""
    # Whether the server was seen to heed a limit but to give no key to go on with.
    whole: bool = False
    # The best row so far of the URL at which the page before ended: address, stamp.
    url: str = ""
    stamp: str = ""


@dataclass(frozen=True, slots=True)
class ArchiveSource:
    """Pages as a web archive kept them; what it does not have is asked of the live web."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "archive"
    # Its name, used in every ledger line.
    name: str
    # What is wanted: a host with all below it ("example.org/*"), or for walk its home page.
    url: str
    # cdx: every URL the archive's list names; walk: the links of the home page's snapshots.
    way: Literal["cdx", "walk"] = "cdx"
    # Where the archive replays: the address to which a time and a URL are added.
    replay: str = "https://web.archive.org/web/"
    # Address of its CDX list; empty for the one that belongs to the replay.
    cdx: str = ""
    # Address to which a URL is added for its TimeMap; empty for the one below the replay.
    timemap: str = ""
    # Only captures from this date on.
    since: date | None = None
    # Only captures up to this date.
    until: date | None = None
    # Which captures of one URL: first, last or all.
    per_url: Literal["first", "last", "all"] = "first"
    # How a long list goes on: key (archive.org's resume key), or pages (page=0, 1 ...).
    paging: Literal["key", "pages"] = "key"
    # Rows asked for at once.
    rows: int = 10_000
    # Whether pages that the archive turns out not to have are asked of the live web.
    live: bool = True
    # Another extractor for its pages.
    method: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        for key in ("replay", "cdx", "timemap"):
            value = getattr(self, key)
            if value and canonical(value) is None:
                raise ValueError(f"{key} = '{value}' is not a web address")
        if not self.replay.endswith("/"):
            raise ValueError(f"replay = '{self.replay}' must end with /")
        if canonical(self.home) is None:
            raise ValueError(f"url = '{self.url}' is not an address such as example.org/*")
        if self.way == "walk" and "*" in self.url:
            raise ValueError(f"url = '{self.url}': a walk begins at a home page, without *")
        if self.rows < 1:
            raise ValueError(f"rows = {self.rows} is below 1")

    @property
    def home(self) -> str:
        """The address without the star, with a scheme."""
        bare = self.url.removeprefix("*.").split("*")[0]
        return bare if "://" in bare else f"http://{bare}"

    @property
    def address(self) -> str:
        """The list it begins with."""
        return next(iter(self.first_leads())).url

    @property
    def interval(self) -> timedelta | None:
        """An archive's list is read once."""
        return None

    def first_leads(self) -> Iterable[Lead]:
        """Yield the CDX list, or the TimeMap of the home page."""
        if self.way == "cdx":
            return [self._cdx_lead(ArchiveTrail("cdx"), "")]
        maps = self.timemap or f"{self.replay}timemap/link/"
        return [self._list_lead(f"{maps}{canonical(self.home)}", ArchiveTrail("timemap"))]

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the captures that a list names, or that a snapshot's links may have."""
        if capture.lead.kind != "list":
            return []
        trail = trail_of(ArchiveTrail, capture.lead)
        if trail.list == "snapshot":
            return self._links(capture.lead, body)
        try:
            if trail.list == "timemap":
                return list(self._snapshots(capture.lead, body))
            return [self._replay_lead(row) for row in self._taken(body, trail)[0]]
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise SourceError(
                f"Source '{self.name}': {capture.lead.url} answers with something that is no "
                f"{'TimeMap' if trail.list == 'timemap' else 'CDX list'} ({error}). Look at "
                f"`replay`, `cdx` and `timemap` in corpus.toml, or try again later."
            ) from None

    def onward(self, capture: Capture, body: bytes) -> Onward:
        """Return where a CDX list goes on, and say if a list is too long."""
        trail = trail_of(ArchiveTrail, capture.lead)
        if trail.list == "timemap" and _is_last(trail) and self._maps(capture.lead, body):
            return self._too_long(capture.lead)
        if trail.list != "cdx":
            return Onward()
        page = read_cdx(body)
        if _is_cut(page, trail, self):
            return Onward(self._cdx_lead(replace(trail, whole=True), ""))
        _, last = self._taken(body, trail)
        digest = xxhash.xxh3_64_hexdigest(body)
        if self._has_more(page, trail, digest) and _is_last(trail):
            return self._too_long(capture.lead)
        if not self._goes_on(page, trail, digest):
            return Onward()
        after = ArchiveTrail(
            "cdx", trail.page + 1, digest, trail.whole,
            last.url if last else "", last.stamp if last else "",
        )  # fmt: skip
        return Onward(self._cdx_lead(after, page.resume))

    def ended(self, lead: Lead) -> Onward | None:
        """Return nothing to do for a page behind the last, or a snapshot that is not there."""
        trail = trail_of(ArchiveTrail, lead)
        is_later = trail.list == "cdx" and trail.page
        return Onward() if is_later or trail.list == "snapshot" else None

    def original(self, lead: Lead) -> str:
        """Return the address that a replay's lead stands for, empty if it is no replay."""
        match = self._replayed(lead.url)
        return canonical(match[2]) or "" if match else ""

    def restored(self, capture: Capture) -> Capture | None:
        """Return a replayed page as it was captured; None if the archive answers with its own."""
        match = self._replayed(capture.lead.url)
        url = self.original(capture.lead)
        if match is None or not url or capture.lead.kind != "page":
            return capture
        moment = _memento_time(capture) or moment_of(match[1])
        is_memento = capture.header("Memento-Datetime") or _original_headers(capture.headers)
        if moment is None or not is_memento:
            return None
        hints = replace(capture.lead.hints, archive=capture.lead.url, trail="")
        lead = replace(capture.lead, url=url, hints=hints, redirects=0)
        return replace(capture, lead=lead, time=moment, headers=_headers(capture))

    def redirected(self, lead: Lead, target: str) -> str:
        """Return where a replay's redirect leads: inside the archive, at the same time."""
        match = self._replayed(lead.url)
        found = canonical(target, lead.url) or target
        if match is None or self._replayed(found):
            return _raw(found, self.replay) if match else target
        return self._replay_url(match[1], found)

    def live_lead(self, lead: Lead) -> Lead | None:
        """Return the live page for a replay that the archive does not have."""
        url = self.original(lead)
        if not self.live or not url or lead.kind != "page":
            return None
        return Lead(url, self.name, referrer=lead.referrer)

    def _taken(self, body: bytes, trail: ArchiveTrail) -> tuple[list[CdxRow], CdxRow | None]:
        """Return the rows to take from a page, and the best of the URL at which it ends.

        That one is taken with the next page, which may have a better one.
        """
        page = read_cdx(body)
        if _is_cut(page, trail, self):
            return [], None
        before = [CdxRow(trail.url, trail.stamp)] if trail.url else []
        rows = chosen([*before, *(row for row in page.rows if self._is_wanted(row))], self.per_url)
        if self.per_url == "all" or not rows:
            return rows, None
        if not self._goes_on(page, trail, xxhash.xxh3_64_hexdigest(body)):
            return rows, None
        return rows[:-1], rows[-1]

    def _goes_on(self, page: CdxPage, trail: ArchiveTrail, digest: str) -> bool:
        return self._has_more(page, trail, digest) and not _is_last(trail)

    def _too_long(self, lead: Lead) -> Onward:
        return Onward(
            problem=f"Source '{self.name}': {lead.url} goes on after {MOST_PAGES} pages; what "
            "follows is left out. Narrow it down with `url`, `since` and `until` in corpus.toml."
        )

    def _has_more(self, page: CdxPage, trail: ArchiveTrail, digest: str) -> bool:
        if self.paging == "key":
            return bool(page.resume)
        # A server that knows no pages gives all rows again.
        return bool(page.rows) and digest != trail.seen

    def _is_wanted(self, row: CdxRow) -> bool:
        first = f"{self.since:%Y%m%d}" if self.since else ""
        last = f"{self.until:%Y%m%d}" if self.until else "9"
        return row.is_page and first <= row.stamp[:8] <= last

    def _cdx_lead(self, trail: ArchiveTrail, resume: str) -> Lead:
        endpoint = self.cdx or _KNOWN_CDX.get(self.replay) or f"{self.replay}cdx"
        asked = {"url": self.url, "output": "json"}
        asked |= {"from": f"{self.since:%Y%m%d}"} if self.since else {}
        asked |= {"to": f"{self.until:%Y%m%d}235959"} if self.until else {}
        if self.paging == "pages":
            asked |= {"page": str(trail.page)}
        elif not trail.whole:
            asked |= {"limit": str(self.rows), "showResumeKey": "true"}
        asked |= {"resumeKey": resume} if resume else {}
        return self._list_lead(f"{endpoint}?{urlencode(asked)}", trail)

    def _list_lead(self, url: str, trail: ArchiveTrail, referrer: str = "") -> Lead:
        hints = Hints(trail=trail_text(trail))
        return Lead(canonical(url) or url, self.name, "list", referrer, hints=hints)

    def _snapshots(self, lead: Lead, body: bytes) -> Iterator[Lead]:
        """Yield the home page's snapshots, the newest first, one a day at most (Dwyer 2014)."""
        mementos, _ = read_timemap(body)
        trail = trail_of(ArchiveTrail, lead)
        rows = (CdxRow(each.url, each.stamp) for each in mementos)
        days = {row.stamp[:8]: row for row in rows if self._is_wanted(row)}
        for _, row in sorted(days.items(), reverse=True):
            url = self._replay_url(row.stamp, canonical(self.home) or self.home)
            yield self._list_lead(url, ArchiveTrail("snapshot"), lead.url)
        for url in [] if _is_last(trail) else self._maps(lead, body):
            yield self._list_lead(url, ArchiveTrail("timemap", trail.page + 1), lead.url)

    def _maps(self, lead: Lead, body: bytes) -> list[str]:
        """Return the further TimeMaps that one names on its own host."""
        found = (canonical(url, lead.url) for url in read_timemap(body)[1])
        return [
            url
            for url in found
            if url and url != lead.url and "/timemap/link" in url and same_host(url, lead.url)
        ]

    def _links(self, lead: Lead, body: bytes) -> list[Lead]:
        match, home = self._replayed(lead.url), self.original(lead)
        if match is None:
            return []
        links = (canonical(self._unwrapped(url)) for url in read_page(body, home).links)
        return [
            Lead(self._replay_url(match[1], url), self.name, referrer=lead.url)
            for url in links
            if url and same_host(url, home)
        ]

    def _unwrapped(self, url: str) -> str:
        """Return a link as the page had it, if the archive rewrote it after all."""
        match = self._replayed(url)
        return match[2] if match else url

    def _replay_lead(self, row: CdxRow) -> Lead:
        return Lead(
            self._replay_url(row.stamp, row.url), self.name, referrer=self.cdx or self.replay
        )

    def _replay_url(self, stamp: str, url: str) -> str:
        found = f"{self.replay}{stamp}id_/{url}"
        return canonical(found) or found

    def _replayed(self, url: str) -> re.Match[str] | None:
        prefix = re.escape(canonical(self.replay) or self.replay)
        return re.match(rf"{prefix}(\d{{4,14}})(?:[a-z]{{2}}_)?/(.+)", url)


def _is_last(trail: ArchiveTrail) -> bool:
    """Whether a page of a list is the last that is read."""
    return trail.page + 1 >= MOST_PAGES


def _is_cut(page: CdxPage, trail: ArchiveTrail, source: ArchiveSource) -> bool:
    """Whether a server cut its list at the limit and says no key: it is then asked for all."""
    is_full = len(page.rows) >= source.rows
    return source.paging == "key" and is_full and not page.resume and not trail.whole


def _raw(url: str, replay: str) -> str:
    """Return the address of the bytes as they were captured, without the archive's own frame."""
    prefix = canonical(replay) or replay
    return re.sub(rf"^({re.escape(prefix)}\d{{4,14}})(?:[a-z]{{2}}_)?/", r"\1id_/", url)


def _memento_time(capture: Capture) -> Any:
    try:
        return parsedate_to_datetime(capture.header("Memento-Datetime")).astimezone(UTC)
    except (ValueError, TypeError, OverflowError):
        return None


def _original_headers(headers: Headers) -> Headers:
    return tuple(
        (name[len(_ORIGINAL) :], value)
        for name, value in headers
        if name.lower().startswith(_ORIGINAL)
    )


def _headers(capture: Capture) -> Headers:
    """Return the headers the page had, as far as the archive tells, and those of its bytes."""
    own = tuple(pair for pair in capture.headers if pair[0].lower() in _OF_THE_BYTES)
    others = _original_headers(capture.headers)
    return (*own, *(pair for pair in others if pair[0].lower() not in _OF_THE_BYTES))
