"""A use case that needs no corpus: a function of Python, and the command that is made from it.

A function's own parameters are its request: typed, and each says of itself what a field says.
"""

import dataclasses
import inspect
from collections.abc import Callable, Mapping
from functools import wraps
from typing import Annotated, Any, TypeVar, get_origin

from izwi.cases.case import Case, Doing, Policy

A = TypeVar("A")


def function_case(
    do: Callable[..., A], command: str, example: str = "", topic: str = "", **more: Any
) -> Case[Any, A]:
    """Return the use case of a function that needs no corpus.

    Parameters that say nothing of themselves are for Python alone; those of a record that does,
    such as options, are taken one by one.
    """
    taken = inspect.signature(do).parameters
    groups = {n: each.annotation for n, each in taken.items() if _is_group(each.annotation)}
    request = dataclasses.make_dataclass(
        f"Asked_{do.__name__}",
        [*_fields(taken), *(each for kind in groups.values() for each in _group_fields(kind))],
        namespace={"__module__": do.__module__}, frozen=True, kw_only=True,
    )  # fmt: skip

    @wraps(do)
    def called(folder: None, asked: Any, doing: Doing) -> A:
        given = {name: getattr(asked, name) for name, *_ in _fields(taken)}
        for name, kind in groups.items():
            parts = (each.name for each in dataclasses.fields(kind))
            given[name] = kind(**{part: getattr(asked, part) for part in parts})
        if "listener" in taken:
            given["listener"] = doing.listener
        return do(**given)

    return Case(
        do.__name__, command, "", request, called, f"izwi {command} {example}".rstrip(), topic,
        Policy(), has_folder=False, **more,
    )  # fmt: skip


def _is_group(kind: Any) -> bool:
    return dataclasses.is_dataclass(kind) and any(
        _says(each.type) for each in dataclasses.fields(kind)
    )


def _says(kind: Any) -> bool:
    return get_origin(kind) is Annotated


def _fields(taken: Mapping[str, inspect.Parameter]) -> "list[tuple[str, Any, Any]]":
    return [
        (name, each.annotation, _field(each.default, inspect.Parameter.empty))
        for name, each in taken.items()
        if _says(each.annotation)
    ]


def _group_fields(kind: Any) -> "list[tuple[str, Any, Any]]":
    return [
        (each.name, each.type, _field(each.default, dataclasses.MISSING))
        for each in dataclasses.fields(kind)
    ]


def _field(default: Any, absent: object) -> Any:
    return dataclasses.field() if default is absent else dataclasses.field(default=default)
