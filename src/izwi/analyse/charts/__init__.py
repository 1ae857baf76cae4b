"""Every chart of the product: rows to an Altair specification to SVG, with its data as a table."""

from izwi.analyse.charts.barcode import Occurrence, barcode_chart
from izwi.analyse.charts.bars import Measured, bar_chart
from izwi.analyse.charts.chart import Chart
from izwi.analyse.charts.funnel import Step, funnel_chart
from izwi.analyse.charts.hosts import HostShare, gini, host_chart
from izwi.analyse.charts.keyness import Key, keyness_chart
from izwi.analyse.charts.network import Edge, network_chart
from izwi.analyse.charts.trend import Point, trend_chart
from izwi.analyse.charts.trends import trends_chart

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
    "funnel_chart",
    "gini",
    "host_chart",
    "keyness_chart",
    "network_chart",
    "trend_chart",
    "trends_chart",
]
