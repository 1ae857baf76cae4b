"""Analyses as JSON: the answers of the service as they are."""

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import Field

from izwi.analyse.choice import LETTERS
from izwi.model.analyses import (
    Collocations,
    Dispersion,
    Frequencies,
    Keywords,
    TextComparison,
    Trend,
    WordList,
)
from izwi.web.asking import LONGEST_SECONDS, Version, first_day, last_day
from izwi.web.choosing import text_here
from izwi.web.errors import PROBLEMS
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(prefix="/api/v1/c/{corpus}", tags=["analyses"], responses=PROBLEMS)
MOST_LINES = 10_000


@dataclass(frozen=True, slots=True)
class Counted:
    """Which documents are counted, and how long that may take."""

    since: Annotated[str, Query(alias="from", description="First year, month or day.")] = ""
    until: Annotated[str, Query(alias="to", description="Last year, month or day.")] = ""
    src: Annotated[tuple[str, ...], Query(description="Only this source; repeatable.")] = ()
    where: Annotated[str, Query(description='A condition on documents, e.g. section="news".')] = ""
    subcorpus: Annotated[str, Query(description="Only documents of a saved subcorpus.")] = ""
    copies: Annotated[bool, Query(description="Whether folded copies count too.")] = False
    case: Annotated[bool, Query(description="Whether capitals matter.")] = False
    mode: Annotated[str, Query(description="How q is read: auto, phrase, word, lemma, cql.")] = (
        "auto"
    )
    v: Version = None
    timeout: Annotated[
        float,
        Field(gt=0, le=LONGEST_SECONDS),
        Query(description="Stop after so many seconds."),
    ] = LONGEST_SECONDS

    def chosen(self) -> dict[str, Any]:
        """Return the keywords that all analyses take."""
        return {
            "since": first_day(self.since),
            "until": last_day(self.until),
            "sources": tuple(source for source in self.src if source),
            "where": self.where,
            "subcorpus": self.subcorpus,
            "copies": self.copies,
            "case": self.case,
            "mode": self.mode,
            "version": self.v,
            "timeout": self.timeout,
        }


Chosen = Annotated[Counted, Depends()]
Asked = Annotated[str, Query(description="A word, a phrase or CQL.", examples=["bakkie"])]
Least = Annotated[int, Query(ge=0, description="Leave out what is rarer.")]
Most = Annotated[int, Query(ge=1, le=MOST_LINES, description="At most so many lines.")]
Attribute = Annotated[
    str, Query(description="word, lc, lemma or pos; words in lower case if absent.")
]
Pattern = Annotated[str, Query(description="Only values that this expression matches whole.")]
Stop = Annotated[tuple[str, ...], Query(description="A word to leave out; repeatable.")]
Reference = Annotated[
    str,
    Query(
        description="A source, site, section, year, frequency list; or subcorpus:NAME, "
        "where:CONDITION, corpus:NAME; the rest of the corpus if absent."
    ),
]


@router.get("/frequencies", summary="Frequencies of a query")
def frequencies(
    corpus: ThisCorpus,
    counted: Chosen,
    q: Asked,
    by: Annotated[str, Query(description="source, host, month, lemma, L1.word, ...")] = "source",
    and_by: Annotated[str, Query(description="A second thing to count by.")] = "",
    sort: Annotated[str, Query(description="hits, rate or value.")] = "hits",
    least: Least = 1,
    most: Most = 100,
) -> Frequencies:
    """Count a query by metadata, period, form or neighbour, in one or two dimensions."""
    return corpus.frequencies(
        q, by=by, and_by=and_by, sort=sort, least=least, most=most, **counted.chosen()
    )


@router.get("/wordlist", summary="A word list")
def wordlist(
    corpus: ThisCorpus,
    counted: Chosen,
    attribute: Attribute = "",
    pattern: Pattern = LETTERS,
    stop: Stop = (),
    sort: Annotated[str, Query(description="hits, value, documents or sites.")] = "hits",
    least: Least = 1,
    most: Most = 100,
) -> WordList:
    """List the words of the chosen text by frequency, with their spread."""
    return corpus.wordlist(
        attribute=attribute,
        pattern=pattern,
        stop=stop,
        sort=sort,
        least=least,
        most=most,
        **counted.chosen(),
    )


@router.get("/ngrams", summary="Sequences of words")
def ngrams(
    corpus: ThisCorpus,
    counted: Chosen,
    size: Annotated[int, Query(description="How many words.")] = 2,
    attribute: Attribute = "",
    within: Annotated[str, Query(description="What a sequence lies in: s, p or doc.")] = "s",
    pattern: Pattern = LETTERS,
    stop: Stop = (),
    least: Least = 2,
    most: Most = 100,
) -> WordList:
    """List the most frequent sequences of so many words."""
    return corpus.ngrams(
        size,
        attribute=attribute,
        within=within,
        pattern=pattern,
        stop=stop,
        least=least,
        most=most,
        **counted.chosen(),
    )


@router.get("/dispersion", summary="How evenly a query is spread")
def dispersion(
    corpus: ThisCorpus,
    counted: Chosen,
    q: Asked,
    by: Annotated[str, Query(description="document, source, host, year, ...")] = "document",
    most: Most = 100,
) -> Dispersion:
    """Say how evenly a query is spread over documents, sources or other parts."""
    return corpus.dispersion(q, by=by, most=most, **counted.chosen())


@router.get("/collocations", summary="Collocations")
def collocations(
    corpus: ThisCorpus,
    counted: Chosen,
    q: Asked,
    left: Annotated[int, Query(description="Tokens to the left.")] = 5,
    right: Annotated[int, Query(description="Tokens to the right.")] = 5,
    attribute: Attribute = "",
    counting: Annotated[str, Query(description="tokens, sentence or hits.")] = "tokens",
    measure: Annotated[str, Query(description="What they are sorted by.")] = "logdice",
    least: Least = 3,
    most: Most = 100,
    pattern: Pattern = LETTERS,
    stop: Stop = (),
    over: Annotated[str, Query(description="Also by this period: year, month, ...")] = "",
    words: Annotated[str, Query(description="all, or content: nouns, verbs and the like.")] = "all",
) -> Collocations:
    """List the words near a query with all measures of attraction, left and right apart."""
    return corpus.collocations(
        q,
        left=left,
        right=right,
        attribute=attribute,
        counting=counting,
        measure=measure,
        least=least,
        most=most,
        pattern=pattern,
        stop=stop,
        over=over,
        words=words,
        **counted.chosen(),
    )


@router.get("/keywords", summary="Keywords")
def keywords(
    corpus: ThisCorpus,
    site: ThisSite,
    counted: Chosen,
    reference: Reference = "",
    attribute: Attribute = "",
    measure: Annotated[str, Query(description="simple, logratio, ll or diff.")] = "simple",
    smoothing: Annotated[float, Query(description="The constant of simple maths.")] = 1.0,
    sites: Annotated[int, Query(description="In at least so many sites.")] = 2,
    pattern: Pattern = LETTERS,
    stop: Stop = (),
    least: Least = 5,
    most: Most = 100,
) -> Keywords:
    """List the words that set a text apart from the rest, another text or a frequency list."""
    return corpus.keywords(
        text_here(site, corpus, reference),
        attribute=attribute,
        measure=measure,
        smoothing=smoothing,
        sites=sites,
        pattern=pattern,
        stop=stop,
        least=least,
        most=most,
        **counted.chosen(),
    )


@router.get("/terms", summary="Terms")
def terms(
    corpus: ThisCorpus,
    site: ThisSite,
    counted: Chosen,
    reference: Reference = "",
    cql: Annotated[tuple[str, ...], Query(description="A pattern of tags; repeatable.")] = (),
    attribute: Attribute = "",
    measure: Annotated[str, Query(description="simple, logratio, ll or diff.")] = "simple",
    smoothing: Annotated[float, Query(description="The constant of simple maths.")] = 1.0,
    sites: Annotated[int, Query(description="In at least so many sites.")] = 2,
    pattern: Pattern = LETTERS,
    stop: Stop = (),
    least: Least = 3,
    most: Most = 100,
) -> Keywords:
    """List the terms of several words, found by tag patterns, that set a text apart."""
    return corpus.terms(
        text_here(site, corpus, reference),
        patterns=cql,
        attribute=attribute,
        measure=measure,
        smoothing=smoothing,
        sites=sites,
        pattern=pattern,
        stop=stop,
        least=least,
        most=most,
        **counted.chosen(),
    )


@router.get("/trend", summary="A trend")
def trend(
    corpus: ThisCorpus,
    counted: Chosen,
    q: Asked,
    by: Annotated[str, Query(description="day, week, month, quarter, year, decade.")] = "month",
    panel: Annotated[bool, Query(description="Only sources with text in every period.")] = False,
) -> Trend:
    """Follow a query through time: rates with intervals, slope, changes of level."""
    return corpus.trend(q, by=by, panel=panel, **counted.chosen())


@router.get("/compare", summary="Two texts side by side")
def compare(
    corpus: ThisCorpus,
    site: ThisSite,
    counted: Chosen,
    first: Annotated[
        str,
        Query(
            description="A source, site, section or year; or subcorpus:NAME, where:CONDITION, "
            "corpus:NAME.",
            examples=['where:source=".*pages"'],
        ),
    ],
    second: Annotated[str, Query(description="The same; the whole corpus if absent.")] = "",
    q: Annotated[str, Query(description="Also compare this word, phrase or CQL.")] = "",
    measure: Annotated[str, Query(description="The measure of collocates.")] = "logdice",
    keyness: Annotated[str, Query(description="The measure of keywords.")] = "simple",
    attribute: Attribute = "",
    least: Least = 3,
    most: Most = 50,
) -> TextComparison:
    """Put two corpora or subcorpora side by side: keywords, a query, and its collocates."""
    return corpus.compare(
        text_here(site, corpus, first),
        text_here(site, corpus, second),
        query=q,
        measure=measure,
        keyness=keyness,
        attribute=attribute,
        least=least,
        most=most,
        **counted.chosen(),
    )
