"""How many URLs came to what, kept with each shard: nobody counts all lines to know.

`counts.json` in the corpus folder has, for each shard, the state of the files it was counted from
and its counts. What was touched since is counted again; the rest is believed. It is written at the
end of each run, and can be deleted at any time.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
import xxhash

from izwi.config.schema import CorpusConfig
from izwi.model.errors import CorruptShard
from izwi.model.results import Ledger, LedgerLine
from izwi.pipeline.underway import fatal_documents
from izwi.service.ledger import (
    Counts,
    Wanted,
    as_page_kind,
    count_lines,
    ledger,
    open_lines,
    reasons_of,
    shard_lines,
    verdict_layers,
)
from izwi.store.catalog import Catalog
from izwi.store.files import file_state, write_text
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedowns, read_takedowns

_FILE = "counts.json"
_KEPT_FIELDS = ("outcome", "stage", "reason")


@dataclass(frozen=True, slots=True)
class Part:
    """The lines of one shard, or of the queue: how many of which kind, and themselves if wanted."""

    counts: Counts
    lines: Callable[[], Iterator[LedgerLine]]
    # The shard and the state of its files, if its counts can be kept.
    shard: str = ""
    state: str = ""


def ledger_parts(layout: Layout, config: CorpusConfig, catalog: Catalog) -> list[Part]:
    """Return the ledger in parts, in its order."""
    gone, known = read_takedowns(layout), _read(layout)
    text, select = verdict_layers(layout, config)
    judged = layout.built_shards("select", select) & layout.built_shards("text", text)
    found = []
    for shard in layout.sealed_shards():
        layers = (text, select) if shard in judged else None
        lines = partial(shard_lines, layout, layers, shard, gone)
        state = _state(layout, layers, shard, gone)
        counts = _kept(known, shard, state)
        if counts is None:
            counts = _counted(layout, layers, shard, gone)
        found.append(Part(counts, lines, shard, state))
    growing = partial(open_lines, catalog, gone)
    queue = Part(Counter(catalog.ledger_counts()), catalog.ledger_lines)
    return [*found, Part(count_lines(growing()), growing), queue]


def keep_counts(layout: Layout, parts: Sequence[Part]) -> None:
    """Write down what was counted, for who comes next."""
    rows = {
        part.shard: {"state": part.state, "counts": [[*key, n] for key, n in part.counts.items()]}
        for part in parts
        if part.shard
    }
    if rows != _read(layout):
        write_text(layout.root / _FILE, json.dumps(rows, ensure_ascii=False))


def all_counts(parts: Sequence[Part]) -> Counts:
    """Return the counts of all parts together."""
    return sum((part.counts for part in parts), Counter())


def page_of_ledger(parts: Sequence[Part], wanted: Wanted, *, first: int, most: int) -> Ledger:
    """Return the lines asked for and the counts of all that match; only a page of lines is read."""
    if wanted.url or wanted.run:  # what no count knows
        lines = (line for part in parts for line in part.lines())
        return ledger(lines, wanted, first=first, most=most)
    matching = [
        Counter({key: n for key, n in part.counts.items() if wanted.matches_key(key)})
        for part in parts
    ]
    shown: list[LedgerLine] = []
    before = 0
    for part, counts in zip(parts, matching, strict=True):
        here, missing = counts.total(), most - len(shown)
        if missing > 0 and here and before + here > first:
            found = ledger(part.lines(), wanted, first=max(0, first - before), most=missing)
            shown += found.lines
        before += here
    together: Counter[tuple[str, str, str]] = Counter()
    for counts in matching:
        for key, n in counts.items():
            together[key[:3]] += n
    return Ledger(reasons_of(together), tuple(shown), before)


def _counted(layout: Layout, layers: tuple[str, str] | None, shard: str, gone: Takedowns) -> Counts:
    """Return the counts of a shard; line by line only where a line may differ from its verdict."""
    if layers is not None:
        try:
            path = layout.shard("text", layers[0], shard)
            known = read_columns(path, ["url", "source"])
            is_touched = any(
                map(gone.covers, known.column("url").to_pylist() if gone.entries else ())
            )
            if not is_touched and not fatal_documents(path):
                return _by_column(known, layout.shard("select", layers[1], shard))
        except CorruptShard:
            layers = None
    return count_lines(shard_lines(layout, layers, shard, gone))


def _by_column(known: pa.Table, select: Any) -> Counts:
    # Arrow's functions are loaded only where something is counted anew.
    import pyarrow.compute as pc

    verdicts = read_columns(select, ["verdict"]).column("verdict").combine_chunks()
    columns = {name: _texts(pc.struct_field(verdicts, name)) for name in _KEPT_FIELDS}
    columns["source"] = _texts(known.column("source"))
    grouped = pa.table(columns).group_by([*_KEPT_FIELDS, "source"]).aggregate([([], "count_all")])
    counts: Counts = Counter()
    for row in grouped.to_pylist():
        outcome, stage, reason = (row[name] for name in _KEPT_FIELDS)
        counts[outcome, stage, reason, row["source"], as_page_kind(stage, reason)] += row[
            "count_all"
        ]
    return counts


def _texts(column: Any) -> Any:
    return column.cast(pa.string())


def _state(layout: Layout, layers: tuple[str, str] | None, shard: str, gone: Takedowns) -> str:
    """Return what changes when a shard's lines may have."""
    files, ended = [layout.captures(shard)], {}
    if layers is not None:
        text = layout.shard("text", layers[0], shard)
        files, ended = [text, layout.shard("select", layers[1], shard)], fatal_documents(text)
    facts = (layers, [file_state(path) for path in files], ended, gone.entries)
    return xxhash.xxh3_64_hexdigest(repr(facts).encode())


def _kept(known: dict[str, Any], shard: str, state: str) -> Counts | None:
    row = known.get(shard)
    if not isinstance(row, dict) or row.get("state") != state:
        return None
    try:
        return Counter({(*map(str, key),): int(n) for *key, n in row["counts"]})  # type: ignore[misc]
    except (KeyError, TypeError, ValueError):
        return None


def _read(layout: Layout) -> dict[str, Any]:
    try:
        found = json.loads((layout.root / _FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
