"""Terms of several words, found by patterns of tags."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.dimensions import FormDimension, document_dimension, texts_of
from izwi.analyse.keywords import Candidates, KeywordsAsked, Reference, empty, is_enough
from izwi.analyse.selection import Selection, attribute_of
from izwi.analyse.statistics import grouped
from izwi.model.errors import QueryError
from izwi.query.cql import parse
from izwi.query.deadline import Deadline
from izwi.query.tree import Query, Test
from izwi.query.values import matching_texts

Counts = NDArray[np.int64]
Words = tuple[str, ...]
# Adjectives and nouns before a noun, in the tag sets of Penn and of Universal Dependencies.
_MODIFIER, _HEAD = "JJ.*|NN.*|ADJ|NOUN|PROPN", "NN.*|NOUN|PROPN"
# Words of a term at most, if nobody gives patterns.
_LONGEST = 4
_TAGS = ("pos", "tag", "upos", "xpos")


def term_patterns(selection: Selection, given: Sequence[str]) -> tuple[Query, ...]:
    """Return the patterns that terms fit: those given, or nouns with what stands before them."""
    if given:
        return tuple(parse(each) for each in given)
    tags = _tags_of(selection.segments[0].attributes if selection.segments else _TAGS)
    # One query for each length, so that terms inside longer ones count, too.
    return tuple(
        parse(f'[{tags}="{_MODIFIER}"]{{{many}}} [{tags}="{_HEAD}"] within <s/>')
        for many in range(1, _LONGEST)
    )


def term_cql(words: Sequence[str], attribute: str, attributes: Sequence[str]) -> str:
    """Return the query for a term whose words have the tags of one."""
    tags = _tags_of(attributes)
    quoted = [word.replace("\\", "\\\\").replace('"', '\\"') for word in words]
    kinds = [*[_MODIFIER] * (len(words) - 1), _HEAD]
    pairs = zip(quoted, kinds, strict=True)
    return " ".join(f'[{attribute}=="{word}" & {tags}="{kind}"]' for word, kind in pairs)


def _tags_of(attributes: Sequence[str]) -> str:
    found = next((name for name in _TAGS if name in attributes), None)
    if found is None:
        raise QueryError(
            'This corpus has no tags, so terms need patterns of your own, such as [word="load"] [].'
        )
    return found


def candidate_terms(
    selection: Selection, patterns: Sequence[Query], asked: KeywordsAsked, deadline: Deadline
) -> Candidates:
    """Return the terms of a text that are frequent enough and in enough sites."""
    attribute = attribute_of(
        selection.segments, asked.choice.attribute, is_exact_case=asked.choice.is_exact_case
    )
    forms = FormDimension(attribute, selection.segments)
    codes, documents = _occurrences(selection, patterns, forms, deadline)
    terms, own = grouped(codes, max(1, forms.size))
    hits = np.bincount(terms, minlength=len(own)).astype(np.int64)
    sites, shares = _sites(selection)
    site_of = np.concatenate([np.empty(0, np.int64), *sites])
    in_documents = _spread(terms, documents, hits, np.zeros(len(site_of)))
    in_sites = _spread(terms, site_of[documents], hits, shares)
    every = Candidates(
        selection,
        attribute,
        hits,
        in_documents[0],
        in_sites[0],
        in_sites[1],
        int((shares > 0).sum()),
        lambda some: [tuple(forms.values(code)) for code in own[some].tolist()],
    )
    passing = np.flatnonzero(is_enough(every, asked))
    return every.kept(passing[_is_wanted(every.words(passing), asked, attribute)])


def term_reference(
    other: Selection,
    patterns: Sequence[Query],
    words: Sequence[Words],
    attribute: str,
    *,
    name: str,
    deadline: Deadline,
) -> Reference:
    """Return how often some terms occur, as terms, in other documents."""
    forms = FormDimension(attribute, other.segments)
    codes, _ = _occurrences(other, patterns, forms, deadline)
    # What was not met has the last place, which counts nothing.
    every = np.append(np.bincount(codes, minlength=max(1, forms.size)), 0)
    counts = every[forms.codes_of(words)].astype(np.int64)
    return Reference(counts, other.tokens, name, empty(other, name))


def _occurrences(
    selection: Selection, patterns: Sequence[Query], forms: FormDimension, deadline: Deadline
) -> tuple[Counts, Counts]:
    """Return the form and the document of every occurrence; documents are numbered through."""
    codes, documents = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for query in patterns:
        first = 0
        for place, part in enumerate(selection.hits(query, deadline)):
            codes.append(forms.codes(place, part))
            documents.append(first + part.documents)
            first += len(part.segment.document_starts)
    return np.concatenate(codes), np.concatenate(documents)


def _sites(selection: Selection) -> tuple[tuple[Counts, ...], NDArray[np.float64]]:
    texts = texts_of(selection, [document_dimension(selection.segments, "publication")])
    return texts.cells, texts.tokens / max(1, selection.tokens)


def _spread(
    terms: Counts, parts: Counts, hits: Counts, shares: NDArray[np.float64]
) -> tuple[Counts, NDArray[np.float64]]:
    """Return in how many parts each term is, and its deviation of proportions over them."""
    size = max(1, len(shares))
    keys, many = np.unique(terms * size + parts, return_counts=True)
    term, share = keys // size, shares[keys % size] if len(shares) else np.empty(0)
    ranges = np.bincount(term, minlength=len(hits)).astype(np.int64)
    distance = np.bincount(term, np.abs(share - many / hits[term]), len(hits))
    covered = np.bincount(term, share, len(hits))
    return ranges, (distance + np.maximum(0.0, 1 - covered)) / 2


def _is_wanted(words: Sequence[Words], asked: KeywordsAsked, attribute: str) -> NDArray[np.bool_]:
    """Return which terms have only words that the pattern matches and no stop list names."""
    choice = asked.choice
    every = sorted({word for each in words for word in each})
    passes = dict.fromkeys(every, True)
    if choice.pattern and every:
        found = matching_texts(every, Test(attribute, choice.pattern))
        passes = dict(zip(every, found.tolist(), strict=True))
    stopped = set(choice.stop)
    return np.array(
        [all(passes[word] and word not in stopped for word in each) for each in words], np.bool_
    )
