"""Where lines are from, with links to those of each value."""

from urllib.parse import parse_qs, urlsplit

from izwi.web.pages import facets

from .parsing import one, page_of, words


def test_each_value_opens_as_many_lines_as_it_counts(client):
    page = page_of(client.get("/c/tiny/facets?q=bakkie&part=1"))

    items = page.cssselect(".facet-list li")
    assert len(items) > 4
    for item in items:
        link = one(item, "a").get("href").replace("/conc?", "/conc.json?")
        assert client.get(link).json()["hits"] == int(words(one(item, ".n")))


def test_facets_keep_what_was_asked_before(client):
    page = page_of(client.get("/c/tiny/facets?q=bakkie&from=2010&to=2010"))

    years = [words(each) for each in page.cssselect("section[aria-labelledby=facet-year] a")]
    assert years == ["2010"]


def test_a_concordance_offers_facets_only_where_they_count_all_its_lines(client):
    whole, some = (page_of(client.get(f"/c/tiny/conc?q=bakkie{x}")) for x in ("", "&sample=2"))

    assert one(whole, ".facets a").get("href") == "/c/tiny/facets?q=bakkie"
    assert not some.cssselect(".facets")


def test_facets_have_their_twins(client):
    rows = client.get("/c/tiny/facets.csv?q=bakkie").text.splitlines()

    assert rows[0].endswith("facet,value,hits")
    assert any(row.startswith("year,2010,") for row in rows)


def test_the_link_to_all_values_keeps_the_question(client, monkeypatch):
    monkeypatch.setattr(facets, "_MOST_VALUES", 1)
    asked = "q=bakkie&from=2010&where=source%3D%22first-pages%22%7Csource%3D%22later-pages%22"

    page = page_of(client.get(f"/c/tiny/facets?{asked}&case=1&sort=left&part=1"))

    link = page.cssselect("section[aria-labelledby=facet-publication] .hint a")[0].get("href")
    kept = parse_qs(urlsplit(link).query)
    assert kept.keys() == {"q", "from", "where", "case", "by"}
    assert client.get(link).status_code == 200
