"""What to ask instead where a query names as one word what the index has as several.

Texts are cut into words when they are tagged: *load-shedding* is three of them in English. A phrase
is cut in the same way before it is looked up; what stands between the quotes of CQL is not.
"""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from izwi.index.reader import Segment
from izwi.query import tree
from izwi.query.tree import Query, Test, Token, format_query
from izwi.service.querying import occurring, tokenisations

_WHOLE_WORDS = frozenset({"word", "lemma"})
# In these a pattern is more than the letters it consists of.
_SIGNS = frozenset(".*+?()[]{}|\\^$")


def cut_as_indexed(query: Query, segments: Sequence[Segment]) -> str:
    """Return a query as CQL, each word that the index has in several pieces cut into these.

    Empty if there is no such word.
    """
    cut = _cut(query, segments)
    return "" if cut == query else format_query(cut)


def _cut(part: Any, segments: Sequence[Segment]) -> Any:
    if isinstance(part, tuple):
        return tuple(_cut(each, segments) for each in part)
    if isinstance(part, Token):
        return _pieces(part, segments)
    if not is_dataclass(part) or isinstance(part, type):
        return part
    return replace(
        part, **{each.name: _cut(getattr(part, each.name), segments) for each in fields(part)}
    )


def _pieces(token: Token, segments: Sequence[Segment]) -> tree.Pattern:
    test = token.condition
    if not isinstance(test, Test) or token.label or not _is_word(test):
        return token
    ways = [way for way in tokenisations(test.pattern) if len(way) > 1]
    found = occurring(ways, segments) if len(ways) > 1 else ways
    if not found or not all(_has(each, segments) for each in found[0]):
        return token
    return tree.Sequence(tuple(Token(replace(test, pattern=each)) for each in found[0]))


def _is_word(test: Test) -> bool:
    is_plain = test.is_literal or _SIGNS.isdisjoint(test.pattern)
    return test.attribute in _WHOLE_WORDS and is_plain and not (test.is_negated or test.order)


def _has(word: str, segments: Sequence[Segment]) -> bool:
    return any(len(each.word.lexicon.same_but_for_case(word)) > 0 for each in segments)
