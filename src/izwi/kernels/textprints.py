"""From bytes to hashes: words, n-grams, blocks and whole texts.

Tokens are hashed straight from UTF-8 bytes, since a Python string per word would cost more than
all the rest together.
"""

import cython
from cython.cimports.izwi.kernels.letters import decoded

# Kinds of characters, as `izwi.dedup.batch` numbers them.
LETTER = cython.declare(cython.int, 1)
ALONE = cython.declare(cython.int, 2)
NOTHING = cython.declare(cython.int, 3)
MARK = cython.declare(cython.int, 4)
EXPANDED = cython.declare(cython.int, 5)
COMBINING = cython.declare(cython.int, 6)
# In scripts without spaces a token is the last few letters: one letter alone, and seven in a row,
# recur everywhere. With these, n tokens say about as much as n words of other scripts do.
EASTERN = cython.declare(cython.int, 6)
SOUTHERN = cython.declare(cython.int, 15)
# About so many letters are a word there.
EASTERN_WORD = cython.declare(cython.int, 2)
SOUTHERN_WORD = cython.declare(cython.int, 4)
# Thai, Lao, Tibetan, Burmese and Khmer lie below, ideographs and kana above.
FIRST_EASTERN = cython.declare(cython.Py_ssize_t, 0x2000)
TABLE_SIZE = cython.declare(cython.Py_ssize_t, 0x20000)
# Between two blocks and after each document; texts are cleared of them before.
BLOCK_END = cython.declare(cython.Py_ssize_t, 0x1F)
DOCUMENT_END = cython.declare(cython.Py_ssize_t, 0x1E)

ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
BASE = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
ODD = cython.declare(cython.ulonglong, 0xD6E8FEB86659FD93)
MARKED = cython.declare(cython.ulonglong, 0x5851F42D4C957F2D)
BLOCK_SALT = cython.declare(cython.ulonglong, 0x2545F4914F6CDD1D)
DOCUMENT_SALT = cython.declare(cython.ulonglong, 0x94D049BB133111EB)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def mixed(x: cython.ulonglong) -> cython.ulonglong:
    """Return a hash whose bits all depend on all bits of `x`."""
    x ^= x >> 32
    x = (x * ODD) & ALL
    x ^= x >> 32
    x = (x * ODD) & ALL
    return x ^ (x >> 32)


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def attached(word: cython.ulonglong, signs: cython.ulonglong) -> cython.ulonglong:
    """Return a word's hash with the signs above and below its last letter."""
    return ((word ^ signs) * PRIME) & ALL if signs != 0 else word


@cython.cfunc
@cython.inline
@cython.nogil
@cython.exceptval(check=False)
def power(exponent: cython.int) -> cython.ulonglong:
    """Return a power of the base, as numbers of 64 bits have it."""
    found: cython.ulonglong = 1
    _i: cython.int
    for _i in range(exponent):
        found = (found * BASE) & ALL
    return found


def tokenise(
    text: cython.const[cython.uchar][::1],
    plain: cython.const[cython.uchar][::1],
    kinds: cython.const[cython.uchar][::1],
    folded: cython.const[cython.uint][::1],
    expansions: cython.const[cython.uint][::1],
    has_marks: cython.bint,
    tokens: cython.ulonglong[::1],
    block_ends: cython.longlong[::1],
    ends: cython.longlong[::1],
    word_sizes: cython.uchar[::1],
):
    """Fill in token hashes and where blocks and documents end; return how many tokens there are.

    And about how many tokens a word has in each block.

    The text ends with a document's end, which is no letter.
    """
    size: cython.Py_ssize_t = text.shape[0]
    count: cython.Py_ssize_t = 0
    blocks: cython.Py_ssize_t = 0
    documents: cython.Py_ssize_t = 0
    i: cython.Py_ssize_t = 0
    # Where one is in what an expanded character stands for.
    part: cython.Py_ssize_t = 0
    last_part: cython.Py_ssize_t = 0
    code: cython.Py_ssize_t
    found: cython.Py_ssize_t
    kind: cython.int
    word: cython.ulonglong = 0
    signs: cython.ulonglong = 0
    # The last letters of a script without spaces in this block, and their hash.
    letters = cython.declare(cython.ulonglong[16])
    held: cython.int = 0
    most: cython.int = 0
    word_size: cython.int = 1
    oldest: cython.ulonglong = 0
    together: cython.ulonglong = 0
    while i < size or part < last_part:
        if part < last_part:
            code = expansions[part]
            part += 1
        else:
            code = text[i]
            # Most characters are plain letters: they are hashed without a look at the rest.
            if plain[code] != 0:
                word = attached(word, signs)
                signs = 0
            while plain[code] != 0:
                word = ((word ^ plain[code]) * PRIME) & ALL
                i += 1
                code = text[i]
            if code < 0x80:
                i += 1
            else:
                found = decoded(text, i, size)
                code = found >> 3
                i += found & 7
        kind = kinds[code] if code < TABLE_SIZE else ALONE
        if kind == LETTER:
            word = ((attached(word, signs) ^ (folded[code] + 1)) * PRIME) & ALL
            signs = 0
            continue
        if kind == COMBINING:
            # An accent that stands alone belongs to no letter.
            if word != 0:
                signs = (signs + mixed((folded[code] * PRIME) & ALL)) & ALL
            continue
        if kind == EXPANDED:
            part = folded[code] + 1
            last_part = part + expansions[part - 1]
            continue
        if kind == NOTHING:
            continue
        word = attached(word, signs)
        if word != 0:
            tokens[count] = mixed(word)
            count += 1
        word = signs = 0
        if kind == ALONE or (has_marks and kind == MARK):
            word = folded[code] if code < TABLE_SIZE else code
            if kind == ALONE:
                if most != (EASTERN if code >= FIRST_EASTERN else SOUTHERN):
                    most = EASTERN if code >= FIRST_EASTERN else SOUTHERN
                    oldest = power(most)
                    word_size = max(word_size, EASTERN_WORD if most == EASTERN else SOUTHERN_WORD)
                    held = 0
                    together = 0
                together = (together * BASE + word) & ALL
                if held >= most:
                    together = (together - letters[held % most] * oldest) & ALL
                letters[held % most] = word
                held += 1
                word = together
            tokens[count] = mixed((word * PRIME + MARKED) & ALL)
            count += 1
            word = 0
        elif code in (BLOCK_END, DOCUMENT_END):
            block_ends[blocks] = count
            word_sizes[blocks] = word_size
            blocks += 1
            most = 0
            word_size = 1
            if code == DOCUMENT_END:
                ends[documents] = blocks
                documents += 1
    return count


def drop_ignored(
    tokens: cython.ulonglong[::1],
    block_ends: cython.longlong[::1],
    ignored: cython.const[cython.ulonglong][::1],
):
    """Take out the tokens whose hashes are in the sorted array `ignored`; return how many stay."""
    kept: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0
    block: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for block in range(block_ends.shape[0]):
        for i in range(first, block_ends[block]):
            if not is_among(ignored, tokens[i]):
                tokens[kept] = tokens[i]
                kept += 1
        first = block_ends[block]
        block_ends[block] = kept
    return kept


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def is_among(values: cython.const[cython.ulonglong][::1], wanted: cython.ulonglong) -> cython.int:
    """Return 1 if a value is in a sorted array."""
    low: cython.Py_ssize_t = 0
    high: cython.Py_ssize_t = values.shape[0]
    middle: cython.Py_ssize_t
    while low < high:
        middle = (low + high) >> 1
        if values[middle] < wanted:
            low = middle + 1
        else:
            high = middle
    return 1 if low < values.shape[0] and values[low] == wanted else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(check=False)
def power_of_base(n: cython.Py_ssize_t) -> cython.ulonglong:
    """Return the base of the rolling hashes to the power of n."""
    power: cython.ulonglong = 1
    i: cython.Py_ssize_t
    for i in range(n):  # noqa: B007
        power = (power * BASE) & ALL
    return power


def hash_tokens(
    tokens: cython.const[cython.ulonglong][::1],
    block_ends: cython.const[cython.longlong][::1],
    blocks_until: cython.const[cython.longlong][::1],
    sizes: cython.const[cython.longlong][::1],
    ngrams: cython.ulonglong[::1],
    grams: cython.uint[::1],
    block_keys: cython.ulonglong[::1],
    document_keys: cython.ulonglong[::1],
):
    """Fill in the n-gram and the short n-gram that end at each token, and each text's hash.

    `sizes` are those of n-grams and short n-grams, and the least of a block that has a hash. Where
    a document is too young, or a text too short, the hash is 0.
    """
    n: cython.Py_ssize_t = sizes[0]
    short: cython.Py_ssize_t = sizes[1]
    least: cython.Py_ssize_t = sizes[2]
    power: cython.ulonglong = power_of_base(n)
    short_power: cython.ulonglong = power_of_base(short)
    block: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t = 0
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    document: cython.Py_ssize_t
    i: cython.Py_ssize_t
    rolling: cython.ulonglong
    short_rolling: cython.ulonglong
    whole: cython.ulonglong
    text: cython.ulonglong
    token: cython.ulonglong
    for document in range(blocks_until.shape[0]):
        rolling = short_rolling = 0
        whole = DOCUMENT_SALT
        begin = first
        while block < blocks_until[document]:
            text = BLOCK_SALT
            end = block_ends[block]
            for i in range(begin, end):
                token = tokens[i]
                text = (text * BASE + token) & ALL
                whole = (whole * BASE + token) & ALL
                rolling = (rolling * BASE + token) & ALL
                short_rolling = (short_rolling * BASE + token) & ALL
                if i - first >= n:
                    rolling = (rolling - tokens[i - n] * power) & ALL
                if i - first >= short:
                    short_rolling = (short_rolling - tokens[i - short] * short_power) & ALL
                ngrams[i] = mixed(rolling) | 1 if i - first >= n - 1 else 0
                grams[i] = mixed(short_rolling) >> 32 if i - first >= short - 1 else 0
            block_keys[block] = mixed(text) | 1 if end - begin >= least else 0
            begin = end
            block += 1
        document_keys[document] = mixed(whole) | 1 if begin > first else 0
        first = begin
    return 0
