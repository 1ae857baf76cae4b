"""Searching: what a reader typed becomes a query, and the query a page of lines."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from izwi.annotate.tokens import words_of
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.results import Concordance
from izwi.query import simple
from izwi.query.concordance import Filter, Narrowing, View, concordance
from izwi.query.cql import Lookups, parse
from izwi.query.deadline import Deadline
from izwi.query.documents import chosen_documents
from izwi.query.engine import find
from izwi.query.translation import by_word_list, one_of, read_word_list
from izwi.query.tree import Pattern, Query, format_query
from izwi.service.searching import occurring, tokenisations

if TYPE_CHECKING:
    from izwi.config.schema import CorpusConfig


@dataclass(frozen=True, slots=True)
class Understood:
    """A query as it was typed, its tokens if it was a phrase, and what it stands for."""

    text: str
    tokens: tuple[str, ...]
    query: Query


def understood(
    text: str,
    mode: str,
    segments: Sequence[Segment],
    *,
    is_exact_case: bool,
    lookups: Lookups | None = None,
) -> Understood:
    """Return what a text asks for in a mode; `auto` tells CQL from a phrase."""
    if mode not in simple.MODES:
        raise QueryError(f"A mode is one of {', '.join(simple.MODES)}, not '{mode}'.")
    # Texts are stored in this form; what a keyboard gives may differ.
    plain = unicodedata.normalize("NFC", text)
    if mode == "cql" or (mode == "auto" and simple.looks_like_cql(plain)):
        return Understood(text, (), parse(plain, simple.common_attributes(segments), lookups))
    if mode == "auto":
        plain = simple.unquoted(plain)
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
    text: str,
    translate: str,
    segments: Sequence[Segment],
    *,
    folder: Path,
    config: "CorpusConfig",
    is_exact_case: bool,
    seconds: float | None,
) -> Understood:
    """Return what a text means in the language of the corpus, by a word list or a service."""
    from izwi.service import translating

    def pattern_of(meaning: str) -> Pattern:
        ways = occurring(tokenisations(unicodedata.normalize("NFC", meaning)), segments)
        queries = [_simple(way, "phrase", segments, is_exact_case=is_exact_case) for way in ways]
        return simple.either(queries).pattern

    tokens = simple.tokens_of(text, words_of)
    if translating.is_service(translate):
        address = translating.address_of(translate, config)
        meanings = translating.ask_service(address, text, config.corpus.languages, seconds=seconds)
        return Understood(text, tokens, Query(one_of(meanings, pattern_of)))
    words = read_word_list(translating.list_of(translate, folder))
    return Understood(text, tokens, by_word_list(tokens, words, pattern_of))


def concordance_of(
    asked: Understood,
    segments: Sequence[Segment],
    *,
    snapshot: int,
    chosen: Filter,
    view: View,
    narrowing: Narrowing,
    deadline: Deadline,
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
        deadline=deadline,
    )


def documents_asked(
    segments: Sequence[Segment], query: str, where: str, *, mode: str = "auto"
) -> frozenset[str]:
    """Return the ids of the documents with hits of a query, those a condition names, or both."""
    counted = [chosen_documents(segment, Filter(where=where)) for segment in segments]
    asked = understood(query, mode, segments, is_exact_case=False) if query else None
    found: list[str] = []
    hits = find(segments, asked.query) if asked else repeat(None)
    for segment, own, part in zip(segments, counted, hits, strict=False):
        mask = np.ones(len(segment.document_starts), np.bool_) if own.mask is None else own.mask
        if part is not None:
            mask = mask & np.isin(np.arange(len(mask)), part.documents)
        found += map(segment.document_id, np.flatnonzero(mask).tolist())
    if not found:
        raise QueryError("No document of the corpus is as asked for; nothing was written.")
    return frozenset(found)
