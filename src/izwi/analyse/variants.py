"""Which words are spellings of one another: hyphens, capitals, diacritics, one letter."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from izwi.index.lexicon import without_diacritics
from izwi.model.lexicography import Variant

_JOINERS = dict.fromkeys(map(ord, "-‐‑–'’ʼ \u00ad"))
# In shorter words one letter more often makes another word than another spelling.
_LONG_ENOUGH = 6


def spelling_key(word: str) -> str:
    """Return what spellings of a word share.

    >>> spelling_key("Load-shedding") == spelling_key("loadshedding")
    True
    """
    folded = unicodedata.normalize("NFC", word).casefold().translate(_JOINERS)
    return without_diacritics(folded)


def difference(word: str, other: str) -> str:
    """Return in what two spellings differ, in words; empty if they are not spellings of one."""
    if word == other:
        return ""
    if spelling_key(word) == spelling_key(other):
        return _within_key(word, other)
    return "one letter" if is_one_letter_away(spelling_key(word), spelling_key(other)) else ""


def _within_key(word: str, other: str) -> str:
    if word.casefold() == other.casefold():
        return "capitals"
    if word.casefold().translate(_JOINERS) == other.casefold().translate(_JOINERS):
        return "hyphen or apostrophe"
    return "diacritics"


def is_one_letter_away(one: str, other: str) -> bool:
    """Return whether a letter added, left out, changed or swapped makes one word of another.

    >>> is_one_letter_away("braaing", "braaiing"), is_one_letter_away("bakkie", "bakery")
    (True, False)
    """
    short, long = sorted((one, other), key=len)
    if len(short) < _LONG_ENOUGH - 1 or len(long) < _LONG_ENOUGH or len(long) - len(short) > 1:
        return False
    start = next((n for n, pair in enumerate(zip(short, long, strict=False)) if _differ(pair)), -1)
    if start < 0:
        return len(long) != len(short)
    if len(short) < len(long):
        return short[start:] == long[start + 1 :]
    is_changed = short[start + 1 :] == long[start + 1 :]
    is_swapped = (
        short[start : start + 2] == long[start : start + 2][::-1]
        and short[start + 2 :] == long[start + 2 :]
    )
    return is_changed or is_swapped


def _differ(pair: tuple[str, str]) -> bool:
    return pair[0] != pair[1]


class Neighbours:
    """Words to which others may be spellings: found by their key, or by a half they share."""

    def __init__(self, hits_by_word: Mapping[str, int]) -> None:
        self._hits: dict[str, int] = {}
        self._word_by_key: dict[str, str] = {}
        self._words_by_piece: dict[str, list[str]] = {}
        for word, hits in hits_by_word.items():
            self.add(word, hits)

    def add(self, word: str, hits: int) -> None:
        """Add a word; of words with one key the first stands for all."""
        key = spelling_key(word)
        self._hits[word] = hits
        if key in self._word_by_key:
            return
        self._word_by_key[key] = word
        for piece in _pieces(key):
            self._words_by_piece.setdefault(piece, []).append(word)

    def nearest(self, word: str) -> Variant | None:
        """Return the word of which one is a spelling, with its hits and the difference."""
        key = spelling_key(word)
        found = self._word_by_key.get(key) or self._one_letter_away(key)
        if found is None or found == word:
            return None
        return Variant(found, self._hits[found], difference(word, found))

    def _one_letter_away(self, key: str) -> str | None:
        """Return the commonest word one letter away; such words share a half as it stands."""
        near = dict.fromkeys(
            word for piece in _pieces(key) for word in self._words_by_piece.get(piece, ())
        )
        alike = (word for word in near if is_one_letter_away(spelling_key(word), key))
        return max(alike, key=lambda word: self._hits[word], default=None)


def grouped(hits_by_word: Mapping[str, int]) -> dict[str, tuple[Variant, ...]]:
    """Return groups of spellings under the most frequent of each, which is not a variant itself.

    >>> groups = grouped({"load-shedding": 5, "loadshedding": 2, "braai": 9})
    >>> {word: [variant.word for variant in own] for word, own in groups.items()}
    {'braai': [], 'load-shedding': ['loadshedding']}
    """
    heads: dict[str, list[Variant]] = {}
    neighbours = Neighbours({})
    for word in sorted(hits_by_word, key=lambda word: (-hits_by_word[word], word)):
        head = neighbours.nearest(word)
        if head is None:
            heads[word] = []
            neighbours.add(word, hits_by_word[word])
        else:
            heads[head.word].append(Variant(word, hits_by_word[word], head.reason))
    return {word: tuple(own) for word, own in heads.items()}


def words_and_forms(
    hits_by_word: Mapping[str, int], lemma_by_word: Mapping[str, str]
) -> dict[str, tuple[Variant, ...]]:
    """Return groups of spellings and of forms of one lemma, under the most frequent of each.

    >>> lemmas = {"vape": "vape", "vapes": "vape", "e-vape": "e-vape"}
    >>> [each.reason for each in words_and_forms({"vape": 5, "vapes": 2}, lemmas)["vape"]]
    ['form of the same lemma']
    """
    forms: dict[str, list[str]] = {}
    for word in sorted(hits_by_word, key=lambda word: (-hits_by_word[word], word)):
        forms.setdefault(lemma_by_word[word].casefold(), []).append(word)
    family = {own[0]: own for own in forms.values()}
    hits = {head: sum(hits_by_word[word] for word in own) for head, own in family.items()}
    return {
        head: (
            *_members(family[head], "", hits_by_word),
            *(
                each
                for variant in variants
                for each in _members(family[variant.word], variant.reason, hits_by_word)
            ),
        )
        for head, variants in grouped(hits).items()
    }


def _members(words: Sequence[str], reason: str, hits: Mapping[str, int]) -> Iterator[Variant]:
    """Yield forms of one lemma as variants; the first only if it differs from something."""
    if reason:
        yield Variant(words[0], hits[words[0]], reason)
    for word in words[1:]:
        yield Variant(word, hits[word], "form of the same lemma")


def _pieces(key: str) -> Iterable[str]:
    """Yield the halves of a word, cut at either side of its middle, as beginnings and ends."""
    if len(key) < _LONG_ENOUGH - 1:
        return
    for half in {len(key) // 2 - 1, len(key) // 2, (len(key) + 1) // 2}:
        yield f"^{key[:half]}"
        yield f"{key[half:]}$"
