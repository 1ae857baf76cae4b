"""Trends: how often words occur through time, several words on one page."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.cases.counts import OverTime
from izwi.model.analyses import PERIODS, Trend
from izwi.model.errors import QueryError
from izwi.presentation.charts.trends import are_few
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages import tables
from izwi.web.pages.addresses import (
    Here,
    Sent,
    Way,
    corpus_address,
    here,
    lines_address,
    sent,
    ways_of,
)
from izwi.web.pages.tables import figure, figure_together, figures_beside
from izwi.web.pages.text_menu import example_words
from izwi.web.session.reader import gettext as _
from izwi.web.site import ThisCorpus, ThisSite
from izwi.web.templating import rate

router = APIRouter(tags=["pages"], responses=PROBLEMS)
MOST_TERMS = 6
# A trend that chance makes as often as this is none.
_DOUBTFUL = 0.05

# Several words: small charts to one scale, each to its own, or all in one.
VIEWS = ("beside", "own", "together")
View = Annotated[str, Query(description="Several words: beside, own or together.")]


@sent(OverTime, several=("q",))
class Followed(Sent):
    """Which words are followed through time, and by which period."""


ThisQuestion = Annotated[Followed, Depends()]


@dataclass(frozen=True, slots=True)
class Trends:
    """The trends of several queries."""

    trends: tuple[Trend, ...]

    def rows(self) -> list[dict[str, object]]:
        """Return every point of every trend as a row."""
        return [{"query": each.query, **row} for each in self.trends for row in each.rows()]


@twins(router, "/c/{corpus}/trend", summary="Trends")
def trend_twin(corpus: ThisCorpus, asked: ThisQuestion) -> Trends:
    """Follow queries through time: rates with intervals, slopes, changes of level."""
    return Trends(tuple(_trends(corpus, asked)))


@router.get("/c/{corpus}/trend", response_class=HTMLResponse, summary="Trends")
def trend_page(
    request: Request,
    site: ThisSite,
    corpus: ThisCorpus,
    asked: ThisQuestion,
    view: View = VIEWS[0],
) -> HTMLResponse:
    """Show how often words occur through time."""
    place, problem, status, found = here(request), "", 200, []
    try:
        found = _trends(corpus, asked)
    except QueryError as error:
        problem, status = str(error), status_of(error)
    address = corpus_address(corpus.name, asked.v)
    content = {
        "corpus": corpus,
        "here": place,
        "terms": _terms(asked),
        "by": asked.by,
        "panel": asked.panel,
        "periods": ("auto", *PERIODS),
        "is_few": lambda trend: are_few(trend.points),
        "found": list(zip(found, _charts(found, address, view), strict=True)),
        "view": view if view in VIEWS else VIEWS[0],
        "together": figure_together(found, address) if _are_together(found, view) else "",
        # Once, not under every word.
        "notes": tuple(dict.fromkeys(note for trend in found for note in trend.notes)),
        "verdict": verdict,
        "problem": problem,
        "examples": () if found else example_words(corpus, asked.v)[:2],
        "columns": tables.trend_columns(),
        "opened": lambda opens: lines_address(corpus.name, opens, asked.v),
        "ways": _ways(corpus, place, found, asked.by, base=str(request.base_url).rstrip("/")),
    }
    return site.pages.page("trend.html", content, status=status)


def _are_together(found: Sequence[Trend], view: str) -> bool:
    return len(found) > 1 and view == "together"


def _charts(found: Sequence[Trend], address: str, view: str) -> Sequence[Markup]:
    """Return what stands below each word: its chart, small where there are several."""
    if _are_together(found, view):
        return [Markup("")] * len(found)
    if len(found) == 1:
        return [figure(found[0], address)]
    return figures_beside(found, address, has_one_scale=view != "own")


def verdict(trend: Trend) -> str:
    """Return in plain words whether something rises or falls."""
    if are_few(trend.points):
        return _("Too few hits to say whether it rises or falls.")
    if trend.p is None or trend.slope is None:
        return _("Too few periods to show a trend.")
    words = {"p": rate(trend.p)}
    if trend.p >= _DOUBTFUL:
        return _("No clear rise or fall (p = %(p)s).") % words
    if trend.slope > 0:
        return _("It rises (p = %(p)s).") % words
    return _("It falls (p = %(p)s).") % words


def _terms(asked: Followed) -> list[str]:
    return list(dict.fromkeys(term for term in asked.q if term.strip()))


def _trends(corpus: Corpus, asked: Followed) -> list[Trend]:
    terms = _terms(asked)
    if len(terms) > MOST_TERMS:
        raise QueryError(f"At most {MOST_TERMS} words at once, not {len(terms)}.")
    found = [corpus.trend(**asked.values() | {"query": term}) for term in terms]
    if len({trend.by for trend in found}) < 2:
        return found
    # Words in one picture are counted by the same periods: the longest that one of them needs.
    longest = max((trend.by for trend in found), key=PERIODS.index)
    return [corpus.trend(**asked.values() | {"query": term, "by": longest}) for term in terms]


def _ways(
    corpus: Corpus, place: Here, found: Sequence[Trend], by: str, *, base: str
) -> tuple[Way, ...]:
    """Return how to get the first trend again; the address and curl give them all."""
    if not found:
        return ()
    # The page asks for several words and by year; the use case for one, by month.
    return ways_of(
        corpus.path.name,
        "trend",
        place,
        version=found[0].snapshot,
        base=base,
        q=found[0].query,
        by=by,
    )
