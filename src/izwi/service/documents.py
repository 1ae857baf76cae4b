"""Documents: one of them from layers or index, and pages of them by date."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, cast

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from izwi.config.schema import CorpusConfig
from izwi.index.reader import NO_DATE, Segment
from izwi.model import reading
from izwi.model.capture import CaptureEntry
from izwi.model.document import (
    COLUMN_BY_ATTRIBUTE,
    Annotation,
    Document,
    LanguageGuess,
    Metadata,
    Paragraph,
    Precision,
    PublicationDate,
)
from izwi.model.errors import IzwiError, NotFound, QueryError, StoreError, TakenDown
from izwi.model.notation import size_bytes
from izwi.model.results import DocumentCard
from izwi.pipeline.stages import plan
from izwi.query.engine import Filter, chosen_documents
from izwi.store import snapshots
from izwi.store.layers import read_columns, read_one
from izwi.store.layout import Layout, read_recipe
from izwi.store.objects import at_hand
from izwi.store.takedowns import read_takedowns
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.decode import decode
from izwi.text.metadata.dates import find_date
from izwi.text.quality import count_words

_LAYERS = ("text", "lang", "dup", "select")
# Of a document that was imported without its page.
NO_CAPTURE = reading.CaptureProof("", 0, "", "", "", 0)
_UNKNOWN = "1970-01-01T00:00:00+00:00"
_TEXT_TYPES = ("text/", "application/xhtml", "application/xml", "application/json", "")


@dataclass(frozen=True, slots=True)
class Place:
    """Where a document lies: its shard and its row there."""

    shard: str
    row: int


def document_view(
    layout: Layout, config: CorpusConfig, id: str, *, snapshot: int, segments: Sequence[Segment]
) -> reading.DocumentView:
    """Return a document as readers see it; its `snapshot` is 0 if no segment has it."""
    try:
        place, document = _find(layout, config, id)
    except NotFound:
        found = _imported_document(segments, id)
        if found is None:
            raise
        _refuse_taken_down(layout, found.url)
        return _view(found, NO_CAPTURE, snapshot)
    is_indexed = any(segment.numbers_of(id) for segment in segments)
    proof = _proof(capture_of(layout, place, document), place.shard)
    return _view(document, proof, snapshot if is_indexed else 0)


def _imported_document(segments: Sequence[Segment], id: str) -> Document | None:
    """Return a document that only the index has: it was imported without a page."""
    name = "url" if "://" in id else "id"
    for segment in segments:
        number = pc.index(segment.cards.column(name), id).as_py()
        if number >= 0 and not segment.is_gone[number]:
            return _indexed_document(segment, number, _UNKNOWN)
    return None


def archived_page(layout: Layout, config: CorpusConfig, id: str) -> reading.ArchivedPage:
    """Return the page a document came from, as it was captured."""
    place, document = _find(layout, config, id)
    entry = capture_of(layout, place, document)
    if not entry.media_type.startswith(_TEXT_TYPES[:-1]) and entry.media_type:
        raise NotFound(
            f"The capture of {document.url} is of type {entry.media_type}, which is not shown here."
        )
    capture = read_capture(layout.warc(place.shard), entry)
    try:
        body = decoded_body(capture, size_bytes(config.extract.max_size))
    except (OversizedBody, ValueError) as error:
        raise StoreError(f"The capture of {document.url} cannot be unpacked: {error}.") from error
    found = decode(body, capture.header("Content-Type"), entry.url)
    time = entry.time.isoformat()
    return reading.ArchivedPage(id, document.url, time, entry.media_type, found.charset, found.text)


def _find(layout: Layout, config: CorpusConfig, id: str) -> tuple[Place, Document]:
    """Return a document that may be shown, and where it lies."""
    place, document = find_document(layout, config, id)
    _refuse_taken_down(layout, document.url)
    return place, document


def find_document(layout: Layout, config: CorpusConfig, id: str) -> tuple[Place, Document]:
    """Return a document by its id or URL, and where it lies; later captures first."""
    made = built_layers(layout, config)
    built = layout.built_shards("text", made["text"])
    name = "url" if "://" in id else "id"
    likely = _shard_in_index(layout, id) if name == "id" else ""
    # Sorting keeps the order of the others.
    shards = reversed([each for each in layout.sealed_shards() if each in built])
    for shard in sorted(shards, key=lambda each: each != likely):
        path = layout.shard("text", made["text"], shard)
        row = pc.index(read_columns(path, [name]).column(name), id).as_py()
        if row >= 0:
            place = Place(shard, row)
            return place, _read(layout, made, place)
    raise NotFound(
        f"No document of this corpus has the id '{id}'. It may belong to another corpus, or its "
        "capture is gone."
    )


def _shard_in_index(layout: Layout, id: str) -> str:
    """Return the shard of a document by the index, which has all ids at hand; empty if unknown."""
    with suppress(IzwiError):
        for entry in snapshots.current(layout).segments:
            folder = layout.segments / entry.id
            if not (folder / "cards.arrow").exists():  # in an object store, and not fetched for it
                continue
            for number in Segment(folder, entry.gone).numbers_of(id):
                rows = ((part.shard, begin, begin + part.rows) for part, begin in entry.beginnings)
                return next((shard for shard, first, last in rows if first <= number < last), "")
    return ""


def built_layers(layout: Layout, config: CorpusConfig) -> dict[str, str]:
    """Return the fingerprints of the layers that tell of documents: current, or the last built."""
    made = {stage.spec.writes: stage.fingerprint for stage in plan(config)}
    older = layout.fingerprints("select")
    if older and made["select"] not in older:
        upstream = read_recipe(layout, "select", older[-1]).get("upstream") or []
        read = next(stage.spec.reads for stage in plan(config) if stage.spec.writes == "select")
        return {**made, **dict(zip(read, upstream, strict=False)), "select": older[-1]}
    return made


def _read(layout: Layout, made: dict[str, str], place: Place) -> Document:
    paths = {name: layout.shard(name, made[name], place.shard) for name in _LAYERS}
    return read_one(
        {name: path for name, path in paths.items() if at_hand(path).exists()}, place.row
    )


def _refuse_taken_down(layout: Layout, url: str) -> None:
    if read_takedowns(layout).covers(url):
        raise TakenDown("This document was taken down at its owner's request and is not shown.")


def capture_of(layout: Layout, place: Place, document: Document) -> CaptureEntry:
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


def _proof(entry: CaptureEntry, shard: str) -> reading.CaptureProof:
    return reading.CaptureProof(
        entry.time.isoformat(), entry.status, entry.media_type, entry.digest, shard, entry.offset
    )


def _with_days(known: Metadata) -> Metadata:
    """Return metadata whose claims write days alike: '19 February 2010' agrees with 2010-02-19."""
    days = ((claim, find_date(claim.value)) for claim in known.claims)
    return replace(known, claims=tuple(replace(c, value=str(day or c.value)) for c, day in days))


def _view(document: Document, proof: reading.CaptureProof, snapshot: int) -> reading.DocumentView:
    known, when, verdict = document.metadata, document.metadata.date, document.verdict
    chosen = when.value.isoformat() if when else ""
    return reading.DocumentView(
        id=document.id,
        url=document.url,
        source=document.source,
        title=known.title,
        author=known.author,
        date=when.value if when else None,
        date_precision=when.precision if when else "",
        date_evidence=when.evidence if when else "",
        date_confidence=round(_with_days(known).confidence("datePublished", chosen), 3),
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
        words=sum(count_words(each.text) for each in document.paragraphs if each.is_main),
    )


def _paragraphs(document: Document) -> list[reading.ShownParagraph]:
    owner = {copy.paragraph: copy.document for copy in document.copied if not copy.is_furniture}
    return [
        reading.ShownParagraph(
            number, each.text, each.kind, each.is_main, each.reason, owner.get(number, "")
        )
        for number, each in enumerate(document.paragraphs)
    ]


_COLUMNS = {**COLUMN_BY_ATTRIBUTE, "tag": "xpos"}


def indexed_documents(segment: Segment, published: str) -> Iterator[Document]:
    """Yield the documents of a segment but for copies; `published` is that of its version."""
    for number in np.flatnonzero(segment.is_original).tolist():
        yield _indexed_document(segment, number, published)


def _indexed_document(segment: Segment, number: int, published: str) -> Document:
    begin, end = int(segment.document_starts[number]), int(segment.document_ends[number])
    firsts = _within(_starts(segment, "p"), begin, end)
    texts, tokens = _text(segment, begin, end, firsts)
    sentences = _within(_starts(segment, "s"), begin, end)
    card = segment.card(number)
    return Document(
        id=card.id,
        url=card.url,
        captured=_moment(card.captured or published),
        source=card.source,
        metadata=_metadata(card),
        paragraphs=tuple(map(Paragraph, texts)),
        language=LanguageGuess(card.language, 1.0) if card.language else None,
        annotation=_annotation(segment, begin, end, tokens, sentences),
    )


def _starts(segment: Segment, name: str) -> NDArray[Any]:
    return segment.structure(name).starts if name in segment.structures else np.empty(0, int)


def _within(starts: NDArray[Any], begin: int, end: int) -> list[int]:
    """Return the starts inside a document, counted from its first token, which is always one."""
    low, high = np.searchsorted(starts, [begin, end])
    found = (starts[low:high].astype(np.int64) - begin).tolist()
    return found if not begin < end or found[:1] == [0] else [0, *found]


def _text(
    segment: Segment, begin: int, end: int, firsts: list[int]
) -> tuple[list[str], tuple[list[str], list[int], list[int]]]:
    """Return the paragraphs of a document, and its words with where each begins."""
    pieces = segment.pieces([(begin, end)])[0] if begin < end else []
    texts: list[str] = []
    words, starts, place = [], [], 0
    for first, last in zip(firsts, [*firsts[1:], end - begin], strict=True):
        text = ""
        for piece in pieces[first:last]:
            word = piece.removesuffix(" ")
            starts.append(place + len(text))
            words.append(word)
            text += piece
        texts.append(text.rstrip(" "))
        place += len(texts[-1]) + 1
    return texts, (words, starts, firsts)


def _annotation(
    segment: Segment,
    begin: int,
    end: int,
    tokens: tuple[list[str], list[int], list[int]],
    sentences: list[int],
) -> Annotation:
    words, starts, firsts = tokens
    columns: dict[str, Any] = {
        _COLUMNS[name]: tuple(_values(segment, name, begin, end))
        for name in segment.attributes
        if name in _COLUMNS
    }
    return Annotation(
        tuple(words),
        tuple(starts),
        tuple(start + len(word) for start, word in zip(starts, words, strict=True)),
        tuple(sorted({*sentences, *firsts})),
        tuple(firsts),
        **columns,
    )


def _values(segment: Segment, name: str, begin: int, end: int) -> list[str]:
    attribute = segment.attribute(name)
    return attribute.values(attribute.column[np.arange(begin, end)])


def _metadata(card: DocumentCard) -> Metadata:
    precision = cast(Precision, card.date_precision or "day")
    when = PublicationDate(card.date, precision, card.date_evidence) if card.date else None
    return Metadata(card.title, card.author, when, card.section, card.site)


def _moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return datetime.fromtimestamp(0, UTC)
    return found if found.tzinfo else found.replace(tzinfo=UTC)


MOST_CARDS = 1000
_ORDERS = ("date", "newest")


def list_documents(
    segments: Sequence[Segment],
    chosen: Filter,
    *,
    snapshot: int,
    sort: str = "date",
    page: int = 1,
    size: int = 100,
) -> reading.DocumentList:
    """Return one page of the documents that count, oldest or newest first, undated ones last."""
    if sort not in _ORDERS:
        raise QueryError(f"Documents are sorted by {' or '.join(_ORDERS)}, not '{sort}'.")
    if not 1 <= size <= MOST_CARDS:
        raise QueryError(f"A page has 1 to {MOST_CARDS} documents, not {size}.")
    places = [_numbers(segment, chosen) for segment in segments]
    owners = np.repeat(np.arange(len(segments)), [len(own) for own in places])
    numbers = np.concatenate(places) if places else np.zeros(0, np.int64)
    days = _days(segments, places, is_newest_first=sort == "newest")
    total = len(numbers)
    pages = max(1, -(-total // size))
    if not 1 <= page <= pages:
        raise QueryError(f"There is no page {page}: the documents fill only {pages}.")
    shown = np.argsort(days, kind="stable")[(page - 1) * size : page * size]
    cards = tuple(_card(segments, int(owners[each]), int(numbers[each])) for each in shown)
    return reading.DocumentList(snapshot, total, page, pages, size, sort, cards)


def _numbers(segment: Segment, chosen: Filter) -> NDArray[np.int64]:
    mask = chosen_documents(segment, chosen).mask
    every = np.arange(len(segment.document_starts), dtype=np.int64)
    return every if mask is None else every[mask]


def _days(
    segments: Sequence[Segment], places: Sequence[NDArray[np.int64]], *, is_newest_first: bool
) -> NDArray[np.int64]:
    """Return what documents are ordered by: their day, the undated after all others."""
    if not segments:
        return np.zeros(0, np.int64)
    days = np.concatenate(
        [segment.dates[own].astype(np.int64) for segment, own in zip(segments, places, strict=True)]
    )
    ordered = -days if is_newest_first else days
    return np.where(days == NO_DATE, np.iinfo(np.int64).max, ordered)


def _card(segments: Sequence[Segment], owner: int, number: int) -> DocumentCard:
    segment = segments[owner]
    id = segment.document_id(number)
    return segment.card(number, copies=sum(each.copies_of(id) for each in segments))
