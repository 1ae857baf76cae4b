"""Time analyses on the generated corpora beside CWB and Manatee (their figures: the same shapes, 50 M tokens).

    python benchmarks/query/generate.py /tmp/50m.vert --tokens 50000000
    python benchmarks/query/measure.py /tmp/50m.vert --folder /tmp/50m
    python benchmarks/query/analyses.py /tmp/1m /tmp/10m /tmp/50m

CPU time of this process alone, the best of three warm runs (up to two hundred of what takes less than .1 s together); answers are not cached. What is the same for all
queries (which document is of which month, how much text each month has) is kept with the segment, as it is in a server. Lists of the whole are measured counted anew and as they were kept.
The last folder is the one the goals are for; the others show how cost grows.
"""

import argparse
import resource
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from izwi.analyse import collocations as company
from izwi.analyse import keywords as keys
from izwi.analyse import ngrams as sequences
from izwi.analyse import selection
from izwi.analyse.frequency import Counting, dispersion, frequencies
from izwi.analyse.keywords import rest_of
from izwi.analyse.ngrams import candidate_terms, term_patterns, term_reference
from izwi.analyse.selection import Selection
from izwi.analyse.trends import trend
from izwi.analyse.vocabulary import Choice
from izwi.analyse.wordlists import word_list
from izwi.index.limits import Memory
from izwi.index.reader import Segment
from izwi.query.concordance import View, concordance
from izwi.query.cql import parse
from izwi.query.engine import Filter

# Hits of the query that CWB and Manatee were asked, in 50 M tokens.
HITS, TOKENS = 288_000, 50_000_000
TRENDS = (
    '"the"',
    '".*ation"',
    '"un.*ed"',
    '[lemma="make"] [tag="DT"]? [tag="J.*"]{0,2} [tag="N.*"] within <s/>',
    '[tag="J.*"] [tag="N.*"] within <s/>',
    '"at" "the" "end" "of"',
)


def cpu_ms(work: Callable[[], object], best_of: int = 200) -> float:
    """Return the best of three warm runs; of up to two hundred for what takes less."""
    taken: list[float] = []
    while len(taken) < (3 if sum(taken) > 0.1 else best_of):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return 1000 * min(taken)


def word_of(segment: Segment, hits: int) -> str:
    """Return the word whose frequency is nearest."""
    sizes = segment.word.frequencies
    return segment.word.lexicon[int(np.argmin(np.abs(sizes - hits)))]


def first_documents(segment: Segment, tokens: int) -> Filter:
    """Return a filter that takes about so many tokens: whole sources and years."""
    sources = sorted(segment.sources[1])
    share = tokens / segment.tokens
    for count in range(1, len(sources) + 1):
        where = 'date="20(05|15).*"' if share < 0.05 else ""
        chosen = Filter(sources=tuple(sources[:count]), where=where)
        if Selection((segment,), chosen).tokens >= tokens:
            return chosen
    return Filter(sources=tuple(sources))


class Stand:
    """One index to measure on, and what was measured there so far (CPU milliseconds)."""

    def __init__(self, folder: Path) -> None:
        self.segment = Segment(next(folder.glob("*/segment.json")).parent)
        self.size = self.segment.tokens
        self.whole = Selection((self.segment,), Filter())
        self.focus = Selection(
            (self.segment,), first_documents(self.segment, min(1_000_000, self.size // 4))
        )
        word = word_of(self.segment, HITS * self.size // TOKENS)
        self.query = parse(f'"{word}"')
        self.given = {"text": word}
        self.found: dict[str, float] = {}

    def note(
        self, name: str, work: Callable[[], object], goal: float | None = None, peer: str = ""
    ) -> None:
        """Measure once warm and print; goals and peers belong to one size."""
        work()
        self.found[name] = own = cpu_ms(work)
        wanted = (
            "" if goal is None else f"  goal {goal:,.1f} ms: {'met' if own <= goal else 'MISSED'}"
        )
        beside = f"{wanted}  {peer}" if 0.9 * TOKENS < self.size < 1.1 * TOKENS else ""
        print(f"  {name:44}{own:>12,.2f} ms{beside}")


def measured(folder: Path) -> dict[str, float]:
    """Print and return the CPU milliseconds of each analysis."""
    stand = Stand(folder)
    hits = sum(map(len, stand.whole.hits(stand.query)))
    types = len(stand.segment.word.lexicon)
    print(f"\n{stand.size:,} tokens, {types:,} word types; the query has {hits:,} hits")
    for measure in (measure_collocates, measure_counts, measure_lists, measure_keyness):
        measure(stand)
    rare = word_of(stand.segment, 12)
    for cql in (f'"{rare}"', *TRENDS):
        measure_trend(stand, cql)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"  memory at most {memory:,.0f} MB, the mapped index among it")
    return stand.found


def measure_collocates(stand: Stand) -> None:
    def found(asked: company.CollocationsAsked) -> object:
        return company.collocations(stand.whole, stand.query, asked, **stand.given)

    for attribute in ("word", "lemma"):
        asked = company.CollocationsAsked(choice=Choice(attribute, least=3, most=50))
        name, peer = f"collocates +-5 by {attribute}", "(CWB 178-237, Manatee 2,416)"
        stand.note(name, lambda asked=asked: found(asked), 0.2 * 178, peer)
    inside = company.CollocationsAsked(
        counting="sentence", choice=Choice("lemma", least=3, most=50)
    )
    stand.note("collocates +-5 within sentences", lambda: found(inside))


def measure_counts(stand: Stand) -> None:
    def by(*names: str) -> object:
        return frequencies(stand.whole, stand.query, Counting(*names), **stand.given)

    stand.note("frequency by source", lambda: by("source"), 0.2 * 37, "(CWB 37-41, Manatee 39)")
    stand.note("frequency by month and source", lambda: by("month", "source"))
    stand.note("frequency by word to the right", lambda: by("R1.word"))
    stand.note(
        "dispersion over documents",
        lambda: dispersion(stand.whole, stand.query, "document", most=20, **stand.given),
    )


def measure_lists(stand: Stand) -> None:
    grams = sequences.NgramsAsked(3, "s", Choice("word", pattern="", least=2, most=1000))

    def words() -> object:
        return word_list(stand.whole, Choice("word"), sort="hits")

    def triples() -> object:
        return sequences.ngram_list(stand.whole, grams)

    least, selection.LEAST_TOKENS = selection.LEAST_TOKENS, 1 << 40
    stand.note("word list", words)
    beside = "(CWB 42,936, prototype 1,881)"
    stand.note("3-grams, top 1000", triples, 0.05 * 42_936, beside)
    selection.LEAST_TOKENS = least
    stand.note("word list, kept", words, 300)
    stand.note("3-grams, top 1000, kept", triples, 300, beside)


def measure_keyness(stand: Stand) -> None:
    focus, whole = stand.focus, stand.whole
    patterns = term_patterns(focus, ())

    def keywords() -> object:
        stand.segment._memory = Memory()
        candidates = keys.candidate_words(focus, keys.KeywordsAsked())
        rest = rest_of(focus, whole)
        reference = keys.word_reference(candidates, rest, name="the rest")
        return keys.keyed(candidates, reference, keys.KeywordsAsked(), name="focus")

    def terms() -> object:
        candidates = candidate_terms(focus, patterns, keys.KeywordsAsked())
        words, attribute = candidates.all_words(), candidates.attribute
        rest = rest_of(focus, whole)
        return term_reference(rest, patterns, words, attribute, name="the rest")

    name = f"keywords of {focus.tokens:,} tokens beside the rest"
    stand.note(name, keywords, 1000, "(nothing kept)")
    if stand.size < 0.5 * TOKENS:
        stand.note("terms of the same beside the rest", terms)


def measure_trend(stand: Stand, cql: str) -> None:
    query = parse(cql)

    def page() -> object:
        return concordance(
            [stand.segment], query, text=cql, snapshot=1, chosen=Filter(), view=View(size=20)
        )

    def by_month() -> object:
        return trend(stand.whole, query, "month", has_panel=False, **stand.given)

    by_month(), page()
    alone = cpu_ms(lambda: stand.whole.hits(query))
    a_page = cpu_ms(page)
    peer = f"(a page {a_page:.2f}, hits alone {alone:.2f})"
    stand.note(f"trend by month: {cql[:26]}", by_month, 2 * a_page, peer)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    every = [measured(folder) for folder in parser.parse_args().folders]
    print(f"\n{'growth':44}" + "".join(f"{n:>14}" for n in range(1, len(every) + 1)))
    for name in every[-1]:
        if all(name in each for each in every):
            print(f"{name:44}" + "".join(f"{each[name]:>14,.2f}" for each in every))
