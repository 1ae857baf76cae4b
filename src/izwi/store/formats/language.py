"""The layer `lang`: language, connected text, variety, and what was cut for another language."""

from dataclasses import asdict, replace

import pyarrow as pa

from izwi.model.document import (
    Connected,
    Document,
    ForeignRun,
    LanguageGuess,
    Paragraph,
    VarietyScore,
)
from izwi.store.formats.base import LayerFormat, Row

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
_SCHEMA = pa.schema(
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


def _to_row(document: Document) -> Row:
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
        "foreign": [asdict(run) for run in document.foreign],
    }


def _variety_row(variety: VarietyScore) -> Row:
    found = [{"word": word, "count": count} for word, count in variety.found]
    return {**asdict(variety), "found": found}


def _apply(document: Document, row: Row) -> Document:
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


LANG = LayerFormat("lang", _SCHEMA, _to_row, _apply)
