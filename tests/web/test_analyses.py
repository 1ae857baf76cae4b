import json
import shlex
from datetime import date
from urllib.parse import parse_qs, urlsplit

import pytest
from typer.testing import CliRunner

import izwi
from izwi.cli.main import app as commands
from izwi.model.errors import QueryTimeout
from izwi.web.pages.text_menu import example_phrase, example_words

from .parsing import one, page_of, words

PAGES = (
    "wordlist?most=20",
    "freq?q=bakkie&by=year",
    "freq?q=bakkie&by=source&and_by=year&from=2010&to=2019&src=first-pages",
    "coll?q=bakkie&least=1&most=15",
    "keywords?src=first-pages&least=1&sites=1&most=20",
    "ngrams?size=3&most=15",
    "dispersion?q=the&by=source",
    "trend?q=bakkie&by=year",
    "compare?first=where:source%3D%22first-pages%22&q=bakkie",
    "word/bakkie",
    "new?from=2019&least=1&sites=1",
)


def twin(path, kind):
    place, question, query = path.partition("?")
    return f"/c/tiny/{place}.{kind}{question}{query}"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_its_table_its_twins_and_the_way_to_it(client, path):
    page = page_of(client.get(f"/c/tiny/{path}"))
    twins = [client.get(twin(path, kind)) for kind in ("json", "csv", "tsv", "xlsx")]

    assert [each.status_code for each in twins] == [200] * 4
    assert page.cssselect("main table tbody tr")
    assert [words(each) for each in page.cssselect(".reproduce dt")] == [
        "Address",
        "Command",
        "Python",
        "curl",
    ]
    links = [each.get("href") for each in page.cssselect("footer a")]
    assert twin(path, "json").split("?")[0] in [link.split("?")[0] for link in links]


@pytest.mark.parametrize(
    "path", [page for page in PAGES if page.startswith(("freq", "coll", "tr"))]
)
def test_every_number_opens_as_many_lines_as_it_counts(client, path):
    page = page_of(client.get(f"/c/tiny/{path}"))
    heads = [words(each) for each in page.cssselect(".results thead th")]
    column = heads.index("Together" if path.startswith("coll") else "Hits")

    rows = page.cssselect(".results tbody tr")[:8]
    assert rows
    for row in rows:
        cell = row.cssselect("th, td")[column]
        shown = int(words(cell).replace(",", ""))
        if not shown:
            assert not cell.cssselect("a")
            continue
        place, _, query = cell.cssselect("a")[0].get("href").partition("?")
        found = client.get(f"{place}.json?{query}").json()["hits"]
        # A collocate may stand beside one hit more than once.
        assert found <= shown if path.startswith("coll") else found == shown


@pytest.mark.parametrize("path", [page for page in PAGES if not page.startswith(("word/", "comp"))])
def test_address_command_python_and_curl_give_the_same(client, corpus_folder, path):
    page = page_of(client.get(f"/c/tiny/{path}"))
    ways = {
        words(one(each, "dt")): words(one(each, "dd")) for each in page.cssselect(".reproduce div")
    }

    address = urlsplit(shlex.split(ways["curl"])[1])
    by_curl = client.get(f"{address.path}?{address.query}").json()
    expected = by_curl.get("lines") or by_curl.get("points") or by_curl["trends"][0]["points"]
    # By the folder: the corpus in it is called otherwise.
    text = ways["Python"].replace(f'izwi.open("{corpus_folder.name}")', "corpus")
    with izwi.open(corpus_folder) as corpus:
        found = eval(text, {"corpus": corpus, "datetime": __import__("datetime")})
    arguments = shlex.split(ways["Command"].replace("izwi ", "", 1))
    arguments[arguments.index(corpus_folder.name)] = str(corpus_folder)
    ran = CliRunner().invoke(commands, [*arguments, "--json"], catch_exceptions=False)

    assert len(found.lines) == len(expected) > 0
    key = next(name for name in ("value", "word", "period", "values") if name in expected[0])
    assert [plain(getattr(line, key)) for line in found.lines] == [
        plain(line[key]) for line in expected
    ]
    printed = json.loads(ran.stdout)
    lines = printed.get("lines") or printed["points"]
    assert [plain(line[key]) for line in lines] == [plain(line[key]) for line in expected]
    assert "v" in parse_qs(urlsplit(ways["Address"]).query)


def plain(value):
    return list(value) if isinstance(value, tuple) else value


@pytest.mark.parametrize(
    "path",
    ["freq", "coll", "dispersion", "trend", "compare"],
)
def test_without_a_query_there_is_a_form(client, path):
    answer = client.get(f"/c/tiny/{path}")

    assert answer.status_code == 200
    assert page_of(answer).cssselect("form[role=search] input")


@pytest.mark.parametrize(
    "path",
    [
        "freq?q=[",
        "freq?q=a&by=nonsense",
        "coll?q=a&measure=nonsense",
        "keywords?reference=/etc/passwd",
        "ngrams?size=99",
        "trend?q=a&by=nonsense",
        "trend?q=a&q=b&q=c&q=d&q=e&q=f&q=g",
        "compare?first=nonsense",
        "new?from=yesterday",
        "wordlist?from=nonsense",
    ],
)
def test_what_cannot_be_answered_is_explained_beside_the_form(client, path):
    answer = client.get(f"/c/tiny/{path}")

    assert answer.status_code == 400
    page = page_of(answer)
    assert words(one(page, "[role=alert], .problem"))
    assert str(date.today().year) not in words(one(page, "[role=alert], .problem"))


def test_a_limit_that_bites_says_so(client):
    page = page_of(client.get("/c/tiny/wordlist?most=5"))

    assert "The first 5 of" in words(one(page, "main"))


@pytest.mark.parametrize("path", ["dispersion?q=the&most=1", "ngrams?most=1"])
def test_a_table_that_is_cut_offers_more_lines(client, path):
    page = page_of(client.get(f"/c/tiny/{path}"))

    assert "The first 1" in words(page.cssselect("main")[0])
    assert [words(each) for each in page.cssselect('main a[href*="most=500"]')] == ["Show 500"]


def test_frequencies_say_which_share_of_the_hits_each_line_has(client):
    lines = client.get("/c/tiny/freq.json?q=the&by=publication").json()["lines"]
    page = page_of(client.get("/c/tiny/freq?q=the&by=publication"))

    assert sum(line["share"] for line in lines) == pytest.approx(1)
    assert words(page.cssselect('[data-label="Share of hits"]')[0]).endswith(" %")


def test_sequences_are_those_with_a_word(client):
    found = client.get("/c/tiny/ngrams.json?size=2&least=1&holding=Bakkies%3F").json()["lines"]

    assert found
    assert all("bakkie" in line["value"] for line in found)


def test_a_dispersion_names_documents_by_their_titles(client):
    page = page_of(client.get("/c/tiny/dispersion?q=bakkie"))

    cell = page.cssselect(".results tbody th")[0]
    assert one(cell, "a").get("href").startswith("/c/tiny/doc/")
    assert words(one(cell, "a")) not in one(cell, "a").get("href")


def test_collocations_are_of_content_words_unless_all_are_wanted(client):
    some, every = (
        [words(each) for each in page_of(client.get(f"/c/tiny/coll?q=bakkie&least=1{x}")).cssselect(
            ".results tbody th"
        )]
        for x in ("", "&words=all")
    )  # fmt: skip

    assert "the" in every
    assert "the" not in some
    assert set(some) < set(every)


@pytest.mark.parametrize(
    ("view", "figures", "scales"), [("beside", 2, 1), ("own", 2, 2), ("together", 1, 1)]
)
def test_several_words_have_small_charts_or_share_one(client, view, figures, scales):
    page = page_of(client.get(f"/c/tiny/trend?q=bakkie&q=the&by=year&view={view}"))

    drawn = page.cssselect("figure.drawn .wide svg")
    # The highest number of each axis of rates.
    tops = {
        max(float(each.replace(",", "")) for each in _texts(svg) if _is_tick(each)) for svg in drawn
    }
    assert len(page.cssselect("section.trend")) == 2
    assert (len(drawn), len(tops)) == (figures, scales)


def _texts(svg):
    return [
        "".join(each.itertext()).strip() for each in svg.iter() if str(each.tag).endswith("text")
    ]


def _is_tick(text):
    number = text.replace(",", "")
    return number.isdecimal() and not 2000 <= int(number) <= 2030


def _analyses_offered(page):
    return {words(each): each.get("href") for each in page.cssselect("nav.sub a")}


@pytest.mark.parametrize("path", ["conc", "freq", "coll", "dispersion", "trend"])
def test_a_query_goes_along_to_the_other_analyses_with_its_documents(client, path):
    asked = "q=bakkie&mode=word&from=2010&src=first-pages"

    page = page_of(client.get(f"/c/tiny/{path}?{asked}"))

    offered = _analyses_offered(page)
    for name in ("Lines", "Frequencies", "Collocations", "Dispersion", "Trend"):
        assert parse_qs(urlsplit(offered[name]).query) == parse_qs(asked), name
    assert offered["Word profile"] == "/c/tiny/word/bakkie"
    assert parse_qs(urlsplit(offered["Thesaurus"]).query)["word"] == ["bakkie"]


@pytest.mark.parametrize("query", ["the bakkie", '[word="bakkie"]'])
def test_what_is_no_single_word_has_no_sketch_to_go_to(client, query):
    page = page_of(client.get("/c/tiny/conc", params={"q": query}))

    assert list(_analyses_offered(page)) == [
        "Lines", "Frequencies", "Collocations", "Dispersion", "Trend",
    ]  # fmt: skip


@pytest.mark.parametrize("path", ["freq?by=year", "coll?least=1", "dispersion?by=source"])
def test_the_hits_of_chosen_documents_open_their_lines_alone(client, path):
    page = page_of(client.get(f"/c/tiny/{path}&q=the&from=2019"))

    (link,) = [each for each in page.cssselect("main a") if each.get("href", "").startswith(
        "/c/tiny/conc?q=the&")][:1]  # fmt: skip
    opened = page_of(client.get(link.get("href")))

    assert parse_qs(urlsplit(link.get("href")).query)["from"] == ["2019"]
    assert words(opened.cssselect(".result dd")[0]) == words(link).split()[0]


@pytest.mark.parametrize("path", ["conc", "freq", "trend"])
def test_examples_are_words_of_the_corpus_itself(client, path):
    page = page_of(client.get(f"/c/tiny/{path}"))

    examples = [each.get("href") for each in page.cssselect(".hints a") if "q=" in each.get("href")]
    assert examples
    for each in examples:
        answer = client.get("/c/tiny/conc.json?" + urlsplit(each).query.split("&q=")[0])
        assert answer.json()["hits"]


def test_keywords_name_the_other_text_in_the_readers_language(client):
    path = "/c/tiny/keywords?where=source%3D%22first-pages%22&least=1&sites=1"

    page = page_of(client.get(path, headers={"Accept-Language": "af"}))

    assert "die res van die korpus" in words(page.cssselect(".byline")[0])


def test_lines_show_lemma_and_tag_of_each_token_if_wanted(client):
    plain = page_of(client.get("/c/tiny/conc?q=bakkie"))
    (link,) = [each for each in plain.cssselect(".switches a") if words(each) == "lemma"]

    shown = page_of(client.get("/c/tiny/conc" + link.get("href")))

    assert not plain.cssselect(".kwic td i")
    assert {words(each).lower() for each in shown.cssselect("td.match")} == {"bakkie/bakkie"}
    assert shown.cssselect('form input[name="show"]')[0].get("value") == "lemma"
    (link,) = [each for each in shown.cssselect(".switches a") if words(each) == "lemma"]
    assert "show" not in link.get("href")


def test_fifty_lines_with_lemma_and_tag_are_no_heavy_page(client):
    page = client.get("/c/tiny/conc?q=the&size=50&show=lemma&show=pos")

    assert len(page_of(page).cssselect(".kwic tbody tr")) == 50
    assert len(page.content) < 150_000


def test_a_profile_says_what_it_counts_and_stays_in_its_version(client):
    lines = page_of(client.get("/c/tiny/conc?q=bakkie&v=1"))
    (link,) = [each for each in lines.cssselect("nav.sub a") if words(each) == "Word profile"]

    page = page_of(client.get(link.get("href")))

    told = client.get("/c/tiny/word/bakkie.json?v=1").json()
    assert words(page.cssselect("code")[0]) == told["cql"]
    links = [each.get("href") for each in page.cssselect("main a")]
    counted = [each for each in links if "/conc?" in each or "/word/bakkie." in each]
    assert len(counted) > 4
    assert all("v=1" in each for each in counted)


@pytest.mark.parametrize("path", ["freq?q=bakkie", "coll?q=bakkie&least=1", "trend?q=bakkie"])
def test_what_is_drawn_of_a_version_opens_lines_of_it(client, path):
    page = page_of(client.get(f"/c/tiny/{path}&v=1"))

    links = [each.get("href") for each in page.cssselect("figure.drawn svg a")]
    assert links
    assert {parse_qs(urlsplit(each).query)["v"][0] for each in links} == {"1"}


def test_nobody_waits_for_examples():
    asked = []

    class Large:
        def __getattr__(self, name):
            def count(*_sizes, timeout, **_asked):
                asked.append(timeout)
                raise QueryTimeout("It takes too long.")

            return count

    assert (example_words(Large()), example_phrase(Large())) == ((), "")
    assert max(asked) <= 2
