"""How good a part is: extractors on gold pages, a model at each cut-off, a whole corpus."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from statistics import mean


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
    # Pages that an earlier model read better, with their F1 then and now; None without one.
    worse: Sequence[tuple[str, float, float]] | None = None
    # How many it read worse, and how many it read at all.
    better: int = 0
    compared: int = 0


class ExtractorScores(tuple[Scores, ...]):
    """Extractors side by side, on one set of pages or on several."""


MEAN_OF_SETS = "mean of sets"


def means_of_sets(found: Sequence[Scores]) -> list[Scores]:
    """Return for each method the mean over its sets, which count alike; nothing of one set."""
    by_method: dict[str, list[Scores]] = {}
    for scores in found:
        by_method.setdefault(scores.method, []).append(scores)
    shares = [one.name for one in fields(Scores) if one.type in (float, "float")]
    return [
        replace(
            sets[0],
            set=MEAN_OF_SETS,
            pages=sum(one.pages for one in sets),
            f1_by_kind={},
            f1_by_page={},
            worse=None,
            **{name: mean(getattr(one, name) for one in sets) for name in shares},
        )
        for sets in by_method.values()
        if len(sets) > 1
    ]


# A page whose F1 changed by less is read as before.
_CHANGED = 0.05


def compared(now: Scores, before: Mapping[str, float]) -> Scores:
    """Return scores with the pages that got worse since, and how many got better, of how many."""
    both = now.f1_by_page.keys() & before.keys()
    better = sum(now.f1_by_page[page] - before[page] >= _CHANGED for page in both)
    return replace(now, worse=got_worse(now, before), better=better, compared=len(both))


def got_worse(
    now: Scores, before: Mapping[str, float], least: float = _CHANGED
) -> list[tuple[str, float, float]]:
    """Return the pages whose F1 fell by so much, with it before and now, the worst fall first."""
    found = [
        (page, before[page], f1)
        for page, f1 in now.f1_by_page.items()
        if page in before and before[page] - f1 >= least
    ]
    return sorted(found, key=lambda each: each[2] - each[1])


@dataclass(frozen=True, slots=True)
class Cutoff:
    """One cut-off: blocks judged rightly, and precision, recall and F1 weighted by their text."""

    cutoff: float
    accuracy: float
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class TrainedExtractor:
    """An extractor that was written, the pages it learnt from, and its figures at each cut-off."""

    output: str
    pages: int
    cutoffs: Sequence[Cutoff]


def best_cutoff(cutoffs: Sequence[Cutoff]) -> Cutoff:
    """Return the cut-off with the highest F1, as the paper chooses."""
    return max(cutoffs, key=lambda one: one.f1)


@dataclass(frozen=True, slots=True)
class Truth:
    """How true a corpus is, or a part of it."""

    gold: int
    kept: int
    wishes: int
    # Mean F1 of what can be searched over all gold documents with text, and over those kept.
    f1: float | None
    f1_kept: float | None
    dates: float | None
    titles: float | None
    # Pages that are no documents and are in the corpus all the same, of how many fetched.
    others_kept: int
    others: int
    # Documents that lost words to a page that is none, and addresses kept more than once.
    owned_by_others: int
    twice: int
    reasons: Mapping[str, int] = field(default_factory=dict)
    by_type: Mapping[str, "Truth"] = field(default_factory=dict)
    by_language: Mapping[str, "Truth"] = field(default_factory=dict)

    @property
    def kept_share(self) -> float:
        """The share of gold documents that are kept, owners' wishes aside."""
        return self.kept / max(self.gold - self.wishes, 1)
