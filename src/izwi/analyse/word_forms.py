"""Which forms belong to one word: its lemma, tags and spellings, and which attributes hold them."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.vocabulary import Vocabulary
from izwi.index.lexicon import without_diacritics
from izwi.index.limits import Deadline
from izwi.index.reader import Attribute, Segment
from izwi.model.errors import QueryError
from izwi.model.languages import iso639_3
from izwi.model.lexicography import Variant
from izwi.query.engine import Filter, chosen_documents

_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True)
class Lemma:
    """A lemma that occurs, or nothing, and what has to be said of how it was found."""

    text: str
    notes: tuple[str, ...] = ()
    occurs: bool = True


def lemma_of(segments: Sequence[Segment], word: str) -> Lemma:
    """Return the lemma somebody means: as typed, but for its case, or of the form typed."""
    typed = word.strip()
    if any(lemma_attribute(segment).number(typed) is not None for segment in segments):
        return Lemma(typed)
    counted = _but_for_case(segments, typed) + _of_form(segments, typed)
    likely = max(counted, key=counted.__getitem__, default="")
    if not likely:
        return Lemma(typed, (f"'{typed}' does not occur.",), occurs=False)
    return Lemma(likely, (f"'{typed}' is not a lemma here; this is '{likely}'.",))


def _but_for_case(segments: Sequence[Segment], typed: str) -> Counter[str]:
    counted: Counter[str] = Counter()
    for segment in segments:
        lemmas = lemma_attribute(segment)
        numbers = lemmas.lexicon.same_but_for_case(typed)
        _count(counted, lemmas.values(numbers), lemmas.frequencies_of(numbers))
    return counted


def _of_form(segments: Sequence[Segment], typed: str) -> Counter[str]:
    """Return the lemmas that the occurrences of a form have."""
    counted: Counter[str] = Counter()
    for segment in segments:
        forms = form_attribute(segment)
        form = forms.number(typed.lower())
        if form is None:
            continue
        lemmas = lemma_attribute(segment)
        numbers = np.unique(lemmas.column[forms.positions(form)], return_counts=True)
        _count(counted, lemmas.values(numbers[0]), numbers[1])
    return counted


def _count(counted: Counter[str], values: Sequence[str], many: NDArray[np.int64]) -> None:
    for value, hits in zip(values, many.tolist(), strict=True):
        counted[value] += hits


def document_mask(segment: Segment, chosen: Filter, language: str) -> NDArray[np.bool_] | None:
    """Return which documents count and are of a language, as far as they say; None for all."""
    mask = chosen_documents(segment, chosen).mask
    codes = segment.cards.column("language").to_pylist()
    is_other = np.fromiter((bool(code) and code != language for code in codes), np.bool_)
    if not is_other.any():
        return mask
    return ~is_other if mask is None else mask & ~is_other


def token_mask(
    segment: Segment, documents: NDArray[np.bool_], first: int, last: int
) -> NDArray[np.bool_]:
    """Return which tokens of a stretch are in some documents."""
    own = segment.documents_at(np.arange(first, last))
    return documents[own]


def lemma_frequencies(segment: Segment, chosen: Filter, language: str) -> NDArray[np.int64]:
    """Return how often each lemma occurs in the documents that count."""
    lemmas = lemma_attribute(segment)
    mask = document_mask(segment, chosen, language)
    if mask is None:
        return lemmas.frequencies
    key = ("lemma frequencies", chosen, language)
    return segment.remembered(key, lambda: _counted(segment, mask))


def _counted(segment: Segment, mask: NDArray[np.bool_]) -> NDArray[np.int64]:
    lemmas = lemma_attribute(segment)
    found = np.zeros(len(lemmas.lexicon), np.int64)
    for first in range(0, segment.tokens, _BLOCK):
        last = min(first + _BLOCK, segment.tokens)
        column = lemmas.column[first:last][token_mask(segment, mask, first, last)]
        found += np.bincount(column, minlength=len(found))
    return found


_TAGS = ("pos", "tag", "xpos")


def form_attribute(segment: Segment) -> Attribute:
    """Return the forms in lower case, or as written where those were not made."""
    return segment.attribute("lc" if "lc" in segment.attributes else "word")


def lemma_attribute(segment: Segment) -> Attribute:
    """Return what words are counted by: lemmas, or forms where there are none."""
    return segment.attribute("lemma") if "lemma" in segment.attributes else form_attribute(segment)


def tags_named(segment: Segment, names: tuple[str, ...] = _TAGS) -> str:
    """Return what the tags of a segment are called; nothing where it has none."""
    return next((name for name in names if name in segment.attributes), "")


def has_universal_tags(segment: Segment) -> bool:
    """Return whether a segment has tags of Universal Dependencies, under whatever name."""
    if "upos" in segment.attributes:
        return True
    names = (name for name in _TAGS if name in segment.attributes)
    return any(segment.attribute(name).number("NOUN") is not None for name in names)


def tag_attribute(segment: Segment, names: tuple[str, ...] = ()) -> Attribute:
    """Return the tags of some name, else of a language's own set; an error says how to get some."""
    found = tags_named(segment, names or _TAGS)
    if not found:
        raise QueryError(
            "Sketches need tags, and this corpus has none. Let an annotator make them: "
            'attributes = ["word", "lc", "lemma", "pos"] under [index] in corpus.toml.'
        )
    return segment.attribute(found)


Numbers = NDArray[np.int64]
# Penn's tags and the universal ones; NUM, MD and AUX are none of them.
_CONTENT = re.compile(r"(?:N(?!UM)|V|J|RB|ADJ|ADV|PROPN|FW)")
# Verbs by their tags, but they help others more often than they say something themselves; by
# language, since "word" helps in Afrikaans and is a noun in English.
_HELPERS = {
    "afr": frozenset({"had", "het", "is", "was", "wees", "word"}),
    "eng": frozenset({
        "am", "are", "be", "been", "being", "did", "do", "does", "doing", "had", "has", "have",
        "having", "is", "was", "were", "'s", "'re", "'ve", "'m", "'d", "n't",
    }),
}  # fmt: skip
_ALL_HELPERS = frozenset().union(*_HELPERS.values())
# Where values stand at more of the places than this, all places are looked at once and kept.
_MANY = 1 / 8


def are_content_words(
    segments: Sequence[Segment],
    attribute: str,
    vocabulary: Vocabulary,
    numbers: Numbers,
    deadline: Deadline,
) -> NDArray[np.bool_]:
    """Return which values of an attribute are mostly tagged as content words."""
    if not segments or not all(map(tags_named, segments)):
        raise QueryError("This index has no tags, so that content words cannot be told; ask all.")
    votes = [
        _votes(segment, attribute, _own(vocabulary, place, segment, attribute, numbers), deadline)
        for place, segment in enumerate(segments)
    ]
    found = vocabulary.summed(votes)[numbers] > 0
    for place, value in enumerate(vocabulary.values(numbers)):
        plain = value.lower().replace("\u2019", "'")
        if plain in _ALL_HELPERS:
            found[place] = _says_something(segments, attribute, value, plain)
    return np.asarray(found)


def _own(
    vocabulary: Vocabulary, place: int, segment: Segment, attribute: str, numbers: Numbers
) -> Numbers:
    """Return the numbers that some values have in one segment."""
    every = vocabulary.numbers(place, np.arange(len(segment.attribute(attribute).lexicon)))
    return np.flatnonzero(np.isin(every, numbers))


def _votes(segment: Segment, attribute: str, own: Numbers, deadline: Deadline) -> Numbers:
    """Return for each value by how many places it is a content word more often than not."""
    column = segment.attribute(attribute)
    many = int(column.frequencies_of(own).sum())
    if many > _MANY * segment.tokens:
        key = ("votes for content", attribute)
        return segment.remembered(key, lambda: _all_votes(segment, column, deadline))
    return _votes_at(segment, column, column.positions_of(own))


def _all_votes(segment: Segment, column: Attribute, deadline: Deadline) -> Numbers:
    votes = np.zeros(len(column.lexicon), np.int64)
    for first in range(0, segment.tokens, _BLOCK):
        deadline.check()
        votes += _votes_at(segment, column, slice(first, min(first + _BLOCK, segment.tokens)))
    return votes


def _votes_at(segment: Segment, column: Attribute, places: slice | NDArray[np.integer]) -> Numbers:
    tags = segment.attribute(tags_named(segment))
    vote_by_tag = np.array([1 if _CONTENT.match(tag) else -1 for tag in tags.lexicon.to_pylist()])
    is_content = vote_by_tag[tags.column[places]] > 0
    values, size = column.column[places], len(column.lexicon)
    return 2 * np.bincount(values[is_content], minlength=size) - np.bincount(values, minlength=size)


def _says_something(segments: Sequence[Segment], attribute: str, value: str, plain: str) -> bool:
    """Return whether a word that helps in some languages is a content word in most places."""
    helping = {language for language, words in _HELPERS.items() if plain in words}
    votes = 0
    for segment in segments:
        number = segment.attribute(attribute).number(value)
        if number is None:
            continue
        places = np.asarray(segment.attribute(attribute).positions(number))
        some = places[:: -(-len(places) // _MOST_PLACES)] if len(places) else places
        helps = np.array(_is_of(segment, some, helping), np.bool_)
        tags = segment.attribute(tags_named(segment))
        told = tags.values(np.asarray(tags.column[some])) if len(some) else []
        content = np.array([bool(_CONTENT.match(tag)) for tag in told], np.bool_)
        votes += 2 * int((content & ~helps).sum()) - len(some)
    return votes > 0


# Places looked at for each word that helps: their documents' languages are read one by one.
_MOST_PLACES = 25


def _is_of(segment: Segment, places: NDArray[np.integer], languages: Set[str]) -> list[bool]:
    """Return whether each place is in text of some languages, or of one nobody told."""
    codes = segment.cards.column("language")
    told = (codes[document].as_py() for document in segment.documents_at(places).tolist())
    return [not code or iso639_3(code) in languages for code in told]


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
