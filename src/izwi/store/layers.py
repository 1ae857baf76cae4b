"""Layers: what one stage adds to a shard's documents, as Parquet, row-aligned with the others.

Each layer has a format: its columns, how a document becomes a row of them, and how a row is put
back into the document. A shard of a layer is whole or absent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, date
from itertools import chain, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from izwi.model.document import (
    Annotation,
    BlockCopy,
    Claim,
    Connected,
    CopyOf,
    Document,
    ForeignRun,
    LanguageGuess,
    Mark,
    Metadata,
    Original,
    Paragraph,
    PublicationDate,
    VarietyScore,
    Verdict,
)
from izwi.model.errors import CorruptShard
from izwi.store.files import replacing

Row = dict[str, Any]

# Row groups of 200 documents: 2 ms to read one document, 0.36 of the text's size with zstd 3.
GROUP = 200
_COMPRESSION = "zstd"
_LEVEL = 3
# What damaged bytes raise; names that are no longer UTF-8 are a ValueError.
_DAMAGE = (pa.ArrowException, OSError, ValueError)


@dataclass(frozen=True, slots=True)
class LayerFormat:
    """The columns of a layer and the way between them and a document."""

    name: str
    schema: pa.Schema
    to_row: Callable[[Document], Row]
    apply: Callable[[Document, Row], Document]


def write_layer(path: Path, layer: str, documents: Iterable[Document]) -> int:
    """Write a shard of a layer in one step and return how many rows it has."""
    form = FORMATS[layer]
    return _write_rows(path, form, map(form.to_row, documents))


def join_rows(path: Path, layer: str, parts: Sequence[Path]) -> int:
    """Write the rows of several shards as one, in order, and return how many there are."""
    form = FORMATS[layer]
    return _write_rows(path, form, chain.from_iterable(_rows(part, form) for part in parts))


def _write_rows(path: Path, form: LayerFormat, found: Iterator[Row]) -> int:
    rows = 0
    with (
        replacing(path) as temporary,
        pq.ParquetWriter(
            temporary,
            form.schema,
            compression=_COMPRESSION,
            compression_level=_LEVEL,
            write_page_checksum=True,
        ) as file,
    ):
        for group in _groups(found):
            file.write_table(pa.Table.from_pylist(group, schema=form.schema))
            rows += len(group)
    return rows


def read_documents(paths: Mapping[str, Path]) -> Iterator[Document]:
    """Yield a shard's documents with what the given layers know; `text` must be among them."""
    others = [
        (FORMATS[layer], _rows(path, FORMATS[layer]))
        for layer, path in paths.items()
        if layer != "text"
    ]
    for row in _rows(paths["text"], TEXT):
        document = _document(row)
        for form, rows in others:
            added = next(rows, None)
            if added is None:
                raise CorruptShard(f"{paths[form.name]} has too few rows.", str(paths[form.name]))
            document = form.apply(document, added)
        yield document


def read_one(paths: Mapping[str, Path], row: int) -> Document:
    """Return one document of a shard with what the given layers know; `text` must be among them."""
    document = _document(_row(paths["text"], TEXT, row))
    for layer, path in paths.items():
        if layer != "text":
            document = FORMATS[layer].apply(document, _row(path, FORMATS[layer], row))
    return document


def read_columns(path: Path, columns: list[str]) -> pa.Table:
    """Return some columns of one shard of a layer."""
    try:
        return pq.read_table(
            path, columns=columns, partitioning=None, page_checksum_verification=True
        )
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def count_rows(path: Path) -> int:
    """Return the number of rows in a shard of a layer, from its footer alone."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def _groups(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while group := list(islice(rows, GROUP)):
        yield group


def _rows(path: Path, form: LayerFormat) -> Iterator[Row]:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(form.schema):
                raise _corrupt(path, "its columns are not those of this layer")
            rows = 0
            for batch in file.iter_batches(batch_size=GROUP):
                yield from batch.to_pylist()
                rows += batch.num_rows
            if rows != file.metadata.num_rows:
                raise _corrupt(path, f"{rows} rows instead of {file.metadata.num_rows}")
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def _row(path: Path, form: LayerFormat, row: int) -> Row:
    """Return one row; only the group that holds it is read."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                if row < count:
                    found: Row = file.read_row_group(group).slice(row, 1).to_pylist()[0]
                    return found
                row -= count
    except _DAMAGE as error:
        raise _corrupt(path, error) from error
    raise _corrupt(path, f"it has no row for every document of layer {form.name}")


def _corrupt(path: Path, error: Exception | str) -> CorruptShard:
    return CorruptShard(f"{path} is damaged or missing ({error}).", str(path))


_TIME = pa.timestamp("us", tz="UTC")
_VERDICT = pa.struct(
    [
        ("outcome", pa.string()),
        ("stage", pa.string()),
        ("reason", pa.string()),
        ("value", pa.float64()),
        ("threshold", pa.float64()),
        ("detail", pa.string()),
    ]
)
_MORE_METADATA = ("language", "licence", "url_canonical", "image", "page_type", "parent")
_CLAIM = pa.struct([("property", pa.string()), ("value", pa.string()), ("evidence", pa.string())])
_PARAGRAPH = pa.struct(
    [("text", pa.string()), ("kind", pa.string()), ("is_main", pa.bool_()), ("reason", pa.string())]
)
_PARAGRAPH_FIELDS = ("text", "kind", "is_main", "reason")
# Kept beside the paragraphs, most of which have none.
_MARK = pa.struct(
    [
        ("paragraph", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("name", pa.string()),
        ("target", pa.string()),
    ]
)

_FOREIGN = pa.struct(
    [("paragraph", pa.int32()), ("start", pa.int32()), ("end", pa.int32()), ("code", pa.string())]
)
_VARIETY = pa.struct(
    [
        *((name, pa.float64()) for name in ("score", "lexicon", "spelling", "host")),
        ("found", pa.list_(pa.struct([("word", pa.string()), ("count", pa.int64())]))),
    ]
)
# A paragraph of which the language stage keeps a part, or nothing.
_PART = pa.struct(
    [
        ("number", pa.int32()),
        ("text", pa.string()),
        ("is_main", pa.bool_()),
        ("reason", pa.string()),
    ]
)
_BLOCK_COPY = pa.struct(
    [
        ("paragraph", pa.int32()),
        ("document", pa.string()),
        ("method", pa.string()),
        ("similarity", pa.float64()),
        ("others", pa.list_(pa.string())),
    ]
)
_ORIGINAL = pa.struct(
    [
        ("document", pa.string()),
        ("publication", pa.string()),
        ("date", pa.date32()),
        ("share", pa.float64()),
    ]
)


def _text_row(document: Document) -> Row:
    metadata, when = document.metadata, document.metadata.date
    return {
        "id": document.id,
        "url": document.url,
        "captured": document.captured.astimezone(UTC),
        "source": document.source,
        "media_type": document.media_type,
        "title": metadata.title,
        "author": metadata.author,
        "section": metadata.section,
        "site": metadata.site,
        "date": when and when.value,
        "date_precision": when.precision if when else "",
        "date_evidence": when.evidence if when else "",
        **_more_metadata(metadata),
        "paragraphs": [
            {name: getattr(paragraph, name) for name in _PARAGRAPH_FIELDS}
            for paragraph in document.paragraphs
        ],
        "marks": [
            {"paragraph": number, **asdict(mark)}
            for number, paragraph in enumerate(document.paragraphs)
            for mark in paragraph.marks
        ],
        "given": _token_columns(document.given) if document.given else None,
        "verdict": asdict(document.verdict),
    }


def _document(row: Row) -> Document:
    return Document(
        id=row["id"],
        url=row["url"],
        captured=row["captured"],
        source=row["source"],
        media_type=row["media_type"],
        metadata=_metadata(row),
        paragraphs=_paragraphs(row),
        verdict=Verdict(**row["verdict"]),
        given=_annotation(row["given"]) if row["given"] else None,
    )


def _paragraphs(row: Row) -> tuple[Paragraph, ...]:
    found = [Paragraph(**paragraph) for paragraph in row["paragraphs"]]
    marks: dict[int, list[Mark]] = {}
    for mark in row["marks"]:
        marks.setdefault(mark.pop("paragraph"), []).append(Mark(**mark))
    for number, own in marks.items():
        found[number] = replace(found[number], marks=tuple(own))
    return tuple(found)


def _more_metadata(metadata: Metadata) -> Row:
    when = metadata.modified
    return {
        "modified": when and when.value,
        "modified_evidence": when.evidence if when else "",
        "keywords": list(metadata.keywords),
        "claims": [asdict(claim) for claim in metadata.claims],
        **{name: getattr(metadata, name) for name in _MORE_METADATA},
    }


def _metadata(row: Row) -> Metadata:
    modified = row["modified"]
    return Metadata(
        row["title"],
        row["author"],
        _publication_date(row),
        row["section"],
        row["site"],
        PublicationDate(modified, "day", row["modified_evidence"]) if modified else None,
        tuple(row["keywords"]),
        **{name: row[name] for name in _MORE_METADATA},
        claims=tuple(Claim(**claim) for claim in row["claims"]),
    )


def _publication_date(row: Row) -> PublicationDate | None:
    value: date | None = row["date"]
    if value is None:
        return None
    return PublicationDate(value, row["date_precision"], row["date_evidence"])


def _apply_language(document: Document, row: Row) -> Document:
    if not row["language"]:
        return document
    return replace(
        document,
        paragraphs=_with_parts(document.paragraphs, row["parts"]),
        language=LanguageGuess(row["language"], row["score"], row["reason"]),
        connected=Connected(row["deviation"], row["threshold"])
        if row["deviation"] is not None
        else None,
        variety=_variety(row["variety"]) if row["variety"] else None,
        foreign=tuple(ForeignRun(**run) for run in row["foreign"]),
    )


def _variety(row: Row) -> VarietyScore:
    return VarietyScore(
        **{**row, "found": tuple((one["word"], one["count"]) for one in row["found"])}
    )


def _with_parts(paragraphs: tuple[Paragraph, ...], parts: list[Row]) -> tuple[Paragraph, ...]:
    """Return the paragraphs with those the language stage cut or took out of the main text."""
    if not parts:
        return paragraphs
    changed = list(paragraphs)
    for part in parts:
        changed[part["number"]] = replace(
            changed[part["number"]],
            text=part["text"],
            marks=(),
            is_main=part["is_main"],
            reason=part["reason"],
        )
    return tuple(changed)


def _language_row(document: Document) -> Row:
    guess, connected = document.language, document.connected
    return {
        "language": guess.code if guess else "",
        "score": guess.score if guess else 0.0,
        "reason": guess.reason if guess else "",
        "deviation": connected.deviation if connected else None,
        "threshold": connected.threshold if connected else None,
        "parts": [
            {"number": n, "text": p.text, "is_main": p.is_main, "reason": p.reason}
            for n, p in enumerate(document.paragraphs)
            if n in document.cut
        ],
        "variety": _variety_row(document.variety) if document.variety else None,
        "foreign": [asdict(run) for run in document.foreign],
    }


def _variety_row(variety: VarietyScore) -> Row:
    found = [{"word": word, "count": count} for word, count in variety.found]
    return {**asdict(variety), "found": found}


def _copy_row(document: Document) -> Row:
    copy = document.copy_of or CopyOf("", "", 0.0)
    return {
        "copy_of": copy.document,
        "method": copy.method,
        "similarity": copy.similarity,
        "blocks": [asdict(block) for block in document.copied],
        "originals": [asdict(original) for original in document.originals],
    }


def _apply_copy(document: Document, row: Row) -> Document:
    blocks = tuple(
        BlockCopy(**{**block, "others": tuple(block["others"])}) for block in row["blocks"]
    )
    whole = CopyOf(row["copy_of"], row["method"], row["similarity"]) if row["copy_of"] else None
    originals = tuple(Original(**original) for original in row["originals"])
    return replace(document, copy_of=whole, copied=blocks, originals=originals)


def _apply_select(document: Document, row: Row) -> Document:
    """Give a document its verdict, and take the paragraphs left out from its main text."""
    verdict, left_out = Verdict(**row["verdict"]), set(row["left_out"])
    if not left_out:
        return replace(document, verdict=verdict)
    paragraphs = tuple(
        replace(each, is_main=False, reason="copy") if place in left_out else each
        for place, each in enumerate(document.paragraphs)
    )
    return replace(document, verdict=verdict, paragraphs=paragraphs, left_out=tuple(left_out))


_NO_TOKENS = Annotation((), (), (), (), ())
_TOKEN_COLUMNS = tuple(part.name for part in fields(Annotation))


def _tokens_row(document: Document) -> Row:
    return _token_columns(document.annotation or _NO_TOKENS)


def _token_columns(found: Annotation) -> Row:
    return {name: getattr(found, name) for name in _TOKEN_COLUMNS}


def _apply_tokens(document: Document, row: Row) -> Document:
    return replace(document, annotation=_annotation(row))


def _annotation(row: Row) -> Annotation:
    return Annotation(**{name: _column(value) for name, value in row.items()})


def _column(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _positions() -> pa.DataType:
    return pa.list_(pa.int32())


def _values() -> pa.DataType:
    return pa.list_(pa.string())


_TOKENS = [
    ("words", _values()),
    ("starts", _positions()),
    ("ends", _positions()),
    ("sentences", _positions()),
    ("paragraphs", _positions()),
    ("lemmas", _values()),
    ("upos", _values()),
    ("xpos", _values()),
    ("feats", _values()),
    ("stems", _values()),
    ("language", pa.string()),
]
TEXT = LayerFormat(
    "text",
    pa.schema(
        [
            ("id", pa.string()),
            ("url", pa.string()),
            ("captured", _TIME),
            ("source", pa.string()),
            ("media_type", pa.string()),
            ("title", pa.string()),
            ("author", pa.string()),
            ("section", pa.string()),
            ("site", pa.string()),
            ("date", pa.date32()),
            ("date_precision", pa.string()),
            ("date_evidence", pa.string()),
            ("modified", pa.date32()),
            ("modified_evidence", pa.string()),
            ("keywords", pa.list_(pa.string())),
            *((name, pa.string()) for name in _MORE_METADATA),
            ("claims", pa.list_(_CLAIM)),
            ("paragraphs", pa.list_(_PARAGRAPH)),
            ("marks", pa.list_(_MARK)),
            ("given", pa.struct(_TOKENS)),
            ("verdict", _VERDICT),
        ]
    ),
    _text_row,
    lambda document, row: document,
)
LANG = LayerFormat(
    "lang",
    pa.schema(
        [
            ("language", pa.string()),
            ("score", pa.float64()),
            ("reason", pa.string()),
            ("deviation", pa.float64()),
            ("threshold", pa.float64()),
            ("parts", pa.list_(_PART)),
            ("variety", _VARIETY),
            ("foreign", pa.list_(_FOREIGN)),
        ]
    ),
    _language_row,
    _apply_language,
)
SIGN = LayerFormat(
    "sign",
    pa.schema([("signature", pa.uint64())]),
    lambda document: {"signature": document.signature},
    lambda document, row: replace(document, signature=row["signature"]),
)
DUP = LayerFormat(
    "dup",
    pa.schema(
        [
            ("copy_of", pa.string()),
            ("method", pa.string()),
            ("similarity", pa.float64()),
            ("blocks", pa.list_(_BLOCK_COPY)),
            ("originals", pa.list_(_ORIGINAL)),
        ]
    ),
    _copy_row,
    _apply_copy,
)
SELECT = LayerFormat(
    "select",
    pa.schema([("verdict", _VERDICT), ("left_out", pa.list_(pa.int32()))]),
    lambda document: {"verdict": asdict(document.verdict), "left_out": document.left_out},
    _apply_select,
)
TOKENS = LayerFormat(
    "tokens",
    pa.schema(_TOKENS),
    _tokens_row,
    _apply_tokens,
)

FORMATS: Mapping[str, LayerFormat] = {
    form.name: form for form in (TEXT, LANG, SIGN, DUP, SELECT, TOKENS)
}
