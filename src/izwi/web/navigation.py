"""Where one can go in a corpus: the main sections, and the analyses below Words."""

from collections.abc import Sequence
from dataclasses import dataclass

from izwi.web.messages import gettext as _


@dataclass(frozen=True, slots=True)
class Place:
    """A page of a corpus: its key, its path below the corpus, and what it is called."""

    key: str
    path: str
    name: str


def sections() -> Sequence[Place]:
    """Return the main sections of a corpus."""
    return (
        Place("conc", "conc", _("Search")),
        Place("words", "wordlist", _("Words")),
        Place("trend", "trend", _("Trends")),
        Place("new", "new", _("New words")),
        Place("docs", "docs", _("Documents")),
    )


def analyses() -> Sequence[Place]:
    """Return the pages that count words, below the section Words."""
    return (
        Place("wordlist", "wordlist", _("Word list")),
        Place("freq", "freq", _("Frequencies")),
        Place("coll", "coll", _("Collocations")),
        Place("sketch", "sketch", _("Word sketch")),
        Place("sketch-difference", "sketch-difference", _("Sketch difference")),
        Place("thesaurus", "thesaurus", _("Thesaurus")),
        Place("keywords", "keywords", _("Keywords")),
        Place("ngrams", "ngrams", _("N-grams")),
        Place("dispersion", "dispersion", _("Dispersion")),
        Place("compare", "compare", _("Compare")),
        Place("watch", "watch", _("Headword watch")),
    )
