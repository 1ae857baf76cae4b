"""Descriptions of words over HTTP: sketches, examples, new words, first dates."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Body, Query
from pydantic import Field

from izwi.model.errors import QueryError
from izwi.model.lexicography import (
    Attestations,
    WordDecision,
)
from izwi.web.analysing import Chosen
from izwi.web.curator import curator_router
from izwi.web.errors import PROBLEMS
from izwi.web.rights import ThisVisitor
from izwi.web.site import ThisCorpus

router = APIRouter(prefix="/api/v1/c/{corpus}", tags=["words"], responses=PROBLEMS)
deciding = curator_router()

_MOST_HEADWORDS = 200


@router.get("/attestations", summary="First attestations")
def attestations(
    corpus: ThisCorpus,
    counted: Chosen,
    word: Annotated[
        tuple[str, ...],
        Query(
            description="A headword; after a tab its known date, after another its variants.",
            examples=[["bakkie"]],
        ),
    ],
) -> Attestations:
    """Find the first dated line of each headword, and antedatings of the dates known."""
    if len(word) > _MOST_HEADWORDS:
        raise QueryError(f"At most {_MOST_HEADWORDS} headwords at a time, not {len(word)}.")
    return corpus.attestations(word, **counted.chosen())


@router.get("/decisions", summary="What was decided about words")
def decisions(corpus: ThisCorpus) -> tuple[WordDecision, ...]:
    """List what was decided about words, in the order it was."""
    return corpus.decisions()


@dataclass(frozen=True, slots=True)
class NewDecision:
    """A decision about a word."""

    word: Annotated[str, Field(description="The word.")]
    decision: Annotated[str, Field(description="accept, reject, later, name, error or known.")]
    note: Annotated[str, Field(description="Why.")] = ""


@deciding.post("/decisions", status_code=201, summary="Decide about a word")
def decide(
    corpus: ThisCorpus,
    visitor: ThisVisitor,
    given: Annotated[NewDecision, Body(examples=[{"word": "lockdown", "decision": "accept"}])],
) -> WordDecision:
    """Remember what was decided about a word."""
    return corpus.decide(given.word, given.decision, by=visitor.name, note=given.note)
