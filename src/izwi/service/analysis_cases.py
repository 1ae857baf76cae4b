"""Analyses as use cases: what is asked becomes a selection and a query, and the answer is kept."""

import threading
from collections.abc import Callable, Hashable, Sequence
from datetime import date
from pathlib import Path
from typing import TypedDict, TypeVar, Unpack

from izwi.analyse import collocations as company
from izwi.analyse import keywords as keys
from izwi.analyse import ngrams as sequences
from izwi.analyse.choice import LETTERS, Choice
from izwi.analyse.dispersion import dispersion
from izwi.analyse.frequency import Counting, frequencies
from izwi.analyse.references import from_list
from izwi.analyse.selection import Selection
from izwi.analyse.terms import candidate_terms, term_patterns, term_reference
from izwi.analyse.trends import trend
from izwi.analyse.wordlists import word_list
from izwi.model.analyses import (
    Collocations,
    Dispersion,
    Frequencies,
    Keywords,
    TextComparison,
    Trend,
    WordList,
)
from izwi.model.errors import QueryError
from izwi.model.results import Listener, ignore
from izwi.query.deadline import SECONDS, Deadline
from izwi.query.documents import Filter, condition_of
from izwi.query.tree import Query
from izwi.service.comparing import Comparison, Ground, compared, keywords_of
from izwi.service.folder import CorpusFolder
from izwi.service.querying import Understood, understood
from izwi.service.texts import Text, reference_text, text_named
from izwi.service.use_cases import use_case

Answer = TypeVar("Answer")


class Chosen(TypedDict, total=False):
    """What all analyses may be asked: which documents, how a query is read, how long to wait."""

    since: date | None
    until: date | None
    sources: tuple[str, ...]
    where: str
    subcorpus: str
    copies: bool
    version: int | None
    mode: str
    case: bool
    timeout: float | None
    cancelled: threading.Event | None
    listener: Listener


class AnalysisCases(CorpusFolder):
    """Counts: frequencies, collocations, keywords, trends."""

    @use_case("freq", "GET /api/v1/c/{corpus}/frequencies")
    def frequencies(
        self,
        query: str,
        *,
        by: str = "source",
        and_by: str = "",
        sort: str = "hits",
        least: int = 1,
        most: int = 100,
        **chosen: Unpack[Chosen],
    ) -> Frequencies:
        """Count a query by metadata, period, form or neighbour, in one or two dimensions."""
        wanted = Counting(by, and_by, sort, least, most)
        return self._asked(
            query,
            chosen,
            wanted,
            lambda ground, asked: frequencies(
                ground.selection,
                asked.query,
                wanted,
                text=asked.text,
                snapshot=ground.number,
                deadline=ground.deadline,
            ),
        )

    @use_case("dispersion", "GET /api/v1/c/{corpus}/dispersion")
    def dispersion(
        self, query: str, *, by: str = "document", most: int = 100, **chosen: Unpack[Chosen]
    ) -> Dispersion:
        """Say how evenly a query is spread over documents, sources or other parts."""
        if most < 1:
            raise QueryError(f"At least one line is shown, not {most}.")
        return self._asked(
            query,
            chosen,
            ("dispersion", by, most),
            lambda ground, asked: dispersion(
                ground.selection,
                asked.query,
                by,
                most=most,
                text=asked.text,
                snapshot=ground.number,
                deadline=ground.deadline,
            ),
        )

    @use_case("collocations", "GET /api/v1/c/{corpus}/collocations")
    def collocations(
        self,
        query: str,
        *,
        left: int = 5,
        right: int = 5,
        attribute: str = "",
        counting: str = "tokens",
        measure: str = "logdice",
        least: int = 3,
        most: int = 100,
        pattern: str = LETTERS,
        stop: Sequence[str] = (),
        over: str = "",
        words: str = "all",
        **chosen: Unpack[Chosen],
    ) -> Collocations:
        """List the words near a query with all measures of attraction, left and right apart.

        With `words="content"` only nouns, verbs, adjectives and adverbs, by their tags.
        """
        choice = _choice(chosen, attribute, pattern, stop, least, most)
        wanted = company.Asked(left, right, counting, measure, choice, over, words)
        return self._asked(
            query,
            chosen,
            wanted,
            lambda ground, asked: company.collocations(
                ground.selection,
                asked.query,
                wanted,
                text=asked.text,
                snapshot=ground.number,
                deadline=ground.deadline,
            ),
        )

    @use_case("trend", "GET /api/v1/c/{corpus}/trend")
    def trend(
        self, query: str, *, by: str = "month", panel: bool = False, **chosen: Unpack[Chosen]
    ) -> Trend:
        """Follow a query through time: rates with intervals, slope, changes of level."""
        return self._asked(
            query,
            chosen,
            ("trend", by, panel),
            lambda ground, asked: trend(
                ground.selection,
                asked.query,
                by,
                has_panel=panel,
                text=asked.text,
                snapshot=ground.number,
                deadline=ground.deadline,
            ),
        )

    @use_case("wordlist", "GET /api/v1/c/{corpus}/wordlist")
    def wordlist(
        self,
        *,
        attribute: str = "",
        pattern: str = LETTERS,
        stop: Sequence[str] = (),
        least: int = 1,
        most: int = 100,
        sort: str = "hits",
        **chosen: Unpack[Chosen],
    ) -> WordList:
        """List the words of the chosen text by frequency, with their spread."""
        choice = _choice(chosen, attribute, pattern, stop, least, most)
        ground = self._ground(chosen)
        return self._kept(
            ground,
            ("wordlist", choice, sort),
            lambda: word_list(
                ground.selection,
                choice,
                sort=sort,
                snapshot=ground.number,
                deadline=ground.deadline,
            ),
        )

    @use_case("ngrams", "GET /api/v1/c/{corpus}/ngrams")
    def ngrams(
        self,
        size: int = 2,
        *,
        attribute: str = "",
        within: str = "s",
        pattern: str = LETTERS,
        stop: Sequence[str] = (),
        least: int = 2,
        most: int = 100,
        **chosen: Unpack[Chosen],
    ) -> WordList:
        """List the most frequent sequences of so many words."""
        choice = _choice(chosen, attribute, pattern, stop, least, most)
        asked = sequences.Asked(size, within, choice)
        ground = self._ground(chosen)
        return self._kept(
            ground,
            asked,
            lambda: sequences.ngram_list(
                ground.selection,
                asked,
                snapshot=ground.number,
                deadline=ground.deadline,
                listener=ground.listener,
            ),
        )

    @use_case("keywords", "GET /api/v1/c/{corpus}/keywords")
    def keywords(
        self,
        reference: str | Path = "",
        *,
        attribute: str = "",
        measure: str = "simple",
        smoothing: float = 1.0,
        sites: int = 2,
        pattern: str = LETTERS,
        stop: Sequence[str] = (),
        least: int = 5,
        most: int = 100,
        **chosen: Unpack[Chosen],
    ) -> Keywords:
        """List the words that set a text apart from the rest, another text or a frequency list."""
        choice = _choice(chosen, attribute, pattern, stop, least, most)
        asked = keys.Asked(measure, smoothing, sites, choice)
        ground = self._ground(chosen)
        other = reference_text(reference, self.name, self.path, ground.selection)
        return self._kept(
            ground, ("keywords", asked, other.key), lambda: _keywords(ground, other, asked)
        )

    @use_case("terms", "GET /api/v1/c/{corpus}/terms")
    def terms(
        self,
        reference: str | Path = "",
        *,
        patterns: Sequence[str] = (),
        attribute: str = "",
        measure: str = "simple",
        smoothing: float = 1.0,
        sites: int = 2,
        pattern: str = LETTERS,
        stop: Sequence[str] = (),
        least: int = 3,
        most: int = 100,
        **chosen: Unpack[Chosen],
    ) -> Keywords:
        """List the terms of several words, found by tag patterns, that set a text apart."""
        choice = _choice(chosen, attribute, pattern, stop, least, most)
        asked = keys.Asked(measure, smoothing, sites, choice)
        ground = self._ground(chosen)
        other = reference_text(reference, self.name, self.path, ground.selection)
        queries = term_patterns(ground.selection, patterns)
        return self._kept(
            ground,
            ("terms", asked, other.key, queries),
            lambda: _terms(ground, other, asked, queries),
        )

    @use_case("compare", "GET /api/v1/c/{corpus}/compare")
    def compare(
        self,
        first: str | Path,
        second: str | Path = "",
        *,
        query: str = "",
        measure: str = "logdice",
        keyness: str = "simple",
        attribute: str = "",
        least: int = 3,
        most: int = 50,
        **chosen: Unpack[Chosen],
    ) -> TextComparison:
        """Put two corpora or subcorpora side by side: keywords, a query, and its collocates."""
        ground = self._ground(chosen)
        texts = [
            text_named(each, self.name, self.path, ground.selection) for each in (first, second)
        ]
        asked = understood(
            query, chosen.get("mode", "auto"), ground.selection.segments,
            is_exact_case=chosen.get("case", False),
        ) if query.strip() else None  # fmt: skip
        choice = _choice(chosen, attribute, LETTERS, (), least, most)
        wanted = Comparison(asked, company.Asked(measure=measure, choice=choice), keyness)
        return self._kept(
            ground,
            ("compare", wanted, *(each.key for each in texts)),
            lambda: compared(ground, texts[0], texts[1], wanted),
        )

    def _asked(
        self,
        query: str,
        chosen: Chosen,
        wanted: Hashable,
        answer: Callable[[Ground, Understood], Answer],
    ) -> Answer:
        """Return the answer to a question about a query, made or kept."""
        ground = self._ground(chosen)
        asked = understood(
            query,
            chosen.get("mode", "auto"),
            ground.selection.segments,
            is_exact_case=chosen.get("case", False),
        )
        return self._kept(ground, (wanted, asked), lambda: answer(ground, asked))

    def _kept(self, ground: Ground, wanted: Hashable, answer: Callable[[], Answer]) -> Answer:
        key = (ground.number, ground.selection.chosen, wanted)
        return self._answers.of(key, answer)

    def _ground(self, chosen: Chosen) -> Ground:
        """Return where something is to be counted."""
        number, segments = self._snapshot(chosen.get("version"))
        where, subcorpus = chosen.get("where", ""), chosen.get("subcorpus", "")
        if where:
            condition_of(where)
        where = self._where(where, subcorpus)
        wanted = Filter(
            chosen.get("since"),
            chosen.get("until"),
            self._sources_asked(tuple(chosen.get("sources", ())), segments),
            where,
            chosen.get("copies", False),
        )
        return Ground(
            number,
            Selection(segments, wanted),
            _words(wanted, subcorpus),
            Deadline(chosen.get("timeout", SECONDS), chosen.get("cancelled")),
            chosen.get("listener", ignore),
        )


def _words(wanted: Filter, subcorpus: str) -> str:
    """Return in words which documents were chosen."""
    parts = [f"subcorpus {subcorpus}"] if subcorpus else []
    parts += [f"from {wanted.since}"] if wanted.since else []
    parts += [f"to {wanted.until}"] if wanted.until else []
    parts += [", ".join(wanted.sources)] if wanted.sources else []
    parts += [wanted.where] if wanted.where and not subcorpus else []
    return "; ".join(parts) or "the whole corpus"


def _choice(
    chosen: Chosen, attribute: str, pattern: str, stop: Sequence[str], least: int, most: int
) -> Choice:
    is_exact_case = chosen.get("case", False)
    return Choice(attribute, pattern, tuple(stop), least, most, is_exact_case)


def _keywords(ground: Ground, other: Text, asked: keys.Asked) -> Keywords:
    return keywords_of(ground.selection, other, asked, ground.name, ground)


def _terms(ground: Ground, other: Text, asked: keys.Asked, queries: Sequence[Query]) -> Keywords:
    candidates = candidate_terms(ground.selection, queries, asked, ground.deadline)
    words = candidates.all_words()
    if other.list is not None:
        found = from_list(other.list, words, candidates.hits, candidates.attribute)
    else:
        found = term_reference(
            other.chosen, queries, words, candidates.attribute,
            name=other.name, deadline=ground.deadline,
        )  # fmt: skip
    return keys.keyed(candidates, found, asked, name=ground.name, snapshot=ground.number)
