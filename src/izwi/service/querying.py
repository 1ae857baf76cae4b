"""Searching: what a reader typed becomes a query, and the query a page of lines."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from izwi.annotate.tokens import words_of
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.results import Concordance
from izwi.query import simple
from izwi.query.concordance import Filter, Narrowing, View, concordance
from izwi.query.cql import parse
from izwi.query.deadline import Deadline
from izwi.query.translation import read_word_list, translated_query
from izwi.query.tree import Query, format_query
from izwi.service.searching import occurring, tokenisations


@dataclass(frozen=True, slots=True)
class Understood:
    """A query as it was typed, its tokens if it was a phrase, and what it stands for."""

    text: str
    tokens: tuple[str, ...]
    query: Query


def understood(
    text: str, mode: str, segments: Sequence[Segment], *, is_exact_case: bool
) -> Understood:
    """Return what a text asks for in a mode; `auto` tells CQL from a phrase."""
    if mode not in simple.MODES:
        raise QueryError(f"A mode is one of {', '.join(simple.MODES)}, not '{mode}'.")
    # Texts are stored in this form; what a keyboard gives may differ.
    plain = unicodedata.normalize("NFC", text)
    if mode == "cql" or (mode == "auto" and simple.looks_like_cql(plain)):
        return Understood(text, (), parse(plain))
    ways = occurring(tokenisations(plain), segments)
    queries = [_simple(way, mode, segments, is_exact_case=is_exact_case) for way in ways]
    return Understood(text, ways[0], simple.either(queries))


def _simple(
    tokens: tuple[str, ...], mode: str, segments: Sequence[Segment], *, is_exact_case: bool
) -> Query:
    attributes = simple.common_attributes(segments)
    if mode == "lemma":
        return simple.lemma_query(tokens, attributes)
    if mode == "word":
        return simple.word_query(tokens, segments, is_exact_case=is_exact_case)
    return simple.phrase_query(tokens, attributes, is_exact_case=is_exact_case)


def translated(
    text: str, word_list: Path, segments: Sequence[Segment], *, is_exact_case: bool
) -> Understood:
    """Return what a text means in the language of the corpus, by a word list."""
    tokens = simple.tokens_of(text, words_of)
    query = translated_query(
        tokens,
        read_word_list(word_list),
        simple.common_attributes(segments),
        split=words_of,
        is_exact_case=is_exact_case,
    )
    return Understood(text, tokens, query)


def concordance_of(
    asked: Understood,
    segments: Sequence[Segment],
    *,
    snapshot: int,
    chosen: Filter,
    view: View,
    narrowing: Narrowing,
    timeout: float | None,
) -> Concordance:
    """Return one page of the lines a query finds, within a time limit."""
    return concordance(
        segments,
        asked.query,
        text=asked.text,
        tokens=asked.tokens,
        cql=format_query(asked.query),
        snapshot=snapshot,
        chosen=chosen,
        view=view,
        narrowing=narrowing,
        deadline=Deadline(timeout),
    )
