"""A folder that is written whole or not at all, and the list of what is in it."""

import hashlib
import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from izwi.export.journal import Journal, read_journal, write_journal
from izwi.export.parts import Workplace
from izwi.model.errors import StoreError
from izwi.model.exporting import ExportedFile
from izwi.store.files import make_durable
from izwi.store.lock import writing

MANIFEST = "manifest.json"
_CHUNK = 1 << 20


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
    """Return the SHA-256 sum of a file, read piece by piece."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(_CHUNK):
            digest.update(piece)
    return digest.hexdigest()


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
