"""What a tagger looks at: the word, its beginning and end, its shape, its neighbours, as hashes.

Plain functions over the code points of all words of a batch, written one after another; fit to be
compiled. Hashes are 32 bits wide, so that the interpreter and the compiler count alike.
"""

from typing import Any

from izwi.annotate.characters import DIGIT, UPPER

# A NumPy array; Numba finds out of what.
Array = Any

# Facts about one word: the word, 6 endings, 5 beginnings, shape, ambiguity class.
WORD, ENDING, BEGINNING, SHAPE, CLASS, FACTS = 0, 0, 6, 12, 13, 14
STATIC = 38
DYNAMIC = 8
_LONGEST_ENDING, _LONGEST_BEGINNING = 6, 5


def mixed(value: int, other: int) -> int:
    """Return a hash of two numbers."""
    value = ((value ^ (other * 2654435761)) * 2246822519) & 0xFFFFFFFF
    return value ^ (value >> 15)


def stretch_hash(codes: Array, begin: int, end: int, seed: int) -> int:
    """Return the hash of some code points."""
    value = 2166136261 ^ seed
    for place in range(begin, end):
        value = ((value ^ codes[place]) * 16777619) & 0xFFFFFFFF
    return value


def shape_of(kinds: Array, codes: Array, begin: int, end: int) -> int:
    """Return capitals, digits, hyphens and length of a word as one number."""
    capitals, digits, hyphens = 0, 0, 0
    for place in range(begin, end):
        capitals += kinds[place] == UPPER
        digits += kinds[place] == DIGIT
        hyphens += codes[place] == 45
    size = end - begin
    first = 1 if kinds[begin] == UPPER else 0
    shape = first + 2 * (capitals > 1) + 4 * (capitals == size) + 8 * (digits > 0)
    return shape + 16 * (digits == size) + 32 * (hyphens > 0) + 64 * min(size, 4)


def class_of(known: Array, classes: Array, value: int) -> int:
    """Return the ambiguity class of a word by its hash, 0 if the word is rare or unknown."""
    low, high = 0, len(known)
    while low < high:
        middle = (low + high) // 2
        if known[middle] < value:
            low = middle + 1
        else:
            high = middle
    if low < len(known) and known[low] == value:
        return int(classes[low])
    return 0


def word_facts(
    codes: Array, kinds: Array, begin: int, end: int, known: Array, classes: Array, facts: Array
) -> None:
    """Write the facts about one word."""
    facts[WORD] = stretch_hash(codes, begin, end, 0)
    for size in range(1, _LONGEST_ENDING + 1):
        facts[ENDING + size] = stretch_hash(codes, max(begin, end - size), end, size)
    for size in range(1, _LONGEST_BEGINNING + 1):
        facts[BEGINNING + size] = stretch_hash(codes, begin, min(end, begin + size), 16 + size)
    facts[SHAPE] = shape_of(kinds, codes, begin, end)
    facts[CLASS] = class_of(known, classes, facts[WORD])


def sentence_features(facts: Array, first: int, last: int, mask: int, features: Array) -> None:
    """Write the features of the words of one sentence that do not depend on tags."""
    # Two rows of nothing stand on each side of all words; row r of facts is word r - 2.
    for word in range(first, last):
        row = word + 2
        here = facts[row]
        before = facts[row - 1] if word > first else facts[0]
        before2 = facts[row - 2] if word > first + 1 else facts[0]
        after = facts[row + 1] if word < last - 1 else facts[1]
        after2 = facts[row + 2] if word < last - 2 else facts[1]
        write_features(here, before, before2, after, after2, word == first, features[word])
        for number in range(STATIC):
            features[word, number] = mixed(features[word, number], number + 1) & mask


def write_features(
    here: Array,
    before: Array,
    before2: Array,
    after: Array,
    after2: Array,
    is_first: bool,
    out: Array,
) -> None:
    """Write the features of one word, each a number that means the same everywhere."""
    for number in range(12):
        out[number] = here[number]
    out[12] = here[SHAPE]
    out[13] = here[CLASS]
    out[14] = before[WORD]
    out[15] = after[WORD]
    out[16] = before2[WORD]
    out[17] = after2[WORD]
    out[18] = before[ENDING + 3]
    out[19] = after[ENDING + 3]
    out[20] = mixed(here[WORD], before[WORD])
    out[21] = mixed(here[WORD], after[WORD])
    out[22] = after[CLASS]
    out[23] = mixed(after[CLASS], after2[CLASS])
    out[24] = mixed(here[CLASS], after[CLASS])
    out[25] = mixed(here[CLASS], after[SHAPE])
    out[26] = mixed(here[SHAPE], here[ENDING + 3])
    out[27] = here[SHAPE] * 2 + is_first
    out[28] = mixed(before[CLASS], here[CLASS])
    out[29] = mixed(here[SHAPE], mixed(before[SHAPE], after[SHAPE]))
    out[30] = after[ENDING + 2]
    out[31] = mixed(before[WORD], after[WORD])
    out[32] = mixed(here[ENDING + 2], after[WORD])
    out[33] = mixed(here[ENDING + 3], after[CLASS])
    out[34] = mixed(here[BEGINNING + 3], here[ENDING + 2])
    out[35] = mixed(here[CLASS], mixed(after[CLASS], after2[CLASS]))
    out[36] = mixed(before[ENDING + 2], here[ENDING + 2])
    out[37] = mixed(here[CLASS], before2[WORD])


def all_features(
    codes: Array,
    kinds: Array,
    offsets: Array,
    sentences: Array,
    known: Array,
    classes: Array,
    mask: int,
    facts: Array,
    features: Array,
) -> None:
    """Write the features of all words; `offsets` and `sentences` say where each ends."""
    words = len(offsets) - 1
    for word in range(words):
        begin, end = offsets[word], offsets[word + 1]
        word_facts(codes, kinds, begin, end, known, classes, facts[word + 2])
    for number in range(len(sentences) - 1):
        sentence_features(facts, sentences[number], sentences[number + 1], mask, features)


EDIT_FEATURES = 30


def edit_features(codes: Array, offsets: Array, tags: Array, mask: int, features: Array) -> None:
    """Write what says how a word becomes its lemma: its ends and beginnings, with its tag."""
    for word in range(len(offsets) - 1):
        begin, end, tag = offsets[word], offsets[word + 1], tags[word] + 1
        out = features[word]
        for size in range(1, 7):
            ending = stretch_hash(codes, max(begin, end - size), end, size)
            beginning = stretch_hash(codes, begin, min(end, begin + size), 16 + size)
            out[size - 1], out[size + 5] = ending, mixed(ending, tag)
            out[size + 11], out[size + 17] = beginning, mixed(beginning, tag)
        out[24] = stretch_hash(codes, begin, end, 0)
        out[25] = mixed(out[24], tag)
        out[26] = tag
        out[27] = mixed(mixed(out[1], out[13]), tag)
        out[28] = mixed(mixed(out[0], out[14]), tag)
        out[29] = mixed(min(end - begin, 9), tag)
        for number in range(EDIT_FEATURES):
            out[number] = mixed(out[number], 200 + number) & mask


KERNELS = (
    "mixed", "stretch_hash", "edit_features", "shape_of", "class_of", "word_facts",
    "write_features", "sentence_features", "all_features",
)  # fmt: skip
