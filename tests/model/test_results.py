import pytest

from izwi.model.results import CorpusStatus, StageStatus


def status(**counts):
    numbers = {"current": 0, "stale": 0, "missing": 0, "failed": 0} | counts
    return CorpusStatus("n", 1, 1, 0, 1, (StageStatus("extract", "text", "f", **numbers),))


@pytest.mark.parametrize(
    ("counts", "is_current"),
    [
        ({"current": 3}, True),
        ({}, True),
        ({"current": 3, "stale": 1}, False),
        ({"missing": 1}, False),
        ({"failed": 1}, False),
    ],
    ids=["all current", "nothing yet", "stale", "missing", "failed"],
)
def test_corpus_is_current_when_a_build_would_do_nothing(counts, is_current):
    assert status(**counts).is_current == is_current
