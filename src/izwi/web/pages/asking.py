"""What is sent to a page: the fields of a request under their names in addresses, and links."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Self, TypeVar
from urllib.parse import urlencode

import pydantic
from fastapi import Depends, Query
from pydantic import BeforeValidator

from izwi.cases.case import Field, fields_of
from izwi.cases.corpus import Corpus
from izwi.cases.lines import LinesOf
from izwi.cases.questions import LARGEST_VERSION, Documents
from izwi.model.errors import QueryError
from izwi.model.results import Concordance
from izwi.service.querying import SERVICE, own_lists

# A reader may ask for less; more would hold up the others.
LONGEST_SECONDS = 30.0
# A table of all lines is made of pages of this size, and has at most so many lines.
_MOST_A_PAGE = 1000
MOST_LINES_SENT = 100_000
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
        kind, default = float, min(default, LONGEST_SECONDS)
        noted |= {"gt": 0, "le": LONGEST_SECONDS}
    elif kind in (int, float):
        noted |= bounds_of(field)
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
        changes = {"page": 1} | changes
        own = (
            (name, changes[field] if field in changes else getattr(self, field), default)
            for field, default, name in self._named
        )
        return "?" + "&".join(_encoded(*each[:2]) for each in own if each[1] != each[2])


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


def sent(request: type) -> Callable[[type[S]], type[S]]:
    """Return what gives a class the fields of a request, as a page takes them."""

    def with_fields(kind: type[S]) -> type[S]:
        order = {name: place for place, name in enumerate(_FIRST)}
        named = {_name_of(each): each for each in fields_of(request)}
        kind.request, kind.__annotations__ = request, {}
        for name in sorted(named, key=lambda name: order.get(name, len(order))):
            annotation, default = sent_as(named[name])
            kind.__annotations__[name] = annotation
            setattr(kind, name, "" if named[name].is_needed else default)
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


@sent(Documents)
class Counted(Sent):
    """Which documents are counted, and how long that may take."""


Chosen = Annotated[Counted, Depends()]


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
    known = (SERVICE, *own_lists(corpus.path))
    if name and name not in known:
        raise QueryError(f"There is no word list '{name}' here; known are {', '.join(known)}.")
    return name
