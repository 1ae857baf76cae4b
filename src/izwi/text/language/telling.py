"""Close languages told apart: what is asked last, of the family that the best so far belongs to.

Lists of all languages have room for little of each, and what tells Galician from Portuguese tells
nothing about any other. Here every family of close languages has n-grams of its own, with weights
learnt from its members' text alone. What they say and what was said before are weighed by the
length of the text; what the family has together stays as it is.
"""

import zipfile
from bisect import bisect_left
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.postings import add_text
from izwi.text.language.world import WorldModel, room_of_marks, world_of

# Behind the code of a language: its text in another script, which shares no n-gram with the first.
OTHER_SCRIPT = "+"
# What the family has together is not told apart where the best has so much of it.
_SURE = 0.999
# A share of nothing is taken for this.
_LEAST = 1e-9


@dataclass(frozen=True, slots=True)
class TellingModel:
    """The lists of families of close languages.

    Each class of `lists` belongs to one of `families`. `kept` and `told` say for each family, and
    for texts of up to so many n-grams (`lists.lengths`; one more for longer ones), how much what
    was said before counts and how much what the lists say.
    """

    lists: WorldModel
    families: NDArray[np.int64]
    kept: NDArray[np.float64]
    told: NDArray[np.float64]


def read_telling(file: IO[bytes]) -> TellingModel:
    """Return a model from its file; ValueError if it is not one of this format."""
    with np.load(file, allow_pickle=False) as held:
        families = held["families"].astype(np.int64)
        return TellingModel(world_of(held), families, held["kept"], held["told"])


@cache
def shipped_telling() -> TellingModel | None:
    """Return the model of close languages that comes with izwi."""
    path = files("izwi") / "models" / "telling.npz"
    try:
        with path.open("rb") as file:
            return read_telling(file)
    except (FileNotFoundError, zipfile.BadZipFile):
        return None


class Telling:
    """Tells the members of a family apart, with room that is used again.

    `classes` are those of the model that names all languages. A language it writes in two scripts
    is there twice: the second is the one that has `OTHER_SCRIPT` behind its code here.
    """

    def __init__(self, model: TellingModel, classes: tuple[str, ...]) -> None:
        lists = model.lists
        self._tables = lists.tables()
        self._scores = np.zeros(len(lists.classes), np.int32)
        self._room = room_of_marks()
        self._scale, self._bias = lists.scale, lists.bias.astype(np.float64)
        self._lengths: list[int] = lists.lengths.tolist()
        self._kept: list[list[float]] = model.kept.tolist()
        self._told: list[list[float]] = model.told.tolist()
        self._members: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        self._family_of = [-1] * len(classes)
        for number in np.unique(model.families).tolist():
            self._add_family(np.flatnonzero(model.families == number), lists.classes, classes)

    def _add_family(
        self, own: NDArray[np.int64], codes: tuple[str, ...], classes: tuple[str, ...]
    ) -> None:
        """Note where the members of a family are in both models."""
        found = [_place_of(codes[number], classes) for number in own.tolist()]
        is_known = np.array([place >= 0 for place in found])
        places = np.array(found)[is_known]
        for place in places.tolist():
            self._family_of[place] = len(self._members)
        self._members.append((own[is_known], places))

    def settle(
        self, letters: NDArray[np.uint32], used: int, shares: NDArray[np.float64], best: int
    ) -> bool:
        """Share out anew what the family of the best has; return whether there was any doubt."""
        family = self._family_of[best]
        if family < 0:
            return False
        own, places = self._members[family]
        before = shares[places]
        whole = float(before.sum())
        if shares[best] >= _SURE * whole:
            return False
        self._scores[:] = 0
        count = add_text(letters, used, *self._tables, self._scores, *self._room, used, 0.0)
        sums = self._scores[own] * (self._scale / max(1, count) ** 0.5) + self._bias[own]
        band = bisect_left(self._lengths, count)
        kept, told = self._kept[family][band], self._told[family][band]
        found = kept * np.log(np.maximum(before, _LEAST)) + told * sums
        found = np.exp(found - found.max())
        shares[places] = found * (whole / found.sum())
        return True


def _place_of(code: str, classes: tuple[str, ...]) -> int:
    """Return the place of a class, the last of its name for another script; -1 if there is none."""
    name = code.removesuffix(OTHER_SCRIPT)
    places = [place for place, each in enumerate(classes) if each == name]
    if not places:
        return -1
    return places[-1 if code.endswith(OTHER_SCRIPT) else 0]
