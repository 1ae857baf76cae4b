"""What is finished of an export, so that the same command goes on after a kill."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from izwi.export.counting import Counts
from izwi.store.files import write_text


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
