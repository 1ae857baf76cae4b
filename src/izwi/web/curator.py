"""What only a curator may do: gather, build, add sources, look under the bonnet."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Body, Query, Security
from fastapi.security import HTTPBearer
from pydantic import Field

from izwi.cases.corpus import Corpus
from izwi.model.accounts import Visitor
from izwi.model.labelled import LabelledPage
from izwi.model.portal import Inventory, Suggestion
from izwi.model.results import Finding
from izwi.service.subcorpora import Subcorpus
from izwi.web.errors import PROBLEMS
from izwi.web.rights import CuratorRoute, ThisVisitor
from izwi.web.site import Site, ThisCorpus, ThisSite
from izwi.web.work import Started


def curator_router() -> APIRouter:
    """Return a router whose routes are for curators: by token, or signed in."""
    token = HTTPBearer(auto_error=False, description="A curator's token.")
    return APIRouter(
        prefix="/api/v1/c/{corpus}",
        tags=["curator"],
        responses=PROBLEMS,
        route_class=CuratorRoute,
        dependencies=[Security(token)],
    )


router = curator_router()


@dataclass(frozen=True, slots=True)
class NewSource:
    """A feed or seed page to be gathered."""

    url: Annotated[str, Field(description="The feed, or the page to begin with.")]
    type: Annotated[str, Field(description="feed or seeds; guessed if absent.")] = ""
    name: Annotated[str, Field(description="Its name; made from the address if absent.")] = ""
    depth: Annotated[int, Field(description="seeds: how many links to follow.")] = 0
    every: Annotated[str, Field(description='feed: how often it is read, e.g. "1h".')] = ""
    since: Annotated[str, Field(description="portal, archive: first date.")] = ""


@dataclass(frozen=True, slots=True)
class NewSubcorpus:
    """A condition on documents to be saved."""

    name: Annotated[str, Field(description="What to call it.")]
    where: Annotated[str, Field(description='A condition, e.g. source="herald".')]


@dataclass(frozen=True, slots=True)
class AddedSource:
    """The name under which a source was added."""

    name: str


def begin(command: str, corpus: Corpus, site: Site, visitor: Visitor) -> Started:
    """Start a command in a process of its own; it is recorded, once it is done, as theirs."""
    return site.work.start(command, corpus, who=visitor.name)


@router.post("/gather", status_code=202, summary="Start gathering")
def gather(corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor) -> Started:
    """Fetch what the sources offer, in a process of its own."""
    return begin("gather", corpus, site, visitor)


@router.post("/build", status_code=202, summary="Start building")
def build(corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor) -> Started:
    """Do what is stale or missing and publish a version, in a process of its own."""
    return begin("build", corpus, site, visitor)


@router.post("/run", status_code=202, summary="Start gathering, then building")
def run(corpus: ThisCorpus, site: ThisSite, visitor: ThisVisitor) -> Started:
    """Gather, then build, in a process of its own."""
    return begin("run", corpus, site, visitor)


@router.post("/subcorpora", summary="Save a subcorpus")
def save_subcorpus(
    corpus: ThisCorpus, visitor: ThisVisitor, given: Annotated[NewSubcorpus, Body()]
) -> Subcorpus:
    """Save a condition on documents under a name."""
    return corpus.save_subcorpus(given.name, given.where, by=visitor.name)


@router.post("/sources", status_code=201, summary="Add a source")
def add_source(
    corpus: ThisCorpus,
    site: ThisSite,
    visitor: ThisVisitor,
    source: Annotated[NewSource, Body(examples=[{"url": "https://example.org/feed.xml"}])],
) -> AddedSource:
    """Add a feed or seed page to corpus.toml; what is left out is guessed from the address."""
    with site.adding:
        name = corpus.add_source(
            source.url,
            type=source.type,
            name=source.name,
            depth=source.depth,
            every=source.every,
            since=source.since,
            by=visitor.name,
        )
    return AddedSource(name)


@router.get("/doctor", summary="Examine the machine and the corpus")
def doctor(corpus: ThisCorpus) -> tuple[Finding, ...]:
    """Look at the machine and at this corpus, and say what would mend what is amiss."""
    return corpus.doctor()


@router.get("/portal/tags", summary="What a portal's pages are made of")
def portal_tags(
    corpus: ThisCorpus,
    source: Annotated[str, Query(description="The source's name.", examples=["first-pages"])],
    body: Annotated[str, Query(description="Only inside this CSS selector.")] = "",
    pages: Annotated[int, Query(description="Look at so many pages.", ge=1, le=1000)] = 200,
    least: Annotated[int, Query(description="Leave out what is rarer than this.", ge=1)] = 2,
) -> Inventory:
    """List the tags of a source's pages with what they hold, and the merged tree of the pages."""
    return corpus.portal_tags(source, body=body, pages=pages, least=least)


@router.get("/portal/suggest", summary="Rules that fit a portal's pages")
def portal_suggest(
    corpus: ThisCorpus,
    source: Annotated[str, Query(description="The source's name.", examples=["first-pages"])],
    pages: Annotated[int, Query(description="Look at so many pages.", ge=1, le=1000)] = 50,
) -> Suggestion:
    """Propose rules from the pages of a source."""
    return corpus.portal_suggestion(source, pages=pages)


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How many labelled pages were taken in."""

    pages: int


@router.get("/labels", summary="The labels of pages")
def labels(corpus: ThisCorpus) -> tuple[LabelledPage, ...]:
    """Give the labels that people made of this corpus's pages."""
    return corpus.labels()


@router.get("/labels/draft", summary="Pages to be labelled")
def label_drafts(
    corpus: ThisCorpus,
    source: Annotated[str, Query(description="Only pages of this source.")] = "",
    pages: Annotated[int, Query(description="At most so many.", ge=1, le=200)] = 20,
) -> tuple[LabelledPage, ...]:
    """Give pages without labels, labelled by the default extractor, to be corrected."""
    return corpus.label_drafts(source=source, pages=pages)


@router.post("/labels", status_code=201, summary="Take in labels")
def import_labels(
    corpus: ThisCorpus,
    visitor: ThisVisitor,
    pages: Annotated[list[LabelledPage], Body(examples=[[]], description="Labelled pages.")],
) -> TakenIn:
    """Take in labels; a page labelled again replaces its labels."""
    return TakenIn(corpus.import_labels(pages, by=visitor.name))
