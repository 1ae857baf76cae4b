"""Where sentences end: plain functions over the tokens of a paragraph, fit to be compiled."""

from izwi.annotate.characters import DIGIT, LOWER, UPPER
from izwi.annotate.conventions import Conventions
from izwi.annotate.scan import (
    Array,
    hash_of,
    is_article,
    is_end_mark,
    place_in,
    run_end,
    smiley_end,
)

_CLOSING = (34, 39, 41, 93, 125, 171, 187, 8217, 8221, 12301, 12303, 42)
_OPENING = (34, 39, 40, 91, 123, 171, 187, 8216, 8220, 12300, 12302, 45, 42, 8211, 8212, 8226)
_FULL_WIDTH = (12290, 65281, 65311)


def ends_with_mark(codes: Array, ends: Array, token: int) -> bool:
    """Whether a token is, or ends in, a mark that can end a sentence."""
    last = codes[ends[token] - 1]
    return is_end_mark(last) or last in _FULL_WIDTH


def is_abbreviation(codes: Array, starts: Array, ends: Array, token: int) -> bool:
    """Whether the token ends in a full stop that belongs to it."""
    return ends[token] - starts[token] > 1 and not is_end_mark(codes[starts[token]])


def is_smiley(codes: Array, kinds: Array, starts: Array, ends: Array, token: int) -> bool:
    """Whether a token is an emoticon: it belongs to the sentence before it."""
    begin, end = starts[token], ends[token]
    return end - begin > 1 and smiley_end(codes, kinds, begin, end) == end


def after_note(
    codes: Array, kinds: Array, starts: Array, ends: Array, token: int, count: int
) -> int:
    """Return the token after a note such as [17], else the token itself."""
    if token + 2 >= count or codes[starts[token]] != 91 or codes[starts[token + 2]] != 93:
        return token
    return token + 3 if kinds[starts[token + 1]] == DIGIT else token


def after_closing(
    codes: Array, kinds: Array, starts: Array, ends: Array, token: int, count: int
) -> int:
    """Return the token after quotes, brackets, notes and emoticons that close what ended before."""
    following = token + 1
    while following < count:
        note = after_note(codes, kinds, starts, ends, following, count)
        if note > following:
            following = note
            continue
        begin = starts[following]
        is_near = begin == ends[following - 1] and codes[begin] in _CLOSING
        is_mark = is_end_mark(codes[begin]) and codes[begin] != 46
        if not (is_near or is_mark or is_smiley(codes, kinds, starts, ends, following)):
            break
        following += 1
    return following


def is_item_number(
    codes: Array, kinds: Array, starts: Array, ends: Array, first: int, token: int
) -> bool:
    """Whether the mark ends the number of a list item, like 2. at the beginning of a sentence."""
    if token != first + 1 or starts[token] != ends[first] or codes[starts[token]] != 46:
        return False
    return ends[first] - starts[first] < 3 and kinds[starts[first]] == DIGIT


def first_sign(
    codes: Array, kinds: Array, starts: Array, ends: Array, token: int, count: int
) -> int:
    """Return the place of the first sign of the next words, past opening quotes and brackets."""
    for ahead in range(token, min(count, token + 4)):
        place = starts[ahead]
        is_short = ends[ahead] - place == 1
        if is_article(codes, kinds, place, ends[ahead]):
            # An Afrikaans sentence may begin with 'n; the second word has the capital then.
            continue
        if not (is_short and codes[place] in _OPENING):
            return place
    return starts[token]


def ends_after_abbreviation(
    codes: Array, kinds: Array, rules: Conventions, place: int, size: int
) -> bool:
    """Whether a sentence ends after a word with a full stop of its own: if a starter follows."""
    if kinds[place] != UPPER:
        return False
    word = hash_of(codes, place, run_end(codes, kinds, place, size))
    return place_in(rules.starters, word) >= 0


def ends_after_mark(
    codes: Array, starts: Array, ends: Array, token: int, here: int, was_closed: bool
) -> bool:
    """Whether a sentence ends after a free-standing mark, by what kind of sign comes next."""
    mark = codes[starts[token]]
    is_run = ends[token] - starts[token] > 1
    if here != LOWER:
        return True
    if was_closed:
        return False
    # In web text a full stop ends a sentence even before a small letter; dots trail off.
    return not (mark == 8230 or (mark == 46 and is_run))


def sentence_follows(
    codes: Array,
    kinds: Array,
    rules: Conventions,
    starts: Array,
    ends: Array,
    token: int,
    count: int,
) -> int:
    """Return the token that begins the next sentence if one ends at `token`, else -1."""
    following = after_closing(codes, kinds, starts, ends, token, count)
    if following >= count:
        return -1
    if codes[ends[token] - 1] in _FULL_WIDTH:
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
    else:
        was_closed = following > token + 1
        is_end = ends_after_mark(codes, starts, ends, token, here, was_closed)
    return following if is_end else -1


def next_sentence(
    codes: Array,
    kinds: Array,
    rules: Conventions,
    starts: Array,
    ends: Array,
    first: int,
    token: int,
    count: int,
) -> int:
    """Return the token that begins the next sentence if one ends at `token`, else -1."""
    if not ends_with_mark(codes, ends, token):
        return -1
    if is_item_number(codes, kinds, starts, ends, first, token):
        return -1
    return sentence_follows(codes, kinds, rules, starts, ends, token, count)


def find_sentences(
    codes: Array,
    kinds: Array,
    rules: Conventions,
    starts: Array,
    ends: Array,
    limits: Array,
    begins: Array,
) -> int:
    """Write the tokens that begin sentences and return how many; a paragraph ends at each limit."""
    found, token = 0, 0
    for count in limits:
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


# The modules whose functions are called, and our own, callees first: so they are compiled.
CALLS = ("izwi.annotate.scan",)
KERNELS = (
    "ends_with_mark", "is_abbreviation", "is_smiley", "after_note", "after_closing",
    "is_item_number", "first_sign", "ends_after_abbreviation", "ends_after_mark",
    "sentence_follows", "next_sentence", "find_sentences",
)  # fmt: skip
