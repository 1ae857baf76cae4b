"""Documents: the list of them, one of them, the page it came from, its copies; all for export."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import READER, Doing, Says, case_of, ids_of, place
from izwi.cases.questions import Chosen, Versioned
from izwi.model.reading import ArchivedPage, DocumentList, DocumentView, ExportReport
from izwi.model.results import CopyCluster

if TYPE_CHECKING:
    from izwi.service.folder import CorpusFolder

# Shown in the examples: a page of the demo web.
_DEMO_PAGE = "http://braaiandbakkie.example/2010/09/10/bakkie-of-thirteen-hundred/"
_MOST_FILES = 5


@dataclass(frozen=True, kw_only=True)
class DocumentId:
    """One document."""

    id: Annotated[str, place("The document's id or URL.", metavar="ID", example=_DEMO_PAGE)]


@dataclass(frozen=True, kw_only=True)
class VersionedId(Versioned, DocumentId):
    """One document, in one version."""


@dataclass(frozen=True, kw_only=True)
class CopiedDocument:
    """A document whose copies are listed."""

    document: Annotated[str, place("Its id or URL.", metavar="DOC|URL", example=_DEMO_PAGE)]


@dataclass(frozen=True, kw_only=True)
class Listing(Chosen):
    """In which order documents are listed, and which page of the list."""

    sort: Annotated[str, Says("date or newest.")] = "date"
    page: Annotated[int, Says("Which page.")] = 1
    size: Annotated[int, Says("Documents a page.")] = 100


@dataclass(frozen=True, kw_only=True)
class Exported(Chosen):
    """Which documents are written, where, and how."""

    format: Annotated[
        str,
        place("text, jsonl, parquet, csv, vertical, conllu, tei, tei-corpus, jsonld, sentences or "
             "wacz.", metavar="FORMAT"),
    ]  # fmt: skip
    target: Annotated[
        str | Path,
        place("A folder of its own for the export.", metavar="TARGET", is_local=True),
    ]
    languages: Annotated[
        tuple[str, ...], Says("Only this language; repeatable.", name="language")
    ] = ()
    documents: Annotated[
        Iterable[str],
        Says("Only these ids; on the command line a list of them, one a line.", file=ids_of),
    ] = ()
    mask: Annotated[bool, Says("Mask e-mail addresses, phone numbers, user names.")] = False
    tokens: Annotated[bool, Says("TEI: write words with lemma and tag.")] = False
    comments: Annotated[bool, Says("TEI: add readers' comments, where they are known.")] = False
    licence: Annotated[str, Says("What may be done with the texts.")] = ""
    seed: Annotated[int, Says("For the order of sentences.")] = 1
    query: Annotated[str, Says("Only documents with hits of this query.", address="q")] = ""
    restart: Annotated[
        bool, Says("Begin anew where an unfinished run would go on.", is_local=True)
    ] = False


def document(folder: "CorpusFolder", asked: VersionedId, doing: Doing) -> DocumentView:
    """Return a document by its id or URL: paragraphs, metadata with evidence, its capture."""
    from izwi.service import documents

    number, segments = folder._snapshot(asked.version)
    view = documents.document_view(
        folder._layout, folder.config, asked.id, snapshot=number, segments=segments
    )
    if not segments:
        return view
    return replace(view, publication=segments[0].publication(view.url, view.site, view.source))


def documents(folder: "CorpusFolder", asked: Listing, doing: Doing) -> DocumentList:
    """List the documents by date, or some of them, a page at a time."""
    from izwi.query.engine import Filter
    from izwi.service.documents import list_documents

    number, segments = folder._snapshot(asked.version)
    chosen = Filter(
        asked.since, asked.until, folder._sources_asked(asked.sources, segments),
        folder._where(asked.where, asked.subcorpus, tuple(asked.publications)), asked.copies,
    )  # fmt: skip
    return list_documents(
        segments, chosen, snapshot=number, sort=asked.sort, page=asked.page, size=asked.size
    )


def archived(folder: "CorpusFolder", asked: DocumentId, doing: Doing) -> ArchivedPage:
    """Return the page a document came from, as it was captured."""
    from izwi.service import documents

    return documents.archived_page(folder._layout, folder.config, asked.id)


def copies(folder: "CorpusFolder", asked: CopiedDocument, doing: Doing) -> CopyCluster:
    """List the copies of a document, the original first, with the words that differ."""
    from izwi.reports import copies

    return copies.cluster(folder._layout, folder.config, asked.document)


def export(folder: "CorpusFolder", asked: Exported, doing: Doing) -> ExportReport:
    """Write the corpus, or some of its documents, into a folder for other programs.

    `documents` names them by id, `query` by what they hold, `where` and `subcorpus` by what is
    said of them; `copies` adds those folded into their originals. The same call goes on after a
    kill unless it is to `restart`.
    """
    from izwi.export.base import Choice
    from izwi.service import exporting, querying

    ids = frozenset(asked.documents)
    if asked.query or asked.where or asked.subcorpus or asked.publications:
        where = folder._where(asked.where, asked.subcorpus, tuple(asked.publications))
        found = querying.documents_asked(folder._snapshot(asked.version)[1], asked.query, where)
        ids = (ids & found or frozenset({""})) if ids else found
    choice = Choice(asked.sources, asked.languages, asked.since, asked.until, ids, asked.copies)
    wishes = exporting.Wishes(
        choice, asked.mask, asked.tokens, asked.comments, asked.licence, asked.seed
    )
    return exporting.export(
        folder._layout, folder.config, asked.format, Path(asked.target), wishes=wishes,
        listener=doing.listener, version=asked.version, is_new=asked.restart,
    )  # fmt: skip


def _document_told(asked: VersionedId, found: DocumentView, folder: Path) -> Iterator[str]:
    facts = (found.title, found.author, found.date, found.url, found.id)
    yield from (str(fact) for fact in facts if fact)
    yield ""
    yield from (f"{each.text}\n" for each in found.paragraphs if each.is_main)


def _list_told(asked: Listing, found: DocumentList, folder: Path) -> Iterator[str]:
    for card in found.documents:
        yield f"{card.date or 'undated'!s:10}  {card.publication}  {card.title or card.url}"
    yield f"Page {found.page} of {found.pages}, {found.total:,} documents."


def _copies_told(asked: CopiedDocument, found: CopyCluster, folder: Path) -> Iterator[str]:
    for member in found.members:
        how = f"{member.method} {member.similarity:.0%}" if member.method else ""
        mark = "original" if member.id == found.original else how
        yield f"{member.date or ''!s:<11}{member.source:<18}{mark:<22}{member.url}"
        for each in member.originals:
            told = f"    from {each.document} {each.publication} {each.date or 'undated'}"
            yield f"{told}: {each.share:.0%} of the words"
        for change in member.changes:
            yield f"    - {_short(change.original)}  + {_short(change.copy)}"
    if len(found.members) == 1:
        yield "No copies of it are known."


def _short(words: str, most: int = 80) -> str:
    return words if len(words) <= most else f"{words[:most]} ..."


def _export_told(asked: Exported, report: ExportReport, folder: Path) -> Iterator[str]:
    yield (
        f"{report.documents:,} documents, {report.tokens:,} tokens of version {report.version} "
        f"written as {report.format}:"
    )
    for file in report.files[:_MOST_FILES]:
        yield f"  {report.path}/{file.name}  {file.size_bytes:,} bytes"
    if len(report.files) > _MOST_FILES:
        yield f"  and {len(report.files) - _MOST_FILES:,} more; see manifest.json"
    if report.replaced:
        yield f"{report.replaced:,} characters no format can hold are now U+FFFD."
    if report.masked:
        counts = ", ".join(f"{count:,} {kind}" for kind, count in sorted(report.masked.items()))
        yield f"Masked: {counts}."


_case = partial(case_of, "Documents")

CASES = (
    _case("document", "document", "document", VersionedId, document, "http://example.org/a.html",
          READER, tells=_document_told),
    _case("documents", "documents", "documents", Listing, documents, "--from 2014-03 --to 2014",
          READER, tells=_list_told),
    _case("archived", "archived", "archived", DocumentId, archived, "http://example.org/a.html",
          READER, tells=lambda asked, found, folder: (found.text,), by_hand=("route",),
          at="GET /c/{corpus}/doc/{id}/archived"),
    _case("copies", "copies", "copies", CopiedDocument, copies,
          "https://example.org/2020/03/01/robots", READER, tells=_copies_told),
    _case("export", "export", "export", Exported, export,
          "vertical news-vertical --from 2010 --to 2014", tells=_export_told,
          context=("listener",), is_file=True),
)  # fmt: skip
