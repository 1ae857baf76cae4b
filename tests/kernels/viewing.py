"""An interpreted kernel that is given views: numbers of Python, which do not overflow."""

from functools import cache, wraps
from types import FunctionType, ModuleType

import numpy as np

from tests.kernels.interpreted import interpreted


@cache
def viewing(name: str) -> ModuleType:
    """Return a kernel as Python runs it, whose inner functions get views instead of arrays."""
    module = interpreted(name)
    for key, value in list(vars(module).items()):
        if isinstance(value, FunctionType) and key.startswith("_"):
            setattr(module, key, _with_views(value))
        elif isinstance(value, type) and value.__module__ == module.__name__:
            _with_viewed_fields(value)
    return module


def _with_views(function):
    @wraps(function)
    def called(*given, **named):
        return function(*map(_viewed, given), **named)

    return called


def _with_viewed_fields(kind):
    for key, value in list(vars(kind).items()):
        if isinstance(value, FunctionType) and key.startswith("_"):
            setattr(kind, key, _with_views(value))
    kind.__setattr__ = lambda self, key, value: object.__setattr__(self, key, _viewed(value))


def _viewed(value):
    if isinstance(value, tuple):
        return tuple(map(_viewed, value))
    return memoryview(value) if isinstance(value, np.ndarray) else value
