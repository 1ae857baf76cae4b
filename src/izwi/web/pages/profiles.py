"""The profile of a word: forms, first, best and newest lines, company, spread, trend."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import fastapi
from fastapi import APIRouter, Query, Request
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.model.analyses import Collocations, Frequencies, Trend
from izwi.model.errors import IzwiError, QueryTimeout
from izwi.model.lexicography import GoodExample, Sketch
from izwi.model.results import Concordance, KwicLine
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS
from izwi.web.pages.addresses import Here, Version, corpus_address, here, lines_address, ways_of
from izwi.web.pages.tables import figure
from izwi.web.pages.views import language_tag
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
_MOST_LINES = 3
_MOST_COLLOCATES = 15

ThisWord = Annotated[str, fastapi.Path(description="A word or phrase.", examples=["bakkie"])]
Mode = Annotated[str, Query(description="auto, phrase, word (all its forms), lemma or cql.")]

# It takes longest of all: the page fetches it once the rest is shown.
Part = Annotated[str, Query(description="sketch: only the word's sketch, as a part of the page.")]


@dataclass(frozen=True, slots=True)
class Profile:
    """What is known of a word in one version of a corpus."""

    word: str
    mode: str
    cql: str
    snapshot: int
    hits: int
    per_million: float
    documents: int
    first: tuple[KwicLine, ...]
    best: tuple[GoodExample, ...]
    newest: tuple[KwicLine, ...]
    forms: Frequencies
    publications: Frequencies
    collocates: Collocations
    trend: Trend
    # None where the language has no sketch grammar, or it was not asked for.
    sketch: Sketch | None

    def rows(self) -> list[dict[str, object]]:
        """Return the counts as rows: which part of the profile, which value, how many hits."""
        return list(self._rows())

    def _rows(self) -> Iterator[dict[str, object]]:
        for part, found in (("form", self.forms), ("publication", self.publications)):
            for line in found.lines:
                rate = line.per_million
                value = " ".join(line.values)
                yield {"part": part, "value": value, "hits": line.hits, "per_million": rate}
        for each in self.collocates.lines:
            yield {"part": "collocate", "value": each.value, "hits": each.total}
        for point in self.trend.points:
            rate = point.per_million
            yield {"part": "year", "value": point.period, "hits": point.hits, "per_million": rate}


@twins(router, "/c/{corpus}/word/{word:path}", summary="Word profile")
def profile_twin(
    corpus: ThisCorpus, word: ThisWord, mode: Mode = "word", v: Version = None
) -> Profile:
    """Return what is known of a word: forms, lines, company, spread, trend."""
    return profile_of(corpus, word, mode, v)


@router.get("/c/{corpus}/word/{word:path}", response_class=HTMLResponse, summary="Word profile")
def profile_page(
    request: Request,
    site: ThisSite,
    corpus: ThisCorpus,
    word: ThisWord,
    mode: Mode = "word",
    v: Version = None,
    part: Part = "",
) -> HTMLResponse:
    """Show what is known of a word."""
    if part == "sketch":
        sketch = _sketch(corpus, word, v)
        return site.pages.page("word_sketch.html", {"corpus": corpus, "sketch": sketch})
    found = profile_of(corpus, word, mode, v, has_sketch=False)
    place = Here(f"/c/{corpus.name}/conc", (("q", word), ("mode", mode)))
    base = str(request.base_url).rstrip("/")
    content = {
        "corpus": corpus,
        "here": here(request),
        "profile": found,
        "version": v,
        "trend_chart": figure(found.trend, corpus_address(corpus.name, v)) if found.hits else "",
        "opened": lambda opens: lines_address(corpus.name, opens, v),
        "tag": language_tag,
        "ways": ways_of(corpus.path.name, "concordance", place, version=found.snapshot, base=base),
    }
    return site.pages.page("word.html", content)


def profile_of(
    corpus: Corpus, word: str, mode: str, version: int | None, *, has_sketch: bool = True
) -> Profile:
    """Return the profile of a word."""
    first = _lines(corpus, word, mode, version, "date")
    newest = _lines(corpus, word, mode, version, "newest")
    return Profile(
        word=word,
        mode=mode,
        cql=first.cql,
        snapshot=first.snapshot,
        hits=first.hits,
        per_million=first.per_million,
        documents=first.documents,
        first=first.lines,
        best=_best(corpus, word, mode, version),
        newest=newest.lines,
        forms=corpus.frequencies(word, by="word", most=12, mode=mode, version=version),
        publications=corpus.frequencies(
            word, by="publication", sort="rate", most=20, mode=mode, version=version
        ),
        collocates=_collocates(corpus, word, mode, version),
        trend=corpus.trend(word, by="year", mode=mode, version=version),
        sketch=_sketch(corpus, word, version) if has_sketch else None,
    )


def _collocates(corpus: Corpus, word: str, mode: str, version: int | None) -> Collocations:
    """Return the company of a word: content words only, where the corpus has tags."""
    words = "content" if "pos" in corpus.attributes else "all"
    # Once per hit, so that a number is that of the lines it opens.
    return corpus.collocations(
        word, most=_MOST_COLLOCATES, words=words, counting="hits", mode=mode, version=version
    )


def _lines(corpus: Corpus, word: str, mode: str, version: int | None, sort: str) -> Concordance:
    return corpus.concordance(
        word, sort=sort, size=_MOST_LINES, unit="sentence", mode=mode, version=version
    )


def _best(corpus: Corpus, word: str, mode: str, version: int | None) -> tuple[GoodExample, ...]:
    try:
        return corpus.good_examples(word, most=_MOST_LINES, mode=mode, version=version).lines
    except QueryTimeout:
        return ()  # the page shows what there is


def _sketch(corpus: Corpus, word: str, version: int | None) -> Sketch | None:
    """Return the word's sketch; None if its language has no grammar for one, or it is a phrase."""
    try:
        found = corpus.word_sketch(word, most=8, version=version)
    except IzwiError:
        return None
    return found if found.relations else None
