"""How well an extractor finds the gold text: words, their order, fragments, speed; floors."""

import math
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import mean

from izwi.evaluate.labels import GoldPage, common_length, words
from izwi.model.document import Paragraph
from izwi.text.extract.base import Extractor


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


@dataclass(frozen=True, slots=True)
class Scores:
    """An extractor on a set of pages: macro means, micro F1, and how it fails."""

    method: str
    pages: int
    precision: float
    recall: float
    f1: float
    f05: float
    micro_f1: float
    micro_f05: float
    ordered_f1: float
    similarity: float
    inserted: float
    deleted: float
    fragments: float
    under_half: float
    pages_per_second: float
    f1_by_kind: dict[str, float] = field(default_factory=dict)
    # The set of gold pages, if there are several, and the F1 of each page.
    set: str = ""
    f1_by_page: dict[str, float] = field(default_factory=dict)


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


def got_worse(
    now: Scores, before: Mapping[str, float], least: float = 0.05
) -> list[tuple[str, float, float]]:
    """Return the pages whose F1 fell by so much, with it before and now, the worst fall first."""
    found = [
        (page, before[page], f1)
        for page, f1 in now.f1_by_page.items()
        if page in before and before[page] - f1 >= least
    ]
    return sorted(found, key=lambda each: each[2] - each[1])


def _f1(page: PageScore) -> float:
    return f_score(page.precision, page.recall)


def _ordered_f1(page: PageScore) -> float:
    if not page.found or not page.wanted:
        return float(page.found == page.wanted)
    return f_score(page.in_order / page.found, page.in_order / page.wanted)


def _by_kind(pages: Sequence[PageScore]) -> dict[str, float]:
    kinds = sorted({page.kind for page in pages if page.kind})
    return {kind: mean(_f1(page) for page in pages if page.kind == kind) for kind in kinds}


EXTRACTION_FLOORS: Mapping[str, float] = {
    "f1": 0.95,
    "f05": 0.95,
    "precision": 0.94,
    "recall": 0.94,
}
# A larger share of pages under 0.5, or a page in more pieces, is refused too.
EXTRACTION_CEILINGS: Mapping[str, float] = {"under_half": 0.02, "fragments": 2.5}


def failures(scores: Scores) -> list[str]:
    """Return one sentence for each measure that is worse than it may be."""
    low = [
        f"{name} is {getattr(scores, name):.3f}, below the floor of {floor}"
        for name, floor in EXTRACTION_FLOORS.items()
        if getattr(scores, name) < floor
    ]
    high = [
        f"{name} is {getattr(scores, name):.3f}, above the ceiling of {ceiling}"
        for name, ceiling in EXTRACTION_CEILINGS.items()
        if getattr(scores, name) > ceiling
    ]
    return [*low, *high]
