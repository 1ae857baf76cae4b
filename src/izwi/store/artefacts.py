"""What each stage gave on each shard, and which shards must be made anew."""

from izwi.model.results import ShardReport
from izwi.store.database import Database

_REPLACE = """
ON CONFLICT (layer, fingerprint, shard) DO UPDATE SET rows = excluded.rows, kept = excluded.kept,
    dropped = excluded.dropped, failed = excluded.failed, tokens = excluded.tokens,
    seconds = excluded.seconds, error = excluded.error, damage = excluded.damage
"""
PUT_REPORT = f"""
INSERT INTO artefacts
    (layer, fingerprint, shard, rows, kept, dropped, failed, tokens, seconds, error, damage)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) {_REPLACE}
"""
FAILED_SHARDS = (
    "SELECT shard, error FROM artefacts WHERE layer = ? AND fingerprint = ? AND error <> ''"
)
# A shard made anew from another raw file has a row of its own under this name of a layer.
RENEWED = "renewed"
RENEW_SHARD = f"""
INSERT INTO artefacts
    (layer, fingerprint, shard, rows, kept, dropped, failed, tokens, seconds, error, damage)
VALUES (?, '', ?, 0, 0, 0, 0, 0, 0, '', '') {_REPLACE}
"""
RENEWED_SHARDS = "SELECT shard FROM artefacts WHERE layer = ?"
TROUBLED_SHARDS = "SELECT DISTINCT shard FROM artefacts WHERE error <> '' OR damage <> ''"
DAMAGED_SHARDS = (
    "SELECT shard, damage FROM artefacts WHERE layer = ? AND fingerprint = ? AND damage <> ''"
)


class ArtefactRecords(Database):
    """The table of artefacts."""

    def put_report(
        self, layer: str, fingerprint: str, report: ShardReport, *, damage: str = ""
    ) -> None:
        """Remember what a stage gave on a shard, and the state of a file it could not read."""
        self._begin()
        counts = (report.rows, report.kept, report.dropped, report.failed, report.tokens)
        what = (*counts, report.seconds, report.error, damage)
        self._execute(PUT_REPORT, (layer, fingerprint, report.shard, *what))

    def damaged_shards(self, layer: str, fingerprint: str) -> dict[str, str]:
        """Return the shards whose raw file was damaged, with its state at that time."""
        rows = self._execute(DAMAGED_SHARDS, (layer, fingerprint))
        return {row[0]: row[1] for row in rows}

    def troubled_shards(self) -> set[str]:
        """Return the shards on which a stage failed, or whose file was found damaged."""
        return {row[0] for row in self._execute(TROUBLED_SHARDS)}

    def renew(self, shard: str) -> None:
        """Remember that a shard is made anew, until the index follows."""
        self._begin()
        self._execute(RENEW_SHARD, (RENEWED, shard))

    def renewed_shards(self) -> set[str]:
        """Return the shards that were made anew and are not yet so in the index."""
        return {row[0] for row in self._execute(RENEWED_SHARDS, (RENEWED,))}

    def forget_renewed(self) -> None:
        """Forget which shards were made anew: the index has followed."""
        self._begin()
        self._execute("DELETE FROM artefacts WHERE layer = ?", (RENEWED,))

    def failed_shards(self, layer: str, fingerprint: str) -> dict[str, str]:
        """Return the shards on which a stage failed, with the message."""
        return {row[0]: row[1] for row in self._execute(FAILED_SHARDS, (layer, fingerprint))}
