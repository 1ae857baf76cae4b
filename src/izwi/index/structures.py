"""Documents, paragraphs and sentences of a segment: stretches of tokens, and cards."""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import read_array, read_table, smallest_type, write_array, write_table
from izwi.kernels.matching_rows import GUIDE_BITS
from izwi.model.document import Document
from izwi.model.errors import QueryError
from izwi.model.records import dataclass

Bounds = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Regions:
    """Stretches that do not overlap, in order, with attributes given as columns of strings."""

    starts: Bounds
    ends: Bounds
    attributes: pa.Table


def _signed(positions: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Return positions in the type compiled code reads: the mapped file itself where that fits."""
    return positions.view(np.int32) if positions.itemsize == 4 else positions.astype(np.int32)


class Structure:
    """A structure of a segment, mapped from its files."""

    def __init__(self, folder: Path, name: str, tokens: int) -> None:
        self._folder, self.name, self._tokens = folder, name, tokens

    @cached_property
    def starts(self) -> NDArray[np.uint32]:
        """The first position of each stretch."""
        return read_array(self._folder / f"{self.name}.starts.arrow")

    @cached_property
    def edges(self) -> NDArray[np.int32]:
        """The first positions in the type compiled code reads."""
        return _signed(self.starts)

    @cached_property
    def ends(self) -> Bounds:
        """The position after the last of each stretch."""
        path = self._folder / f"{self.name}.ends.arrow"
        if path.exists():
            return read_array(path).astype(np.int64)
        return np.append(self.starts[1:], self._tokens)[: len(self.starts)].astype(np.int64)

    def ends_at(self, numbers: NDArray[np.int64]) -> Bounds:
        """Return the position after the last of some stretches."""
        path = self._folder / f"{self.name}.ends.arrow"
        if path.exists():
            return read_array(path)[numbers].astype(np.int64)
        is_last = numbers + 1 >= len(self.starts)
        following = self.starts[np.where(is_last, 0, numbers + 1)].astype(np.int64)
        return np.where(is_last, self._tokens, following)

    @cached_property
    def bounds(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Where the stretches begin and end, those without tokens left out."""
        path = self._folder / f"{self.name}.ends.arrow"
        starts = self.edges
        if path.exists():
            ends = _signed(read_array(path))
        else:
            ends = np.append(starts[1:], np.int32(self._tokens))[: len(starts)]
        kept = ends > starts
        return (starts, ends) if kept.all() else (starts[kept], ends[kept])

    @cached_property
    def guide(self) -> NDArray[np.int32]:
        """How many stretches with tokens begin up to every 64th position."""
        places = np.arange(0, self._tokens + 1, 1 << GUIDE_BITS)
        return np.searchsorted(self.bounds[0], places, side="right").astype(np.int32)

    @cached_property
    def is_complete(self) -> bool:
        """Whether every token is in some stretch."""
        starts, ends = self.bounds
        if not len(starts):
            return self._tokens == 0
        is_chain = np.array_equal(starts[1:], ends[:-1])
        return is_chain and int(starts[0]) == 0 and int(ends[-1]) == self._tokens

    @cached_property
    def attributes(self) -> pa.Table:
        """What is said of each stretch."""
        path = self._folder / f"{self.name}.attributes.arrow"
        return read_table(path) if path.exists() else pa.table({})

    def values(
        self, attribute: str, others: Iterable[str] = ()
    ) -> tuple[list[str], NDArray[np.int64]]:
        """Return the distinct values of an attribute and which of them each stretch has.

        Who asks for one that it has not is told what it has, with `others` known elsewhere.
        """
        if attribute not in self.attributes.column_names:
            known = ", ".join(dict.fromkeys((*self.attributes.column_names, *others))) or "none"
            raise QueryError(
                f"The structure <{self.name}> has no attribute '{attribute}'. "
                f"Known attributes: {known}."
            )
        column = self.attributes.column(attribute).combine_chunks()
        if not isinstance(column.type, pa.DictionaryType):
            column = column.cast(pa.string()).fill_null("").dictionary_encode()
        values: list[str] = column.dictionary.to_pylist()
        return values, np.asarray(column.indices.to_numpy()).astype(np.int64)


def write_structure(folder: Path, name: str, regions: Regions, tokens: int) -> None:
    """Write a structure; ends are kept only where there are gaps."""
    kind = smallest_type(tokens)
    write_array(folder / f"{name}.starts.arrow", regions.starts.astype(kind))
    following = np.append(regions.starts[1:], tokens)[: len(regions.starts)]
    if not np.array_equal(following, regions.ends):
        write_array(folder / f"{name}.ends.arrow", regions.ends.astype(kind))
    if regions.attributes.num_columns:
        write_table(folder / f"{name}.attributes.arrow", regions.attributes)


def paired(starts: Bounds, ends: Bounds, tokens: int) -> tuple[Bounds, Bounds, NDArray[np.bool_]]:
    """Return stretches that begin and end in order, and which of the given starts they keep.

    A stretch without an end lasts to the next one; one without tokens is left out.
    """
    places = np.searchsorted(ends, starts, side="right")
    own = np.append(ends, tokens)[np.minimum(places, len(ends))]
    following = np.append(starts[1:], tokens)[: len(starts)]
    closed = np.minimum(own, following)
    kept = closed > starts
    return starts[kept], closed[kept], kept


CARD = pa.schema(
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
        # The id of the document it is a copy of; such documents count only if one asks for them.
        ("copy_of", pa.string()),
        # How much speaks for the variety of the corpus, 0.0 to 1.0; nothing without lists for one.
        ("variety", pa.string()),
    ]
)


def card_of(document: Document) -> dict[str, Any]:
    """Return the card of a document."""
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
        "copy_of": document.verdict.detail if document.is_folded else "",
        "variety": f"{document.variety.score:.1f}" if document.variety else "",
    }


def completed(cards: pa.Table) -> pa.Table:
    """Return cards with every column; those of an older index lack what came later."""
    for field in CARD:
        if field.name not in cards.column_names:
            cards = cards.append_column(field, pa.array([""] * cards.num_rows, field.type))
    return cards


def whole_column(cards: pa.Table, name: str) -> pa.Array:
    """Return a column in one piece, which it is in a file: then nothing of it is copied."""
    column = cards.column(name)
    return column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()


def cards_from_attributes(given: pa.Table, count: int) -> pa.Table:
    """Return the cards of documents described by the attributes of their structure."""
    said = {name: given.column(name).to_pylist() for name in given.column_names}
    columns = {field.name: said.get(field.name, [""] * count) for field in CARD}
    # The same day stands in many documents, and is read once.
    day_by_text = {text: _day(text) for text in set(columns["date"])}
    days = [day_by_text[text] for text in columns["date"]]
    columns |= {
        "id": [name or f"doc-{number}" for number, name in enumerate(columns["id"], 1)],
        "date": [day for day, _ in days],
        "date_precision": [precision for _, precision in days],
        "date_evidence": ["attribute" if day else "" for day, _ in days],
    }
    return pa.table(columns, schema=CARD)


def _day(text: str) -> tuple[date | None, str]:
    """Return the day a text names and how exact it is; None if it names none."""
    parts = text.strip()[:10].split("-")
    try:
        numbers = [int(part) for part in parts]
        day = date(*[*numbers, 1, 1][:3])
    except (ValueError, TypeError):
        return None, ""
    return day, ("year", "month", "day")[min(len(numbers), 3) - 1]


# What corpora call sentences, paragraphs and documents.
_SAME_STRUCTURES = (
    ("s", "sent", "sentence"), ("p", "par", "para", "paragraph"),
    ("doc", "text", "document", "article", "bncdoc", "file"),
)  # fmt: skip


def unknown_structure(name: str, known: Sequence[str]) -> str:
    """Return the sentence for a structure that is not there, with the one that is meant if any.

    >>> unknown_structure("text_id", ["doc", "s"])
    'There is no structure <text_id>; here it is <doc>. Known structures: <doc>, <s>.'
    """
    meant = structure_meant(name, known)
    here = f"; here it is <{meant}>" if meant else ""
    listed = ", ".join(f"<{each}>" for each in known) or "none"
    return f"There is no structure <{name}>{here}. Known structures: {listed}."


def structure_meant(name: str, known: Sequence[str]) -> str:
    """Return the structure that another system's name, with an attribute or not, stands for."""
    plain = name.lower().partition("_")[0]
    same = next((row for row in _SAME_STRUCTURES if plain in row), (plain,))
    return next((each for each in same if each in known), "")


# Names that corpora from elsewhere, and people who are used to them, have for the same thing.
_SAME_ATTRIBUTES = (
    ("tag", "pos", "xpos", "upos"), ("lemma", "lempos", "lemma_lc", "stem"), ("lc", "word_lc"),
)  # fmt: skip


def unknown_attribute(name: str, known: Sequence[str]) -> str:
    """Return the sentence for an attribute that is not there, with the one that is meant if any.

    >>> unknown_attribute("tag", ["word", "pos"])
    "There is no attribute 'tag'; here it is pos. Known attributes: word, pos."
    """
    rows = (row for row in _SAME_ATTRIBUTES if name in row)
    meant = next((each for row in rows for each in row if each in known), "")
    here = f"; here it is {meant}" if meant else ""
    return f"There is no attribute '{name}'{here}. Known attributes: {', '.join(known)}."
