"""Links that were never queued, because they belong to a trap: counted by pattern, not one by one.

A trap has no end of links; a line for each would be a trap of its own.
"""

import sqlite3
from collections.abc import Callable, Iterator

from izwi.model.document import Verdict
from izwi.model.results import LedgerLine

ADD_REFUSALS = """
INSERT INTO refusals (pattern, reason, source, links, threshold, decided)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (pattern, reason, source) DO UPDATE
SET links = links + excluded.links, threshold = excluded.threshold, decided = excluded.decided
"""
ALL_REFUSALS = """
SELECT pattern, reason, source, links, threshold, decided FROM refusals ORDER BY rowid
"""

Execute = Callable[..., sqlite3.Cursor]
Rows = Callable[..., Iterator[sqlite3.Row]]


class Refusals:
    """The counts of one catalog; `execute` runs a statement in its transaction."""

    def __init__(self, execute: Execute, rows: Rows) -> None:
        self._execute = execute
        self._rows = rows

    def add(self, pattern: str, verdict: Verdict, *, source: str, links: int, now: str) -> None:
        """Count links of a pattern that were refused for one reason."""
        row = (pattern, verdict.reason, source, links, verdict.threshold, now)
        self._execute(ADD_REFUSALS, row)

    def forget(self, pattern: str) -> int:
        """Forget that links of a pattern were refused; return for how many reasons and sources."""
        return self._execute("DELETE FROM refusals WHERE pattern = ?", (pattern,)).rowcount

    def ledger_lines(self) -> Iterator[LedgerLine]:
        """Yield a line for every pattern: its value is the number of links."""
        for row in self._rows(ALL_REFUSALS):
            yield LedgerLine(
                row["pattern"], "dropped", "fetch", row["reason"], row["links"], row["threshold"],
                "links of this pattern, not queued", row["source"], row["decided"],
                kind="pattern",
            )  # fmt: skip
