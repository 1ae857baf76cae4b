"""Where the labelled tokens of hits stand: looked for again in each hit, once somebody asks."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.query.automaton import graph_of
from izwi.query.conditions import Resolver
from izwi.query.cql_patterns import labels_of
from izwi.query.deadline import NEVER, Deadline
from izwi.query.hits import Hits
from izwi.query.joins import shapes_of
from izwi.query.labels import ENDS, numbered, of_documents, written
from izwi.query.machine import machine_for
from izwi.query.rewriting import simplified
from izwi.query.tree import Query

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
    plain = of_documents(segment, replace(query, pattern=simplified(query.pattern)))
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
