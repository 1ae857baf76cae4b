"""What a server is to send, and how it is to misbehave while sending."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, auto


class Ending(Enum):
    """How a reply ends."""

    WHOLE = auto()
    CLOSED = auto()  # the connection is closed although more was promised
    RESET = auto()  # the connection is reset
    HANGING = auto()  # nothing more comes, until the client goes away


@dataclass(frozen=True, slots=True)
class Reply:
    """A status, headers and a body in pieces; status 0 means that not even headers are sent."""

    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: Iterable[bytes] = ()
    length: int | None = None
    pause_seconds: float = 0.0
    ending: Ending = Ending.WHOLE


def whole_reply(
    body: bytes, *, status: int = 200, content_type: str = "text/html; charset=utf-8"
) -> Reply:
    """Return a reply that sends a body at once."""
    return Reply(status, content_type, pieces=(body,), length=len(body))
