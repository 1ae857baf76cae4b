"""Cutting a run of characters into tokens, and finding where sentences end.

`codes` are the code points of the text in lower case, `kinds` the kind of each. Most functions
answer where something that begins at `i` ends; nothing here makes a string: `ord` of a sign is a
number when this is compiled.
"""

import cython
from cython.cimports.izwi.kernels.kinds import DIGIT, LOWER, MARK, SPACE, SPACELESS, SYMBOL, UPPER

START = cython.declare(cython.longlong, 2166136261)
MASK = cython.declare(cython.longlong, 0xFFFFFFFF)
# Dots with spaces between them that are looked at together, so that the time stays linear.
_MOST_DOTS = cython.declare(cython.Py_ssize_t, 8)


@cython.cclass
class Rules:
    """The lists of a language as sorted hashes, and five switches."""

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
    files: cython.const[cython.longlong][::1]
    whole: cython.const[cython.longlong][::1]
    proclitics: cython.const[cython.longlong][::1]
    enclitics: cython.const[cython.longlong][::1]
    splits_clitics: cython.bint
    splits_hyphens: cython.bint
    has_ordinals: cython.bint
    joins_colons: cython.bint
    ends_at_colons: cython.bint

    def __init__(self, lists: tuple, switches: tuple) -> None:
        (
            self.titles, self.closers, self.counters, self.openers, self.starters, self.prefixes,
            self.suffixes, self.fused, self.fused_at, self.hosts, self.files, self.whole,
            self.proclitics, self.enclitics,
        ) = lists  # fmt: skip
        (
            self.splits_clitics, self.splits_hyphens, self.has_ordinals, self.joins_colons,
            self.ends_at_colons,
        ) = switches  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(-2, check=True)
def place_in(
    values: cython.const[cython.longlong][::1], value: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return where a value stands in a sorted list, -1 if it does not."""
    high: cython.Py_ssize_t
    low: cython.Py_ssize_t
    low, high = 0, values.shape[0]
    while low < high:
        middle: cython.Py_ssize_t = (low + high) // 2
        if values[middle] < value:
            low = middle + 1
        else:
            high = middle
    if low < values.shape[0] and values[low] == value:
        return low
    return -1


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_word(kind: cython.Py_ssize_t) -> cython.bint:
    """Whether a kind of character makes words."""
    return kind in (LOWER, UPPER, DIGIT, MARK)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_letter(kind: cython.Py_ssize_t) -> cython.bint:
    """Whether a kind of character is a letter."""
    return kind in (LOWER, UPPER)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_apostrophe(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign is an apostrophe, straight or typographic."""
    return code in (ord("'"), ord("\u2019"))


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_hyphen(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign is a hyphen inside a word."""
    return code in (ord("-"), ord("\u2010"), ord("\u2011"))


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_in_number(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign may stand between the digits of a number, a time or a date."""
    # The last two are the decimal point and the thousands of Arabic and Persian.
    return code in (ord(","), ord(":"), ord("/"), ord("\u066b"), ord("\u066c"))


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_hebrew(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign is a letter of Hebrew or Yiddish."""
    return 0x05D0 <= code <= 0x05F2


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_end_mark(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign is a full stop, an exclamation or question mark, or an ellipsis."""
    return code in (ord("."), ord("!"), ord("?"), ord("\u2026"))


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_full_stop(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign of another script always ends a sentence: Chinese, Khmer, Burmese, Hindi."""
    return code in (
        0x3002, 0xFF01, 0xFF1F, 0x17D4, 0x17D5, 0x104B, 0x0964, 0x06D4, 0x061F, 0x0589, 0x1362,
    )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_mail_sign(code: cython.Py_ssize_t, kind: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign may stand before the @ of an e-mail address."""
    return is_word(kind) or code in (ord("."), ord("_"), ord("+"), ord("-"))


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_mouth(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign may end an emoticon."""
    return code in (
        ord(")"), ord("("), ord("d"), ord("o"), ord("p"), ord("["), ord("]"), ord("|"),
        ord("*"), ord("3"),
    )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_ruler(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a run of the same sign is one token, as in lines drawn by hand."""
    return code in (
        ord("-"), ord("\u2013"), ord("\u2014"), ord("*"), ord("="), ord("_"), ord("+"),
        ord("~"), ord("<"), ord(">"), ord("#"), ord("."),
    )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_drawn(code: cython.Py_ssize_t) -> cython.bint:
    """Whether arrows, ornaments and frames are drawn with a sign: -->, *~*~*, |----+----|."""
    return code in (
        ord("-"), ord("*"), ord("="), ord("_"), ord("+"), ord("~"), ord("<"), ord(">"),
        ord("|"), ord("{"), ord("}"), ord("^"), ord("\\"),
    )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_closing(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign closes what was quoted or put in brackets."""
    return code in (
        ord('"'), ord("'"), ord(")"), ord("]"), ord("}"), ord("\u00ab"), ord("\u00bb"),
        ord("\u2019"), ord("\u201d"), ord("\u300d"), ord("\u300f"), ord("*"),
    )  # fmt: skip


@cython.cfunc
@cython.nogil
@cython.exceptval(-1, check=True)
def is_opening(code: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign opens a quotation or a bracket, or leads an item of a list."""
    return code in (
        ord('"'), ord("'"), ord("("), ord("["), ord("{"), ord("\u00ab"), ord("\u00bb"),
        ord("\u2018"), ord("\u201c"), ord("\u300c"), ord("\u300e"), ord("-"), ord("*"),
        ord("\u2013"), ord("\u2014"), ord("\u2022"),
    )  # fmt: skip


@cython.final
@cython.cclass
class Text:
    """The signs of a text, the rules of its language, and where its tokens begin and end."""

    codes: cython.const[cython.int][::1]
    kinds: cython.const[cython.uchar][::1]
    rules: Rules
    starts: cython.int[::1]
    ends: cython.int[::1]
    # From which token to which the last run went that closes a sentence.
    closed_from: cython.Py_ssize_t
    closed_to: cython.Py_ssize_t

    def __init__(self, codes, kinds, rules: Rules, starts, ends) -> None:
        self.codes = codes
        self.kinds = kinds
        self.rules = rules
        self.starts = starts
        self.ends = ends
        self.closed_from = self.closed_to = 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def hash_of(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the hash of a stretch in lower case, typographic apostrophes made plain."""
        j: cython.Py_ssize_t
        value: cython.Py_ssize_t = START
        for j in range(i, end):
            code: cython.Py_ssize_t = self.codes[j]
            if code == ord("\u2019"):
                code = ord("'")
            value = ((value ^ code) * 16777619) & MASK
        return value

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def run_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a run of letters, digits and marks."""
        while i < end and is_word(self.kinds[i]):
            i += 1
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def begins_with(
        self,
        i: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        a: cython.Py_ssize_t,
        b: cython.Py_ssize_t,
        c: cython.Py_ssize_t,
        d: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether a stretch begins with four code points, in lower case."""
        if end - i < 4 or self.codes[i] != a or self.codes[i + 1] != b:
            return False
        return self.codes[i + 2] == c and self.codes[i + 3] == d

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def address_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a web address that begins here, `i` if none does."""
        body: cython.Py_ssize_t = self.scheme_end(i, end)
        if body == i and self.begins_with(i, end, ord("w"), ord("w"), ord("w"), ord(".")):
            body = i + 4
        if body == i:
            return i
        stop: cython.Py_ssize_t = self.path_end(body, end)
        return stop if stop > body else i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def scheme_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of what an address begins with (https://, ftp://, mailto:), else `i`."""
        j: cython.Py_ssize_t = i
        while j < end and j - i < 10 and is_letter(self.kinds[j]):
            j += 1
        if j - i < 3 or j >= end or self.codes[j] != ord(":"):
            return i
        if j + 2 < end and self.codes[j + 1] == ord("/") and self.codes[j + 2] == ord("/"):
            return j + 3
        is_mail: cython.bint = j - i == 6 and self.begins_with(
            i, end, ord("m"), ord("a"), ord("i"), ord("l")
        )
        return j + 1 if is_mail and self.mail_end(j + 1, end) > j + 1 else i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def path_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of an address that stands here, without the sentence's punctuation."""
        stop: cython.Py_ssize_t = i
        while stop < end and self.codes[stop] not in (ord("<"), ord(">"), ord('"')):
            stop += 1
        return self.without_closing(i, stop)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_host(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a word is the name of a host, by its last part: karoo.co.za."""
        k: cython.Py_ssize_t = j
        while k > i and j - k < 6 and self.codes[k - 1] != ord("."):
            k -= 1
        if k < i + 2 or self.codes[k - 1] != ord("."):
            return False
        return place_in(self.rules.hosts, self.hash_of(k, j)) >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_file(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a word is the name of a file, by its last part: dam-2.docx."""
        k: cython.Py_ssize_t = j
        while k > i and j - k < 6 and is_word(self.kinds[k - 1]):
            k -= 1
        if k < i + 2 or self.codes[k - 1] != ord("."):
            return False
        return place_in(self.rules.files, self.hash_of(k, j)) >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def without_closing(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end without the punctuation that belongs to the sentence round an address."""
        while end > i:
            code: cython.Py_ssize_t = self.codes[end - 1]
            is_kept: cython.bint = is_word(self.kinds[end - 1]) or self.kinds[end - 1] == SPACELESS
            if is_kept or code in (ord("/"), ord("#"), ord("="), ord("&"), ord("_")):
                return end
            if code in (ord("-"), ord("+"), ord("%"), ord("~")):
                return end
            end -= 1
        return end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def mail_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of an e-mail address that begins here, `i` if none does."""
        dots: cython.Py_ssize_t
        stop: cython.Py_ssize_t
        j: cython.Py_ssize_t = i
        while j < end and j - i < 64 and is_mail_sign(self.codes[j], self.kinds[j]):
            j += 1
        if j == i or j >= end or self.codes[j] != ord("@"):
            return i
        host: cython.Py_ssize_t = j + 1
        stop, dots = host, 0
        while stop < end and (
            is_word(self.kinds[stop]) or self.codes[stop] in (ord("-"), ord("."))
        ):
            dots += self.codes[stop] == ord(".") and stop > host
            stop += 1
        while stop > host and (self.codes[stop - 1] in (ord("."), ord("-"))):
            dots -= self.codes[stop - 1] == ord(".")
            stop -= 1
        # A mailbox on a host of the same network has no point: t.mokoena@HQ.
        return stop if dots > 0 or (j - i > 1 and stop - host > 2) else i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def joins(
        self, begin: cython.Py_ssize_t, j: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether the sign at `j` joins what stands before and after it into one word."""
        after: cython.Py_ssize_t
        before: cython.Py_ssize_t
        code: cython.Py_ssize_t
        code, before, after = self.codes[j], self.kinds[j - 1], self.kinds[j + 1]
        if not is_word(after) or after == MARK:
            return False
        if is_apostrophe(code):
            return is_letter(after) or before == DIGIT
        if is_hyphen(code) or code == ord("_"):
            return True
        if code == ord("."):
            return self.dot_joins(begin, j, end)
        if before == DIGIT and after == DIGIT:
            return is_in_number(code)
        if code == ord(":"):
            # What inflects an abbreviation or a number in Finnish and Swedish: EU:n, 3:e.
            return self.rules.joins_colons and after == LOWER and self.is_ending(j + 1, end)
        if is_hebrew(self.codes[j - 1]):
            return self.is_gershayim(j, end)
        if code == ord("*"):
            # A word that is not written out: d*mn.
            return is_letter(before) and is_letter(after)
        if code == ord("/"):
            return j - begin == 1 and before == LOWER and after == LOWER
        return code == ord("&") and before == UPPER and after == UPPER

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_ending(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Whether the ending of a word stands here and nothing longer: at most six letters."""
        j: cython.Py_ssize_t = i
        while j < end and j - i < 7 and self.kinds[j] == LOWER:
            j += 1
        return j - i < 7 and (j >= end or not is_word(self.kinds[j]))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_gershayim(self, j: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Whether the sign at `j` marks a Hebrew abbreviation: two strokes before its last letters.

        They are mostly typed as a quotation mark, which also opens a quotation behind a prefix:
        that one is closed after its word.
        """
        if self.codes[j] in (ord("\u05f3"), ord("\u05f4")):
            return True
        if self.codes[j] != ord('"') or not is_hebrew(self.codes[j + 1]):
            return False
        k: cython.Py_ssize_t = j + 1
        while k < end and k - j < 7 and is_word(self.kinds[k]):
            k += 1
        return k - j < 7 and (k >= end or self.codes[k] != ord('"'))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_dotted(self, begin: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a point already joined the part before `j` to another: comp.sources|.unix."""
        k: cython.Py_ssize_t = j - 1
        while k > begin and j - k < 20 and self.kinds[k] == LOWER:
            k -= 1
        return k > begin and self.codes[k] == ord(".")

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def dot_joins(
        self, begin: cython.Py_ssize_t, j: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether the full stop at `j` is inside a number, an abbreviation or a host name."""
        after: cython.Py_ssize_t
        before: cython.Py_ssize_t
        before, after = self.kinds[j - 1], self.kinds[j + 1]
        if before == DIGIT and after == DIGIT:
            return True
        stop: cython.Py_ssize_t = self.run_end(j + 1, end)
        is_single: cython.bint = j - begin == 1 or (j - begin > 1 and self.codes[j - 2] == ord("."))
        if stop - begin < 12 and place_in(self.rules.titles, self.hash_of(begin, stop)) >= 0:
            # bl.a, T.ex: listed as they stand, without their last full stop.
            return True
        if is_single and is_letter(before):
            # U.S, e.g, a.m, J.R: letters one by one; a longer last part only after several.
            return stop - j == 2 or (after == LOWER and before == LOWER)
        if place_in(self.rules.files, self.hash_of(j + 1, min(stop, j + 6))) >= 0:
            # DAM.DOC and dam.doc, but not the beginning of a sentence after a forgotten space.
            return after == LOWER or (after == UPPER and self.kinds[j + 2] == UPPER)
        if before == UPPER or after != LOWER:
            return False
        if stop + 1 < end and self.codes[stop] == ord(".") and self.kinds[stop + 1] == LOWER:
            return True
        if self.is_dotted(begin, j):
            return True
        return place_in(self.rules.hosts, self.hash_of(j + 1, stop)) >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def word_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a word, parts joined by hyphens, apostrophes and points among it."""
        j: cython.Py_ssize_t = self.run_end(i, end)
        if 0 < j - i < 4 and j < end and self.codes[j] == ord("$") and self.is_upper(i, j):
            # US$20, R$ 5: the letters say whose money it is.
            return j + 1 if j + 1 == end or self.kinds[j + 1] == DIGIT else j
        while 0 < j < end - 1 and j > i and self.joins(i, j, end):
            j = self.run_end(j + 1, end)
        return self.named_end(i, j, end)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_upper(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a stretch is capital letters alone."""
        while i < j and self.kinds[i] == UPPER:
            i += 1
        return i == j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def named_end(
        self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the end of a word with the path of a host, or the signs of C++ and C#."""
        if j >= end or j == i:
            return j
        code: cython.Py_ssize_t = self.codes[j]
        if code == ord("/"):
            if j + 1 < end and is_word(self.kinds[j + 1]) and self.is_host(i, j):
                return self.path_end(j, end)
            return j
        stop: cython.Py_ssize_t = j
        if code == ord("+") and is_letter(self.kinds[j - 1]):
            stop = j + 2 if j + 1 < end and self.codes[j + 1] == code else j
        elif code == ord("#") and j - i == 1 and self.kinds[i] == UPPER:
            stop = j + 1
        is_whole: cython.bint = stop >= end or not (
            is_word(self.kinds[stop]) or self.codes[stop] == code
        )
        return stop if is_whole else j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_spelt(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a stretch is letters with full stops between them, like U.S or e.g."""
        k: cython.Py_ssize_t
        if j - i < 3 or (j - i) % 2 == 0:
            return False
        for k in range(i, j):
            is_right: cython.bint = (
                is_letter(self.kinds[k]) if (k - i) % 2 == 0 else self.codes[k] == ord(".")
            )
            if not is_right:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def takes_stop(
        self,
        i: cython.Py_ssize_t,
        j: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        following: cython.Py_ssize_t,
    ) -> cython.bint:
        """Whether the full stop after the word belongs to it: an abbreviation or an initial.

        `following` is the kind of sign after the next space, SPACE at the end of a paragraph.
        """
        if (
            j >= end
            or self.codes[j] != ord(".")
            or (j + 1 < end and is_end_mark(self.codes[j + 1]))
        ):
            return False
        value: cython.Py_ssize_t = self.hash_of(i, j)
        if place_in(self.rules.closers, value) >= 0:
            # At the end of a sentence its full stop is the sentence's.
            return (following != SPACE and following != UPPER) or j + 1 < end
        if self.is_spelt(i, j):
            return True
        if j - i == 1 and self.kinds[i] == UPPER:
            return following != SPACE and self.codes[i] != ord("i")
        if place_in(self.rules.counters, value) >= 0:
            return following == DIGIT
        return place_in(self.rules.titles, value) >= 0 and (following != SPACE or j + 1 < end)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def smiley_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of an emoticon such as :-) that begins here, `i` if none does."""
        if i + 1 >= end:
            return i
        if self.codes[i] not in (ord(":"), ord(";"), ord("=")):
            return self.face_end(i, end)
        j: cython.Py_ssize_t = i + 1
        if self.codes[j] in (ord("-"), ord("'")):
            j += 1
        if j >= end or not is_mouth(self.codes[j]):
            return i
        while j + 1 < end and self.codes[j + 1] == self.codes[j]:
            j += 1
        if j + 1 < end and is_word(self.kinds[j + 1]):
            return i
        return j + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def face_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of eyes with or without a mouth (^_^, ^^) or a heart (<3), else `i`."""
        j: cython.Py_ssize_t = i + 1
        eye: cython.Py_ssize_t = self.codes[i]
        if eye == ord("<") and self.codes[j] == ord("3"):
            j += 1
        elif eye == ord("(") and j + 1 == end and self.codes[j] in (ord(":"), ord(";")):
            return end
        elif eye in (ord("^"), ord("-")):
            mouth: cython.Py_ssize_t = self.codes[j]
            if mouth == ord("_") or (eye == ord("^") and mouth in (ord("."), ord("-"))):
                j += 1
            elif eye == ord("-"):
                return i
            if j >= end or self.codes[j] != eye:
                return i
            j += 1
        else:
            return i
        if j < end and (is_word(self.kinds[j]) or self.codes[j] == self.codes[j - 1]):
            return i
        return j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def drawing_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of what is drawn with several signs up to the next space, else `i`."""
        j: cython.Py_ssize_t = i
        # Longer than any drawing: so far one looks, so that the time stays linear.
        if end - i > 200:
            return i
        while j < end and is_drawn(self.codes[j]):
            j += 1
        return j if j == end and j - i > 1 else i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def ending_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of an ending that is spoken of (a .docx, .com), `i` if none is here."""
        if i > 0 and is_word(self.kinds[i - 1]):
            return i
        j: cython.Py_ssize_t = self.run_end(i + 1, min(end, i + 7))
        if j - i < 4 or (j < end and is_word(self.kinds[j])):
            return i
        value: cython.Py_ssize_t = self.hash_of(i + 1, j)
        is_known: cython.bint = (
            place_in(self.rules.files, value) >= 0 or place_in(self.rules.hosts, value) >= 0
        )
        return j if is_known else i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def symbol_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the punctuation that begins here: runs of marks are one token."""
        code: cython.Py_ssize_t = self.codes[i]
        smile: cython.Py_ssize_t = self.smiley_end(i, end)
        if smile == i:
            smile = self.drawing_end(i, end)
        if smile > i:
            return smile
        if (code in (ord("@"), ord("#"))) and i + 1 < end and is_letter(self.kinds[i + 1]):
            j: cython.Py_ssize_t = i + 1
            while j < end and (is_word(self.kinds[j]) or self.codes[j] == ord("_")):
                j += 1
            return j
        j = i + 1
        if code == ord(".") and self.ending_end(i, end) > i:
            return self.ending_end(i, end)
        is_signed: cython.bint = (
            (code in (ord("."), ord("+"))) and j < end and self.kinds[j] == DIGIT
        )
        if is_signed and (i == 0 or not is_word(self.kinds[i - 1])):
            return self.run_end(j, end)
        if is_end_mark(code):
            while j < end and is_end_mark(self.codes[j]):
                j += 1
            return j
        if (
            (is_apostrophe(code) or code == ord("\u2018"))
            and j < end
            and is_apostrophe(self.codes[j])
        ):
            return j + 1
        if is_ruler(code):
            while j < end and self.codes[j] == code:
                j += 1
            return j
        while j < end and self.kinds[j] == MARK:
            j += 1
        return j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_article(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.bint:
        """Whether the Afrikaans article 'n stands here."""
        if not is_apostrophe(self.codes[i]) or i + 1 >= end or self.codes[i + 1] != ord("n"):
            return False
        return i + 2 >= end or not is_word(self.kinds[i + 2])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def clitic_end(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a clitic that stands alone, like 's or 'll; `i` if none does."""
        if self.is_article(i, end):
            return i + 2
        if not self.rules.splits_clitics or not is_apostrophe(self.codes[i]):
            return i
        j: cython.Py_ssize_t = self.run_end(i + 1, end)
        return j if self.clitic_length(i, j) == j - i else i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def clitic_length(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the length of the English clitic that ends a word, 0 if none does."""
        first: cython.Py_ssize_t
        if j - i >= 2 and is_apostrophe(self.codes[j - 2]):
            last: cython.Py_ssize_t = self.codes[j - 1]
            is_decade: cython.bint = j - i > 2 and self.kinds[j - 3] == DIGIT
            if (last == ord("s") and not is_decade) or last == ord("m") or last == ord("d"):
                return 2
            if last == ord("t") and j - i >= 4 and self.codes[j - 3] == ord("n"):
                return 3
        if j - i >= 3 and is_apostrophe(self.codes[j - 3]):
            first, last = self.codes[j - 2], self.codes[j - 1]
            if last == ord("e") and (first == ord("r") or first == ord("v")):
                return 3
            if first == ord("l") and last == ord("l"):
                return 3
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_number(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a stretch is digits, hyphens and points: a telephone number, a date, a range."""
        k: cython.Py_ssize_t
        for k in range(i, j):
            if (
                self.kinds[k] != DIGIT
                and not is_hyphen(self.codes[k])
                and self.codes[k] not in (ord("."), ord("/"))
            ):
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def keeps_hyphens(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a word with hyphens is one token in English: e-mail, 713-853-3989."""
        first: cython.Py_ssize_t
        hyphens: cython.Py_ssize_t
        k: cython.Py_ssize_t
        last: cython.Py_ssize_t
        first, last, hyphens = j, i, 0
        for k in range(i, j):
            if is_hyphen(self.codes[k]):
                first = min(first, k)
                last = k
                hyphens += 1
        if self.is_number(i, j):
            return hyphens > 1 or (first - i >= 3 and j - last == 5)
        if place_in(self.rules.prefixes, self.hash_of(i, first)) >= 0:
            return hyphens == 1
        return place_in(self.rules.suffixes, self.hash_of(last + 1, j)) >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def first_hyphen(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where the first hyphen of a stretch stands, `j` if there is none."""
        while i < j and not is_hyphen(self.codes[i]):
            i += 1
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def unit_begin(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where a unit written to its number begins (10|km, 3|pm), `j` if there is none."""
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        m: cython.Py_ssize_t
        k: cython.Py_ssize_t = i
        while k < j and (self.kinds[k] == DIGIT or self.codes[k] in (ord("."), ord(":"), ord(","))):
            k += 1
        if k in (i, j) or j - k > 4:
            return j
        if j - k == 2 and self.codes[j - 1] == ord("m") and self.codes[k] in (ord("a"), ord("p")):
            return k
        for m in range(k, j):
            if self.kinds[m] != LOWER and j - k > 1:
                return j
        if self.kinds[k] == UPPER and self.codes[k] not in (ord("k"), ord("m"), ord("b"), ord("c")):
            return j
        first, last = self.codes[k], self.codes[j - 1]
        is_plural: cython.bint = j - k == 1 and first == ord("s")
        is_ordinal: cython.bint = j - k == 2 and (
            last in (ord("t"), ord("h"), ord("d"))
            and first in (ord("s"), ord("t"), ord("n"), ord("r"))
        )
        return j if is_plural or is_ordinal else k

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def halves_at(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where the stroke of a fraction such as 1/2 stands, `j` if it is none."""
        if j - i != 3 or self.codes[i + 1] != ord("/") or self.kinds[i] != DIGIT:
            return j
        return i + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def cut_word(
        self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Write the ends of the tokens of one word and return how many tokens there are now."""
        if self.rules.whole.shape[0] and place_in(self.rules.whole, self.hash_of(i, j)) >= 0:
            self.ends[count] = j
            return count + 1
        if self.rules.splits_clitics and self.is_named(i, j):
            self.ends[count] = j
            return count + 1
        tail: cython.Py_ssize_t = self.clitic_length(i, j) if self.rules.splits_clitics else 0
        if (
            tail
            and self.rules.whole.shape[0]
            and place_in(self.rules.whole, self.hash_of(i, j - tail)) >= 0
        ):
            self.ends[count], self.ends[count + 1] = j - tail, j
            return count + 2
        if self.rules.splits_hyphens:
            hyphen: cython.Py_ssize_t = self.first_hyphen(i, j)
            # Longer than any word: cut at every hyphen rather than look at the whole each time.
            while i < hyphen < j and (j - i > 80 or not self.keeps_hyphens(i, j)):
                count = self.cut_plain(i, hyphen, count)
                self.ends[count] = hyphen + 1
                count += 1
                i = hyphen + 1
                hyphen = self.first_hyphen(i, j)
        return self.cut_plain(i, j, count)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_named(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.bint:
        """Whether a word is the name of a file or an address: nothing is cut off it."""
        k: cython.Py_ssize_t
        if self.is_file(i, j):
            return True
        for k in range(i + 1, min(j, i + 64)):
            if self.codes[k] == ord("/") and self.is_host(i, k):
                return True
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def clipped_end(
        self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the end of a word with the apostrophe that it ends in: po', l' (amore)."""
        if self.rules.proclitics.shape[0] == 0 or j >= end or not is_apostrophe(self.codes[j]):
            return j
        if j - i > 10 or (i > 0 and is_apostrophe(self.codes[i - 1])):
            return j
        return j + 1 if place_in(self.rules.proclitics, self.hash_of(i, j + 1)) >= 0 else j

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def proclitic_end(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of a word that leans on the next (l'|homme, il-|ktieb), else `i`."""
        k: cython.Py_ssize_t
        if self.rules.proclitics.shape[0] == 0:
            return i
        for k in range(i, min(j - 1, i + 12)):
            if is_apostrophe(self.codes[k]) or is_hyphen(self.codes[k]):
                return k + 1 if place_in(self.rules.proclitics, self.hash_of(i, k + 1)) >= 0 else i
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def enclitic_length(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the length of what leans on the word before it (i|'r), 0 if nothing does."""
        k: cython.Py_ssize_t
        if self.rules.enclitics.shape[0] == 0:
            return 0
        for k in range(j - 2, max(i, j - 5) - 1, -1):
            if is_apostrophe(self.codes[k]):
                return j - k if place_in(self.rules.enclitics, self.hash_of(k, j)) >= 0 else 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def cut_plain(
        self, i: cython.Py_ssize_t, j: cython.Py_ssize_t, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Write the ends of the tokens of a word without hyphens: its clitics come off."""
        if self.rules.whole.shape[0] and place_in(self.rules.whole, self.hash_of(i, j)) >= 0:
            self.ends[count] = j
            return count + 1
        head: cython.Py_ssize_t = self.proclitic_end(i, j)
        while i < head < j:
            self.ends[count] = head
            count += 1
            i = head
            head = self.proclitic_end(i, j)
        tail: cython.Py_ssize_t = self.enclitic_length(i, j)
        if 0 < tail < j - i:
            self.ends[count] = j - tail
            count += 1
        if self.rules.splits_clitics:
            tail = self.clitic_length(i, j)
            if tail == 0:
                tail = j - i - self.fused_at(i, j)
            if tail == 0:
                tail = j - self.unit_begin(i, j)
            stroke: cython.Py_ssize_t = self.halves_at(i, j)
            if stroke < j:
                self.ends[count], self.ends[count + 1] = stroke, stroke + 1
                count += 2
            if 0 < tail < j - i:
                self.ends[count] = j - tail
                count += 1
        self.ends[count] = j
        return count + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def fused_at(self, i: cython.Py_ssize_t, j: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the length of the first of two words in one (can|not), else of the whole."""
        if j - i > 9:
            return j - i
        place: cython.Py_ssize_t = place_in(self.rules.fused, self.hash_of(i, j))
        # IM and HES in capitals are other words.
        if place < 0 or (j - i < 5 and j - i > 1 and self.kinds[i + 1] == UPPER):
            return j - i
        return self.rules.fused_at[place]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def cut_chunk(
        self,
        i: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        following: cython.Py_ssize_t,
        count: cython.Py_ssize_t,
    ) -> cython.Py_ssize_t:
        """Write the ends of the tokens between two spaces; they follow each other without a gap."""
        while i < end:
            here: cython.Py_ssize_t = self.kinds[i]
            if here in (SPACELESS, MARK, SYMBOL):
                stop: cython.Py_ssize_t = self.clitic_end(i, end)
                if stop == i:
                    stop = self.symbol_end(i, end)
                self.ends[count] = stop
                count += 1
                i = stop
                continue
            stop = max(self.address_end(i, end), self.mail_end(i, end))
            if stop > i:
                self.ends[count] = stop
                count += 1
                i = stop
                continue
            stop = self.clipped_end(i, self.word_end(i, end), end)
            if self.takes_stop(i, stop, end, following):
                stop += 1
                self.ends[count] = stop
                count += 1
            else:
                count = self.cut_word(i, stop, count)
            i = stop
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def kind_after(self, i: cython.Py_ssize_t, size: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the kind of the first sign after a space, SPACE if the text or the line ends."""
        j: cython.Py_ssize_t
        for j in range(i, min(size, i + 4)):
            if self.codes[j] == ord("\n"):
                return SPACE
            if self.kinds[j] != SPACE:
                return self.kinds[j]
        return SPACE

    def cut(self) -> cython.Py_ssize_t:
        """Write where the tokens of a text begin and end, and return how many there are."""
        count: cython.Py_ssize_t
        i: cython.Py_ssize_t
        letters: cython.Py_ssize_t
        size: cython.Py_ssize_t
        stop: cython.Py_ssize_t
        token: cython.Py_ssize_t
        count, i, size = 0, 0, self.codes.shape[0]
        while i < size:
            if self.kinds[i] == SPACE:
                i += 1
                continue
            stop, letters = i, 0
            while stop < size and self.kinds[stop] != SPACE:
                letters += self.kinds[stop] == LOWER or self.kinds[stop] == UPPER
                stop += 1
            first: cython.Py_ssize_t = count
            if letters == stop - i:
                count = self.cut_plain(i, stop, count)
            else:
                following: cython.Py_ssize_t = self.kind_after(stop, size)
                count = self.cut_chunk(i, stop, following, count)
            for token in range(first, count):
                self.starts[token] = i if token == first else self.ends[token - 1]
            i = stop
        return count

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def ends_with_mark(self, token: cython.Py_ssize_t) -> cython.bint:
        """Whether a token is, or ends in, a mark that can end a sentence."""
        last: cython.Py_ssize_t = self.codes[self.ends[token] - 1]
        return is_end_mark(last) or is_full_stop(last) or self.is_verjaket(token)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_verjaket(self, token: cython.Py_ssize_t) -> cython.bint:
        """Whether a token is the full stop of Armenian, typed as the colon that it looks like."""
        begin: cython.Py_ssize_t = self.starts[token]
        is_colon: cython.bint = self.codes[begin] == ord(":") and self.ends[token] == begin + 1
        return self.rules.ends_at_colons and is_colon

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_abbreviation(self, token: cython.Py_ssize_t) -> cython.bint:
        """Whether the token ends in a full stop that belongs to it."""
        return self.ends[token] - self.starts[token] > 1 and not is_end_mark(
            self.codes[self.starts[token]]
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_smiley(self, token: cython.Py_ssize_t) -> cython.bint:
        """Whether a token is an emoticon: it belongs to the sentence before it."""
        begin: cython.Py_ssize_t
        end: cython.Py_ssize_t
        begin, end = self.starts[token], self.ends[token]
        return end - begin > 1 and self.smiley_end(begin, end) == end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def after_note(self, token: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the token after a note such as [17], else the token itself."""
        if (
            token + 2 >= count
            or self.codes[self.starts[token]] != ord("[")
            or self.codes[self.starts[token + 2]] != ord("]")
        ):
            return token
        return token + 3 if self.kinds[self.starts[token + 1]] == DIGIT else token

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def after_closing(
        self, token: cython.Py_ssize_t, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the token after quotes, brackets, notes and emoticons that close a sentence."""
        following: cython.Py_ssize_t = self.closing_end(token, count)
        return count if self.is_of_marks(following, count) else following

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def closing_end(self, token: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the end of the run that closes a sentence behind a token.

        Within a run of marks each of them asks, and hears what the first one found, so that the
        time stays linear; but for the last few, from which more dots may be seen.
        """
        following: cython.Py_ssize_t = token + 1
        if self.closed_from < token and token + _MOST_DOTS < self.closed_to:
            return self.closed_to
        while following < count:
            note: cython.Py_ssize_t = self.after_note(following, count)
            if note > following:
                following = note
                continue
            begin: cython.Py_ssize_t = self.starts[following]
            is_near: cython.bint = begin == self.ends[following - 1] and is_closing(
                self.codes[begin]
            )
            is_mark: cython.bint = is_end_mark(self.codes[begin]) and (
                self.codes[begin] != ord(".")
                or (following - token < _MOST_DOTS and self.trails_off(following))
            )
            if not (is_near or is_mark or self.is_smiley(following)):
                break
            following += 1
        self.closed_from, self.closed_to = token, following
        return following

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def trails_off(self, token: cython.Py_ssize_t) -> cython.bint:
        """Whether a full stop stands behind another: dots with spaces between them."""
        return (
            token > 0
            and self.codes[self.starts[token - 1]] == ord(".")
            and self.ends[token] - self.starts[token] == 1
        )

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_of_marks(self, token: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.bint:
        """Whether no more than a few marks are left in a paragraph: no sentence of their own."""
        place: cython.Py_ssize_t
        if count - token > 3:
            return False
        for place in range(token, count):
            # A line drawn by hand, or dots, stand for themselves.
            is_long: cython.bint = self.ends[place] - self.starts[place] > 1
            if is_long or self.kinds[self.starts[place]] != SYMBOL:
                return False
        return True

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_item_number(self, first: cython.Py_ssize_t, token: cython.Py_ssize_t) -> cython.bint:
        """Whether the mark ends the number of a list item, like 2. where a sentence begins."""
        if token == first + 2 and is_opening(self.codes[self.starts[first]]):
            first += 1
        if (
            token != first + 1
            or self.starts[token] != self.ends[first]
            or self.codes[self.starts[token]] != ord(".")
        ):
            return False
        return self.ends[first] - self.starts[first] < 3 and self.kinds[self.starts[first]] == DIGIT

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def first_sign(self, token: cython.Py_ssize_t, count: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place of the next words' first sign, past opening quotes and brackets."""
        ahead: cython.Py_ssize_t
        for ahead in range(token, min(count, token + 4)):
            place: cython.Py_ssize_t = self.starts[ahead]
            is_short: cython.bint = self.ends[ahead] - place == 1
            if self.is_article(place, self.ends[ahead]):
                # An Afrikaans sentence may begin with 'n; the second word has the capital then.
                continue
            if not (is_short and is_opening(self.codes[place])):
                return place
        return self.starts[token]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def ends_after_abbreviation(
        self, place: cython.Py_ssize_t, size: cython.Py_ssize_t
    ) -> cython.bint:
        """Whether a sentence ends after a word with its own full stop: if a starter follows."""
        if self.kinds[place] != UPPER:
            return False
        word: cython.Py_ssize_t = self.hash_of(place, self.run_end(place, size))
        return place_in(self.rules.starters, word) >= 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_ordinal(self, token: cython.Py_ssize_t, here: cython.Py_ssize_t) -> cython.bint:
        """Whether a full stop makes an ordinal of the number before it: 1990. godine, 2. Juli."""
        k: cython.Py_ssize_t
        if (
            token == 0
            or self.ends[token] - self.starts[token] > 1
            or self.codes[self.starts[token]] != ord(".")
        ):
            return False
        digits: cython.Py_ssize_t = self.ends[token - 1] - self.starts[token - 1]
        if self.starts[token] != self.ends[token - 1] or digits > (4 if here == LOWER else 2):
            return False
        for k in range(self.starts[token - 1], self.ends[token - 1]):
            if self.kinds[k] != DIGIT:
                return False
        return here in (LOWER, UPPER)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def is_thai_stop(self, token: cython.Py_ssize_t) -> cython.bint:
        """Whether a full stop follows a Thai sign: it abbreviates (พ.ศ.) and ends nothing."""
        begin: cython.Py_ssize_t = self.starts[token]
        if begin == 0 or self.codes[begin] != ord(".") or self.ends[token] - begin > 1:
            return False
        return 0x0E00 <= self.codes[begin - 1] <= 0x0E7F

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1, check=True)
    def ends_after_mark(
        self, token: cython.Py_ssize_t, here: cython.Py_ssize_t, was_closed: cython.bint
    ) -> cython.bint:
        """Whether a sentence ends after a free-standing mark, by what kind of sign comes next."""
        mark: cython.Py_ssize_t = self.codes[self.starts[token]]
        is_run: cython.bint = self.ends[token] - self.starts[token] > 1 or self.trails_off(token)
        if here != LOWER:
            return True
        if was_closed:
            return False
        # In web text a full stop ends a sentence even before a small letter; dots trail off.
        return not (mark == ord("\u2026") or (mark == ord(".") and is_run))

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2, check=True)
    def sentence_follows(
        self, token: cython.Py_ssize_t, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the token that begins the next sentence if one ends at `token`, else -1."""
        following: cython.Py_ssize_t = self.after_closing(token, count)
        if following >= count:
            return -1
        if is_full_stop(self.codes[self.ends[token] - 1]):
            return following
        if self.starts[following] == self.ends[following - 1] or self.is_thai_stop(token):
            return -1
        place: cython.Py_ssize_t = self.first_sign(following, count)
        here: cython.Py_ssize_t = self.kinds[place]
        if self.scheme_end(place, min(self.ends[count - 1], place + 16)) > place:
            # An address stands for itself, as what begins with a capital does.
            here = UPPER
        if self.is_abbreviation(token):
            word: cython.Py_ssize_t = self.hash_of(self.starts[token], self.ends[token] - 1)
            if place_in(self.rules.openers, word) >= 0:
                return -1
            is_end: cython.bint = self.ends_after_abbreviation(place, self.ends[count - 1])
        elif self.rules.has_ordinals and self.is_ordinal(token, here):
            is_end = self.ends_after_abbreviation(place, self.ends[count - 1])
        else:
            was_closed: cython.bint = following > token + 1
            is_end = self.ends_after_mark(token, here, was_closed)
        return following if is_end else -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2, check=True)
    def next_sentence(
        self, first: cython.Py_ssize_t, token: cython.Py_ssize_t, count: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the token that begins the next sentence if one ends at `token`, else -1."""
        if not self.ends_with_mark(token):
            return -1
        if self.is_item_number(first, token):
            return -1
        return self.sentence_follows(token, count)

    def find_sentences(
        self, limits: cython.const[cython.longlong][::1], begins: cython.int[::1]
    ) -> cython.Py_ssize_t:
        """Write which tokens begin sentences, return how many; paragraphs end at limits."""
        found: cython.Py_ssize_t
        limit: cython.Py_ssize_t
        token: cython.Py_ssize_t
        found, token = 0, 0
        self.closed_from, self.closed_to = 0, 0
        for limit in range(limits.shape[0]):
            count: cython.Py_ssize_t = limits[limit]
            first: cython.Py_ssize_t = token
            if token < count:
                begins[found] = token
                found += 1
            while token < count:
                following: cython.Py_ssize_t = self.next_sentence(first, token, count)
                if following > 0:
                    begins[found] = following
                    found += 1
                    first = following
                token = max(token + 1, following)
        return found
