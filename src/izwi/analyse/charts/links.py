"""Where the marks of a chart lead: to the lines behind them, and never to a script."""

from urllib.parse import urlsplit

# In a specification rows are linked by number; other programs that draw it lead nowhere.
_PLACE = "https://row.invalid/"


def place_of(number: int) -> str:
    """Return what a row is linked to in a specification; its address comes in when it is drawn."""
    return f"{_PLACE}{number}"


def number_of(place: object) -> int | None:
    """Return the number of the row that a mark stands for.

    >>> number_of(place_of(7)), number_of(None)
    (7, None)
    """
    return int(str(place).removeprefix(_PLACE)) if place else None


def safe_link(address: str) -> str:
    """Return an address that a mark may lead to; nothing for javascript: and the like.

    >>> safe_link("/c/news/conc?q=a"), safe_link("javascript:alert(1)"), safe_link("//evil.example")
    ('/c/news/conc?q=a', '', '')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    is_own = not parts.scheme and not parts.netloc and address.startswith(("/", "?", "#"))
    return address if is_web or (is_own and "\\" not in address) else ""
