"""Layers that other thresholds made, taken over: only documents decided about otherwise are done.

A changed threshold decides otherwise about few documents, yet every later layer is known by another
fingerprint since. What was made of the same texts is linked into the folders of the new settings:
in its place where it is right as it is, aside where some documents have to be made anew. Nothing is
in its place that is wrong by what lies beside it, so a kill does no harm: the next build, finding
nothing aside, makes whole shards.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace

from izwi.config.fingerprint import fingerprint
from izwi.model.errors import CorruptShard
from izwi.model.records import dataclass
from izwi.pipeline import touched
from izwi.pipeline.stages import Planned
from izwi.store.files import TEMPORARY, link, make_durable
from izwi.store.layers import rows_that_differ
from izwi.store.layout import Layout, write_recipe

# What is made of verdicts, of judgements about copies, and of what was chosen, in this order.
_LATER = {
    "sift": ("own", "dup", "select", "tokens"),
    "dup": ("select", "tokens"),
    "select": ("tokens",),
}


@dataclass(frozen=True, slots=True)
class Change:
    """Numbers of a shard's documents that are others in a layer, and of those that came or went."""

    rows: Sequence[int]
    moved: Sequence[int]


def take_over(layout: Layout, stages: Sequence[Planned], first: str) -> None:
    """Take over what was made before one layer was made by other settings.

    Nothing is, if there is something of the new settings already.
    """
    now = {planned.spec.writes: planned.fingerprint for planned in stages}
    if any(layout.layer(name, now[name]).exists() for name in _LATER[first]):
        return
    former = _former(layout, stages, first)
    if former is None:
        return
    found = {
        shard: change
        for shard in layout.sealed_shards()
        if (change := _change(layout, now, former, shard, first)) is not None
    }
    if not found:
        return
    if first == "sift":
        _take_owners(layout, stages, former["own"])
    for planned in stages:
        if planned.spec.writes in _LATER[first]:
            write_recipe(layout, planned.spec.writes, planned.fingerprint, planned.recipe)
    touched.note_former_index(layout.layer("dup", now["dup"]), former["segments"])
    for shard, change in found.items():
        _take_shard(layout, now, former, shard, first, change)


def _former(layout: Layout, stages: Sequence[Planned], first: str) -> dict[str, str] | None:
    """Return by which fingerprints the newest layers are known that differ from one on."""
    now = {planned.spec.writes: planned.fingerprint for planned in stages}
    after = stages[[each.spec.writes for each in stages].index(first) + 1 :]
    for old in reversed(layout.fingerprints(first)):
        made = now | {first: old}
        for planned in after:
            upstream = [made[layer] for layer in planned.spec.reads]
            made[planned.spec.writes] = fingerprint(replace(planned.recipe, upstream=upstream))
        is_there = all(layout.layer(each, made[each]).is_dir() for each in _LATER[first])
        if old != now[first] and is_there:
            return made
    return None


def _change(
    layout: Layout, now: Mapping[str, str], former: Mapping[str, str], shard: str, first: str
) -> Change | None:
    """Return what is another in a shard; None if not all of it was made before."""
    new = layout.shard(first, now[first], shard)
    before = [layout.shard(name, former[name], shard) for name in (first, *_LATER[first])]
    if not all(path.exists() for path in (new, *before)):
        return None
    try:
        rows = rows_that_differ(new, before[0])
        moved = rows_that_differ(new, before[0], ["verdict.outcome"]) if first == "sift" else []
    except CorruptShard:  # whoever needs the file says that it is damaged
        return None
    return None if rows is None or moved is None else Change(rows, moved)


def _take_owners(layout: Layout, stages: Sequence[Planned], former: str) -> None:
    """Take over who holds and owns what, but for the lists of shards: all of it at once."""
    own = next(planned for planned in stages if planned.spec.writes == "own")
    folder, old = layout.layer("own", own.fingerprint), layout.layer("own", former)
    made = folder.with_name(f".{folder.name}{TEMPORARY}")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir()
    for path in (*old.glob("*.ngrams"), *old.glob("merged"), *old.glob("groups.json")):
        if path.is_dir():
            shutil.copytree(path, made / path.name, copy_function=link)
        else:
            link(path, made / path.name)
    make_durable(made)
    made.rename(folder)
    make_durable(layout.layers)


def _take_shard(
    layout: Layout,
    now: Mapping[str, str],
    former: Mapping[str, str],
    shard: str,
    first: str,
    change: Change,
) -> None:
    dup = layout.shard("dup", now["dup"], shard)
    # Who came owns something, and who went does no more: that is found out first.
    aside = {"own", "dup"} if change.moved else set()
    aside |= {"select", "tokens"} if change.rows else set()
    touched.note_sifted(dup, change.rows)
    if first == "dup":
        touched.note_former_judgement(dup, layout.shard("dup", former["dup"], shard))
    if not change.moved:
        touched.note_rows(dup, change.rows)
    for name in _LATER[first]:
        old, path = (layout.shard(name, known[name], shard) for known in (former, now))
        if name not in aside:
            link(old, path)
        elif name != "own":
            touched.replaced(path).parent.mkdir(exist_ok=True)
            link(old, touched.replaced(path))
