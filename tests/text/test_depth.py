from izwi.text.depth import shallow

MANY = 30_000


def test_only_what_lies_too_deep_loses_its_tags():
    page = "<div>" * MANY + "deep" + "</div>" * MANY + "<b>after</b>"

    found = shallow(page)

    assert found == "<div>" * 1000 + "deep" + "</div>" * 1000 + "<b>after</b>"


def test_long_lists_stay_as_they_are():
    for page in ("<tr><td>x" * MANY, "<b>x</b>" * MANY, "<br>" * MANY):
        assert shallow(page) == page


def test_unfinished_tags_are_read_once():
    page = "<a href='" * 100_000

    assert shallow(page).count("<a") <= 1000
