"""One typed method a use case, for `Corpus`.

Made by tools/generate_reference.py from izwi/cases; change those, then run ./run.sh docs.
"""
# fmt: off
# ruff: noqa
# mypy: disable-error-code="no-any-return"

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from izwi.model.results import Listener, ignore

if TYPE_CHECKING:
    from izwi.model.analyses import Collocations
    from izwi.model.analyses import Dispersion
    from izwi.model.analyses import Frequencies
    from izwi.model.analyses import Keywords
    from izwi.model.analyses import TextComparison
    from izwi.model.analyses import Trend
    from izwi.model.analyses import WordList
    from izwi.model.curation import Change
    from izwi.model.curation import Decision
    from izwi.model.labelled import LabelledPage
    from izwi.model.lexicography import Attestations
    from izwi.model.lexicography import GoodExamples
    from izwi.model.lexicography import Headword
    from izwi.model.lexicography import NewWords
    from izwi.model.lexicography import Sketch
    from izwi.model.lexicography import SketchDifference
    from izwi.model.lexicography import Thesaurus
    from izwi.model.lexicography import WordDecision
    from izwi.model.results import RunReport
    from izwi.service.models import TrainedModel
    from izwi.service.subcorpora import Subcorpus
    from izwi.service.takedown import TakedownReport
    from izwi.store.backup import BackupReport


class Methods:
    """The use cases of a corpus as methods."""

    def _do(self, module: str, method: str, given: Mapping[str, Any]) -> Any:
        raise NotImplementedError

    def frequencies(
        self, query: str, *, by: str = "publication", and_by: str = "", sort: str = "hits",
        least: int = 1, most: int = 100, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        version: int | None = None, timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Frequencies:
        """Count a query by metadata, period, form or neighbour, in one or two dimensions.

        query: A word, a phrase or CQL.
        by: publication, source, host, year, month, word, lemma, L1.word, target[+1].lemma
        and_by: A second thing to count by.
        sort: hits, rate or value.
        least: Leave out what is rarer.
        most: At most so many lines.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("counts", "frequencies", locals())

    def wordlist(
        self, *, sort: str = "hits", since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        version: int | None = None, timeout: float | None = 30.0, mode: str = "auto",
        attribute: str = "", pattern: str = ".*\\p{L}.*", stop: tuple[str, ...] = (),
        least: int = 1, most: int = 100, cancelled: threading.Event | None = None,
        listener: Listener = ignore
    ) -> WordList:
        """List the words of the chosen text by frequency, with their spread.

        sort: hits, value, documents or sites (publications).
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        least: Leave out what is rarer.
        most: At most so many lines.
        """
        return self._do("counts", "wordlist", locals())

    def ngrams(
        self, size: int = 2, *, timeout: float | None = 300.0, least: int = 2,
        within: str = "s", since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        version: int | None = None, mode: str = "auto", attribute: str = "",
        pattern: str = ".*\\p{L}.*", stop: tuple[str, ...] = (), most: int = 100,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> WordList:
        """List the most frequent sequences of so many words.

        size: How many words, 1 to 8.
        timeout: Stop after so many seconds.
        least: Leave out what is rarer.
        within: What a sequence lies in: s, p or doc.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        most: At most so many lines.
        """
        return self._do("counts", "ngrams", locals())

    def dispersion(
        self, query: str, *, by: str = "document", most: int = 100, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Dispersion:
        """Say how evenly a query is spread over documents, sources or other parts.

        query: A word, a phrase or CQL.
        by: document, publication, source, host, year, ...
        most: At most so many lines.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("counts", "dispersion", locals())

    def collocations(
        self, query: str, *, least: int = 3, left: int = 5, right: int = 5,
        counting: str = "tokens", measure: str = "logdice", over: str = "", words: str = "all",
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
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
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        most: At most so many lines.
        """
        return self._do("counts", "collocations", locals())

    def keywords(
        self, reference: str | Path = "", *, timeout: float | None = 60.0, least: int = 5,
        measure: str = "simple", smoothing: float = 1.0, sites: int = 2,
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        mode: str = "auto", attribute: str = "", pattern: str = ".*\\p{L}.*",
        stop: tuple[str, ...] = (), most: int = 100, cancelled: threading.Event | None = None,
        listener: Listener = ignore
    ) -> Keywords:
        """List the words that set a text apart from the rest, another text or a frequency list.

        timeout: Stop after so many seconds.
        least: Leave out what is rarer.
        reference: subcorpus:NAME, where:CONDITION, a corpus folder or a frequency list; the rest of the corpus if absent.
        measure: simple, logratio, ll or diff.
        smoothing: The constant of simple maths.
        sites: In at least so many publications.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        attribute: word, lc, lemma, pos; words in lower case if absent.
        pattern: Only values this expression matches whole.
        stop: Words to leave out; on the command line a file of them, one a line.
        most: At most so many lines.
        """
        return self._do("counts", "keywords", locals())

    def terms(
        self, reference: str | Path = "", *, least: int = 3, patterns: tuple[str, ...] = (),
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        timeout: float | None = 60.0, mode: str = "auto", attribute: str = "",
        pattern: str = ".*\\p{L}.*", stop: tuple[str, ...] = (), most: int = 100,
        measure: str = "simple", smoothing: float = 1.0, sites: int = 2,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Keywords:
        """List the terms of several words, found by tag patterns, that set a text apart.

        least: Leave out what is rarer.
        patterns: A pattern of tags; repeatable. Nouns if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
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
        return self._do("counts", "terms", locals())

    def trend(
        self, query: str, *, by: str = "auto", panel: bool = False, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Trend:
        """Follow a query through time: rates with intervals, slope, changes of level.

        query: A word, a phrase or CQL.
        by: auto (by how much there is), day, week, month, quarter, year or decade.
        panel: Only publications with text in every period.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("counts", "trend", locals())

    def compare(
        self, first: str | Path, second: str | Path = "", *, timeout: float | None = 60.0,
        query: str = "", measure: str = "logdice", keyness: str = "simple", attribute: str = "",
        least: int = 3, most: int = 50, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        version: int | None = None, mode: str = "auto",
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
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("counts", "compare", locals())

    def word_sketch(
        self, word: str, *, pos: str = "", language: str = "", least: int = 2, most: int = 20,
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Sketch:
        """Say which words stand in which relations to a word, by tag patterns of the language.

        word: A word.
        pos: noun, verb, adjective or adverb.
        language: The language; the corpus's own if absent.
        least: Leave out what is rarer.
        most: At most so many.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("words", "word_sketch", locals())

    def sketch_difference(
        self, word: str, other: str, *, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        version: int | None = None, timeout: float | None = 30.0, mode: str = "auto",
        pos: str = "", language: str = "", least: int = 2, most: int = 20,
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> SketchDifference:
        """Say how the company of two words differs, relation by relation.

        word: A word.
        other: The word to compare it with.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        pos: noun, verb, adjective or adverb.
        language: The language; the corpus's own if absent.
        least: Leave out what is rarer.
        most: At most so many.
        """
        return self._do("words", "sketch_difference", locals())

    def thesaurus(
        self, word: str, *, timeout: float | None = 600.0, least: int = 5, most: int = 40,
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        mode: str = "auto", pos: str = "", language: str = "",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Thesaurus:
        """List the words most like a word in the company they keep, with what they share.

        word: A word.
        timeout: Stop after so many seconds.
        least: Leave out what is rarer.
        most: At most so many.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        pos: noun, verb, adjective or adverb.
        language: The language; the corpus's own if absent.
        """
        return self._do("words", "thesaurus", locals())

    def good_examples(
        self, query: str, *, most: int = 10, avoid: tuple[str, ...] = (), language: str = "",
        since: date | None = None, until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> GoodExamples:
        """Find the sentences that show a word best, with the score of each factor by factor.

        query: A word, a phrase or CQL.
        most: At most so many.
        avoid: Sentences with this word are worse; repeatable.
        language: The language; the corpus's own if absent.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("words", "good_examples", locals())

    def new_words(
        self, *, timeout: float | None = 600.0, lists: tuple[str | Path, ...] = (),
        least: int = 3, sites: int = 2, most: int = 100, general: bool = False,
        decided: bool = False, since: date | None = None, until: date | None = None,
        sources: tuple[str, ...] = (), publications: tuple[str, ...] = (), where: str = "",
        subcorpus: str = "", copies: bool = False, case: bool = False,
        version: int | None = None, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> NewWords:
        """List words first seen in a period that spread over publications, scored with the reasons.

Words of the general list of the language, of the lists given, and words decided before are left
out; what looks like a name or a slip comes after the words.

        timeout: Stop after so many seconds.
        lists: A list of words that are known; repeatable.
        least: Hits there must be in the period.
        sites: Publications it must be in.
        most: At most so many.
        general: Words of the general list of the language, too.
        decided: Show words decided before, too.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("words", "new_words", locals())

    def attestations(
        self, words: Iterable[str | Headword], *, since: date | None = None,
        until: date | None = None, sources: tuple[str, ...] = (),
        publications: tuple[str, ...] = (), where: str = "", subcorpus: str = "",
        copies: bool = False, case: bool = False, version: int | None = None,
        timeout: float | None = 30.0, mode: str = "auto",
        cancelled: threading.Event | None = None, listener: Listener = ignore
    ) -> Attestations:
        """Find the first dated line of each headword, and whether it antedates a known date.

        words: A headword; after a tab its known date, after another its variants.
        since: First year, month or day.
        until: Last year, month or day.
        sources: Only this source; repeatable.
        publications: Only this publication; repeatable.
        where: Only documents for which this holds, e.g. section="news".
        subcorpus: Only documents of a saved subcorpus.
        copies: Count folded copies too.
        case: Capitals matter.
        version: A version of the corpus; the newest if absent.
        timeout: Stop after so many seconds.
        mode: How the query is read: auto, phrase, word (all its forms), lemma or cql.
        """
        return self._do("words", "attestations", locals())

    def decisions(
        self
    ) -> tuple[WordDecision, ...]:
        """List what was decided about words, in the order it was; the last of a word counts.

        """
        return self._do("words", "decisions", locals())

    def gather(
        self, *, size: int | None = None, seconds: float | None = None,
        pages: int | None = None, proxy: str = "", by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Fetch what the sources offer, until nothing is due or a bound is met.

        size: Stop after so many bytes.
        seconds: Stop after so many seconds.
        pages: Stop after this many pages.
        proxy: HTTP proxy for all requests.
        """
        return self._do("runs", "gather", locals())

    def build(
        self, *, runner: str = "", workers: int = 0, by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Do what is stale or missing: text, language, copies, tokens, index; publish a version.

        runner: serial, processes or dask.
        workers: Processes; 0 is one per core.
        """
        return self._do("runs", "build", locals())

    def run(
        self, *, workers: int = 0, seconds: float | None = None, pages: int | None = None,
        proxy: str = "", by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Gather, then build.

        workers: Processes; 0 is one per core.
        seconds: Stop after so many seconds.
        pages: Stop after this many pages.
        proxy: HTTP proxy for all requests.
        """
        return self._do("runs", "run", locals())

    def compact(
        self, *, workers: int = 0, by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take what was taken down out of the files, join small ones, and build what is new.

        workers: Processes; 0 is one per core.
        """
        return self._do("runs", "compact", locals())

    def import_warc(
        self, path: str | Path, *, name: str = "", by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the pages of WARC, ARC or WACZ files, one file or a folder of them.

        path: Where they lie.
        name: Name of the source; made from the file's if absent.
        """
        return self._do("runs", "import_warc", locals())

    def import_files(
        self, path: str | Path, *, address: str = "", name: str = "", by: str = "",
        listener: Listener = ignore
    ) -> RunReport:
        """Take in HTML, text and PDF files of a folder, a zip or a tar archive.

        path: Where they lie.
        address: Where they were on the web.
        name: Name of the source; made from the file's if absent.
        """
        return self._do("runs", "import_files", locals())

    def import_conllu(
        self, path: str | Path, *, name: str = "", by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of CoNLL-U files with their words, lemmas and tags.

        path: Where they lie.
        name: Name of the source; made from the file's if absent.
        """
        return self._do("runs", "import_conllu", locals())

    def import_tei(
        self, path: str | Path, *, name: str = "", by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in the documents of TEI files, one or a folder of them, or of a teiCorpus.

        path: Where they lie.
        name: Name of the source; made from the file's if absent.
        """
        return self._do("runs", "import_tei", locals())

    def import_texts(
        self, path: str | Path, *, name: str = "", by: str = "", listener: Listener = ignore
    ) -> RunReport:
        """Take in texts with their metadata as JSON Lines or Parquet.

        path: Where they lie.
        name: Name of the source; made from the file's if absent.
        """
        return self._do("runs", "import_texts", locals())

    def takedown(
        self, target: str, *, reason: str, by: str = "", listener: Listener = ignore
    ) -> TakedownReport:
        """Take a URL or a host out of serving at once; it is never fetched again.

        target: A URL, or a host with all below it.
        reason: Who asked, and why; kept in the record.
        """
        return self._do("takedown", "takedown", locals())

    def decide_document(
        self, document: str, verdict: str, *, comment: str = "", by: str = ""
    ) -> Decision:
        """Overrule the rules for one document (keep, drop, or nothing); the next build obeys.

        document: A document's id or URL.
        verdict: keep, drop, or nothing (as the rules say).
        comment: Why; kept in the record.
        """
        return self._do("curation", "decide_document", locals())

    def undo(
        self, number: int, *, by: str = ""
    ) -> Change:
        """Take a change back, unless the same thing was changed again since.

        number: The change's number.
        """
        return self._do("curation", "undo", locals())

    def change_settings(
        self, changes: Mapping[str, Any], *, comment: str = "", by: str = ""
    ) -> Mapping[str, Any]:
        """Write keys into corpus.toml with a comment; nothing but these keys changes.

        changes: Keys and values, e.g. {"language.minimum": 0.4}.
        comment: Why; kept in the record.
        """
        return self._do("curation", "change_settings", locals())

    def train_from_labels(
        self, name: str, *, method: str = "perceptron", source: str = "", by: str = ""
    ) -> TrainedModel:
        """Train an extractor from the labels and save it under a name with its figures.

        name: What to call it.
        method: perceptron or izwi.
        source: Only pages of this source.
        """
        return self._do("curation", "train_from_labels", locals())

    def start_audit(
        self, *, size: int = 100, seed: int = 1, by: str = ""
    ) -> int:
        """Draw a random sample of documents to be judged and return the audit's number.

        size: How many documents.
        seed: Which documents.
        """
        return self._do("curation", "start_audit", locals())

    def judge(
        self, audit: int, document: str, faults: Sequence[str] = (), *, by: str = ""
    ) -> tuple[str, ...]:
        """Write down what is wrong with a document of an audit; nothing, if it is well.

        audit: The audit's number.
        document: The document's id.
        faults: language, boilerplate, machine, date, offensive; nothing if it is well.
        """
        return self._do("curation", "judge", locals())

    def import_labels(
        self, pages: Iterable[LabelledPage], *, by: str = ""
    ) -> int:
        """Take in labels and say how many; a page labelled again replaces its labels.

        pages: Labelled pages.
        """
        return self._do("curation", "import_labels", locals())

    def add_source(
        self, url: str, *, type: str = "", name: str = "", depth: int = 0, every: str = "",
        since: str = "", by: str = ""
    ) -> str:
        """Add a feed, archive or seed page to corpus.toml and return its name.

        url: A feed, or a page to begin from.
        type: Its kind; guessed from the address if absent.
        name: Its name; made from the address if absent.
        depth: seeds: how many links to follow.
        every: feed: how often it is read, e.g. "1h".
        since: portal, archive: first date, 2010-01-31.
        """
        return self._do("curation", "add_source", locals())

    def add_pack(
        self, pack: str, *, by: str = ""
    ) -> tuple[str, ...]:
        """Add the sources of a pack that are not there yet; return the names. Fetches nothing.

        pack: The pack's name.
        """
        return self._do("curation", "add_pack", locals())

    def import_opml(
        self, text: str, *, by: str = ""
    ) -> tuple[str, ...]:
        """Add every feed of an OPML list that is not there yet; return the names.

        text: The OPML text.
        """
        return self._do("curation", "import_opml", locals())

    def pause_sources(
        self, names: Sequence[str], *, by: str = ""
    ) -> tuple[str, ...]:
        """Let sources rest: nothing of them is fetched until they are resumed.

        names: Names of sources.
        """
        return self._do("curation", "pause_sources", locals())

    def resume_sources(
        self, names: Sequence[str], *, by: str = ""
    ) -> tuple[str, ...]:
        """Let sources that rest go on from where they were.

        names: Names of sources.
        """
        return self._do("curation", "resume_sources", locals())

    def open_trap(
        self, source: str, pattern: str, *, by: str = ""
    ) -> tuple[str, ...]:
        """Say that a pattern of addresses is no trap: the next run fetches what was left out of it.

Returns all patterns of which that is said of the source.

        source: The crawl's name.
        pattern: The pattern as the ledger has it, e.g. example.org/calendar.
        """
        return self._do("curation", "open_trap", locals())

    def save_subcorpus(
        self, name: str, where: str, *, by: str = ""
    ) -> Subcorpus:
        """Save a condition on documents under a name.

        name: What to call it.
        where: A condition, e.g. source="herald".
        """
        return self._do("curation", "save_subcorpus", locals())

    def decide(
        self, word: str, decision: str, *, note: str = "", by: str = ""
    ) -> WordDecision:
        """Remember what was decided about a word: accept, reject, later, name, error or known.

        word: A word.
        decision: accept, reject, later, name, error or known.
        note: Why.
        """
        return self._do("curation", "decide", locals())

    def backup(
        self, target: str | Path, *, listener: Listener = ignore
    ) -> BackupReport:
        """Write the whole corpus into one file with sums, also while a run writes to it.

        target: A new .tar file, or a folder for one with name and date.
        """
        return self._do("backup", "backup", locals())
