"""How well a sentence shows a word: neither short nor long, whole, of words that others use too.

After the idea of GDEX (Kilgarriff et al. 2008), with three of its features, which need no list of
words and no tagger.
"""

import numpy as np
from numpy.typing import NDArray

from izwi.query.hits import SegmentHits

# Lengths, in tokens, that are best; outside them the score falls by a tenth a token.
_BEST = (10, 25)
# A word is common if it makes up this share of the corpus, or occurs this often in a small one.
_COMMON_SHARE = 1e-6
_COMMON_TIMES = 3
# Scores of more hits than this are computed for the first ones only; the others come after them.
MOST_SCORED = 20_000


def scores(hits: SegmentHits) -> NDArray[np.float64]:
    """Return a score from 0 to 1 for the sentence each hit begins in."""
    found = np.zeros(len(hits.starts), np.float64)
    segment = hits.segment
    if "s" not in segment.structures or not len(found):
        return found
    structure = segment.structure("s")
    starts = hits.starts[:MOST_SCORED]
    place = np.searchsorted(structure.starts, starts, side="right") - 1
    begin = np.where(place >= 0, structure.starts[np.maximum(place, 0)], starts).astype(np.int64)
    end = np.where(place >= 0, structure.ends[np.maximum(place, 0)], starts + 1)
    end = np.maximum(end, begin + 1)
    lengths = end - begin
    outside = np.maximum(_BEST[0] - lengths, 0) + np.maximum(lengths - _BEST[1], 0)
    by_length = np.maximum(0.0, 1 - outside / 10)
    found[:MOST_SCORED] = by_length * (0.3 + 0.7 * _common_share(hits, begin, lengths))
    return found


def _common_share(
    hits: SegmentHits, begin: NDArray[np.int64], lengths: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Return the share of each sentence's tokens that are common words."""
    word = hits.segment.word
    first = np.cumsum(lengths) - lengths
    positions = np.arange(lengths.sum()) + np.repeat(begin - first, lengths)
    least = max(_COMMON_TIMES, _COMMON_SHARE * hits.segment.tokens)
    is_common = word.frequencies_of(word.column[positions]) >= least
    return np.add.reduceat(is_common.astype(np.float64), first) / lengths
