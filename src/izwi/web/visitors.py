"""Who sent the request that is being answered, for pages that show it."""

from contextvars import ContextVar

from izwi.model.accounts import ANYONE, Visitor

CURRENT: ContextVar[Visitor] = ContextVar("visitor", default=ANYONE)


def visitor() -> Visitor:
    """Return who sent the request that is being answered."""
    return CURRENT.get()
