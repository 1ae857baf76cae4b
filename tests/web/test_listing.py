from html import escape

from izwi.model.results import MonthCount
from izwi.web.pages.listing import calendar

from .parsing import page_of, words


def test_documents_are_listed_by_date_undated_ones_last(client):
    found = client.get("/c/tiny/docs.json").json()
    newest = client.get("/c/tiny/docs.json?sort=newest").json()

    days = [card["date"] for card in found["documents"]]
    dated = [day for day in days if day]
    assert days == sorted(dated) + [None] * (len(days) - len(dated))
    assert [card["date"] for card in newest["documents"]][: len(dated)] == dated[::-1]
    assert found["total"] == client.get("/c/tiny.json").json()["documents"]


def test_the_page_is_narrowed_and_paged(client):
    page = page_of(client.get("/c/tiny/docs?from=2010&to=2019&size=2"))

    rows = page.cssselect("tbody tr")
    assert len(rows) == 2
    assert all("201" in words(row.cssselect("td")[0]) for row in rows)
    follow = page.cssselect("a[rel=next]")[0].get("href")
    assert page_of(client.get(follow)).cssselect("tbody tr")


def test_what_cannot_be_listed_is_explained(client):
    for query in ("from=x", "page=99", "size=0", "sort=up", "where=["):
        answer = client.get(f"/c/tiny/docs?{query}")
        assert answer.status_code == 400
        assert page_of(answer).cssselect("[role=alert]")


def test_every_month_of_the_calendar_opens_its_documents(client):
    page = page_of(client.get("/c/tiny"))

    months = page.cssselect(".calendar td a")
    assert months
    for month in months:
        place, _, query = month.get("href").partition("?")
        assert client.get(f"{place}.json?{query}").json()["total"] == int(words(month))


def test_years_without_documents_show_as_gaps():
    months = (MonthCount("2014-03", 1, 10), MonthCount("2016-12", 2, 40))

    found = calendar(months)

    assert [year for year, _ in found] == [2016, 2015, 2014]
    assert [month.documents for month in found[1][1]] == [0] * 12
    assert found[2][1][2].shade == 2
    assert found[0][1][11].shade == 4


def test_readers_see_what_became_of_pages_and_why(client):
    found = client.get("/api/v1/c/tiny/drops?outcome=dropped").json()
    page = client.get("/c/tiny/drops?outcome=dropped").text

    assert found["total"] > 0
    assert all(escape(line["url"]) in page for line in found["lines"])
    assert client.get("/c/tiny/drops?url=nowhere-at-all").status_code == 200


def test_a_version_by_its_full_name_is_that_version(client):
    assert client.get("/c/tiny/docs.json?version=1").json()["snapshot"] == 1
    assert client.get("/c/tiny/docs.json?version=99").status_code == 400
    assert client.get("/c/tiny/docs.json?v=1&version=99").json()["snapshot"] == 1
