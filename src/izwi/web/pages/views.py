"""The pages people read first: the corpora, one corpus, lines in context; each with its twin."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import version
from itertools import product, takewhile
from string import ascii_lowercase
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, QueryError
from izwi.model.languages import iso639_3
from izwi.model.reading import SORTS
from izwi.model.results import Concordance, CorpusSummary, DocumentCard, KwicLine, LineToken
from izwi.web.api.twins import TABLES, table, twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages.addresses import (
    Asked,
    Here,
    Version,
    can_be_counted,
    every_line,
    find_lines,
    ways_of,
)
from izwi.web.pages.citing import corpus_citation, date_shown, line_citation, rests_on
from izwi.web.pages.listing import calendar
from izwi.web.pages.text_menu import example_phrase, example_words
from izwi.web.session.reader import gettext as _
from izwi.web.site import Site, ThisCorpus, ThisSite
from izwi.web.templating import without_left_over

Direction = Literal["ltr", "rtl"]
_RIGHT_TO_LEFT = ("R", "AL")
_WORD = re.compile(r"\w")
# A pale sign where one paragraph ends and the next begins.
_BREAK = Markup('<span class="break" aria-hidden="true">¶ </span>')
# A token with what was asked for of it, also where it is copied: word/lemma/tag. Of a page of
# lines this is a sixth, so it is short.
_TAGGED = Markup("{}<i>/{}</i>{}")
_LANG = Markup(' lang="{}"')


@dataclass(frozen=True, slots=True)
class Row:
    """A line with what is shown about its document."""

    line: KwicLine
    language: str
    when: str
    evidence: str
    citation: str

    @property
    def left(self) -> Markup:
        """What stands before the match, with a sign between paragraphs."""
        if self.line.tokens:
            before = takewhile(lambda token: not token.is_match, self.line.tokens)
            return _tagged(self.line, before, 0)
        first, *others = _cut(self.line.left, self.line.breaks)
        if others and not _WORD.search(first):
            return _BREAK.join(others)
        return _BREAK.join((without_left_over(first), *others))

    @property
    def right(self) -> Markup:
        """What follows the match, with a sign between paragraphs."""
        begin = len(self.line.left) + len(self.line.match)
        if self.line.tokens:
            after = takewhile(lambda token: not token.is_match, reversed(self.line.tokens))
            space = len(self.line.right) - len(self.line.right.lstrip(" "))
            return _tagged(self.line, list(after)[::-1], begin + space)
        places = tuple(place - begin for place in self.line.breaks)
        return _BREAK.join(_cut(self.line.right, places))

    @property
    def match(self) -> Markup:
        """The match itself."""
        if self.line.tokens:
            own = [token for token in self.line.tokens if token.is_match]
            return _tagged(self.line, own, len(self.line.left))
        return escape(self.line.match)

    @property
    def lang(self) -> Markup:
        """The attribute that says the language, if it is known."""
        return _LANG.format(self.language) if self.language else Markup()

    @property
    def document(self) -> DocumentCard:
        """The line's document."""
        return self.line.document


def _tagged(line: KwicLine, tokens: Iterable[LineToken], begin: int) -> Markup:
    """Return the tokens from a place of a line on, with a sign between paragraphs."""
    found = []
    for each in tokens:
        sign = _BREAK if begin in line.breaks else Markup()
        space = " " if each.has_space else ""
        found.append(sign + _TAGGED.format(each.text, "/".join(each.values), space))
        begin += len(each.text) + len(space)
    return Markup().join(found)


def rows_of(found: Concordance, corpus: str) -> tuple[Row, ...]:
    """Return the rows of a page."""
    return tuple(row_of(line, corpus, found.snapshot) for line in found.lines)


def row_of(line: KwicLine, corpus: str, version: int) -> Row:
    """Return a line with what is shown about its document."""
    return Row(
        line,
        language_tag(line.document.language),
        date_shown(line.document) or _("undated"),
        _evidence(line.document),
        line_citation(line, corpus, version),
    )


def _cut(text: str, places: Sequence[int]) -> tuple[str, ...]:
    """Return a text cut at some places; the others are not in it.

    >>> _cut("one two three", (4, 20, -2))
    ('one ', 'two three')
    """
    inside = [place for place in places if 0 < place <= len(text)]
    return tuple(text[a:b] for a, b in zip([0, *inside], [*inside, len(text)], strict=True))


@cache
def language_tag(code: str) -> str:
    """Return an ISO 639-3 code as HTML wants it: two letters where there are two; empty if unknown.

    >>> language_tag("eng"), language_tag("nso"), language_tag("und")
    ('en', 'nso', '')
    """
    pairs = ("".join(letters) for letters in product(ascii_lowercase, repeat=2))
    return "" if code == "und" else next((two for two in pairs if iso639_3(two) == code), code)


def direction(lines: Sequence[KwicLine]) -> Direction:
    """Return in which direction most matches are written; the table's columns follow it."""
    leftward = sum(_is_right_to_left(line.match) for line in lines)
    return "rtl" if 2 * leftward > len(lines) else "ltr"


def _is_right_to_left(text: str) -> bool:
    """Return whether the first letter that has a direction is of a right-to-left script."""
    kinds = (unicodedata.bidirectional(character) for character in text)
    return next((kind for kind in kinds if kind in ("L", *_RIGHT_TO_LEFT)), "L") != "L"


def _evidence(card: DocumentCard) -> str:
    if card.date is None:
        return _("no evidence of a date was found")
    exact = {"year": _("exact to the year"), "month": _("exact to the month")}
    words = exact.get(card.date_precision, _("exact to the day"))
    if not card.date_evidence:
        return words
    return _("%(words)s, from %(evidence)s") % {
        "words": words,
        "evidence": rests_on(card.date_evidence),
    }


# Over a longer time only the years that have something are shown.
_MOST_YEARS = 120


@dataclass(frozen=True, slots=True)
class Bar:
    """A year's bar, in the chart's own units from the top left."""

    year: int
    value: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars in a frame; `slot` is the width a year has, bar and gap."""

    width: int
    height: int
    slot: int
    top: float
    bars: tuple[Bar, ...]


def bar_chart(value_by_year: Mapping[int, float], *, slot: int, height: int) -> BarChart:
    """Return a bar for each year from the first to the last; years without a value stay flat.

    >>> [bar.height for bar in bar_chart({2014: 1, 2016: 2}, slot=10, height=40).bars]
    [20.0, 0.0, 40.0]
    """
    years = _axis(sorted(value_by_year))
    top = max(value_by_year.values(), default=0.0)
    gap = max(1, slot // 6)
    bars = []
    for place, year in enumerate(years):
        value = value_by_year.get(year, 0.0)
        tall = round(height * value / top, 1) if top else 0.0
        bars.append(Bar(year, value, place * slot, round(height - tall, 1), slot - gap, tall))
    return BarChart(slot * len(years), height, slot, top, tuple(bars))


def _axis(years: Sequence[int]) -> Sequence[int]:
    if not years or years[-1] - years[0] >= _MOST_YEARS:
        return years
    return range(years[0], years[-1] + 1)


router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisQuestion = Annotated[Asked, Depends()]


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
        "examples": example_words(corpus, v),
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
        words, phrase = example_words(corpus, asked.v), example_phrase(corpus, asked.v)
        content = {**form, "problem": "", "proposals": (), "examples": words, "phrase": phrase}
        return site.pages.page("ask.html", content)
    try:
        found = find_lines(corpus, asked)
    except QueryError as error:
        status = status_of(error)
        told = {"problem": str(error), "proposals": error.proposals}
        return site.pages.page("ask.html", {**form, **told}, status=status)
    return site.pages.page("conc.html", form | _results(request, corpus, asked, found))


@router.get("/c/{corpus}/explain", response_class=HTMLResponse, summary="Query plan")
def explain_page(site: ThisSite, corpus: ThisCorpus, asked: ThisQuestion) -> HTMLResponse:
    """Say how a question is answered and what that costs, without answering it."""
    how = corpus.explain(asked.q, mode=asked.mode, case=asked.case, version=asked.v)
    content = {"corpus": corpus, "asked": asked, "how": how}
    return site.pages.page("explain.html", content)


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


def _results(
    request: Request, corpus: Corpus, asked: Asked, found: Concordance
) -> dict[str, object]:
    """Return what the page of lines shows beside its form."""
    rates = {each.year: _per_million(each.hits, each.tokens) for each in found.years}
    title = corpus.config.corpus.title or corpus.name
    base = str(request.base_url).rstrip("/")
    place = Here(f"/c/{corpus.name}/conc", tuple(asked.parameters()))
    return {
        "here": place,
        "attributes": _attributes_shown(corpus, asked),
        "found": found,
        "rows": rows_of(found, title),
        "direction": direction(found.lines),
        "first_line": (found.page - 1) * found.size + 1,
        "rates": rates,
        "chart": bar_chart(rates, slot=24, height=44),
        "ways": ways_of(corpus.path.name, "concordance", place, version=found.snapshot, base=base),
        "facets": f"/c/{corpus.name}/facets{asked.link()}" if can_be_counted(asked) else "",
    }


def _attributes_shown(corpus: Corpus, asked: Asked) -> list[tuple[str, bool, str]]:
    """Return what may be shown of each token: its name, whether it is, and the other address."""
    words = {"lemma": _("lemma"), "pos": _("tag")}
    found = []
    for name in (each for each in corpus.attributes if each not in ("word", "lc")):
        others = tuple(each for each in asked.show if each != name)
        is_shown = name in asked.show
        link = asked.link(show=others if is_shown else (*others, name))
        found.append((words.get(name, name), is_shown, link))
    return found


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
