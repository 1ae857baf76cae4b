"""The options that questions to a corpus share: which documents, which version, how long to wait.

A command names those it has by `@choosing(...)` and gets what the user chose as `**chosen`, under
the names the service knows.
"""

import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any

import typer

Command = Callable[..., None]

_Since = Annotated[
    str, typer.Option("--from", "--since", help="First year, month or day.", metavar="DATE")
]
_Until = Annotated[
    str, typer.Option("--to", "--until", help="Last year, month or day.", metavar="DATE")
]
_Source = Annotated[
    list[str] | None, typer.Option("--source", help="Only this source; repeatable.")
]
_Publication = Annotated[
    list[str] | None, typer.Option("--publication", help="Only this publication; repeatable.")
]
_Where = Annotated[
    str,
    typer.Option(
        help='Only documents for which this holds, e.g. section="news".', metavar="CONDITION"
    ),
]
_Subcorpus = Annotated[str, typer.Option(help="Only documents of a saved subcorpus.")]
_Copies = Annotated[bool, typer.Option("--copies", help="Count folded copies too.")]
_Case = Annotated[bool, typer.Option("--case", help="Capitals matter.")]
_Mode = Annotated[
    str,
    typer.Option(help="How the query is read: auto, phrase, word (all its forms), lemma or cql."),
]
_Version = Annotated[int | None, typer.Option(help="An earlier version of the corpus.")]
_Timeout = Annotated[float, typer.Option(help="Stop after so many seconds.", min=0.001)]

# The options by name, each with its default, in the order of --help.
_OPTIONS: Mapping[str, tuple[Any, Any]] = {
    "since": (_Since, ""),
    "until": (_Until, ""),
    "source": (_Source, None),
    "publication": (_Publication, None),
    "where": (_Where, ""),
    "subcorpus": (_Subcorpus, ""),
    "copies": (_Copies, False),
    "case": (_Case, False),
    "mode": (_Mode, "auto"),
    "version": (_Version, None),
    "timeout": (_Timeout, 30.0),
}
DOCUMENTS = ("since", "until", "source", "publication", "where", "subcorpus", "version")
COUNTED = (*DOCUMENTS, "copies", "case", "timeout")
ASKED = (*COUNTED, "mode")
# What a command says about its output stands last in --help.
_OUTPUT = ("as_csv", "chart", "as_json")


def choosing(*names: str, seconds: float = 30.0) -> Callable[[Command], Command]:
    """Give a command the shared options of these names; it waits so many seconds by default."""

    def give(command: Command) -> Command:
        signature = _with_options(inspect.signature(command), names, seconds)

        @wraps(command)
        def asked(**given: Any) -> None:
            own = {name: value for name, value in given.items() if name not in names}
            command(**own, **_as_asked({name: given[name] for name in names}))

        asked.__signature__ = signature  # type: ignore[attr-defined]
        asked.__annotations__ = {
            each.name: each.annotation for each in signature.parameters.values()
        }
        return asked

    return give


def _with_options(
    signature: inspect.Signature, names: tuple[str, ...], seconds: float
) -> inspect.Signature:
    """Return the signature with the options in the place of `**chosen`."""
    own = [
        each
        for each in signature.parameters.values()
        if each.kind is not inspect.Parameter.VAR_KEYWORD
    ]
    shared = [
        inspect.Parameter(
            name,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            annotation=kind,
            default=seconds if name == "timeout" else default,
        )
        for name, (kind, default) in _OPTIONS.items()
        if name in names
    ]
    first = [each for each in own if each.name not in _OUTPUT]
    return signature.replace(parameters=[*first, *shared, *(p for p in own if p.name in _OUTPUT)])


def _as_asked(given: dict[str, Any]) -> dict[str, Any]:
    """Return what was chosen as the service takes it."""
    from izwi.service.dates import read_date

    chosen = dict(given)
    for name, is_end in (("since", False), ("until", True)):
        if name in chosen:
            chosen[name] = read_date(chosen[name], is_end=is_end) if chosen[name] else None
    for name in ("source", "publication"):
        if name in chosen:
            chosen[f"{name}s"] = tuple(chosen.pop(name) or ())
    return chosen
