"""How many pages came to what in each run: counted by columns, no line is made of any page."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

import numpy as np
import pyarrow as pa

from izwi.config.schema import CorpusConfig
from izwi.model.records import dataclass
from izwi.model.results import LedgerLine
from izwi.service.ledger import (
    Counts,
    Wanted,
    as_page_kind,
    key_of,
    open_lines,
    run_of,
    shard_lines,
    verdict_layers,
)
from izwi.service.ledger_counts import judged_columns
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedowns, read_takedowns

# Outcome, stage, reason, source and kind of lines, and the run in which they came about.
RunKey = tuple[str, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of one kind: how many, and when the last of them came about."""

    number: int
    last: str

    def __add__(self, other: "Lines") -> "Lines":
        return Lines(self.number + other.number, max(self.last, other.last))


RunCounts = dict[RunKey, Lines]


def counts_by_run(
    layout: Layout, config: CorpusConfig, catalog: Catalog, starts: Sequence[str]
) -> RunCounts:
    """Return how many URLs came to what in each run, given when these began."""
    gone = read_takedowns(layout)
    text, select = verdict_layers(layout, config)
    judged = layout.built_shards("select", select) & layout.built_shards("text", text)
    found: RunCounts = {}
    for shard in layout.sealed_shards():
        layers = (text, select) if shard in judged else None
        _add(found, _of_shard(layout, layers, shard, gone, starts))
    _add(found, counted_by_run(open_lines(catalog, gone), starts))
    _add(found, counted_by_run(catalog.ledger_lines(), starts))
    return found


def counted_by_run(lines: Iterable[LedgerLine], starts: Sequence[str]) -> RunCounts:
    """Return how many of some lines there are of each kind in each run."""
    found: RunCounts = {}
    for line in lines:
        key = (*key_of(line), run_of(line.time, starts))
        found[key] = found.get(key, Lines(0, "")) + Lines(1, line.time)
    return found


def of_wanted(counts: RunCounts, wanted: Wanted) -> Counts:
    """Return how many lines there are of each kind that is asked for."""
    found: Counts = Counter()
    for key, lines in counts.items():
        if wanted.matches_key(key[:5]) and wanted.run in ("", key[5]):
            found[key[:5]] += lines.number
    return found


def _add(found: RunCounts, more: RunCounts) -> None:
    for key, lines in more.items():
        found[key] = found.get(key, Lines(0, "")) + lines


def _of_shard(
    layout: Layout,
    layers: tuple[str, str] | None,
    shard: str,
    gone: Takedowns,
    starts: Sequence[str],
) -> RunCounts:
    columns = judged_columns(layout, layers, shard, gone, ["source", "captured"])
    if columns is None:
        return counted_by_run(shard_lines(layout, layers, shard, gone), starts)
    seconds = columns.column("captured").cast(pa.int64()).to_numpy() // 1_000_000
    begins = np.array([_second(start) for start in starts], np.int64)
    runs = np.searchsorted(begins, seconds, side="right")
    keys = ["outcome", "stage", "reason", "source", "run"]
    columns = columns.append_column("run", pa.array(runs)).append_column(
        "second", pa.array(seconds)
    )
    grouped = columns.group_by(keys).aggregate([([], "count_all"), ("second", "max")])
    found: RunCounts = {}
    for row in grouped.to_pylist():
        outcome, stage, reason, source, run = (row[name] for name in keys)
        key = (outcome, stage, reason, source, as_page_kind(stage, reason))
        last = datetime.fromtimestamp(row["second_max"], UTC).isoformat(timespec="seconds")
        _add(found, {(*key, starts[run - 1] if run else ""): Lines(row["count_all"], last)})
    return found


def _second(start: str) -> int:
    """Return when a run began, in seconds since 1970.

    >>> _second("1970-01-02T00-00-01-2")
    86401
    """
    return int(datetime.strptime(f"{start[:19]}+0000", "%Y-%m-%dT%H-%M-%S%z").timestamp())
