"""Which use cases there are, and in which module each is; a module is imported when asked for."""

import logging
from functools import cache
from importlib import import_module
from typing import Any

from izwi.cases.case import Case
from izwi.service.use_cases import USE_CASES, UseCase

logger = logging.getLogger(__name__)

MODULES = ("counts", "words", "runs", "takedown", "curation", "backup")


@cache
def plugged_in() -> tuple[str, ...]:
    """Return the modules of cases that other packages bring along (group `izwi.cases`).

    One that cannot be loaded is left out with a warning: izwi's own commands work without it.
    """
    from importlib.metadata import entry_points

    return tuple(e.value for e in entry_points(group="izwi.cases") if _is_loaded(e.value))


def _is_loaded(module: str) -> bool:
    try:
        import_module(module)
    except Exception as error:  # whatever another's package does while it is imported
        logger.warning("%s (group izwi.cases) cannot be loaded: %s", module, error)
        return False
    return True


@cache
def cases_in(module: str) -> dict[str, Case[Any, Any]]:
    """Return the cases of a module, one of izwi or a plug-in's, by the names of their methods."""
    home = f"izwi.cases.{module}" if module in MODULES else module
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
