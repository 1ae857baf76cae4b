"""Keeping a copy of a corpus, and making a corpus of the copy."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import Case, Doing, Policy, place
from izwi.cases.runs import TOPIC
from izwi.model.commands import typed
from izwi.model.errors import QueryError
from izwi.model.results import Listener, ignore

if TYPE_CHECKING:
    from izwi.service.folder import CorpusFolder
    from izwi.store.backup import BackupReport
    from izwi.store.objects import MoveReport


@dataclass(frozen=True, kw_only=True)
class BackupPlace:
    """Where the copy goes."""

    target: Annotated[
        str | Path,
        place("A new .tar file, or a folder for one with name and date.",
             is_local=True),
    ]  # fmt: skip


def backup(folder: "CorpusFolder", asked: BackupPlace, doing: Doing) -> "BackupReport":
    """Write the whole corpus into one file with sums, also while a run writes to it."""
    from datetime import UTC, datetime

    from izwi.store.backup import write_backup

    now = datetime.now(UTC)
    target = Path(asked.target).resolve()
    if target.is_dir():
        target /= f"{folder.name}-{now:%Y-%m-%dT%H-%M-%S}.tar"
    if target.is_relative_to(folder.path):
        raise QueryError("A backup does not lie in the corpus folder; give another place.")
    if target.exists():
        raise QueryError(f"{target} is there already; give the name of a new file.")
    made = now.isoformat(timespec="seconds")
    return write_backup(
        folder._layout, target, corpus=folder.name, made=made, listener=doing.listener
    )


BackupFile = Annotated[str | Path, place("What izwi backup wrote.", metavar="FILE")]


def restore(
    path: BackupFile,
    folder: Annotated[str | Path | None, place("A new folder.")],
    *,
    listener: Listener = ignore,
) -> "BackupReport":
    """Make a corpus folder of a backup; every sum is compared before the folder is there."""
    from izwi.store.backup import check_backup, restore_backup

    source = Path(path)
    if not source.is_file():
        raise QueryError(f"There is no file {source}.")
    if folder is None:
        return check_backup(source, listener=listener)
    return restore_backup(source, Path(folder), listener=listener)


def check_backup(path: BackupFile, *, listener: Listener = ignore) -> "BackupReport":
    """Only compare the sums."""
    return restore(path, None, listener=listener)


def move(
    source: Annotated[str | Path, place("A corpus folder, or an address (s3://...).")],
    target: Annotated[str | Path, place("An address, or a new folder.")],
    *,
    listener: Listener = ignore,
) -> "MoveReport":
    """Send a corpus folder to an object store (s3://bucket/news), or bring one here as a folder.

    Only what is new there is sent. From then on the folder is the one that keeps the address.
    """
    from izwi.service.folder import CorpusFolder
    from izwi.store.backup import bring_corpus, send_corpus
    from izwi.store.lock import writing
    from izwi.store.objects import address_of

    there, url = address_of(source), address_of(target)
    if bool(there) == bool(url):
        raise QueryError("Give a folder and an address such as s3://bucket/news, either way round.")
    if there:
        return bring_corpus(there, Path(target), listener=listener)
    folder = CorpusFolder(Path(source))
    layout, name = folder._layout, folder.name
    with writing(layout.lock, "izwi move"):
        return send_corpus(layout, url, corpus=name, taking_over=True, listener=listener)


def _told(asked: BackupPlace, report: "BackupReport", folder: Path) -> Iterator[str]:
    yield f"{report.path}: {report.files:,} files, {report.size_bytes:,} bytes."
    for name in report.damaged:
        yield f"note: {name} is not what was once written; see: izwi doctor {typed(folder)}"


CASES = (
    Case(
        "backup", "backup", "GET /api/v1/c/{corpus}/backup", BackupPlace, backup,
        "izwi backup news /backups", TOPIC, Policy("curator"),
        context=("listener",), is_file=True, tells=_told,
    ),
)  # fmt: skip
