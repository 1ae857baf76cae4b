"""What is left of a page that was taken down: other documents that quote it, or link to it."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from izwi.config.schema import CorpusConfig
from izwi.gather.urls import canonical
from izwi.service.ledger import verdict_layers
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedown, read_takedowns

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
