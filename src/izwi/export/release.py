"""A folder of an export: written whole or not at all, part by part, from where a run stopped."""

import hashlib
import json
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from izwi.export.base import Format
from izwi.export.characters import Counts, Outgoing
from izwi.model.document import Document
from izwi.model.errors import StoreError
from izwi.model.reading import ExportedFile
from izwi.store.files import make_durable, write_text
from izwi.store.lock import writing

MANIFEST = "manifest.json"
_CHUNK = 1 << 20


@dataclass(frozen=True, slots=True)
class Journal:
    """How far an export has come: all before is on the disk, all after is written again."""

    # What was asked for and of what; an export that differs in any of it begins anew.
    asked: Mapping[str, str]
    # The day on which it was begun, which the files say.
    made: str
    # How many readers are read to their end, and how many documents of the next one.
    readers: int = 0
    passed: int = 0
    counts: Counts = field(default_factory=Counts)
    # The files the last part touched, by their place in the folder: they may have grown since.
    sizes: Mapping[str, int] = field(default_factory=dict)


class Unfinished:
    """The hidden folder beside a target in which its export grows until it is whole."""

    def __init__(self, target: Path) -> None:
        root = target.absolute().with_name(f".{target.absolute().name}.unfinished")
        self.root = root
        self.lock = root / "lock"
        self.place = Workplace(root / "whole", root / "rough")
        self.replaced = root / "replaced"
        self._journal = root / "journal.json"

    def journal(self) -> Journal | None:
        """Return how far an earlier run came; None if there was none or its files are not there."""
        found = read_journal(self._journal)
        if found is None or not self.place.whole.is_dir():
            return None
        return found if all(self._has(*file) for file in found.sizes.items()) else None

    def begin(self) -> None:
        """Throw away what is there and make the folders anew."""
        # The journal first: without it nothing of the rest counts.
        self._journal.unlink(missing_ok=True)
        for folder in (self.place.whole, self.place.rough):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)

    def cut_back(self, sizes: Mapping[str, int]) -> None:
        """Take off what was written after the last part that was finished."""
        (self.place.whole / MANIFEST).unlink(missing_ok=True)
        for name, size in sizes.items():
            with (self.root / name).open("r+b") as file:
                file.truncate(size)

    def record(self, journal: Journal, touched: Sequence[Path]) -> None:
        """Put a finished part on the disk, then say so."""
        for path in touched:
            make_durable(path)
        sizes = {path.relative_to(self.root).as_posix(): path.stat().st_size for path in touched}
        write_journal(self._journal, replace(journal, sizes=sizes))

    def _has(self, name: str, size: int) -> bool:
        """Whether a file is there, inside this folder, and as long as it was."""
        path = (self.root / name).resolve()
        is_inside = path.is_relative_to(self.root.resolve())
        return is_inside and path.is_file() and path.stat().st_size >= size


@contextmanager
def releasing(target: Path) -> Iterator[Unfinished]:
    """Give a hidden folder beside `target`; what is whole in it takes its place at the end.

    What a kill or an error left is kept if some of it was finished. An earlier export is replaced;
    a folder that holds anything else is left alone.
    """
    _check_free(target)
    work = Unfinished(target)
    with writing(work.lock, "izwi export"):
        # A kill may have come after the earlier export was moved away.
        _put_back(work, target)
        try:
            yield work
            _put_in_place(work, target)
        finally:
            _put_back(work, target)
            if work.journal() is None:
                shutil.rmtree(work.root, ignore_errors=True)


def file_list(folder: Path) -> tuple[ExportedFile, ...]:
    """Return the files of a folder with their sizes and SHA-256 sums, by name."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return tuple(
        ExportedFile(path.relative_to(folder).as_posix(), path.stat().st_size, sha256(path))
        for path in paths
    )


def sha256(path: Path) -> str:
    """Return the SHA-256 sum of a file, as other programs check it."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def write_manifest(folder: Path, manifest: dict[str, Any]) -> None:
    """Write what was exported; the last file, so that an export that has it is whole."""
    text = json.dumps(manifest, ensure_ascii=False, indent=1)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8")


def _check_free(target: Path) -> None:
    if not target.exists():
        return
    if not target.is_dir():
        raise StoreError(f"{target} is a file; an export is a folder. Give it another name.")
    if any(target.iterdir()) and not _is_export(target):
        raise StoreError(f"{target} holds other files; an export needs a folder of its own.")


def _is_export(folder: Path) -> bool:
    try:
        return "izwi" in json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["tools"]
    except (OSError, ValueError, KeyError, TypeError):
        return False


def _put_in_place(work: Unfinished, target: Path) -> None:
    whole = work.place.whole
    for path in whole.rglob("*"):
        make_durable(path)
    if target.exists():
        shutil.rmtree(work.replaced, ignore_errors=True)
        target.replace(work.replaced)
    whole.replace(target)
    make_durable(target.parent)


def _put_back(work: Unfinished, target: Path) -> None:
    """Give the earlier export its place again if the new one did not get there."""
    if work.replaced.is_dir() and not target.exists():
        work.replaced.replace(target)


@dataclass(frozen=True, slots=True)
class Workplace:
    """Where an export grows: `whole` becomes the export, `rough` is joined at the end and goes."""

    whole: Path
    rough: Path


class Parted(ABC):
    """A format that begins, takes documents part by part, and finishes.

    A base class rather than a protocol, since `write` is the same for all of them.
    """

    about: ClassVar[str]
    # How many times as large its parts are, for a format that must put many files on the disk.
    span: ClassVar[int] = 1

    @abstractmethod
    def begin(self, place: Workplace) -> None:
        """Make the files to which parts are added."""

    @abstractmethod
    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Write the next documents, after so many before them, and return the files touched.

        Files that grow are all returned each time: after a kill they are cut back to what they
        were. A file that belongs to this part alone has the same name when it is written again.
        """

    @abstractmethod
    def finish(self, place: Workplace) -> None:
        """Close or join what the parts left; after a kill this is done again from its beginning."""

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write all files of the export into an existing, empty folder."""
        place = Workplace(target, target / ".rough")
        place.rough.mkdir()
        self.begin(place)
        self.add(documents, place, before=0)
        self.finish(place)
        shutil.rmtree(place.rough)


class OneFile(Parted):
    """A format of one file to whose end documents are written."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the file."""

    @abstractmethod
    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield what is written of documents, after so many before them."""

    def opening(self) -> bytes:
        """Return what stands before the first document."""
        return b""

    def closing(self) -> bytes:
        """Return what stands after the last document."""
        return b""

    def companions(self) -> dict[str, bytes]:
        """Return the files that come along, by name."""
        return {}

    def begin(self, place: Workplace) -> None:
        """Write the opening."""
        (place.whole / self.name).write_bytes(self.opening())

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Write documents to the end of the file."""
        path = place.whole / self.name
        with path.open("ab") as file:
            file.writelines(self.pieces(documents, before))
        return (path,)

    def finish(self, place: Workplace) -> None:
        """Write the closing and the files beside it."""
        with (place.whole / self.name).open("ab") as file:
            file.write(self.closing())
        for name, content in self.companions().items():
            (place.whole / name).write_bytes(content)


def read_journal(path: Path) -> Journal | None:
    """Return a journal; None if there is none that can be read."""
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        return Journal(**row | {"counts": Counts(**row["counts"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_journal(path: Path, journal: Journal) -> None:
    """Replace the journal in one step."""
    write_text(path, json.dumps(asdict(journal), ensure_ascii=False))


def differences(journal: Journal, asked: Mapping[str, str]) -> tuple[str, ...]:
    """Return in what an unfinished export differs from what is asked for now."""
    names = {*journal.asked, *asked}
    return tuple(sorted(name for name in names if journal.asked.get(name) != asked.get(name)))


# Documents of a part, times the format's span: at most so many are written again after a kill.
PART = 2_000
Reader = Callable[[], Iterable[Document]]


@dataclass
class ExportReading:
    """The documents of several readers, one after another, and how far one has read."""

    sources: Sequence[Reader]
    # How many readers are read to their end, and how many documents of the next one.
    readers: int = 0
    passed: int = 0

    def documents(self) -> Iterator[Document]:
        """Yield what is not read yet."""
        for read in self.sources[self.readers :]:
            for document in islice(read(), self.passed, None):
                self.passed += 1
                yield document
            self.readers += 1
            self.passed = 0


@dataclass
class Writing:
    """An export that is being written: what is read, what goes out, where it grows."""

    form: Format
    reading: ExportReading
    outgoing: Outgoing
    work: Unfinished
    journal: Journal

    def write(self, documents: Iterable[Document]) -> None:
        """Write documents that come from the reading: all of them, or those that are left."""
        wanted = self.outgoing.over(documents)
        if not isinstance(self.form, Parted):
            self.work.begin()
            self.form.write(wanted, self.work.place.whole)
            return
        if self.journal.counts.documents:
            self.work.cut_back(self.journal.sizes)
        else:
            self.work.begin()
            self.form.begin(self.work.place)
        while self._write_part(self.form, wanted):
            pass
        self.form.finish(self.work.place)

    def _write_part(self, form: Parted, wanted: Iterator[Document]) -> bool:
        """Write the next part and record it; return whether there may be more."""
        counts, reading = self.outgoing.counts, self.reading
        before, size = counts.documents, PART * form.span
        touched = form.add(islice(wanted, size), self.work.place, before=before)
        if counts.documents == before:
            return False
        state = replace(self.journal, readers=reading.readers, passed=reading.passed, counts=counts)
        self.work.record(state, touched)
        return counts.documents == before + size
