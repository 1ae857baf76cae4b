"""The list of documents, by date, the calendar that leads to it, and what is not among them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.cases.documents import Listing
from izwi.cases.reports import Fates
from izwi.model.errors import QueryError
from izwi.model.reading import DocumentList
from izwi.model.results import MonthCount
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages.addresses import Sent, here, sent, ways_of
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
# Shades of the calendar: a month is dark if it has at least this share of the fullest.
_SHADES = (0.0, 0.25, 0.5, 0.75)
# A longer time is shown by its last years.
_MOST_YEARS = 40


@sent(Listing)
class Listed(Sent):
    """Which documents are listed, and how."""


@dataclass(frozen=True, slots=True)
class Month:
    """A month of the calendar: its name, how much it has, and how dark it is, 0 to 4."""

    name: str
    documents: int
    tokens: int
    shade: int


@twins(router, "/c/{corpus}/docs", summary="Documents")
def docs_twin(corpus: ThisCorpus, asked: Annotated[Listed, Depends()]) -> DocumentList:
    """List the documents by date, a page at a time."""
    return _listed(corpus, asked)


@router.get("/c/{corpus}/docs", response_class=HTMLResponse, summary="Documents")
def docs_page(
    request: Request, site: ThisSite, corpus: ThisCorpus, asked: Annotated[Listed, Depends()]
) -> HTMLResponse:
    """Show the documents by date, a page at a time."""
    problem, status, found = "", 200, None
    try:
        found = _listed(corpus, asked)
    except QueryError as error:
        problem, status = str(error), status_of(error)
    place, base = here(request), str(request.base_url).rstrip("/")
    ways = (
        ways_of(corpus.path.name, "documents", place, version=found.snapshot, base=base)
        if found
        else ()
    )
    content = {"corpus": corpus, "here": place, "found": found, "problem": problem, "ways": ways}
    return site.pages.page("docs_list.html", content, status=status)


@sent(Fates)
class Fated(Sent):
    """Of which addresses one wants to know what became of them."""


@router.get("/c/{corpus}/drops", response_class=HTMLResponse, summary="What became of addresses")
def drops_page(
    request: Request, site: ThisSite, corpus: ThisCorpus, asked: Annotated[Fated, Depends()]
) -> HTMLResponse:
    """Show what became of addresses and why, a page at a time; nothing of the server's folders."""
    found = corpus.drops(**asked.values())
    lines = [replace(each, detail=site.without_folders(each.detail)) for each in found.lines]
    content = {"corpus": corpus, "here": here(request), "asked": asked, "found": found}
    return site.pages.page("drops.html", content | {"lines": lines})


def calendar(months: Sequence[MonthCount]) -> list[tuple[int, list[Month]]]:
    """Return the years of a corpus, the last first, each with its twelve months."""
    if not months:
        return []
    by_name = {each.month: each for each in months}
    fullest = max(each.tokens for each in months)
    first, last = int(months[0].month[:4]), int(months[-1].month[:4])
    years = range(last, max(first, last - _MOST_YEARS + 1) - 1, -1)
    return [
        (year, [_month(f"{year}-{month:02d}", by_name, fullest) for month in range(1, 13)])
        for year in years
    ]


def _month(name: str, known: dict[str, MonthCount], fullest: int) -> Month:
    found = known.get(name, MonthCount(name, 0, 0))
    share = found.tokens / fullest if fullest else 0.0
    shade = sum(share >= limit for limit in _SHADES) if found.documents else 0
    return Month(name, found.documents, found.tokens, shade)


def _listed(corpus: Corpus, asked: Listed) -> DocumentList:
    return corpus.documents(**asked.values())
