"""Where lines are from, with links to those of each value."""

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
