"""The publications of the demo web and their articles: files, and copies of an agency's story."""

import datetime as dt
import re
import textwrap
import tomllib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import Literal

FeedKind = Literal["rss", "atom"]


@dataclass(frozen=True, slots=True)
class Publication:
    """One web site; its design is the template folder of the same key.

    Paths are patterns for `str.format`: articles know slug, date, section, language and number,
    archives know date or n.
    """

    key: str
    name: str
    tagline: str
    place: str
    language: str
    article_path: str
    section_path: str
    archive_path: str
    feed_path: str
    feed_kind: FeedKind
    about: tuple[str, ...]
    contact: tuple[str, ...]
    feed_encoding: str = "utf-8"
    page_path: str | None = None
    page_size: int = 12
    month_path: str | None = None
    day_path: str | None = None
    private_path: str | None = None
    has_wrong_charsets: bool = False

    @property
    def host(self) -> str:
        """The host name under which the publication is served."""
        return f"{self.key}.example"

    @property
    def home(self) -> str:
        """The address of the home page."""
        return f"http://{self.host}/"

    def url(self, path: str) -> str:
        """Return the address of a path of this publication."""
        return self.home + path.removeprefix("/")


def _publications() -> Iterator[Publication]:
    table = (files("izwi.demoweb") / "publications.toml").read_text(encoding="utf-8")
    for row in tomllib.loads(table)["publication"]:
        yield Publication(**row | {name: tuple(row[name]) for name in ("about", "contact")})


PUBLICATIONS: Mapping[str, Publication] = MappingProxyType(
    {each.key: each for each in _publications()}
)


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


FIRST_DAY, LAST_DAY = dt.date(2010, 2, 1), dt.date(2026, 10, 20)
_REQUIRED = {"title", "date", "section", "language"}
_OPTIONAL = {"author", "shown-date"}
_LANGUAGES = {"en", "af", "zu"}


@dataclass(frozen=True, slots=True)
class Comment:
    """What a reader wrote below an article."""

    author: str
    date: dt.date
    text: str


@dataclass(frozen=True, slots=True)
class Article:
    """One article as one publication printed it."""

    publication: str
    slug: str
    title: str
    date: dt.date
    author: str | None
    section: str
    language: str
    shown_date: dt.date | None
    paragraphs: tuple[str, ...]
    comments: tuple[Comment, ...] = ()
    copy_of: str | None = None
    exact_copy: bool = False

    @property
    def printed_date(self) -> dt.date:
        """The date that the page gives, which may be wrong."""
        return self.shown_date or self.date

    @property
    def teaser(self) -> str:
        """The opening words, as lists and feeds quote them."""
        return textwrap.shorten(self.paragraphs[0], 180, placeholder=" …")


@cache
def load_articles() -> tuple[Article, ...]:
    """Return every article of every publication, newest first."""
    folder = resources.files("izwi.demoweb") / "articles"
    own = [
        article
        for key in PUBLICATIONS
        for article in read_articles((folder / f"{key}.txt").read_text("utf-8"), key)
    ]
    runs = read_agency((folder / "agency.txt").read_text("utf-8"), "agency.txt")
    return tuple(sorted(_distinct([*own, *runs]), key=lambda a: (a.date, a.slug), reverse=True))


def articles_of(publication: str) -> tuple[Article, ...]:
    """Return the articles of one publication, newest first."""
    return tuple(article for article in load_articles() if article.publication == publication)


def read_articles(text: str, publication: str) -> list[Article]:
    """Return the articles that a publication's file holds."""
    return [
        replace(_read_article(story, publication), comments=tuple(map(_comment, story.notes)))
        for story in read_stories(text, f"{publication}.txt")
    ]


def read_agency(text: str, file: str) -> list[Article]:
    """Return one article for each publication that ran each story of the agency's file."""
    return [article for story in read_stories(text, file) for article in _runs(story)]


def _distinct(articles: list[Article]) -> list[Article]:
    seen: set[tuple[str, str]] = set()
    for article in articles:
        name = article.publication, article.slug
        if name in seen:
            raise ValueError(f"agency.txt: {name[0]} has two articles called {name[1]!r}")
        seen.add(name)
    return articles


def _read_article(story: Story, publication: str) -> Article:
    fields = story.fields
    for field in fields.values():
        if field.name not in _REQUIRED | _OPTIONAL:
            raise field.line.refusal(f"unknown header `{field.name}:`")
    if missing := sorted(_REQUIRED - fields.keys()):
        raise story.line.refusal(f"header missing: {', '.join(missing)}")
    return Article(
        publication=publication,
        slug=story.slug,
        title=fields["title"].value,
        date=_date_of_issue(fields["date"].value, fields["date"].line),
        author=fields["author"].value if "author" in fields else None,
        section=fields["section"].value,
        language=_language_of(fields["language"]),
        shown_date=_shown_date(fields),
        paragraphs=story.paragraphs,
    )


def _shown_date(fields: Mapping[str, Field]) -> dt.date | None:
    field = fields.get("shown-date")
    return _date(field.value, field.line) if field else None


def _language_of(field: Field) -> str:
    if field.value not in _LANGUAGES:
        raise field.line.refusal(f"language {field.value!r} is none of {sorted(_LANGUAGES)}")
    return field.value


def _date(text: str, line: Line) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise line.refusal(f"{text!r} is no date like 2014-03-02") from None


def _date_of_issue(text: str, line: Line) -> dt.date:
    day = _date(text, line)
    if not FIRST_DAY <= day <= LAST_DAY:
        raise line.refusal(f"{day} is not between {FIRST_DAY} and {LAST_DAY}")
    return day


def _comment(note: Note) -> Comment:
    if note.kind != "comment" or len(note.below) != 1:
        raise note.line.refusal("expected `-- comment: name, date` with one line of text below")
    author, _, day = note.value.rpartition(", ")
    if not author:
        raise note.line.refusal("the comment needs a name and a date")
    return Comment(author, _date(day, note.line), note.below[0].text)


def _runs(story: Story) -> Iterator[Article]:
    if not story.notes:
        raise story.line.refusal("no publication ran this story (`-- run: key, date`)")
    for note in story.notes:
        key, _, day = note.value.partition(", ")
        if note.kind != "run" or key not in PUBLICATIONS:
            raise note.line.refusal("expected `-- run: key, date` with the key of a publication")
        issued = _date_of_issue(day, note.line)
        article = replace(_read_article(story, key), date=issued, copy_of=story.slug)
        yield _edited(article, note) if note.below else replace(article, exact_copy=True)


def _edited(article: Article, note: Note) -> Article:
    """Return the article after the changes that a publication made to the story."""
    for field in map(read_field, note.below):
        if field.name == "title":
            article = replace(article, title=field.value)
        elif field.name == "replace":
            article = replace(article, paragraphs=_replaced(article.paragraphs, field))
        elif field.name == "cut":
            article = replace(article, paragraphs=_cut(article.paragraphs, field))
        elif field.name == "add":
            article = replace(article, paragraphs=(*article.paragraphs, field.value))
        else:
            raise field.line.refusal(f"unknown change `{field.name}:`")
    return article


def _replaced(paragraphs: tuple[str, ...], field: Field) -> tuple[str, ...]:
    old, arrow, new = field.value.partition(" => ")
    if not arrow or not any(old in paragraph for paragraph in paragraphs):
        raise field.line.refusal(f"{old!r} does not occur in the story")
    return tuple(paragraph.replace(old, new) for paragraph in paragraphs)


def _cut(paragraphs: tuple[str, ...], field: Field) -> tuple[str, ...]:
    if not field.value.isdecimal() or not 0 < int(field.value) < len(paragraphs):
        raise field.line.refusal(f"cannot cut {field.value} of {len(paragraphs)} paragraphs")
    return paragraphs[: -int(field.value)]
