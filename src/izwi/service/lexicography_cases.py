"""What lexicographers do, as use cases: sketches, examples, new words, first dates."""

import getpass
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TypeVar, Unpack

from izwi.analyse.newwords import Search, new_words
from izwi.analyse.sketch_grammar import Grammar
from izwi.analyse.sketches import Wish, difference, sketch
from izwi.analyse.thesaurus import thesaurus
from izwi.analyse.wordages import last_day
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
from izwi.service import dating, exemplifying, wordlists
from izwi.service.analysis_cases import AnalysisCases, Chosen
from izwi.service.comparing import Ground
from izwi.service.use_cases import use_case
from izwi.store.decisions import append_decision, read_decisions
from izwi.store.layout import Layout

# A sketch keeps more than it shows, so that two of them can be compared.
_COMPARED = 500
# How far back new words are looked for if nobody says.
_A_YEAR = timedelta(days=365)
# What looks at a whole corpus may take longer than a question about one word.
_PATIENT_SECONDS = 600.0
Answer = TypeVar("Answer")


class LexicographyCases(AnalysisCases):
    """Words: sketches, similar words, examples, new words, first dates."""

    @use_case("sketch", "GET /api/v1/c/{corpus}/sketch")
    def word_sketch(
        self,
        word: str,
        *,
        pos: str = "",
        language: str = "",
        least: int = 2,
        most: int = 20,
        **chosen: Unpack[Chosen],
    ) -> Sketch:
        """Say which words stand in which relations to a word, by tag patterns of the language."""
        ground = self._ground(chosen)
        wish = Wish(pos, least, most, ground.selection.chosen)
        return self._sketch(ground, word, wish, language)

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
        **chosen: Unpack[Chosen],
    ) -> SketchDifference:
        """Say how the company of two words differs, relation by relation."""
        ground = self._ground(chosen)
        # Checked before more is kept than is shown.
        Wish(pos, least, most)
        wish = Wish(pos, least, max(most, _COMPARED), ground.selection.chosen)
        one, two = (self._sketch(ground, each, wish, language) for each in (word, other))
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
        **chosen: Unpack[Chosen],
    ) -> Thesaurus:
        """List the words most like a word in the company they keep, with what they share."""
        chosen.setdefault("timeout", _PATIENT_SECONDS)
        ground = self._ground(chosen)
        wish = Wish(pos, least, most, ground.selection.chosen)
        grammar = self._grammar(language, ground)
        return self._kept(
            ground,
            ("thesaurus", grammar, word, wish),
            lambda: thesaurus(
                ground.selection.segments,
                grammar,
                word,
                wish,
                snapshot=ground.number,
                deadline=ground.deadline,
                listener=ground.listener,
            ),
        )

    @use_case("examples", "GET /api/v1/c/{corpus}/examples")
    def good_examples(
        self,
        query: str,
        *,
        most: int = 10,
        avoid: Iterable[str] = (),
        language: str = "",
        **chosen: Unpack[Chosen],
    ) -> GoodExamples:
        """Find the sentences that show a word best, with the score of each factor by factor."""
        ground, unwanted = self._ground(chosen), tuple(avoid)
        segments, mode = ground.selection.segments, chosen.get("mode", "auto")
        spoken = language or wordlists.main_language(self.config, segments)
        return self._kept(
            ground,
            ("examples", query, mode, most, unwanted, spoken),
            lambda: exemplifying.examples(
                segments,
                query,
                mode=mode,
                chosen=ground.selection.chosen,
                snapshot=ground.number,
                most=most,
                avoid=unwanted,
                language=spoken,
                deadline=ground.deadline,
            ),
        )

    @use_case("new-words", "GET /api/v1/c/{corpus}/new-words")
    def new_words(
        self,
        *,
        lists: Iterable[str | Path] = (),
        least: int = 3,
        sites: int = 2,
        most: int = 100,
        decided: bool = False,
        **chosen: Unpack[Chosen],
    ) -> NewWords:
        """List words first seen in a period that spread over sites, scored with the reasons.

        Words in the lists given, and words decided before, are left out.
        """
        chosen.setdefault("timeout", _PATIENT_SECONDS)
        first, last = chosen.pop("since", None), chosen.pop("until", None)
        ground = self._ground(chosen)
        since, until = _period(first, last, last_day(ground.selection.segments))
        search = Search(
            since=since,
            until=until,
            least=least,
            sites=sites,
            most=most,
            chosen=ground.selection.chosen,
            known=wordlists.known_words(self.path, lists),
            decision_by_word={each.word.casefold(): each.decision for each in self.decisions()},
            has_decided=decided,
        )
        return new_words(
            ground.selection.segments,
            search,
            snapshot=ground.number,
            deadline=ground.deadline,
            listener=ground.listener,
        )

    @use_case("attestations", "GET /api/v1/c/{corpus}/attestations")
    def attestations(
        self, words: Iterable[str | Headword], **chosen: Unpack[Chosen]
    ) -> Attestations:
        """Find the first dated line of each headword, and whether it antedates a known date."""
        ground = self._ground(chosen)
        headwords = [
            each if isinstance(each, Headword) else wordlists.headword_of(each) for each in words
        ]
        return dating.attestations(
            ground.selection.segments,
            headwords,
            chosen=ground.selection.chosen,
            snapshot=ground.number,
            deadline=ground.deadline,
            listener=ground.listener,
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

    def _sketch(self, ground: Ground, word: str, wish: Wish, language: str) -> Sketch:
        grammar = self._grammar(language, ground)
        return self._kept(
            ground,
            ("sketch", grammar, word, wish),
            lambda: sketch(
                ground.selection.segments,
                grammar,
                word,
                wish,
                snapshot=ground.number,
                deadline=ground.deadline,
            ),
        )

    def _grammar(self, language: str, ground: Ground) -> Grammar:
        return wordlists.grammar_of(language, self.config, ground.selection.segments, self.path)


def _period(since: date | None, until: date | None, last: date | None) -> tuple[date, date]:
    """Return the period in which words are to be new: the last year, if none is given."""
    if last is None:
        raise QueryError("No document has a date, so that nothing can be told to be new.")
    end = until or last
    return since or end - _A_YEAR, end


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return ""
