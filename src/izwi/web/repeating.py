"""The same analysis by address, command line, Python and curl, with the corpus version fixed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from izwi.web.asking import first_day, last_day
from izwi.web.opening import Here
from izwi.web.reproduce import Way, literal, quoted, shell_word

# Names in addresses, on the command line and in Python, where they differ.
_OPTIONS = {"from": "since", "to": "until", "src": "source", "v": "version"}
_KEYWORDS = {
    "from": "since", "to": "until", "src": "sources", "v": "version", "cql": "patterns",
    "publication": "publications",
}  # fmt: skip
_SEVERAL = ("src", "stop", "cql")
_NUMBERS = ("least", "most", "left", "right", "size", "sites", "v")
_TICKS = ("copies", "case", "panel")
# How long it may take, and which columns are shown, change nothing in the answer.
_LEFT_OUT = ("timeout", "measures")


@dataclass(frozen=True, slots=True)
class Call:
    """A use case: its command, its method, and which parameters stand without a name."""

    command: str
    method: str
    positional: tuple[str, ...] = ()
    # Whether its dates go by --from and --to, not by --since and --until.
    has_from: bool = False


def analysis_ways(
    corpus: str, call: Call, here: Here, defaults: Mapping[str, object], *, version: int, base: str
) -> tuple[Way, ...]:
    """Return how to get a result again; `defaults` are stated, since surfaces differ in them."""
    fixed = Here(here.path, (*((k, v) for k, v in here.parameters if k != "v"),))
    address = fixed.link(v=version or None)
    path, _, query = address.partition("?")
    given = _given(here, defaults, version)
    return (
        Way("Address", f"{base}{address}"),
        Way("Command", _command(corpus, call, given)),
        Way("Python", _python(corpus, call, given)),
        Way("curl", f"curl {quoted(f'{base}{path}.json' + (f'?{query}' if query else ''))}"),
    )


def _given(here: Here, defaults: Mapping[str, object], version: int) -> dict[str, object]:
    """Return the parameters as values: several, numbers, ticks, days."""
    found: dict[str, object] = {}
    for name, value in here.parameters:
        if name in _LEFT_OUT:
            continue
        if name in _SEVERAL:
            found[name] = (*_tuple(found.get(name)), value)
        elif name in _TICKS:
            found |= {name: True} if value not in ("0", "false") else {}
        else:
            found[name] = int(value) if name in _NUMBERS else value
    for name, read in (("from", first_day), ("to", last_day)):
        if name in found:
            found[name] = read(str(found[name]))
    return {**defaults, **found} | ({"v": version} if version else {})


def _tuple(value: object) -> tuple[object, ...]:
    return value if isinstance(value, tuple) else ()


def _command(corpus: str, call: Call, given: Mapping[str, object]) -> str:
    places = [shell_word(str(given[name])) for name in call.positional if given.get(name)]
    return " ".join(["izwi", call.command, corpus, *places, *_options(call, given)])


def _options(call: Call, given: Mapping[str, object]) -> Iterator[str]:
    for name, value in given.items():
        # On the command line a stop list is a file.
        if name in call.positional or name == "stop":
            continue
        option = name if call.has_from and name in ("from", "to") else _OPTIONS.get(name, name)
        option = option.replace("_", "-")
        if value is True:
            yield f"--{option}"
            continue
        for each in value if isinstance(value, tuple) else (value,):
            yield f"--{option} {shell_word(str(each))}"


def _python(corpus: str, call: Call, given: Mapping[str, object]) -> str:
    places = [literal(given[name]) for name in call.positional if given.get(name)]
    named = [
        f"{_KEYWORDS.get(name, name)}={literal(value)}"
        for name, value in given.items()
        if name not in call.positional
    ]
    return f"izwi.open({literal(corpus)}).{call.method}({', '.join([*places, *named])})"
