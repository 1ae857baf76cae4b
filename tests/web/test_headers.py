import gzip
import re

import httpx
import pytest

PATHS = (
    "/",
    "/c/tiny",
    "/c/tiny/conc?q=bakkie",
    "/c/tiny.json",
    "/api/docs",
    "/static/izwi.css",
    "/no-such-page",
    "/c/tiny/conc?size=many",
)


@pytest.mark.parametrize("path", PATHS)
def test_every_answer_forbids_what_is_not_ours(client, path):
    headers = client.get(path).headers

    policy = dict(
        part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
    )
    assert policy == {
        "default-src": "'none'",
        "style-src": "'self'",
        "script-src": "'self'",
        "img-src": "'self' data:",
        "connect-src": "'self'",
        "frame-src": "'self'",
        "form-action": "'self'",
        "base-uri": "'none'",
        "frame-ancestors": "'none'",
    }
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["x-frame-options"] == "DENY"


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_the_body(client, path):
    got, head = client.get(path), client.head(path)

    assert head.status_code == got.status_code
    assert head.headers["content-type"] == got.headers["content-type"]
    assert head.content == b""


def test_pages_are_compressed(client):
    answer = client.get("/c/tiny/conc?q=bakkie", headers={"Accept-Encoding": "gzip"})

    assert answer.headers["content-encoding"] == "gzip"
    assert "Accept-Encoding" in answer.headers["vary"]


def test_a_first_visit_is_small(address):
    with httpx.Client(base_url=address, trust_env=False, timeout=120) as client:
        paths = (
            "/c/tiny/conc?q=the&size=50",
            "/static/izwi.css",
            "/static/izwi.js",
            "/static/izwi.svg",
        )
        sent = [len(gzip.compress(client.get(path).content)) for path in paths]

    assert sum(sent) < 60_000


def test_a_static_file_with_its_digest_may_be_kept(client):
    page = client.get("/").text
    start = page.index("/static/izwi.css?")
    exact = page[start : page.index('"', start)]

    kept, other = client.get(exact), client.get("/static/izwi.css")

    assert "immutable" in kept.headers["cache-control"]
    assert other.headers["cache-control"] == "no-cache"


def test_a_static_file_that_is_known_is_not_sent_again(client):
    tag = client.get("/static/izwi.js").headers["etag"]

    again = client.get("/static/izwi.js", headers={"If-None-Match": tag})

    assert again.status_code == 304
    assert again.content == b""


def test_no_page_names_another_host_but_in_links(client):
    for path in PATHS:
        text = client.get(path).text
        assert 'src="http' not in text
        assert '<link rel="stylesheet" href="http' not in text
        assert "style=" not in text


def test_a_page_asks_for_three_more_files_of_ours(client):
    page = client.get("/c/tiny/conc?q=bakkie").text

    asked = set(re.findall(r'(?:src|<link rel="(?:icon|stylesheet)[^>]*href)="([^"?]+)', page))
    assert asked == {"/static/izwi.css", "/static/izwi.js", "/static/izwi.svg"}
