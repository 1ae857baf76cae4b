"""Which words of one text stand, in the same order, in another: the longest common subsequence."""

import re
from collections.abc import Sequence

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")
# Longer texts are aligned in their first part only; the table grows with the product.
MOST_WORDS = 30_000


def words(text: str) -> list[str]:
    """Return a text's words in lower case; of scripts without spaces, each character.

    >>> words("The 2 Bakkies 北京")
    ['the', '2', 'bakkies', '北', '京']
    """
    return _WORD.findall(text.lower())


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    rows = _rows(first, second)
    return len(first) - rows[-1].bit_count() if rows else 0


def aligned(first: Sequence[str], second: Sequence[str]) -> list[bool]:
    """Return for each word of the first list whether it is part of the common subsequence."""
    first, second = first[:MOST_WORDS], second[:MOST_WORDS]
    rows, found = _rows(first, second), [False] * len(first)
    row, column = len(second), len(first)
    while row and column:
        if rows[row - 1] >> (column - 1) & 1:
            column -= 1
            continue
        row -= 1
        if not row or rows[row - 1] >> (column - 1) & 1:
            column -= 1
            found[column] = True
    return found


def _rows(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Return the bit-parallel table (Hyyrö 2004): bit j of row i is 0 where the length grows."""
    masks: dict[str, int] = {}
    for place, word in enumerate(first):
        masks[word] = masks.get(word, 0) | 1 << place
    full = (1 << len(first)) - 1
    state, rows = full, []
    for word in second:
        matches = state & masks.get(word, 0)
        state = ((state + matches) | (state - matches)) & full
        rows.append(state)
    return rows
