"""What is kept has a limit in bytes."""

from dataclasses import dataclass

import numpy as np
import pytest

from izwi.index import limits
from izwi.index.limits import Deadline, Memory, size_of
from izwi.model.errors import QueryTimeout


@dataclass(frozen=True, slots=True)
class Line:
    words: str
    numbers: tuple[float, ...]


def test_what_was_asked_for_longest_ago_is_forgotten_when_the_limit_is_reached():
    memory, made = Memory(2_500_000), []

    def array(name):
        return memory.of(name, lambda: made.append(name) or np.zeros(1_000_000, np.uint8))

    for name in "abacab":
        array(name)

    assert made == ["a", "b", "c", "b"]
    assert memory.bytes < 2_500_000


def test_what_is_larger_than_the_limit_is_kept_alone():
    memory = Memory(1000)

    for name in "ab":
        memory.of(name, lambda: np.zeros(1_000_000, np.uint8))

    assert len(memory) == 1


def test_answers_of_many_lines_weigh_as_their_lines_do():
    few, many = (tuple(Line("x" * 100, (1.0, 2.0)) for _ in range(n)) for n in (100, 10_000))

    assert 90 < size_of(many) / size_of(few) < 110
    assert size_of(few) > 100 * 100


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
    monkeypatch.setattr(limits, "time", own)
    return own


def test_a_query_that_works_is_stopped_when_its_time_is_up(clock):
    given = Deadline(30.0)
    clock.pass_time(29, 29)
    given.check()

    clock.pass_time(2, 2)
    with pytest.raises(QueryTimeout, match="Use a rarer word"):
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

    with pytest.raises(QueryTimeout, match="The server is busy") as told:
        given.check()
    assert "rarer" not in str(told.value)


def test_who_gives_little_time_gets_no_more(clock):
    given = Deadline(1.0)
    clock.pass_time(1.1, 0)

    with pytest.raises(QueryTimeout):
        given.check()
