"""What a use case is: a request, a function on the corpus folder, a policy, columns of its answer.

This module imports nothing heavy: help, reference pages and types are made from it alone.
"""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    Literal,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from izwi.model.errors import QueryError
from izwi.model.records import dataclass
from izwi.model.results import Listener, ignore

if TYPE_CHECKING:
    import threading

    from izwi.service.runs import Run

Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Says:
    """What is to be said about a field of a request, on all surfaces."""

    help: str
    least: float | None = None
    most: float | None = None
    # Its name in addresses and as an option, where the field's own will not do.
    name: str = ""
    # Older names: still taken, never written.
    also: tuple[str, ...] = ()
    metavar: str = ""
    example: str = ""
    # Whether it stands without a name on the command line and in Python.
    is_place: bool = False
    # Whether it may stand without a name in Python, though it is an option of the command.
    is_first: bool = False
    # Whether it is part of what was asked, so that "repeat this" has to name it.
    is_asked: bool = True
    # How text becomes its value; surfaces then send text.
    read: Callable[[str], object] | None = None
    # Whether the command line takes a file of values, one a line.
    is_file: bool = False
    # Its short name in addresses, which stand in citations; the other is taken there too.
    address: str = ""
    # What a server lets strangers ask for, where that is less than its owner may.
    web_least: float | None = None
    web_most: float | None = None
    # What its values name: of texts and lists a server gives its own only, no other files.
    names: Literal["", "text", "list"] = ""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a request with all that is known of it."""

    name: str
    type: Any
    default: object
    says: Says

    @property
    def is_needed(self) -> bool:
        """Whether there is no default."""
        return self.default is MISSING

    @property
    def is_several(self) -> bool:
        """Whether it may be given several times."""
        return get_origin(self.type) is tuple

    @property
    def choices(self) -> tuple[Any, ...]:
        """The values it may have, if they are few."""
        return get_args(self.type) if get_origin(self.type) is Literal else ()

    @property
    def shown(self) -> str:
        """Its name on the command line."""
        return self.says.name or self.name

    @property
    def address(self) -> str:
        """Its name in addresses."""
        return self.says.address or self.shown

    @property
    def sent(self) -> tuple[Any, object]:
        """The type and the default under which a surface takes it."""
        if self.choices:
            return str, self.default
        if self.says.read is None:
            return self.type, self.default
        return str, "" if self.default is None else self.default


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an answer's table: the same for terminal, page, CSV and spreadsheet."""

    # Where in a line its value is, with dots.
    key: str
    head: str
    kind: Literal["text", "number", "rate", "score"] = "text"

    def of(self, line: object) -> Any:
        """Return its value in a line."""
        for part in self.key.split("."):
            line = getattr(line, part)
        return line


@dataclass(frozen=True, slots=True)
class Done:
    """A change as the record keeps it; its kind says how it is undone."""

    kind: str
    target: str
    before: Any = None
    after: Any = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may, what is held meanwhile, and what is written down once it has succeeded."""

    right: Literal["reader", "curator"] = "reader"
    # lock: a run, one at a time.
    holds: Literal["nothing", "lock"] = "nothing"
    # What is recorded of a request and its answer; of a request alone (no answer) it is what was
    # begun. "itself": the change and its record are one transaction of its own.
    record: Callable[[Any, Any], Done] | Literal["itself"] | None = None


@dataclass(frozen=True, slots=True)
class Doing:
    """What goes on round a use case: its run, who hears of it, and who may end it."""

    listener: Listener = ignore
    cancelled: "threading.Event | None" = None
    who: str = ""
    held: "Run | None" = None

    @property
    def run(self) -> "Run":
        """The run of a case that holds the corpus."""
        assert self.held is not None
        return self.held


@dataclass(frozen=True, slots=True)
class Case(Generic[Q, A]):
    """A use case. Its summary is the docstring of `do`; its answer's type is what `do` returns."""

    method: str
    command: str
    # Where programs find it, e.g. GET /api/v1/c/{corpus}/frequencies.
    route: str
    request: type[Q]
    do: Callable[..., A]
    example: str
    # The group of the reference page it stands in.
    topic: str = ""
    policy: Policy = Policy()
    # What is no part of the question, but a method may be given.
    context: tuple[Literal["by", "listener", "cancelled"], ...] = ()
    # The columns of its table and where its lines are, for an answer that nobody draws by hand.
    columns: Sequence[Column] = ()
    lines: str = "lines"
    # Where its command and its route are still made by hand.
    by_hand: tuple[Literal["command", "route"], ...] = ()
    # Whether the command shows a chart (--chart) of the answer.
    is_drawn: bool = False
    # The page of the web, with twins, that is derived too: /c/{corpus}/PAGE.
    page: str = ""
    # The template of that page; the plain one shows a form and the table of its columns.
    template: str = "case.html"

    @property
    def summary(self) -> str:
        """What it does, in a sentence."""
        return (self.do.__doc__ or "").strip().partition("\n\n")[0].replace("\n    ", " ")

    @property
    def answer(self) -> Any:
        """The type of its answer, by name where that is not imported yet."""
        return self.do.__annotations__["return"]


def fields_of(request: type) -> tuple[Field, ...]:
    """Return the fields of a request, looked up once."""
    return _fields_of(request)


@cache
def _fields_of(request: Hashable) -> tuple[Field, ...]:
    """Return the fields of a request: places first, then its own, then those it inherits."""
    assert isinstance(request, type)
    hints = get_type_hints(request, include_extras=True)
    found = [_field(request, each, hints) for each in dataclasses.fields(request)]
    own = inspect.get_annotations(request)
    return tuple(sorted(found, key=lambda each: (not each.says.is_place, _is_shared(each, own))))


def _is_shared(field: Field, own: Collection[str]) -> bool:
    # What stands in a place keeps it: a word, then the one it is compared with.
    return not field.says.is_place and field.name not in own


def _field(request: type, field: "dataclasses.Field[Any]", hints: Mapping[str, Any]) -> Field:
    kind, *notes = get_args(hints[field.name])
    says = next((note for note in notes if isinstance(note, Says)), None)
    assert says is not None, f"{request.__name__}.{field.name} says nothing about itself"
    return Field(field.name, kind, field.default, says)


def request_of(case: Case[Q, A], given: Mapping[str, Any]) -> Q:
    """Return the request that a surface was sent; raise QueryError for what cannot be used."""
    values: dict[str, Any] = {}
    for field in fields_of(case.request):
        if field.name not in given:
            continue
        value: Any = given[field.name]
        if field.says.read is not None and isinstance(value, str):
            value = field.says.read(value) if value.strip() else field.default
        if field.is_several and not isinstance(value, str):
            value = tuple(value if value is not None else ())
        values[field.name] = value
    request = case.request(**values)
    check(request)
    return request


def check(request: Any) -> None:
    """Raise QueryError if a value is out of its bounds: the last word, whoever asks."""
    for field in fields_of(type(request)):
        value, says = getattr(request, field.name), field.says
        if field.choices and value not in field.choices:
            known = ", ".join(repr(each) for each in field.choices)
            raise QueryError(f"{field.shown} is one of {known}, not {value!r}.")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if says.least is not None and value < says.least:
                raise QueryError(f"{field.shown} is at least {says.least:g}, not {value:g}.")
            if says.most is not None and value > says.most:
                raise QueryError(f"{field.shown} is at most {says.most:g}, not {value:g}.")
