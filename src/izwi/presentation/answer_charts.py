"""The chart of each result, with marks that lead to the lines behind them."""

from collections.abc import Callable, Sequence
from functools import singledispatch
from typing import Any
from urllib.parse import urlencode

from izwi.model import analyses
from izwi.model.errors import QueryError
from izwi.model.lexicography import NewWords, Sketch, SketchDifference, Thesaurus
from izwi.model.reports import CorpusCard, HostBias
from izwi.model.results import Concordance, CorpusSummary, FunnelStep
from izwi.model.scores import ExtractorScores, TrainedExtractor
from izwi.presentation import charts
from izwi.presentation.charts.trends import are_few, top_of

# The strongest of each relation that find room in a network.
_MOST_EACH = 6
# Collocates that can be read in a network beside their table.
_MOST_COMPANY = 20
# A rate that rests on fewer hits is drawn pale.
_FEWEST_HITS = 3
# Measures as people write them.
_MEASURES = {
    "logdice": "logDice", "mi": "MI", "mi3": "MI³", "ll": "log-likelihood", "deltap": "ΔP",
}  # fmt: skip


@singledispatch
def chart_of(result: Any, address: str = "") -> charts.Chart:
    """Return the chart of a result.

    `address` is that of its corpus, such as `/c/news`, or of a version of it: `/c/news?v=2`.
    """
    raise QueryError(f"There is no chart of {type(result).__name__}.")


def svg_of(result: Any, address: str = "") -> str:
    """Return the drawing of a result, as one file."""
    return result.svg() if isinstance(result, HostBias) else chart_of(result, address).svg


def lines_link(address: str, query: str, **others: object) -> str:
    """Return the address of the lines that a query finds; nothing without a corpus's address.

    >>> lines_link("/c/news", '[lc=="ag"]')
    '/c/news/conc?q=%5Blc%3D%3D%22ag%22%5D&mode=cql'
    >>> lines_link("/c/news?v=2", "ag")
    '/c/news/conc?q=ag&mode=cql&v=2'
    """
    if not address:
        return ""
    corpus, *version = address.split("?")
    given = {"q": query, "mode": "cql"} | {name: value for name, value in others.items() if value}
    return f"{corpus}/conc?{'&'.join((urlencode(given, doseq=True), *version))}"


def opening_link(address: str, opens: analyses.Opening) -> str:
    """Return the address of the lines that a number counts."""
    return lines_link(
        address,
        opens.query,
        **{"from": opens.since, "to": opens.until, "src": opens.sources, "where": opens.where},
        near=opens.near,
        window=opens.window if opens.near else None,
        copies=1 if opens.copies else None,
    )


def lemma_link(address: str) -> Callable[[str], str]:
    """Return what leads from a lemma to its lines."""

    def link(word: str) -> str:
        quoted = word.replace("\\", "\\\\").replace('"', '\\"')
        return lines_link(address, f'[lemma=="{quoted}"]')

    return link


@chart_of.register
def _(result: Sketch, address: str = "") -> charts.Chart:
    pairs = [
        charts.Edge(result.word, collocate.word, collocate.score)
        for relation in result.relations
        for collocate in relation.collocates[:_MOST_EACH]
    ]
    title = f"Collocates of {result.word}"
    return charts.network_chart(pairs, title=title, measure="logDice", link=lemma_link(address))


@chart_of.register
def _(result: SketchDifference, address: str = "") -> charts.Chart:
    rows = [
        charts.Measured(f"{collocate.word} ({relation.name})", collocate.difference)
        for relation in result.relations
        for collocate in relation.collocates
    ]
    rows.sort(key=lambda row: -row.value)
    title = f"{result.first} (to the right) and {result.second} (to the left)"
    return charts.bar_chart(rows, title=title, unit="difference of logDice")


@chart_of.register
def _(result: Thesaurus, address: str = "") -> charts.Chart:
    link = lemma_link(address)
    return charts.bar_chart(
        [charts.Measured(line.word, line.score) for line in result.lines],
        title=f"Words like {result.word}",
        unit="similarity, 0 to 1",
        link=lambda row: link(row.name),
    )


@chart_of.register
def _(result: NewWords, address: str = "") -> charts.Chart:
    cql_by_word = {line.word: line.cql for line in result.lines}
    return charts.bar_chart(
        [charts.Measured(line.word, line.score) for line in result.lines],
        title=f"New words, {result.since} to {result.until}",
        unit="score, 0 to 1",
        link=lambda row: lines_link(address, cql_by_word[row.name]),
    )


@chart_of.register
def _(result: analyses.Frequencies, address: str = "") -> charts.Chart:
    if result.by == ("host",):
        hosts = [
            charts.HostShare(line.values[0], line.hits, line.tokens or 0) for line in result.lines
        ]
        return charts.host_chart(hosts, title=f"{result.query} by site")
    has_rates = all(line.per_million is not None for line in result.lines)
    rows = [
        charts.Measured(
            " / ".join(line.values) or "(none)",
            float(line.per_million or 0.0) if has_rates else float(line.hits),
            line.low if has_rates else None,
            line.high if has_rates else None,
            has_rates and line.hits < _FEWEST_HITS,
            line.opens,
        )
        for line in result.lines
    ]
    return charts.bar_chart(
        rows,
        title=f"{result.query} by {' and '.join(result.by)}",
        unit="per million tokens" if has_rates else "hits",
        link=lambda row: opening_link(address, row.opens),
    )


@chart_of.register
def _(result: analyses.WordList, address: str = "") -> charts.Chart:
    rows = [
        charts.Measured(line.value, line.per_million, opens=line.opens) for line in result.lines
    ]
    kind = "words" if result.size == 1 else f"sequences of {result.size}"
    return charts.bar_chart(
        rows, title=f"The most frequent {kind}", link=lambda row: opening_link(address, row.opens)
    )


@chart_of.register
def _(result: analyses.Dispersion, address: str = "") -> charts.Chart:
    places = [charts.Occurrence(result.query, place) for place in result.barcode]
    return charts.barcode_chart(places, title=f"Where {result.query} occurs")


@chart_of.register
def _(result: analyses.Collocations, address: str = "") -> charts.Chart:
    scores = {line.value: getattr(line, result.measure) for line in result.lines}
    opens = {line.value: line.opens for line in result.lines}
    pairs = [charts.Edge(result.query, word, score) for word, score in scores.items()]

    def link(word: str) -> str:
        if word not in opens:
            return lines_link(address, result.cql)
        return opening_link(address, opens[word])

    title = f"Collocates of {result.query}"
    measure = _MEASURES.get(result.measure, result.measure)
    return charts.network_chart(pairs, title=title, measure=measure, most=_MOST_COMPANY, link=link)


def _keys(result: analyses.Keywords, sign: float = 1.0) -> list[charts.Key]:
    return [
        charts.Key(line.value, line.per_million, sign * line.logratio, line.opens)
        for line in result.lines
    ]


@chart_of.register
def _(result: analyses.Keywords, address: str = "") -> charts.Chart:
    return charts.keyness_chart(
        _keys(result),
        title=f"Keywords of {result.focus} against {result.reference}",
        link=lambda key: opening_link(address, key.opens),
    )


@chart_of.register
def _(result: analyses.TextComparison, address: str = "") -> charts.Chart:
    keys = _keys(result.first_keywords) + _keys(result.second_keywords, -1.0)
    keys.sort(key=lambda key: -abs(key.effect))
    return charts.keyness_chart(
        keys,
        title=f"{result.first} (above) and {result.second} (below)",
        link=lambda key: opening_link(address, key.opens),
    )


@chart_of.register
def _(result: analyses.Trend, address: str = "") -> charts.Chart:
    return _trend_chart(result, address)


def _trend_chart(result: analyses.Trend, address: str, top: float | None = None) -> charts.Chart:
    return charts.trend_chart(
        result.points,
        title=f"{result.query} by {result.by}",
        link=lambda point: opening_link(address, point.opens),
        top=top,
    )


def charts_beside(
    trends: Sequence[analyses.Trend], address: str = "", *, has_one_scale: bool = True
) -> list[charts.Chart]:
    """Return a chart of each trend, to one scale so that their heights can be compared, or not."""
    rated = [trend.points for trend in trends if not are_few(trend.points)]
    top = max(map(top_of, rated), default=None) if has_one_scale else None
    return [_trend_chart(trend, address, top) for trend in trends]


def chart_together(trends: Sequence[analyses.Trend], address: str = "") -> charts.Chart:
    """Return one chart of several trends, which are told apart by colour and by dashes."""
    names = ", ".join(trend.query for trend in trends)
    return charts.trends_chart(
        [(trend.query, trend.points) for trend in trends],
        title=f"{names} by {trends[0].by}",
        link=lambda point: opening_link(address, point.opens),
    )


@chart_of.register
def _(result: Concordance, address: str = "") -> charts.Chart:
    points = [
        charts.Point(
            str(year.year),
            1e6 * year.hits / year.tokens if year.tokens else None,
            hits=year.hits,
            tokens=year.tokens,
        )
        for year in result.years
    ]
    return charts.trend_chart(
        points,
        title=f"{result.query} by year",
        link=lambda p: lines_link(address, result.cql, **{"from": p.period, "to": p.period}),
    )


@chart_of.register
def _(result: CorpusSummary, address: str = "") -> charts.Chart:
    return charts.funnel_chart(
        result.funnel,
        title=f"{result.title}: from address to index",
        losses=[_losses(step) for step in result.funnel],
    )


@chart_of.register
def _(result: CorpusCard, address: str = "") -> charts.Chart:
    # Of a whole corpus the hits are the documents.
    hosts = [charts.HostShare(share.name, share.documents, share.tokens) for share in result.hosts]
    return charts.host_chart(hosts, title="Documents and tokens by site")


def _losses(step: FunnelStep) -> str:
    return ", ".join(f"{loss.count:,} {loss.reason}" for loss in step.losses)


@chart_of.register
def _(scores: ExtractorScores, address: str = "") -> charts.Chart:
    shown = [
        charts.Measured(f"{one.set} {one.method} {name}".strip(), value)
        for one in scores
        for name, value in (("F1", one.f1), ("F0.5", one.f05))
    ]
    return charts.bar_chart(shown, title="Extractors on gold pages", unit="score")


@chart_of.register
def _(made: TrainedExtractor, address: str = "") -> charts.Chart:
    names = ("accuracy", "precision", "recall", "f1")
    series = [(name, [getattr(one, name) for one in made.cutoffs]) for name in names]
    places = [f"{one.cutoff:.2f}" for one in made.cutoffs]
    return charts.curves_chart(series, places, title="Figures at each cut-off")
