"""Tokens named by where they stand from a hit, and where the labelled tokens of hits stand."""

import re

import numpy as np
from numpy.typing import NDArray

from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.records import dataclass
from izwi.query.automaton import graph_of, machine_for
from izwi.query.conditions import Resolver, rewritten
from izwi.query.hits import Hits
from izwi.query.labels import ENDS, numbered, of_documents, shapes_of, written
from izwi.query.tree import Query, labels_of

# Steps of an automaton between two looks at the clock.
_STEPS = 1_000_000

Places = NDArray[np.int64]


def check_label(query: Query, label: str) -> None:
    """Raise an error that says what to write if no token of a query's hits has a label."""
    if label in ENDS:
        return
    if query.expand or query.focus:
        what = f"expand to {query.expand}" if query.expand else f"swap({query.focus}, ...)"
        raise QueryError(f"After {what} the label '{label}' stands for nothing; leave that out.")
    known = [name for name in labels_of(query.pattern) if not name.startswith("_")]
    if label not in known:
        write = f"known: {', '.join(known)}" if known else f"write {_written(label)} before a token"
        raise QueryError(f"No token of the query has the label '{label}' ({write}).")


def _written(label: str) -> str:
    return {"target": "@", "keyword": "@1:"}.get(label, f"{label}:")


def label_places(
    segment: Segment, query: Query, hits: Hits, label: str, deadline: Deadline = NEVER
) -> Places:
    """Return where the token with a label stands in each hit of a query; -1 where nowhere."""
    check_label(query, label)
    starts = hits.starts.astype(np.int64)
    if label == "match":
        return starts
    if label == "matchend":
        return hits.ends.astype(np.int64) - 1
    plain = of_documents(segment, rewritten(query))
    shapes = shapes_of(plain.pattern)
    if shapes is not None and len(shapes) == 1:
        return starts + shapes[0].places[label]
    return _looked_for(segment, plain, hits, label, deadline)


def _looked_for(
    segment: Segment, query: Query, hits: Hits, label: str, deadline: Deadline
) -> Places:
    """Return the places on the first path of each hit that ends where the hit does."""
    labels = numbered(labels_of(query.pattern))
    machine = machine_for(Resolver(segment, deadline), graph_of(query.pattern), labels)
    asked = written(segment, query.comparisons, labels, len(machine.columns), deadline)
    matcher = machine.matcher(more=[attribute.column for attribute in asked.attributes])
    places = np.full(len(hits), -1, np.int64)
    starts, ends = np.ascontiguousarray(hits.starts), np.ascontiguousarray(hits.ends)
    found_starts, found_ends = np.empty_like(starts), np.empty_like(ends)
    found_labels, begin = np.empty((len(hits), len(labels)), np.int64), 0
    while begin < len(starts):
        deadline.check()
        begin, size, is_endless = matcher.labelled(
            starts, begin, ends, ends, _STEPS, found_starts, found_ends, machine.label_of,
            asked.rows, asked.tables, found_labels,
        )  # fmt: skip
        if is_endless:
            raise QueryError("There are too many ways to give the labels their tokens.")
        own = np.searchsorted(starts, found_starts[:size])
        places[own] = found_labels[:size, labels[label]]
    return places


# Further from a hit than this nobody looks.
FURTHEST = 100
_POINT = r"([A-Za-z_]\w*|\d+)(?:\[\s*([+-]?\d+)\s*\])?"
_NAMED = re.compile(rf"{_POINT}\.([A-Za-z_][\w-]*)")
_KEY = re.compile(rf"(-?){_POINT}(?:\.\.{_POINT})?\.([A-Za-z_][\w-]*)(?:%([cdr]+))?")
_SIDE = re.compile(r"([LR])([1-9]\d?)")
# As CQP writes it after a query: by lemma %cd on matchend[1] .. matchend[3] descending reverse.
_SORTED = re.compile(
    rf"by\s+([A-Za-z_][\w-]*)(?:\s*%([cd]+))?(?:\s+on\s+{_POINT}(?:\s*\.\.\.?\s*{_POINT})?)?"
    r"(?:\s+(?:asc|ascending|(desc|descending)))?(?:\s+(reverse))?\s*(?=;|$)"
)
_KEYED = re.compile(r"by\s+(\S+?)\s*(?=;|$)")


@dataclass(frozen=True, slots=True)
class Point:
    """A token so far from the beginning of a hit, its last token, or a token with a label."""

    label: str
    distance: int = 0

    def __str__(self) -> str:
        return f"{self.label}[{self.distance}]" if self.distance else self.label


@dataclass(frozen=True, slots=True)
class PointKey:
    """What lines are sorted by: an attribute from one point to another."""

    attribute: str
    first: Point
    last: Point
    # Letters of c (capitals do not matter), d (diacritics do not), r (words read backwards).
    flags: str = ""
    is_descending: bool = False

    def __str__(self) -> str:
        reach = f"{self.first}" if self.first == self.last else f"{self.first}..{self.last}"
        flags = f"%{self.flags}" if self.flags else ""
        return f"{'-' * self.is_descending}{reach}.{self.attribute}{flags}"


def read_point(label: str, distance: str | None) -> Point:
    """Return the point somebody wrote; L1 and R1 are the tokens beside the hit.

    >>> str(read_point("R2", None)), str(read_point("target", "-1"))
    ('matchend[2]', 'target[-1]')
    """
    side = _SIDE.fullmatch(label)
    if side and distance is None:
        far = int(side[2])
        return Point("match", -far) if side[1] == "L" else Point("matchend", far)
    if abs(int(distance or 0)) > FURTHEST:
        raise QueryError(f"A token is at most {FURTHEST} from a hit, not {distance}.")
    return Point(label, int(distance or 0))


def named_point(name: str) -> tuple[Point, str] | None:
    """Return the point and the attribute of a name such as `target[+1].lemma`, else None."""
    found = _NAMED.fullmatch(name)
    return (read_point(found[1], found[2]), found[3]) if found else None


def point_key(text: str) -> PointKey | None:
    """Return the key of a sort order such as `-matchend[1]..matchend[3].lemma%cd`, else None.

    >>> str(point_key("-R1.lemma%c"))
    '-matchend[1].lemma%c'
    """
    found = _KEY.fullmatch(text)
    if found is None:
        return None
    first = read_point(found[2], found[3])
    last = read_point(found[4], found[5]) if found[4] else first
    flags = "".join(sign for sign in "cdr" if sign in (found[7] or ""))
    return PointKey(found[6], first, last, flags, bool(found[1]))


def sort_order(text: str, at: int) -> tuple[str, int]:
    """Return the order that stands at a place, as CQP or the option has it, and where it ends.

    >>> sort_order("by lemma %c on matchend[1] .. matchend[2] desc", 0)
    ('-matchend[1]..matchend[2].lemma%c', 46)
    """
    keyed = _KEYED.match(text, at)
    if keyed and all(map(point_key, keyed[1].split(","))):
        return keyed[1], keyed.end()
    asked = _SORTED.match(text, at)
    if asked is None:
        return "", at
    first = read_point(asked[3] or "match", asked[4])
    last = read_point(asked[5], asked[6]) if asked[5] else first
    if not asked[3]:
        last = read_point("matchend", None)
    flags = "".join(sign for sign in "cd" if sign in (asked[2] or "")) + "r" * bool(asked[8])
    return str(PointKey(asked[1], first, last, flags, bool(asked[7]))), asked.end()
