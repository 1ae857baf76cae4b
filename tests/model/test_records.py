"""Records made quickly behave as the standard library's frozen dataclasses do."""

import copy
import dataclasses
import inspect
import pickle
from typing import Any, ClassVar

import pytest

from izwi.model import records

# What makes a class, and what is called upon: the standard decorator, and ours.
STANDARD, QUICK = dataclasses.dataclass, records.dataclass


def _made(decorator: Any, **given: Any) -> Any:
    @decorator(frozen=True, **given)
    class Word:
        """A word and where it stands."""

        kind: ClassVar[str] = "word"
        form: str
        place: int = 3
        marks: list[str] = dataclasses.field(default_factory=list, compare=False)
        hidden: str = dataclasses.field(default="h", repr=False)
        later: str = dataclasses.field(default="", kw_only=True)
        made: int = dataclasses.field(init=False, default_factory=lambda: 7)

        def __post_init__(self) -> None:
            if self.place < 0:
                raise ValueError("no such place")

    return Word


@QUICK(frozen=True, slots=True)
class Held:
    """A record that can be pickled: its class has an address."""

    number: int
    parts: tuple[int, ...] = ()


@pytest.mark.parametrize("given", [{}, {"slots": True}, {"kw_only": True}], ids=str)
def test_a_record_is_made_called_and_shown_like_a_dataclass(given):
    ours, theirs = _made(QUICK, **given), _made(STANDARD, **given)

    assert inspect.signature(ours).parameters.keys() == inspect.signature(theirs).parameters.keys()
    assert [f.name for f in dataclasses.fields(ours)] == [
        f.name for f in dataclasses.fields(theirs)
    ]
    assert hasattr(ours(form="a"), "__dict__") is hasattr(theirs(form="a"), "__dict__")
    assert repr(ours(form="a", place=2)) == repr(theirs(form="a", place=2))
    assert dataclasses.asdict(ours(form="a", marks=["x"])) == dataclasses.asdict(
        theirs(form="a", marks=["x"])
    )


@pytest.mark.parametrize("decorator", [QUICK, STANDARD])
def test_records_are_equal_by_what_is_compared(decorator):
    word = _made(decorator, slots=True)

    assert word("a", marks=["x"]) == word("a") != word("b")
    assert word("a") != "a"
    assert len({word("a"), word("a", marks=["x"]), word("b")}) == 2
    assert dataclasses.replace(word("a"), place=9) == word("a", 9)


@pytest.mark.parametrize("decorator", [QUICK, STANDARD])
def test_records_are_not_changed(decorator):
    word = _made(decorator, slots=True)("a")

    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot assign to field 'form'"):
        word.form = "b"
    with pytest.raises(dataclasses.FrozenInstanceError, match="cannot delete field 'form'"):
        del word.form
    with pytest.raises(ValueError, match="no such place"):
        dataclasses.replace(word, place=-1)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'form'"):
        type(word)()


def test_records_travel_between_processes():
    held = Held(1, (2, 3))

    assert pickle.loads(pickle.dumps(held)) == copy.copy(held) == held


def test_records_that_wish_for_more_are_made_by_the_standard_library():
    @QUICK(frozen=True, order=True)
    class Ordered:
        """Has an order."""

        number: int

    assert Ordered(1) < Ordered(2)
