"""What a take-down would take away: documents, tokens, and who else has the text."""

from collections.abc import Sequence
from dataclasses import dataclass

from izwi.index.reader import Segment
from izwi.service.takedown import target_of
from izwi.store.takedowns import Takedown

_MOST_TITLES = 50


@dataclass(frozen=True, slots=True)
class Affected:
    """A document by its title and address."""

    id: str
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class Foreseen:
    """What goes: how many documents and tokens, the first of them, and copies that would stay."""

    target: str
    documents: int
    tokens: int
    first: tuple[Affected, ...]
    staying: tuple[Affected, ...]


def foresee(segments: Sequence[Segment], target: str) -> Foreseen:
    """Return what taking down a URL or a host would take away; nothing is changed."""
    wanted = Takedown(target_of(target), "", "")
    going: list[Affected] = []
    tokens = 0
    for segment in segments:
        for number, url in enumerate(segment.cards.column("url").to_pylist()):
            if wanted.covers(url):
                going.append(_affected(segment, number))
                tokens += int(segment.document_lengths[number])
    staying = _relatives(segments, wanted, {each.id for each in going})
    return Foreseen(wanted.target, len(going), tokens, tuple(going[:_MOST_TITLES]), staying)


def _relatives(
    segments: Sequence[Segment], wanted: Takedown, going: set[str]
) -> tuple[Affected, ...]:
    """Return documents elsewhere that have the text of one that goes: originals and copies."""
    pairs = [
        (segment, number, owner)
        for segment in segments
        for number, owner in enumerate(segment.cards.column("copy_of").to_pylist())
        if owner
    ]
    originals = {owner for segment, number, owner in pairs if _id(segment, number) in going}
    found = [
        _affected(segment, number)
        for segment, number, owner in pairs
        if owner in going or owner in originals
    ]
    found += [
        _affected(segment, number)
        for segment in segments
        for number, id in enumerate(segment.cards.column("id").to_pylist())
        if id in originals
    ]
    others = {each.id: each for each in found if not wanted.covers(each.url)}
    return tuple(others.values())[:_MOST_TITLES]


def _affected(segment: Segment, number: int) -> Affected:
    id, title, url = (segment.cards.column(name)[number].as_py() for name in ("id", "title", "url"))
    return Affected(id, title or url, url)


def _id(segment: Segment, number: int) -> str:
    return str(segment.cards.column("id")[number].as_py())
