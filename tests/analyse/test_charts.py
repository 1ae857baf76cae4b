import sys
import xml.etree.ElementTree as tree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.model.errors import MissingExtra
from izwi.model.results import FunnelStep
from izwi.presentation.charts import (
    Edge,
    HostShare,
    Key,
    Measured,
    Occurrence,
    Point,
    bar_chart,
    barcode_chart,
    curves_chart,
    funnel_chart,
    gini,
    host_chart,
    keyness_chart,
    network_chart,
    trend_chart,
)
from izwi.presentation.charts.words import MOST_WORDS, layout

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert('\"&')</script>\x00\ud800]}#"
POINTS = [
    Point("2010", 3.5, 2.0, 5.0, hits=10, tokens=1000),
    Point("2011", None),
    Point("2012", 7.5, 4.0, 9.0, hits=20, tokens=1000, is_complete=False),
]

CHARTS = {
    "trend": lambda word, link: trend_chart(
        [Point(word, 1.5, 1.0, 2.0), *POINTS], title=word, link=lambda _: link
    ),
    "barcode": lambda word, link: barcode_chart(
        [Occurrence(word, 0.1, word), Occurrence(word, 0.9)], title=word, link=lambda _: link
    ),
    "bars": lambda word, link: bar_chart(
        [Measured(word, 5, 4, 6), Measured("a", 3)], title=word, unit=word, link=lambda _: link
    ),
    "keyness": lambda word, link: keyness_chart(
        [Key(word, 12.5, 3.0), Key("b", 0.0, -2.0)], title=word, measure=word, link=lambda _: link
    ),
    "hosts": lambda word, link: host_chart(
        [HostShare(word, 5, 100), HostShare("b", 0, 50)], title=word
    ),
    "funnel": lambda word, link: funnel_chart(
        [FunnelStep(word, 10), FunnelStep("kept", 4)], title=word, losses=["", word]
    ),
    "network": lambda word, link: network_chart(
        [Edge("a", word, 5.0), Edge("a", "b", 3.0)], title=word, measure=word, link=lambda _: link
    ),
}
LINKED = sorted(CHARTS.keys() - {"hosts", "funnel"})


def root_of(svg):
    return tree.fromstring(svg.encode())


@pytest.mark.parametrize("kind", CHARTS)
def test_a_chart_has_a_title_a_description_and_a_table(kind):
    chart = CHARTS[kind]("bakkie", "")

    root = root_of(chart.svg)

    assert root.get("role") == "img"
    assert [part.tag for part in root][:2] == [f"{SVG}title", f"{SVG}desc"]
    assert root[0].text == "bakkie"
    assert root[1].text == chart.description != ""
    assert root.get("aria-labelledby") == f"{root[0].get('id')} {root[1].get('id')}"
    assert len(chart.table()) == len(chart.rows) == len(chart) > 0
    assert "bakkie" in chart.csv()


@pytest.mark.parametrize("kind", CHARTS)
def test_hostile_words_stay_words(kind):
    chart = CHARTS[kind](HOSTILE, "")

    for svg in (chart.svg, chart.inline_svg):
        assert not [part for part in root_of(svg).iter() if part.tag == f"{SVG}script"]
    assert "<script>" not in chart._repr_html_()


@pytest.mark.parametrize("kind", CHARTS)
def test_a_specification_is_one_that_altair_accepts(kind):
    assert CHARTS[kind]("bakkie", "").altair().to_dict(validate=True)["config"]


def test_where_altair_is_not_installed_one_reads_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "altair", None)

    with pytest.raises(MissingExtra, match=r"pip install 'izwi\[altair\]'"):
        CHARTS[next(iter(CHARTS))]("bakkie", "").altair()


@pytest.mark.parametrize("kind", LINKED)
def test_marks_lead_to_their_lines(kind):
    svg = CHARTS[kind]("bakkie", "/c/news/conc?q=a&b=%3C1%3E").svg

    links = [part.get("href") for part in root_of(svg).iter(f"{SVG}a")]

    assert set(links) == {"/c/news/conc?q=a&b=%3C1%3E"}
    assert root_of(svg).get("role") == "group"
    assert "invalid" not in svg


@pytest.mark.parametrize("kind", CHARTS)
def test_marks_without_lines_lead_nowhere(kind):
    svg = CHARTS[kind]("bakkie", "").svg

    assert not list(root_of(svg).iter(f"{SVG}a"))
    assert "vega.github.io" not in svg
    assert "row.invalid" not in svg


@pytest.mark.parametrize("kind", LINKED)
@pytest.mark.parametrize("link", ["javascript:alert(1)", "//evil.example/", "data:text/html,x"])
def test_no_mark_leads_to_a_script_or_to_an_address_in_disguise(kind, link):
    svg = CHARTS[kind]("bakkie", link).svg

    assert not list(root_of(svg).iter(f"{SVG}a"))
    assert link not in svg


NOTHING = {
    "trend": lambda: trend_chart([], title="none"),
    "trend without text": lambda: trend_chart([Point("2010", None)], title="none"),
    "barcode": lambda: barcode_chart([], title="none"),
    "bars": lambda: bar_chart([], title="none"),
    "keyness": lambda: keyness_chart([], title="none"),
    "hosts": lambda: host_chart([], title="none"),
    "hosts without hits": lambda: host_chart([HostShare("a", 0, 0)], title="none"),
    "funnel": lambda: funnel_chart([], title="none"),
    "network": lambda: network_chart([], title="none"),
}


@pytest.mark.parametrize("kind", NOTHING)
def test_a_chart_of_nothing_says_so(kind):
    assert root_of(NOTHING[kind]().svg)[1].text.startswith(("No", "There"))


def test_a_page_gives_its_colours_and_a_file_has_its_own():
    chart = bar_chart([Measured("a", 1)], title="bars")

    assert "var(--bar, #4d8c9b)" in chart.inline_svg
    assert "<style>" not in chart.inline_svg
    assert "prefers-color-scheme:dark" in chart.svg
    assert "var(" not in chart.svg


def test_two_charts_on_one_page_share_no_ids():
    charts = [trend_chart(POINTS, title="one"), trend_chart(POINTS, title="two")]

    first, second = (
        {part.get("id") for part in root_of(chart.inline_svg).iter() if part.get("id")}
        for chart in charts
    )

    assert not first & second


def test_more_bars_than_can_be_read_stay_in_the_table_and_are_spoken_of():
    chart = bar_chart([Measured(f"w{n}", n) for n in range(100)], title="many")

    assert len(chart) == 100
    assert "60 of 100" in chart.description


def test_a_barcode_of_many_hits_says_how_many_are_drawn():
    chart = barcode_chart([Occurrence("a", n / 5000) for n in range(5000)], title="many")

    assert len(chart) <= 2000
    assert "5,000 hits" in chart.description
    assert f"{len(chart):,} of them" in chart.description


def test_a_network_of_many_words_draws_some_and_keeps_all_in_its_table():
    chart = network_chart([Edge("a", f"w{n}", float(n)) for n in range(100)], title="many")

    assert len(chart) == 100
    assert f"{MOST_WORDS} words" in chart.description
    assert "in the table: 41" in chart.description


def test_names_that_would_lie_upon_each_other_are_left_to_the_table():
    keys = [Key(f"same{number}", 100.0, 2.0) for number in range(9)] + [Key("far", 1.0, -2.0)]

    svg = keyness_chart(keys, title="keys").svg

    drawn = [text.text or "" for text in root_of(svg).iter(f"{SVG}text")]
    assert [word for word in drawn if word.startswith(("same", "far"))] == ["same0", "far"]


def test_points_without_text_are_told_and_break_no_line():
    chart = trend_chart(POINTS, title="bakkie", link=lambda point: f"/c/x?from={point.period}")

    assert "2012: 7.5 per million, 20 hits, not complete" in chart.svg
    assert chart.table()[1]["per_million"] is None
    assert "highest in 2012 (7.5)" in chart.description


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=50))
def test_the_gini_coefficient_is_the_mean_difference_over_twice_the_mean(counts):
    size, total = len(counts), sum(counts)
    apart = sum(abs(one - other) for one in counts for other in counts)

    expected = apart / (2 * size * total) if total else 0.0

    assert gini(counts) == pytest.approx(expected, abs=1e-9)


@settings(max_examples=25)
@given(st.integers(0, 40))
def test_a_layout_keeps_points_apart_and_is_the_same_every_time(size):
    edges = [(0, other, 1.0) for other in range(1, size)]

    places = layout(size, edges)

    assert places.shape == (size, 2)
    assert (places == layout(size, edges)).all()
    assert len({tuple(place) for place in places.round(4).tolist()}) == size


def test_an_interval_that_would_dwarf_the_bars_is_cut():
    chart = bar_chart([Measured("a", 10, 5, 20), Measured("b", 5, 0, 400_000)], title="x")

    svg = chart.svg
    assert "400,000" not in svg
    assert "cut where there is an arrow" in chart.description
    assert chart.rows[1][3] == 400_000


# Words that are code somewhere: in JavaScript, in Vega's expressions, in the path of a field.
CODE = ["if", "in", "this", "null", "true", "constructor", "__proto__", "toString", "valueOf"]
CODE += ["hasOwnProperty", "datum", "signal", "width", "isValid", "eval", "undefined"]
QUOTES = [
    "'",
    '"',
    "`",
    "\\'",
    "a.b",
    "a[0]",
    "${x}",
    "{{x}}",
    "]]>",
    "\u2028",
    "\n",
    '"]);alert(1)//',
]
QUOTES += ["'+alert(1)+'", "=1+1", "", " ", "\u202e", "🦓"]


@pytest.mark.parametrize("kind", CHARTS)
def test_words_that_are_code_elsewhere_are_only_words(kind):
    for word in (*CODE, *QUOTES):
        drawn = tree.fromstring(CHARTS[kind](word, "").svg)

        assert not [part for part in drawn.iter() if part.tag == f"{SVG}script"]
        assert drawn.tag == f"{SVG}svg"


def test_bars_have_the_names_of_their_things_in_order():
    names = ["if", "b", "if", "'", "a.b"]
    chart = bar_chart([Measured(name, 5 - n) for n, name in enumerate(names)], title="t")

    labels = [
        text.text.rstrip("\u200b")
        for text in tree.fromstring(chart.svg).iter(f"{SVG}text")
        if text.text and text.text.rstrip("\u200b") in names
    ]

    assert labels == names


def test_no_chart_pastes_data_into_an_expression():
    marked = "zqmark"

    def expressions(node, key=""):
        if isinstance(node, dict):
            for name, value in node.items():
                yield from expressions(value, name)
        elif isinstance(node, list):
            for value in node:
                yield from expressions(value, key)
        elif isinstance(node, str) and (
            "expr" in key.lower() or key in ("test", "filter", "signal", "calculate")
        ):
            yield node

    for kind, make in CHARTS.items():
        found = [
            text for text in expressions(dict(make(marked, "").specification)) if marked in text
        ]
        assert not found, (kind, found)


def test_a_band_that_goes_on_beyond_the_picture_is_marked():
    wide = [Point(str(year), 100.0, 50.0, 150.0, 9) for year in range(2010, 2014)]
    cut = [*wide, Point("2014", 100.0, 10.0, 900.0, 9)]

    told, whole = (trend_chart(points, title="bakkie") for points in (cut, wide))

    assert "An arrow at the top" in told.description
    assert [row["cut"] for row in told.specification["data"]["values"]] == [None] * 4 + [200.0]
    assert "arrow" not in whole.description


def test_too_few_hits_are_counted_and_not_followed():
    few = [Point(str(year), 0.0, 0.0, 900.0) for year in range(2010, 2014)]
    chart = trend_chart([*few, Point("2014", 300.0, 10.0, 900.0, 1)], title="lobola")

    assert "1 in 5 periods are too few for rates" in chart.description
    assert "95 %" not in chart.description
    assert chart.specification["mark"]["type"] == "bar"


def test_measures_at_each_cut_off_are_lines_with_the_best_in_words():
    chart = curves_chart(
        [("precision", [0.5, 0.9]), ("recall", [0.8, 0.4])], ["0.30", "0.60"], title="Cut-offs"
    )

    assert chart.description == "Highest: precision 0.900 at 0.60, recall 0.800 at 0.30."
    assert len(chart) == 4
    assert all(word in chart.svg for word in ("Cut-offs", "precision", "recall", "0.30"))
