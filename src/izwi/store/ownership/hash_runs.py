"""Runs: sorted 64-bit hashes with the numbers of the documents that own them, on disk.

A run is a folder that is never changed. Its files are mapped; its fingerprints stay in memory as
long as the setting allows, the hashes are looked at only to verify a hit. Runs are merged like an
LSM tree.
"""

import mmap
import os
import shutil
import uuid
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard, unreadable
from izwi.model.records import dataclass
from izwi.store.files import TEMPORARY, make_durable

Hashes = NDArray[np.uint64]
Owners = NDArray[np.uint32]

NOBODY = np.uint32(0xFFFFFFFF)
# Hashes per entry of a run's directory, on average: 2.25 bytes of memory per hash in all.
_PER_ENTRY_BITS = 4
# So many runs of about the same size are merged into one.
_FAN = 4
# Hashes merged at a time, at most; a merge of so many takes about so many bytes for each.
_CHUNK, _BYTES_MERGED = 1 << 20, 64
# Bytes of memory for each hash of a part: what tells where they are is written in memory.
_BYTES_IN_PART = 16
_MOST_PART_BITS = 12
_FILES: dict[str, np.dtype[Any]] = {
    "hashes": np.dtype(np.uint64),
    "owners": np.dtype(np.uint32),
    "prints": np.dtype(np.uint16),
    "directory": np.dtype(np.uint32),
}


@dataclass(frozen=True, slots=True)
class Part:
    """One of the equal parts of all hashes: those whose first bits are a number."""

    number: int = 0
    bits: int = 0

    @property
    def first(self) -> int:
        """The smallest hash there may be in it."""
        return self.number << (64 - self.bits)

    @property
    def width(self) -> int:
        """How many hashes there may be in it."""
        return 1 << (64 - self.bits)

    def entries(self, bits: int) -> tuple[int, int]:
        """Return by how much a hash is shifted, and what is taken off, to find its entry."""
        return 64 - self.bits - bits, self.number << bits

    def within(self, parts: int) -> range:
        """Return which of so many parts, numbered, this one lies in or holds.

        >>> list(Part(5, bits=3).within(4)), list(Part(1, bits=1).within(4))
        ([2], [2, 3])
        """
        finer = parts.bit_length() - 1 - self.bits
        if finer < 0:
            return range(self.number >> -finer, (self.number >> -finer) + 1)
        return range(self.number << finer, (self.number + 1) << finer)

    def of(self, hashes: Hashes) -> Hashes:
        """Return what lies in it of sorted hashes.

        >>> Part(1, bits=2).of(np.array([5, 1 << 62, (2 << 62) - 1, 2 << 62], np.uint64)).tolist()
        [4611686018427387904, 9223372036854775807]
        """
        return hashes[self.slice(hashes)]

    def slice(self, hashes: Hashes) -> slice:
        """Return where in sorted hashes it lies."""
        last = np.uint64(self.first + self.width - 1)
        start = int(np.searchsorted(hashes, np.uint64(self.first)))
        return slice(start, int(np.searchsorted(hashes, last, side="right")))


ALL = Part()


def parts_for(count: int, memory_bytes: int) -> list[Part]:
    """Return the parts into which so many hashes are divided, so that each fits into memory.

    >>> len(parts_for(300_000_000, 256 << 20)), len(parts_for(0, 256 << 20))
    (32, 1)
    """
    most = max(1, memory_bytes // _BYTES_IN_PART)
    bits = min(_MOST_PART_BITS, (max(0, count - 1) // most).bit_length())
    return [Part(number, bits) for number in range(1 << bits)]


@dataclass(frozen=True, slots=True)
class Run:
    """One run, opened: all its files are mapped."""

    folder: Path
    hashes: Hashes
    owners: Owners
    prints: NDArray[np.uint16]
    directory: NDArray[np.uint32]
    # Whether its fingerprints may stay in memory once they were looked at.
    is_held: bool = True
    # All its hashes are of this part, and so are those it is asked for.
    part: Part = ALL

    @property
    def name(self) -> str:
        """Its name in the manifest."""
        return self.folder.name

    @property
    def filter_bytes(self) -> int:
        """What its fingerprints cost in memory."""
        return self.prints.nbytes + self.directory.nbytes

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of those keys without one that this run holds."""
        which, places = self._candidates(keys, owners)
        if not len(which):
            return
        # In the order of the run, so that every page of it is looked at once.
        order = np.argsort(places)
        which, places = which[order], places[order]
        is_here = self.hashes[places] == keys[which]
        owners[which[is_here]] = self.owners[places[is_here]]
        self.release()

    def release(self) -> None:
        """Give the pages of the mapped files back; they stay in the system's cache."""
        filters = () if self.is_held else (self.prints, self.directory)
        for array in (self.hashes, self.owners, *filters):
            mapped = getattr(array, "_mmap", None)
            if mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
                mapped.madvise(mmap.MADV_DONTNEED)

    def _candidates(
        self, keys: Hashes, owners: Owners
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        from izwi.kernels.hashruns import probe

        room = len(keys) + 1024
        entries = self.part.entries((len(self.directory) - 1).bit_length() - 1)
        while True:
            which, places = np.empty(room, np.int64), np.empty(room, np.int64)
            found = probe(
                keys, owners, int(NOBODY), self.prints, self.directory, *entries, which, places
            )
            if found >= 0:
                return which[:found], places[:found]
            room *= 2


class RunWriter:
    """Writes a run of at most `count` hashes piece by piece, in order of the hashes.

    All of it goes to files: a run of a thousand million hashes takes no more memory than a piece.
    """

    def __init__(self, parent: Path, count: int, part: Part = ALL) -> None:
        self._folder = parent / f".{uuid.uuid4().hex}{TEMPORARY}"
        self._folder.mkdir(parents=True)
        self._bits, self._part = _directory_bits(count), part
        self._prints = _new_file(self._folder / "prints", np.dtype(np.uint16), count)
        entries = (1 << self._bits) + 1
        self._directory = _new_file(self._folder / "directory", np.dtype(np.uint32), entries)
        self._done = self._entry = 0

    def write(self, hashes: Hashes, owners: Owners) -> None:
        """Add the next hashes."""
        from izwi.kernels.hashruns import fill_fingerprints

        entries = self._part.entries(self._bits)
        self._entry = fill_fingerprints(
            hashes, self._done, *entries, self._prints, self._directory, self._entry
        )
        self._done += len(hashes)
        for name, array in (("hashes", hashes), ("owners", owners)):
            with (self._folder / name).open("ab") as file:
                array.tofile(file)

    def close(self, name: str = "") -> Path:
        """Give the run its name and return its folder."""
        self._directory[self._entry :] = self._done
        for array in (self._prints, self._directory):
            if isinstance(array, np.memmap):
                array.flush()
        size = self._done * self._prints.itemsize
        del self._prints, self._directory
        os.truncate(self._folder / "prints", size)
        folder = self._folder.with_name(name or uuid.uuid4().hex)
        shutil.rmtree(folder, ignore_errors=True)
        # A folder with a name that is waited for is believed as soon as it is there.
        for path in self._folder.iterdir() if name else ():
            make_durable(path)
        return self._folder.rename(folder)


def _new_file(path: Path, kind: np.dtype[Any], count: int) -> NDArray[Any]:
    """Return numbers that are written into a new file when they are set."""
    if count:
        return np.memmap(path, kind, "w+", shape=(count,))
    path.touch()
    return np.empty(0, kind)


def _directory_bits(count: int) -> int:
    """Return how many of a hash's first bits choose its entry in the directory."""
    return max(1, int(count).bit_length() - _PER_ENTRY_BITS)


def write_run_folder(parent: Path, keys: Hashes, owners: Owners, name: str = "") -> Path:
    """Write sorted keys and their owners as a run and return its folder."""
    writer = RunWriter(parent, len(keys))
    writer.write(keys, owners)
    return writer.close(name)


def open_run(folder: Path, *, is_held: bool = True, part: Part = ALL) -> Run:
    """Open a run; nothing of it is read yet."""
    try:
        arrays = {name: mapped(folder / name, kind) for name, kind in _FILES.items()}
    except (OSError, ValueError) as error:
        raise unreadable(f"{folder} is damaged or missing ({error}).", folder, error) from error
    run = Run(folder, **arrays, is_held=is_held, part=part)
    sizes = {len(run.hashes), len(run.owners), len(run.prints)}
    entries = len(run.directory) - 1
    if len(sizes) != 1 or entries < 2 or entries & (entries - 1) or run.directory[-1] not in sizes:
        raise CorruptShard(f"{folder} is damaged: its files do not belong together.", str(folder))
    return run


def mapped(path: Path, kind: np.dtype[Any]) -> NDArray[Any]:
    """Return the numbers in a file; they are read when they are looked at."""
    if path.stat().st_size:
        return np.memmap(path, kind, "r")
    empty = np.empty(0, kind)
    # As mapped files are, so that the loops need not be compiled once more.
    empty.flags.writeable = False
    return empty


class Runs:
    """All runs of one state, asked and grown as one."""

    def __init__(self, folder: Path, names: Sequence[str] = (), *, memory_bytes: int) -> None:
        self._folder = folder
        self._memory = memory_bytes
        self._runs: list[Run] = []
        for name in names:
            self._open(folder / name)
        self._durable = set(names)

    @property
    def names(self) -> list[str]:
        """The runs in use, the oldest first."""
        return [run.name for run in self._runs]

    @property
    def count(self) -> int:
        """How many hashes are held."""
        return sum(len(run.hashes) for run in self._runs)

    @property
    def memory_bytes(self) -> int:
        """What the fingerprints take in memory now."""
        return sum(run.filter_bytes for run in self._runs if run.is_held)

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known here."""
        for run in self._runs:
            run.fill(keys, owners)

    def add(self, keys: Hashes, owners: Owners) -> None:
        """Keep sorted keys as a new run; merge when there are too many."""
        self._open(write_run_folder(self._folder, keys, owners))
        while alike := runs_to_merge([len(run.hashes) for run in self._runs]):
            merged = [self._runs[place] for place in alike]
            # The merged runs stay on disk until the manifest no longer names them.
            self._runs = [run for place, run in enumerate(self._runs) if place not in alike]
            self._open(merge_runs(self._folder, merged))

    def make_durable(self) -> None:
        """Put all new runs on the disk now."""
        for run in self._runs:
            if run.name in self._durable:
                continue
            for name in _FILES:
                make_durable(run.folder / name)
            make_durable(run.folder)
        make_durable(self._folder)

    def remove_unused(self) -> None:
        """Delete the runs that were merged into others, or left by a process that was killed."""
        used = set(self.names)
        for path in self._folder.iterdir():
            if path.is_dir() and path.name not in used:
                shutil.rmtree(path, ignore_errors=True)

    def _open(self, folder: Path) -> None:
        size = (folder / "prints").stat().st_size + (folder / "directory").stat().st_size
        is_held = self.memory_bytes + size <= self._memory
        self._runs.append(open_run(folder, is_held=is_held))


def runs_to_merge(sizes: Sequence[int]) -> list[int]:
    """Return which runs to merge: those of the smallest size that too many have.

    Sizes are compared by powers of four, so a small addition never makes the large runs anew, and
    every hash is rewritten a logarithmic number of times.

    >>> runs_to_merge([90, 100, 5, 110, 120])
    [0, 1, 3, 4]
    """
    places_by_size: dict[int, list[int]] = {}
    for place, size in enumerate(sizes):
        places_by_size.setdefault(size.bit_length() // 2, []).append(place)
    crowded = [power for power, places in places_by_size.items() if len(places) >= _FAN]
    return places_by_size[min(crowded)] if crowded else []


def merge_runs(parent: Path, runs: Sequence[Run]) -> Path:
    """Merge runs into a new one and return its folder; the smallest owner of a hash stays."""
    writer = RunWriter(parent, sum(len(run.hashes) for run in runs))
    for parts in ranges(runs):
        writer.write(*merge_parts(parts))
    return writer.close()


def merge_parts(parts: Sequence[tuple[Hashes, Owners]]) -> tuple[Hashes, Owners]:
    """Return sorted hashes of several parts as one; the smallest owner of each stays."""
    left = list(parts)
    while len(left) > 1:  # neighbours in pairs, so that none is written more than a few times
        pairs = zip(left[::2], left[1::2], strict=False)
        left = [_merged(*one, *other) for one, other in pairs] + left[len(left) & ~1 :]
    return left[0]


def _merged(
    keys: Hashes, owners: Owners, more_keys: Hashes, more_owners: Owners
) -> tuple[Hashes, Owners]:
    from izwi.kernels.hashruns import merge

    out = np.empty(len(keys) + len(more_keys), np.uint64)
    out_owners = np.empty(len(out), np.uint32)
    count = merge(keys, owners, more_keys, more_owners, out, out_owners)
    return out[:count], out_owners[:count]


def ranges(
    runs: Sequence[Run], part: Part = ALL, memory_bytes: int = _CHUNK * _BYTES_MERGED
) -> Iterator[list[tuple[Hashes, Owners]]]:
    """Yield what all runs hold in the same range of hashes, range by range, of one part."""
    count = sum(len(part.of(run.hashes)) for run in runs)
    pieces = max(1, count // max(1, min(_CHUNK, memory_bytes // _BYTES_MERGED)))
    # One range ends where the next begins; the last hash of all is the largest there is.
    bounds = [part.first + part.width * piece // pieces - 1 for piece in range(pieces + 1)]
    ends = np.array([max(0, bound) for bound in bounds], np.uint64)
    cuts = [np.searchsorted(run.hashes, ends, side="right").tolist() for run in runs]
    for piece in range(pieces):
        yield [
            (
                _part(run.folder / "hashes", np.dtype(np.uint64), cut[piece], cut[piece + 1]),
                _part(run.folder / "owners", np.dtype(np.uint32), cut[piece], cut[piece + 1]),
            )
            for run, cut in zip(runs, cuts, strict=True)
        ]


def _part(path: Path, kind: np.dtype[Any], first: int, last: int) -> NDArray[Any]:
    """Read a part of a file; reading leaves nothing mapped behind."""
    return np.fromfile(path, kind, last - first, offset=first * kind.itemsize)
