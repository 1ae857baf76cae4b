from izwi.web.pages.views import bar_chart


def test_years_without_a_value_keep_their_place():
    chart = bar_chart({2010: 5, 2013: 10}, slot=12, height=40)

    assert [bar.year for bar in chart.bars] == [2010, 2011, 2012, 2013]
    assert [bar.x for bar in chart.bars] == [0, 12, 24, 36]
    assert [bar.height for bar in chart.bars] == [20, 0, 0, 40]
    assert chart.width == 48


def test_bars_stand_on_the_ground():
    chart = bar_chart({2010: 1, 2011: 3}, slot=12, height=40)

    assert all(bar.y + bar.height == 40 for bar in chart.bars)


def test_no_years_give_no_bars():
    assert bar_chart({}, slot=12, height=40).bars == ()


def test_years_without_hits_are_flat():
    assert [bar.height for bar in bar_chart({2010: 0, 2011: 0}, slot=12, height=40).bars] == [0, 0]


def test_a_wrong_date_does_not_stretch_the_axis_over_centuries():
    assert [bar.year for bar in bar_chart({1: 1, 2010: 1}, slot=12, height=40).bars] == [1, 2010]
