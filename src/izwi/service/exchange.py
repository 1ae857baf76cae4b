"""Importing ready-made documents: collections in CoNLL-U, TEI, JSON Lines or Parquet."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from izwi.config.schema import CorpusConfig
from izwi.export.reading.conllu import read_conllu_documents
from izwi.export.reading.incoming import Incoming
from izwi.export.reading.tei import read_tei
from izwi.export.reading.texts import read_texts
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.document import READY_MADE, Claim, Document
from izwi.service.importing import plain_name, take
from izwi.service.runs import Run
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.text.extract.base import document_id
from izwi.text.readymade import ready_made_body

READERS: Mapping[str, Callable[[Path], Iterator[Incoming]]] = {
    "conllu": read_conllu_documents,
    "tei": read_tei,
    "texts": read_texts,
}
# The form of our own ids; others may stand for something else in another collection.
_OWN_ID = re.compile(r"[0-9a-f]{12}-[0-9]{14}")


def import_documents(
    layout: Layout, config: CorpusConfig, run: Run, path: Path, *, form: str, name: str
) -> None:
    """Take in the documents of a collection; those that are there already are passed over."""
    fallback = name or f"import-{plain_name(path)}"
    moment = _moment(path)
    captures = (
        capture_of(each, number, source=name or each.source or fallback, moment=moment)
        for number, each in enumerate(READERS[form](path), 1)
    )
    take(layout, config, run, _new(captures, run.catalog))


def capture_of(found: Incoming, number: int, *, source: str, moment: datetime) -> Capture:
    """Return a document as a capture; without an address of its own it gets one that leads nowhere.

    `number` is its place in the collection, `moment` stands for the time nobody knows.
    """
    captured = found.captured or moment
    name = found.id or str(number)
    own = canonical(found.url) if found.url else None
    url = own or f"http://{_host(source)}.texts.invalid/{quote(name, safe='')[:500]}"
    is_ours = bool(_OWN_ID.fullmatch(found.id))
    metadata = found.metadata
    if found.id and not is_ours:
        claim = Claim("identifier", found.id, "import")
        metadata = replace(metadata, claims=(*metadata.claims, claim))
    document = Document(
        id=found.id if is_ours else document_id(url, captured, name),
        url=url,
        captured=captured,
        source=source,
        metadata=metadata,
        paragraphs=found.paragraphs,
        given=found.given,
    )
    headers = (("Content-Type", READY_MADE),)
    return Capture(Lead(url, source), captured, 200, "OK", headers, ready_made_body(document))


def _new(captures: Iterator[Capture], catalog: Catalog) -> Iterator[Capture]:
    """Leave out what was captured at that very moment: an export come home to its own corpus."""
    for capture in captures:
        known = catalog.last_capture(capture.lead.url)
        ours = document_id(capture.lead.url, capture.time).encode()
        is_here = known is not None and known.time == capture.time
        if not (is_here and capture.body.startswith(b'{"id":"' + ours)):
            yield capture


def _host(source: str) -> str:
    return plain_name(Path(source))[:60].strip("-") or "texts"


def _moment(path: Path) -> datetime:
    """Return when a collection was last changed, to the second."""
    if not path.exists():
        return datetime.now(UTC)  # its reader says what is wrong
    return datetime.fromtimestamp(int(path.stat().st_mtime), UTC)
