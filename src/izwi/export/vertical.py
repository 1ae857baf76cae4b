"""Vertical text, a token a line, as Sketch Engine, NoSketch Engine and CWB read it.

Structures are `doc` (with metadata), `p` (with its kind), `s`, and `g` where no space is between.
Characters of markup are entities everywhere, which CWB undoes with -x.
"""

import unicodedata
from collections.abc import Iterable, Iterator
from typing import ClassVar
from xml.sax.saxutils import escape

from izwi.export.base import Edition, attribute_values, glue, passages
from izwi.export.release import OneFile
from izwi.export.rows import record
from izwi.model.document import Document
from izwi.model.languages import iso639_1

# What a `doc` says of itself, in this order; see `records`.
DOCUMENT = (
    "id", "url", "title", "author", "date", "year", "source", "site", "section", "language",
)  # fmt: skip
_QUOTES = {'"': "&quot;"}
# CWB cuts longer values off, in the middle of a word, with a warning; and a whole line, of at most
# ten values with their entities, has 65,534 bytes.
_MOST_BYTES, _MOST_ESCAPED = 4_095, 6_000
# Even if every character of it becomes an entity of six.
_SURELY_FITS = 1_000
_DOTS = "…"


class Vertical(OneFile):
    """Writes NAME.vert, the registry file NAME and the command line for CWB."""

    about: ClassVar[str] = "vertical text for Sketch Engine, NoSketch Engine and CWB"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.vert"

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield the tokens of each document."""
        for document in documents:
            yield vertical(document, self._edition.attributes).encode()

    def companions(self) -> dict[str, bytes]:
        """Return how an engine is to read the file."""
        edition = self._edition
        return {
            edition.corpus: registry(edition).encode(),
            "encode-cwb.sh": cwb_encode(edition).encode(),
        }


def vertical(document: Document, attributes: Iterable[str]) -> str:
    """Return a document as vertical text."""
    return "".join(_lines(document, attributes))


def _lines(document: Document, attributes: Iterable[str]) -> Iterator[str]:
    found = document.annotation
    yield f"<doc {_metadata(document)}>\n"
    if found is not None and found.words:
        columns = [_escaped(attribute_values(document, name)) for name in ("word", *attributes)]
        rows = list(map("\t".join, zip(*columns, strict=True)))
        for passage in passages(document):
            yield f'<p type="{_attribute(passage.kind)}">\n'
            for tokens in passage.sentences:
                yield "<s>\n"
                lines = rows[tokens.start : tokens.stop]
                glued = glue(found, tokens)
                yield "\n".join(
                    [f"<g/>\n{line}" if is_glued else line
                     for line, is_glued in zip(lines, glued, strict=True)]
                )  # fmt: skip
                yield "\n</s>\n"
            yield "</p>\n"
    yield "</doc>\n"


def _escaped(values: tuple[str, ...]) -> list[str] | tuple[str, ...]:
    """Escape a whole column at once; no value holds a line break."""
    if max(map(len, values)) > _SURELY_FITS:
        values = tuple(map(fitting, values))
    joined = "\n".join(values)
    if not any(mark in joined for mark in "&<>"):
        return values
    return escape(joined).split("\n")


def _metadata(document: Document) -> str:
    row = record(document)
    row["year"] = row["date"][:4]
    row["language"] = iso639_1(row["language"])
    return " ".join(f'{name}="{_attribute(row[name])}"' for name in DOCUMENT)


def _attribute(value: str) -> str:
    return escape(fitting(value), _QUOTES)


def fitting(value: str) -> str:
    """Return a value that engines hold whole; a longer one ends with three dots.

    >>> fitting("short"), len(fitting("x" * 5000)), len(fitting('"' * 5000))
    ('short', 4093, 998)
    """
    if len(value) <= _SURELY_FITS:
        return value
    cut = _cut(value, _MOST_BYTES)
    is_short = len(escape(cut, _QUOTES).encode()) <= _MOST_ESCAPED
    return cut if is_short else _cut(value, _SURELY_FITS)


def _cut(value: str, most: int) -> str:
    """Cut a value between characters; CWB measures its composed form, which may be longer."""
    whole = unicodedata.normalize("NFC", value).encode()
    if len(whole) <= most:
        return value
    return whole[: most - len(_DOTS.encode())].decode("utf-8", "ignore") + _DOTS


def registry(edition: Edition) -> str:
    """Return the file that tells Manatee (Sketch Engine) what the columns and structures are."""
    title = edition.name.replace('"', "'")
    language = edition.languages[0] if len(edition.languages) == 1 else ""
    lines = [
        f'NAME "{title}"',
        f'PATH "manatee/{edition.corpus}"',
        f'VERTICAL "{edition.corpus}.vert"',
        'ENCODING "utf-8"',
        f'INFO "Version {edition.version}, made by izwi with the settings {edition.settings}"',
        *([f'LANGUAGE "{language}"'] if language else []),
        *(f"ATTRIBUTE {name}" for name in ("word", *map(engine_name, edition.attributes))),
        'ATTRIBUTE lc {\n  DYNAMIC utf8lowercase\n  DYNLIB internal\n  ARG1 "C"\n'
        "  FUNTYPE s\n  FROMATTR word\n  TYPE index\n  TRANSQUERY yes\n}",
        "STRUCTURE doc {\n" + "".join(f"  ATTRIBUTE {name}\n" for name in DOCUMENT) + "}",
        "STRUCTURE p {\n  ATTRIBUTE type\n}",
        "STRUCTURE s",
        'STRUCTURE g {\n  DISPLAYTAG 0\n  DISPLAYBEGIN "_EMPTY_"\n}',
    ]
    return "\n".join(lines) + "\n"


def engine_name(attribute: str) -> str:
    """Return what an attribute is called in these engines: part of speech is `tag`."""
    return "tag" if attribute == "pos" else attribute


def cwb_encode(edition: Edition) -> str:
    """Return the shell script that encodes the file with the Corpus Workbench."""
    name = cwb_name(edition.corpus)
    columns = "".join(f" -P {engine_name(attribute)}" for attribute in edition.attributes)
    structures = f"-S doc:0+{'+'.join(DOCUMENT)} -S p:0+type -S s:0 -0 g"
    return (
        "#!/bin/sh\n# Encodes the vertical text with CWB: sh encode-cwb.sh DATA REGISTRY\nset -e\n"
        'mkdir -p "$1" "$2"\nhere=$(cd "$(dirname "$0")" && pwd)\ndata=$(cd "$1" && pwd)\n'
        f'cwb-encode -c utf8 -d "$data" -f "$here/{edition.corpus}.vert" -R "$2/{name}" -xsB'
        f"{columns} {structures}\n"
        f'cwb-makeall -r "$2" -V {name.upper()}\n'
    )


def cwb_name(corpus: str) -> str:
    """Return what a corpus is called in CWB, where a name begins with a letter.

    >>> cwb_name("hu-news"), cwb_name("2010s")
    ('hu_news', 'c2010s')
    """
    name = corpus.replace("-", "_")
    return name if name[0].isalpha() else f"c{name}"
