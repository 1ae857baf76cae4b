"""Every page that shows rows has twins: the same as JSON, CSV, TSV and a spreadsheet.

A router file writes one function that returns a result, and marks it:

    @twins(router, "/c/{corpus}/freq", summary="Frequencies")
    def freq_rows(corpus: ThisCorpus, asked: ThisQuestion) -> FrequencyTable: ...
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar

from fastapi import APIRouter
from starlette.responses import Response

from izwi.model.tabular import harmless, spreadsheet

P = ParamSpec("P")
R = TypeVar("R")
Row = Mapping[str, object]
TABLES = {
    "csv": "text/csv; charset=utf-8",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
FORMATS = ("json", *TABLES)
_BREAKS = re.compile(r"[\t\r\n]+")


def twins(
    router: APIRouter, path: str, *, summary: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Register a function's result under `path` with .json, .csv, .tsv and .xlsx."""

    def mark(function: Callable[P, R]) -> Callable[P, R]:
        router.get(f"{path}.json", summary=f"{summary} as JSON")(function)
        for kind in TABLES:
            route = router.get(
                f"{path}.{kind}",
                summary=f"{summary} as {kind.upper()}",
                response_class=Response,
                responses={200: {"content": {TABLES[kind]: {}}}},
                operation_id=f"{function.__name__}_{kind}",
            )
            route(_as_table(function, kind, path.rpartition("/")[2]))
        return function

    return mark


def _as_table(function: Callable[..., object], kind: str, name: str) -> Callable[..., Response]:
    @wraps(function)
    def answer(*args: Any, **keywords: Any) -> Response:
        return table(rows_of(function(*args, **keywords)), kind, name)

    # FastAPI reads what to ask for here, and must not make JSON of what comes back.
    answer.__signature__ = signature(function).replace(return_annotation=Response)  # type: ignore[attr-defined]
    answer.__annotations__ = {**function.__annotations__, "return": Response}
    return answer


def table(rows: Sequence[Row], kind: str, name: str) -> Response:
    """Return rows as a file to be kept."""
    plain = name if re.fullmatch(r"[\w.-]+", name, re.ASCII) else "izwi"
    headers = {"Content-Disposition": f'attachment; filename="{plain}.{kind}"'}
    return Response(table_bytes(rows, kind), media_type=TABLES[kind], headers=headers)


def table_bytes(rows: Sequence[Row], kind: str) -> bytes:
    """Return rows as CSV, TSV or a spreadsheet, with a first row of names."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [[_cell(row.get(name)) for name in names] for row in rows]
    if kind == "xlsx":
        return spreadsheet(names, cells)
    if kind == "tsv":
        return _tab_separated([names, *cells])
    # The mark in front makes spreadsheet programs read UTF-8.
    return "\ufeff".encode() + _comma_separated([names, *cells])


def rows_of(result: object) -> list[dict[str, object]]:
    """Return a result as flat rows: its own, its items', or the one it is itself."""
    own = getattr(result, "rows", None)
    if callable(own):
        return [flat(row) for row in own()]
    if isinstance(result, (tuple, list)):
        return [flat(each) for each in result]
    if is_dataclass(result):
        for field in fields(result):
            value = getattr(result, field.name)
            if isinstance(value, tuple) and value and is_dataclass(value[0]):
                return [flat(each) for each in value]
    return [flat(result)]


def flat(value: object) -> dict[str, object]:
    """Return a result's fields without nesting.

    >>> flat({"word": "a", "at": {"year": 2014}, "forms": ["a", "A"]})
    {'word': 'a', 'at_year': 2014, 'forms': 'a, A'}
    """
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    if not isinstance(value, Mapping):
        return {"value": value}
    found: dict[str, object] = {}
    for name, each in value.items():
        if isinstance(each, Mapping):
            found |= {f"{name}_{inner}": one for inner, one in flat(each).items()}
        elif isinstance(each, (list, tuple)):
            found[name] = ", ".join(map(str, each))
        else:
            found[name] = each
    return found


def _cell(value: object) -> str | int | float:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, (int, float)) else str(value)


def _comma_separated(rows: Iterable[Sequence[object]]) -> bytes:
    """Return CSV in which no text can be taken for a formula."""
    text = io.StringIO()
    csv.writer(text).writerows([harmless(cell) for cell in row] for row in rows)
    return text.getvalue().encode("utf-8", "replace")


def _tab_separated(rows: Iterable[Sequence[object]]) -> bytes:
    """Return TSV; breaks inside a cell become spaces, everything else stays as it is."""
    lines = ("\t".join(_BREAKS.sub(" ", str(cell)) for cell in row) for row in rows)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "replace")
