"""A trained tagger: from words to tags, lemmas and features, and the file that it is kept in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.bundles import Choices, FeatureModel, choices, choose_bundles
from izwi.annotate.conventions import text_hash
from izwi.annotate.edits import (
    NO_FORMS,
    Integers,
    LemmaModel,
    edit_from_text,
    likeliest_forms,
)
from izwi.annotate.roots import NO_ROOTS, RootList, root_list
from izwi.annotate.tokens import looked_up
from izwi.kernels import roots, tagging
from izwi.kernels.features_of_words import (
    DYNAMIC,
    FACTS,
    KEPT,
    LISTED,
    NAME_CLUSTER,
    OF_BEGINNINGS,
    OF_LISTS,
    OF_ROOTS,
    STATIC,
)
from izwi.model.errors import PluginError, of_damaged_arrays
from izwi.model.records import dataclass

# Words worked on at a time: their features take 400 bytes each.
_BATCH = 20_000
# Marks that a treebank may lack, and those it has instead.
_MARKS = {
    **dict.fromkeys("“”„‟«»", '"'),
    **dict.fromkeys("‘’‚‛‹›", "'"),
    **dict.fromkeys("–—―‑", "-"),
    "…": "...",
    "``": '"',
    "''": '"',
}
# Lemmas remembered in a process.
_MOST_FORMS = 500_000


@dataclass(frozen=True, slots=True)
class Tag:
    """A universal part of speech and the language's own tag."""

    upos: str
    xpos: str


@dataclass(frozen=True, slots=True)
class WordList:
    """What lists of much text say of words by hash: a row of numbers for each (LISTED ...)."""

    words: Integers
    columns: Integers


NO_LIST = WordList(np.zeros(0, np.int64), np.zeros((0, NAME_CLUSTER + 1 - LISTED), np.int64))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The frequent words of the training text by hash, each with the class of its tags."""

    known: Integers
    classes: Integers
    listed: WordList = NO_LIST
    # Whether beginnings count more, where no list is: they are the class and concord in Nguni.
    weighs_beginnings: bool = False
    # Roots that are found inside words, if beginnings count more.
    roots: RootList = NO_ROOTS

    @property
    def more_features(self) -> int:
        """Return how many features words have beyond those of all languages."""
        if len(self.listed.words):
            return OF_LISTS
        return (OF_BEGINNINGS + OF_ROOTS * bool(len(self.roots))) * self.weighs_beginnings


@dataclass(frozen=True, slots=True)
class TaggerModel:
    """All that was learnt from a treebank; plain data."""

    language: str
    tags: tuple[Tag, ...]
    weights: NDArray[np.int8]
    vocabulary: Vocabulary
    lemmas: LemmaModel
    feats: Mapping[str, str] = field(default_factory=dict)
    stems: LemmaModel = NO_FORMS
    notes: Mapping[str, str] = field(default_factory=dict)
    # For words whose features are not listed; without it they have those usual for their tag.
    features: FeatureModel | None = None
    # Beginnings of the tags kept in mind for words further on: those of verbs.
    keeps: tuple[str, ...] = ()


def kept_tags(tags: Sequence[Tag], keeps: tuple[str, ...]) -> NDArray[np.uint8]:
    """Return for each tag whether it is kept in mind."""
    return np.array([tag.xpos.startswith(keeps) for tag in tags], np.uint8)


@dataclass(frozen=True, slots=True)
class Packed:
    """The words of a batch as numbers."""

    codes: Integers
    offsets: Integers
    sentences: Integers
    facts: Integers
    features: Integers


def pack(
    words: Sequence[str], sentences: Sequence[int], vocabulary: Vocabulary, mask: int
) -> Packed:
    """Return the features of words; `sentences` are the numbers of the words that begin them."""
    codes, kinds = looked_up("".join(words))
    wide = codes.astype(np.int64)
    offsets = np.fromiter(accumulate(map(len, words), initial=0), np.int64, len(words) + 1)
    bounds = np.array([*sentences, len(words)], np.int64)
    facts = np.zeros((len(words) + 4, FACTS), np.int64)
    facts[0], facts[1] = -1, -2
    listed = vocabulary.listed
    found = np.zeros((len(words), STATIC + vocabulary.more_features), np.int64)
    if vocabulary.more_features == OF_BEGINNINGS + OF_ROOTS:
        roots.find_roots(wide, offsets, vocabulary.roots.slots, vocabulary.roots.kinds, facts)
    tagging.all_features(
        wide,
        kinds,
        offsets,
        bounds,
        vocabulary.known,
        vocabulary.classes,
        listed.words,
        listed.columns,
        mask,
        facts,
        found,
    )
    return Packed(wide, offsets, bounds, facts, found)


def room_for_rows(packed: Packed, keeps: NDArray[np.uint8]) -> Integers:
    """Return room for the numbers of the rows of weights that one word looks at."""
    return np.zeros(packed.features.shape[1] + DYNAMIC + KEPT * bool(keeps.any()), np.int64)


class Tagger:
    """Tags and lemmatises words with a model."""

    def __init__(self, model: TaggerModel) -> None:
        self.model = model
        self._mask = len(model.weights) - 2
        self._keeps = kept_tags(model.tags, model.keeps)
        self._frequent: dict[str, bool] = {}
        self._mark_by_mark = {
            mark: known
            for mark, known in _MARKS.items()
            if self.is_frequent(known) and not self.is_frequent(mark)
        }
        self._lemma_by_word: dict[tuple[str, int], str] = {}
        self._stem_by_word: dict[tuple[str, int], str] = {}

    def tag(self, words: Sequence[str], sentences: Sequence[int], fixed: Any = None) -> Integers:
        """Return the number of the tag of each word; `fixed` tags (-1 for none) are kept."""
        tags = np.zeros(len(words), np.int64)
        given = np.full(len(words), -1, np.int64) if fixed is None else fixed
        for begin, end, packed in self._packed(words, sentences):
            self._tag_batch(packed, given[begin:end], tags[begin:end])
        return tags

    def _packed(
        self, words: Sequence[str], sentences: Sequence[int]
    ) -> Iterator[tuple[int, int, Packed]]:
        """Yield batches of words as numbers, with the numbers of the first and behind the last."""
        for first, last in _batches(sentences, len(words)):
            begins = sentences[first:last]
            begin = begins[0]
            end = sentences[last] if last < len(sentences) else len(words)
            places = [place - begin for place in begins]
            some, marks = words[begin:end], self._mark_by_mark
            if marks:
                some = [marks.get(word, word) for word in some]
            yield begin, end, pack(some, places, self.model.vocabulary, self._mask)

    def _tag_batch(self, packed: Packed, fixed: Integers, tags: Integers) -> None:
        scores = np.zeros(len(self.model.tags), np.int16)
        tagging.tag_words(
            packed.features,
            packed.facts,
            packed.sentences,
            fixed,
            self._keeps,
            self.model.weights,
            scores,
            room_for_rows(packed, self._keeps),
            self._mask,
            tags,
        )

    def is_frequent(self, word: str) -> bool:
        """Whether the training text has a word often enough for its tags to be remembered."""
        found = self._frequent.get(word)
        if found is None:
            value = text_hash(word)
            known = self.model.vocabulary.known
            place = int(np.searchsorted(known, value))
            found = place < len(known) and int(known[place]) == value
            if len(self._frequent) > _MOST_FORMS:
                self._frequent.clear()
            self._frequent[word] = found
        return found

    def lemmas(self, words: Sequence[str], tags: Integers) -> list[str]:
        """Return the lemma of each word under its tag; each pair is worked out once."""
        return self._forms(self.model.lemmas, self._lemma_by_word, words, tags)

    def stems(self, words: Sequence[str], tags: Integers) -> list[str]:
        """Return the root of each word under its tag."""
        return self._forms(self.model.stems, self._stem_by_word, words, tags)

    def _forms(
        self,
        model: LemmaModel,
        known: dict[tuple[str, int], str],
        words: Sequence[str],
        tags: Integers,
    ) -> list[str]:
        pairs = list(zip(words, tags.tolist(), strict=True))
        if len(known) > _MOST_FORMS:
            known.clear()
        new = list(set(pairs).difference(known))
        if new:
            found = self._new_forms(model, new)
            # A rule that takes an ending away leaves nothing of a word that is no more than it.
            forms = [form or word for form, (word, _) in zip(found, new, strict=True)]
            known.update(zip(new, forms, strict=True))
        return list(map(known.__getitem__, pairs))

    def _new_forms(self, model: LemmaModel, pairs: Sequence[tuple[str, int]]) -> list[str]:
        if not model.edits:
            return [word.lower() for word, _ in pairs]
        tags = self.model.tags
        made = likeliest_forms(model, pairs)
        return [
            model.exceptions.get(f"{word.lower()}\t{tags[tag].upos or tags[tag].xpos}") or form
            for (word, tag), form in zip(pairs, made, strict=True)
        ]

    def feats(self, words: Sequence[str], tags: Integers, sentences: Sequence[int]) -> list[str]:
        """Return the features of each word: listed, else chosen in its sentence, else usual."""
        table, bundles = self.model.feats, self._bundles(words, tags, sentences)
        return [
            table.get(f"{word.lower()}\t{tag}") or bundle or table.get(f"\t{tag}", "_")
            for word, tag, bundle in zip(words, tags.tolist(), bundles, strict=True)
        ]

    @cached_property
    def _choices(self) -> Choices:
        """What bundles are chosen among: made once, as it takes a millisecond."""
        model = self.model.features
        assert model is not None
        return choices(model.values, model.options, [tag.upos for tag in self.model.tags])

    def _bundles(self, words: Sequence[str], tags: Integers, sentences: Sequence[int]) -> list[str]:
        model = self.model.features
        if model is None:
            return [""] * len(words)
        return [
            model.values[number] if number >= 0 else ""
            for begin, end, packed in self._packed(words, sentences)
            for number in choose_bundles(
                model, self._choices, packed.facts, packed.sentences, tags[begin:end]
            )
        ]


def _batches(sentences: Sequence[int], words: int) -> list[tuple[int, int]]:
    """Return ranges of sentences that hold about a batch of words each."""
    if not sentences or not words:
        return []
    bounds = [0]
    for number, begin in enumerate(sentences):
        if begin - sentences[bounds[-1]] >= _BATCH:
            bounds.append(number)
    return list(zip(bounds, [*bounds[1:], len(sentences)], strict=True))


FORMAT = 1


def shipped_languages() -> tuple[str, ...]:
    """Return the languages (ISO 639-3) whose taggers come along."""
    folder = files("izwi") / "models" / "taggers"
    return tuple(sorted(f.name.removesuffix(".npz") for f in folder.iterdir() if ".npz" in f.name))


@lru_cache(maxsize=8)
def shipped_model(language: str) -> TaggerModel | None:
    """Return the model that comes along for a language, None if there is none."""
    path = Path(str(files("izwi") / "models" / "taggers" / f"{language}.npz"))
    return read_model(path) if path.exists() else None


def write_model(path: Path, model: TaggerModel) -> int:
    """Write a model and return its size in bytes."""
    lists = {
        "format": FORMAT,
        "language": model.language,
        "tags": [[tag.upos, tag.xpos] for tag in model.tags],
        "feats": model.feats,
        "lemma": _lists(model.lemmas),
        "stem": _lists(model.stems),
        "notes": model.notes,
        "keeps": model.keeps,
        "beginnings": model.vocabulary.weighs_beginnings,
    }
    learnt = model.features
    if learnt is not None:
        lists["values"], lists["options"] = learnt.values, learnt.options
    text = json.dumps(lists, ensure_ascii=False, sort_keys=True).encode()
    np.savez_compressed(
        path,
        lists=np.frombuffer(text, np.uint8),
        known=model.vocabulary.known.astype(np.uint32),
        classes=model.vocabulary.classes.astype(np.uint16),
        **_packed_list(model.vocabulary.listed),
        **_packed_roots(model.vocabulary.roots),
        **_without_empty_rows("tag", model.weights),
        **_without_empty_rows("lemma", model.lemmas.weights),
        **_without_empty_rows("stem", model.stems.weights),
        **(_without_empty_rows("value", learnt.weights) if learnt is not None else {}),
    )
    return path.stat().st_size


def read_model(path: Path) -> TaggerModel:
    """Return the model in a file."""
    try:
        # Opened here: NumPy leaves a damaged file open.
        with path.open("rb") as file, np.load(file) as found:
            parts = {name: found[name] for name in found.files}
        lists = json.loads(parts["lists"].tobytes())
    except of_damaged_arrays() as error:
        raise PluginError(f"{path} is not a tagger that can be read ({error}).") from error
    if lists.get("format") != FORMAT:
        raise PluginError(f"{path} was made by another version of izwi; train it again.")
    return TaggerModel(
        lists["language"],
        tuple(Tag(upos, xpos) for upos, xpos in lists["tags"]),
        _with_empty_rows("tag", parts),
        Vocabulary(
            parts["known"].astype(np.int64),
            parts["classes"].astype(np.int64),
            _word_list(parts),
            lists.get("beginnings", False),
            _roots(parts),
        ),
        _forms("lemma", lists, parts),
        lists["feats"],
        _forms("stem", lists, parts),
        lists["notes"],
        _features(lists, parts),
        tuple(lists.get("keeps", ())),
    )


def _features(lists: dict[str, Any], parts: dict[str, Any]) -> FeatureModel | None:
    """Return how features are chosen; packs made before they were in the sentence have none."""
    if "options" not in lists:
        return None
    options = tuple(map(tuple, lists["options"]))
    return FeatureModel(tuple(lists["values"]), options, _with_empty_rows("value", parts))


def _packed_list(listed: WordList) -> dict[str, Any]:
    if not len(listed.words):
        return {}
    values, numbers = np.unique(listed.columns, return_inverse=True)
    return {
        "listed": np.diff(listed.words, prepend=0).astype(np.uint32),
        "list_values": values.astype(np.uint32),
        # Column by column, as numbers of the values: there are few of them.
        "columns": np.ascontiguousarray(numbers.reshape(listed.columns.shape).T.astype(np.uint16)),
    }


def _word_list(parts: dict[str, Any]) -> WordList:
    if "listed" not in parts:
        return NO_LIST
    columns = parts["list_values"].astype(np.int64)[parts["columns"]]
    words = np.cumsum(parts["listed"].astype(np.int64))
    return WordList(words, np.ascontiguousarray(columns.T))


def _packed_roots(found: RootList) -> dict[str, Any]:
    if not len(found):
        return {}
    hashes, kinds = found.sorted()
    return {
        "roots": np.diff(hashes, prepend=0).astype(np.uint32),
        "root_kinds": kinds.astype(np.uint8),
    }


def _roots(parts: dict[str, Any]) -> RootList:
    if "roots" not in parts:
        return NO_ROOTS
    hashes = np.cumsum(parts["roots"].astype(np.int64))
    return root_list(hashes.tolist(), parts["root_kinds"].tolist())


def _lists(model: LemmaModel) -> dict[str, Any]:
    edits = [edit.as_text() for edit in model.edits]
    return {"edits": edits, "exceptions": model.exceptions, "attested": model.attested}


def _forms(name: str, lists: dict[str, Any], parts: dict[str, Any]) -> LemmaModel:
    edits = tuple(map(edit_from_text, lists[name]["edits"]))
    exceptions, attested = lists[name]["exceptions"], lists[name].get("attested", {})
    return LemmaModel(edits, _with_empty_rows(name, parts), exceptions, attested)


def _without_empty_rows(name: str, weights: NDArray[np.int8]) -> dict[str, Any]:
    used = np.flatnonzero(weights.any(axis=1))
    # Column by column the zeros lie together and pack well.
    return {
        f"{name}_rows": np.diff(used, prepend=0).astype(np.uint32),
        f"{name}_values": np.ascontiguousarray(weights[used].T),
        f"{name}_shape": np.array(weights.shape),
    }


def _with_empty_rows(name: str, parts: dict[str, Any]) -> NDArray[np.int8]:
    weights = np.zeros(parts[f"{name}_shape"], np.int8)
    weights[np.cumsum(parts[f"{name}_rows"].astype(np.int64))] = parts[f"{name}_values"].T
    return weights
