"""Where two texts differ, word by word, at a cost that no text can drive up."""

import difflib
from collections.abc import Sequence

# (kind, i, j, k, m): words i to j of one text stand where the other has words k to m.
Difference = tuple[str, int, int, int, int]
# The time grows with the third power in the worst case: half a second at this length.
MOST_WORDS = 3000


def differences(
    before: Sequence[str], after: Sequence[str], *, most: int = MOST_WORDS
) -> list[Difference]:
    """Return the equal and the differing stretches of two texts' first words.

    >>> differences("a white bakkie".split(), "a red bakkie".split())
    [('equal', 0, 1, 0, 1), ('replace', 1, 2, 1, 2), ('equal', 2, 3, 2, 3)]
    """
    is_cut = max(len(before), len(after)) > most
    before, after = before[:most], after[:most]
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=True)
    found: list[Difference] = [(kind, i, j, k, m) for kind, i, j, k, m in matcher.get_opcodes()]
    # What stands last may differ only because the rest was cut away.
    if is_cut and len(found) > 1 and found[-1][0] != "equal":
        found.pop()
    return found
