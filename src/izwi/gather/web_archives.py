"""Web archives: lists of what one holds (CDX, TimeMaps), and what becomes of leads to one."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from izwi.gather.fetch import STAGE
from izwi.gather.sources.base import ReplaySource, Source
from izwi.model.capture import OFFICE_BY_ENDING, TEXT, Capture, Lead
from izwi.model.document import Verdict, dropped
from izwi.model.notation import read_json
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued

_STAMP = re.compile(r"\d{4,14}")
_LINK = re.compile(r"<([^<>]+)>\s*((?:;[^,<>\"]*(?:\"[^\"]*\")?)*)")
_PARAMETER = re.compile(r";\s*([a-z]+)\s*=\s*\"?([^\";]*)\"?", re.IGNORECASE)
# The order of a plain CDX line's fields; others may follow.
_PLAIN = ("urlkey", "timestamp", "original", "mimetype", "statuscode", "digest")
# pywb's names for what archive.org calls otherwise.
_OTHER_NAMES = {"url": "original", "mime": "mimetype", "status": "statuscode"}


_READABLE = ("text/html", "application/xhtml", TEXT, *OFFICE_BY_ENDING.values())


@dataclass(frozen=True, slots=True)
class CdxRow:
    """One capture that an archive holds."""

    url: str
    # Fourteen digits: year, month, day, hour, minute, second.
    stamp: str
    status: str = ""
    media_type: str = ""
    digest: str = ""

    @property
    def is_page(self) -> bool:
        """Whether a text may be behind it: an answer that was given, of a readable type."""
        is_readable = self.media_type.startswith(_READABLE)
        return self.status in ("200", "") and (is_readable or self.media_type in ("", "unk"))


@dataclass(frozen=True, slots=True)
class CdxPage:
    """The rows of one answer, and the key with which the next one is asked for."""

    rows: tuple[CdxRow, ...]
    resume: str = ""


@dataclass(frozen=True, slots=True)
class Memento:
    """A snapshot that a TimeMap names."""

    url: str
    stamp: str


def read_cdx(body: bytes) -> CdxPage:
    """Return the rows of an answer in any of the three forms; raise ValueError if it is none."""
    text = body.decode("utf-8", "replace").strip()
    if not text:
        return CdxPage(())
    if text.startswith("[") and not text.startswith("[{"):
        return _from_table(read_json(text))
    head, _, tail = text.partition("\n\n")
    lines = [line for line in head.splitlines() if line.strip()]
    rows = tuple(row for line in lines if (row := _from_line(line)))
    if not rows and not _is_heading(lines[0]):
        raise ValueError("it holds no line of a CDX list")
    return CdxPage(rows, tail.strip())


def read_timemap(body: bytes) -> tuple[tuple[Memento, ...], tuple[str, ...]]:
    """Return the snapshots a TimeMap names, and the other TimeMaps that go on where it ends."""
    text = body.decode("utf-8", "replace")
    mementos, maps = [], []
    for url, rest in _LINK.findall(text):
        given = {name.lower(): value for name, value in _PARAMETER.findall(rest)}
        relations = given.get("rel", "").split()
        if "memento" in relations and (stamp := stamp_of(given.get("datetime", ""))):
            mementos.append(Memento(url, stamp))
        elif "timemap" in relations:
            maps.append(url)
    if not mementos and not maps and text.strip():
        raise ValueError("it names no snapshot and no other TimeMap")
    return tuple(mementos), tuple(maps)


def stamp_of(moment: str) -> str:
    """Return an HTTP date as the fourteen digits archives use, empty if it is none.

    >>> stamp_of("Tue, 21 Jan 2020 08:00:05 GMT")
    '20200121080005'
    """
    try:
        return f"{parsedate_to_datetime(moment):%Y%m%d%H%M%S}"
    except (ValueError, TypeError, OverflowError):
        return ""


def moment_of(stamp: str) -> datetime | None:
    """Return what an archive's digits stand for, None if they stand for nothing.

    >>> moment_of("20200121").isoformat()
    '2020-01-21T00:00:00+00:00'
    """
    digits = stamp + "00000101000000"[len(stamp) :]
    try:
        return datetime.strptime(digits, "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return None


def chosen(rows: Iterable[CdxRow], rule: str) -> list[CdxRow]:
    """Return one row for each URL, its first or last, or all distinct ones, in order of URLs."""
    distinct = dict.fromkeys(rows)
    if rule == "all":
        return list(distinct)
    by_url: dict[str, CdxRow] = {}
    for row in distinct:
        known = by_url.setdefault(row.url, row)
        is_better = row.stamp < known.stamp if rule == "first" else row.stamp > known.stamp
        if is_better:
            by_url[row.url] = row
    return list(by_url.values())


def _from_table(table: Sequence[Sequence[str]]) -> CdxPage:
    """Read archive.org's JSON: a row of names, rows of values, and perhaps [], [key]."""
    if not table:
        return CdxPage(())
    names, *rest = table
    resume = ""
    if len(rest) > 1 and not rest[-2]:
        resume, rest = str(rest[-1][0]), rest[:-2]
    rows = (_row(dict(zip(names, values, strict=False))) for values in rest if values)
    return CdxPage(tuple(row for row in rows if row), resume)


def _from_line(line: str) -> CdxRow | None:
    if line.startswith("{"):
        return _row(read_json(line))
    parts = line.split()
    if len(parts) > 2 and parts[2].startswith("{"):
        facts = read_json(line.split(None, 2)[2])
        return _row({**facts, "timestamp": parts[1]})
    return _row(dict(zip(_PLAIN, parts, strict=False))) if len(parts) >= 3 else None


def _row(facts: dict[str, Any]) -> CdxRow | None:
    known = {_OTHER_NAMES.get(name, name): str(value) for name, value in facts.items()}
    url, stamp = known.get("original", ""), known.get("timestamp", "")
    if not url.startswith(("http://", "https://")) or not _STAMP.fullmatch(stamp):
        return None
    status = known.get("statuscode", "")
    return CdxRow(url, stamp, status, known.get("mimetype", ""), known.get("digest", ""))


def _is_heading(line: str) -> bool:
    return line.strip().upper().startswith("CDX")


def addresses(rows: Iterable[CdxRow]) -> Iterator[str]:
    """Yield the addresses of the pages among the rows."""
    return (row.url for row in rows if row.is_page)


NO_MEMENTO = dropped(STAGE, "not-a-memento", detail="the archive answers without a time of capture")

# What an archive answers for a page that it does not have, or does not show.
_ABSENT = ("http-403", "http-404", "http-410", "http-451", NO_MEMENTO.reason)


@dataclass(frozen=True, slots=True)
class Replays:
    """The leads of a run that archives answer; all others pass unchanged."""

    sources: Mapping[str, Source]
    catalog: Catalog

    def original(self, lead: Lead) -> str:
        """Return the address that a lead stands for; empty if no archive is asked for it."""
        source = self._source(lead)
        return source.original(lead) if source and lead.kind == "page" else ""

    def refusal(self, lead: Lead) -> Verdict | None:
        """Return why an archive is not asked: the page was captured before, and one is enough."""
        source, original = self._source(lead), self.original(lead)
        if not source or not original or source.per_url == "all":
            return None
        if self.catalog.last_capture(original) is None:
            return None
        return dropped(STAGE, "already-captured", detail=original)

    def restored(self, capture: Capture) -> Capture | None:
        """Return a capture as it was made; None if an archive answers with a page of its own."""
        source = self._source(capture.lead)
        return source.restored(capture) if source else capture

    def target(self, lead: Lead, target: str) -> str:
        """Return where a redirect leads: an archive's stay inside it."""
        source = self._source(lead)
        return source.redirected(lead, target) if source else target

    def live_lead(self, lead: Lead, verdict: Verdict) -> Lead | None:
        """Return the live page for one that the archive says it does not have."""
        source = self._source(lead)
        return source.live_lead(lead) if source and verdict.reason in _ABSENT else None

    def settle(self, queued: Queued, capture: Capture) -> Queued:
        """Settle the lead to an archive, and return that of the page which it replayed."""
        if capture.lead.url == queued.lead.url:
            return queued
        verdict = Verdict("dropped", STAGE, "from-archive", detail=capture.lead.url)
        self.catalog.settle(queued, "redirected", verdict)
        self.catalog.add_leads([capture.lead])
        return self.catalog.find_lead(capture.lead.url) or queued

    def _source(self, lead: Lead) -> ReplaySource | None:
        source = self.sources.get(lead.source)
        return source if isinstance(source, ReplaySource) else None
