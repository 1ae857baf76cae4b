"""Every path in a corpus folder, in one place."""

import re
from dataclasses import dataclass
from pathlib import Path

SHARD = re.compile(r"\d{4}-\d{2}-\d{2}-\d{4}")


@dataclass(frozen=True, slots=True)
class Layout:
    """The paths of one corpus folder."""

    root: Path

    @property
    def config(self) -> Path:
        """The user's corpus.toml."""
        return self.root / "corpus.toml"

    @property
    def catalog(self) -> Path:
        """The queue and ledger of the gatherer."""
        return self.root / "catalog.sqlite"

    @property
    def lock(self) -> Path:
        """Held, and signed, by the one process that writes."""
        return self.root / "corpus.lock"

    @property
    def warcs(self) -> Path:
        """Raw captures."""
        return self.root / "warc"

    @property
    def layers(self) -> Path:
        """What stages made of them."""
        return self.root / "layers"

    @property
    def sums(self) -> Path:
        """What every file was when it was written."""
        return self.root / "sums.jsonl"

    @property
    def versions(self) -> Path:
        """Every version ever published; their numbers never go back."""
        return self.root / "versions.jsonl"

    @property
    def index(self) -> Path:
        """What is searched."""
        return self.root / "index"

    @property
    def segments(self) -> Path:
        """Pieces of the index."""
        return self.root / "index" / "segments"

    @property
    def snapshots(self) -> Path:
        """Numbered lists of segments."""
        return self.root / "index" / "snapshots"

    @property
    def takedowns(self) -> Path:
        """What was taken down, and must never be fetched or served again."""
        return self.root / "takedowns.jsonl"

    @property
    def decisions(self) -> Path:
        """What was decided about words that looked new."""
        return self.root / "decisions.jsonl"

    @property
    def headwords(self) -> Path:
        """Headwords that are watched: word, first date known, variants."""
        return self.root / "headwords.tsv"

    @property
    def antedatings(self) -> Path:
        """Earlier lines of them, as builds found them."""
        return self.root / "antedatings.jsonl"

    @property
    def curation(self) -> Path:
        """What curators decided and changed."""
        return self.root / "curation.sqlite"

    @property
    def models(self) -> Path:
        """Models trained from this corpus's labels."""
        return self.root / "models"

    @property
    def rewriting(self) -> Path:
        """The plan of a rewriting of raw files that is under way."""
        return self.warcs / "rewriting.json"

    @property
    def runs(self) -> Path:
        """Reports and logs."""
        return self.root / "runs"

    def warc(self, shard: str) -> Path:
        """A sealed WARC file."""
        return self.warcs / f"{shard}.warc.gz"

    def open_warc(self, shard: str) -> Path:
        """A WARC file that still grows."""
        return self.warcs / f"{shard}.warc.gz.open"

    def captures(self, shard: str) -> Path:
        """The list of a sealed WARC file's captures with their offsets."""
        return self.warcs / f"{shard}.captures.jsonl"

    def layer(self, name: str, fingerprint: str) -> Path:
        """The folder of one layer made by one recipe."""
        return self.layers / f"{name}-{fingerprint}"

    def shard(self, name: str, fingerprint: str, shard: str) -> Path:
        """One shard of one layer."""
        return self.layer(name, fingerprint) / f"{shard}.parquet"

    def sealed_shards(self) -> list[str]:
        """Return the names of all sealed shards, in corpus order.

        A shard whose WARC file was lost still counts while the list of its captures is there: what
        was made from it stays, and every capture keeps its ledger line.
        """
        if not self.warcs.is_dir():
            return []
        endings = (".warc.gz", ".captures.jsonl")
        names = {
            path.name.removesuffix(ending)
            for ending in endings
            for path in self.warcs.glob(f"*{ending}")
        }
        growing = {path.name.removesuffix(".warc.gz.open") for path in self.warcs.glob("*.open")}
        return sorted(name for name in names - growing if SHARD.fullmatch(name))

    def built_shards(self, name: str, fingerprint: str) -> set[str]:
        """Return the names of the shards that one layer folder holds."""
        return {path.stem for path in self.layer(name, fingerprint).glob("*.parquet")}

    def fingerprints(self, name: str) -> list[str]:
        """Return the fingerprints under which a layer has been made, the newest last."""
        folders = sorted(self.layers.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
        return [path.name.removeprefix(f"{name}-") for path in folders if path.is_dir()]
