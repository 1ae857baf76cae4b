"""Links that were never queued, because they belong to a trap: counted by pattern, not one by one.

A trap has no end of links; a line for each would be a trap of its own.
"""

from collections.abc import Iterator

from izwi.model.document import Verdict
from izwi.model.results import LedgerLine
from izwi.store.database import Statements

ADD_REFUSALS = """
INSERT INTO refusals (pattern, reason, source, links, threshold, decided)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (pattern, reason, source) DO UPDATE
SET links = refusals.links + excluded.links, threshold = excluded.threshold,
    decided = excluded.decided
"""
ALL_REFUSALS = """
SELECT pattern, reason, source, links, threshold, decided FROM refusals
ORDER BY pattern, reason, source
"""
# An index takes no longer texts everywhere.
_LONGEST_PATTERN = 1_000


class Refusals:
    """The counts of one catalog."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql

    def add(self, pattern: str, verdict: Verdict, *, source: str, links: int, now: str) -> None:
        """Count links of a pattern that were refused for one reason."""
        row = (pattern[:_LONGEST_PATTERN], verdict.reason, source, links, verdict.threshold, now)
        self._sql.apart(ADD_REFUSALS, row)

    def forget(self, pattern: str) -> int:
        """Forget that links of a pattern were refused; return for how many reasons and sources."""
        asked = "DELETE FROM refusals WHERE pattern = ?"
        return self._sql.apart(asked, (pattern[:_LONGEST_PATTERN],)).rowcount

    def ledger_counts(self) -> dict[tuple[str, str, str, str, str], int]:
        """Return how many patterns there are by outcome, stage, reason, source and kind."""
        asked = "SELECT reason, source, count(*) FROM refusals GROUP BY reason, source"
        rows = self._sql.rows(asked)
        return {("dropped", "fetch", row[0], row[1], "pattern"): row[2] for row in rows}

    def ledger_lines(self) -> Iterator[LedgerLine]:
        """Yield a line for every pattern: its value is the number of links."""
        for row in self._sql.rows(ALL_REFUSALS):
            yield LedgerLine(
                row["pattern"], "dropped", "fetch", row["reason"], row["links"], row["threshold"],
                "links of this pattern, not queued", row["source"], row["decided"],
                kind="pattern",
            )  # fmt: skip
