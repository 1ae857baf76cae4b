from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from itertools import product

import pytest

from izwi.demoweb import PUBLICATIONS
from izwi.demoweb.server import whole_reply
from izwi.gather.sources.portal import PortalSource
from izwi.model.capture import Capture
from izwi.testing import check_source
from tests.demoweb.truth import ground_truth
from tests.gather.sources.portalsite import HOST, SIZE, PortalSite

SELECTORS = {"articles": "h1 > a, h2 > a, li.row > a", "next": "a.fwd"}


def source(site, *, selectors=False, **more):
    query = "&".join(
        part
        for part, is_wanted in (
            ("day={date:%Y-%m-%d}", site.dated),
            ("page={page}", site.pages in ("numbered", "until-empty", "growing")),
        )
        if is_wanted
    )
    fields = {"since": date(2020, 2, 27), "until": date(2020, 3, 2)} if site.dated else {}
    fields |= {"last_page": 8} if site.pages == "numbered" else {}
    fields |= {"order": "oldest-first"} if site.oldest_first else {}
    fields |= SELECTORS if selectors else {}
    address = f"http://{HOST}/archive{'?' + query if query else ''}"
    return PortalSource("it", address, pages=site.pages, **fields | more)


def pages_asked(gathering):
    asked = [f"http://{HOST}{path}" for path in gathering.paths(HOST)]
    return [url for url in asked if "/nuus/" in url]


KINDS = ("none", "next", "numbered", "until-empty", "growing")


@pytest.mark.parametrize(
    ("pages", "dated", "selectors", "template"),
    [
        *product(KINDS, (False, True), (False,), ("cards", "rows")),
        *product(KINDS, (False, True), (True,), ("cards",)),
    ],
)
def test_every_article_comes_once(gathering, hosts, pages, dated, selectors, template):
    site = PortalSite(pages, dated, template=template, beyond="404" if dated else "empty")
    hosts[HOST] = site.answer

    gathering.run(source(site, selectors=selectors))

    assert sorted(pages_asked(gathering)) == sorted(site.articles)
    assert set(gathering.captures) >= site.articles


@pytest.mark.parametrize("beyond", ["empty", "404", "last"])
@pytest.mark.parametrize("pages", ["until-empty", "growing"])
def test_archive_ends_however_its_server_says_so(gathering, hosts, pages, beyond):
    site = PortalSite(pages, beyond=beyond)
    hosts[HOST] = site.answer

    gathering.run(source(site))

    assert sorted(pages_asked(gathering)) == sorted(site.articles)
    assert gathering.notices == []


@pytest.mark.parametrize("link", [False, True], ids=["numbered", "by-link"])
@pytest.mark.parametrize("oldest_first", [False, True], ids=["newest-first", "oldest-first"])
@pytest.mark.parametrize("grow", [3, SIZE, 13])
def test_archive_that_grows_while_it_is_read_is_complete(
    gathering, hosts, grow, oldest_first, link
):
    site = PortalSite("growing", oldest_first=oldest_first, grow=grow)
    hosts[HOST] = site.answer
    own = source(site)
    if link:
        own = PortalSource("it", f"http://{HOST}/archive", pages="growing", order=own.order)

    gathering.run(own)

    assert site.grow == 0
    assert sorted(pages_asked(gathering)) == sorted(site.articles)


def test_offsets_count_from_nothing(gathering, hosts):
    def answer(visit):
        start = int(visit.query.get("start", "0"))
        number = start // SIZE + 1
        return site.answer(replace(visit, query={"page": str(number)}))

    site = PortalSite("until-empty")
    hosts[HOST] = answer
    own = PortalSource("it", f"http://{HOST}/archive?start={{page}}", first_page=0, step=SIZE)

    gathering.run(own)

    assert sorted(pages_asked(gathering)) == sorted(site.articles)


def test_every_page_of_the_archive_is_asked_once(gathering, hosts):
    site = PortalSite("until-empty")
    hosts[HOST] = site.answer

    gathering.run(source(site))
    gathering.run(source(site))

    lists = [path for path in gathering.paths(HOST) if path.startswith("/archive")]
    assert lists == [f"/archive?page={n}" for n in range(1, 8)]


def test_next_run_reads_the_head_of_an_archive_again_and_only_what_is_new(gathering, hosts):
    site = PortalSite("until-empty")
    hosts[HOST] = site.answer
    own = source(site, every="0s")
    gathering.run(own)
    before = len(gathering.paths(HOST))
    site.published[""].append("/nuus/late-news-of-today-500")

    gathering.run(own)

    later = gathering.paths(HOST)[before:]
    assert "/nuus/late-news-of-today-500" in later
    assert [path for path in later if "archive" in path] == ["/archive?page=1", "/archive?page=2"]


@pytest.mark.parametrize("order", ["newest-first", "oldest-first"])
def test_dates_come_in_the_order_that_is_wished(order):
    own = PortalSource(
        "it", "http://a.example/{date:%Y/%m}", date(2019, 11, 5), date(2020, 2, 1), order=order
    )

    months = [lead.url[-7:] for lead in own.first_leads()]

    assert months == sorted(months, reverse=order == "newest-first")
    assert len(months) == 4


def test_open_interval_goes_on_until_today():
    own = PortalSource("it", "http://a.example/{date:%Y}", date(2020, 1, 1))

    assert len(list(own.first_leads())) == date.today().year - 2019


def test_stop_rules_end_an_archive(gathering, hosts):
    site = PortalSite("until-empty")
    hosts[HOST] = site.answer

    gathering.run(source(site, most_pages=2))

    assert len(pages_asked(gathering)) == 2 * SIZE


def test_archive_ends_at_an_article_it_is_told_of(gathering, hosts):
    site = PortalSite("next")
    hosts[HOST] = site.answer

    gathering.run(source(site, stop_at="*-story-16"))

    assert len(pages_asked(gathering)) == 2 * SIZE


def test_portal_that_changes_its_template_half_way_is_told(gathering, hosts):
    site = PortalSite("until-empty", has_featured=False)

    def answer(visit):
        site.template = "rows" if visit.query.get("page") == "3" else "cards"
        return site.answer(visit)

    hosts[HOST] = answer
    gathering.run(source(site, articles="h2 > a"))

    line = gathering.line(f"http://{HOST}/archive?page=3")
    assert (line.outcome, line.reason) == ("failed", "unreadable-list")
    assert "Source 'it'" in gathering.notices[0]
    assert "mend `articles`" in gathering.notices[0]
    assert "li.row > a" in gathering.notices[0]
    assert len(pages_asked(gathering)) == 2 * SIZE


def test_next_link_that_is_no_longer_where_it_was_is_told(gathering, hosts):
    site = PortalSite("next")
    hosts[HOST] = site.answer

    gathering.run(source(site, next="a.forward"))

    assert gathering.line(f"http://{HOST}/archive").reason == "unreadable-list"
    assert "mend `next`" in gathering.notices[0]
    assert len(pages_asked(gathering)) == SIZE


def test_page_that_goes_on_but_lists_nothing_is_told(gathering, hosts):
    def answer(visit):
        if visit.query.get("page") == "2":
            body = b'<div id="app"></div><a rel="next" href="/archive?page=3">Next</a>'
            return whole_reply(body)
        return site.answer(visit)

    site = PortalSite("next")
    hosts[HOST] = answer

    gathering.run(source(site))

    assert gathering.line(f"http://{HOST}/archive?page=2").reason == "unreadable-list"
    assert "mend `articles`" in gathering.notices[0]


@pytest.mark.parametrize("days", [0, 1, 40])
@pytest.mark.parametrize("form", ["%Y/%m/%d", "%Y/%m", "%Y"])
def test_only_lists_of_the_last_days_are_read_again(days, form):
    day = datetime.now(UTC).date() - timedelta(days=days)
    own = PortalSource("it", f"http://a.example/{{date:{form}}}", day, day, every="1d")
    (lead,) = own.first_leads()
    capture = Capture(lead, datetime.now(UTC), 200, "OK", (), b"")

    recent = {format(datetime.now(UTC) - timedelta(days=n), form) for n in (0, 1, 2)}
    assert own.is_over(capture, b"") == (format(day, form) not in recent)


def test_list_that_its_owner_wants_unkept_is_read_but_not_kept(gathering, hosts):
    def answer(visit):
        reply = site.answer(visit)
        if visit.path == "/archive":
            return replace(reply, headers={"X-Robots-Tag": "noindex"})
        return reply

    site = PortalSite("until-empty")
    hosts[HOST] = answer

    gathering.run(source(site))

    assert set(gathering.captures) == site.articles
    assert gathering.notices == []


def test_list_that_failed_is_asked_again_by_the_next_run(gathering, hosts):
    site = PortalSite("until-empty")
    is_broken = [True]

    def answer(visit):
        if visit.query.get("page") == "3" and is_broken[0]:
            return site.answer(visit).__class__(500, length=0)
        return site.answer(visit)

    hosts[HOST] = answer
    gathering.run(source(site))
    assert any("asked again by the next run" in notice for notice in gathering.notices)
    is_broken[0] = False

    gathering.run(source(site))

    assert sorted(pages_asked(gathering)) == sorted(site.articles)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"archive": "nowhere"}, "is not a web address"),
        ({"archive": "http://a.example/{day}"}, "no place izwi knows"),
        ({"archive": "http://a.example/{date:%Y}"}, "since is missing"),
        ({"archive": "http://a.example/", "pages": "numbered"}, "needs {page}"),
        ({"archive": "http://a.example/{page}", "pages": "numbered"}, "needs last_page"),
        ({"archive": "http://a.example/", "articles": "a[["}, "is no CSS selector"),
        ({"archive": "http://a.example/", "step": 0}, "at least 1"),
    ],
)
def test_wrong_keys_are_told(fields, words):
    with pytest.raises(ValueError, match=words.replace("{", r"\{")):
        PortalSource("it", **fields)


def test_portal_conforms():
    check_source(PortalSource("it", "http://a.example/archive"))


def test_check_shows_what_was_found(make, web, hosts):
    site = PortalSite("next", has_featured=False)
    hosts[HOST] = site.answer
    corpus = make({"type": "portal", "archive": f"http://{HOST}/archive"})

    by_name = corpus.check_source("it", proxy=web.proxy_url).archive
    by_address = corpus.check_source(f"http://{HOST}/archive", proxy=web.proxy_url).archive

    assert by_name == by_address
    assert [each.articles for each in by_name] == [SIZE, SIZE]
    assert by_name[0].place == "article.card > header > h2 > a"
    assert by_name[0].next == f"http://{HOST}/archive?page=2"


def test_check_of_a_private_address_does_not_speak_of_its_rules(make):
    found = make({"type": "seeds", "urls": ["http://a.example/"]}).check_source("http://127.0.0.1/")

    assert (found.is_allowed, found.robots) == (False, "was not asked")
    assert "private address" in found.problem


DEMO = {
    "karoocourant": "archive",
    "bolandbode": "argief/{page}",
    "egolipost": "latest/page/{page}",
    "izwilomphakathi": "izindaba",
    "umgeniherald": "archive/{date:%Y/%m/%d}/",
    "braaiandbakkie": "{date:%Y/%m}/",
}


@pytest.mark.parametrize("name", DEMO)
def test_archives_of_the_demo_web_are_read_whole_without_selectors(gathering, name):
    host = PUBLICATIONS[name].host
    first = date(2026, 1, 1) if "%d" in DEMO[name] else date(2010, 1, 1)
    dates = {"since": first, "until": date(2026, 11, 1)} if "date" in DEMO[name] else {}
    own = PortalSource(name, f"http://{host}/{DEMO[name]}", **dates)

    gathering.run(own, seconds=60.0)

    truth = ground_truth().items()
    wanted = {url for url, page in truth if f"//{host}/" in url and page.date >= first}
    pages = {url for url, capture in gathering.captures.items() if capture.lead.kind == "page"}
    assert wanted
    assert pages >= wanted
    # What else it takes for an article is one of the site's own pages now and then.
    assert len(pages - wanted) <= 2


@pytest.mark.parametrize("pages", ["next", "until-empty", "growing"])
def test_archive_read_in_many_short_runs_is_complete(gathering, hosts, pages):
    site = PortalSite(pages, grow=5 if pages == "growing" else 0)
    hosts[HOST] = site.answer

    for _ in range(20):
        if not gathering.run(source(site), pages=4):
            break

    assert sorted(pages_asked(gathering)) == sorted(site.articles)
