"""Documents to a segment: number the words, sort the lexicon, invert the column."""

import json
import shutil
import uuid
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from izwi.index.columns import Integers, smallest_type, write_array, write_lexicon, write_table
from izwi.model.document import Annotation, Document
from izwi.store.files import TEMPORARY, make_durable
from izwi.store.snapshots import SegmentEntry

# 2: attributes beside word and lc.
FORMAT = 2
# Where the values of an attribute stand in an annotation.
_COLUMN = {"lemma": "lemmas", "pos": "xpos", "upos": "upos", "feats": "feats", "stem": "stems"}

_CARD = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("title", pa.string()),
        ("author", pa.string()),
        ("date", pa.date32()),
        ("date_precision", pa.string()),
        ("date_evidence", pa.string()),
        ("source", pa.string()),
        ("site", pa.string()),
        ("section", pa.string()),
        ("language", pa.string()),
        ("captured", pa.string()),
    ]
)
_COPY = pa.schema(
    [("owner", pa.string()), ("url", pa.string()), ("source", pa.string()), ("date", pa.date32())]
)


@dataclass
class _Values:
    """The values of one attribute as they come: a number for each new one."""

    number_by_value: dict[str, int] = field(default_factory=dict)
    numbers: "array[int]" = field(default_factory=lambda: array("I"))

    def extend(self, values: Iterable[str]) -> None:
        number = self.number_by_value
        self.numbers.extend(number.setdefault(value, len(number)) for value in values)


@dataclass
class _Columns:
    """What grows while documents are read; integers only, no object per token."""

    others: dict[str, _Values] = field(default_factory=dict)
    number_by_word: dict[str, int] = field(default_factory=dict)
    words: "array[int]" = field(default_factory=lambda: array("I"))
    spaces: "array[int]" = field(default_factory=lambda: array("B"))
    offsets: "array[int]" = field(default_factory=lambda: array("I"))
    sentences: "array[int]" = field(default_factory=lambda: array("I"))
    paragraphs: "array[int]" = field(default_factory=lambda: array("I"))
    documents: "array[int]" = field(default_factory=lambda: array("I"))
    cards: list[dict[str, Any]] = field(default_factory=list)
    copies: list[dict[str, Any]] = field(default_factory=list)


def write_segment(
    folder: Path,
    documents: Iterable[Document],
    *,
    shards: Sequence[str],
    fingerprint: str,
    attributes: Sequence[str] = ("word", "lc"),
) -> SegmentEntry:
    """Write the kept documents as a new segment, and the list of the copies that were left out."""
    columns = _Columns({name: _Values() for name in attributes if name not in ("word", "lc")})
    for document in documents:
        if document.verdict.is_kept:
            _add(columns, document)
        elif _is_folded(document):
            columns.copies.append(_copy(document))
    entry = SegmentEntry(
        str(uuid.uuid4()), fingerprint, tuple(shards), len(columns.cards), len(columns.words)
    )
    _write(folder / entry.id, columns, entry)
    return entry


def is_whole(folder: Path) -> bool:
    """Return whether all files of a segment are there, each as long as it was written."""
    try:
        sizes = json.loads((folder / "segment.json").read_text(encoding="utf-8"))["files"]
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, KeyError, AttributeError):
        return False


def _is_folded(document: Document) -> bool:
    """Whether a document is left out as a copy, but listed with its original."""
    verdict = document.verdict
    return (
        verdict.stage == "dedup"
        and verdict.reason != "dropped-copy"
        and document.copy_of is not None
    )


def _add(columns: _Columns, document: Document) -> None:
    annotation = document.annotation
    if annotation is None:
        return
    base = len(columns.words)
    number = columns.number_by_word
    columns.words.extend(number.setdefault(word, len(number)) for word in annotation.words)
    for name, values in columns.others.items():
        values.extend(_attribute_values(name, document, annotation))
    # Not strict: a document without tokens has no last one either.
    follows = zip(annotation.ends, (*annotation.starts[1:], -1), strict=False)
    columns.spaces.extend(end != start for end, start in follows)
    columns.offsets.extend(annotation.starts)
    columns.sentences.extend(base + first for first in annotation.sentences)
    columns.paragraphs.extend(base + first for first in annotation.paragraphs)
    columns.documents.append(base)
    columns.cards.append(_card(document))


def _attribute_values(name: str, document: Document, annotation: Annotation) -> Sequence[str]:
    """Return a value for each token; what no annotator said is the word for lemma and stem."""
    if name == "lang":
        return _languages(document, annotation)
    found: tuple[str, ...] = getattr(annotation, _COLUMN[name])
    if found or not annotation.words:
        return found
    if name in ("lemma", "stem"):
        return tuple(word.lower() for word in annotation.words)
    return ("",) * len(annotation.words)


def _languages(document: Document, annotation: Annotation) -> Sequence[str]:
    """Return the language of each token: the document's, or that of the run it stands in."""
    language = annotation.language or (document.language.code if document.language else "")
    found = [language] * len(annotation.words)
    begins = _paragraph_offsets(document)
    for run in document.foreign:
        if run.paragraph in begins:
            base = begins[run.paragraph]
            first = bisect_left(annotation.starts, base + run.start)
            last = bisect_left(annotation.starts, base + run.end)
            found[first:last] = [run.code] * (last - first)
    return found


def _paragraph_offsets(document: Document) -> dict[int, int]:
    """Return where each paragraph of the main text begins in it, by number."""
    begins, place = {}, 0
    for number, paragraph in enumerate(document.paragraphs):
        if paragraph.is_main:
            begins[number] = place
            place += len(paragraph.text) + 1
    return begins


def _card(document: Document) -> dict[str, Any]:
    metadata, when = document.metadata, document.metadata.date
    return {
        "id": document.id,
        "url": document.url,
        "title": metadata.title,
        "author": metadata.author,
        "date": when and when.value,
        "date_precision": when.precision if when else "",
        "date_evidence": when.evidence if when else "",
        "source": document.source,
        "site": metadata.site,
        "section": metadata.section,
        "language": document.language.code if document.language else "",
        "captured": document.captured.isoformat(timespec="seconds"),
    }


def _copy(document: Document) -> dict[str, Any]:
    assert document.copy_of is not None
    when = document.metadata.date
    return {
        "owner": document.copy_of.document,
        "url": document.url,
        "source": document.source,
        "date": when and when.value,
    }


def _write(folder: Path, columns: _Columns, entry: SegmentEntry) -> None:
    """Write all files into a hidden folder and rename it: readers see a whole segment or none."""
    hidden = folder.with_name(f".{folder.name}{TEMPORARY}")
    hidden.mkdir(parents=True)
    try:
        _write_files(hidden, columns)
        sizes = {path.name: path.stat().st_size for path in sorted(hidden.iterdir())}
        (hidden / "segment.json").write_text(
            json.dumps({"format": FORMAT, **asdict(entry), "files": sizes}, indent=1),
            encoding="utf-8",
        )
        for path in hidden.iterdir():
            make_durable(path)
        make_durable(hidden)
        hidden.replace(folder)
        make_durable(folder.parent)
    except BaseException:
        shutil.rmtree(hidden, ignore_errors=True)
        raise


def _write_files(folder: Path, columns: _Columns) -> None:
    numbers = np.frombuffer(columns.words, np.uint32) if columns.words else np.empty(0, np.uint32)
    words = list(columns.number_by_word)
    _write_attribute(folder, "word", words, numbers)
    _write_attribute(folder, "lc", [word.lower() for word in words], numbers)
    for name, values in columns.others.items():
        own = _as_numpy(values.numbers, np.uint32)
        _write_attribute(folder, name, list(values.number_by_value), own)
    write_array(folder / "space.arrow", _as_numpy(columns.spaces, np.uint8))
    write_array(folder / "offset.arrow", _as_numpy(columns.offsets, np.uint32))
    for name in ("sentences", "paragraphs", "documents"):
        write_array(folder / f"{name}.arrow", _as_numpy(getattr(columns, name), np.uint32))
    write_table(folder / "cards.arrow", pa.Table.from_pylist(columns.cards, schema=_CARD))
    write_table(folder / "copies.arrow", pa.Table.from_pylist(columns.copies, schema=_COPY))


def _write_attribute(
    folder: Path, name: str, value_by_number: list[str], numbers: Integers
) -> None:
    """Write lexicon, column and postings of an attribute whose values are known by word number."""
    lexicon = sorted(set(value_by_number))
    place = {value: rank for rank, value in enumerate(lexicon)}
    kind = smallest_type(len(lexicon))
    rank_by_number = np.fromiter(
        (place[value] for value in value_by_number), kind, len(value_by_number)
    )
    column = rank_by_number[numbers] if len(numbers) else np.empty(0, kind)
    counts = (
        np.bincount(column, minlength=len(lexicon))
        if len(column)
        else np.zeros(len(lexicon), np.int64)
    )
    write_lexicon(folder / f"{name}.lexicon.arrow", lexicon)
    write_array(folder / f"{name}.column.arrow", column)
    write_array(
        folder / f"{name}.ends.arrow", np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
    )
    write_array(
        folder / f"{name}.postings.arrow", np.argsort(column, kind="stable").astype(np.uint32)
    )


def _as_numpy(values: "array[int]", kind: type[np.unsignedinteger[Any]]) -> Integers:
    return np.frombuffer(values, kind) if values else np.empty(0, kind)
