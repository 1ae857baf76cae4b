"""Saved searches and watched headwords, and feeds that tell of new lines."""

from dataclasses import dataclass
from typing import Annotated
from urllib.parse import parse_qs

import fastapi
from fastapi import APIRouter, Depends, Request
from pydantic import TypeAdapter, ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, RedirectResponse, Response

from izwi.cases import kept_lists
from izwi.cases.case import fields_of
from izwi.cases.corpus import Corpus
from izwi.cases.kept_lists import SavedSearch, SavedSearches
from izwi.model.errors import IzwiError
from izwi.model.results import Concordance
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS
from izwi.web.pages.addresses import Asked, find_lines
from izwi.web.session.reader import current_searches, remember_searches
from izwi.web.session.rights import ReaderForm, ThisForm, ThisVisitor, curator_pages, form_body
from izwi.web.site import Site, ThisCorpus, ThisSite, site_address

router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisList = Annotated[str, fastapi.Path(description="The id in the list's link.")]
ATOM = "application/atom+xml"
_SEE_OTHER = 303
# Feed readers come often; each takes the newest lines.
_FEED_LINES = 50
# Whoever opens a list asks all of it at once.
_FEED_SEARCHES = 30
_SECONDS_EACH = 3.0
_ASKED: TypeAdapter[Asked] = TypeAdapter(Asked)
_SEVERAL = frozenset(each.address for each in fields_of(Asked.request) if each.is_several)


@dataclass(frozen=True, slots=True)
class Standing:
    """A saved search and what it finds now; `problem` says why it finds nothing."""

    search: SavedSearch
    hits: int = 0
    problem: str = ""

    @property
    def new(self) -> int:
        """How many hits more there are than when it was saved."""
        return max(0, self.hits - self.search.hits)


@router.get("/c/{corpus}/conc.atom", response_class=Response, summary="New lines as a feed")
def conc_feed(
    request: Request, site: ThisSite, corpus: ThisCorpus, asked: Annotated[Asked, Depends()]
) -> Response:
    """Tell feed readers of the newest lines of a search."""
    newest = {"q": asked.q, "sort": "newest", "page": 1, "size": _FEED_LINES}
    found = find_lines(corpus, asked.changed(**newest))
    return _feed(request, site, corpus, asked.q, [(asked.q, found)])


@router.get("/c/{corpus}/saved/{id}.atom", response_class=Response, summary="Alerts as a feed")
def saved_feed(request: Request, site: ThisSite, corpus: ThisCorpus, id: ThisList) -> Response:
    """Tell feed readers of the newest lines of all saved searches."""
    found = []
    for search in kept_lists.read_saved(corpus.name, id).searches[-_FEED_SEARCHES:]:
        newest = {"sort": "newest", "page": 1, "size": 10}
        try:
            lines = find_lines(corpus, _quick(search, newest))
        except (IzwiError, HTTPException):
            continue  # the list's page tells of these
        found.append((search.name, lines))
    return _feed(request, site, corpus, ", ".join(name for name, _ in found), found)


@twins(router, "/c/{corpus}/saved/{id}", summary="Saved searches")
def saved_twin(corpus: ThisCorpus, id: ThisList) -> SavedSearches:
    """List saved searches."""
    return kept_lists.read_saved(corpus.name, id)


@router.get("/c/{corpus}/saved", response_class=HTMLResponse, summary="Your saved searches")
def own_saved(site: ThisSite, corpus: ThisCorpus) -> Response:
    """Lead to the searches that this browser saved, or say how to save one."""
    known = current_searches(corpus.name)
    if known:
        return RedirectResponse(f"/c/{corpus.name}/saved/{known.id}", _SEE_OTHER)
    return site.pages.page("saved.html", {"corpus": corpus, "saved": None, "standings": ()})


@router.get("/c/{corpus}/saved/{id}", response_class=HTMLResponse, summary="Saved searches")
def saved_list(site: ThisSite, corpus: ThisCorpus, id: ThisList) -> HTMLResponse:
    """Show saved searches with what is new since they were saved."""
    found = kept_lists.read_saved(corpus.name, id)
    standings = [_standing(corpus, search) for search in found.searches]
    content = {"corpus": corpus, "saved": found, "standings": standings}
    answer = site.pages.page("saved.html", content)
    if current_searches(corpus.name) is None:
        remember_searches(answer, found)
    return answer


@router.post(
    "/c/{corpus}/saved",
    response_class=RedirectResponse,
    status_code=_SEE_OTHER,
    summary="Save or forget a search",
    openapi_extra=form_body(
        act="save or forget.",
        list="The id of the list to forget it in, if not your own.",
        name="What to call it.",
        parameters="The search as in the address of a concordance.",
    ),
)
def change(corpus: ThisCorpus, said: ReaderForm) -> Response:
    """Save a search in the list that this browser used last, or forget one."""
    parameters = said.get("parameters", "").lstrip("?")
    there = current_searches(corpus.name)
    known = there.id if there else ""
    if said.get("act") == "forget":
        # A list may be somebody else's: its page says which one is meant.
        shown = said.get("list") or known
        if not shown:
            return RedirectResponse(f"/c/{corpus.name}/saved", _SEE_OTHER)
        found = kept_lists.forget_search(corpus.name, shown, parameters)
    else:
        lines = find_lines(corpus, asked_of(parameters))
        name = said.get("name") or lines.query
        found = kept_lists.save_search(
            corpus.name, known, name, parameters, version=lines.snapshot, hits=lines.hits
        )
    answer = RedirectResponse(f"/c/{corpus.name}/saved/{found.id}", _SEE_OTHER)
    remember_searches(answer, found)
    return answer


def asked_of(parameters: str) -> Asked:
    """Return the question that the parameters of an address ask."""
    try:
        given = parse_qs(parameters, max_num_fields=100)
        return _ASKED.validate_python(
            {name: each if name in _SEVERAL else each[-1] for name, each in given.items()}
        )
    except (ValidationError, ValueError):
        raise HTTPException(400, "This is not a search; save one from its page.") from None


def _quick(search: SavedSearch, changes: dict[str, object]) -> Asked:
    """Return the question of a saved search, which has little time beside the others."""
    asked = asked_of(search.parameters)
    return asked.changed(**changes, timeout=min(asked.timeout, _SECONDS_EACH))


def _standing(corpus: Corpus, search: SavedSearch) -> Standing:
    try:
        found = find_lines(corpus, _quick(search, {"size": 1, "page": 1}))
    except (IzwiError, HTTPException) as error:
        return Standing(search, problem=str(error))
    return Standing(search, found.hits)


def _feed(
    request: Request, site: Site, corpus: Corpus, name: str, found: list[tuple[str, Concordance]]
) -> Response:
    lines = [(query, line) for query, lines in found for line in lines.lines]
    lines.sort(key=lambda each: each[1].document.captured, reverse=True)
    content = {
        "corpus": corpus,
        "name": name,
        "lines": lines,
        "base": site_address(request),
        "address": str(request.url),
        "updated": lines[0][1].document.captured if lines else "1970-01-01T00:00:00+00:00",
    }
    return Response(site.pages.text("feed.xml", content), media_type=ATOM)


curators = curator_pages()
_FEED_ENTRIES = 100


@router.get("/c/{corpus}/watch.atom", response_class=Response, summary="Antedatings as a feed")
def watch_feed(request: Request, site: ThisSite, corpus: ThisCorpus) -> Response:
    """Tell feed readers of earlier lines of watched headwords."""
    found = corpus.headword_alerts()[:_FEED_ENTRIES]
    content = {
        "corpus": corpus,
        "found": found,
        "base": site_address(request),
        "address": str(request.url),
        "updated": found[0].noticed if found else "1970-01-01T00:00:00+00:00",
    }
    return Response(site.pages.text("watch.xml", content), media_type=ATOM)


@curators.post("/headwords")
def change_headwords(
    corpus: ThisCorpus, site: ThisSite, form: ThisForm, visitor: ThisVisitor
) -> RedirectResponse:
    """Watch more headwords, watch one no more, or look now."""
    with site.adding:
        if form.get("forget"):
            corpus.forget_headwords([form["forget"]], by=visitor.name)
        elif form.get("do") == "look":
            corpus.check_headwords()
        else:
            one = "\t".join(form.get(name, "") for name in ("headword", "known", "variants"))
            lines = [one] if one.strip() else form.get("words", "").splitlines()
            corpus.watch_headwords(lines, by=visitor.name)
    return RedirectResponse(f"/c/{corpus.name}/watch", 303)
