"""What an address asks, with changes, of the lines behind a number; in other ways, too."""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar
from urllib.parse import urlencode

import pydantic
from fastapi import Query, Request
from pydantic import BeforeValidator

from izwi.cases import all_cases
from izwi.cases.case import Case, Field, fields_of
from izwi.cases.corpus import Corpus
from izwi.cases.lines import LinesOf
from izwi.cases.questions import LARGEST_VERSION
from izwi.model.analyses import Opening
from izwi.model.errors import QueryError
from izwi.model.results import Concordance

# A reader may ask for less; more would hold up the others.
LONGEST_SECONDS = 30.0
# A table of all lines is made of pages of this size, and has at most so many lines.
_MOST_A_PAGE = 1000
MOST_LINES_SENT = 100_000
# Which documents are looked at, and how their text is read: pages hand it on to each other.
_HANDED_ON = ("from", "to", "src", "publication", "where", "subcorpus", "copies", "case", "v")
# What comes first in addresses, and has to go on doing so: saved searches are told apart by them.
_FIRST = (
    "q", "since", "until", "src", "sort", "ctx", "size", "case", "page", "seed", "v", "mode",
    "where", "subcorpus", "unit", "near", "window", "first", "sample", "copies", "translate",
    "timeout", "publication",
)  # fmt: skip


def if_blank(default: object) -> BeforeValidator:
    """Return a validator that reads an empty field of a form as its default."""
    choose: Callable[[Any], Any] = lambda value: default if value == "" else value  # noqa: E731
    return BeforeValidator(choose)


Version = Annotated[
    Annotated[int, pydantic.Field(le=LARGEST_VERSION)] | None,
    if_blank(None),
    Query(description="A version of the corpus; the newest if absent."),
]


def sent_as(field: Field) -> tuple[Any, Any]:
    """Return the annotation and the default under which a page or a route takes a field."""
    kind, default = field.sent
    noted: dict[str, Any] = {"alias": field.address, "description": field.says.help}
    noted["examples"] = [field.says.example] if field.says.example else None
    if field.name == "timeout":
        assert isinstance(default, float)
        default = min(default, LONGEST_SECONDS)
        kind = Annotated[float, pydantic.Field(gt=0, le=LONGEST_SECONDS)]
    elif kind in (int, float):
        # Inside: outside what reads a blank as the default, OpenAPI would not name them.
        kind = Annotated[kind, pydantic.Field(**bounds_of(field))]
    elif kind == int | None:
        kind = Annotated[int, pydantic.Field(**bounds_of(field))] | None
    elif field.is_several:
        kind = tuple[str, ...]
    elif kind is not bool:
        kind = str
    is_blank_read = not (field.is_needed or field.is_several or default == "")
    notes = (if_blank(default), Query(**noted)) if is_blank_read else (Query(**noted),)
    return Annotated[(kind, *notes)], default


def bounds_of(field: Field) -> dict[str, Any]:
    """Return between which numbers a field lies for whoever asks over the web."""
    says = field.says
    return {
        "ge": says.least if says.web_least is None else says.web_least,
        "le": says.most if says.web_most is None else says.web_most,
    }


class Sent:
    """The fields of a request as they were sent, so that a form can show bad ones as well.

    Their names are those of addresses, but for `since` and `until` (from and to).
    """

    request: ClassVar[type]
    _named: ClassVar[tuple[tuple[str, object, str], ...]]
    if TYPE_CHECKING:

        def __init__(self, *values: Any, **named: Any) -> None: ...
        def __getattr__(self, name: str) -> Any: ...

    def values(self, request: type | None = None) -> dict[str, Any]:
        """Return what was sent as keywords of a method, all or those of a group they share."""
        wanted = fields_of(request or self.request)
        return {each.name: _taken(each, getattr(self, _name_of(each))) for each in wanted}

    def changed(self, **changes: object) -> Self:
        """Return the same with some fields changed."""
        return replace(self, **changes)  # type: ignore[type-var]

    def parameters(self) -> list[tuple[str, str]]:
        """Return what differs from the defaults, as names and values of an address."""
        own = ((name, getattr(self, field), default) for field, default, name in self._named)
        return [pair for name, value, default in own if value != default
                for pair in _pairs(name, value)]  # fmt: skip

    def link(self, **changes: object) -> str:
        """Return the query part of an address that asks the same but for some changes.

        >>> Asked("ag shame", sort="left", page=3).link(since="2014")
        '?q=ag+shame&from=2014&sort=left'
        """
        if "page" not in changes:
            changes["page"] = 1
        own = (
            (_encoded(name, changes[field]) if changes[field] != default else "")
            if field in changes
            else said
            for field, said, name, default in self._said
        )
        return "?" + "&".join(filter(None, own))

    @cached_property
    def _said(self) -> tuple[tuple[str, str, str, object], ...]:
        """What is asked, each field as it stands in an address; a page has a hundred links."""
        own = ((each, getattr(self, each[0])) for each in self._named)
        return tuple(
            (field, _encoded(name, value) if value != default else "", name, default)
            for (field, default, name), value in own
        )


def _pairs(name: str, value: object) -> list[tuple[str, str]]:
    """Return a parameter as names and values of an address."""
    values = value if isinstance(value, tuple) else (value,)
    return [(name, "1" if each is True else str(each)) for each in values]


# A page has a hundred links that differ in one parameter.
@lru_cache(maxsize=1024)
def _encoded(name: str, value: object) -> str:
    return urlencode(_pairs(name, value))


def _name_of(field: Field) -> str:
    return field.name if field.address in ("from", "to") else field.address


def _taken(field: Field, value: Any) -> Any:
    return tuple(filter(None, value)) if field.is_several else value


S = TypeVar("S", bound=Sent)


def sent(request: type, *, several: Sequence[str] = ()) -> Callable[[type[S]], type[S]]:
    """Return what gives a class the fields of a request, as a page takes them.

    Of those in `several` the page takes more than one, though its use case takes one at a time.
    """

    def with_fields(kind: type[S]) -> type[S]:
        order = {name: place for place, name in enumerate(_FIRST)}
        named = {_name_of(each): each for each in fields_of(request)}
        kind.request, kind.__annotations__ = request, {}
        for name in sorted(named, key=lambda name: order.get(name, len(order))):
            field = named[name]
            if name in several:
                field = replace(field, type=tuple[str, ...], default=())
            annotation, default = sent_as(field)
            kind.__annotations__[name] = annotation
            setattr(kind, name, "" if field.is_needed else default)
        made = dataclass(frozen=True)(kind)
        made._named = tuple(
            (each.name, each.default, named[each.name].address)
            for each in fields(made)  # type: ignore[arg-type]
        )
        return made

    return with_fields


@sent(LinesOf)
class Asked(Sent):
    """What a reader asks of a concordance."""


def find_lines(corpus: Corpus, asked: Asked) -> Concordance:
    """Return the page of lines asked for."""
    translate = translator_here(corpus, asked.translate)
    return corpus.concordance(**asked.values() | {"translate": translate})


def can_be_counted(asked: Asked) -> bool:
    """Return whether facets count what the concordance shows: all lines, not some of them."""
    return not (asked.near or asked.first or asked.sample or asked.translate)


def every_line(corpus: Corpus, asked: Asked) -> Iterator[dict[str, object]]:
    """Yield all the lines asked for as rows; raise QueryError if they are too many to send."""
    page = find_lines(corpus, asked.changed(page=1, size=_MOST_A_PAGE))
    if page.hits > MOST_LINES_SENT:
        raise QueryError(
            f"{page.hits:,} lines are more than are sent at once ({MOST_LINES_SENT:,}). Narrow the "
            "search by date or source, take a sample, or use: izwi query --json"
        )
    yield from page.rows()
    for number in range(2, page.pages + 1):
        version = page.snapshot or None
        more = asked.changed(page=number, size=_MOST_A_PAGE, v=version)
        yield from find_lines(corpus, more).rows()


def translator_here(corpus: Corpus, name: str) -> str:
    """Return a translator that readers may use: no other files or addresses of the server's."""
    known = ("service", *corpus.lists["translations"]) if name else ()
    if name and name not in known:
        raise QueryError(f"There is no word list '{name}' here; known are {', '.join(known)}.")
    return name


@dataclass(frozen=True, slots=True)
class Here:
    """The address of a page: its path, and its parameters as they were sent."""

    path: str
    parameters: tuple[tuple[str, str], ...] = ()

    def link(self, **changes: object) -> str:
        """Return this address with some parameters changed; those changed to None are left out.

        >>> Here("/c/demo/freq", (("q", "a b"), ("by", "year"))).link(by="source", most=None)
        '/c/demo/freq?q=a+b&by=source'
        """
        kept = [(name, value) for name, value in self.parameters if name not in changes]
        new = [(name, str(value)) for name, value in changes.items() if value is not None]
        joined = urlencode([*kept, *new])
        return f"{self.path}?{joined}" if joined else self.path

    def along(self, **asked: str) -> str:
        """Return the query part with which another page asks something of the same documents.

        >>> Here("/c/demo/freq", (("q", "a"), ("by", "year"), ("from", "2014"))).along(q="a")
        '?q=a&from=2014'
        """
        kept = [pair for pair in self.parameters if pair[0] in _HANDED_ON]
        return f"?{urlencode([*((name, each) for name, each in asked.items() if each), *kept])}"

    @property
    def query(self) -> str:
        """The parameters with their question mark; empty if there are none."""
        return f"?{urlencode(self.parameters)}" if self.parameters else ""

    def first(self, name: str, default: str = "") -> str:
        """Return the first value of a parameter."""
        return next((value for key, value in self.parameters if key == name), default)

    def all(self, name: str) -> list[str]:
        """Return all values of a parameter."""
        return [value for key, value in self.parameters if key == name]


def here(request: Request) -> Here:
    """Return the address a request asked for, without parameters that were left empty."""
    given = request.query_params.multi_items()
    return Here(request.url.path, tuple((name, value) for name, value in given if value))


def corpus_address(corpus: str, version: object) -> str:
    """Return the address of a corpus, or of the version of it that was asked for.

    >>> corpus_address("news", None), corpus_address("news", 2)
    ('/c/news', '/c/news?v=2')
    """
    return f"/c/{corpus}?{urlencode({'v': version})}" if version else f"/c/{corpus}"


def lines_address(corpus: str, opens: Opening | None, version: int | None) -> str:
    """Return the address of the lines that a number counts; empty if nothing opens them."""
    if opens is None or not opens.query:
        return ""
    pairs = [("q", opens.query), ("mode", "cql")]
    pairs += [("where", opens.where)] if opens.where else []
    pairs += [("from", opens.since.isoformat())] if opens.since else []
    pairs += [("to", opens.until.isoformat())] if opens.until else []
    pairs += [("src", source) for source in opens.sources]
    pairs += [("copies", "1")] if opens.copies else []
    pairs += [("near", opens.near), ("window", str(opens.window))] if opens.near else []
    pairs += [("v", str(version))] if version else []
    return f"/c/{corpus}/conc?{urlencode(pairs)}"


_PLAIN = re.compile(r"[\w.:-]+", re.ASCII)
Given = Sequence[tuple[Field, Any]]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to get the same answer."""

    name: str
    text: str


def ways_of(
    folder: str, method: str, here: Here, *, version: int, base: str, **stated: object
) -> tuple[Way, ...]:
    """Return how to get an answer again, whatever is added to the corpus later.

    What a page takes for granted and its use case does not is `stated`. Commands want the folder of
    the corpus, which may be called otherwise; where it lies is not for everyone.
    """
    case = all_cases()[method]
    address = here.link(v=version or None)
    path, _, query = address.partition("?")
    given = _given(case, here, stated | ({"v": version} if version else {}))
    return (
        Way("Address", f"{base}{address}"),
        Way("Command", _command(folder, case, given)),
        Way("Python", _python(folder, case, given)),
        Way("curl", f"curl {quoted(f'{base}{path}.json' + (f'?{query}' if query else ''))}"),
    )


def _given(case: Case[Any, Any], here: Here, stated: Mapping[str, object]) -> Given:
    """Return what was asked by the fields of the request, as text or as a value of its type."""
    asked = ((each, _sent(each, here, stated)) for each in fields_of(case.request))
    return [(field, value) for field, value in asked if value not in (None, field.default)]


def _sent(field: Field, here: Here, stated: Mapping[str, object]) -> Any:
    """Return what was sent for a field; None if nothing was, or it is not asked."""
    sent = [text for text in here.all(field.address) if text.strip()]
    if not field.says.is_asked:
        return None
    if field.address in stated:
        return stated[field.address]
    if not sent or field.is_several:
        return tuple(sent) or None
    if field.type is bool:
        return sent[0] not in ("0", "false") or None
    return int(sent[0]) if field.type in (int, int | None) else sent[0]


def _command(folder: str, case: Case[Any, Any], given: Given) -> str:
    places = [str(value) for field, value in given if field.says.is_place]
    options = [word for field, value in given for word in _options(field, value)]
    # What begins with a dash would be read as an option.
    if any(place.startswith("-") for place in places):
        options, places = [], [*options, "--", *map(shell_word, places)]
    else:
        places = [*map(shell_word, places)]
    return " ".join(["izwi", case.command, shell_word(folder), *places, *options])


def _options(field: Field, value: Any) -> Iterator[str]:
    # A list of words is a file on the command line.
    if field.says.is_place or field.says.file is not None:
        return
    option = f"--{field.shown.replace('_', '-')}"
    if value is True:
        yield option
        return
    for each in value if isinstance(value, tuple) else (value,):
        yield f"{option} {shell_word(str(each))}"


def _python(folder: str, case: Case[Any, Any], given: Given) -> str:
    arguments = [
        (literal(_value(field, value)))
        if field.says.is_place
        else f"{field.name}={literal(_value(field, value))}"
        for field, value in given
    ]
    return f"izwi.open({literal(folder)}).{case.method}({', '.join(arguments)})"


def _value(field: Field, value: Any) -> Any:
    read = field.says.read
    return read(value) if read is not None and isinstance(value, str) else value


def quoted(text: str) -> str:
    """Return a text in quotes that a shell takes as one word.

    >>> print(quoted("ja-nee, 'n bakkie"))
    'ja-nee, '"'"'n bakkie'
    """
    return "'" + text.replace("'", "'\"'\"'") + "'"


def shell_word(text: str) -> str:
    """Return a text as one word of a shell, in quotes if it needs them."""
    return text if _PLAIN.fullmatch(text) else quoted(text)


def literal(value: object) -> str:
    """Return a value as Python source; text in double quotes."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, tuple):
        return f"({', '.join(literal(each) for each in value)},)"
    return repr(value)
