"""Who acts, and by which surface: known to whatever writes something down."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

Surface = Literal["python", "command", "web"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody at a surface; whoever has the folder itself is its curator."""

    who: str = ""
    surface: Surface = "python"
    is_curator: bool = True


_ANYONE = Actor()
_ACTING: ContextVar[Actor] = ContextVar("acting", default=_ANYONE)


def actor() -> Actor:
    """Return who acts now."""
    return _ACTING.get()


def act_as(somebody: Actor) -> None:
    """Say who acts for the rest of this request or command."""
    _ACTING.set(somebody)


@contextmanager
def acting(somebody: Actor) -> Iterator[None]:
    """Let somebody act for a while."""
    before = _ACTING.set(somebody)
    try:
        yield
    finally:
        _ACTING.reset(before)
