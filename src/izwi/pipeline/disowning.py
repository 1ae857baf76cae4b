"""A shard's run of hashes without documents that were taken out of it.

What they owned goes to the next document of the shard that holds it. Only who holds just that is
looked for; all else is taken from the run there was, and the result is the same as if the shard
were looked at anew.
"""

from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Hashes, NgramReading
from izwi.dedup.ownership import Exclusion
from izwi.model.errors import CorruptShard
from izwi.pipeline.touched import keys_of_documents
from izwi.store.layers import read_columns
from izwi.store.ownership.hash_runs import NOBODY
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

Places = NDArray[np.int64]


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
    is_out = np.array([name in out for name in held.names], np.bool_)
    is_lost = is_out[held.owners]
    lost: Hashes = held.hashes[is_lost]
    heirs = np.full(len(lost), NOBODY, np.int64)
    if len(lost):
        for found, rows in keys_of_documents(text, sign, lost, reading):
            np.minimum.at(heirs, np.searchsorted(lost, found), places[rows])
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
