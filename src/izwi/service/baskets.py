"""Baskets of quotations: kept with the user's things, each under a link of its own."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime

from izwi.model.errors import QueryError
from izwi.model.quotation import Basket, Quotation
from izwi.service.subcorpora import workspace
from izwi.store.shelf import Shelf

MOST_QUOTATIONS = 2000
_LONGEST_NOTE = 2000
# What a reader may say about a quotation.
NOTES = ("headword", "sense", "note")


def new_basket(corpus: str, quotations: Iterable[Quotation] = (), *, name: str = "") -> Basket:
    """Return a new basket with some quotations."""
    shelf = _shelf(corpus)
    basket = Basket(shelf.new_name(), corpus, name[:_LONGEST_NOTE], _now())
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
    kept = replace(basket, changed=_now())
    content = {
        "name": kept.name,
        "changed": kept.changed,
        "quotations": [asdict(each) for each in kept.quotations],
    }
    _shelf(kept.corpus).write(kept.id, content)
    return kept


def _shelf(corpus: str) -> Shelf:
    return Shelf(workspace() / "baskets" / corpus, "basket")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
