"""What a use case is: a request, a function, a policy, columns of its answer.

This module imports nothing heavy: help, reference pages and types are made from it alone.
"""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MethodType
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

from izwi.cases import cases_in
from izwi.model.errors import QueryError
from izwi.model.notation import is_text
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
    # How a file becomes its value: the command line takes a file, by this option if values too.
    file: Callable[[Path], Any] | None = None
    file_option: str = ""
    # How the words of a repeated option become its value, where that is no list.
    words: Callable[[Sequence[str]], object] | None = None
    # The variable from which a command takes it, if it is not given.
    env: str = ""
    # Whether it is for whoever sits at the machine: the web never takes it.
    is_local: bool = False
    # Whether it is the whole body of what is sent to a server.
    is_body: bool = False
    # Its short name in addresses, which stand in citations; the other is taken there too.
    address: str = ""
    # What a server lets strangers ask for, where that is less than its owner may.
    web_least: float | None = None
    web_most: float | None = None
    # What its values name: a server gives its own texts and lists and takes in what its owner
    # allowed, but no other files.
    names: Literal["", "text", "list", "file", "address", "corpus", "translation"] = ""


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
    def is_placed(self) -> bool:
        """Whether a method takes it without its name."""
        return self.says.is_place or self.says.is_first

    @property
    def is_several(self) -> bool:
        """Whether it may be given several times."""
        return get_origin(self.type) in (tuple, Sequence, Iterable)

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
    # settings: corpus.toml is read and written by one at a time; lock: a run, one at a time;
    # process: such a run that takes long, so that a server starts a process for it.
    holds: Literal["nothing", "settings", "lock", "process"] = "nothing"
    # What is recorded of a request and its answer; of a request alone (no answer) it is what was
    # begun. "itself": the change and its record are one transaction of its own.
    record: Callable[[Any, Any], Done] | Literal["itself"] | None = None


READER, CURATOR = Policy(), Policy("curator")


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
class Written:
    """How a command writes an answer into a file."""

    # The function that makes the content of the answer and the options, as module:name.
    content: str
    # What the command says then, with {number} of parts, {file} and the options in it.
    told: str
    # What the function takes beside the answer, each with its default and its help: the function
    # itself is not imported for --help.
    options: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    # What the file is, if it has to be given; else there is --output, or standard output.
    place: str = ""
    # The table of formats, as module:name, if a server sends the answer as a file of one, too.
    formats: str = ""


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
    # What a terminal says, a line each, of the request, the answer and the folder.
    tells: Callable[[Any, Any, Path], Iterable[str]] | None = None
    # What it says instead of an empty table.
    none: Callable[[Any, Any, Path], Iterable[str]] | None = None
    # The name of an answer that is one plain value, where programs get it.
    key: str = ""
    # Of two cases with one command, the option that asks for this one.
    switch: str = ""
    # Options that say how a terminal shows the answer, each with its help.
    flags: Mapping[str, str] = dataclasses.field(default_factory=dict)
    # How its command writes the answer into a file instead of showing it.
    written: Written | None = None
    # Whether it is asked of a corpus; if not, its command takes no folder.
    has_folder: bool = True
    # The function that makes an HTML page to be kept of the answer, as module:name.
    html: str = ""
    # With which status its command ends, and what HTTP answers.
    exit: Callable[[A], int] | None = None
    status: int = 200
    # As what a server sends an answer that is a text.
    media: str = ""
    # What strangers are shown of the answer; the function given takes folders out of a text.
    public: Callable[[A, Callable[[str], str]], A] | None = None
    # Whether it writes below a target of its own, which a server sends as one file.
    is_file: bool = False
    # Where its command and its route are made by hand.
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

    @property
    def told(self) -> str:
        """What help says of its method: what it does, and a line for each thing it takes."""
        about = inspect.cleandoc(self.do.__doc__ or "")
        fields = fields_of(self.request)
        return f"{about}\n\n" + "\n".join(f"{each.name}: {each.says.help}" for each in fields)

    @property
    def signature(self) -> inspect.Signature:
        """What its method takes: places first, all else by name."""
        request: type = self.request
        return _signature(request, self.context).replace(return_annotation=self.answer)

    def for_programs(self, answer: A) -> Any:
        """Return an answer as JSON has it: a plain value stands under a name."""
        return {self.key: answer} if self.key else answer


@cache
def _signature(request: Hashable, context: tuple[str, ...]) -> inspect.Signature:
    assert isinstance(request, type)
    fields = sorted(fields_of(request), key=lambda each: not each.is_placed)
    taken = [inspect.Parameter(each, _BY_NAME, default=_CONTEXT[each]) for each in context]
    return inspect.Signature([*map(_parameter, fields), *taken])


def _parameter(field: Field) -> inspect.Parameter:
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD if field.is_placed else _BY_NAME
    default = inspect.Parameter.empty if field.is_needed else field.default
    return inspect.Parameter(field.name, kind, annotation=field.type, default=default)


_BY_NAME = inspect.Parameter.KEYWORD_ONLY
_CONTEXT: Mapping[str, Any] = {"by": "", "listener": ignore, "cancelled": None}


class Method:
    """A use case as a method of a corpus; its module is imported when it is looked at."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self.__name__, self.__qualname__ = module, name, f"Corpus.{name}"

    def __get__(self, corpus: Any, owner: type | None = None) -> Any:
        return self if corpus is None else MethodType(self, corpus)

    def __call__(self, corpus: Any, /, *places: Any, **given: Any) -> Any:
        """Return the answer of a corpus."""
        return corpus._ask(self.case, *places, **given)

    @property
    def case(self) -> "Case[Any, Any]":
        """The use case."""
        return cases_in(self._module)[self.__name__]

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return self.case.told

    @property
    def __signature__(self) -> inspect.Signature:
        place = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
        whole = self.case.signature
        return whole.replace(parameters=[place, *whole.parameters.values()])


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """A question without parameters."""


def case_of(
    topic: str, method: str, command: str, route: str, request: type[Q], do: Callable[..., A],
    example: str = "", policy: Policy = CURATOR, **more: Any,
) -> Case[Q, A]:  # fmt: skip
    """Return a case as most are: its route below the corpus, its example on the corpus news."""
    verb = more.pop("verb", "POST" if policy.record else "GET")
    corpus = " news" if more.get("has_folder", True) else ""
    address = more.pop("at", f"{verb} /api/v1/c/{{corpus}}/{route}")
    more.setdefault("context", ("by",) if policy.record else ())
    return Case(
        method, command, address, request, do,
        f"izwi {command}{corpus} {example}".rstrip(), topic, policy, **more,
    )  # fmt: skip


def named(place: str) -> Any:
    """Return the function or table that a use case names as module:name."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def sentence(text: str) -> Callable[[Any, Any, Path], Iterator[str]]:
    """Return what says one sentence with {asked}, {answer} and {folder} in it."""

    def say(asked: Any, answer: Any, folder: Path) -> Iterator[str]:
        told = ", ".join(answer) if isinstance(answer, tuple) else answer
        yield text.format(asked=asked, answer=told, folder=folder)

    return say


def each_as(text: str) -> Callable[[Any, Any, Path], Iterator[str]]:
    """Return what says a line for each part of an answer, with {0} in it."""

    def say(asked: Any, answer: Any, folder: Path) -> Iterator[str]:
        return (text.format(each) for each in answer)

    return say


def in_unit(name: str, read: Callable[[str], Any]) -> Callable[[str], Any]:
    """Return a reader of quantities with units, e.g. 2h, that says which option cannot be read."""

    def quantity(text: str) -> Any:
        try:
            return read(text)
        except ValueError as error:
            raise QueryError(f"{name}: {error}.") from None

    return quantity


def write_answer(path: Path, content: str | bytes) -> None:
    """Write a file for a user, whole or not at all; a full disk is one sentence."""
    from izwi.store.files import disk_errors, is_device, replacing

    raw = content.encode() if isinstance(content, str) else content
    with disk_errors():
        if is_device(path):  # /dev/stdout, a pipe: written into, never replaced
            path.write_bytes(raw)
            return
        with replacing(path) as temporary:
            temporary.write_bytes(raw)


def lines_of(path: Path) -> tuple[str, ...]:
    """Return the lines of a file that a command was given."""
    return tuple(text_of(path).split("\n"))


def ids_of(path: Path) -> tuple[str, ...]:
    """Return the words of a file, e.g. ids, of which there has to be one."""
    found = tuple(text_of(path).split())
    if not found:
        raise QueryError(f"{path} names nothing.")
    return found


def text_of(path: Path) -> str:
    """Return the text of a file that a command was given."""
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"{path} cannot be read: {error}.") from None


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


# The largest number that a database takes.
_LARGEST = 2**63 - 1


def _is_text(value: object) -> bool:
    # What can be printed is text, and hardly anything else is ever given.
    return not isinstance(value, str) or value.isprintable() or is_text(value)


def check(request: Any) -> None:
    """Raise QueryError if a value is out of its bounds: the last word, whoever asks."""
    for field in fields_of(type(request)):
        value, says = getattr(request, field.name), field.says
        if not all(map(_is_text, value if isinstance(value, tuple) else (value,))):
            raise QueryError(f"{field.shown} is no text: it holds bytes that are no characters.")
        if field.choices and value not in field.choices:
            known = ", ".join(repr(each) for each in field.choices)
            raise QueryError(f"{field.shown} is one of {known}, not {value!r}.")
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            if not -_LARGEST <= value <= _LARGEST:  # nor is "nan" between them
                raise QueryError(f"{field.shown} is no number that can be used.")
            if says.least is not None and value < says.least:
                raise QueryError(f"{field.shown} is at least {says.least:g}, not {value:g}.")
            if says.most is not None and value > says.most:
                raise QueryError(f"{field.shown} is at most {says.most:g}, not {value:g}.")
