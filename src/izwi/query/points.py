"""Tokens named by where they stand from a hit, as CQP names them: `matchend[1]`, `target[-2]`."""

import re
from dataclasses import dataclass

from izwi.model.errors import QueryError

# Further from a hit than this nobody looks.
FURTHEST = 100
_POINT = r"([A-Za-z_]\w*|\d+)(?:\[\s*([+-]?\d+)\s*\])?"
_NAMED = re.compile(rf"{_POINT}\.([A-Za-z_][\w-]*)")
_KEY = re.compile(rf"(-?){_POINT}(?:\.\.{_POINT})?\.([A-Za-z_][\w-]*)(?:%([cdr]+))?")
_SIDE = re.compile(r"([LR])([1-9]\d?)")


@dataclass(frozen=True, slots=True)
class Point:
    """A token so far from the beginning of a hit, its last token, or a token with a label."""

    label: str
    distance: int = 0

    def __str__(self) -> str:
        return f"{self.label}[{self.distance}]" if self.distance else self.label


@dataclass(frozen=True, slots=True)
class PointKey:
    """What lines are sorted by: an attribute from one point to another."""

    attribute: str
    first: Point
    last: Point
    # Letters of c (capitals do not matter), d (diacritics do not), r (words read backwards).
    flags: str = ""
    is_descending: bool = False

    def __str__(self) -> str:
        reach = f"{self.first}" if self.first == self.last else f"{self.first}..{self.last}"
        flags = f"%{self.flags}" if self.flags else ""
        return f"{'-' * self.is_descending}{reach}.{self.attribute}{flags}"


def read_point(label: str, distance: str | None) -> Point:
    """Return the point somebody wrote; L1 and R1 are the tokens beside the hit.

    >>> str(read_point("R2", None)), str(read_point("target", "-1"))
    ('matchend[2]', 'target[-1]')
    """
    side = _SIDE.fullmatch(label)
    if side and distance is None:
        far = int(side[2])
        return Point("match", -far) if side[1] == "L" else Point("matchend", far)
    if abs(int(distance or 0)) > FURTHEST:
        raise QueryError(f"A token is at most {FURTHEST} from a hit, not {distance}.")
    return Point(label, int(distance or 0))


def named_point(name: str) -> tuple[Point, str] | None:
    """Return the point and the attribute of a name such as `target[+1].lemma`, else None."""
    found = _NAMED.fullmatch(name)
    return (read_point(found[1], found[2]), found[3]) if found else None


def point_key(text: str) -> PointKey | None:
    """Return the key of a sort order such as `-matchend[1]..matchend[3].lemma%cd`, else None.

    >>> str(point_key("-R1.lemma%c"))
    '-matchend[1].lemma%c'
    """
    found = _KEY.fullmatch(text)
    if found is None:
        return None
    first = read_point(found[2], found[3])
    last = read_point(found[4], found[5]) if found[4] else first
    flags = "".join(sign for sign in "cdr" if sign in (found[7] or ""))
    return PointKey(found[6], first, last, flags, bool(found[1]))
