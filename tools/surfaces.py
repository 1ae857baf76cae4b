"""What users could do before use cases were said once, and now: no command, route or method is lost.

python tools/surfaces.py FILE    writes the commands, routes and methods of this tree as JSON

tools/surfaces_before.json is what it wrote for commit 0c65c52, the last whole one before the use cases; the page of the
reference is made from both by tools/generate_reference.py, and a test holds that every difference is explained.
"""

import inspect
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import typer.main

BEFORE = Path(__file__).with_name("surfaces_before.json")
Surfaces = Mapping[str, Mapping[str, list[str]]]
# What is not taken any more, on which surface (of what, * is any), and what is to be said instead.
EXPLAINED = {
    (
        "methods",
        "*",
        "chosen",
    ): "stood for any keyword; each of them is named now, so that an unknown one is refused",
    ("methods", "decide", "who"): "`by`, as in every other method",
    ("methods", "import_opml", "text"): "`opml`; it may stand first, without its name, as before",
    (
        "routes",
        "GET /api/v1/c/{corpus}/quotations",
        "context",
    ): "`ctx`, as in every other address; `context` is still taken",
    (
        "commands",
        "report compare",
        "--versions",
    ): "`--version` and `--other-version`, as in Python and over HTTP",
}


def surfaces() -> Surfaces:
    """Return what this tree offers: names, each with what may be given to it."""
    from izwi.cases.corpus import Corpus
    from izwi.cli.main import app
    from izwi.web.app import create_app

    described = create_app([]).openapi()["paths"]
    return {
        "commands": {
            name: sorted(_options(each)) for name, each in _walk(typer.main.get_command(app), "")
        },
        "routes": {
            f"{method.upper()} {path}": sorted(
                {each["name"] for each in said.get("parameters", ())}
            )
            for path, methods in described.items()
            for method, said in methods.items()
        },
        "methods": {
            name: _taken(getattr(Corpus, name)) for name in dir(Corpus) if not name.startswith("_")
        },
    }


def _walk(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    inner = getattr(command, "commands", {})
    if not inner:
        yield name, command
    for child, each in inner.items():
        yield from _walk(each, f"{name} {child}".strip())


def _options(command: Any) -> Iterator[str]:
    """Yield the options of a command, older names that it still takes included."""
    options = {
        option
        for each in command.params
        if each.param_type_name == "option"
        for option in each.opts
    }
    yield from options
    yield from (
        old
        for old, new in getattr(command, "older", {}).items()
        if new in options and old not in options
    )
    yield from (
        f"place {number}" for number in range(1, len(command.params) - len(_named(command)) + 1)
    )


def _named(command: Any) -> list[Any]:
    return [each for each in command.params if each.param_type_name == "option"]


def _taken(method: Any) -> list[str]:
    return (
        [name for name in inspect.signature(method).parameters if name != "self"]
        if callable(method)
        else []
    )


def unexplained(before: Surfaces, now: Surfaces) -> list[tuple[str, str, str]]:
    """Return what is gone without a word."""
    return [each for each in gone(before, now) if not explanation(*each)]


def gone(before: Surfaces, now: Surfaces) -> list[tuple[str, str, str]]:
    """Return what was offered before and is not now: a name (with nothing) or what it took."""
    lost = []
    for surface, names in before.items():
        for name, taken in names.items():
            there = now[surface].get(name)
            lost += (
                [(surface, name, "")]
                if there is None
                else [(surface, name, each) for each in taken if each not in there]
            )
    return lost


def explanation(surface: str, name: str, taken: str) -> str:
    """Return why something is gone, and what took its place."""
    return EXPLAINED.get((surface, name, taken), EXPLAINED.get((surface, "*", taken), ""))


def before_and_after(generated: str) -> str:
    """Return the page: what is gone, what came, for each surface."""
    before, now = json.loads(BEFORE.read_text(encoding="utf-8")), surfaces()
    parts = [
        "# Before and after the use cases",
        generated,
        "Commands, routes and Python methods before a use case was said once (commit 0c65c52) and now. Older names of options that "
        "are still taken (`--since` for `--from`) count as there.",
        "\n".join(
            ["| | before | gone | now |", "|---|---|---|---|"]
            + [
                f"| {name} | {len(each)} | {len(set(each) - set(now[name]))} | {len(now[name])} |"
                for name, each in before.items()
            ]
        ),
        "## What is not taken any more",
        "\n".join(["| where | what | instead |", "|---|---|---|", *_rows(gone(before, now))]),
    ]
    for surface, names in now.items():
        new = sorted(set(names) - set(before[surface]))
        parts += [f"## New {surface}", ", ".join(f"`{each}`" for each in new) + "."]
    return "\n\n".join(parts) + "\n"


def _rows(lost: list[tuple[str, str, str]]) -> Iterator[str]:
    """Yield a row for each explanation, with all the places it is true of."""
    places: dict[tuple[str, str, str], list[str]] = {}
    for surface, name, taken in lost:
        places.setdefault((surface, taken, explanation(surface, name, taken)), []).append(
            f"`{name}`"
        )
    for (surface, taken, why), names in places.items():
        yield f"| {surface} {', '.join(names)} | `{taken}` | {why} |"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(
        json.dumps(surfaces(), indent=0, sort_keys=True) + "\n", encoding="utf-8"
    )
