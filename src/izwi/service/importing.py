"""What others captured or annotated becomes shards like our own, or an index at once."""

import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote, urldefrag

import pyarrow as pa

from izwi.config.load import load
from izwi.config.schema import CorpusConfig
from izwi.export.conllu import read_conllu_documents
from izwi.export.incoming import Incoming, read_texts
from izwi.export.tei_reading import read_tei
from izwi.gather.archived_parts import with_parts
from izwi.gather.importing import PassedOver, Record, captures_of_files, captures_of_web_archive
from izwi.gather.urls import canonical
from izwi.index.assemble import Origin, merge_segments
from izwi.index.reader import Segment
from izwi.index.vertical import VerticalShape, import_vertical
from izwi.model.accounts import actor
from izwi.model.capture import Capture, Lead
from izwi.model.document import COLUMN_BY_ATTRIBUTE, KEPT, READY_MADE, Claim, Document
from izwi.model.errors import ConfigError, SourceError
from izwi.model.notation import now_text, size_bytes
from izwi.model.results import Notice, Progress
from izwi.pipeline.patching import imported_without
from izwi.pipeline.staleness import small_ones
from izwi.service import setup
from izwi.service.runs import Run
from izwi.service.settings import change_settings
from izwi.store import snapshots
from izwi.store.captures import CaptureStore, configured_store
from izwi.store.files import disk_errors
from izwi.store.layout import Layout
from izwi.store.lock import writing
from izwi.store.snapshots import SegmentEntry
from izwi.store.takedowns import read_takedowns
from izwi.store.warc import payload_digest
from izwi.text.other_documents import IDENTIFIER, IMPORT, ready_made_body

_COMMIT = 200


def import_web_archive(
    layout: Layout, config: CorpusConfig, run: Run, path: Path, name: str
) -> None:
    """Take in the pages of WARC, ARC or WACZ files, articles in parts together."""
    largest = size_bytes(config.gather.max_size)
    source = name or f"import-{plain_name(path)}"

    def read() -> Iterator[Record]:
        return captures_of_web_archive(path, source, largest=largest)

    take(layout, config, run, with_parts(read, largest=largest))


def import_files(
    layout: Layout, config: CorpusConfig, run: Run, path: Path, name: str, address: str
) -> None:
    """Take in HTML, text and PDF files."""
    largest = size_bytes(config.gather.max_size)
    source = name or f"import-{plain_name(path)}"
    base = address or f"http://{plain_name(path)}.files.invalid"

    pages = captures_of_files(path, source, address=base, largest=largest)
    take(layout, config, run, pages)


def take(layout: Layout, config: CorpusConfig, run: Run, captures: Iterator[Record]) -> None:
    """Store captures; one that is there already, by URL and content, is passed over.

    What is no page to be taken gets a line in the ledger with its reason.
    """
    store = configured_store(layout, run.catalog, config.gather)
    for notice in store.recover():
        run.hear(Notice(notice))
    taken, known, gone = 0, 0, read_takedowns(layout)
    passed: Counter[str] = Counter()
    try:
        for capture in captures:
            if isinstance(capture, PassedOver):
                _pass_over(run, capture)
                passed[capture.verdict.reason] += 1
                if passed.total() % _COMMIT == 0:
                    store.commit()
                continue
            if not gone.covers(capture.lead.url):
                is_new = _take_one(run, store, capture)
                taken += is_new
                known += not is_new
            if taken and (taken % _COMMIT == 0 or store.is_full):
                store.commit()
                run.hear(Progress("import", taken, None, capture.lead.url))
    finally:  # what comes before the damage of a file is kept
        store.commit()
        store.seal()
        store.close()
    run.report = replace(run.report, fetched=taken)
    if known:
        were = "page was" if known == 1 else "pages were"
        run.hear(Notice(f"{known:,} {were} there already."))
    if passed:
        words = ", ".join(f"{count} {reason}" for reason, count in passed.most_common())
        run.hear(
            Notice(f"{passed.total()} records are no pages to be taken: {words} (izwi drops).")
        )


def _pass_over(run: Run, record: PassedOver) -> None:
    """Leave a line for a record, unless its address has a page or a line already."""
    run.catalog.add_leads([record.lead])
    if run.catalog.state_of(record.lead.url) in ("fetched", "dropped"):
        return
    queued = run.catalog.find_lead(record.lead.url)
    if queued is not None:
        run.catalog.settle(queued, "dropped", record.verdict)


def _take_one(run: Run, store: CaptureStore, capture: Capture) -> int:
    catalog, lead = run.catalog, capture.lead
    # Any of them, not the last alone: a collection may have several texts of one address.
    if catalog.has_capture(lead.url, payload_digest(capture.body)):
        return 0
    catalog.add_leads([lead])
    queued = catalog.find_lead(lead.url)
    assert queued is not None
    store.append(queued, capture)
    catalog.settle(queued, "fetched", KEPT)
    return 1


def plain_name(path: Path) -> str:
    """Return a file's name as a source's name."""
    stem = path.resolve().name.lower().split(".")[0]
    return (
        "".join(sign if sign.isascii() and sign.isalnum() else "-" for sign in stem).strip("-")
        or "files"
    )


READERS: Mapping[str, Callable[[Path], Iterator[Incoming]]] = {
    "conllu": read_conllu_documents,
    "tei": read_tei,
    "texts": read_texts,
}
# What treebanks say of words beside lemma and tag; it is searched once it is in the index.
_OF_TREEBANKS = ("upos", "feats", "head", "deprel")
# The form of our own ids; others may stand for something else in another collection.
_OWN_ID = re.compile(r"[0-9a-f]{12}-[0-9]{14}")


def import_documents(
    layout: Layout, config: CorpusConfig, run: Run, path: Path, *, form: str, name: str
) -> None:
    """Take in the documents of a collection; those that are there already are passed over."""
    fallback = name or f"import-{plain_name(path)}"
    moment = _moment(path)
    documents = (
        document_of(each, number, source=name or each.source or fallback, moment=moment)
        for number, each in enumerate(READERS[form](path), 1)
    )
    # An export may come home to its own corpus.
    known, seen = _known_ids(layout), set[str]()
    new = (each for each in documents if each.id not in known)
    take(layout, config, run, (capture_of(_noted(each, seen)) for each in new))
    _make_searchable(layout, config, run, seen, path)


def _noted(document: Document, seen: set[str]) -> Document:
    """Note which attributes of a treebank a document brings along."""
    if document.given is not None:
        columns = ((name, COLUMN_BY_ATTRIBUTE[name]) for name in _OF_TREEBANKS)
        seen.update(name for name, column in columns if getattr(document.given, column))
    return document


def _make_searchable(
    layout: Layout, config: CorpusConfig, run: Run, seen: set[str], path: Path
) -> None:
    """Add what a treebank brings along to the attributes of the index, and say so."""
    before = config.index.attributes
    new = tuple(name for name in _OF_TREEBANKS if name in seen and name not in before)
    if not new:
        return
    change_settings(
        layout, {"index.attributes": [*before, *new]}, who=actor().who,
        comment=f"brought along by {path.name}",
    )  # fmt: skip
    run.hear(Notice(f"corpus.toml: [index] attributes now has {', '.join(new)}, too."))


def document_of(found: Incoming, number: int, *, source: str, moment: datetime) -> Document:
    """Return a document as it is kept; without an address it gets one that leads nowhere.

    `number` is its place in the collection, `moment` stands for the time nobody knows.
    """
    name = found.id or str(number)
    is_ours = bool(_OWN_ID.fullmatch(found.id))
    metadata = found.metadata
    if not is_ours:
        claim = Claim(IDENTIFIER, name, IMPORT)
        metadata = replace(metadata, claims=(*metadata.claims, claim))
    return Document(
        # Others' ids may be taken: such a document is named by its address, time and old id.
        id=found.id if is_ours else "",
        url=_address(found) or f"http://{_host(source)}.texts.invalid/{quote(name, safe='')[:500]}",
        captured=found.captured or moment,
        source=source,
        metadata=metadata,
        paragraphs=found.paragraphs,
        given=found.given,
    )


def capture_of(document: Document) -> Capture:
    """Return a document as a capture."""
    headers = (("Content-Type", READY_MADE),)
    lead = Lead(urldefrag(document.url).url, document.source)
    return Capture(lead, document.captured, 200, "OK", headers, ready_made_body(document))


def _address(found: Incoming) -> str:
    """Return where a document was found; a comment has its place on the page."""
    url = canonical(found.url) if found.url else None
    place = urldefrag(found.url).fragment if found.metadata.parent else ""
    return f"{url}#{place}" if url and place else url or ""


def _known_ids(layout: Layout) -> frozenset[str]:
    """Return the ids of the documents in the current version."""
    found: set[str] = set()
    for entry in snapshots.current(layout).segments:
        segment = Segment(layout.segments / entry.id, entry.gone)
        ids = segment.cards.column("id").filter(pa.array(~segment.is_gone))
        found.update(ids.to_pylist())
    return frozenset(found)


def _host(source: str) -> str:
    return plain_name(Path(source))[:60].strip("-") or "texts"


def _moment(path: Path) -> datetime:
    """Return when a collection was last changed, to the second."""
    if not path.exists():
        return datetime.now(UTC)  # its reader says what is wrong
    return datetime.fromtimestamp(int(path.stat().st_mtime), UTC)


_NAME = re.compile(r"[A-Za-z_][\w-]*")
_REGISTRY = re.compile(r"^\s*(ATTRIBUTE|STRUCTURE)\s+\"?([\w-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import added, and the version it made."""

    name: str
    path: str
    snapshot: int
    documents: int
    tokens: int


def vertical(
    source: str | Path,
    folder: str | Path,
    attributes: tuple[str, ...],
    structures: tuple[str, ...],
    registry: str | Path | None,
    name: str,
    memory: str,
) -> Imported:
    """Add a file of vertical text to a corpus folder, which is made if it is not there."""
    path, layout = Path(source), Layout(Path(folder).resolve())
    if not path.is_file():
        raise SourceError(f"{path} is not a file, so there is nothing to import.")
    shape = shape_of(attributes, structures, Path(registry) if registry else None)
    if not layout.config.exists():
        setup.create(layout.root, contact=f"imported from {path.name}", name=name)
    origin = Origin(f"{snapshots.IMPORTED}{_digest(path)}")
    with disk_errors(), writing(layout.lock, "izwi import"):
        entry = import_vertical(
            path, layout.segments, shape, origin,
            memory_bytes=_memory_bytes(memory),
            nowhere=f"http://{_host(plain_name(path))}.texts.invalid",
        )  # fmt: skip
        before, gone = snapshots.current(layout), read_takedowns(layout)
        # What was taken down does not come back with a file.
        left: Sequence[SegmentEntry] = (*before.segments, entry)
        if gone.entries:
            left = imported_without(layout, left, gone)
        made = snapshots.publish(
            layout, _merged(layout, left), published=now_text(), versions={"izwi": version("izwi")}
        )
    corpus = load(layout.config).corpus.name
    kept = next(
        (each for each in left if each.id == entry.id), replace(entry, documents=0, tokens=0)
    )
    return Imported(corpus, str(layout.root), made.number, kept.documents, kept.tokens)


def _merged(layout: Layout, entries: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Return the segments with small imported ones of the same shape made one.

    A hundred imports would leave a hundred segments, and each question would ask all of them.
    """
    by_shape: dict[str, list[SegmentEntry]] = {}
    for entry in entries:
        if entry.is_imported:
            by_shape.setdefault(_shape(Segment(layout.segments / entry.id)), []).append(entry)
    found = list(entries)
    for alike in by_shape.values():
        many = small_ones(alike)
        if many:
            digest = hashlib.blake2b("".join(each.id for each in many).encode(), digest_size=6)
            origin = Origin(f"{snapshots.IMPORTED}{digest.hexdigest()}")
            segments = [Segment(layout.segments / each.id, each.gone) for each in many]
            found[found.index(many[0])] = merge_segments(layout.segments, segments, origin)
            found = [each for each in found if each not in many]
    return found


def _shape(segment: Segment) -> str:
    """Return what segments have in common that can be merged: attributes of tokens and tags."""
    tags = {name: segment.structure(name).attributes.column_names for name in segment.structures}
    return repr((segment.attributes, tags))


def shape_of(
    attributes: tuple[str, ...], structures: tuple[str, ...], registry: Path | None
) -> VerticalShape:
    """Return the columns and tags of vertical text, checked."""
    if registry is not None:
        found = _REGISTRY.findall(registry.read_text(encoding="utf-8"))
        attributes = attributes or tuple(name for kind, name in found if kind == "ATTRIBUTE")
        structures = structures or tuple(name for kind, name in found if kind == "STRUCTURE")
    shape = VerticalShape(attributes or ("word",), structures or ("doc", "p", "s"))
    for each in (*shape.attributes, *shape.structures):
        if not _NAME.fullmatch(each):
            raise ConfigError(f"'{each}' cannot be the name of an attribute or a structure.")
    if "word" not in shape.attributes:
        raise ConfigError("One of the attributes has to be called word: lines are shown by it.")
    if len(set(shape.attributes)) < len(shape.attributes):
        raise ConfigError(f"An attribute is named twice: {', '.join(shape.attributes)}.")
    return shape


def _memory_bytes(memory: str) -> int:
    try:
        return size_bytes(memory)
    except ValueError as error:
        raise ConfigError(f"memory = {error}") from None


def _digest(path: Path) -> str:
    facts = path.stat()
    text = f"{path.name} {facts.st_size} {facts.st_mtime_ns}"
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
