"""What a regular expression demands before it is run: a text as such, a beginning, an ending."""

import re
from dataclasses import dataclass

# Stands in a branch for `.*`, which any text fits, and for whatever else is not plain text.
ANYTHING = object()
SOMETHING = object()
_PIECES = re.compile(r"\\.|.", re.DOTALL)
_CLASSES = {"w": r"\p{L}\p{M}\p{N}_", "d": r"\p{Nd}", "s": r"\s\p{Z}"}
_SPECIAL = set("\\.[]()*+?{}|^$")


@dataclass(frozen=True, slots=True)
class Branch:
    """An alternative as plain texts and what stands between them."""

    parts: tuple[object, ...]

    @property
    def prefix(self) -> str:
        """The text every match begins with."""
        return self.parts[0] if self.parts and isinstance(self.parts[0], str) else ""

    @property
    def suffix(self) -> str:
        """The text every match ends with."""
        return self.parts[-1] if self.parts and isinstance(self.parts[-1], str) else ""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts every match holds."""
        return tuple(part for part in self.parts if isinstance(part, str))

    @property
    def is_text(self) -> bool:
        """Whether only one text matches."""
        return len(self.texts) == len(self.parts) <= 1

    @property
    def is_frame(self) -> bool:
        """Whether beginning and ending say all there is: `a.*`, `.*a`, `a.*b`, `.*`."""
        others = [part for part in self.parts if not isinstance(part, str)]
        is_between = len(self.parts) <= 2 or len(self.texts) == 2
        return others == [ANYTHING] and is_between and len(self.parts) <= 3


def with_all_letters(pattern: str) -> str:
    r"""Return an expression in which `\w`, `\d` and `\s` stand for signs of all scripts.

    >>> with_all_letters(r"\w+[\d.]\.")
    '[\\p{L}\\p{M}\\p{N}_]+[\\p{Nd}.]\\.'
    """
    is_inside = False
    found = []
    for piece in _PIECES.findall(pattern):
        is_inside = piece == "[" or (is_inside and piece != "]")
        inner = _CLASSES.get(piece[1:].lower()) if piece[0] == "\\" else None
        # A class cannot hold the opposite of another; RE2's own is the nearest there is.
        if inner is None or (is_inside and piece[1].isupper()):
            found.append(piece)
        elif is_inside:
            found.append(inner)
        else:
            found.append(f"[{'^' * piece[1].isupper()}{inner}]")
    return "".join(found)


def branches_of(pattern: str) -> list[Branch] | None:
    """Return the alternatives of a regular expression; None where nothing can be said.

    >>> [branch.prefix for branch in branches_of("un.*ed|re(do|place)")]
    ['un', 're']
    """
    if "(?" in pattern or "\\Q" in pattern:
        return None
    found: list[Branch] = []
    parts: list[object] = []
    place = 0
    while place < len(pattern):
        if pattern[place] == "|":
            found.append(_branch(parts))
            parts, place = [], place + 1
            continue
        part, place = _element(pattern, place)
        parts.append(part)
    return [*found, _branch(parts)]


def _branch(parts: list[object]) -> Branch:
    """Return a branch in which neighbouring texts are one."""
    joined: list[object] = []
    for part in parts:
        if isinstance(part, str) and joined and isinstance(joined[-1], str):
            joined[-1] = joined[-1] + part
        else:
            joined.append(part)
    return Branch(tuple(joined))


def _element(pattern: str, place: int) -> tuple[object, int]:
    """Read one element with its quantifier."""
    sign = pattern[place]
    end = _end(pattern, place)
    times = pattern[end : end + 1]
    if times and times in "*?+{":
        after = pattern.find("}", end) + 1 or len(pattern) if times == "{" else end + 1
        is_lazy = pattern[after : after + 1] == "?"
        is_anything = sign == "." and times == "*"
        return (ANYTHING if is_anything else SOMETHING), after + is_lazy
    if sign == "\\" and end == place + 2 and not pattern[place + 1].isalnum():
        return pattern[place + 1], end
    return (sign, end) if sign not in _SPECIAL else (SOMETHING, end)


def _end(pattern: str, place: int) -> int:
    """Return where the element that begins at a place ends."""
    sign = pattern[place]
    if sign == "\\":
        brace = pattern.find("}", place) if pattern[place + 2 : place + 3] == "{" else -1
        return brace + 1 if brace >= 0 else place + 2
    if sign == "[":
        return _class_end(pattern, place)
    if sign == "(":
        return _group_end(pattern, place)
    return place + 1


def _class_end(pattern: str, place: int) -> int:
    at = place + 1 + pattern.startswith("^", place + 1)
    at += pattern.startswith("]", at)
    while at < len(pattern) and pattern[at] != "]":
        if pattern.startswith("[:", at):
            at = max(at, pattern.find(":]", at))
        at += 2 if pattern[at] in "\\:" and at + 1 < len(pattern) else 1
    return at + 1


def _group_end(pattern: str, place: int) -> int:
    at, depth = place + 1, 1
    while at < len(pattern) and depth:
        if pattern[at] in "\\[":
            at = _end(pattern, at)
            continue
        depth += {"(": 1, ")": -1}.get(pattern[at], 0)
        at += 1
    return at
