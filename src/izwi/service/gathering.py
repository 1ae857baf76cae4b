"""Gathering as a use case: sources, politeness and store for one run; words for searches."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from importlib.metadata import version
from typing import cast

import numpy as np

from izwi.config.schema import CorpusConfig
from izwi.config.schema import Source as ConfiguredSource
from izwi.gather.loop import Bounds, Gatherer
from izwi.gather.sources.base import Source
from izwi.gather.sources.focused import Tell
from izwi.gather.sources.search import SearchSource
from izwi.index.reader import Segment
from izwi.model.commands import typed
from izwi.model.errors import ConfigError, StoreError
from izwi.model.languages import iso639_3
from izwi.model.results import Event, Listener, Notice
from izwi.service.runs import Run
from izwi.store import snapshots
from izwi.store.captures import configured_store
from izwi.store.layout import Layout
from izwi.store.takedowns import read_takedowns

# Before that there was no izwi.
_FIRST_DAY = date(2024, 1, 1)


def check_clock(now: datetime) -> None:
    """Raise StoreError if the machine's clock is certainly wrong: captures are dated by it.

    >>> check_clock(datetime(1970, 1, 1, 0, 2, tzinfo=UTC))
    Traceback (most recent call last):
    izwi.model.errors.StoreError: The clock of this machine says 1970-01-01. Set it: pages are ...
    """
    if now.date() < _FIRST_DAY:
        raise StoreError(
            f"The clock of this machine says {now.date()}. Set it: pages are dated by it, and what "
            "is dated wrongly cannot be mended later."
        )


def gather(
    layout: Layout,
    config: CorpusConfig,
    run: Run,
    *,
    seconds: float | None,
    pages: int | None,
    size: int | None = None,
) -> None:
    """Fetch what the sources offer and note it in the run's report."""
    if not config.sources:
        raise ConfigError(
            f"{layout.config} has no source yet. Add one: izwi sources add {typed(layout.root)} URL"
        )
    check_clock(datetime.now(UTC))
    _check_threads(layout, config)
    if all(source.name in config.paused for source in config.sources):
        run.hear(Notice("Every source is paused; izwi sources resume lets one go on."))
        return
    software = f"izwi/{version('izwi')}"
    for words in unkept_languages(config):
        run.hear(Notice(words))
    store = configured_store(layout, run.catalog, config.gather)
    gatherer = Gatherer(
        settings=config.gather,
        sources={
            each.name: cast(Source, each)
            for each in _with_seed_words(layout, config)
            if each.name not in config.paused
        },
        catalog=run.catalog,
        store=store,
        listener=_naming(layout, run),
        user_agent=f"{software} (+{config.gather.contact})",
        bounds=Bounds(seconds, pages, size),
        gone=read_takedowns(layout),
        paused=config.paused,
        tell=_teller(config) if any(each.type == "focused" for each in config.sources) else None,
    )
    fetched = gatherer.run()
    run.report = replace(
        run.report,
        fetched=fetched,
        was_stopped=gatherer.was_stopped,
        stopped_by=gatherer.stopped_by,
    )


def unkept_languages(config: CorpusConfig) -> Iterator[str]:
    """Yield a warning for each source that seeks languages whose pages the corpus drops."""
    kept = {iso639_3(code) for code in config.corpus.languages}
    for source in config.sources:
        sought = getattr(source, "languages", ())
        others = [code for code in sought if kept and iso639_3(code) not in kept]
        if others:
            yield (
                f"Source '{source.name}' seeks pages in {', '.join(others)}, but the build drops "
                f"them: [corpus] languages has only {', '.join(config.corpus.languages)}."
            )


def _naming(layout: Layout, run: Run) -> Listener:
    """Return a listener that names the corpus in commands: gatherers know of no folder."""

    def hear(event: Event) -> None:
        if isinstance(event, Notice):
            named = event.message.replace(" FOLDER ", f" {typed(layout.root)} ")
            event = replace(event, message=named)
        run.hear(event)

    return hear


def _check_threads(layout: Layout, config: CorpusConfig) -> None:
    """Raise ConfigError if comments are to be asked for on the pages of a source nobody knows."""
    known = {source.name for source in config.sources}
    for source in config.sources:
        missing = sorted(set(getattr(source, "of", ())) - known)
        if missing:
            raise ConfigError(
                f"{layout.config}: [[source]] '{source.name}' of = {missing}: there is no such "
                f"source. There are: {', '.join(sorted(known))}."
            )


def _with_seed_words(layout: Layout, config: CorpusConfig) -> list[ConfiguredSource]:
    """Return the sources; searches for the corpus's own words with those of its last version."""
    if not any(getattr(source, "words_from", "list") != "list" for source in config.sources):
        return list(config.sources)
    number = snapshots.current_number(layout)
    entries = snapshots.read(layout, number).segments if number else ()
    segments = [Segment(layout.segments / entry.id, entry.gone) for entry in entries]
    return [with_words(source, segments, number) for source in config.sources]


def _teller(config: CorpusConfig) -> Tell:
    """Return what names the language of each text, as the corpus itself will."""
    from izwi.text.language.base import expected_of, identifier

    own = config.language
    expected = expected_of(config.corpus.languages, own.prior)
    identify = identifier(own.method, own.model, own.packs, expected)

    def tell(texts: Sequence[str]) -> Sequence[str]:
        return [identify(text).code for text in texts]

    return tell


# Occurrences per million added to both rates, so that rare words do not win by chance.
_SMOOTHING = 100.0
_LEAST = 3
_MOST_KEYWORDS = 300


def with_words(
    source: ConfiguredSource, segments: Sequence[Segment], version: int
) -> ConfiguredSource:
    """Return a source of searches with the words of this version; others as they are.

    Each version is a round; after the last one no new tuples are drawn.
    """
    if not isinstance(source, SearchSource) or source.words_from == "list":
        return source
    # Before the first version the words given, if any, are the first round.
    if not version:
        return source
    if version > source.rounds:
        return replace(source, words=())
    counts = frequencies(segments)
    if source.words_from == "keywords":
        words = keywords(frequencies_of(segments, source.name), counts, source.letters)
    else:
        words = middle_words(counts, source.ranks, source.letters)
    return replace(source, words=words, seed=source.seed * 1000 + version)


def frequencies(segments: Sequence[Segment]) -> Counter[str]:
    """Return how often each word in lower case comes in a version."""
    counts: Counter[str] = Counter()
    for segment in segments:
        words = segment.lc
        counts.update(dict(zip(words.lexicon, words.frequencies.tolist(), strict=True)))
    return counts


def frequencies_of(segments: Sequence[Segment], source: str) -> Counter[str]:
    """Return how often each word in lower case comes in the documents of one source."""
    counts: Counter[str] = Counter()
    for segment in segments:
        numbers, names = segment.sources
        wanted = np.flatnonzero(numbers == names.index(source)) if source in names else ()
        bounds = ((segment.document_starts[n], segment.document_ends[n]) for n in wanted)
        for start, end in bounds:
            ids, found = np.unique(segment.lc.column[int(start) : int(end)], return_counts=True)
            words = segment.lc.lexicon.values(ids)
            counts.update(dict(zip(words, found.tolist(), strict=True)))
    return counts


def keywords(focus: Mapping[str, int], whole: Mapping[str, int], letters: int) -> tuple[str, ...]:
    """Return the words that are most typical of a part of the corpus, by their ratio of rates.

    >>> keywords({"bakkie": 9, "about": 9}, {"bakkie": 10, "about": 90, "other": 50}, 5)
    ('bakkie', 'about')
    """
    size, rest = sum(focus.values()), max(1, sum(whole.values()) - sum(focus.values()))

    def ratio(word: str) -> float:
        here = focus[word] / size * 1e6
        there = (whole.get(word, 0) - focus[word]) / rest * 1e6
        return (here + _SMOOTHING) / (there + _SMOOTHING)

    known = [word for word, count in focus.items() if count >= _LEAST and len(word) >= letters]
    ranked = sorted(
        (word for word in known if word.isalpha()), key=lambda each: (-ratio(each), each)
    )
    return tuple(ranked[:_MOST_KEYWORDS])


def middle_words(
    counts: Mapping[str, int], ranks: tuple[int, int], letters: int
) -> tuple[str, ...]:
    """Return the words of middle rank that are long enough.

    >>> middle_words({"the": 9, "bakkie": 5, "braai": 4, "rare": 1}, (2, 3), 5)
    ('bakkie', 'braai')
    """
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    first, last = ranks
    return tuple(
        word for word in ranked[first - 1 : last] if len(word) >= letters and word.isalpha()
    )
