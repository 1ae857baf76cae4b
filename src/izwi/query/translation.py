"""A query in one language asked of a corpus in another, by a word list that the user gives."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from izwi.model.errors import QueryError
from izwi.query.tree import Alternatives, Pattern, Query
from izwi.query.tree import Sequence as TokenSequence

MOST_TRANSLATIONS = 50


def read_word_list(path: Path) -> dict[str, tuple[str, ...]]:
    """Return the translations of each word in a list: word, tab, translation, one pair a line."""
    found: dict[str, dict[str, None]] = {}
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"{path} cannot be read as a word list: {error}.") from None
    for line in lines:
        word, tab, translation = line.partition("\t")
        if tab and word.strip() and translation.strip():
            meanings = found.setdefault(word.strip().lower(), {})
            meanings.update(dict.fromkeys(part.strip() for part in translation.split(";")))
    if not found:
        raise QueryError(f"{path} holds no pairs of words; each line is word, tab, translation.")
    return {word: tuple(meanings) for word, meanings in found.items()}


def by_word_list(
    tokens: Sequence[str],
    translations: Mapping[str, Sequence[str]],
    pattern_of: Callable[[str], Pattern],
) -> Query:
    """Return the query for what words in a row mean; a whole phrase in the list comes first."""
    phrase = " ".join(tokens).lower()
    parts = [phrase] if phrase in translations else [token.lower() for token in tokens]
    missing = [part for part in parts if part not in translations]
    if missing:
        raise QueryError(f"The word list has no translation of '{missing[0]}'.")
    items = [one_of(translations[part], pattern_of) for part in parts]
    return Query(items[0] if len(items) == 1 else TokenSequence(tuple(items)))


def one_of(meanings: Sequence[str], pattern_of: Callable[[str], Pattern]) -> Pattern:
    """Return the pattern for one of some words or phrases."""
    patterns = [pattern_of(meaning) for meaning in meanings[:MOST_TRANSLATIONS]]
    return patterns[0] if len(patterns) == 1 else Alternatives(tuple(patterns))
