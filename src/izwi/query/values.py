"""Which values of a lexicon a condition allows: found by searching the lexicon, never the text."""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.index.lexicon import Lexicon, without_diacritics
from izwi.index.reader import Attribute
from izwi.model.errors import QueryError
from izwi.query.expressions import Branch, branches_of, with_all_letters
from izwi.query.tree import Test

Ids = NDArray[np.int64]
_NONE: Ids = np.empty(0, np.int64)
# Expressions that need more than this are refused by RE2, with a message.
_MOST_BYTES = 16 << 20


def allowed(attribute: Attribute, test: Test) -> Ids:
    """Return the numbers of the values a test allows, ascending."""
    found = _matching(attribute, test)
    return complement(found, len(attribute.lexicon)) if test.is_negated else found


def complement(ids: Ids, size: int) -> Ids:
    """Return the numbers below a size that are not among some."""
    mask = np.ones(size, np.bool_)
    mask[ids] = False
    return np.flatnonzero(mask)


def matching_texts(texts: list[str], test: Test) -> NDArray[np.bool_]:
    """Return which of some texts a test allows."""
    pattern, plain = test.pattern, texts
    if "d" in test.flags:
        pattern, plain = without_diacritics(pattern), [without_diacritics(text) for text in texts]
    expression = compiled(escaped(pattern) if test.is_literal else pattern, "c" in test.flags)
    found = [expression.fullmatch(text.encode(errors="replace")) is not None for text in plain]
    return np.asarray(np.array(found, np.bool_) != test.is_negated)


def escaped(text: str) -> str:
    r"""Return an expression that only a text itself matches; `\"` there is a quotation mark.

    >>> escaped('say \\"a.b\\"')
    'say\\ \\"a\\.b\\"'
    """
    plain = text.replace('\\"', '"')
    return "".join(sign if sign.isalnum() or ord(sign) > 127 else f"\\{sign}" for sign in plain)


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
        raise QueryError(f'"{shown}" is not a regular expression: {reason}.') from None


def _matching(attribute: Attribute, test: Test) -> Ids:
    pattern, is_folded = test.pattern, "c" in test.flags
    if test.is_literal:
        pattern = escaped(pattern)
    # Whatever shortcut is taken, a malformed expression is an error.
    compiled(pattern, is_folded)
    if "d" in test.flags:
        plain = attribute.lexicon.plain_text
        return _lines_matching(plain, without_diacritics(pattern), is_folded)
    branches = branches_of(pattern)
    if branches is None:
        return _searched(attribute, pattern, is_folded, None)
    if len(branches) > 1 and not all(branch.is_text or branch.is_frame for branch in branches):
        return _searched(attribute, pattern, is_folded, None)
    parts = [_branch_ids(attribute, branch, pattern, is_folded) for branch in branches]
    return np.sort(parts[0]) if len(parts) == 1 else np.unique(np.concatenate(parts))


def _branch_ids(attribute: Attribute, branch: Branch, pattern: str, is_folded: bool) -> Ids:
    lexicon = attribute.lexicon
    if is_folded:
        return _folded(attribute, branch, pattern)
    if branch.is_text:
        number = lexicon.number("".join(branch.texts))
        return _NONE if number is None else np.array([number], np.int64)
    if branch.is_frame:
        return _framed(lexicon, branch.prefix.encode(), branch.suffix.encode())
    return _searched(attribute, pattern, is_folded, branch)


def _folded(attribute: Attribute, branch: Branch, pattern: str) -> Ids:
    if not branch.is_text:
        return _searched(attribute, pattern, True, branch)
    near = attribute.lexicon.same_but_for_case("".join(branch.texts))
    expression = compiled(escaped("".join(branch.texts)), True)
    kept = [i for i in near.tolist() if expression.fullmatch(attribute.lexicon.octets(i))]
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


def _searched(attribute: Attribute, pattern: str, is_folded: bool, branch: Branch | None) -> Ids:
    """Run an expression over the values that may match it."""
    lexicon = attribute.lexicon
    if branch is not None and branch.prefix and not is_folded:
        first, last = lexicon.beginning_with(branch.prefix.encode())
        begin, end = lexicon.begins[first], lexicon.begins[last]
        return first + _lines_matching(bytes(lexicon.text[begin:end]), pattern, is_folded)
    candidates = _candidates(attribute, branch, is_folded)
    if candidates is None:
        return _lines_matching(bytes(lexicon.text[:]), pattern, is_folded)
    return candidates[_lines_matching(lexicon.lines(candidates), pattern, is_folded)]


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


def _lines_matching(text: bytes, pattern: str, is_folded: bool) -> Ids:
    """Return the numbers of the lines an expression matches."""
    if not text:
        return _NONE
    expression = compiled(pattern, is_folded, True)
    starts = np.fromiter((found.start() for found in expression.finditer(text)), np.int64)
    ends = np.flatnonzero(np.frombuffer(text, np.uint8) == 10)
    return np.searchsorted(ends, starts[starts < len(text)])
