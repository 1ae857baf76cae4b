"""Counts: how often, where, in which company, what sets a text apart, how it changed."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from izwi.cases.case import Case, Doing, Says, place
from izwi.cases.questions import (
    LETTERS,
    Documents,
    Listed,
    Question,
    about,
    in_words,
    kept,
    selection_of,
    understood_in,
)
from izwi.model.analyses import (
    Collocations,
    Dispersion,
    Frequencies,
    Keywords,
    TextComparison,
    Trend,
    WordList,
)

if TYPE_CHECKING:
    from izwi.service.folder import CorpusFolder

_MEASURES = "mi, mi3, t, z, ll, chi2, dice, logdice, minsens, deltap, deltap_back"
_TEXT = "subcorpus:NAME, where:CONDITION, a corpus folder or a frequency list"


@dataclass(frozen=True, kw_only=True)
class By(Question):
    """What a query is counted by."""

    by: Annotated[
        str, Says("publication, source, host, year, month, word, lemma, L1.word, target[+1].lemma")
    ] = "publication"  # fmt: skip
    and_by: Annotated[str, Says("A second thing to count by.")] = ""
    sort: Annotated[str, Says("hits, rate or value.")] = "hits"
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 1
    most: Annotated[int, Says("At most so many lines.", least=1, web_most=10_000)] = 100


@dataclass(frozen=True, kw_only=True)
class Spread(Question):
    """Over what a query is spread."""

    by: Annotated[str, Says("document, publication, source, host, year, ...")] = "document"
    most: Annotated[int, Says("At most so many lines.", least=1, web_most=10_000)] = 100


@dataclass(frozen=True, kw_only=True)
class OverTime(Question):
    """By which period a query is followed."""

    by: Annotated[
        str, Says("auto (by how much there is), day, week, month, quarter, year or decade.")
    ] = "auto"
    panel: Annotated[bool, Says("Only publications with text in every period.")] = False


@dataclass(frozen=True, kw_only=True)
class Words(Listed):
    """Which words, in which order."""

    sort: Annotated[str, Says("hits, value, documents or sites (publications).")] = "hits"


@dataclass(frozen=True, kw_only=True)
class Sequences(Listed):
    """Sequences of how many words, inside what."""

    size: Annotated[int, place("How many words, 1 to 8.")] = 2
    within: Annotated[str, Says("What a sequence lies in: s, p or doc.")] = "s"
    holding: Annotated[
        str, Says("Only sequences with a word this expression matches.", example="bakkies?")
    ] = ""  # fmt: skip
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 2
    timeout: Annotated[float | None, Says("Stop after so many seconds.", is_asked=False)] = 300.0


@dataclass(frozen=True, kw_only=True)
class Near(Listed, Question):
    """How far from the query, how counted, by which measure."""

    left: Annotated[int, Says("Tokens to the left.")] = 5
    right: Annotated[int, Says("Tokens to the right.")] = 5
    counting: Annotated[
        str, Says("tokens (in the window), sentence (tokens), or hits (once each).")
    ] = "tokens"  # fmt: skip
    measure: Annotated[str, Says(f"{_MEASURES}; or left, right, total, frequency.")] = "logdice"
    over: Annotated[str, Says("Also count by this period: year, month, ...")] = ""
    words: Annotated[
        str, Says("all, or content: nouns, verbs, adjectives and adverbs only.")
    ] = "all"  # fmt: skip
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 3


@dataclass(frozen=True, kw_only=True)
class Apart(Listed):
    """From what a text is set apart, and by which measure."""

    reference: Annotated[
        str | Path, Says(f"{_TEXT}; the rest of the corpus if absent.", names="text", is_first=True)
    ] = ""  # fmt: skip
    measure: Annotated[str, Says("simple, logratio, ll or diff.")] = "simple"
    smoothing: Annotated[float, Says("The constant of simple maths.")] = 1.0
    sites: Annotated[int, Says("In at least so many publications.")] = 2
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 5
    timeout: Annotated[float | None, Says("Stop after so many seconds.", is_asked=False)] = 60.0


@dataclass(frozen=True, kw_only=True)
class TermsApart(Apart):
    """The same of terms, which are found by patterns of tags."""

    patterns: Annotated[
        tuple[str, ...], Says("A pattern of tags; repeatable. Nouns if absent.", name="cql")
    ] = ()
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 3


@dataclass(frozen=True, kw_only=True)
class TwoTexts(Documents):
    """Two texts, and a query that may be compared too."""

    first: Annotated[str | Path, place(f"{_TEXT}.", names="text", example='where:source=".*pages"')]
    second: Annotated[str | Path, place("The same; the whole corpus if absent.", names="text")] = ""
    query: Annotated[str, Says("Also compare this word, phrase or CQL.", address="q")] = ""
    measure: Annotated[str, Says("The measure of collocates.")] = "logdice"
    keyness: Annotated[str, Says("The measure of keywords.")] = "simple"
    attribute: Annotated[str, Says("word, lc, lemma, pos; words in lower case if absent.")] = ""
    least: Annotated[int, Says("Leave out what is rarer.", least=0)] = 3
    most: Annotated[int, Says("At most so many lines.", least=1, web_most=10_000)] = 50
    timeout: Annotated[float | None, Says("Stop after so many seconds.", is_asked=False)] = 60.0


def frequencies(folder: "CorpusFolder", asked: By, doing: Doing) -> Frequencies:
    """Count a query by metadata, period, form or neighbour, in one or two dimensions."""
    from izwi.analyse.frequency import Counting, frequencies

    wanted = Counting(asked.by, asked.and_by, asked.sort, asked.least, asked.most)
    return about(folder, asked, doing, wanted, partial(frequencies, wanted=wanted))


def dispersion(folder: "CorpusFolder", asked: Spread, doing: Doing) -> Dispersion:
    """Say how evenly a query is spread over documents, sources or other parts."""
    from izwi.analyse.frequency import dispersion

    count = partial(dispersion, by=asked.by, most=asked.most)
    return about(folder, asked, doing, ("dispersion", asked.by, asked.most), count)


def trend(folder: "CorpusFolder", asked: OverTime, doing: Doing) -> Trend:
    """Follow a query through time: rates with intervals, slope, changes of level."""
    from izwi.analyse.trends import trend

    count = partial(trend, by=asked.by, has_panel=asked.panel)
    return about(folder, asked, doing, ("trend", asked.by, asked.panel), count)


def collocations(folder: "CorpusFolder", asked: Near, doing: Doing) -> Collocations:
    """List the words near a query with all measures of attraction, left and right apart.

    With `words="content"` only nouns, verbs, adjectives and adverbs, by their tags.
    """
    from izwi.analyse import collocations

    wanted = collocations.CollocationsAsked(
        asked.left, asked.right, asked.counting, asked.measure, asked.choice, asked.over,
        asked.words,
    )  # fmt: skip
    return about(folder, asked, doing, wanted, partial(collocations.collocations, asked=wanted))


def wordlist(folder: "CorpusFolder", asked: Words, doing: Doing) -> WordList:
    """List the words of the chosen text by frequency, with their spread."""
    from izwi.analyse.wordlists import word_list

    choice, selection = asked.choice, selection_of(folder, asked, doing)
    count = partial(word_list, selection, choice, sort=asked.sort)
    return kept(folder, selection, ("wordlist", choice, asked.sort), count)


def ngrams(folder: "CorpusFolder", asked: Sequences, doing: Doing) -> WordList:
    """List the most frequent sequences of so many words."""
    from izwi.analyse import ngrams

    wanted = ngrams.NgramsAsked(asked.size, asked.within, asked.choice, asked.holding)
    selection = selection_of(folder, asked, doing)
    return kept(folder, selection, wanted, partial(ngrams.ngram_list, selection, wanted))


def keywords(folder: "CorpusFolder", asked: Apart, doing: Doing) -> Keywords:
    """List the words that set a text apart from the rest, another text or a frequency list."""
    from izwi.analyse import keywords
    from izwi.service.comparing import keywords_of, reference_text

    wanted = keywords.KeywordsAsked(asked.measure, asked.smoothing, asked.sites, asked.choice)
    selection = selection_of(folder, asked, doing)
    other = reference_text(asked.reference, folder.name, folder.path, selection)
    return kept(
        folder, selection, ("keywords", wanted, other.key),
        lambda: keywords_of(selection, other, wanted, in_words(selection, asked)),
    )  # fmt: skip


def terms(folder: "CorpusFolder", asked: TermsApart, doing: Doing) -> Keywords:
    """List the terms of several words, found by tag patterns, that set a text apart."""
    from izwi.analyse import keywords
    from izwi.analyse.ngrams import term_patterns
    from izwi.service.comparing import reference_text, terms_of

    wanted = keywords.KeywordsAsked(asked.measure, asked.smoothing, asked.sites, asked.choice)
    selection = selection_of(folder, asked, doing)
    other = reference_text(asked.reference, folder.name, folder.path, selection)
    queries = term_patterns(selection, asked.patterns)
    return kept(
        folder, selection, ("terms", wanted, other.key, queries),
        lambda: terms_of(selection, other, wanted, in_words(selection, asked), *queries),
    )  # fmt: skip


def compare(folder: "CorpusFolder", asked: TwoTexts, doing: Doing) -> TextComparison:
    """Put two corpora or subcorpora side by side: keywords, a query, and its collocates."""
    from izwi.analyse import collocations
    from izwi.analyse.vocabulary import Choice
    from izwi.service.comparing import ComparisonAsked, compared, text_named

    selection = selection_of(folder, asked, doing)
    texts = [
        text_named(each, folder.name, folder.path, selection)
        for each in (asked.first, asked.second)
    ]
    query = understood_in(folder, selection, asked, asked.query) if asked.query.strip() else None
    choice = Choice(asked.attribute, LETTERS, (), asked.least, asked.most, asked.case)
    near = collocations.CollocationsAsked(measure=asked.measure, choice=choice)
    wanted = ComparisonAsked(query, near, asked.keyness)
    return kept(
        folder, selection, ("compare", wanted, *(each.key for each in texts)),
        lambda: compared(texts[0], texts[1], wanted),
    )  # fmt: skip


def _case(method: str, request: type, do: Any, example: str, command: str = "") -> Case[Any, Any]:
    return Case(
        method, command or method, f"GET /api/v1/c/{{corpus}}/{method}", request, do,
        f"izwi {command or method} {example}", "Counts", context=("cancelled", "listener"),
        is_drawn=True,
    )  # fmt: skip


CASES = (
    _case("frequencies", By, frequencies, "news bakkie --by year", "freq"),
    _case("wordlist", Words, wordlist, "news --attribute lemma --most 50"),
    _case("ngrams", Sequences, ngrams, "news 3"),
    _case("dispersion", Spread, dispersion, "news bakkie --by source"),
    _case("collocations", Near, collocations, "news bakkie --measure logdice"),
    _case("keywords", Apart, keywords, """news --where 'source="herald"'"""),
    _case("terms", TermsApart, terms, """news --where 'source="herald"'"""),
    _case("trend", OverTime, trend, "news bakkie --by year"),
    _case("compare", TwoTexts, compare, """news 'where:source="herald"' 'where:source="post"'"""),
)
