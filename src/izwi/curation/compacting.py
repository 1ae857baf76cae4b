"""Compaction: what was taken down leaves the files, and small shards become larger ones."""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace

from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.curation.takedown import now_text
from izwi.model.results import Notice
from izwi.service.runs import Run
from izwi.store.files import disk_errors
from izwi.store.layout import Layout
from izwi.store.rewriting import join_shards, rewrite_shard
from izwi.store.takedowns import Takedowns, read_takedowns, write_takedowns
from izwi.store.warc import is_whole_list, read_entries


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
