"""Which use cases there are, and in which module each is; a module is imported when asked for."""

from functools import cache
from importlib import import_module
from typing import Any

from izwi.cases.case import Case
from izwi.service.use_cases import USE_CASES, UseCase

MODULES = ("counts", "words", "runs", "takedown", "curation", "backup")


@cache
def plugged_in() -> tuple[str, ...]:
    """Return the modules of cases that other packages bring along (group `izwi.cases`)."""
    from importlib.metadata import entry_points

    return tuple(entry.value for entry in entry_points(group="izwi.cases"))


@cache
def cases_in(module: str) -> dict[str, Case[Any, Any]]:
    """Return the cases of a module, one of izwi or a plug-in's, by the names of their methods."""
    home = module if "." in module else f"izwi.cases.{module}"
    return {case.method: case for case in import_module(home).CASES}


@cache
def all_cases() -> dict[str, Case[Any, Any]]:
    """Return every case by the name of its method."""
    modules = (*MODULES, *plugged_in())
    return {name: case for module in modules for name, case in cases_in(module).items()}


@cache
def plugged_cases() -> dict[str, Case[Any, Any]]:
    """Return the cases of plug-ins alone."""
    return {name: case for module in plugged_in() for name, case in cases_in(module).items()}


def use_cases() -> dict[str, UseCase]:
    """Return every use case with its names on the command line and over HTTP."""
    found = {
        case.method: UseCase(case.method, case.command, case.route) for case in all_cases().values()
    }
    return {**USE_CASES, **found}
