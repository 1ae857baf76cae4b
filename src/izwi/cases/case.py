"""What a use case is made of: a request, a function, a policy, and the columns of its answer.

This module imports nothing heavy, because help and reference pages are generated from it.
"""

import dataclasses
import inspect
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING
from datetime import datetime
from functools import cache, partial
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
from izwi.model.commands import filled
from izwi.model.errors import QueryError
from izwi.model.notation import unfit
from izwi.model.records import dataclass
from izwi.model.results import Listener, ignore

if TYPE_CHECKING:
    import threading

    from izwi.service.runs import Run


Q = TypeVar("Q")
A = TypeVar("A")


@dataclass(frozen=True, slots=True)
class Says:
    """What every surface (Python, command line, web) needs to know about a request's field."""

    help: str
    least: float | None = None
    most: float | None = None
    # Its name in addresses and as an option, if that is not the field's own name.
    name: str = ""
    # Older names, which are still accepted.
    also: tuple[str, ...] = ()
    metavar: str = ""
    example: str = ""
    # Whether it is positional, on the command line and in Python.
    is_place: bool = False
    # Whether it may be positional in Python, although it is an option of the command.
    is_first: bool = False
    # Whether it is part of the question, so that "repeat this" has to include it.
    is_asked: bool = True
    # Parses its value from text; surfaces then pass text.
    read: Callable[[str], object] | None = None
    # Reads its value from a file: the command line then takes a file, or, if `file_option` is set,
    # a file beside values.
    file: Callable[[Path], Any] | None = None
    file_option: str = ""
    # Makes its value from the words of a repeated option, if the value is not a list.
    words: Callable[[Sequence[str]], object] | None = None
    # The environment variable that supplies it to a command when it is not given.
    env: str = ""
    # Whether a terminal prompts for it if it is not given; a secret is typed unseen.
    prompt: Literal["", "seen", "secret"] = ""
    # Whether - stands for standard input.
    has_stdin: bool = False
    # How its default is written, if its value is read from text (512 MiB).
    written: str = ""
    # Whether only somebody at this machine may set it: the web never accepts it.
    is_local: bool = False
    # Whether it is the whole body of an HTTP request.
    is_body: bool = False
    # A short name for addresses, which appear in citations; the long name works there too.
    address: str = ""
    # Tighter bounds for requests over the web, where strangers may ask.
    web_least: float | None = None
    web_most: float | None = None
    # What its values name, so that a server resolves them to things it serves itself and never
    # to other files of the machine.
    names: Literal["", "text", "list", "file", "address", "corpus", "translation"] = ""


# What a positional field says.
place = partial(Says, is_place=True)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a request: its name, type, default and what is said about it."""

    name: str
    type: Any
    default: object
    says: Says

    @property
    def is_needed(self) -> bool:
        """Whether it has no default."""
        return self.default is MISSING

    @property
    def is_placed(self) -> bool:
        """Whether a method takes it by position."""
        return self.says.is_place or self.says.is_first

    @property
    def is_several(self) -> bool:
        """Whether it may be given more than once."""
        return get_origin(self.type) in (tuple, Sequence, Iterable)

    @property
    def choices(self) -> tuple[Any, ...]:
        """Its allowed values, if they are listed (a Literal)."""
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
        """The type and the default with which surfaces accept it."""
        if self.choices:
            return str, self.default
        if self.says.read is None:
            return self.type, self.default
        return str, self.says.written or ("" if self.default in (None, ()) else self.default)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of an answer's table: the same for terminal, page, CSV and spreadsheet."""

    # The attribute of a line that holds its value, dotted if it is nested.
    key: str
    head: str
    kind: Literal["text", "number", "rate", "score"] = "text"

    def of(self, line: object) -> Any:
        """Return the value of this column in a line."""
        for part in self.key.split("."):
            line = getattr(line, part)
        return line


@dataclass(frozen=True, slots=True)
class Done:
    """A change as it is recorded; its kind says how it can be undone."""

    kind: str
    target: str
    before: Any = None
    after: Any = None
    comment: str = ""


@dataclass(frozen=True, slots=True)
class Policy:
    """Who may use a case, what it locks meanwhile, and what is recorded once it has succeeded."""

    right: Literal["reader", "curator"] = "reader"
    # settings: corpus.toml, one writer at a time; lock: the corpus, one run at a time; process: the
    # same for runs so long that a server starts a process for each.
    holds: Literal["nothing", "settings", "lock", "process"] = "nothing"
    # Makes the record from request and answer, and from the request alone while it is under way.
    # "itself": the function writes its change and the record in one transaction.
    record: Callable[[Any, Any], Done] | Literal["itself"] | None = None


READER, CURATOR = Policy(), Policy("curator")


@dataclass(frozen=True, slots=True)
class Doing:
    """The circumstances of a call: who asks, who hears of progress, who may cancel, which run."""

    listener: Listener = ignore
    cancelled: "threading.Event | None" = None
    who: str = ""
    held: "Run | None" = None

    @property
    def run(self) -> "Run":
        """The run, for a use case that locks the corpus."""
        assert self.held is not None
        return self.held


@dataclass(frozen=True, slots=True)
class Written:
    """How a command writes an answer into a file."""

    # The function that makes the file's content from the answer and the options, as module:name.
    content: str
    # What the command then prints; it may use {number} (of parts), {file} and the options.
    told: str
    # The function's options with default and help, so that --help need not import it.
    options: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    # What the file is, if naming it is required; otherwise there is --output or standard output.
    place: str = ""
    # The table of formats, as module:name, if the HTTP route sends such a file as well.
    formats: str = ""


@dataclass(frozen=True, slots=True)
class Case(Generic[Q, A]):
    """A use case; its summary is the docstring of `do`, and its answer is what `do` returns."""

    method: str
    command: str
    # Its HTTP route, e.g. GET /api/v1/c/{corpus}/frequencies.
    route: str
    request: type[Q]
    do: Callable[..., A]
    example: str
    # Its section on the reference page.
    topic: str = ""
    policy: Policy = Policy()
    # What its method takes although it is no part of the question.
    context: tuple[Literal["by", "listener", "cancelled"], ...] = ()
    # The columns of its table and the attribute that holds the lines, unless it is shown otherwise.
    columns: Sequence[Column] = ()
    lines: str = "lines"
    # The lines a terminal prints, made from the request, the answer and the folder.
    tells: Callable[[Any, Any, Path], Iterable[str]] | None = None
    # The lines it prints instead of an empty table.
    none: Callable[[Any, Any, Path], Iterable[str]] | None = None
    # The key under which JSON has the answer, if that is one plain value.
    key: str = ""
    # The attributes that JSON has, if the answer is no record.
    keys: tuple[str, ...] = ()
    # If two use cases share a command: the option that selects this one.
    switch: str = ""
    # Options about how a terminal shows the answer, each with its help.
    flags: Mapping[str, str] = dataclasses.field(default_factory=dict)
    # How its command writes the answer into a file instead of showing it.
    written: Written | None = None
    # Whether it needs a corpus; if not, its command takes no folder.
    has_folder: bool = True
    # The function that makes a stand-alone HTML page of the answer, as module:name.
    html: str = ""
    # The exit status of its command, and the status of the HTTP answer.
    exit: Callable[[A], int] | None = None
    status: int = 200
    # The media type of an answer that is plain text.
    media: str = ""
    # Makes the answer fit for strangers; the function it is given removes folders from a text.
    public: Callable[[A, Callable[[str], str]], A] | None = None
    # Whether it writes into a folder, which a server sends as one file.
    is_file: bool = False
    # Which of its command and its route are written by hand.
    by_hand: tuple[Literal["command", "route"], ...] = ()
    # Whether the answer has a chart (--chart).
    is_drawn: bool = False
    # The page (/c/{corpus}/PAGE, with JSON, CSV and so on) that is derived as well.
    page: str = ""
    # The template of that page; the usual one shows a form and a table of the columns.
    template: str = "case.html"

    @property
    def summary(self) -> str:
        """What it does, in one sentence."""
        return (self.do.__doc__ or "").strip().partition("\n\n")[0].replace("\n    ", " ")

    @property
    def answer(self) -> Any:
        """The type of its answer, or its name if it is not imported yet."""
        return self.do.__annotations__["return"]

    @property
    def told(self) -> str:
        """The help of its method: what it does, and a line for each parameter."""
        about = inspect.cleandoc(self.do.__doc__ or "")
        fields = fields_of(self.request)
        return f"{about}\n\n" + "\n".join(f"{each.name}: {each.says.help}" for each in fields)

    @property
    def signature(self) -> inspect.Signature:
        """The signature of its method: positional parameters first, all others by name."""
        request: type = self.request
        return _signature(request, self.context).replace(return_annotation=self.answer)

    def for_programs(self, answer: A) -> Any:
        """Return an answer as JSON has it: a plain value is put under its key."""
        if self.keys:
            return {name: getattr(answer, name) for name in self.keys}
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
    """A use case as a method of a corpus; its module is imported on first use."""

    def __init__(self, module: str, name: str) -> None:
        self._module, self.__name__, self.__qualname__ = module, name, f"Corpus.{name}"

    def __get__(self, corpus: Any, owner: type | None = None) -> Any:
        return self if corpus is None else MethodType(self, corpus)

    def __call__(self, corpus: Any, /, *places: Any, **given: Any) -> Any:
        """Return the answer for a corpus."""
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
    """Return a use case with the usual route (below the corpus) and example (on a corpus news)."""
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
    """Return a function that says one sentence, with {asked}, {answer} and {folder} filled in."""

    def say(asked: Any, answer: Any, folder: Path) -> Iterator[str]:
        told = ", ".join(answer) if isinstance(answer, tuple) else answer
        yield filled(text, asked=asked, answer=told, folder=folder)

    return say


def each_as(text: str) -> Callable[[Any, Any, Path], Iterator[str]]:
    """Return a function that says a line for each part of an answer, which is {0} in it."""

    def say(asked: Any, answer: Any, folder: Path) -> Iterator[str]:
        return (text.format(each) for each in answer)

    return say


def write_answer(path: Path, content: str | bytes) -> None:
    """Write a file for a user, completely or not at all; a full disk is a one-sentence error."""
    from izwi.store.files import disk_errors, is_device, write_bytes

    raw = content.encode() if isinstance(content, str) else content
    with disk_errors():
        if is_device(path):  # /dev/stdout, a pipe: written into, never replaced
            path.write_bytes(raw)
            return
        write_bytes(path, raw)


def lines_of(path: Path) -> tuple[str, ...]:
    """Return the lines of a file that a command was given."""
    return tuple(text_of(path).split("\n"))


def ids_of(path: Path) -> tuple[str, ...]:
    """Return the words of a file, e.g. ids; raise QueryError if it has none."""
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
    """Return the fields of a request (cached)."""
    return _fields_of(request)


@cache
def _fields_of(request: Hashable) -> tuple[Field, ...]:
    """Return the fields of a request: positional ones, then its own, then inherited ones."""
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
    """Return the request made of what a surface was given; raise QueryError for invalid values."""
    values: dict[str, Any] = {}
    for field in fields_of(case.request):
        if field.name not in given:
            continue
        value: Any = given[field.name]
        if field.says.read is not None and isinstance(value, str):
            value = field.says.read(value) if value.strip() else field.default
        if field.is_several and isinstance(value, Iterable | None) and not isinstance(value, str):
            value = tuple(value if value is not None else ())
        if isinstance(value, datetime):
            value = value.date()
        values[field.name] = value
    request = case.request(**values)
    check(request)
    return request


_LARGEST = 2**63 - 1  # that a database takes


def _is_plain(value: object, field: Field) -> bool:
    """Return whether a value needs no closer look, as hardly any does."""
    if value is field.default:
        return True
    return type(value) is field.type and (not isinstance(value, str) or value.isprintable())


def check(request: Any) -> None:
    """Raise QueryError if a value is out of bounds: the final check, whatever the surface."""
    for field in fields_of(type(request)):
        value, says = getattr(request, field.name), field.says
        if not _is_plain(value, field) and (wrong := unfit(field.shown, value, field.type)):
            raise wrong
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
