"""Parts to a segment, or several segments to one: lexicons merged, columns renumbered."""

import json
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, field, replace
from itertools import chain
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import (
    BLOCK,
    Packed,
    bits_for,
    read_packed,
    write_packed,
    write_packed_blocks,
    write_postings,
    write_table,
)
from izwi.index.lexicon import write_carriers, write_lexicon, write_trigrams
from izwi.index.publications import Origins, joined_origins, origins_of, write_origins
from izwi.index.reader import Segment
from izwi.index.structures import Regions, write_structure
from izwi.index.tallies import write_tallies
from izwi.model.records import dataclass
from izwi.store.files import TEMPORARY, make_durable
from izwi.store.snapshots import SegmentEntry, SegmentPart, entry_of

# 3: values packed in bits, lists in Elias-Fano code, structures with attributes, copies. What is
# merely counted of documents (origins, tallies) some segments lack: it is counted when asked for.
FORMAT = 3
# Attributes with fewer values are searched by a look at the column: no list would be shorter.
POSTINGS_FROM = 256
# The attribute every corpus has; its lists also find what hangs on it.
WORD = "word"
# Working memory for inverting a column.
MEMORY_BYTES = 1 << 30

Blocks = Callable[[], Iterator[NDArray[np.integer]]]


@dataclass(frozen=True, slots=True)
class PartColumn:
    """An attribute of a part: its values, and the number of each token's value, block by block."""

    values: Sequence[bytes]
    blocks: Blocks


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of corpus that is to become part of a segment; values are in any order."""

    tokens: int
    columns: Mapping[str, PartColumn]
    spaces: Blocks
    offsets: Blocks | None
    structures: Mapping[str, Regions]
    cards: pa.Table
    # Where the documents come from, if somebody found it out before.
    origins: Origins | None = None


@dataclass(frozen=True, slots=True)
class Origin:
    """What a segment is made from."""

    fingerprint: str
    shards: tuple[str, ...] = field(default_factory=tuple)
    # The name of its folder; one that nobody else has if it is not given.
    id: str = ""
    # What each of several shards gives to it, in the order of the documents.
    parts: tuple[SegmentPart, ...] = ()


def assemble(
    folder: Path, parts: Sequence[Part], origin: Origin, *, memory_bytes: int = MEMORY_BYTES
) -> SegmentEntry:
    """Write parts, in order, as one new segment; readers see all of it or nothing."""
    entry = _entry(parts, origin)
    hidden = folder / f".{entry.id}{TEMPORARY}"
    hidden.mkdir(parents=True)
    try:
        _write_files(hidden, parts, entry, memory_bytes)
        for path in hidden.iterdir():
            make_durable(path)
        make_durable(hidden)
        hidden.replace(folder / entry.id)
        make_durable(folder)
    except BaseException:
        shutil.rmtree(hidden, ignore_errors=True)
        raise
    return entry


def _entry(parts: Sequence[Part], origin: Origin) -> SegmentEntry:
    counts, made = _originals(parts), origin.parts
    if len(origin.shards) == 1 and not made:
        rows = sum(part.cards.num_rows for part in parts)
        made = (SegmentPart(origin.shards[0], origin.fingerprint, rows, *counts),)
    name = origin.id or str(uuid.uuid4())
    return SegmentEntry(name, origin.fingerprint, origin.shards, *counts, made)


def _originals(parts: Sequence[Part]) -> tuple[int, int]:
    """Return how many documents are no copies of others, and how many tokens these have."""
    documents = _joined(parts, "doc")
    owners = pa.concat_tables([part.cards for part in parts]).column("copy_of")
    is_original = np.array([not owner for owner in owners.to_pylist()], np.bool_)
    lengths = (documents.ends - documents.starts)[is_original]
    return int(is_original.sum()), int(lengths.sum())


def _write_files(
    folder: Path, parts: Sequence[Part], entry: SegmentEntry, memory_bytes: int
) -> None:
    # The word first: other attributes may hang on it.
    attributes = sorted(parts[0].columns, key=lambda name: name != WORD)
    for name in attributes:
        columns = [part.columns[name] for part in parts]
        _write_attribute(folder / name, columns, memory_bytes)
    _write_packed(folder / "space.bin", [part.spaces for part in parts], 1)
    offsets = [part.offsets for part in parts if part.offsets is not None]
    if len(offsets) == len(parts):
        largest = max((int(b.max()) for each in offsets for b in each() if len(b)), default=0)
        _write_packed(folder / "offset.bin", offsets, largest)
    positions = sum(part.tokens for part in parts)
    structures = list(dict.fromkeys(chain.from_iterable(part.structures for part in parts)))
    for name in structures:
        write_structure(folder, name, _joined(parts, name), positions)
    _write_cards(folder, parts)
    described = {
        "positions": positions,
        "attributes": attributes,
        "structures": structures,
        "files": _sizes(folder),
    }
    text = json.dumps({"format": FORMAT, **asdict(entry), **described}, indent=1)
    (folder / "segment.json").write_text(text, encoding="utf-8")


def _write_cards(folder: Path, parts: Sequence[Part]) -> None:
    """Write what is known of documents, and how many there are of what."""
    cards = pa.concat_tables([part.cards for part in parts]).combine_chunks()
    write_table(folder / "cards.arrow", cards)
    origins = joined_origins([part.origins or _origins(part) for part in parts])
    write_origins(folder, origins)
    documents = _joined(parts, "doc")
    write_tallies(folder, cards, origins.numbers[:], documents.ends - documents.starts)


def _origins(part: Part) -> Origins:
    documents = part.structures.get("doc")
    return origins_of(part.cards, documents.attributes if documents else pa.table({}))


def read_entry(folder: Path) -> SegmentEntry:
    """Return what a segment says of itself."""
    return entry_of(json.loads((folder / "segment.json").read_text(encoding="utf-8")))


def is_whole(folder: Path) -> bool:
    """Return whether all files of a segment are there, each as long as it was written."""
    try:
        sizes = json.loads((folder / "segment.json").read_text(encoding="utf-8"))["files"]
        return all((folder / name).stat().st_size == size for name, size in sizes.items())
    except (OSError, ValueError, KeyError, AttributeError):
        return False


def _sizes(folder: Path) -> dict[str, int]:
    return {path.name: path.stat().st_size for path in sorted(folder.iterdir())}


def _write_attribute(path: Path, columns: Sequence[PartColumn], memory_bytes: int) -> None:
    """Write the lexicon and the column of an attribute, and how its values are found."""
    values, renumbered = _one_lexicon([column.values for column in columns])
    write_lexicon(path, values)
    file = path.with_name(f"{path.name}.column.bin")
    blocks = (
        table[block]
        for column, table in zip(columns, renumbered, strict=True)
        for block in column.blocks()
    )
    write_packed_blocks(file, blocks, max(0, len(values) - 1))
    _write_lists(path, read_packed(file), len(values), memory_bytes)
    if len(values) >= POSTINGS_FROM:
        write_trigrams(path.with_name(f"{path.name}.trigrams"), values)


def _write_lists(path: Path, column: Packed, types: int, memory_bytes: int) -> None:
    """Write where values stand, unless a look at the column or at the words' places tells it."""
    word = path.with_name(f"{WORD}.column.bin")
    is_small = types < POSTINGS_FROM
    has_lists = path.with_name(f"{WORD}.postings.bin").exists()
    if not is_small and has_lists and path.name != WORD:
        words = len(read_packed(path.with_name(f"{WORD}.places.bin"))) - 1
        is_small = write_carriers(path, read_packed(word), column, words, types)
    if is_small:
        write_packed(path.with_name(f"{path.name}.sizes.bin"), _counted(column, types))
    else:
        write_postings(path, column, types, memory_bytes=memory_bytes)


def _counted(column: Packed, types: int) -> NDArray[np.int64]:
    """Return how often each value of a column occurs."""
    counts = np.zeros(types, np.int64)
    for first in range(0, len(column), BLOCK):
        counts += np.bincount(column[first : first + BLOCK], minlength=types)
    return counts


def _one_lexicon(
    lexicons: Sequence[Sequence[bytes]],
) -> tuple[list[bytes], list[NDArray[np.uint32]]]:
    """Return the values of all parts, sorted, and the new number of each part's values."""
    # Sorting what is sorted piece by piece is a merge.
    every = sorted(chain.from_iterable(lexicons))
    if len(lexicons) == 1 and every == lexicons[0]:
        return every, [np.arange(len(every), dtype=np.uint32)]
    values = list(dict.fromkeys(every)) if len(lexicons) > 1 else every
    place = {value: number for number, value in enumerate(values)}
    tables = [np.fromiter(map(place.__getitem__, own), np.uint32, len(own)) for own in lexicons]
    return values, tables


def _write_packed(path: Path, sources: Sequence[Blocks], largest: int) -> None:
    assert bits_for(largest) <= 32
    blocks: Iterable[NDArray[np.integer]] = chain.from_iterable(each() for each in sources)
    write_packed_blocks(path, blocks, largest)


def _joined(parts: Sequence[Part], name: str) -> Regions:
    """Return the stretches of one structure in all parts, moved to where each part begins."""
    starts, ends, tables, base = [], [], [], 0
    for part in parts:
        regions = part.structures.get(name)
        if regions is not None:
            starts.append(regions.starts + base)
            ends.append(regions.ends + base)
            tables.append(_with_plain_strings(regions.attributes))
        base += part.tokens
    table = pa.concat_tables(tables, promote_options="default")
    coded = [column.combine_chunks().fill_null("").dictionary_encode() for column in table.columns]
    attributes = pa.table(dict(zip(table.column_names, coded, strict=True)))
    return Regions(np.concatenate(starts), np.concatenate(ends), attributes)


def _with_plain_strings(table: pa.Table) -> pa.Table:
    return pa.table({name: table.column(name).cast(pa.string()) for name in table.column_names})


_BLOCK = 1 << 20


def merge_segments(
    folder: Path,
    segments: Sequence[Segment],
    origin: Origin,
    *,
    memory_bytes: int = MEMORY_BYTES,
) -> SegmentEntry:
    """Write the documents of some segments, in their order, as one new segment."""
    names = tuple(dict.fromkeys(name for each in segments for name in each.attributes))
    parts = [_part(segment, names) for segment in segments]
    return assemble(folder, parts, origin, memory_bytes=memory_bytes)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Documents of a segment that follow each other and count: the positions they take."""

    begin: int
    end: int


def _part(segment: Segment, names: Sequence[str]) -> Part:
    kept = _kept(segment)
    return Part(
        sum(each.end - each.begin for each in kept),
        {name: _column(segment, name, kept) for name in names},
        _blocks(segment.spaces, kept),
        None if segment.offsets is None else _blocks(segment.offsets, kept),
        {name: _regions(segment, name) for name in segment.structures},
        segment.cards.filter(pa.array(~segment.is_gone)),
        replace(segment.origins, numbers=segment.origins.numbers[:][~segment.is_gone]),
    )


def _kept(segment: Segment) -> list[_Stretch]:
    """Return what is taken over: all, unless documents are gone."""
    if not segment.is_gone.any():
        return [_Stretch(0, segment.tokens)]
    changes = np.diff(np.concatenate(([True], segment.is_gone, [True])).astype(np.int8))
    starts, ends = segment.document_starts, segment.document_ends
    pairs = zip(np.flatnonzero(changes < 0), np.flatnonzero(changes > 0) - 1, strict=True)
    return [_Stretch(int(starts[first]), int(ends[last])) for first, last in pairs]


def _column(segment: Segment, name: str, kept: Sequence[_Stretch]) -> PartColumn:
    """Return an attribute of a segment; the empty value throughout if it has none of the name."""
    if name not in segment.attributes:
        tokens = sum(each.end - each.begin for each in kept)
        return PartColumn([b""], lambda: iter([np.zeros(tokens, np.uint32)]))
    attribute = segment.attribute(name)
    values = bytes(attribute.lexicon.text[:]).split(b"\n")[:-1]
    blocks = _blocks(attribute.column, kept)
    if not segment.is_gone.any():
        return PartColumn(values, blocks)
    # Words that only stood in what is gone leave the lexicon, too.
    is_used = np.zeros(len(values), np.bool_)
    for block in blocks():
        is_used[block] = True
    table = (np.cumsum(is_used) - 1).astype(np.uint32)
    used = [values[number] for number in np.flatnonzero(is_used).tolist()]
    return PartColumn(used, lambda: (table[block] for block in blocks()))


def _regions(segment: Segment, name: str) -> Regions:
    structure = segment.structure(name)
    attributes: pa.Table = structure.attributes
    starts, ends = structure.starts.astype(np.int64), structure.ends
    if not segment.is_gone.any():
        return Regions(starts, ends, attributes)
    # A document without tokens begins where the next one does: its number tells them apart.
    is_document = name == "doc"
    owners = np.arange(len(starts)) if is_document else segment.documents_at(structure.starts)
    stays, moved = ~segment.is_gone[owners], _ways(segment)[owners]
    rows = attributes.filter(pa.array(stays)) if attributes.num_columns else attributes
    return Regions((starts + moved)[stays], (ends + moved)[stays], rows)


def _ways(segment: Segment) -> NDArray[np.int64]:
    """Return how far each document moves if those that are gone leave no gaps."""
    left: NDArray[np.int64] = segment.document_lengths * segment.is_gone
    ways: NDArray[np.int64] = left - np.cumsum(left)
    return ways


def _blocks(values: Packed, kept: Sequence[_Stretch]) -> Blocks:
    def blocks() -> Iterator[NDArray[np.integer]]:
        for each in kept:
            for first in range(each.begin, each.end, _BLOCK):
                yield values[first : min(each.end, first + _BLOCK)]

    return blocks
