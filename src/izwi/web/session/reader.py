"""Who reads a page: language, theme, texts in that language, what the browser remembers."""

from contextvars import ContextVar
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from izwi.cases import kept_lists
from izwi.cases.kept_lists import SavedSearches, Triage
from izwi.model.accounts import ANYONE, Visitor
from izwi.model.errors import IzwiError
from izwi.model.reading import Basket
from izwi.presentation.catalogues import catalogue, languages

LANGUAGES = languages()
THEMES = ("light", "dark")
LANGUAGE_COOKIE, THEME_COOKIE = "izwi-language", "izwi-theme"


@dataclass(frozen=True, slots=True)
class Reader:
    """A reader's wishes, the address that was asked for, and the cookies that came along."""

    language: str = "en"
    # Empty: as the system has it.
    theme: str = ""
    path: str = "/"
    query: str = ""
    cookies: tuple[tuple[str, str], ...] = ()

    @property
    def address(self) -> str:
        """The address asked for, to come back to."""
        return f"{self.path}?{self.query}" if self.query else self.path

    def cookie(self, name: str) -> str:
        """Return a cookie by its name; empty if it did not come along."""
        return dict(self.cookies).get(name, "")


# Set once for each request, below which everything that makes a page sees it.
_READER: ContextVar[Reader] = ContextVar("reader", default=Reader())  # noqa: B039 (frozen)


def reader() -> Reader:
    """Return who reads the page that is being made."""
    return _READER.get()


class KnowReader:
    """Finds out who reads, for everything that answers a request."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its reader known; say on pages that they depend on that."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_varying(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("Content-Type", "").startswith("text/html"):
                    headers.add_vary_header("Accept-Language, Cookie")
            await send(message)

        token = _READER.set(_reader_of(scope))
        try:
            await self._app(scope, receive, send_varying)
        finally:
            _READER.reset(token)


def _reader_of(scope: Scope) -> Reader:
    headers = Headers(scope=scope)
    cookies = _cookies(headers.get("Cookie", ""))
    language, theme = cookies.get(LANGUAGE_COOKIE, ""), cookies.get(THEME_COOKIE, "")
    return Reader(
        language if language in LANGUAGES else preferred(headers.get("Accept-Language", "")),
        theme if theme in THEMES else "",
        scope["path"],
        scope["query_string"].decode("latin-1"),
        tuple(cookies.items()),
    )


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


def preferred(accepted: str) -> str:
    """Return the language of ours that a browser likes best; English if it likes none.

    >>> preferred("de, af-ZA;q=0.8, en;q=0.7"), preferred("fr")
    ('af', 'en')
    """
    wishes = []
    for place, part in enumerate(accepted.split(",")):
        name, _, quality = part.strip().partition(";q=")
        code = name.partition("-")[0].lower()
        if code in LANGUAGES:
            wishes.append((-_quality(quality), place, code))
    return min(wishes)[2] if wishes else "en"


def _quality(text: str) -> float:
    try:
        return float(text or 1)
    except ValueError:
        return 0.0


_YEAR_SECONDS = 31_536_000


def current_basket(corpus: str) -> Basket | None:
    """Return the basket that this browser used last, if it is still there."""
    id = reader().cookie(f"izwi-basket-{corpus}")
    try:
        return kept_lists.read_basket(corpus, id) if id else None
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
        return kept_lists.read_saved(corpus, id) if id else None
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
        return kept_lists.read_triage(corpus, id) if id else None
    except IzwiError:
        return None


def remember_triage(answer: Response, found: Triage) -> None:
    """Make a list of decisions the one that this browser used last."""
    _remember(answer, "triage", found.corpus, found.id)


CURRENT: ContextVar[Visitor] = ContextVar("visitor", default=ANYONE)


def visitor() -> Visitor:
    """Return who sent the request that is being answered."""
    return CURRENT.get()


def gettext(message: str) -> str:
    """Return a message in the reader's language."""
    language = reader().language
    return message if language == "en" else catalogue(language).one(message)


def sentence(text: str) -> str:
    """Return a finished sentence of a part below the pages in the reader's language."""
    return catalogue(reader().language).sentence(text)


def ngettext(single: str, plural: str, count: int) -> str:
    """Return a message in the reader's language, in the form that a number takes."""
    language = reader().language
    if language == "en":
        return single if count == 1 else plural
    return catalogue(language).many(single, plural, count)
