"""Connected text: does a text use frequent words as running text does? Profiles of languages.

After Schäfer & Bildhauer 2012, 3.3: a profile holds the mean relative frequency of the most
frequent words in training documents, and a text's B(d) sums how far it falls short. Ours takes the
frequent words together and adds shares that tell lists from sentences in any language: ends of
sentences, small letters, words out of alphabetical order, words in lines of some length. A
shortfall is a part of the mean, not a number of deviations: edited training texts are much more
alike than pages are, and a text is no list because it is longer than others. What each counts, and
how far a text may fall short, is learnt on running text of the web (tools/train_profiles.py).
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

from izwi.model.document import Connected
from izwi.model.errors import ConfigError
from izwi.model.records import dataclass
from izwi.text.line_readings import has_figures, prose_of, read_on

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_SENTENCE = re.compile(r"[^.!?\n]+[.!?\n]*")
# Extraction may lose the space after a full stop: then a capital tells, or the number of the next
# section.
_END = re.compile(r"[.!?](?=\s|$|[”’\")\]])|(?<=[^\W\d_A-Z])[.!?](?=[A-Z“0-9])")
# How many frequent words a profile has, and how long a training document is at least.
FREQUENT = 100
_SHORTEST = 30
# Words stand in lines of at least so many; in tables, menus and lists of names they do not.
_LINE = 5
# A run of so many words that was there before is not said anew.
_RUN = 6
# Texts with fewer words are doubtful at most: what short ones lack, they may lack by chance.
SURE_WORDS = 100
# No share varies less between documents than by this part of its mean.
_STEADIEST = 0.1
# What is added where most of a text says the same again: more than any threshold.
_AGAIN = 50.0
# Less than this share of a text said anew: thirty terms of sale for ten countries have .25.
_LEAST_ANEW = 0.2
# What a text is short of that says the same again and again.
AGAIN = "said anew"
USUAL_WORDS = "frequent"
# How short of ends of sentences and of usual words verse may be, and of usual words alone
# (docs/explanation/language.md).
_FEW_ENDS, _FEW_USUAL, _MOSTLY_USUAL = 0.8, 0.5, 0.2
# Where running text has so few small letters its script has none, and lacking them says nothing.
_CASELESS = 0.05
# The fixed threshold of the source for ten words.
SOURCE_WORDS, SOURCE_THRESHOLD = 10, 10.0


@dataclass(frozen=True, slots=True)
class Share:
    """The mean of a relative frequency over documents and its variance between them."""

    mean: float
    variance: float

    def shortfall(self, value: float) -> float:
        """Return which part of the mean a value lacks, from 0 to 1.

        >>> Share(0.5, 0.01).shortfall(0.4)
        0.2
        """
        return round(max(0.0, 1 - value / self.mean), 12) if self.mean else 0.0


@dataclass(frozen=True, slots=True)
class Profile:
    """What running text of a language is like, and what falling short of it counts."""

    language: str
    words: Mapping[str, Share]
    shares: Mapping[str, Share]
    weights: Mapping[str, float]
    threshold: float = math.inf


@dataclass(frozen=True, slots=True)
class Measured:
    """A text in numbers: how many words, how often each, and its shares."""

    size: int
    counts: Mapping[str, int]
    shares: Mapping[str, float]
    # How much of the text is not said before in it.
    said_anew: float

    def frequency(self, word: str) -> float:
        """Return the share of a word among all."""
        return self.counts.get(word, 0) / max(self.size, 1)


def measure(text: str) -> Measured:
    """Return the numbers a profile compares; what is repeated literally counts once."""
    fresh = "".join(_fresh(text))
    written = _WORD.findall(fresh)
    words = [word.lower() for word in written]
    size = max(len(words), 1)
    counts = Counter(words)
    pairs = max(len(words) - 1, 1)
    ascending = sum(a <= b for a, b in pairwise(words))
    # A word may begin a sentence or be a name; a title has a capital on each.
    small = sum(word[0].islower() for word in written)
    shares = {
        "ends": min(1.0, len(_END.findall(fresh)) / size),
        "lower-case": small / size,
        "disorder": 1 - ascending / pairs,
        "in lines": sum(n for n in map(_size, fresh.splitlines()) if n >= _LINE) / size,
    }
    said_anew = len(fresh) / max(len(text), 1) * _unsaid(words)
    return Measured(len(words), counts, shares, said_anew)


def connectedness(text: str, profile: Profile) -> Connected:
    """Return B(d) of a text with its language's threshold, and what it is short of most.

    What is unconnected by its lines may be verse, or a report below a table.
    """
    found = _judged(measure(text), profile)
    if found.is_connected:
        return found
    prose = prose_of(text)
    if prose and (beside := _judged(measure(prose), profile)).is_connected:
        return beside
    return _as_verse(text, profile) or found


def _judged(measured: Measured, profile: Profile) -> Connected:
    found = shortfalls(measured, profile)
    most = max(found, key=lambda name: profile.weights.get(name, 0.0) * found[name], default="")
    short = AGAIN if _says_the_same(measured) else most
    return Connected(deviation(measured, profile), profile.threshold, short)


def _as_verse(text: str, profile: Profile) -> Connected | None:
    """Return B(d) of short lines that go on in the next, if they do.

    Lists come near that, so verse must end sentences, or have the usual words of its language and
    hardly a figure.
    """
    verse = read_on(text)
    measured = measure(verse)
    judged = _judged(measured, profile)
    if not verse or not judged.is_connected:
        return None
    short = shortfalls(measured, profile)
    usual = short.get(USUAL_WORDS, 1.0)
    has_sentences = short.get("ends", 1.0) <= _FEW_ENDS and usual <= _FEW_USUAL
    is_plain = usual <= _MOSTLY_USUAL and not has_figures(text)
    return judged if has_sentences or is_plain else None


def deviation(measured: Measured, profile: Profile) -> float:
    """Return the weighted sum of how far a text's words and shares fall short."""
    found = shortfalls(measured, profile)
    # A text that mostly says the same again is no running text, whatever it says. Below that,
    # repetition tells nothing: formulas of law repeat, and extraction doubles lines.
    again = _AGAIN if _says_the_same(measured) else 0.0
    return sum(profile.weights.get(name, 0.0) * value for name, value in found.items()) + again


def shortfalls(measured: Measured, profile: Profile) -> dict[str, float]:
    """Return which part of each share of its profile a text lacks, 0 if none."""
    values = _values(measured, profile.words)
    return {
        name: share.shortfall(values[name])
        for name, share in profile.shares.items()
        if name in values and not (name == "lower-case" and share.mean < _CASELESS)
    }


def _says_the_same(measured: Measured) -> bool:
    return measured.said_anew < _LEAST_ANEW


def _values(measured: Measured, words: Iterable[str]) -> dict[str, float]:
    return {**measured.shares, USUAL_WORDS: sum(map(measured.frequency, words))}


def source_connectedness(text: str, profile: Profile) -> Connected:
    """Return B(d) as in the source, with its fixed threshold."""
    return Connected(source_deviation(measure(text), profile), SOURCE_THRESHOLD)


def source_deviation(measured: Measured, profile: Profile) -> float:
    """Return B(d) as in the source: ten words, deviations between documents, nothing else."""
    first = list(profile.words.items())[:SOURCE_WORDS]
    return sum(
        max(0.0, share.mean - measured.frequency(word))
        / math.sqrt(share.variance + share.mean * (1 - share.mean) / 300)
        for word, share in first
    )


def train_profile(
    language: str,
    documents: Sequence[str],
    *,
    weights: Mapping[str, float],
    threshold: float = 0.0,
    percentile: float = 99.5,
) -> Profile:
    """Return the profile of a language from running text; its own texts pass, nearly all."""
    measured = [one for one in map(measure, documents) if one.size >= _SHORTEST]
    total = Counter[str]()
    for one in measured:
        total.update(one.counts)
    words = {
        word: _share([(one.frequency(word), one.size) for one in measured])
        for word, _ in total.most_common(FREQUENT)
    }
    values = [_values(one, words) for one in measured]
    shares = {
        name: _share([(v[name], one.size) for v, one in zip(values, measured, strict=True)])
        for name in (values[0] if values else ())
    }
    profile = Profile(language, words, shares, weights)
    own = sorted(deviation(one, profile) for one in measured)
    return replace(profile, threshold=max(threshold, _percentile(own, percentile)))


def _share(values: Iterable[tuple[float, int]]) -> Share:
    """Return mean and variance weighted by length, without the variance that is chance."""
    pairs = list(values)
    whole = sum(size for _, size in pairs)
    mean = sum(value * size for value, size in pairs) / whole
    spread = sum((value - mean) ** 2 * size for value, size in pairs) / whole
    chance = mean * (1 - mean) * len(pairs) / whole
    # Training texts are more alike than pages with headings, names and captions between.
    return Share(mean, max(spread - chance, 0.1 * spread, (_STEADIEST * mean) ** 2))


def _percentile(ordered: Sequence[float], percent: float) -> float:
    if not ordered:
        return math.inf
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]


def _fresh(text: str) -> Iterable[str]:
    """Yield the sentences and lines of a text that were not there before."""
    seen = set()
    for match in _SENTENCE.finditer(text):
        key = match[0].strip().lower()
        if key not in seen:
            seen.add(key)
            yield match[0]


def _unsaid(words: Sequence[str]) -> float:
    """Return the share of words that stand in no run of words that was there before."""
    seen, said = set[tuple[str, ...]](), set[int]()
    for start in range(len(words) - _RUN + 1):
        run = tuple(words[start : start + _RUN])
        if run in seen:
            said.update(range(start, start + _RUN))
        seen.add(run)
    return 1 - len(said) / max(len(words), 1)


def _size(line: str) -> int:
    return len(_WORD.findall(line))


def dump_profiles(profiles: Mapping[str, Profile]) -> str:
    """Return profiles as JSON, numbers short."""
    rows = {code: _row(profile) for code, profile in sorted(profiles.items())}
    return json.dumps(rows, ensure_ascii=False, indent=0) + "\n"


def load_profiles(text: str) -> dict[str, Profile]:
    """Return profiles from JSON; ValueError if they are none."""
    try:
        return {code: _profile(code, row) for code, row in json.loads(text).items()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"these are no profiles: {error}") from error


@cache
def shipped_profiles() -> Mapping[str, Profile]:
    """Return the profiles that come with izwi, by language."""
    return load_profiles((files("izwi") / "models" / "profiles.json").read_text(encoding="utf-8"))


def profiles_with(path: str, packs: Mapping[str, str]) -> Mapping[str, Profile]:
    """Return the profiles that come with izwi, over them those of packs and those in a file."""
    files = [Path(folder) / "profile.json" for folder in packs.values()]
    given = [file for file in files if file.exists()] + ([Path(path)] if path else [])
    found = dict(shipped_profiles())
    for file in given:
        try:
            found |= load_profiles(file.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError) as error:
            raise ConfigError(f"{file} cannot be read as profiles: {error}.") from error
    return found


def shipped_weights() -> Mapping[str, float]:
    """Return what each shortfall counts; the same for all languages that come with izwi."""
    return next(iter(shipped_profiles().values())).weights


def shipped_threshold() -> float:
    """Return how far a text may fall short, as learnt on pages of the web."""
    return min(each.threshold for each in shipped_profiles().values())


def _row(profile: Profile) -> dict[str, Any]:
    return {
        "threshold": _short(profile.threshold),
        "words": _pairs(profile.words),
        "shares": _pairs(profile.shares),
        "weights": {name: _short(weight) for name, weight in profile.weights.items()},
    }


def _pairs(shares: Mapping[str, Share]) -> dict[str, list[float]]:
    return {name: [_short(one.mean), _short(one.variance)] for name, one in shares.items()}


def _profile(code: str, row: Mapping[str, Any]) -> Profile:
    words = {word: Share(*map(float, pair)) for word, pair in row["words"].items()}
    shares = {name: Share(*map(float, pair)) for name, pair in row["shares"].items()}
    weights = {name: float(weight) for name, weight in row["weights"].items()}
    return Profile(code, words, shares, weights, float(row["threshold"]))


def _short(value: float) -> float:
    return float(f"{value:.4g}") if math.isfinite(value) else value
