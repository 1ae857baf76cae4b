import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.query.cql import parse
from izwi.web.pages.builder import HOWS, TIMES, WITHIN, TokenField, built_cql

from .parsing import one, page_of, words

tokens = st.builds(
    TokenField,
    st.sampled_from(["word", "lc", "lemma", "pos"]),
    st.sampled_from([how for how in HOWS if how != "expression"]),
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=8),
    st.sampled_from(sorted(TIMES)),
)


@given(st.lists(tokens, min_size=1, max_size=4), st.sampled_from(sorted(WITHIN)))
def test_any_values_make_a_query_that_can_be_read(fields, within):
    cql = built_cql(fields, within)

    if any(field.value for field in fields):
        parse(cql)
    else:
        assert cql == ""


def test_the_page_shows_the_query_and_leads_to_its_lines(client):
    path = "/c/tiny/builder?attribute=word&how=begins&value=bak&times=once&within=s"
    page = page_of(client.get(path))

    cql = words(one(page, "pre"))
    assert cql == '[word="bak.*"] within <s/>'
    found = page_of(client.get(one(page, "section a.button").get("href")))
    assert {words(each)[:3] for each in found.cssselect("td.match")} == {"bak"}


@pytest.mark.parametrize(("act", "count"), [("more", 3), ("less", 1), ("", 2)])
def test_tokens_come_and_go(client, act, count):
    page = page_of(client.get("/c/tiny/builder", params={"value": ["a", "b"], "act": act}))

    assert len(page.cssselect(".tokens li")) == count


def test_a_bad_expression_is_explained(client):
    page = page_of(client.get("/c/tiny/builder?attribute=word&how=expression&value=("))

    assert page.cssselect("[role=alert]") or page.cssselect("section a.button")
