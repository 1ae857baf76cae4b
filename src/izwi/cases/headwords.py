"""Headwords that are watched: the list, what the corpus says of it, what builds found."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from izwi.cases.case import CURATOR, READER, Doing, Nothing, Policy, Says, case_of, lines_of
from izwi.model.lexicography import Attestations

if TYPE_CHECKING:
    from izwi.service.folder import CorpusFolder
    from izwi.service.lexicography import Antedating


@dataclass(frozen=True, kw_only=True)
class WatchedWords:
    """Headwords with the dates known of them."""

    words: Annotated[
        Sequence[str],
        Says("A headword; after a tab its known date, after another its variants.",
             is_place=True, metavar="[WORD]...", example="bakkie\t1948", file=lines_of,
             file_option="list"),
    ] = ()  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ForgottenWords:
    """Headwords that are watched no more."""

    words: Annotated[
        Sequence[str], Says("Headwords.", is_place=True, metavar="WORD...", example="bakkie")
    ]


def watch_headwords(folder: "CorpusFolder", asked: WatchedWords, doing: Doing) -> tuple[str, ...]:
    """Watch headwords: every build looks for lines earlier than the dates known of them."""
    from izwi.service import lexicography
    from izwi.store.curation import changing

    with changing(folder._layout, doing.who) as desk:
        known = lexicography.watched(folder._layout)
        before = {each.word: None for each in known}
        rows = lexicography.rows_of(folder._layout, before)
        new = lexicography.watch(folder._layout, asked.words)
        desk.record("headwords", _named(tuple(new)), {word: rows.get(word) for word in new}, new)
    return tuple(new)


def forget_headwords(
    folder: "CorpusFolder", asked: ForgottenWords, doing: Doing
) -> tuple[str, ...]:
    """Watch headwords no more; what was found of them stays."""
    from izwi.service import lexicography
    from izwi.store.curation import changing

    with changing(folder._layout, doing.who) as desk:
        before = lexicography.rows_of(folder._layout, asked.words)
        gone = lexicography.forget(folder._layout, asked.words)
        rows = {word: before[word] for word in gone}
        desk.record("headwords", _named(gone), rows, dict.fromkeys(gone))
    return gone


def _named(words: Sequence[str]) -> str:
    return ", ".join(words[:5]) + (" ..." if len(words) > 5 else "")


def headword_watch(folder: "CorpusFolder", asked: Nothing, doing: Doing) -> Attestations:
    """Show what the corpus says of the watched headwords, antedatings first."""
    from izwi.query.deadline import Deadline
    from izwi.query.documents import Filter
    from izwi.service import lexicography

    number, segments = folder._snapshot(None)
    words = lexicography.watched(folder._layout)
    return folder._answers.of(
        ("headwords", number, words),
        lambda: lexicography.attestations(
            segments, words, chosen=Filter(), snapshot=number,
            deadline=Deadline(cancelled=doing.cancelled), listener=doing.listener,
        ),
    )  # fmt: skip


def headword_alerts(
    folder: "CorpusFolder", asked: Nothing, doing: Doing
) -> "tuple[Antedating, ...]":
    """List the earlier lines of watched headwords that builds found, the newest first."""
    from izwi.service import lexicography

    return lexicography.found_so_far(folder._layout)


def check_headwords(
    folder: "CorpusFolder", asked: Nothing, doing: Doing
) -> "tuple[Antedating, ...]":
    """Look now for earlier lines of watched headwords, as every build does; return the new ones."""
    return look(folder, lambda words: None)


def look(folder: "CorpusFolder", hear: Callable[[str], None]) -> "tuple[Antedating, ...]":
    """Return the earlier lines that nobody was told of yet, and tell of them."""
    from izwi.service import lexicography

    number, segments = folder._snapshot(None)
    new = lexicography.look(folder._layout, segments, number)
    own = folder.config
    title = own.corpus.title or own.corpus.name
    lexicography.tell(folder._layout, own.alerts, title, new, hear)
    return new


def _watched_told(asked: WatchedWords, words: Sequence[str], folder: Path) -> Iterator[str]:
    yield f"{len(words):,} headwords are watched. Look now: izwi headwords check {folder}"


def _forgotten_told(asked: ForgottenWords, words: Sequence[str], folder: Path) -> Iterator[str]:
    yield f"{', '.join(words)}: watched no more."


def _alerts_told(asked: Nothing, found: "Sequence[Antedating]", folder: Path) -> Iterator[str]:
    for each in found:
        by = f", {each.days:,} days before {each.known}" if each.days is not None else ""
        yield f"{each.headword}  {each.date}{by}  ({each.certainty}: {each.evidence})"
        yield f"  {each.text}  {each.publication} {each.url}"
    if not found:
        yield "Nothing earlier was found."


_case = partial(case_of, "Words")
_CHANGES = Policy("curator", "settings", record="itself")

CASES = (
    _case("watch_headwords", "headwords watch", "headwords", WatchedWords, watch_headwords,
          "bakkie --list dictionary.tsv", _CHANGES, key="words", status=201,
          tells=_watched_told),
    _case("forget_headwords", "headwords forget", "headwords/forget", ForgottenWords,
          forget_headwords, "bakkie", _CHANGES, key="words", tells=_forgotten_told),
    _case("headword_watch", "headwords list", "headwords", Nothing, headword_watch,
          policy=READER, context=("cancelled", "listener"), page="watch",
          template="watch.html"),
    _case("headword_alerts", "headwords alerts", "headwords/alerts", Nothing, headword_alerts,
          policy=READER, tells=_alerts_told),
    _case("check_headwords", "headwords check", "headwords/check", Nothing, check_headwords,
          policy=CURATOR, verb="POST", tells=_alerts_told),
)  # fmt: skip
