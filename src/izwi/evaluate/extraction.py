"""How well an extractor finds the gold text: words, order, fragments, speed; drawn by cut-off."""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import mean
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.gold_pages import UNKNOWN, Example, GoldPage, common_length, part_of, words
from izwi.model.document import Paragraph
from izwi.model.scores import Cutoff, Scores
from izwi.text.blocks import Segmented
from izwi.text.extract.judging import Extractor


@dataclass(frozen=True, slots=True)
class PageScore:
    """One page: words extracted, in the gold text, in both, and in both in the same order."""

    id: str
    kind: str
    found: int
    wanted: int
    common: int
    in_order: int
    similarity: float
    fragments: int
    seconds: float

    @property
    def precision(self) -> float:
        """Share of the extracted words that the gold text has."""
        return self.common / self.found if self.found else float(not self.wanted)

    @property
    def recall(self) -> float:
        """Share of the gold text's words that were extracted."""
        return self.common / self.wanted if self.wanted else 1.0


def f_score(precision: float, recall: float, beta: float = 1.0) -> float:
    """Return the weighted harmonic mean of precision and recall.

    >>> round(f_score(0.5, 1.0), 3), round(f_score(0.5, 1.0, 0.5), 3)
    (0.667, 0.556)
    """
    weight = beta * beta
    bottom = weight * precision + recall
    return (1 + weight) * precision * recall / bottom if bottom else 0.0


def score_page(
    gold: GoldPage,
    blocks: Sequence[Paragraph],
    seconds: float = 0.0,
    rarity: Mapping[str, float] | None = None,
) -> PageScore:
    """Return how the main text among the blocks compares with the gold text."""
    text = "\n".join(block.text for block in blocks if block.is_main)
    found, wanted = words(text), words(gold.text)
    counted, goal = Counter(found), Counter(wanted)
    return PageScore(
        gold.id,
        gold.kind,
        len(found),
        len(wanted),
        (counted & goal).total(),
        common_length(found, wanted),
        cosine(counted, goal, rarity or {}),
        fragments(blocks),
        seconds,
    )


def fragments(blocks: Sequence[Paragraph]) -> int:
    """Return into how many runs of blocks the main text falls (Pomikálek 2011, 2.9.10)."""
    marks = [False, *(block.is_main for block in blocks)]
    return sum(now and not before for before, now in pairwise(marks))


def cosine(
    first: Counter[str], second: Counter[str], rarity: Mapping[str, float] | None = None
) -> float:
    """Return the cosine of two texts' words by TF-IDF (Dwyer 2014, 3.1.6).

    Frequent words are damped, rare ones weigh more; without `rarity` all are equally rare.
    """
    weight = rarity or {}
    usual = max(weight.values(), default=1.0)
    left = {word: (1 + math.log(n)) * weight.get(word, usual) for word, n in first.items()}
    right = {word: (1 + math.log(n)) * weight.get(word, usual) for word, n in second.items()}
    shared = sum(value * right[word] for word, value in left.items() if word in right)
    norms = math.hypot(*left.values()) * math.hypot(*right.values())
    return shared / norms if norms else float(not first and not second)


def inverse_frequencies(texts: Iterable[str]) -> dict[str, float]:
    """Return for each word how few of the texts have it, as a logarithm."""
    counts: Counter[str] = Counter()
    number = 0
    for text in texts:
        counts.update(set(words(text)))
        number += 1
    return {word: math.log((1 + number) / (1 + times)) + 1 for word, times in counts.items()}


def evaluate(method: str, extractor: Extractor, pages: Iterable[GoldPage]) -> Scores:
    """Return an extractor's scores on pages with a gold text."""
    chosen = [gold for gold in pages if gold.text]
    rarity = inverse_frequencies(gold.text for gold in chosen)
    scored = []
    for gold in chosen:
        start = time.process_time()
        blocks = extractor(gold.html)
        scored.append(score_page(gold, blocks, time.process_time() - start, rarity))
    return summed(method, scored)


def summed(method: str, pages: Sequence[PageScore]) -> Scores:
    """Return the scores of a set of pages."""
    if not pages:
        raise ValueError("no page of the file has a gold text")
    found, wanted = sum(p.found for p in pages), sum(p.wanted for p in pages)
    common = sum(page.common for page in pages)
    micro = common / found if found else 0.0, common / wanted if wanted else 0.0
    seconds = sum(page.seconds for page in pages)
    return Scores(
        method=method,
        pages=len(pages),
        precision=mean(page.precision for page in pages),
        recall=mean(page.recall for page in pages),
        f1=mean(_f1(page) for page in pages),
        f05=mean(f_score(page.precision, page.recall, 0.5) for page in pages),
        micro_f1=f_score(*micro),
        micro_f05=f_score(*micro, 0.5),
        ordered_f1=mean(_ordered_f1(page) for page in pages),
        similarity=mean(page.similarity for page in pages),
        inserted=1 - micro[0],
        deleted=1 - micro[1],
        fragments=mean(page.fragments for page in pages),
        under_half=mean(_f1(page) < 0.5 for page in pages),
        pages_per_second=len(pages) / seconds if seconds else 0.0,
        f1_by_kind=_by_kind(pages),
        f1_by_page={page.id: round(_f1(page), 4) for page in pages},
    )


def _f1(page: PageScore) -> float:
    return f_score(page.precision, page.recall)


def _ordered_f1(page: PageScore) -> float:
    if not page.found or not page.wanted:
        return float(page.found == page.wanted)
    return f_score(page.in_order / page.found, page.in_order / page.wanted)


def _by_kind(pages: Sequence[PageScore]) -> dict[str, float]:
    kinds = sorted({page.kind for page in pages if page.kind})
    return {kind: mean(_f1(page) for page in pages if page.kind == kind) for kind in kinds}


class Chances(Protocol):
    """A model that says for each block how likely it is main text."""

    def chances(self, page: Segmented) -> NDArray[np.float32]:
        """Return a number from 0 to 1 for each block."""


def held_out_cutoffs(
    examples: Sequence[Example], train: Callable[[Sequence[Example]], Chances]
) -> list[Cutoff]:
    """Return the figures of a model trained on some hosts, measured on the others."""
    hosts = sorted({one.host for one in examples})
    tested = {host for host in hosts if part_of(host, 4) == 0} or {hosts[0]}
    if len(tested) == len(hosts):
        tested = {hosts[0]}
    model = train([one for one in examples if one.host not in tested])
    return cutoffs_on([one for one in examples if one.host in tested], model)


def cutoffs_on(examples: Sequence[Example], model: Chances) -> list[Cutoff]:
    """Return the figures of a model on examples."""
    chances = np.concatenate([model.chances(one.page) for one in examples])
    labels = np.concatenate([one.labels for one in examples])
    sizes = np.concatenate([one.page.sizes for one in examples])
    known = labels != UNKNOWN
    wanted, chances, sizes = labels[known] >= 0.5, chances[known], sizes[known].astype(float)
    return [_at(number / 20, chances >= number / 20, wanted, sizes) for number in range(1, 20)]


def _at(
    cutoff: float, found: NDArray[np.bool_], wanted: NDArray[np.bool_], sizes: NDArray[np.float64]
) -> Cutoff:
    right = float((found & wanted) @ sizes)
    precision = right / max(float(found @ sizes), 1e-9)
    recall = right / max(float(wanted @ sizes), 1e-9)
    accuracy = float((found == wanted).mean()) if len(found) else 0.0
    return Cutoff(cutoff, accuracy, precision, recall, f_score(precision, recall))
