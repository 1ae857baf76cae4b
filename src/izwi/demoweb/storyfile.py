"""The syntax of the article files: what stands on which line, before it means anything."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_FIELD = re.compile(r"([a-z-]+): (\S.*)")
_NOTE = re.compile(r"-- ([a-z]+): (\S.*)")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file, which can say where it stands."""

    file: str
    number: int
    text: str

    def refusal(self, reason: str) -> ValueError:
        """Return the error that names this line."""
        return ValueError(f"{self.file}, line {self.number}: {reason}")


@dataclass(frozen=True, slots=True)
class Field:
    """A `name: value` line."""

    name: str
    value: str
    line: Line


@dataclass(frozen=True, slots=True)
class Note:
    """A `-- kind: value` line with the lines directly below it."""

    kind: str
    value: str
    line: Line
    below: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """One `===` block of a file."""

    slug: str
    line: Line
    fields: Mapping[str, Field]
    paragraphs: tuple[str, ...]
    notes: tuple[Note, ...]


def read_stories(text: str, file: str) -> Iterator[Story]:
    """Yield the stories of a file in its order; raise ValueError at what is no story."""
    slugs: set[str] = set()
    for block in _blocks(_lines(text, file)):
        story = _read_story(block)
        if story.slug in slugs:
            raise story.line.refusal(f"the slug {story.slug!r} is used twice")
        slugs.add(story.slug)
        yield story


def read_field(line: Line) -> Field:
    """Return the name and value of a header line."""
    match = _FIELD.fullmatch(line.text)
    if match is None:
        raise line.refusal(f"expected `name: value`, found {line.text!r}")
    return Field(match[1], match[2].strip(), line)


def _lines(text: str, file: str) -> Iterator[Line]:
    for number, raw in enumerate(text.split("\n"), start=1):
        line = Line(file, number, raw.rstrip())
        if not unicodedata.is_normalized("NFC", raw):
            raise line.refusal("not in Unicode normal form NFC")
        if any(unicodedata.category(character) == "Cc" for character in line.text):
            raise line.refusal("a control character (a tab?) in the text")
        yield line


def _blocks(lines: Iterator[Line]) -> Iterator[list[Line]]:
    block: list[Line] = []
    for line in lines:
        if line.text.startswith("==="):
            if block:
                yield block
            block = [line]
        elif block:
            block.append(line)
        elif line.text:
            raise line.refusal("text before the first `=== slug`")
    if block:
        yield block


def _read_story(block: Sequence[Line]) -> Story:
    first, rest = block[0], block[1:]
    slug = first.text.removeprefix("===").strip()
    if not _SLUG.fullmatch(slug):
        raise first.refusal(f"{slug!r} is no slug (lower case letters, digits, single hyphens)")
    chunks = list(_chunks(rest))
    if not rest or not rest[0].text or not chunks:
        raise first.refusal("header lines must come directly after `===`")
    body = chunks[1:]
    start = next((i for i, chunk in enumerate(body) if chunk[0].text.startswith("--")), len(body))
    paragraphs = tuple(_paragraph(chunk) for chunk in body[:start])
    if not paragraphs:
        raise first.refusal("the story has no paragraphs")
    notes = tuple(_notes([line for chunk in body[start:] for line in chunk]))
    return Story(slug, first, _fields(chunks[0]), paragraphs, notes)


def _chunks(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the runs of lines between blank lines."""
    chunk: list[Line] = []
    for line in lines:
        if line.text:
            chunk.append(line)
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _fields(lines: Sequence[Line]) -> Mapping[str, Field]:
    fields: dict[str, Field] = {}
    for field in map(read_field, lines):
        if field.name in fields:
            raise field.line.refusal(f"`{field.name}:` is given twice")
        fields[field.name] = field
    return fields


def _paragraph(chunk: Sequence[Line]) -> str:
    if len(chunk) > 1:
        raise chunk[1].refusal("a paragraph stands on one line, with a blank line after it")
    return chunk[0].text


def _notes(lines: Sequence[Line]) -> Iterator[Note]:
    starts = [i for i, line in enumerate(lines) if line.text.startswith("--")]
    for start, end in pairwise([*starts, len(lines)]):
        line = lines[start]
        match = _NOTE.fullmatch(line.text)
        if match is None:
            raise line.refusal(f"expected `-- comment: ...` or `-- run: ...`, found {line.text!r}")
        yield Note(match[1], match[2], line, tuple(lines[start + 1 : end]))
