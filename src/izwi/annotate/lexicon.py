"""A user's lexicon: words whose tag and lemma are known and win over any model."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from izwi.model.errors import ConfigError
from izwi.model.records import dataclass

_UNIVERSAL = """ADJ ADP ADV AUX CCONJ DET INTJ NOUN NUM PART PRON PROPN PUNCT SCONJ SYM VERB X"""
UNIVERSAL = frozenset(_UNIVERSAL.split())


@dataclass(frozen=True, slots=True)
class Entry:
    """What the user says of a word: a tag, universal or the language's own, and a lemma."""

    tag: str
    lemma: str

    @property
    def is_universal(self) -> bool:
        """Whether the tag is one of the seventeen universal parts of speech."""
        return self.tag in UNIVERSAL


class Lexicon:
    """The entries of a lexicon by word; a word in lower case stands for any case."""

    def __init__(self, entries: Mapping[str, Entry]) -> None:
        self._entries = dict(entries)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, word: str) -> Entry | None:
        """Return the entry of a word as written, else of its lower-case form."""
        return self._entries.get(word) or self._entries.get(word.lower())

    @property
    def words(self) -> frozenset[str]:
        """The words that must stay whole when a text is cut."""
        return frozenset(word.lower() for word in self._entries)

    @property
    def lemmas(self) -> frozenset[str]:
        """The lemmas the user attests."""
        return frozenset(entry.lemma for entry in self._entries.values())


NO_LEXICON = Lexicon({})


def read_lexicon(path: Path) -> Lexicon:
    """Return the lexicon in a file of lines `word TAB tag TAB lemma`."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"The lexicon {path} cannot be read: {error}.") from error
    return parse_lexicon(text.splitlines(), str(path))


def parse_lexicon(lines: Iterable[str], name: str = "the lexicon") -> Lexicon:
    """Return the lexicon in lines; empty ones and those that begin with # are left out.

    >>> parse_lexicon(["maas\\tNOUN\\tmaas"]).find("Maas").tag
    'NOUN'
    """
    entries = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.startswith("#"):
            continue
        columns = [column.strip() for column in line.split("\t")]
        if len(columns) not in (2, 3) or not all(columns[:2]):
            raise ConfigError(
                f"{name}, line {number}: write word, tag and lemma with tabs between, not {line!r}."
            )
        if any(sign.isspace() for sign in columns[0]):
            raise ConfigError(f"{name}, line {number}: '{columns[0]}' is more than one word.")
        entries[columns[0]] = Entry(columns[1], (columns[2:] or [""])[0] or columns[0])
    return Lexicon(entries)
