"""Two texts side by side: what sets each apart, and how a word behaves in both."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse

from izwi.model.analyses import TextComparison
from izwi.model.errors import QueryError
from izwi.web import tables
from izwi.web.analysing import Chosen, compare, text_here
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.opening import here, lines_address
from izwi.web.repeating import Call, analysis_ways
from izwi.web.site import ThisCorpus, ThisSite
from izwi.web.twins import twins

router = APIRouter(tags=["pages"], responses=PROBLEMS)
_MOST = 50

First = Annotated[str, Query(description="subcorpus:NAME, where:CONDITION or corpus:NAME.")]
Second = Annotated[str, Query(description="The same; the whole corpus if absent.")]
twins(router, "/c/{corpus}/compare", summary="Comparison")(compare)


@router.get("/c/{corpus}/compare", response_class=HTMLResponse, summary="Comparison")
def compare_page(
    request: Request,
    site: ThisSite,
    corpus: ThisCorpus,
    counted: Chosen,
    first: First = "",
    second: Second = "",
    q: Annotated[str, Query(description="Also compare this word, phrase or CQL.")] = "",
) -> HTMLResponse:
    """Show two parts of a corpus, or two corpora, side by side."""
    place, problem, status, found = here(request), "", 200, None
    try:
        if first:
            found = _compared(site, corpus, counted, first, second, q)
    except QueryError as error:
        problem, status = site.without_folders(str(error)), status_of(error)
    call = Call("compare", "compare", ("first", "second"))
    base = str(request.base_url).rstrip("/")
    content = {
        "corpus": corpus,
        "here": place,
        "found": found,
        "problem": problem,
        "columns": tables.keyword_columns()[:7],
        "opened": lambda opens: lines_address(corpus.name, opens, counted.v),
        "ways": analysis_ways(
            corpus.name, call, place, {"most": _MOST}, version=found.snapshot, base=base
        )
        if found
        else (),
    }
    return site.pages.page("compare.html", content, status=status)


def _compared(
    site: ThisSite, corpus: ThisCorpus, counted: Chosen, first: str, second: str, q: str
) -> TextComparison:
    one, other = (text_here(site, corpus, named) for named in (first, second))
    return corpus.compare(one, other, query=q, most=_MOST, **counted.chosen())
