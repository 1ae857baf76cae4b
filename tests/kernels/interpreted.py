"""A kernel as Python runs it, uncompiled, to be compared with what the compiler made of it."""

import importlib
import importlib.util
import re
import sys
from functools import cache
from types import ModuleType

import izwi.kernels

_CIMPORTS = "cython.cimports.izwi.kernels"


@cache
def interpreted(name: str) -> ModuleType:
    """Return a kernel from its source; those that it calls are interpreted, too."""
    path = izwi.kernels.__path__[0] + f"/{name}.py"
    spec = importlib.util.spec_from_file_location(f"interpreted.{name}", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        source = file.read()
    for wanted in re.findall(rf"from {re.escape(_CIMPORTS)}\.(\w+) import", source):
        _offer(wanted)
    spec.loader.exec_module(module)
    return module


def _offer(name: str) -> None:
    """Let `from cython.cimports.izwi.kernels.NAME import ...` find what is not compiled."""
    for package in ("cython.cimports.izwi", _CIMPORTS):
        sys.modules.setdefault(package, ModuleType(package))
    is_constants = izwi.kernels.__path__[0] and not _is_kernel(name)
    found = importlib.import_module(f"izwi.kernels.{name}") if is_constants else interpreted(name)
    sys.modules[f"{_CIMPORTS}.{name}"] = found


def _is_kernel(name: str) -> bool:
    compiled = importlib.import_module(f"izwi.kernels.{name}").__file__ or ""
    return not compiled.endswith(".py")
