"""What a browser remembers as its own: the basket and the list of searches it used last.

Cookies hold only their ids; whoever has the link has the thing.
"""

from starlette.responses import Response

from izwi.model.errors import IzwiError
from izwi.model.quotation import Basket
from izwi.service import baskets, saved, triage
from izwi.service.saved import SavedSearches
from izwi.service.triage import Triage
from izwi.web.reader import reader

_YEAR_SECONDS = 31_536_000


def current_basket(corpus: str) -> Basket | None:
    """Return the basket that this browser used last, if it is still there."""
    id = reader().cookie(f"izwi-basket-{corpus}")
    try:
        return baskets.read_basket(corpus, id) if id else None
    except IzwiError:
        return None


def basket_size(corpus: str) -> int:
    """Return how many quotations are in that basket."""
    basket = current_basket(corpus)
    return len(basket.quotations) if basket else 0


def current_searches(corpus: str) -> SavedSearches | None:
    """Return the list of searches that this browser used last, if it is still there."""
    id = reader().cookie(f"izwi-saved-{corpus}")
    try:
        return saved.read_saved(corpus, id) if id else None
    except IzwiError:
        return None


def remember_basket(answer: Response, basket: Basket) -> None:
    """Make a basket the one that this browser used last."""
    _remember(answer, "basket", basket.corpus, basket.id)


def remember_searches(answer: Response, found: SavedSearches) -> None:
    """Make a list of searches the one that this browser used last."""
    _remember(answer, "saved", found.corpus, found.id)


def _remember(answer: Response, kind: str, corpus: str, id: str) -> None:
    answer.set_cookie(
        f"izwi-{kind}-{corpus}",
        id,
        max_age=_YEAR_SECONDS,
        samesite="lax",
        httponly=True,
        path=f"/c/{corpus}",
    )


def current_triage(corpus: str) -> Triage | None:
    """Return the list of decisions that this browser used last, if it is still there."""
    id = reader().cookie(f"izwi-triage-{corpus}")
    try:
        return triage.read_triage(corpus, id) if id else None
    except IzwiError:
        return None


def remember_triage(answer: Response, found: Triage) -> None:
    """Make a list of decisions the one that this browser used last."""
    _remember(answer, "triage", found.corpus, found.id)
