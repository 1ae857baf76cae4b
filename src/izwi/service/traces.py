"""What is left of a page that was taken down: other documents that quote it, or link to it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any
from urllib.parse import urljoin

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
_COLUMNS = ["url", "title", "paragraphs", "marks"]


@dataclass(frozen=True, slots=True)
class Trace:
    """A document that quotes what was taken down (some words of it), or links to it."""

    url: str
    title: str
    quotes: str = ""
    links: bool = False


def traces(layout: Layout, config: CorpusConfig, wanted: Takedown) -> tuple[Trace, ...]:
    """Return the documents in the corpus in which something of it stands."""
    covered = (row for row, _ in _documents(layout, config) if wanted.covers(row["url"]))
    runs = {run for row in islice(covered, _MOST_DOCUMENTS) for run in _runs(row)}
    gone = read_takedowns(layout)
    found = (
        _trace(row, runs, wanted)
        for row, is_kept in _documents(layout, config)
        if is_kept and not gone.covers(row["url"])
    )
    return tuple(trace for trace in found if trace.quotes or trace.links)


def _documents(layout: Layout, config: CorpusConfig) -> Iterator[tuple[dict[str, Any], bool]]:
    """Yield the rows of the text layer, and whether each is in the corpus."""
    text, select = verdict_layers(layout, config)
    for shard in layout.sealed_shards():
        if shard not in layout.built_shards("text", text) & layout.built_shards("select", select):
            continue
        rows = read_columns(layout.shard("text", text, shard), _COLUMNS).to_pylist()
        verdicts = read_columns(layout.shard("select", select, shard), ["verdict"]).to_pylist()
        for row, verdict in zip(rows, verdicts, strict=True):
            yield row, verdict["verdict"]["outcome"] == "kept"


def _trace(row: dict[str, Any], runs: set[str], wanted: Takedown) -> Trace:
    quoted = next((run for run in _runs(row) if run in runs), "")
    targets = (canonical(urljoin(row["url"], mark["target"] or "")) for mark in row["marks"])
    is_linked = any(target and wanted.covers(target) for target in targets)
    return Trace(row["url"], row["title"], quoted, is_linked)


def _runs(row: dict[str, Any]) -> Iterator[str]:
    """Yield every run of words in the main text of a document."""
    for paragraph in row["paragraphs"]:
        if paragraph["is_main"]:
            words = paragraph["text"].split()
            for place in range(len(words) - _WORDS + 1):
                yield " ".join(words[place : place + _WORDS])
