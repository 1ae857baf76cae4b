"""How is it drawn: rows to an Altair specification to SVG, with the data as a table."""

from izwi.presentation.charts.bars import (
    HostShare,
    Measured,
    bar_chart,
    funnel_chart,
    gini,
    host_chart,
)
from izwi.presentation.charts.chart import Chart
from izwi.presentation.charts.trends import Point, curves_chart, trend_chart, trends_chart
from izwi.presentation.charts.words import (
    Edge,
    Key,
    Occurrence,
    barcode_chart,
    keyness_chart,
    network_chart,
)

__all__ = [
    "Chart",
    "Edge",
    "HostShare",
    "Key",
    "Measured",
    "Occurrence",
    "Point",
    "bar_chart",
    "barcode_chart",
    "curves_chart",
    "funnel_chart",
    "gini",
    "host_chart",
    "keyness_chart",
    "network_chart",
    "trend_chart",
    "trends_chart",
]
