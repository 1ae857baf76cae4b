"""One document looked at closely: every paragraph with its class and reason, every dated claim."""

from collections.abc import Iterator
from dataclasses import dataclass

from izwi import plugins
from izwi.config.load import checked_options
from izwi.config.schema import CorpusConfig
from izwi.config.units import size_bytes
from izwi.model.capture import CaptureEntry
from izwi.model.document import Claim, Document, Paragraph
from izwi.model.errors import CorruptShard, QueryError
from izwi.pipeline.stages import plan
from izwi.store.layers import read_columns, read_documents
from izwi.store.layout import Layout
from izwi.store.objects import at_hand
from izwi.store.recipes import read_recipe
from izwi.store.warc import OversizedBody, decoded_body, read_capture, read_entries
from izwi.text.decode import decode
from izwi.text.extract.base import judged

_LAYERS = ("text", "lang", "dup", "select")


@dataclass(frozen=True, slots=True)
class JudgedParagraph:
    """A paragraph, its class as one letter, and why: K kept, B boilerplate, C comment, D copied."""

    number: int
    text: str
    kind: str
    letter: str
    reason: str


@dataclass(frozen=True, slots=True)
class Inspection:
    """What is known of one document and of the capture it was made from."""

    document: Document
    shard: str
    status: int
    offset: int
    length: int
    digest: str
    paragraphs: tuple[JudgedParagraph, ...]
    # Everything that claims to know the date, the chosen one first.
    dates: tuple[Claim, ...]

    @property
    def words(self) -> int:
        """The words that are kept."""
        return sum(len(each.text.split()) for each in self.paragraphs if each.letter == "K")


def inspect(layout: Layout, config: CorpusConfig, document: str) -> Inspection:
    """Return what is known of a document, given by id or URL."""
    shard, found = find_document(layout, config, document)
    entry = _entry(layout, shard, found)
    return Inspection(
        found,
        shard,
        entry.status if entry else 0,
        entry.offset if entry else 0,
        entry.length if entry else 0,
        entry.digest if entry else "",
        judged_paragraphs(found),
        tuple(_dates(found)),
    )


def find_document(layout: Layout, config: CorpusConfig, document: str) -> tuple[str, Document]:
    """Return a document with all that is built of it, and its shard."""
    made = built_layers(layout, config)
    key = "url" if "://" in document else "id"
    shards = layout.built_shards("text", made["text"])
    for shard in sorted(shards, reverse=True):
        known = read_columns(layout.shard("text", made["text"], shard), [key])
        values = known.column(key).to_pylist()
        if document in values:
            return shard, _read(layout, made, shard, values.index(document))
    raise QueryError(f"No document of this corpus has the id or URL '{document}'.")


def built_layers(layout: Layout, config: CorpusConfig) -> dict[str, str]:
    """Return the fingerprints of the layers that tell of documents: current, or the last built."""
    made = {stage.spec.writes: stage.fingerprint for stage in plan(config)}
    older = layout.fingerprints("select")
    if older and made["select"] not in older:
        upstream = read_recipe(layout, "select", older[-1]).get("upstream") or []
        read = next(stage.spec.reads for stage in plan(config) if stage.spec.writes == "select")
        return {**made, **dict(zip(read, upstream, strict=False)), "select": older[-1]}
    return made


def judged_paragraphs(document: Document) -> tuple[JudgedParagraph, ...]:
    """Return the paragraphs with their classes."""
    copied = {block.paragraph: block for block in document.copied}
    left_out = set(document.left_out)
    return tuple(
        _paragraph(
            number, each, copied[number].document if number in copied else "", number in left_out
        )
        for number, each in enumerate(document.paragraphs)
    )


def _paragraph(number: int, each: Paragraph, copy_of: str, is_left_out: bool) -> JudgedParagraph:
    if not each.is_main:
        letter = "C" if each.reason.startswith("comment") else "B"
        return JudgedParagraph(number, each.text, each.kind, letter, each.reason)
    if copy_of:
        words = f"copy of {copy_of}" if copy_of else "copied"
        return JudgedParagraph(number, each.text, each.kind, "D", f"{words}; {each.reason}")
    return JudgedParagraph(number, each.text, each.kind, "D" if is_left_out else "K", each.reason)


def markup(layout: Layout, config: CorpusConfig, document: str) -> tuple[Document, str]:
    """Return a document and the page it was made from, as text."""
    shard, found = find_document(layout, config, document)
    entry = _entry(layout, shard, found)
    if entry is None:
        raise QueryError(f"The capture of '{found.url}' is not there any more.")
    try:
        capture = read_capture(layout.warc(shard), entry)
        body = decoded_body(capture, size_bytes(config.extract.max_size))
    except (CorruptShard, OversizedBody, ValueError) as error:
        raise QueryError(f"The capture of '{found.url}' cannot be read: {error}.") from error
    return found, decode(body, capture.header("Content-Type")).text


def tried(
    layout: Layout, config: CorpusConfig, document: str, *, method: str, cutoff: float | None = None
) -> tuple[JudgedParagraph, ...]:
    """Return the paragraphs of a document as another extractor, or another cut-off, judges them."""
    _, html = markup(layout, config, document)
    options = {} if cutoff is None else {"cutoff": cutoff}
    made = checked_options(method, options, "the extractor's options", "inspector")
    paragraphs, _ = judged(plugins.load("izwi.extractors", method)(made), html)
    return tuple(_paragraph(number, each, "", False) for number, each in enumerate(paragraphs))


def _read(layout: Layout, made: dict[str, str], shard: str, place: int) -> Document:
    paths = {name: layout.shard(name, made[name], shard) for name in _LAYERS}
    there = {name: path for name, path in paths.items() if at_hand(path).exists()}
    for number, document in enumerate(read_documents(there)):
        if number == place:
            return document
    raise CorruptShard(f"{paths['text']} has too few rows.", str(paths["text"]))


def _entry(layout: Layout, shard: str, document: Document) -> CaptureEntry | None:
    return next(
        (
            entry
            for entry in read_entries(layout.captures(shard))
            if entry.url == document.url and entry.time == document.captured
        ),
        None,
    )


def _dates(document: Document) -> Iterator[Claim]:
    chosen = document.metadata.date
    if chosen is not None:
        yield Claim("chosen", str(chosen.value), f"{chosen.evidence} (to the {chosen.precision})")
    for claim in document.metadata.claims:
        if "date" in claim.property.lower():
            yield claim
    yield Claim("not later than", document.captured.date().isoformat(), "the time of capture")
