"""Lists of words that users bring."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from izwi.analyse.attestations import known_span
from izwi.analyse.sketch_grammar import Grammar, grammar_for
from izwi.analyse.word_forms import has_universal_tags
from izwi.annotate.izwi import is_listed
from izwi.config.schema import CorpusConfig
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.languages import iso639_3
from izwi.model.lexicography import Headword

# Where a corpus keeps lists that readers of the web may name.
LISTS = "lists"


def known_words(folder: Path, lists: Iterable[str | Path]) -> frozenset[str]:
    """Return the words of some lists, folded: the first column of each line counts."""
    found: set[str] = set()
    for name in lists:
        lines = _lines(list_path(folder, name))
        found.update(line.split("\t")[0].strip().casefold() for line in lines)
    return frozenset(found - {""})


def listed_words(folder: Path, name: str) -> tuple[str, ...]:
    """Return the words of a list as they stand, each once: the first column of each line."""
    lines = _lines(list_path(folder, name))
    return tuple(filter(None, dict.fromkeys(line.split("\t")[0].strip() for line in lines)))


@dataclass(frozen=True, slots=True)
class GeneralList:
    """The words that a language has anyway, from what is shipped and what the corpus is set to."""

    language: str
    # What the lexicon of the corpus has.
    own: frozenset[str] = frozenset()

    @property
    def name(self) -> str:
        """What it is called in a sentence."""
        return f"the general list of the language ({self.language})"

    def holds(self, word: str) -> bool:
        """Whether a word or a form of it is in the list."""
        folded = word.casefold()
        return folded in self.own or is_listed(folded, self.language)


def general_list(language: str, config: CorpusConfig) -> GeneralList:
    """Return the general list of a language."""
    code = iso639_3(language)
    told = config.annotate.languages.get(code)
    lines = told.lexicon_lines if told else ()
    return GeneralList(code, frozenset(line.split("\t")[0].strip().casefold() for line in lines))


def list_path(folder: Path, name: str | Path) -> Path:
    """Return the file of a list: a path, or the name of one that lies with the corpus."""
    own = folder / LISTS / Path(name).name
    return Path(name) if Path(name).exists() or not own.exists() else own


def headwords(path: Path) -> tuple[Headword, ...]:
    """Return the headwords of a list: word, first date known, variants, divided by tabs."""
    return tuple(headword_of(line) for line in _lines(path) if line.strip())


def headword_of(line: str) -> Headword:
    """Return the headword a line describes.

    >>> headword_of("load-shedding\\t2007\\tloadshedding; load shedding").variants
    ('loadshedding', 'load shedding')
    """
    word, known, variants = [*(part.strip() for part in line.split("\t")), "", ""][:3]
    if not word:
        raise QueryError("A headword is missing: write word, tab, known date, tab, variants.")
    if known:
        known_span(known)
    forms = (form.strip() for form in variants.split(";"))
    return Headword(word, known, tuple(form for form in forms if form))


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except OSError as error:
        raise QueryError(f"The list {path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise QueryError(f"The list {path} is not UTF-8 text.") from error


def grammar_of(
    language: str, config: CorpusConfig, segments: Sequence[Segment], folder: Path
) -> Grammar:
    """Return the sketch grammar of a language, of the corpus's own if none is named."""
    has_ud = any(has_universal_tags(segment) for segment in segments)
    return grammar_for(language or main_language(config, segments), folder, has_ud=has_ud)


def main_language(config: CorpusConfig, segments: Sequence[Segment]) -> str:
    """Return the first language a corpus is set to, or else the one most of its documents have."""
    if config.corpus.languages:
        return config.corpus.languages[0]
    counted: Counter[str] = Counter()
    for segment in segments:
        counted.update(filter(None, segment.cards.column("language").to_pylist()))
    return max(counted, key=counted.__getitem__, default="")
