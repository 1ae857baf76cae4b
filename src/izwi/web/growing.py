"""What only a curator may do to make a corpus grow or shrink."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Body, Query
from fastapi.responses import Response
from pydantic import Field

from izwi.model.accounts import Visitor
from izwi.model.results import RunReport
from izwi.service import curating
from izwi.service.checking import SourceCheck
from izwi.service.corpus import Corpus
from izwi.service.takedown import TakedownReport, target_of
from izwi.store.layout import Layout
from izwi.web.curator import begin, curator_router
from izwi.web.rights import ThisVisitor
from izwi.web.site import ThisCorpus, ThisSite
from izwi.web.work import Started

router = curator_router()


@dataclass(frozen=True, slots=True)
class Files:
    """Files on the server to be taken in."""

    path: Annotated[str, Field(description="Where they lie on the server.")]
    name: Annotated[str, Field(description="Name of the source.")] = ""
    address: Annotated[str, Field(description="files: where they were on the web.")] = ""


@dataclass(frozen=True, slots=True)
class Target:
    """What is to be taken down."""

    target: Annotated[str, Field(description="A URL, or a host with all below it.")]
    reason: Annotated[str, Field(description="Who asked, and why.")] = ""


@dataclass(frozen=True, slots=True)
class OpmlList:
    """A list of feeds."""

    opml: Annotated[str, Field(description="The OPML text.")]


@router.get("/sources/check", summary="Look at an address")
def check_source(
    corpus: ThisCorpus, url: Annotated[str, Query(description="A home page, feed or site map.")]
) -> SourceCheck:
    """Look at an address before it is added: robots, feeds, dates, pages a day; stores nothing."""
    return corpus.check_source(url)


@router.post("/sources/opml", status_code=201, summary="Add the feeds of an OPML list")
def import_opml(
    corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor, given: Annotated[OpmlList, Body()]
) -> tuple[str, ...]:
    """Add every feed of an OPML list that is not there yet; return the names."""
    with site.adding:
        return corpus.import_opml(given.opml, by=visitor.name)


@router.get("/sources/opml", summary="The feeds as OPML", response_class=Response)
def export_opml(corpus: ThisCorpus) -> Response:
    """Return the feeds as an OPML list that feed readers take."""
    return Response(corpus.export_opml(), media_type="text/x-opml")


@router.post("/import/warc", summary="Take in WARC files")
def import_warc(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in the pages of WARC, ARC or WACZ files on the server."""
    _record_import(corpus, visitor, "warc", files)
    return corpus.import_warc(files.path, name=files.name)


@router.post("/import/files", summary="Take in pages")
def import_files(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in HTML, text and PDF files on the server."""
    _record_import(corpus, visitor, "files", files)
    return corpus.import_files(files.path, name=files.name, address=files.address)


@router.post("/import/conllu", summary="Take in CoNLL-U")
def import_conllu(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in the documents of CoNLL-U files on the server."""
    _record_import(corpus, visitor, "conllu", files)
    return corpus.import_conllu(files.path, name=files.name)


@router.post("/import/tei", summary="Take in TEI")
def import_tei(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in the documents of TEI files on the server."""
    _record_import(corpus, visitor, "tei", files)
    return corpus.import_tei(files.path, name=files.name)


@router.post("/import/texts", summary="Take in texts")
def import_texts(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in texts with metadata, JSON Lines or Parquet, on the server."""
    _record_import(corpus, visitor, "texts", files)
    return corpus.import_texts(files.path, name=files.name)


@router.post("/takedown", summary="Take a URL or a host down")
def takedown(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[Target, Body()]
) -> TakedownReport:
    """Take a URL or a host out of serving at once; it is never fetched again."""
    curating.record_takedown(
        Layout(corpus.path), target_of(given.target), given.reason, who=visitor.name
    )
    return corpus.takedown(given.target, reason=given.reason)


@router.post("/compact", status_code=202, summary="Rewrite files")
def compact(corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor) -> Started:
    """Take what was taken down out of the files and join small ones, in a process of its own."""
    return begin("compact", corpus, site, visitor)


def _record_import(corpus: Corpus, visitor: Visitor, form: str, files: Files) -> None:
    """Write down who takes files in; before it begins, since half of them may be all."""
    curating.record_run(Layout(corpus.path), f"import {form}", who=visitor.name, comment=files.path)
