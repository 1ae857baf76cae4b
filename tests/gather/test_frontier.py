from datetime import UTC, datetime

import pytest

from izwi.gather.frontier import LONGEST_PAUSE, PATIENCE, TOLERATED_FAILURES, Frontier
from izwi.model.capture import Lead
from izwi.model.document import KEPT, failed
from izwi.store.catalog import Catalog

NOW = 1_000_000.0


@pytest.fixture
def catalog(tmp_path):
    with Catalog.write(tmp_path / "catalog.sqlite") as opened:
        yield opened


@pytest.fixture
def frontier(catalog):
    return Frontier(catalog)


def find(catalog, frontier, *urls):
    """Queue leads in the order of their finding."""
    catalog.add_leads(Lead(url, "one") for url in urls)
    frontier.refresh(NOW)


def ask(frontier, catalog, queued, *, now=NOW, delay=0.0, is_failure=False):
    """End an exchange, well or not."""
    if not is_failure:
        catalog.settle(queued, "fetched", KEPT)
    frontier.done(queued, now=now, delay=delay, is_failure=is_failure)


def asked(frontier, catalog, number):
    """Ask so many times, one after the other, and return the URLs."""
    urls = []
    for _ in range(number):
        queued = frontier.next(NOW)
        urls.append(queued.lead.url)
        ask(frontier, catalog, queued)
    return urls


def test_nothing_found_is_nothing_to_ask(frontier):
    frontier.refresh(NOW)

    assert frontier.next(NOW) is None
    assert frontier.wait(NOW) is None


def test_leads_of_a_host_are_asked_in_the_order_of_their_finding(catalog, frontier):
    urls = [f"http://one.example/{name}" for name in "qaz"]
    find(catalog, frontier, *urls)

    assert asked(frontier, catalog, 3) == urls
    assert frontier.next(NOW) is None


def test_host_is_asked_one_thing_at_a_time(catalog, frontier):
    find(catalog, frontier, "http://one.example/1", "http://one.example/2", "http://two.example/")

    first, second = frontier.next(NOW), frontier.next(NOW)

    assert [first.host, second.host] == ["one.example", "two.example"]
    assert frontier.next(NOW) is None


def test_ports_are_hosts_of_their_own(catalog, frontier):
    find(catalog, frontier, "http://one.example/", "http://one.example:8080/")

    assert {frontier.next(NOW).host, frontier.next(NOW).host} == {
        "one.example",
        "one.example:8080",
    }


def test_host_rests_for_its_delay_after_an_answer(catalog, frontier):
    find(catalog, frontier, "http://one.example/1", "http://one.example/2")
    ask(frontier, catalog, frontier.next(NOW), now=NOW + 5, delay=2.0)

    assert frontier.next(NOW + 6.9) is None
    assert frontier.wait(NOW + 6) == pytest.approx(1.0)
    assert frontier.next(NOW + 7.0).lead.url == "http://one.example/2"


def test_wait_is_until_the_first_host_is_free(catalog, frontier):
    find(catalog, frontier, *(f"http://{host}.example/{n}" for host in "ab" for n in (1, 2)))
    for delay in (9.0, 4.0):
        ask(frontier, catalog, frontier.next(NOW), delay=delay)

    assert frontier.wait(NOW) == pytest.approx(4.0)


def test_wait_is_none_while_all_is_under_way(catalog, frontier):
    find(catalog, frontier, "http://one.example/1", "http://one.example/2")
    frontier.next(NOW)

    assert frontier.wait(NOW) is None


def test_nothing_to_wait_for_when_all_is_done(catalog, frontier):
    find(catalog, frontier, "http://one.example/1")
    ask(frontier, catalog, frontier.next(NOW))
    frontier.next(NOW)

    assert frontier.wait(NOW) is None


def test_lead_under_way_is_not_given_out_again(catalog, frontier):
    find(catalog, frontier, "http://one.example/1")
    frontier.next(NOW)

    frontier.refresh(NOW)
    frontier.found({"one.example"})

    assert frontier.next(NOW) is None


def test_leads_found_on_the_way_are_asked(catalog, frontier):
    find(catalog, frontier, "http://one.example/1")
    ask(frontier, catalog, frontier.next(NOW))
    frontier.next(NOW)
    catalog.add_leads([Lead("http://one.example/2", "one"), Lead("http://new.example/", "one")])

    frontier.found({"one.example", "new.example"})

    assert set(asked(frontier, catalog, 2)) == {"http://one.example/2", "http://new.example/"}


def test_more_leads_than_fit_in_memory_are_all_asked_in_order(catalog, frontier):
    urls = [f"http://one.example/{number}" for number in range(250)]
    find(catalog, frontier, *urls)

    assert asked(frontier, catalog, 250) == urls


def test_postponed_lead_is_waited_for_if_it_is_due_soon(catalog, frontier):
    find(catalog, frontier, "http://one.example/1")
    queued = frontier.next(NOW)
    catalog.postpone(queued, NOW + 4, failed("fetch", "timeout"))
    ask(frontier, catalog, queued, is_failure=True)

    assert frontier.next(NOW) is None
    assert frontier.wait(NOW) == pytest.approx(4.0)
    assert frontier.next(NOW + 3.9) is None
    assert frontier.next(NOW + 4).lead == queued.lead


def test_postponed_lead_is_left_for_the_next_run_if_it_is_due_late(catalog, frontier):
    find(catalog, frontier, "http://one.example/1")
    queued = frontier.next(NOW)
    catalog.postpone(queued, NOW + PATIENCE + 1, failed("fetch", "timeout"))
    ask(frontier, catalog, queued, is_failure=True)

    assert frontier.next(NOW) is None
    assert frontier.wait(NOW) is None


def test_lead_that_falls_due_between_two_looks_is_not_forgotten(catalog, frontier):
    find(catalog, frontier, "http://one.example/1")
    queued = frontier.next(NOW)
    catalog.postpone(queued, NOW + 1, failed("fetch", "timeout"))
    ask(frontier, catalog, queued, is_failure=True)

    assert frontier.next(NOW + 0.999) is None
    assert frontier.wait(NOW + 1.001) == 0.0
    assert frontier.next(NOW + 1.001).lead == queued.lead


def test_lead_of_an_earlier_run_that_is_due_soon_is_waited_for(catalog):
    catalog.add_leads([Lead("http://one.example/1", "one")])
    (queued,) = catalog.waiting_leads("one.example", NOW, most=1)
    catalog.postpone(queued, NOW + 3, failed("fetch", "timeout"))
    frontier = Frontier(catalog)
    frontier.refresh(NOW)

    assert frontier.next(NOW) is None
    assert frontier.wait(NOW) == pytest.approx(3.0)


def test_host_that_fails_again_and_again_is_given_up(catalog, frontier):
    urls = [f"http://one.example/{number}" for number in range(TOLERATED_FAILURES + 2)]
    find(catalog, frontier, *urls)
    for _ in range(TOLERATED_FAILURES):
        queued = frontier.next(NOW)
        catalog.settle(queued, "failed", failed("fetch", "timeout"))
        ask(frontier, catalog, queued, is_failure=True)
    find(catalog, frontier, "http://two.example/")

    assert frontier.given_up() == ["one.example"]
    assert frontier.next(NOW).host == "two.example"
    assert frontier.next(NOW) is None
    assert frontier.wait(NOW) is None
    assert "one.example" in {each.host for each in catalog.waiting_hosts()}


def test_one_success_makes_up_for_failures(catalog, frontier):
    find(catalog, frontier, *(f"http://one.example/{n}" for n in range(2 * TOLERATED_FAILURES)))
    for turn in range(2 * TOLERATED_FAILURES - 1):
        queued = frontier.next(NOW)
        is_failure = turn != TOLERATED_FAILURES - 1
        catalog.settle(queued, "fetched", KEPT)
        ask(frontier, catalog, queued, is_failure=is_failure)

    assert frontier.given_up() == []
    assert frontier.next(NOW) is not None


@pytest.mark.parametrize("pause", [LONGEST_PAUSE + 1, 1e9], ids=["long", "thirty years"])
def test_host_that_wants_a_very_long_pause_does_not_hold_up_the_run(catalog, frontier, pause):
    find(catalog, frontier, "http://one.example/1", "http://one.example/2")
    ask(frontier, catalog, frontier.next(NOW), delay=pause)

    assert frontier.next(NOW) is None
    assert frontier.wait(NOW) is None
    assert frontier.resting() == ["one.example"]


def test_pause_the_user_wants_is_waited_for_however_long(catalog):
    frontier = Frontier(catalog, longest_pause=3600.0)
    find(catalog, frontier, "http://one.example/1", "http://one.example/2")
    ask(frontier, catalog, frontier.next(NOW), delay=3600.0)

    assert frontier.wait(NOW) == pytest.approx(3600.0)
    assert frontier.resting() == []


def test_host_with_nothing_left_does_not_rest(catalog, frontier):
    find(catalog, frontier, "http://one.example/1")
    ask(frontier, catalog, frontier.next(NOW), delay=1e9)

    assert frontier.resting() == []


def test_woken_feed_is_asked_again(catalog, frontier):
    catalog.add_leads([Lead("http://one.example/feed", "one", kind="feed")])
    frontier.refresh(NOW)
    ask(frontier, catalog, frontier.next(NOW))
    catalog.wake_feed("http://one.example/feed", last_before=datetime.now(UTC))

    frontier.refresh(NOW)

    assert frontier.next(NOW).lead.url == "http://one.example/feed"


def test_every_host_gets_its_turn(catalog, frontier):
    urls = [f"http://{host}.example/{number}" for host in "abc" for number in range(9)]
    find(catalog, frontier, *urls)
    served = []
    for _ in range(9):
        queued = frontier.next(NOW)
        served.append(queued.host)
        ask(frontier, catalog, queued)

    assert sorted(served) == sorted(["a.example", "b.example", "c.example"] * 3)


def test_two_requests_to_one_host_keep_the_delay_between_them(catalog):
    urls = [f"http://a.example/{n}" for n in range(3)]
    frontier = Frontier(catalog, per_host=2)
    find(catalog, frontier, *urls)
    ask(frontier, catalog, frontier.next(NOW), delay=2.0)

    assert frontier.next(NOW + 2) is not None
    assert frontier.next(NOW + 3) is None
    assert frontier.next(NOW + 4) is not None


def test_a_pause_of_an_earlier_run_is_kept(catalog, frontier):
    catalog.put_pause("a.example", NOW + 60)
    find(catalog, frontier, "http://a.example/1")

    assert frontier.next(NOW) is None
    assert frontier.next(NOW + 60) is not None


def test_pause_asked_for_by_one_of_two_answers_is_kept(catalog):
    frontier = Frontier(catalog, per_host=2)
    find(catalog, frontier, *(f"http://a.example/{n}" for n in range(4)))
    ask(frontier, catalog, frontier.next(NOW), delay=1.0)
    second = frontier.next(NOW + 1)

    ask(frontier, catalog, second, now=NOW + 1, delay=60.0)

    assert frontier.next(NOW + 2) is None
    assert frontier.next(NOW + 61) is not None


def test_second_request_waits_for_what_the_first_answer_asks(catalog):
    frontier = Frontier(catalog, per_host=2)
    find(catalog, frontier, "http://a.example/1", "http://a.example/2")
    frontier.next(NOW)

    frontier.found({"a.example"})

    assert frontier.next(NOW) is None


def test_lead_settled_unasked_costs_no_pause(catalog, frontier):
    find(catalog, frontier, *(f"http://a.example/{n}" for n in range(3)))
    ask(frontier, catalog, frontier.next(NOW), delay=None)

    assert frontier.next(NOW) is not None
