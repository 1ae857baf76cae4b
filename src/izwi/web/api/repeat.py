"""The same answer by address, command line, Python and curl, with the corpus version fixed."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from izwi.cases.case import Case, Field, fields_of
from izwi.cases.registry import all_cases
from izwi.web.pages.opening import Here

_PLAIN = re.compile(r"[\w.:-]+", re.ASCII)
Given = Mapping[Field, Any]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to get the same answer."""

    name: str
    text: str


def ways_of(
    corpus: str, method: str, here: Here, *, version: int, base: str, **stated: object
) -> tuple[Way, ...]:
    """Return how to get an answer again, whatever is added to the corpus later.

    What a page takes for granted and its use case does not is `stated`.
    """
    case = all_cases()[method]
    address = here.link(v=version or None)
    path, _, query = address.partition("?")
    given = _given(case, here, stated | ({"v": version} if version else {}))
    return (
        Way("Address", f"{base}{address}"),
        Way("Command", _command(corpus, case, given)),
        Way("Python", _python(corpus, case, given)),
        Way("curl", f"curl {quoted(f'{base}{path}.json' + (f'?{query}' if query else ''))}"),
    )


def _given(case: Case[Any, Any], here: Here, stated: Mapping[str, object]) -> Given:
    """Return what was asked by the fields of the request, as text or as a value of its type."""
    found: dict[Field, Any] = {}
    for field in fields_of(case.request):
        if not field.says.is_asked:
            continue
        sent = [text for text in here.all(field.address) if text.strip()]
        if field.address in stated:
            found[field] = stated[field.address]
        elif field.is_several and sent:
            found[field] = tuple(sent)
        elif sent and field.type is bool:
            found |= {field: True} if sent[0] not in ("0", "false") else {}
        elif sent:
            found[field] = int(sent[0]) if field.type in (int, int | None) else sent[0]
    return {field: value for field, value in found.items() if value != field.default}


def _command(corpus: str, case: Case[Any, Any], given: Given) -> str:
    places = [str(value) for field, value in given.items() if field.says.is_place]
    options = [word for field, value in given.items() for word in _options(field, value)]
    # What begins with a dash would be read as an option.
    if any(place.startswith("-") for place in places):
        options, places = [], [*options, "--", *map(shell_word, places)]
    else:
        places = [*map(shell_word, places)]
    return " ".join(["izwi", case.command, corpus, *places, *options])


def _options(field: Field, value: Any) -> Iterator[str]:
    # A list of words is a file on the command line.
    if field.says.is_place or field.says.file is not None:
        return
    option = f"--{field.shown.replace('_', '-')}"
    if value is True:
        yield option
        return
    for each in value if isinstance(value, tuple) else (value,):
        yield f"{option} {shell_word(str(each))}"


def _python(corpus: str, case: Case[Any, Any], given: Given) -> str:
    arguments = [
        (literal(_value(field, value)))
        if field.says.is_place
        else f"{field.name}={literal(_value(field, value))}"
        for field, value in given.items()
    ]
    return f"izwi.open({literal(corpus)}).{case.method}({', '.join(arguments)})"


def _value(field: Field, value: Any) -> Any:
    read = field.says.read
    return read(value) if read is not None and isinstance(value, str) else value


def quoted(text: str) -> str:
    """Return a text in quotes that a shell takes as one word.

    >>> print(quoted("ja-nee, 'n bakkie"))
    'ja-nee, '"'"'n bakkie'
    """
    return "'" + text.replace("'", "'\"'\"'") + "'"


def shell_word(text: str) -> str:
    """Return a text as one word of a shell, in quotes if it needs them."""
    return text if _PLAIN.fullmatch(text) else quoted(text)


def literal(value: object) -> str:
    """Return a value as Python source; text in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"({', '.join(literal(each) for each in value)},)"
    return repr(value)
