"""New words: candidates with reasons, and one key to decide on each."""

from dataclasses import dataclass, replace
from typing import Annotated

import fastapi
from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from izwi.model.errors import QueryError
from izwi.model.lexicography import NewWords
from izwi.service import triage
from izwi.service.triage import Triage
from izwi.web.describing import Newness, new_words
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.messages import gettext as _
from izwi.web.opening import here
from izwi.web.origin import Fields, form_body
from izwi.web.own import current_triage, remember_triage
from izwi.web.preferences import own_address
from izwi.web.repeating import Call, analysis_ways
from izwi.web.site import ThisCorpus, ThisSite
from izwi.web.twins import twins

router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisList = Annotated[str, fastapi.Path(description="The id in the list's link.")]
_SEE_OTHER = 303


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


@twins(router, "/c/{corpus}/new", summary="New words")
def new_twin(corpus: ThisCorpus, asked: ThisNewness) -> NewWords:
    """List words first seen in a period that spread over sites, with the reasons."""
    return new_words(corpus, asked)


@router.get("/c/{corpus}/new", response_class=HTMLResponse, summary="New words")
def new_page(
    request: Request, site: ThisSite, corpus: ThisCorpus, asked: ThisNewness
) -> HTMLResponse:
    """Show new words that were not decided on, with keys to decide."""
    own, problem, status, found = current_triage(corpus.name), "", 200, None
    try:
        found = new_words(corpus, asked)
    except QueryError as error:
        problem, status = str(error), status_of(error)
    done = own.words if own and not asked.decided else frozenset()
    place = here(request)
    base = str(request.base_url).rstrip("/")
    call = Call("new-words", "new_words", has_from=True)
    content = {
        "corpus": corpus,
        "here": place,
        "found": found,
        "shown": [line for line in found.lines if line.word not in done] if found else [],
        "triage": own,
        "choices": choices(),
        "problem": problem,
        "ways": analysis_ways(
            corpus.name,
            call,
            place,
            {"most": 100},
            version=found.snapshot if found else 0,
            base=base,
        ),
    }
    return site.pages.page("new.html", content, status=status)


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
def decide(request: Request, corpus: ThisCorpus, fields: Fields) -> Response:
    """Remember a decision in the list that this browser used last, or take the last one back."""
    said = {name: values[0] for name, values in fields.items()}
    there = current_triage(corpus.name)
    known = there.id if there else ""
    found = (
        triage.undo_decision(corpus.name, known)
        if said.get("decision") == "undo"
        else triage.decide_word(corpus.name, known, said.get("word", ""), said.get("decision", ""))
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
    return triage.read_triage(corpus.name, id)


@router.get("/c/{corpus}/triage/{id}", response_class=HTMLResponse, summary="Decisions")
def triage_page(site: ThisSite, corpus: ThisCorpus, id: ThisList) -> HTMLResponse:
    """Show what was decided on new words, the last first."""
    found = triage.read_triage(corpus.name, id)
    newest_first = replace(found, decisions=found.decisions[::-1])
    content = {"corpus": corpus, "triage": newest_first}
    answer = site.pages.page("triage.html", content)
    if current_triage(corpus.name) is None:
        remember_triage(answer, found)
    return answer
