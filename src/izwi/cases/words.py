"""What lexicographers ask: sketches, similar words, examples, new words, first dates, headwords."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.case import (
    CURATOR,
    READER,
    Case,
    Column,
    Doing,
    Nothing,
    Policy,
    Says,
    case_of,
    lines_of,
    place,
)
from izwi.cases.questions import (
    PATIENT_SECONDS,
    Documents,
    Question,
    kept,
    selection_of,
    understood_in,
)
from izwi.model.commands import typed
from izwi.model.errors import QueryError
from izwi.model.languages import iso639_3
from izwi.model.lexicography import (
    Attestations,
    DoubtfulLemmas,
    GoodExamples,
    Headword,
    NewWords,
    Sketch,
    SketchDifference,
    Thesaurus,
)

if TYPE_CHECKING:
    from izwi.analyse.selection import Selection
    from izwi.analyse.sketches import Wish
    from izwi.service.folder import CorpusFolder
    from izwi.service.lexicography import Antedating


_HEADWORD = "A headword; after a tab its known date, after another its variants."


@dataclass(frozen=True, kw_only=True)
class WatchedWords:
    """Headwords with the dates known of them."""

    words: Annotated[
        Sequence[str],
        place(_HEADWORD, metavar="[WORD]...", example="bakkie\t1948", file=lines_of,
              file_option="list"),
    ] = ()  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class ForgottenWords:
    """Headwords that are watched no more."""

    words: Annotated[Sequence[str], place("Headwords.", metavar="WORD...", example="bakkie")]


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
    from izwi.analyse.selection import Selection
    from izwi.index.limits import Deadline
    from izwi.query.engine import Filter
    from izwi.service import lexicography

    number, segments = folder._snapshot(None)
    deadline = Deadline(cancelled=doing.cancelled)
    everything = Selection(segments, Filter(), None, number, deadline, doing.listener)
    words = lexicography.watched(folder._layout)
    return folder._answers.of(
        ("headwords", number, words), lambda: lexicography.attestations(everything, words)
    )


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
    watched = "1 headword is" if len(words) == 1 else f"{len(words):,} headwords are"
    yield f"{watched} watched. Look now: izwi headwords check {typed(folder)}"


def _forgotten_told(asked: ForgottenWords, words: Sequence[str], folder: Path) -> Iterator[str]:
    yield f"{', '.join(words)}: watched no more."


def _alerts_told(asked: Nothing, found: "Sequence[Antedating]", folder: Path) -> Iterator[str]:
    for each in found:
        by = f", {each.days:,} days before {each.known}" if each.days is not None else ""
        yield f"{each.headword}  {each.date}{by}  ({each.certainty}: {each.evidence})"
        yield f"  {each.text}  {each.publication} {each.url}"
    if not found:
        yield "Nothing earlier was found."


# A sketch keeps more than it shows, so that two of them can be compared.
_COMPARED = 500
# How far back new words are looked for if nobody says.
_A_YEAR = timedelta(days=365)


@dataclass(frozen=True, kw_only=True)
class Word(Documents):
    """A word, and how much is told of its company."""

    word: Annotated[str, place("A word.", example="bakkie")]
    pos: Annotated[str, Says("noun, verb, adjective or adverb.")] = ""
    language: Annotated[str, Says("The language; the corpus's own if absent.")] = ""
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 2
    most: Annotated[int, Says("At most so many.", least=1, web_most=1000)] = 20


@dataclass(frozen=True, kw_only=True)
class TwoWords(Word):
    """Two words whose company is compared."""

    other: Annotated[str, place("The word to compare it with.", example="taxi")]


@dataclass(frozen=True, kw_only=True)
class Likeness(Word):
    """How many similar words, and how often they stand in a relation."""

    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 5
    most: Annotated[int, Says("At most so many.", least=1, web_most=1000)] = 40
    timeout: Annotated[
        float | None, Says("Stop after so many seconds.", is_asked=False)
    ] = PATIENT_SECONDS  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Examples(Question):
    """How many examples, and what makes one worse."""

    most: Annotated[int, Says("At most so many.", least=1, web_most=200)] = 10
    avoid: Annotated[tuple[str, ...], Says("Sentences with this word are worse; repeatable.")] = ()
    language: Annotated[str, Says("The language; the corpus's own if absent.")] = ""


@dataclass(frozen=True, kw_only=True)
class Newness(Documents):
    """What counts as a new word."""

    lists: Annotated[
        tuple[str | Path, ...],
        Says("A list of words that are known; repeatable.", name="list", metavar="FILE",
             names="list"),
    ] = ()  # fmt: skip
    least: Annotated[int, Says("Hits there must be in the period.", least=1)] = 3
    sites: Annotated[int, Says("In at least so many publications.", least=1)] = 2
    most: Annotated[int, Says("At most so many.", least=1, web_most=1000)] = 100
    general: Annotated[bool, Says("Words of the general list of the language, too.")] = False
    decided: Annotated[bool, Says("Show words decided before, too.")] = False
    timeout: Annotated[
        float | None, Says("Stop after so many seconds.", is_asked=False)
    ] = PATIENT_SECONDS  # fmt: skip


@dataclass(frozen=True, kw_only=True)
class Doubts(Documents):
    """Which doubtful lemmas are listed."""

    language: Annotated[str, Says("The language; the corpus's own if absent.")] = ""
    least: Annotated[int, Says("Hits there must be.", least=1)] = 2
    most: Annotated[int, Says("At most so many.", least=1, web_most=1000)] = 100
    timeout: Annotated[
        float | None, Says("Stop after so many seconds.", is_asked=False)
    ] = PATIENT_SECONDS  # fmt: skip


def _headwords_in(path: Path) -> Iterable[Headword]:
    from izwi.service.lexicography import headwords

    return headwords(path)


@dataclass(frozen=True, kw_only=True)
class Headwords(Documents):
    """Headwords whose first dates are looked for."""

    words: Annotated[
        Iterable[str | Headword],
        place(_HEADWORD, address="word", example="bakkie", metavar="[WORD]...",
              file=_headwords_in, file_option="list"),
    ]  # fmt: skip
    timeout: Annotated[
        float | None, Says("Stop after so many seconds.", is_asked=False)
    ] = PATIENT_SECONDS  # fmt: skip


def word_sketch(folder: "CorpusFolder", asked: Word, doing: Doing) -> Sketch:
    """Say which words stand in which relations to a word, by tag patterns of the language."""
    from izwi.analyse.sketches import Wish

    selection = selection_of(folder, asked, doing)
    wish = Wish(asked.pos, asked.least, asked.most, selection.chosen)
    return _sketch(folder, selection, asked.word, wish, asked.language)


def sketch_difference(folder: "CorpusFolder", asked: TwoWords, doing: Doing) -> SketchDifference:
    """Say how the company of two words differs, relation by relation."""
    from izwi.analyse.sketches import Wish, difference

    selection = selection_of(folder, asked, doing)
    # Checked before more is kept than is shown.
    Wish(asked.pos, asked.least, asked.most)
    shown = max(asked.most, _COMPARED)
    wish = Wish(asked.pos, asked.least, shown, selection.chosen)
    one, two = (
        _sketch(folder, selection, each, wish, asked.language) for each in (asked.word, asked.other)
    )
    return difference(one, two, most=asked.most)


def thesaurus(folder: "CorpusFolder", asked: Likeness, doing: Doing) -> Thesaurus:
    """List the words most like a word in the company they keep, with what they share."""
    from izwi.analyse.sketches import Wish
    from izwi.analyse.thesaurus import thesaurus
    from izwi.service import lexicography

    selection = selection_of(folder, asked, doing)
    segments = selection.segments
    wish = Wish(asked.pos, asked.least, asked.most, selection.chosen)
    grammar = lexicography.grammar_of(asked.language, folder.config, segments, folder.path)
    found = partial(thesaurus, selection, grammar, asked.word, wish)
    return kept(folder, selection, ("thesaurus", grammar, asked.word, wish), found)


def good_examples(folder: "CorpusFolder", asked: Examples, doing: Doing) -> GoodExamples:
    """Find the sentences that show a word best, with the score of each factor by factor."""
    from izwi.service import lexicography

    selection = selection_of(folder, asked, doing)
    segments = selection.segments
    spoken = asked.language or lexicography.main_language(folder.config, segments)
    query = understood_in(folder, selection, replace(asked, case=False), asked.query)
    wanted = (asked.most, asked.avoid, spoken)
    found = partial(lexicography.examples, selection, query, *wanted)
    return kept(folder, selection, ("examples", query, *wanted), found)


def new_words(folder: "CorpusFolder", asked: Newness, doing: Doing) -> NewWords:
    """List words first seen in a period that spread over publications, scored with the reasons.

    Words of the general list of the language, of the lists given, and words decided before are left
    out; what looks like a name or a slip comes after the words.
    """
    from izwi.analyse.attestations import last_day
    from izwi.analyse.new_words import Search, new_words
    from izwi.service import lexicography
    from izwi.store.curation import read_word_decisions

    selection = selection_of(folder, replace(asked, since=None, until=None), doing)
    since, until = _period(asked.since, asked.until, last_day(selection.segments))
    decided = read_word_decisions(folder._layout)
    known = lexicography.known_words(folder.path, asked.lists)
    language = lexicography.main_language(folder.config, selection.segments)
    listed = lexicography.general_list(language, folder.config) if not asked.general else None
    search = Search(
        since=since, until=until, least=asked.least, sites=asked.sites, most=asked.most,
        known=known,
        decision_by_word={each.word.casefold(): each.decision for each in decided},
        has_decided=asked.decided, is_general=listed.holds if listed else None,
        general=listed.name if listed else "",
        has_small_nouns=iso639_3(language) not in _CAPITAL_NOUNS,
    )  # fmt: skip
    wanted = (since, until, asked.least, asked.sites, asked.most, asked.decided)
    key = ("new words", wanted, decided, known, listed)
    return kept(folder, selection, key, partial(new_words, selection, search))


def doubtful_lemmas(folder: "CorpusFolder", asked: Doubts, doing: Doing) -> DoubtfulLemmas:
    """List lemmas that no word list attests and no word is spelt like, with what they may be.

    Write the right ones into the lexicon of the corpus ([annotate.CODE] lexicon): it comes first.
    """
    from izwi.analyse.doubtful_lemmas import doubtful_lemmas
    from izwi.service import lexicography

    selection = selection_of(folder, asked, doing)
    language = asked.language or lexicography.main_language(folder.config, selection.segments)
    listed = lexicography.lemma_list(language, folder.config)
    find = partial(
        doubtful_lemmas, selection, listed.language, listed.attests, listed.offers,
        least=asked.least, most=asked.most,
    )  # fmt: skip
    return kept(folder, selection, ("doubtful lemmas", listed, asked.least, asked.most), find)


def attestations(folder: "CorpusFolder", asked: Headwords, doing: Doing) -> Attestations:
    """Find the first dated line of each headword, and whether it antedates a known date."""
    from izwi.service import lexicography

    selection = selection_of(folder, asked, doing)
    headwords = [
        each if isinstance(each, Headword) else lexicography.headword_of(each)
        for each in asked.words
    ]  # fmt: skip
    return lexicography.attestations(selection, headwords)


def _sketch(
    folder: "CorpusFolder", selection: "Selection", word: str, wish: "Wish", language: str
) -> Sketch:
    from izwi.analyse.sketches import sketch
    from izwi.service import lexicography

    segments = selection.segments
    grammar = lexicography.grammar_of(language, folder.config, segments, folder.path)
    found = partial(sketch, selection, grammar, word, wish)
    return kept(folder, selection, ("sketch", grammar, word, wish), found)


def _period(since: date | None, until: date | None, last: date | None) -> tuple[date, date]:
    """Return the period in which words are to be new: the last year, if none is given."""
    if last is None:
        raise QueryError("No document has a date, so that nothing can be told to be new.")
    end = until or last
    return since or end - _A_YEAR, end


def _case(
    method: str, command: str, request: type, do: Any, example: str, **more: Any
) -> Case[Any, Any]:
    route = more.pop("route", command)
    return Case(
        method, command, f"GET /api/v1/c/{{corpus}}/{route}", request, do,
        f"izwi {command} {example}", "Words", context=("cancelled", "listener"), **more,
    )  # fmt: skip


_DOUBTFUL = (
    Column("lemma", "Lemma"),
    Column("hits", "Hits", "number"),
    Column("form_list", "Forms"),
    Column("other_list", "Perhaps"),
)


def _no_doubts(asked: Doubts, found: DoubtfulLemmas, folder: Path) -> Iterator[str]:
    yield f"No lemma is doubtful (version {found.snapshot})."


# Languages that write every noun with a capital.
_CAPITAL_NOUNS = ("deu", "ltz")

_watch_case = partial(case_of, "Words")
_WATCH_POLICY = Policy("curator", "settings", record="itself")

CASES = (
    _case("word_sketch", "sketch", Word, word_sketch, "news bakkie", is_drawn=True,
          page="sketch", template="sketch.html"),
    _case("sketch_difference", "sketch-difference", TwoWords, sketch_difference,
          "news bakkie taxi", is_drawn=True, route="sketch/difference",
          page="sketch-difference", template="sketch.html"),
    _case("thesaurus", "thesaurus", Likeness, thesaurus, "news bakkie", is_drawn=True,
          page="thesaurus", template="sketch.html"),
    _case("good_examples", "examples", Examples, good_examples, "news bakkie --most 5",
          flags={"factors": "Say what each score is made of."}),
    _case("new_words", "new-words", Newness, new_words, "news --from 2020", is_drawn=True),
    _case("doubtful_lemmas", "report lemmas", Doubts, doubtful_lemmas, "news --least 5",
          route="doubtful-lemmas", columns=_DOUBTFUL, none=_no_doubts),
    _case("attestations", "attestations", Headwords, attestations, "news bakkie lobola"),
    _watch_case("watch_headwords", "headwords watch", "headwords", WatchedWords, watch_headwords,
          "bakkie --list dictionary.tsv", _WATCH_POLICY, key="words", status=201,
          tells=_watched_told),
    _watch_case("forget_headwords", "headwords forget", "headwords/forget", ForgottenWords,
          forget_headwords, "bakkie", _WATCH_POLICY, key="words", tells=_forgotten_told),
    _watch_case("headword_watch", "headwords list", "headwords", Nothing, headword_watch,
          policy=READER, context=("cancelled", "listener"), page="watch",
          template="watch.html"),
    _watch_case("headword_alerts", "headwords alerts", "headwords/alerts", Nothing, headword_alerts,
          policy=READER, tells=_alerts_told),
    _watch_case("check_headwords", "headwords check", "headwords/check", Nothing, check_headwords,
          policy=CURATOR, verb="POST", tells=_alerts_told),
)  # fmt: skip
