"""Taking pages down: out of serving at once, never fetched again; compaction rewrites the files."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from izwi.config.schema import CorpusConfig
from izwi.dedup.batch import Hashes, NgramReading, read_batch
from izwi.gather.urls import canonical
from izwi.index.assemble import Origin, is_whole, merge_segments
from izwi.index.columns import distinct
from izwi.index.reader import Segment
from izwi.model.curation import Affected, Foreseen
from izwi.model.errors import BuildError, QueryError
from izwi.model.notation import now_text, size_bytes
from izwi.model.results import Notice
from izwi.pipeline.patching import AsOthersWrite
from izwi.pipeline.stages import plan
from izwi.pipeline.staleness import Rewritten, fingerprints
from izwi.pipeline.touched import rows_holding
from izwi.service.runs import Run
from izwi.store import snapshots
from izwi.store.files import disk_errors
from izwi.store.layers import count_rows, read_columns
from izwi.store.layout import Layout
from izwi.store.ownership.hash_runs import NOBODY
from izwi.store.ownership.hash_runs import Run as HashRun
from izwi.store.ownership.shard_runs import ShardRun, read_run_digest
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
    count = sum(found.values()) + _imported(layout, wanted)
    alike = () if count else _alike(run, wanted)
    return TakedownReport(wanted.target, count, wanted.shards, alike=alike)


def _imported(layout: Layout, wanted: Takedown) -> int:
    """Return how many documents go that no capture holds."""
    entries = (entry for entry in snapshots.current(layout).segments if entry.is_imported)
    segments = (Segment(layout.segments / entry.id, entry.gone) for entry in entries)
    return sum(len(_covered(segment, wanted)) for segment in segments)


def check_out(layout: Layout, target: str) -> None:
    """Raise BuildError if a page is still served that a build should have taken out."""
    wanted = Takedown(target, "", "")
    for entry in snapshots.current(layout).segments:
        segment = Segment(layout.segments / entry.id, entry.gone)
        if len(_covered(segment, wanted)):
            raise BuildError(
                f"{target} could not be taken down and is still served: the build that was to "
                "take it out failed. Mend the corpus (izwi build), then take it down again."
            )


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
        near = read_entries(layout.captures(shard), holding=wanted.target)
        count = sum(wanted.covers(entry.url) for entry in near)
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


# So many words in a row are no accident. They have six n-grams; five, if one of them is but a mark.
_WORDS, _IN_A_ROW = 12, 5
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

    `wanted` names the shards in which its pages lie. Only documents are read that hold some n-grams
    in a row of it, by which copies are found, or an address much like its own.
    """
    layers = _Layers.of(layout, config)
    pages = (
        row
        for shard in wanted.shards
        if layers.has(shard)
        for row, _ in layers.documents(shard, layers.rows_of(shard, wanted))
    )
    own = list(islice(pages, _MOST_DOCUMENTS))
    runs = {run for row in own for run in _runs(row)}
    ends = {_ends(run.split()) for run in runs}
    ngrams = layers.ngrams(own)
    gone = read_takedowns(layout)
    found = (
        _trace(row, next((run for run in _runs(row, ends) if run in runs), ""), wanted)
        for shard in layout.sealed_shards()
        if layers.has(shard)
        for row, is_kept in layers.documents(shard, layers.rows_near(shard, ngrams, wanted))
        if is_kept and not gone.covers(row["url"])
    )
    left = (trace for trace in found if trace.quotes or trace.links)
    return tuple(islice(left, _MOST_TRACES))


@dataclass(frozen=True)
class _Layers:
    """The layers of a corpus in which is looked for what is left of a page."""

    layout: Layout
    made: Mapping[str, str]
    # How n-grams are read; none if copies are told by another method.
    reading: NgramReading | None

    @classmethod
    def of(cls, layout: Layout, config: CorpusConfig) -> "_Layers":
        stages = {stage.spec.writes: stage for stage in plan(config)}
        made = {name: stage.fingerprint for name, stage in stages.items()}
        owning = stages["own"].config
        return cls(layout, made, owning.reading if owning.method is None else None)

    def has(self, shard: str) -> bool:
        return all(self._path(layer, shard).exists() for layer in ("text", "sign", "own", "select"))

    def documents(self, shard: str, rows: list[int]) -> Iterator[tuple[dict[str, Any], bool]]:
        """Yield rows of the text layer, and whether each is in the corpus."""
        if not rows:
            return
        found = read_columns(self._path("text", shard), _COLUMNS).take(rows).to_pylist()
        column = read_columns(self._path("select", shard), ["verdict"]).column("verdict").take(rows)
        for row, verdict in zip(found, column.to_pylist(), strict=True):
            yield row, verdict["outcome"] == "kept"

    def rows_of(self, shard: str, wanted: Takedown) -> list[int]:
        """Return the pages of a shard that are taken down."""
        urls = read_columns(self._path("text", shard), ["url"]).column("url").to_pylist()
        return [row for row, url in enumerate(urls) if wanted.covers(url)]

    def ngrams(self, rows: Sequence[Mapping[str, Any]]) -> Hashes:
        """Return by what the texts of pages are known, in the order in which it stands there."""
        if self.reading is None or not rows:
            return np.empty(0, np.uint64)
        return read_batch(
            ([part["text"] for part in _main(row)] for row in rows), self.reading
        ).ngrams

    def rows_near(self, shard: str, ngrams: Hashes, wanted: Takedown) -> list[int]:
        """Return the pages of a shard that may quote what was taken down, or link to it."""
        text = self._path("text", shard)
        if self.reading is None:
            return list(range(count_rows(text)))
        known = self._path("own", shard)
        run = ShardRun(known.parent, shard, read_run_digest(known)).run()
        # Where words are passed over, a few n-grams may be many words.
        least = 1 if self.reading.ignored else _IN_A_ROW
        held = _held_in_a_row(ngrams, run, least)
        quoting = rows_holding(text, self._path("sign", shard), held, self.reading, least)
        return sorted({*quoting, *_rows_linking(text, wanted)})

    def _path(self, layer: str, shard: str) -> Path:
        return self.layout.shard(layer, self.made[layer], shard)


def _held_in_a_row(ngrams: Hashes, run: HashRun, least: int) -> Hashes:
    """Return the n-grams of a text, sorted, that a run holds with their neighbours."""
    if len(ngrams) < least:
        return np.empty(0, np.uint64)
    keys, places = np.unique(ngrams, return_inverse=True)
    owners = np.full(len(keys), NOBODY, np.uint32)
    run.fill(keys, owners)
    is_held = ((owners != NOBODY) & (keys != 0))[places]
    begins = np.convolve(is_held, np.ones(least, np.int64), "valid") == least
    is_wanted = np.convolve(begins, np.ones(least, np.int64)) > 0
    found: Hashes = np.unique(ngrams[is_wanted])
    return found


_PLAIN = re.compile(r"[\w.-]{3,}", re.ASCII)


def _rows_linking(text: Path, wanted: Takedown) -> list[int]:
    """Return the pages of a shard with a link in which the last part of an address stands."""
    parts = urlsplit(wanted.target)
    last = parts.path.rstrip("/").rpartition("/")[2]
    needle = last if _PLAIN.fullmatch(last) else parts.hostname or wanted.target
    marks = read_columns(text, ["marks.list.element.target"]).column("marks").combine_chunks()
    targets = marks.flatten().field("target")
    found = _where(pc.match_substring(targets, needle, ignore_case=True))
    ends = np.cumsum(np.nan_to_num(marks.value_lengths().to_numpy(zero_copy_only=False)))
    return [int(row) for row in distinct(np.searchsorted(ends, found, side="right"))]


def _trace(row: dict[str, Any], quoted: str, wanted: Takedown) -> Trace:
    targets = (canonical(mark["target"] or "", row["url"]) for mark in row["marks"])
    is_linked = any(target and wanted.covers(target) for target in targets)
    return Trace(row["url"], row["title"], quoted, is_linked)


def _runs(row: dict[str, Any], ends: Set[tuple[str, str]] | None = None) -> Iterator[str]:
    """Yield every run of words in the main text of a document; of some ends only, if given."""
    for paragraph in _main(row):
        words = paragraph["text"].split()
        for place, pair in enumerate(zip(words, words[_WORDS - 1 :], strict=False)):
            if ends is None or pair in ends:
                yield " ".join(words[place : place + _WORDS])


def _ends(words: Sequence[str]) -> tuple[str, str]:
    return words[0], words[-1]


def _main(row: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [each for each in row["paragraphs"] if each["is_main"]]


_MOST_TITLES = 50
Numbers = NDArray[np.intp]
Going = tuple[Segment, Numbers]


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
    """Return the documents that go; only addresses in which its host may stand are looked at."""
    urls = segment.cards.column("url")
    host = urlsplit(wanted.target).hostname or wanted.target
    is_near = pc.match_substring(urls, host, ignore_case=True)
    near = _where(pc.or_(is_near, pc.match_substring_regex(urls, r"[^\x00-\x7f]")))
    meant = AsOthersWrite(wanted)
    covers = (meant.covers(url) for url in urls.take(pa.array(near)).to_pylist())
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


def _where(mask: pa.ChunkedArray | pa.Array) -> Numbers:
    return np.flatnonzero(mask.fill_null(False).to_numpy(zero_copy_only=False))


def _affected(segment: Segment, number: int) -> Affected:
    row = segment.cards.select(["id", "title", "url"]).slice(number, 1).to_pylist()[0]
    return Affected(row["id"], row["title"] or row["url"], row["url"])


def remove_taken_down(layout: Layout, config: CorpusConfig, run: Run) -> Rewritten:
    """Rewrite the shards that hold what was taken down.

    Return by what an index knew each, nothing if what was made of it is to be made again, and by
    what one would now.
    """
    takedowns = read_takedowns(layout)
    if not takedowns.entries:
        return {}
    shards = [shard for shard in _readable(layout, run) if _holds(layout, shard, takedowns)]
    before = fingerprints(layout, plan(config), shards)
    with disk_errors():
        for shard in shards:
            if not rewrite_shard(layout, run.catalog, shard, lambda url: not takedowns.covers(url)):
                before[shard] = ""
        done = tuple(
            replace(entry, shards=(), compacted=entry.compacted or now_text())
            for entry in takedowns.entries
        )
        write_takedowns(layout, Takedowns(done))
    after = fingerprints(layout, plan(config), [shard for shard in shards if before[shard]])
    return {shard: (before[shard], after.get(shard, "")) for shard in shards}


def rewrite_imported(layout: Layout) -> int:
    """Write segments that came from outside anew without what is gone; return how many."""
    current = snapshots.current(layout)
    due = [entry for entry in current.segments if entry.is_imported and entry.gone]
    if not due:
        return 0
    with disk_errors():
        made = {entry.id: _rewritten(layout, entry) for entry in due}
        snapshots.publish(
            layout, [made.get(entry.id, entry) for entry in current.segments],
            published=now_text(), versions=current.versions,
        )  # fmt: skip
    forget_older(layout)
    return len(due)


def _rewritten(layout: Layout, entry: snapshots.SegmentEntry) -> snapshots.SegmentEntry:
    segment = Segment(layout.segments / entry.id, entry.gone)
    return merge_segments(layout.segments, [segment], Origin(entry.fingerprint))


def is_left(layout: Layout, run: Run) -> bool:
    """Whether files were rewritten before, but what left them is in the index or its past yet."""
    gone = read_takedowns(layout)
    if not gone.entries:
        return False
    if run.catalog.renewed_shards():
        return True
    kept = {entry.id for entry in snapshots.current(layout).segments}
    older = (each for each in layout.segments.glob("*") if each.name not in kept)
    return any(
        gone.covers(url)
        for folder in older
        if is_whole(folder)
        for url in Segment(folder).cards.column("url").to_pylist()
    )


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
