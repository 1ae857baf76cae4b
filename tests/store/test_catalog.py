import os
import random
import sqlite3
import threading
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from izwi.model.capture import CaptureEntry
from izwi.model.document import KEPT, Verdict, dropped, failed
from izwi.model.errors import DiskFull, StoreError
from izwi.model.results import ReasonCount, ShardReport
from izwi.store import database
from izwi.store.catalog import Catalog, ShardState, host_of
from izwi.store.database import MIGRATIONS, stop_of
from izwi.store.postgresql import Address
from tests.store.samples import HINTS, MOMENT, lead

FAR = 1e12
SHARD = "2026-11-15-0001"


@pytest.fixture
def path(tmp_path):
    """Where a catalog in a file lies."""
    return tmp_path / "news" / "catalog.sqlite"


@pytest.fixture(params=["sqlite", "postgresql"])
def place(request, path):
    """Where a catalog of each kind lies."""
    if request.param == "sqlite":
        return path
    return Address(request.getfixturevalue("postgresql").new_place(), "news")


@pytest.fixture
def catalog(place):
    with Catalog.write(place) as opened:
        yield opened


def entry(url="http://one.example/a", offset=0, **changes):
    made = CaptureEntry(url, MOMENT, 200, "text/html", "sha1:X", "page", "one", offset, 100)
    return replace(made, **changes)


def waiting(catalog, host="one.example", now=FAR, most=100):
    return catalog.waiting_leads(host, now, most=most)


def due_by_host(catalog):
    return {each.host: each.due for each in catalog.waiting_hosts()}


def the_only(catalog, url="http://one.example/a", **fields):
    """Queue one lead and return it with its place."""
    catalog.add_leads([lead(url, **fields)])
    return waiting(catalog, host_of(url))[0]


def lines(catalog):
    return {line.url: line for line in catalog.ledger_lines()}


def test_lead_comes_back_as_it_was(catalog):
    given = lead(
        "http://one.example/a?b=ö",
        kind="feed",
        referrer="http://r/",
        depth=3,
        redirects=2,
        hints=HINTS,
    )

    catalog.add_leads([given])

    (queued,) = waiting(catalog)
    assert queued.lead == given
    assert (queued.host, queued.attempts) == ("one.example", 0)


def test_lead_proposed_again_changes_nothing(catalog):
    first = lead(depth=1)

    added = [catalog.add_leads([first, first]), catalog.add_leads([replace(first, depth=9)])]

    assert added == [1, 0]
    assert [queued.lead for queued in waiting(catalog)] == [first]


def test_settled_lead_proposed_again_stays_settled(catalog):
    catalog.settle(the_only(catalog), "fetched", KEPT)

    assert catalog.add_leads([lead()]) == 0
    assert waiting(catalog) == []


def test_lead_of_a_removed_source_waits_again_when_another_proposes_it(catalog):
    catalog.settle(the_only(catalog), "dropped", dropped("fetch", "source-removed", detail="one"))

    added = catalog.add_leads([lead(source="two", depth=1)])

    assert added == 1
    (queued,) = waiting(catalog)
    assert (queued.lead, queued.attempts) == (lead(source="two", depth=1), 0)
    assert lines(catalog)[queued.lead.url].reason == ""


def test_lead_dropped_for_another_reason_stays_dropped(catalog):
    catalog.settle(the_only(catalog), "dropped", dropped("fetch", "robots"))

    assert catalog.add_leads([lead(source="two")]) == 0
    assert waiting(catalog) == []


def test_claimed_lead_belongs_to_the_source_that_names_it(catalog):
    the_only(catalog, depth=2)

    catalog.claim(lead(source="two", kind="feed"))

    (queued,) = waiting(catalog)
    assert queued.lead == lead(source="two", kind="feed", depth=2)


def test_waiting_leads_of_a_host_come_in_the_order_they_were_found(catalog):
    urls = [f"http://one.example/{name}" for name in "zaqm"]
    catalog.add_leads([lead(urls[0]), lead("http://two.example/"), *map(lead, urls[1:])])

    assert [queued.lead.url for queued in waiting(catalog)] == urls
    assert [queued.lead.url for queued in waiting(catalog, most=2)] == urls[:2]


def test_hosts_are_told_apart_by_port(catalog):
    catalog.add_leads([lead("http://One.example:8080/"), lead("http://one.example/")])

    assert set(due_by_host(catalog)) == {"one.example", "one.example:8080"}


def test_settled_lead_has_its_reason_value_and_threshold_in_the_ledger(catalog):
    queued = the_only(catalog)

    catalog.settle(queued, "dropped", dropped("fetch", "too-large", value=12, threshold=10))

    line = lines(catalog)[queued.lead.url]
    assert (line.outcome, line.stage, line.reason) == ("dropped", "fetch", "too-large")
    assert (line.value, line.threshold, line.source) == (12, 10, "one")
    assert waiting(catalog) == []


def test_fetched_lead_leaves_the_ledger_to_its_capture(catalog):
    catalog.settle(the_only(catalog), "fetched", KEPT)

    assert lines(catalog) == {}


def test_waiting_lead_is_in_the_ledger(catalog):
    queued = the_only(catalog)

    assert lines(catalog)[queued.lead.url].outcome == "waiting"


def test_postponed_lead_waits_until_it_is_due(catalog):
    queued = the_only(catalog)

    catalog.postpone(queued, 1000.0, failed("fetch", "timeout", detail="slow"))

    assert waiting(catalog, now=999.9) == []
    (again,) = waiting(catalog, now=1000.0)
    assert again.attempts == 1
    assert due_by_host(catalog) == {"one.example": 1000.0}
    line = lines(catalog)[queued.lead.url]
    assert (line.outcome, line.reason, line.detail) == ("waiting", "timeout", "slow")


def test_host_is_due_when_the_first_of_its_leads_is(catalog):
    catalog.postpone(the_only(catalog), 1000.0, KEPT)
    catalog.add_leads([lead("http://one.example/b")])

    assert due_by_host(catalog) == {"one.example": 0.0}


@pytest.mark.parametrize(
    ("rested", "wakes"),
    [(timedelta(minutes=-1), True), (timedelta(minutes=1), False)],
    ids=["long ago", "just now"],
)
def test_feed_wakes_when_its_time_has_come(catalog, rested, wakes):
    feed = the_only(catalog, kind="feed")
    catalog.settle(feed, "fetched", KEPT)

    catalog.wake_feed(feed.lead.url, last_before=datetime.now(UTC) - rested)

    assert bool(waiting(catalog)) == wakes


def test_woken_feed_begins_anew(catalog):
    feed = the_only(catalog, kind="feed")
    catalog.postpone(feed, FAR * 2, failed("fetch", "timeout"))
    catalog.settle(feed, "failed", failed("fetch", "timeout"))

    catalog.wake_feed(feed.lead.url, last_before=datetime.now(UTC) + timedelta(seconds=1))

    (again,) = waiting(catalog, now=0.0)
    assert again.attempts == 0


def test_page_never_wakes(catalog):
    page = the_only(catalog)
    catalog.settle(page, "fetched", KEPT)

    catalog.wake_feed(page.lead.url, last_before=datetime.now(UTC) + timedelta(days=1))

    assert waiting(catalog) == []


def test_feed_that_waits_for_another_attempt_is_left_alone(catalog):
    feed = the_only(catalog, kind="feed")
    catalog.postpone(feed, 1000.0, failed("fetch", "timeout"))

    catalog.wake_feed(feed.lead.url, last_before=datetime.now(UTC) + timedelta(days=1))

    assert due_by_host(catalog) == {"one.example": 1000.0}


def test_captures_of_a_shard_come_back_in_file_order(catalog):
    queued = the_only(catalog)
    entries = [entry(offset=offset) for offset in (300, 100, 200)]
    for each in entries:
        catalog.add_capture(queued, SHARD, each)
    catalog.add_capture(queued, "2026-11-15-0002", entry(offset=7))

    assert list(catalog.captures(SHARD)) == sorted(entries, key=lambda each: each.offset)


def test_shards_come_back_in_corpus_order(catalog):
    states = [ShardState("2026-11-15-0002", False, 5, 4), ShardState(SHARD, True, 10, 8)]
    for state in states:
        catalog.put_shard(state)

    assert catalog.shards() == states[::-1]


def test_state_of_a_shard_is_replaced(catalog):
    catalog.put_shard(ShardState(SHARD, False, 5, 4))
    catalog.put_shard(ShardState(SHARD, True, 10, 8))

    assert catalog.shards() == [ShardState(SHARD, True, 10, 8)]


def test_forgotten_shard_is_gone(catalog):
    catalog.put_shard(ShardState(SHARD, False, 0, 0))

    catalog.forget_shard(SHARD)

    assert catalog.shards() == []


def test_a_shard_that_is_taken_in_brings_a_settled_lead_for_each_capture(catalog):
    entries = [entry("http://one.example/a"), entry("http://two.example/b", 100, kind="feed")]

    catalog.put_shard(ShardState(SHARD, True, 200, 200))
    catalog.take(SHARD, entries)

    assert list(catalog.captures(SHARD)) == entries
    assert catalog.counts() == (2, 0)
    assert catalog.add_leads([lead(each.url) for each in entries]) == 0


def test_taking_in_settles_a_lead_that_waits(catalog):
    the_only(catalog)

    catalog.put_shard(ShardState(SHARD, True, 100, 100))
    catalog.take(SHARD, [entry()])

    assert catalog.counts() == (1, 0)


def test_robots_are_remembered_and_replaced(catalog):
    before = catalog.robots("one.example")
    catalog.put_robots("one.example", "User-agent: *", 200, 5.0)
    catalog.put_robots("one.example", "", 404, 9.0)

    assert before is None
    assert catalog.robots("one.example") == ("", 404, 9.0)


def test_reasons_are_counted_by_source_and_state(catalog):
    catalog.settle(the_only(catalog, "http://one.example/1"), "fetched", KEPT)
    for number in (2, 3):
        queued = the_only(catalog, f"http://one.example/{number}")
        catalog.settle(queued, "failed", failed("fetch", "timeout"))
    the_only(catalog, "http://two.example/1", source="two")
    queued = the_only(catalog, "http://three.example/", source="two")
    catalog.settle(queued, "dropped", dropped("fetch", "noai"))

    assert set(catalog.reasons_by_source()) == {
        ("one", ReasonCount("failed", "fetch", "timeout", 2)),
        ("two", ReasonCount("dropped", "fetch", "noai", 1)),
    }


def test_source_counts_pages_fetched_and_not_feeds(catalog):
    catalog.settle(the_only(catalog, "http://one.example/feed", kind="feed"), "fetched", KEPT)
    catalog.settle(the_only(catalog, "http://one.example/1"), "fetched", KEPT)
    the_only(catalog, "http://one.example/2")

    assert catalog.source_counts() == {"one": (3, 1)}


def test_last_report_of_a_shard_decides_whether_it_failed(catalog):
    catalog.put_report("text", "abc", ShardReport("extract", SHARD, error="broken"))
    catalog.put_report("text", "other", ShardReport("extract", "2026-11-15-0002", error="broken"))
    failed_first = catalog.failed_shards("text", "abc")

    catalog.put_report("text", "abc", ShardReport("extract", SHARD, rows=3))

    assert failed_first == {SHARD: "broken"}
    assert catalog.failed_shards("text", "abc") == {}


def test_shard_that_was_damaged_is_remembered_until_it_is_not(catalog):
    report = ShardReport("extract", SHARD, damaged_captures=1)
    catalog.put_report("text", "abc", report, damage="123 456")
    before = catalog.damaged_shards("text", "abc")

    catalog.put_report("text", "abc", ShardReport("extract", SHARD))

    assert before == {SHARD: "123 456"}
    assert catalog.damaged_shards("text", "abc") == {}
    assert catalog.damaged_shards("text", "other") == {}


def test_shard_made_anew_is_remembered_until_the_index_follows(catalog):
    catalog.renew(SHARD)
    catalog.renew(SHARD)
    before = catalog.renewed_shards()

    catalog.forget_renewed()

    assert before == {SHARD}
    assert catalog.renewed_shards() == set()


def test_committed_work_is_there_after_closing(place):
    with Catalog.write(place) as catalog:
        catalog.add_leads([lead()])
        catalog.commit()

    with Catalog.write(place) as catalog:
        assert len(waiting(catalog)) == 1


def test_uncommitted_work_is_gone_after_closing(place):
    with Catalog.write(place) as catalog:
        queued = the_only(catalog)
        catalog.commit()
        catalog.settle(queued, "fetched", KEPT)
        catalog.add_capture(queued, SHARD, entry())
        catalog.put_shard(ShardState(SHARD, False, 5, 4))

    with Catalog.write(place) as catalog:
        assert [each.lead for each in waiting(catalog)] == [queued.lead]
        assert catalog.counts() == (0, 1)
        assert catalog.shards() == []


def test_end_of_a_failed_run_commits_nothing_but_itself(place):
    # Otherwise captures whose bytes never reached the disk would count as fetched.
    with Catalog.write(place) as catalog:
        queued = the_only(catalog)
        catalog.start_run("r1", "gather", "2026")
        catalog.settle(queued, "fetched", KEPT)

        catalog.end_run("r1", {"failures": ["disk full"]})

    with Catalog.write(place) as catalog:
        assert len(waiting(catalog)) == 1
        (row,) = catalog._execute("SELECT id, ended <> '', report FROM runs").fetchall()
        assert tuple(row) == ("r1", True, '{"failures": ["disk full"]}')


def test_commit_waits_for_the_disk(path):
    full = 2
    catalog = Catalog.write(path)

    assert catalog._connection.execute("PRAGMA synchronous").fetchone()[0] == full
    assert catalog._connection.execute("PRAGMA journal_mode").fetchone()[0] == "wal"


def test_reader_sees_what_is_committed_while_a_writer_goes_on(place, catalog):
    catalog.add_leads([lead("http://one.example/1")])
    catalog.commit()
    catalog.add_leads([lead("http://one.example/2")])

    with Catalog.read(place) as reader:
        assert reader.counts() == (0, 1)


def test_reader_cannot_write(place, catalog):
    with Catalog.read(place) as reader, pytest.raises(StoreError):
        reader.add_leads([lead()])

    assert waiting(catalog) == []


def test_absent_catalog_reads_as_an_empty_one_and_is_not_made(place):
    with Catalog.read(place) as catalog:
        assert catalog.counts() == (0, 0)
        assert catalog.shards() == []

    assert isinstance(place, Address) or not place.exists()


@pytest.mark.parametrize("opened", [Catalog.read, Catalog.write], ids=["read", "write"])
def test_file_that_is_no_catalog_is_an_error_that_says_what_to_do(path, opened):
    path.parent.mkdir()
    path.write_bytes(b"This was a catalog before the disk broke." * 100)

    with pytest.raises(StoreError) as caught:
        opened(path)

    assert str(path) in str(caught.value)
    assert "The captures are safe in the WARC files" in str(caught.value)
    assert "move the catalog away" in str(caught.value)


def test_damage_met_later_is_the_same_error(path):
    with Catalog.write(path) as catalog:
        catalog.add_leads([lead(f"http://one.example/{number}") for number in range(2000)])
        catalog.commit()
    raw = bytearray(path.read_bytes())
    # The tables' description stays whole, so the damage is met only by who reads the rows.
    raw[131072:] = b"\xff" * (len(raw) - 131072)
    path.write_bytes(raw)

    with Catalog.read(path) as catalog, pytest.raises(StoreError, match="move the catalog away"):
        waiting(catalog, most=5000)


def test_catalog_of_another_version_is_not_read(path):
    Catalog.write(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")

    with pytest.raises(StoreError, match="of another version"):
        Catalog.read(path)


def test_an_older_catalog_that_nobody_changes_is_not_waited_for(path, monkeypatch):
    Catalog.write(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) - 1}")
    os.utime(path, (1e9, 1e9))
    monkeypatch.setattr(database.time, "sleep", lambda _: pytest.fail("it waits"))

    with pytest.raises(StoreError, match="of another version"):
        Catalog.read(path)


def test_catalog_in_a_place_where_nothing_can_be_written_is_an_error_of_the_disk(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(StoreError) as caught:
        Catalog.write(tmp_path / "file" / "catalog.sqlite")

    assert str(tmp_path) in str(caught.value)


def test_full_disk_stops_with_its_own_error(path):
    # SQLite says "database or disk is full" when it may not grow.
    catalog = Catalog.write(path)
    catalog._connection.execute("PRAGMA max_page_count = 1")

    leads = [lead(f"http://one.example/{number}") for number in range(1000)]

    with pytest.raises(DiskFull, match="The disk is full"):
        catalog.add_leads(leads)


def test_value_of_a_verdict_may_be_absent(catalog):
    queued = the_only(catalog)

    catalog.settle(queued, "dropped", Verdict("dropped", "fetch", "robots"))

    assert lines(catalog)[queued.lead.url].value is None


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://One.Example/a", "one.example"),
        ("http://one.example:81/a", "one.example:81"),
        ("http://[::1]:81/", "[::1]:81"),
    ],
)
def test_host_is_name_and_port(url, host):
    assert host_of(url) == host


def test_a_catalog_that_is_just_being_made_is_waited_for(tmp_path):
    path = tmp_path / "catalog.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
    making = threading.Timer(0.2, lambda: Catalog.write(path).close())
    making.start()

    with Catalog.read(path) as catalog:
        assert catalog.counts() == (0, 0)
    making.join()


def counted(catalog):
    """Return how many leads came to what, counted one by one."""
    asked = """
    SELECT state, coalesce(reason, ''), source, kind, count(*) FROM leads
    JOIN origins ON origins.id = leads.origin LEFT JOIN outcomes ON outcomes.lead = leads.id
    GROUP BY 1, 2, 3, 4
    """
    return {tuple(row)[:4]: row[4] for row in catalog._execute(asked)}


def kept(catalog):
    """Return the same as it is kept."""
    rows = catalog._execute(
        "SELECT state, reason, source, kind, sum(number) FROM tallies GROUP BY 1, 2, 3, 4"
    )
    return {tuple(row)[:4]: row[4] for row in rows if row[4]}


def much_done(catalog, seed):
    """Do at random what is done with leads."""
    dice = random.Random(seed)
    catalog.add_leads([lead(f"http://one.example/{n}", source=f"s{n % 2}") for n in range(12)])
    catalog.add_leads([lead("http://one.example/feed", kind="feed")])
    for _ in range(40):
        queued = catalog.find_lead(f"http://one.example/{dice.randrange(12)}")
        verdict = dice.choice([KEPT, dropped("fetch", "robots"), dropped("fetch", "noai")])
        match dice.randrange(6):
            case 0 | 1:
                catalog.settle(queued, dice.choice(["fetched", "dropped", "failed"]), verdict)
            case 2:
                catalog.postpone(queued, FAR, failed("fetch", "timeout"), attempts=1)
            case 3:
                catalog.revisit(queued)
            case 4:
                catalog.claim(replace(queued.lead, source="other"))
            case 5:
                catalog.wake_refused(dice.choice(["robots", "noai"]))


@pytest.mark.parametrize("seed", range(3))
def test_counts_are_kept_while_leads_change(place, seed):
    with Catalog.write(place) as catalog:
        much_done(catalog, seed)
        assert kept(catalog) == counted(catalog)
        catalog.commit()
        much_done(catalog, seed + 10)  # and is never committed

    with Catalog.write(place) as catalog:
        catalog.start_run("r1", "gather", "2026")
        catalog.end_run("r1", {})  # what a server keeps apart is added up
        assert kept(catalog) == counted(catalog)
        rows = catalog._execute("SELECT count(*) FROM tallies").fetchone()[0]
        assert rows <= 2 * len(kept(catalog)) + 20
        waiting_ones = sum(n for key, n in counted(catalog).items() if key[0] == 0)
        assert catalog.counts()[1] == waiting_ones


def test_a_page_of_the_ledger_is_read_by_itself(catalog):
    much_done(catalog, 5)
    for number in (3, 5, 8):
        queued = catalog.find_lead(f"http://one.example/{number}")
        catalog.settle(queued, "dropped", dropped("fetch", "robots"))
    lines = list(catalog.ledger_lines())
    robots = [line for line in lines if line.reason == "robots"]
    nothing = {"outcome": "", "reason": "", "source": ""}

    found = catalog.page_of_leads(**nothing, first=2, most=3)
    refused = catalog.page_of_leads(**nothing | {"reason": "robots"}, first=0, most=99)
    ours = catalog.page_of_leads(**nothing | {"source": "s1"}, first=1, most=99)
    feeds = catalog.page_of_leads(**nothing, kind="feed", first=0, most=99)

    assert list(found) == lines[2:5]
    assert list(refused) == robots != []
    assert list(ours) == [line for line in lines if line.source == "s1"][1:]
    assert list(feeds) == [line for line in lines if line.kind == "feed"]


class _Fault(sqlite3.OperationalError):
    sqlite_errorname = "SQLITE_IOERR_SHMSIZE"


@pytest.mark.parametrize(("free", "expected"), [(100, DiskFull), (1 << 30, None)])
def test_what_sqlite_cannot_share_on_a_full_disk_is_a_full_disk(
    tmp_path, monkeypatch, free, expected
):
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(free=free))

    found = stop_of(_Fault("disk I/O error"), tmp_path / "catalog.sqlite")

    assert type(found) is (expected or type(None))


def captured(catalog):
    """Return how many captures each file has, as it is kept, and counted one by one."""
    rows = catalog._execute("SELECT shard, count(*) FROM captures GROUP BY shard")
    return catalog.capture_counts(), {row[0]: row[1] for row in rows}


def test_captures_are_counted_while_they_come_and_go(place):
    with Catalog.write(place) as catalog:
        for name in ("a", "b"):
            catalog.put_shard(ShardState(name, False, 0, 0))
            for number in range(3):
                url = f"http://one.example/{name}{number}"
                catalog.add_capture(the_only(catalog, url), name, entry(url, offset=100 * number))
        catalog.commit()
        came = captured(catalog)
        catalog.queue_again("a", beyond=100)
        catalog.join_shards("a", ["b"], [entry("http://one.example/b0")], 100)
        went = captured(catalog)
        total = catalog.counts()[0]

    assert came == ({"a": 3, "b": 3},) * 2
    assert went == ({"a": 1},) * 2
    assert total == 1


def test_captures_of_before_are_counted_once(path):
    with Catalog.write(path) as catalog:
        catalog.put_shard(ShardState(SHARD, False, 0, 0))
        catalog.add_capture(the_only(catalog), SHARD, entry())
        catalog.commit()
    with closing(sqlite3.connect(path)) as connection:
        for what in ("TRIGGER captures_added", "TRIGGER captures_removed", "TABLE captured"):
            connection.execute(f"DROP {what}")
        connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) - 2}")
        connection.commit()

    with Catalog.write(path) as catalog:
        assert captured(catalog) == ({SHARD: 1},) * 2


@pytest.mark.parametrize(
    "ask",
    [
        Catalog.counts, Catalog.capture_counts, Catalog.source_counts, Catalog.ledger_counts,
        Catalog.refusal_counts,
        lambda catalog: list(catalog.page_of_leads(
            outcome="", reason="", source="", kind="", first=0, most=5)),
    ],
)  # fmt: skip
def test_what_pages_ask_for_takes_as_many_steps_with_ten_times_the_addresses(path, ask):
    steps = []
    with Catalog.write(path) as catalog:
        catalog.put_shard(ShardState(SHARD, False, 0, 0))
        for number in range(300):
            url = f"http://one.example/{number}"
            catalog.add_leads([lead(url), lead(f"{url}/waiting")])
            queued = catalog.find_lead(url)
            catalog.add_capture(queued, SHARD, entry(url, offset=number))
            catalog.settle(queued, "fetched", KEPT)
            if number + 1 in (30, 300):
                taken = []
                catalog._connection.set_progress_handler(lambda taken=taken: taken.append(1), 1)
                ask(catalog)
                catalog._connection.set_progress_handler(None, 0)
                steps.append(len(taken))

    assert steps[1] <= 1.2 * steps[0]
