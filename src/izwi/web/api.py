"""The documented JSON interface: the answers of the service as they are."""

from dataclasses import replace
from typing import Annotated

from fastapi import APIRouter, Depends, Query

from izwi.model.card import CorpusCard
from izwi.model.comparison import CorpusComparison
from izwi.model.results import (
    Concordance,
    CopyCluster,
    Copying,
    CorpusStatus,
    CorpusSummary,
    KwicLine,
    LanguageShare,
    Ledger,
    PublishedVersion,
    SourceSummary,
)
from izwi.query.explain import Explanation
from izwi.service.subcorpora import Subcorpus
from izwi.web.asking import Asked, Version, find_lines
from izwi.web.errors import PROBLEMS
from izwi.web.site import ThisCorpus, ThisSite
from izwi.web.views import public_summary

router = APIRouter(prefix="/api/v1/c/{corpus}", tags=["interface"], responses=PROBLEMS)
_MOST_LEDGER_LINES = 10_000
# Shown in the examples: a page of the demo web.
_DEMO_PAGE = "http://braaiandbakkie.example/2010/09/10/bakkie-of-thirteen-hundred/"


@router.get("/status", summary="Where the corpus stands")
def status(corpus: ThisCorpus, site: ThisSite) -> CorpusStatus:
    """Say per stage what is current, stale (and which key changed), missing or failed."""
    found = corpus.status()
    stages = tuple(
        replace(stage, errors=tuple(site.without_folders(error) for error in stage.errors))
        for stage in found.stages
    )
    # Who works on the server is not for everyone; that somebody does, is.
    return replace(found, stages=stages, holder="a curator" if found.holder else "")


@router.get("/sources", summary="The sources")
def sources(corpus: ThisCorpus) -> tuple[SourceSummary, ...]:
    """List the sources with what has come of each."""
    return corpus.sources()


@router.get("/drops", summary="What became of every URL")
def drops(
    corpus: ThisCorpus,
    site: ThisSite,
    outcome: Annotated[
        str,
        Query(description="kept, waiting, dropped, failed or redirected.", examples=["dropped"]),
    ] = "",
    stage: Annotated[str, Query(description="The stage that decided.")] = "",
    reason: Annotated[str, Query(description="The reason it gave.")] = "",
    source: Annotated[str, Query(description="One source.")] = "",
    url: Annotated[str, Query(description="Part of the URL.")] = "",
    first: Annotated[int, Query(ge=0, description="Leave out so many lines.")] = 0,
    most: Annotated[
        int, Query(ge=0, le=_MOST_LEDGER_LINES, description="List at most so many lines.")
    ] = 100,
) -> Ledger:
    """List and count what became of every URL: kept, waiting, dropped or failed, and why."""
    found = corpus.drops(
        outcome=outcome,
        stage=stage,
        reason=reason,
        source=source,
        url=url,
        first=first,
        most=most,
    )
    lines = (replace(line, detail=site.without_folders(line.detail)) for line in found.lines)
    return replace(found, lines=tuple(lines))


@router.get("/conc", summary="Concordance")
def conc(corpus: ThisCorpus, asked: Annotated[Asked, Depends()]) -> Concordance:
    """Find a word or phrase and return one page of its lines in context."""
    return find_lines(corpus, asked)


@router.get("/explain", summary="How a query is answered")
def explain(
    corpus: ThisCorpus,
    q: Annotated[str, Query(description="A word, a phrase or CQL.", examples=["bakkie"])],
    mode: Annotated[str, Query(description="auto, phrase, word, lemma or cql.")] = "auto",
    v: Version = None,
) -> Explanation:
    """Say how a query will be answered and what it will cost, without running it."""
    return corpus.explain(q, mode=mode, version=v)


@router.get("/summary", summary="What the corpus holds")
def summary(corpus: ThisCorpus, v: Version = None) -> CorpusSummary:
    """Say what the corpus holds: size, sources, years, and what was dropped on the way."""
    return public_summary(corpus, v)


@router.get("/copies", summary="The copies of a document")
def copies(
    corpus: ThisCorpus,
    document: Annotated[str, Query(description="Its id or URL.", examples=[_DEMO_PAGE])],
) -> CopyCluster:
    """List the copies of a document, the original first, with the words that differ."""
    return corpus.copies(document)


@router.get("/versions", summary="The published versions")
def versions(corpus: ThisCorpus) -> tuple[PublishedVersion, ...]:
    """List the versions that can be asked and cited, the newest first."""
    return corpus.versions()


@router.get("/languages", summary="The languages of the documents")
def languages(corpus: ThisCorpus) -> tuple[LanguageShare, ...]:
    """Say which languages the documents are in, how surely, and how many are kept."""
    return corpus.languages()


@router.get("/duplicates", summary="Who copies whom")
def duplicates(corpus: ThisCorpus) -> tuple[Copying, ...]:
    """Say which host copies which, month by month."""
    return corpus.duplicates()


@router.get("/hit", summary="One hit by its id")
def hit(
    corpus: ThisCorpus,
    id: Annotated[str, Query(description="The id of a line.")],
    ctx: Annotated[int, Query(description="Tokens of context on each side.")] = 12,
    unit: Annotated[
        str, Query(description="tokens, characters, sentence or paragraph.")
    ] = "tokens",
    v: Version = None,
) -> KwicLine:
    """Return the line of one hit by its permanent id."""
    return corpus.hit(id, context=ctx, unit=unit, version=v)


@router.get("/subcorpora", summary="The saved subcorpora")
def subcorpora(corpus: ThisCorpus) -> tuple[Subcorpus, ...]:
    """List the saved subcorpora: conditions on documents by name."""
    return corpus.subcorpora()


@router.get("/card", summary="The corpus card")
def card(corpus: ThisCorpus, v: Version = None) -> CorpusCard:
    """Say what the corpus is made of: years, languages, sources, hosts, dates, losses."""
    return corpus.card(version=v)


@router.get("/comparison", summary="Two corpora side by side")
def comparison(
    corpus: ThisCorpus,
    site: ThisSite,
    other: Annotated[str, Query(alias="with", description="A corpus of this site.")] = "",
    v: Version = None,
    w: Annotated[int | None, Query(description="The version of the other corpus.")] = None,
) -> CorpusComparison:
    """Put two corpora of this site, or two versions of one, side by side."""
    second = site.corpus(other) if other else corpus
    return corpus.comparison(second, version=v, other_version=w)
