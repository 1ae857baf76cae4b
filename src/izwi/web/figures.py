"""Charts on pages: drawn in Python, in the colours of the page, with links on their marks."""

from markupsafe import Markup

from izwi.analyse.charting import chart_of
from izwi.analyse.charts import Measured, bar_chart
from izwi.web.messages import gettext as _

_FIGURE = Markup(
    '<figure class="drawn" tabindex="0" role="region" aria-label="{label}">{drawing}</figure>'
)


def figure(result: object, corpus: str) -> Markup:
    """Return the chart of a result as a figure; nothing where there is nothing to draw."""
    if not getattr(result, "lines", True):
        return Markup("")
    chart = chart_of(result, f"/c/{corpus}")
    if not len(chart):
        return Markup("")
    label = _("Chart: %(title)s") % {"title": chart.title}
    # The drawing is ours: its texts were escaped, its addresses checked when it was made.
    return _FIGURE.format(label=label, drawing=Markup(chart.inline_svg))


def warm_up_charts() -> None:
    """Draw something, so that the first reader does not wait until the library is loaded."""
    bar_chart([Measured("a", 1.0)], title="a").inline_svg  # noqa: B018 (made when it is asked for)
