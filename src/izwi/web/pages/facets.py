"""Where the lines of a concordance are from: by year, publication and more, each a link."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Query
from starlette.responses import HTMLResponse

from izwi.cases.case import fields_of
from izwi.cases.corpus import Corpus
from izwi.cases.questions import Question
from izwi.model.analyses import Opening
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS
from izwi.web.pages.addresses import Asked
from izwi.web.session.reader import gettext as _
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisQuestion = Annotated[Asked, Depends()]
_KINDS = ("year", "publication", "section", "author")
# What a count by one thing takes from the question: all but how lines are shown.
_COUNTED = frozenset(each.address for each in fields_of(Question))
_MOST_VALUES = 8
_MOST_YEARS = 30


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value, how many lines have it, and the question that shows only them."""

    value: str
    hits: int
    # Of the fullest value of its facet, from 0 to 1.
    share: float
    link: str


@dataclass(frozen=True, slots=True)
class Facet:
    """What lines are told apart by; `more` values are not shown."""

    key: str
    values: tuple[FacetValue, ...]
    more: int


@dataclass(frozen=True, slots=True)
class Facets:
    """The facets of the lines of a question."""

    facets: tuple[Facet, ...]

    def rows(self) -> list[dict[str, object]]:
        """Return every value as a row."""
        return [
            {"facet": facet.key, "value": each.value, "hits": each.hits}
            for facet in self.facets
            for each in facet.values
        ]


@twins(router, "/c/{corpus}/facets", summary="Facets")
def facets_twin(corpus: ThisCorpus, asked: ThisQuestion) -> Facets:
    """Count the lines of a question by year, publication, section and author."""
    return facets_of(corpus, asked)


@router.get("/c/{corpus}/facets", response_class=HTMLResponse, summary="Facets")
def facets_page(
    site: ThisSite,
    corpus: ThisCorpus,
    asked: ThisQuestion,
    part: Annotated[bool, Query(description="Only the part that stands beside lines.")] = False,
) -> HTMLResponse:
    """Show where the lines of a question are from."""
    content = {
        "corpus": corpus,
        "asked": asked,
        "found": facets_of(corpus, asked) if asked.q.strip() else Facets(()),
        "more_links": {key: _more_link(asked, key) for key in _KINDS},
        "names": {
            "year": _("Year"),
            "publication": _("Publication"),
            "section": _("Section"),
            "author": _("Author"),
        },
    }
    return site.pages.page("facets_part.html" if part else "facets.html", content)


def facets_of(corpus: Corpus, asked: Asked) -> Facets:
    """Return how many lines there are by each value, the years in order."""
    return Facets(tuple(_facet(corpus, asked, key) for key in _KINDS))


def _facet(corpus: Corpus, asked: Asked, key: str) -> Facet:
    is_time = key == "year"
    found = corpus.frequencies(
        by=key,
        sort="value" if is_time else "hits",
        most=_MOST_YEARS if is_time else _MOST_VALUES,
        **asked.values(Question),
    )
    named = [line for line in found.lines if line.values[0]]
    top = max((line.hits for line in named), default=1)
    values = tuple(
        FacetValue(line.values[0], line.hits, line.hits / top, _link(asked, line.opens))
        for line in named
    )
    return Facet(key, values, max(0, found.total - len(found.lines)))


def _link(asked: Asked, opens: Opening) -> str:
    """Return the question with what a value adds to it; the words stay as they were typed."""
    since = opens.since.isoformat() if opens.since else asked.since
    until = opens.until.isoformat() if opens.until else asked.until
    # The condition of the question and of its subcorpus is in that of the value.
    changes = {"since": since, "until": until, "where": opens.where or asked.where, "subcorpus": ""}
    return asked.link(**changes)


def _more_link(asked: Asked, key: str) -> str:
    """Return the question for the frequencies of all values.

    >>> _more_link(Asked("bakkie", since="2014", src=("news",), sort="left"), "publication")
    '?q=bakkie&from=2014&src=news&by=publication'
    """
    kept = [pair for pair in asked.parameters() if pair[0] in _COUNTED]
    return f"?{urlencode([*kept, ('by', key)])}"
