"""The inner loops of the identifier of some languages: letters, n-grams of a word, sums of rows.

N-grams have 3 to 6 bytes, word boundaries included; of a word 60 bytes are read, since longer
ones are addresses and noise. Rows of weights are found by the upper bits of a hash, and eight more
bits tell strangers apart.
"""

import cython
from cython.cimports.libc.math import exp, log

START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
WORD = cython.declare(cython.ulonglong, 88172645463325252)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
MIX = cython.declare(cython.ulonglong, 0x9E3779B97F4A7C15)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _is_letter(byte: cython.uchar) -> cython.bint:
    return 97 <= byte <= 122 or byte >= 0xC3


def letters(
    raw: cython.const[cython.uchar][::1], out: cython.uchar[::1], counts: cython.longlong[::1]
) -> cython.Py_ssize_t:
    """Write lower-cased UTF-8 with all but letters made single spaces; return where it ends.

    It begins and ends with a space. Apostrophes stay between letters. The counts are of words,
    Latin letters, other letters, and control characters.
    """
    size: cython.Py_ssize_t = raw.shape[0]
    end: cython.Py_ssize_t = 1
    i: cython.Py_ssize_t = 0
    width: cython.Py_ssize_t
    byte: cython.uchar
    kept: cython.bint
    out[0] = 32
    with cython.nogil:
        while i < size:
            byte = raw[i]
            width = 1
            kept = False
            if byte < 128:
                kept = 97 <= byte <= 122
                counts[3] += byte < 9 or 13 < byte < 32 or byte == 127
                if byte == 39:
                    kept = out[end - 1] != 32 and i + 1 < size and _is_letter(raw[i + 1])
            elif byte == 0xC2:
                width = 2
                counts[3] += i + 1 < size and raw[i + 1] < 0xA0
            elif byte == 0xE2:
                width = 3
                if i + 3 < size and raw[i + 1] == 0x80 and 0x98 <= raw[i + 2] <= 0x99:
                    # A typographic apostrophe is an apostrophe.
                    byte = 39
                    kept = out[end - 1] != 32 and _is_letter(raw[i + 3])
            elif byte == 0xF0:
                # Emoji, and scripts nobody has trained.
                width = 4
            elif byte == 0xEF or (byte == 0xE3 and i + 1 < size and raw[i + 1] == 0x80):
                width = 3
            else:
                kept = True
            if kept:
                counts[0] += out[end - 1] == 32
                # Continuation bytes lie below 0xC0; Latin letters begin with C3 to C9 or E1.
                counts[1] += byte < 128 or 0xC3 <= byte <= 0xC9 or byte == 0xE1
                counts[2] += byte > 0xC9 and byte != 0xE1
                out[end] = byte
                end += 1
            elif out[end - 1] != 32:
                out[end] = 32
                end += 1
            i += width
        if out[end - 1] != 32:
            out[end] = 32
            end += 1
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _word_end(text: cython.const[cython.uchar][::1], start: cython.Py_ssize_t) -> cython.Py_ssize_t:
    end: cython.Py_ssize_t = start
    while text[end] != 32:
        end += 1
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(0xFFFFFFFFFFFFFFFF)
def _word_hash(
    text: cython.const[cython.uchar][::1], start: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.ulonglong:
    whole: cython.ulonglong = WORD
    i: cython.Py_ssize_t
    for i in range(start, end):
        whole = ((whole ^ text[i]) * PRIME) & ALL
    return whole


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _hashes(
    text: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    out: cython.ulonglong[::1],
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write the hashes of a word's n-grams (spaces at its ends included) and of the word."""
    low: cython.Py_ssize_t = start - 1
    high: cython.Py_ssize_t = min(end + 1, start + 60)
    whole: cython.ulonglong = WORD
    value: cython.ulonglong
    i: cython.Py_ssize_t
    j: cython.Py_ssize_t
    for i in range(low, high):
        whole = ((whole ^ text[i]) * PRIME) & ALL
        value = START
        for j in range(i, min(high, i + 6)):
            value = ((value ^ text[j]) * PRIME) & ALL
            if j - i >= 2:
                out[count] = (value * MIX) & ALL
                count += 1
    out[count] = (whole * MIX) & ALL
    return count + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _known(
    room: cython.ulonglong[::1],
    found: cython.Py_ssize_t,
    shift: cython.int,
    tags: cython.const[cython.uchar][::1],
) -> cython.Py_ssize_t:
    """Put the slots of those hashes that own one in the place of all; return how many.

    Whether one does cannot be foreseen, so it is written down in any case and counted or not: what
    memory answers is waited for together.
    """
    count: cython.Py_ssize_t = 0
    value: cython.ulonglong
    slot: cython.Py_ssize_t
    k: cython.Py_ssize_t
    for k in range(found):
        value = room[k]
        slot = cython.cast(cython.Py_ssize_t, value >> shift)
        room[count] = cython.cast(cython.ulonglong, slot)
        count += tags[slot] == ((value >> 24) & 0xFF)
    return count


@cython.cfunc
@cython.nogil
@cython.boundscheck(False)
@cython.exceptval(-1)
def _add_rows(
    room: cython.ulonglong[::1],
    known: cython.Py_ssize_t,
    rows: cython.const[cython.schar][:, ::1],
    total: cython.int[::1],
) -> cython.int:
    """Add up the rows of some slots, each looked at before: columns are added by eights."""
    slot: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    touched: cython.int = 0
    width: cython.Py_ssize_t = min(total.shape[0], rows.shape[1])
    if known == 0 or width == 0:
        return 0
    # What is far away in memory is waited for together; of what was touched nothing comes.
    for k in range(min(known, room.shape[0])):
        slot = cython.cast(cython.Py_ssize_t, room[k])
        if slot < rows.shape[0]:
            touched += rows[slot, 0] + rows[slot, width - 1]
    for k in range(min(known, room.shape[0])):
        slot = cython.cast(cython.Py_ssize_t, room[k])
        if slot < rows.shape[0]:
            for c in range(width):
                total[c] += rows[slot, c]
    room[0] = cython.cast(cython.ulonglong, touched & 1)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _add_all(
    room: cython.ulonglong[::1],
    found: cython.Py_ssize_t,
    shift: cython.int,
    tags: cython.const[cython.uchar][::1],
    rows: cython.const[cython.schar][:, ::1],
    total: cython.int[::1],
) -> cython.int:
    return _add_rows(room, _known(room, found, shift, tags), rows, total)


def text_scores(
    text: cython.const[cython.uchar][::1],
    shift: cython.int,
    tags: cython.const[cython.uchar][::1],
    rows: cython.const[cython.schar][:, ::1],
    room: cython.ulonglong[::1],
    total: cython.int[::1],
) -> cython.Py_ssize_t:
    """Add up the rows of a text's n-grams and of 200 pairs of words; return how many there were."""
    count: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t = 1
    end: cython.Py_ssize_t
    found: cython.Py_ssize_t
    pairs: cython.Py_ssize_t = 0
    before: cython.ulonglong = 0
    whole: cython.ulonglong
    with cython.nogil:
        while start < text.shape[0]:
            end = _word_end(text, start)
            found = _hashes(text, start, end, room, 0)
            whole = _word_hash(text, start, end)
            if before != 0 and pairs < 200:
                room[found] = (((before * PRIME) ^ whole) * MIX) & ALL
                found += 1
                pairs += 1
            count += found
            _add_all(room, found, shift, tags, rows, total)
            before = whole
            start = end + 1
    return count


def text_shares(
    total: cython.const[cython.int][::1],
    factor: cython.double,
    bias: cython.const[cython.float][::1],
    heat: cython.double,
    codes: cython.const[cython.longlong][::1],
    out: cython.double[::1],
) -> None:
    """Add to each language the probability of its classes; `codes` says whose each class is."""
    top: cython.double = -1e300
    whole: cython.double = 0.0
    c: cython.Py_ssize_t
    for c in range(total.shape[0]):
        top = max(top, (total[c] * factor + bias[c]) / heat)
    for c in range(total.shape[0]):
        whole += exp((total[c] * factor + bias[c]) / heat - top)
    for c in range(total.shape[0]):
        out[codes[c]] += exp((total[c] * factor + bias[c]) / heat - top) / whole


def word_scores(
    text: cython.const[cython.uchar][::1],
    shift: cython.int,
    tags: cython.const[cython.uchar][::1],
    rows: cython.const[cython.schar][:, ::1],
    room: cython.ulonglong[::1],
    totals: cython.int[:, ::1],
    counts: cython.longlong[::1],
) -> cython.Py_ssize_t:
    """Write the summed rows of each word, and how many n-grams each has; return the words."""
    start: cython.Py_ssize_t = 1
    number: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    found: cython.Py_ssize_t
    while start < text.shape[0]:
        end = _word_end(text, start)
        found = _hashes(text, start, end, room, 0)
        _add_all(room, found, shift, tags, rows, totals[number])
        counts[number] = found
        number += 1
        start = end + 1
    return number


def text_hashes(
    text: cython.const[cython.uchar][::1], out: cython.ulonglong[::1]
) -> cython.Py_ssize_t:
    """Write the hashes of all n-grams, words and pairs of words of a text; return how many."""
    count: cython.Py_ssize_t = 0
    start: cython.Py_ssize_t = 1
    end: cython.Py_ssize_t
    before: cython.ulonglong = 0
    whole: cython.ulonglong
    while start < text.shape[0]:
        end = _word_end(text, start)
        count = _hashes(text, start, end, out, count)
        whole = _word_hash(text, start, end)
        if before != 0:
            out[count] = (((before * PRIME) ^ whole) * MIX) & ALL
            count += 1
        before = whole
        start = end + 1
    return count


def count_hashes(
    found: cython.const[cython.ulonglong][::1],
    weight: cython.double,
    shift: cython.int,
    column: cython.float[::1],
) -> None:
    """Add a weight to a class's counter of each hash."""
    k: cython.Py_ssize_t
    for k in range(found.shape[0]):
        column[cython.cast(cython.Py_ssize_t, found[k] >> shift)] += weight


def vote_tags(
    found: cython.const[cython.ulonglong][::1],
    fine: cython.int,
    coarse: cython.int,
    owner: cython.const[cython.longlong][::1],
    tags: cython.uchar[::1],
    votes: cython.longlong[::1],
) -> None:
    """Let the n-grams that fall on a slot's owner vote for its tag; the majority stays."""
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    tag: cython.uchar
    for k in range(found.shape[0]):
        slot = cython.cast(cython.Py_ssize_t, found[k] >> coarse)
        if owner[slot] != cython.cast(cython.longlong, found[k] >> fine):
            continue
        tag = cython.cast(cython.uchar, (found[k] >> 24) & 0xFF)
        if tags[slot] == tag:
            votes[slot] += 1
        elif votes[slot] == 0:
            tags[slot] = tag
            votes[slot] = 1
        else:
            votes[slot] -= 1


def known_slots(
    found: cython.const[cython.ulonglong][::1],
    shift: cython.int,
    tags: cython.const[cython.uchar][::1],
    is_owned: cython.const[cython.uchar][::1],
    out: cython.int[::1],
) -> cython.Py_ssize_t:
    """Write the slots of those hashes that own one; return how many."""
    count: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    slot: cython.Py_ssize_t
    for k in range(found.shape[0]):
        slot = cython.cast(cython.Py_ssize_t, found[k] >> shift)
        if is_owned[slot] and tags[slot] == ((found[k] >> 24) & 0xFF):
            out[count] = cython.cast(cython.int, slot)
            count += 1
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(0xFFFFFFFFFFFFFFFF)
def _chance(state: cython.ulonglong) -> cython.ulonglong:
    """Return the next number of chance (xorshift)."""
    state = (state ^ (state << 13)) & ALL
    state = state ^ (state >> 7)
    return (state ^ (state << 17)) & ALL


def learn(
    slots: cython.const[cython.int][::1],
    bounds: cython.const[cython.longlong][::1],
    sizes: cython.const[cython.longlong][::1],
    classes: cython.const[cython.longlong][::1],
    order: cython.const[cython.longlong][::1],
    weights: cython.float[:, ::1],
    bias: cython.float[::1],
    kept: cython.int[::1],
    score: cython.float[::1],
    rate: cython.double,
    power: cython.double,
    dropped: cython.double,
    seed: cython.ulonglong,
) -> cython.double:
    """Go through the snippets once (softmax, gradient descent) and return their mean loss.

    A snippet's score is divided by its size to the `power`; a share of n-grams is left out.
    """
    loss: cython.double = 0.0
    state: cython.ulonglong = seed * 2 + 0x9E3779B1
    limit: cython.ulonglong = cython.cast(cython.ulonglong, dropped * 4294967296.0)
    factor: cython.float
    step: cython.float
    n: cython.Py_ssize_t
    number: cython.Py_ssize_t
    count: cython.Py_ssize_t
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    for n in range(order.shape[0]):
        number = order[n]
        count = 0
        for k in range(bounds[number], bounds[number + 1]):
            state = _chance(state)
            if (state >> 32) >= limit:
                kept[count] = slots[k]
                count += 1
        factor = cython.cast(cython.float, max(1.0, sizes[number] * (1 - dropped)) ** -power)
        _softmax(kept, count, weights, bias, factor, score)
        loss -= log(score[classes[number]] + 1e-12)
        score[classes[number]] -= 1
        step = cython.cast(cython.float, rate)
        for c in range(score.shape[0]):
            bias[c] -= step * cython.cast(cython.float, 0.01) * score[c]
            score[c] *= step * factor
        for k in range(count):
            for c in range(score.shape[0]):
                weights[kept[k], c] -= score[c]
    return loss / max(1, order.shape[0])


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _softmax(
    kept: cython.const[cython.int][::1],
    count: cython.Py_ssize_t,
    weights: cython.const[cython.float][:, ::1],
    bias: cython.const[cython.float][::1],
    factor: cython.float,
    score: cython.float[::1],
) -> cython.int:
    """Write the probability of each class."""
    top: cython.float = -1e30
    whole: cython.float = 0
    k: cython.Py_ssize_t
    c: cython.Py_ssize_t
    for c in range(score.shape[0]):
        score[c] = 0
    for k in range(count):
        for c in range(score.shape[0]):
            score[c] += weights[kept[k], c]
    for c in range(score.shape[0]):
        score[c] = score[c] * factor + bias[c]
        top = max(top, score[c])
    for c in range(score.shape[0]):
        score[c] = cython.cast(cython.float, exp(score[c] - top))
        whole += score[c]
    for c in range(score.shape[0]):
        score[c] /= whole
    return 0


def cheapest_path(
    costs: cython.const[cython.double][:, ::1],
    changes: cython.const[cython.double][::1],
    best: cython.double[::1],
    came_from: cython.longlong[:, ::1],
    path: cython.longlong[::1],
) -> None:
    """Write the language of each word: least cost of words plus cost of changes (Viterbi)."""
    words: cython.Py_ssize_t = costs.shape[0]
    languages: cython.Py_ssize_t = costs.shape[1]
    word: cython.Py_ssize_t
    language: cython.Py_ssize_t
    cheapest: cython.Py_ssize_t
    changed: cython.double
    for language in range(languages):
        best[language] = costs[0, language]
    for word in range(1, words):
        cheapest = _least(best)
        changed = best[cheapest] + changes[word]
        for language in range(languages):
            if best[language] <= changed:
                came_from[word, language] = language
                best[language] = best[language] + costs[word, language]
            else:
                came_from[word, language] = cheapest
                best[language] = changed + costs[word, language]
    path[words - 1] = _least(best)
    for word in range(words - 1, 0, -1):
        path[word - 1] = came_from[word, path[word]]


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _least(values: cython.const[cython.double][::1]) -> cython.Py_ssize_t:
    least: cython.Py_ssize_t = 0
    k: cython.Py_ssize_t
    for k in range(values.shape[0]):
        if values[k] < values[least]:
            least = k
    return least
