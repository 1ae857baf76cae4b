"""The morphological features of words: which bundle of values (Case=Nom|Number=Sing) each has.

Bundles are many and most are rare, so their values are weighed one by one, and case, gender and
number together; a word has the best of the bundles that the treebank has with its tag.
"""

from collections.abc import Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.edits import Integers
from izwi.kernels import tagging
from izwi.kernels.features_of_words import ADPOSITION, BUNDLE_FEATURES, NOUN, VERB
from izwi.model.records import dataclass

# What words beside a noun agree in, and one ending often says of all at once.
_AGREEING = ("Case=", "Gender=", "Number=")
_ROLES = {"ADP": ADPOSITION, "NOUN": NOUN, "PROPN": NOUN, "VERB": VERB, "AUX": VERB}


@dataclass(frozen=True, slots=True)
class FeatureModel:
    """Which bundles of features words may have, those of each tag, and the weights of values."""

    values: tuple[str, ...]
    options: tuple[tuple[int, ...], ...]
    weights: NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Choices:
    """What a bundle is chosen among, as numbers: its values, those of each tag, roles of tags."""

    columns: Integers
    starts: Integers
    options: Integers
    roles: NDArray[np.uint8]

    @property
    def width(self) -> int:
        """Return how many values there are."""
        return int(self.columns.max()) + 1


def choices(
    values: Sequence[str], options: Sequence[Sequence[int]], parts_of_speech: Sequence[str]
) -> Choices:
    """Return the bundles that words may have as numbers; tags added later have none."""
    parts = [_parts(value) for value in values]
    place = {
        part: number for number, part in enumerate(sorted({p for some in parts for p in some}))
    }
    longest = max(map(len, parts))
    columns = [[place[part] for part in some] + [-1] * (longest - len(some)) for some in parts]
    sizes = [len(some) for some in options] + [0] * (len(parts_of_speech) - len(options))
    return Choices(
        np.array(columns, np.int64),
        np.array(list(accumulate(sizes, initial=0)), np.int64),
        np.array([number for some in options for number in some], np.int64),
        np.array([_ROLES.get(part, 0) for part in parts_of_speech], np.uint8),
    )


def _parts(bundle: str) -> list[str]:
    """Return the values of a bundle, and those that agree together.

    >>> _parts("Case=Nom|Definite=Def|Number=Sing")
    ['Case=Nom', 'Definite=Def', 'Number=Sing', 'Case=Nom|Number=Sing']
    """
    parts = bundle.split("|")
    agreeing = [part for part in parts if part.startswith(_AGREEING)]
    return [*parts, "|".join(agreeing)] if len(agreeing) > 1 else parts


def choose_bundles(
    model: FeatureModel, among: Choices, facts: Integers, sentences: Integers, tags: Integers
) -> list[int]:
    """Return the number of the bundle of each word, -1 for a tag that has none."""
    chosen = np.full(len(tags), -1, np.int64)
    tagging.choose_bundles(
        facts,
        sentences,
        tags,
        among.roles,
        among.columns,
        among.starts,
        among.options,
        model.weights,
        np.zeros(among.width, np.int16),
        np.zeros(among.width + 1, np.float32),
        np.zeros(BUNDLE_FEATURES, np.int64),
        chosen,
    )
    numbers: list[int] = chosen.tolist()
    return numbers
