"""New words: candidates with reasons, and one key to decide on each."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated

import fastapi
from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from izwi.cases import kept_lists
from izwi.cases.corpus import Corpus
from izwi.cases.kept_lists import Triage
from izwi.cases.words import Newness as NewWordsAsked
from izwi.model.errors import QueryError
from izwi.model.lexicography import NEW_KINDS, Factor, NewWord, NewWords
from izwi.web.api.derived import endpoint, lists_here
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages.addresses import Here, Sent, here, sent, ways_of
from izwi.web.session.reader import current_triage, remember_triage, sentence
from izwi.web.session.reader import gettext as _
from izwi.web.session.rights import ReaderForm, form_body
from izwi.web.session.visitor_pages import own_address
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisList = Annotated[str, fastapi.Path(description="The id in the list's link.")]
_SEE_OTHER = 303
# Where the last year has nothing new, longer periods are tried, in years.
_LONGER_YEARS = (3, 6, 12)
# What the columns of the table say already.
_IN_COLUMNS = ("spread", "documents", "frequency", "date")
# Of these a reason is worth a word only where it speaks against the word.
_DOUBTS = ("no name", "no slip")


@sent(NewWordsAsked)
class Newness(Sent):
    """What counts as a new word."""


ThisNewness = Annotated[Newness, Depends()]


@dataclass(frozen=True, slots=True)
class Choice:
    """A decision that one key makes."""

    key: str
    decision: str
    name: str


def choices() -> tuple[Choice, ...]:
    """Return the decisions with their keys."""
    return (
        Choice("a", "accept", _("accept")),
        Choice("r", "reject", _("reject")),
        Choice("n", "name", _("name")),
        Choice("t", "error", _("typing error")),
        Choice("v", "known", _("known")),
        Choice("w", "later", _("later")),
    )


twins(router, "/c/{corpus}/new", summary="New words")(endpoint("new_words"))


@router.get("/c/{corpus}/new", response_class=HTMLResponse, summary="New words")
def new_page(
    request: Request, site: ThisSite, corpus: ThisCorpus, asked: ThisNewness
) -> HTMLResponse:
    """Show new words that were not decided on, with keys to decide."""
    own, problem, status, found = current_triage(corpus.name), "", 200, None
    place = here(request)
    try:
        found, place = _first_found(corpus, asked, place)
    except QueryError as error:
        problem, status = str(error), status_of(error)
    done = own.words if own and not asked.decided else frozenset()
    base = str(request.base_url).rstrip("/")
    content = {
        "corpus": corpus,
        "here": place,
        "found": found,
        "groups": _groups(found, done),
        "triage": own,
        "choices": choices(),
        "decisions": {each.word: each.decision for each in own.decisions} if own else {},
        "reasons": reasons,
        "periods": tuple(_periods(found.until)) if found is not None else (),
        "problem": problem,
        "ways": ways_of(
            corpus.path.name,
            "new_words",
            place,
            version=found.snapshot if found is not None else 0,
            base=base,
        ),
    }
    return site.pages.page("new.html", content, status=status)


def _new_words(corpus: Corpus, asked: Newness) -> NewWords:
    return corpus.new_words(**asked.values() | {"lists": lists_here(corpus, asked.list)})


def _first_found(corpus: Corpus, asked: Newness, place: Here) -> tuple[NewWords, Here]:
    """Return the words asked for; if no period was asked, of the first that has any.

    The address that comes with them names the period, so that whoever repeats it gets the same.
    """
    found = _new_words(corpus, asked)
    if asked.since or asked.until or found.lines or not found.tokens_before:
        return found, place
    for years in _LONGER_YEARS:
        since = str(found.until.year - years)
        longer = _new_words(corpus, asked.changed(since=since))
        if longer.lines:
            return longer, Here(place.path, (*place.parameters, ("from", since)))
    return found, place


def _groups(found: NewWords | None, done: Collection[str]) -> list[tuple[str, list[NewWord]]]:
    """Return what was not decided on by kind: words, then likely names, then likely slips."""
    lines = [line for line in found.lines if line.word not in done] if found is not None else []
    return [(kind, [each for each in lines if each.kind == kind]) for kind in NEW_KINDS]


def _periods(last: date) -> Iterator[tuple[str, str, str]]:
    """Yield periods one might want to look at: their name, first and last day or year."""
    for name, days in ((_("the last week"), 7), (_("the last month"), 30)):
        yield name, (last - timedelta(days - 1)).isoformat(), ""
    for year in (last.year, last.year - 1, last.year - 2):
        yield str(year), str(year), str(year)
    for years in (5, 10):
        since = str(last.year - years)
        yield _("since %(year)s") % {"year": since}, since, ""


def reasons(line: NewWord) -> list[str]:
    """Return what speaks for or against a word and is not in the columns beside it."""
    return [sentence(factor.reason) for factor in line.factors if _is_special(factor)]


def _is_special(factor: Factor) -> bool:
    if factor.name in _DOUBTS:
        return factor.value < 1
    return factor.name not in _IN_COLUMNS


@router.post(
    "/c/{corpus}/new",
    response_class=Response,
    status_code=_SEE_OTHER,
    summary="Decide on a new word",
    openapi_extra=form_body(
        word="The word.",
        decision="accept, reject, later, name, error or known; undo: take the last one back.",
        back="The page to go back to.",
    ),
)
def decide(request: Request, corpus: ThisCorpus, said: ReaderForm) -> Response:
    """Remember a decision in the list that this browser used last, or take the last one back."""
    there = current_triage(corpus.name)
    known = there.id if there else ""
    found = (
        kept_lists.undo_decision(corpus.name, known)
        if said.get("decision") == "undo"
        else kept_lists.decide_word(
            corpus.name, known, said.get("word", ""), said.get("decision", "")
        )
    )
    wants_json = "application/json" in request.headers.get("Accept", "")
    answer: Response = (
        JSONResponse({"decided": len(found.decisions)})
        if wants_json
        else RedirectResponse(own_address(said.get("back", "")), _SEE_OTHER)
    )
    remember_triage(answer, found)
    return answer


@twins(router, "/c/{corpus}/triage/{id}", summary="Decisions on new words")
def triage_twin(corpus: ThisCorpus, id: ThisList) -> Triage:
    """Return a list of decisions on new words."""
    return kept_lists.read_triage(corpus.name, id)


@router.get("/c/{corpus}/triage/{id}", response_class=HTMLResponse, summary="Decisions")
def triage_page(site: ThisSite, corpus: ThisCorpus, id: ThisList) -> HTMLResponse:
    """Show what was decided on new words, the last first."""
    found = kept_lists.read_triage(corpus.name, id)
    newest_first = replace(found, decisions=found.decisions[::-1])
    content = {"corpus": corpus, "triage": newest_first, "choices": choices()}
    answer = site.pages.page("triage.html", content)
    if current_triage(corpus.name) is None:
        remember_triage(answer, found)
    return answer
