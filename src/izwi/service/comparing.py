"""Two texts side by side, each chosen by a name: a query, its collocates, the words apart."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.analyse import collocations as company
from izwi.analyse import keywords as keys
from izwi.analyse.categories import Cell, cell_of
from izwi.analyse.keywords import FrequencyList, from_list, read_frequency_list, rest_of
from izwi.analyse.ngrams import candidate_terms, term_reference
from izwi.analyse.selection import Selection
from izwi.analyse.statistics import Sums, optional, rates
from izwi.index.reader import Attribute, Segment
from izwi.index.tallies import by_month, by_origin, by_section
from izwi.model import analyses
from izwi.model.errors import QueryError
from izwi.model.reading import Part
from izwi.model.reports import CorpusCard, CorpusComparison, Share, SideBySide, TellingWord
from izwi.query.engine import Filter, condition_of
from izwi.query.tree import Query, format_query
from izwi.service.folder import CorpusFolder
from izwi.service.querying import Understood
from izwi.service.subcorpora import condition_named

# Frequency lists of a corpus lie in this folder of it, as NAME.tsv.
LISTS = "references"


@dataclass(frozen=True, slots=True)
class Text:
    """What words are compared with: documents, or a list; and what tells it from other texts."""

    name: str
    key: Hashable
    selection: Selection | None = None
    list: FrequencyList | None = None

    @property
    def chosen(self) -> Selection:
        """Its documents; a list has none."""
        if self.selection is None:
            raise QueryError(f"{self.name} is a list of frequencies, not a text with documents.")
        return self.selection


def reference_text(named: str | Path, corpus: str, folder: Path, focus: Selection) -> Text:
    """Return what a reference names; nothing is the rest of the same corpus."""
    everything = Filter(copies=focus.chosen.copies)
    whole = replace(focus, chosen=everything, only=None)
    if not str(named):
        return Text("the rest of the corpus", "rest", rest_of(focus, whole))
    return text_named(named, corpus, folder, whole)


def text_named(named: str | Path, corpus: str, folder: Path, whole: Selection) -> Text:
    """Return the text that a name stands for in a corpus."""
    text = str(named)
    if not text:
        return Text("the whole corpus", "whole", whole)
    if text.startswith(analyses.SUBCORPUS):
        name = text.removeprefix(analyses.SUBCORPUS)
        return _named_part(f"subcorpus {name}", condition_named(corpus, name), whole)
    if text.startswith(analyses.WHERE):
        where = text.removeprefix(analyses.WHERE)
        return _named_part(f"documents with {where}", where, whole)
    own = folder / LISTS / f"{text}.tsv"
    return _from_disk(own if own.is_file() else Path(text), whole)


def _named_part(name: str, where: str, whole: Selection) -> Text:
    condition_of(where)
    chosen = replace(whole.chosen, where=where)
    return Text(name, ("where", where), replace(whole, chosen=chosen))


def _from_disk(path: Path, whole: Selection) -> Text:
    if (path / "corpus.toml").is_file():
        return _corpus(path, whole)
    if path.is_file():
        changed = path.stat().st_mtime_ns
        return Text(f"the list {path.name}", (str(path), changed), list=read_frequency_list(path))
    raise QueryError(
        f"'{path}' is no text to compare with: name a subcorpus (subcorpus:NAME), a condition "
        '(where:source="herald"), the folder of a corpus, or a frequency list (word, tab, number).'
    )


def _corpus(path: Path, whole: Selection) -> Text:
    other = CorpusFolder(path)
    number, segments = other._snapshot(None)
    return Text(
        f"the corpus {other.name}",
        (str(path.resolve()), number),
        replace(whole, segments=segments, chosen=replace(whole.chosen, where="", sources=())),
    )


@dataclass(frozen=True, slots=True)
class ComparisonAsked:
    """What is put side by side: a query, if any, how its collocates are counted, which keywords."""

    asked: Understood | None
    company: company.CollocationsAsked
    keyness: str = "simple"


def keywords_of(
    selection: Selection, other: Text, asked: keys.KeywordsAsked, name: str
) -> analyses.Keywords:
    """Return the keywords of a text beside another one."""
    candidates = keys.candidate_words(selection, asked)
    if other.list is not None:
        words = candidates.all_words()
        found = from_list(other.list, words, candidates.hits, candidates.attribute)
    else:
        found = keys.word_reference(candidates, other.chosen, name=other.name)
    return keys.keyed(candidates, found, asked, name=name)


def terms_of(
    selection: Selection, other: Text, asked: keys.KeywordsAsked, name: str, *queries: Query
) -> analyses.Keywords:
    """Return the terms that set a text apart from another, found by patterns of tags."""
    candidates = candidate_terms(selection, queries, asked)
    words = candidates.all_words()
    if other.list is not None:
        found = from_list(other.list, words, candidates.hits, candidates.attribute)
    else:
        found = term_reference(other.chosen, queries, words, candidates.attribute, name=other.name)
    return keys.keyed(candidates, found, asked, name=name)


def compared(first: Text, second: Text, wanted: ComparisonAsked) -> analyses.TextComparison:
    """Return two texts side by side."""
    keyness = keys.KeywordsAsked(wanted.keyness, choice=wanted.company.choice)
    here = keywords_of(first.chosen, second, keyness, first.name)
    there = keywords_of(second.chosen, first, keyness, second.name)
    texts, asked = (first, second), wanted.asked
    sides = tuple(side_of(text.chosen, asked.query, text.name) for text in texts if asked)
    logratio, ll = difference(*sides) if sides else (None, None)
    return analyses.TextComparison(
        first=first.name,
        second=second.name,
        query=asked.text if asked else "",
        snapshot=first.chosen.number,
        first_keywords=here,
        second_keywords=there,
        sides=sides,
        logratio=logratio,
        ll=ll,
        measure=wanted.company.measure,
        lines=_collocates(first, second, asked, wanted.company) if asked else (),
    )


def _collocates(
    first: Text, second: Text, asked: Understood, wanted: company.CollocationsAsked
) -> tuple[analyses.SharedCollocate, ...]:
    here, there = (_near(text, asked, wanted) for text in (first, second))
    # What one text shows is looked up in the other, however weak it is there.
    here += _named(first, asked, wanted, _missing(there, here))
    there += _named(second, asked, wanted, _missing(here, there))
    return shared_collocates(here, there, wanted.measure)


def _near(
    text: Text, asked: Understood, wanted: company.CollocationsAsked
) -> tuple[analyses.Collocate, ...]:
    return company.collocations(text.chosen, asked.query, wanted, text=asked.text).lines


def _missing(
    shown: tuple[analyses.Collocate, ...], known: tuple[analyses.Collocate, ...]
) -> list[str]:
    values = {line.value for line in known}
    return [line.value for line in shown if line.value not in values]


def _named(
    text: Text, asked: Understood, wanted: company.CollocationsAsked, values: list[str]
) -> tuple[analyses.Collocate, ...]:
    """Return those of some collocates that a text has at all."""
    if not values:
        return ()
    pattern = "|".join(analyses.escaped(value) for value in values)
    choice = replace(wanted.choice, pattern=pattern, least=1, most=len(values))
    return _near(text, asked, replace(wanted, choice=choice))


_MOST_WORDS = 25
_MOST_ROWS = 30
# Words that are rarer on both sides say little.
_LEAST_HITS = 5
# Added to both frequencies per million: with a hundred, common words come before rare ones
# (Kilgarriff 2009, Simple maths for keywords).
_SMOOTHING = 100.0
_MILLION = 1_000_000.0


def contrast(
    first: CorpusCard,
    second: CorpusCard,
    first_segments: Sequence[Segment],
    second_segments: Sequence[Segment],
) -> CorpusComparison:
    """Return two versions side by side."""
    addresses = _column(first_segments, "url") & _column(second_segments, "url")
    documents = _column(first_segments, "id") & _column(second_segments, "id")
    words = telling_words(frequencies(first_segments), frequencies(second_segments))
    return CorpusComparison(
        first=first,
        second=second,
        shared_addresses=len(addresses),
        shared_documents=len(documents),
        languages=side_by_side(first.languages, second.languages),
        years=tuple(sorted(side_by_side(first.years, second.years), key=lambda each: each.name)),
        sources=side_by_side(first.sources, second.sources)[:_MOST_ROWS],
        hosts=side_by_side(first.hosts, second.hosts)[:_MOST_ROWS],
        date_evidence=side_by_side(first.date_evidence, second.date_evidence),
        first_words=words[0],
        second_words=words[1],
    )


def side_by_side(first: Sequence[Share], second: Sequence[Share]) -> tuple[SideBySide, ...]:
    """Return the shares of both sides by name, the largest first."""
    one, two = ({each.name: each for each in shares} for shares in (first, second))
    nothing = Share("", 0, 0)
    rows = (
        SideBySide(name, a.documents, a.tokens, b.documents, b.tokens)
        for name in {**one, **two}
        for a, b in [(one.get(name, nothing), two.get(name, nothing))]
    )
    return tuple(sorted(rows, key=lambda row: (-row.first_tokens - row.second_tokens, row.name)))


def frequencies(segments: Sequence[Segment]) -> Counter[str]:
    """Return how often each word occurs, whatever its capitals; numbers and marks are left out.

    Folded copies are not counted, here as in the cards beside it.
    """
    found: Counter[str] = Counter()
    for segment in segments:
        attribute = segment.attribute("lc" if "lc" in segment.attributes else "word")
        sizes = attribute.frequencies - _in_copies(segment, attribute)
        values = attribute.values(np.arange(len(sizes)))
        for word, size in zip(values, sizes.tolist(), strict=True):
            if word.isalpha():
                found[word.lower()] += size
    return found


def _in_copies(segment: Segment, attribute: Attribute) -> NDArray[np.int64]:
    """Return how often each value stands in a folded copy; read document by document."""
    counts = np.zeros(len(attribute.frequencies), np.int64)
    for number in np.flatnonzero(segment.is_copy).tolist():
        first, last = segment.document_starts[number], segment.document_ends[number]
        values, times = np.unique(attribute.column[first:last], return_counts=True)
        counts[values] += times
    return counts


def telling_words(
    first: Counter[str], second: Counter[str]
) -> tuple[tuple[TellingWord, ...], tuple[TellingWord, ...]]:
    """Return the words that are most typical of the first and of the second.

    >>> one, two = telling_words(Counter(braai=9, the=90), Counter(robot=9, the=90))
    >>> [each.word for each in one], [each.word for each in two]
    (['braai'], ['robot'])
    """
    words = [w for w in first | second if max(first[w], second[w]) >= _LEAST_HITS]
    totals = (first.total() or 1, second.total() or 1)
    rows = [_telling(word, first[word], second[word], totals) for word in words]
    ordered = sorted(rows, key=lambda row: (-row.factor, row.word))
    mirrored = sorted(rows, key=lambda row: (row.factor, row.word))
    return (
        tuple(row for row in ordered if row.factor > 1)[:_MOST_WORDS],
        tuple(row for row in mirrored if row.factor < 1)[:_MOST_WORDS],
    )


def _telling(word: str, first: int, second: int, totals: tuple[int, int]) -> TellingWord:
    one, two = _MILLION * first / totals[0], _MILLION * second / totals[1]
    factor = (one + _SMOOTHING) / (two + _SMOOTHING)
    return TellingWord(word, first, second, round(one, 2), round(two, 2), round(factor, 4))


def _column(segments: Sequence[Segment], name: str) -> set[str]:
    found: set[str] = set()
    for segment in segments:
        values = segment.cards.column(name).to_pylist()
        kept = segment.is_original.tolist()
        found |= {value for value, is_kept in zip(values, kept, strict=True) if is_kept and value}
    return found


def parts_by(segments: Sequence[Segment], name: str) -> tuple[Part, ...]:
    """Return the parts of a text by something known of its documents, years in order.

    Other parts come with the largest first; copies are left out, and what has no value.
    """
    counts = _counted(segments, name)
    is_time = name == "year"
    order = sorted(counts, key=lambda key: (0 if is_time else -counts[key], key))
    return tuple(_part(cell_of(name, key), counts[key], is_time) for key in order if key != "")


def _counted(segments: Sequence[Segment], name: str) -> Mapping[str | int, int]:
    """Return documents by something that was counted when segments were written."""
    if name == "section":
        return {section: many for section, many in by_section(segments).items() if section}
    if name == "year":
        years: Counter[str | int] = Counter()
        for month, held in by_month(segments).items():
            years[month // 12] += held.documents
        return years
    names = [_OF_ORIGIN[name](segment) for segment in segments]
    return {key: held.documents for key, held in by_origin(segments, names).items()}


_OF_ORIGIN: dict[str, Callable[[Segment], list[str]]] = {
    "publication": lambda segment: segment.publication_by_origin,
    "source": lambda segment: [source for _, _, source in segment.origins.rows],
    # Without an address the source stands for it.
    "host": lambda segment: [host or source for host, _, source in segment.origins.rows],
}


def _part(cell: Cell, documents: int, is_time: bool) -> Part:
    where = f'date="{cell.label}.*"' if is_time else cell.where
    return Part(cell.label, documents, where)


def side_of(selection: Selection, query: Query, name: str) -> analyses.Side:
    """Return a query in one text, with its rate and the interval by document."""
    parts = selection.hits(query)
    counts = np.concatenate([np.zeros(0), *(part.tally.counts for part in parts)])
    lengths = np.concatenate(
        [np.zeros(0), *(part.segment.document_lengths[part.tally.documents] for part in parts)]
    )
    found = rates(
        Sums(
            np.array([selection.documents]),
            np.array([selection.tokens]),
            np.array([_tokens_squared(selection)]),
            np.array([int(counts.sum())]),
            np.array([float((counts**2).sum())]),
            np.array([float((counts * lengths).sum())]),
            np.array([len(counts)]),
        )
    )
    rate, low, high = (
        optional(float(column[0])) for column in (found.per_million, found.low, found.high)
    )
    opens = selection.opening(format_query(query))
    hits = int(counts.sum())
    return analyses.Side(name, hits, len(counts), selection.tokens, rate, low, high, opens)


def _tokens_squared(selection: Selection) -> float:
    total = 0.0
    for segment, mask in zip(selection.segments, selection.masks, strict=True):
        lengths = segment.document_lengths.astype(np.float64)
        total += float(((lengths if mask is None else lengths[mask]) ** 2).sum())
    return total


def difference(first: analyses.Side, second: analyses.Side) -> tuple[float | None, float | None]:
    """Return log2 of the ratio of two rates and the log-likelihood of their difference."""
    if not (first.tokens and second.tokens and first.hits + second.hits):
        return None, None
    found = keys.KeyFrequencies(
        np.array([float(first.hits)]),
        np.array([float(second.hits)]),
        float(first.tokens),
        float(second.tokens),
    )
    return float(keys.logratio(found)[0]), abs(float(keys.ll(found)[0]))


def shared_collocates(
    first: Sequence[analyses.Collocate], second: Sequence[analyses.Collocate], measure: str
) -> tuple[analyses.SharedCollocate, ...]:
    """Return the collocates of both texts, those that differ most in strength first.

    A collocate that is in one text only has no score in the other.
    """
    here = {line.value: line for line in first}
    there = {line.value: line for line in second}
    rows = [
        _shared(value, here.get(value), there.get(value), measure)
        for value in dict.fromkeys((*here, *there))
    ]
    return tuple(sorted(rows, key=_distance, reverse=True))


def _shared(
    value: str, first: analyses.Collocate | None, second: analyses.Collocate | None, measure: str
) -> analyses.SharedCollocate:
    known = first or second
    assert known is not None
    return analyses.SharedCollocate(
        value,
        first.total if first else 0,
        second.total if second else 0,
        getattr(first, measure) if first else None,
        getattr(second, measure) if second else None,
        first.opens if first else None,
        second.opens if second else None,
    )


def _distance(row: analyses.SharedCollocate) -> float:
    if row.first_score is None or row.second_score is None:
        return float("inf")
    return abs(row.first_score - row.second_score)
