"""A corpus in an object store: its files sent there, brought back, and fetched when one is wanted.

The folder stays the working place; below the address the same names stand for the same files. One
object lists them all with their sums and is written last: readers see what it says and nothing
else. Who reads by address has a folder of its own that holds what was asked for so far.
"""

import hashlib
import json
import os
import re
import shutil
import socket
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import xxhash

from izwi.model.commands import typed
from izwi.model.errors import QueryError, StoreError
from izwi.model.records import dataclass
from izwi.model.results import Listener, Progress, ignore
from izwi.store.files import TEMPORARY, disk_errors, file_state, replacing, write_text

FORMAT = 1
LIST = "izwi-objects.json"
# In a folder: where its files are kept, and what is known of them.
MARK = "objects.json"
_ADDRESS = re.compile(r"(s3|gs|gcs|hdfs|abfs|abfss|file):/+(.*)", re.DOTALL)
_CHUNK = 1 << 20
_AT_ONCE = 8
# What is fetched when it is wanted, and what readers need at once.
_LARGE = ("warc/", "layers/", "index/segments/", "runs/", "catalog.sqlite", "sums.jsonl")
Files = dict[str, tuple[int, str]]


@dataclass(frozen=True, slots=True)
class MoveReport:
    """What went from one place to another: how many files, how many of them were new there."""

    source: str
    target: str
    files: int
    moved: int
    size_bytes: int
    removed: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """What lies in an object store: its files with sizes and sums, and the folder it is of."""

    corpus: str
    home: str
    where: str
    files: Files


def address_of(place: str | Path) -> str:
    """Return the address that is meant, empty for a folder; a path loses slashes on its way.

    >>> address_of(Path("s3://bucket/news")), address_of(Path("news"))
    ('s3://bucket/news', '')
    """
    match = _ADDRESS.fullmatch(str(place))
    if match is None:
        return ""
    return f"file:///{match[2]}" if match[1] == "file" else f"{match[1]}://{match[2]}"


def shown(url: str) -> str:
    """Return an address without keys and options.

    >>> shown("s3://key:secret@bucket/news?region=x")
    's3://bucket/news'
    """
    scheme, _, rest = url.partition("?")[0].partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


class Objects:
    """The files below one address, through Arrow's file systems."""

    def __init__(self, url: str) -> None:
        import pyarrow as pa
        from pyarrow import fs

        self.url = url
        self._damage = (OSError, pa.ArrowException)
        with self._errors("opened"):
            self._system, path = fs.FileSystem.from_uri(url)
            self._base = path.rstrip("/")

    def listing(self) -> Listing | None:
        """Return what lies there, None if nothing does."""
        try:
            with self._system.open_input_stream(f"{self._base}/{LIST}") as file:
                raw = file.readall()
        except FileNotFoundError:
            return None
        except self._damage as error:
            if "NO_SUCH_BUCKET" in str(error):
                raise StoreError(f"{shown(self.url)}: there is no such bucket.") from None
            raise self._error("read", error) from None
        try:
            row = json.loads(raw)
            files = {name: (int(size), str(sum_)) for name, (size, sum_) in row["files"].items()}
            if row["format"] != FORMAT:
                raise StoreError(f"{shown(self.url)} is of another izwi; update this one.")
            return Listing(row["corpus"], row["home"], row["where"], files)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise StoreError(f"{shown(self.url)}/{LIST} is damaged ({error}).") from None

    def write_listing(self, listing: Listing) -> None:
        """Make a list the one that readers see."""
        row = {
            "format": FORMAT, "corpus": listing.corpus, "home": listing.home,
            "where": listing.where, "files": listing.files,
        }  # fmt: skip
        with self._errors("written"), self._system.open_output_stream(self._path(LIST)) as file:
            file.write(json.dumps(row, ensure_ascii=False).encode())

    def put(self, name: str, path: Path) -> tuple[int, str]:
        """Send a file; return the size and the sum of what was sent, also of one that grows."""
        size, found = 0, xxhash.xxh3_128()
        with (
            self._errors("written"),
            path.open("rb") as source,
            self._system.open_output_stream(self._path(name)) as target,
        ):
            while chunk := source.read(_CHUNK):
                size += len(chunk)
                found.update(chunk)
                target.write(chunk)
        return size, found.hexdigest()

    def get(self, name: str, path: Path, expected: tuple[int, str]) -> None:
        """Fetch a file whole; raise StoreError if it is not what the list says."""
        found = xxhash.xxh3_128()
        with disk_errors(), replacing(path) as temporary:
            with (
                self._errors("read"),
                self._system.open_input_stream(f"{self._base}/{name}") as source,
                temporary.open("wb") as target,
            ):
                while chunk := source.read(_CHUNK):
                    found.update(chunk)
                    target.write(chunk)
            if found.hexdigest() != expected[1]:
                raise StoreError(
                    f"{shown(self.url)}/{name} is not what was sent; it was changed just now, or "
                    "is damaged. Try again, or send it again: izwi move FOLDER "
                    f"{shown(self.url)}"
                )

    def remove(self, names: Iterable[str]) -> None:
        """Delete files; one that is not there is no matter."""
        for name in names:
            try:
                self._system.delete_file(f"{self._base}/{name}")
            except FileNotFoundError:
                continue
            except self._damage as error:
                raise self._error("written", error) from None

    def remove_all(self) -> None:
        """Delete all that lies there."""
        with self._errors("written"), suppress(FileNotFoundError):
            self._system.delete_dir(self._base)

    def read(self, name: str, first: int, size: int) -> bytes:
        """Return some bytes of a file."""
        with self._errors("read"), self._system.open_input_file(f"{self._base}/{name}") as file:
            found: bytes = file.read_at(size, first)
            return found

    def copy(self, name: str, other: "Objects") -> None:
        """Take over a file from another address of the same store, without fetching it."""
        with self._errors("written"):
            self._system.copy_file(f"{other._base}/{name}", self._path(name))

    def _path(self, name: str) -> str:
        path = f"{self._base}/{name}"
        if self.url.startswith("file:"):
            self._system.create_dir(path.rpartition("/")[0])
        return path

    @contextmanager
    def _errors(self, done: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError as error:
            raise self._error(done, error) from None
        except self._damage as error:
            if getattr(error, "filename", None) is not None:
                raise  # a fault of the local disk, which has its own words
            raise self._error(done, error) from None

    def _error(self, done: str, error: Exception) -> StoreError:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        match = re.search(r"AWS Error ([A-Z_]+)", words)
        said = match[1].lower().replace("_", " ") if match else words
        return StoreError(
            f"{shown(self.url)} cannot be {done}: {said}. Look at the address, whether the keys in "
            "the environment have the right to it, and whether this machine's clock is right."
        )


def send(
    root: Path, files: Mapping[str, Path], url: str, *, corpus: str, sums: Callable[[Path], str],
    taking_over: bool, listener: Listener = ignore,
) -> MoveReport:  # fmt: skip
    """Send what is new of a folder's files, and take away there what is no more."""
    objects, home = Objects(url), _home_of(root)
    there = objects.listing() or Listing(corpus, home, "", {})
    if there.home != home and not taking_over:
        raise StoreError(
            f"{shown(url)} is kept by {there.where}, so nothing was sent. To keep it from here: "
            f"izwi move {typed(root)} {shown(url)}"
        )
    known = {name: (path.stat().st_size, sums(path)) for name, path in files.items()}
    known |= {name: found for name, found in there.files.items() if _is_freed(root, name)}
    new = sorted((name for name in known if there.files.get(name) != known[name]), key=_order)
    sent: Files = {}
    _all(lambda name: sent.update({name: objects.put(name, files[name])}), new, "send", listener)
    known |= sent
    where = f"{socket.gethostname()}:{root}"
    objects.write_listing(Listing(corpus, home, where, known))
    gone = sorted(there.files.keys() - known.keys())
    objects.remove(gone)
    write_text(root / MARK, json.dumps({"url": url, "home": home}))
    size = sum(known[name][0] for name in new)
    return MoveReport(str(root), shown(url), len(known), len(new), size, len(gone))


def bring(url: str, folder: Path, listener: Listener = ignore) -> MoveReport:
    """Fetch all files of an address into a folder that is empty."""
    objects, listing = _opened(url)
    _all(
        lambda name: objects.get(name, folder / name, listing.files[name]),
        sorted(listing.files), "bring", listener,
    )  # fmt: skip
    size = sum(size for size, _ in listing.files.values())
    return MoveReport(shown(url), str(folder), len(listing.files), len(listing.files), size)


def reading_folder(url: str) -> Path:
    """Return a folder to read what lies at an address: small files are there, others on demand."""
    objects, listing = _opened(url)
    folder = _cache() / hashlib.blake2b(url.encode(), digest_size=12).hexdigest()
    before: dict[str, list[Any]] = _mark(folder).get("files", {})
    for name in before:
        if list(listing.files.get(name, ())) != before[name]:
            (folder / name).unlink(missing_ok=True)
    for segment in _segments(before) - _segments(listing.files):
        shutil.rmtree(folder / "index" / "segments" / segment, ignore_errors=True)
    for name, expected in listing.files.items():
        if _is_small(name) and not (folder / name).exists():
            objects.get(name, folder / name, expected)
    if before != {name: list(found) for name, found in listing.files.items()}:
        mark_copy(folder, url, listing.files)
    return folder


def below(url: str, name: str) -> str:
    """Return the address of a folder below another.

    >>> below("s3://bucket/news/?region=x", "work")
    's3://bucket/news/work?region=x'
    """
    place, mark, options = url.partition("?")
    return f"{place.rstrip('/')}/{name}{mark}{options}"


def mark_copy(folder: Path, url: str, files: Files) -> None:
    """Let a folder fetch what lies at an address when it is looked at."""
    write_text(folder / MARK, json.dumps({"url": url, "home": "", "files": files}))


def local_folder(place: str | Path) -> Path:
    """Return a folder as it is, and for an address the folder to read it by."""
    url = address_of(place)
    return reading_folder(url) if url else Path(place)


def refuse_copy(root: Path) -> None:
    """Raise StoreError if a folder only holds what was read of an address."""
    mark = _mark(root)
    if "files" in mark:
        raise StoreError(
            f"{shown(mark['url'])} can only be read by its address. To change it, bring it here: "
            f"izwi move {shown(mark['url'])} FOLDER"
        )


def at_hand(path: Path) -> Path:
    """Return the path of a file, fetched if it lies in an object store only."""
    found = None if path.exists() else _kept_as(path)
    if found is not None:
        objects, name, expected = found
        objects.get(name, path, expected)
    return path


def bytes_at_hand(path: Path, first: int, size: int) -> bytes:
    """Return some bytes of a file, wherever it lies; no more of it is fetched."""
    found = None if path.exists() else _kept_as(path)
    if found is not None:
        objects, name, _ = found
        return objects.read(name, first, size)
    with path.open("rb") as file:
        file.seek(first)
        return file.read(size)


def is_kept(path: Path) -> bool:
    """Whether a file that is not in its folder lies in an object store."""
    return _kept_as(path) is not None


def names_below(root: Path, folder: Path) -> set[str]:
    """Return the files of a folder that lie elsewhere, where one reads by an address."""
    if not (root / MARK).exists() or "files" not in _mark(root):
        return set()
    below = f"{folder.relative_to(root).as_posix()}/"
    _, files = _kept(root, file_state(root / MARK))
    return {name.removeprefix(below) for name in files if name.startswith(below)}


def _kept_as(path: Path) -> tuple[Objects, str, tuple[int, str]] | None:
    """Return where a file of a folder lies, under which name, and what it is."""
    root = next((each for each in path.parents if (each / MARK).exists()), None)
    if root is None:
        return None
    name = path.relative_to(root).as_posix()
    objects, files = _kept(root, file_state(root / MARK))
    return (objects, name, files[name]) if name in files else None


def segments_at_hand(root: Path, ids: Iterable[str]) -> None:
    """Fetch the segments that are not in the folder yet, each whole."""
    below = root / "index" / "segments"
    missing = [each for each in ids if not (below / each).is_dir()]
    if not missing or not (root / MARK).exists():
        return
    objects, files = _kept(root, file_state(root / MARK))
    for segment in missing:
        prefix = f"index/segments/{segment}/"
        names = [name for name in files if name.startswith(prefix)]
        made = below / f".{segment}.{uuid.uuid4().hex[:8]}{TEMPORARY}"
        _all(
            lambda name, made=made, prefix=prefix: objects.get(  # type: ignore[misc]
                name, made / name.removeprefix(prefix), files[name]
            ),
            names, "bring", ignore,
        )  # fmt: skip
        if names:
            _take_place(made, below / segment)


def _take_place(made: Path, folder: Path) -> None:
    try:
        made.rename(folder)
    except OSError:  # another process was quicker
        shutil.rmtree(made, ignore_errors=True)


def _all(do: Callable[[str], None], names: list[str], step: str, listener: Listener) -> None:
    """Do something with every name, several at once."""
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        for done, _ in enumerate(threads.map(do, names), 1):
            listener(Progress(step, done, len(names), names[done - 1]))


def _opened(url: str) -> tuple[Objects, Listing]:
    objects = Objects(url)
    listing = objects.listing()
    if listing is None:
        raise QueryError(f"There is no corpus at {shown(url)}.")
    return objects, listing


@lru_cache(maxsize=8)
def _kept(root: Path, _: object) -> tuple[Objects, Files]:
    """Return what is kept of a folder elsewhere: as it was read, or as it is now."""
    mark = _mark(root)
    if "files" not in mark:
        objects, listing = _opened(mark["url"])
        return objects, listing.files
    files = {name: (size, sum_) for name, (size, sum_) in mark["files"].items()}
    return Objects(mark["url"]), files


def _mark(root: Path) -> dict[str, Any]:
    try:
        found = json.loads((root / MARK).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _home_of(root: Path) -> str:
    """Return the name by which a folder is known to keep an address: a copy of it is another."""
    known = _mark(root).get("home") or uuid.uuid4().hex
    return f"{str(known).partition(' ')[0]} {root.stat().st_ino}"


def _is_freed(root: Path, name: str) -> bool:
    """Whether a raw file lies in the object store only: its list of captures is still here."""
    shard = name.removeprefix("warc/").removesuffix(".warc.gz")
    is_raw = name == f"warc/{shard}.warc.gz" and not (root / name).exists()
    return is_raw and (root / "warc" / f"{shard}.captures.jsonl").exists()


def _is_small(name: str) -> bool:
    return not name.startswith(_LARGE) or name.endswith("/recipe.json")


def _segments(names: Iterable[str]) -> set[str]:
    return {name.split("/")[2] for name in names if name.startswith("index/segments/")}


def _order(name: str) -> tuple[bool, str]:
    """Sort large files, which do not change under their names, before those that name them."""
    return not name.startswith(_LARGE), name


def _cache() -> Path:
    own = os.environ.get("IZWI_CACHE")
    if own:
        return Path(own)
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "izwi" / "objects"
