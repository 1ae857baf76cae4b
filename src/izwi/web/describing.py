"""Descriptions of words over HTTP: sketches, examples, new words, first dates."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Body, Depends, Query
from pydantic import Field

from izwi.model.errors import QueryError
from izwi.model.lexicography import (
    Attestations,
    Decision,
    GoodExamples,
    NewWords,
    Sketch,
    SketchDifference,
    Thesaurus,
)
from izwi.service.corpus import Corpus
from izwi.service.wordlists import own_lists
from izwi.web.analysing import Chosen, Counted
from izwi.web.curator import curator_router
from izwi.web.errors import PROBLEMS
from izwi.web.rights import ThisVisitor
from izwi.web.site import ThisCorpus

router = APIRouter(prefix="/api/v1/c/{corpus}", tags=["words"], responses=PROBLEMS)
deciding = curator_router()

_MOST_HEADWORDS = 200


@dataclass(frozen=True, slots=True)
class Described:
    """What sketches and thesauri may be asked beside the word and the documents."""

    pos: Annotated[str, Query(description="noun, verb, adjective or adverb.")] = ""
    language: Annotated[str, Query(description="The language; the corpus's own if absent.")] = ""
    least: Annotated[int, Query(description="Leave out what is rarer.", ge=1)] = 2
    most: Annotated[int, Query(description="Show at most so many.", ge=1, le=1000)] = 20

    def options(self) -> dict[str, Any]:
        """Return the options as the corpus takes them."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


Word = Annotated[str, Query(description="A word.", examples=["bakkie"])]
ThisWish = Annotated[Described, Depends()]


@router.get("/sketch", summary="Word sketch")
def sketch(corpus: ThisCorpus, word: Word, wish: ThisWish, counted: Chosen) -> Sketch:
    """Say which words stand in which relations to a word."""
    return corpus.word_sketch(word, **wish.options(), **counted.chosen())


@router.get("/sketch/difference", summary="Difference of two word sketches")
def sketch_difference(
    corpus: ThisCorpus,
    word: Word,
    other: Annotated[str, Query(description="The word to compare with.", examples=["taxi"])],
    wish: ThisWish,
    counted: Chosen,
) -> SketchDifference:
    """Say how the company of two words differs."""
    return corpus.sketch_difference(word, other, **wish.options(), **counted.chosen())


@router.get("/thesaurus", summary="Similar words")
def thesaurus(corpus: ThisCorpus, word: Word, wish: ThisWish, counted: Chosen) -> Thesaurus:
    """List the words most like a word in the company they keep."""
    return corpus.thesaurus(word, **wish.options(), **counted.chosen())


@router.get("/examples", summary="Good examples")
def examples(
    corpus: ThisCorpus,
    counted: Chosen,
    q: Annotated[str, Query(description="A word, a phrase or CQL.", examples=["bakkie"])],
    most: Annotated[int, Query(description="Show at most so many.", ge=1, le=200)] = 10,
    avoid: Annotated[tuple[str, ...], Query(description="Words that make it worse.")] = (),
    language: Annotated[str, Query(description="The language of the text.")] = "",
) -> GoodExamples:
    """Find the sentences that show a word best, with the score factor by factor."""
    return corpus.good_examples(q, most=most, avoid=avoid, language=language, **counted.chosen())


def _own(corpus: Corpus, names: Iterable[str]) -> tuple[str, ...]:
    """Return lists that readers may use: no other files of the server's."""
    known = own_lists(corpus.path)
    for name in names:
        if name not in known:
            there = ", ".join(known) or "none"
            raise QueryError(f"There is no list '{name}' here; the lists are: {there}.")
    return tuple(names)


@dataclass(frozen=True, slots=True)
class Newness(Counted):
    """What counts as a new word."""

    known: Annotated[
        tuple[str, ...], Query(alias="list", description="A list of words in the corpus's lists.")
    ] = ()
    least: Annotated[int, Query(description="Hits there must be.", ge=1)] = 3
    sites: Annotated[int, Query(description="Sites it must be on.", ge=1)] = 2
    most: Annotated[int, Query(description="Show at most so many.", ge=1, le=1000)] = 100
    decided: Annotated[bool, Query(description="Show words decided before, too.")] = False


@router.get("/new-words", summary="New words")
def new_words(corpus: ThisCorpus, asked: Annotated[Newness, Depends()]) -> NewWords:
    """List words first seen in a period that spread over sites, with the reasons."""
    return corpus.new_words(
        lists=_own(corpus, asked.known),
        least=asked.least,
        sites=asked.sites,
        most=asked.most,
        decided=asked.decided,
        **asked.chosen(),
    )


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
def decisions(corpus: ThisCorpus) -> tuple[Decision, ...]:
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
) -> Decision:
    """Remember what was decided about a word."""
    return corpus.decide(given.word, given.decision, who=visitor.name, note=given.note)
