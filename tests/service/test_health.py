from types import SimpleNamespace

import pytest

from izwi.model.results import LedgerLine
from izwi.reports.health import source_health
from izwi.service.run_counts import counted_by_run

RUNS = ["2026-11-01T00-00-00", "2026-11-02T00-00-00", "2026-11-03T00-00-00"]


def lines(run, kept, dropped, *, source="mail", reason="too-short"):
    time = f"{run[:10]}T01:00:00+00:00"
    yield from (LedgerLine("u", "kept", "", "", source=source, time=time) for _ in range(kept))
    for _ in range(dropped):
        yield LedgerLine("u", "dropped", "select", reason, source=source, time=time)


def health(*parts):
    config = SimpleNamespace(
        sources=[SimpleNamespace(name="mail", type="feed")], paused=frozenset()
    )
    told = counted_by_run([line for part in parts for line in part], RUNS)
    (found,) = source_health(config, told)
    return found


def test_a_source_that_gives_what_it_always_gave_is_well():
    found = health(*(lines(run, 8, 2) for run in RUNS))

    assert (found.state, found.share, found.usual, found.suspicion) == ("ok", 0.8, 0.8, None)
    assert [each.run for each in found.runs] == RUNS


def test_a_source_that_gives_much_less_is_told_with_the_reason_that_grew():
    usual = (lines(run, 8, 2) for run in RUNS[:2])
    latest = (lines(RUNS[2], 2, 2), lines(RUNS[2], 0, 6, reason="no-main-text"))

    found = health(*usual, *latest)

    assert (found.state, found.share, found.usual) == ("less", 0.2, 0.8)
    assert (found.suspicion.reason, found.suspicion.share) == ("no-main-text", 0.6)
    assert found.suspicion.usual == 0.0


def test_a_source_of_which_nothing_is_kept_any_more_is_broken():
    assert health(lines(RUNS[0], 9, 1), lines(RUNS[2], 0, 10)).state == "broken"


@pytest.mark.parametrize("pages", [0, 4])
def test_few_pages_say_nothing(pages):
    assert health(lines(RUNS[0], 9, 1), lines(RUNS[2], 0, pages)).state == "ok"


def test_a_source_without_pages_has_given_nothing_yet():
    assert health().state == "nothing yet"
