"""Charts on pages: drawn in Python, in the colours of the page, with links on their marks."""

from collections.abc import Sequence

from markupsafe import Markup

from izwi.model.analyses import Trend
from izwi.shown.charting import chart_of, chart_together, charts_beside
from izwi.shown.charts import Chart
from izwi.web.session.reader import gettext as _
from izwi.web.session.reader import reader, sentence

# Pixels; each drawing is scaled to the room there is, so that its letters stay near their size.
_WIDE, _HALF, _NARROW = 940, 520, 360
_FIGURE = Markup(
    '<figure class="drawn {size}" role="group" aria-label="{label}"><div class="wide">{wide}</div>'
    '<div class="narrow">{narrow}</div><figcaption>{words}</figcaption></figure>'
)


def figure(result: object, corpus: str, *, is_half: bool = False) -> Markup:
    """Return the chart of a result as a figure; nothing where there is nothing to draw."""
    if not getattr(result, "lines", True):
        return Markup("")
    return _figure(chart_of(result, f"/c/{corpus}"), is_half=is_half)


def figure_together(trends: Sequence[Trend], corpus: str) -> Markup:
    """Return one figure of several trends."""
    return _figure(chart_together(trends, f"/c/{corpus}"))


def figures_beside(trends: Sequence[Trend], corpus: str, *, has_one_scale: bool) -> list[Markup]:
    """Return a small figure of each of several trends."""
    charts = charts_beside(trends, f"/c/{corpus}", has_one_scale=has_one_scale)
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
