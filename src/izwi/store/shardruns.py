"""What a shard's documents are first to hold: a run of hashes, their names, their short n-grams.

The folder lies beside the shard's list of owners and is whole before that list is written. Owners
are counted from the shard's own first document, so a run stays true wherever its shard stands.
"""

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard
from izwi.store.ngrams import NOBODY, Hashes, Owners, Run, open_run, write_run_folder

Sketch = NDArray[np.uint32]


def ngrams_beside(owners: Path) -> Path:
    """Return the folder of n-grams that belongs to a shard's list of owners."""
    return owners.with_suffix(".ngrams")


def write_shard_run(
    folder: Path,
    hashes: tuple[Hashes, Owners],
    names: Sequence[str],
    sketches: tuple[Sketch, NDArray[np.int64]],
) -> None:
    """Write a shard's sorted hashes with their owners, and its documents in order of rank."""
    made = write_run_folder(folder.parent, *hashes)
    grams, ends = sketches
    (made / "names.json").write_text(json.dumps(list(names)), encoding="utf-8")
    grams.tofile(made / "grams")
    ends.astype(np.uint64).tofile(made / "gram_ends")
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)


@dataclass(frozen=True, slots=True)
class _Shard:
    run: Run
    names: list[str]
    ends: NDArray[np.uint64]
    base: int


class Library:
    """The runs of some shards in corpus order, asked as one; documents are numbered through."""

    def __init__(self, owners: Sequence[Path]) -> None:
        self._paths = owners

    @cached_property
    def _shards(self) -> list[_Shard]:
        shards: list[_Shard] = []
        base = 0
        for path in self._paths:
            shards.append(_open(path, base))
            base += len(shards[-1].names)
        return shards

    @property
    def documents(self) -> int:
        """How many documents the shards hold."""
        return sum(len(shard.names) for shard in self._shards)

    @cached_property
    def number_by_name(self) -> dict[str, int]:
        """The documents of the last shard by their ids, as they are numbered."""
        if not self._shards:
            return {}
        last = self._shards[-1]
        return {name: last.base + place for place, name in enumerate(last.names)}

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known here."""
        for shard in self._shards:
            is_open = owners == NOBODY
            shard.run.fill(keys, owners)
            owners[is_open & (owners != NOBODY)] += np.uint32(shard.base)

    def name(self, document: int) -> str:
        """Return the id of a document by its number."""
        shard = self._holding(document)
        return shard.names[document - shard.base]

    def sketch(self, document: int) -> Sketch:
        """Return the short n-grams of a document."""
        shard = self._holding(document)
        place = document - shard.base
        first = int(shard.ends[place - 1]) if place else 0
        count = int(shard.ends[place]) - first
        return np.fromfile(shard.run.folder / "grams", np.uint32, count, offset=4 * first)

    def _holding(self, document: int) -> _Shard:
        return next(shard for shard in reversed(self._shards) if shard.base <= document)


def _open(owners: Path, base: int) -> _Shard:
    folder = ngrams_beside(owners)
    try:
        names = json.loads((folder / "names.json").read_text(encoding="utf-8"))
        ends = np.fromfile(folder / "gram_ends", np.uint64)
        return _Shard(open_run(folder, is_mapped=True), names, ends, base)
    except (OSError, ValueError, CorruptShard) as error:
        # Named by the list of owners: without it, both are made again.
        message = f"{folder} is damaged or missing ({error})."
        raise CorruptShard(message, str(owners)) from error
