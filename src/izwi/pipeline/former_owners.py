"""Who owned the texts that have other owners now, and which documents that judges otherwise.

A page that was taken down owned turns of phrase in every shard; hardly a document that holds one is
judged otherwise without it. So the texts of a shard are judged twice, by the owners of before and
by those of now, in arrays; documents are made only of those whose judgements differ.

Documents of both times have to be compared by rank. The number of one of today is made larger by a
factor, so that those that are gone find a place between them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Hashes, NgramReading, Sketch, is_among, joined, read_text
from izwi.dedup.copied_blocks import Judged, Settings, judge_blocks, judged_otherwise
from izwi.index.columns import distinct
from izwi.model.records import dataclass
from izwi.pipeline import touched
from izwi.store.files import replacing
from izwi.store.layers import main_texts, read_columns
from izwi.store.ownership.hash_runs import NOBODY, Owners, Part
from izwi.store.ownership.library import Library
from izwi.store.ownership.shard_runs import RANK, Ranks

# Of more hashes, or of more owners that are gone, it is not noted who they were: then whatever
# holds one of them is judged.
_MOST_HASHES, _MOST_GONE = 1 << 21, 1000
# Documents judged at a time.
_TOGETHER = 500
_HASH = np.dtype([("hash", np.uint64), ("owner", RANK)])


def write_changes(path: Path, hashes: Hashes, owners: Ranks) -> None:
    """Write whose texts have other owners now, in order, each once."""
    found, places = np.unique(hashes, return_index=True)
    changes = np.empty(len(found), _HASH)
    changes["hash"], changes["owner"] = found, owners[places]
    changes.tofile(path)


def note_changes(
    layer: Path, found: Iterable[tuple[Part, Path]], before: Library, after: Library
) -> None:
    """Note whose owners changed, part by part, with what was noted before in this build.

    All parts are given, in order: so what is noted is sorted, and no more than a part is held.
    """
    path, count = touched.hashes_beside(layer), 0
    path.parent.mkdir(exist_ok=True)
    earlier = touched.read_hashes(path)
    owners = [np.empty(0, RANK)]
    with replacing(path) as temporary, temporary.open("wb") as file:
        for part, changes in found:
            read = np.fromfile(changes, _HASH)
            distinct(np.concatenate((part.of(earlier), read["hash"]))).tofile(file)
            count += len(read)
            if count <= _MOST_HASHES and not len(earlier):
                owners.append(np.array(read["owner"]))
    _owners_beside(path).unlink(missing_ok=True)
    # Of what changed twice it would have to be known what was judged by the one and by the other.
    if count <= _MOST_HASHES and not len(earlier):
        _note_owners(_owners_beside(path), np.concatenate(owners), before, after)


def _note_owners(path: Path, owners: Ranks, before: Library, after: Library) -> None:
    known, which = np.unique(owners, return_inverse=True)
    _, are_there = after.places(known)
    gone = known[~are_there]
    if len(gone) > _MOST_GONE:
        return
    sketches = [before.sketch(number) for number in before.places(gone)[0].tolist()]
    grams = np.concatenate([np.empty(0, np.uint32), *sketches])
    ends = np.cumsum([len(each) for each in sketches], dtype=np.int64)
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez(file, known=known, which=which.astype(np.uint32), grams=grams, ends=ends)


def _owners_beside(hashes: Path) -> Path:
    return hashes.with_name("owners.npz")


@dataclass(frozen=True, slots=True)
class Former:
    """Texts with other owners than before, and the documents of both times in one numbering."""

    hashes: Hashes
    # Who owned each of them.
    owners: Owners
    # The short n-grams of those that are gone.
    sketches: Sequence[Sketch]
    library: Library

    @property
    def step(self) -> int:
        """How many numbers there are for one document of today: the last of them is its own."""
        return len(self.sketches) + 1

    def sketch(self, document: int) -> Sketch:
        """Return the short n-grams of a document of one of both times."""
        number, gone = divmod(document, self.step)
        return self.library.sketch(number) if gone == self.step - 1 else self.sketches[gone]

    def numbered(self, numbers: Owners) -> Owners:
        """Return the numbers of today's documents among those of both times."""
        found = numbers * np.uint32(self.step) + np.uint32(self.step - 1)
        return np.where(numbers == NOBODY, NOBODY, found).astype(np.uint32)

    def before(self, keys: Hashes, owners: Owners) -> Owners:
        """Return the owners of keys as they were, given those of now."""
        found = np.flatnonzero(is_among(keys, self.hashes))
        former = owners.copy()
        former[found] = self.owners[np.searchsorted(self.hashes, keys[found])]
        return former


def _read_former(hashes: Path, library: Library) -> Former | None:
    """Return what is noted of former owners; None if that is nothing."""
    path = _owners_beside(hashes)
    if not path.exists():
        return None
    with np.load(path) as noted:
        known, which, grams, ends = (noted[each] for each in ("known", "which", "grams", "ends"))
    places, are_there = library.places(known)
    step = len(ends) + 1
    if np.sum(~are_there) != len(ends) or (library.size + 1) * step >= NOBODY:
        return None
    owners = places * step + np.where(are_there, step - 1, np.cumsum(~are_there) - 1)
    sketches = np.split(grams, ends[:-1])[: len(ends)]
    return Former(
        np.array(touched.read_hashes(hashes)), owners.astype(np.uint32)[which], sketches, library
    )


def rows_to_judge(
    inputs: Mapping[str, Path], noted: Path, library: Library, settings: Settings
) -> list[int]:
    """Return which documents of a shard are judged otherwise since texts have other owners.

    Where it is not known who these were, whatever holds such a text is among them.
    """
    text, sign = inputs["text"], inputs["sign"]
    former = _read_former(noted, library)
    if former is None:
        hashes = touched.read_hashes(noted)
        rows = touched.rows_holding(text, sign, hashes, settings.reading)
        return sorted({*rows, *_rows_asking(sign, hashes)})
    return _rows_judged_otherwise(text, sign, former, settings)


def _rows_judged_otherwise(text: Path, sign: Path, former: Former, settings: Settings) -> list[int]:
    if not len(former.hashes):
        return []
    number_by_name = former.library.number_by_name
    ids = read_columns(text, ["id"]).column("id").to_pylist()
    numbers = np.array([number_by_name.get(each, NOBODY) for each in ids], np.uint32)
    # A whole text that has another owner is a copy of that one now.
    is_other = is_among(touched.text_keys(sign), former.hashes)
    is_other[_rows_asking(sign, former.hashes)] = True
    for rows, batch in _holding(text, former.hashes, numbers != NOBODY, settings.reading):
        is_other[rows] |= _are_other(batch, numbers[rows], former, settings)
    return [int(row) for row in np.flatnonzero(is_other & (numbers != NOBODY))]


def _rows_asking(sign: Path, hashes: Hashes) -> list[int]:
    """Return which documents ask whether other pages leave out what has one of these hashes."""
    return [
        row for _, rows in touched.keys_at_ends(sign, "edge_keys", hashes) for row in rows.tolist()
    ]


def _holding(
    text: Path, hashes: Hashes, are_known: NDArray[np.bool_], reading: NgramReading
) -> Iterator[tuple[NDArray[np.int64], Batch]]:
    """Yield the known documents that hold texts with these hashes, some hundred at a time.

    Looked up a few at a time, they would have each page of the large runs looked at again.
    """
    first, found, rows = 0, list[Batch](), list[int]()
    for some in main_texts(text):
        batch = read_text(np.frombuffer(some, np.uint8), reading)
        held = [places for _, places in touched.keys_within(batch, hashes)]
        places = distinct(np.concatenate(held))
        places = places[are_known[first + places]]
        found += [batch.some(places)]
        rows += (first + places).tolist()
        first += len(batch.document_ends)
        if len(rows) >= _TOGETHER:
            yield np.array(rows), joined(found)
            found, rows = [], []
    if rows:
        yield np.array(rows), joined(found)


def _are_other(
    batch: Batch, numbers: Owners, former: Former, settings: Settings
) -> NDArray[np.bool_]:
    keys = (batch.ngrams, batch.block_keys, batch.document_keys)
    now = tuple(former.numbered(former.library.owners(each)) for each in keys)
    before = tuple(former.before(*each) for each in zip(keys, now, strict=True))
    own = former.numbered(numbers)

    def judged(owners: tuple[Owners, Owners, Owners]) -> Judged:
        return judge_blocks(batch, own, owners, settings, former)

    return judged_otherwise((before[0], before[1], before[2]), (now[0], now[1], now[2]), judged)
