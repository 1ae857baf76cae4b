"""An annotator that cuts English endings off for lemmas, and tags numbers and signs."""

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.tokens import Tokeniser
from izwi.model.document import Annotation

ANY = AnnotatorSettings()
ENDINGS = (("ies", "y"), ("ing", ""), ("ed", ""), ("s", ""))


class Endings:
    """Made once a language: the settings name it, and the columns that the corpus wants."""

    depends_on: ClassVar[tuple[str, ...]] = ("izwi-endings",)

    def __init__(self, settings: AnnotatorSettings = ANY) -> None:
        # Sentences and tokens with exact places in the text; cut them yourself if you know better.
        self._cut = Tokeniser(settings)

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens with a lemma and a tag each."""
        found = self._cut(paragraphs)
        return replace(
            found, lemmas=tuple(map(lemma, found.words)), upos=tuple(map(tag, found.words))
        )


def lemma(word: str) -> str:
    """Return a word without its ending."""
    low = word.lower()
    for ending, instead in ENDINGS:
        if low.endswith(ending) and len(low) > len(ending) + 2:
            return low.removesuffix(ending) + instead
    return low


def tag(word: str) -> str:
    """Return the tag of Universal Dependencies that can be seen from the letters alone."""
    if word.isdecimal():
        return "NUM"
    return "X" if any(map(str.isalpha, word)) else "PUNCT"
