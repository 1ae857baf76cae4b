import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.query.cql import parse
from izwi.web.pages.builder import HOWS, TIMES, WITHIN, TokenField, built_cql, read_fields

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


@given(st.lists(tokens, min_size=1, max_size=4), st.sampled_from(sorted(WITHIN)))
def test_what_was_put_together_is_read_back(fields, within):
    cql = built_cql(fields, within)
    read = read_fields(cql) if cql else None

    if cql:
        assert read is not None, cql
        assert parse(built_cql(*read)) == parse(cql)


@pytest.mark.parametrize(
    "cql", ['[lemma="a" | lemma="b"]', "1:[] 2:[] & 1.lemma = 2.lemma", '"a" []{2,5} "b"', "[word="]
)
def test_what_says_more_than_fields_is_not_bent_to_them(client, cql):
    assert read_fields(cql) is None
    page = page_of(client.get("/c/tiny/builder", params={"cql": cql}))
    assert cql in [each.get("value") for each in page.cssselect("input[name=cql]")]


def test_a_query_fills_the_fields_and_the_corpus_offers_its_values(client):
    asked = {"cql": '[lc="bak.*"] [pos="NN"]'}
    page = page_of(client.get("/c/tiny/builder", params=asked))

    assert [each.get("value") for each in page.cssselect("input[name=value]")] == ["bak", "NN"]
    chosen = page.cssselect("select[name=how] option[selected]")
    assert [each.get("value") for each in chosen] == ["begins", "is"]
    words_offered, tags = (
        [each.get("value") for each in one(page, f"#values-{number}")] for number in (1, 2)
    )
    assert "bakkie" in words_offered
    assert all(each.startswith("bak") for each in words_offered)
    assert "NN" in tags
    every = page_of(client.get("/c/tiny/builder?attribute=pos&how=is&value=&times=once"))
    assert {"NN", "IN"} <= {each.get("value") for each in one(every, "#values-1")}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('[word="bakkie"', '[word="bakkie"]'),
        ("[word=bakkie]", '[word="bakkie"]'),
        ("[word=“bakkie”]", '[word="bakkie"]'),
        ('[wo="bakkie"]', '[word="bakkie"]'),
        ('[tag="NN"]', '[pos="NN"]'),
        ('[word="bakkie]', '[word="bakkie"]'),
        ("[word=", '[word="the"]'),
        ('[word="', '[word="the"]'),
        ('[word="bakkie"] [tag=', '[word="bakkie"] [pos="IN"]'),
        ('[word="bakkie" & ]', '[word="bakkie"]'),
        ('[word="bakkie"] [', '[word="bakkie"]'),
        ('[word="bakkie"] withn <s/>', '[word="bakkie"] within <s/>'),
        ('[word="bakkie"] within', '[word="bakkie"]'),
        ('"bakkie" %x', '"bakkie"'),
        ('(meet "bakkie" "the" 9)', '(meet "bakkie" "the" -9 9)'),
    ],
)
def test_a_mistake_comes_with_a_proposal_that_runs(client, written, meant):
    headers = {"Accept-Language": "af"}
    answer = client.get("/c/tiny/conc", params={"q": written, "mode": "cql"}, headers=headers)
    page = page_of(answer)
    links = {
        words(each): each.getparent().get("href") for each in page.cssselect("main p.doing a code")
    }

    assert answer.status_code == 400
    assert "Miskien bedoel jy:" in words(one(page, "main"))
    assert meant in links
    assert client.get(links[meant]).status_code == 200


def test_how_a_query_is_answered_is_told_in_the_readers_language(client):
    asked = {"q": '[word="bakkie"] []* "the" within <s/>', "mode": "cql"}
    lines = page_of(client.get("/c/tiny/conc", params={"q": "bakkie"}))
    link = next(each for each in lines.cssselect("a") if "/explain?" in (each.get("href") or ""))
    page = page_of(client.get("/c/tiny/explain", params=asked, headers={"Accept-Language": "af"}))

    assert client.get(link.get("href")).status_code == 200
    told = words(one(page, "main"))
    assert 'loop as [word="bakkie"] []* [word="the"] within <s/>' in told
    assert "begin by [word=" in told
    assert "word beantwoord deur lyste van plekke" in told
