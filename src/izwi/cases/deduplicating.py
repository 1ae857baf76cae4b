"""Finding duplicates in any collection of texts, without a corpus; a state folder lets it grow."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import xxhash
from numpy.typing import NDArray

from izwi.cases.collection_tools import Options
from izwi.dedup.batch import Batch, Bytes, NgramReading, Sketch, text_of
from izwi.dedup.copied_blocks import Engine, Judged, Method, Settings
from izwi.dedup.ownership import table_bits
from izwi.dedup.signatures import (
    Likeness,
    SentenceSettings,
    ShingleSettings,
    sentence_copies,
    shingle_copies,
)
from izwi.model.errors import QueryError, SourceError
from izwi.model.notation import read_json
from izwi.model.records import dataclass
from izwi.model.results import CollectionReport
from izwi.store.files import disk_errors, replacing
from izwi.store.ownership.dedup_state import DedupState

# Text judged at a time: large enough for the loops to pay, small enough that its arrays find the
# memory of those before them: at twice as much a twentieth more CPU time, the system's.
_BATCH_BYTES = 3_000_000


@dataclass(frozen=True, slots=True)
class Item:
    """A document of a collection."""

    id: str
    paragraphs: list[str]


def read_batches(path: Path) -> Iterator[list[Item]]:
    """Yield the documents of a file, a few megabytes at a time."""
    batch: list[Item] = []
    size = 0
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                batch.append(_item(line, f"{path.name}, line {number}"))
                size += len(line)
                if size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class Piece:
    """Some documents of a collection: their ids, how many paragraphs each has, and all text."""

    ids: list[str]
    paragraphs: list[int]
    text: Bytes


def read_pieces(path: Path) -> Iterator[Piece]:
    """Yield the documents of a file as bytes for the engine, a few megabytes at a time."""
    done = 0
    try:
        with path.open("rb") as file:
            while lines := file.readlines(_BATCH_BYTES):
                piece = _piece(lines, path.name, done)
                done += len(lines)
                if piece.ids:
                    yield piece
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error


def _piece(lines: Sequence[bytes], name: str, done: int) -> Piece:
    """Return the documents of some lines, which come after those that are done."""
    items = [
        _item(line, f"{name}, line {number}")
        for number, line in enumerate(lines, done + 1)
        if not line.isspace()
    ]
    text = text_of([item.paragraphs for item in items])
    ids, counts = [item.id for item in items], [len(item.paragraphs) for item in items]
    return Piece(ids, counts, text)


def _item(line: bytes, place: str) -> Item:
    found = _parsed(line, place)
    if not isinstance(found, dict) or not isinstance(found.get("id"), str | int):
        raise SourceError(f'{place} has no "id"; each line is {{"id": ..., "paras": [...]}}.')
    paragraphs = found.get("paras")
    if not isinstance(paragraphs, list) or not {str}.issuperset(map(type, paragraphs)):
        raise SourceError(f'{place}: "paras" is not a list of texts.')
    return Item(str(found["id"]), paragraphs)


def _parsed(line: bytes, place: str) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    # The standard reader is slower but takes half surrogates, which broken crawlers write.
    try:
        return read_json(line.decode("utf-8", "replace").removesuffix("\n"))
    except ValueError as error:
        raise SourceError(f"{place} is not JSON ({error}).") from None


# About so many bytes of JSON lines bring one hash.
_BYTES_A_HASH = 7
# A document is called a copy, not only its blocks, when so much of it is copied.
_WHOLE = 0.5
_METHOD_NAMES = [method.name.lower() for method in Method]


def settings_of(options: Options) -> Settings:
    """Return the engine's settings."""
    reading = NgramReading(options.ngram, has_marks=options.has_marks, ignored=options.ignored)
    contained = Settings().contained if options.has_edited else 2.0
    return Settings(reading, options.threshold, options.stub, options.own, contained=contained)


class _Archive:
    """The state, as the engine's memory of documents; `names` are those of the next batch."""

    def __init__(self, state: DedupState) -> None:
        self._state = state
        self.names: Sequence[str] = ()

    def sketch(self, document: int) -> Sketch:
        return self._state.sketch(document)

    def keep(self, numbers: NDArray[np.uint32], batch: Batch) -> None:
        """Keep the new documents, which are numbered from the end of the state on."""
        is_new = numbers >= self._state.documents
        sizes = np.diff(batch.document_ends, prepend=0)
        grams = batch.grams if is_new.all() else batch.grams[np.repeat(is_new, sizes)]
        names = [name for name, new in zip(self.names, is_new.tolist(), strict=True) if new]
        self._state.add_documents(names, grams, np.cumsum(sizes[is_new]).astype(np.uint64))


def decide_blocks(
    source: Path, target: Path, state: Path | None, options: Options
) -> CollectionReport:
    """Write for each document of a collection which paragraphs are its own; return the counts.

    The decisions are written before the state: killed in between, the next run decides the same.
    """
    with disk_errors(), _folder(state) as folder:
        memory = DedupState(folder, _recipe(options), memory_bytes=options.memory_bytes)
        with closing(memory):
            with replacing(target) as temporary, temporary.open("wb") as out:
                report, engine = _run(source, out, memory, settings_of(options))
            if state is not None:
                engine.flush()
                memory.commit()
    return report


def _recipe(options: Options) -> dict[str, object]:
    recipe = asdict(options)
    del recipe["memory_bytes"]
    return recipe | {"ignored": sorted(options.ignored)}


@contextmanager
def _folder(state: Path | None) -> Iterator[Path]:
    if state is not None:
        yield state
        return
    with tempfile.TemporaryDirectory(prefix="izwi-dedup-") as folder:
        yield Path(folder)


def _run(
    source: Path, out: Any, state: DedupState, settings: Settings
) -> tuple[CollectionReport, Engine]:
    archive = _Archive(state)
    most = table_bits(state.memory_bytes)
    expected = source.stat().st_size // _BYTES_A_HASH if source.is_file() else 0
    engine = Engine(settings, state.runs, archive, most_bits=most, expected=expected)
    total = CollectionReport()
    begun = state.documents
    for piece in read_pieces(source):
        numbers = _numbers(engine, piece.ids, state.documents, begun)
        archive.names = piece.ids
        judged = engine.judge(piece.text, numbers)
        out.write(b"".join(_lines(piece, judged, state)))
        total = total + _counts(judged)
    return total, engine


def _numbers(
    engine: Engine, names: Sequence[str], following: int, begun: int
) -> NDArray[np.uint32]:
    """Return the documents' numbers: a name seen in an earlier run is the same document again."""
    keys = np.array([_name_key(name) for name in names], np.uint64)
    numbers = engine.numbers(keys, following)
    seen = numbers[numbers >= begun]
    expected = np.arange(following, following + len(seen), dtype=np.uint32)
    if not np.array_equal(seen, expected):
        twice = next(
            name
            for place, name in enumerate(names)
            if numbers[place] >= begun
            and (numbers[place] < following or numbers[place] in numbers[:place])
        )
        raise SourceError(f"The id '{twice}' stands twice in the collection; ids must differ.")
    return numbers


def _name_key(name: str) -> int:
    return xxhash.xxh3_64_intdigest(b"id\0" + name.encode("utf-8", "surrogatepass")) | 1


@dataclass(frozen=True, slots=True)
class _Blocks:
    """Blocks in plain lists: asking arrays for one number at a time took a tenth of all time."""

    methods: list[int]
    owners: list[int]
    similarities: list[float]
    sizes: list[int]

    def part(self, first: int, last: int) -> "_Blocks":
        return _Blocks(
            self.methods[first:last],
            self.owners[first:last],
            self.similarities[first:last],
            self.sizes[first:last],
        )


def _lines(piece: Piece, judged: Judged, state: DedupState) -> Iterator[bytes]:
    methods = judged.methods.tobytes()
    blocks = _Blocks(
        list(methods),
        judged.owners.tolist(),
        np.round(judged.similarities, 4).tolist(),
        judged.batch.block_sizes.tolist(),
    )
    first = 0
    ends = judged.batch.blocks_until.tolist()
    for name, paragraphs, last in zip(piece.ids, piece.paragraphs, ends, strict=True):
        # Most documents copy nothing.
        if not paragraphs or methods.count(0, first, last) == last - first:
            line: dict[str, Any] = {"id": name, "keep": list(range(paragraphs)), "copy_of": None}
        else:
            line = _copy_line(name, blocks.part(first, last), state)
        yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
        first = last


def _copy_line(name: str, blocks: _Blocks, state: DedupState) -> dict[str, Any]:
    """Return what is said of a copy; `copy_of` names its original if most of it is copied."""
    rows = zip(blocks.methods, blocks.sizes, strict=True)
    share = sum(size for method, size in rows if method) / max(sum(blocks.sizes), 1)
    return {
        "id": name,
        "keep": [place for place, method in enumerate(blocks.methods) if not method],
        "copy_of": _original(blocks, state) if share >= _WHOLE else None,
        "similarity": round(share, 4),
        "blocks": _copied_blocks(blocks, state),
    }


def _copied_blocks(blocks: _Blocks, state: DedupState) -> list[dict[str, Any]]:
    rows = zip(blocks.methods, blocks.owners, blocks.similarities, strict=True)
    return [
        {
            "paragraph": paragraph,
            "copy_of": state.name(owner) if owner < state.documents else None,
            "method": _METHOD_NAMES[method],
            "similarity": similarity,
        }
        for paragraph, (method, owner, similarity) in enumerate(rows)
        if method
    ]


def _original(blocks: _Blocks, state: DedupState) -> str | None:
    """Return the document that most of the copied tokens are from; of several, the first."""
    tokens: dict[int, int] = {}
    for method, owner, size in zip(blocks.methods, blocks.owners, blocks.sizes, strict=True):
        if method and owner < state.documents:
            tokens[owner] = tokens.get(owner, 0) + size
    best = min(tokens, key=lambda owner: (-tokens[owner], owner), default=None)
    return None if best is None else state.name(best)


def _counts(judged: Judged) -> CollectionReport:
    sizes = judged.batch.block_sizes
    is_copied = judged.methods != Method.UNIQUE
    return CollectionReport(
        documents=len(judged.numbers),
        blocks=len(sizes),
        tokens=int(sizes.sum()),
        copied_blocks=int(is_copied.sum()),
        copied_tokens=int(sizes[is_copied].sum()),
    )


def decide_documents(source: Path, target: Path, method: str) -> CollectionReport:
    """Write for each document of a collection whether it is a copy; the collection is in memory."""
    items = list(chain.from_iterable(read_batches(source)))
    found = _copies([item.paragraphs for item in items], method)
    with disk_errors(), replacing(target) as temporary, temporary.open("wb") as out:
        for place, item in enumerate(items):
            out.write(_line(item, items, found.get(place), method))
    copied = [items[place] for place in found]
    return CollectionReport(
        documents=len(items),
        blocks=sum(len(item.paragraphs) for item in items),
        tokens=_words(items),
        copied_blocks=sum(len(item.paragraphs) for item in copied),
        copied_tokens=_words(copied),
    )


def _copies(documents: list[list[str]], method: str) -> dict[int, Likeness]:
    if method == "sentences":
        return {each.document: each for each in sentence_copies(documents, SentenceSettings())}
    if method == "shingles":
        return {each.document: each for each in shingle_copies(documents, ShingleSettings())}
    raise QueryError(f"'{method}' is no method; write blocks, sentences or shingles.")


def _line(item: Item, items: list[Item], copy: Likeness | None, method: str) -> bytes:
    line: dict[str, Any] = {
        "id": item.id,
        "keep": [] if copy else list(range(len(item.paragraphs))),
        "copy_of": items[copy.original].id if copy else None,
    }
    if copy:
        line |= {"similarity": round(copy.similarity, 4), "method": method}
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _words(items: list[Item]) -> int:
    return sum(len(text.split()) for item in items for text in item.paragraphs)
