"""One document: its text and metadata from the layers, and the page it came from."""

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow.compute as pc

from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.index.reader import Segment
from izwi.model.capture import CaptureEntry
from izwi.model.document import Document
from izwi.model.errors import NotFound, StoreError, TakenDown
from izwi.model.reading import ArchivedPage, CaptureProof, DocumentView, ShownParagraph
from izwi.pipeline.stages import plan
from izwi.store.layers import read_columns, read_one
from izwi.store.layout import Layout
from izwi.store.objects import at_hand
from izwi.store.takedowns import read_takedowns
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.decode import decode

_LAYERS = ("text", "lang", "dup", "select")
_TEXT_TYPES = ("text/", "application/xhtml", "application/xml", "application/json", "")


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a document lies: its shard and its row there."""

    shard: str
    row: int


def document_view(
    layout: Layout, config: CorpusConfig, id: str, *, snapshot: int, segments: Sequence[Segment]
) -> DocumentView:
    """Return a document as readers see it; its `snapshot` is 0 if no segment has it."""
    place, document = _find(layout, config, id)
    is_indexed = any(segment.numbers_of(id) for segment in segments)
    proof = _proof(_entry(layout, place, document), place.shard)
    return _view(document, proof, snapshot if is_indexed else 0)


def archived_page(layout: Layout, config: CorpusConfig, id: str) -> ArchivedPage:
    """Return the page a document came from, as it was captured."""
    place, document = _find(layout, config, id)
    entry = _entry(layout, place, document)
    if not entry.media_type.startswith(_TEXT_TYPES[:-1]) and entry.media_type:
        raise NotFound(
            f"The capture of {document.url} is of type {entry.media_type}, which is not shown here."
        )
    capture = read_capture(layout.warc(place.shard), entry)
    try:
        body = decoded_body(capture, size_bytes(config.extract.max_size))
    except (OversizedBody, ValueError) as error:
        raise StoreError(f"The capture of {document.url} cannot be unpacked: {error}.") from error
    found = decode(body, capture.header("Content-Type"))
    time = entry.time.isoformat()
    return ArchivedPage(id, document.url, time, entry.media_type, found.charset, found.text)


def _find(layout: Layout, config: CorpusConfig, id: str) -> tuple[_Place, Document]:
    """Return a document by its id or URL, and where it lies; later captures first."""
    made = {stage.spec.writes: stage.fingerprint for stage in plan(config)}
    built = layout.built_shards("text", made["text"])
    name = "url" if "://" in id else "id"
    for shard in reversed([each for each in layout.sealed_shards() if each in built]):
        path = layout.shard("text", made["text"], shard)
        row = pc.index(read_columns(path, [name]).column(name), id).as_py()
        if row >= 0:
            place = _Place(shard, row)
            document = _read(layout, made, place)
            _refuse_taken_down(layout, document.url)
            return place, document
    raise NotFound(
        f"No document of this corpus has the id '{id}'. It may belong to another corpus, or its "
        "capture is gone."
    )


def _read(layout: Layout, made: dict[str, str], place: _Place) -> Document:
    paths = {name: layout.shard(name, made[name], place.shard) for name in _LAYERS}
    return read_one(
        {name: path for name, path in paths.items() if at_hand(path).exists()}, place.row
    )


def _refuse_taken_down(layout: Layout, url: str) -> None:
    if read_takedowns(layout).covers(url):
        raise TakenDown("This document was taken down at its owner's wish; it is not shown.")


def _entry(layout: Layout, place: _Place, document: Document) -> CaptureEntry:
    """Return the capture of a document: the one of its moment, or else of its address."""
    found = [
        entry
        for entry in read_entries(layout.captures(place.shard))
        if entry.url == document.url or entry.time == document.captured
    ]
    if not found:
        raise NotFound(f"The capture of {document.url} is not in the files of this corpus.")
    return min(
        found, key=lambda entry: (entry.url != document.url, entry.time != document.captured)
    )


def _proof(entry: CaptureEntry, shard: str) -> CaptureProof:
    return CaptureProof(
        entry.time.isoformat(), entry.status, entry.media_type, entry.digest, shard, entry.offset
    )


def _view(document: Document, proof: CaptureProof, snapshot: int) -> DocumentView:
    known, when, verdict = document.metadata, document.metadata.date, document.verdict
    chosen = when.value.isoformat() if when else ""
    return DocumentView(
        id=document.id,
        url=document.url,
        source=document.source,
        title=known.title,
        author=known.author,
        date=when.value if when else None,
        date_precision=when.precision if when else "",
        date_evidence=when.evidence if when else "",
        date_confidence=round(known.confidence("datePublished", chosen), 3),
        modified=known.modified.value if known.modified else None,
        section=known.section,
        site=known.site,
        keywords=known.keywords,
        language=document.language.code if document.language else "",
        language_score=round(document.language.score, 4) if document.language else 0.0,
        licence=known.licence,
        page_type=known.page_type,
        outcome=verdict.outcome,
        stage=verdict.stage,
        reason=verdict.reason,
        copy_of=document.copy_of.document if document.copy_of else "",
        capture=proof,
        snapshot=snapshot,
        paragraphs=tuple(_paragraphs(document)),
        claims=known.claims,
    )


def _paragraphs(document: Document) -> list[ShownParagraph]:
    owner = {copy.paragraph: copy.document for copy in document.copied}
    return [
        ShownParagraph(
            number, each.text, each.kind, each.is_main, each.reason, owner.get(number, "")
        )
        for number, each in enumerate(document.paragraphs)
    ]
