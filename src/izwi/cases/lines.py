"""Lines: a query in its contexts, how it is answered, one line by its id, lines as quotations."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import READER, Doing, Says, Written, case_of, ids_of, place
from izwi.cases.questions import MODES, QUERY, Question, Versioned
from izwi.model.commands import typed
from izwi.model.errors import QueryError, QueryTimeout
from izwi.model.reading import Quotation
from izwi.model.results import Concordance, KwicLine

if TYPE_CHECKING:
    from izwi.index.limits import Deadline
    from izwi.index.reader import Segment
    from izwi.query.engine import Explanation
    from izwi.query.tree import Query
    from izwi.service.folder import CorpusFolder

_LARGEST_SEED = 2**63 - 1
_UNITS = "What is shown: context tokens or characters, the sentence or paragraph."
_MOST_QUOTED = 1000


@dataclass(frozen=True, kw_only=True)
class LinesOf(Question):
    """Which lines of a query, in which order, with how much around them."""

    sort: Annotated[
        str,
        Says("date, newest, left, node, right, publication, source, random, example, or tokens "
             "such as matchend[1].lemma; several with commas.", example="left"),
    ] = "date"  # fmt: skip
    page: Annotated[int, Says("Which page of lines.")] = 1
    size: Annotated[int, Says("Lines a page.")] = 50
    context: Annotated[int, Says("Tokens on each side.", address="ctx")] = 12
    seed: Annotated[
        int, Says("Which of the random orders.", web_least=0, web_most=_LARGEST_SEED)
    ] = 1
    unit: Annotated[str, Says(_UNITS)] = "tokens"
    near: Annotated[str, Says("Only lines with this (CQL) nearby.", metavar="CQL")] = ""
    window: Annotated[int, Says("How many tokens away near looks.")] = 5
    first: Annotated[bool, Says("Only the first line of each document.")] = False
    sample: Annotated[int, Says("At most so many lines, by chance (seed).")] = 0
    show: Annotated[
        tuple[str, ...], Says("Give this attribute of each token, too; repeatable.")
    ] = ()
    translate: Annotated[
        str | Path,
        Says("Search for translations: a list (word, tab, translation), or the address of a "
             "LibreTranslate-like service.", names="translation"),
    ] = ""  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Explained(Versioned):
    """A query that is explained, not answered."""

    query: Annotated[str, QUERY]
    mode: Annotated[str, MODES] = "auto"
    case: Annotated[bool, Says("Capitals matter.")] = False


@dataclass(frozen=True, kw_only=True)
class LineId(Versioned):
    """One line by its id."""

    id: Annotated[str, place("The id of a line, as --json gives it.", metavar="ID")]
    context: Annotated[int, Says("Tokens on each side.", address="ctx")] = 12
    unit: Annotated[str, Says(_UNITS)] = "tokens"


@dataclass(frozen=True, kw_only=True)
class Quoted(Versioned):
    """Which lines are quoted."""

    hits: Annotated[
        Iterable[str],
        place("Ids of lines, as --json gives them.", address="hit",
             web_most=_MOST_QUOTED, file=ids_of, file_option="list"),
    ] = ()  # fmt: skip
    query: Annotated[
        str, Says("Quote the first hits of this query.", address="q", example="bakkie")
    ] = ""
    most: Annotated[int, Says("So many of them at most.", web_least=1, web_most=_MOST_QUOTED)] = 100
    context: Annotated[int, Says("Tokens on each side.", address="ctx")] = 12


def first_command(folder: Path) -> str:
    """Return what to do with a corpus that has no version yet."""
    from izwi.config.load import load
    from izwi.store.layout import Layout

    layout = Layout(folder)
    if any(layout.warcs.glob("*.warc*")):
        return f"izwi build {typed(folder)}"
    has_sources = bool(load(layout.config).sources)
    return f"izwi run {typed(folder)}" if has_sources else f"izwi sources add {typed(folder)} URL"


def concordance(folder: "CorpusFolder", asked: LinesOf, doing: Doing) -> Concordance:
    """Find a word, a phrase or a CQL query and return one page of its lines in context.

    It ends with QueryTimeout after so many seconds, or once `cancelled` is set elsewhere.
    """
    from izwi.index.limits import Deadline
    from izwi.query.concordance import Filter, Narrowing, View
    from izwi.service import cut_words, querying
    from izwi.service.querying import CorpusLookups

    deadline = Deadline(asked.timeout, doing.cancelled)
    number, segments = folder._snapshot(asked.version)
    if asked.translate:
        understood = querying.translated(
            asked.query, str(asked.translate), segments, folder=folder.path, config=folder.config,
            is_exact_case=asked.case, seconds=asked.timeout,
        )  # fmt: skip
    else:
        understood = querying.understood(
            asked.query, asked.mode, segments, is_exact_case=asked.case,
            lookups=CorpusLookups(folder, segments, deadline),
        )  # fmt: skip
    found = querying.concordance_of(
        understood,
        segments,
        snapshot=number,
        chosen=Filter(
            asked.since, asked.until, folder._sources_asked(asked.sources, segments),
            folder._where(asked.where, asked.subcorpus, tuple(asked.publications)), asked.copies,
        ),
        view=View(
            asked.sort, asked.seed, asked.page, asked.size, asked.context, asked.unit, asked.show
        ),
        narrowing=Narrowing(asked.near, asked.window, asked.first, asked.sample),
        deadline=deadline,
    )  # fmt: skip
    return found if found.hits else replace(
        found,
        instead=cut_words.cut_as_indexed(understood.query, segments),
        unfiltered=_unfiltered(asked, understood.query, segments, deadline),
    )  # fmt: skip


def _unfiltered(
    asked: LinesOf, query: "Query", segments: "Sequence[Segment]", deadline: "Deadline"
) -> int:
    """Return how many lines all documents have; 0 if no limit was set or counting takes long."""
    from izwi.query.concordance import Filter
    from izwi.query.engine import count_hits

    limits = (asked.since, asked.until, asked.sources, asked.publications, asked.where,
              asked.subcorpus, asked.near)  # fmt: skip
    if not any(limits):
        return 0
    try:
        return count_hits(segments, query, Filter(copies=asked.copies), deadline)
    except QueryTimeout:
        return 0


def explain(folder: "CorpusFolder", asked: Explained, doing: Doing) -> "Explanation":
    """Say how a query will be answered and what it will cost, without running it."""
    from izwi.query.engine import explain
    from izwi.service import querying
    from izwi.service.querying import CorpusLookups

    _, segments = folder._snapshot(asked.version)
    found = querying.understood(
        asked.query, asked.mode, segments, is_exact_case=asked.case,
        lookups=CorpusLookups(folder, segments),
    )  # fmt: skip
    return explain(segments, found.query)


def hit(folder: "CorpusFolder", asked: LineId, doing: Doing) -> KwicLine:
    """Return the line of one hit by its permanent id."""
    from izwi.query.concordance import find_hit

    _, segments = folder._snapshot(asked.version)
    return find_hit(segments, asked.id, context=asked.context, unit=asked.unit)


def quotations(folder: "CorpusFolder", asked: Quoted, doing: Doing) -> tuple[Quotation, ...]:
    """Return hits as quotations, by their permanent ids or as the first of a query."""
    from izwi.service import exporting

    if not (hits := tuple(asked.hits)) and not asked.query:
        raise QueryError("Name hits by their ids, or give a query.")
    number, segments = folder._snapshot(asked.version)
    lines = exporting.lines_named(segments, hits, context=asked.context)
    if asked.query:

        def page(number: int, size: int) -> Concordance:
            wanted = LinesOf(
                query=asked.query, page=number, size=size, context=asked.context,
                version=asked.version,
            )  # fmt: skip
            return concordance(folder, wanted, doing)

        lines += exporting.first_lines(page, asked.most)
    return exporting.quotations_of(lines, folder.name, number)


def mean_the_same(first: str, second: str) -> bool:
    """Whether two queries in CQL ask the same, however they are written."""
    from izwi.query.cql import parse

    try:
        return parse(first) == parse(second)
    except QueryError:
        return False


_case = partial(case_of, "Lines")

CASES = (
    _case("concordance", "query", "conc", LinesOf, concordance, "'load-shedding' --sort left",
          READER, context=("cancelled",), is_drawn=True,
          flags={"csv": "Print the lines as CSV."}),
    _case("explain", "query", "explain", Explained, explain, "'load-shedding' --explain", READER,
          switch="explain", tells=lambda asked, how, folder: how.sentences()),
    _case("hit", "hit", "hit", LineId, hit, "0123456789ab-20261115.57.89abcdef", READER),
    _case("quotations", "quote", "quotations", Quoted, quotations,
          "--query bakkie --format bibtex > bakkie.bib", READER,
          written=Written(
              "izwi.presentation.quotations:quotations_file",
              "{number:,} quotations written as {format}: {file}",
              {"format": ("tsv", "tsv, csv, xlsx, tei, bibtex, csl, ris, ontolex, dmlex, lexonomy "
                                 "or jsonl."),
               "address": ("", "The site that serves the corpus, for links.")},
              formats="izwi.presentation.quotations:QUOTATION_FORMATS")),
)  # fmt: skip
