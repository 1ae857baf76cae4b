"""Two settings tried on a sample of pages, side by side; nothing of the corpus changes."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.curation import labelling
from izwi.curation.labelling import Place, page_places
from izwi.evaluate.extraction import evaluate
from izwi.evaluate.gold_pages import from_labels
from izwi.model.curation import ChangedDocument, Comparison, Outcome, TriedSide
from izwi.model.document import CopyOf, Document
from izwi.model.notation import size_bytes
from izwi.pipeline.shard import read_page
from izwi.pipeline.stages import plan
from izwi.service.documents import built_layers
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.text.extract.base import Extract
from izwi.text.language import Language
from izwi.text.quality import count_words
from izwi.text.verdicts import Select, Sift

_MOST_CHANGED = 200


def compare(
    layout: Layout, before: CorpusConfig, after: CorpusConfig, *, sample: int, seed: int
) -> Comparison:
    """Return what two settings make of the same pages."""
    places = stratified(list(page_places(layout)), sample, seed)
    copies = _copies(layout, before, places)
    one = judged(layout, before, places, copies)
    other = judged(layout, after, places, copies)
    pairs = list(zip(one, other, strict=True))
    changed = [pair for pair in pairs if _kept_texts(pair[0]) != _kept_texts(pair[1])]
    return Comparison(
        len(places),
        _with_labels(_side(one), layout, before),
        _with_labels(_side(other), layout, after),
        tuple(_changed(*pair) for pair in changed[:_MOST_CHANGED]),
        len(changed),
    )


def stratified(places: Sequence[Place], size: int, seed: int) -> list[Place]:
    """Return so many pages, as many of each source as there are, drawn by chance.

    Sources with few pages give all they have, and the others more.
    """
    drawn = random.Random(seed)
    by_source: dict[str, list[Place]] = defaultdict(list)
    for place in places:
        by_source[place[1].source].append(place)
    queues = [drawn.sample(by_source[name], len(by_source[name])) for name in sorted(by_source)]
    chosen: list[Place] = []
    while len(chosen) < size and any(queues):
        chosen += [queue.pop() for queue in queues if queue]
    return chosen[:size]


def judged(
    layout: Layout, config: CorpusConfig, places: Sequence[Place], copies: Mapping[str, CopyOf]
) -> list[Document]:
    """Return the documents as the stages would judge them with these settings."""
    stages = {stage.spec.name: stage.config for stage in plan(config)}
    limit = size_bytes(config.extract.max_size)
    pages = (read_page(layout.warc(shard), entry, limit) for shard, entry in places)
    documents: Iterator[Document] = Extract(stages["extract"])(pages)
    documents = Sift(stages["sift"])(Language(stages["language"])(documents))
    # What is a copy of what only the whole corpus can tell: it is taken as it was found.
    known = (replace(each, copy_of=copies.get(each.id)) for each in documents)
    return list(Select(stages["select"])(known))


def _copies(layout: Layout, config: CorpusConfig, places: Sequence[Place]) -> dict[str, CopyOf]:
    made = built_layers(layout, config)
    found: dict[str, CopyOf] = {}
    for shard in sorted({shard for shard, _ in places}):
        text, dup = (layout.shard(name, made[name], shard) for name in ("text", "dup"))
        if not (text.exists() and dup.exists()):
            continue
        ids = read_columns(text, ["id"]).column("id").to_pylist()
        rows = read_columns(dup, ["copy_of", "method", "similarity"]).to_pylist()
        found |= {
            id: CopyOf(row["copy_of"], row["method"], row["similarity"])
            for id, row in zip(ids, rows, strict=True)
            if row["copy_of"]
        }
    return found


def _side(documents: Sequence[Document]) -> TriedSide:
    kept = [document for document in documents if document.verdict.is_kept]
    reasons = Counter(each.verdict.reason for each in documents if not each.verdict.is_kept)
    return TriedSide(len(kept), sum(map(_words, kept)), tuple(reasons.most_common()))


def _with_labels(side: TriedSide, layout: Layout, config: CorpusConfig) -> TriedSide:
    """Return a side with how well its extractor does on the pages people labelled."""
    gold = [from_labels(page) for page in labelling.stored(layout) if page.time]
    gold = [page for page in gold if page.text]
    if not gold:
        return side
    own: Any = config.extract
    kind = plugins.load("izwi.extractors", own.method)
    scores = evaluate(own.method, kind(own.options or kind.Options()), gold)
    return replace(side, labelled=scores.pages, precision=scores.precision, recall=scores.recall)


def _changed(before: Document, after: Document) -> ChangedDocument:
    old, new = _kept_texts(before), _kept_texts(after)
    gained = tuple((Counter(new) - Counter(old)).elements())
    lost = tuple((Counter(old) - Counter(new)).elements())
    return ChangedDocument(
        after.id, after.url, after.source, _outcome(before), _outcome(after), gained, lost
    )


def _outcome(document: Document) -> Outcome:
    verdict = document.verdict
    words = "kept" if verdict.is_kept else verdict.reason
    return Outcome(words, _words(document) if verdict.is_kept else 0)


def _kept_texts(document: Document) -> tuple[str, ...]:
    if not document.verdict.is_kept:
        return ()
    return tuple(each.text for each in document.paragraphs if each.is_main)


def _words(document: Document) -> int:
    return count_words(document.text)
