"""How is a folder written in a command that a message proposes, so that it can be pasted?"""

import shlex
from pathlib import Path
from string import Formatter
from typing import Any


def typed(path: Path | str) -> str:
    """Return a path as a shell takes it.

    >>> typed("news"), typed("my corpus")
    ('news', "'my corpus'")
    """
    return shlex.quote(str(path))


def filled(text: str, **values: Any) -> str:
    """Return a sentence with its {names} and {texts:typed} filled in, paths as a shell takes them.

    >>> filled("Next: izwi run {folder}", folder=Path("my corpus"))
    "Next: izwi run 'my corpus'"
    """
    return _Typed().format(text, **values)


class _Typed(Formatter):
    def format_field(self, value: Any, format_spec: str) -> str:
        if isinstance(value, Path) or format_spec == "typed":
            return typed(value)
        return str(super().format_field(value, format_spec))
