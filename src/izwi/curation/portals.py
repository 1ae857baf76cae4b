"""A portal's pages looked at together: which elements they have, and which rules would fit."""

from collections.abc import Iterator, Set
from itertools import islice

from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.model.capture import Page
from izwi.model.errors import CorruptShard, QueryError
from izwi.model.portal import Inventory, Suggestion
from izwi.service.ledger import verdict_layers
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.decode import decode
from izwi.text.extract.base import unsuitable


def tags(
    layout: Layout, config: CorpusConfig, source: str, *, body: str, pages: int, least: int
) -> Inventory:
    """Return the tags of a source's pages and their merged tree."""
    from izwi.text.portal.inventory import inventory

    chosen = body or (config.portals[source].body if source in config.portals else "")
    return inventory(_found(layout, config, source, pages), chosen, least)


def suggestion(layout: Layout, config: CorpusConfig, source: str, *, pages: int) -> Suggestion:
    """Return rules that fit a source's pages."""
    from izwi.text.portal.suggesting import suggest

    kept, copies = _documents(layout, config)
    # Copies are made like their originals; before the first build nobody knows either.
    for among in (kept, kept | copies, None):
        found = _found(layout, config, source, pages, among)
        if len(found) >= _FEWEST_DOCUMENTS:
            break
    return suggest([html for _, html in found])


# What pages have in common is not seen on fewer.
_FEWEST_DOCUMENTS = 3


def _documents(layout: Layout, config: CorpusConfig) -> tuple[frozenset[str], frozenset[str]]:
    """Return the addresses of documents with a date, articles and not lists, and of copies."""
    text, select = verdict_layers(layout, config)
    judged = layout.built_shards("text", text) & layout.built_shards("select", select)
    kept, copies = set[str](), set[str]()
    for shard in judged:
        rows = read_columns(layout.shard("text", text, shard), ["url", "date"]).to_pylist()
        verdicts = read_columns(layout.shard("select", select, shard), ["verdict"]).to_pylist()
        for row, judged_row in zip(rows, verdicts, strict=True):
            verdict = judged_row["verdict"]
            if row["date"] and verdict["outcome"] == "kept":
                kept.add(row["url"])
            elif row["date"] and verdict["stage"] == "dedup":
                copies.add(row["url"])
    return frozenset(kept), frozenset(copies)


def _found(
    layout: Layout, config: CorpusConfig, source: str, most: int, among: Set[str] | None = None
) -> list[tuple[str, str]]:
    """Return the pages of a source, of all or of some addresses."""
    if source not in {one.name for one in config.sources}:
        known = ", ".join(sorted(one.name for one in config.sources))
        raise QueryError(f"There is no source '{source}'; there are: {known or 'none'}.")
    found = source_pages(layout, config, source)
    pages = list(islice((page for page in found if among is None or page[0] in among), most))
    if not pages and among is None:
        raise QueryError(f"The source '{source}' has no pages yet. Run: izwi gather")
    return pages


def source_pages(
    layout: Layout, config: CorpusConfig, source: str = ""
) -> Iterator[tuple[str, str]]:
    """Yield the address and markup of each page of a source, or of all, each address once."""
    limit = size_bytes(config.extract.max_size)
    seen: set[str] = set()
    for shard in layout.sealed_shards():
        for entry in read_entries(layout.captures(shard)):
            is_wanted = not source or entry.source == source
            if not is_wanted or entry.url in seen or unsuitable(Page(entry)):
                continue
            try:
                capture = read_capture(layout.warc(shard), entry)
                body = decoded_body(capture, limit)
            except (CorruptShard, OversizedBody, ValueError):
                continue  # the ledger tells of these; here other pages do as well
            seen.add(entry.url)
            yield entry.url, decode(body, capture.header("Content-Type")).text
