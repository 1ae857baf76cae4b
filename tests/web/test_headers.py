import asyncio
import gzip
import re

import httpx
import pytest

from izwi.web.app import create_app
from izwi.web.session.rights import KnownHosts
from tests.web.serving import asking

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


@pytest.mark.parametrize(
    "host", ["attacker.example", "localhost.attacker.example", "127.0.0.1.x", ""]
)
@pytest.mark.parametrize(
    "path", ["/", "/c/tiny/conc?q=bakkie", "/api/v1/c/tiny", "/static/izwi.css"]
)
def test_a_name_that_is_not_ours_gets_nothing(client, host, path):
    answer = client.get(path, headers={"Host": host})

    assert answer.status_code in (400, 421)
    assert "bakkie" not in answer.text
    assert answer.status_code == 400 or "--name" in answer.text


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8000", "127.0.0.1:1", "[::1]:8000", "192.168.1.7"]
)
def test_an_address_in_digits_is_always_ours(client, host):
    assert client.get("/c/tiny", headers={"Host": host}).status_code == 200


def test_more_names_are_given_by_whoever_serves(corpus_folder):
    with asking(create_app([corpus_folder], hosts=("corpora.example.org",))) as client:
        named = client.get("/c/tiny", headers={"Host": "corpora.example.org"})
        other = client.get("/c/tiny", headers={"Host": "example.org"})

    assert (named.status_code, other.status_code) == (200, 421)


def test_a_socket_under_another_name_is_closed():
    sent = []

    async def send(message):
        sent.append(message)

    scope = {"type": "websocket", "path": "/", "headers": [(b"host", b"attacker.example")]}
    asyncio.run(KnownHosts(None)(scope, None, send))

    assert sent == [{"type": "websocket.close", "code": 1008}]
