"""How many URLs came to what: counted shard by shard, kept, and never counted again.

`counts.tsv` in the corpus folder has a line for each shard: the state of the files it was counted
from, and its counts. What was touched since is counted again; the rest is believed. Its first line
has the counts of all shards together, which is all that most want to know: if nothing was touched,
no other line is read. It is written at the end of each run, and can be deleted at any time.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from itertools import starmap
from typing import Any

import pyarrow as pa
import xxhash

from izwi.config.schema import CorpusConfig
from izwi.model.errors import CorruptShard
from izwi.model.records import dataclass
from izwi.model.results import Ledger, LedgerLine
from izwi.pipeline.runners import fatal_documents
from izwi.service.ledger import (
    Counts,
    Wanted,
    as_page_kind,
    count_lines,
    counted,
    ledger,
    open_lines,
    shard_lines,
    verdict_layers,
)
from izwi.store.catalog import Catalog
from izwi.store.files import file_state, write_text
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedowns, read_takedowns

_FILE = "counts.tsv"
# What it was before it had a line for all.
_OLD_FILE = "counts.json"
_KEPT_FIELDS = ("outcome", "stage", "reason")


@dataclass(frozen=True)
class LedgerPart:
    """The lines of one shard, or of the queue: how many of which kind, and themselves if wanted."""

    count: Callable[[], Counts]
    lines: Callable[[], Iterator[LedgerLine]]
    # The shard and the state of its files, if its counts can be kept.
    shard: str = ""
    state: str = ""
    # Yields some of the lines that are wanted, the first and how many given; None if all are read.
    page: Callable[[Wanted, int, int], Iterator[LedgerLine]] | None = None

    @cached_property
    def counts(self) -> Counts:
        """How many lines there are of each kind; found out when somebody asks."""
        return self.count()


@dataclass(frozen=True, slots=True)
class PartedLedger:
    """The ledger in parts, in its order, and the counts of all of them."""

    parts: tuple[LedgerPart, ...]
    counts: Counts


def parted_ledger(layout: Layout, config: CorpusConfig, catalog: Catalog) -> PartedLedger:
    """Return what became of every URL; of shards that nobody touched nothing is read."""
    gone, known = read_takedowns(layout), _Known(layout)
    text, select = verdict_layers(layout, config)
    judged = layout.built_shards("select", select) & layout.built_shards("text", text)
    shards = []
    for shard in layout.sealed_shards():
        layers = (text, select) if shard in judged else None
        lines = partial(shard_lines, layout, layers, shard, gone)
        state = _state(layout, layers, shard, gone)
        count = partial(_believed_or_counted, known, layout, layers, shard, state, gone)
        shards.append(LedgerPart(count, lines, shard, state))
    growing = partial(open_lines, catalog, gone)
    some = partial(_some_leads, catalog)
    queue = LedgerPart(lambda: Counter(catalog.ledger_counts()), partial(some, Wanted()), page=some)
    refused = LedgerPart(lambda: Counter(catalog.refusal_counts()), catalog.refusal_lines)
    others = (LedgerPart(lambda: count_lines(growing()), growing), queue, refused)
    counts = known.total(shards) + _added(others)
    return PartedLedger((*shards, *others), counts)


def _some_leads(
    catalog: Catalog, wanted: Wanted, first: int = 0, most: int = 1 << 62
) -> Iterator[LedgerLine]:
    return catalog.page_of_leads(
        outcome=wanted.outcome, reason=wanted.reason, source=wanted.source, kind=wanted.kind,
        first=first, most=most,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Row:
    """What was counted of a shard, or of all: the state of the files then, and the counts."""

    state: str
    sum: str
    counts: str

    @classmethod
    def of(cls, state: str, counts: Counts) -> "_Row":
        text = json.dumps([[*key, n] for key, n in sorted(counts.items())], ensure_ascii=False)
        return cls(state, _sum(state, text), text)

    @property
    def is_whole(self) -> bool:
        """Whether it is as it was written."""
        return self.sum == _sum(self.state, self.counts)

    def read(self) -> Counts:
        """Return the counts."""
        return Counter({(*map(str, key),): int(n) for *key, n in json.loads(self.counts)})  # type: ignore[misc]


class _Known:
    """What was counted before."""

    def __init__(self, layout: Layout) -> None:
        self._path = layout.root / _FILE

    def row(self, shard: str, state: str) -> _Row | None:
        """Return what was counted of a shard, if its files are as they were then."""
        row = self._rows.get(shard)
        return row if row and row.state == state and row.is_whole else None

    @property
    def state(self) -> str:
        """The state of all shards when they were counted; nothing if that is not known."""
        return self._first.state if self._first and self._first.is_whole else ""

    def total(self, parts: Sequence[LedgerPart]) -> Counts:
        """Return the counts of all shards; only those are read that were touched."""
        if self._first is None or not self.state:
            return _added(parts)
        if self.state == _state_of_all({part.shard: part.state for part in parts}):
            return self._first.read()
        return self._exchanged(self._first.read(), parts)

    def _exchanged(self, total: Counts, parts: Sequence[LedgerPart]) -> Counts:
        """Return the counts of all with those of touched shards exchanged."""
        fresh = [part for part in parts if self.row(part.shard, part.state) is None]
        same = {part.shard for part in parts} - {part.shard for part in fresh}
        old = [row for shard, row in self._rows.items() if shard not in same]
        before = {shard: row.state for shard, row in self._rows.items()}
        if self.state != _state_of_all(before) or not all(row.is_whole for row in old):
            return _added(parts)
        for row in old:
            total = total - row.read()
        return total + _added(fresh)

    @cached_property
    def _first(self) -> _Row | None:
        try:
            with self._path.open(encoding="utf-8", errors="replace") as file:
                return dict(_read_lines([file.readline()])).get("")
        except OSError:
            return None

    @cached_property
    def _rows(self) -> dict[str, _Row]:
        try:
            text = self._path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return {}
        return {shard: row for shard, row in _read_lines(text.split("\n")) if shard}


def _read_lines(lines: Iterable[str]) -> Iterator[tuple[str, _Row]]:
    for line in lines:
        shard, *fields = line.rstrip("\n").split("\t")
        if len(fields) == 3:
            yield shard, _Row(*fields)


def _line(shard: str, row: _Row) -> str:
    return f"{shard}\t{row.state}\t{row.sum}\t{row.counts}\n"


def _sum(state: str, counts: str) -> str:
    """Return what tells whether counts are those that were written."""
    return xxhash.xxh3_64_hexdigest(f"{state} {counts}".encode("utf-8", "surrogatepass"))


def _state_of_all(state_by_shard: Mapping[str, str]) -> str:
    return xxhash.xxh3_64_hexdigest(repr(sorted(state_by_shard.items())).encode())


def _added(parts: Iterable[LedgerPart]) -> Counts:
    return sum((part.counts for part in parts), Counter())


def _believed_or_counted(
    known: _Known,
    layout: Layout,
    layers: tuple[str, str] | None,
    shard: str,
    state: str,
    gone: Takedowns,
) -> Counts:
    row = known.row(shard, state)
    return row.read() if row else _counted(layout, layers, shard, gone)


def keep_counts(layout: Layout, found: PartedLedger) -> None:
    """Write down what was counted, for who comes next."""
    known = _Known(layout)
    parts = [part for part in found.parts if part.shard]
    state = _state_of_all({part.shard: part.state for part in parts})
    if known.state == state:
        return
    total = found.counts - _added(part for part in found.parts if not part.shard)
    rows = {p.shard: known.row(p.shard, p.state) or _Row.of(p.state, p.counts) for p in parts}
    lines = [_line("", _Row.of(state, total)), *starmap(_line, rows.items())]
    write_text(layout.root / _FILE, "".join(lines))
    (layout.root / _OLD_FILE).unlink(missing_ok=True)


def page_of_ledger(found: PartedLedger, wanted: Wanted, *, first: int, most: int) -> Ledger:
    """Return the lines asked for and the counts of all that match; only a page of lines is read."""
    if wanted.url or wanted.run:  # what no count knows
        lines = (line for part in found.parts for line in part.lines())
        return ledger(lines, wanted, first=first, most=most)
    matching = _matching(found.counts, wanted)
    shown = _page(found.parts, wanted, first, min(most, max(0, matching.total() - first)))
    return replace(counted(matching), lines=tuple(shown))


def _page(parts: Iterable[LedgerPart], wanted: Wanted, first: int, most: int) -> list[LedgerLine]:
    """Return some lines; no part is asked after the last of them."""
    shown: list[LedgerLine] = []
    before = 0
    for part in parts:
        if len(shown) >= most:
            break
        here = _matching(part.counts, wanted).total()
        if here and before + here > first:
            skipped, missing = max(0, first - before), most - len(shown)
            if part.page is not None:
                shown += part.page(wanted, skipped, missing)
            else:
                shown += ledger(part.lines(), wanted, first=skipped, most=missing).lines
        before += here
    return shown


def _matching(counts: Counts, wanted: Wanted) -> Counts:
    return Counter({key: n for key, n in counts.items() if wanted.matches_key(key)})


def _counted(layout: Layout, layers: tuple[str, str] | None, shard: str, gone: Takedowns) -> Counts:
    """Return the counts of a shard; line by line only where a line may differ from its verdict."""
    columns = judged_columns(layout, layers, shard, gone, ["source"])
    if columns is None:
        return count_lines(shard_lines(layout, layers, shard, gone))
    keys = [*_KEPT_FIELDS, "source"]
    counts: Counts = Counter()
    for row in columns.group_by(keys).aggregate([([], "count_all")]).to_pylist():
        outcome, stage, reason, source = (row[name] for name in keys)
        counts[outcome, stage, reason, source, as_page_kind(stage, reason)] += row["count_all"]
    return counts


def judged_columns(
    layout: Layout,
    layers: tuple[str, str] | None,
    shard: str,
    gone: Takedowns,
    names: Sequence[str],
) -> pa.Table | None:
    """Return columns of a shard with outcome, stage and reason; None if lines may say otherwise."""
    if layers is None:
        return None
    # Arrow's functions are loaded only where something is counted anew.
    import pyarrow.compute as pc

    text = layout.shard("text", layers[0], shard)
    try:
        known = read_columns(text, ["url", *names])
        urls = known.column("url").to_pylist() if gone.entries else ()
        if any(map(gone.covers, urls)) or fatal_documents(text):
            return None
        select = layout.shard("select", layers[1], shard)
        verdicts = read_columns(select, ["verdict"]).column("verdict").combine_chunks()
    except CorruptShard:
        return None
    columns = {name: _texts(pc.struct_field(verdicts, name)) for name in _KEPT_FIELDS}
    columns |= {name: known.column(name) for name in names}
    return pa.table(columns | {"source": _texts(known.column("source"))})


def _texts(column: Any) -> Any:
    return column.cast(pa.string())


def _state(layout: Layout, layers: tuple[str, str] | None, shard: str, gone: Takedowns) -> str:
    """Return what changes when a shard's lines may have."""
    files, ended = [layout.captures(shard)], {}
    if layers is not None:
        text = layout.shard("text", layers[0], shard)
        files, ended = [text, layout.shard("select", layers[1], shard)], fatal_documents(text)
    down = gone.concerning(shard)
    facts = (layers, [file_state(path) for path in files], ended, down)
    return xxhash.xxh3_64_hexdigest(repr(facts).encode())
