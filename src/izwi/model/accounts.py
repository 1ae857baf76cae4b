"""People: who signs in and what they may do, and who acts now, by which surface."""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal

from izwi.model.errors import IzwiError
from izwi.model.records import dataclass

Role = Literal["reader", "curator"]
ROLES: tuple[Role, ...] = ("reader", "curator")
# So long is a token good, unless its maker says otherwise.
TOKEN_DAYS = 90


class AccountError(IzwiError):
    """An account that cannot be made, found or used."""


class TooManyAttempts(AccountError):
    """Too many log-ins failed; one has to wait."""


@dataclass(frozen=True, slots=True)
class User:
    """Somebody with an account."""

    name: str
    role: Role
    made: str = ""


@dataclass(frozen=True, slots=True)
class Visitor:
    """Whoever sends a request: `csrf` is set for a browser's session, not for a program's token."""

    name: str = ""
    role: str = ""
    csrf: str = ""

    @property
    def is_curator(self) -> bool:
        """Whether this is somebody who may change things."""
        return self.role == "curator"

    @property
    def is_known(self) -> bool:
        """Whether somebody signed in."""
        return bool(self.role)


ANYONE = Visitor()


@dataclass(frozen=True, slots=True)
class Session:
    """A session just begun: the secret for the browser's cookie, and how long it lasts."""

    secret: str
    seconds: int


@dataclass(frozen=True, slots=True)
class Token:
    """A token for programs; its secret is shown once and never again."""

    label: str
    made: str
    expires: str
    id: str


Surface = Literal["python", "command", "web"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Somebody at a surface; whoever has the folder itself is its curator."""

    who: str = ""
    surface: Surface = "python"
    is_curator: bool = True


_ANYONE = Actor()
_ACTING: ContextVar[Actor] = ContextVar("acting", default=_ANYONE)


def user_here() -> str:
    """Return the name of the user of this machine, empty if it is not known."""
    import getpass

    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""


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
