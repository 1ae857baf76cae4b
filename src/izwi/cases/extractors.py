"""Extractors proved on gold pages and made from them; no corpus is needed."""

import gzip
import json
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from izwi import plugins
from izwi.config.load import checked_options
from izwi.evaluate.extraction import evaluate, held_out_cutoffs
from izwi.evaluate.gold_pages import GoldPage, example, part_of, read_gold
from izwi.evaluate.training import trained
from izwi.model.errors import StoreError
from izwi.model.scores import Scores, TrainedExtractor
from izwi.text.extract.adapters import Readability, ReadabilityOptions
from izwi.text.extract.judging import Extractor
from izwi.text.extract.learnt import Izwi, IzwiOptions

# Pages are taken in the order of a hash of so many values.
_ORDERS = 1 << 64
# The extractor that has a model, and how the names of such files end.
_LEARNT, _MODEL_FILE = "izwi", ".npz"
_SETS = ("*.jsonl", "*.jsonl.gz", "*/pages.jsonl", "*/pages.jsonl.gz")
# Extractors of other people, and the module each needs.
_PEERS = {
    "trafilatura": "trafilatura", "resiliparse": "resiliparse", "readability": "readability",
}  # fmt: skip


def scored(gold: Path, methods: Sequence[str], limit: int) -> list[Scores]:
    """Return the scores of extractors, each with its options, on the same pages, set by set."""
    return _scores(gold, {name: extractor_from(name) for name in methods}, limit)


def _scores(gold: Path, made: Mapping[str, Extractor], limit: int) -> list[Scores]:
    sets = {name: sample(pages, limit) for name, pages in gold_sets(gold).items()}
    sets = {name: pages for name, pages in sets.items() if any(page.text for page in pages)}
    if not sets:
        raise StoreError(f"{gold} has no page with a gold text.")
    return [
        replace(evaluate(name, extractor, pages), set=one if len(sets) > 1 else "")
        for one, pages in sets.items()
        for name, extractor in made.items()
    ]


def sample(pages: Sequence[GoldPage], limit: int) -> Sequence[GoldPage]:
    """Return so many pages, always the same; files begin with one type of page or one host."""
    if not limit:
        return pages
    return sorted(pages, key=lambda page: part_of(page.id, _ORDERS))[:limit]


def gold_sets(path: Path) -> dict[str, list[GoldPage]]:
    """Return the pages of a file, or of each set in a folder: its files, or folders with one."""
    if not path.is_dir():
        return {path.name: gold_pages(path)}
    files = [file for pattern in _SETS for file in sorted(path.glob(pattern))]
    return {
        file.parent.name
        if file.name.startswith("pages.")
        else file.name.partition(".")[0]: gold_pages(file)
        for file in files
    }


def installed_peers() -> list[str]:
    """Return the extractors of other people that can be run here."""
    return [name for name, module in _PEERS.items() if find_spec(module)]


def earlier_scores(
    path: Path, gold: Path | None = None, *, limit: int = 0
) -> dict[tuple[str, str], dict[str, float]]:
    """Return the F1 of each page by set and method, as `izwi evaluate extract --json` wrote it.

    Of an earlier model of the extractor instead, what it makes of the same gold pages.
    """
    if gold and path.suffix == _MODEL_FILE:
        model = Izwi(IzwiOptions(model=str(path)))
        scored = _scores(gold, {_LEARNT: model}, limit)
        return {(one.set, one.method): one.f1_by_page for one in scored}
    try:
        rows = json.loads(path.read_text(encoding="utf-8"))
        return {(row.get("set", ""), row["method"]): row["f1_by_page"] for row in rows}
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise StoreError(f"{path} is not what `--json` wrote: {error}.") from error


def extractor_from(written: str) -> Extractor:
    """Return the extractor that is written as name:key=value,key=value."""
    name, _, settings = written.partition(":")
    if name == "readability":  # to compare with alone: it is no choice for a corpus
        return Readability(ReadabilityOptions())
    table = dict(_pairs(settings))
    options = checked_options(name, table, f"--method {written}", "command line")
    made: Extractor = plugins.load("izwi.extractors", name)(options)
    return made


def _pairs(settings: str) -> Iterator[tuple[str, Any]]:
    for pair in filter(None, settings.split(",")):
        key, _, value = pair.partition("=")
        try:
            yield key.strip(), tomllib.loads(f"x = {value}")["x"]
        except tomllib.TOMLDecodeError:
            yield key.strip(), value  # a word without quotes


def train_from(paths: Sequence[Path], method: str, output: Path) -> TrainedExtractor:
    """Write a model trained on gold pages; return what is known of it."""
    pages = [page for path in paths for page in gold_pages(path)]
    examples = [one for page in pages if (one := example(page))]
    if len({one.host for one in examples}) < 2:
        raise StoreError("The pages are of fewer than two hosts; training needs some to test on.")
    cutoffs = held_out_cutoffs(examples, lambda given: trained(given, method)[0])
    output.write_bytes(trained(examples, method)[1])
    return TrainedExtractor(str(output), len(examples), cutoffs)


def gold_pages(path: Path) -> list[GoldPage]:
    """Return the pages of a file of gold or labelled pages."""
    try:
        opened = gzip.open if path.suffix == ".gz" else open
        with opened(path, "rt", encoding="utf-8", errors="surrogatepass") as lines:
            return list(read_gold(lines))
    except (OSError, ValueError) as error:
        raise StoreError(f"{path} cannot be read as gold pages: {error}.") from error
