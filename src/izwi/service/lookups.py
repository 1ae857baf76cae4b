"""What a query looks up in its corpus: similar words, relations of words, terms, saved lists."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.query.cql import parse
from izwi.query.deadline import NEVER, Deadline
from izwi.query.tree import Alternatives, Pattern

if TYPE_CHECKING:
    from izwi.analyse.sketch_grammar import Grammar
    from izwi.config.schema import CorpusConfig

# Relations are looked up among so many words, those rarer than shown in a profile too.
_MOST_RELATED = 1000
# A word stands in relations at least so often to be compared, as izwi thesaurus has it.
_LEAST_SIMILAR = 5


class Described(Protocol):
    """A corpus folder; its description is read only once something is looked up."""

    @property
    def path(self) -> Path:
        """Where the corpus is."""
        ...

    @property
    def config(self) -> "CorpusConfig":
        """What the corpus is meant to be."""
        ...


@dataclass(frozen=True, slots=True)
class CorpusLookups:
    """Looks words up in some segments of a corpus."""

    corpus: Described
    segments: Sequence[Segment]
    deadline: Deadline = NEVER

    def similar(self, word: str, most: int) -> tuple[str, ...]:
        """Return a word and so many that are most like it, as izwi thesaurus has them."""
        from izwi.analyse.sketches import Wish
        from izwi.analyse.thesaurus import thesaurus

        wish = Wish(least=_LEAST_SIMILAR, most=most)
        found = thesaurus(
            self.segments, self._grammar(), self._lemma(word), wish, snapshot=0,
            deadline=self.deadline,
        )  # fmt: skip
        return (found.word, *(line.word for line in found.lines))

    def related(self, word: str, relation: str, other: str) -> Pattern:
        """Return the pattern of a word with another one, or any, in a relation of its profile."""
        from izwi.analyse.sketches import Wish, sketch

        wish = Wish(least=1, most=_MOST_RELATED)
        found = sketch(
            self.segments, self._grammar(), self._lemma(word), wish, snapshot=0,
            deadline=self.deadline,
        )  # fmt: skip
        named = [each for each in found.relations if _is_named(each.name, relation)]
        if not named:
            known = ", ".join(each.name for each in found.relations) or "none"
            raise QueryError(f"'{found.word}' has no relation '{relation}' (it has: {known}).")
        wanted = self._lemma(other)
        rows = [row for each in named for row in each.collocates]
        queries = [row.cql for row in rows if wanted in ("", row.word)]
        if not queries:
            raise QueryError(
                f"'{wanted}' does not stand in the relation '{named[0].name}' to '{found.word}'."
            )
        patterns = tuple(dict.fromkeys(parse(query).pattern for query in queries))
        return patterns[0] if len(patterns) == 1 else Alternatives(patterns)

    def term(self, words: str) -> Pattern:
        """Return the pattern of a term as izwi terms counts it: its words with their tags."""
        from izwi.analyse.selection import attribute_of
        from izwi.analyse.terms import term_cql

        attributes = self.segments[0].attributes if self.segments else ()
        attribute = attribute_of(self.segments, "")
        return parse(term_cql(words.split(), attribute, attributes)).pattern

    def word_list(self, name: str) -> tuple[str, ...]:
        """Return the words of a list that lies with the corpus, by its name without the ending."""
        from izwi.service import wordlists

        for file in wordlists.own_lists(self.corpus.path):
            if name in (file, Path(file).stem):
                return wordlists.listed_words(self.corpus.path, file)
        return ()

    def _grammar(self) -> "Grammar":
        from izwi.service import wordlists

        return wordlists.grammar_of("", self.corpus.config, self.segments, self.corpus.path)

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
