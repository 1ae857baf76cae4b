"""A crawl as the servers see it: their own log decides."""

import sqlite3
import ssl
import subprocess
import threading
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from itertools import pairwise

import pytest
from warcio.archiveiterator import ArchiveIterator

from izwi.demoweb.server import Reply, whole_reply
from izwi.model.errors import ConfigError
from tests.demoweb.manners import CRAWL_DELAY_SECONDS, ITEMS_PER_CHANGE, RETRY_AFTER_SECONDS
from tests.demoweb.truth import ground_truth
from tests.gather.conftest import asked

READINGS = 30


def crawl(*seeds, **rules):
    return {"type": "crawl", "seeds": list(seeds), **rules}


def lines_of(corpus):
    return {line.url: line for line in corpus.drops(most=10_000).lines}


def test_a_host_full_of_traps_costs_fifty_requests_at_most_and_loses_no_story(web, make):
    corpus = make(crawl("http://trap.example/"))

    corpus.gather(proxy=web.proxy_url)

    urls = asked(web, "trap.example")
    assert len(urls) <= 50
    assert {f"http://trap.example/story/{n}" for n in range(3)} <= set(urls)
    lines = lines_of(corpus).values()
    assert {"trap", "repeated-path"} <= {line.reason for line in lines}
    # What was never queued is counted by pattern, not line by line.
    assert [line.value >= 1 for line in lines if line.kind == "pattern"]
    assert not [line for line in lines if line.outcome == "waiting" and line.reason != "not-built"]


def test_an_archive_of_many_articles_is_no_trap(web, make):
    corpus = make(crawl("http://umgeniherald.example/archive/", depth=9))

    corpus.gather(proxy=web.proxy_url)

    written = {url for url in ground_truth() if "//umgeniherald.example/" in url}
    assert written <= set(asked(web, "umgeniherald.example"))


@pytest.mark.slow
def test_wishes_of_a_host_are_met_as_its_own_log_shows(web, make):
    corpus = make(crawl("http://polite.example/"))

    corpus.gather(proxy=web.proxy_url)

    requests = [each for each in web.log if "//polite.example/" in each.url]
    moments = [each.time_monotonic for each in requests if not each.url.endswith("robots.txt")]
    gaps = [after - before for before, after in pairwise(moments)]
    busy = [each.time_monotonic for each in requests if each.url.endswith("/busy")]
    assert not [each for each in requests if "/private/" in each.url]
    assert min(gaps) >= CRAWL_DELAY_SECONDS
    assert len(busy) == 2
    assert busy[1] - busy[0] >= RETRY_AFTER_SECONDS
    line = lines_of(corpus)["http://polite.example/private/b"]
    assert (line.outcome, line.reason) == ("dropped", "robots")


def test_a_pause_a_host_asked_for_outlives_the_run(web, make):
    corpus = make(crawl("http://polite.example/busy"))
    corpus.gather(proxy=web.proxy_url, pages=1, seconds=1.5)
    before = len(asked(web, "polite.example"))

    corpus.gather(proxy=web.proxy_url, seconds=0.5)

    assert asked(web, "polite.example").count("http://polite.example/busy") == 1
    assert len(asked(web, "polite.example")) == before


def test_each_item_of_a_feed_is_fetched_once_over_a_month_and_304_is_used(web, make):
    corpus = make({"type": "feed", "url": "http://wire.example/feed.json"})

    for _ in range(READINGS):
        corpus.gather(proxy=web.proxy_url)
        let_a_day_pass(corpus)

    readings = [each for each in web.log if each.url.endswith("/feed.json")]
    stories = [url for url in asked(web, "wire.example") if "/story-" in url]
    assert len(readings) == READINGS
    assert sum(each.status == 304 for each in readings) == READINGS // 2
    assert len(stories) == len(set(stories)) == READINGS // 2 * ITEMS_PER_CHANGE


def let_a_day_pass(corpus):
    """Make the catalog believe that everything happened long ago."""
    with sqlite3.connect(corpus.path / "catalog.sqlite") as connection:
        connection.execute("UPDATE outcomes SET decided = '2000-01-01T00:00:00+00:00'")
    connection.close()


def test_a_page_that_did_not_change_becomes_a_revisit_record(web, make):
    corpus = make({"type": "feed", "url": "http://wire.example/feed.json"})
    for _ in range(2):
        corpus.gather(proxy=web.proxy_url)
        let_a_day_pass(corpus)

    kinds = []
    for path in sorted(corpus.path.glob("warc/*.warc.gz*")):
        with path.open("rb") as file:
            kinds += [record.rec_type for record in ArchiveIterator(file)]

    assert kinds.count("revisit") == 1


def test_pages_outside_the_types_and_sizes_of_a_crawl_have_their_lines(web, make):
    seeds = [
        f"http://faults.example{path}"
        for path in ("/ok", "/feed-malformed.xml", "/big?megabytes=1")
    ]
    corpus = make(crawl(*seeds, depth=0, types=["text/html"], max_size="20 kB"))

    corpus.gather(proxy=web.proxy_url)

    lines = lines_of(corpus)
    feed, big = (lines[url] for url in seeds[1:])
    assert lines[seeds[0]].reason == "not-built"
    assert (feed.outcome, feed.reason) == ("dropped", "media-type")
    assert (big.outcome, big.reason, big.threshold) == ("dropped", "too-large", 20_000)


def page_on(head="", body="", **headers):
    reply = whole_reply(f"<html><head>{head}</head><body>{body}<p>Yebo.</p></body></html>".encode())
    return replace(reply, headers=headers)


def served(pages):
    """Return a host that has these pages, and nothing else."""
    missing = whole_reply(b"", status=404)
    return lambda visit: pages.get(visit.path, missing)


def test_a_page_that_sends_its_reader_on_is_followed_and_kept(web, hosts, make):
    def refresh(target):
        return page_on(f'<meta http-equiv="refresh" content="0; url={target}">')

    pages = {"/": refresh("/new"), "/new": refresh("/"), "/out": refresh("http://faults.example/")}
    hosts["moved.example"] = served(pages)
    seeds = ("http://moved.example/", "http://moved.example/out")
    corpus = make({"type": "seeds", "urls": seeds})

    corpus.gather(proxy=web.proxy_url)

    lines = lines_of(corpus)
    urls = {*seeds, "http://moved.example/new", "http://faults.example/"}
    assert {url: line.reason for url, line in lines.items()} == dict.fromkeys(urls, "not-built")
    assert asked(web, "moved.example").count("http://moved.example/") == 1


def test_a_crawl_is_not_led_out_of_its_rules_by_a_redirect(web, hosts, make):
    away = Reply(302, headers={"Location": "http://faults.example/ok"}, length=0)
    pages = {"/": page_on(body='<a href="/away">away</a>'), "/away": away}
    hosts["home.example"] = served(pages)
    corpus = make(crawl("http://home.example/"))

    corpus.gather(proxy=web.proxy_url)

    line = lines_of(corpus)["http://home.example/away"]
    assert (line.outcome, line.reason, line.detail) == (
        "dropped", "other-domain", "http://faults.example/ok",
    )  # fmt: skip
    assert not asked(web, "faults.example")


@pytest.mark.parametrize(("cookies", "sent"), [(True, "visitor=7"), (False, "")])
def test_cookies_are_sent_back_only_if_the_user_wishes(web, hosts, make, cookies, sent):
    pages = {f"/{n}": page_on(**{"Set-Cookie": "visitor=7"}) for n in range(2)}
    hosts["baker.example"] = served(pages)
    urls = [f"http://baker.example/{n}" for n in range(2)]
    corpus = make({"type": "seeds", "urls": urls}, cookies=cookies)

    corpus.gather(proxy=web.proxy_url)

    assert [each.cookie for each in web.log if each.url == urls[1]] == [sent]


def test_the_form_of_addresses_is_learnt_from_the_pages_own_word(web, hosts, make):
    def article(number):
        return page_on(f'<link rel="canonical" href="http://slash.example/{number}/">')

    ways = "".join(f'<a href="/{n}">{n}</a>' for n in range(3))
    pages = {"/": page_on(body=ways), "/9/": page_on()} | {f"/{n}": article(n) for n in range(3)}
    hosts["slash.example"] = served(pages)
    corpus = make(crawl("http://slash.example/"))
    corpus.gather(proxy=web.proxy_url)

    hosts["slash.example"] = served({**pages, "/2": page_on(), "/more": page_on(
        body='<a href="/9">nine</a>')})  # fmt: skip
    corpus.add_source("http://slash.example/more", type="crawl", name="more")
    corpus.gather(proxy=web.proxy_url)

    urls = asked(web, "slash.example")
    assert "http://slash.example/9/" in urls
    assert "http://slash.example/9" not in urls


HOSTILE = {
    "/hang": "timeout",
    "/slow?seconds=60": "timeout",
    "/endless": "too-large",
    "/reset": "broken-response",
    "/loop/a": "redirected",
    "/redirects/9": "redirected",
    "/wrong-type": "media-type",
    "/loop/b": "redirect-loop",
    "/huge-headers": "broken-response",
    "/drop": "broken-response",
}


@pytest.mark.slow
def test_hostile_servers_end_with_a_ledger_line_and_the_others_go_on(web, make):
    urls = [f"http://faults.example{path}" for path in HOSTILE]
    good = "http://karoocourant.example/about"
    corpus = make(
        {"type": "seeds", "urls": [*urls, "http://faults.example/to-private", good]},
        timeout=1.0,
        attempts=1,
        max_size="100 kB",
    )

    for _ in range(4):  # five failures in a row put a host to rest until the next run
        corpus.gather(proxy=web.proxy_url)

    lines = lines_of(corpus)
    assert {path: lines[f"http://faults.example{path}"].reason for path in HOSTILE} == HOSTILE
    assert lines["http://127.0.0.1:1/"].reason == "private-address"
    assert lines[good].reason == "not-built"


def test_a_host_without_address_and_one_with_a_bad_certificate_have_their_lines(
    web, make, tmp_path
):
    good = f"http://127.0.0.1:{web.port}/"
    with bad_certificate(tmp_path) as port:
        nowhere, false = "http://no-such-host.invalid/", f"https://localhost:{port}/"
        urls = [nowhere, false, good]
        corpus = make({"type": "seeds", "urls": urls}, attempts=1, allow_private=True)

        corpus.gather()

    lines = lines_of(corpus)
    # robots.txt cannot be had of either, so nothing else is asked; they wait for the next run.
    assert {lines[url].reason for url in (nowhere, false)} == {"robots-unreachable"}
    assert lines[nowhere].detail.startswith("robots.txt cannot be had: unreachable: ")
    assert lines[false].detail.startswith("robots.txt cannot be had: bad-certificate: ")
    assert lines[good].reason == "not-built"


class Quiet(BaseHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


class bad_certificate:
    """A server whose certificate nobody signed."""

    def __init__(self, folder):
        self.folder = folder

    def __enter__(self):
        key, certificate = self.folder / "key.pem", self.folder / "certificate.pem"
        command = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=elsewhere"
        try:
            subprocess.run(
                [*command.split(), "-keyout", key, "-out", certificate],
                check=True,
                capture_output=True,
            )
        except FileNotFoundError:
            pytest.skip("openssl is not installed")
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self.server = HTTPServer(("127.0.0.1", 0), Quiet)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self.server.server_port

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


DAYS = 40


def days(visit):
    """Return a host whose days look alike; a list that is asked late leads to the later ones."""
    number = int(visit.last) if visit.last.isdecimal() else 0
    if visit.path == "/robots.txt" or number > DAYS:
        return whole_reply(b"", status=404)
    some = range(number + 1, number + 13) if number else range(20, DAYS + 1)
    links = "".join(f'<a href="/day/{n}">day</a> ' for n in some)
    last = '<a href="/list">all</a>' if number else ""
    return whole_reply(f"<p>Nothing was said on this day either.</p>{links}{last}".encode())


def test_what_a_curator_says_is_no_trap_is_fetched_by_the_next_run(web, hosts, make):
    hosts["days.example"] = days
    corpus = make(crawl("http://days.example/day/1"))
    corpus.gather(proxy=web.proxy_url)
    before = set(asked(web, "days.example"))
    lines = [line for line in lines_of(corpus).values() if line.reason == "trap"]
    patterns = {line.url if line.kind == "pattern" else line.detail for line in lines}

    for pattern in sorted(patterns):
        opened = corpus.open_trap("it", pattern, by="Thandi")
    corpus.gather(proxy=web.proxy_url)

    # Some were queued before the trap was seen, some never were.
    assert {line.kind for line in lines} == {"page", "pattern"}
    assert set(opened) == patterns
    wanted = {f"http://days.example/day/{number}" for number in range(1, DAYS + 1)}
    assert not wanted <= before
    assert wanted <= set(asked(web, "days.example"))
    assert "trap" not in {each.reason for each in lines_of(corpus).values()}
    said = {"source.it.no_traps": sorted(patterns)}
    assert [each.who for each in corpus.changes() if each.after == said] == ["Thandi"]


@pytest.mark.parametrize(
    ("source", "words"), [("nobody", "There is no source"), ("it", "is no crawl")]
)
def test_only_a_crawl_has_traps_to_open(make, source, words):
    corpus = make({"type": "seeds", "urls": ["http://days.example/"]})

    with pytest.raises(ConfigError, match=words):
        corpus.open_trap(source, "days.example/day")


def test_what_is_left_out_by_its_ending_has_its_line(web, hosts, make):
    links = '<a href="/a.JPG">a</a><a href="/b.zip?x=1">b</a><a href="http://other.example/c.png">c'
    hosts["files.example"] = lambda visit: whole_reply(links.encode())
    corpus = make(crawl("http://files.example/"))

    corpus.gather(proxy=web.proxy_url)

    found = {line.url: line.detail for line in lines_of(corpus).values() if line.reason == "ending"}
    assert found == {
        "http://files.example/a.JPG": ".jpg",
        "http://files.example/b.zip?x=1": ".zip",
    }


INDEX = '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</sitemapindex>'
MAP = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{}</urlset>'


def maps(visit):
    """Return a host with an index of three site maps, of ten pages each."""
    url = f"http://maps.example{visit.path}"
    if visit.path == "/sitemap.xml":
        rows = "".join(f"<sitemap><loc>{url}/{n}.xml</loc></sitemap>" for n in range(3))
        return whole_reply(INDEX.format(rows).encode(), content_type="application/xml")
    if not visit.path.endswith(".xml"):
        return whole_reply(b"", status=404)
    rows = "".join(f"<url><loc>{url}/{n}</loc></url>" for n in range(10))
    return whole_reply(MAP.format(rows).encode(), content_type="application/xml")


def test_an_index_of_site_maps_is_counted_with_its_maps(web, hosts, make):
    hosts["maps.example"] = maps
    corpus = make({"type": "sitemap", "url": "http://maps.example/sitemap.xml"})

    found = corpus.check_source("http://maps.example/sitemap.xml", proxy=web.proxy_url)

    assert [(each.kind, each.items) for each in found.lists] == [
        ("sitemap index", 3), ("sitemap", 10), ("sitemap", 10), ("sitemap", 10),
    ]  # fmt: skip


def test_a_page_that_scripts_make_is_named_as_such(web, hosts, make):
    app = b'<html><body><div id="root"></div><script src="/a.js"></script></body></html>'
    hosts["app.example"] = lambda visit: whole_reply(app)
    corpus = make({"type": "seeds", "urls": ["http://app.example/story"]})

    corpus.gather(proxy=web.proxy_url)
    corpus.build()

    assert lines_of(corpus)["http://app.example/story"].reason == "needs-browser"
    assert corpus.check_source("http://app.example/story", proxy=web.proxy_url).needs_browser


def test_what_a_curator_decides_about_wishes_is_fetched_and_recorded(web, hosts, make):
    said = b'<meta name="robots" content="noarchive"><p>The dam is full, and so is the hall.</p>'
    hosts["wish.example"] = lambda visit: whole_reply(said)
    corpus = make({"type": "seeds", "urls": ["http://wish.example/story"]})
    corpus.gather(proxy=web.proxy_url)
    before = lines_of(corpus)["http://wish.example/story"].reason
    respect = ["noindex", "noai", "tdm-reservation"]

    corpus.change_settings({"gather.respect": respect}, comment="Exception for research", by="T")
    corpus.gather(proxy=web.proxy_url)
    corpus.build()

    assert before == "noarchive"
    assert lines_of(corpus)["http://wish.example/story"].outcome == "kept"
    (signal,) = corpus.card().rights
    assert (signal.signal, signal.documents, signal.is_respected) == ("noarchive", 1, False)
    said = [(each.who, each.comment) for each in corpus.changes()]
    assert ("T", "Exception for research") in said
