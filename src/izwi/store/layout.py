"""Every path in a corpus folder, in one place, and the recipe beside each layer's files."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

from izwi.config.fingerprint import Recipe, canonical
from izwi.model.records import dataclass
from izwi.store.files import write_text
from izwi.store.objects import names_below
from izwi.store.postgresql import Address

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
    def catalog(self) -> Path | Address:
        """The queue and ledger of the gatherer: a file here, or a database that is named."""
        named = self._named_in_settings().get("store", {}).get("catalog", "")
        if not isinstance(named, str) or not named:
            return self.catalog_file
        corpus = self._named_in_settings().get("corpus", {}).get("name", "")
        return Address(named, str(corpus), self.catalog_file)

    @property
    def catalog_file(self) -> Path:
        """Where the catalog lies if no database is named."""
        return self.root / "catalog.sqlite"

    def _named_in_settings(self) -> dict[str, Any]:
        """Return corpus.toml unchecked, empty if it does not say where anything is stored."""
        try:
            text = self.config.read_text(encoding="utf-8-sig")
            return tomllib.loads(text) if "[store]" in text else {}
        except (OSError, ValueError):
            return {}  # whoever reads the settings says what is wrong with them

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
        endings = (".warc.gz", ".captures.jsonl")
        files = {path.name for path in self.warcs.glob("*")} | names_below(self.root, self.warcs)
        names = {
            name.removesuffix(ending)
            for ending in endings
            for name in files
            if name.endswith(ending)
        }
        growing = {path.name.removesuffix(".warc.gz.open") for path in self.warcs.glob("*.open")}
        return sorted(name for name in names - growing if SHARD.fullmatch(name))

    def built_shards(self, name: str, fingerprint: str) -> set[str]:
        """Return the names of the shards that one layer folder holds."""
        folder = self.layer(name, fingerprint)
        files = {path.name for path in folder.glob("*.parquet")} | names_below(self.root, folder)
        return {each.removesuffix(".parquet") for each in files if each.endswith(".parquet")}

    def fingerprints(self, name: str) -> list[str]:
        """Return the fingerprints under which a layer has been made, the newest last."""
        folders = sorted(self.layers.glob(f"{name}-*"), key=lambda path: path.stat().st_mtime)
        return [path.name.removeprefix(f"{name}-") for path in folders if path.is_dir()]


def write_recipe(layout: Layout, layer: str, fingerprint: str, recipe: Recipe) -> None:
    """Put the recipe into the layer's folder, unless it is there."""
    path = layout.layer(layer, fingerprint) / "recipe.json"
    if not path.exists():
        write_text(path, canonical(recipe))


def read_recipe(layout: Layout, layer: str, fingerprint: str) -> dict[str, Any]:
    """Return the recipe of a layer's folder; empty if it has none."""
    path = layout.layer(layer, fingerprint) / "recipe.json"
    try:
        recipe: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return recipe
