"""The same lines by address, command line, Python and curl, with the corpus version fixed."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple
from urllib.parse import urlencode

from izwi.web.asking import Asked, first_day, last_day


class _Name(NamedTuple):
    """A parameter: our field, the option on the command line, the argument in Python."""

    field: str
    option: str
    keyword: str


_NAMES = (
    _Name("sort", "sort", "sort"),
    _Name("since", "from", "since"),
    _Name("until", "to", "until"),
    _Name("src", "source", "sources"),
    _Name("publication", "publication", "publications"),
    _Name("case", "case", "case"),
    _Name("ctx", "context", "context"),
    _Name("size", "size", "size"),
    _Name("page", "page", "page"),
    _Name("seed", "seed", "seed"),
    _Name("v", "version", "version"),
    _Name("mode", "mode", "mode"),
    *(_Name(name, name, name) for name in ("where", "subcorpus", "unit", "near", "window")),
    *(_Name(name, name, name) for name in ("first", "sample", "copies", "translate", "timeout")),
)
_DEFAULT = Asked()
_PLAIN = re.compile(r"[\w.:-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Way:
    """One way to get the same lines."""

    name: str
    text: str


def ways(corpus: str, asked: Asked, version: int, *, base: str) -> tuple[Way, ...]:
    """Return how to get these lines again, whatever is added to the corpus later."""
    fixed = replace(asked, v=version or None)
    query = urlencode(fixed.parameters())
    address = f"{base}/c/{corpus}/conc"
    return (
        Way("Address", f"{address}?{query}"),
        Way("Command", _command(corpus, fixed)),
        Way("Python", _python(corpus, fixed)),
        Way("curl", f"curl {quoted(f'{address}.json?{query}')}"),
    )


def quoted(text: str) -> str:
    """Return a text in quotes that a shell takes as one word.

    >>> print(quoted("ja-nee, 'n bakkie"))
    'ja-nee, '"'"'n bakkie'
    """
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _command(corpus: str, asked: Asked) -> str:
    options = " ".join(_options(asked))
    # What begins with a dash would be read as an option.
    if asked.q.startswith("-"):
        return f"izwi query {corpus} {options} -- {quoted(asked.q)}"
    return f"izwi query {corpus} {quoted(asked.q)} {options}"


def _options(asked: Asked) -> Iterator[str]:
    for name in _NAMES:
        value = getattr(asked, name.field)
        # The command line shows fewer lines unless told.
        if value == getattr(_DEFAULT, name.field) and name.field != "size":
            continue
        if value is True:
            yield f"--{name.option}"
            continue
        for each in value if isinstance(value, tuple) else (value,):
            yield f"--{name.option} {shell_word(str(each))}"


def shell_word(text: str) -> str:
    """Return a text as one word of a shell, in quotes if it needs them."""
    return text if _PLAIN.fullmatch(text) else quoted(text)


def _python(corpus: str, asked: Asked) -> str:
    dates = {"since": first_day(asked.since), "until": last_day(asked.until)}
    arguments = [
        f"{name.keyword}={literal(dates.get(name.field) or value)}"
        for name in _NAMES
        if (value := getattr(asked, name.field)) != getattr(_DEFAULT, name.field)
    ]
    call = ", ".join([literal(asked.q), *arguments])
    return f"izwi.open({literal(corpus)}).concordance({call})"


def literal(value: object) -> str:
    """Return a value as Python source; text in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"({', '.join(literal(each) for each in value)},)"
    return repr(value)
