"""Identifying one of many languages: letters of a text, n-grams of its words, lists of languages.

An n-gram is looked up in a table of 64-bit slots: its fingerprint, where its list begins and how
many languages are on it. A list names only the languages in which the n-gram is telling, each with
a weight, so that six hundred classes cost little more than thirty.
"""

import cython
from cython.cimports.izwi.kernels.language_lists import NO_WEIGHT, WEIGHT_BITS, WEIGHTS
from cython.cimports.libc.math import exp, log, pow, sqrt

START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
LIST = cython.declare(cython.ulonglong, 0xFFFFFFFFF)

# N-grams have at most 5 characters, word boundaries included; words of up to 38 count whole, too.
# Single characters tell something in scripts beyond Latin (0x24F) only.


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _fingerprint(value: cython.ulonglong) -> cython.longlong:
    mixed: cython.ulonglong = (value * MIX) & ALL
    mixed = mixed ^ (mixed >> 29)
    return cython.cast(cython.longlong, mixed >> 36)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _is_apostrophe(sign: cython.uint) -> cython.bint:
    return sign == 39 or sign == 0x2019 or sign == 0x2018 or sign == 0x2BC or sign == 0x2BB


@cython.cfunc
@cython.nogil
@cython.exceptval(0xFFFFFFFF)
def _letter(table: cython.const[cython.ushort][::1], sign: cython.uint) -> cython.uint:
    """Return a letter in lower case, 0 if the sign is none."""
    if sign < 0x10000:
        return table[sign]
    # Letters beyond the first plane are kept; emoji and signs are not.
    return sign if sign < 0x1D000 or 0x1E000 <= sign < 0x1F000 or sign >= 0x20000 else 0


def read_letters(
    text: str,
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    table: cython.const[cython.ushort][::1],
    out: cython.uint[::1],
    used: cython.Py_ssize_t,
    counts: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the letters of a stretch with single spaces between words; return the end.

    `counts` grows by words, letters of the first script, of others, and control characters.
    """
    i: cython.Py_ssize_t
    size: cython.Py_ssize_t = len(text)
    sign: cython.uint
    kept: cython.uint
    after: cython.uint
    if used == 0:
        out[0] = 32
        used = 1
    for i in range(start, end):
        sign = cython.cast(cython.uint, ord(text[i]))
        kept = _letter(table, sign)
        if kept == 0:
            counts[3] += sign < 32 and sign != 10 and sign != 9 and sign != 13
            after = cython.cast(cython.uint, ord(text[i + 1])) if i + 1 < size else 0
            if _is_apostrophe(sign) and out[used - 1] != 32 and _letter(table, after) != 0:
                out[used] = 39
                used += 1
                continue
            if out[used - 1] != 32:
                out[used] = 32
                used += 1
            continue
        counts[0] += out[used - 1] == 32
        counts[1] += kept < 0x250 or 0x1E00 <= kept < 0x1F00
        counts[2] += kept >= 0x370 and not (0x1E00 <= kept < 0x1F00)
        out[used] = kept
        used += 1
    if out[used - 1] != 32:
        out[used] = 32
        used += 1
    return used


@cython.cfunc
@cython.nogil
@cython.boundscheck(False)
@cython.exceptval(-1)
def _note_word(
    text: cython.const[cython.uint][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    marks: cython.longlong[::1],
    noted: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Note the n-grams of a word between the spaces at `start` and `end`; return how many.

    A letter begins five at most and the word is one: whether there is room is looked at once.
    """
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    value: cython.ulonglong
    if start < 0 or end >= text.shape[0] or noted + 5 * (end - start) >= marks.shape[0]:
        with cython.gil:
            raise IndexError("n-grams beyond their room")
    for i in range(start, end):
        value = ((START ^ text[i]) * PRIME) & ALL
        if text[i] > 0x24F:
            marks[noted] = _fingerprint(value)
            noted += 1
        for j in range(i + 1, min(end + 1, i + 5)):
            value = ((value ^ text[j]) * PRIME) & ALL
            marks[noted] = _fingerprint(value)
            noted += 1
    if end - start + 1 > 5 and end - start < 40:
        value = START
        for j in range(start, end + 1):
            value = ((value ^ text[j]) * PRIME) & ALL
        marks[noted] = _fingerprint(value)
        noted += 1
    return noted


@cython.cfunc
@cython.nogil
@cython.boundscheck(False)
@cython.exceptval(-1)
def _add_list(
    postings: cython.const[cython.ushort][::1],
    begin: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    scores: cython.int[::1],
) -> cython.int:
    """Add the weights on one list, which lies within the postings; classes are looked at here."""
    classes: cython.uint = cython.cast(cython.uint, scores.shape[0])
    item: cython.uint
    k: cython.Py_ssize_t
    for k in range(begin, end):
        item = postings[k]
        if item >> WEIGHT_BITS < classes:
            scores[item >> WEIGHT_BITS] += cython.cast(cython.int, item & WEIGHTS) - NO_WEIGHT
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _add_lists(
    marks: cython.longlong[::1],
    noted: cython.Py_ssize_t,
    slots: cython.const[cython.ulonglong][::1],
    held: cython.ulonglong[::1],
    postings: cython.const[cython.ushort][::1],
    scores: cython.int[::1],
) -> cython.int:
    """Add the weights of the languages on the lists of n-grams.

    In rounds, since most of the time is waiting for memory: what does not depend on an answer
    before it is waited for together.
    """
    last: cython.Py_ssize_t = slots.shape[0] - 1
    place: cython.Py_ssize_t
    found: cython.ulonglong
    n: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    lists: cython.Py_ssize_t = 0
    for n in range(noted):
        held[n] = slots[cython.cast(cython.Py_ssize_t, (marks[n] * (last + 1)) >> 28)]
    for n in range(noted):
        found = held[n]
        place = cython.cast(cython.Py_ssize_t, (marks[n] * (last + 1)) >> 28)
        while found != 0 and cython.cast(cython.longlong, found >> 36) != marks[n]:
            place = (place + 1) & last
            found = slots[place]
        held[lists] = found
        lists += found != 0
    # The first of each list is asked for here; the place of its n-gram is free by now.
    for n in range(lists):
        marks[n] = postings[cython.cast(cython.Py_ssize_t, (held[n] >> 10) & 0x3FFFFFF)]
    for n in range(lists):
        begin = cython.cast(cython.Py_ssize_t, (held[n] >> 10) & 0x3FFFFFF)
        end = begin + cython.cast(cython.Py_ssize_t, held[n] & 0x3FF)
        _add_list(postings, begin, min(end, postings.shape[0]), scores)
    return 0


@cython.cfunc
@cython.nogil
@cython.boundscheck(False)
@cython.exceptval(-1)
def _lead(scores: cython.const[cython.int][::1]) -> cython.longlong:
    """Return how far the best class is before the next.

    In two loops without a choice in them, so that several classes are looked at at once. With
    bounds checked it takes 1.25 to 1.3, 1.4 to 1.5 and 1.1 times as long (200, 400, 700 classes).
    """
    best: cython.int = -2147483647
    second: cython.int = -2147483647
    score: cython.int
    first: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for k in range(scores.shape[0]):
        best = scores[k] if scores[k] > best else best
    while first < scores.shape[0] and scores[first] != best:
        first += 1
    for k in range(first):
        score = scores[k]
        second = score if score > second else second
    for k in range(first + 1, scores.shape[0]):
        score = scores[k]
        second = score if score > second else second
    return cython.cast(cython.longlong, best) - second


def add_text(
    text: cython.const[cython.uint][::1],
    used: cython.Py_ssize_t,
    slots: cython.const[cython.ulonglong][::1],
    postings: cython.const[cython.ushort][::1],
    scores: cython.int[::1],
    marks: cython.longlong[::1],
    held: cython.ulonglong[::1],
    enough: cython.Py_ssize_t,
    lead: cython.double,
) -> cython.Py_ssize_t:
    """Add up the n-grams of letters read; return how many there were.

    After every `enough` letters the best class may be so far before the next (`lead`, in steps of
    weight per root of n-grams) that the rest would not change it. `marks` and `held` are room for
    five n-grams a letter.
    """
    count: cython.Py_ssize_t = 0
    noted: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    asked: cython.Py_ssize_t = enough
    ahead: cython.double
    with cython.nogil:
        while start < used - 1:
            end = start + 1
            while text[end] != 32:
                end += 1
            noted = _note_word(text, start, end, marks, noted)
            start = end
            if start >= asked and lead > 0:
                asked += enough
                _add_lists(marks, noted, slots, held, postings, scores)
                count += noted
                noted = 0
                ahead = cython.cast(cython.double, _lead(scores))
                if ahead * ahead > lead * lead * count:
                    break
        _add_lists(marks, noted, slots, held, postings, scores)
    return count + noted


@cython.cfunc
@cython.nogil
@cython.boundscheck(False)
@cython.exceptval(-1)
def _weigh(
    scores: cython.const[cython.int][::1],
    bias: cython.const[cython.float][::1],
    factor: cython.double,
    heat: cython.double,
    shares: cython.double[::1],
) -> cython.double:
    """Write the probability of each class before they are divided by their sum; return that."""
    top: cython.double = -1e30
    whole: cython.double = 0.0
    k: cython.Py_ssize_t
    classes: cython.Py_ssize_t = min(scores.shape[0], bias.shape[0], shares.shape[0])
    for k in range(classes):
        shares[k] = (scores[k] * factor + bias[k]) / heat
    for k in range(classes):
        top = shares[k] if shares[k] > top else top
    for k in range(classes):
        shares[k] = exp(shares[k] - top) if shares[k] > top - 25 else 0.0
        whole += shares[k]
    return whole


@cython.cfunc
@cython.nogil
@cython.boundscheck(False)
@cython.exceptval(-1)
def _share_out(
    shares: cython.double[::1],
    whole: cython.double,
    kinds: cython.const[cython.uchar][::1],
    found: cython.double[::1],
) -> cython.Py_ssize_t:
    """Divide what each class has by the whole; return the best of those that are named."""
    best: cython.Py_ssize_t = -1
    # Named ones may have no share at all: the first of them then.
    highest: cython.double = -1.0
    unnamed: cython.double = 0.0
    others: cython.double = 0.0
    named: cython.double = 0.0
    second: cython.double = 0.0
    k: cython.Py_ssize_t
    if found.shape[0] < 4 or kinds.shape[0] < shares.shape[0]:
        with cython.gil:
            raise IndexError("as many kinds as classes, and room for four numbers")
    for k in range(shares.shape[0]):
        shares[k] = shares[k] / whole
    for k in range(shares.shape[0]):
        if kinds[k] == 0:
            others += shares[k]
            unnamed = shares[k] if shares[k] > unnamed else unnamed
        else:
            if kinds[k] == 1:
                named += shares[k]
            else:
                second += shares[k]
            if shares[k] > highest:
                highest = shares[k]
                best = k
    found[0] = others
    found[1] = named
    found[2] = second
    found[3] = unnamed
    return best


def judge(
    scores: cython.const[cython.int][::1],
    bias: cython.const[cython.float][::1],
    kinds: cython.const[cython.uchar][::1],
    factor: cython.double,
    heat: cython.double,
    shares: cython.double[::1],
    found: cython.double[::1],
) -> cython.Py_ssize_t:
    """Write the probability of each class; return the best of those that are named.

    Kinds are 0 for unnamed classes, 1 for named ones, 2 for those a second step knows; `found`
    gets the sum of probabilities of each, and the highest of an unnamed one.
    """
    best: cython.Py_ssize_t
    with cython.nogil:
        best = _share_out(shares, _weigh(scores, bias, factor, heat, shares), kinds, found)
    return best


def agree(
    shares: cython.double[::1],
    places: cython.const[cython.longlong][::1],
    second: cython.const[cython.double][::1],
    numbers: cython.const[cython.longlong][::1],
    first: cython.double,
    trust: cython.double,
    likeness: cython.const[cython.float][::1],
    kinds: cython.const[cython.uchar][::1],
    found: cython.double[::1],
) -> cython.Py_ssize_t:
    """Join the shares of all classes (as `judge` wrote them) with a second opinion about some.

    The class at each of `places` has in the second opinion one of the `numbers`. Whether it is one
    of them is asked of both, `first` being what they have together; which of them, of the second
    alone, sharpened by `trust`. `likeness` is how often the second takes text of a class for one
    of them: that often its word says nothing against the class. What is written and returned is as
    of `judge`.
    """
    whole: cython.double = 0.0
    known: cython.double = 0.0
    own: cython.double = 1e-300
    best: cython.Py_ssize_t
    k: cython.Py_ssize_t
    with cython.nogil:
        for k in range(numbers.shape[0]):
            known += second[numbers[k]]
            own += pow(second[numbers[k]], trust)
        for k in range(min(shares.shape[0], likeness.shape[0])):
            shares[k] *= max(0.0, 1.0 - known) + known * likeness[k]
        own = first * known / own
        for k in range(places.shape[0]):
            shares[places[k]] = pow(second[numbers[k]], trust) * own
        for k in range(shares.shape[0]):
            whole += shares[k]
        best = _share_out(shares, whole, kinds, found)
    return best


def count_ngrams(
    text: cython.const[cython.uint][::1], used: cython.Py_ssize_t, out: cython.longlong[::1]
) -> cython.Py_ssize_t:
    """Write the fingerprints of all n-grams of letters read; return how many."""
    count: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    while start < used - 1:
        end = start + 1
        while text[end] != 32:
            end += 1
        count = _note_word(text, start, end, out, count)
        start = end
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(0xFFFFFFFFFFFFFFFF)
def _list_of(mark: cython.longlong, slots: cython.const[cython.ulonglong][::1]) -> cython.ulonglong:
    """Return where the list of a fingerprint begins, times 1024, and its length; 0 without one."""
    last: cython.Py_ssize_t = slots.shape[0] - 1
    place: cython.Py_ssize_t = cython.cast(cython.Py_ssize_t, (mark * (last + 1)) >> 28)
    while slots[place] != 0:
        if cython.cast(cython.longlong, slots[place] >> 36) == mark:
            return slots[place] & LIST
        place = (place + 1) & last
    return 0


def learn(
    text: cython.const[cython.uint][::1],
    pieces: cython.const[cython.longlong][:, ::1],
    slots: cython.const[cython.ulonglong][::1],
    languages: cython.const[cython.ushort][::1],
    weights: cython.float[::1],
    bias: cython.float[::1],
    shares: cython.double[::1],
    marks: cython.longlong[::1],
    lists: cython.ulonglong[::1],
    rate: cython.double,
    dropped: cython.double,
    seed: cython.ulonglong,
) -> cython.double:
    """Go once through pieces of text (softmax, gradient descent) and return their mean loss.

    A piece is where it begins and ends in the text (at spaces) and its class. `shares`, `marks` and
    `lists` are room to work in; `dropped` is the share of n-grams left out by chance.
    """
    loss: cython.double = 0.0
    number: cython.Py_ssize_t
    count: cython.Py_ssize_t
    kept: cython.Py_ssize_t
    k: cython.Py_ssize_t
    p: cython.Py_ssize_t
    begin: cython.Py_ssize_t
    state: cython.ulonglong = seed * 2 + 1
    limit: cython.ulonglong = cython.cast(cython.ulonglong, dropped * 4294967296.0)
    found: cython.ulonglong
    factor: cython.double
    for number in range(pieces.shape[0]):
        begin = pieces[number, 0]
        count = count_ngrams(
            text[begin : pieces[number, 1] + 1], pieces[number, 1] + 1 - begin, marks
        )
        kept = 0
        for k in range(count):
            state = (state ^ (state << 13)) & ALL
            state = state ^ (state >> 7)
            state = (state ^ (state << 17)) & ALL
            if (state >> 32) < limit:
                continue
            found = _list_of(marks[k], slots)
            if found != 0:
                lists[kept] = found
                kept += 1
        factor = 1.0 / sqrt(max(1.0, count * (1 - dropped)))
        shares[:] = 0.0
        for k in range(kept):
            begin = cython.cast(cython.Py_ssize_t, lists[k] >> 10)
            for p in range(begin, begin + cython.cast(cython.Py_ssize_t, lists[k] & 0x3FF)):
                shares[languages[p]] += weights[p]
        loss -= _softmax(shares, bias, factor, pieces[number, 2])
        shares[pieces[number, 2]] -= 1.0
        for k in range(shares.shape[0]):
            bias[k] -= rate * 0.01 * shares[k]
            shares[k] *= rate * factor
        for k in range(kept):
            begin = cython.cast(cython.Py_ssize_t, lists[k] >> 10)
            for p in range(begin, begin + cython.cast(cython.Py_ssize_t, lists[k] & 0x3FF)):
                weights[p] -= shares[languages[p]]
    return loss / max(1, pieces.shape[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _softmax(
    shares: cython.double[::1],
    bias: cython.const[cython.float][::1],
    factor: cython.double,
    right: cython.longlong,
) -> cython.double:
    """Make probabilities of sums in place; return the logarithm of the right class's."""
    top: cython.double = -1e30
    whole: cython.double = 0.0
    k: cython.Py_ssize_t
    for k in range(shares.shape[0]):
        shares[k] = shares[k] * factor + bias[k]
        top = max(top, shares[k])
    for k in range(shares.shape[0]):
        shares[k] = exp(shares[k] - top) if shares[k] > top - 30 else 0.0
        whole += shares[k]
    for k in range(shares.shape[0]):
        shares[k] /= whole
    return log(shares[right] + 1e-12)
