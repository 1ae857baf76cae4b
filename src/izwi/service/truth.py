"""`izwi evaluate corpus`: a corpus against gold, read from its layers and its ledger."""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

from izwi.config.load import load
from izwi.config.schema import CorpusConfig
from izwi.evaluate.corpus import GoldPage, Truth, score_corpus
from izwi.model.document import Document, Verdict
from izwi.model.errors import ConfigError
from izwi.model.json_text import read_json
from izwi.service.inspecting import built_layers
from izwi.service.ledger import ledger_lines
from izwi.store.catalog import Catalog
from izwi.store.layers import read_documents
from izwi.store.layout import Layout

_LAYERS = ("text", "lang", "dup", "select")
_KNOWN = {each.name for each in fields(GoldPage)}


def evaluate_corpus(folder: Path, gold: Path) -> Truth:
    """Return how true a corpus is by the gold pages of a file of JSON Lines."""
    pages, layout = read_gold(gold), Layout(folder)
    config = load(folder / "corpus.toml")
    wanted = {page.url for page in pages}
    with Catalog.read(layout.catalog) as catalog:
        verdicts = {
            line.url: Verdict(line.outcome, line.stage, line.reason)  # type: ignore[arg-type]
            for line in ledger_lines(layout, config, catalog)
            if line.url in wanted
        }
    return score_corpus(pages, _documents(layout, config), verdicts)


def read_gold(path: Path) -> list[GoldPage]:
    """Return gold pages, one JSON object a line; what is not known here is passed over."""
    found = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = read_json(line)
                found.append(GoldPage(**{key: row[key] for key in _KNOWN & row.keys()}))
            except (ValueError, TypeError, AttributeError) as error:
                raise ConfigError(f"{path}, line {number} is no gold page: {error}.") from error
    return found


def _documents(layout: Layout, config: CorpusConfig) -> Iterator[Document]:
    made = built_layers(layout, config)
    for shard in layout.sealed_shards():
        paths = {name: layout.shard(name, made[name], shard) for name in _LAYERS}
        if all(path.exists() for path in paths.values()):
            yield from read_documents(paths)
