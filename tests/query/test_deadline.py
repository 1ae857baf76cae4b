import pytest

from izwi.model.errors import QueryTimeout
from izwi.query import deadline
from izwi.query.deadline import Deadline


class Clock:
    """Time as a test says it goes: on the wall, and as work of this thread."""

    def __init__(self):
        self.wall = self.work = 0.0

    def monotonic(self):
        return self.wall

    def thread_time(self):
        return self.work

    def pass_time(self, wall, work):
        self.wall += wall
        self.work += work


@pytest.fixture
def clock(monkeypatch):
    own = Clock()
    monkeypatch.setattr(deadline, "time", own)
    return own


def test_a_query_that_works_is_stopped_when_its_time_is_up(clock):
    given = Deadline(30.0)
    clock.pass_time(29, 29)
    given.check()

    clock.pass_time(2, 2)
    with pytest.raises(QueryTimeout, match="Give it a rarer word"):
        given.check()


def test_a_query_that_only_waited_goes_on(clock):
    given = Deadline(30.0)
    clock.pass_time(60, 2)
    given.check()

    clock.pass_time(15, 14)
    with pytest.raises(QueryTimeout, match="stopped after 30 seconds"):
        given.check()


def test_a_query_that_waits_for_ever_is_not_blamed(clock):
    given = Deadline(30.0)
    clock.pass_time(121, 2)

    with pytest.raises(QueryTimeout, match="The machine is busy") as told:
        given.check()
    assert "rarer" not in str(told.value)


def test_who_gives_little_time_gets_no_more(clock):
    given = Deadline(1.0)
    clock.pass_time(1.1, 0)

    with pytest.raises(QueryTimeout):
        given.check()
