import json
from dataclasses import replace

import pytest

from izwi.demoweb.server import whole_reply
from izwi.gather.sources import archive
from izwi.gather.sources.archive import ArchiveSource
from izwi.gather.sources.seeds import SeedsSource
from izwi.gather.web_archives import moment_of, read_cdx, read_timemap
from izwi.testing import check_source
from tests.gather.sources import archivesite
from tests.gather.sources.archivesite import ARCHIVE, DAYS, GONE, LIVE, LOST, NEWS, REPLAY


@pytest.fixture
def server(hosts):
    own = archivesite.ArchiveServer(archivesite.collection())
    hosts[ARCHIVE], hosts[NEWS] = own.answer, archivesite.live
    return own


def source(way="cdx", **more):
    url = f"http://{NEWS}/" if way == "walk" else f"{NEWS}/*"
    cdx = f"http://{ARCHIVE}/cdx/search/cdx"
    return ArchiveSource("old", url, way, REPLAY, cdx, **{"rows": 1000, **more})


def stories(gathering):
    return {url.partition(NEWS)[2]: page for url, page in gathering.captures.items() if NEWS in url}


@pytest.mark.parametrize("most", [2, 3, 5, 1000])
def test_every_page_is_recovered_from_a_list_in_pages(gathering, server, most):
    server.most = most

    gathering.run(source())

    found = stories(gathering)
    assert set(found) >= set(LOST)
    assert b"first" in found[LOST[0]].body
    assert gathering.notices == []


@pytest.mark.parametrize(("rule", "note"), [("first", b"first"), ("last", b"later")])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_rule_chooses_one_capture_of_each_page_even_between_two_pages(
    gathering, server, rule, note, most
):
    server.most = most

    gathering.run(source(per_url=rule))

    found = stories(gathering)
    assert all(note in found[path].body for path in LOST)
    assert gathering.run(source(per_url=rule)) == 0


def test_all_captures_of_a_page_can_be_had(gathering, server):
    gathering.run(source(per_url="all"))

    asked = [path for path in gathering.paths(ARCHIVE) if path.endswith(LOST[0])]
    assert len(asked) == 2


def test_walk_finds_what_the_snapshots_link_to_in_the_archive_or_live(gathering, server):
    gathering.run(source("walk"))

    found = stories(gathering)
    assert {path for path in found if path.startswith("/story")} == {*LOST, LIVE}
    assert gathering.line(f"http://{NEWS}{GONE}").reason == "http-404"
    snapshots = [path for path in gathering.paths(ARCHIVE) if path.endswith(f"id_/http://{NEWS}/")]
    # The newest first, and of two on one day only one.
    assert [path[5:13] for path in snapshots] == ["20140310", "20140302", "20140301"]


def test_capture_keeps_its_time_its_headers_and_its_archive(gathering, server):
    gathering.run(source())

    capture = stories(gathering)[LOST[1]]
    assert capture.time == moment_of(DAYS[1])
    assert capture.lead.hints.archive == f"{REPLAY}{DAYS[1]}id_/http://{NEWS}{LOST[1]}"
    assert capture.header("Server") == "Apache/1.3"
    assert capture.header("Memento-Datetime") == ""
    line = gathering.line(capture.lead.hints.archive)
    assert (line.outcome, line.reason) == ("redirected", "from-archive")


def test_page_that_was_captured_before_is_not_fetched_from_the_archive(gathering, server):
    gathering.run(source("walk"))
    gathering.run(source("walk"), replace(source(), name="list"))

    assert len([path for path in gathering.paths(ARCHIVE) if path.endswith(LOST[0])]) <= 2
    assert b"first" in stories(gathering)[LOST[0]].body


def test_pages_are_not_asked_live_if_one_does_not_want_it(gathering, server):
    gathering.run(source("walk", live=False))

    assert gathering.paths(NEWS) == []


def test_archive_that_is_busy_is_not_replaced_by_the_live_page(gathering, hosts, server):
    def answer(visit):
        if visit.path.endswith((LOST[0], LIVE)):
            return whole_reply(b"", status=429)
        return server.answer(visit)

    hosts[ARCHIVE] = answer
    gathering.run(source("walk"))

    assert LOST[0] not in gathering.paths(NEWS)
    assert LIVE not in gathering.paths(NEWS)


def test_list_whose_keys_never_end_is_left_and_told(gathering, hosts, server, monkeypatch):
    monkeypatch.setattr(archive, "MOST_PAGES", 5)
    asked = []

    def answer(visit):
        if visit.path != "/cdx/search/cdx":
            return server.answer(visit)
        asked.append(visit.path)
        row = ["com", DAYS[0], f"http://{NEWS}{LOST[0]}"]
        table = [["urlkey", "timestamp", "original"], row, [], [f"key{len(asked)}"]]
        return whole_reply(json.dumps(table).encode(), content_type="application/json")

    hosts[ARCHIVE] = answer
    gathering.run(source())

    assert len(asked) == 5
    assert LOST[0] in stories(gathering)
    assert "goes on after 5 pages" in gathering.notices[0]


def test_timemaps_are_followed_on_their_own_host_and_not_for_ever(gathering, hosts, monkeypatch):
    monkeypatch.setattr(archive, "MOST_PAGES", 5)
    elsewhere = "other.example"

    def answer(visit):
        if "/timemap/link" not in visit.path:
            return whole_reply(b"", status=404)
        number = int(visit.query.get("n", "0")) + 1
        maps = [f"http://{host}/web/timemap/link/?n={number}" for host in (ARCHIVE, elsewhere)]
        return whole_reply(",\n".join(f'<{url}>; rel="timemap"' for url in maps).encode())

    hosts[ARCHIVE] = hosts[elsewhere] = answer
    gathering.run(source("walk"))

    assert len([path for path in gathering.paths(ARCHIVE) if "timemap" in path]) == 5
    assert gathering.paths(elsewhere) == []
    assert "goes on after 5 pages" in gathering.notices[0]


def test_interval_leaves_other_captures_out(gathering, server):
    gathering.run(source(since=moment_of("20150101").date()))

    assert all(b"later" in page.body for path, page in stories(gathering).items() if path in LOST)


def test_server_that_cuts_its_list_and_gives_no_key_is_asked_for_all(gathering, hosts, server):
    def answer(visit):
        if visit.path != "/cdx/search/cdx":
            return server.answer(visit)
        rows = [json.dumps({"url": each.url, "timestamp": each.stamp}) for each in server.kept]
        most = int(visit.query.get("limit", "1000"))
        return whole_reply("\n".join(rows[:most]).encode(), content_type="text/x-ndjson")

    hosts[ARCHIVE] = answer
    gathering.run(source(rows=4))

    assert set(stories(gathering)) >= set(LOST)


@pytest.mark.parametrize("way", ["cdx", "walk"])
@pytest.mark.parametrize("failing", ["html", "503"])
def test_archive_that_fails_is_told_and_the_others_go_on(gathering, server, way, failing):
    server.failing = failing
    other = SeedsSource("seeds", (f"http://{NEWS}{LIVE}",))

    gathering.run(source(way), other)

    address = source(way).address
    line = gathering.line(address)
    assert line.outcome == "failed"
    assert line.reason == ("unreadable-list" if failing == "html" else "http-503")
    assert "Source 'old'" in gathering.notices[0]
    assert "again" in gathering.notices[0]
    assert LIVE in stories(gathering)


def test_lists_are_read_in_every_form():
    table = b'[["urlkey","timestamp","original"],["a","20140301","http://a.example/"],[],["key"]]'
    lines = b'{"url": "http://a.example/", "timestamp": "20140301", "status": "200"}'
    plain = b" CDX N b a m s k\ncom,a)/ 20140301 http://a.example/ text/html 200 X\n\nkey"
    cdxj = b'com,a)/ 20140301 {"url": "http://a.example/", "mime": "text/html"}'

    for body in (table, lines, plain, cdxj):
        (row,) = read_cdx(body).rows
        assert (row.url, row.stamp, row.is_page) == ("http://a.example/", "20140301", True)
    assert read_cdx(table).resume == read_cdx(plain).resume == "key"
    assert read_cdx(b"").rows == read_cdx(b"[]").rows == ()


def test_timemap_that_goes_on_elsewhere_names_it():
    body = (
        b'<http://a.example/tm/2>; rel="timemap"; from="Tue, 1 Apr 2014 00:00:00 GMT",\n'
        b'<http://a.example/1>; rel="first memento"; datetime="Sat, 01 Mar 2014 08:00:00 GMT"'
    )

    mementos, maps = read_timemap(body)

    assert [each.stamp for each in mementos] == ["20140301080000"]
    assert maps == ("http://a.example/tm/2",)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"replay": "http://a.example/web"}, "must end with /"),
        ({"cdx": "nowhere"}, "is not a web address"),
        ({"way": "walk"}, "begins at a home page"),
        ({"rows": 0}, "below 1"),
    ],
)
def test_wrong_keys_are_told(fields, words):
    with pytest.raises(ValueError, match=words):
        ArchiveSource("old", "a.example/*", **fields)


@pytest.mark.parametrize(
    ("way", "kind", "items"), [("cdx", "CDX list", 20), ("walk", "TimeMap", 4)]
)
def test_check_shows_what_the_archive_names(make, web, server, way, kind, items):
    server.most = 1000
    url = f"http://{NEWS}/" if way == "walk" else f"{NEWS}/*"
    cdx = f"http://{ARCHIVE}/cdx/search/cdx"
    corpus = make({"type": "archive", "url": url, "way": way, "replay": REPLAY, "cdx": cdx})

    (found,) = corpus.check_source("it", proxy=web.proxy_url).lists

    assert (found.kind, found.first) == (kind, "2014-03-01")
    assert found.items == (items if way == "walk" else 2 * items)


def test_archive_conforms():
    check_source(ArchiveSource("old", "a.example/*"))
