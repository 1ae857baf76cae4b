"""The list of documents, by date; and the calendar that leads to it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.model.errors import QueryError
from izwi.model.reading import DocumentList
from izwi.model.results import MonthCount
from izwi.web.api.repeat import ways_of
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages.asking import Version, first_day, last_day
from izwi.web.pages.opening import here
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
# Shades of the calendar: a month is dark if it has at least this share of the fullest.
_SHADES = (0.0, 0.25, 0.5, 0.75)
# A longer time is shown by its last years.
_MOST_YEARS = 40


@dataclass(frozen=True, slots=True)
class Listed:
    """Which documents are listed, and how."""

    since: Annotated[str, Query(alias="from", description="First year, month or day.")] = ""
    until: Annotated[str, Query(alias="to", description="Last year, month or day.")] = ""
    src: Annotated[tuple[str, ...], Query(description="Only this source; repeatable.")] = ()
    publication: Annotated[
        tuple[str, ...], Query(description="Only this publication; repeatable.")
    ] = ()
    where: Annotated[str, Query(description='A condition, e.g. section="news".')] = ""
    copies: Annotated[bool, Query(description="Whether folded copies are listed too.")] = False
    sort: Annotated[str, Query(description="date or newest.")] = "date"
    page: Annotated[int, Query(description="Which page.")] = 1
    size: Annotated[int, Query(description="Documents a page.")] = 100
    v: Version = None


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
        ways_of(corpus.name, "documents", place, version=found.snapshot, base=base) if found else ()
    )
    content = {"corpus": corpus, "here": place, "found": found, "problem": problem, "ways": ways}
    return site.pages.page("docs_list.html", content, status=status)


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
    return corpus.documents(
        sort=asked.sort,
        page=asked.page,
        size=asked.size,
        since=first_day(asked.since),
        until=last_day(asked.until),
        sources=tuple(source for source in asked.src if source),
        publications=tuple(filter(None, asked.publication)),
        where=asked.where,
        copies=asked.copies,
        version=asked.v,
    )
