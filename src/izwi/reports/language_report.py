"""What languages the documents of a corpus are in, how sure that is, and what became of them."""

from collections import defaultdict
from collections.abc import Iterator
from statistics import mean
from typing import Any

from izwi.config.schema import CorpusConfig
from izwi.model.results import LanguageShare
from izwi.pipeline.stages import plan
from izwi.store.layers import read_columns
from izwi.store.layout import Layout

_COLUMNS = ["language", "score", "reason", "deviation", "threshold", "variety"]


def language_shares(layout: Layout, config: CorpusConfig) -> tuple[LanguageShare, ...]:
    """Return the languages of the documents built so far, the most frequent first."""
    groups = defaultdict(list)
    for row in _rows(layout, config):
        groups[row["language"], row["reason"]].append(row)
    shares = [_share(code, reason, rows) for (code, reason), rows in groups.items() if code]
    return tuple(sorted(shares, key=lambda one: (-one.documents, one.language, one.reason)))


def _rows(layout: Layout, config: CorpusConfig) -> Iterator[dict[str, Any]]:
    made = {stage.spec.writes: stage.fingerprint for stage in plan(config)}
    both = layout.built_shards("lang", made["lang"]) & layout.built_shards("select", made["select"])
    for shard in sorted(both):
        told = read_columns(layout.shard("lang", made["lang"], shard), _COLUMNS)
        judged = read_columns(layout.shard("select", made["select"], shard), ["verdict"])
        verdicts = judged.column("verdict").to_pylist()
        for row, verdict in zip(told.to_pylist(), verdicts, strict=True):
            yield {**row, "is_kept": verdict["outcome"] == "kept"}


def _share(code: str, reason: str, rows: list[dict[str, Any]]) -> LanguageShare:
    measured = [row for row in rows if row["deviation"] is not None]
    scored = [row["variety"]["score"] for row in rows if row["variety"]]
    return LanguageShare(
        code,
        reason,
        len(rows),
        sum(row["is_kept"] for row in rows),
        mean(row["score"] for row in rows),
        sum(row["deviation"] > row["threshold"] for row in measured),
        mean(scored) if scored else None,
    )
