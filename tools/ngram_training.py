"""Training of the identifier from samples: count, choose n-grams, learn, calibrate.

First every n-gram is counted per class, sources weighing as the square root of their size, so that
no single source decides what a language looks like. Each slot of the table then goes to the n-gram
that tells most about the classes. Its weights begin as those of naive Bayes and are improved on
snippets of one word to a paragraph, a third of the n-grams left out at random: what tells in one
source only would otherwise be believed too much (docs/explanation/language.md has the trials).
"""

import io
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import IO

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import ngrams as loops
from izwi.text.language.letters import read
from izwi.text.language.model import FORMAT, NgramModel, text_sums
from izwi.text.language.new_language import Samples, snippet_texts

Hashes = NDArray[np.uint64]
Bytes = NDArray[np.uint8]
Say = Callable[[str], None]

_FINE_BITS = 22
# Counts are per million n-grams; this is added to each, so that the unseen is not impossible.
FLOOR = 0.1
# How much of naive Bayes the learning starts from: its evidence is counted several times over.
START = 0.5
# How many steps the 999th of a thousand weights is from zero; more make a larger file.
STEPS = 63
BACKGROUND_STEP = 8.0
POWER = 0.5


@dataclass(frozen=True, slots=True)
class Plan:
    """How large a model is and how long it is trained."""

    bits: int = 19
    snippets: int = 24_000
    epochs: int = 3
    rate: float = 0.4
    # The share of n-grams left out of each snippet.
    dropped: float = 0.2
    seed: int = 1


@dataclass(frozen=True, slots=True)
class Table:
    """Which n-gram owns each slot, with the frequencies of the owners."""

    tags: NDArray[np.uint8]
    is_owned: NDArray[np.bool_]
    frequencies: NDArray[np.float32]

    @property
    def shift(self) -> np.uint64:
        """How far a hash is shifted to give its slot."""
        return np.uint64(64 - (len(self.tags) - 1).bit_length())


@dataclass(frozen=True, slots=True)
class Snippets:
    """Pieces of text as the slots of their n-grams, one behind the other."""

    slots: NDArray[np.int32]
    bounds: NDArray[np.int64]
    sizes: NDArray[np.int64]
    classes: NDArray[np.int64]


def train(samples: Samples, plan: Plan, say: Say = lambda words: None) -> NgramModel:
    """Return a model of the classes of the samples.

    It learns from all of them; how sure it may be is measured on a tenth, with a model that
    learnt from the rest.
    """

    learnt, held_back = _split(samples)
    part = _trained(learnt, plan, say)
    measured = calibrated(part, snippet_texts(held_back, 400, plan.seed + 1))
    whole = _trained(samples, plan, say)
    return replace(whole, lengths=measured.lengths, temperatures=measured.temperatures)


def _trained(samples: Samples, plan: Plan, say: Say) -> NgramModel:
    table = choose_ngrams(samples, plan, say)
    weights, bias = _learn(table, samples, plan, say)
    return _quantised(tuple(sorted(samples)), table, weights, bias)


def choose_ngrams(samples: Samples, plan: Plan, say: Say) -> Table:
    """Return the table of the n-grams that tell most about the classes."""
    counts = _counts(samples)
    say(f"counted n-grams of {len(counts)} classes")
    owner = _owners(counts, plan.bits)
    tags, votes = np.zeros(1 << plan.bits, np.uint8), np.zeros(1 << plan.bits, np.int64)
    fine, coarse = 64 - _FINE_BITS, 64 - plan.bits
    for _, _, found in _all_hashes(samples):
        loops.vote_tags(found, fine, coarse, owner, tags, votes)
    is_owned = owner >= 0
    frequencies = np.where(is_owned, counts[:, np.maximum(owner, 0)], 0).T
    say(f"{is_owned.sum():,} n-grams own a slot")
    return Table(tags, is_owned, np.ascontiguousarray(frequencies))


def log_frequencies(per_million: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return smoothed log-frequencies."""
    logs: NDArray[np.float32] = np.log(per_million + np.float32(FLOOR))
    return logs


def _split(samples: Samples) -> tuple[Samples, Samples]:
    """Return nine tenths to learn from and one tenth to calibrate on."""
    learnt: dict[str, dict[str, list[str]]] = {}
    held_back: dict[str, dict[str, list[str]]] = {}
    for name, sources in samples.items():
        for source, texts in sources.items():
            learnt.setdefault(name, {})[source] = [t for n, t in enumerate(texts) if n % 10]
            held_back.setdefault(name, {})[source] = list(texts[::10])
    return learnt, held_back


def _all_hashes(samples: Samples) -> Iterator[tuple[str, str, NDArray[np.uint64]]]:
    for name in sorted(samples):
        for source, texts in samples[name].items():
            for text in texts:
                yield name, source, text_hashes(read(text).text)


def _counts(samples: Samples) -> NDArray[np.float32]:
    """Return frequencies per million, one row per class, one column per fine hash."""
    names = {name: number for number, name in enumerate(sorted(samples))}
    counts = np.zeros((len(names), 1 << _FINE_BITS), np.float32)
    weights = {
        (name, source): max(1, sum(map(len, texts))) ** -0.5
        for name, sources in samples.items()
        for source, texts in sources.items()
    }
    shift = 64 - _FINE_BITS
    for name, source, found in _all_hashes(samples):
        loops.count_hashes(found, weights[name, source], shift, counts[names[name]])
    totals = np.maximum(counts.sum(axis=1, dtype=np.float64), 1e-9)
    counts *= (1e6 / totals)[:, None].astype(np.float32)
    return counts


def _owners(counts: NDArray[np.float32], bits: int) -> NDArray[np.int64]:
    """Return per slot the fine hash that tells most about the classes, -1 where none falls."""
    told = _told(counts).reshape(1 << bits, -1)
    best = told.argmax(axis=1)
    width = told.shape[1]
    owner = np.arange(1 << bits) * width + best
    return np.where(told[np.arange(1 << bits), best] > 0, owner, -1)


def _told(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return how many bits about the class the occurrences of each n-gram hold."""
    total = counts.sum(axis=0)
    told = np.zeros_like(total)
    even = np.log(np.float32(len(counts)))
    for row in counts:
        share = row / np.maximum(total, 1e-9)
        told += row * (np.log(share + 1e-9) + even)
    # What occurs in one text only says little about its language.
    return np.where(total > 2 * FLOOR, told, 0)


def _learn(
    table: Table, samples: Samples, plan: Plan, say: Say
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    snippets = _encode(table, samples, plan)
    logs = log_frequencies(table.frequencies)
    weights = np.float32(START) * (logs - logs.mean(axis=1, keepdims=True))
    weights[~table.is_owned] = 0
    bias = np.zeros(weights.shape[1], np.float32)
    chance = np.random.default_rng(plan.seed)
    for epoch in range(plan.epochs):
        order = chance.permutation(len(snippets.classes))
        loss = learn(
            (snippets.slots, snippets.bounds, snippets.sizes, snippets.classes),
            order,
            weights,
            bias,
            (plan.rate / (1 + epoch), POWER, plan.dropped),
            plan.seed + epoch,
        )
        say(f"pass {epoch + 1}: loss {loss:.4f}")
    return weights, bias


def _encode(table: Table, samples: Samples, plan: Plan) -> Snippets:
    names = {name: number for number, name in enumerate(sorted(samples))}
    parts, sizes, classes = [], [], []
    for name, text in snippet_texts(samples, plan.snippets, plan.seed):
        found = text_hashes(read(text).text)
        if len(found):
            parts.append(known_slots(found, table.shift, table.tags, table.is_owned))
            sizes.append(len(found))
            classes.append(names[name])
    bounds = np.zeros(len(parts) + 1, np.int64)
    bounds[1:] = np.cumsum([len(part) for part in parts])
    return Snippets(np.concatenate(parts), bounds, np.array(sizes), np.array(classes))


def _quantised(
    classes: tuple[str, ...],
    table: Table,
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
) -> NgramModel:
    # The thousandth largest weight of ten thousand sets the step; the few beyond are cut.
    largest = float(np.quantile(np.abs(weights[table.is_owned]), 0.999))
    scale = max(largest, 1e-6) / STEPS
    rows = np.clip(np.rint(weights / scale), -127, 127).astype(np.int8)
    background = np.rint(log_frequencies(table.frequencies).mean(axis=1) * BACKGROUND_STEP)
    return NgramModel(
        classes,
        table.tags,
        rows,
        bias,
        scale,
        POWER,
        np.array([], np.int64),
        np.array([1.0]),
        np.clip(background, -128, 127).astype(np.int8),
    )


# Numbers of n-grams that part the bands: a word or two, a phrase, a sentence, a paragraph.
_BANDS = np.array([60, 150, 400, 1200], np.int64)
_CANDIDATES = np.geomspace(0.25, 12.0, 40)


def calibrated(model: NgramModel, snippets: Iterable[tuple[str, str]]) -> NgramModel:
    """Return the model with the temperatures under which held-back snippets are likeliest."""
    scores, counts, classes = _scored(model, snippets)
    bands = np.searchsorted(_BANDS, counts)
    temperatures = [
        _best(scores[bands == band], classes[bands == band]) for band in range(len(_BANDS) + 1)
    ]
    return replace(model, lengths=_BANDS, temperatures=np.array(temperatures))


def _scored(
    model: NgramModel, snippets: Iterable[tuple[str, str]]
) -> tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.int64]]:
    names = {name: number for number, name in enumerate(model.classes)}
    rows, counts, classes = [], [], []
    for name, text in snippets:
        reading = read(text)
        if reading.reason:
            continue
        sums, count = text_sums(model, reading.text)
        rows.append(sums * model.scale / count**model.power + model.bias)
        counts.append(count)
        classes.append(names[name])
    return np.array(rows), np.array(counts, np.int64), np.array(classes, np.int64)


def _best(scores: NDArray[np.float64], classes: NDArray[np.int64]) -> float:
    """Return the temperature with the smallest log-loss; 1 without evidence."""
    if len(classes) < 20:
        return 1.0
    return float(min(_CANDIDATES, key=lambda one: _loss(scores / one, classes)))


def _loss(scores: NDArray[np.float64], classes: NDArray[np.int64]) -> float:
    top = scores.max(axis=1)
    whole = top + np.log(np.exp(scores - top[:, None]).sum(axis=1))
    return float((whole - scores[np.arange(len(classes)), classes]).mean())


def text_hashes(text: Bytes) -> Hashes:
    """Return the hashes of all n-grams, words and pairs of words of a text."""
    out = np.empty(len(text) * 6 + 8, np.uint64)
    return out[: loops.text_hashes(text, out)]


def known_slots(
    found: Hashes, shift: np.uint64, tags: Bytes, is_owned: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """Return the slots of those hashes that own one."""
    out = np.empty(len(found), np.int32)
    return out[: loops.known_slots(found, int(shift), tags, is_owned.view(np.uint8), out)].copy()


def learn(
    snippets: tuple[NDArray[np.int32], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]],
    order: NDArray[np.int64],
    weights: NDArray[np.float32],
    bias: NDArray[np.float32],
    settings: tuple[float, float, float],
    seed: int,
) -> float:
    """Go through the snippets once and return their mean loss.

    Snippets are slots, bounds, sizes and classes; the settings are the rate, the power of a
    snippet's size its score is divided by, and the share of n-grams left out.
    """
    longest = int(np.diff(snippets[1]).max(initial=0)) + 1
    kept, score = np.empty(longest, np.int32), np.zeros(weights.shape[1], np.float32)
    return loops.learn(*snippets, order, weights, bias, kept, score, *settings, seed)


def write_model(model: NgramModel, file: IO[bytes]) -> None:
    """Write a model; only slots that are owned are stored."""
    owned = np.flatnonzero(model.rows.any(axis=1)).astype(np.uint32)
    buffer = io.BytesIO()
    np.savez(
        buffer,
        format=np.array([FORMAT, len(model.tags)]),
        classes=np.array(model.classes),
        slots=np.diff(owned, prepend=0).astype(np.uint16),
        tags=model.tags[owned],
        # Column by column: one language's weights resemble each other, so they pack better.
        rows=np.ascontiguousarray(model.rows[owned].T),
        bias=model.bias,
        numbers=np.array([model.scale, model.power]),
        lengths=model.lengths,
        temperatures=model.temperatures,
        background=model.background[owned],
    )
    repack(buffer, file)


def repack(plain: io.BytesIO, file: IO[bytes]) -> None:
    """Copy an .npz with the strongest compression and fixed times: same model, same bytes."""
    with (
        zipfile.ZipFile(plain) as before,
        zipfile.ZipFile(file, "w", zipfile.ZIP_LZMA) as after,
    ):
        for name in before.namelist():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_LZMA
            after.writestr(entry, before.read(name))
