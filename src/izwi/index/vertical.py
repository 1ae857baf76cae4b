"""Vertical text, one token a line, to a segment: streamed, in memory that does not grow with it."""

import gzip
import html
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.assemble import Blocks, Origin, Part, PartColumn, assemble
from izwi.index.structures import CARD, Regions, cards_from_attributes, paired
from izwi.model.errors import SourceError
from izwi.store.snapshots import SegmentEntry

_READ_BYTES = 1 << 24
# No line comes near it; a gzip file of 1 MB may hold one of 1 GB.
MOST_LINE = 1 << 26
_BLOCK = 1 << 20
# What a distinct line costs while it is numbered and split, measured on three attributes.
_LINE_BYTES = 500
_TAG = re.compile(rb"<(/?)([A-Za-z_][\w.-]*)((?:\s[^>]*)?)(/?)>\s*")
_PAIR = re.compile(r'([\w.:-]+)\s*=\s*"([^"]*)"')
_GLUE = -2
_SKIPPED = -1
_TOKEN = 0
# An address is no place for a whole text.
_LONGEST_NAME = 200
_NOT_IN_NAMES = re.compile(r"[\s/?#%\\]")


@dataclass(frozen=True, slots=True)
class VerticalShape:
    """Which columns the lines have, and which tags are structures."""

    attributes: tuple[str, ...] = ("word",)
    structures: tuple[str, ...] = ("doc", "p", "s")


class _Numbers(dict[bytes, int]):
    """Distinct lines, numbered as they come."""

    def __missing__(self, line: bytes) -> int:
        number = self[line] = len(self)
        return number


@dataclass
class _Marks:
    """Where the stretches of one structure begin and end, and what their tags say."""

    starts: list[NDArray[np.int64]] = field(default_factory=list)
    ends: list[NDArray[np.int64]] = field(default_factory=list)
    rows: list[NDArray[np.int64]] = field(default_factory=list)
    row_by_tag: dict[bytes, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _Run:
    """A stretch of the text whose distinct lines fit into memory."""

    tokens: int
    columns: Mapping[str, PartColumn]
    spaces: Blocks


def import_vertical(
    source: Path,
    folder: Path,
    shape: VerticalShape,
    origin: Origin,
    *,
    memory_bytes: int,
    nowhere: str = "",
) -> SegmentEntry:
    """Write a file of vertical text as a new segment.

    A document that states no address has its name below `nowhere`: it can be named, and taken down.
    """
    marks = {name: _Marks() for name in shape.structures}
    with (
        opened(source) as file,
        tempfile.TemporaryDirectory(prefix="izwi-", dir=_existing(folder)) as scratch,
    ):
        runs = [
            _store_run(Path(scratch), number, lines, ids, shape, marks, base)
            for number, (lines, ids, base) in enumerate(_runs(file, memory_bytes))
        ]
        parts = _parts(runs, shape, marks, nowhere)
        return assemble(folder, parts, origin, memory_bytes=memory_bytes)


def opened(path: Path) -> IO[bytes]:
    """Open a file for reading, unpacked if it is packed with gzip."""
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _existing(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


_Lines = tuple[list[bytes], NDArray[np.uint32], list[int]]


def _runs(file: IO[bytes], memory_bytes: int) -> Iterator[_Lines]:
    """Yield distinct lines and the numbers of all lines, run by run; `base` counts tokens."""
    most_lines = max(1000, memory_bytes // 2 // _LINE_BYTES)
    most_ids = max(100_000, memory_bytes // 32)
    numbers, held, blocks = _Numbers(), 0, list[NDArray[np.uint32]]()
    base = [0]
    for lines in _line_blocks(file):
        blocks.append(np.fromiter(map(numbers.__getitem__, lines), np.uint32, len(lines)))
        held += len(lines)
        if len(numbers) >= most_lines or held >= most_ids:
            yield list(numbers), np.concatenate(blocks), base
            numbers, held, blocks = _Numbers(), 0, []
    if held:
        yield list(numbers), np.concatenate(blocks), base


def _line_blocks(file: IO[bytes]) -> Iterator[list[bytes]]:
    rest = b""
    while block := file.read(_READ_BYTES):
        lines = (rest + block).split(b"\n")
        rest = lines.pop()
        if len(rest) > MOST_LINE:
            raise SourceError(f"A line of the vertical file has more than {MOST_LINE >> 20} MiB.")
        yield lines
    if rest:
        yield [rest]


def _store_run(
    scratch: Path,
    number: int,
    lines: Sequence[bytes],
    ids: NDArray[np.uint32],
    shape: VerticalShape,
    marks: Mapping[str, _Marks],
    base: list[int],
) -> _Run:
    """Note the structures of a run and put its tokens on the disk."""
    kinds = _kinds(lines, shape.structures)
    kind_of_line = kinds[ids]
    is_token = kind_of_line == _TOKEN
    before = np.cumsum(is_token, dtype=np.int64) - is_token + base[0]
    for place, name in enumerate(shape.structures):
        _note(marks[name], lines, ids, before, kind_of_line, 2 * place + 1)
    tokens = ids[is_token]
    spaces = np.ones(len(tokens), np.uint8)
    spaces[before[kind_of_line == _GLUE] - base[0] - 1] = 0
    base[0] += len(tokens)
    columns = _columns(lines, kinds, shape.attributes)
    stored = _stored(scratch / f"{number}.ids", tokens)
    return _Run(
        len(tokens),
        {
            name: PartColumn(values, _translated(stored, table))
            for name, (values, table) in columns.items()
        },
        _stored(scratch / f"{number}.spaces", spaces),
    )


def _kinds(lines: Sequence[bytes], structures: Sequence[str]) -> NDArray[np.int16]:
    """Return what each distinct line is: a token, a tag that opens or closes, or nothing."""
    opening = {name.encode(): 2 * place + 1 for place, name in enumerate(structures)}
    kinds = np.zeros(len(lines), np.int16)
    for number, line in enumerate(lines):
        if not line or line[0] == 60 or line == b"\r":
            kinds[number] = _kind(line, opening)
    return kinds


def _kind(line: bytes, opening: Mapping[bytes, int]) -> int:
    if not line.strip():
        return _SKIPPED
    tag = _TAG.fullmatch(line) if b"\t" not in line else None
    if tag is None:
        return _TOKEN
    closes, name, _, is_empty = tag.groups()
    if name == b"g":
        return _GLUE
    if name not in opening or is_empty:
        return _SKIPPED
    return opening[name] + bool(closes)


def _note(
    marks: _Marks,
    lines: Sequence[bytes],
    ids: NDArray[np.uint32],
    before: NDArray[np.int64],
    kind_of_line: NDArray[np.int16],
    opening: int,
) -> None:
    is_opening = kind_of_line == opening
    marks.starts.append(before[is_opening])
    marks.ends.append(before[kind_of_line == opening + 1])
    used, inverse = np.unique(ids[is_opening], return_inverse=True)
    row = marks.row_by_tag
    rows = [row.setdefault(lines[number], len(row)) for number in used]
    marks.rows.append(np.array(rows, np.int64)[inverse])


def _columns(
    lines: Sequence[bytes], kinds: NDArray[np.int16], attributes: Sequence[str]
) -> dict[str, tuple[list[bytes], NDArray[np.uint32]]]:
    """Return, per attribute, its sorted values and the number of each line's value."""
    tokens = [line for line, kind in zip(lines, kinds.tolist(), strict=True) if kind == _TOKEN]
    found = {}
    for name, own in zip(attributes, _split(tokens, len(attributes)), strict=True):
        values = sorted(set(own))
        rank = {value: number for number, value in enumerate(values)}
        table = np.zeros(len(lines), np.uint32)
        table[kinds == _TOKEN] = np.fromiter(map(rank.__getitem__, own), np.uint32, len(own))
        found[name] = (_valid(values), table)
    return found


def _split(lines: Sequence[bytes], width: int) -> list[list[bytes]]:
    """Return the columns of some lines; what is missing at the end of a line is empty."""
    whole = b"\t".join(lines)
    if b"\r" not in whole and all(line.count(b"\t") == width - 1 for line in lines):
        parts = whole.split(b"\t") if lines else []
        return [parts[place::width] for place in range(width)]
    empty = (b"",) * width
    rows = [(*line.rstrip(b"\r").split(b"\t")[:width], *empty) for line in lines]
    return [[row[place] for row in rows] for place in range(width)]


def _valid(values: list[bytes]) -> list[bytes]:
    """Return the values with what is not UTF-8 replaced, one for one."""
    try:
        b"\n".join(values).decode()
    except UnicodeDecodeError:
        return [value.decode(errors="backslashreplace").encode() for value in values]
    return values


def _stored(path: Path, values: NDArray[Any]) -> Blocks:
    """Put numbers on the disk and return what yields them, block by block."""
    values.tofile(path)
    kind, size = values.dtype, len(values)

    def blocks() -> Iterator[NDArray[np.integer]]:
        for first in range(0, size, _BLOCK):
            length = min(_BLOCK, size - first)
            yield np.fromfile(path, kind, length, offset=first * kind.itemsize)

    return blocks


def _translated(stored: Blocks, table: NDArray[np.uint32]) -> Blocks:
    return lambda: (table[block] for block in stored())


def _parts(
    runs: Sequence[_Run], shape: VerticalShape, marks: Mapping[str, _Marks], nowhere: str
) -> list[Part]:
    """Return the runs as parts; the structures, which may cross runs, go with the first."""
    tokens = sum(run.tokens for run in runs)
    structures = {name: _regions(own, tokens) for name, own in marks.items()}
    if "doc" not in structures or not len(structures["doc"].starts):
        structures["doc"] = Regions(np.zeros(1, np.int64), np.array([tokens]), pa.table({}))
    cards = _cards(structures["doc"], nowhere)
    none = pa.Table.from_pylist([], schema=CARD)
    empty = _Run(0, {name: PartColumn([], lambda: iter(())) for name in shape.attributes},
                 lambda: iter(()))  # fmt: skip
    return [
        Part(
            run.tokens,
            run.columns,
            run.spaces,
            None,
            {} if number else structures,
            none if number else cards,
        )
        for number, run in enumerate(runs or [empty])
    ]


def _regions(marks: _Marks, tokens: int) -> Regions:
    none = [np.empty(0, np.int64)]
    starts, ends, kept = paired(
        np.concatenate(marks.starts or none), np.concatenate(marks.ends or none), tokens
    )
    rows = np.concatenate(marks.rows or none)[kept]
    said = [_attributes(tag) for tag in marks.row_by_tag]
    names = list(dict.fromkeys(name for each in said for name in each))
    columns = {
        name: pa.DictionaryArray.from_arrays(
            pa.array(rows.astype(np.int32)), [each.get(name, "") for each in said]
        ).cast(pa.string())
        for name in names
    }
    return Regions(starts, ends, pa.table(columns))


def _attributes(tag: bytes) -> dict[str, str]:
    """Return what a tag says.

    >>> _attributes(b'<doc id="7" title="Bread &amp; roses">')
    {'id': '7', 'title': 'Bread & roses'}
    """
    return {
        name: html.unescape(value) for name, value in _PAIR.findall(tag.decode(errors="replace"))
    }


def _cards(documents: Regions, nowhere: str) -> pa.Table:
    cards = cards_from_attributes(documents.attributes, len(documents.starts))
    if not nowhere:
        return cards
    # Names stand in addresses of pages.
    names = [
        _NOT_IN_NAMES.sub("_", name)[:_LONGEST_NAME] for name in cards.column("id").to_pylist()
    ]
    given = zip(cards.column("url").to_pylist(), names, strict=True)
    columns = {"id": names, "url": [url or f"{nowhere}/{quote(name)}" for url, name in given]}
    for name, values in columns.items():
        place = cards.schema.get_field_index(name)
        cards = cards.set_column(place, cards.schema.field(place), pa.array(values))
    return cards
