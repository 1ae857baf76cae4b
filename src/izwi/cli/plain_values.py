"""Which values of a command line are right as they are, so that no validator need be loaded.

Typer asks pydantic about every option, those left at their defaults included: a fifth of the time
of a short command. Words, numbers and folders that are plainly right pass here; whatever is not is
typer's to judge, in typer's words.
"""

import os
from pathlib import Path
from typing import Any, get_args

_NOT_PLAIN = object()


class PlainFirst:
    """Takes plain values of one parameter and leaves the others to typer."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        """Return the value of a parameter as its command wants it."""
        plain = _plain(value, param)
        if plain is not _NOT_PLAIN:
            return plain
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def take_plain_values(params: list[Any]) -> list[Any]:
    """Return parameters that ask typer about odd values only."""
    for param in params:
        # Releases of typer that have no such attribute do not ask pydantic either.
        if hasattr(param, "_runtime_param"):
            param._runtime_param = PlainFirst()
    return params


def _plain(value: Any, param: Any) -> Any:
    described = param.type_descriptor
    info, kind = described.parameter_info, described.annotation
    is_several = param.multiple or param.nargs == -1
    if value is None:
        return () if is_several else None
    if info.parser is not None or is_several is not isinstance(value, list | tuple):
        return _NOT_PLAIN
    if not is_several:
        return _plain_one(value, kind, info)
    (kind,) = get_args(kind) or (None,)
    found = [_plain_one(each, kind, info) for each in value]
    return _NOT_PLAIN if _NOT_PLAIN in found else found


def _plain_one(value: Any, kind: Any, info: Any) -> Any:
    if kind is str and isinstance(value, str) and _is_unicode(value):
        return value
    if kind in (int, float):
        return _plain_number(value, kind, info)
    if kind is Path and isinstance(value, str | Path):
        return _plain_path(str(value), info)
    return _NOT_PLAIN


def _plain_number(value: Any, kind: type[int | float], info: Any) -> Any:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 10:
        value = kind(value)
    if type(value) is not kind or info.clamp:
        return _NOT_PLAIN
    is_low = info.min is not None and value < info.min
    return _NOT_PLAIN if is_low or (info.max is not None and value > info.max) else value


def _plain_path(value: str, info: Any) -> Any:
    has_wishes = info.resolve_path or info.writable or info.path_type or info.allow_dash
    if has_wishes or not (info.file_okay and info.dir_okay and _is_unicode(value)):
        return _NOT_PLAIN
    is_right = os.access(value, os.R_OK) or not (info.exists or os.path.lexists(value))
    return Path(value) if is_right else _NOT_PLAIN


def _is_unicode(value: str) -> bool:
    """Say whether a word is all characters; bytes of another encoding are not."""
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return "\0" not in value
