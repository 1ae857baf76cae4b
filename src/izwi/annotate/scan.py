"""Cutting a run of characters into tokens: plain functions over code points, fit to be compiled.

`codes` are the code points of the text in lower case, `kinds` the kind of each. Each function
answers where something that begins at `i` ends; nothing here makes a string.
"""
# ruff: noqa: SIM109, SIM110 - plain comparisons and loops are what compiles well

from collections.abc import MutableSequence

from izwi.annotate.characters import DIGIT, LOWER, MARK, SPACE, SPACELESS, SYMBOL, UPPER
from izwi.annotate.conventions import Conventions, Hashes

# An array when compiled, a list when interpreted.
Array = MutableSequence[int]


def hash_of(codes: Array, i: int, end: int) -> int:
    """Return the hash of a stretch in lower case, typographic apostrophes made plain."""
    value = 2166136261
    for j in range(i, end):
        code = codes[j]
        if code == 8217:
            code = 39
        value = ((value ^ code) * 16777619) & 0xFFFFFFFF
    return value


def place_in(values: Hashes, value: int) -> int:
    """Return where a value stands in a sorted list, -1 if it does not."""
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    if low < len(values) and values[low] == value:
        return low
    return -1


def is_word(kind: int) -> bool:
    """Whether a kind of character makes words."""
    return kind == LOWER or kind == UPPER or kind == DIGIT or kind == MARK


def is_letter(kind: int) -> bool:
    """Whether a kind of character is a letter."""
    return kind == LOWER or kind == UPPER


def is_apostrophe(code: int) -> bool:
    """Whether a sign is an apostrophe, straight or typographic."""
    return code == 39 or code == 8217


def is_hyphen(code: int) -> bool:
    """Whether a sign is a hyphen inside a word."""
    return code == 45 or code == 8208 or code == 8209


def is_end_mark(code: int) -> bool:
    """Whether a sign is a full stop, an exclamation or question mark, or an ellipsis."""
    return code == 46 or code == 33 or code == 63 or code == 8230


def run_end(codes: Array, kinds: Array, i: int, end: int) -> int:
    """Return the end of a run of letters, digits and marks."""
    while i < end and is_word(kinds[i]):
        i += 1
    return i


def begins_with(codes: Array, i: int, end: int, prefix: tuple[int, ...]) -> bool:
    """Whether a stretch begins with some code points, in lower case."""
    if end - i < len(prefix):
        return False
    for j in range(len(prefix)):
        if codes[i + j] != prefix[j]:
            return False
    return True


_HTTP = (104, 116, 116, 112)
_WWW = (119, 119, 119, 46)


def address_end(codes: Array, kinds: Array, i: int, end: int) -> int:
    """Return the end of a web address that begins here, `i` if none does."""
    body = i
    if begins_with(codes, i, end, _HTTP):
        body = i + 5 if i + 4 < end and codes[i + 4] == 115 else i + 4
        if body + 3 > end or codes[body] != 58 or codes[body + 1] != 47 or codes[body + 2] != 47:
            return i
        body += 3
    elif begins_with(codes, i, end, _WWW):
        body = i + 4
    else:
        return i
    stop = body
    while stop < end and codes[stop] != 60 and codes[stop] != 62 and codes[stop] != 34:
        stop += 1
    stop = without_closing(codes, kinds, body, stop)
    return stop if stop > body else i


def without_closing(codes: Array, kinds: Array, i: int, end: int) -> int:
    """Return the end without the punctuation that belongs to the sentence round an address."""
    while end > i:
        code = codes[end - 1]
        is_kept = is_word(kinds[end - 1]) or kinds[end - 1] == SPACELESS
        if is_kept or code == 47 or code == 35 or code == 61 or code == 38 or code == 95:
            return end
        if code == 45 or code == 43 or code == 37 or code == 126:
            return end
        end -= 1
    return end


def is_mail_sign(code: int, kind: int) -> bool:
    """Whether a sign may stand before the @ of an e-mail address."""
    return is_word(kind) or code == 46 or code == 95 or code == 43 or code == 45


def mail_end(codes: Array, kinds: Array, i: int, end: int) -> int:
    """Return the end of an e-mail address that begins here, `i` if none does."""
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


def joins(codes: Array, kinds: Array, rules: Conventions, begin: int, j: int, end: int) -> bool:
    """Whether the sign at `j` joins what stands before and after it into one word."""
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


def is_dotted(codes: Array, kinds: Array, begin: int, j: int) -> bool:
    """Whether a point already joined the part before `j` to another: comp.sources|.unix."""
    k = j - 1
    while k > begin and j - k < 20 and kinds[k] == LOWER:
        k -= 1
    return k > begin and codes[k] == 46


def dot_joins(codes: Array, kinds: Array, rules: Conventions, begin: int, j: int, end: int) -> bool:
    """Whether the full stop at `j` is inside a number, an abbreviation or a host name."""
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


def word_end(codes: Array, kinds: Array, rules: Conventions, i: int, end: int) -> int:
    """Return the end of the word that begins here, joined by hyphens, apostrophes and points."""
    j = run_end(codes, kinds, i, end)
    if j - i == 2 and j + 1 < end and codes[j] == 36 and kinds[i] == UPPER:
        # US$20: the letters say whose dollar it is.
        return j + 1 if kinds[j + 1] == DIGIT else j
    while 0 < j < end - 1 and j > i and joins(codes, kinds, rules, i, j, end):
        j = run_end(codes, kinds, j + 1, end)
    return j


def is_spelt(codes: Array, kinds: Array, i: int, j: int) -> bool:
    """Whether a stretch is letters with full stops between them, like U.S or e.g."""
    if j - i < 3 or (j - i) % 2 == 0:
        return False
    for k in range(i, j):
        is_right = is_letter(kinds[k]) if (k - i) % 2 == 0 else codes[k] == 46
        if not is_right:
            return False
    return True


def takes_stop(
    codes: Array, kinds: Array, rules: Conventions, i: int, j: int, end: int, following: int
) -> bool:
    """Whether the full stop after the word belongs to it: an abbreviation or an initial.

    `following` is the kind of sign after the next space, SPACE at the end of a paragraph.
    """
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


_EYES = (58, 59, 61)
_MOUTHS = (41, 40, 100, 111, 112, 91, 93, 124, 42, 51)


def smiley_end(codes: Array, kinds: Array, i: int, end: int) -> int:
    """Return the end of an emoticon such as :-) that begins here, `i` if none does."""
    if codes[i] not in _EYES or i + 1 >= end:
        return i
    j = i + 1
    if codes[j] == 45 or codes[j] == 39:
        j += 1
    if j >= end or codes[j] not in _MOUTHS:
        return i
    while j + 1 < end and codes[j + 1] == codes[j]:
        j += 1
    if j + 1 < end and is_word(kinds[j + 1]):
        return i
    return j + 1


def symbol_end(codes: Array, kinds: Array, i: int, end: int) -> int:
    """Return the end of the punctuation that begins here: runs of marks are one token."""
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


def is_article(codes: Array, kinds: Array, i: int, end: int) -> bool:
    """Whether the Afrikaans article 'n stands here."""
    if not is_apostrophe(codes[i]) or i + 1 >= end or codes[i + 1] != 110:
        return False
    return i + 2 >= end or not is_word(kinds[i + 2])


def clitic_end(codes: Array, kinds: Array, rules: Conventions, i: int, end: int) -> int:
    """Return the end of a clitic that stands alone, like 's or 'll; `i` if none does."""
    if is_article(codes, kinds, i, end):
        return i + 2
    if not rules.splits_clitics or not is_apostrophe(codes[i]):
        return i
    j = run_end(codes, kinds, i + 1, end)
    return j if clitic_length(codes, kinds, i, j) == j - i else i


def clitic_length(codes: Array, kinds: Array, i: int, j: int) -> int:
    """Return the length of the English clitic that ends a word, 0 if none does."""
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


def is_number(codes: Array, kinds: Array, i: int, j: int) -> bool:
    """Whether a stretch is digits and hyphens or points: a telephone number, a date, a range."""
    for k in range(i, j):
        if kinds[k] != DIGIT and not is_hyphen(codes[k]) and codes[k] not in (46, 47):
            return False
    return True


def keeps_hyphens(codes: Array, kinds: Array, rules: Conventions, i: int, j: int) -> bool:
    """Whether a word with hyphens is one token in English: e-mail, 713-853-3989."""
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


def first_hyphen(codes: Array, i: int, j: int) -> int:
    """Return where the first hyphen of a stretch stands, `j` if there is none."""
    while i < j and not is_hyphen(codes[i]):
        i += 1
    return i


def unit_begin(codes: Array, kinds: Array, i: int, j: int) -> int:
    """Return where a unit written to its number begins (10|km, 3|pm), `j` if there is none."""
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


def halves_at(codes: Array, kinds: Array, i: int, j: int) -> int:
    """Return where the stroke of a fraction such as 1/2 stands, `j` if it is none."""
    if j - i != 3 or codes[i + 1] != 47 or kinds[i] != DIGIT:
        return j
    return i + 1


def cut_word(
    codes: Array, kinds: Array, rules: Conventions, i: int, j: int, ends: Array, count: int
) -> int:
    """Write the ends of the tokens of one word and return how many tokens there are now."""
    if len(rules.whole) and place_in(rules.whole, hash_of(codes, i, j)) >= 0:
        ends[count] = j
        return count + 1
    tail = clitic_length(codes, kinds, i, j) if rules.splits_clitics else 0
    if tail and len(rules.whole) and place_in(rules.whole, hash_of(codes, i, j - tail)) >= 0:
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


def cut_plain(
    codes: Array, kinds: Array, rules: Conventions, i: int, j: int, ends: Array, count: int
) -> int:
    """Write the ends of the tokens of a word without hyphens: its clitics come off."""
    if len(rules.whole) and place_in(rules.whole, hash_of(codes, i, j)) >= 0:
        ends[count] = j
        return count + 1
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


def fused_at(codes: Array, kinds: Array, rules: Conventions, i: int, j: int) -> int:
    """Return the length of the first of two words written as one (can|not), else of the whole."""
    if j - i > 9:
        return j - i
    place = place_in(rules.fused, hash_of(codes, i, j))
    # IM and HES in capitals are other words.
    if place < 0 or (j - i < 5 and j - i > 1 and kinds[i + 1] == UPPER):
        return j - i
    return int(rules.fused_at[place])


def cut_chunk(
    codes: Array,
    kinds: Array,
    rules: Conventions,
    i: int,
    end: int,
    following: int,
    ends: Array,
    count: int,
) -> int:
    """Write the ends of the tokens between two spaces; they follow each other without a gap."""
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


def kind_after(codes: Array, kinds: Array, i: int, size: int) -> int:
    """Return the kind of the first sign after a space, SPACE if the text or the line ends."""
    for j in range(i, min(size, i + 4)):
        if codes[j] == 10:
            return SPACE
        if kinds[j] != SPACE:
            return kinds[j]
    return SPACE


def cut_text(codes: Array, kinds: Array, rules: Conventions, starts: Array, ends: Array) -> int:
    """Write where the tokens of a text begin and end, and return how many there are."""
    count, i, size = 0, 0, len(codes)
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


# Callees first: so they are compiled.
KERNELS = (
    "hash_of", "place_in", "is_word", "is_letter", "is_apostrophe", "is_hyphen",
    "is_end_mark", "run_end", "begins_with", "without_closing", "address_end", "is_mail_sign",
    "mail_end", "is_dotted", "dot_joins", "joins", "word_end", "is_spelt", "takes_stop",
    "smiley_end", "symbol_end", "is_article", "clitic_length", "clitic_end", "is_number",
    "keeps_hyphens", "first_hyphen", "unit_begin", "halves_at", "fused_at", "cut_plain", "cut_word",
    "cut_chunk", "kind_after", "cut_text",
)  # fmt: skip
