"""Which values of a lexicon an expression matches, whichever way they are looked for."""

import re

import numpy as np
import pytest

from izwi.index.columns import distinct
from izwi.index.limits import Deadline
from izwi.model.errors import QueryError
from izwi.query import values
from izwi.query.tree import Test as Condition
from izwi.query.values import matching_texts

WORDS = sorted(
    {f"{a}{b}{c}" for a in ("", "k", "Ö", "x.") for b in "aeß" for c in ("", "ing", "3")}
)
TEXT = "".join(f"{word}\n" for word in WORDS).encode()


class _Anything:
    """A search for an expression; the lexicon is not asked."""

    def __init__(self, pattern: str, *, is_folded: bool = False) -> None:
        self.pattern, self.is_folded, self.deadline = pattern, is_folded, Deadline(None)


@pytest.mark.parametrize(
    "pattern",
    [".*", "[^x]*", r"\w+", "k?a.*|.*3", "a$", "^a.*", "(?s).+", r"x\..*", "", "()", "a\n?", "ö.*"],
)
@pytest.mark.parametrize("is_folded", [False, True])
def test_lines_looked_at_one_by_one_are_those_found_in_one_look(pattern, is_folded, monkeypatch):
    search = _Anything(pattern, is_folded=is_folded)
    found = {}
    # A piece is a few lines, so that the second way is taken from the second piece on.
    monkeypatch.setattr(values, "_LEAST_PIECE", 8)
    monkeypatch.setattr(values, "_MOST_PIECE", 8)
    for common in (0, 1 << 20):
        monkeypatch.setattr(values, "_COMMON", common)
        found[common] = values._lines_matching(TEXT, search).tolist()
    assert found[0] == found[1 << 20]


def test_what_most_values_match_is_found_as_python_finds_it(monkeypatch):
    monkeypatch.setattr(values, "_LEAST_PIECE", 8)
    found = values._lines_matching(TEXT, _Anything("[^x]*[a-z]"))
    expected = [n for n, word in enumerate(WORDS) if re.fullmatch("[^x\n]*[a-z]", word)]
    assert found.tolist() == expected
    assert len(expected) > len(WORDS) // 3


def test_an_expression_that_is_none_is_an_error_whichever_way_is_taken(monkeypatch):
    monkeypatch.setattr(values, "_COMMON", 1 << 20)
    with pytest.raises(QueryError, match="not a regular expression"):
        values._lines_matching(TEXT, _Anything("a(("))


def test_alternatives_of_plain_texts_are_these_texts_alone():
    texts = ["d1", "d12", "d2", "d.3", "dx3"]
    condition = Condition("id", r"d1|d2|d\.3")
    assert matching_texts(texts, condition).tolist() == [True, False, True, True, False]
    negated = Condition("id", "d1|d2", is_negated=True)
    assert matching_texts(texts, negated).tolist() == [False, True, False, True, True]


@pytest.mark.parametrize("kind", [np.int32, np.int64, np.uint64])
def test_distinct_values_are_those_of_numpy(kind):
    chance = np.random.default_rng(3)
    for size in (0, 1, 2, 1000):
        numbers = chance.integers(0, 300, size).astype(kind)
        found = distinct(numbers)
        assert found.dtype == kind
        assert found.tolist() == sorted(set(numbers.tolist()))
