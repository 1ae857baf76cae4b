"""Taking pages down: out of serving at once, never fetched again; `compact` rewrites the files."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from urllib.parse import urlsplit

from izwi.config.schema import CorpusConfig
from izwi.gather.urls import canonical
from izwi.model.errors import QueryError
from izwi.service.runs import Run
from izwi.service.traces import Trace, traces
from izwi.store import snapshots
from izwi.store.files import disk_errors
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedown, Takedowns, read_takedowns, write_takedowns
from izwi.store.warc import read_entries

_MOST_COMPARED = 5000


@dataclass(frozen=True, slots=True)
class TakedownReport:
    """What was taken down: how many captures, in which shards; and what is left of it elsewhere."""

    target: str
    captures: int
    shards: tuple[str, ...]
    # Other documents that quote it or link to it.
    traces: tuple[Trace, ...] = ()
    # Addresses much like one that no page has.
    alike: tuple[str, ...] = ()


def add(layout: Layout, run: Run, target: str, reason: str) -> TakedownReport:
    """Write the decision; the next build leaves the pages out."""
    wanted = Takedown(target_of(target), reason, now_text())
    known = read_takedowns(layout)
    found = dict(_captures(layout, wanted))
    wanted = replace(wanted, shards=tuple(sorted(found)))
    others = tuple(entry for entry in known.entries if entry.target != wanted.target)
    with disk_errors():
        write_takedowns(layout, Takedowns((*others, wanted)))
    alike = () if found else _alike(run, wanted)
    return TakedownReport(wanted.target, sum(found.values()), wanted.shards, alike=alike)


def with_traces(layout: Layout, config: CorpusConfig, report: TakedownReport) -> TakedownReport:
    """Return the report with what is left elsewhere, after the build that took it out."""
    if not report.captures:
        return report
    found = traces(layout, config, Takedown(report.target, "", "", shards=report.shards))
    return replace(report, traces=found)


def _alike(run: Run, wanted: Takedown) -> tuple[str, ...]:
    """Return captured addresses of the same host that somebody may have meant."""
    if "://" not in wanted.target:
        return ()
    host = urlsplit(wanted.target).hostname
    urls = {url for url, _ in run.catalog.captured_pages() if urlsplit(url).hostname == host}
    return tuple(get_close_matches(wanted.target, sorted(urls)[:_MOST_COMPARED], n=3, cutoff=0.8))


def forget_older(layout: Layout) -> int:
    """Delete earlier snapshots and the segments only they name; return how many snapshots."""
    current = snapshots.current(layout)
    kept = {entry.id for entry in current.segments}
    older = snapshots.withdraw_older(layout, current.number)
    for folder in layout.segments.glob("*"):
        if folder.is_dir() and folder.name not in kept:
            shutil.rmtree(folder)
    return older


def _captures(layout: Layout, wanted: Takedown) -> Iterator[tuple[str, int]]:
    for shard in layout.sealed_shards():
        count = sum(wanted.covers(entry.url) for entry in read_entries(layout.captures(shard)))
        if count:
            yield shard, count


def target_of(text: str) -> str:
    """Return a URL in the form it is remembered under, or a host."""
    found = canonical(text) if "://" in text else text.strip().lower().rstrip(".")
    is_host = "." in (found or "") and "/" not in (found or "") and not text.startswith("-")
    if not found or ("://" not in text and not is_host):
        raise QueryError(
            f"'{text}' is neither a URL nor a host; write https://example.org/page or example.org."
        )
    return found


def now_text() -> str:
    """Return this moment as the record of take-downs writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")
