"""Documents that are no web pages: PDF, plain text, DOCX, ODT, EPUB; those made elsewhere.

Texts that are no web pages: PDF, plain text, DOCX, ODT and EPUB, as paragraphs with metadata.
Columns of a PDF are read as they were written, words broken at the end of a line are mended, heads
and feet that recur on its pages are left out. Nothing is fetched, no entity is resolved, and what
is packed is unpacked only up to a bound.

Documents made elsewhere as captures: kept as they stand, with the tokens they came with. Such a
document goes the way of every page (a shard, layers, a segment), so that it can be searched,
compared, taken down and exported like any other; no extractor, filter or copy rule changes it.
"""

import hashlib
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime
from posixpath import normpath
from typing import Any
from urllib.parse import urlsplit

import orjson

from izwi.model.capture import DOCX, EPUB, ODT, OFFICE_BY_ENDING, PDF, TEXT, VAGUE, Page
from izwi.model.document import (
    Annotation,
    Claim,
    Document,
    Mark,
    Metadata,
    Paragraph,
    PublicationDate,
)

_PDF_BEGINS = b"%PDF-"
_TYPE_BY_ENDING = {".txt": TEXT, **OFFICE_BY_ENDING}
_LARGEST_PART = 50 << 20
_LARGEST_BOOK = 4 * _LARGEST_PART
# The markup of a book of a thousand pages, every word dressed; each takes a hundred bytes.
_MOST_ELEMENTS = 5_000_000
_MOST_PAGES = 5_000
_HEADING = re.compile(r"h(?:eading|[1-6])|title|kop|berschrift", re.IGNORECASE)
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])(?:-|\u00ad|\ufffe|\u2010)\n(?=[a-zà-öø-ÿ])")
_SENTENCE_END = (".", "!", "?", ":", "”", '"', "।", "。", "።")
# Lines of a text that was wrapped by hand are about as long as each other.
_WRAPPED = range(45, 100)


class ScannedPdf(ValueError):
    """A PDF whose pages are pictures."""


# Within so many bytes of its end a packed file names its parts.
_DIRECTORY = 1 << 16


class UnreadableFile(ValueError):
    """Bytes that are not what they are said to be."""


# Titles that are none: names of files and programs, and what stands there before one is given.
_NO_TITLE = re.compile(
    r"(?i)^(?:microsoft (?:word|powerpoint|excel)\b.*|(?:untitled|document|title|print)[\s_-]*\d*"
    r"|\S+\.(?:docx?|odt|rtf|pdf|indd|pub|txt|qxd|pptx?))$"
)
# A longer line is a paragraph, and so is one that ends as sentences do.
_LONGEST_TITLE = 160
_ENDS = re.compile(r"[.:;,。।።۔…]$")


@dataclass(frozen=True, slots=True)
class FileText:
    """What is in a file: its paragraphs, and what it says of itself under schema.org names."""

    paragraphs: tuple[Paragraph, ...]
    claims: tuple[Claim, ...] = ()


def file_type(media_type: str, url: str, body: bytes = b"") -> str:
    """Return which of the types read here an answer is, or nothing.

    >>> file_type("application/octet-stream", "http://a.example/Report.PDF")
    'application/pdf'
    """
    # Servers send these as web pages and plain text, too; nothing else begins so.
    if body.startswith(_PDF_BEGINS):
        return PDF
    kind = media_type.partition(";")[0].strip().lower()
    if kind in _READERS:
        return kind
    if kind not in VAGUE:
        return ""
    path = urlsplit(url).path.lower()
    ending = next((end for end in _TYPE_BY_ENDING if path.endswith(end)), "")
    return _TYPE_BY_ENDING.get(ending, "") or _packed_type(body)


def _packed_type(body: bytes) -> str:
    """Return what a packed file is by the parts it names: first its own type, last all of them."""
    if not body.startswith(b"PK"):
        return ""
    named = {f"mimetype{kind}".encode(): kind for kind in (ODT, EPUB)}
    found = next((kind for mark, kind in named.items() if mark in body[:200]), "")
    return found or (DOCX if b"word/document.xml" in body[-_DIRECTORY:] else "")


def read_file(kind: str, body: bytes, decode: Callable[[bytes], str]) -> FileText:
    """Return the text of a file; raise ScannedPdf or UnreadableFile if it has none to give."""
    try:
        return _entitled(_READERS[kind](body, decode))
    except (ScannedPdf, UnreadableFile, MemoryError):
        raise
    except Exception as error:  # libraries raise many kinds on damaged bytes
        raise UnreadableFile(f"{type(error).__name__}: {error}"[:300]) from error


def _entitled(read: FileText) -> FileText:
    """Return a file with the line it begins with as its title, if it does not tell a better one.

    What programs write there by themselves is the name of a file, or their own.
    """
    told = next((each for each in read.claims if each.property == "headline"), None)
    if told is not None and not _NO_TITLE.search(told.value):
        return read
    first = read.paragraphs[0] if read.paragraphs else Paragraph("")
    if not any(map(str.isalpha, first.text)) or len(first.text) > _LONGEST_TITLE:
        return read
    if not first.kind.startswith("h") and (_ENDS.search(first.text) or len(read.paragraphs) < 2):
        return read
    others = tuple(each for each in read.claims if each is not told)
    return replace(read, claims=(Claim("headline", first.text, "first line"), *others))


def _plain(body: bytes, decode: Callable[[bytes], str]) -> FileText:
    text = decode(body).replace("\r\n", "\n").replace("\r", "\n")
    blocks = re.split(r"\n[ \t]*\n", text)
    found = [each for block in blocks for each in _unwrapped(block.split("\n"))]
    return FileText(tuple(Paragraph(each) for each in found if each))


def _unwrapped(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a block, joined where they were wrapped by hand."""
    lines = [" ".join(line.split()) for line in lines if line.strip()]
    body = lines[:-1]
    is_wrapped = bool(body) and sum(len(line) in _WRAPPED for line in body) >= 0.7 * len(body)
    if is_wrapped:
        yield _joined(lines)
    else:
        yield from lines


def _joined(lines: Sequence[str]) -> str:
    text = _BROKEN_WORD.sub("", "\n".join(lines))
    return " ".join(text.replace("\u00ad", "").replace("\ufffe", "").split())


def _pdf(body: bytes, decode: Callable[[bytes], str]) -> FileText:
    import pypdfium2

    from izwi.text.pdf_streams import LARGEST_STREAM, has_endless_part

    if _PDF_BEGINS not in body[:1024]:
        raise UnreadableFile("it does not begin as a PDF does")
    if has_endless_part(body):
        raise UnreadableFile(f"a part of it unpacks to more than {LARGEST_STREAM >> 20} MiB")
    document = pypdfium2.PdfDocument(body)
    try:
        known: Mapping[str, str] = document.get_metadata_dict()
        pages = [_page_lines(document[n]) for n in range(min(len(document), _MOST_PAGES))]
    finally:
        document.close()
    if pages and not any(line.strip() for page in pages for line in page):
        raise ScannedPdf(f"{len(pages)} pages without text")
    title, author, made = (known.get(name, "") for name in ("Title", "Author", "CreationDate"))
    paragraphs = tuple(map(Paragraph, _pdf_paragraphs(_without_heads(pages))))
    return FileText(paragraphs, _claims(title, author, made, "PDF"))


def _page_lines(page: Any) -> list[str]:
    text = page.get_textpage()
    try:
        return [str(line).rstrip() for line in text.get_text_bounded().splitlines()]
    finally:
        text.close()
        page.close()


def _without_heads(pages: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the pages without the first and last lines that recur on most of them."""

    def key(line: str) -> str:
        return re.sub(r"\d+", "#", " ".join(line.lower().split()))

    edges = [{key(line) for line in (*page[:2], *page[-2:])} for page in pages]
    counts = Counter(each for edge in edges for each in edge)
    recurring = {each for each, n in counts.items() if n >= 3 and n >= 0.4 * len(pages)}
    return [
        [
            line
            for place, line in enumerate(page)
            if not (key(line) in recurring and (place < 2 or place >= len(page) - 2))
        ]
        for page in pages
    ]


def _pdf_paragraphs(pages: Sequence[Sequence[str]]) -> list[str]:
    """Return lines joined to paragraphs: one ends with a short line, or with a blank one."""
    lines = [line for page in pages for line in page]
    usual = sorted(len(line) for line in lines if line.strip())
    full = usual[int(len(usual) * 0.6)] if usual else 0
    found, held = list[str](), list[str]()
    for line in (*lines, ""):
        ends_short = len(line) < 0.75 * full and line.rstrip().endswith(_SENTENCE_END)
        is_heading = not held and len(line) < 0.5 * full
        if line.strip():
            held.append(line)
        if held and (not line.strip() or ends_short or is_heading):
            found.append(_joined(held))
            held = []
    return [each for each in found if each]


def _docx(body: bytes, decode: Callable[[bytes], str]) -> FileText:
    packed = _unpacked(body)
    root = _xml(_part(packed, "word/document.xml"))
    # The same text box once more, for programs that do not know how it is written now.
    _strip(root, "{*}Fallback")
    paragraphs = [
        Paragraph(" ".join("".join(found.pieces).split()), found.kind) for found in _in_turn(root)
    ]
    return FileText(_filled(paragraphs), _core_claims(packed, "docProps/core.xml", "DOCX"))


@dataclass(slots=True)
class _Found:
    """A paragraph while it is read: the text of a box inside has a paragraph of its own."""

    kind: str
    pieces: list[str]


def _in_turn(root: Any) -> list[_Found]:
    """Return the paragraphs of an office file; each element is looked at once, however deep."""
    from lxml import etree

    found, around = list[_Found](), list[_Found]()
    for event, node in etree.iterwalk(root, events=("start", "end"), tag=_DOCX):
        name = _name(node)
        if name == "p" and event == "end":
            around.pop()
        elif name == "p":
            around.append(_Found("p", []))
            found.append(around[-1])
        elif event == "start" and name == "pStyle" and around:
            is_heading = any(_HEADING.match(str(value)) for value in node.attrib.values())
            around[-1].kind = "h2" if is_heading else around[-1].kind
        elif event == "start" and around:
            around[-1].pieces.append(_DOCX_BREAKS.get(name, node.text or ""))
    return found


_DOCX = ("{*}p", "{*}pStyle", "{*}t", "{*}tab", "{*}br")
_DOCX_BREAKS = {"tab": " ", "br": " "}


def _odt(body: bytes, decode: Callable[[bytes], str]) -> FileText:
    packed = _unpacked(body)
    root = _xml(_part(packed, "content.xml"))
    # What was deleted and is only remembered.
    _strip(root, "{*}tracked-changes")
    paragraphs = [
        Paragraph(" ".join("".join(_odt_text(node)).split()), "h2" if _name(node) == "h" else "p")
        for node in root.iter("{*}p", "{*}h")
    ]
    return FileText(_filled(paragraphs), _core_claims(packed, "meta.xml", "ODT"))


def _odt_text(node: Any) -> Iterator[str]:
    yield node.text or ""
    for child in node:
        name = _name(child)
        if name in ("s", "tab", "line-break"):
            yield " "
        elif name not in ("note", "annotation", "p", "h"):  # a box inside is read by itself
            yield from _odt_text(child)
        yield child.tail or ""


def _epub(body: bytes, decode: Callable[[bytes], str]) -> FileText:
    packed = _unpacked(body)
    container = _xml(_part(packed, "META-INF/container.xml"))
    opf = next(str(node.get("full-path")) for node in container.iter("{*}rootfile"))
    book = _xml(_part(packed, opf))
    folder = opf.rpartition("/")[0]
    names = {node.get("id"): node.get("href") for node in book.iter("{*}item")}
    # Each once, however often it is listed and under however many names.
    order = (names.get(node.get("idref")) for node in book.iter("{*}itemref"))
    chapters = (normpath(f"{folder}/{name}").lstrip("/") for name in order if name)
    paragraphs, size = list[Paragraph](), 0
    for name in dict.fromkeys(chapters):
        try:
            part = _part(packed, name)
        except (KeyError, UnreadableFile):
            continue  # a book without one chapter is still a book
        size += len(part)
        if size > _LARGEST_BOOK:
            raise UnreadableFile(f"its chapters unpack to more than {_LARGEST_BOOK} bytes")
        paragraphs += _chapter(part)
    return FileText(_filled(paragraphs), _claims_of(book, "EPUB"))


def _strip(root: Any, *names: str) -> None:
    from lxml import etree

    etree.strip_elements(root, *names, with_tail=False)


_BLOCKS = frozenset("p h1 h2 h3 h4 h5 h6 li blockquote pre dd dt td".split())  # noqa: SIM905


def _chapter(body: bytes) -> Iterator[Paragraph]:
    for node in _xml(body).iter("{*}*"):
        kind = _name(node)
        if kind in _BLOCKS and not any(_name(below) in _BLOCKS for below in node.iterdescendants()):
            yield Paragraph(" ".join("".join(node.itertext()).split()), kind)


def _filled(paragraphs: Sequence[Paragraph]) -> tuple[Paragraph, ...]:
    return tuple(each for each in paragraphs if each.text)


def _unpacked(body: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(body))


def _part(packed: zipfile.ZipFile, name: str) -> bytes:
    from urllib.parse import unquote

    try:
        entry = packed.getinfo(name)
    except KeyError:
        entry = packed.getinfo(unquote(name))
    if entry.file_size > _LARGEST_PART:
        raise UnreadableFile(f"{name} unpacks to {entry.file_size} bytes")
    # Others unpack as much as they like, whatever size is declared.
    if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise UnreadableFile(f"{name} is packed in an unusual way")
    with packed.open(entry) as file:
        return file.read(entry.file_size)


def _xml(body: bytes) -> Any:
    from lxml import etree

    if body.count(b"<") > _MOST_ELEMENTS:
        raise UnreadableFile(f"it has more than {_MOST_ELEMENTS:,} elements")
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(body, parser)
    if root is None:
        raise UnreadableFile("it holds no markup")
    return root


def _name(node: Any) -> str:
    return str(node.tag).rpartition("}")[2]


def _core_claims(packed: zipfile.ZipFile, name: str, evidence: str) -> tuple[Claim, ...]:
    try:
        return _claims_of(_xml(_part(packed, name)), evidence)
    except (KeyError, UnreadableFile):
        return ()


def _claims_of(root: Any, evidence: str) -> tuple[Claim, ...]:
    def first(*names: str) -> str:
        found = (node.text or "" for name in names for node in root.iter(f"{{*}}{name}"))
        return next((text for text in found if text.strip()), "")

    return _claims(
        first("title"), first("creator", "initial-creator"),
        first("created", "creation-date", "date"), evidence, first("language"),
    )  # fmt: skip


def _claims(
    title: str, author: str, date: str, evidence: str, language: str = ""
) -> tuple[Claim, ...]:
    # A PDF writes D:20190504..., the others as ISO 8601 has it.
    day = re.match(r"(?:D:)?(\d{4})-?(\d\d)-?(\d\d)", date.strip())
    found = {
        "headline": " ".join(title.split()),
        "author": " ".join(author.split()),
        "datePublished": "-".join(day.groups()) if day else "",
        "inLanguage": language.strip(),
    }
    return tuple(Claim(name, value, evidence) for name, value in found.items() if value)


_READERS: Mapping[str, Callable[[bytes, Callable[[bytes], str]], FileText]] = {
    PDF: _pdf, TEXT: _plain, DOCX: _docx, ODT: _odt, EPUB: _epub,
}  # fmt: skip


# How a claim says which id a document had elsewhere.
IDENTIFIER, IMPORT = "identifier", "import"


def ready_made_body(document: Document) -> bytes:
    """Return what is stored of a document beside its address, source and time."""
    metadata = document.metadata
    return orjson.dumps(
        {
            "id": document.id,
            "url": document.url,
            "metadata": {**asdict(metadata), "claims": list(map(asdict, metadata.claims))},
            "paragraphs": list(map(asdict, document.paragraphs)),
            "given": asdict(document.given) if document.given else None,
        }
    )


def read_ready_made(page: Page) -> Document:
    """Return the document that a capture holds."""
    entry, found = page.entry, orjson.loads(page.body)
    metadata = _metadata(found["metadata"])
    return Document(
        id=found["id"] or document_id(found["url"], entry.time, _old_id(metadata)),
        url=found["url"],
        captured=entry.time,
        source=entry.source,
        media_type=entry.media_type,
        metadata=metadata,
        paragraphs=tuple(map(_paragraph, found["paragraphs"])),
        given=_annotation(found["given"]) if found["given"] else None,
    )


def _old_id(metadata: Metadata) -> str:
    """Return the id under which a collection has a document."""
    wanted = (IDENTIFIER, IMPORT)
    found = (each for each in metadata.claims if (each.property, each.evidence) == wanted)
    return next((claim.value for claim in found), "")


def _metadata(row: Mapping[str, Any]) -> Metadata:
    plain: dict[str, Any] = {name: value for name, value in row.items() if isinstance(value, str)}
    return replace(
        Metadata(**plain),
        date=_date(row["date"]),
        modified=_date(row["modified"]),
        keywords=tuple(row["keywords"]),
        claims=tuple(Claim(**claim) for claim in row["claims"]),
    )


def _date(row: Mapping[str, str] | None) -> PublicationDate | None:
    if row is None:
        return None
    precision: Any = row["precision"]
    return PublicationDate(date.fromisoformat(row["value"]), precision, row["evidence"])


def _paragraph(row: Mapping[str, Any]) -> Paragraph:
    return Paragraph(**{**row, "marks": tuple(Mark(**mark) for mark in row["marks"])})


def _annotation(row: Mapping[str, Any]) -> Annotation:
    columns = {name: tuple(value) for name, value in row.items() if name != "language"}
    return Annotation(**columns, language=row["language"])


def document_id(url: str, captured: datetime, part: str = "") -> str:
    """Return a document's identity: its address and part, hashed, and the time of capture."""
    digest = hashlib.blake2b(f"{url}\n{part}".encode(), digest_size=6).hexdigest()
    return f"{digest}-{captured.astimezone(UTC):%Y%m%d%H%M%S}"
