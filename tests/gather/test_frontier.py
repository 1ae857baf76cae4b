import pytest

from izwi.gather.frontier import LONGEST_PAUSE, TOLERATED_FAILURES, Frontier
from izwi.model.capture import Lead
from izwi.model.document import KEPT, failed
from izwi.store.catalog import Catalog

NOW = 1_000_000.0


@pytest.fixture
def catalog(tmp_path):
    with Catalog.write(tmp_path / "catalog.sqlite") as opened:
        yield opened


def frontier_of(catalog, *urls, **options):
    catalog.add_leads(Lead(url, "s") for url in urls)
    frontier = Frontier(catalog, **options)
    frontier.refresh(NOW)
    return frontier


def finish(frontier, queued, now=NOW, delay=0.0, is_failure=False):
    frontier.catalog.settle(queued, "fetched", KEPT)
    frontier.done(queued, now=now, delay=delay, is_failure=is_failure)


def test_a_host_is_asked_one_thing_at_a_time_and_rests_in_between(catalog):
    frontier = frontier_of(catalog, "http://a.example/1", "http://a.example/2")
    first = frontier.next(NOW)

    assert frontier.next(NOW) is None
    finish(frontier, first, delay=2.0)
    assert frontier.next(NOW + 1.9) is None
    assert frontier.wait(NOW) == pytest.approx(2.0)
    assert frontier.next(NOW + 2.0).lead.url == "http://a.example/2"


def test_hosts_do_not_wait_for_each_other(catalog):
    frontier = frontier_of(catalog, "http://a.example/1", "http://b.example/1")

    assert {frontier.next(NOW).host, frontier.next(NOW).host} == {"a.example", "b.example"}
    assert frontier.wait(NOW) is None


def test_two_requests_to_one_host_keep_the_delay_between_them(catalog):
    urls = [f"http://a.example/{n}" for n in range(3)]
    frontier = frontier_of(catalog, *urls, per_host=2)
    finish(frontier, frontier.next(NOW), delay=2.0)

    assert frontier.next(NOW + 2) is not None
    assert frontier.next(NOW + 3) is None
    assert frontier.next(NOW + 4) is not None


def test_a_lead_found_meanwhile_is_asked_in_the_same_run(catalog):
    frontier = frontier_of(catalog, "http://a.example/1")
    finish(frontier, frontier.next(NOW))
    assert frontier.next(NOW) is None

    catalog.add_leads([Lead("http://a.example/2", "s")])
    frontier.found({"a.example"})

    assert frontier.next(NOW).lead.url == "http://a.example/2"


def test_a_lead_due_soon_is_waited_for_and_one_due_late_is_not(catalog):
    frontier = frontier_of(catalog, "http://a.example/1", "http://b.example/1")
    for wait in (5.0, 50.0):
        queued = frontier.next(NOW)
        catalog.postpone(queued, NOW + wait, failed("fetch", "timeout"))
        frontier.done(queued, now=NOW, delay=0.0, is_failure=True)

    assert frontier.next(NOW) is None
    assert frontier.wait(NOW) == pytest.approx(5.0)
    assert frontier.next(NOW + 5).host == "a.example"
    assert frontier.wait(NOW + 5) is None


def test_a_host_that_fails_again_and_again_rests_until_the_next_run(catalog):
    frontier = frontier_of(catalog, *(f"http://a.example/{n}" for n in range(9)))

    for _ in range(TOLERATED_FAILURES):
        finish(frontier, frontier.next(NOW), is_failure=True)

    assert frontier.next(NOW) is None
    assert frontier.given_up() == ["a.example"]


def test_a_host_that_wants_a_long_pause_is_left_for_another_run(catalog):
    frontier = frontier_of(catalog, "http://a.example/1", "http://a.example/2")

    finish(frontier, frontier.next(NOW), delay=LONGEST_PAUSE + 1)

    assert frontier.wait(NOW) is None
    assert frontier.resting() == ["a.example"]


def test_a_pause_of_an_earlier_run_is_kept(catalog):
    catalog.put_pause("a.example", NOW + 60)
    frontier = frontier_of(catalog, "http://a.example/1")

    assert frontier.next(NOW) is None
    assert frontier.next(NOW + 60) is not None
