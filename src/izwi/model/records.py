"""How frozen records are made quickly: dataclasses whose methods are shared, not compiled for each.

The decorator of the standard library compiles six methods for every class, 0.6 ms each time a
module is imported; a short command makes two hundred such classes. Here only `__init__` is
compiled, which has a signature of its own; the others are the same for all classes. With the
standard decorator a query takes 20 ms of CPU more, a build with nothing to do 30 to 45.
"""

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from reprlib import recursive_repr
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(kind=None, /, *, frozen=False, repr=True, **given):
        """Return a dataclass, as the standard library's decorator of that name makes it."""
        if kind is None:
            return lambda decorated: dataclass(decorated, frozen=frozen, repr=repr, **given)
        if not frozen or not given.keys() <= {"slots", "kw_only"}:
            return dataclasses.dataclass(kind, frozen=frozen, repr=repr, **given)
        return _record(kind, has_repr=repr, **given)


def _record(kind: type, *, has_repr: bool, **given: bool) -> type:
    # The standard decorator reads a signature to describe what has no description.
    kind.__doc__ = kind.__doc__ or kind.__name__
    own = kind.__dict__
    has_state = "__getstate__" in own
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, **given)(kind)
    fields = dataclasses.fields(made)
    if "__init__" not in own:
        made.__init__ = _init(made)
    if has_repr and "__repr__" not in own:
        made.__repr__ = _repr
    if "__eq__" not in own:
        made.__eq__ = _eq_of([field.name for field in fields if field.compare])
    if "__hash__" not in own:
        hashed = [field.name for field in fields if _is_hashed(field)]
        made.__hash__ = _hash_of(hashed)
    made.__setattr__, made.__delattr__ = _refusals(made, frozenset(f.name for f in fields))
    if given.get("slots") and not has_state:
        made.__getstate__, made.__setstate__ = _state, _set_state
    return made  # type: ignore[no-any-return]


def _is_hashed(field: "dataclasses.Field[Any]") -> bool:
    return field.compare if field.hash is None else field.hash


def _init(kind: Any) -> Callable[..., None]:
    """Return the method that takes the values of the fields, compiled."""
    fields = [each for each in kind.__dataclass_fields__.values() if not _is_class_variable(each)]
    known: dict[str, Any] = {"_put": object.__setattr__, "_absent": dataclasses.MISSING}
    placed: list[str] = ["self"]
    named: list[str] = []
    lines: list[str] = []
    for field in fields:
        value = field.name
        if field.default is not dataclasses.MISSING:
            known[f"_default_{field.name}"] = field.default
        if field.default_factory is not dataclasses.MISSING:
            known[f"_make_{field.name}"] = field.default_factory
            value = f"_make_{field.name}()"
            if field.init:
                value += f" if {field.name} is _absent else {field.name}"
        elif not field.init:
            continue
        if field.init:
            (named if field.kw_only else placed).append(_parameter(field))
        slot = getattr(kind, field.name, None)
        if isinstance(slot, MemberDescriptorType):
            # A slot is filled by itself in two thirds of the time.
            known[f"_fill_{field.name}"] = slot.__set__
            lines.append(f" _fill_{field.name}(self, {value})")
        else:
            lines.append(f" _put(self, {field.name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        lines.append(" self.__post_init__()")
    parameters = ", ".join([*placed, *(["*", *named] if named else [])])
    source = f"def __init__({parameters}):\n" + ("\n".join(lines) or " pass")
    made: dict[str, Any] = {}
    exec(source, known, made)
    made["__init__"].__qualname__ = f"{kind.__qualname__}.__init__"
    made["__init__"].__annotations__ = {f.name: f.type for f in fields if f.init} | {"return": None}
    result: Callable[..., None] = made["__init__"]
    return result


def _parameter(field: "dataclasses.Field[Any]") -> str:
    if field.default is not dataclasses.MISSING:
        return f"{field.name}=_default_{field.name}"
    if field.default_factory is not dataclasses.MISSING:
        return f"{field.name}=_absent"
    return field.name


def _is_class_variable(field: Any) -> bool:
    return field._field_type.name == "_FIELD_CLASSVAR"  # type: ignore[no-any-return]


@recursive_repr()
def _repr(self: Any) -> str:
    shown = (field.name for field in dataclasses.fields(self) if field.repr)
    inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
    return f"{type(self).__qualname__}({inside})"


def _values_of(names: list[str]) -> Callable[[Any], Any]:
    return attrgetter(*names) if names else lambda record: ()


def _eq_of(names: list[str]) -> Callable[[Any, Any], Any]:
    values = _values_of(names)

    def __eq__(self: Any, other: Any) -> Any:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return values(self) == values(other)

    return __eq__


def _hash_of(names: list[str]) -> Callable[[Any], int]:
    values = _values_of(names)

    def __hash__(self: Any) -> int:
        return hash(values(self))

    return __hash__


def _refusals(kind: Any, names: frozenset[str]) -> tuple[Any, Any]:
    def __setattr__(self: Any, name: str, value: Any) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")
        super(kind, self).__setattr__(name, value)

    def __delattr__(self: Any, name: str) -> None:
        if type(self) is kind or name in names:
            raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
        super(kind, self).__delattr__(name)

    return __setattr__, __delattr__


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _set_state(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
