"""Sketches, thesaurus, examples and new words on corpora of three sizes, in CPU time and memory.

    python benchmarks/lexicography/measure.py FOLDER...     (segments of benchmarks/query/generate.py)

No peer was run: Manatee's sketches need a compiled grammar of another kind. What is shown is that
one question stays within seconds and memory within bounds, and how both grow.
"""

import resource
import sys
import time
from datetime import date
from pathlib import Path

import numpy as np

from izwi.analyse.examples import good_examples
from izwi.analyse.new_words import Search, new_words
from izwi.analyse.selection import Selection
from izwi.analyse.sketch_grammar import grammar_for
from izwi.analyse.sketches import Wish, sketch
from izwi.analyse.thesaurus import thesaurus
from izwi.index.reader import Segment
from izwi.query.cql import parse
from izwi.query.engine import Filter, find


def main() -> None:
    for folder in map(Path, sys.argv[1:]):
        segments = tuple(Segment(each.parent) for each in sorted(folder.rglob("segment.json")))
        print(f"{folder.name}: {sum(each.tokens for each in segments):,} tokens")
        for name, work in cases(segments):
            first, second = timed(work), timed(work)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(f"  {name:<42} {first:8.2f} s, again {second:8.2f} s; peak {peak:,} MB")


def cases(segments):
    grammar = grammar_for("en")
    frequent, middle = words(segments[0])
    chosen = Selection(segments, Filter(), None, 1)
    yield (
        f"sketch of the commonest noun ({frequent[1]:,})",
        lambda: sketch(chosen, grammar, frequent[0], Wish()),
    )
    yield (
        f"sketch of a noun ({middle[1]:,})",
        lambda: sketch(chosen, grammar, middle[0], Wish()),
    )
    yield "thesaurus", lambda: thesaurus(chosen, grammar, middle[0], Wish(least=5))
    yield (
        "good examples",
        lambda: good_examples(
            chosen,
            list(find(segments, parse(f'[lemma=="{frequent[0]}"]'))),
            most=10,
            anaphora=grammar.anaphora,
            avoid=(),
        ),
    )
    dates = segments[0].dates
    last = date.fromordinal(date(1970, 1, 1).toordinal() + int(dates.max()))
    search = Search(last.replace(year=last.year - 1), last)
    yield "new words of the last year", lambda: new_words(chosen, search)


def words(segment):
    """Return the commonest noun and one of middling frequency, with their hits."""
    lemmas, tags = segment.attribute("lemma"), segment.attribute("tag")
    nouns = np.array([tags.number(tag) for tag in ("NN", "NNS") if tags.number(tag) is not None])
    order = np.argsort(-lemmas.frequencies)
    found = []
    for number in order.tolist():
        places = lemmas.positions(number)[:1]
        if np.isin(tags.column[places], nouns).any():
            found.append((lemmas.lexicon[number], int(lemmas.frequencies[number])))
        if len(found) > 300:
            break
    return found[0], found[300]


def timed(work) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


if __name__ == "__main__":
    main()
