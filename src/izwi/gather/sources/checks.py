"""What a source's keys in corpus.toml must be like; each error says what to write instead."""

from datetime import timedelta

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


def longest_rest(every: str) -> timedelta:
    """Return how long a list rests at most: as long as its user says, a week if nothing is said.

    >>> longest_rest("10s").total_seconds(), longest_rest("").days
    (10.0, 7)
    """
    return timedelta(seconds=seconds(every)) if every else timedelta(days=7)


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
