"""Which command and which route stand for each use case; a test walks this list."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class UseCase:
    """A use case and its names on the command line and over HTTP."""

    name: str
    command: str
    route: str


USE_CASES: dict[str, UseCase] = {}


def use_case(command: str, route: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Mark a service method as something users do, under these names."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        name = function.__name__
        USE_CASES[name] = UseCase(name, command, route)
        return function

    return mark
