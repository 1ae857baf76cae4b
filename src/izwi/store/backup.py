"""A corpus in one file, whole as after a kill even while a run writes, and back again.

What a version is made of is noted first, then the catalog, then the files both name: what was
committed by then is in the copy, what came later is not. If a file that they name is rewritten
meanwhile, the copy begins anew. The last member of the tar file lists all others with their sums.
"""

import io
import json
import os
import shutil
import sqlite3
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import IO

import xxhash

from izwi.model.errors import QueryError, StoreError
from izwi.model.results import Listener, Progress, ignore
from izwi.store.catalog import Catalog, ShardState
from izwi.store.database import copy_to_file, stop_of
from izwi.store.files import TEMPORARY, disk_errors, make_durable, replacing
from izwi.store.layout import SHARD, Layout
from izwi.store.objects import MARK, MoveReport, bring, send
from izwi.store.postgresql import Address
from izwi.store.sums import FileSum, known_digest, read_sums

FORMAT = 1
LIST = "izwi-backup.json"
_TRIES = 4
_CHUNK = 1 << 20
_CATALOG = "catalog.sqlite"
_DATABASES = (_CATALOG, "curation.sqlite")
# Of this process, this moment and this machine.
_PASSING = (TEMPORARY, ".new", ".open", ".orphan", "-wal", "-shm", "-journal", ".lock")
_APART = ("warc", "layers", "index")


@dataclass(frozen=True, slots=True)
class BackupReport:
    """What was written or read: how much, and which files were no longer what they had been."""

    path: str
    corpus: str
    made: str
    files: int
    size_bytes: int
    damaged: tuple[str, ...] = ()


class _Moved(Exception):
    """A file was rewritten while it was copied."""


@dataclass
class _Packing:
    """A tar file that grows, and the sums of what is in it."""

    tar: tarfile.TarFile
    layout: Layout
    listener: Listener
    files: dict[str, tuple[int, str]] = field(default_factory=dict)
    damaged: list[str] = field(default_factory=list)
    known: dict[str, FileSum] = field(default_factory=dict)

    def add(self, name: str, path: Path, *, size: int | None = None) -> None:
        """Add a file, or so many bytes of one that grows; raise _Moved if it is not there."""
        try:
            with path.open("rb") as file:
                state = os.fstat(file.fileno())
                self._add(name, file, state.st_size if size is None else size, state.st_mtime)
        except FileNotFoundError as error:
            raise _Moved(name) from error
        believed = self.known.get(name)
        is_changed = believed is not None and believed.digest != self.files[name][1]
        # Raw files never change; others may have been made anew since their sums were taken.
        if believed and is_changed and (name.startswith("warc/") or believed.is_state_of(path)):
            self.damaged.append(name)

    def add_bytes(self, name: str, content: bytes, changed: float) -> None:
        """Add a file that was read before."""
        self._add(name, io.BytesIO(content), len(content), changed)

    def _add(self, name: str, file: IO[bytes], size: int, changed: float) -> None:
        entry = tarfile.TarInfo(name)
        entry.size, entry.mtime, entry.mode = size, int(changed), 0o644
        summed = _Summed(file)
        try:
            self.tar.addfile(entry, summed)
        except OSError as error:
            if "unexpected end of data" in str(error):
                raise _Moved(name) from error
            raise
        self.files[name] = (size, summed.digest.hexdigest())
        self.listener(Progress("backup", len(self.files), None, name))


class _Summed(io.RawIOBase):
    """A file whose bytes are summed while they are read."""

    def __init__(self, file: IO[bytes]) -> None:
        super().__init__()
        self._file, self.digest = file, xxhash.xxh3_128()

    def read(self, size: int = -1) -> bytes:
        found = self._file.read(size)
        self.digest.update(found)
        return found


def write_backup(
    layout: Layout, target: Path, *, corpus: str, made: str, listener: Listener = ignore
) -> BackupReport:
    """Write the corpus into a tar file that is not there yet."""
    with disk_errors(), replacing(target) as temporary:
        for _ in range(_TRIES):
            try:
                packing = _packed(layout, temporary, corpus=corpus, made=made, listener=listener)
                break
            except _Moved:
                continue
        else:
            raise StoreError(
                f"The files of {layout.root} are being rewritten (izwi compact, izwi takedown). "
                "Wait until that is done."
            )
    size = target.stat().st_size
    damaged = tuple(packing.damaged)
    return BackupReport(str(target), corpus, made, len(packing.files), size, damaged)


def _packed(layout: Layout, path: Path, *, corpus: str, made: str, listener: Listener) -> _Packing:
    with tarfile.open(path, "w", format=tarfile.PAX_FORMAT) as tar:
        packing = _Packing(tar, layout, listener, known=read_sums(layout))
        with tempfile.TemporaryDirectory(prefix="izwi-backup-") as scratch:
            _pack(packing, Path(scratch))
        facts = {"format": FORMAT, "corpus": corpus, "made": made, "files": packing.files}
        content = json.dumps(facts, ensure_ascii=False).encode()
        entry = tarfile.TarInfo(LIST)
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    return packing


def _pack(packing: _Packing, scratch: Path) -> None:
    layout = packing.layout
    if layout.rewriting.exists():
        raise _Moved(layout.rewriting.name)
    removed, published = _bytes_of(layout.takedowns), _published(layout)
    copies = {name: _copied(layout.root / name, scratch / name) for name in _DATABASES}
    if isinstance(layout.catalog, Address):
        copies[_CATALOG] = copy_to_file(layout.catalog, scratch / _CATALOG)
    with Catalog.read(scratch / _CATALOG) as catalog:
        shards = catalog.shards()
    for name in (name for name, is_there in copies.items() if is_there):
        packing.add(name, scratch / name)
    _pack_warcs(packing, shards)
    _pack_layers(packing, {shard.name for shard in shards if shard.is_sealed})
    _pack_index(packing, published)
    _pack_rest(packing)
    if _bytes_of(layout.takedowns) != removed or not _still_there(layout, shards):
        raise _Moved("warc")
    _pack_sums(packing)


def _pack_warcs(packing: _Packing, shards: list[ShardState]) -> None:
    """Add sealed files with their lists, and of the open one what the catalog counts."""
    layout = packing.layout
    for shard in shards:
        whole, growing = layout.warc(shard.name), layout.open_warc(shard.name)
        if not shard.is_sealed:
            if shard.committed:
                # Sealing renames it; its first bytes stay the same.
                path = growing if growing.exists() else whole
                packing.add(f"warc/{growing.name}", path, size=shard.committed)
            continue
        for path in (whole, layout.captures(shard.name)):
            # What was lost before is no fault of the copy.
            if path.exists():
                packing.add(f"warc/{path.name}", path)


def _pack_layers(packing: _Packing, sealed: set[str]) -> None:
    """Add what was made of the files that are in the copy; what vanishes can be made again."""
    for path in _files_below(packing.layout.layers):
        shard = SHARD.match(path.name)
        if shard is None or shard[0] in sealed:
            _add_if_there(packing, path)


def _pack_index(packing: _Packing, published: dict[Path, bytes]) -> None:
    """Add the versions that were published when the copy began, and their segments."""
    layout = packing.layout
    wanted = set()
    for path, content in published.items():
        packing.add_bytes(_name(layout, path), content, 0)
        if path.suffix == ".json":
            wanted |= {entry["id"] for entry in json.loads(content)["segments"]}
    for path in _files_below(layout.index):
        if layout.segments in path.parents:
            if path.relative_to(layout.segments).parts[0] in wanted:
                packing.add(_name(layout, path), path)
        elif layout.snapshots not in path.parents:
            _add_if_there(packing, path)
    for name in wanted:
        if not (layout.segments / name).is_dir():
            raise _Moved(name)


def _pack_rest(packing: _Packing) -> None:
    """Add settings, models, reports, lists: all that has no order of its own."""
    layout = packing.layout
    for path in _files_below(layout.root, without=_APART):
        name = _name(layout, path)
        if name not in packing.files and name not in _DATABASES and path != layout.sums:
            _add_if_there(packing, path)


def _pack_sums(packing: _Packing) -> None:
    """Add what is known of the files that are in the copy, as they are there, and of no others."""
    layout = packing.layout
    lines = (_bytes_of(layout.sums) or b"").splitlines(keepends=True)
    kept = [line for line in lines if _is_about(packing, line)]
    if kept:
        packing.add_bytes(_name(layout, layout.sums), b"".join(kept), layout.sums.stat().st_mtime)


def _is_about(packing: _Packing, line: bytes) -> bool:
    """Whether a sum is that of a file in the copy: a run may have added to it since."""
    try:
        known = json.loads(line)
        name, digest = known["file"], known["digest"]
    except (ValueError, KeyError, TypeError):
        return False
    if name in _DATABASES or name in packing.damaged:
        return name in packing.files
    return name in packing.files and packing.files[name][1] == digest


def _published(layout: Layout) -> dict[Path, bytes]:
    """Return the manifests of the versions, the record of them, and which is the current one."""
    names = [*layout.snapshots.glob("*.json"), layout.snapshots / "current", layout.versions]
    found = ((path, _bytes_of(path)) for path in sorted(names))
    return {path: content for path, content in found if content is not None}


def _still_there(layout: Layout, shards: list[ShardState]) -> bool:
    """Whether no sealed file was rewritten since the catalog was copied."""
    with Catalog.read(layout.catalog) as catalog:
        now = {shard.name: shard for shard in catalog.shards()}
    sealed = [shard for shard in shards if shard.is_sealed]
    return not layout.rewriting.exists() and all(now.get(each.name) == each for each in sealed)


def _copied(path: Path, copy: Path) -> bool:
    """Copy a database as it is between two commits; return whether there is one."""
    if not path.exists():
        return False
    try:
        with (
            closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(copy)) as target,
        ):
            source.backup(target)
    except sqlite3.Error as error:
        words = f"{path} cannot be copied: {error}."
        raise stop_of(error, copy) or stop_of(error, path) or StoreError(words) from error
    return True


def _files_below(folder: Path, *, without: tuple[str, ...] = ()) -> Iterator[Path]:
    inside = folder.resolve()
    for path in sorted(folder.rglob("*")):
        parts = path.relative_to(folder).parts
        is_passing = path.name.endswith(_PASSING) or any(part.startswith(".") for part in parts)
        if parts[0] in without or is_passing:
            continue
        _refuse_link_out(path, inside)
        if path.is_file():
            yield path


def _refuse_link_out(path: Path, inside: Path) -> None:
    """Raise StoreError for a link that leads out of a folder.

    Followed, it would give away another file; left out (so links to folders were), the copy would
    lack what the corpus has.
    """
    if path.is_symlink() and not path.resolve().is_relative_to(inside):
        raise StoreError(
            f"{path} is a link that leads out of the corpus, to {path.readlink()}. Put there what "
            "it leads to, or remove it: a copy holds what is in the folder."
        )


def _add_if_there(packing: _Packing, path: Path) -> None:
    if path.exists():
        packing.add(_name(packing.layout, path), path)


def _name(layout: Layout, path: Path) -> str:
    return path.relative_to(layout.root).as_posix()


def send_corpus(
    layout: Layout, url: str, *, corpus: str, taking_over: bool, listener: Listener = ignore
) -> MoveReport:
    """Send a corpus that nobody writes to an object store: what is new, and nothing twice."""
    sums = read_sums(layout)
    with disk_errors(), tempfile.TemporaryDirectory(prefix="izwi-move-") as scratch:
        files = {_name(layout, path): path for path in _files_below(layout.root)}
        files.pop(MARK, None)
        for name in _DATABASES:
            if _copied(layout.root / name, Path(scratch) / name):
                files[name] = Path(scratch) / name
        if isinstance(layout.catalog, Address):
            copy_to_file(layout.catalog, Path(scratch) / _CATALOG)
            files[_CATALOG] = Path(scratch) / _CATALOG
        return send(
            layout.root, files, url, corpus=corpus, taking_over=taking_over, listener=listener,
            sums=lambda path: known_digest(layout, path, sums),
        )  # fmt: skip


def bring_corpus(url: str, folder: Path, *, listener: Listener = ignore) -> MoveReport:
    """Make a corpus folder of what lies in an object store; nothing is left of half of one."""
    _check_new(folder)
    with disk_errors(), _new_folder(folder) as temporary:
        report = bring(url, temporary, listener)
    return replace(report, target=str(folder))


def _bytes_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def check_backup(path: Path, *, listener: Listener = ignore) -> BackupReport:
    """Read a backup to its end and compare every sum; raise StoreError if it is not whole."""
    return _unpack(path, None, listener)


def restore_backup(path: Path, folder: Path, *, listener: Listener = ignore) -> BackupReport:
    """Make a corpus folder of a backup; nothing is left of one that is not whole."""
    _check_new(folder)
    with disk_errors(), _new_folder(folder) as temporary:
        return _unpack(path, temporary, listener)


def _check_new(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise QueryError(f"{folder} is there already; give the name of a new folder.")


@contextmanager
def _new_folder(folder: Path) -> Iterator[Path]:
    """Give a folder under another name, which takes its own when all is in it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    place = tempfile.mkdtemp(prefix=f".{folder.name}.", suffix=TEMPORARY, dir=folder.parent)
    temporary = Path(place)
    try:
        yield temporary
        temporary.chmod(0o755)
        if folder.exists():
            folder.rmdir()
        temporary.replace(folder)
        make_durable(folder.parent)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _unpack(path: Path, folder: Path | None, listener: Listener) -> BackupReport:
    found: dict[str, tuple[int, str]] = {}
    facts = None
    try:
        with tarfile.open(path, "r|") as tar:
            for member in tar:
                content = tar.extractfile(member) if member.isfile() else None
                if content is None or not _is_inside(member.name):
                    raise StoreError(f"{path} holds '{member.name}', which no backup has.")
                if member.name == LIST:
                    facts = json.loads(content.read())
                    continue
                target = folder / member.name if folder else None
                found[member.name] = (member.size, _written(content, target, member.mtime))
                listener(Progress("restore" if folder else "check", len(found), None, member.name))
    except (tarfile.TarError, EOFError, ValueError) as error:
        raise StoreError(f"{path} is no whole backup ({error}).") from error
    return _compared(path, facts, found)


def _compared(path: Path, facts: object, found: dict[str, tuple[int, str]]) -> BackupReport:
    """Return what a backup is, if what is in it is what its list says."""
    if not isinstance(facts, dict) or facts.get("format") != FORMAT:
        raise StoreError(f"{path} is no whole backup of izwi: its list of files is missing.")
    listed = {name: (size, digest) for name, (size, digest) in facts["files"].items()}
    wrong = sorted(
        name for name in listed.keys() | found.keys() if listed.get(name) != found.get(name)
    )
    if wrong:
        raise StoreError(f"{path} is damaged: {', '.join(wrong[:3])} is not what was written.")
    size = sum(size for size, _ in found.values())
    return BackupReport(str(path), facts["corpus"], facts["made"], len(found), size)


def _is_inside(name: str) -> bool:
    """Whether a name leads nowhere but below the folder."""
    path = PurePosixPath(name)
    return (
        bool(path.parts)
        and not path.is_absolute()
        and not {"..", "."} & set(path.parts)
        and ("\\" not in name and ":" not in path.parts[0])
    )


def _written(content: IO[bytes], target: Path | None, changed: float) -> str:
    """Return the sum of a member's bytes; write them, if there is a place."""
    digest = xxhash.xxh3_128()
    if target is None:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
        return digest.hexdigest()
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("xb") as file:
        while chunk := content.read(_CHUNK):
            digest.update(chunk)
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    os.utime(target, (changed, changed))
    return digest.hexdigest()
