"""What lexicographers do, as use cases: sketches, examples, new words, first dates."""

import getpass
from abc import ABC, abstractmethod
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from izwi.analyse.newwords import Search, new_words
from izwi.analyse.sketch_grammar import Grammar
from izwi.analyse.sketches import Wish, difference, sketch
from izwi.analyse.thesaurus import thesaurus
from izwi.analyse.wordages import last_day
from izwi.config.schema import CorpusConfig
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.lexicography import (
    DECISIONS,
    Attestations,
    Decision,
    GoodExamples,
    Headword,
    NewWords,
    Sketch,
    SketchDifference,
    Thesaurus,
)
from izwi.query.deadline import SECONDS, Deadline
from izwi.query.documents import Filter
from izwi.service import dating, exemplifying, wordlists
from izwi.service.subcorpora import condition_named
from izwi.service.use_cases import use_case
from izwi.store.decisions import append_decision, read_decisions
from izwi.store.layout import Layout

# A sketch keeps more than it shows, so that two of them can be compared.
_COMPARED = 500
# How far back new words are looked for if nobody says.
_A_YEAR = timedelta(days=365)


class LexicographyCases(ABC):
    """The use cases of a corpus that describe words."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The corpus's name."""

    @property
    @abstractmethod
    def path(self) -> Path:
        """The corpus's folder."""

    @property
    @abstractmethod
    def config(self) -> CorpusConfig:
        """The corpus's settings."""

    @abstractmethod
    def _snapshot(self, version: int | None) -> tuple[int, tuple[Segment, ...]]: ...

    @use_case("sketch", "GET /api/v1/c/{corpus}/sketch")
    def word_sketch(
        self,
        word: str,
        *,
        pos: str = "",
        language: str = "",
        least: int = 2,
        most: int = 20,
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        timeout: float | None = SECONDS,
    ) -> Sketch:
        """Say which words stand in which relations to a word, by tag patterns of the language."""
        number, segments = self._snapshot(version)
        wish = Wish(pos, least, most, self._chosen(where, subcorpus))
        grammar = self._grammar(language, segments)
        return sketch(segments, grammar, word, wish, snapshot=number, deadline=Deadline(timeout))

    @use_case("sketch-difference", "GET /api/v1/c/{corpus}/sketch/difference")
    def sketch_difference(
        self,
        word: str,
        other: str,
        *,
        pos: str = "",
        language: str = "",
        least: int = 2,
        most: int = 20,
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        timeout: float | None = SECONDS,
    ) -> SketchDifference:
        """Say how the company of two words differs, relation by relation."""
        number, segments = self._snapshot(version)
        wish = Wish(pos, least, max(most, _COMPARED), self._chosen(where, subcorpus))
        grammar, deadline = self._grammar(language, segments), Deadline(timeout)
        one, two = (
            sketch(segments, grammar, each, wish, snapshot=number, deadline=deadline)
            for each in (word, other)
        )
        return difference(one, two, most=most)

    @use_case("thesaurus", "GET /api/v1/c/{corpus}/thesaurus")
    def thesaurus(
        self,
        word: str,
        *,
        pos: str = "",
        language: str = "",
        least: int = 5,
        most: int = 40,
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        timeout: float | None = 600.0,
    ) -> Thesaurus:
        """List the words most like a word in the company they keep, with what they share."""
        number, segments = self._snapshot(version)
        wish = Wish(pos, least, most, self._chosen(where, subcorpus))
        grammar = self._grammar(language, segments)
        return thesaurus(segments, grammar, word, wish, snapshot=number, deadline=Deadline(timeout))

    @use_case("examples", "GET /api/v1/c/{corpus}/examples")
    def good_examples(
        self,
        query: str,
        *,
        most: int = 10,
        avoid: Iterable[str] = (),
        language: str = "",
        mode: str = "auto",
        since: date | None = None,
        until: date | None = None,
        sources: tuple[str, ...] = (),
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        timeout: float | None = SECONDS,
    ) -> GoodExamples:
        """Find the sentences that show a word best, with the score of each factor by factor."""
        number, segments = self._snapshot(version)
        chosen = self._chosen(where, subcorpus, since=since, until=until, sources=sources)
        return exemplifying.examples(
            segments,
            query,
            mode=mode,
            chosen=chosen,
            snapshot=number,
            most=most,
            avoid=tuple(avoid),
            language=language or wordlists.main_language(self.config, segments),
            deadline=Deadline(timeout),
        )

    @use_case("new-words", "GET /api/v1/c/{corpus}/new-words")
    def new_words(
        self,
        *,
        since: date | None = None,
        until: date | None = None,
        lists: Iterable[str | Path] = (),
        least: int = 3,
        sites: int = 2,
        most: int = 100,
        decided: bool = False,
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        timeout: float | None = 600.0,
    ) -> NewWords:
        """List words first seen in a period that spread over sites, scored with the reasons.

        Words in the lists given, and words decided before, are left out.
        """
        number, segments = self._snapshot(version)
        end = until or last_day(segments)
        if end is None:
            raise QueryError("No document has a date, so that nothing can be told to be new.")
        search = Search(
            since=since or end - _A_YEAR,
            until=end,
            least=least,
            sites=sites,
            most=most,
            chosen=self._chosen(where, subcorpus),
            known=wordlists.known_words(self.path, lists),
            decision_by_word={each.word.casefold(): each.decision for each in self.decisions()},
            has_decided=decided,
        )
        return new_words(segments, search, snapshot=number, deadline=Deadline(timeout))

    @use_case("attestations", "GET /api/v1/c/{corpus}/attestations")
    def attestations(
        self,
        words: Iterable[str | Headword],
        *,
        where: str = "",
        subcorpus: str = "",
        version: int | None = None,
        timeout: float | None = SECONDS,
    ) -> Attestations:
        """Find the first dated line of each headword, and whether it antedates a known date."""
        number, segments = self._snapshot(version)
        headwords = [
            each if isinstance(each, Headword) else wordlists.headword_of(each) for each in words
        ]
        chosen = self._chosen(where, subcorpus)
        return dating.attestations(
            segments, headwords, chosen=chosen, snapshot=number, deadline=Deadline(timeout)
        )

    @use_case("decide", "POST /api/v1/c/{corpus}/decisions")
    def decide(self, word: str, decision: str, *, who: str = "", note: str = "") -> Decision:
        """Remember what was decided about a word: accept, reject, later, name, error or known."""
        if decision not in DECISIONS:
            raise QueryError(f"A decision is one of {', '.join(DECISIONS)}, not '{decision}'.")
        if not word.strip():
            raise QueryError("A decision is about a word; none was given.")
        when = datetime.now(UTC).isoformat(timespec="seconds")
        made = Decision(word.strip(), decision, who or _user(), when, note)
        append_decision(Layout(self.path), made)
        return made

    @use_case("decisions", "GET /api/v1/c/{corpus}/decisions")
    def decisions(self) -> tuple[Decision, ...]:
        """List what was decided about words, in the order it was; the last of a word counts."""
        return read_decisions(Layout(self.path))

    def _chosen(
        self,
        where: str,
        subcorpus: str,
        *,
        since: date | None = None,
        until: date | None = None,
        sources: tuple[str, ...] = (),
    ) -> Filter:
        if subcorpus:
            saved = condition_named(self.name, subcorpus)
            where = f"({saved}) & ({where})" if where else saved
        return Filter(since, until, sources, where)

    def _grammar(self, language: str, segments: tuple[Segment, ...]) -> Grammar:
        return wordlists.grammar_of(language, self.config, segments, self.path)


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
