"""Which values of a lexicon a condition allows: found by what it demands, never in the text."""

import operator
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import distinct
from izwi.index.lexicon import Lexicon, without_diacritics
from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import Attribute
from izwi.model.analyses import escaped
from izwi.model.errors import QueryError
from izwi.model.records import dataclass
from izwi.query.tree import Test

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


Ids = NDArray[np.int64]
_NONE: Ids = np.empty(0, np.int64)
# What other engines understand and RE2, whose time is bounded, does not.
_PERL = (
    (re.compile(r"\(\?<?[=!]"), "nothing is looked at before or behind; write two conditions, "
     'such as word=".*able" & word!="un.*"'),
    (re.compile(r"\\[1-9]"), "a group cannot be asked for again, as by \\1"),
)  # fmt: skip
# Expressions that need more than this are refused by RE2, with a message.
_MOST_BYTES = 16 << 20
# Bytes of a lexicon an expression runs over between two looks at the clock: few at first, more
# while they take no time, since some expressions are ten thousand times as slow as others.
_LEAST_PIECE, _MOST_PIECE = 1 << 12, 1 << 18
_QUICK_SECONDS = 0.005
# Where more than one line in so many matches, lines are looked at one by one.
_COMMON = 32

_ORDERS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def allowed(attribute: Attribute, test: Test, deadline: Deadline = NEVER) -> Ids:
    """Return the numbers of the values a test allows, ascending."""
    deadline.check()
    if test.order:
        return np.flatnonzero(_in_order(attribute.lexicon.to_pylist(), test) != test.is_negated)
    found = _matching(attribute, test, deadline)
    return complement(found, len(attribute.lexicon)) if test.is_negated else found


def complement(ids: Ids, size: int) -> Ids:
    """Return the numbers below a size that are not among some."""
    mask = np.ones(size, np.bool_)
    mask[ids] = False
    return np.flatnonzero(mask)


def matching_texts(texts: list[str], test: Test) -> NDArray[np.bool_]:
    """Return which of some texts a test allows."""
    if test.order:
        return np.asarray(_in_order(texts, test) != test.is_negated)
    pattern, plain = test.pattern, texts
    if "d" in test.flags:
        pattern, plain = without_diacritics(pattern), [without_diacritics(text) for text in texts]
    expression = compiled(escaped(pattern) if test.is_literal else pattern, "c" in test.flags)
    wanted = None if test.flags else only_texts(test)
    if wanted is not None:
        found = [text in wanted for text in plain]
    else:
        found = [expression.fullmatch(text.encode(errors="replace")) is not None for text in plain]
    return np.asarray(np.array(found, np.bool_) != test.is_negated)


def _in_order(texts: list[str], test: Test) -> NDArray[np.bool_]:
    """Return which of some texts stand on one side of a value: by number, or else by letters."""
    wanted = _number(test.pattern)
    compare = _ORDERS[test.order]
    if wanted is None:
        return np.array([bool(text) and compare(text, test.pattern) for text in texts], np.bool_)
    numbers = map(_number, texts)
    return np.array([own is not None and compare(own, wanted) for own in numbers], np.bool_)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def only_texts(test: Test) -> frozenset[str] | None:
    """Return the texts a test allows or forbids, None if they cannot be listed."""
    if test.is_literal:
        return frozenset((test.pattern.replace('\\"', '"'),))
    branches = branches_of(test.pattern)
    if branches is None or not all(branch.is_text for branch in branches):
        return None
    return frozenset("".join(branch.texts) for branch in branches)


@lru_cache(maxsize=256)
def compiled(pattern: str, is_folded: bool, is_line: bool = False) -> Any:
    """Return an expression for RE2, which takes time in proportion to the text and no more."""
    import re2

    options = re2.Options()
    options.never_nl = True
    options.log_errors = False
    options.max_mem = _MOST_BYTES
    options.case_sensitive = not is_folded
    signs = with_all_letters(pattern)
    text = f"(?m)^(?:{signs})$" if is_line else f"(?:{signs})"
    try:
        return re2.compile(text.encode(errors="replace"), options)
    except re2.error as error:
        reason = error.args[0].decode() if isinstance(error.args[0], bytes) else error.args[0]
        shown = pattern if len(pattern) < 80 else f"{pattern[:77]}..."
        # What follows the colon is the expression as RE2 was given it, which nobody typed.
        words = next(
            (told for sign, told in _PERL if sign.search(pattern)), reason.partition(":")[0]
        )
        raise QueryError(f'"{shown}" is not a regular expression: {words}.') from None


@dataclass(frozen=True, slots=True)
class _Search:
    """An expression that is looked for among the values of an attribute."""

    attribute: Attribute
    pattern: str
    is_folded: bool
    deadline: Deadline

    @property
    def lexicon(self) -> Lexicon:
        """The values."""
        return self.attribute.lexicon


def _matching(attribute: Attribute, test: Test, deadline: Deadline) -> Ids:
    pattern, is_folded = test.pattern, "c" in test.flags
    if test.is_literal:
        pattern = escaped(pattern)
    if pattern.isalnum() and not test.flags:
        number = attribute.lexicon.number(pattern)
        return _NONE if number is None else np.array([number], np.int64)
    # Whatever shortcut is taken, a malformed expression is an error; a plain word is none.
    if not pattern.isalnum():
        compiled(pattern, is_folded)
    search = _Search(attribute, pattern, is_folded, deadline)
    if "d" in test.flags:
        bare = replace(search, pattern=without_diacritics(pattern))
        return _lines_matching(attribute.lexicon.plain_text, bare)
    branches = branches_of(pattern)
    if branches is None:
        return _searched(search, None)
    if len(branches) > 1 and not all(branch.is_text or branch.is_frame for branch in branches):
        return _searched(search, None)
    parts = [_branch_ids(search, branch) for branch in branches]
    return np.sort(parts[0]) if len(parts) == 1 else distinct(np.concatenate(parts))


def _branch_ids(search: _Search, branch: Branch) -> Ids:
    search.deadline.check()
    if search.is_folded:
        return _folded(search, branch)
    if branch.is_text:
        number = search.lexicon.number("".join(branch.texts))
        return _NONE if number is None else np.array([number], np.int64)
    if branch.is_frame:
        return _framed(search.lexicon, branch.prefix.encode(), branch.suffix.encode())
    return _searched(search, branch)


def _folded(search: _Search, branch: Branch) -> Ids:
    if not branch.is_text:
        return _searched(search, branch)
    near = search.lexicon.same_but_for_case("".join(branch.texts))
    expression = compiled(escaped("".join(branch.texts)), True)
    kept = [i for i in near.tolist() if expression.fullmatch(search.lexicon.octets(i))]
    return np.array(kept, np.int64)


def _framed(lexicon: Lexicon, prefix: bytes, suffix: bytes) -> Ids:
    """Return the values with a beginning and an ending that do not overlap."""
    if not suffix:
        return np.arange(*lexicon.beginning_with(prefix)) if prefix else np.arange(len(lexicon))
    if not prefix:
        return lexicon.ending_with(suffix)
    first, last = lexicon.beginning_with(prefix)
    edges = lexicon.begins[first : last + 1]
    long_enough = np.flatnonzero(np.diff(edges) > len(prefix) + len(suffix))
    ends = edges[1:][long_enough] - 1
    text = np.frombuffer(lexicon.text, np.uint8)
    for distance, octet in enumerate(reversed(suffix), 1):
        kept = text[ends - distance] == octet
        long_enough, ends = long_enough[kept], ends[kept]
    return first + long_enough


def _searched(search: _Search, branch: Branch | None) -> Ids:
    """Run an expression over the values that may match it."""
    lexicon = search.lexicon
    if branch is not None and branch.prefix and not search.is_folded:
        first, last = lexicon.beginning_with(branch.prefix.encode())
        begin, end = lexicon.begins[first], lexicon.begins[last]
        return first + _lines_matching(bytes(lexicon.text[begin:end]), search)
    candidates = _candidates(search.attribute, branch, search.is_folded)
    if candidates is None:
        return _lines_matching(bytes(lexicon.text[:]), search)
    return candidates[_lines_matching(lexicon.lines(candidates), search)]


def _candidates(attribute: Attribute, branch: Branch | None, is_folded: bool) -> Ids | None:
    """Return the values that hold the texts of a branch; None if all have to be looked at."""
    if branch is None:
        return None
    if branch.suffix and not is_folded:
        return np.sort(attribute.lexicon.ending_with(branch.suffix.encode()))
    if attribute.trigrams is None:
        return None
    # Folded, the Kelvin sign is a k and the long s an s: only texts without these letters count.
    texts = [text for text in branch.texts if not is_folded or _is_safe(text)]
    found = attribute.trigrams.holding(text.encode() for text in texts)
    # Past a tenth of the lexicon one look at all of it is cheaper than many at single values.
    return found if found is not None and 10 * len(found) < len(attribute.lexicon) else None


def _is_safe(text: str) -> bool:
    return text.isascii() and not set("kKsS") & set(text)


def _lines_matching(text: bytes, search: _Search) -> Ids:
    """Return the numbers of the lines an expression matches."""
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 10)
    found: list[Ids] = []
    lines, matches = 0, 0
    for begin, piece in _pieces(text):
        search.deadline.check()
        # Each match costs as much as looking at a few dozen lines by themselves.
        is_common = _COMMON * matches > lines
        last = int(np.searchsorted(ends, begin + len(piece)))
        edges = np.concatenate(([begin], ends[lines:last] + 1)) - begin
        own = _each_line(piece, edges, search) if is_common else _in_lines(piece, edges, search)
        found.append(lines + own)
        lines, matches = last, matches + len(own)
    return np.concatenate(found) if found else _NONE


def _in_lines(piece: bytes, edges: Ids, search: _Search) -> Ids:
    """Return the lines with a match by one look at all of them: quick where matches are few."""
    expression = compiled(search.pattern, search.is_folded, True)
    starts = np.fromiter((each.start() for each in expression.finditer(piece)), np.int64)
    return np.searchsorted(edges, starts[starts < len(piece)], side="right") - 1


def _each_line(piece: bytes, edges: Ids, search: _Search) -> Ids:
    """Return the lines with a match by a look at each: no match becomes an object of Python."""
    # What `pyarrow.compute` calls, after describing 300 functions that are not asked for.
    from pyarrow._compute import MatchSubstringOptions, call_function

    places = pa.py_buffer(edges.astype(np.int32))
    lines = pa.StringArray.from_buffers(len(edges) - 1, places, pa.py_buffer(piece))
    expression = rf"(?m)\A(?:{with_all_letters(search.pattern)})$\n\z"
    options = MatchSubstringOptions(expression, ignore_case=search.is_folded)
    try:
        is_match = call_function("match_substring_regex", [lines], options)
    except pa.ArrowInvalid:
        # Arrow gives expressions half the memory that they have here.
        return _in_lines(piece, edges, search)
    bits = np.frombuffer(is_match.buffers()[1], np.uint8)
    return np.flatnonzero(np.unpackbits(bits, count=len(lines), bitorder="little"))


def _pieces(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield pieces of whole lines and where they begin, so that a search can stop between them."""
    begin, size = 0, _LEAST_PIECE
    while begin < len(text):
        end = text.find(b"\n", begin + size) + 1 or len(text)
        since = time.monotonic()
        yield begin, text[begin:end]
        if time.monotonic() - since < _QUICK_SECONDS:
            size = min(2 * size, _MOST_PIECE)
        begin = end
