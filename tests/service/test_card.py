from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

import pytest

from izwi.export.card import card_page, year_chart
from izwi.model.card import Share
from izwi.model.errors import QueryError


def test_every_part_of_the_card_adds_up_to_the_corpus(built):
    card = built.card()

    summary = built.summary()
    assert (card.documents, card.tokens) == (summary.documents, summary.tokens)
    for name in ("years", "languages", "sources", "hosts", "date_evidence", "date_precision"):
        shares = getattr(card, name)
        assert sum(each.documents for each in shares) == card.documents, name
        assert sum(each.tokens for each in shares) == card.tokens, name
    assert [each.name for each in card.hosts] == ["courant.example"]
    assert card.effective_hosts == 1.0
    assert {each.name for each in card.sources} == {"feed", "pages"}
    assert card.first == date(2020, 3, 1)


def test_an_unknown_version_has_no_card(built):
    with pytest.raises(QueryError, match="no version 9"):
        built.card(version=9)


class Balance(HTMLParser):
    """Collects the elements that are open."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_balanced_and_escapes_what_pages_say(built):
    hostile = Share('<script>"&', 1, 1)
    card = replace(built.card(), title="A & <b>", hosts=(hostile,), languages=(hostile,))
    reader = Balance()

    reader.feed(card_page(card))

    assert reader.open == []
    assert "script" not in reader.seen
    assert {"svg", "rect", "table"} <= set(reader.seen)


def test_the_chart_has_a_place_for_years_without_documents():
    chart = year_chart((Share("", 3, 9), Share("2012", 2, 9), Share("2014", 4, 9)))

    assert chart.count("<rect") == 3
    assert 'height="60.0"' in chart
    assert year_chart((Share("", 3, 9),)) == ""
