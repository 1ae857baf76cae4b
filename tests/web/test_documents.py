import time

import pytest

from izwi.web.pages.documents import harmless

from .parsing import one, page_of, words
from .serving import HOSTILE


@pytest.fixture(scope="module")
def line(client):
    return client.get("/c/tiny/conc.json?q=pothole&size=1").json()["lines"][0]


@pytest.fixture(scope="module")
def hostile(client):
    found = client.get("/c/tiny/conc.json?q=alert&size=1").json()["lines"][0]["document"]
    assert found["url"] == HOSTILE
    return found["id"]


def test_a_documents_text_marks_the_words_asked_for(client, line):
    page = page_of(client.get(f"/c/tiny/doc/{line['document']['id']}?mark={line['match']}"))

    assert words(one(page, "h1")) == line["document"]["title"]
    assert one(page, ".reading p#mark mark").text == line["match"]


def test_every_paragraph_is_shown_with_the_reason(client, line):
    address = f"/c/tiny/doc/{line['document']['id']}"
    known = client.get(f"{address}.json").json()

    rows = page_of(client.get(f"{address}/paragraphs")).cssselect("tbody tr")

    assert len(rows) == len(known["paragraphs"])
    kept = [each["is_main"] for each in known["paragraphs"]]
    assert [row.get("class") == "kept" for row in rows] == kept
    assert 0 < sum(kept) < len(kept)


def test_metadata_come_with_their_evidence(client, line):
    address = f"/c/tiny/doc/{line['document']['id']}"
    known = client.get(f"{address}.json").json()

    page = page_of(client.get(f"{address}/metadata"))

    text = words(one(page, "main"))
    assert known["capture"]["digest"] in text
    assert {"JSON-LD"} <= {claim["evidence"] for claim in known["claims"]}
    assert all(claim["value"].split()[0] in text for claim in known["claims"])


def test_a_date_agrees_with_itself_however_it_is_written(client, line):
    address = f"/c/tiny/doc/{line['document']['id']}"
    known = client.get(f"{address}.json").json()["claims"]
    dates = [claim["value"] for claim in known if claim["property"] == "datePublished"]

    text = words(one(page_of(client.get(f"{address}/metadata")), "main"))

    assert any(value[:4].isdecimal() for value in dates)
    assert any(not value[:4].isdecimal() for value in dates)
    assert f"statements that give this date: {len(dates)} of {len(dates)}" in text


def test_copies_are_listed_the_original_first(client):
    found = client.get("/c/tiny/conc.json?q=skollie&size=1").json()["lines"][0]["document"]

    page = page_of(client.get(f"/c/tiny/doc/{found['id']}/copies"))

    rows = page.cssselect("tbody tr")
    assert len(rows) == found["copies"] + 1
    assert "original" in words(rows[0])


def test_a_captured_page_may_run_and_load_nothing(client, hostile):
    answer = client.get(f"/c/tiny/doc/{hostile}/archived/frame")

    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox; default-src 'none'")
    assert "frame-ancestors 'self'" in policy
    page = page_of(answer)
    assert not page.cssselect("script, link, meta, base, iframe")
    assert "wheel" in words(page).lower()


@pytest.mark.parametrize("tag", ["script", "iframe", "object", "base", "link", "meta"])
def test_what_could_reach_out_is_taken_from_a_page(tag):
    shown = harmless(f'<p>a</p><{tag} src="http://evil.example" href="//evil.example">')

    assert "evil.example" not in shown
    assert "<p>a</p>" in shown


@pytest.mark.parametrize("part", ['onclick="a()"', 'ONLOAD="a()"', 'href=" java\nscript:a()"'])
def test_attributes_that_could_run_are_taken_away(part):
    assert harmless(f"<a {part}>b</a>").endswith("<body><a>b</a></body></html>")


def test_what_sticks_to_the_edges_of_a_window_covers_no_text():
    assert "position:static!important" in harmless('<p style="position:fixed">We use cookies</p>')


def test_the_end_of_a_head_within_a_style_lets_nothing_out_of_it():
    own = "<style>a{content:'</head><img src=x>'}</style>"

    shown = harmless(f"<!doctype html><head>{own}</head><p>a</p>")

    assert own in shown
    assert shown.index("position:static") > shown.index(own) + len(own)


def test_a_page_of_very_many_attributes_is_shown_soon():
    many = " ".join(f'onx{number}="a()"' for number in range(4000))
    before = time.process_time()

    shown = harmless(f"<body {many}><p>a</p><b {many}>c</b></body>")

    assert time.process_time() - before < 5
    assert shown.endswith("</head><body><p>a</p></body></html>")


def test_an_unknown_document_is_not_found(client):
    for path in ("", ".json", "/archived", "/archived/frame", "/copies"):
        assert client.get(f"/c/tiny/doc/no-such{path}").status_code in (400, 404)
    assert "No document of this corpus" in client.get("/c/tiny/doc/no-such").text


def test_a_document_that_was_taken_down_is_gone(curator, line):
    url = line["document"]["url"]
    curator.post("/api/v1/c/tiny/takedown", json={"target": url, "reason": "asked"})

    page = curator.get(f"/c/tiny/doc/{line['document']['id']}")
    hit = curator.get(f"/c/tiny/hit/{line['id']}")
    copies = curator.get(f"/c/tiny/doc/{line['document']['id']}/copies.json")

    assert page.status_code == hit.status_code == copies.status_code == 410
    assert "taken down" in page.text
    assert "taken down" in hit.text
