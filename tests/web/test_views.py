from concurrent.futures import ThreadPoolExecutor
from urllib.parse import parse_qs, urlsplit

import pytest

import izwi
from izwi.web.app import create_app

from .parsing import one, page_of, words
from .serving import asking


def numbers(page):
    """Return the big numbers of a page by their names."""
    return {
        words(one(each, "dt")): words(one(each, "dd")) for each in page.cssselect("dl.numbers div")
    }


@pytest.fixture
def unbuilt(tmp_path):
    """A client of a corpus in which nothing has been gathered or built."""
    izwi.create(tmp_path / "empty", contact="https://example.org/bot")
    with asking(create_app([tmp_path / "empty"])) as client:
        yield client


class TestIndex:
    def test_a_single_corpus_still_has_a_list(self, client):
        page = page_of(client.get("/"))

        link = one(page, ".entry h2 a")
        assert (link.get("href"), words(link)) == ("/c/tiny", "Tiny & small")
        assert one(page, ".entry form").get("action") == "/c/tiny/conc"

    def test_the_twin_has_the_same_corpora(self, client):
        (entry,) = client.get("/corpora.json").json()

        assert entry["name"] == "tiny"
        assert entry["snapshot"] == 2
        assert entry["documents"] > 0
        assert entry["problem"] == ""

    def test_a_damaged_corpus_does_not_hide_the_others(self, corpus_folder, own_folder):
        settings = own_folder / "corpus.toml"
        settings.write_text(settings.read_text().replace('name = "tiny"', 'name = "broken"', 1))
        (own_folder / "index/snapshots/0002.json").write_text("{")

        with asking(create_app([corpus_folder, own_folder])) as client:
            answer = client.get("/")

        broken, tiny = page_of(answer).cssselect(".entry")
        assert "cannot be read" in words(broken)
        assert "documents" in words(tiny)
        assert str(own_folder) not in answer.text

    def test_a_new_corpus_has_no_version(self, unbuilt):
        assert "No version has been published yet" in unbuilt.get("/").text


class TestHome:
    def test_the_page_says_what_the_twin_says(self, client):
        page, twin = page_of(client.get("/c/tiny")), client.get("/c/tiny.json").json()

        assert words(one(page, "h1")) == twin["title"] == "Tiny & small"
        assert numbers(page) == {
            "documents": f"{twin['documents']:,}",
            "tokens": f"{twin['tokens']:,}",
            "copies folded": "1",
            "publications": str(len(twin["publications"])),
            "version": "2",
        }

    def test_the_server_keeps_its_folders_to_itself(self, client, corpus_folder):
        for path in ("/c/tiny", "/c/tiny.json", "/api/v1/c/tiny/summary"):
            assert str(corpus_folder) not in client.get(path).text

    def test_the_chart_has_its_numbers_in_a_table(self, client):
        page = page_of(client.get("/c/tiny"))
        twin = client.get("/c/tiny.json").json()

        table = one(page, ".years table")
        rows = [[words(cell) for cell in row] for row in table.cssselect("tbody tr")]
        assert rows == [
            [str(year["year"]), f"{year['hits']:,}", f"{year['tokens']:,}"]
            for year in twin["years"]
        ]
        chart = one(page, ".chart svg")
        assert words(one(chart, "svg > title")) == "Tokens by year of publication"
        assert "2010 to 2023" in words(one(chart, "svg > desc"))
        assert len(chart.cssselect(".bar")) == 2023 - 2010 + 1

    def test_each_source_has_its_row(self, client):
        page = page_of(client.get("/c/tiny"))

        table = page.cssselect("section[aria-labelledby=sources] table")[0]
        rows = [[words(cell) for cell in row] for row in table.cssselect("tbody tr")]
        assert [row[:2] for row in rows] == [["first-pages", "pages"], ["later-pages", "pages"]]
        assert rows[0][3] == "7"
        assert rows[0][6:] == ["2010-02-19", "2023-10-19"]

    def test_each_number_of_the_funnel_opens_what_it_counts(self, client):
        page = page_of(client.get("/c/tiny"))

        links = page.cssselect(".funnel a")
        why = {words(link.getparent()).split(" ", 1)[1] for link in links}
        assert why == {"the same text as another page", "the server answered 404"}
        titles = {each.get("title") for each in page.cssselect(".loss [title]")}
        assert "dropped, dedup: exact-copy" in titles
        for link in links:
            assert client.get(link.get("href")).status_code == 200
            found = client.get(f"/api/v1{link.get('href')}").json()
            assert found["total"] == int(words(link))

    def test_the_citation_names_version_and_day(self, client):
        twin = client.get("/c/tiny.json").json()

        citation = words(one(page_of(client.get("/c/tiny")), ".citation"))
        assert citation.startswith("Tiny & small [tiny]. Version 2, published ")
        assert twin["published"][:10] in citation

    def test_an_earlier_version_can_be_seen(self, client):
        earlier, newest = (client.get(f"/c/tiny.json{v}").json() for v in ("?v=1", ""))

        assert earlier["snapshot"] == 1
        assert earlier["documents"] < newest["documents"]
        page = page_of(client.get("/c/tiny?v=1"))
        assert numbers(page)["documents"] == str(earlier["documents"])
        assert one(page, "input[name=v]").get("value") == "1"

    def test_a_corpus_without_anything_has_a_home(self, unbuilt):
        page = page_of(unbuilt.get("/c/empty"))

        assert "No version has been published yet" in words(one(page, "main"))
        assert not page.cssselect(".chart")


class TestConcordance:
    def test_the_page_shows_the_lines_of_the_twin(self, client):
        page = page_of(client.get("/c/tiny/conc?q=bakkie&sort=left"))
        twin = client.get("/c/tiny/conc.json?q=bakkie&sort=left").json()

        rows = [
            tuple(words(one(row, f"td.{side}")) for side in ("left", "match", "right"))
            for row in page.cssselect(".kwic tbody tr")
        ]
        assert len(rows) == twin["hits"] > 10
        for (left, match, right), line in zip(rows, twin["lines"], strict=True):
            assert " ".join(line["left"].split()).endswith(left.replace("¶ ", ""))
            assert (match, right.replace("¶ ", "")) == (line["match"], line["right"].strip())

    def test_a_sign_stands_where_a_paragraph_begins(self, client):
        page = page_of(client.get("/c/tiny/conc?q=bakkie&ctx=30"))
        line = client.get("/c/tiny/conc.json?q=bakkie&ctx=30").json()["lines"][0]

        marks = page.cssselect("#hit-1 .break")
        assert len(marks) == len(line["breaks"]) > 0
        assert {mark.get("aria-hidden") for mark in marks} == {"true"}

    def test_the_counts_stand_above_the_lines(self, client):
        shown = numbers(page_of(client.get("/c/tiny/conc?q=bakkie")))
        twin = client.get("/c/tiny/conc.json?q=bakkie").json()

        assert shown == {
            "hits": str(twin["hits"]),
            "per million": f"{twin['per_million']:,.0f}",
            "documents": str(twin["documents"]),
            "publications": str(twin["publications"]),
        }

    def test_each_line_shows_its_date(self, client):
        page = page_of(client.get("/c/tiny/conc?q=bakkie"))

        shown = {words(each) for each in page.cssselect(".kwic .when")}
        assert {"2010-02-19", "2023-10-19"} <= shown

    def test_a_document_with_a_copy_says_so(self, client):
        page = page_of(client.get("/c/tiny/conc?q=skollie"))

        assert {words(each) for each in page.cssselect(".kwic .copies")} == {"+1 copy"}

    def test_a_line_opens_to_what_is_known_of_its_document(self, client):
        page = page_of(client.get("/c/tiny/conc?q=bakkie&to=2010-02"))

        card = page.cssselect(".kwic details dl.card")[0]
        known = {words(one(each, "dt")): words(one(each, "dd")) for each in card.cssselect("div")}
        assert known["Title"] == "Pothole swallows wheel, plumber plants a tree in it"
        assert known["Author"] == "Sipho Radebe"
        assert known["Date"] == "2010-02-19 exact to the day, from JSON-LD"
        assert known["Section"] == "News"
        assert known["Publication"] == "Egoli Evening Post"
        assert known["Language"] == "eng"
        assert known["Captured"].endswith("UTC archived page")
        assert known["Hit"].split()[0] in known["Cite"]
        link = one(card, ".address a")
        assert link.get("href") == known["Address"]
        assert set(link.get("rel").split()) == {"noreferrer", "noopener", "nofollow"}

    @pytest.mark.parametrize("sort", ["date", "newest", "left", "node", "right", "source"])
    def test_the_chosen_order_is_kept_in_the_form(self, client, sort):
        page = page_of(client.get(f"/c/tiny/conc?q=bakkie&sort={sort}"))

        assert one(page, "select[name=sort] option[selected]").get("value") == sort

    def test_a_random_order_follows_its_seed(self, client):
        def ids(seed):
            found = client.get(f"/c/tiny/conc.json?q=bakkie&sort=random&seed={seed}").json()
            return [line["id"] for line in found["lines"]]

        assert ids(1) == ids(1)
        assert ids(1) != ids(2)
        assert sorted(ids(1)) == sorted(ids(2))

    def test_the_form_keeps_what_was_asked(self, client):
        page = page_of(
            client.get(
                "/c/tiny/conc?q=bakkie&from=2010&to=2023-10&src=first-pages&ctx=5&size=7&case=1&seed=9&v=1"
            )
        )

        def value(name):
            return one(page, f"form input[name={name}]").get("value")

        kept = {name: value(name) for name in ("q", "from", "to", "ctx", "size", "seed", "v")}
        assert kept == {
            "q": "bakkie",
            "from": "2010",
            "to": "2023-10",
            "ctx": "5",
            "size": "7",
            "seed": "9",
            "v": "1",
        }
        ticked = {each.get("value") for each in page.cssselect("form input[checked]")}
        assert ticked == {"first-pages", "1"}
        assert page.cssselect("details.more[open]")

    def test_blank_fields_of_a_form_mean_the_defaults(self, client):
        blank = "&".join(
            f"{name}="
            for name in ["from", "to", "src", "sort", "ctx", "size", "case", "page", "seed", "v"]
        )

        assert (
            client.get(f"/c/tiny/conc.json?q=bakkie&{blank}").json()
            == client.get("/c/tiny/conc.json?q=bakkie").json()
        )

    def test_several_sources_can_be_chosen(self, client):
        def hits(query):
            return client.get(f"/c/tiny/conc.json?q=bakkie{query}").json()["hits"]

        one_source, other = hits("&src=first-pages"), hits("&src=later-pages")
        assert min(one_source, other) > 0
        assert hits("&src=first-pages&src=later-pages") == one_source + other == hits("")

    def test_capitals_matter_when_asked(self, client):
        loose, strict = (
            client.get(f"/c/tiny/conc.json?q=The{case}").json() for case in ("", "&case=1")
        )

        assert {line["match"] for line in strict["lines"]} == {"The"}
        assert strict["hits"] < loose["hits"]

    def test_each_year_of_the_chart_opens_its_lines(self, client):
        page = page_of(client.get("/c/tiny/conc?q=bakkie"))

        bars = page.cssselect(".spark svg a")
        asked = [parse_qs(urlsplit(bar.get("href")).query) for bar in bars]
        assert [each["from"] for each in asked] == [[str(year)] for year in range(2010, 2024)]
        assert all(each["from"] == each["to"] for each in asked)
        rows = page.cssselect(".spark table tbody tr")
        for row in rows:
            year, hits = words(row[0]), int(words(row[1]))
            link = one(row, "a").get("href")
            assert client.get(f"/c/tiny/conc.json{link}").json()["hits"] == hits, year

    def test_pages_follow_each_other_without_gap(self, client):
        whole = client.get("/c/tiny/conc.json?q=bakkie").json()["lines"]
        seen, link = [], "?q=bakkie&size=4"
        while link:
            seen += client.get(f"/c/tiny/conc.json{link}").json()["lines"]
            page = page_of(client.get(f"/c/tiny/conc{link}"))
            link = next((each.get("href") for each in page.cssselect("a[rel=next]")), None)

        assert seen == whole

    def test_the_first_page_has_no_page_before_it(self, client):
        page = page_of(client.get("/c/tiny/conc?q=bakkie&size=4"))

        links = {words(each) for each in page.cssselect(".pager a")}
        assert links == {"Next", "Last"}
        assert "Page 1 of" in words(one(page, ".pager .here"))

    def test_the_table_can_be_read_by_ear(self, client):
        table = one(page_of(client.get("/c/tiny/conc?q=bakkie&size=4")), "table.kwic")

        assert words(one(table, "caption")).startswith("Lines 1 to 4 of ")
        assert len(table.cssselect("thead th[scope=col]")) == 4
        assert len(table.cssselect("tbody th[scope=row]")) == 4
        assert {cell.get("lang") for cell in table.cssselect("td.match")} == {"en"}

    def test_an_earlier_version_is_searched_when_asked(self, client):
        def hits(query):
            return client.get(f"/c/tiny/conc.json?q=bakkie{query}").json()["hits"]

        assert hits("&v=1") < hits("&v=2") == hits("")

    def test_the_address_to_reproduce_gives_the_same_lines(self, client):
        page = page_of(client.get("/c/tiny/conc?q=bakkie&sort=right&size=5&page=2"))

        ways = {words(one(way, "dt")): words(one(way, "dd")) for way in page.cssselect(".ways div")}
        assert set(ways) == {"Address", "Command", "Python", "curl"}
        assert ways["Address"].endswith("&v=2")
        again = page_of(client.get(ways["Address"]))
        assert [words(row) for row in again.cssselect(".kwic tbody tr")] == [
            words(row) for row in page.cssselect(".kwic tbody tr")
        ]

    def test_without_a_query_there_are_examples(self, client):
        page = page_of(client.get("/c/tiny/conc"))

        examples = page.cssselect(".hints a")
        assert examples
        assert all(example.get("href").startswith("?q=") for example in examples)

    def test_without_hits_there_is_advice(self, client):
        answer = client.get(
            "/c/tiny/conc?q=zzzz&from=2010&src=first-pages&case=1&v=1", follow_redirects=False
        )

        assert answer.status_code == 200
        advice = {words(link): link.get("href") for link in page_of(answer).cssselect(".hints a")}
        assert advice["Search all dates"] == "?q=zzzz&src=first-pages&case=1&v=1"
        assert advice["Search all sources"] == "?q=zzzz&from=2010&case=1&v=1"
        assert "Search the newest version" in advice

    def test_an_unbuilt_corpus_says_that_nothing_can_be_found(self, unbuilt):
        assert "no version of this corpus" in unbuilt.get("/c/empty/conc?q=a").text

    @pytest.mark.parametrize(
        ("query", "sentence"),
        [
            ("q=a&from=soon", "'soon' is not a date"),
            ("q=a&sort=best", "cannot be sorted by 'best'"),
            ("q=a&size=5000", "1 to 1000 lines"),
            ("q=a&ctx=-1", "0 to 100 tokens"),
            ("q=a&page=999", "There is no page 999"),
            ("q=a&page=0", "no page 0"),
            ("q=a&v=99", "There is no version 99"),
            ("q=a&v=0", "Versions are counted from 1"),
            ("q=" + "a+" * 101, "at most 100"),
        ],
    )
    def test_a_question_that_cannot_be_answered_comes_back_with_its_form(
        self, client, query, sentence
    ):
        answer = client.get(f"/c/tiny/conc?{query}")

        assert answer.status_code == 400
        page = page_of(answer)
        assert sentence in words(one(page, "[role=alert]"))
        assert one(page, "form input[name=q]").get("value").startswith("a")


def test_many_readers_at_once_see_what_one_sees(corpus_folder):
    queries = [
        f"?q={word}&sort=left&v={v}" for word in ("the", "bakkie", "a", "said") for v in (1, 2)
    ]
    paths = [f"/c/tiny/conc{query}" for query in queries] + ["/c/tiny", "/api/v1/c/tiny/drops"]
    with asking(create_app([corpus_folder])) as client:
        with ThreadPoolExecutor(12) as pool:
            together = list(pool.map(lambda path: client.get(path).text, paths * 3))
        alone = [client.get(path).text for path in paths * 3]

    assert together == alone


class TestHostilePage:
    """One document has scripts in its title, text and address."""

    def test_its_title_text_and_address_are_shown_as_text(self, client):
        answer = client.get("/c/tiny/conc?q=alert&ctx=20")

        page = page_of(answer)
        assert not page.cssselect("main script, main img, [onerror], [onclick]")
        assert "<script>alert(1)</script> A wheel" in words(one(page, "main"))
        assert all(
            link.get("href").startswith(("http://faults", "/c/tiny/doc/", "/c/tiny/hit/"))
            for link in page.cssselect(".card a")
        )

    def test_a_query_is_shown_as_text(self, client):
        answer = client.get("/c/tiny/conc", params={"q": '"><script>alert(1)</script>'})

        page = page_of(answer)
        assert not page.cssselect("main script")
        assert one(page, "form input[name=q]").get("value") == '"><script>alert(1)</script>'

    def test_nothing_in_it_is_taken_for_a_template(self, client):
        lines = client.get("/c/tiny/conc.json?q=7&ctx=9").json()["lines"]
        written = " ".join(line["left"] + line["match"] + line["right"] for line in lines)

        shown = words(one(page_of(client.get("/c/tiny/conc?q=7&ctx=9")), "main"))

        # Addresses and times on the page may hold any number, so the formula itself is counted.
        assert "{{ 7 * 7 }}" in written
        assert shown.count("{{ 7 * 7 }}") >= written.count("{{ 7 * 7 }}")

    def test_control_characters_in_a_query_are_harmless(self, client):
        answer = client.get("/c/tiny/conc", params={"q": "a\x1b\u202e"})

        assert answer.status_code == 200
        assert "\x1b" not in answer.text
        assert "a␛" in answer.text

    def test_what_is_no_text_is_refused_in_a_sentence(self, client):
        answer = client.get("/c/tiny/conc", params={"q": "a\x00\x1b\u202e"})

        assert answer.status_code == 400
        assert "no text: it holds bytes that are no characters" in answer.text
        assert "\x00" not in answer.text
