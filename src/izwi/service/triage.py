"""A reader's own decisions about new words: kept with the user's things, under their own link.

What curators decide belongs to the corpus (`corpus.decide`); these lists are for everybody else,
and for a first pass that a curator takes over.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from izwi.model.errors import QueryError
from izwi.model.lexicography import DECISIONS, WordDecision
from izwi.service.subcorpora import workspace
from izwi.store.shelf import Shelf

MOST_DECISIONS = 20_000


@dataclass(frozen=True, slots=True)
class Triage:
    """Decisions about words in the order they were made; the last about a word counts."""

    id: str
    corpus: str
    decisions: tuple[WordDecision, ...] = ()

    @property
    def words(self) -> frozenset[str]:
        """The words that were decided on."""
        return frozenset(each.word for each in self.decisions)


def read_triage(corpus: str, id: str) -> Triage:
    """Return the decisions under a link."""
    found = _shelf(corpus).read(id)
    return Triage(id, corpus, tuple(WordDecision(**row) for row in found["decisions"]))


def decide_word(corpus: str, id: str, word: str, decision: str) -> Triage:
    """Remember a decision, in a new list if `id` is empty."""
    if decision not in DECISIONS:
        raise QueryError(f"A decision is one of {', '.join(DECISIONS)}, not '{decision}'.")
    if not 0 < len(word) <= 200:
        raise QueryError("A decision is about a word of at most 200 characters.")
    made = WordDecision(word, decision, "reader", datetime.now(UTC).isoformat(timespec="seconds"))

    def with_it(there: tuple[WordDecision, ...]) -> tuple[WordDecision, ...]:
        others = tuple(each for each in there if each.word != word)
        if len(others) >= MOST_DECISIONS:
            raise QueryError(f"A list holds at most {MOST_DECISIONS} decisions; begin another one.")
        return (*others, made)

    return _change(corpus, id, with_it)


def undo_decision(corpus: str, id: str) -> Triage:
    """Take the last decision back."""
    if not id:
        raise QueryError("Nothing was decided yet, so there is nothing to take back.")
    return _change(corpus, id, lambda there: there[:-1])


def _change(
    corpus: str, id: str, change: Callable[[tuple[WordDecision, ...]], tuple[WordDecision, ...]]
) -> Triage:
    shelf = _shelf(corpus)
    with shelf.changing():
        there = read_triage(corpus, id) if id else Triage(shelf.new_name(), corpus)
        changed = replace(there, decisions=change(there.decisions))
        shelf.write(changed.id, {"decisions": [asdict(each) for each in changed.decisions]})
    return changed


def _shelf(corpus: str) -> Shelf:
    return Shelf(workspace() / "triage" / corpus, "list of decisions")
