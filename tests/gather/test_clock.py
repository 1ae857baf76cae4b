"""A machine's clock that is wrong, or is set while a run works, loses nothing and hangs nothing."""

from datetime import UTC, datetime

import pytest
import time_machine

from izwi.demoweb.server import Reply, whole_reply
from izwi.gather.sources.feeds import FeedSource
from izwi.gather.sources.seeds import SeedsSource
from izwi.model.errors import StoreError
from izwi.store.catalog import Catalog

HOST = "http://one.example"
AHEAD = datetime(2099, 5, 1, tzinfo=UTC)


def page(visit):
    return whole_reply(f"<html><body>{visit.path}</body></html>".encode())


def test_a_clock_of_1970_is_refused_before_anything_is_dated_by_it(make, web):
    corpus = make({"type": "seeds", "urls": [f"{HOST}/a"]})

    with (
        time_machine.travel(datetime(1970, 1, 1, 0, 2, tzinfo=UTC), tick=True),
        pytest.raises(StoreError, match=r"clock of this machine says 1970-01-01\. Set it"),
    ):
        corpus.gather(proxy=web.proxy_url)

    assert not corpus.status().captures
    assert web.log == []


def test_what_a_clock_that_was_ahead_has_put_off_is_asked_when_it_is_right(gathering, hosts):
    def answer(visit):
        if visit.path == "/feed":
            items = "".join(
                f"<item><link>{HOST}/{n}</link></item>" for n in range(visit.earlier + 1)
            )
            return whole_reply(f'<rss version="2.0"><channel>{items}</channel></rss>'.encode())
        return Reply(503, length=0) if visit.path == "/0" and not visit.earlier else page(visit)

    hosts["one.example"] = answer
    sources = (FeedSource("feed", f"{HOST}/feed", every="1h"),)
    with time_machine.travel(AHEAD, tick=True):
        note_run(gathering)
        # As often as it takes: a busy machine may not come so far in a second.
        while "/0" not in gathering.paths("one.example"):
            gathering.run(*sources, attempts=5, seconds=1)
    assert f"{HOST}/0" not in gathering.captures

    gathering.run(*sources)

    assert {f"{HOST}/0", f"{HOST}/1"} <= set(gathering.captures)
    assert gathering.paths("one.example").count("/robots.txt") == 2


def test_a_clock_that_is_put_back_in_a_run_does_not_stop_it(gathering, hosts):
    travelled = []

    def answer(visit):
        if visit.path == "/2":
            travelled.append(time_machine.travel(datetime(2026, 1, 1, tzinfo=UTC), tick=True))
            travelled[-1].start()
        return page(visit)

    hosts["one.example"] = answer
    seeds = SeedsSource("seeds", tuple(f"{HOST}/{n}" for n in range(6)))
    with time_machine.travel(datetime(2026, 6, 1, tzinfo=UTC), tick=True):
        gathering.run(seeds, delay=0.05)
        for each in travelled:
            each.stop()

    assert {f"{HOST}/{n}" for n in range(6)} <= set(gathering.captures)
    assert len(travelled) == 1


def note_run(gathering):
    """Note the run as the use case does, which knows when it began."""
    with Catalog.write(gathering.layout.catalog) as catalog:
        catalog.start_run("2099-05-01T00-00-00", "gather", datetime.now(UTC).isoformat())
        catalog.commit()
