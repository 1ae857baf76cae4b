"""What a page shows of results: a table's columns, its form, the facts above it; charts.

Charts are drawn in Python, in the colours of the page, with links on their marks.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from markupsafe import Markup

from izwi.model.analyses import Trend
from izwi.presentation.answer_charts import chart_of, chart_together, charts_beside
from izwi.presentation.charts import Chart
from izwi.web.session.reader import gettext as _
from izwi.web.session.reader import reader, sentence

Kind = Literal["text", "number", "rate", "share", "score", "fine", "interval", "document"]


@dataclass(frozen=True, slots=True)
class Column:
    """A column: the field of a line it shows, its head, and how its values are written."""

    key: str
    name: str
    kind: Kind = "number"
    # Whether its values open the lines they count.
    opens: bool = False
    # The value of `sort` or `measure` that orders the table by it.
    sort: str = ""
    # Whether its values are words that have a profile.
    profile: bool = False


_MEASURES = (("logdice", "logDice"), ("ll", "LL"), ("mi", "MI"))
_MORE_MEASURES = (("mi3", "MI³"), ("t", "t"), ("z", "z"))


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of a form: its parameter, its label, its choices (none: it is typed)."""

    name: str
    label: str
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    example: str = ""

    @property
    def is_number(self) -> bool:
        """Whether a number is typed."""
        return not self.choices and self.default.isdecimal()


def frequency_columns() -> Sequence[Column]:
    """Return the columns of frequencies."""
    return (
        Column("values", _("Value"), "text", opens=True, sort="value"),
        Column("hits", _("Hits"), opens=True, sort="hits"),
        Column("share", _("Share of hits"), "share"),
        Column("per_million", _("Per million"), "rate", sort="rate"),
        Column("low", _("95 per cent interval"), "interval"),
        Column("documents", _("Documents")),
        Column("tokens", _("Tokens")),
    )


def word_columns() -> Sequence[Column]:
    """Return the columns of a word list."""
    return (
        Column("value", _("Word"), "text", sort="value", profile=True),
        Column("hits", _("Hits"), opens=True, sort="hits"),
        Column("per_million", _("Per million"), "rate"),
        Column("documents", _("Documents"), sort="documents"),
        Column("sites", _("Publications"), sort="sites"),
        Column("dp", _("Unevenness (DP)"), "score"),
    )


def ngram_columns() -> Sequence[Column]:
    """Return the columns of n-grams."""
    return (
        Column("value", _("Words"), "text"),
        Column("hits", _("Hits"), opens=True),
        Column("per_million", _("Per million"), "rate"),
    )


def collocate_columns() -> Sequence[Column]:
    """Return the columns of collocations; each measure orders the table."""
    counts = (("left", _("Left")), ("right", _("Right")), ("frequency", _("Total")))
    return (
        Column("value", _("Word"), "text", profile=True),
        Column("total", _("Together"), opens=True, sort="total"),
        *(Column(key, name, sort=key) for key, name in counts),
        *(Column(key, name, "score", sort=key) for key, name in _MEASURES),
    )


def more_measures() -> Sequence[Column]:
    """Return the columns of measures that are shown only if somebody wants them."""
    more = tuple(Column(key, name, "score", sort=key) for key, name in _MORE_MEASURES)
    return (*more, Column("deltap", "ΔP", "fine", sort="deltap"))


def keyword_columns() -> Sequence[Column]:
    """Return the columns of keywords: effect first, then how sure one can be, then spread."""
    return (
        Column("value", _("Word"), "text", profile=True),
        Column("simple", _("Simple maths"), "score", sort="simple"),
        Column("logratio", _("Log ratio"), "score", sort="logratio"),
        Column("ll", "LL", "score", sort="ll"),
        Column("hits", _("Hits"), opens=True),
        Column("per_million", _("Per million"), "rate"),
        Column("reference_hits", _("Hits elsewhere")),
        Column("reference_per_million", _("Per million elsewhere"), "rate"),
        Column("documents", _("Documents")),
        Column("sites", _("Publications")),
        Column("dp", _("Unevenness (DP)"), "score"),
    )


def part_columns() -> Sequence[Column]:
    """Return the columns of a dispersion."""
    return (
        Column("value", _("Part"), "document"),
        Column("hits", _("Hits"), opens=True),
        Column("tokens", _("Tokens")),
        Column("per_million", _("Per million"), "rate"),
    )


def trend_columns() -> Sequence[Column]:
    """Return the columns of a trend."""
    return (
        Column("period", _("Period"), "text", opens=True),
        Column("hits", _("Hits"), opens=True),
        Column("per_million", _("Per million"), "rate"),
        Column("low", _("95 per cent interval"), "interval"),
        Column("documents", _("Documents with hits")),
        Column("corpus_documents", _("Documents")),
        Column("tokens", _("Tokens")),
    )


def attribute_field(names: Sequence[str]) -> FormField:
    """Return the field that chooses what is counted."""
    words = {"word": _("word as written"), "lemma": _("lemma"), "pos": _("tag")}
    others = tuple((name, words.get(name, name)) for name in names if name != "lc")
    return FormField("attribute", _("What"), "", (("", _("word, ignoring case")), *others))


def common_fields(least: int, most: int = 100) -> tuple[FormField, ...]:
    """Return the fields of all tables."""
    return (
        FormField("least", _("At least"), str(least)),
        FormField("most", _("Lines"), str(most)),
    )


def frequency_fields(names: Sequence[str]) -> tuple[FormField, ...]:
    """Return the fields of frequencies."""
    things = (
        ("publication", _("publication")), ("source", _("source")), ("host", _("host")),
        ("section", _("section")), ("author", _("author")), ("language", _("language")),
        ("year", _("year")), ("quarter", _("quarter")), ("month", _("month")), ("week", _("week")),
        ("word", _("form")), *(("lemma", _("lemma")) for name in names if name == "lemma"),
        *(("tag", _("tag")) for name in names if name == "pos"),
        ("L1.word", _("word to the left")), ("R1.word", _("word to the right")),
    )  # fmt: skip
    return (
        FormField("by", _("By"), "publication", things),
        FormField("and_by", _("And by"), "", (("", "–"), *things)),
        *common_fields(1),
    )


def word_fields(names: Sequence[str]) -> tuple[FormField, ...]:
    """Return the fields of a word list."""
    pattern = FormField("pattern", _("Matching"), "", example=".*ing")
    return (attribute_field(names), pattern, *common_fields(1))


def ngram_fields(names: Sequence[str]) -> tuple[FormField, ...]:
    """Return the fields of n-grams."""
    sizes = tuple((str(size), str(size)) for size in range(2, 7))
    within = (("s", _("sentence")), ("p", _("paragraph")), ("doc", _("document")))
    return (
        FormField("size", _("Words"), "2", sizes),
        FormField("holding", _("With the word"), "", example="bakkies?"),
        attribute_field(names),
        FormField("within", _("Within one"), "s", within),
        *common_fields(2),
    )


def collocation_fields(names: Sequence[str]) -> tuple[FormField, ...]:
    """Return the fields of collocations."""
    counting = (
        ("tokens", _("each token")), ("sentence", _("in the sentence")),
        ("hits", _("once per hit")),
    )  # fmt: skip
    words = (("content", _("content words")), ("all", _("all words")))
    return (
        *((FormField("words", _("Words"), "content", words),) if "pos" in names else ()),
        FormField("left", _("To the left"), "5"),
        FormField("right", _("To the right"), "5"),
        attribute_field(names),
        FormField("counting", _("Count"), "tokens", counting),
        *common_fields(3),
    )


def keyword_fields(names: Sequence[str]) -> tuple[FormField, ...]:
    """Return the fields of keywords."""
    return (
        attribute_field(names),
        FormField("sites", _("Publications, at least"), "2"),
        *common_fields(5),
    )


def dispersion_fields(names: Sequence[str]) -> tuple[FormField, ...]:
    """Return the fields of a dispersion."""
    parts = (
        ("document", _("document")), ("publication", _("publication")), ("source", _("source")),
        ("host", _("host")),
        ("section", _("section")), ("year", _("year")),
    )  # fmt: skip
    return (FormField("by", _("Across"), "document", parts), FormField("most", _("Lines"), "100"))


# Pixels; each drawing is scaled to the room there is, so that its letters stay near their size.
_WIDE, _HALF, _NARROW = 940, 520, 360
_FIGURE = Markup(
    '<figure class="drawn {size}" role="group" aria-label="{label}"><div class="wide">{wide}</div>'
    '<div class="narrow">{narrow}</div><figcaption>{words}</figcaption></figure>'
)


def figure(result: object, address: str, *, is_half: bool = False) -> Markup:
    """Return the chart of a result as a figure; nothing where there is nothing to draw."""
    if not getattr(result, "lines", True):
        return Markup("")
    return _figure(chart_of(result, address), is_half=is_half)


def figure_together(trends: Sequence[Trend], address: str) -> Markup:
    """Return one figure of several trends."""
    return _figure(chart_together(trends, address))


def figures_beside(trends: Sequence[Trend], address: str, *, has_one_scale: bool) -> list[Markup]:
    """Return a small figure of each of several trends."""
    charts = charts_beside(trends, address, has_one_scale=has_one_scale)
    return [_figure(chart, is_half=True) for chart in charts]


def _figure(chart: Chart, *, is_half: bool = False) -> Markup:
    if not len(chart):
        return Markup("")
    if reader().language != "en":
        chart = chart.said(sentence)
    label = _("Chart: %(title)s") % {"title": chart.title}
    # The drawing is ours: its texts were escaped, its addresses checked when it was made.
    wide, narrow = (
        Markup(chart.sized(width).inline_svg) for width in (_HALF if is_half else _WIDE, _NARROW)
    )
    size = "half" if is_half else "whole"
    return _FIGURE.format(size=size, label=label, wide=wide, narrow=narrow, words=chart.description)
