"""The chart of each result, with marks that lead to the lines behind them."""

from collections.abc import Callable
from functools import singledispatch
from typing import Any
from urllib.parse import urlencode

from izwi.analyse.charts import (
    Chart,
    Edge,
    HostShare,
    Measured,
    Point,
    bar_chart,
    funnel_chart,
    host_chart,
    network_chart,
    trend_chart,
)
from izwi.model.card import CorpusCard
from izwi.model.errors import QueryError
from izwi.model.lexicography import NewWords, Sketch, SketchDifference, Thesaurus
from izwi.model.results import Concordance, CorpusSummary, FunnelStep

# The strongest of each relation that find room in a network.
_MOST_EACH = 6


@singledispatch
def chart_of(result: Any, address: str = "") -> Chart:
    """Return the chart of a result; `address` is that of its corpus, such as `/c/news`."""
    raise QueryError(f"There is no chart of {type(result).__name__}.")


def lines_link(address: str, query: str, **others: object) -> str:
    """Return the address of the lines that a query finds; nothing without a corpus's address.

    >>> lines_link("/c/news", '[lc=="ag"]')
    '/c/news/conc?q=%5Blc%3D%3D%22ag%22%5D&mode=cql'
    """
    if not address:
        return ""
    given = {"q": query, "mode": "cql"} | {name: value for name, value in others.items() if value}
    return f"{address}/conc?{urlencode(given)}"


def lemma_link(address: str) -> Callable[[str], str]:
    """Return what leads from a lemma to its lines."""

    def link(word: str) -> str:
        quoted = word.replace("\\", "\\\\").replace('"', '\\"')
        return lines_link(address, f'[lemma=="{quoted}"]')

    return link


@chart_of.register
def _(result: Sketch, address: str = "") -> Chart:
    pairs = [
        Edge(result.word, collocate.word, collocate.score)
        for relation in result.relations
        for collocate in relation.collocates[:_MOST_EACH]
    ]
    title = f"The company of {result.word}"
    return network_chart(pairs, title=title, measure="logDice", link=lemma_link(address))


@chart_of.register
def _(result: SketchDifference, address: str = "") -> Chart:
    rows = [
        Measured(f"{collocate.word} ({relation.name})", collocate.difference)
        for relation in result.relations
        for collocate in relation.collocates
    ]
    rows.sort(key=lambda row: -row.value)
    title = f"{result.first} (to the right) and {result.second} (to the left)"
    return bar_chart(rows, title=title, unit="difference of logDice")


@chart_of.register
def _(result: Thesaurus, address: str = "") -> Chart:
    link = lemma_link(address)
    return bar_chart(
        [Measured(line.word, line.score) for line in result.lines],
        title=f"Words like {result.word}",
        unit="likeness, 0 to 1",
        link=lambda row: link(row.name),
    )


@chart_of.register
def _(result: NewWords, address: str = "") -> Chart:
    cql_by_word = {line.word: line.cql for line in result.lines}
    return bar_chart(
        [Measured(line.word, line.score) for line in result.lines],
        title=f"New words, {result.since} to {result.until}",
        unit="score, 0 to 1",
        link=lambda row: lines_link(address, cql_by_word[row.name]),
    )


@chart_of.register
def _(result: Concordance, address: str = "") -> Chart:
    points = [
        Point(
            str(year.year),
            1e6 * year.hits / year.tokens if year.tokens else None,
            hits=year.hits,
            tokens=year.tokens,
        )
        for year in result.years
    ]
    return trend_chart(
        points,
        title=f"{result.query} by year",
        link=lambda p: lines_link(address, result.cql, **{"from": p.period, "to": p.period}),
    )


@chart_of.register
def _(result: CorpusSummary, address: str = "") -> Chart:
    return funnel_chart(
        result.funnel,
        title=f"{result.title}: from address to index",
        losses=[_losses(step) for step in result.funnel],
    )


@chart_of.register
def _(result: CorpusCard, address: str = "") -> Chart:
    # Of a whole corpus the hits are the documents.
    hosts = [HostShare(share.name, share.documents, share.tokens) for share in result.hosts]
    return host_chart(hosts, title="Documents and tokens by site")


def _losses(step: FunnelStep) -> str:
    return ", ".join(f"{loss.count:,} {loss.reason}" for loss in step.losses)
