"""Which lemma an English word has that the model hardly knows: what attests it.

The learnt edits of a tagger turn *bakkies* into *bakky*: no such word. So English nouns and verbs
whose learnt lemma nobody attests are analysed again, and of the candidates the one is taken that
the user's lexicon has, else our list of regional words, else the dictionary, else the same
document. Where nothing speaks for any, the spelling of new words does.
"""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from functools import cache
from importlib.resources import files
from typing import NamedTuple

_NOUNS = frozenset(("NN", "NNS"))
_PASTS = frozenset(("VBD", "VBN"))
_VERBS = frozenset(("VBD", "VBN", "VBG", "VBZ", "VB", "VBP"))
_PROPER = frozenset(("NNP", "NNPS"))
# Tags that a plural nobody knows may have instead of its own: Matatus begins a sentence.
_UNSURE = _PROPER | {"JJ", "RB", "FW"}
_INFLECTED = _NOUNS | _VERBS | {"JJR", "JJS"}
_VOWELS = frozenset("aeiou")
_SIBILANTS = ("s", "x", "z", "ch", "sh")
# Endings before y of words that English forms itself; whatever else is new ends in -ie.
_LEARNED = ("it", "t", "c", "log", "graph", "path", "nom", "metr", "er", "or", "ar", "ph", "l", "d")
_ENDINGS = ("s", "ed", "ing", "en")
# No English verb ends so: plukked is a form of pluk.
_NEVER_LAST = ("bb", "kk", "pp", "mm", "gg")
_FEWEST = 4
# Amounts in rand, which the treebank lacks: R50, R1,500.50, R3m.
_RAND = re.compile(r"R\d+(?:[.,]\d+)*(?:m|bn|k)?")
# Readings that are remembered.
_MOST_KNOWN = 200_000


class Word(NamedTuple):
    """What was made of a word: its lemma, and its tag if it is a noun that was not seen as one."""

    lemma: str
    is_plural: bool = False
    is_common: bool = False
    is_amount: bool = False

    @property
    def tag(self) -> str:
        """The tag it has instead, nothing if its own stays."""
        if self.is_amount:
            return "CD"
        return "NNS" if self.is_plural else "NN" if self.is_common else ""


class Doubtful(NamedTuple):
    """A word about which its document decides: what it is else, and what it may be.

    What stays else as it is (None) was told as no noun: a document must have one in small letters.
    """

    choice: Word | None
    candidates: tuple[str, ...]


# A word as it is written, its tag and the lemma that was learnt.
Reading = tuple[str, str, str]


class Attestation:
    """Chooses lemmas by what attests them; remembers what it chose."""

    def __init__(self, lemmas: Iterable[str] = ()) -> None:
        self._own = frozenset(lemma.lower() for lemma in lemmas)
        self._known: dict[Reading, Word | Doubtful | None] = {}

    def words(
        self, words: Sequence[str], tags: Sequence[str], lemmas: Sequence[str]
    ) -> list[Word | None]:
        """Return what is to be changed of the words of a document, None where nothing is."""
        readings, known = list(zip(words, tags, lemmas, strict=True)), self._known
        if len(known) > _MOST_KNOWN:
            known.clear()
        for reading in set(readings).difference(known):
            known[reading] = self._told(*reading)
        told = list(map(known.__getitem__, readings))
        doubtful = [place for place, each in enumerate(told) if type(each) is Doubtful]
        written = set(words) if doubtful else set()
        seen = {each.lower() for each in written}
        for place in doubtful:
            told[place] = _settled(told[place], *readings[place], seen, written)
        return told  # type: ignore[return-value]  # none of them is doubtful any more

    def _told(self, word: str, tag: str, lemma: str) -> Word | Doubtful | None:
        """Return what is to be changed of a word, whatever stands round it."""
        if _RAND.fullmatch(word):
            return Word(word, is_amount=True)
        if tag in _PROPER and word.islower() and _listed(word):
            return Word(_listed(word), _listed(word) != word, is_common=True)
        if tag in _UNSURE and _may_be_plural(word):
            return Doubtful(None, _of_s(word.lower()))
        if tag not in _INFLECTED or len(word) < _FEWEST:
            return _as_written(word, tag, lemma)
        chosen, candidates = self._analysed(word.lower(), tag, lemma)
        return Doubtful(chosen, candidates) if candidates else _changed(chosen, lemma)

    def _analysed(self, word: str, tag: str, lemma: str) -> tuple[Word, tuple[str, ...]]:
        """Return the choice, and the candidates among which a document may decide instead."""
        listed = _listed(word)
        if listed:
            # What ends in -s itself was taken for a plural: boerewors, rooibos.
            is_one = tag == "NNS" and listed == word and word.endswith("s")
            return Word(listed, tag == "NN" and listed != word, is_common=is_one), ()
        possible = candidates(word, tag)
        own = next((each for each in possible if each in self._own), "")
        if own:
            return Word(own, tag == "NN"), ()
        if not word.isalpha() or _is_made(word, lemma):
            return Word(lemma if not word.isalpha() else word), ()
        if (_is_lemma(lemma) and not _is_odd(word, lemma)) or not (possible or _is_known(word)):
            # No dictionary has geles: it may be of gele as well as of gel.
            return Word(lemma), () if _is_known(word) else possible
        attested = [each for each in possible if _is_attested(word, each)]
        if attested:
            known = _dictionary_lemma(word)
            best = known if known in attested else attested[0]
            return Word(best, tag == "NN"), ()
        if _is_known(word) and tag not in _NOUNS:
            return Word(_dictionary_lemma(word)), ()
        return Word(_by_spelling(word, tag, lemma)), possible


def _settled(
    told: Word | Doubtful | None,
    word: str,
    tag: str,
    lemma: str,
    seen: Set[str],
    written: Set[str],
) -> Word | None:
    """Return what is to be changed of a word among those seen in its document, and as written."""
    if not isinstance(told, Doubtful):
        return told
    if told.choice is None:
        found = next((each for each in told.candidates if each in written), "")
        return Word(found, is_plural=True) if found else None
    return _changed(_by_document(told.choice, told.candidates, seen, tag), lemma)


def _changed(chosen: Word, lemma: str) -> Word | None:
    return chosen if chosen.lemma != lemma or chosen.tag else None


def _as_written(word: str, tag: str, lemma: str) -> Word | None:
    """Return what the treebanks write of *i* and of addresses; None where it is so."""
    if tag == "PRP" and word == "i":
        return Word("I")
    if tag == "ADD" and lemma != word:
        return Word(word)
    return None


def _may_be_plural(word: str) -> bool:
    small = word.lower()
    return (
        word.endswith("s")
        and len(word) > _FEWEST
        and word[1:].islower()
        and not (_is_known(small) or any(map(_is_known, _of_s(small))))
    )


def _is_made(word: str, lemma: str) -> bool:
    """Whether the model changed a word that has no ending: *kombi* is no form of *komb*."""
    if word == lemma or word.endswith(_ENDINGS) or _dictionary_lemma(word) == lemma:
        return False
    return word.startswith(lemma) or not _is_lemma(lemma)


def _is_odd(word: str, lemma: str) -> bool:
    """Whether the plural of a lemma in -y is not in the dictionary that has the lemma."""
    return word.endswith("ies") and lemma == word[:-3] + "y" and not _is_known(word)


def _is_attested(word: str, lemma: str) -> bool:
    return _listed(lemma) == lemma or (_is_lemma(lemma) and not _is_odd(word, lemma))


def candidates(word: str, tag: str) -> tuple[str, ...]:
    """Return the lemmas a word in lower case may have under its tag, the likeliest first.

    >>> candidates("bakkies", "NNS"), candidates("braaied", "VBD")
    (('bakkie', 'bakky', 'bakki'), ('braai', 'braaie', 'braay'))
    """
    if tag in _PASTS:
        return _of_past(word)
    if tag == "VBG":
        return _of_ing(word)
    if tag in ("NNS", "NN", "VBZ"):
        return _of_s(word)
    return ()


def other_lemmas(word: str) -> tuple[str, ...]:
    """Return the lemmas that an English word may have by its ending, the likeliest first.

    >>> other_lemmas("doeks"), other_lemmas("jolled"), other_lemmas("veld")
    (('doek',), ('jol', 'joll', 'jolle'), ())
    """
    return _of_s(word) or _of_past(word) or (_of_ing(word) if len(word) > _FEWEST + 1 else ())


def _of_s(word: str) -> tuple[str, ...]:
    stem = word[:-1]
    if not word.endswith("s") or word.endswith("ss") or len(stem) < 2:
        return ()
    if word.endswith("ies"):
        new, old = word[:-1], word[:-3] + "y"
        return (old, new, word[:-2]) if _is_learned(word[:-3]) else (new, old, word[:-2])
    if word.endswith("ves"):
        return (stem, word[:-3] + "f", word[:-3] + "fe")
    if word.endswith("es"):
        short = word[:-2]
        is_short = short.endswith(_SIBILANTS) or short.endswith("o")
        return (short, stem) if is_short else (stem, short)
    return (stem,)


def _of_past(word: str) -> tuple[str, ...]:
    if not word.endswith("ed") or len(word) < 5:
        return ()
    stem = word[:-2]
    if stem.endswith("i"):
        usual = (stem[:-1] + "y", stem, stem + "e")
        return (stem, stem + "e", usual[0]) if stem[-2] in _VOWELS | {"y"} else usual
    return _with_e_or_single(stem)


def _of_ing(word: str) -> tuple[str, ...]:
    stem = word[:-3]
    return _with_e_or_single(stem) if word.endswith("ing") and len(stem) > 1 else ()


def _with_e_or_single(stem: str) -> tuple[str, ...]:
    is_double = stem[-1] == stem[-2] and stem[-1] not in _VOWELS
    return (stem[:-1], stem, stem + "e") if is_double else (stem, stem + "e")


def _is_learned(stem: str) -> bool:
    """Whether the stem of a plural in -ies looks like one that ends in -y."""
    return stem.endswith(_LEARNED) and len(stem) > 5


def _by_spelling(word: str, tag: str, lemma: str) -> str:
    """Return the lemma of a word nothing attests: the model's, but for -ies and vowel + ied."""
    if tag in ("NNS", "VBZ") and word.endswith("ies") and len(word) > 5:
        return candidates(word, tag)[0]
    if tag in _PASTS and word.endswith("ied") and word[-4] in _VOWELS | {"y"}:
        return word[:-2]
    if tag in _PASTS | {"VBG"}:
        return _of_new_verb(word, lemma)
    return word[:-2] if tag in ("NNS", "VBZ") and word.endswith(("xes", "shes")) else lemma


def _of_new_verb(word: str, lemma: str) -> str:
    """Return the lemma of a verb that nothing attests: *pluk* of *plukked*, *zola* of *zolaed*."""
    if word.endswith(("aed", "oed")):
        return word[:-2]
    is_long = len(lemma) > _FEWEST and lemma[-4] == lemma[-3] and lemma[-3] in _VOWELS
    return lemma[:-1] if lemma[-2:] in _NEVER_LAST or (is_long and lemma[-1] == "e") else lemma


def _by_document(chosen: Word, doubtful: Sequence[str], seen: Set[str], tag: str) -> Word:
    found = next((each for each in doubtful if each in seen), "")
    return Word(found, tag == "NN") if found else chosen


@cache
def listed_forms() -> Mapping[str, str]:
    """Return the regional words: every form with its lemma."""
    text = (files("izwi.annotate") / "words" / "eng.txt").read_text(encoding="utf-8")
    entries = [e for line in text.splitlines() if not line.startswith("#") for e in line.split()]
    forms: dict[str, str] = {}
    for entry in entries:
        head, _, others = entry.partition("|")
        lemma, _, plural = head.partition("=")
        for form in (lemma, *filter(None, others.split(","))):
            forms[form] = lemma
        if not plural:
            for form in regular_forms(lemma):
                forms.setdefault(form, lemma)
    return forms


def regular_forms(lemma: str) -> tuple[str, ...]:
    """Return the forms that English makes of a noun or verb.

    >>> regular_forms("braai")
    ('braais', 'braaied', 'braaiing')
    """
    if lemma.endswith(_SIBILANTS):
        return (lemma + "es", lemma + "ed", lemma + "ing")
    if lemma.endswith("y") and lemma[-2] not in _VOWELS:
        return (lemma[:-1] + "ies", lemma[:-1] + "ied", lemma + "ing")
    if lemma.endswith("e"):
        return (lemma + "s", lemma + "d", lemma[:-1] + "ing")
    return (lemma + "s", lemma + "ed", lemma + "ing")


def _listed(word: str) -> str:
    """Return the lemma of a regional word, or of a compound that ends in one; nothing if none."""
    forms = listed_forms()
    if word in forms:
        return forms[word]
    for cut in range(max(3, len(word) - _longest_form()), len(word) - 4):
        end = word[cut:]
        if end in forms and forms[end] != end and not _is_known(word):
            return word[:cut] + forms[end]
    return ""


@cache
def _longest_form() -> int:
    return max(map(len, listed_forms()))


def _is_lemma(word: str) -> bool:
    import simplemma

    return _is_known(word) and simplemma.lemmatize(word, lang="en") == word


def _is_known(word: str) -> bool:
    import simplemma

    return bool(word) and bool(simplemma.is_known(word, lang="en"))


def _dictionary_lemma(word: str) -> str:
    import simplemma

    return str(simplemma.lemmatize(word, lang="en"))
