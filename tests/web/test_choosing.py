"""Texts to compare are chosen by name; nobody needs to know how conditions are written."""

import re

import pytest

from izwi.web.pages.text_menu import _in_years

from .parsing import one, page_of, words

OWN = r'source="first\-pages"'


def options(page, name):
    return {
        words(each): each.get("value") for each in one(page, f"select[name={name}]").iter("option")
    }


def test_keywords_offer_sources_sections_and_years(client):
    page = page_of(client.get("/c/tiny/keywords"))

    offered = options(page, "of")
    assert offered["first-pages"] == OWN
    assert offered["2010"] == 'date="2010.*"'
    assert next(iter(options(page, "reference"))) == "the rest of the corpus"
    assert not page.cssselect(".problem")


def test_an_example_leads_to_keywords(client):
    page = page_of(client.get("/c/tiny/keywords"))

    links = [each.get("href") for each in page.cssselect(".hints li a")]
    assert links
    found = page_of(client.get(links[0]))
    assert found.cssselect(".results tbody tr") or "Nothing to count." in words(found)


def test_the_chosen_text_stays_chosen_and_can_be_repeated(client):
    page = page_of(client.get("/c/tiny/keywords", params={"of": OWN, "sites": 1}))

    assert words(one(page, "select[name=of] option[selected]")) == "first-pages"
    assert f"--where '{OWN}'" in words(one(page, ".reproduce"))


def test_a_text_that_was_chosen_and_a_condition_count_together(client):
    asked = {"of": OWN, "where": 'date="2023.*"', "least": 1, "sites": 1}

    page = page_of(client.get("/c/tiny/keywords", params=asked))

    field = one(page, "input[name=where]").get("value")
    assert field == f'({OWN}) & (date="2023.*")'


@pytest.mark.parametrize("name", ["first-pages", "2010", "2010-2017", "karoocourant.example"])
def test_a_plain_name_is_understood(client, name):
    answer = client.get("/c/tiny/compare", params={"first": name, "second": "rest"})
    twin = client.get("/c/tiny/compare.json", params={"first": name, "most": 5})

    assert answer.status_code == twin.status_code == 200
    assert words(one(page_of(answer), "select[name=second] option[selected]")) == (
        "the rest of the corpus"
    )


def test_years_that_end_before_they_begin_are_refused(client):
    answer = client.get("/c/tiny/compare", params={"first": "2019-2010", "second": "rest"})

    assert answer.status_code == 400
    assert "write 2010-2019" in words(one(page_of(answer), ".problem"))


def test_a_long_span_of_years_is_not_cut():
    condition = re.compile(_in_years(1795, 2023).removeprefix('date="').removesuffix('"'))

    years = [year for year in range(1700, 2100) if condition.fullmatch(f"{year}-03-01")]
    assert years == list(range(1795, 2024))


def test_an_unknown_name_says_what_there_is(client):
    answer = client.get("/c/tiny/compare", params={"first": "herald"})

    assert answer.status_code == 400
    problem = words(one(page_of(answer), ".problem"))
    assert (
        "There is no text 'herald' here. Name a publication, a source (first-pages, later-pages)"
        in problem
    )


def test_the_twin_of_a_comparison_has_all_that_is_compared(client):
    asked = {"first": "first-pages", "second": "later-pages", "q": "bakkie", "least": 1}

    rows = client.get("/c/tiny/compare.tsv", params=asked).text.splitlines()

    assert {row.split("\t")[0] for row in rows[1:]} == {"query", "collocate", "keyword"}
    assert rows[0].startswith("part\ttext\t")
