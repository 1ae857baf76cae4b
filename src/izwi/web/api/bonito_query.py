"""What clients of (No)Sketch Engine ask of a concordance, as our own question."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from izwi.model.errors import QueryError
from izwi.model.notation import read_json

_ATTRIBUTE = re.compile(r"\btag(\s*!?=)")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)*\'', re.DOTALL)
# The mode of ours that a kind of field asks for.
_ROWS = {"iqueryrow": "iquery", "phraserow": "phrase", "wordrow": "word", "lemmarow": "lemma"}
_SORTS = {"s": "right", "-1": "left", "0": "node", "1": "right"}
_MOST_OPERATIONS = 50


@dataclass(frozen=True, slots=True)
class AskedLines:
    """A query with what was done to its lines, in our words."""

    query: str
    mode: str = "cql"
    sort: str = "date"
    sample: int = 0
    near: str = ""
    window: int = 5
    is_first_only: bool = False

    def arguments(self) -> dict[str, Any]:
        """Return the keywords of `corpus.concordance`."""
        return {
            "mode": self.mode,
            "sort": self.sort,
            "sample": self.sample,
            "near": self.near,
            "window": self.window,
            "first": self.is_first_only,
        }

    def is_plain(self) -> bool:
        """Return whether nothing but a query was asked, so that it can be counted too."""
        return not (self.sample or self.near or self.is_first_only)


def asked_lines(pairs: Sequence[tuple[str, str]], attributes: Sequence[str]) -> AskedLines:
    """Return what a request asks: by `q`, by fields of a form, or by a JSON description.

    >>> asked_lines([("q", 'alemma,[tag="N.*"]'), ("q", "r250")], ("word", "pos")).query
    '[pos="N.*"]'
    """
    operations = [value for name, value in pairs if name == "q" and value]
    fields = dict(pairs)
    if not operations:
        fields |= _described(fields.get("json", ""))
        return _from_fields(fields, attributes)
    if len(operations) > _MOST_OPERATIONS:
        raise QueryError(f"At most {_MOST_OPERATIONS} operations are done one after the other.")
    asked = _first(operations[0], attributes)
    for operation in operations[1:]:
        asked = _narrowed(asked, operation, attributes)
    return asked


def _described(text: str) -> dict[str, str]:
    """Return the fields of the first query in a JSON description, which newer clients send."""
    if not text:
        return {}
    try:
        given = read_json(text)
        first = (given.get("concordance_query") or [given])[0]
        pairs = [(str(name), value) for name, value in first.items()]
    except (ValueError, AttributeError, IndexError, TypeError, KeyError):
        raise QueryError("The parameter json cannot be read.") from None
    found = {name: value for name, value in pairs if isinstance(value, str)}
    operation = first.get("q") if isinstance(first.get("q"), str) else ""
    return found | ({"cql": operation.lstrip("q"), "queryselector": "cqlrow"} if operation else {})


def _from_fields(fields: dict[str, str], attributes: Sequence[str]) -> AskedLines:
    selector = fields.get("queryselector", "")
    if selector == "cqlrow" or fields.get("cql"):
        return AskedLines(own_names(fields.get("cql", ""), attributes))
    row = _ROWS.get(selector, "iquery")
    text = fields.get(row, "") or fields.get("iquery", "") or fields.get("lemma", "")
    if not text.strip():
        raise QueryError("Ask for something: q, iquery, lemma, phrase, word or cql is missing.")
    mode = {"phrase": "phrase", "word": "phrase", "lemma": "lemma"}.get(row, "word")
    return AskedLines(text, mode=mode)


def _first(operation: str, attributes: Sequence[str]) -> AskedLines:
    """Read the operation that makes the lines: `q[...]`, or `aATTRIBUTE,[...]`."""
    kind, rest = operation[:1], operation[1:]
    if kind == "a":
        rest = rest.partition(",")[2]
    elif kind != "q":
        raise QueryError(f"The first operation is a query, q or a, not '{kind}'.")
    return AskedLines(own_names(rest, attributes))


def _narrowed(asked: AskedLines, operation: str, attributes: Sequence[str]) -> AskedLines:
    """Return what is asked after one more operation: a sample, a filter, an order."""
    kind, rest = operation[:1], operation[1:].strip()
    if kind == "r":
        return replace(asked, sample=_number(rest.rstrip("%"), operation))
    if kind in "Pp":
        return _filtered(asked, rest, attributes)
    if kind == "s":
        return replace(asked, sort=_order(rest))
    if operation.startswith(("F", "D")):
        return replace(asked, is_first_only=True)
    raise QueryError(
        f"The operation '{operation[:20]}' is not done here. Write it into the query, for example "
        "with containing, within or !within."
    )


def _filtered(asked: AskedLines, rest: str, attributes: Sequence[str]) -> AskedLines:
    parts = rest.split(None, 3)
    if len(parts) < 4 or asked.near:
        raise QueryError("A filter is one of the form: p-5 5 1 [lemma=...].")
    left, right = (_number(each.lstrip("-"), rest) for each in parts[:2])
    return replace(asked, near=own_names(parts[3], attributes), window=max(left, right, 1))


def _order(rest: str) -> str:
    parts = rest.split()
    place = parts[1].partition("<")[0] if len(parts) > 1 else "1"
    return _SORTS.get(place, "left" if place.startswith("-") else "right")


def _number(text: str, where: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > 7:
        raise QueryError(f"There is no number in '{where[:20]}'.")
    return int(text)


def own_names(cql: str, attributes: Sequence[str]) -> str:
    """Return CQL with the names of this corpus: tags go by `tag` in most others, by `pos` here."""
    if "tag" in attributes or "pos" not in attributes:
        return cql
    # What stands in quotes is a value.
    values = _QUOTED.findall(cql)
    between = [_ATTRIBUTE.sub(r"pos\1", each) for each in _QUOTED.split(cql)]
    ends = [*values, ""]
    return "".join(each + value for each, value in zip(between, ends, strict=True))


@dataclass(frozen=True, slots=True)
class Criterion:
    """One column of a frequency list: an attribute of the hit, or of its document."""

    name: str
    by: str


def criteria(text: str, attributes: Sequence[str]) -> list[Criterion]:
    """Return what a frequency list counts by.

    >>> criteria("word/e 0~0>0 doc.source 0", ("word", "lemma"))
    [Criterion(name='word', by='word'), Criterion(name='doc.source', by='source')]
    """
    words = text.split()
    found = []
    for place in range(0, len(words), 2):
        name = words[place].partition("/")[0]
        found.append(Criterion(name, _by(name, attributes)))
    if not found or len(found) > 2:
        raise QueryError("A frequency list has one or two criteria, such as word/e 0.")
    return found


def _by(name: str, attributes: Sequence[str]) -> str:
    if "." in name:
        return name.partition(".")[2]
    if name == "tag" and "tag" not in attributes:
        return "pos"
    return name
