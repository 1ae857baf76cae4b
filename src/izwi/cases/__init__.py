"""Use cases, each defined once: its parameters, its function, who may use it, what is recorded.

This module lists them: izwi's own, by the modules that define them, and those of plug-ins.
"""

import logging
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from izwi import plugins

if TYPE_CHECKING:
    from izwi.cases.case import Case

logger = logging.getLogger(__name__)

MODULES = (
    "lines", "counts", "words", "documents", "reports", "runs", "takedown", "sources", "labels",
    "curation", "backup",
)  # fmt: skip
# Those whose use cases need no corpus: functions, not methods of one.
TOOLS = ("language_tools", "collection_tools", "page_tools", "users", "corpora")


@cache
def plugged_in() -> tuple[str, ...]:
    """Return the modules of use cases that plug-ins bring (entry points `izwi.cases`).

    A module that cannot be loaded is skipped with a warning, so that izwi itself still works.
    """
    targets = [part.target for part in plugins.installed("izwi.cases")]
    return tuple(target for target in targets if _is_loaded(target))


def _is_loaded(module: str) -> bool:
    try:
        import_module(module)
    except Exception as error:  # whatever another's package does while it is imported
        logger.warning("%s (group izwi.cases) cannot be loaded: %s", module, error)
        return False
    return True


@cache
def cases_in(module: str) -> "dict[str, Case[Any, Any]]":
    """Return the use cases of a module, izwi's or a plug-in's, by method name."""
    home = f"izwi.cases.{module}" if module in MODULES else module
    return {case.method: case for case in import_module(home).CASES}


@cache
def tools_in(module: str) -> "tuple[Case[Any, Any], ...]":
    """Return the use cases of a module that need no corpus."""
    found: tuple[Case[Any, Any], ...] = import_module(f"izwi.cases.{module}").FUNCTIONS
    return found


@cache
def all_cases() -> "dict[str, Case[Any, Any]]":
    """Return every use case by method name."""
    modules = (*MODULES, *plugged_in())
    return {name: case for module in modules for name, case in cases_in(module).items()}


@cache
def plugged_cases() -> "dict[str, Case[Any, Any]]":
    """Return only the use cases of plug-ins."""
    return {name: case for module in plugged_in() for name, case in cases_in(module).items()}


def answer_type(case: "Case[Any, Any]") -> Any:
    """Return the type of a use case's answer, importing it if it is only named so far."""
    found = case.answer
    if not isinstance(found, str):
        return found
    names = {name: getattr(import_module(home), name) for name, home in _homes(case).items()}
    return eval(found, {**vars(import_module(case.do.__module__)), **names})


def _homes(case: "Case[Any, Any]") -> dict[str, str]:
    """Return, for each name in the answer's type, the module the use case imports it from."""
    import ast
    import inspect

    wanted = {each.id for each in ast.walk(ast.parse(case.answer)) if isinstance(each, ast.Name)}
    tree = ast.parse(inspect.getsource(import_module(case.do.__module__)))
    return {
        alias.name: str(node.module)
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("izwi.")
        for alias in node.names
        if alias.name in wanted
    }
