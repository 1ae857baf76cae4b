"""Where one can go in a corpus: the main sections, and the analyses below Words."""

from collections.abc import Sequence
from dataclasses import dataclass

from izwi.web.messages import gettext as _


@dataclass(frozen=True, slots=True)
class Section:
    """A page of a corpus: its key, its path below the corpus, and what it is called."""

    key: str
    path: str
    name: str


def sections() -> Sequence[Section]:
    """Return the main sections of a corpus."""
    return (
        Section("conc", "conc", _("Search")),
        Section("words", "wordlist", _("Words")),
        Section("trend", "trend", _("Trends")),
        Section("new", "new", _("New words")),
        Section("docs", "docs", _("Documents")),
    )


def analyses() -> Sequence[Section]:
    """Return the pages that count words, below the section Words."""
    return (
        Section("wordlist", "wordlist", _("Word list")),
        Section("freq", "freq", _("Frequencies")),
        Section("coll", "coll", _("Collocations")),
        Section("sketch", "sketch", _("Word sketch")),
        Section("sketch-difference", "sketch-difference", _("Sketch difference")),
        Section("thesaurus", "thesaurus", _("Thesaurus")),
        Section("keywords", "keywords", _("Keywords")),
        Section("ngrams", "ngrams", _("N-grams")),
        Section("dispersion", "dispersion", _("Dispersion")),
        Section("compare", "compare", _("Compare")),
    )
