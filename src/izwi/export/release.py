"""A folder that is written whole or not at all, and the list of what is in it."""

import hashlib
import json
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from izwi.model.errors import StoreError
from izwi.model.exporting import ExportedFile
from izwi.store.files import TEMPORARY, make_durable

MANIFEST = "manifest.json"
_CHUNK = 1 << 20


@contextmanager
def releasing(target: Path) -> Iterator[Path]:
    """Give a temporary folder beside `target`; it takes its place at the end.

    An earlier export is replaced; a folder that holds anything else is left alone.
    """
    _check_free(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = _beside(target)
    temporary.mkdir()
    try:
        yield temporary
        _put_in_place(temporary, target)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)


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


def _put_in_place(temporary: Path, target: Path) -> None:
    for path in temporary.rglob("*"):
        make_durable(path)
    if not target.exists():
        temporary.replace(target)
    else:
        old = _beside(target)
        target.replace(old)
        temporary.replace(target)
        shutil.rmtree(old)
    make_durable(target.parent)


def _beside(target: Path) -> Path:
    return target.with_name(f".{target.name}.{uuid.uuid4().hex[:8]}{TEMPORARY}")
