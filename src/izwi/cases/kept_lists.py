"""What readers keep, each list under a link of its own: quotations, searches, decisions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace

from izwi.model.errors import QueryError
from izwi.model.lexicography import DECISIONS, WordDecision
from izwi.model.notation import now_text
from izwi.model.reading import Basket, Quotation
from izwi.service.subcorpora import workspace
from izwi.store.people import Shelf

MOST_QUOTATIONS = 2000
_LONGEST_NOTE = 2000
# What a reader may say about a quotation.
NOTES = ("headword", "sense", "note")


def new_basket(corpus: str, quotations: Iterable[Quotation] = (), *, name: str = "") -> Basket:
    """Return a new basket with some quotations."""
    shelf = _shelf(corpus)
    basket = Basket(shelf.new_name(), corpus, name[:_LONGEST_NOTE], now_text())
    return _keep(replace(basket, quotations=_joined((), quotations)))


def read_basket(corpus: str, id: str) -> Basket:
    """Return a basket by the id in its link."""
    found = _shelf(corpus).read(id)
    quotations = tuple(Quotation(**row) for row in found["quotations"])
    return Basket(id, corpus, found["name"], found["changed"], quotations)


def add_quotations(corpus: str, id: str, quotations: Iterable[Quotation]) -> Basket:
    """Put quotations into a basket; one that is there already stays as it is."""
    return _change(corpus, id, lambda basket: _joined(basket.quotations, quotations))


def remove_quotation(corpus: str, id: str, hit: str) -> Basket:
    """Take a quotation out of a basket."""
    return _change(
        corpus, id, lambda basket: tuple(each for each in basket.quotations if each.hit != hit)
    )


def note_quotation(
    corpus: str, id: str, hit: str, *, headword: str, sense: str, note: str
) -> Basket:
    """Write what a reader says about a quotation."""
    headword, sense, note = (text[:_LONGEST_NOTE] for text in (headword, sense, note))

    def noted(basket: Basket) -> tuple[Quotation, ...]:
        return tuple(
            replace(each, headword=headword, sense=sense, note=note) if each.hit == hit else each
            for each in basket.quotations
        )

    return _change(corpus, id, noted)


def rename_basket(corpus: str, id: str, name: str) -> Basket:
    """Call a basket something else."""
    with _shelf(corpus).changing():
        return _keep(replace(read_basket(corpus, id), name=name[:_LONGEST_NOTE]))


def delete_basket(corpus: str, id: str) -> None:
    """Throw a basket away."""
    shelf = _shelf(corpus)
    with shelf.changing():
        shelf.delete(read_basket(corpus, id).id)


def _change(corpus: str, id: str, change: Callable[[Basket], tuple[Quotation, ...]]) -> Basket:
    with _shelf(corpus).changing():
        basket = read_basket(corpus, id)
        return _keep(replace(basket, quotations=change(basket)))


def _joined(there: Sequence[Quotation], new: Iterable[Quotation]) -> tuple[Quotation, ...]:
    joined = tuple({each.hit: each for each in (*new, *there)}.values())
    if len(joined) > MOST_QUOTATIONS:
        raise QueryError(
            f"A basket holds at most {MOST_QUOTATIONS} quotations; begin another one, or export "
            "the lines of the concordance."
        )
    known = {each.hit for each in there}
    return (*there, *(each for each in joined if each.hit not in known))


def _keep(basket: Basket) -> Basket:
    kept = replace(basket, changed=now_text())
    content = {
        "name": kept.name,
        "changed": kept.changed,
        "quotations": [asdict(each) for each in kept.quotations],
    }
    _shelf(kept.corpus).write(kept.id, content)
    return kept


def _shelf(corpus: str) -> Shelf:
    return Shelf(workspace() / "baskets" / corpus, "basket")


MOST_SEARCHES = 200
_LONGEST = 2000


@dataclass(frozen=True, slots=True)
class SavedSearch:
    """A search by its parameters as in an address, and what it found when it was saved."""

    name: str
    parameters: str
    saved: str
    version: int
    hits: int


@dataclass(frozen=True, slots=True)
class SavedSearches:
    """The searches under one link."""

    id: str
    corpus: str
    searches: tuple[SavedSearch, ...] = ()


def read_saved(corpus: str, id: str) -> SavedSearches:
    """Return the searches under a link."""
    found = _search_shelf(corpus).read(id)
    return SavedSearches(id, corpus, tuple(SavedSearch(**row) for row in found["searches"]))


def save_search(
    corpus: str, id: str, name: str, parameters: str, *, version: int, hits: int
) -> SavedSearches:
    """Save a search under a link, a new one if `id` is empty; the same search is saved once."""
    if max(len(name), len(parameters)) > _LONGEST:
        raise QueryError(f"A saved search has at most {_LONGEST} characters.")
    new = SavedSearch(name, parameters, now_text(), version, hits)
    shelf = _search_shelf(corpus)
    with shelf.changing():
        there = read_saved(corpus, id) if id else SavedSearches(shelf.new_name(), corpus)
        others = tuple(each for each in there.searches if each.parameters != parameters)
        if len(others) >= MOST_SEARCHES:
            raise QueryError(f"At most {MOST_SEARCHES} searches can be saved; remove one first.")
        return _keep_searches(replace(there, searches=(*others, new)))


def forget_search(corpus: str, id: str, parameters: str) -> SavedSearches:
    """Take a search away."""
    with _search_shelf(corpus).changing():
        there = read_saved(corpus, id)
        left = tuple(each for each in there.searches if each.parameters != parameters)
        return _keep_searches(replace(there, searches=left))


def _keep_searches(saved: SavedSearches) -> SavedSearches:
    content = {"searches": [asdict(each) for each in saved.searches]}
    _search_shelf(saved.corpus).write(saved.id, content)
    return saved


def _search_shelf(corpus: str) -> Shelf:
    return Shelf(workspace() / "searches" / corpus, "list of searches")


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
    found = _decision_shelf(corpus).read(id)
    return Triage(id, corpus, tuple(WordDecision(**row) for row in found["decisions"]))


def decide_word(corpus: str, id: str, word: str, decision: str) -> Triage:
    """Remember a decision, in a new list if `id` is empty."""
    if decision not in DECISIONS:
        raise QueryError(f"A decision is one of {', '.join(DECISIONS)}, not '{decision}'.")
    if not 0 < len(word) <= 200:
        raise QueryError("A decision is about a word of at most 200 characters.")
    made = WordDecision(word, decision, "reader", now_text())

    def with_it(there: tuple[WordDecision, ...]) -> tuple[WordDecision, ...]:
        others = tuple(each for each in there if each.word != word)
        if len(others) >= MOST_DECISIONS:
            raise QueryError(f"A list holds at most {MOST_DECISIONS} decisions; begin another one.")
        return (*others, made)

    return _change_decisions(corpus, id, with_it)


def undo_decision(corpus: str, id: str) -> Triage:
    """Take the last decision back."""
    if not id:
        raise QueryError("Nothing was decided yet, so there is nothing to take back.")
    return _change_decisions(corpus, id, lambda there: there[:-1])


def _change_decisions(
    corpus: str, id: str, change: Callable[[tuple[WordDecision, ...]], tuple[WordDecision, ...]]
) -> Triage:
    shelf = _decision_shelf(corpus)
    with shelf.changing():
        there = read_triage(corpus, id) if id else Triage(shelf.new_name(), corpus)
        changed = replace(there, decisions=change(there.decisions))
        shelf.write(changed.id, {"decisions": [asdict(each) for each in changed.decisions]})
    return changed


def _decision_shelf(corpus: str) -> Shelf:
    return Shelf(workspace() / "triage" / corpus, "list of decisions")
