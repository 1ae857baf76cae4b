"""The default annotator: our tokens, our tagger where a language has one, the user's lexicon."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from izwi.annotate import attestation, spelling
from izwi.annotate.attestation import Attestation
from izwi.annotate.base import AnnotatorSettings, Lexicon, parse_lexicon
from izwi.annotate.edits import Integers
from izwi.annotate.segments import Segments, read_segments
from izwi.annotate.spaceless import Cutter, clusters, library_cutter
from izwi.annotate.tagger import Tagger, read_model, shipped_model
from izwi.annotate.tokens import Tokeniser
from izwi.annotate.word_lists import has_word_list, lemma_in_list, list_lemma
from izwi.model.document import Annotation
from izwi.model.languages import iso639_1, iso639_3

_ANY = AnnotatorSettings()
_DEPENDENCIES = ("heads", "deprels")


class Izwi:
    """Sentences, tokens, tags and lemmas for any language; the less is known, the less it says."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, settings: AnnotatorSettings = _ANY) -> None:
        self._language = iso639_3(settings.language)
        # It parses no dependencies: their columns stay empty.
        self._columns = tuple(name for name in settings.columns if name not in _DEPENDENCIES)
        self._lexicon = parse_lexicon(settings.lexicon)
        self._tokenise = Tokeniser(replace(settings, language=self._language), self.cutter())
        self._tagger = _tagger(settings.model, self._language) if self._columns else None
        self._segments = _segments(settings.segments) if settings.segments else None
        self._attested = Attestation(self._lexicon.lemmas) if self._language == "eng" else None

    @staticmethod
    def cutter() -> Cutter:
        """Return how runs in scripts without spaces are cut."""
        return clusters

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens of the paragraphs with the columns asked for."""
        found = replace(self._tokenise(paragraphs), language=self._language)
        if not self._columns:
            return found
        values = self._values(found)
        columns: dict[str, Any] = {name: tuple(values[name]) for name in self._columns}
        return replace(found, **columns)

    def _values(self, found: Annotation) -> dict[str, list[str]]:
        if self._tagger is None:
            values = untagged(found.words, found.sentences, self._language)
        else:
            values = tagged(self._tagger, found, self._columns, self._lexicon, self._attested)
        if self._segments and "stems" in self._columns:
            values["stems"] = [self._segments.stem(word) for word in found.words]
        return with_lexicon(found.words, values, self._lexicon)


class Jieba(Izwi):
    """The same, with Chinese cut into words by jieba."""

    depends_on: ClassVar[tuple[str, ...]] = ("jieba",)

    @staticmethod
    def cutter() -> Cutter:
        """Return how jieba cuts."""
        return library_cutter("jieba")


class Janome(Izwi):
    """The same, with Japanese cut into words by Janome."""

    depends_on: ClassVar[tuple[str, ...]] = ("janome",)

    @staticmethod
    def cutter() -> Cutter:
        """Return how Janome cuts."""
        return library_cutter("janome")


class PyThaiNlp(Izwi):
    """The same, with Thai cut into words by PyThaiNLP."""

    depends_on: ClassVar[tuple[str, ...]] = ("pythainlp",)

    @staticmethod
    def cutter() -> Cutter:
        """Return how PyThaiNLP cuts."""
        return library_cutter("pythainlp")


def tagged(
    tagger: Tagger,
    found: Annotation,
    columns: Sequence[str],
    lexicon: Lexicon,
    attested: Attestation | None = None,
) -> dict[str, list[str]]:
    """Return the columns that a tagger knows, with lemmas that are attested."""
    words, names = found.words, tagger.model.tags
    fixed = _fixed(tagger, words, lexicon) if len(lexicon) else None
    tags = tagger.tag(words, found.sentences, fixed)
    lemmas = tagger.lemmas(words, tags)
    if attested:
        tags, lemmas = _attested(tagger, words, tags, lemmas, attested)
    elif tagger.model.language in spelling.LANGUAGES:
        tags, lemmas = _spelt(tagger, found, tags, lemmas)
    elif has_word_list(tagger.model.language):
        lemmas = _looked_up(tagger, words, tags, lemmas)
    chosen = [names[number] for number in tags.tolist()]
    values = {
        "upos": [tag.upos or tag.xpos for tag in chosen],
        "xpos": [tag.xpos or tag.upos for tag in chosen],
    }
    if "lemmas" in columns:
        values["lemmas"] = lemmas
    if "feats" in columns:
        values["feats"] = tagger.feats(words, tags, found.sentences)
    if "stems" in columns:
        values["stems"] = tagger.stems(words, tags)
    return values


def _attested(
    tagger: Tagger, words: Sequence[str], tags: Integers, lemmas: list[str], attested: Attestation
) -> tuple[Integers, list[str]]:
    """Return tags and lemmas as attestation corrects them: *taxis* is a plural, of *taxi*."""
    names = tagger.model.tags
    chosen = [names[number] for number in tags.tolist()]
    learnt = tagger.model.lemmas.exceptions
    changes = [
        None if found is None or f"{word.lower()}\t{tag.upos or tag.xpos}" in learnt else found
        for word, tag, found in zip(
            words, chosen, attested.words(words, [tag.xpos for tag in chosen], lemmas), strict=True
        )
    ]
    return _changed(tagger, tags, lemmas, [c and (c.tag, c.lemma) for c in changes])


def _looked_up(
    tagger: Tagger, words: Sequence[str], tags: Integers, lemmas: Sequence[str]
) -> list[str]:
    """Return lemmas, those of words that the treebank hardly has from the word list.

    On the development parts of German, Swedish, Czech and French that is right 1.8, 1, .8 and .2
    words in a hundred more often; for frequent words the treebank knows better.
    """
    model = tagger.model
    found = []
    for word, tag, lemma in zip(words, tags.tolist(), lemmas, strict=True):
        part = model.tags[tag].upos
        is_known = (
            part == "PROPN" or not word[:1].isalpha() or tagger.is_frequent(word)
        ) or f"{word.lower()}\t{part}" in model.lemmas.exceptions
        # German writes nouns, and their lemmas, with a capital.
        form = word if lemma[:1].isupper() else word.lower()
        found.append(lemma if is_known else lemma_in_list(form, model.language) or lemma)
    return found


def _spelt(
    tagger: Tagger, found: Annotation, tags: Integers, lemmas: list[str]
) -> tuple[Integers, list[str]]:
    """Return tags and lemmas as the spelling of names, numbers and loans corrects them."""
    names = [tagger.model.tags[number].xpos for number in tags.tolist()]
    readings = list(zip(found.words, names, lemmas, strict=True))
    changes = spelling.corrections(
        readings, found.sentences, tagger.is_frequent, tagger.model.lemmas.attested
    )
    return _changed(tagger, tags, lemmas, changes)


def _changed(
    tagger: Tagger,
    tags: Integers,
    lemmas: Sequence[str],
    changes: Sequence[tuple[str, str] | None],
) -> tuple[Integers, list[str]]:
    """Return tags and lemmas with the changes, each an own-language tag ("" for none) and lemma."""
    number_by_tag: dict[str, int] = {}
    for number, tag in enumerate(tagger.model.tags):
        number_by_tag.setdefault(tag.xpos, number)
    new_tags, new_lemmas = tags.copy(), list(lemmas)
    for place, change in enumerate(changes):
        if change is not None:
            new_tags[place] = number_by_tag.get(change[0], new_tags[place])
            new_lemmas[place] = change[1]
    return new_tags, new_lemmas


def untagged(words: Sequence[str], sentences: Sequence[int], language: str) -> dict[str, list[str]]:
    """Return what can be said of words without a model: lemmas from word lists, or lower case."""
    lower = [word.lower() for word in words]
    nothing = [""] * len(words)
    lemmas = _listed_lemmas(words, sentences, language) or lower
    return {"lemmas": lemmas, "upos": nothing, "xpos": nothing, "feats": nothing, "stems": lemmas}


def with_lexicon(
    words: Sequence[str], values: dict[str, list[str]], lexicon: Lexicon
) -> dict[str, list[str]]:
    """Return the columns with what the user's lexicon says put over them."""
    if not len(lexicon):
        return values
    changed = {name: list(column) for name, column in values.items()}
    for place, word in enumerate(words):
        entry = lexicon.find(word)
        if entry is None:
            continue
        tag_column = "upos" if entry.is_universal else "xpos"
        for name, value in ((tag_column, entry.tag), ("lemmas", entry.lemma)):
            if name in changed:
                changed[name][place] = value
    return changed


def _fixed(tagger: Tagger, words: Sequence[str], lexicon: Lexicon) -> Integers:
    """Return the model's tag nearest to what the lexicon says of each word, -1 where it is silent.

    Among the tags with the entry's part of speech the plainest (first) one is taken: its
    neighbours see it, and its own-language tag is shown.
    """
    number_by_tag: dict[str, int] = {}
    for number, tag in enumerate(tagger.model.tags):
        number_by_tag.setdefault(tag.upos, number)
        number_by_tag.setdefault(f"\t{tag.xpos}", number)
    fixed = np.full(len(words), -1, np.int64)
    for place, word in enumerate(words):
        entry = lexicon.find(word)
        if entry is not None:
            key = entry.tag if entry.is_universal else f"\t{entry.tag}"
            fixed[place] = number_by_tag.get(key, -1)
    return fixed


@lru_cache(maxsize=8)
def _segments(path: str) -> Segments:
    return read_segments(Path(path))


@lru_cache(maxsize=8)
def _tagger(model: str, language: str) -> Tagger | None:
    found = read_model(Path(model)) if model else shipped_model(language)
    return Tagger(found) if found is not None else None


def _listed_lemmas(
    words: Sequence[str], sentences: Sequence[int], language: str
) -> list[str] | None:
    """Return lemmas from the word lists of simplemma, None if it has none for the language."""
    if not has_word_list(language):
        return None
    first = _first_words(words, sentences)
    return [
        _listed_lemma(word, language, is_first=place in first) for place, word in enumerate(words)
    ]


def _first_words(words: Sequence[str], sentences: Sequence[int]) -> frozenset[int]:
    """Return the places of the first words of sentences, whose capital says nothing."""
    found = (
        next((place for place in range(start, end) if words[place][:1].isalpha()), start)
        for start, end in pairwise((*sentences, len(words)))
    )
    return frozenset(found)


def is_listed(word: str, language: str) -> bool:
    """Whether the dictionary of a language, else its tagger, has a word in lower case.

    Our list of regional words does not count: they are what one looks for.
    """
    if has_word_list(language):
        import simplemma

        return bool(simplemma.is_known(word, lang=iso639_1(language)))
    tagger = _tagger("", language)
    return tagger is not None and tagger.is_frequent(word)


def attests(lemma: str, language: str) -> bool:
    """Whether a list of ours, the dictionary of a language or its treebank has a lemma."""
    if language == "eng" and attestation.listed_forms().get(lemma) == lemma:
        return True
    tagger = _tagger("", language)
    if tagger is not None and lemma in tagger.model.lemmas.attested:
        return True
    return is_listed(lemma, language)


def _listed_lemma(word: str, language: str, *, is_first: bool) -> str:
    """Return the lemma of a word, which at the beginning of a sentence may be in small letters.

    A capital inside a sentence stays where no list has the word in small letters: it is a name.
    """
    if not word[:1].isalpha():
        return word
    low, lemma = word.lower(), list_lemma(word, language)
    if is_first and lemma == word != low:
        other = list_lemma(low, language)
        return other if other != low else lemma
    is_name = word != low == lemma and not is_first and lemma_in_list(low, language) is None
    return word if is_name else lemma


def annotate(
    text: str, language: str, *, lexicon: Sequence[str] = (), pack: str | Path = ""
) -> Annotation:
    """Return sentences, tokens, tags and lemmas of a text; each line is a paragraph.

    The lexicon's lines (word, tag, lemma with tabs between) win over the model. A language pack is
    a folder made by `izwi language make`, or the name of an installed one.
    """
    settings = AnnotatorSettings(language=language, lexicon=tuple(lexicon))
    if pack:
        from izwi.config.language_packs import find_pack

        found = find_pack(str(pack), Path())
        settings = replace(
            settings,
            model=str(found.part("tagger.npz") or ""),
            lexicon=(*found.lines("lexicon.tsv"), *lexicon),
            abbreviations=found.words("abbreviations.txt"),
            clitics=found.words("clitics.txt"),
        )
    return Izwi(settings)(text.split("\n"))
