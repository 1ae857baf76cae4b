"""The methods of `Corpus`, made from the use cases: their names, and their types in a stub."""

import ast
import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

from izwi.cases import MODULES, cases_in
from izwi.cases.case import Case, Field, fields_of

METHODS = Path(__file__).parent.parent / "src" / "izwi" / "cases" / "methods.py"
STUB = METHODS.with_suffix(".pyi")
_CONTEXT = {
    "by": 'by: str = ""',
    "listener": "listener: Listener = ignore",
    "cancelled": "cancelled: threading.Event | None = None",
}
_HEAD = '''"""The use cases of a corpus as methods, by the modules that hold them.

Made by tools/generate_reference.py from izwi/cases; change those, then run ./run.sh docs.
"""
# fmt: off
# ruff: noqa

'''
_LIGHT = {
    "threading": ("threading",),
    "collections.abc": ("Iterable", "Mapping", "Sequence"),
    "datetime": ("date",),
    "pathlib": ("Path",),
    "typing": ("Any", "Literal"),
}


def methods_source() -> str:
    """Return the module: the names of the methods, without a use case being imported."""
    homes = "".join(f'    "{module}": "{" ".join(cases_in(module))}",\n' for module in MODULES)
    return f'''{_HEAD}from izwi.cases.case import Method

_NAMES = {{
{homes}}}


class Methods:
    """The use cases of a corpus as methods."""


for _module, _names in _NAMES.items():
    for _name in _names.split():
        setattr(Methods, _name, Method(_module, _name))
'''


def stub_source() -> str:
    """Return the types of the methods, with what help says of each."""
    cases = [case for module in MODULES for case in cases_in(module).values()]
    homes: set[tuple[str, str]] = set()
    body = "\n".join(line for case in cases for line in _method(case, homes))
    imports = "".join(f"from {home} import {name}\n" for home, name in sorted(homes))
    return f'''{_HEAD}{_light_imports(body)}

{imports}from izwi.model.results import Listener, ignore

class Methods:
    """The use cases of a corpus as methods."""
{body}
'''


def _light_imports(body: str) -> str:
    """Return the lines that import what the methods use of Python itself."""
    used = set(re.findall(r"\w+", body))
    lines = []
    for home, names in _LIGHT.items():
        found = [name for name in names if name in used]
        if found:
            whole = home == found[0]
            lines.append(f"import {home}" if whole else f"from {home} import {', '.join(found)}")
    return "\n".join(lines)


def _method(case: Case[Any, Any], homes: set[tuple[str, str]]) -> Iterator[str]:
    fields = fields_of(case.request)
    places = [_argument(each, homes) for each in fields if each.is_placed]
    named = [_argument(each, homes) for each in fields if not each.is_placed]
    named += [_CONTEXT[name] for name in case.context]
    parts = ["self", *places, *(["*", *named] if named else [])]
    yield f"\n    def {case.method}("
    yield textwrap.fill(
        ", ".join(each.replace(" ", "\0") for each in parts), 96, initial_indent=" " * 8, subsequent_indent=" " * 8,
        break_long_words=False, break_on_hyphens=False,
    ).replace("\0", " ")  # fmt: skip
    yield f"    ) -> {_answer(case, homes)}:"
    yield f'        """{textwrap.indent(case.told, " " * 8).strip()}\n        """'


def _answer(case: Case[Any, Any], homes: set[tuple[str, str]]) -> str:
    """Return the source of the answer's type, and note where its names come from."""
    found = case.do.__annotations__["return"]
    text = found if isinstance(found, str) else type_source(found, homes)
    known = _names_of(case.do.__module__)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Name) and node.id in known:
            homes.add((known[node.id], node.id) if " as " not in known[node.id] else ("", ""))
    return text


def _names_of(module: str) -> dict[str, str]:
    """Return where a module's imported names come from, those for types only included."""
    tree = ast.parse(inspect.getsource(sys.modules[module]))
    return {
        alias.asname or alias.name: str(node.module)
        + (f" import {alias.name} as {alias.asname}" if alias.asname else "")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("izwi.")
        for alias in node.names
    }


def _argument(field: Field, homes: set[tuple[str, str]]) -> str:
    default = "" if field.is_needed else f" = {source(field.default)}"
    return f"{field.name}: {type_source(field.type, homes)}{default}"


def source(value: object) -> str:
    """Return a value as Python source."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def type_source(kind: Any, homes: set[tuple[str, str]]) -> str:
    """Return a type as Python source, and note where its names come from."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return f"Literal[{', '.join(map(source, inner))}]"
    if isinstance(kind, UnionType):
        return " | ".join(type_source(each, homes) for each in inner)
    if origin is not None:
        names = ["..." if each is Ellipsis else type_source(each, homes) for each in inner]
        return f"{origin.__name__}[{', '.join(names)}]"
    if kind is NoneType:
        return "None"
    if kind is Any:
        return "Any"
    if kind.__module__.startswith("izwi."):
        homes.add((kind.__module__, kind.__name__))
        return str(kind.__name__)
    return str(kind.__name__)
