"""Words made up from the n-gram models of lingua, as likely as in the text those were counted in.

A model holds how often a letter follows up to four others inside a word. How often nothing
follows is what is missing to one, and how often nothing went before what no longer n-gram
accounts for: together a Markov chain with beginnings and ends. Identifiers that look at
n-grams inside words learn from such words nearly what they would learn from the text.

Words drawn from a list with frequencies are the other kind: real ones, without their order.
"""

import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from izwi.model.languages import iso639_3

_ORDERS = ("unigrams", "bigrams", "trigrams", "quadrigrams", "fivegrams")
_LONGEST = 5
# Letters of words made per language, and words per line.
LETTERS = 300_000
LINE = 12
_LONGEST_WORD = 30


@dataclass(frozen=True, slots=True)
class Choice:
    """Things with their weights, to be drawn by chance."""

    things: tuple[str, ...]
    sums: tuple[float, ...]

    def drawn(self, chance: random.Random) -> str:
        """Return one of the things."""
        return chance.choices(self.things, cum_weights=self.sums)[0]


def made_lines(folder: Path, letters: int = LETTERS) -> Iterator[tuple[str, str]]:
    """Yield (language, line of words) for each model in a folder of `<code>/fivegrams.json.br`."""
    for path in sorted(folder.iterdir()):
        if (path / "fivegrams.json.br").exists():
            code, size = iso639_3(path.name), 0
            for line in _lines(_shares(path), random.Random(path.name)):
                yield code, line
                size += len(line)
                if size > letters:
                    break


def drawn_lines(folder: Path, letters: int = LETTERS) -> Iterator[tuple[str, str]]:
    """Yield (language, line of words) for each list `small_<code>.msgpack.gz` of wordfreq.

    Bosnian, Croatian and Serbian are one list there (`sh`), and Chinese and Japanese are not words
    between spaces.
    """
    import msgpack

    for path in sorted(folder.glob("small_*.msgpack.gz")):
        name = path.name.removeprefix("small_").partition(".")[0]
        if name in ("sh", "zh", "ja"):
            continue
        # The first entry is a header; each of the others holds words a hundredth of a decade rarer.
        _, *steps = msgpack.unpackb(gzip.decompress(path.read_bytes()))
        words = {
            word: 10 ** (-n / 100) for n, step in enumerate(steps) for word in step if is_word(word)
        }
        choice, chance, size = _choice(words), random.Random(name), 0
        while size < letters:
            line = " ".join(chance.choices(choice.things, cum_weights=choice.sums, k=LINE))
            yield iso639_3(name), line
            size += len(line)


def is_word(text: str) -> bool:
    """Return whether a text is letters with their marks, hyphens and apostrophes."""
    return any(map(str.isalpha, text)) and not any(c.isdigit() or c in ".,:/@_" for c in text)


def _lines(shares: dict[str, float], chance: random.Random) -> Iterator[str]:
    counts = _counts(shares)
    begins, follows = _choice(_beginnings(counts)), _following(shares)
    while True:
        yield " ".join(_word(begins.drawn(chance), follows, chance) for _ in range(LINE))


def _shares(folder: Path) -> dict[str, float]:
    """Return for each n-gram the share of its last letter after the others."""
    import brotli

    shares = {}
    for order in _ORDERS:
        packed = (folder / f"{order}.json.br").read_bytes()
        for share, ngrams in json.loads(brotli.decompress(packed))["ngrams"].items():
            above, below = map(int, share.split("/"))
            shares.update(dict.fromkeys(ngrams.split(), above / below))
    return shares


def _counts(shares: dict[str, float]) -> dict[str, float]:
    """Return how often each n-gram occurs, as a share of all letters."""
    counts: dict[str, float] = {}
    for ngram in sorted(shares, key=len):
        counts[ngram] = shares[ngram] * (counts.get(ngram[:-1], 0.0) if len(ngram) > 1 else 1.0)
    return counts


def _beginnings(counts: dict[str, float]) -> dict[str, float]:
    """Return how often words begin with an n-gram, and how often they are nothing else."""
    before: dict[str, float] = defaultdict(float)
    longer: dict[str, float] = defaultdict(float)
    for ngram, count in counts.items():
        before[ngram[1:]] += count
    at_start = {ngram: counts[ngram] - before[ngram] for ngram in counts if len(ngram) < _LONGEST}
    for ngram, count in at_start.items():
        if len(ngram) > 1 and count > 0:
            longer[ngram[:-1]] += count
    # A short word is what begins but does not go on; the marks tell it from a beginning.
    found = {f"{n} ": c - longer[n] for n, c in at_start.items() if len(n) < _LONGEST - 1}
    found.update({ngram: c for ngram, c in at_start.items() if len(ngram) == _LONGEST - 1})
    return {ngram: count for ngram, count in found.items() if count > 1e-8}


def _following(shares: dict[str, float]) -> dict[str, Choice]:
    """Return for four letters what may follow; a space is the end of the word."""
    after: dict[str, dict[str, float]] = defaultdict(dict)
    for ngram, share in shares.items():
        if len(ngram) == _LONGEST:
            after[ngram[:-1]][ngram[-1]] = share
    for options in after.values():
        options[" "] = max(0.0, 1.0 - sum(options.values()))
    return {start: _choice(options) for start, options in after.items()}


def _choice(weights: dict[str, float]) -> Choice:
    return Choice(tuple(weights), tuple(accumulate(weights.values())))


def _word(word: str, follows: dict[str, Choice], chance: random.Random) -> str:
    while not word.endswith(" ") and len(word) < _LONGEST_WORD:
        choice = follows.get(word[-(_LONGEST - 1) :])
        word += choice.drawn(chance) if choice else " "
    return word.strip()
