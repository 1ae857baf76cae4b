"""The use cases of a corpus as methods, by the modules that hold them.

Made by tools/generate_reference.py from izwi/cases; change those, then run ./run.sh docs.
"""
# fmt: off
# ruff: noqa

import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

from izwi.cases.packs import Pack
from izwi.curation.decisions import Audit
from izwi.curation.labelling import TrainedModel
from izwi.curation.source_preview import SourcePreview
from izwi.curation.takedown import TakedownReport
from izwi.model.analyses import Collocations
from izwi.model.analyses import Dispersion
from izwi.model.analyses import Frequencies
from izwi.model.analyses import Keywords
from izwi.model.analyses import TextComparison
from izwi.model.analyses import Trend
from izwi.model.analyses import WordList
from izwi.model.curation import Change
from izwi.model.curation import Comparison
from izwi.model.curation import Decision
from izwi.model.curation import Foreseen
from izwi.model.curation import Inspection
from izwi.model.curation import Judgement
from izwi.model.curation import LabelledPage
from izwi.model.lexicography import Attestations
from izwi.model.lexicography import DoubtfulLemmas
from izwi.model.lexicography import GoodExamples
from izwi.model.lexicography import Headword
from izwi.model.lexicography import NewWords
from izwi.model.lexicography import Sketch
from izwi.model.lexicography import SketchDifference
from izwi.model.lexicography import Thesaurus
from izwi.model.lexicography import WordDecision
from izwi.model.portal import Inventory
from izwi.model.portal import Suggestion
from izwi.model.reading import ArchivedPage
from izwi.model.reading import DocumentList
from izwi.model.reading import DocumentView
from izwi.model.reading import ExportReport
from izwi.model.reading import Quotation
from izwi.model.reports import CorpusCard
from izwi.model.reports import CorpusComparison
from izwi.model.reports import Coverage
from izwi.model.reports import Growth
from izwi.model.reports import HostBias
from izwi.model.reports import RunState
from izwi.model.reports import SourceCheck
from izwi.model.reports import SourceHealth
from izwi.model.results import Concordance
from izwi.model.results import CopyCluster
from izwi.model.results import Copying
from izwi.model.results import CorpusStatus
from izwi.model.results import CorpusSummary
from izwi.model.results import Finding
from izwi.model.results import KwicLine
from izwi.model.results import LanguageShare
from izwi.model.results import Ledger
from izwi.model.results import PublishedVersion
from izwi.model.results import RunReport
from izwi.model.results import SourceSummary
from izwi.query.engine import Explanation
from izwi.service.folder import CorpusFolder
from izwi.service.ledger import ReasonSample
from izwi.service.lexicography import Antedating
from izwi.service.subcorpora import Subcorpus
from izwi.store.backup import BackupReport
from izwi.store.takedowns import Takedown
from izwi.model.results import Listener, ignore

class Methods:
    """The use cases of a corpus as methods."""

    def concordance(
        self, query: str, *, sort: str = "date", page: int = 1, size: int = 50,
        context: int = 12, seed: int = 1, unit: str = "tokens", near: str = "", window: int = 5,
        first: bool = False, sample: int = 0, show: tuple[str, ...] = (),
        translate: str | Path = "", version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, timeout: float | None = 30.0,
        mode: str = "auto", cancelled: threading.Event | None = None
    ) -> Concordance:
        """Find a word, a phrase or a CQL query and return one page of its lines in context.

        It ends with QueryTimeout after so many seconds, or once `cancelled` is set elsewhere.

        query: A word, a phrase or CQL.
        sort: date, newest, left, node, right, publication, source, random, example, or tokens such as matchend[1].lemma; several with commas.
        page: Which page of lines.
        size: Lines a page.
        context: Tokens on each side.
        seed: Which of the random orders.
        unit: What is shown: context tokens or characters, the sentence or paragraph.
        near: Only lines with this (CQL) nearby.
        window: How many tokens away near looks.
        first: Only the first line of each document.
        sample: At most so many lines, by chance (seed).
        show: Give this attribute of each token, too; repeatable.
        translate: Search for translations: a list (word, tab, translation), or the address of a LibreTranslate-like service.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def explain(
        self, query: str, *, mode: str = "auto", case: bool = False, version: int | None = None
    ) -> Explanation:
        """Say how a query will be answered and what it will cost, without running it.

        query: A word, a phrase or CQL.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        """

    def hit(
        self, id: str, *, context: int = 12, unit: str = "tokens", version: int | None = None
    ) -> KwicLine:
        """Return the line of one hit by its permanent id.

        id: The id of a line, as --json gives it.
        context: Tokens on each side.
        unit: What is shown: context tokens or characters, the sentence or paragraph.
        version: A version of the corpus; the newest if absent.
        """

    def quotations(
        self, hits: Iterable[str] = (), *, query: str = "", most: int = 100, context: int = 12,
        version: int | None = None
    ) -> tuple[Quotation, ...]:
        """Return hits as quotations, by their permanent ids or as the first of a query.

        hits: Ids of lines, as --json gives them.
        query: Quote the first hits of this query.
        most: So many of them at most.
        context: Tokens on each side.
        version: A version of the corpus; the newest if absent.
        """

    def frequencies(
        self, query: str, *, by: str = "publication", and_by: str = "", sort: str = "hits",
        least: int = 1, most: int = 100, version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, timeout: float | None = 30.0,
        mode: str = "auto", cancelled: threading.Event | None = None,
        listener: Listener = ignore
    ) -> Frequencies:
        """Count a query by metadata, period, form or neighbour, in one or two dimensions.

        query: A word, a phrase or CQL.
        by: publication, source, host, year, month, word, lemma, L1.word, target[+1].lemma
        and_by: A second thing to count by.
        sort: hits, rate or value.
        least: Leave out what is rarer.
        most: At most so many lines.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def wordlist(
        self, *, sort: str = "hits", version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, timeout: float | None = 30.0,
        mode: str = "auto", attribute: str = "", pattern: str = ".*\\p{L}.*",
        stop: tuple[str, ...] = (), least: int = 1, most: int = 100,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> WordList:
        """List the words of the chosen text by frequency, with their spread.

        sort: hits, value, documents or sites (publications).
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        least: Leave out what is rarer.
        most: At most so many lines.
        """

    def ngrams(
        self, size: int = 2, *, timeout: float | None = 300.0, least: int = 2,
        within: str = "s", holding: str = "", version: int | None = None,
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, mode: str = "auto", attribute: str = "",
        pattern: str = ".*\\p{L}.*", stop: tuple[str, ...] = (), most: int = 100,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> WordList:
        """List the most frequent sequences of so many words.

        size: How many words, 1 to 8.
        timeout: Stop after so many seconds.
        least: Leave out what is rarer.
        within: What a sequence lies in: s, p or doc.
        holding: Only sequences with a word this expression matches.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        most: At most so many lines.
        """

    def dispersion(
        self, query: str, *, by: str = "document", most: int = 100, version: int | None = None,
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, timeout: float | None = 30.0,
        mode: str = "auto", cancelled: threading.Event | None = None,
        listener: Listener = ignore
    ) -> Dispersion:
        """Say how evenly a query is spread over documents, sources or other parts.

        query: A word, a phrase or CQL.
        by: document, publication, source, host, year, ...
        most: At most so many lines.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def collocations(
        self, query: str, *, least: int = 3, left: int = 5, right: int = 5,
        counting: str = "tokens", measure: str = "logdice", over: str = "", words: str = "all",
        version: int | None = None, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        timeout: float | None = 30.0, mode: str = "auto", attribute: str = "",
        pattern: str = ".*\\p{L}.*", stop: tuple[str, ...] = (), most: int = 100,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Collocations:
        """List the words near a query with all measures of attraction, left and right apart.

        With `words="content"` only nouns, verbs, adjectives and adverbs, by their tags.

        query: A word, a phrase or CQL.
        least: Leave out what is rarer.
        left: Tokens to the left.
        right: Tokens to the right.
        counting: tokens (in the window), sentence (tokens), or hits (once each).
        measure: mi, mi3, t, z, ll, chi2, dice, logdice, minsens, deltap, deltap_back; or left, right, total, frequency.
        over: Also count by this period: year, month, ...
        words: all, or content: nouns, verbs, adjectives and adverbs only.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        most: At most so many lines.
        """

    def keywords(
        self, reference: str | Path = "", *, timeout: float | None = 60.0, least: int = 5,
        measure: str = "simple", smoothing: float = 1.0, sites: int = 2,
        version: int | None = None, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False, mode: str = "auto",
        attribute: str = "", pattern: str = ".*\\p{L}.*", stop: tuple[str, ...] = (),
        most: int = 100, cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Keywords:
        """List the words that set a text apart from the rest, another text or a frequency list.

        timeout: Stop after so many seconds.
        least: Leave out what is rarer.
        reference: subcorpus:NAME, where:CONDITION, a corpus folder or a frequency list; the rest of the corpus if absent.
        measure: simple, logratio, ll or diff.
        smoothing: The constant of simple maths.
        sites: In at least so many publications.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        most: At most so many lines.
        """

    def terms(
        self, reference: str | Path = "", *, least: int = 3, patterns: tuple[str, ...] = (),
        version: int | None = None, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        timeout: float | None = 60.0, mode: str = "auto", attribute: str = "",
        pattern: str = ".*\\p{L}.*", stop: tuple[str, ...] = (), most: int = 100,
        measure: str = "simple", smoothing: float = 1.0, sites: int = 2,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Keywords:
        """List the terms of several words, found by tag patterns, that set a text apart.

        least: Leave out what is rarer.
        patterns: A pattern of tags; repeatable. Nouns if absent.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        most: At most so many lines.
        reference: subcorpus:NAME, where:CONDITION, a corpus folder or a frequency list; the rest of the corpus if absent.
        measure: simple, logratio, ll or diff.
        smoothing: The constant of simple maths.
        sites: In at least so many publications.
        """

    def trend(
        self, query: str, *, by: str = "auto", panel: bool = False, version: int | None = None,
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, timeout: float | None = 30.0,
        mode: str = "auto", cancelled: threading.Event | None = None,
        listener: Listener = ignore
    ) -> Trend:
        """Follow a query through time: rates with intervals, slope, changes of level.

        query: A word, a phrase or CQL.
        by: auto (by how much there is), day, week, month, quarter, year or decade.
        panel: Only publications with text in every period.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def compare(
        self, first: str | Path, second: str | Path = "", *, timeout: float | None = 60.0,
        query: str = "", measure: str = "logdice", keyness: str = "simple", attribute: str = "",
        least: int = 3, most: int = 50, version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> TextComparison:
        """Put two corpora or subcorpora side by side: keywords, a query, and its collocates.

        first: subcorpus:NAME, where:CONDITION, a corpus folder or a frequency list.
        second: The same; the whole corpus if absent.
        timeout: Stop after so many seconds.
        query: Also compare this word, phrase or CQL.
        measure: The measure of collocates.
        keyness: The measure of keywords.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        least: Leave out what is rarer.
        most: At most so many lines.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def word_sketch(
        self, word: str, *, pos: str = "", language: str = "", least: int = 2, most: int = 20,
        version: int | None = None, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Sketch:
        """Say which words stand in which relations to a word, by tag patterns of the language.

        word: A word.
        pos: noun, verb, adjective or adverb.
        language: The language; the corpus's own if absent.
        least: Leave out what is rarer.
        most: At most so many.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def sketch_difference(
        self, word: str, other: str, *, version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, timeout: float | None = 30.0,
        mode: str = "auto", pos: str = "", language: str = "", least: int = 2, most: int = 20,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> SketchDifference:
        """Say how the company of two words differs, relation by relation.

        word: A word.
        other: The word to compare it with.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        pos: noun, verb, adjective or adverb.
        language: The language; the corpus's own if absent.
        least: Leave out what is rarer.
        most: At most so many.
        """

    def thesaurus(
        self, word: str, *, timeout: float | None = 600.0, least: int = 5, most: int = 40,
        version: int | None = None, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False, mode: str = "auto",
        pos: str = "", language: str = "", cancelled: threading.Event | None = None,
        listener: Listener = ignore
    ) -> Thesaurus:
        """List the words most like a word in the company they keep, with what they share.

        word: A word.
        timeout: Stop after so many seconds.
        least: Leave out what is rarer.
        most: At most so many.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        pos: noun, verb, adjective or adverb.
        language: The language; the corpus's own if absent.
        """

    def good_examples(
        self, query: str, *, most: int = 10, avoid: tuple[str, ...] = (), language: str = "",
        version: int | None = None, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> GoodExamples:
        """Find the sentences that show a word best, with the score of each factor by factor.

        query: A word, a phrase or CQL.
        most: At most so many.
        avoid: Sentences with this word are worse; repeatable.
        language: The language; the corpus's own if absent.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def new_words(
        self, *, timeout: float | None = 600.0, lists: tuple[str | Path, ...] = (),
        least: int = 3, sites: int = 2, most: int = 100, general: bool = False,
        decided: bool = False, version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> NewWords:
        """List words first seen in a period that spread over publications, scored with the reasons.

        Words of the general list of the language, of the lists given, and words decided before are left
        out; what looks like a name or a slip comes after the words.

        timeout: Stop after so many seconds.
        lists: A list of words that are known; repeatable.
        least: Hits there must be in the period.
        sites: In at least so many publications.
        most: At most so many.
        general: Words of the general list of the language, too.
        decided: Show words decided before, too.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def doubtful_lemmas(
        self, *, timeout: float | None = 600.0, language: str = "", least: int = 2,
        most: int = 100, version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> DoubtfulLemmas:
        """List lemmas that no word list attests and no word is spelt like, with what they may be.

        Write the right ones into the lexicon of the corpus ([annotate.CODE] lexicon): it comes first.

        timeout: Stop after so many seconds.
        language: The language; the corpus's own if absent.
        least: Hits there must be.
        most: At most so many.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def attestations(
        self, words: Iterable[str | Headword], *, timeout: float | None = 600.0,
        version: int | None = None, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Attestations:
        """Find the first dated line of each headword, and whether it antedates a known date.

        words: A headword; after a tab its known date, after another its variants.
        timeout: Stop after so many seconds.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """

    def watch_headwords(
        self, words: Sequence[str] = (), *, by: str = ""
    ) -> tuple[str, ...]:
        """Watch headwords: every build looks for lines earlier than the dates known of them.

        words: A headword; after a tab its known date, after another its variants.
        """

    def forget_headwords(
        self, words: Sequence[str], *, by: str = ""
    ) -> tuple[str, ...]:
        """Watch headwords no more; what was found of them stays.

        words: Headwords.
        """

    def headword_watch(
        self, *, cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Attestations:
        """Show what the corpus says of the watched headwords, antedatings first.
        """

    def headword_alerts(
        self
    ) -> tuple[Antedating, ...]:
        """List the earlier lines of watched headwords that builds found, the newest first.
        """

    def check_headwords(
        self
    ) -> tuple[Antedating, ...]:
        """Look now for earlier lines of watched headwords, as every build does; return the new ones.
        """

    def document(
        self, id: str, *, version: int | None = None
    ) -> DocumentView:
        """Return a document by its id or URL: paragraphs, metadata with evidence, its capture.

        id: The document's id or URL.
        version: A version of the corpus; the newest if absent.
        """

    def documents(
        self, *, sort: str = "date", page: int = 1, size: int = 100, version: int | None = None,
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False
    ) -> DocumentList:
        """List the documents by date, or some of them, a page at a time.

        sort: date or newest.
        page: Which page.
        size: Documents a page.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        """

    def archived(
        self, id: str
    ) -> ArchivedPage:
        """Return the page a document came from, as it was captured.

        id: The document's id or URL.
        """

    def copies(
        self, document: str
    ) -> CopyCluster:
        """List the copies of a document, the original first, with the words that differ.

        document: Its id or URL.
        """

    def export(
        self, format: str, target: str | Path, *, languages: tuple[str, ...] = (),
        documents: Iterable[str] = (), mask: bool = False, tokens: bool = False,
        comments: bool = False, licence: str = "", seed: int = 1, query: str = "",
        restart: bool = False, version: int | None = None, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, listener: Listener = ignore
    ) -> ExportReport:
        """Write the corpus, or some of its documents, into a folder for other programs.

        `documents` names them by id, `query` by what they hold, `where` and `subcorpus` by what is
        said of them; `copies` adds those folded into their originals. The same call goes on after a
        kill unless it is to `restart`.

        format: text, jsonl, parquet, csv, vertical, conllu, tei, tei-corpus, jsonld, sentences or wacz.
        target: A folder of its own for the export.
        languages: Only this language; repeatable.
        documents: Only these ids; on the command line a list of them, one a line.
        mask: Mask e-mail addresses, phone numbers, user names.
        tokens: TEI: write words with lemma and tag.
        comments: TEI: add readers' comments, where they are known.
        licence: What may be done with the texts.
        seed: For the order of sentences.
        query: Only documents with hits of this query.
        restart: Begin anew where an unfinished run would go on.
        version: A version of the corpus; the newest if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        """

    def status(
        self
    ) -> CorpusStatus:
        """Say per stage what is current, stale (and which key changed), missing or failed.
        """

    def drops(
        self, *, outcome: str = "", stage: str = "", reason: str = "", source: str = "",
        kind: str = "", url: str = "", run: str = "", first: int = 0, most: int = 100
    ) -> Ledger:
        """List and count what became of every URL: kept, waiting, dropped or failed, and why.

        outcome: kept, waiting, dropped, failed or redirected.
        stage: The stage that decided, e.g. dedup.
        reason: The reason given.
        source: One source.
        kind: Only pages, or feeds, or patterns of links that were not queued.
        url: Part of the URL.
        run: Only what was fetched in this run.
        first: Leave out so many lines.
        most: List at most so many lines.
        """

    def summary(
        self, *, version: int | None = None
    ) -> CorpusSummary:
        """Say what the corpus holds: size, sources, years, and what was dropped on the way.

        version: A version of the corpus; the newest if absent.
        """

    def versions(
        self
    ) -> tuple[PublishedVersion, ...]:
        """List the published versions that can be asked and cited, the newest first.
        """

    def card(
        self, *, version: int | None = None
    ) -> CorpusCard:
        """Say what the corpus is made of, what was lost, who owns it, and how good it is.

        version: A version of the corpus; the newest if absent.
        """

    def comparison(
        self, other: str | Path | CorpusFolder = "", *, other_version: int | None = None,
        version: int | None = None
    ) -> CorpusComparison:
        """Put this corpus and another, or two versions of it, side by side.

        other: Another corpus; the same if absent.
        other_version: The version of the other corpus.
        version: A version of the corpus; the newest if absent.
        """

    def duplicates(
        self
    ) -> tuple[Copying, ...]:
        """Say which host copies which, month by month.
        """

    def languages(
        self
    ) -> tuple[LanguageShare, ...]:
        """Say which languages the documents are in, how surely, and how many are kept.
        """

    def growth(
        self
    ) -> Growth:
        """Say how large the corpus is and how much it grew in the last day, by its runs.
        """

    def doctor(
        self
    ) -> tuple[Finding, ...]:
        """Look at the machine and at this corpus, and say what would mend what is amiss.
        """

    def gather(
        self, *, size: int | None = None, proxy: str = "", seconds: float | None = None,
        pages: int | None = None, by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Fetch what the sources offer, until nothing is due or a bound is met.

        size: Stop after so many bytes, e.g. "2 GB".
        proxy: HTTP proxy for all requests.
        seconds: Stop after this long, e.g. "2h".
        pages: Stop after this many pages.
        """

    def build(
        self, *, runner: str = "", workers: int = 0, by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Do what is stale or missing: text, language, copies, tokens, index; publish a version.

        runner: serial, processes or dask.
        workers: Processes; 0 is one per core.
        """

    def run(
        self, *, workers: int = 0, proxy: str = "", seconds: float | None = None,
        pages: int | None = None, by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Gather, then build.

        workers: Processes; 0 is one per core.
        proxy: HTTP proxy for all requests.
        seconds: Stop after this long, e.g. "2h".
        pages: Stop after this many pages.
        """

    def compact(
        self, *, workers: int = 0, by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take what was taken down out of the files, join small ones, and build what is new.

        workers: Processes; 0 is one per core.
        """

    def import_warc(
        self, path: str | Path, *, name: str = "", build: bool = False, by: str = "",
        listener: Listener = ignore
    ) -> RunReport:
        """Take in the pages of WARC, ARC or WACZ files, one file or a folder of them.

        path: A file, an archive, or a folder of them; of a server in a folder of IZWI_IMPORTS.
        name: Name of the source; made from the file's if absent.
        build: Build afterwards.
        """

    def import_files(
        self, path: str | Path, *, address: str = "", name: str = "", build: bool = False,
        by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in HTML, text, PDF, DOCX, ODT and EPUB files of a folder, a zip or a tar archive.

        path: A file, an archive, or a folder of them; of a server in a folder of IZWI_IMPORTS.
        address: Where they were on the web.
        name: Name of the source; made from the file's if absent.
        build: Build afterwards.
        """

    def import_conllu(
        self, path: str | Path, *, name: str = "", build: bool = False, by: str = "",
        listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of CoNLL-U files with their words, lemmas and tags.

        path: A file, an archive, or a folder of them; of a server in a folder of IZWI_IMPORTS.
        name: Name of the source; made from the file's if absent.
        build: Build afterwards.
        """

    def import_tei(
        self, path: str | Path, *, name: str = "", build: bool = False, by: str = "",
        listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of TEI files, one or a folder of them, or of a teiCorpus.

        path: A file, an archive, or a folder of them; of a server in a folder of IZWI_IMPORTS.
        name: Name of the source; made from the file's if absent.
        build: Build afterwards.
        """

    def import_texts(
        self, path: str | Path, *, name: str = "", build: bool = False, by: str = "",
        listener: Listener = ignore
    ) -> RunReport:
        """Take in texts with their metadata as JSON Lines or Parquet.

        path: A file, an archive, or a folder of them; of a server in a folder of IZWI_IMPORTS.
        name: Name of the source; made from the file's if absent.
        build: Build afterwards.
        """

    def runs(
        self, *, most: int = 50, run: str = ""
    ) -> tuple[RunState, ...]:
        """List the runs and how each stands, the newest first.

        most: At most so many.
        run: Only this run, with the end of its log.
        """

    def takedown(
        self, target: str, *, reason: str, by: str = "", listener: Listener = ignore
    ) -> TakedownReport:
        """Take a URL or a host out of serving at once; it is never fetched again.

        target: A URL, or a host with all below it.
        reason: Who asked, and why; kept in the record.
        """

    def foresee_takedown(
        self, target: str
    ) -> Foreseen:
        """Say what taking down a URL or a host would take away, and which copies would stay.

        target: A URL, or a host with all below it.
        """

    def takedowns(
        self
    ) -> tuple[Takedown, ...]:
        """List what was taken down, when and why.
        """

    def sources(
        self
    ) -> tuple[SourceSummary, ...]:
        """List the sources with what has come of each.
        """

    def add_source(
        self, url: str, *, type: str = "", name: str = "", depth: int | None = None,
        every: str = "", since: str = "", by: str = ""
    ) -> str:
        """Add a feed, archive or seed page to corpus.toml and return its name.

        url: A feed, or a page to begin from.
        type: feed, seeds, crawl, sitemap, portal, archive or focused; guessed if absent.
        name: Its name; made from the address if absent.
        depth: How many links to follow; 0 takes the page alone. A site's front: all.
        every: feed: how often it is read, e.g. "1h".
        since: portal, archive: first date, 2010-01-31.
        """

    def preview_source(
        self, url: str, *, type: str = "", pages: int = 10, proxy: str = ""
    ) -> SourcePreview:
        """Find out what an address is and show the first pages it would give; stores nothing.

        url: Any address of a site or a web archive.
        type: The type of source; found out if absent.
        pages: With --preview: show so many pages.
        proxy: HTTP proxy for all requests.
        """

    def packs(
        self
    ) -> tuple[Pack, ...]:
        """List the packs of sources that come along, with what is known of each source.
        """

    def add_pack(
        self, pack: str, *, by: str = ""
    ) -> tuple[str, ...]:
        """Add the sources of a pack that are not there yet; return the names. Fetches nothing.

        pack: Add the sources of this pack (see izwi sources packs).
        """

    def import_opml(
        self, opml: str, *, by: str = ""
    ) -> tuple[str, ...]:
        """Add every feed of an OPML list that is not there yet; return the names.

        opml: An OPML list; on the command line a file.
        """

    def export_opml(
        self
    ) -> str:
        """Return the feeds as an OPML list that feed readers take.
        """

    def pause_sources(
        self, names: Sequence[str], *, by: str = ""
    ) -> tuple[str, ...]:
        """Let sources rest: nothing of them is fetched until they are resumed.

        names: Names of sources.
        """

    def resume_sources(
        self, names: Sequence[str], *, by: str = ""
    ) -> tuple[str, ...]:
        """Let sources that rest go on from where they were.

        names: Names of sources.
        """

    def remove_sources(
        self, names: Sequence[str], *, by: str = ""
    ) -> tuple[str, ...]:
        """Take sources out of corpus.toml, all or none; what was gathered of them stays.

        names: Names of sources.
        """

    def open_trap(
        self, source: str, pattern: str, *, by: str = ""
    ) -> tuple[str, ...]:
        """Say that a pattern of addresses is no trap: the next run fetches what was left out of it.

        Returns all patterns of which that is said of the source.

        source: The crawl's name.
        pattern: The pattern as `izwi drops --reason trap` has it.
        """

    def check_source(
        self, url: str, *, proxy: str = ""
    ) -> SourceCheck:
        """Look at an address before it is added: robots, feeds, dates, pages a day; stores nothing.

        url: A home page, feed, site map or archive page; or a source's name.
        proxy: HTTP proxy for all requests.
        """

    def source_health(
        self
    ) -> tuple[SourceHealth, ...]:
        """Say how each source does: what it yields, what it usually yields, and why less.
        """

    def coverage(
        self, cdx: str, *, source: str = "", by: Literal["url", "slug"] = "url", proxy: str = ""
    ) -> Coverage:
        """Compare the captured pages with what a web archive has of the same site, by its CDX list.

        cdx: A CDX list: a file or an address.
        source: Only the pages of one source.
        by: Compare by url or by slug.
        proxy: HTTP proxy for all requests.
        """

    def host_bias(
        self, *, version: int | None = None
    ) -> HostBias:
        """Say which share of seeds, captures and documents the most frequent hosts contribute.

        version: A version of the corpus; the newest if absent.
        """

    def portal_tags(
        self, source: str, *, pages: int = 200, body: str = "", least: int = 2
    ) -> Inventory:
        """List the tags of a source's pages with what they hold, and the merged tree of the pages.

        source: The source's name in corpus.toml.
        pages: Look at so many pages.
        body: Only inside this CSS selector.
        least: Leave out what is rarer than this.
        """

    def portal_suggestion(
        self, source: str, *, pages: int = 50
    ) -> Suggestion:
        """Propose rules for the pages of a source: its body, its fields, what to drop.

        source: The source's name in corpus.toml.
        pages: Look at so many pages.
        """

    def label_drafts(
        self, *, source: str = "", pages: int = 20
    ) -> tuple[LabelledPage, ...]:
        """Give pages without labels, labelled by the default extractor, to be corrected.

        source: Only pages of this source.
        pages: At most so many pages.
        """

    def import_labels(
        self, pages: Iterable[LabelledPage], *, by: str = ""
    ) -> int:
        """Take in labels and say how many; a page labelled again replaces its labels.

        pages: Labelled pages; on the command line a file (JSON Lines).
        """

    def labels(
        self
    ) -> tuple[LabelledPage, ...]:
        """Give the labels that people made of this corpus's pages.
        """

    def label_page(
        self, url: str, *, by: str = ""
    ) -> LabelledPage:
        """Give one page with the labels this person gave it, or labelled by the default extractor.

        url: The page's address.
        """

    def label_queue(
        self, *, source: str = "", pages: int = 10, order: str = "disagreement", seed: int = 1
    ) -> tuple[LabelledPage, ...]:
        """Give pages to be labelled next: where methods disagree most, at random, or the first.

        source: Only pages of this source.
        pages: At most so many.
        order: disagreement, random or first.
        seed: Which pages are looked at.
        """

    def train_from_labels(
        self, name: str, *, method: str = "perceptron", source: str = "", by: str = ""
    ) -> TrainedModel:
        """Train an extractor from the labels and save it under a name with its figures.

        name: What to call the model.
        method: perceptron or izwi.
        source: Only pages of this source.
        """

    def models(
        self
    ) -> tuple[TrainedModel, ...]:
        """List the models trained from this corpus's labels, with their figures.
        """

    def decide_document(
        self, document: str, verdict: str, *, comment: str = "", by: str = ""
    ) -> Decision:
        """Overrule the rules for one document (keep, drop, or rules); the next build obeys.

        document: A document's id or URL.
        verdict: keep, drop, or rules (as the rules say).
        comment: Why; kept in the record.
        """

    def decide_documents(
        self, verdict: str, documents: Sequence[str], *, comment: str = "", by: str = ""
    ) -> tuple[Decision, ...]:
        """Overrule the rules for several documents, for all of them or none; the next build obeys.

        verdict: keep, drop, or rules (as the rules say).
        documents: Ids or URLs.
        comment: Why; kept in the record.
        """

    def document_decisions(
        self
    ) -> tuple[Decision, ...]:
        """List the documents for which curators overrule the rules.
        """

    def drop_samples(
        self, *, each: int = 5, seed: int = 1
    ) -> tuple[ReasonSample, ...]:
        """Show some pages of each reason by which texts were dropped, and who agreed with it.

        each: So many pages of each reason.
        seed: Which pages.
        """

    def review_drops(
        self, stage: str, reason: str, verdict: Literal["right", "wrong"], *, by: str = ""
    ) -> int:
        """Agree with a reason by which texts were dropped, or restore them; the next build obeys.

        stage: The stage that dropped them.
        reason: Its reason.
        verdict: right: they stay out, and it is noted; wrong: up to 200 of them are restored.
        """

    def inspect(
        self, document: str, *, method: str = "", cutoff: float | None = None
    ) -> Inspection:
        """Show a document: its capture, its paragraphs with their reasons, its dates.

        document: Its id or URL.
        method: Judge its paragraphs by this extractor, too.
        cutoff: With a method: the score from which text is kept.
        """

    def changes(
        self, *, first: int = 0, most: int = 100
    ) -> tuple[Change, ...]:
        """List what curators changed, with who and when, the newest first.

        first: Leave out so many.
        most: At most so many.
        """

    def undo(
        self, number: int, *, by: str = ""
    ) -> Change:
        """Take a change back, unless the same thing was changed again since.

        number: The change's number.
        """

    def settings(
        self
    ) -> str:
        """Return corpus.toml as it is written, with its comments.
        """

    def change_settings(
        self, changes: Mapping[str, Any], *, comment: str = "", by: str = ""
    ) -> Mapping[str, Any]:
        """Write keys into corpus.toml with a comment; nothing but these keys changes.

        comment: Why; kept in the record.
        changes: Keys and values, e.g. {"language.minimum": 0.4}; on the command line repeatable.
        """

    def try_settings(
        self, changes: Mapping[str, Any], *, sample: int = 100, seed: int = 1
    ) -> Comparison:
        """Compare settings with those in use on a sample of pages; nothing is changed.

        sample: So many pages.
        seed: Which pages.
        changes: Keys and values, e.g. {"language.minimum": 0.4}; on the command line repeatable.
        """

    def start_audit(
        self, *, size: int = 100, seed: int = 1, by: str = ""
    ) -> int:
        """Draw a random sample of documents to be judged and return the audit's number.

        size: How many documents.
        seed: Which documents.
        """

    def judge(
        self, audit: int, document: str, faults: Sequence[str] = (), *, by: str = ""
    ) -> tuple[str, ...]:
        """Write down what is wrong with a document of an audit; nothing, if it is well.

        audit: The audit's number.
        document: The document's id.
        faults: language, boilerplate, machine, date, offensive; nothing if it is well.
        """

    def audits(
        self
    ) -> tuple[Audit, ...]:
        """List the audits with the share of each fault and its interval.
        """

    def audit_sample(
        self, audit: int
    ) -> tuple[Judgement, ...]:
        """List the documents of an audit with what was found wrong with each; null is not judged.

        audit: The audit's number.
        """

    def subcorpora(
        self
    ) -> tuple[Subcorpus, ...]:
        """List the saved subcorpora: conditions on documents by name.
        """

    def save_subcorpus(
        self, name: str, where: str, *, by: str = ""
    ) -> Subcorpus:
        """Save a condition on documents under a name, and count what it holds now.

        name: What to call it.
        where: A condition, e.g. source="herald".
        """

    def decide(
        self, word: str, decision: str, *, note: str = "", by: str = ""
    ) -> WordDecision:
        """Remember what was decided about a word: accept, reject, later, name, error or known.

        word: A word.
        decision: accept, reject, later, name, error or known.
        note: Why.
        """

    def decisions(
        self
    ) -> tuple[WordDecision, ...]:
        """List what was decided about words, in the order it was; the last of a word counts.
        """

    def backup(
        self, target: str | Path, *, listener: Listener = ignore
    ) -> BackupReport:
        """Write the whole corpus into one file with sums, also while a run writes to it.

        target: A new .tar file, or a folder for one with name and date.
        """
