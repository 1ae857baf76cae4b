"""The inner loops, compiled, from bytes to hashes: words, n-grams, blocks and whole texts.

Tokens are hashed straight from UTF-8 bytes, since a Python string per word would cost more than
all the rest together.
"""

from typing import Any

import numpy as np
from numba import njit

from izwi.dedup.characters import ALONE, COMBINING, EXPANDED, LETTER, MARK, NOTHING, TABLE_SIZE

# Between two blocks and after each document; texts are cleared of them before.
BLOCK_END, DOCUMENT_END = 0x1F, 0x1E

_BASE = np.uint64(0x9E3779B97F4A7C15)
_PRIME = np.uint64(0x100000001B3)
_ODD = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)
_ZERO, _ONE = np.uint64(0), np.uint64(1)
_MARKED = np.uint64(0x5851F42D4C957F2D)
BLOCK_SALT = np.uint64(0x2545F4914F6CDD1D)
DOCUMENT_SALT = np.uint64(0x94D049BB133111EB)


@njit(cache=True, nogil=True, inline="always")
def mix(x: Any) -> Any:
    """Return a hash whose bits all depend on all bits of `x`."""
    x ^= x >> _HALF
    x *= _ODD
    x ^= x >> _HALF
    x *= _ODD
    x ^= x >> _HALF
    return x


@njit(cache=True, nogil=True, inline="always")
def decode(text: Any, i: int) -> Any:
    """Return the character whose UTF-8 form begins before `i`, and where the next one begins."""
    code = np.uint32(text[i - 1])
    if code < 0xE0:
        return (code & np.uint32(0x1F)) << np.uint32(6) | np.uint32(text[i] & 0x3F), i + 1
    if code < 0xF0:
        middle = np.uint32(text[i] & 0x3F) << np.uint32(6)
        last = np.uint32(text[i + 1] & 0x3F)
        return (code & np.uint32(0x0F)) << np.uint32(12) | middle | last, i + 2
    high = (code & np.uint32(0x07)) << np.uint32(18) | np.uint32(text[i] & 0x3F) << np.uint32(12)
    low = np.uint32(text[i + 1] & 0x3F) << np.uint32(6) | np.uint32(text[i + 2] & 0x3F)
    return high | low, i + 3


@njit(cache=True, nogil=True, inline="always")
def attached(word: Any, signs: Any) -> Any:
    """Return a word's hash with the signs above and below its last letter."""
    return (word ^ signs) * _PRIME if signs != _ZERO else word


@njit(cache=True, nogil=True, inline="always")
def next_word(text: Any, i: int, part: int, last_part: int,
              plain: Any, kinds: Any, folded: Any, expansions: Any) -> Any:  # fmt: skip
    """Return the hash of the word that begins here (0 for none), what ends it, and where one is.

    `part` and `last_part` say where one is in what an expanded character stands for.
    """
    word = signs = _ZERO
    while True:
        if part < last_part:
            code = expansions[part]
            part += 1
        else:
            code = np.uint32(text[i])
            i += 1
            # Most characters are plain letters: they are hashed without a look at the rest.
            while plain[code] != 0:
                word = (attached(word, signs) ^ np.uint64(plain[code])) * _PRIME
                signs = _ZERO
                code = np.uint32(text[i])
                i += 1
            if code >= 0x80:
                code, i = decode(text, i)
        kind = kinds[code] if code < TABLE_SIZE else ALONE
        if kind == LETTER:
            word = (attached(word, signs) ^ np.uint64(folded[code] + 1)) * _PRIME
            signs = _ZERO
        elif kind == COMBINING:
            # An accent that stands alone belongs to no letter.
            if word != _ZERO:
                signs += mix(np.uint64(folded[code]) * _PRIME)
        elif kind == EXPANDED:
            part = int(folded[code]) + 1
            last_part = part + int(expansions[part - 1])
        elif kind != NOTHING:
            return attached(word, signs), code, kind, i, part, last_part


@njit(cache=True, nogil=True)
def tokenise(text: Any, plain: Any, kinds: Any, folded: Any, expansions: Any, has_marks: bool,
             tokens: Any, block_ends: Any, ends: Any) -> int:  # fmt: skip
    """Fill in token hashes and where blocks and documents end; return how many tokens there are.

    The text ends with a document's end, which is no letter.
    """
    count = blocks = documents = i = part = last_part = 0
    while i < len(text) or part < last_part:
        word, code, kind, i, part, last_part = next_word(
            text, i, part, last_part, plain, kinds, folded, expansions
        )
        if word != _ZERO:
            tokens[count] = mix(word)
            count += 1
        if kind == ALONE or (has_marks and kind == MARK):
            form = folded[code] if code < TABLE_SIZE else code
            tokens[count] = mix(np.uint64(form) * _PRIME + _MARKED)
            count += 1
        elif code in (BLOCK_END, DOCUMENT_END):
            block_ends[blocks] = count
            blocks += 1
            if code == DOCUMENT_END:
                ends[documents] = blocks
                documents += 1
    return count


@njit(cache=True, nogil=True)
def drop_ignored(tokens: Any, block_ends: Any, ignored: Any) -> int:
    """Take out the tokens whose hashes are in the sorted array `ignored`; return how many stay."""
    kept = 0
    first = 0
    for block in range(len(block_ends)):
        for i in range(first, block_ends[block]):
            place = np.searchsorted(ignored, tokens[i])
            if place == len(ignored) or ignored[place] != tokens[i]:
                tokens[kept] = tokens[i]
                kept += 1
        first = block_ends[block]
        block_ends[block] = kept
    return kept


@njit(cache=True, nogil=True)
def hash_tokens(tokens: Any, block_ends: Any, blocks_until: Any, sizes: Any, ngrams: Any,
                grams: Any, block_keys: Any, document_keys: Any) -> None:  # fmt: skip
    """Fill in the n-gram and the short n-gram that end at each token, and each text's hash.

    `sizes` are those of n-grams and short n-grams, and the least of a block that has a hash. Where
    a document is too young, or a text too short, the hash is 0.
    """
    n, short, least = sizes[0], sizes[1], sizes[2]
    power, short_power = _power(n), _power(short)
    block = first = 0
    for document in range(len(blocks_until)):
        rolling = short_rolling = _ZERO
        whole = DOCUMENT_SALT
        begin = first
        while block < blocks_until[document]:
            text = BLOCK_SALT
            for i in range(begin, block_ends[block]):
                token = tokens[i]
                text = text * _BASE + token
                whole = whole * _BASE + token
                rolling = rolling * _BASE + token
                short_rolling = short_rolling * _BASE + token
                if i - first >= n:
                    rolling -= tokens[i - n] * power
                if i - first >= short:
                    short_rolling -= tokens[i - short] * short_power
                ngrams[i] = mix(rolling) | _ONE if i - first >= n - 1 else _ZERO
                grams[i] = (mix(short_rolling) if i - first >= short - 1 else _ZERO) >> _HALF
            is_long = block_ends[block] - begin >= least
            block_keys[block] = mix(text) | _ONE if is_long else _ZERO
            begin = block_ends[block]
            block += 1
        document_keys[document] = mix(whole) | _ONE if begin > first else _ZERO
        first = begin


@njit(cache=True, nogil=True)
def _power(n: int) -> Any:
    power = _ONE
    for _ in range(n):
        power *= _BASE
    return power
