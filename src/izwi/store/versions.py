"""The record of every version that was ever published: numbers are cited, so they never go back.

One line a version, each with a sum of its own. It lies beside the index, not in it, and so stays
when a corpus is moved without its index.
"""

import json
import os
from typing import Any

import xxhash

from izwi.store.files import write_text
from izwi.store.layout import Layout


def read_versions(layout: Layout) -> list[dict[str, Any]]:
    """Return the versions on record, the oldest first; one that was withdrawn has no segments."""
    try:
        lines = layout.versions.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    found = {row["number"]: row for row in map(_row, lines) if row}
    return [found[number] for number in sorted(found)]


def damaged_lines(layout: Layout) -> int:
    """Return how many lines of the record are not what was written."""
    try:
        lines = layout.versions.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return sum(_row(line) is None for line in lines)


def append_version(layout: Layout, row: dict[str, Any]) -> None:
    """Add a version, on the disk before anything names it."""
    layout.root.mkdir(parents=True, exist_ok=True)
    with layout.versions.open("a+", encoding="utf-8") as file:
        if file.tell() and not _ends_with_a_line(layout):
            file.write("\n")
        file.write(_line(row))
        file.flush()
        os.fsync(file.fileno())


def withdraw_versions(layout: Layout, kept: int) -> None:
    """Take what all versions but one hold out of the record; numbers, dates and settings stay."""
    rows = [
        row if row["number"] == kept else {**row, "segments": None} for row in read_versions(layout)
    ]
    write_text(layout.versions, "".join(map(_line, rows)))


def _line(row: dict[str, Any]) -> str:
    text = json.dumps(row, ensure_ascii=False, sort_keys=True)
    return json.dumps({"sum": _sum(text), "version": row}, ensure_ascii=False) + "\n"


def _row(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
        row: dict[str, Any] = found["version"]
        text = json.dumps(row, ensure_ascii=False, sort_keys=True)
        return row if found["sum"] == _sum(text) else None
    except (ValueError, TypeError, KeyError):
        return None


def _sum(text: str) -> str:
    return xxhash.xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))


def _ends_with_a_line(layout: Layout) -> bool:
    with layout.versions.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
