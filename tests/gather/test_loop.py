from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
import time_machine

from izwi.demoweb import PUBLICATIONS
from izwi.demoweb.server import Reply, whole_reply
from izwi.gather import loop
from izwi.gather.sources.feeds import FeedSource
from izwi.gather.sources.seeds import SeedsSource
from izwi.model.capture import Lead
from izwi.store.catalog import Catalog, Visit
from tests.demoweb import faults

FAULTS = "http://faults.example"
RSS = (
    '<rss version="2.0"><channel><title>x</title>'
    "<item><title>A</title><link>{}</link></item></channel></rss>"
)


def seeds(*urls, name="one", **fields):
    return SeedsSource(name, urls, **fields)


def feed(url, name="one", every="0s"):
    return FeedSource(name, url, every)


def text(body, status=200, content_type="text/plain"):
    return whole_reply(body.encode(), status=status, content_type=content_type)


def host_with_robots(rules, **headers):
    """Return a host that serves these rules, and a page everywhere else."""

    def answer(visit):
        return text(rules, **headers) if visit.path == "/robots.txt" else text("<p>Sawubona.")

    return answer


def gaps(requests):
    """Return the seconds between one request for a page and the next."""
    moments = [each.time_monotonic for each in requests if not each.url.endswith("/robots.txt")]
    return [later - earlier for earlier, later in pairwise(moments)]


def test_page_is_captured_as_sent(gathering):
    url = f"{FAULTS}/gzip"

    fetched = gathering.run(seeds(url))

    capture = gathering.captures[url]
    assert fetched == 1
    assert capture.body.startswith(b"\x1f\x8b")
    assert capture.header("Content-Encoding") == "gzip"
    assert (capture.status, capture.lead.source) == (200, "one")
    assert gathering.line(url) is None


def test_every_request_says_who_asks(gathering):
    gathering.run(seeds(f"{FAULTS}/ok"))

    assert {each.user_agent for each in gathering.web.log} == {"izwi/0 (+https://example.org/bot)"}


def test_forbidden_page_is_never_asked_for(gathering):
    gathering.run(seeds("http://closed.example/ok", f"{FAULTS}/ok"))

    line = gathering.line("http://closed.example/ok")
    assert gathering.paths("closed.example") == ["/robots.txt"]
    assert (line.outcome, line.stage, line.reason) == ("dropped", "fetch", "robots")
    assert line.detail == "robots.txt forbids it"
    assert f"{FAULTS}/ok" in gathering.captures


def test_forbidden_folder_is_never_asked_for(gathering):
    publication = PUBLICATIONS["umgeniherald"]
    private = publication.url("/private/drafts")

    gathering.run(seeds(publication.home, private))

    assert gathering.paths(publication.host) == ["/robots.txt", "/"]
    assert gathering.line(private).reason == "robots"


def test_rules_are_asked_for_once(gathering):
    source = seeds(*(f"{FAULTS}/ok?n={number}" for number in range(3)))

    gathering.run(source)
    gathering.run(seeds(f"{FAULTS}/ok?n=9"))

    assert gathering.paths("faults.example").count("/robots.txt") == 1


def test_host_whose_rules_cannot_be_had_is_left_alone(gathering):
    gathering.run(seeds("http://norobots.example/ok"))

    line = gathering.line("http://norobots.example/ok")
    assert gathering.paths("norobots.example") == ["/robots.txt"]
    assert (line.outcome, line.reason) == ("waiting", "robots-unreachable")
    assert line.detail == "robots.txt answered 500"


def test_host_that_could_not_be_reached_is_asked_again_by_the_next_run(gathering):
    gathering.run(seeds("http://norobots.example/ok"))
    gathering.run(seeds("http://norobots.example/ok"))

    assert gathering.paths("norobots.example") == ["/robots.txt", "/robots.txt"]
    assert gathering.line("http://norobots.example/ok").outcome == "waiting"


def test_rules_that_could_not_be_had_are_asked_for_again_in_the_next_run(gathering, hosts):
    def answer(visit):
        return text("", status=500 if visit.earlier == 0 else 404)

    hosts["odd.example"] = answer
    gathering.run(seeds("http://odd.example/1"))

    gathering.run(seeds("http://odd.example/2"))

    assert gathering.paths("odd.example")[:2] == ["/robots.txt", "/robots.txt"]
    assert "/2" in gathering.paths("odd.example")


@pytest.mark.parametrize(
    "rules",
    [
        text("User-agent: *\nDisallow: /", content_type="application/octet-stream"),
        text("User-agent: *\nDisallow: /\n" + "# filler\n" * 100_000),
        text("\ufeffUser-agent: *\nDisallow: /"),
    ],
    ids=["of a wrong type", "of a megabyte", "with a byte-order mark"],
)
def test_odd_rules_are_obeyed(gathering, hosts, rules):
    hosts["odd.example"] = lambda visit: rules

    gathering.run(seeds("http://odd.example/a"))

    assert gathering.paths("odd.example") == ["/robots.txt"]
    assert gathering.line("http://odd.example/a").reason == "robots"


def test_rules_are_obeyed_however_small_pages_must_be(gathering):
    gathering.run(seeds("http://closed.example/ok"), max_size="10 B")

    assert gathering.paths("closed.example") == ["/robots.txt"]


def test_rules_are_found_behind_a_redirect(gathering, hosts):
    def answer(visit):
        if visit.path == "/robots.txt":
            return Reply(301, headers={"Location": "/rules.txt"}, length=0)
        return text("User-agent: *\nDisallow: /private")

    hosts["odd.example"] = answer

    gathering.run(seeds("http://odd.example/private"))

    assert gathering.paths("odd.example") == ["/robots.txt", "/rules.txt"]
    assert gathering.line("http://odd.example/private").reason == "robots"


def test_delay_is_kept_between_pages_of_a_host(gathering):
    source = seeds(*(f"{FAULTS}/ok?n={number}" for number in range(4)))

    gathering.run(source, delay=0.2)

    assert len(gathering.captures) == 4
    found = gaps(gathering.requests("faults.example"))
    assert len(found) == 3
    assert min(found) >= 0.2


def test_host_may_ask_for_a_longer_delay(gathering, hosts):
    hosts["slow.example"] = host_with_robots("User-agent: *\nCrawl-delay: 0.3")

    gathering.run(seeds(*(f"http://slow.example/{number}" for number in range(3))), delay=0.1)

    assert min(gaps(gathering.requests("slow.example"))) >= 0.3


def test_hosts_are_asked_side_by_side(gathering, hosts):
    names = [f"host{number}.example" for number in range(4)]
    for name in names:
        hosts[name] = host_with_robots("")

    gathering.run(seeds(*(f"http://{name}/{n}" for n in (1, 2) for name in names)), delay=0.3)

    rules = ("/robots.txt", "/tdmrep.json")
    pages = [each.url for each in gathering.web.log if not each.url.endswith(rules)]
    assert len(gathering.captures) == 8
    assert sorted(pages[:4]) == [f"http://{name}/1" for name in names]


def test_host_that_asks_for_a_year_does_not_hold_up_the_run(gathering, hosts):
    hosts["patient.example"] = host_with_robots("User-agent: *\nCrawl-delay: 31536000")

    fetched = gathering.run(seeds("http://patient.example/1", "http://patient.example/2"))

    assert (fetched, gathering.waiting) == (1, 1)
    assert gathering.notices == ["patient.example asks for a long pause; its pages wait."]


def test_redirects_are_followed_and_recorded(gathering):
    gathering.run(seeds(f"{FAULTS}/redirects/2"))

    first, second = (gathering.line(f"{FAULTS}/redirects/{n}") for n in (2, 1))
    target = gathering.captures[f"{FAULTS}/ok"].lead
    assert (first.outcome, first.reason, first.value) == ("redirected", "redirected", 302)
    assert first.detail == f"{FAULTS}/redirects/1"
    assert second.detail == f"{FAULTS}/ok"
    assert (target.redirects, target.referrer) == (2, f"{FAULTS}/redirects/1")


def test_redirects_that_go_round_end(gathering):
    gathering.run(seeds(f"{FAULTS}/loop/a"))

    assert gathering.paths("faults.example") == ["/robots.txt", "/loop/a", "/loop/b"]
    assert gathering.line(f"{FAULTS}/loop/a").detail == f"{FAULTS}/loop/b"
    assert gathering.line(f"{FAULTS}/loop/b").detail == f"{FAULTS}/loop/a"
    assert gathering.waiting == 0


def test_redirects_of_a_feed_that_go_round_end(gathering):
    gathering.run(feed(f"{FAULTS}/loop/a"))

    assert gathering.paths("faults.example") == ["/robots.txt", "/loop/a", "/loop/b"]


def test_one_redirect_too_many_is_dropped_with_the_number(gathering):
    gathering.run(seeds(f"{FAULTS}/redirects/9"), max_redirects=2)

    line = gathering.line(f"{FAULTS}/redirects/7")
    assert (line.outcome, line.reason) == ("dropped", "too-many-redirects")
    assert (line.value, line.threshold) == (3, 2)
    assert "/redirects/6" not in gathering.paths("faults.example")


def test_redirect_into_a_private_network_is_refused(gathering):
    gathering.run(seeds(f"{FAULTS}/to-private"))

    line = gathering.line("http://127.0.0.1:1/")
    assert gathering.line(f"{FAULTS}/to-private").detail == "http://127.0.0.1:1/"
    assert (line.outcome, line.reason, line.detail) == ("dropped", "private-address", "127.0.0.1")
    assert gathering.requests("127.0.0.1:1") == []


def test_redirect_to_nowhere_is_dropped(gathering, hosts):
    def answer(visit):
        if visit.path == "/robots.txt":
            return text("")
        return Reply(302, headers={"Location": "javascript:alert(1)"}, length=0)

    hosts["odd.example"] = answer

    gathering.run(seeds("http://odd.example/a"))

    line = gathering.line("http://odd.example/a")
    assert (line.reason, line.detail) == ("bad-redirect", "javascript:alert(1)")


@pytest.mark.parametrize("path", ["/big?megabytes=1", "/endless"], ids=["big", "endless"])
def test_page_that_grows_too_large_is_dropped_with_value_and_threshold(gathering, path):
    gathering.run(seeds(FAULTS + path), max_size="100 kB")

    line = gathering.line(FAULTS + path)
    assert (line.outcome, line.reason, line.threshold) == ("dropped", "too-large", 100_000)
    assert line.value > 100_000
    assert gathering.captures == {}


def test_page_that_says_it_is_too_large_is_dropped_with_what_it_says(gathering):
    gathering.run(seeds(f"{FAULTS}/ok"), max_size="100 B")

    line = gathering.line(f"{FAULTS}/ok")
    assert (line.reason, line.threshold) == ("too-large", 100)
    assert line.value > 500


@pytest.mark.parametrize("path", ["/hang", "/slow?seconds=60"], ids=["no answer", "slow answer"])
def test_answer_that_takes_too_long_fails_with_the_time_allowed(gathering, path):
    gathering.run(seeds(FAULTS + path), timeout=0.3)

    line = gathering.line(FAULTS + path)
    assert (line.outcome, line.reason) == ("failed", "timeout")
    assert (line.value, line.threshold) == (0.3, 0.3)


@pytest.mark.parametrize("path", ["/drop", "/reset"])
def test_answer_that_breaks_off_fails_with_the_reason(gathering, path):
    gathering.run(seeds(FAULTS + path))

    line = gathering.line(FAULTS + path)
    assert (line.outcome, line.reason) == ("failed", "broken-response")
    assert line.detail != ""
    assert gathering.captures == {}


@pytest.mark.parametrize(
    ("code", "outcome"),
    [(403, "dropped"), (404, "dropped"), (410, "dropped"), (204, "dropped"), (500, "failed")],
)
def test_other_status_is_written_with_its_number(gathering, code, outcome):
    url = f"{FAULTS}/status/{code}"

    gathering.run(seeds(url))

    line = gathering.line(url)
    assert (line.outcome, line.reason) == (outcome, f"http-{code}")
    assert (line.value, line.threshold) == (code, 200)


def test_what_is_not_text_is_dropped_with_its_type(gathering):
    gathering.run(seeds(f"{FAULTS}/wrong-type"))

    line = gathering.line(f"{FAULTS}/wrong-type")
    assert (line.outcome, line.reason, line.detail) == ("dropped", "media-type", "image/png")


@pytest.mark.parametrize("path", ["/bad-gzip", "/binary", "/bomb", "/empty", "/nested"])
def test_odd_page_is_kept_for_extraction_to_judge(gathering, path):
    gathering.run(seeds(FAULTS + path, depth=1))

    assert list(gathering.captures) == [FAULTS + path]
    assert gathering.line(FAULTS + path) is None


def test_flaky_page_is_fetched_in_the_end(gathering, monkeypatch):
    monkeypatch.setattr(loop, "_BACK_OFF", 0.05)
    monkeypatch.setattr(faults, "_RETRY_AFTER_SECONDS", "0")

    gathering.run(seeds(f"{FAULTS}/flaky"), attempts=3)

    assert [each.status for each in gathering.requests("faults.example")[1:]] == [503, 503, 200]
    assert f"{FAULTS}/flaky" in gathering.captures


def test_page_is_not_tried_more_often_than_is_wished(gathering, monkeypatch):
    monkeypatch.setattr(loop, "_BACK_OFF", 0.05)
    monkeypatch.setattr(faults, "_RETRY_AFTER_SECONDS", "0")

    gathering.run(seeds(f"{FAULTS}/flaky"), attempts=2)

    assert gathering.line(f"{FAULTS}/flaky").reason == "http-503"
    assert gathering.paths("faults.example").count("/flaky") == 2


def test_tries_lie_further_and_further_apart(gathering, monkeypatch):
    monkeypatch.setattr(loop, "_BACK_OFF", 0.1)

    gathering.run(seeds(f"{FAULTS}/status/500"), attempts=3)

    first, second = gaps(gathering.requests("faults.example"))
    assert first >= 0.2
    assert second >= 0.4


def test_host_is_left_alone_as_long_as_it_asks(gathering, monkeypatch):
    monkeypatch.setattr(loop, "_BACK_OFF", 0.05)

    gathering.run(seeds(f"{FAULTS}/status/503", f"{FAULTS}/ok"), attempts=2, seconds=1.5)

    # The server said: Retry-After: 1. The page that waits lets the other go first.
    assert gathering.paths("faults.example")[1:] == ["/status/503", "/ok", "/status/503"]
    assert gaps(gathering.requests("faults.example"))[0] >= 1.0


def test_page_that_failed_is_tried_again_in_the_next_run(gathering, monkeypatch):
    monkeypatch.setattr(loop, "_BACK_OFF", 100.0)
    source = seeds(f"{FAULTS}/status/500")
    gathering.run(source, attempts=3)
    waiting = gathering.line(f"{FAULTS}/status/500")

    with time_machine.travel(datetime.now(UTC) + timedelta(seconds=1000)):
        gathering.run(source, attempts=3)

    assert (waiting.outcome, waiting.reason) == ("waiting", "http-500")
    assert gathering.paths("faults.example").count("/status/500") == 2


def test_host_that_fails_again_and_again_is_given_up(gathering):
    gathering.run(seeds(*(f"{FAULTS}/status/500?n={number}" for number in range(8))))

    assert len(gathering.paths("faults.example")) == 1 + 5
    assert gathering.waiting == 3
    assert gathering.notices == [
        "Source 'one': faults.example failed 5 times in a row; its pages wait for the next run."
    ]


def test_host_that_does_not_exist_fails_with_the_proxys_answer(gathering):
    gathering.run(seeds("http://nowhere.example/"))

    assert gathering.line("http://nowhere.example/").reason == "robots-unreachable"


def test_feed_brings_its_items_with_what_it_says_of_them(gathering):
    publication = PUBLICATIONS["karoocourant"]

    gathering.run(feed(publication.url(publication.feed_path)), pages=4)

    pages = [each for each in gathering.captures.values() if each.lead.kind == "page"]
    assert len(pages) == 3
    assert all(each.lead.hints.title and each.lead.hints.date for each in pages)
    assert {each.lead.referrer for each in pages} == {publication.url(publication.feed_path)}


def test_malformed_feed_brings_its_items(gathering):
    gathering.run(feed(f"{FAULTS}/feed-malformed.xml"))

    assert {f"{FAULTS}/ok?n={number}" for number in (1, 2, 3)} <= set(gathering.captures)


def test_feed_that_is_a_page_gives_a_notice_that_names_the_source(gathering):
    url = f"{FAULTS}/feed-that-is-html"

    gathering.run(feed(url, name="broken-feed"))

    (notice,) = gathering.notices
    line = gathering.line(url)
    assert notice.startswith(f"Source 'broken-feed': {url} is a web page, not a feed.")
    assert (line.outcome, line.reason, line.detail) == ("failed", "not-a-feed", notice)


def test_feed_that_is_gone_gives_a_notice_that_names_the_source(gathering):
    gathering.run(feed(f"{FAULTS}/status/404", name="gone-feed"))

    assert gathering.notices == [
        f"Source 'gone-feed': {FAULTS}/status/404 could not be read (http-404). "
        f"Look at the address, then try: izwi sources check FOLDER {FAULTS}/status/404"
    ]


def test_feed_is_read_again_and_its_items_are_not(gathering):
    source = feed(f"{FAULTS}/feed-malformed.xml")
    gathering.run(source)

    fetched = gathering.run(source)

    assert fetched == 1
    assert gathering.paths("faults.example").count("/feed-malformed.xml") == 2
    assert gathering.paths("faults.example").count("/ok?n=1") == 1


def test_feed_that_has_not_rested_is_left_alone(gathering):
    source = feed(f"{FAULTS}/feed-malformed.xml", every="1h")
    gathering.run(source)

    assert gathering.run(source) == 0


def test_feed_that_has_moved_is_read_again_where_it_is_now(gathering, hosts):
    def answer(visit):
        if visit.path == "/feed":
            return Reply(301, headers={"Location": "/new-feed"}, length=0)
        if visit.path == "/new-feed":
            item = f"http://moved.example/item{visit.earlier}"
            return text(RSS.format(item), content_type="application/rss+xml")
        return text("")

    hosts["moved.example"] = answer
    source = feed("http://moved.example/feed")
    gathering.run(source)

    gathering.run(source)

    assert {"http://moved.example/item0", "http://moved.example/item1"} <= set(gathering.captures)


def test_source_may_be_given_another_name(gathering):
    url = f"{FAULTS}/feed-malformed.xml"
    gathering.run(feed(url, name="old"), pages=1)

    gathering.run(feed(url, name="new"))
    gathering.run(feed(url, name="new"))

    items = [gathering.captures[f"{FAULTS}/ok?n={number}"] for number in (1, 2, 3)]
    assert {each.lead.source for each in items} == {"new"}


def test_page_found_before_becomes_a_feed_when_it_is_named_as_one(gathering):
    url = f"{FAULTS}/feed-malformed.xml"
    gathering.run(seeds(url, name="pages"))

    gathering.run(seeds(f"{FAULTS}/ok", name="pages"), feed(url, name="feed"))

    assert f"{FAULTS}/ok?n=1" in gathering.captures


def test_lead_of_a_source_that_was_removed_is_dropped_unasked(gathering):
    gathering.run(seeds(f"{FAULTS}/ok?n=1", f"{FAULTS}/ok?n=2", name="old"), pages=1)

    gathering.run(seeds(f"{FAULTS}/ok?n=3", name="new"))

    line = gathering.line(f"{FAULTS}/ok?n=2")
    assert (line.outcome, line.reason, line.detail) == ("dropped", "source-removed", "old")
    assert "/ok?n=2" not in gathering.paths("faults.example")


def test_run_stops_after_so_many_pages_and_the_next_goes_on(gathering):
    source = seeds(*(f"{FAULTS}/ok?n={number}" for number in range(5)))

    first = gathering.run(source, pages=2)
    left = gathering.waiting
    second = gathering.run(source)

    assert (first, left, second) == (2, 3, 3)
    assert len(gathering.captures) == 5
    assert len(gathering.paths("faults.example")) == 1 + 5


def test_run_stops_after_so_many_seconds(gathering):
    source = seeds(*(f"{FAULTS}/ok?n={number}" for number in range(9)))

    fetched = gathering.run(source, delay=0.2, seconds=0.5)

    assert 1 <= fetched <= 4
    assert gathering.waiting == 9 - fetched


def test_links_are_followed_as_deep_as_is_wished(gathering):
    gathering.run(seeds(f"{FAULTS}/trap/calendar/2020/06", depth=2))

    assert set(gathering.captures) == {
        f"{FAULTS}/trap/calendar/2020/{month:02}" for month in (4, 5, 6, 7, 8)
    }


def test_private_address_is_refused_without_a_proxy(gathering):
    url = f"http://127.0.0.1:{gathering.web.port}/"

    gathering.run(seeds(url), proxy="")

    assert gathering.line(url).reason == "private-address"
    assert gathering.web.log == []


def test_private_address_is_fetched_if_that_is_allowed(gathering):
    url = f"http://127.0.0.1:{gathering.web.port}/"

    gathering.run(seeds(url), proxy="", allow_private=True)

    assert url in gathering.captures


def test_nobody_listening_fails_as_unreachable(gathering):
    url = "http://127.0.0.1:1/"

    gathering.run(seeds(url), proxy="", allow_private=True)

    assert gathering.line(url).reason == "robots-unreachable"


def test_shard_is_sealed_at_the_end_of_a_run(gathering):
    gathering.run(seeds(f"{FAULTS}/ok"))

    assert len(gathering.layout.sealed_shards()) == 1
    assert list(gathering.layout.warcs.glob("*.open")) == []


def test_trouble_with_one_page_is_its_own(gathering, monkeypatch):
    def fail(source, capture, body):
        raise ZeroDivisionError("in a plug-in")

    monkeypatch.setattr(SeedsSource, "leads_from", fail)

    gathering.run(seeds(f"{FAULTS}/ok?n=1", f"{FAULTS}/ok?n=2"))

    line = gathering.line(f"{FAULTS}/ok?n=1")
    assert (line.outcome, line.reason) == ("failed", "gatherer-error")
    assert line.detail == "ZeroDivisionError: in a plug-in"
    assert gathering.paths("faults.example")[1:] == ["/ok?n=1", "/ok?n=2"]


def test_page_that_was_never_stored_cannot_be_unchanged(gathering, hosts):
    # The server answers 304 to who says that it has this.
    hosts["odd.example"] = lambda visit: replace(text("<p>Yebo."), headers={"ETag": '"1"'})
    url = "http://odd.example/a"
    with Catalog.write(gathering.layout.catalog) as catalog:
        # What a kill leaves that comes just before the first file is opened.
        catalog.add_leads([Lead(url, "one")])
        catalog.put_visit(catalog.find_lead(url), Visit('"1"'))
        catalog.commit()

    gathering.run(seeds(url))

    assert url in gathering.captures


def test_a_private_address_is_asked_once_that_is_allowed(gathering):
    # Nobody listens there, so asking shows in another reason.
    url = "http://127.0.0.1:1/news"
    source = SeedsSource("here", (url,))

    gathering.run(source, proxy="")
    before = gathering.line(url).reason
    gathering.run(source, proxy="", allow_private=True)

    assert (before, gathering.line(url).reason) == ("private-address", "unreachable")
