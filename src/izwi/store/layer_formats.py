"""The formats of all layers: the columns of each, and the way between them and a document."""

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, date
from typing import Any

import pyarrow as pa

from izwi.model.document import (
    FURNITURE_WORDS,
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

Row = dict[str, Any]

VERDICT = pa.struct(
    [
        ("outcome", pa.string()),
        ("stage", pa.string()),
        ("reason", pa.string()),
        ("value", pa.float64()),
        ("threshold", pa.float64()),
        ("detail", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class LayerFormat:
    """The columns of a layer and the way between them and a document."""

    name: str
    schema: pa.Schema
    to_row: Callable[[Document], Row]
    apply: Callable[[Document, Row], Document]
    # What becomes of the structures of some columns when documents are read.
    makers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


def _fields_of(record: Any) -> Row:
    """Return the fields of a record that holds no other; `asdict` takes several times as long."""
    return {name: getattr(record, name) for name in record.__slots__}


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
_LANGUAGE = pa.schema(
    [
        ("language", pa.string()),
        ("score", pa.float64()),
        ("reason", pa.string()),
        ("deviation", pa.float64()),
        ("threshold", pa.float64()),
        ("short", pa.string()),
        ("parts", pa.list_(_PART)),
        ("variety", _VARIETY),
        ("foreign", pa.list_(_FOREIGN)),
    ]
)


def _language_row(document: Document) -> Row:
    guess, connected = document.language, document.connected
    return {
        "language": guess.code if guess else "",
        "score": guess.score if guess else 0.0,
        "reason": guess.reason if guess else "",
        "deviation": connected.deviation if connected else None,
        "threshold": connected.threshold if connected else None,
        "short": connected.short if connected else "",
        "parts": [
            {"number": n, "text": p.text, "is_main": p.is_main, "reason": p.reason}
            for n, p in enumerate(document.paragraphs)
            if n in document.cut
        ],
        "variety": _variety_row(document.variety) if document.variety else None,
        "foreign": [_fields_of(run) for run in document.foreign],
    }


def _variety_row(variety: VarietyScore) -> Row:
    found = [{"word": word, "count": count} for word, count in variety.found]
    return {**asdict(variety), "found": found}


def _with_language(document: Document, row: Row) -> Document:
    if not row["language"]:
        return document
    return replace(
        document,
        paragraphs=_with_parts(document.paragraphs, row["parts"]),
        language=LanguageGuess(row["language"], row["score"], row["reason"]),
        connected=Connected(row["deviation"], row["threshold"], row["short"])
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


LANG = LayerFormat("lang", _LANGUAGE, _language_row, _with_language)


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
_COPIES = pa.schema(
    [
        ("copy_of", pa.string()),
        ("method", pa.string()),
        ("similarity", pa.float64()),
        ("blocks", pa.list_(_BLOCK_COPY)),
        ("originals", pa.list_(_ORIGINAL)),
    ]
)


def _copies_row(document: Document) -> Row:
    copy = document.copy_of or CopyOf("", "", 0.0)
    return {
        "copy_of": copy.document,
        "method": copy.method,
        "similarity": copy.similarity,
        "blocks": [_fields_of(block) for block in document.copied],
        "originals": [_fields_of(original) for original in document.originals],
    }


def _with_copies(document: Document, row: Row) -> Document:
    blocks = tuple(
        BlockCopy(**{**block, "others": tuple(block["others"])}) for block in row["blocks"]
    )
    whole = CopyOf(row["copy_of"], row["method"], row["similarity"]) if row["copy_of"] else None
    originals = tuple(Original(**original) for original in row["originals"])
    return replace(document, copy_of=whole, copied=blocks, originals=originals)


SIGN = LayerFormat(
    "sign",
    pa.schema(
        [
            ("signature", pa.uint64()),
            ("furniture_keys", pa.list_(pa.uint64())),
            ("edge_keys", pa.list_(pa.uint64())),
        ]
    ),
    lambda document: {
        "signature": document.signature,
        "furniture_keys": document.furniture_keys,
        "edge_keys": document.edge_keys,
    },
    lambda document, row: replace(
        document,
        signature=row["signature"],
        furniture_keys=tuple(row["furniture_keys"]),
        edge_keys=tuple(row["edge_keys"]),
    ),
)
DUP = LayerFormat("dup", _COPIES, _copies_row, _with_copies)


_SELECT = pa.schema([("verdict", VERDICT), ("left_out", pa.list_(pa.int32()))])


def _select_row(document: Document) -> Row:
    return {"verdict": _fields_of(document.verdict), "left_out": document.left_out}


def _with_select(document: Document, row: Row) -> Document:
    """Give a document its verdict, and take the paragraphs left out from its main text."""
    verdict, left_out = Verdict(**row["verdict"]), set(row["left_out"])
    if not left_out:
        return replace(document, verdict=verdict)
    furniture = {each.paragraph for each in document.copied if each.is_furniture}
    paragraphs = tuple(
        replace(each, is_main=False, reason=FURNITURE_WORDS if place in furniture else "copy")
        if place in left_out
        else each
        for place, each in enumerate(document.paragraphs)
    )
    return replace(document, verdict=verdict, paragraphs=paragraphs, left_out=tuple(left_out))


SIFT = LayerFormat(
    "sift",
    pa.schema([("verdict", VERDICT)]),
    lambda document: {"verdict": _fields_of(document.verdict)},
    lambda document, row: replace(document, verdict=Verdict(**row["verdict"])),
)
SELECT = LayerFormat("select", _SELECT, _select_row, _with_select)


_POSITIONS = pa.list_(pa.int32())
_VALUES = pa.list_(pa.string())
TOKEN_COLUMNS = [
    ("words", _VALUES),
    ("starts", _POSITIONS),
    ("ends", _POSITIONS),
    ("sentences", _POSITIONS),
    ("paragraphs", _POSITIONS),
    ("lemmas", _VALUES),
    ("upos", _VALUES),
    ("xpos", _VALUES),
    ("feats", _VALUES),
    ("stems", _VALUES),
    ("heads", _VALUES),
    ("deprels", _VALUES),
    ("language", pa.string()),
]
_NO_TOKENS = Annotation((), (), (), (), ())
_NAMES = tuple(part.name for part in fields(Annotation))


def token_columns(found: Annotation) -> Row:
    """Return the tokens of a document as one row."""
    return {name: getattr(found, name) for name in _NAMES}


def annotation(row: Row) -> Annotation:
    """Return the tokens that a row holds."""
    return Annotation(**{name: _column(value) for name, value in row.items()})


def _column(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _tokens_row(document: Document) -> Row:
    return token_columns(document.annotation or _NO_TOKENS)


def _with_tokens(document: Document, row: Row) -> Document:
    return replace(document, annotation=annotation(row))


TOKENS = LayerFormat("tokens", pa.schema(TOKEN_COLUMNS), _tokens_row, _with_tokens)


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
_TEXT = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("captured", pa.timestamp("us", tz="UTC")),
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
        ("given", pa.struct(TOKEN_COLUMNS)),
        ("verdict", VERDICT),
    ]
)


def document_of(row: Row) -> Document:
    """Return the document that a row of this layer begins."""
    return Document(
        id=row["id"],
        url=row["url"],
        captured=row["captured"],
        source=row["source"],
        media_type=row["media_type"],
        metadata=_metadata(row),
        paragraphs=_paragraphs(row),
        verdict=row["verdict"],
        given=annotation(row["given"]) if row["given"] else None,
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
            {
                "paragraph": number,
                "start": mark.start,
                "end": mark.end,
                "name": mark.name,
                "target": mark.target,
            }
            for number, paragraph in enumerate(document.paragraphs)
            for mark in paragraph.marks
        ],
        "given": token_columns(document.given) if document.given else None,
        "verdict": _fields_of(document.verdict),
    }


def _paragraphs(row: Row) -> tuple[Paragraph, ...]:
    found: list[Paragraph] = row["paragraphs"]
    marks: dict[int, list[Mark]] = {}
    for number, mark in row["marks"]:
        marks.setdefault(number, []).append(mark)
    for number, own in marks.items():
        bare = found[number]
        found[number] = Paragraph(bare.text, bare.kind, bare.is_main, bare.reason, tuple(own))
    return tuple(found)


def _more_metadata(metadata: Metadata) -> Row:
    when = metadata.modified
    return {
        "modified": when and when.value,
        "modified_evidence": when.evidence if when else "",
        "keywords": list(metadata.keywords),
        "claims": [
            {"property": claim.property, "value": claim.value, "evidence": claim.evidence}
            for claim in metadata.claims
        ],
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
        claims=tuple(row["claims"]),
    )


def _publication_date(row: Row) -> PublicationDate | None:
    value: date | None = row["date"]
    if value is None:
        return None
    return PublicationDate(value, row["date_precision"], row["date_evidence"])


def _mark(number: int, *fields: Any) -> tuple[int, Mark]:
    return number, Mark(*fields)


TEXT = LayerFormat(
    "text",
    _TEXT,
    _text_row,
    lambda document, row: document,
    {"claims": Claim, "paragraphs": Paragraph, "marks": _mark, "verdict": Verdict},
)


__all__ = ["FORMATS", "TEXT", "LayerFormat", "Row", "document_of"]

FORMATS: Mapping[str, LayerFormat] = {
    form.name: form for form in (TEXT, LANG, SIFT, SIGN, DUP, SELECT, TOKENS)
}
