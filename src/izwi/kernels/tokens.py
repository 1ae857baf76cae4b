"""Cutting a run of characters into tokens, and finding where sentences end.

`codes` are the code points of the text in lower case, `kinds` the kind of each. Each function
answers where something that begins at `i` ends; nothing here makes a string.
"""
# ruff: noqa: SIM109 - plain comparisons and loops are what compiles well

import cython
from cython.cimports.izwi.kernels.kinds import DIGIT, LOWER, MARK, SPACE, SPACELESS, SYMBOL, UPPER

START = cython.declare(cython.longlong, 2166136261)
MASK = cython.declare(cython.longlong, 0xFFFFFFFF)


@cython.cclass
class Rules:
    """The lists of a language as sorted hashes, and three switches."""

    titles: cython.const[cython.longlong][::1]
    closers: cython.const[cython.longlong][::1]
    counters: cython.const[cython.longlong][::1]
    openers: cython.const[cython.longlong][::1]
    starters: cython.const[cython.longlong][::1]
    prefixes: cython.const[cython.longlong][::1]
    suffixes: cython.const[cython.longlong][::1]
    fused: cython.const[cython.longlong][::1]
    fused_at: cython.const[cython.longlong][::1]
    hosts: cython.const[cython.longlong][::1]
    whole: cython.const[cython.longlong][::1]
    proclitics: cython.const[cython.longlong][::1]
    splits_clitics: cython.bint
    splits_hyphens: cython.bint
    has_ordinals: cython.bint

    def __init__(
        self, lists: tuple, splits_clitics: bool, splits_hyphens: bool, has_ordinals: bool
    ) -> None:
        (
            self.titles, self.closers, self.counters, self.openers, self.starters, self.prefixes,
            self.suffixes, self.fused, self.fused_at, self.hosts, self.whole, self.proclitics,
        ) = lists  # fmt: skip
        self.splits_clitics = splits_clitics
        self.splits_hyphens = splits_hyphens
        self.has_ordinals = has_ordinals


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def hash_of(
    codes: cython.const[cython.int][::1], i: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the hash of a stretch in lower case, typographic apostrophes made plain."""
    code: cython.Py_ssize_t
    j: cython.Py_ssize_t
    value: cython.Py_ssize_t
    value = START
    for j in range(i, end):
        code = codes[j]
        if code == 8217:
            code = 39
        value = ((value ^ code) * 16777619) & MASK
    return value


@cython.cfunc
@cython.nogil
@cython.exceptval(-2, check=True)
def place_in(
    values: cython.const[cython.longlong][::1], value: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return where a value stands in a sorted list, -1 if it does not."""
    high: cython.Py_ssize_t
    low: cython.Py_ssize_t
    middle: cython.Py_ssize_t
    low, high = 0, values.shape[0]
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    if low < values.shape[0] and values[low] == value:
        return low
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_word(kind: cython.Py_ssize_t) -> cython.bint:
    """Whether a kind of character makes words."""
    return kind == LOWER or kind == UPPER or kind == DIGIT or kind == MARK


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_letter(kind: cython.Py_ssize_t) -> cython.bint:
    """Whether a kind of character is a letter."""
    return kind == LOWER or kind == UPPER


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_apostrophe(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign is an apostrophe, straight or typographic."""
    return code == 39 or code == 8217


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_hyphen(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign is a hyphen inside a word."""
    return code == 45 or code == 8208 or code == 8209


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_end_mark(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign is a full stop, an exclamation or question mark, or an ellipsis."""
    return code == 46 or code == 33 or code == 63 or code == 8230


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_full_stop(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign of another script always ends a sentence: Chinese, Khmer, Burmese, Hindi."""
    if code == 12290 or code == 65281 or code == 65311 or code == 0x17D4 or code == 0x17D5:
        return True
    if code == 0x104B or code == 0x964 or code == 0x6D4 or code == 0x61F:
        return True
    return code == 0x589 or code == 0x1362


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def run_end(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of a run of letters, digits and marks."""
    while i < end and is_word(kinds[i]):
        i += 1
    return i


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def begins_with(
    codes: cython.const[cython.int][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    a: cython.Py_ssize_t,
    b: cython.Py_ssize_t,
    c: cython.Py_ssize_t,
    d: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a stretch begins with four code points, in lower case."""
    if end - i < 4 or codes[i] != a or codes[i + 1] != b:
        return False
    return codes[i + 2] == c and codes[i + 3] == d


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def address_end(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of a web address that begins here, `i` if none does."""
    body: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    body = i
    if begins_with(codes, i, end, 104, 116, 116, 112):
        body = i + 5 if i + 4 < end and codes[i + 4] == 115 else i + 4
        if body + 3 > end or codes[body] != 58 or codes[body + 1] != 47 or codes[body + 2] != 47:
            return i
        body += 3
    elif begins_with(codes, i, end, 119, 119, 119, 46):
        body = i + 4
    else:
        return i
    stop = body
    while stop < end and codes[stop] != 60 and codes[stop] != 62 and codes[stop] != 34:
        stop += 1
    stop = without_closing(codes, kinds, body, stop)
    return stop if stop > body else i


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def without_closing(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end without the punctuation that belongs to the sentence round an address."""
    code: cython.Py_ssize_t
    is_kept: cython.bint
    while end > i:
        code = codes[end - 1]
        is_kept = is_word(kinds[end - 1]) or kinds[end - 1] == SPACELESS
        if is_kept or code == 47 or code == 35 or code == 61 or code == 38 or code == 95:
            return end
        if code == 45 or code == 43 or code == 37 or code == 126:
            return end
        end -= 1
    return end


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_mail_sign(code: cython.Py_ssize_t, kind: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign may stand before the @ of an e-mail address."""
    return is_word(kind) or code == 46 or code == 95 or code == 43 or code == 45


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def mail_end(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of an e-mail address that begins here, `i` if none does."""
    dots: cython.Py_ssize_t
    host: cython.Py_ssize_t
    j: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    j = i
    while j < end and j - i < 64 and is_mail_sign(codes[j], kinds[j]):
        j += 1
    if j == i or j >= end or codes[j] != 64:
        return i
    host = j + 1
    stop, dots = host, 0
    while stop < end and (is_word(kinds[stop]) or codes[stop] in (45, 46)):
        dots += codes[stop] == 46 and stop > host
        stop += 1
    while stop > host and (codes[stop - 1] == 46 or codes[stop - 1] == 45):
        dots -= codes[stop - 1] == 46
        stop -= 1
    # A mailbox on a host of the same network has no point: t.mokoena@HQ.
    return stop if dots > 0 or (j - i > 1 and stop - host > 2) else i


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def joins(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    begin: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the sign at `j` joins what stands before and after it into one word."""
    after: cython.Py_ssize_t
    before: cython.Py_ssize_t
    code: cython.Py_ssize_t
    code, before, after = codes[j], kinds[j - 1], kinds[j + 1]
    if not is_word(after) or after == MARK:
        return False
    if is_apostrophe(code):
        return is_letter(after) or before == DIGIT
    if is_hyphen(code) or code == 95:
        return True
    if code == 46:
        return dot_joins(codes, kinds, rules, begin, j, end)
    if before == DIGIT and after == DIGIT:
        return code == 44 or code == 58 or code == 47
    if code == 47:
        return j - begin == 1 and before == LOWER and after == LOWER
    return code == 38 and before == UPPER and after == UPPER


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_dotted(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    begin: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a point already joined the part before `j` to another: comp.sources|.unix."""
    k: cython.Py_ssize_t
    k = j - 1
    while k > begin and j - k < 20 and kinds[k] == LOWER:
        k -= 1
    return k > begin and codes[k] == 46


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def dot_joins(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    begin: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the full stop at `j` is inside a number, an abbreviation or a host name."""
    after: cython.Py_ssize_t
    before: cython.Py_ssize_t
    is_single: cython.bint
    stop: cython.Py_ssize_t
    before, after = kinds[j - 1], kinds[j + 1]
    if before == DIGIT and after == DIGIT:
        return True
    stop = run_end(codes, kinds, j + 1, end)
    is_single = j - begin == 1 or (j - begin > 1 and codes[j - 2] == 46)
    if is_single and is_letter(before):
        # U.S, e.g, a.m, J.R: letters one by one; a longer last part only after several.
        return stop - j == 2 or (after == LOWER and before == LOWER)
    if before == UPPER or after != LOWER:
        return False
    if stop + 1 < end and codes[stop] == 46 and kinds[stop + 1] == LOWER:
        return True
    if is_dotted(codes, kinds, begin, j):
        return True
    return place_in(rules.hosts, hash_of(codes, j + 1, stop)) >= 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def word_end(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of the word that begins here, joined by hyphens, apostrophes and points."""
    j: cython.Py_ssize_t
    j = run_end(codes, kinds, i, end)
    if j - i == 2 and j + 1 < end and codes[j] == 36 and kinds[i] == UPPER:
        # US$20: the letters say whose dollar it is.
        return j + 1 if kinds[j + 1] == DIGIT else j
    while 0 < j < end - 1 and j > i and joins(codes, kinds, rules, i, j, end):
        j = run_end(codes, kinds, j + 1, end)
    return j


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_spelt(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a stretch is letters with full stops between them, like U.S or e.g."""
    is_right: cython.bint
    k: cython.Py_ssize_t
    if j - i < 3 or (j - i) % 2 == 0:
        return False
    for k in range(i, j):
        is_right = is_letter(kinds[k]) if (k - i) % 2 == 0 else codes[k] == 46
        if not is_right:
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def takes_stop(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    following: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the full stop after the word belongs to it: an abbreviation or an initial.

    `following` is the kind of sign after the next space, SPACE at the end of a paragraph.
    """
    value: cython.Py_ssize_t
    if j >= end or codes[j] != 46 or (j + 1 < end and is_end_mark(codes[j + 1])):
        return False
    value = hash_of(codes, i, j)
    if place_in(rules.closers, value) >= 0:
        # At the end of a sentence its full stop is the sentence's.
        return (following != SPACE and following != UPPER) or j + 1 < end
    if is_spelt(codes, kinds, i, j):
        return True
    if j - i == 1 and kinds[i] == UPPER:
        return following != SPACE and codes[i] != 105
    if place_in(rules.counters, value) >= 0:
        return following == DIGIT
    return place_in(rules.titles, value) >= 0 and (following != SPACE or j + 1 < end)


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def smiley_end(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of an emoticon such as :-) that begins here, `i` if none does."""
    j: cython.Py_ssize_t
    if codes[i] not in (58, 59, 61) or i + 1 >= end:
        return i
    j = i + 1
    if codes[j] == 45 or codes[j] == 39:
        j += 1
    if j >= end or codes[j] not in (41, 40, 100, 111, 112, 91, 93, 124, 42, 51):
        return i
    while j + 1 < end and codes[j + 1] == codes[j]:
        j += 1
    if j + 1 < end and is_word(kinds[j + 1]):
        return i
    return j + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def symbol_end(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of the punctuation that begins here: runs of marks are one token."""
    code: cython.Py_ssize_t
    is_signed: cython.bint
    j: cython.Py_ssize_t
    smile: cython.Py_ssize_t
    code = codes[i]
    smile = smiley_end(codes, kinds, i, end)
    if smile > i:
        return smile
    if (code == 64 or code == 35) and i + 1 < end and is_letter(kinds[i + 1]):
        j = i + 1
        while j < end and (is_word(kinds[j]) or codes[j] == 95):
            j += 1
        return j
    j = i + 1
    is_signed = (code == 46 or code == 43) and j < end and kinds[j] == DIGIT
    if is_signed and (i == 0 or not is_word(kinds[i - 1])):
        return run_end(codes, kinds, j, end)
    if is_end_mark(code):
        while j < end and is_end_mark(codes[j]):
            j += 1
        return j
    if (is_apostrophe(code) or code == 8216) and j < end and is_apostrophe(codes[j]):
        return j + 1
    if code in (45, 8211, 8212, 42, 61, 95, 43, 126, 60, 62, 35, 46):
        while j < end and codes[j] == code:
            j += 1
        return j
    while j < end and kinds[j] == MARK:
        j += 1
    return j


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_article(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the Afrikaans article 'n stands here."""
    if not is_apostrophe(codes[i]) or i + 1 >= end or codes[i + 1] != 110:
        return False
    return i + 2 >= end or not is_word(kinds[i + 2])


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def clitic_end(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of a clitic that stands alone, like 's or 'll; `i` if none does."""
    j: cython.Py_ssize_t
    if is_article(codes, kinds, i, end):
        return i + 2
    if not rules.splits_clitics or not is_apostrophe(codes[i]):
        return i
    j = run_end(codes, kinds, i + 1, end)
    return j if clitic_length(codes, kinds, i, j) == j - i else i


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def clitic_length(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the length of the English clitic that ends a word, 0 if none does."""
    first: cython.Py_ssize_t
    is_decade: cython.bint
    last: cython.Py_ssize_t
    if j - i >= 2 and is_apostrophe(codes[j - 2]):
        last = codes[j - 1]
        is_decade = j - i > 2 and kinds[j - 3] == DIGIT
        if (last == 115 and not is_decade) or last == 109 or last == 100:
            return 2
        if last == 116 and j - i >= 4 and codes[j - 3] == 110:
            return 3
    if j - i >= 3 and is_apostrophe(codes[j - 3]):
        first, last = codes[j - 2], codes[j - 1]
        if last == 101 and (first == 114 or first == 118):
            return 3
        if first == 108 and last == 108:
            return 3
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_number(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a stretch is digits and hyphens or points: a telephone number, a date, a range."""
    k: cython.Py_ssize_t
    for k in range(i, j):
        if kinds[k] != DIGIT and not is_hyphen(codes[k]) and codes[k] not in (46, 47):
            return False
    return True


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def keeps_hyphens(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a word with hyphens is one token in English: e-mail, 713-853-3989."""
    first: cython.Py_ssize_t
    hyphens: cython.Py_ssize_t
    k: cython.Py_ssize_t
    last: cython.Py_ssize_t
    first, last, hyphens = j, i, 0
    for k in range(i, j):
        if is_hyphen(codes[k]):
            first = min(first, k)
            last = k
            hyphens += 1
    if is_number(codes, kinds, i, j):
        return hyphens > 1 or (first - i >= 3 and j - last == 5)
    if place_in(rules.prefixes, hash_of(codes, i, first)) >= 0:
        return hyphens == 1
    return place_in(rules.suffixes, hash_of(codes, last + 1, j)) >= 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def first_hyphen(
    codes: cython.const[cython.int][::1], i: cython.Py_ssize_t, j: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return where the first hyphen of a stretch stands, `j` if there is none."""
    while i < j and not is_hyphen(codes[i]):
        i += 1
    return i


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def unit_begin(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return where a unit written to its number begins (10|km, 3|pm), `j` if there is none."""
    first: cython.Py_ssize_t
    is_ordinal: cython.bint
    is_plural: cython.bint
    k: cython.Py_ssize_t
    last: cython.Py_ssize_t
    m: cython.Py_ssize_t
    k = i
    while k < j and (kinds[k] == DIGIT or codes[k] in (46, 58, 44)):
        k += 1
    if k == i or k == j or j - k > 4:
        return j
    if j - k == 2 and codes[j - 1] == 109 and codes[k] in (97, 112):
        return k
    for m in range(k, j):
        if kinds[m] != LOWER and j - k > 1:
            return j
    if kinds[k] == UPPER and codes[k] not in (107, 109, 98, 99):
        return j
    first, last = codes[k], codes[j - 1]
    is_plural = j - k == 1 and first == 115
    is_ordinal = j - k == 2 and (last in (116, 104, 100) and first in (115, 116, 110, 114))
    return j if is_plural or is_ordinal else k


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def halves_at(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return where the stroke of a fraction such as 1/2 stands, `j` if it is none."""
    if j - i != 3 or codes[i + 1] != 47 or kinds[i] != DIGIT:
        return j
    return i + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def cut_word(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    ends: cython.int[::1],
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write the ends of the tokens of one word and return how many tokens there are now."""
    hyphen: cython.Py_ssize_t
    tail: cython.Py_ssize_t
    if rules.whole.shape[0] and place_in(rules.whole, hash_of(codes, i, j)) >= 0:
        ends[count] = j
        return count + 1
    tail = clitic_length(codes, kinds, i, j) if rules.splits_clitics else 0
    if tail and rules.whole.shape[0] and place_in(rules.whole, hash_of(codes, i, j - tail)) >= 0:
        ends[count], ends[count + 1] = j - tail, j
        return count + 2
    if rules.splits_hyphens:
        hyphen = first_hyphen(codes, i, j)
        # Longer than any word: cut at every hyphen rather than look at the whole each time.
        while i < hyphen < j and (j - i > 80 or not keeps_hyphens(codes, kinds, rules, i, j)):
            count = cut_plain(codes, kinds, rules, i, hyphen, ends, count)
            ends[count] = hyphen + 1
            count += 1
            i = hyphen + 1
            hyphen = first_hyphen(codes, i, j)
    return cut_plain(codes, kinds, rules, i, j, ends, count)


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def proclitic_end(
    codes: cython.const[cython.int][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the end of a word that leans on the next (l'|homme), `i` if none begins here."""
    k: cython.Py_ssize_t
    if rules.proclitics.shape[0] == 0:
        return i
    for k in range(i, min(j - 1, i + 12)):
        if is_apostrophe(codes[k]):
            return k + 1 if place_in(rules.proclitics, hash_of(codes, i, k + 1)) >= 0 else i
    return i


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def cut_plain(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
    ends: cython.int[::1],
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write the ends of the tokens of a word without hyphens: its clitics come off."""
    head: cython.Py_ssize_t
    stroke: cython.Py_ssize_t
    tail: cython.Py_ssize_t
    if rules.whole.shape[0] and place_in(rules.whole, hash_of(codes, i, j)) >= 0:
        ends[count] = j
        return count + 1
    head = proclitic_end(codes, rules, i, j)
    while i < head < j:
        ends[count] = head
        count += 1
        i = head
        head = proclitic_end(codes, rules, i, j)
    if rules.splits_clitics:
        tail = clitic_length(codes, kinds, i, j)
        if tail == 0:
            tail = j - i - fused_at(codes, kinds, rules, i, j)
        if tail == 0:
            tail = j - unit_begin(codes, kinds, i, j)
        stroke = halves_at(codes, kinds, i, j)
        if stroke < j:
            ends[count], ends[count + 1] = stroke, stroke + 1
            count += 2
        if 0 < tail < j - i:
            ends[count] = j - tail
            count += 1
    ends[count] = j
    return count + 1


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def fused_at(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    j: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the length of the first of two words written as one (can|not), else of the whole."""
    place: cython.Py_ssize_t
    if j - i > 9:
        return j - i
    place = place_in(rules.fused, hash_of(codes, i, j))
    # IM and HES in capitals are other words.
    if place < 0 or (j - i < 5 and j - i > 1 and kinds[i + 1] == UPPER):
        return j - i
    return rules.fused_at[place]


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def cut_chunk(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    following: cython.Py_ssize_t,
    ends: cython.int[::1],
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Write the ends of the tokens between two spaces; they follow each other without a gap."""
    here: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    while i < end:
        here = kinds[i]
        if here == SPACELESS or here == MARK or here == SYMBOL:
            stop = clitic_end(codes, kinds, rules, i, end)
            if stop == i:
                stop = symbol_end(codes, kinds, i, end)
            ends[count] = stop
            count += 1
            i = stop
            continue
        stop = max(address_end(codes, kinds, i, end), mail_end(codes, kinds, i, end))
        if stop > i:
            ends[count] = stop
            count += 1
            i = stop
            continue
        stop = word_end(codes, kinds, rules, i, end)
        if takes_stop(codes, kinds, rules, i, stop, end, following):
            stop += 1
            ends[count] = stop
            count += 1
        else:
            count = cut_word(codes, kinds, rules, i, stop, ends, count)
        i = stop
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def kind_after(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the kind of the first sign after a space, SPACE if the text or the line ends."""
    j: cython.Py_ssize_t
    for j in range(i, min(size, i + 4)):
        if codes[j] == 10:
            return SPACE
        if kinds[j] != SPACE:
            return kinds[j]
    return SPACE


def cut_text(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    starts: cython.int[::1],
    ends: cython.int[::1],
) -> cython.Py_ssize_t:
    """Write where the tokens of a text begin and end, and return how many there are."""
    count: cython.Py_ssize_t
    first: cython.Py_ssize_t
    following: cython.Py_ssize_t
    i: cython.Py_ssize_t
    letters: cython.Py_ssize_t
    size: cython.Py_ssize_t
    stop: cython.Py_ssize_t
    token: cython.Py_ssize_t
    count, i, size = 0, 0, codes.shape[0]
    while i < size:
        if kinds[i] == SPACE:
            i += 1
            continue
        stop, letters = i, 0
        while stop < size and kinds[stop] != SPACE:
            letters += kinds[stop] == LOWER or kinds[stop] == UPPER
            stop += 1
        first = count
        if letters == stop - i:
            count = cut_plain(codes, kinds, rules, i, stop, ends, count)
        else:
            following = kind_after(codes, kinds, stop, size)
            count = cut_chunk(codes, kinds, rules, i, stop, following, ends, count)
        for token in range(first, count):
            starts[token] = i if token == first else ends[token - 1]
        i = stop
    return count


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def ends_with_mark(
    codes: cython.const[cython.int][::1], ends: cython.int[::1], token: cython.Py_ssize_t
) -> cython.bint:
    """Whether a token is, or ends in, a mark that can end a sentence."""
    last: cython.Py_ssize_t
    last = codes[ends[token] - 1]
    return is_end_mark(last) or is_full_stop(last)


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_abbreviation(
    codes: cython.const[cython.int][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the token ends in a full stop that belongs to it."""
    return ends[token] - starts[token] > 1 and not is_end_mark(codes[starts[token]])


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_smiley(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a token is an emoticon: it belongs to the sentence before it."""
    begin: cython.Py_ssize_t
    end: cython.Py_ssize_t
    begin, end = starts[token], ends[token]
    return end - begin > 1 and smiley_end(codes, kinds, begin, end) == end


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def after_note(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the token after a note such as [17], else the token itself."""
    if token + 2 >= count or codes[starts[token]] != 91 or codes[starts[token + 2]] != 93:
        return token
    return token + 3 if kinds[starts[token + 1]] == DIGIT else token


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def after_closing(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the token after quotes, brackets, notes and emoticons that close what ended before."""
    begin: cython.Py_ssize_t
    following: cython.Py_ssize_t
    is_mark: cython.bint
    is_near: cython.bint
    note: cython.Py_ssize_t
    following = token + 1
    while following < count:
        note = after_note(codes, kinds, starts, ends, following, count)
        if note > following:
            following = note
            continue
        begin = starts[following]
        is_near = begin == ends[following - 1] and codes[begin] in (
            34,
            39,
            41,
            93,
            125,
            171,
            187,
            8217,
            8221,
            12301,
            12303,
            42,
        )
        is_mark = is_end_mark(codes[begin]) and codes[begin] != 46
        if not (is_near or is_mark or is_smiley(codes, kinds, starts, ends, following)):
            break
        following += 1
    return following


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_item_number(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    first: cython.Py_ssize_t,
    token: cython.Py_ssize_t,
) -> cython.bint:
    """Whether the mark ends the number of a list item, like 2. at the beginning of a sentence."""
    if token != first + 1 or starts[token] != ends[first] or codes[starts[token]] != 46:
        return False
    return ends[first] - starts[first] < 3 and kinds[starts[first]] == DIGIT


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def first_sign(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the place of the first sign of the next words, past opening quotes and brackets."""
    ahead: cython.Py_ssize_t
    is_short: cython.bint
    place: cython.Py_ssize_t
    for ahead in range(token, min(count, token + 4)):
        place = starts[ahead]
        is_short = ends[ahead] - place == 1
        if is_article(codes, kinds, place, ends[ahead]):
            # An Afrikaans sentence may begin with 'n; the second word has the capital then.
            continue
        if not (
            is_short
            and codes[place]
            in (34, 39, 40, 91, 123, 171, 187, 8216, 8220, 12300, 12302, 45, 42, 8211, 8212, 8226)
        ):
            return place
    return starts[token]


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def ends_after_abbreviation(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    place: cython.Py_ssize_t,
    size: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a sentence ends after a word with a full stop of its own: if a starter follows."""
    word: cython.Py_ssize_t
    if kinds[place] != UPPER:
        return False
    word = hash_of(codes, place, run_end(codes, kinds, place, size))
    return place_in(rules.starters, word) >= 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def is_ordinal(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
    here: cython.Py_ssize_t,
) -> cython.bint:
    """Whether a full stop makes an ordinal of the number before it: 1990. godine, 2. Juli."""
    digits: cython.Py_ssize_t
    k: cython.Py_ssize_t
    if token == 0 or ends[token] - starts[token] > 1 or codes[starts[token]] != 46:
        return False
    digits = ends[token - 1] - starts[token - 1]
    if starts[token] != ends[token - 1] or digits > (4 if here == LOWER else 2):
        return False
    for k in range(starts[token - 1], ends[token - 1]):
        if kinds[k] != DIGIT:
            return False
    return here == LOWER or here == UPPER


@cython.cfunc
@cython.nogil
@cython.exceptval(-3, check=True)
def ends_after_mark(
    codes: cython.const[cython.int][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
    here: cython.Py_ssize_t,
    was_closed: cython.bint,
) -> cython.bint:
    """Whether a sentence ends after a free-standing mark, by what kind of sign comes next."""
    is_run: cython.bint
    mark: cython.Py_ssize_t
    mark = codes[starts[token]]
    is_run = ends[token] - starts[token] > 1
    if here != LOWER:
        return True
    if was_closed:
        return False
    # In web text a full stop ends a sentence even before a small letter; dots trail off.
    return not (mark == 8230 or (mark == 46 and is_run))


@cython.cfunc
@cython.nogil
@cython.exceptval(-2, check=True)
def sentence_follows(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    starts: cython.int[::1],
    ends: cython.int[::1],
    token: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the token that begins the next sentence if one ends at `token`, else -1."""
    following: cython.Py_ssize_t
    here: cython.Py_ssize_t
    is_end: cython.bint
    place: cython.Py_ssize_t
    was_closed: cython.bint
    word: cython.Py_ssize_t
    following = after_closing(codes, kinds, starts, ends, token, count)
    if following >= count:
        return -1
    if is_full_stop(codes[ends[token] - 1]):
        return following
    if starts[following] == ends[following - 1]:
        return -1
    place = first_sign(codes, kinds, starts, ends, following, count)
    here = kinds[place]
    if is_abbreviation(codes, starts, ends, token):
        word = hash_of(codes, starts[token], ends[token] - 1)
        if place_in(rules.openers, word) >= 0:
            return -1
        is_end = ends_after_abbreviation(codes, kinds, rules, place, ends[count - 1])
    elif rules.has_ordinals and is_ordinal(codes, kinds, starts, ends, token, here):
        is_end = ends_after_abbreviation(codes, kinds, rules, place, ends[count - 1])
    else:
        was_closed = following > token + 1
        is_end = ends_after_mark(codes, starts, ends, token, here, was_closed)
    return following if is_end else -1


@cython.cfunc
@cython.nogil
@cython.exceptval(-2, check=True)
def next_sentence(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    starts: cython.int[::1],
    ends: cython.int[::1],
    first: cython.Py_ssize_t,
    token: cython.Py_ssize_t,
    count: cython.Py_ssize_t,
) -> cython.Py_ssize_t:
    """Return the token that begins the next sentence if one ends at `token`, else -1."""
    if not ends_with_mark(codes, ends, token):
        return -1
    if is_item_number(codes, kinds, starts, ends, first, token):
        return -1
    return sentence_follows(codes, kinds, rules, starts, ends, token, count)


def find_sentences(
    codes: cython.const[cython.int][::1],
    kinds: cython.const[cython.uchar][::1],
    rules: Rules,
    starts: cython.int[::1],
    ends: cython.int[::1],
    limits: cython.const[cython.longlong][::1],
    begins: cython.int[::1],
) -> cython.Py_ssize_t:
    """Write the tokens that begin sentences and return how many; a paragraph ends at each limit."""
    count: cython.Py_ssize_t
    first: cython.Py_ssize_t
    following: cython.Py_ssize_t
    found: cython.Py_ssize_t
    limit: cython.Py_ssize_t
    token: cython.Py_ssize_t
    found, token = 0, 0
    for limit in range(limits.shape[0]):
        count = limits[limit]
        first = token
        if token < count:
            begins[found] = token
            found += 1
        while token < count:
            following = next_sentence(codes, kinds, rules, starts, ends, first, token, count)
            if following > 0:
                begins[found] = following
                found += 1
                first = following
            token = max(token + 1, following)
    return found
