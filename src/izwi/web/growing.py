"""What only a curator may do to make a corpus grow or shrink."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import Body, Query
from fastapi.responses import Response
from pydantic import Field

from izwi.model.results import RunReport
from izwi.service.checking import SourceCheck
from izwi.service.packs import Pack
from izwi.service.takedown import TakedownReport
from izwi.web.curator import begin, curator_router
from izwi.web.import_places import import_place
from izwi.web.rights import ThisVisitor
from izwi.web.site import ThisCorpus, ThisSite
from izwi.web.work import Started

router = curator_router()
Names = Annotated[
    list[str],
    Body(embed=True, description="Names of sources.", examples=[["first-pages"]], min_length=1),
]


@dataclass(frozen=True, slots=True)
class Files:
    """Files on the server to be taken in."""

    path: Annotated[str, Field(description="Where they lie, in a folder of IZWI_IMPORTS.")]
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


@router.get("/sources/packs", summary="Packs of sources")
def list_packs(corpus: ThisCorpus) -> tuple[Pack, ...]:
    """List the packs of sources that come along, with what is known of each source."""
    return corpus.packs()


@router.post("/sources/pack", status_code=201, summary="Add the sources of a pack")
def add_pack(
    corpus: ThisCorpus,
    site: ThisSite,
    visitor: ThisVisitor,
    pack: Annotated[str, Body(embed=True, description="The pack's name.", examples=["demo"])],
) -> tuple[str, ...]:
    """Add the sources of a pack that are not there yet; return the names. Fetches nothing."""
    with site.adding:
        return corpus.add_pack(pack, by=visitor.name)


@router.post("/sources/pause", summary="Pause sources")
def pause_sources(
    corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor, names: Names
) -> tuple[str, ...]:
    """Let sources rest: nothing of them is fetched until they are resumed."""
    with site.adding:
        return corpus.pause_sources(names, by=visitor.name)


@router.post("/sources/resume", summary="Resume sources")
def resume_sources(
    corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor, names: Names
) -> tuple[str, ...]:
    """Let sources that rest go on from where they were."""
    with site.adding:
        return corpus.resume_sources(names, by=visitor.name)


@router.post("/sources/no-trap", summary="Say that addresses are no trap")
def open_trap(
    corpus: ThisCorpus,
    site: ThisSite,
    visitor: ThisVisitor,
    source: Annotated[str, Body(description="The crawl's name.", examples=["crawl"])],
    pattern: Annotated[
        str, Body(description="The pattern in the ledger.", examples=["example.org/calendar"])
    ],
) -> tuple[str, ...]:
    """Say that a pattern of addresses is no trap: the next run fetches what was left out of it."""
    with site.adding:
        return corpus.open_trap(source, pattern, by=visitor.name)


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
    return corpus.import_warc(import_place(files.path), name=files.name, by=visitor.name)


@router.post("/import/files", summary="Take in pages")
def import_files(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in HTML, text and PDF files on the server."""
    return corpus.import_files(
        import_place(files.path), name=files.name, address=files.address, by=visitor.name
    )


@router.post("/import/conllu", summary="Take in CoNLL-U")
def import_conllu(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in the documents of CoNLL-U files on the server."""
    return corpus.import_conllu(import_place(files.path), name=files.name, by=visitor.name)


@router.post("/import/tei", summary="Take in TEI")
def import_tei(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in the documents of TEI files on the server."""
    return corpus.import_tei(import_place(files.path), name=files.name, by=visitor.name)


@router.post("/import/texts", summary="Take in texts")
def import_texts(
    corpus: ThisCorpus, visitor: ThisVisitor, files: Annotated[Files, Body()]
) -> RunReport:
    """Take in texts with metadata, JSON Lines or Parquet, on the server."""
    return corpus.import_texts(import_place(files.path), name=files.name, by=visitor.name)


@router.post("/takedown", summary="Take a URL or a host down")
def takedown(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[Target, Body()]
) -> TakedownReport:
    """Take a URL or a host out of serving at once; it is never fetched again."""
    return corpus.takedown(given.target, reason=given.reason, by=visitor.name)


@router.post("/compact", status_code=202, summary="Rewrite files")
def compact(corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor) -> Started:
    """Take what was taken down out of the files and join small ones, in a process of its own."""
    return begin("compact", corpus, site, visitor)
