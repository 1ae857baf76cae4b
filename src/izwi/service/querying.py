"""Searching: what a reader typed becomes a query, with what it looks up, and the query lines."""

import json
import unicodedata
from collections.abc import Sequence
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from izwi.annotate.tokens import kind_of, words_of
from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import Segment, common_attributes
from izwi.kernels.kinds import SPACELESS
from izwi.model.errors import QueryError
from izwi.model.languages import iso639_1
from izwi.model.records import dataclass
from izwi.model.results import Concordance
from izwi.query import simple
from izwi.query.concordance import Filter, Narrowing, View, concordance
from izwi.query.cql import Lookups, parse
from izwi.query.cql_cursor import looks_like_cql
from izwi.query.engine import chosen_documents, find
from izwi.query.simple import by_word_list, one_of, read_word_list, tokens_of
from izwi.query.tree import Alternatives, Pattern, Query, format_query

if TYPE_CHECKING:
    from izwi.analyse.selection import Selection
    from izwi.analyse.sketch_grammar import Grammar
    from izwi.config.schema import CorpusConfig
    from izwi.service.folder import CorpusFolder


@dataclass(frozen=True, slots=True)
class Understood:
    """A query as it was typed, its tokens if it was a phrase, and what it stands for."""

    text: str
    tokens: tuple[str, ...]
    query: Query


def understood(
    text: str,
    mode: str,
    segments: Sequence[Segment],
    *,
    is_exact_case: bool,
    lookups: Lookups | None = None,
) -> Understood:
    """Return what a text asks for in a mode; `auto` tells CQL from a phrase."""
    if mode not in simple.MODES:
        raise QueryError(f"A mode is one of {', '.join(simple.MODES)}, not '{mode}'.")
    # Texts are stored in this form; what a keyboard gives may differ.
    plain = unicodedata.normalize("NFC", text)
    if mode == "cql" or (mode == "auto" and looks_like_cql(plain)):
        return Understood(text, (), parse(plain, common_attributes(segments), lookups))
    if mode == "auto":
        plain = simple.unquoted(plain)
    ways = occurring(tokenisations(plain), segments)
    queries = [_simple(way, mode, segments, is_exact_case=is_exact_case) for way in ways]
    return Understood(text, ways[0], simple.either(queries))


def _simple(
    tokens: tuple[str, ...], mode: str, segments: Sequence[Segment], *, is_exact_case: bool
) -> Query:
    attributes = common_attributes(segments)
    if mode == "lemma":
        return simple.lemma_query(tokens, attributes)
    if mode == "word":
        return simple.word_query(tokens, segments, is_exact_case=is_exact_case)
    return simple.phrase_query(tokens, attributes, is_exact_case=is_exact_case)


def translated(
    text: str,
    translate: str,
    segments: Sequence[Segment],
    *,
    folder: Path,
    config: "CorpusConfig",
    is_exact_case: bool,
    seconds: float | None,
) -> Understood:
    """Return what a text means in the language of the corpus, by a word list or a service."""

    def pattern_of(meaning: str) -> Pattern:
        ways = occurring(tokenisations(unicodedata.normalize("NFC", meaning)), segments)
        queries = [_simple(way, "phrase", segments, is_exact_case=is_exact_case) for way in ways]
        return simple.either(queries).pattern

    tokens = simple.tokens_of(text, words_of)
    if is_service(translate):
        address = address_of(translate, config)
        meanings = ask_service(address, text, config.corpus.languages, seconds=seconds)
        return Understood(text, tokens, Query(one_of(meanings, pattern_of)))
    words = read_word_list(list_of(translate, folder))
    return Understood(text, tokens, by_word_list(tokens, words, pattern_of))


def concordance_of(
    asked: Understood,
    segments: Sequence[Segment],
    *,
    snapshot: int,
    chosen: Filter,
    view: View,
    narrowing: Narrowing,
    deadline: Deadline,
) -> Concordance:
    """Return one page of the lines a query finds, within a time limit."""
    return concordance(
        segments,
        asked.query,
        text=asked.text,
        tokens=asked.tokens,
        cql=format_query(asked.query),
        snapshot=snapshot,
        chosen=chosen,
        view=view,
        narrowing=narrowing,
        deadline=deadline,
    )


def documents_asked(
    segments: Sequence[Segment], query: str, where: str, *, mode: str = "auto"
) -> frozenset[str]:
    """Return the ids of the documents with hits of a query, those a condition names, or both."""
    counted = [chosen_documents(segment, Filter(where=where)) for segment in segments]
    asked = understood(query, mode, segments, is_exact_case=False) if query else None
    found: list[str] = []
    hits = find(segments, asked.query) if asked else repeat(None)
    for segment, own, part in zip(segments, counted, hits, strict=False):
        mask = np.ones(len(segment.document_starts), np.bool_) if own.mask is None else own.mask
        if part is not None:
            mask = mask & np.isin(np.arange(len(mask)), part.documents)
        found += map(segment.document_id, np.flatnonzero(mask).tolist())
    if not found:
        raise QueryError("No document of the corpus is as asked for; nothing was written.")
    return frozenset(found)


# English texts are cut at clitics and hyphens, those of some languages after l' and il- or before
# 'r, and Swedish and Finnish ones not at colons; each stands for its like.
_CONVENTIONS = ("und", "eng", "fra", "ita", "gla", "cym", "mlt", "ron", "swe")
# No word of a script without spaces has more signs.
_LONGEST_WORD = 12

Tokens = tuple[str, ...]


def tokenisations(query: str) -> list[Tokens]:
    """Return the ways in which a query may have been cut, the plainest first.

    Apostrophes may have been set as a typewriter does or as a printer does.

    >>> tokenisations("blue-light")
    [('blue-light',), ('blue', '-', 'light')]
    """
    printed = query.replace("'", "\N{RIGHT SINGLE QUOTATION MARK}")
    typed = query.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    ways = (
        tokens_of(text, partial(words_of, language=each))
        for text in dict.fromkeys((query, printed, typed))
        for each in _CONVENTIONS
    )
    found = list(dict.fromkeys(ways))
    return [*found, tuple(query.split())] if is_spaceless(query) else found


def is_spaceless(text: str) -> bool:
    """Whether a text has signs of a script that is written without spaces."""
    return not text.isascii() and any(kind_of(ord(sign)) == SPACELESS for sign in text)


def occurring(ways: Sequence[Tokens], segments: Sequence[Segment]) -> list[Tokens]:
    """Return the ways whose tokens all occur in some segment; the plainest if none do."""
    if len(ways) == 1:
        return list(ways)
    if is_spaceless("".join(ways[-1])):
        # Whoever cut the texts, their words are in the index: the longest first.
        cut = tuple(word for part in ways[-1] for word in _words_in(part, segments))
        ways = list(dict.fromkeys((*ways, cut)))
    found = [way for way in ways if any(_occur(way, segment) for segment in segments)]
    return found or [ways[0]]


def _words_in(run: str, segments: Sequence[Segment]) -> list[str]:
    """Return a run cut into the longest words that occur, from its beginning."""
    words, place = [], 0
    while place < len(run):
        sizes = range(min(_LONGEST_WORD, len(run) - place), 1, -1)
        size = next((n for n in sizes if _occurs(run[place : place + n], segments)), 1)
        words.append(run[place : place + size])
        place += size
    return words


def _occurs(word: str, segments: Sequence[Segment]) -> bool:
    return any(_occur((word,), segment) for segment in segments)


def _occur(tokens: Tokens, segment: Segment) -> bool:
    """Whether a segment has all of some tokens, whatever their case; wildcards always fit."""
    lexicon = segment.word.lexicon
    return all("*" in token or len(lexicon.same_but_for_case(token)) > 0 for token in tokens)


# What stands for the service that corpus.toml names.
SERVICE = "service"
# Word lists of a corpus lie in this folder of it, as NAME.tsv.
LISTS = "translations"
_SECONDS = 10.0
_MOST_BYTES = 1 << 20
_ALTERNATIVES = 5


def is_service(translate: str) -> bool:
    """Return whether a translator is a service, not a list of words."""
    return translate == SERVICE or translate.startswith(("http://", "https://"))


def address_of(translate: str, config: "CorpusConfig") -> str:
    """Return the address of a service, given as such or by corpus.toml."""
    if translate != SERVICE:
        return translate
    if not config.search.translator:
        raise QueryError(
            'corpus.toml names no translation service: set translator = "http://..." in [search].'
        )
    return config.search.translator


def list_of(translate: str, folder: Path) -> Path:
    """Return the file of a word list: one of the corpus by its name, or any by its path."""
    own = folder / LISTS / f"{translate}.tsv"
    return own if own.is_file() else Path(translate)


def ask_service(
    address: str, text: str, languages: Sequence[str], *, seconds: float | None
) -> tuple[str, ...]:
    """Return what a text means in the first of some languages, the likeliest meaning first."""
    if not languages:
        raise QueryError("A translation needs the language of the corpus: set it in corpus.toml.")
    asked = {
        "q": text,
        "source": "auto",
        "target": iso639_1(languages[0]) or languages[0],
        "format": "text",
        "alternatives": _ALTERNATIVES,
    }
    answer = _answer(f"{address.rstrip('/')}/translate", asked, min(seconds or _SECONDS, _SECONDS))
    others = answer.get("alternatives")
    found = [answer.get("translatedText"), *(others if isinstance(others, list) else ())]
    meanings = dict.fromkeys(each.strip() for each in found if isinstance(each, str))
    known = tuple(meaning for meaning in meanings if meaning)
    if not known:
        raise QueryError(f"The translation service knows no meaning of '{text}'.")
    return known


def _answer(address: str, asked: dict[str, object], seconds: float) -> dict[str, object]:
    from urllib.request import Request, urlopen  # takes 13 ms to load, and few queries ask anybody

    request = Request(address, json.dumps(asked).encode(), {"Content-Type": "application/json"})
    try:
        with urlopen(request, timeout=seconds) as response:
            found = json.loads(response.read(_MOST_BYTES))
    except (OSError, ValueError) as error:
        raise QueryError(
            f"The translation service at {address} did not answer as expected ({error})."
        ) from None
    if not isinstance(found, dict):
        raise QueryError(f"The translation service at {address} answered with no translation.")
    return found


# Relations are looked up among so many words, those rarer than shown in a profile too.
_MOST_RELATED = 1000
# A word stands in relations at least so often to be compared, as izwi thesaurus has it.
_LEAST_SIMILAR = 5


@dataclass(frozen=True, slots=True)
class CorpusLookups:
    """Looks words up in some segments of a corpus."""

    corpus: "CorpusFolder"
    segments: Sequence[Segment]
    deadline: Deadline = NEVER

    def _everything(self) -> "Selection":
        from izwi.analyse.selection import Selection

        return Selection(tuple(self.segments), Filter(), deadline=self.deadline)

    def similar(self, word: str, most: int) -> tuple[str, ...]:
        """Return a word and so many that are most like it, as izwi thesaurus has them."""
        from izwi.analyse.sketches import Wish
        from izwi.analyse.thesaurus import thesaurus

        wish = Wish(least=_LEAST_SIMILAR, most=most)
        found = thesaurus(self._everything(), self._grammar(), self._lemma(word), wish)
        return (found.word, *(line.word for line in found.lines))

    def related(self, word: str, relation: str, other: str) -> Pattern:
        """Return the pattern of a word with another one, or any, in a relation of its profile."""
        from izwi.analyse.sketches import Wish, sketch

        wish = Wish(least=1, most=_MOST_RELATED)
        found = sketch(self._everything(), self._grammar(), self._lemma(word), wish)
        named = [each for each in found.relations if _is_named(each.name, relation)]
        if not named:
            known = ", ".join(each.name for each in found.relations) or "none"
            raise QueryError(f"'{found.word}' has no relation '{relation}' (it has: {known}).")
        wanted = self._lemma(other)
        rows = [row for each in named for row in each.collocates]
        queries = [row.cql for row in rows if wanted in ("", row.word)]
        if not queries:
            raise QueryError(
                f"'{wanted}' does not occur in the relation '{named[0].name}' to '{found.word}'."
            )
        patterns = tuple(dict.fromkeys(parse(query).pattern for query in queries))
        return patterns[0] if len(patterns) == 1 else Alternatives(patterns)

    def term(self, words: str) -> Pattern:
        """Return the pattern of a term as izwi terms counts it: its words with their tags."""
        from izwi.analyse.ngrams import term_cql
        from izwi.analyse.selection import attribute_of

        attributes = self.segments[0].attributes if self.segments else ()
        attribute = attribute_of(self.segments, "")
        return parse(term_cql(words.split(), attribute, attributes)).pattern

    def word_list(self, name: str) -> tuple[str, ...]:
        """Return the words of a list that lies with the corpus, by its name without the ending."""
        from izwi.service import lexicography

        for file in self.corpus.lists["lists"]:
            if name in (file, Path(file).stem):
                return lexicography.listed_words(self.corpus.path, file)
        return ()

    def _grammar(self) -> "Grammar":
        from izwi.service import lexicography

        return lexicography.grammar_of("", self.corpus.config, self.segments, self.corpus.path)

    def _lemma(self, word: str) -> str:
        """Return a lemma without the letter of its class that Sketch Engine puts behind it."""
        plain, dash, kind = word.rpartition("-")
        is_lempos = bool(dash) and plain and len(kind) == 1 and kind.isalpha()
        if not is_lempos or any(
            segment.attribute("lemma").number(word) is not None
            for segment in self.segments
            if "lemma" in segment.attributes
        ):
            return word
        return plain


# What Sketch Engine calls relations that have other names here.
_THEIR_NAMES = {
    "modifier": ("adjective", "noun before it", "adverb"),
    "modifies": ("noun it modifies", "verb it modifies", "adjective it modifies"),
    "object of": ("verb with it as object",),
    "subject of": ("verb with it as subject",),
    "and/or": ("and, or",),
}


def _is_named(name: str, asked: str) -> bool:
    """Whether a relation is meant: by its name or Sketch Engine's, in capitals or not.

    >>> _is_named("object", "OBJECT"), _is_named("adjective", 'modifiers of "%w"')
    (True, True)
    """
    plain = asked.replace("_", " ").casefold().replace('"%w"', "").strip()
    singular = plain.removesuffix(" of").removesuffix("s")
    theirs = _THEIR_NAMES.get(plain) or _THEIR_NAMES.get(singular) or ()
    return name.casefold() in (plain, *theirs)
