"""Taking pages down: out of serving at once, never fetched again; compaction rewrites the files."""

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from itertools import islice
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from izwi.config.schema import CorpusConfig
from izwi.gather.urls import canonical
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.results import Notice
from izwi.model.units import size_bytes
from izwi.service.ledger import verdict_layers
from izwi.service.runs import Run
from izwi.store import snapshots
from izwi.store.files import disk_errors
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.rewriting import join_shards, rewrite_shard
from izwi.store.takedowns import Takedown, Takedowns, read_takedowns, write_takedowns
from izwi.store.warc import is_whole_list, read_entries

_MOST_COMPARED = 5000


@dataclass(frozen=True, slots=True)
class TakedownReport:
    """What was taken down: how many captures, in which shards; and what is left of it elsewhere."""

    target: str
    captures: int
    shards: tuple[str, ...]
    # Other documents that quote it or link to it.
    traces: "tuple[Trace, ...]" = ()
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


# So many words in a row are no accident.
_WORDS = 12
# Of a whole host the words of so many documents are looked for.
_MOST_DOCUMENTS = 500
# Somebody has to look at each of them.
_MOST_TRACES = 50
_COLUMNS = ["url", "title", "paragraphs", "marks"]


@dataclass(frozen=True, slots=True)
class Trace:
    """A document that quotes what was taken down (some words of it), or links to it."""

    url: str
    title: str
    quotes: str = ""
    links: bool = False


def traces(layout: Layout, config: CorpusConfig, wanted: Takedown) -> tuple[Trace, ...]:
    """Return documents in the corpus in which something of it stands, the first ones of many.

    `wanted` names the shards in which its pages lie.
    """
    own = _documents(layout, config, wanted.shards)
    covered = (row for row, _ in own if wanted.covers(row["url"]))
    runs = {run for row in islice(covered, _MOST_DOCUMENTS) for run in _runs(row)}
    gone = read_takedowns(layout)
    found = (
        _trace(row, runs, wanted)
        for row, is_kept in _documents(layout, config, layout.sealed_shards())
        if is_kept and not gone.covers(row["url"])
    )
    left = (trace for trace in found if trace.quotes or trace.links)
    return tuple(islice(left, _MOST_TRACES))


def _documents(
    layout: Layout, config: CorpusConfig, shards: Collection[str]
) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the rows of the text layer, and whether each is in the corpus."""
    text, select = verdict_layers(layout, config)
    built = layout.built_shards("text", text) & layout.built_shards("select", select)
    for shard in shards:
        if shard not in built:
            continue
        rows = read_columns(layout.shard("text", text, shard), _COLUMNS).to_pylist()
        verdicts = read_columns(layout.shard("select", select, shard), ["verdict"]).to_pylist()
        for row, verdict in zip(rows, verdicts, strict=True):
            yield row, verdict["verdict"]["outcome"] == "kept"


def _trace(row: dict[str, Any], runs: set[str], wanted: Takedown) -> Trace:
    quoted = next((run for run in _runs(row) if run in runs), "")
    targets = (canonical(mark["target"] or "", row["url"]) for mark in row["marks"])
    is_linked = any(target and wanted.covers(target) for target in targets)
    return Trace(row["url"], row["title"], quoted, is_linked)


def _runs(row: dict[str, Any]) -> Iterator[str]:
    """Yield every run of words in the main text of a document."""
    for paragraph in row["paragraphs"]:
        if paragraph["is_main"]:
            words = paragraph["text"].split()
            for place in range(len(words) - _WORDS + 1):
                yield " ".join(words[place : place + _WORDS])


_MOST_TITLES = 50
Numbers = NDArray[np.intp]
Going = tuple[Segment, Numbers]


@dataclass(frozen=True, slots=True)
class Affected:
    """A document by its title and address."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What goes: how many documents and tokens, the first of them, and copies that would stay."""

    target: str
    documents: int
    tokens: int
    first: tuple[Affected, ...]
    staying: tuple[Affected, ...]


def foresee(segments: Sequence[Segment], target: str) -> Foreseen:
    """Return what taking down a URL or a host would take away; nothing is changed."""
    wanted = Takedown(target_of(target), "", "")
    going = [(segment, _covered(segment, wanted)) for segment in segments]
    first = (
        _affected(segment, number) for segment, numbers in going for number in numbers.tolist()
    )
    return Foreseen(
        wanted.target,
        sum(len(numbers) for _, numbers in going),
        sum(int(segment.document_lengths[numbers].sum()) for segment, numbers in going),
        tuple(islice(first, _MOST_TITLES)),
        _relatives(going, wanted),
    )


def _covered(segment: Segment, wanted: Takedown) -> Numbers:
    """Return the documents that go; only addresses in which the target stands are looked at."""
    urls = segment.cards.column("url")
    near = _where(pc.match_substring(urls, wanted.target, ignore_case=True))
    covers = (wanted.covers(url) for url in urls.take(pa.array(near)).to_pylist())
    near = near[np.fromiter(covers, dtype=np.bool_, count=len(near))]
    return near[~segment.is_gone[near]]


def _relatives(going: Sequence[Going], wanted: Takedown) -> tuple[Affected, ...]:
    """Return documents elsewhere that have the text of one that goes: originals and copies."""
    gone = _values("id", going)
    originals = _values("copy_of", going)
    owners = pa.concat_arrays([gone, originals])
    others: dict[str, Affected] = {}
    for column, values in (("copy_of", owners), ("id", originals)):
        for segment, _ in going:
            found = pc.is_in(segment.cards.column(column), value_set=values)
            for number in _where(found)[~segment.is_gone[_where(found)]].tolist():
                each = _affected(segment, number)
                if not wanted.covers(each.url):
                    others.setdefault(each.id, each)
                if len(others) == _MOST_TITLES:
                    return tuple(others.values())
    return tuple(others.values())


def _values(column: str, going: Sequence[Going]) -> pa.Array:
    """Return what a column holds for the documents that go, without what is empty."""
    parts = [segment.cards.column(column).take(pa.array(numbers)) for segment, numbers in going]
    held = [chunk.cast(pa.string()) for part in parts for chunk in part.chunks]
    values = pa.concat_arrays([pa.array([], pa.string()), *held])
    return values.filter(pc.not_equal(values, ""))


def _where(mask: pa.ChunkedArray) -> Numbers:
    return np.flatnonzero(mask.fill_null(False).to_numpy())


def _affected(segment: Segment, number: int) -> Affected:
    row = segment.cards.select(["id", "title", "url"]).slice(number, 1).to_pylist()[0]
    return Affected(row["id"], row["title"] or row["url"], row["url"])


def remove_taken_down(layout: Layout, run: Run) -> int:
    """Rewrite the shards that hold what was taken down; return how many there were."""
    takedowns = read_takedowns(layout)
    if not takedowns.entries:
        return 0
    shards = [shard for shard in _readable(layout, run) if _holds(layout, shard, takedowns)]
    with disk_errors():
        for shard in shards:
            rewrite_shard(layout, run.catalog, shard, lambda url: not takedowns.covers(url))
        done = tuple(
            replace(entry, shards=(), compacted=entry.compacted or now_text())
            for entry in takedowns.entries
        )
        write_takedowns(layout, Takedowns(done))
    return len(shards)


def join_small(layout: Layout, config: CorpusConfig, run: Run) -> int:
    """Join small shards that follow each other; return how many became part of another."""
    shards = {state.name: state.content for state in run.catalog.shards() if state.is_sealed}
    sound = set(_readable(layout, run)) - run.catalog.troubled_shards()
    largest = size_bytes(config.gather.warc_size)
    # A page counts as many bytes as it may have in a file that is full of them.
    pages, each = run.catalog.capture_counts(), largest // config.gather.warc_pages
    sizes = [
        (shard, max(shards.get(shard, 0), pages.get(shard, 0) * each))
        for shard in layout.sealed_shards()
    ]
    layers = {shard: _layers(layout, shard) for shard, _ in sizes}
    joined = 0
    for group in groups_to_join(sizes, sound, layers, largest):
        with disk_errors():
            join_shards(layout, run.catalog, group)
        joined += len(group) - 1
        run.hear(Notice(f"{len(group)} small files were joined into {group[0]}.warc.gz."))
    return joined


def groups_to_join(
    sizes: Sequence[tuple[str, int]],
    sound: Set[str],
    layers: Mapping[str, frozenset[str]],
    largest: int,
) -> Iterator[tuple[str, ...]]:
    """Yield shards to be joined: neighbours, small, and with the same layers made of them.

    A shard of half the largest size is not small: it would be copied again and again.

    >>> sizes = [("a", 1), ("b", 2), ("c", 9), ("d", 3), ("e", 3), ("f", 3)]
    >>> same = dict.fromkeys("abcdef", frozenset())
    >>> list(groups_to_join(sizes, set("abcdef"), same, 10))
    [('a', 'b'), ('d', 'e', 'f')]
    """
    group: list[str] = []
    total = 0
    for shard, size in sizes:
        is_small = shard in sound and size < largest / 2
        fits = group and total + size <= largest and layers[shard] == layers[group[0]]
        if group and not (is_small and fits):
            if len(group) > 1:
                yield tuple(group)
            group, total = [], 0
        if is_small:
            group.append(shard)
            total += size
    if len(group) > 1:
        yield tuple(group)


def _readable(layout: Layout, run: Run) -> list[str]:
    """Return the sealed shards whose files are both there."""
    return [
        shard
        for shard in layout.sealed_shards()
        if layout.warc(shard).exists() and is_whole_list(layout.captures(shard))
    ]


def _holds(layout: Layout, shard: str, takedowns: Takedowns) -> bool:
    return any(takedowns.covers(entry.url) for entry in read_entries(layout.captures(shard)))


def _layers(layout: Layout, shard: str) -> frozenset[str]:
    return frozenset(path.parent.name for path in layout.layers.glob(f"*/{shard}.parquet"))
