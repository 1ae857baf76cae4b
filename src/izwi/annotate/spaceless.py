"""Words of scripts that are written without spaces: by a library if one is named, else by clusters.

Without a library a Chinese character, a Japanese one (a run of katakana), a Thai, Lao or Khmer
cluster and a Burmese syllable is a token. Where one is cut depends on its own signs only, so a word
is cut alike in a text and in a query, and is found as the sequence of its parts.
"""

import logging
import re
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.kinds import MARK, SPACELESS
from izwi.model.errors import PluginError

Places = NDArray[np.int32]
# Cuts a run of such signs into pieces that make it up again.
Cutter = Callable[[str], Sequence[str]]

_CLUSTER = re.compile(
    # Katakana, digits of each script.
    r"[ァ-ヺー]+|[๐-๙]+|[໐-໙]+|[០-៩]+|[၀-၉]+"
    # A vowel written before, the consonant, marks on it, vowels written behind it.
    r"|[เ-ไ]?[ก-ฮ][\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]*[ะาำๅ]*"
    r"|[\u0ec0-\u0ec4]?[ກ-ຮໜໝ][\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ecd]*[\u0eb0\u0eb2\u0eb3\u0ebd]*"
    # Consonants below each other, vowels and signs.
    r"|[ក-ឳ](?:\u17d2[ក-ឳ])*[\u17b6-\u17d1\u17d3\u17dd]*"
    # The same, and the consonants that close the syllable (with the sign asat).
    r"|[က-ဪဿ](?:\u1039[က-အ]|[\u102b-\u103e])*(?:[က-အ]\u1037?\u103a[\u1037\u1038]*)*"
    # Any other sign with its marks.
    r"|.[\u0300-\u036f\u3099\u309a\ufe00-\ufe0f]*",
    re.DOTALL,
)


def clusters(run: str) -> list[str]:
    """Return the smallest pieces that a run of such signs is searched by.

    >>> clusters("วันนี้"), clusters("コーヒー店"), clusters("မြန်မာ")
    (['วั', 'น', 'นี้'], ['コーヒー', '店'], ['မြန်', 'မာ'])
    """
    return _CLUSTER.findall(run)


def recut(
    text: str, kinds: NDArray[np.uint8], starts: Places, ends: Places, cutter: Cutter
) -> tuple[Places, Places]:
    """Return the places of tokens with runs in scripts without spaces cut into words."""
    first = kinds[starts]
    is_part = (first == SPACELESS) | (first == MARK)
    goes_on = is_part & np.append(False, is_part[:-1] & (starts[1:] == ends[:-1]))
    new_starts: list[int] = []
    new_ends: list[int] = []
    begins = np.flatnonzero(~goes_on).tolist()
    for token, following in zip(begins, [*begins[1:], len(starts)], strict=True):
        begin, end = int(starts[token]), int(ends[following - 1])
        if SPACELESS not in kinds[begin:end]:  # marks alone are no run of such a script
            new_starts += starts[token:following].tolist()
            new_ends += ends[token:following].tolist()
            continue
        for piece in _pieces(text[begin:end], cutter):
            new_starts.append(begin)
            begin += len(piece)
            new_ends.append(begin)
    return np.array(new_starts, np.int32), np.array(new_ends, np.int32)


def _pieces(run: str, cutter: Cutter) -> Sequence[str]:
    pieces = [piece for piece in cutter(run) if piece]
    # A library may write signs in another way; its places would be wrong.
    return pieces if "".join(pieces) == run else clusters(run)


def library_cutter(name: str) -> Cutter:
    """Return how a library cuts runs into words; a sentence if it is not installed."""
    try:
        return _CUTTERS[name]()
    except ImportError as error:
        raise PluginError(
            f"The annotator '{name}' needs a package that is not here. "
            "Try: pip install 'izwi[spaceless]'"
        ) from error


@cache
def _jieba() -> Cutter:
    import jieba

    jieba.setLogLevel(logging.WARNING)
    tokenizer = jieba.Tokenizer()
    return lambda run: [str(word) for word in tokenizer.cut(run)]


@cache
def _janome() -> Cutter:
    from janome.tokenizer import Tokenizer

    tokenizer = Tokenizer(wakati=True)
    return lambda run: [str(word) for word in tokenizer.tokenize(run, wakati=True)]


@cache
def _pythainlp() -> Cutter:
    from pythainlp.tokenize import word_tokenize

    return lambda run: [str(word) for word in word_tokenize(run, engine="newmm")]


_CUTTERS = {"jieba": _jieba, "janome": _janome, "pythainlp": _pythainlp}
