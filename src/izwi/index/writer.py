"""Documents to a segment: number the values, keep integers only, then assemble."""

from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.assemble import FORMAT, Blocks, Origin, Part, PartColumn, assemble, is_whole
from izwi.index.columns import distinct
from izwi.index.structures import CARD, Regions, card_of, paired
from izwi.model.document import COLUMN_BY_ATTRIBUTE, Annotation, Document
from izwi.store.snapshots import SegmentEntry

__all__ = ["FORMAT", "is_whole", "write_segment"]

_BLOCK = 1 << 20
_NO_TOKENS = Annotation((), (), (), (), ())


class _Numbers(dict[str, int]):
    """Numbers values in the order in which they are asked for."""

    def __missing__(self, value: str) -> int:
        number = self[value] = len(self)
        return number


@dataclass
class _Column:
    """An attribute while documents are read: distinct values, and one number a token."""

    number_by_value: _Numbers = field(default_factory=_Numbers)
    numbers: "array[int]" = field(default_factory=lambda: array("I"))

    def extend(self, values: Iterable[str]) -> None:
        """Add the values of some tokens."""
        self.numbers.extend(map(self.number_by_value.__getitem__, values))

    def column(self) -> PartColumn:
        """Return the attribute as a part of a segment wants it."""
        return self._of_values(list(self.number_by_value))

    def lower_case(self) -> PartColumn:
        """Return the attribute in lower case."""
        return self._of_values([value.lower() for value in self.number_by_value])

    def _of_values(self, texts: Sequence[str]) -> PartColumn:
        """Return the column with these values by number; a line break is a space in an index."""
        values = [text.replace("\n", " ").encode() for text in texts]
        if len(set(values)) == len(values):
            return PartColumn(values, blocks_of(self.numbers))
        distinct = list(dict.fromkeys(values))
        place = {value: number for number, value in enumerate(distinct)}
        table = np.array([place[value] for value in values], np.uint32)
        numbers = table[np.frombuffer(self.numbers, np.uint32)]
        return PartColumn(distinct, lambda: iter([numbers]))


@dataclass
class _Growing:
    """What grows while documents are read; integers only, no object per token."""

    columns: dict[str, _Column] = field(default_factory=dict)
    spaces: "array[int]" = field(default_factory=lambda: array("B"))
    offsets: "array[int]" = field(default_factory=lambda: array("I"))
    sentences: "array[int]" = field(default_factory=lambda: array("I"))
    paragraphs: "array[int]" = field(default_factory=lambda: array("I"))
    documents: "array[int]" = field(default_factory=lambda: array("I"))
    cards: list[dict[str, Any]] = field(default_factory=list)


def write_segment(
    folder: Path,
    documents: Iterable[Document],
    *,
    shards: Sequence[str],
    fingerprint: str,
    attributes: Sequence[str] = ("word", "lc"),
    id: str = "",
) -> SegmentEntry:
    """Write the kept documents, and the copies folded into others, as a new segment."""
    # Lower case is made of the words at the end, each word once.
    read = [name for name in attributes if name != "lc" or "word" not in attributes]
    growing = _Growing({name: _Column() for name in read})
    for document in documents:
        if document.verdict.is_kept and document.annotation is not None:
            _add(growing, document, document.annotation)
        elif document.is_folded:
            _add(growing, document, document.annotation or _NO_TOKENS)
    return assemble(folder, [_part(growing, attributes)], Origin(fingerprint, tuple(shards), id))


def _attribute_values(name: str, document: Document, annotation: Annotation) -> Iterable[str]:
    """Return a value for each token; what no annotator said is the word for lemma and stem."""
    words = annotation.words
    if name == "word":
        return words
    if name == "lang":
        return _languages(document, annotation)
    found: tuple[str, ...] = getattr(annotation, COLUMN_BY_ATTRIBUTE[name]) if name != "lc" else ()
    if found or not words:
        return found
    if name in ("lc", "lemma", "stem"):
        return map(str.lower, words)
    return ("",) * len(words)


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


def _add(growing: _Growing, document: Document, annotation: Annotation) -> None:
    base = len(growing.spaces)
    for name, column in growing.columns.items():
        column.extend(_attribute_values(name, document, annotation))
    # The last token has a space behind it, a document without tokens has none.
    following = np.array((*annotation.starts[1:], -1)[: len(annotation.ends)], np.int32)
    growing.spaces.frombytes((np.array(annotation.ends, np.int32) != following).tobytes())
    growing.offsets.extend(annotation.starts)
    growing.sentences.extend(base + first for first in annotation.sentences)
    growing.paragraphs.extend(base + first for first in annotation.paragraphs)
    growing.documents.append(base)
    growing.cards.append(card_of(document))


def _part(growing: _Growing, attributes: Sequence[str]) -> Part:
    tokens = len(growing.spaces)
    cards = pa.Table.from_pylist(growing.cards, schema=CARD)
    documents = np.array(growing.documents, np.int64)
    ends = np.append(documents[1:], tokens)[: len(documents)]
    # Documents keep their place even without tokens: rows of cards go by them.
    structures = {"doc": Regions(documents, ends, pa.table({}))}
    for name, starts in (("p", growing.paragraphs), ("s", growing.sentences)):
        begins = np.array(starts, np.int64)
        first, last, _ = paired(begins, distinct(ends), tokens)
        structures[name] = Regions(first, last, pa.table({}))
    return Part(
        tokens,
        {name: _part_column(growing.columns, name) for name in attributes},
        blocks_of(growing.spaces),
        blocks_of(growing.offsets),
        structures,
        cards,
    )


def _part_column(columns: Mapping[str, _Column], name: str) -> PartColumn:
    return columns[name].column() if name in columns else columns["word"].lower_case()


def blocks_of(values: "array[int]") -> Blocks:
    """Return what yields the numbers of an array, block by block."""
    kind: type[np.unsignedinteger[Any]] = np.uint8 if values.typecode == "B" else np.uint32

    def blocks() -> Iterator[NDArray[np.integer]]:
        whole = np.frombuffer(values, kind) if values else np.empty(0, kind)
        for first in range(0, len(whole), _BLOCK):
            yield whole[first : first + _BLOCK]

    return blocks
