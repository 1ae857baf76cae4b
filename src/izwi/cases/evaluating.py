"""How good the parts are: on the corpus's own gold, on audits, on collections of others."""

import json
import tempfile
from collections.abc import Iterator, Sequence, Set
from dataclasses import fields
from itertools import chain, islice, product
from pathlib import Path

from izwi.cases.collection_tools import Options
from izwi.cases.deduplicating import Item, decide_blocks, read_batches, settings_of
from izwi.config.load import load
from izwi.config.schema import CorpusConfig
from izwi.evaluate import copies
from izwi.evaluate.copies import Forged, block_agreement, document_agreement, forge, score
from izwi.evaluate.corpus import GoldDocument, score_corpus
from izwi.model.document import Document, Verdict
from izwi.model.errors import ConfigError, SourceError
from izwi.model.notation import read_json
from izwi.model.results import Agreement, CopyScores, NgramRow
from izwi.model.scores import Truth
from izwi.service.documents import built_layers
from izwi.service.ledger import ledger_lines
from izwi.store.catalog import Catalog
from izwi.store.layers import read_documents
from izwi.store.layout import Layout


def copies_found(
    source: Path, most: int, seed: int, ngrams: Sequence[int], thresholds: Sequence[float],
    ignored: tuple[str, ...],
) -> tuple[CopyScores, ...]:  # fmt: skip
    """Return, for each setting, how many copies made in a collection are found."""
    items = islice(chain.from_iterable(read_batches(source)), most)
    forged = forge([(item.id, item.paragraphs) for item in items], seed)
    if not any(each.kind for each in forged):
        raise SourceError(f"{source} has no document long enough to be copied.")
    lists = [(), ignored] if ignored else [()]
    return tuple(
        _scores(forged, Options(ngram=n, threshold=share, ignored=words))
        for n, share, words in product(ngrams, thresholds, lists)
    )


def rows_of_ngrams(source: Path, most: int, stop_words: tuple[str, ...]) -> tuple[NgramRow, ...]:
    """Return what each length and kind of n-grams leaves of a collection, per threshold."""
    items = _items(source, most)
    documents = [item.paragraphs for item in items]
    ignored = stop_words or copies.frequent_words(documents)
    rows = []
    for threshold, reading in product(copies.THRESHOLDS, copies.readings(ignored)):
        options = Options(
            reading.ngram, threshold, ignored=reading.ignored, has_marks=reading.has_marks,
            own=0, has_edited=False,
        )  # fmt: skip
        kept = _kept([(item.id, item.paragraphs) for item in items], options)
        left = [[item.paragraphs[place] for place in kept[item.id]] for item in items]
        rows.append(copies.row(documents, left, reading, threshold))
    return tuple(rows)


def agreement_of(source: Path, most: int, seed: int) -> tuple[Agreement, ...]:
    """Return how far each method decides as a full pairwise comparison, copies made among them."""
    forged = forge([(item.id, item.paragraphs) for item in _items(source, most)], seed)[:most]
    documents = [each.paragraphs for each in forged]
    options = Options(own=0, has_edited=False, stub=0)
    decided = _kept([(each.id, each.paragraphs) for each in forged], options)
    kept = [decided[each.id] for each in forged]
    blocks = block_agreement(documents, kept, settings_of(options).reading, options.threshold)
    return blocks, *document_agreement(documents)


def _items(source: Path, most: int) -> list[Item]:
    items = list(islice(chain.from_iterable(read_batches(source)), most))
    if not items:
        raise SourceError(f"{source} has no documents.")
    return items


def _kept(documents: Sequence[tuple[str, Sequence[str]]], options: Options) -> dict[str, list[int]]:
    """Return the paragraphs that are left of each document."""
    with tempfile.TemporaryDirectory(prefix="izwi-evaluate-") as folder:
        source, target = Path(folder) / "in.jsonl", Path(folder) / "out.jsonl"
        with source.open("w", encoding="utf-8") as file:
            for name, paragraphs in documents:
                file.write(json.dumps({"id": name, "paras": paragraphs}) + "\n")
        decide_blocks(source, target, None, options)
        with target.open(encoding="utf-8") as lines:
            return {line["id"]: line["keep"] for line in map(json.loads, lines)}


def _scores(forged: Sequence[Forged], options: Options) -> CopyScores:
    kept = _kept([(each.id, each.paragraphs) for each in forged], options)
    return score(forged, kept, (options.ngram, options.threshold, len(options.ignored)))


_LAYERS = ("text", "lang", "dup", "select")
_KNOWN = {each.name for each in fields(GoldDocument)}


def truth_of(folder: Path, gold: Path) -> Truth:
    """Return how true a corpus is by the gold pages of a file of JSON Lines."""
    pages = read_gold(gold)
    documents, verdicts = judged_of(folder, {page.url for page in pages})
    return score_corpus(pages, documents, verdicts)


def judged_of(folder: Path, wanted: Set[str]) -> tuple[Iterator[Document], dict[str, Verdict]]:
    """Return a corpus's documents with their verdicts, and what became of certain addresses."""
    layout, config = Layout(folder), load(folder / "corpus.toml")
    with Catalog.read(layout.catalog) as catalog:
        verdicts = {
            line.url: Verdict(line.outcome, line.stage, line.reason)  # type: ignore[arg-type]
            for line in ledger_lines(layout, config, catalog)
            if line.url in wanted
        }
    return _documents(layout, config), verdicts


def read_gold(path: Path) -> list[GoldDocument]:
    """Return gold pages, one JSON object a line; what is not known here is passed over."""
    found = []
    with path.open(encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            try:
                row = read_json(line)
                found.append(GoldDocument(**{key: row[key] for key in _KNOWN & row.keys()}))
            except (ValueError, TypeError, AttributeError) as error:
                raise ConfigError(f"{path}, line {number} is no gold page: {error}.") from error
    return found


def _documents(layout: Layout, config: CorpusConfig) -> Iterator[Document]:
    made = built_layers(layout, config)
    for shard in layout.sealed_shards():
        paths = {name: layout.shard(name, made[name], shard) for name in _LAYERS}
        if all(path.exists() for path in paths.values()):
            yield from read_documents(paths)
