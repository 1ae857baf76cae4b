"""The same functions twice: interpreted for a few words, compiled for a corpus.

Numba takes more than half a second to load. A query of three words is cut faster by the plain
functions, so modules hold plain functions and only long texts ask for the compiled ones.
"""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

Functions = dict[str, Callable[..., Any]]


@cache
def compiled(module: str) -> Functions:
    """Return the functions a module lists as KERNELS, callees first, compiled."""
    import numba

    plain = vars(import_module(module))
    space: dict[str, Any] = dict(plain)
    for other in plain.get("CALLS", ()):
        space |= compiled(other)
    for name in plain["KERNELS"]:
        function = plain[name]
        copy = FunctionType(function.__code__, space, name, function.__defaults__)
        copy.__module__, copy.__qualname__ = module, name
        space[name] = numba.njit(cache=True, nogil=True)(copy)
    return {name: space[name] for name in plain["KERNELS"]}
