"""Which tables of corpus.toml are right as they stand, so that no validator need be loaded.

Loading pydantic and having it make a checker for each kind of table takes a tenth of a second, a
fifth of a short command. Words, numbers and lists that are plainly of the kind asked for pass
here; whatever is not is pydantic's to judge, in its words.
"""

import dataclasses
from types import NoneType, UnionType
from typing import Any, Literal, get_args, get_origin

NOT_PLAIN = object()


def plain_record(kind: type, table: dict[str, Any]) -> Any:
    """Return the record that a table stands for, or NOT_PLAIN if something must be looked at.

    >>> from izwi.config.schema import CorpusSection
    >>> plain_record(CorpusSection, {"name": "news", "languages": ["en"]}).languages
    ('en',)
    >>> plain_record(CorpusSection, {"name": 7}) is NOT_PLAIN
    True
    """
    fields = {each.name: each for each in dataclasses.fields(kind) if each.init}
    lacks = any(_is_required(each) and each.name not in table for each in fields.values())
    if lacks or _has_validators(kind):
        return NOT_PLAIN
    values = {
        key: _plain(value, fields[key].type) if key in fields else NOT_PLAIN
        for key, value in table.items()
    }
    if any(value is NOT_PLAIN for value in values.values()):
        return NOT_PLAIN
    try:
        return kind(**values)
    except ValueError:  # what the record itself refuses is worded where all errors are
        return NOT_PLAIN


def _has_validators(kind: type) -> bool:
    """Say whether a class has functions that pydantic calls, as somebody's own source may."""
    named = (value for each in kind.__mro__ for value in vars(each).values())
    return any(type(value).__module__.startswith("pydantic") for value in named)


def _is_required(each: "dataclasses.Field[Any]") -> bool:
    absent = dataclasses.MISSING
    return each.default is absent and each.default_factory is absent


def _plain(value: Any, kind: Any) -> Any:
    if kind is Any:
        return value
    if kind in (str, int, bool, float):
        return _plain_one(value, kind)
    origin, parts = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value if type(value) is str and value in parts else NOT_PLAIN
    if origin is tuple and parts[1:] == (...,) and type(value) is list:
        found = tuple(_plain(each, parts[0]) for each in value)
        return NOT_PLAIN if NOT_PLAIN in found else found
    if origin is UnionType and len(parts) == 2 and NoneType in parts:
        return _plain(value, next(part for part in parts if part is not NoneType))
    return NOT_PLAIN


def _plain_one(value: Any, kind: type) -> Any:
    if kind is float and type(value) is int:
        return float(value)
    return value if type(value) is kind else NOT_PLAIN
