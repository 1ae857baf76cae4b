"""Two texts side by side, and the words that set one apart from another."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from izwi.analyse import collocations as company
from izwi.analyse import keywords as keys
from izwi.analyse.comparing import difference, shared_collocates, side_of
from izwi.analyse.references import from_list
from izwi.analyse.selection import Selection
from izwi.analyse.terms import candidate_terms, term_reference
from izwi.model.analyses import Collocate, Keywords, SharedCollocate, Side, TextComparison
from izwi.model.results import Listener
from izwi.query.deadline import Deadline
from izwi.query.tree import Query
from izwi.query.values import escaped
from izwi.service.querying import Understood
from izwi.service.texts import Text


@dataclass(frozen=True, slots=True)
class Ground:
    """Where something is counted: a version, the chosen documents, and how long it may take."""

    number: int
    selection: Selection
    name: str
    deadline: Deadline
    listener: Listener


@dataclass(frozen=True, slots=True)
class Comparison:
    """What is put side by side: a query, if any, how its collocates are counted, which keywords."""

    asked: Understood | None
    company: company.Asked
    keyness: str = "simple"


def keywords_of(
    selection: Selection, other: Text, asked: keys.Asked, name: str, ground: Ground
) -> Keywords:
    """Return the keywords of a text beside another one."""
    candidates = keys.candidate_words(selection, asked, ground.deadline)
    if other.list is not None:
        words = candidates.all_words()
        found = from_list(other.list, words, candidates.hits, candidates.attribute)
    else:
        found = keys.word_reference(
            candidates, other.chosen, name=other.name, deadline=ground.deadline
        )
    return keys.keyed(candidates, found, asked, name=name, snapshot=ground.number)


def terms_of(ground: Ground, other: Text, asked: keys.Asked, queries: Sequence[Query]) -> Keywords:
    """Return the terms that set a text apart from another, found by patterns of tags."""
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


def compared(ground: Ground, first: Text, second: Text, wanted: Comparison) -> TextComparison:
    """Return two texts side by side."""
    keyness = keys.Asked(wanted.keyness, choice=wanted.company.choice)
    here = keywords_of(first.chosen, second, keyness, first.name, ground)
    there = keywords_of(second.chosen, first, keyness, second.name, ground)
    sides = _sides(ground, first, second, wanted.asked)
    logratio, ll = difference(*sides) if sides else (None, None)
    return TextComparison(
        first=first.name,
        second=second.name,
        query=wanted.asked.text if wanted.asked else "",
        snapshot=ground.number,
        first_keywords=here,
        second_keywords=there,
        sides=sides,
        logratio=logratio,
        ll=ll,
        measure=wanted.company.measure,
        lines=_collocates(ground, first, second, wanted),
    )


def _sides(ground: Ground, first: Text, second: Text, asked: Understood | None) -> tuple[Side, ...]:
    if asked is None:
        return ()
    return tuple(
        side_of(text.chosen, asked.query, text.name, ground.deadline) for text in (first, second)
    )


def _collocates(
    ground: Ground, first: Text, second: Text, wanted: Comparison
) -> tuple[SharedCollocate, ...]:
    asked = wanted.asked
    if asked is None:
        return ()
    here, there = (_near(ground, text, asked, wanted.company) for text in (first, second))
    # What one text shows is looked up in the other, however weak it is there.
    here += _named(ground, first, asked, wanted.company, _missing(there, here))
    there += _named(ground, second, asked, wanted.company, _missing(here, there))
    return shared_collocates(here, there, wanted.company.measure)


def _near(
    ground: Ground, text: Text, asked: Understood, wanted: company.Asked
) -> tuple[Collocate, ...]:
    found = company.collocations(
        text.chosen,
        asked.query,
        wanted,
        text=asked.text,
        snapshot=ground.number,
        deadline=ground.deadline,
    )
    return found.lines


def _missing(shown: tuple[Collocate, ...], known: tuple[Collocate, ...]) -> list[str]:
    values = {line.value for line in known}
    return [line.value for line in shown if line.value not in values]


def _named(
    ground: Ground, text: Text, asked: Understood, wanted: company.Asked, values: list[str]
) -> tuple[Collocate, ...]:
    """Return those of some collocates that a text has at all."""
    if not values:
        return ()
    pattern = "|".join(escaped(value) for value in values)
    choice = replace(wanted.choice, pattern=pattern, least=1, most=len(values))
    return _near(ground, text, asked, replace(wanted, choice=choice))
