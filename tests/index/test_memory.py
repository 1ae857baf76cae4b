"""What is kept has a limit in bytes."""

from dataclasses import dataclass

import numpy as np

from izwi.index.memory import Memory, size_of


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
