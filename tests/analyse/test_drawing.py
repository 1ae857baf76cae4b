"""The pictures themselves: lengths, places, gaps and signs are what the numbers say."""

import subprocess
import sys
import xml.etree.ElementTree as tree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.model.results import FunnelStep
from izwi.presentation.charts import (
    Edge,
    HostShare,
    Key,
    Measured,
    Point,
    bar_chart,
    funnel_chart,
    host_chart,
    keyness_chart,
    network_chart,
    trend_chart,
    trends_chart,
)
from izwi.presentation.charts.marks import Numbers, numbers_scale, shortened, text_width

SVG = "{http://www.w3.org/2000/svg}"


def parts(chart, tag):
    return list(tree.fromstring(chart.svg).iter(f"{SVG}{tag}"))


def texts(chart):
    return [each.text for each in parts(chart, "text")]


def test_bars_are_as_long_as_their_values():
    chart = bar_chart([Measured("a", 10), Measured("b", 5), Measured("c", 0)], title="bars")

    lengths = [float(bar.get("width")) for bar in parts(chart, "rect")]

    assert lengths == pytest.approx([lengths[0], lengths[0] / 2, 0], abs=0.2)
    assert lengths[0] > 400


def test_an_interval_stands_where_its_ends_are():
    chart = bar_chart([Measured("a", 10, 5, 14)], title="bars")
    (bar,) = parts(chart, "rect")
    whisker = next(line for line in parts(chart, "line") if line.get("opacity"))

    unit = float(bar.get("width")) / 10

    assert float(whisker.get("x1")) == pytest.approx(5 * unit, abs=0.2)
    assert float(whisker.get("x2")) == pytest.approx(14 * unit, abs=0.2)


def test_a_period_without_text_leaves_a_gap_in_line_and_band():
    rates = [3.0, 4.0, None, 5.0, 6.0]
    points = [
        Point(str(2010 + n), rate, rate and rate - 1, rate and rate + 1, hits=9)
        for n, rate in enumerate(rates)
    ]

    chart = trend_chart(points, title="gap")

    lines = [each.get("points").split() for each in parts(chart, "polyline")]
    assert [len(line) for line in lines] == [2, 2]
    assert len(parts(chart, "polygon")) == 2
    assert len(parts(chart, "circle")) == 4


def test_hollow_points_are_filled_with_the_ground():
    points = [Point("2010", 3.0, hits=9), Point("2011", 4.0, hits=9, is_complete=False)]

    fills = [each.get("fill") for each in parts(trend_chart(points, title="t"), "circle")]

    assert fills == ["#0f5c6e", "#ffffff"]


def test_a_band_beyond_the_frame_is_cut_by_the_frame():
    points = [Point(str(year), 10.0, 5.0, 500.0, hits=9) for year in (2010, 2011)]
    chart = trend_chart(points, title="cut")

    (clip,) = parts(chart, "clipPath")

    assert f'clip-path="url(#{clip.get("id")})"' in chart.svg
    # Two arrows, one for each period.
    assert len(parts(chart, "polygon")) == 3


def test_several_lines_have_a_legend_with_their_colours_and_dashes():
    points = [Point(str(year), 10.0, 9.0, 11.0, hits=9) for year in (2010, 2011)]
    chart = trends_chart([("first", points), ("second", points)], title="two")

    assert {"first", "second"} <= set(texts(chart))
    signs = [line for line in parts(chart, "line") if line.get("stroke-dasharray")]
    drawn = [(line.get("stroke"), line.get("stroke-dasharray")) for line in signs]
    lines = parts(chart, "polyline")
    assert drawn == [(line.get("stroke"), line.get("stroke-dasharray")) for line in lines]
    assert len(set(drawn)) == 2


def test_names_that_would_lie_upon_each_other_are_not_all_written():
    points = [Point(f"2010-01-{day:02}", 10.0, hits=9) for day in range(1, 32)]

    labels = [text for text in texts(trend_chart(points, title="days")) if text.startswith("2010-")]

    assert 3 < len(labels) < 15
    assert labels[0] == "2010-01-01"


def test_frequencies_have_a_logarithmic_axis_in_powers_of_ten():
    keys = [Key("a", 0.5, 1.0), Key("b", 50.0, 2.0), Key("c", 5000.0, -1.0)]
    chart = keyness_chart(keys, title="keys")

    assert {"1", "10", "100", "1,000"} <= set(texts(chart))
    low, middle = (float(circle.get("cx")) for circle in parts(chart, "circle")[1:])
    high = max(
        map(float, (p.split(",")[0] for p in parts(chart, "polygon")[1].get("points").split()))
    )
    assert middle - low == pytest.approx(high - middle, abs=8)


def test_a_funnel_is_centred():
    chart = funnel_chart([FunnelStep("found", 10), FunnelStep("kept", 4)], title="funnel")

    middles = {float(bar.get("x")) + float(bar.get("width")) / 2 for bar in parts(chart, "rect")}

    assert max(middles) - min(middles) < 0.2


def test_stronger_pairs_have_thicker_lines():
    chart = network_chart([Edge("a", "b", 9.0), Edge("a", "c", 1.0)], title="network")

    widths = [float(line.get("stroke-width")) for line in parts(chart, "line")]

    assert widths == sorted(widths, reverse=True)
    assert widths[0] == 5.0


@pytest.mark.parametrize("width", [320, 700])
def test_a_chart_in_a_page_is_as_wide_as_asked_for(width):
    charts = [
        bar_chart([Measured("a long name of a source", 10, 5, 20)], title="bars"),
        keyness_chart([Key("loadshedding", 0.5, 1.0), Key("b", 50.0, 2.0)], title="keys"),
        network_chart([Edge("a", "loadshedding", 9.0), Edge("a", "c", 1.0)], title="network"),
        host_chart([HostShare("a", 5, 100), HostShare("b", 0, 50)], title="hosts"),
    ]
    for chart in charts:
        root = tree.fromstring(chart.sized(width).inline_svg)
        assert int(root.get("width")) == pytest.approx(width, abs=2), chart.title


@given(
    st.lists(st.floats(-1e9, 1e9, allow_nan=False), min_size=1, max_size=5),
    st.sampled_from([{}, {"zero": False, "padding": 30}, {"nice": False}]),
)
def test_all_values_stand_within_the_frame_and_axes_name_some(values, wish):
    scale = numbers_scale(values, wish, 0, 500)

    assert all(-0.01 <= scale.at(value) <= 500.01 for value in values)
    assert 1 <= len(scale.ticks(8)) <= 25


@given(st.floats(1e-6, 1e8), st.floats(1.001, 1e6))
def test_a_logarithmic_axis_names_something(low, times):
    assert Numbers(low, low * times, 0, 500, is_log=True).ticks(8)


def test_words_are_cut_to_their_room():
    assert shortened("Bolandse Bode", 40, 12).endswith("…")
    assert text_width(shortened("Bolandse Bode", 40, 12), 12) <= 40
    assert shortened("Bode", 400, 12) == "Bode"


def test_drawing_starts_no_browser_engine():
    asked = (
        "import sys\nfrom izwi.presentation.charts import Measured, bar_chart\n"
        "assert bar_chart([Measured('a', 1)], title='t').svg\n"
        "assert 'vl_convert' not in sys.modules"
    )

    subprocess.run([sys.executable, "-c", asked], check=True)
