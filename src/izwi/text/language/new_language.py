"""A new language in seconds, from a raw sample, beside the frequent words of those that are known.

What is telling for it is learnt from a raw sample of its text, for every identifier. The weights
of its n-grams begin as naive Bayes. They are then learnt (logistic regression) so that pieces of
the sample win against all that is known already, and texts made of the frequent words of the other
languages do not become the new one. A tenth of the sample and half of those words are kept apart:
nothing is chosen by looking at them, so they say how well it went.
"""

import json
import lzma
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.postings import count_ngrams, read_letters
from izwi.model.errors import ConfigError, of_damaged_arrays
from izwi.text.language.alternative_models import Alternatives, load_alternatives
from izwi.text.language.base import Identifier
from izwi.text.language.distance import ProfileDistance, ranking
from izwi.text.language.kneserney import KneserNey, count_characters
from izwi.text.language.ngrams import Izwi
from izwi.text.language.world import FORMAT, LEAST_LIKENESS, WorldModel, letter_table

Prints = NDArray[np.int64]
Weights = NDArray[np.float64]

# Less text than this does not show what a language looks like.
_FEWEST_LETTERS = 2_000
# As in tools/train_world.py: occurrences per million added to each, how much of naive Bayes the
# learning starts from, n-grams of a language nobody had, languages on a list at most, and the
# least share of the highest to be on it.
_FLOOR, _START, _NEW, _FULL_LIST, _LEAST_SHARE = 0.5, 0.6, 3_600, 30, 0.02
# Pieces of the sample, texts made of each other language, passes, and the first step. Texts of the
# others count so many times as much: there are hundreds of them.
_PIECES, _MADE, _PASSES, _RATE, _OTHERS = 3_000, 15, 30, 0.2, 20.0

# One to five words, six to fifteen, a paragraph; and the share of snippets of each.
LENGTHS = ((1, 5), (6, 15), (16, 80))
_SHARES = (0.5, 0.3, 0.2)
# Classes with fewer letters of text give fewer snippets: the same sentences would come back.
_MUCH_TEXT, _LITTLE_SHARE = 400_000, 0.55
# Class to source to texts.
Samples = Mapping[str, Mapping[str, Sequence[str]]]


@dataclass(frozen=True, slots=True)
class Column:
    """What speaks for a language: fingerprints of n-grams (sorted), their weights, and a bias.

    `likeness` is how much it looks like the languages that a second step is asked about.
    """

    prints: Prints
    weights: Weights
    bias: float
    likeness: float = LEAST_LIKENESS


@dataclass(frozen=True, slots=True)
class Added:
    """How a new language fares: snippets told rightly, and what the others were taken for."""

    code: str
    letters: int
    snippets: int
    accuracy: float
    # Language named instead, and how often; the most frequent first.
    confusions: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Losses:
    """What other languages lose to a new one: texts told rightly before and now called by it."""

    texts: int
    lost: int
    languages: tuple[tuple[str, int], ...]

    @property
    def share(self) -> float:
        """The share of texts that are lost."""
        return self.lost / max(1, self.texts)


def learn_column(world: WorldModel, code: str, lines: Sequence[str]) -> Column:
    """Return what is telling for a language, learnt from its text beside all that is known."""
    prints, weights = _naive(world, code, lines)
    chance = random.Random(code)
    own = [text for _, text in snippet_texts({code: {"": lines}}, _PIECES, 1)]
    others = [text for known in rivals(code, 0) for text in made_texts(known, _MADE, chance)]
    read = [ngrams_of(text) for text in (*own, *others)]
    is_own = np.arange(len(read)) < len(own)
    rival = _strongest(world, read, code)
    column = _learnt(prints, weights, read, is_own, rival)
    return replace(column, likeness=Izwi().likeness(own))


def rivals(code: str, half: int) -> list[tuple[str, ...]]:
    """Return every second frequent word of each other language, from the first or the second."""
    return [words[half::2] for other, words in frequent_words().items() if other != code]


def with_columns(world: WorldModel, columns: Mapping[str, Column]) -> WorldModel:
    """Return a model that names these languages too; what it held of them is replaced."""
    numbers = np.repeat(np.arange(len(world.counts)), world.counts)
    classes = (*world.classes, *(code for code in columns if code not in world.classes))
    # Of a language in two scripts the first class, as below.
    place = {code: classes.index(code) for code in columns}
    kept = ~np.isin(world.languages, [place[code] for code in columns])
    more = len(classes) - len(world.classes)
    named, bias = np.pad(world.named, (0, more)), np.pad(world.bias, (0, more))
    likeness = np.pad(world.likeness, (0, more))
    prints, owners = [world.fingerprints[numbers[kept]]], [world.languages[kept]]
    weights = [world.weights[kept]]
    for code, column in columns.items():
        named[place[code]], bias[place[code]] = True, column.bias
        likeness[place[code]] = column.likeness
        prints.append(column.prints)
        owners.append(np.full(len(column.prints), place[code], np.uint16))
        weights.append(np.clip(np.rint(column.weights / world.scale), -127, 127).astype(np.int8))
    joined = np.concatenate(prints)
    order = np.argsort(joined, kind="stable")
    fingerprints, counts = np.unique(joined, return_counts=True)
    return replace(
        world,
        classes=classes,
        named=named,
        fingerprints=fingerprints,
        counts=counts,
        languages=np.concatenate(owners)[order],
        weights=np.concatenate(weights)[order],
        bias=bias,
        likeness=likeness,
    )


def write_column(column: Column, file: IO[bytes]) -> None:
    """Write what speaks for a language."""
    np.savez_compressed(
        file,
        format=np.array([FORMAT]),
        prints=np.diff(column.prints, prepend=0).astype(np.uint32),
        weights=column.weights.astype(np.float16),
        bias=np.array([column.bias]),
        likeness=np.array([column.likeness]),
    )


def read_column(path: Path) -> Column:
    """Return what speaks for a language from its file; a sentence if it cannot be read."""
    try:
        # Opened here: NumPy leaves a damaged file open.
        with path.open("rb") as file, np.load(file) as held, np.errstate(invalid="ignore"):
            if int(held["format"][0]) != FORMAT:
                raise ConfigError(
                    f"{path} was made by another version of izwi. Try: izwi language make"
                )
            prints = np.cumsum(held["prints"].astype(np.int64))
            weights, bias = held["weights"].astype(np.float64), float(held["bias"][0])
            # Packs made before have none.
            likeness = float(held["likeness"][0]) if "likeness" in held else LEAST_LIKENESS
        is_finite = np.isfinite(weights).all() and np.isfinite([bias, likeness]).all()
        if prints.shape != weights.shape or not is_finite:
            raise ValueError("its lists do not match")
        return Column(prints, weights, bias, likeness)
    except of_damaged_arrays() as error:
        raise ConfigError(f"{path} is not the identifier of a language pack: {error}.") from error


def held_back(code: str, lines: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return nine tenths of a sample to learn from, and snippets of the rest to measure by."""
    letters = sum(map(len, lines))
    if letters < _FEWEST_LETTERS or len(lines) < 10:
        raise ConfigError(
            f"The sample of '{code}' has {letters:,} letters in {len(lines)} lines; "
            f"give at least {_FEWEST_LETTERS:,} in 10, one sentence or paragraph a line."
        )
    learnt = [line for number, line in enumerate(lines) if number % 10]
    return learnt, [text for _, text in snippet_texts({code: {"": lines[::10]}}, 600, 1)]


def report_on(identify: Identifier, code: str, snippets: Sequence[str], letters: int) -> Added:
    """Return how often an identifier names a language rightly, and what it says instead."""
    named = Counter(identify(snippet).code for snippet in snippets)
    wrong = tuple((other, count) for other, count in named.most_common() if other != code)
    return Added(code, letters, len(snippets), named[code] / max(1, len(snippets)), wrong)


def losses(
    before: Identifier, after: Identifier, code: str, texts: Iterable[tuple[str, str]]
) -> Losses:
    """Return what languages lose to a new one, of texts with their right code."""
    right = [(own, text) for own, text in texts if own != code and before(text).code == own]
    lost = Counter(own for own, text in right if after(text).code == code)
    return Losses(len(right), lost.total(), tuple(lost.most_common()))


def texts_of_others(code: str, count: int = 4) -> list[tuple[str, str]]:
    """Return texts made of the frequent words that no language was learnt beside."""
    chance = random.Random(f"measured {code}")
    return [
        (other, text)
        for other, words in frequent_words().items()
        if other != code
        for text in made_texts(words[1::2], count, chance)
    ]


def ngrams_of(text: str) -> Prints:
    """Return the fingerprints of the n-grams of a text."""
    letters = np.zeros(len(text) + 3, np.uint32)
    used = read_letters(text, 0, len(text), letter_table(), letters, 0, np.zeros(4, np.int64))
    found = np.zeros(used * 6 + 8, np.int64)
    return found[: count_ngrams(letters, used, found)]


def _naive(world: WorldModel, code: str, lines: Sequence[str]) -> tuple[Prints, Weights]:
    """Return the n-grams that may speak for a language, with the weights of naive Bayes."""
    prints, times = np.unique(np.concatenate(list(map(ngrams_of, lines))), return_counts=True)
    shares = times * (1e6 / max(1, times.sum()))
    prints, shares = prints[times >= 2], shares[times >= 2]
    numbers = np.repeat(np.arange(len(world.counts)), world.counts)
    own = world.classes.index(code) if code in world.classes else -1
    other = world.languages != own
    theirs = _FLOOR * np.expm1(np.maximum(0, world.weights[other] * world.scale / _START))
    highest = np.zeros(len(world.counts))
    np.maximum.at(highest, numbers[other], theirs)
    size = np.bincount(numbers[other], minlength=len(world.counts))
    place, is_known = _places(world.fingerprints, prints)
    # A list that is full already lacks hundreds of languages: one more would win against them all.
    is_open = (size[place] < _FULL_LIST) & (shares >= _LEAST_SHARE * highest[place])
    fresh = np.where(is_known, 0.0, shares)
    is_fresh = fresh >= np.sort(fresh)[-min(len(fresh), _NEW)] if len(fresh) else is_known
    chosen = (is_known & is_open) | (~is_known & is_fresh)
    return prints[chosen], _START * np.log1p(shares[chosen] / _FLOOR)


def _places(known: Prints, wanted: Prints) -> tuple[Prints, NDArray[np.bool_]]:
    """Return where each stands in a sorted list, and whether it does."""
    place = np.minimum(np.searchsorted(known, wanted), max(0, len(known) - 1))
    return place, known[place] == wanted


def _strongest(world: WorldModel, read: Sequence[Prints], code: str) -> Weights:
    """Return what a new language must reach in each text: the scores of all others together."""
    begins = np.cumsum(world.counts) - world.counts
    own = world.classes.index(code) if code in world.classes else -1
    found = np.zeros(len(read))
    for number, prints in enumerate(read):
        place, is_known = _places(world.fingerprints, prints)
        place = place[is_known]
        sizes = world.counts[place]
        listed = np.repeat(begins[place] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
        scores = np.bincount(
            world.languages[listed], world.weights[listed], minlength=len(world.classes)
        )
        scores = scores * (world.scale / max(1, len(prints)) ** 0.5) + world.bias
        scores[own if own >= 0 else slice(0)] = -np.inf
        found[number] = np.logaddexp.reduce(scores)
    return found


def _learnt(
    prints: Prints,
    weights: Weights,
    read: Sequence[Prints],
    is_own: NDArray[np.bool_],
    rival: Weights,
) -> Column:
    """Return the weights after some passes over all texts, each step by its own past (Adagrad)."""
    places = [_places(prints, text) for text in read]
    columns = np.concatenate([place[is_known] for place, is_known in places])
    rows = np.repeat(np.arange(len(read)), [int(is_known.sum()) for _, is_known in places])
    roots = np.sqrt([max(1, len(text)) for text in read])
    counts = np.where(is_own, 1 / is_own.sum(), _OTHERS / (~is_own).sum()) * len(read)
    bias, seen, seen_bias = 0.0, np.full(len(weights), 1e-8), 1e-8
    for _ in range(_PASSES):
        scores = np.bincount(rows, weights[columns], minlength=len(read)) / roots + bias - rival
        pulls = (1 / (1 + np.exp(-np.clip(scores, -30, 30))) - is_own) * counts
        slopes = np.bincount(columns, (pulls / roots)[rows], minlength=len(weights))
        seen += slopes**2
        seen_bias += pulls.sum() ** 2
        weights = weights - _RATE * slopes / np.sqrt(seen)
        bias -= _RATE * pulls.sum() / seen_bias**0.5
    return Column(prints, weights, float(bias))


METHODS = ("profile-distance", "kneser-ney")


def add_alternative(
    known: Alternatives, code: str, lines: Sequence[str], *, method: str
) -> tuple[Alternatives, Added]:
    """Return what both methods know with one more language, and how one of them fares with it."""
    learnt, snippets = held_back(code, lines)
    made = Alternatives(
        {**known.rankings, code: tuple(ranking(" ".join(learnt)))},
        {**known.characters, code: count_characters(learnt)},
    )
    identify = alternative(method, made)
    return made, report_on(identify, code, snippets, sum(map(len, lines)))


def alternative(method: str, known: Alternatives) -> Identifier:
    """Return the identifier of that name with what it is to know."""
    if method == "profile-distance":
        return ProfileDistance(known.rankings)
    return KneserNey(known.characters)


def open_alternatives(path: str | Path) -> Alternatives:
    """Return what is in a file; a sentence if it cannot be read."""
    try:
        return load_alternatives(Path(path).read_bytes())
    except OSError as error:
        raise ConfigError(
            f"{path} is not a file of rankings and counts. Try: izwi train language --method"
        ) from error
    except (ValueError, KeyError, EOFError) as error:
        raise ConfigError(f"{path} is not a file of rankings and counts: {error}.") from error


# Of the words that are known of a language, so many stand in its stop list.
STOP_WORDS = 60
# How often a word of a made text is put together from the halves of two: rare words look so.
_MADE_UP = 0.5


@cache
def frequent_words() -> Mapping[str, tuple[str, ...]]:
    """Return the frequent words of each language (ISO 639-3), the most frequent first."""
    packed = (files("izwi") / "models" / "words.json.xz").read_bytes()
    rows = json.loads(lzma.decompress(packed))
    return {code: tuple(words.split()) for code, words in rows.items()}


def stop_words(language: str) -> tuple[str, ...]:
    """Return the words that any text of a language is full of, none if it is not known.

    >>> "och" in stop_words("swe")
    True
    """
    return frequent_words().get(language, ())[:STOP_WORDS]


def made_texts(words: Sequence[str], count: int, chance: random.Random) -> list[str]:
    """Return texts of one to fifteen words in a language of which only frequent words are known."""
    shares = [1 / (rank + 3) for rank in range(len(words))]
    long = [word for word in words if len(word) > 3] or list(words)
    return [
        " ".join(
            _made_up(long, chance) if chance.random() < _MADE_UP else word
            for word in chance.choices(words, shares, k=size)
        )
        for size in (chance.randint(*chance.choice(((1, 5), (6, 15)))) for _ in range(count))
    ]


def _made_up(words: Sequence[str], chance: random.Random) -> str:
    first, second = chance.choice(words), chance.choice(words)
    return first[: (len(first) + 1) // 2] + second[len(second) // 2 :]


def snippet_texts(samples: Samples, most: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield (class, piece of text) of all lengths; rare classes give fewer pieces."""
    chance = random.Random(seed)
    for name in sorted(samples):
        sources = {s: texts for s, texts in sorted(samples[name].items()) if texts}
        sizes = [sum(map(len, texts)) for texts in sources.values()]
        if not sizes:
            continue
        share = 1.0 if sum(sizes) >= _MUCH_TEXT else _LITTLE_SHARE
        # As when counting: a source twice as large does not say twice as much.
        weights = [size**0.5 for size in sizes]
        chosen = chance.choices(list(sources.values()), weights, k=int(most * share))
        for texts in chosen:
            yield name, _piece(chance.choice(texts), chance)


def _piece(text: str, chance: random.Random) -> str:
    low, high = chance.choices(LENGTHS, _SHARES)[0]
    words, size = text.split(), chance.randint(low, high)
    start = chance.randrange(max(1, len(words) - size + 1))
    return " ".join(words[start : start + size])
