"""Matches are the same compiled and interpreted, from narrow and wide automata."""

from contextlib import contextmanager

import numpy as np
import pytest

from izwi.kernels import matching
from izwi.query import automaton
from izwi.query.cql import parse
from tests.kernels.viewing import viewing
from tests.query.test_execute import TEXT, hits, imported

QUERIES = (
    '[tag="DT"] []{0,1} [lemma="house"]',
    '[tag="DT"] []* within <s/>',
    '[]+ "houses"',
    "1:[] []* 2:[] & 1.word = 2.word",
    '1:[] ("the" | [])* 2:[tag="N.*"] & 1.lemma != 2.lemma',
    "(" + " | ".join(f'"houses" [tag!="{n}"]{{0,30}} "burn"' for n in range(3)) + ")",
)


@contextmanager
def run_by(module):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(automaton, "Matcher", module.Matcher)
        yield


@pytest.mark.parametrize("query", QUERIES)
def test_matches_are_the_same_interpreted(query):
    with imported(TEXT) as segment:
        compiled = hits(segment, parse(query))
        with run_by(viewing("matching")):
            plain = hits(segment, parse(query))

    assert compiled
    assert plain == compiled


def test_bounds_and_tallies_are_the_same_interpreted():
    plain = viewing("matching")
    starts = np.array([0, 3, 70, 71, 150, 190], np.int32)
    edges = np.arange(0, 200, 20, dtype=np.int32)
    guide = np.searchsorted(edges, np.arange(0, 256, 64), side="right").astype(np.int32)
    for own in (guide, guide[:0]):
        for is_right in (False, True):
            given = (starts, edges, own, edges + np.int32(5), -1, is_right)
            assert matching.bounds_at(*given).tolist() == plain.bounds_at(*given).tolist()
        found, again = matching.tally(starts, edges, own), plain.tally(starts, edges, own)
        assert [each.tolist() for each in found] == [each.tolist() for each in again]
