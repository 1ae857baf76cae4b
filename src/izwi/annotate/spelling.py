"""Names, numbers and loans in the Nguni languages: what their spelling says better than a model.

*uThabo* writes a name behind its prefix with a capital, *i-internet* a loan behind a hyphen, and
*45* and *R50* are numbers; a capital amid small letters (*inkosi Buthelezi*) is a name. Treebanks
of statutes hold few of them, so taggers guess.
"""

import re
from bisect import bisect_right
from collections.abc import Callable, Container, Sequence
from functools import cache, partial
from typing import NamedTuple

LANGUAGES = frozenset(("zul", "xho", "nbl", "ssw"))
_NUMBER = re.compile(r"(?:R|US\$|\$|€|£)?\d[\d.,:/]*(?:%|km|kg|m|bn)?")
_HYPHENED = re.compile(r"([a-zA-Z]{1,9})-((?:R|\$)?\d[\d.,]*%?|[A-Za-z][\w&'.-]*)")
# Two names in one behind a prefix (uNdlovu-Sithole); KwaZulu-Natal has its own (nakwaZulu-Natal).
_NAMES = re.compile(r"(|[A-Z]|[A-Z]?[a-z]+?)([Kk]w?aZulu-[A-Z]\w+|(?<=.)[A-Z][a-z]+-[A-Z]\w+)")
_NAME = re.compile(
    r"([A-Z]?[a-z]{0,6}?[aeiou]|[UIEO])([A-Z](?:[a-z]{2,}|[a-z]*[A-Z][a-z]+)|[A-Z][a-z]+\.)"
)
# Letters read one by one: iSABC, weSABC; and where a sentence begins with one, ISABC.
_LETTERS = re.compile(r"([A-Z]?[a-z]{0,7}[aeiou])([A-Z][A-Z\d&]+s?)")
_ALL_LETTERS = re.compile(r"([IU])([A-Z]{2,}[B-DF-HJ-NP-TV-Z])")
_PLACE = re.compile(r"Kwa[A-Z][a-z]+")
_TITLE = re.compile(r"[A-Za-z]{0,8}-?[A-Z][a-z]+\.")
_CAPITAL = re.compile(r"(?:Mc|Mac|De|Du|Le|La)?[A-Z][a-z]+(?:-[A-Z][a-z]+)?|Kwa[A-Z][a-z]+")
# Behind these prefixes stand people: uJacob, no-Jacob, kukaJacob.
_PERSON = re.compile(r"(?:[Uu]|[Oo]+|[Nn]o|[Nn]gu|[Kk]u|\w*ka|[Bb]o|\w*ngo)-?[A-Z].*")
_MARK = re.compile(r"\W+")
# Marks behind which a sentence goes on.
_MARKS_INSIDE = frozenset((",", "(", "/", "&"))
_ENGLISH = ("ing", "ion", "ions", "ment", "al", "ed", "ity", "ive", "ance", "ence", "ship", "work")
# What a prefix makes of the name behind it, and the tags that may stand there already: of the
# first row whose prefixes fit. Where a tag does not say its class, that of the name does not show.
_NGUNI_NOUNS = ("N0", "N1", "NPP", "NLOC", "POSS", "ADV", "COP")
_ROWS = tuple(
    (re.compile(prefixes), tag, fitting)
    for prefixes, tag, fitting in (
        ("u", "N01a", ("N01", "N03", "N11", "N14", "N15", "NPP")),
        ("oo?|bo", "N02a", ("N02", "N06", "POSS", "REL")),
        ("i|ii", "N09", ("N0", "N1", "NPP")),
        ("n[aoe].*|ng[aoe].*|njeng.*", "ADV", ("ADV",)),
        ("ka", "POSSKA", ("POSS",)),
        ("(?:ku|kwi|kwa|e|se)", "NLOC", _NGUNI_NOUNS),
        ("(?:ngu|yi)", "COP", _NGUNI_NOUNS),
        ("kuka|kwaka|kwase", "POSS15", ("POSS",)),
        ("bu?ka|baka|base", "POSS02", ("POSS",)),
        ("lika|laka|lase", "POSS05", ("POSS",)),
        ("aka|ase", "POSS06", ("POSS", "REL")),
        ("sika|saka|sase", "POSS07", ("POSS",)),
        ("zika|zaka|zase|tika|taka|tase", "POSS10", ("POSS",)),
        ("yika|yaka|yase", "POSS09", ("POSS",)),
        ("luka|lwaka|lwase", "POSS11", ("POSS",)),
        ("waka|wase", "POSS01", ("POSS",)),
    )
)
# Behind a prefix in -u, -o or -a stand names, or nouns with one of these prefixes of their own.
_OWN_PREFIXES = frozenset(("m", "mu", "lu", "ku", "bu"))
# Words with a hyphen that are no loans: particles behind a word.
_PARTICLES = frozenset(("ke", "nje", "ni", "phi", "ze"))
# Days of which news tell, statutes do not.
_DAYS = frozenset(("izolo", "itolo", "kuthangi", "namuhla", "ngomso"))
# A word with a concord is no name, if the treebank has so long a stem of it.
_CONCORDS = ("POSS", "ADV", "REL", "CDEM", "COP", "N")
_CONCORDS_OF_TITLES = ("POSS", "REL", "CDEM")
_STEM, _STEM_BEHIND_CAPITAL, _SHORT_STEM = 5, 4, 3
# What a word before another with a capital is.
_NO_NAME, _OF_PLACE, _OF_PERSON, _OF_TITLE = range(4)
# So large a share of words with a capital is a heading, where capitals show nothing.
_HEADING = 0.7


class Spelling(NamedTuple):
    """What the spelling of a word says: its tag ("" if nothing), its lemma."""

    tag: str
    lemma: str


class Reading(NamedTuple):
    """A word as it is written, what was learnt of it, and what the treebank has.

    `is_frequent` says whether it has the word, `is_attested` whether it has the learnt lemma.
    """

    word: str
    tag: str
    lemma: str
    is_frequent: bool
    is_attested: bool


def corrections(
    readings: Sequence[tuple[str, str, str]],
    sentences: Sequence[int],
    is_frequent: Callable[[str], bool],
    attested: Container[str],
) -> list[Spelling | None]:
    """Return what is to be changed of each word with its tag and lemma, None where nothing is.

    `sentences` are the numbers of the words that begin them, `attested` the lemmas of the treebank
    in lower case.
    """
    found: list[Spelling | None] = [None] * len(readings)
    words = [word for word, _, _ in readings]
    begins = set(sentences)
    # A digit, a hyphen, a capital, or no letter: else a spelling shows nothing.
    shown = [
        place
        for place, word in enumerate(words)
        if not (word.islower() and word.isalpha()) or word in _DAYS
    ]
    is_heading = cache(partial(_is_heading, words, sentences))  # a sentence may have many names
    last, kind = -2, _NO_NAME
    for place in shown:
        word, tag, lemma = readings[place]
        is_first = place in begins
        if is_first and word.istitle() and word.isalpha() and word.lower() not in _DAYS:
            continue
        reading = Reading(word, tag, lemma, is_frequent(word), lemma.lower() in attested)
        behind = kind if last == place - 1 and not is_first else _NO_NAME
        told = None
        if _CAPITAL.fullmatch(word):
            told = _bare(reading, "" if is_first else words[place - 1], behind)
            if told and not behind and is_heading(bisect_right(sentences, place)):
                told = None
        found[place] = told = told or by_spelling(reading, is_first=is_first)
        last, kind = place, max(_kind_of_name(reading, told), behind if told else _NO_NAME)
    return found


def _is_heading(words: Sequence[str], sentences: Sequence[int], number: int) -> bool:
    """Whether most words of a sentence, counted from 1, behind its first one have a capital."""
    end = sentences[number] if number < len(sentences) else len(words)
    some = words[sentences[number - 1] + 1 : end]
    letters = [word[0].isupper() for word in some if word[:1].isalpha()]
    return sum(letters) > _HEADING * len(letters)


def _kind_of_name(reading: Reading, told: Spelling | None) -> int:
    """Return what kind of name a word is, behind which more of it may stand without a prefix."""
    if _TITLE.fullmatch(reading.word):
        return _OF_TITLE
    lemma = told.lemma if told else reading.lemma
    if not lemma[:1].isupper() or reading.word.isupper():
        return _NO_NAME
    return _OF_PERSON if _PERSON.fullmatch(reading.word) else _OF_PLACE


def _bare(reading: Reading, before: str, behind: int) -> Spelling | None:
    """Return that a word with a capital inside a sentence is a name: *inkosi Buthelezi*.

    Behind a title names stand without a prefix (*uMnu. Jacob Zuma*). Statutes write titles of
    theirs with capitals, whose words have concords or prefixes (*uMthetho Wamalungelo*).
    """
    word = reading.word
    is_place = _PLACE.fullmatch(word) and not _has_stem(reading, 1)
    if behind == _OF_TITLE or is_place:
        return Spelling("NPP", word)
    if not (before and (before[-1].isalnum() or before in _MARKS_INSIDE)):
        return None
    if reading.is_frequent and behind < _OF_PERSON:
        return None
    return None if _is_no_name(reading, before, behind) else Spelling("NPP", word)


def _is_no_name(reading: Reading, before: str, behind: int) -> bool:
    """Whether a word with a capital is one of a title of statutes, or of an English one."""
    word = reading.word
    is_small = before.islower() or len(before) == 1
    if behind == _OF_PERSON:
        is_of_title = reading.tag.startswith(_CONCORDS_OF_TITLES)
        return _has_stem(reading, _SHORT_STEM if word[0] in "AEIOU" else _STEM) and (
            is_of_title or word[0] in "AEIOU"
        )
    if reading.tag == "FOR" and word[-1] not in "aeiou":
        return word.endswith(_ENGLISH) or not (is_small or behind)
    if word[0] in "AEIOU":
        return reading.tag not in ("NPP", "FOR")
    if reading.tag == "V":
        return reading.is_attested and _STEM < len(reading.lemma) < len(word)
    return _has_stem(reading, _STEM if is_small else _STEM_BEHIND_CAPITAL)


def _has_stem(reading: Reading, least: int) -> bool:
    """Whether a word ends in an attested lemma of so many letters, behind a concord or prefix."""
    lemma = reading.lemma
    return (
        reading.is_attested
        and reading.tag.startswith(_CONCORDS)
        and not reading.tag.startswith("NPP")
        and len(lemma) >= least
        and lemma.islower()
        and reading.word.endswith(lemma)
    )


def by_spelling(reading: Reading, *, is_first: bool = False) -> Spelling | None:
    """Return tag and lemma where the spelling shows them; words the model knows well stay.

    >>> by_spelling(Reading("uThabo", "V", "thaba", is_frequent=False, is_attested=True))
    Spelling(tag='N01a', lemma='Thabo')
    """
    word, tag, lemma, is_frequent, is_attested = reading
    if _NUMBER.fullmatch(word):
        return Spelling("NUM", word)
    if is_frequent:
        return None
    if _MARK.fullmatch(word):
        return Spelling("PUNC", word)
    if word.lower() in _DAYS:
        return Spelling("ADV", word.lower())
    letters = _LETTERS.fullmatch(word) or (is_first and _ALL_LETTERS.fullmatch(word))
    if letters:
        return _behind(letters[1].lower(), letters[2], tag)
    names = _NAMES.fullmatch(word)
    if names:
        return _of_names(names[1].lower(), names[2], tag)
    joined = _HYPHENED.fullmatch(word)
    if joined and joined[2] not in _PARTICLES and joined[1][-1] in "aeiouUIEOA":
        return _of_joined(joined[1].lower(), joined[2], reading)
    name = _NAME.fullmatch(word)
    if name is None:
        return None
    return _of_name(name[1].lower(), name[2], tag, lemma if is_attested else "")


def _of_joined(prefix: str, part: str, reading: Reading) -> Spelling:
    """Return what a loan or name behind a hyphen is: *i-internet*, *no-Jacob*."""
    if not part[0].isalpha():
        return Spelling("", part)
    told = _behind(prefix, part, reading.tag)
    is_name = part[:1].isupper() and not reading.is_attested
    return told if is_name else Spelling(told.tag, _learnt_case(part, reading.lemma))


def _of_names(prefix: str, names: str, tag: str) -> Spelling:
    """Return what names joined by a hyphen are, which are one: *nakwaZulu-Natal*."""
    if not prefix:
        return Spelling("" if tag.startswith("N") else "NPP", names[:1].upper() + names[1:])
    return _behind(prefix, names[:1].upper() + names[1:], tag)


def _of_name(prefix: str, name: str, tag: str, lemma: str) -> Spelling:
    """Return what a prefix and the name behind it make; *kaThabo* is no adverb.

    A learnt lemma that the treebank has no second time is none: *thandi* in *noThandi*.
    """
    told = _behind(prefix, name, tag)
    is_stem = not told.tag and lemma and _is_stem(lemma, name.lower(), prefix)
    return Spelling("", lemma) if is_stem else told


def _behind(prefix: str, name: str, tag: str) -> Spelling:
    """Return what a name is behind a prefix, its learnt tag kept where it fits."""
    rows = ((new, fitting) for prefixes, new, fitting in _ROWS if prefixes.fullmatch(prefix))
    new, fitting = next(rows, ("", _NGUNI_NOUNS))
    return Spelling("" if tag.startswith(fitting) else new, name)


def _is_stem(lemma: str, name: str, prefix: str) -> bool:
    """Whether a learnt lemma is a noun's stem: *thetho* behind *noM-*, but no *ipho* in *Sipho*."""
    if prefix[-1] in "ei":
        return lemma in name
    if lemma == name:
        return prefix not in ("u", "ka")
    return name.removesuffix(lemma) in _OWN_PREFIXES or name.startswith(lemma)


def _learnt_case(part: str, lemma: str) -> str:
    is_learnt = lemma.lower() == part.lower() and not any(map(str.isdigit, part))
    return lemma if is_learnt else part
