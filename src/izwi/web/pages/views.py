"""The pages people read, and each page's twin as JSON."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.model.results import Concordance, CorpusSummary
from izwi.query.concordance import SORTS
from izwi.web.api.repeat import ways_of
from izwi.web.api.twins import TABLES, table, twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages.asking import Asked, Version, can_be_counted, every_line, find_lines
from izwi.web.pages.builder import proposals
from izwi.web.pages.charts import BarChart, bar_chart
from izwi.web.pages.citing import corpus_citation
from izwi.web.pages.kwic import direction, rows_of
from izwi.web.pages.listing import calendar
from izwi.web.pages.opening import Here
from izwi.web.site import Site, ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisQuestion = Annotated[Asked, Depends()]
# Words to begin with: frequent, but not those that every text has.
_SAYING, _MOST_EXAMPLES = r"\p{Ll}{9,}", 4


@dataclass(frozen=True, slots=True)
class CorpusEntry:
    """A corpus in the list of corpora; `problem` says why it cannot be read, if it cannot."""

    name: str
    title: str
    languages: tuple[str, ...] = ()
    snapshot: int = 0
    published: str = ""
    documents: int = 0
    tokens: int = 0
    problem: str = ""


@router.get("/", response_class=HTMLResponse, summary="The corpora")
def index(site: ThisSite) -> HTMLResponse:
    """List the corpora, each with a search box and its years."""
    entries = corpora(site)
    charts = {entry.name: _years_of(site, entry) for entry in entries}
    return site.pages.page("index.html", {"corpora": entries, "charts": charts})


def _years_of(site: Site, entry: CorpusEntry) -> BarChart:
    """Return the documents of a corpus by year, which are known without its ledger."""
    known = () if entry.problem else site.corpus(entry.name).parts["year"]
    return bar_chart({int(each.value): each.documents for each in known}, slot=24, height=60)


@twins(router, "/corpora", summary="The corpora")
def corpora(site: ThisSite) -> tuple[CorpusEntry, ...]:
    """List the corpora with their sizes and versions."""
    return tuple(_entries(site))


@twins(router, "/c/{corpus}", summary="Corpus home")
def home_twin(corpus: ThisCorpus, v: Version = None) -> CorpusSummary:
    """Say what the corpus holds: size, sources, years, and what was dropped on the way."""
    return public_summary(corpus, v)


@router.get("/c/{corpus}", response_class=HTMLResponse, summary="Corpus home")
def home(site: ThisSite, corpus: ThisCorpus, v: Version = None) -> HTMLResponse:
    """Show what the corpus holds: size, sources, years, and what was dropped on the way."""
    summary = public_summary(corpus, v)
    chart = bar_chart({each.year: each.tokens for each in summary.years}, slot=30, height=110)
    content = {
        "corpus": corpus,
        "summary": summary,
        "chart": chart,
        "calendar": calendar(summary.months),
        "asked": Asked(v=v),
        "citation": corpus_citation(summary, version("izwi")),
        "examples": _examples(corpus, v),
    }
    return site.pages.page("corpus.html", content)


@twins(router, "/c/{corpus}/conc", summary="Concordance")
def conc_twin(corpus: ThisCorpus, asked: ThisQuestion) -> Concordance:
    """Find a word or phrase and return one page of its lines in context."""
    return find_lines(corpus, asked)


@router.get("/c/{corpus}/conc", response_class=HTMLResponse, summary="Concordance")
def conc(request: Request, site: ThisSite, corpus: ThisCorpus, asked: ThisQuestion) -> HTMLResponse:
    """Find a word or phrase and show one page of its lines in context."""
    form = {"corpus": corpus, "asked": asked, "sorts": SORTS}
    if not asked.q.strip():
        return site.pages.page("ask.html", {**form, "problem": "", "proposals": ()})
    try:
        found = find_lines(corpus, asked)
    except QueryError as error:
        status = status_of(error)
        is_cql = asked.mode == "cql" and status == 400
        told = {"problem": str(error), "proposals": proposals(corpus, asked.q) if is_cql else ()}
        return site.pages.page("ask.html", {**form, **told}, status=status)
    return site.pages.page("conc.html", form | _results(request, corpus, asked, found))


def _all_lines(kind: str) -> None:
    """Register all the lines of a search as one kind of table."""

    @router.get(
        f"/c/{{corpus}}/conc/all.{kind}",
        summary=f"All lines as {kind.upper()}",
        response_class=Response,
        responses={200: {"content": {TABLES[kind]: {}}}},
        operation_id=f"conc_all_{kind}",
    )
    def all_lines(corpus: ThisCorpus, asked: ThisQuestion) -> Response:
        """Find a word or phrase and return all its lines."""
        return table(list(every_line(corpus, asked)), kind, f"{corpus.name}-lines")


for _kind in TABLES:
    _all_lines(_kind)


def public_summary(corpus: Corpus, number: int | None) -> CorpusSummary:
    """Return what a corpus holds, without the folder it lies in."""
    return replace(corpus.summary(version=number), path=corpus.name)


def _examples(corpus: Corpus, number: int | None) -> tuple[str, ...]:
    """Return some words that a corpus has, long enough to say something."""
    try:
        found = corpus.wordlist(pattern=_SAYING, most=_MOST_EXAMPLES, version=number)
    except IzwiError:
        return ()
    return tuple(line.value for line in found.lines)


def _results(
    request: Request, corpus: Corpus, asked: Asked, found: Concordance
) -> dict[str, object]:
    """Return what the page of lines shows beside its form."""
    rates = {each.year: _per_million(each.hits, each.tokens) for each in found.years}
    title = corpus.config.corpus.title or corpus.name
    base = str(request.base_url).rstrip("/")
    place = Here(f"/c/{corpus.name}/conc", tuple(asked.parameters()))
    return {
        "found": found,
        "rows": rows_of(found, title),
        "direction": direction(found.lines),
        "first_line": (found.page - 1) * found.size + 1,
        "rates": rates,
        "chart": bar_chart(rates, slot=24, height=44),
        "ways": ways_of(corpus.name, "concordance", place, version=found.snapshot, base=base),
        "facets": f"/c/{corpus.name}/facets{asked.link()}" if can_be_counted(asked) else "",
    }


def _entries(site: Site) -> Iterator[CorpusEntry]:
    for name, corpus in sorted(site.corpora.items()):
        section = corpus.config.corpus
        entry = CorpusEntry(name, section.title or name, section.languages)
        try:
            held = corpus.summary()
        except IzwiError as error:
            yield replace(entry, problem=site.without_folders(str(error)))
            continue
        yield replace(
            entry,
            snapshot=held.snapshot,
            published=held.published,
            documents=held.documents,
            tokens=held.tokens,
        )


def _per_million(hits: int, tokens: int) -> float:
    return 1e6 * hits / tokens if tokens else 0.0
