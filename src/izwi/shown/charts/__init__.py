"""Every chart of the product: rows to an Altair specification to SVG, with its data as a table."""

from izwi.shown.charts.barcode import Occurrence, barcode_chart
from izwi.shown.charts.bars import Measured, bar_chart
from izwi.shown.charts.chart import Chart
from izwi.shown.charts.funnel import Step, funnel_chart
from izwi.shown.charts.hosts import HostShare, gini, host_chart
from izwi.shown.charts.keyness import Key, keyness_chart
from izwi.shown.charts.network import Edge, network_chart
from izwi.shown.charts.trends import Point, curves_chart, trend_chart, trends_chart

__all__ = [
    "Chart",
    "Edge",
    "HostShare",
    "Key",
    "Measured",
    "Occurrence",
    "Point",
    "Step",
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
