"""What a tagger looks at, as hashes, and how it chooses and learns: an averaged perceptron.

Features of a word are the word, its beginnings and ends, its shape and its neighbours, each a hash
of 32 bits. Words are tagged from left to right; the two tags before a word are features too. `rows`
are the rows of weights a word looks at; the row behind the last (mask + 1) holds zeros and stands
for a feature that is left out.
"""

import cython
from cython.cimports.izwi.kernels.features_of_words import (
    ADPOSITION,
    BEFORE,
    BEGINNING,
    BEHIND,
    BUNDLE_FEATURES,
    CAPITALS,
    CLASS,
    CLUSTER,
    DYNAMIC,
    EDIT_FEATURES,
    ENDING,
    KEPT,
    LISTED,
    NAME_CLUSTER,
    NOUN,
    OF_BEGINNINGS,
    OF_ROOTS,
    ROOT,
    ROOT_KIND,
    SHAPE,
    STATIC,
    VERB,
    WORD,
)
from cython.cimports.izwi.kernels.kinds import DIGIT, UPPER

START = cython.declare(cython.longlong, 2166136261)
FIRST = cython.declare(cython.longlong, 2654435761)
SECOND = cython.declare(cython.longlong, 2246822519)
MASK = cython.declare(cython.longlong, 0xFFFFFFFF)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def mixed(value: cython.Py_ssize_t, other: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return a hash of two numbers."""
    value = ((value ^ (other * FIRST)) * SECOND) & MASK
    return value ^ (value >> 15)


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def stretch_hash(
    codes: cython.const[cython.longlong][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    seed: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the hash of some code points."""
    place: cython.Py_ssize_t
    value: cython.Py_ssize_t
    value = START ^ seed
    for place in range(begin, end):
        value = ((value ^ codes[place]) * 16777619) & MASK
    return value


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def shape_of(
    kinds: cython.const[cython.uchar][::1],
    codes: cython.const[cython.longlong][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return capitals, digits, hyphens and length of a word as one number."""
    capitals: cython.Py_ssize_t
    digits: cython.Py_ssize_t
    first: cython.Py_ssize_t
    hyphens: cython.Py_ssize_t
    place: cython.Py_ssize_t
    shape: cython.Py_ssize_t
    size: cython.Py_ssize_t
    capitals, digits, hyphens = 0, 0, 0
    for place in range(begin, end):
        capitals += kinds[place] == UPPER
        digits += kinds[place] == DIGIT
        hyphens += codes[place] == 45
    size = end - begin
    first = 1 if kinds[begin] == UPPER else 0
    shape = first + 2 * (capitals > 1) + 4 * (capitals == size) + 8 * (digits > 0)
    return shape + 16 * (digits == size) + 32 * (hyphens > 0) + 64 * min(size, 4)


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def place_of(
    known: cython.const[cython.longlong][::1], value: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return where a hash stands among known ones, -1 if it does not.

    Hashes are spread evenly over 32 bits, so one looks near the place that its size says first.
    """
    guess: cython.Py_ssize_t
    high: cython.Py_ssize_t
    low: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    guess = (value * known.shape[0]) >> 32
    low, high = max(0, guess - 600), min(known.shape[0], guess + 600)
    if low >= high or known[low] > value or known[high - 1] < value:
        low, high = 0, known.shape[0]
    while low < high:
        middle = (low + high) // 2
        if known[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low if low < known.shape[0] and known[low] == value else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def word_facts(
    codes: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    known: cython.const[cython.longlong][::1],
    classes: cython.const[cython.longlong][::1],
    listed: cython.const[cython.longlong][::1],
    columns: cython.const[cython.longlong][:, ::1],
    facts: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the facts about one word."""
    column: cython.Py_ssize_t
    place: cython.Py_ssize_t
    size: cython.Py_ssize_t
    facts[WORD] = stretch_hash(codes, begin, end, 0)
    for size in range(1, 6 + 1):
        facts[ENDING + size] = stretch_hash(codes, max(begin, end - size), end, size)
    for size in range(1, 5 + 1):
        facts[BEGINNING + size] = stretch_hash(codes, begin, min(end, begin + size), 16 + size)
    facts[SHAPE] = shape_of(kinds, codes, begin, end)
    place = place_of(known, facts[WORD])
    if place >= 0:
        facts[CLASS] = classes[place]
    place = place_of(listed, facts[WORD])
    if place >= 0:
        for column in range(columns.shape[1]):
            facts[LISTED + column] = columns[place, column]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def sentence_features(
    facts: cython.longlong[:, ::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    features: cython.longlong[:, ::1],
) -> cython.Py_ssize_t:
    """Write the features of the words of one sentence that do not depend on tags."""
    number: cython.Py_ssize_t
    row: cython.Py_ssize_t
    word: cython.Py_ssize_t
    # Two rows of nothing stand on each side of all words; row r of facts is word r - 2.
    for word in range(first, last):
        row = word + 2
        write_features(
            facts[row],
            facts[row - 1 if word > first else 0],
            facts[row - 2 if word > first + 1 else 0],
            facts[row + 1 if word < last - 1 else 1],
            facts[row + 2 if word < last - 2 else 1],
            word == first,
            features[word],
        )
        if features.shape[1] == STATIC + OF_BEGINNINGS:
            write_beginnings(facts[row], features[word, STATIC:])
        elif features.shape[1] == STATIC + OF_BEGINNINGS + OF_ROOTS:
            write_beginnings(facts[row], features[word, STATIC:])
            write_roots(
                facts[row],
                facts[row - 1 if word > first else 0],
                facts[row + 1 if word < last - 1 else 1],
                features[word, STATIC + OF_BEGINNINGS :],
            )
        elif features.shape[1] > STATIC:
            write_listed(
                facts[row],
                facts[row - 1 if word > first else 0],
                facts[row + 1 if word < last - 1 else 1],
                word == first,
                features[word, STATIC:],
            )
        for number in range(features.shape[1]):
            features[word, number] = mixed(features[word, number], number + 1) & mask
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def write_features(
    here: cython.const[cython.longlong][::1],
    before: cython.const[cython.longlong][::1],
    before2: cython.const[cython.longlong][::1],
    after: cython.const[cython.longlong][::1],
    after2: cython.const[cython.longlong][::1],
    is_first: cython.bint,
    out: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the features of one word, each a number that means the same everywhere."""
    number: cython.Py_ssize_t
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
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def write_beginnings(
    here: cython.const[cython.longlong][::1], out: cython.longlong[::1]
) -> cython.Py_ssize_t:
    """Write the beginnings of a word once more, and each with its last letter."""
    size: cython.Py_ssize_t
    for size in range(2, 5):
        out[size - 2] = here[BEGINNING + size]
        out[size + 1] = mixed(here[BEGINNING + size], here[ENDING + 1])
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def write_roots(
    here: cython.const[cython.longlong][::1],
    before: cython.const[cython.longlong][::1],
    after: cython.const[cython.longlong][::1],
    out: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write what the root in a word is and has round it, and what its neighbours have before it."""
    round_it: cython.Py_ssize_t
    round_it = mixed(here[BEFORE], here[BEHIND])
    out[0] = here[BEFORE]
    out[1] = mixed(here[BEFORE], here[ROOT_KIND])
    out[2] = round_it
    out[3] = mixed(here[BEHIND], here[ROOT_KIND])
    out[4] = here[ROOT]
    out[5] = mixed(round_it, here[ROOT_KIND])
    out[6] = mixed(before[BEFORE], here[BEFORE])
    out[7] = mixed(here[BEFORE], here[ROOT])
    out[8] = mixed(after[BEFORE], here[BEFORE])
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def cluster_of(facts: cython.const[cython.longlong][::1]) -> cython.Py_ssize_t:
    """Return the cluster of a word as it is written, else the other one it has."""
    if facts[SHAPE] & 1 and facts[NAME_CLUSTER]:
        return facts[NAME_CLUSTER]
    return facts[CLUSTER] if facts[CLUSTER] else facts[NAME_CLUSTER]


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def write_listed(
    here: cython.const[cython.longlong][::1],
    before: cython.const[cython.longlong][::1],
    after: cython.const[cython.longlong][::1],
    is_first: cython.bint,
    out: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write what lists say of a word and its neighbours; beginnings of a cluster are wider ones."""
    cluster: cython.Py_ssize_t
    later: cython.Py_ssize_t
    earlier: cython.Py_ssize_t
    cluster, earlier, later = cluster_of(here), cluster_of(before), cluster_of(after)
    out[0] = here[LISTED]
    out[1] = mixed(here[LISTED], here[SHAPE])
    out[2] = before[LISTED]
    out[3] = after[LISTED]
    out[4] = mixed(before[LISTED], here[LISTED])
    out[5] = mixed(here[LISTED], after[LISTED])
    out[6] = mixed(here[LISTED], after[WORD])
    out[7] = mixed(here[CAPITALS], here[SHAPE] * 2 + is_first)
    out[8] = mixed(here[CAPITALS], mixed(before[CAPITALS], after[CAPITALS]))
    out[9] = here[CLUSTER]
    out[10] = here[NAME_CLUSTER]
    out[11] = mixed(here[NAME_CLUSTER], here[SHAPE])
    out[12] = cluster & 15
    out[13] = cluster & 63
    out[14] = cluster & 1023
    out[15] = earlier
    out[16] = later
    out[17] = mixed(cluster & 63, later & 63)
    out[18] = mixed(earlier & 63, cluster & 63)
    out[19] = mixed(mixed(earlier & 63, later & 63), here[ENDING + 2])
    return 0


def all_features(
    codes: cython.const[cython.longlong][::1],
    kinds: cython.const[cython.uchar][::1],
    offsets: cython.const[cython.longlong][::1],
    sentences: cython.const[cython.longlong][::1],
    known: cython.const[cython.longlong][::1],
    classes: cython.const[cython.longlong][::1],
    listed: cython.const[cython.longlong][::1],
    columns: cython.const[cython.longlong][:, ::1],
    mask: cython.Py_ssize_t,
    facts: cython.longlong[:, ::1],
    features: cython.longlong[:, ::1],
) -> None:
    """Write the features of all words; `offsets` and `sentences` say where each ends."""
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    number: cython.Py_ssize_t
    word: cython.Py_ssize_t
    words: cython.Py_ssize_t
    words = offsets.shape[0] - 1
    for word in range(words):
        begin, end = offsets[word], offsets[word + 1]
        word_facts(codes, kinds, begin, end, known, classes, listed, columns, facts[word + 2])
    for number in range(sentences.shape[0] - 1):
        sentence_features(facts, sentences[number], sentences[number + 1], mask, features)


def edit_features(
    codes: cython.const[cython.longlong][::1],
    offsets: cython.const[cython.longlong][::1],
    tags: cython.const[cython.longlong][::1],
    mask: cython.Py_ssize_t,
    features: cython.longlong[:, ::1],
) -> None:
    """Write what says how a word becomes its lemma: its ends and beginnings, with its tag."""
    begin: cython.Py_ssize_t
    beginning: cython.Py_ssize_t
    end: cython.Py_ssize_t
    ending: cython.Py_ssize_t
    number: cython.Py_ssize_t
    size: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    word: cython.Py_ssize_t
    for word in range(offsets.shape[0] - 1):
        begin, end, tag = offsets[word], offsets[word + 1], tags[word] + 1
        for size in range(1, 7):
            ending = stretch_hash(codes, max(begin, end - size), end, size)
            beginning = stretch_hash(codes, begin, min(end, begin + size), 16 + size)
            features[word, size - 1], features[word, size + 5] = ending, mixed(ending, tag)
            features[word, size + 11], features[word, size + 17] = beginning, mixed(beginning, tag)
        features[word, 24] = stretch_hash(codes, begin, end, 0)
        features[word, 25] = mixed(features[word, 24], tag)
        features[word, 26] = tag
        features[word, 27] = mixed(mixed(features[word, 1], features[word, 13]), tag)
        features[word, 28] = mixed(mixed(features[word, 0], features[word, 14]), tag)
        features[word, 29] = mixed(min(end - begin, 9), tag)
        for number in range(EDIT_FEATURES):
            features[word, number] = mixed(features[word, number], 200 + number) & mask


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def tag_features(
    last: cython.Py_ssize_t,
    before_last: cython.Py_ssize_t,
    facts: cython.longlong[:, ::1],
    row: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    out: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the rows of weights that depend on the two tags before a word."""
    out[0] = mixed(last, 101) & mask
    out[1] = mixed(mixed(last, before_last), 102) & mask
    out[2] = mixed(mixed(last, facts[row, WORD]), 103) & mask
    out[3] = mixed(mixed(last, facts[row + 1, WORD]), 104) & mask
    out[4] = mixed(mixed(last, facts[row, CLASS] * 4096 + facts[row + 1, CLASS]), 105) & mask
    out[5] = mixed(mixed(last, facts[row, ENDING + 3]), 106) & mask
    out[6] = mixed(mixed(mixed(last, before_last), facts[row, CLASS]), 107) & mask
    out[7] = mixed(mixed(before_last, facts[row, WORD]), 108) & mask
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def kept_features(
    tag: cython.Py_ssize_t,
    kept: cython.Py_ssize_t,
    facts: cython.longlong[:, ::1],
    row: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    out: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the rows that depend on the last word whose tag is kept in mind, its row is `kept`."""
    near: cython.Py_ssize_t
    near = tag * 4 + min(row - kept, 3)
    out[0] = mixed(mixed(tag, facts[row, BEGINNING + 2]), 109) & mask
    out[1] = mixed(mixed(near, facts[row, CLASS]), 110) & mask
    out[2] = mixed(mixed(tag, facts[row, ENDING + 3]), 111) & mask
    out[3] = mixed(mixed(facts[kept, WORD], facts[row, ENDING + 2]), 112) & mask
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def gather_rows(
    features: cython.longlong[::1],
    last: cython.Py_ssize_t,
    before_last: cython.Py_ssize_t,
    kept_tag: cython.Py_ssize_t,
    kept: cython.Py_ssize_t,
    facts: cython.longlong[:, ::1],
    row: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    rows: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the rows of weights that one word looks at."""
    place: cython.Py_ssize_t
    static: cython.Py_ssize_t
    static = features.shape[0]
    for place in range(static):
        rows[place] = features[place]
    tag_features(last, before_last, facts, row, mask, rows[static:])
    if rows.shape[0] >= static + DYNAMIC + KEPT:
        kept_features(kept_tag, kept, facts, row, mask, rows[static + DYNAMIC :])
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def add_small(
    weights: cython.const[cython.schar][:, ::1],
    rows: cython.const[cython.longlong][::1],
    scores: cython.short[::1],
) -> cython.Py_ssize_t:
    """Write the sum of the weights of each tag, of so few rows that 16 bits hold it.

    Each row is touched first: what is out of bounds is found there, and what is far away in memory
    is waited for together.
    """
    number: cython.Py_ssize_t
    touched: cython.int = 0
    if rows.shape[0] > 255:
        raise ValueError("A word looks at more rows of weights than can be added up.")
    last: cython.Py_ssize_t = weights.shape[1] - 1
    middle: cython.Py_ssize_t = last // 2
    for number in range(rows.shape[0]):
        touched += weights[rows[number], 0]
        # A row lies in two or three lines of memory.
        touched += weights[rows[number], middle] + weights[rows[number], last]
    scores[0] = touched & 1
    return add_touched(weights, rows, scores)


@cython.cfunc
@cython.nogil
@cython.boundscheck(False)
@cython.exceptval(-3, check=True)
def add_touched(
    weights: cython.const[cython.schar][:, ::1],
    rows: cython.const[cython.longlong][::1],
    scores: cython.short[::1],
) -> cython.Py_ssize_t:
    """Add up rows that are known to be there: unchecked, tags are added by eights."""
    number: cython.Py_ssize_t
    row: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    tags: cython.Py_ssize_t
    tags = min(scores.shape[0], weights.shape[1])
    for tag in range(tags):
        scores[tag] = 0
    for number in range(rows.shape[0]):
        row = rows[number]
        for tag in range(tags):
            scores[tag] += weights[row, tag]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def add_scores(
    weights: cython.float[:, ::1],
    rows: cython.const[cython.longlong][::1],
    scores: cython.float[::1],
) -> cython.Py_ssize_t:
    """Write the sum of the weights of each tag."""
    number: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    tags: cython.Py_ssize_t
    tags = min(scores.shape[0], weights.shape[1])
    for tag in range(tags):
        scores[tag] = 0
    for number in range(rows.shape[0]):
        for tag in range(tags):
            scores[tag] += weights[rows[number], tag]
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def best_small(scores: cython.short[::1], excluded: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the tag with the highest score, one left out."""
    best: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    best = 1 if excluded == 0 and scores.shape[0] > 1 else 0
    for tag in range(scores.shape[0]):
        if tag != excluded and scores[tag] > scores[best]:
            best = tag
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def best_but(scores: cython.float[::1], excluded: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the tag with the highest score, one left out."""
    best: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    best = 1 if excluded == 0 and scores.shape[0] > 1 else 0
    for tag in range(scores.shape[0]):
        if tag != excluded and scores[tag] > scores[best]:
            best = tag
    return best


def tag_words(
    features: cython.longlong[:, ::1],
    facts: cython.longlong[:, ::1],
    sentences: cython.const[cython.longlong][::1],
    fixed: cython.const[cython.longlong][::1],
    keeps: cython.const[cython.uchar][::1],
    weights: cython.const[cython.schar][:, ::1],
    scores: cython.short[::1],
    rows: cython.longlong[::1],
    mask: cython.Py_ssize_t,
    tags: cython.longlong[::1],
) -> None:
    """Write the best tag of every word; words with a fixed tag keep it."""
    before_last: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    last: cython.Py_ssize_t
    number: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    word: cython.Py_ssize_t
    for number in range(sentences.shape[0] - 1):
        last, before_last, kept = -1, -1, -2
        for word in range(sentences[number], sentences[number + 1]):
            tag = fixed[word]
            if tag < 0:
                gather_rows(
                    features[word],
                    last + 1,
                    before_last + 1,
                    tags[kept] + 1 if kept >= 0 else 0,
                    kept + 2,
                    facts,
                    word + 2,
                    mask,
                    rows,
                )
                add_small(weights, rows, scores)
                tag = best_small(scores, -1)
            tags[word] = tag
            before_last, last = last, tag
            if keeps[tag]:
                kept = word


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def correct(
    weights: cython.float[:, ::1],
    sums: cython.double[:, ::1],
    rows: cython.longlong[::1],
    none: cython.Py_ssize_t,
    right: cython.Py_ssize_t,
    wrong: cython.Py_ssize_t,
    step: cython.double,
) -> cython.Py_ssize_t:
    """Move the weights of one word towards the right tag."""
    place: cython.Py_ssize_t
    row: cython.Py_ssize_t
    for place in range(rows.shape[0]):
        row = rows[place]
        if row != none:
            weights[row, right] += 1
            weights[row, wrong] -= 1
            sums[row, right] += step
            sums[row, wrong] -= step
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def leave_out(
    rows: cython.longlong[::1],
    share: cython.double,
    none: cython.Py_ssize_t,
    chance: cython.ulonglong[::1],
) -> cython.Py_ssize_t:
    """Leave out each feature with some chance, so that no single one is relied upon."""
    place: cython.Py_ssize_t
    for place in range(rows.shape[0]):
        chance[0] = (chance[0] ^ (chance[0] << 13)) & ALL
        chance[0] = chance[0] ^ (chance[0] >> 7)
        chance[0] = (chance[0] ^ (chance[0] << 17)) & ALL
        if (chance[0] >> 11) * 1.1102230246251565e-16 < share:
            rows[place] = none
    return 0


def learn(
    features: cython.longlong[:, ::1],
    facts: cython.longlong[:, ::1],
    sentences: cython.const[cython.longlong][::1],
    order: cython.const[cython.longlong][::1],
    gold: cython.const[cython.longlong][::1],
    keeps: cython.const[cython.uchar][::1],
    weights: cython.float[:, ::1],
    sums: cython.double[:, ::1],
    scores: cython.float[::1],
    rows: cython.longlong[::1],
    mask: cython.Py_ssize_t,
    share: cython.double,
    margin: cython.double,
    step: cython.double,
    chance: cython.ulonglong[::1],
) -> cython.double:
    """Go once through the sentences, correcting the weights, and return the steps made.

    `share` is the share of features left out, `margin` the lead that counts as sure.
    """
    before_last: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    kept_tag: cython.Py_ssize_t
    last: cython.Py_ssize_t
    number: cython.Py_ssize_t
    other: cython.Py_ssize_t
    right: cython.Py_ssize_t
    turn: cython.Py_ssize_t
    word: cython.Py_ssize_t
    for turn in range(order.shape[0]):
        number = order[turn]
        last, before_last, kept, kept_tag = -1, -1, -2, -1
        for word in range(sentences[number], sentences[number + 1]):
            gather_rows(
                features[word],
                last + 1,
                before_last + 1,
                kept_tag + 1,
                kept + 2,
                facts,
                word + 2,
                mask,
                rows,
            )
            leave_out(rows, share, mask + 1, chance)
            add_scores(weights, rows, scores)
            right = gold[word]
            other = best_but(scores, right)
            if scores[right] - scores[other] <= margin:
                correct(weights, sums, rows, mask + 1, right, other, step)
            step += 1
            before_last, last = last, right if scores[right] > scores[other] else other
            if keeps[last]:
                kept, kept_tag = word, last
    return step


def choose(
    features: cython.longlong[:, ::1],
    weights: cython.const[cython.schar][:, ::1],
    scores: cython.short[::1],
    chosen: cython.longlong[::1],
) -> None:
    """Write the best class of each row of features, each on its own."""
    item: cython.Py_ssize_t
    for item in range(features.shape[0]):
        add_small(weights, features[item], scores)
        chosen[item] = best_small(scores, -1)


def choose_some(
    features: cython.longlong[:, ::1],
    weights: cython.const[cython.schar][:, ::1],
    scores: cython.short[::1],
    chosen: cython.longlong[:, ::1],
    sums: cython.longlong[:, ::1],
) -> None:
    """Write the best classes of each row of features, best first, and the sums of their weights."""
    item: cython.Py_ssize_t
    number: cython.Py_ssize_t
    place: cython.Py_ssize_t
    most: cython.Py_ssize_t
    most = chosen.shape[1]
    for item in range(features.shape[0]):
        add_small(weights, features[item], scores)
        for place in range(most):
            sums[item, place] = -32768
        for number in range(scores.shape[0]):
            place = most
            while place > 0 and scores[number] > sums[item, place - 1]:
                if place < most:
                    sums[item, place] = sums[item, place - 1]
                    chosen[item, place] = chosen[item, place - 1]
                place -= 1
            if place < most:
                sums[item, place] = scores[number]
                chosen[item, place] = number


def learn_choices(
    features: cython.longlong[:, ::1],
    order: cython.const[cython.longlong][::1],
    gold: cython.const[cython.longlong][::1],
    weights: cython.float[:, ::1],
    sums: cython.double[:, ::1],
    scores: cython.float[::1],
    rows: cython.longlong[::1],
    none: cython.Py_ssize_t,
    share: cython.double,
    margin: cython.double,
    step: cython.double,
    chance: cython.ulonglong[::1],
) -> cython.double:
    """Go once through single items, correcting the weights, and return the steps made."""
    item: cython.Py_ssize_t
    other: cython.Py_ssize_t
    place: cython.Py_ssize_t
    turn: cython.Py_ssize_t
    for turn in range(order.shape[0]):
        item = order[turn]
        for place in range(rows.shape[0]):
            rows[place] = features[item, place]
        leave_out(rows, share, none, chance)
        add_scores(weights, rows, scores)
        other = best_but(scores, gold[item])
        if scores[gold[item]] - scores[other] <= margin:
            correct(weights, sums, rows, none, gold[item], other, step)
        step += 1
    return step


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def row_at(
    word: cython.Py_ssize_t, first: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the row of facts of a word; before and behind the sentence stand rows of nothing."""
    return 0 if word < first else word + 2 if word < end else 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def tag_at(
    tags: cython.const[cython.longlong][::1],
    word: cython.Py_ssize_t,
    first: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the number of a word's tag from 1 on, 0 outside the sentence."""
    return tags[word] + 1 if first <= word < end else 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def next_noun(
    tags: cython.const[cython.longlong][::1],
    roles: cython.const[cython.uchar][::1],
    word: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the row of facts of the noun that a word is or goes before: its article, adjective."""
    place: cython.Py_ssize_t
    for place in range(word, min(end, word + 5)):
        if roles[tags[place]] == NOUN:
            return place + 2
    return 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def bundle_rows(
    facts: cython.longlong[:, ::1],
    tags: cython.const[cython.longlong][::1],
    roles: cython.const[cython.uchar][::1],
    first: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    word: cython.Py_ssize_t,
    chosen: cython.const[cython.longlong][::1],
    adposition: cython.Py_ssize_t,
    verb: cython.Py_ssize_t,
    mask: cython.Py_ssize_t,
    out: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the rows of weights by which the bundle of one word is chosen.

    `chosen` are the bundles of the words before it, `adposition` is the row of the last adposition,
    `verb` the number of verbs so far.
    """
    after: cython.Py_ssize_t
    before: cython.Py_ssize_t
    bundle: cython.Py_ssize_t
    bundle2: cython.Py_ssize_t
    here: cython.Py_ssize_t
    noun: cython.Py_ssize_t
    number: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    tag_after: cython.Py_ssize_t
    tag_before: cython.Py_ssize_t
    here, tag = word + 2, tags[word] + 1
    before, after = row_at(word - 1, first, end), row_at(word + 1, first, end)
    tag_before, tag_after = tag_at(tags, word - 1, first, end), tag_at(tags, word + 1, first, end)
    bundle = chosen[word - 1] + 1 if word > first else 0
    bundle2 = chosen[word - 2] + 1 if word > first + 1 else 0
    noun = next_noun(tags, roles, word, end)
    out[0] = facts[here, WORD]
    for number in range(1, 7):
        out[number] = facts[here, ENDING + number]
    out[7] = facts[here, BEGINNING + 2]
    out[8] = facts[here, BEGINNING + 3]
    out[9] = facts[here, SHAPE]
    out[10] = tag_before
    out[11] = tag_after
    out[12] = mixed(tag_before, tag_after)
    out[13] = mixed(tag_before, tag_at(tags, word - 2, first, end))
    out[14] = mixed(tag_after, tag_at(tags, word + 2, first, end))
    out[15] = facts[before, WORD]
    out[16] = facts[after, WORD]
    out[17] = mixed(facts[before, WORD], facts[here, ENDING + 2])
    out[18] = mixed(facts[after, ENDING + 3], tag_after)
    out[19] = mixed(facts[after, ENDING + 2], facts[here, ENDING + 2])
    out[20] = mixed(facts[here, WORD], facts[after, ENDING + 2])
    out[21] = mixed(facts[before, ENDING + 2], facts[here, ENDING + 2])
    out[22] = facts[noun, WORD]
    out[23] = facts[noun, ENDING + 3]
    out[24] = mixed(facts[here, WORD], facts[noun, ENDING + 2])
    out[25] = mixed(facts[here, ENDING + 2], facts[noun, ENDING + 2])
    out[26] = mixed(facts[before, WORD], facts[noun, ENDING + 2])
    out[27] = mixed(facts[adposition, WORD], min(here - adposition, 4))
    out[28] = mixed(facts[adposition, WORD], facts[here, ENDING + 2])
    out[29] = mixed(facts[adposition, WORD], facts[noun, ENDING + 2])
    out[30] = mixed(min(verb, 2), facts[here, ENDING + 2])
    out[31] = bundle
    out[32] = mixed(bundle, facts[here, ENDING + 2])
    out[33] = mixed(bundle, facts[here, ENDING + 3])
    out[34] = mixed(bundle, bundle2)
    out[35] = mixed(bundle, facts[noun, ENDING + 2])
    out[36] = 0
    for number in range(BUNDLE_FEATURES):
        out[number] = mixed(mixed(out[number], tag), 300 + number) & mask
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def best_bundle(
    scores: cython.const[cython.float][::1],
    columns: cython.const[cython.longlong][:, ::1],
    options: cython.const[cython.longlong][::1],
    excluded: cython.Py_ssize_t,
    best_sum: cython.float[::1],
) -> cython.Py_ssize_t:
    """Return the bundle with the highest sum over its values, one left out; -1 if there is none."""
    best: cython.Py_ssize_t = -1
    number: cython.Py_ssize_t
    total: cython.double
    for number in range(options.shape[0]):
        if options[number] == excluded:
            continue
        total = bundle_sum(scores, columns[options[number]])
        if best < 0 or total > best_sum[0]:
            best, best_sum[0] = options[number], cython.cast(cython.float, total)
    return best


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def bundle_sum(
    scores: cython.const[cython.float][::1], columns: cython.const[cython.longlong][::1]
) -> cython.double:
    """Return the sum of the scores of the values in a bundle; -1 stands behind its last one."""
    place: cython.Py_ssize_t
    total: cython.double = 0
    for place in range(columns.shape[0]):
        if columns[place] < 0:
            break
        total += scores[columns[place]]
    return total


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def move_bundle(
    weights: cython.float[:, ::1],
    sums: cython.double[:, ::1],
    rows: cython.const[cython.longlong][::1],
    none: cython.Py_ssize_t,
    columns: cython.const[cython.longlong][::1],
    by: cython.float,
    step: cython.double,
) -> cython.Py_ssize_t:
    """Move the weights of one word for, or against, the values in a bundle."""
    column: cython.Py_ssize_t
    place: cython.Py_ssize_t
    for place in range(rows.shape[0]):
        if rows[place] == none:
            continue
        for column in range(columns.shape[0]):
            if columns[column] < 0:
                break
            weights[rows[place], columns[column]] += by
            sums[rows[place], columns[column]] += by * step
    return 0


def choose_bundles(
    facts: cython.longlong[:, ::1],
    sentences: cython.const[cython.longlong][::1],
    tags: cython.const[cython.longlong][::1],
    roles: cython.const[cython.uchar][::1],
    columns: cython.const[cython.longlong][:, ::1],
    starts: cython.const[cython.longlong][::1],
    options: cython.const[cython.longlong][::1],
    weights: cython.const[cython.schar][:, ::1],
    small: cython.short[::1],
    scores: cython.float[::1],
    rows: cython.longlong[::1],
    chosen: cython.longlong[::1],
) -> None:
    """Write the best bundle of every word among those of its tag (`options` from `starts` on)."""
    adposition: cython.Py_ssize_t
    column: cython.Py_ssize_t
    number: cython.Py_ssize_t
    tag: cython.Py_ssize_t
    verb: cython.Py_ssize_t
    word: cython.Py_ssize_t
    best: cython.float[::1] = scores[scores.shape[0] - 1 :]
    for number in range(sentences.shape[0] - 1):
        adposition, verb = 0, 0
        for word in range(sentences[number], sentences[number + 1]):
            tag = tags[word]
            bundle_rows(
                facts,
                tags,
                roles,
                sentences[number],
                sentences[number + 1],
                word,
                chosen,
                adposition,
                verb,
                weights.shape[0] - 2,
                rows,
            )
            add_small(weights, rows, small)
            for column in range(small.shape[0]):
                scores[column] = small[column]
            chosen[word] = best_bundle(
                scores, columns, options[starts[tag] : starts[tag + 1]], -1, best
            )
            adposition = word + 2 if roles[tag] == ADPOSITION else adposition
            verb += roles[tag] == VERB


def learn_bundles(
    facts: cython.longlong[:, ::1],
    sentences: cython.const[cython.longlong][::1],
    order: cython.const[cython.longlong][::1],
    tags: cython.const[cython.longlong][::1],
    roles: cython.const[cython.uchar][::1],
    columns: cython.const[cython.longlong][:, ::1],
    starts: cython.const[cython.longlong][::1],
    options: cython.const[cython.longlong][::1],
    gold: cython.const[cython.longlong][::1],
    weights: cython.float[:, ::1],
    sums: cython.double[:, ::1],
    scores: cython.float[::1],
    rows: cython.longlong[::1],
    chosen: cython.longlong[::1],
    share: cython.double,
    margin: cython.double,
    step: cython.double,
    chance: cython.ulonglong[::1],
) -> cython.double:
    """Go once through the sentences, correcting weights of values, and return the steps made."""
    adposition: cython.Py_ssize_t
    none: cython.Py_ssize_t
    number: cython.Py_ssize_t
    other: cython.Py_ssize_t
    right: cython.double
    tag: cython.Py_ssize_t
    turn: cython.Py_ssize_t
    verb: cython.Py_ssize_t
    word: cython.Py_ssize_t
    best: cython.float[::1] = scores[scores.shape[0] - 1 :]
    none = weights.shape[0] - 1
    for turn in range(order.shape[0]):
        number, adposition, verb = order[turn], 0, 0
        for word in range(sentences[number], sentences[number + 1]):
            tag = tags[word]
            bundle_rows(
                facts,
                tags,
                roles,
                sentences[number],
                sentences[number + 1],
                word,
                chosen,
                adposition,
                verb,
                none - 1,
                rows,
            )
            leave_out(rows, share, none, chance)
            add_scores(weights, rows, scores[: scores.shape[0] - 1])
            other = best_bundle(
                scores, columns, options[starts[tag] : starts[tag + 1]], gold[word], best
            )
            right = bundle_sum(scores, columns[gold[word]])
            chosen[word] = gold[word]
            if other >= 0 and right - best[0] <= margin:
                move_bundle(weights, sums, rows, none, columns[gold[word]], 1, step)
                move_bundle(weights, sums, rows, none, columns[other], -1, step)
                chosen[word] = gold[word] if right > best[0] else other
            step += 1
            adposition = word + 2 if roles[tag] == ADPOSITION else adposition
            verb += roles[tag] == VERB
    return step
