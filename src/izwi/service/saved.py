"""Saved searches: kept with the user's things under a link of their own, like baskets."""

from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime

from izwi.model.errors import QueryError
from izwi.service.subcorpora import workspace
from izwi.store.shelf import Shelf

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
    found = _shelf(corpus).read(id)
    return SavedSearches(id, corpus, tuple(SavedSearch(**row) for row in found["searches"]))


def save_search(
    corpus: str, id: str, name: str, parameters: str, *, version: int, hits: int
) -> SavedSearches:
    """Save a search under a link, a new one if `id` is empty; the same search is saved once."""
    if max(len(name), len(parameters)) > _LONGEST:
        raise QueryError(f"A saved search has at most {_LONGEST} characters.")
    new = SavedSearch(name, parameters, _now(), version, hits)
    shelf = _shelf(corpus)
    with shelf.changing():
        there = read_saved(corpus, id) if id else SavedSearches(shelf.new_name(), corpus)
        others = tuple(each for each in there.searches if each.parameters != parameters)
        if len(others) >= MOST_SEARCHES:
            raise QueryError(f"At most {MOST_SEARCHES} searches can be saved; remove one first.")
        return _keep(replace(there, searches=(*others, new)))


def forget_search(corpus: str, id: str, parameters: str) -> SavedSearches:
    """Take a search away."""
    with _shelf(corpus).changing():
        there = read_saved(corpus, id)
        left = tuple(each for each in there.searches if each.parameters != parameters)
        return _keep(replace(there, searches=left))


def _keep(saved: SavedSearches) -> SavedSearches:
    content = {"searches": [asdict(each) for each in saved.searches]}
    _shelf(saved.corpus).write(saved.id, content)
    return saved


def _shelf(corpus: str) -> Shelf:
    return Shelf(workspace() / "searches" / corpus, "list of searches")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
