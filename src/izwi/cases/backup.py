"""Keeping a copy of a corpus, and making a corpus of the copy."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import Case, Doing, Policy, Says
from izwi.cases.runs import TOPIC
from izwi.model.errors import QueryError
from izwi.model.results import Listener, ignore

if TYPE_CHECKING:
    from izwi.service.folder import CorpusFolder
    from izwi.store.backup import BackupReport


@dataclass(frozen=True, kw_only=True)
class BackupPlace:
    """Where the copy goes."""

    target: Annotated[
        str | Path, Says("A new .tar file, or a folder for one with name and date.", is_place=True)
    ]


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


def restore(
    path: str | Path, folder: str | Path | None, *, listener: Listener = ignore
) -> "BackupReport":
    """Make a corpus folder of a backup, every sum compared; without a folder only compare."""
    from izwi.store.backup import check_backup, restore_backup

    source = Path(path)
    if not source.is_file():
        raise QueryError(f"There is no file {source}.")
    if folder is None:
        return check_backup(source, listener=listener)
    return restore_backup(source, Path(folder), listener=listener)


CASES = (
    Case(
        "backup", "backup", "GET /api/v1/c/{corpus}/backup", BackupPlace, backup,
        "izwi backup news /backups", TOPIC, Policy("curator"),
        context=("listener",), by_hand=("command", "route"),
    ),
)  # fmt: skip
