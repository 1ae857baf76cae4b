"""How well the corpus's own gold says its texts and languages were found."""

from collections.abc import Iterator, Sequence
from itertools import islice

from izwi import plugins
from izwi.config.schema import CorpusConfig
from izwi.curation import labelling
from izwi.curation.auditing import FAULTS
from izwi.evaluate.extraction import evaluate
from izwi.evaluate.labels import from_labels
from izwi.model.document import READY_MADE, Document
from izwi.model.languages import iso639_3
from izwi.model.reports import AuditFigure, QualityFigure
from izwi.store.layers import read_columns, read_documents
from izwi.store.layout import Layout
from izwi.text.extract.base import Extractor
from izwi.text.language.base import identifier

# Enough for a share that is right to some two per cent, and soon done.
_MOST_TEXTS, _MOST_PAGES = 500, 200


def quality_figures(
    layout: Layout,
    config: CorpusConfig,
    text: str,
    shards: Sequence[str],
    audit: Sequence[AuditFigure],
) -> tuple[QualityFigure, ...]:
    """Return what labels, stated languages and an audit say; nothing where there is no gold."""
    return (
        *extraction_quality(layout, config),
        *language_quality(layout, config, text, shards),
        *audited_language(audit),
    )


def extraction_quality(layout: Layout, config: CorpusConfig) -> Iterator[QualityFigure]:
    """Yield how the corpus's extractor does on the pages that people labelled."""
    looked_at = [from_labels(page) for page in labelling.stored(layout) if page.time]
    pages = [page for page in looked_at if page.text][:_MOST_PAGES]
    if not pages:
        return
    method = config.extract.method
    found = evaluate(method, _extractor(config), pages)
    for measure in ("precision", "recall", "f1"):
        value = getattr(found, measure)
        yield QualityFigure("main text", f"pages labelled, {method}", len(pages), measure, value)


def language_quality(
    layout: Layout, config: CorpusConfig, text: str, shards: Sequence[str]
) -> Iterator[QualityFigure]:
    """Yield how often the language of imported texts is told as they state it."""
    known = list(islice(_stated(layout, text, shards), _MOST_TEXTS))
    if not known:
        return
    model = layout.root / config.language.model if config.language.model else None
    told = identifier(config.language.method, str(model or ""))
    right = sum(told(each.text).code == iso639_3(each.metadata.language) for each in known)
    gold = f"imported texts that state it, {config.language.method}"
    yield QualityFigure("language", gold, len(known), "accuracy", right / len(known))


def audited_language(audit: Sequence[AuditFigure]) -> Iterator[QualityFigure]:
    """Yield the share of an audit's documents that are in the right language."""
    for each in audit:
        if each.fault == FAULTS["language"] and each.judged:
            gold = f"audit of version {each.version}"
            value = 1 - each.count / each.judged
            yield QualityFigure("language", gold, each.judged, "accuracy", value)


def _extractor(config: CorpusConfig) -> Extractor:
    kind = plugins.load("izwi.extractors", config.extract.method)
    made: Extractor = kind(config.extract.options or kind.Options())
    return made


def _stated(layout: Layout, text: str, shards: Sequence[str]) -> Iterator[Document]:
    """Yield imported texts that say what language they are in."""
    for shard in sorted(layout.built_shards("text", text) & set(shards)):
        path = layout.shard("text", text, shard)
        kinds = read_columns(path, ["media_type"]).column("media_type").to_pylist()
        if READY_MADE in kinds:
            for each in read_documents({"text": path}):
                if each.media_type == READY_MADE and each.metadata.language and each.text.strip():
                    yield each
