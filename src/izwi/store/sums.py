"""Is every file still what was written? A sum for each, taken at the end of a build.

`sums.jsonl` has one line a file: its size, time of change and inode, a sum of its bytes, and when
it was last compared. A file that has not been touched since is believed, but every look also reads
some of those whose sums were compared longest ago, so that rot is found that changes no time. Of
what people decided it is known that it was there, and how long: such files only grow.
"""

import json
import os
import time
from collections.abc import Container, Iterator, Mapping
from dataclasses import fields
from pathlib import Path

import xxhash

from izwi.model.errors import StoreError
from izwi.model.records import dataclass
from izwi.store.files import TEMPORARY, file_state, write_text
from izwi.store.layout import Layout

_CHUNK = 1 << 20
# So much is read again at each look although nothing says that it has changed: about 20 ms.
SCRUBBED_BYTES = 64 << 20
# What is being written is nobody's yet.
_PASSING = (TEMPORARY, ".new", ".open")
_CAPTURES = (".warc.gz", ".captures.jsonl")
# What people decided: it cannot be made again and grows without a build.
_DECIDED = ("curation.sqlite", "decisions.jsonl", "takedowns.jsonl", "versions.jsonl")
# Of these, lists to whose end lines are added.
_APPENDED = ("decisions.jsonl", "versions.jsonl")


@dataclass(frozen=True, slots=True)
class FileSum:
    """What is known of a file: its state when it was last compared, and the sum of its bytes."""

    size: int
    changed: int
    inode: int
    digest: str
    compared: int

    def is_state_of(self, path: Path | str) -> bool:
        """Whether a file looks untouched since."""
        found = os.stat(path)  # noqa: PTH116  # asked for every file, and a path of each costs more
        return (self.size, self.changed, self.inode) == (
            found.st_size,
            found.st_mtime_ns,
            found.st_ino,
        )


_FIELDS = tuple(each.name for each in fields(FileSum))
Sums = dict[str, FileSum]


@dataclass(frozen=True, slots=True)
class Amiss:
    """A file that is not what was written."""

    path: Path
    is_missing: bool = False
    # Whether another file stands in its place: made anew by a run that was killed, or put there.
    is_replaced: bool = False


def read_sums(layout: Layout, below: str = "") -> Sums:
    """Return what is known of all files, or of those in one folder; nothing of damaged lines."""
    try:
        lines = layout.sums.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found: Sums = {}
    # A line takes as long to read as a hundred to pass over.
    begin = json.dumps({"file": below})[:-2] if below else ""
    for line in lines:
        if not line.startswith(begin):
            continue
        try:
            row = json.loads(line)
            name = row.pop("file")
            found[name] = FileSum(**row)
        except (ValueError, TypeError, KeyError, AttributeError):
            continue
    return found


def write_sums(layout: Layout, sums: Mapping[str, FileSum]) -> None:
    """Replace what is known."""
    # Field by field: `asdict` copies each, which takes longer than all the rest.
    rows = (
        json.dumps({"file": name} | {each: getattr(found, each) for each in _FIELDS})
        for name, found in sorted(sums.items())
    )
    write_text(layout.sums, "".join(f"{row}\n" for row in rows))


def summed_files(layout: Layout) -> Iterator[str]:
    """Yield every file that has a sum, by its name below the corpus folder.

    Captures, layers, index, models, what people decided. As text: a corpus has some 25 files for
    each 2,000 pages, and a path made of each takes longer than asking the disk for it.
    """
    yield from (name for name in _DECIDED if (layout.root / name).is_file())
    warcs = layout.warcs.relative_to(layout.root).as_posix()
    if layout.warcs.is_dir():
        names = (entry.name for entry in os.scandir(layout.warcs))
        yield from (f"{warcs}/{name}" for name in names if name.endswith(_CAPTURES))
    for folder in (layout.layers, layout.index, layout.models):
        yield from _files_below(folder, folder.relative_to(layout.root).as_posix())


def _files_below(folder: Path | str, name: str) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return
    for entry in entries:
        if entry.name.startswith("."):
            continue
        if entry.is_dir(follow_symlinks=False):
            yield from _files_below(entry.path, f"{name}/{entry.name}")
        elif entry.is_file() and not entry.name.endswith(_PASSING):
            yield f"{name}/{entry.name}"


@dataclass(frozen=True, slots=True)
class Look:
    """What a look at the files found: what is amiss, and what is known of all the others."""

    amiss: tuple[Amiss, ...]
    sums: Sums


def look(layout: Layout, *, scrubbed: int | None = SCRUBBED_BYTES) -> Look:
    """Compare the files that were touched and some of the others; None means every one of them."""
    known, now = read_sums(layout), int(time.time())
    sums, wrong = dict(known), []
    for name in _to_compare(layout, known, scrubbed):
        path, before = layout.root / name, known[name]
        try:
            found = _sum_of(path, now)
        except (FileNotFoundError, NotADirectoryError):
            # Any other fault of the disk says nothing of the file: what is there is not removed.
            wrong.append(Amiss(path, is_missing=True))
            continue
        if found.digest == before.digest or _has_grown(name, path, before, found):
            sums[name] = found
        else:
            wrong.append(Amiss(path, is_replaced=found.inode != before.inode))
    return Look(tuple(wrong), sums)


def _has_grown(name: str, path: Path, before: FileSum, now: FileSum) -> bool:
    if name in _APPENDED:
        return now.size > before.size and digest_of(path, before.size) == before.digest
    # A database is changed in place, too.
    least = before.size + (not name.endswith(".sqlite"))
    return name in _DECIDED and now.size >= least


def is_known(layout: Layout, path: Path) -> bool:
    """Whether a file beside the sums was there when they were taken."""
    # Asked for every page of an archive: looking for the name costs a hundredth of reading all.
    try:
        return f'{{"file": "{path.name}", '.encode() in layout.sums.read_bytes()
    except OSError:
        return False


def refuse_if_lost(layout: Layout, path: Path) -> None:
    """Raise if a file of what people decided was there and is gone: none is begun in its place."""
    state = file_state(path)
    if (state and state[0]) or not is_known(layout, path):
        return
    # A file that was empty when its sum was taken had nothing to lose.
    known = read_sums(layout).get(path.name)
    if known and known.size:
        raise StoreError(
            f"{path} is missing or empty; what people decided lies in it alone. Put back a copy; "
            f"if there is none, remove its line from {layout.sums.name} to begin anew."
        )


def forget(layout: Layout, path: Path) -> None:
    """Forget a file before it is made shorter on purpose; the next build knows it again."""
    sums = read_sums(layout)
    if sums.pop(path.relative_to(layout.root).as_posix(), None):
        write_sums(layout, sums)


def note_sums(layout: Layout, before: Look, *, lost: Container[Path]) -> None:
    """Take the sums of what is new or was written since the look; forget what is gone.

    What is lost keeps its old sum: a good copy that is put back is known by it.
    """
    now = int(time.time())
    sums = {name: known for name, known in before.sums.items() if layout.root / name in lost}
    root = str(layout.root)
    for name in summed_files(layout):
        known, path = before.sums.get(name), f"{root}/{name}"
        try:
            if name not in sums:
                is_same = known is not None and known.is_state_of(path)
                sums[name] = known if known and is_same else _sum_of(Path(path), now)
        except OSError:
            continue
    if sums != read_sums(layout):
        write_sums(layout, sums)


def _to_compare(layout: Layout, sums: Sums, scrubbed: int | None) -> Iterator[str]:
    """Yield what is to be read: all that was touched, and some of the rest, the oldest first."""
    left, root = scrubbed, str(layout.root)
    for name, known in sorted(sums.items(), key=lambda item: (item[1].compared, item[0])):
        try:
            is_same = known.is_state_of(f"{root}/{name}")
        except OSError:
            is_same = False
        if is_same and left is not None:
            if left <= 0:
                continue
            left -= known.size
        yield name


def known_digest(layout: Layout, path: Path, sums: Mapping[str, FileSum]) -> str:
    """Return the sum of a file's bytes, read only if it was touched; empty if there is none."""
    is_here = path.is_relative_to(layout.root)
    known = sums.get(path.relative_to(layout.root).as_posix()) if is_here else None
    try:
        return known.digest if known and known.is_state_of(path) else digest_of(path)
    except FileNotFoundError:
        return ""


def digest_of(path: Path, most: int | None = None) -> str:
    """Return the sum of a file's bytes, or of so many of its first ones."""
    found, left = xxhash.xxh3_128(), float("inf") if most is None else most
    with path.open("rb") as file:
        while chunk := file.read(int(min(_CHUNK, left))):
            found.update(chunk)
            left -= len(chunk)
    return found.hexdigest()


def _sum_of(path: Path, now: int) -> FileSum:
    state = path.stat()
    return FileSum(state.st_size, state.st_mtime_ns, state.st_ino, digest_of(path), now)
