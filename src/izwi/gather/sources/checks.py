"""What a source's keys in corpus.toml must be like; each error says what to write instead."""

from izwi.gather.urls import canonical
from izwi.model.units import seconds

_LONGEST_REST = 10 * 365 * 86400.0


def check_rest(key: str, value: str, *, shortest: float = 0.0) -> None:
    """Raise ValueError unless a key holds a length of time that makes sense as a rest."""
    try:
        rest = seconds(value)
    except ValueError as error:
        raise ValueError(f"{key} = {error}") from None
    if rest > _LONGEST_REST:
        raise ValueError(f"{key} = '{value}' is longer than ten years")
    if rest < shortest:
        raise ValueError(f"{key} = '{value}' is shorter than {shortest:.0f} seconds")


def check_address(value: str, *, example: str) -> None:
    """Raise ValueError unless a key `url` holds a web address."""
    if canonical(value) is None:
        raise ValueError(f"url = '{value}' is not a web address; write for example {example}")


def check_selector(key: str, selector: str) -> None:
    """Raise ValueError unless a key holds a CSS selector, or nothing."""
    if not selector:
        return
    # Only corpora with such keys need the parser here.
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError

    try:
        LexborHTMLParser("<p>").css(selector)
    except (SelectolaxError, ValueError):
        raise ValueError(f"{key} = '{selector}' is no CSS selector") from None
