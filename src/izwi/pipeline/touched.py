"""Which documents of a shard a change touches: only these are made anew, the others are copied.

Texts that have other owners are noted by their hashes, and documents that came or went by their
names. Whoever judges a shard finds out which of its documents hold such a text, and writes down
those whose judgement is another one now; later stages do these alone, and of these only those are
tagged and indexed that were chosen otherwise. All of it lies beside the layers that are kept aside
for the length of a build, and goes with them: the next build, finding nothing, makes whole shards.

What documents that were taken out of a shard owned goes to the next document there that holds it.
Only who holds just that is looked for; all else is taken from the run of hashes there was, and the
result is the same as if the shard were looked at anew.

A changed threshold decides otherwise about few documents, yet every later layer is known by another
fingerprint since. What was made of the same texts is linked into the folders of the new settings:
in its place where it is right as it is, aside where some documents have to be made anew. Nothing is
in its place that is wrong by what lies beside it, so a kill does no harm.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.config.fingerprint import fingerprint
from izwi.dedup.batch import Batch, Hashes, NgramReading, is_among, read_text
from izwi.dedup.ownership import Exclusion
from izwi.dedup.signatures import text_key
from izwi.model.errors import CorruptShard
from izwi.model.records import dataclass
from izwi.pipeline.stages import Planned
from izwi.store.files import TEMPORARY, link, make_durable, write_text
from izwi.store.layers import main_texts, read_columns, rows_that_differ
from izwi.store.layout import Layout, write_recipe
from izwi.store.ownership.hash_runs import NOBODY, mapped
from izwi.store.ownership.shard_runs import (
    Held,
    Holder,
    Holders,
    ShardRun,
    read_held,
    read_holders,
    write_holders,
    write_shard_run,
)
from izwi.store.sums import digest_of

Places = NDArray[np.int64]
# Layers lie here while they are made again, and what did not change is taken from them.
ASIDE = "replaced"


@dataclass(frozen=True, slots=True)
class Again:
    """A shard of a layer that is made again: what it was, and where it is noted what changed."""

    replaced: Path
    # Numbers of the documents to be done; written by who judges, read by who follows.
    rows: Path
    # Hashes of texts that have other owners, and names of documents that came or went.
    hashes: Path
    names: Path
    # Numbers of the documents that other settings decide otherwise about, whoever owns their text.
    sifted: Path
    # Numbers of those that were chosen otherwise, or came or went; written by who selects.
    chosen: Path


def replaced(path: Path) -> Path:
    """Return where a layer is kept while it is made again."""
    return path.parent / ASIDE / path.name


def hashes_beside(layer: Path) -> Path:
    """Return where the hashes of texts with other owners are noted."""
    return layer / ASIDE / "hashes"


def names_beside(layer: Path, shard: str) -> Path:
    """Return where the names are noted of a shard's documents that came or went."""
    return layer / ASIDE / f"{shard}.names"


def rows_beside(dup: Path) -> Path:
    """Return where the documents are noted that were judged otherwise."""
    return dup.parent / ASIDE / f"{dup.stem}.rows"


def sifted_beside(dup: Path) -> Path:
    """Return where the documents are noted that other settings decide otherwise about."""
    return dup.parent / ASIDE / f"{dup.stem}.sifted"


def chosen_beside(dup: Path) -> Path:
    """Return where the documents are noted that were chosen otherwise, or came or went."""
    return dup.parent / ASIDE / f"{dup.stem}.chosen"


def whole_beside(path: Path) -> Path:
    """Return the sign that a layer kept aside is to be made anew as a whole."""
    return path.parent / ASIDE / f"{path.stem}.whole"


def read_hashes(path: Path) -> Hashes:
    """Return what was noted, sorted; mapped, so that no more is read than is looked at."""
    return mapped(path, np.dtype(np.uint64)) if path.exists() else np.empty(0, np.uint64)


def note_names(layer: Path, shard: str, names: Sequence[str]) -> None:
    """Note which documents of a shard came or went."""
    path = names_beside(layer, shard)
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(sorted({*names, *read_names(path)})), encoding="utf-8")


def read_names(path: Path) -> list[str]:
    """Return the names that were noted."""
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else []


def note_rows(dup: Path, rows: Sequence[int]) -> None:
    """Note which documents of a shard are to be done."""
    _write_rows(rows_beside(dup), rows)


def forget_rows(dup: Path) -> None:
    """Forget which documents of a shard are to be done, and which were chosen otherwise."""
    rows_beside(dup).unlink(missing_ok=True)
    chosen_beside(dup).unlink(missing_ok=True)


def note_sifted(dup: Path, rows: Sequence[int]) -> None:
    """Note which documents of a shard other settings decide otherwise about."""
    _write_rows(sifted_beside(dup), rows)


def _write_rows(path: Path, rows: Sequence[int]) -> None:
    path.parent.mkdir(exist_ok=True)
    write_text(path, json.dumps(sorted(rows)))


def note_former_index(dup: Path, fingerprint: str) -> None:
    """Note by what the index knows the shards of layers that were taken over."""
    path = _former_index(dup)
    path.parent.mkdir(exist_ok=True)
    write_text(path, fingerprint)


def former_index(dup: Path) -> str:
    """Return by what the index knows shards that were taken over; empty if none was."""
    path = _former_index(dup)
    return path.read_text(encoding="utf-8") if path.exists() else ""


def note_former_judgement(dup: Path, former: Path) -> None:
    """Note by which judgement the index knows a shard, if that was made by other settings."""
    path = _former_judgement(dup)
    path.parent.mkdir(exist_ok=True)
    write_text(path, digest_of(former))


def judgement_before(dup: Path) -> str:
    """Return the sum of the judgement by which the index knows a shard; empty if none is known."""
    if (noted := _former_judgement(dup)).exists():
        return noted.read_text(encoding="utf-8")
    # Of what was taken over, and not judged again, the judgement is what it was.
    old = dup if former_index(dup.parent) and not replaced(dup).exists() else replaced(dup)
    return digest_of(old) if old.exists() else ""


def _former_judgement(dup: Path) -> Path:
    return dup.parent / ASIDE / f"{dup.stem}.judged"


def _former_index(dup: Path) -> Path:
    return dup / ASIDE / "index"


def read_rows(path: Path) -> list[int] | None:
    """Return which documents are to be done; None if that is not known, so all are."""
    return list(json.loads(path.read_text(encoding="utf-8"))) if path.exists() else None


def rows_to_index(dup: Path) -> list[int] | None:
    """Return which documents of a shard are others in the index; None if that is not known.

    Whom a document has its text from is no part of it, but for whole copies, of which who selects
    knows.
    """
    chosen = read_rows(chosen_beside(dup))
    return read_rows(rows_beside(dup)) if chosen is None else chosen


def rows_holding(
    text: Path, sign: Path, hashes: Hashes, reading: NgramReading, least: int = 1
) -> list[int]:
    """Return which documents of a shard hold texts that are known by so many of these hashes."""
    found = (rows for _, rows in keys_of_documents(text, sign, hashes, reading))
    rows, counts = np.unique(np.concatenate([np.empty(0, np.int64), *found]), return_counts=True)
    return [int(row) for row in rows[counts >= least]]


def keys_of_documents(
    text: Path, sign: Path, hashes: Hashes, reading: NgramReading
) -> Iterator[tuple[Hashes, NDArray[np.int64]]]:
    """Yield which of some sorted hashes stand in a shard, each with the number of its document."""
    if not len(hashes):
        return
    first = 0
    for some in main_texts(text):
        batch = read_text(np.frombuffer(some, np.uint8), reading)
        for keys, rows in keys_within(batch, hashes):
            yield keys, first + rows
        first += len(batch.document_ends)
    keys = text_keys(sign)
    found = np.flatnonzero(is_among(keys, hashes))
    yield keys[found], found


def keys_within(batch: Batch, hashes: Hashes) -> Iterator[tuple[Hashes, NDArray[np.int64]]]:
    """Yield which of some sorted hashes stand in a batch, each with the place of its document."""
    for keys, ends in (
        (batch.ngrams, batch.document_ends),
        (batch.block_keys, batch.blocks_until),
        (batch.document_keys, np.arange(1, len(batch.document_ends) + 1)),
    ):
        found = np.flatnonzero(is_among(keys, hashes))
        yield keys[found], np.searchsorted(ends, found, side="right")


def text_keys(sign: Path) -> Hashes:
    """Return by what the whole texts of a shard's documents are known."""
    signatures = read_columns(sign, ["signature"]).column("signature").to_pylist()
    return np.array([text_key(each) for each in signatures], np.uint64)


def keys_at_ends(sign: Path, column: str, hashes: Hashes) -> Iterator[tuple[Hashes, Places]]:
    """Yield which of some sorted hashes are known of the ends of pages, with their documents."""
    # Loaded only where it is needed: a build with nothing to do reads this module, too.
    import pyarrow.compute as pc

    keys = read_columns(sign, [column]).column(column).combine_chunks()
    parents = pc.list_parent_indices(keys).to_numpy(zero_copy_only=False)
    values = keys.flatten().to_numpy(zero_copy_only=False)
    found = np.flatnonzero(is_among(values, hashes))
    yield values[found], parents[found].astype(np.int64)


def rows_named(text: Path, names: Sequence[str]) -> list[int]:
    """Return which documents of a shard have these names."""
    wanted = set(names)
    if not wanted:
        return []
    ids = read_columns(text, ["id"]).column("id").to_pylist()
    return [row for row, each in enumerate(ids) if each in wanted]


def disown(
    old: Path, output: Path, excluded: Exclusion, reading: NgramReading, *, text: Path, sign: Path
) -> bool:
    """Write a shard's run and list without what is out now; return whether that can be done.

    Documents that were put back have to be read: what they hold is not known here. So has the whole
    shard if what there was cannot be read any more.
    """
    try:
        before = read_holders(old)
        held = read_held(ShardRun(output.parent, output.stem, before.run))
    except CorruptShard:
        return False
    if any(each.is_excluded and not excluded.covers(each.url) for each in before.documents):
        return False
    ids = read_columns(text, ["id"]).column("id").to_pylist()
    if not {each.document for each in before.documents} <= set(ids):
        return False
    out = {each.document for each in before.documents if excluded.covers(each.url)}
    numbers = {name: place for place, name in enumerate(held.names) if name not in out}
    places = np.array([numbers.get(each, NOBODY) for each in ids], np.int64)
    made = _without(_inherited(held, out, places, reading, text, sign), out)
    digest = write_shard_run(output.parent, output.stem, made)
    write_holders(output, digest, _listed(before, out, ids))
    return True


def _inherited(
    held: Held, out: set[str], places: Places, reading: NgramReading, text: Path, sign: Path
) -> Held:
    """Return the run with what is lost given to the next who holds it, or left out."""
    nameless = len(held.names) - 1
    is_out = np.array([name in out for name in held.names], np.bool_)
    # Who only asks may ask for less now, and holds what nobody else does any more.
    is_lost = is_out[held.owners] | (held.owners == nameless)
    lost: Hashes = held.hashes[is_lost]
    heirs = np.full(len(lost), NOBODY, np.int64)
    if len(lost):
        for found, rows in keys_of_documents(text, sign, lost, reading):
            np.minimum.at(heirs, np.searchsorted(lost, found), places[rows])
        asking = np.where(places == NOBODY, NOBODY, nameless)
        for holders, column in ((places, "furniture_keys"), (asking, "edge_keys")):
            for found, rows in keys_at_ends(sign, column, lost):
                np.minimum.at(heirs, np.searchsorted(lost, found), holders[rows])
    owners = held.owners.copy()
    owners[is_lost] = heirs
    stays = owners != NOBODY
    return replace(held, hashes=held.hashes[stays], owners=owners[stays])


def _without(held: Held, out: set[str]) -> Held:
    """Return the run without documents that own nothing any more, the others counted anew."""
    stays = np.array([name not in out for name in held.names], np.bool_)
    kept = np.flatnonzero(stays).tolist()
    sizes = np.asarray(np.diff(held.gram_ends.astype(np.int64), prepend=0), np.int64)
    moved = np.cumsum(stays) - 1
    return Held(
        [held.names[place] for place in kept],
        [held.publications[place] for place in kept],
        [held.ranks[place] for place in kept],
        held.hashes,
        moved[held.owners].astype(np.uint32),
        held.grams[np.repeat(stays, sizes)],
        np.cumsum(sizes[stays]).astype(np.uint64),
    )


def _listed(before: Holders, out: set[str], ids: list[str]) -> list[Holder]:
    rows = {name: row for row, name in enumerate(ids)}
    stays = [each for each in before.documents if each.document not in out]
    gone = [replace(each, is_excluded=True) for each in before.documents if each.document in out]
    return stays + sorted(gone, key=lambda each: rows[each.document])


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
    note_former_index(layout.layer("dup", now["dup"]), former["segments"])
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
    note_sifted(dup, change.rows)
    if first == "dup":
        note_former_judgement(dup, layout.shard("dup", former["dup"], shard))
    if not change.moved:
        note_rows(dup, change.rows)
    for name in _LATER[first]:
        old, path = (layout.shard(name, known[name], shard) for known in (former, now))
        if name not in aside:
            link(old, path)
        elif name != "own":
            replaced(path).parent.mkdir(exist_ok=True)
            link(old, replaced(path))
