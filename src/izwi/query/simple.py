"""Simple searches as the queries they stand for; a query in another language by a word list."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from izwi.index.columns import distinct
from izwi.index.reader import Segment, common_attributes
from izwi.model.analyses import escaped
from izwi.model.errors import QueryError
from izwi.query.tree import Alternatives, Both, Condition, Either, Pattern, Query, Test, Token
from izwi.query.tree import Sequence as TokenSequence

MODES = ("auto", "phrase", "word", "lemma", "cql")
# A longer phrase is a paste by mistake.
LONGEST_QUERY = 100
Words = Callable[[str], Sequence[str]]


def unquoted(text: str) -> str:
    """Return a phrase without the quotation marks some put round it.

    >>> unquoted('"load shedding"'), unquoted('a "b" c')
    ('load shedding', 'a "b" c')
    """
    inner = text.strip().removeprefix('"').removesuffix('"')
    is_enclosed = len(text.strip()) == len(inner) + 2 and '"' not in inner
    return inner if is_enclosed and inner.strip() else text


def tokens_of(text: str, words_of: Words) -> tuple[str, ...]:
    """Return the tokens a phrase asks for; one with an asterisk stays as it was typed."""
    found: list[str] = []
    for part in text.split():
        found += [part] if _is_wildcard(part) else words_of(part)
    if not found:
        raise QueryError("The query is empty: type a word or a phrase.")
    if len(found) > LONGEST_QUERY:
        raise QueryError(
            f"The query has {len(found)} tokens; at most {LONGEST_QUERY} can be searched."
        )
    return tuple(found)


def phrase_query(tokens: Sequence[str], attributes: Sequence[str], *, is_exact_case: bool) -> Query:
    """Return the query for words in a row; `*` in a word is any text, and alone any word."""
    return _row([_word(token, attributes, is_exact_case=is_exact_case) for token in tokens])


def lemma_query(tokens: Sequence[str], attributes: Sequence[str]) -> Query:
    """Return the query for lemmas in a row, whatever their forms."""
    if "lemma" not in attributes:
        raise QueryError(
            "This corpus has no lemmas, so it cannot be searched by them. Search for a word, or "
            "build the corpus with an annotator that gives lemmas."
        )
    return _row([Test("lemma", _pattern(token), flags="c") for token in tokens])


def word_query(tokens: Sequence[str], segments: Sequence[Segment], *, is_exact_case: bool) -> Query:
    """Return the query for words in a row and all other forms of the lemmas they may have."""
    attributes = common_attributes(segments)
    conditions: list[Condition] = []
    for token in tokens:
        typed = _word(token, attributes, is_exact_case=is_exact_case)
        lemmas = _lemmas(token, segments) if "lemma" in attributes else ()
        forms = [Test("lemma", escaped(lemma)) for lemma in lemmas]
        conditions.append(Either((typed, *forms)) if forms else typed)
    return _row(conditions)


def either(queries: Sequence[Query]) -> Query:
    """Return the query for whatever one of some queries without limits finds."""
    if len(queries) == 1:
        return queries[0]
    return Query(Alternatives(tuple(query.pattern for query in queries)))


def _lemmas(token: str, segments: Sequence[Segment]) -> tuple[str, ...]:
    """Return the lemmas that a word form has somewhere in the corpus."""
    if _is_wildcard(token):
        return ()
    found: set[str] = set()
    for segment in segments:
        numbers = segment.word.lexicon.same_but_for_case(token)
        positions = segment.word.positions_of(numbers) if len(numbers) else None
        if positions is not None:
            lemma = segment.attribute("lemma")
            found.update(lemma.values(distinct(lemma.column[positions])))
    return tuple(sorted(found - {""}))


def _row(conditions: Sequence[Condition]) -> Query:
    items: list[Pattern] = [
        Token(None if condition == _ANY else condition) for condition in conditions
    ]
    return Query(items[0] if len(items) == 1 else TokenSequence(tuple(items)))


_ANY = Both(())


def _word(token: str, attributes: Sequence[str], *, is_exact_case: bool) -> Condition:
    if token == "*":
        return _ANY
    if is_exact_case:
        return Test("word", _pattern(token))
    if "lc" in attributes:
        return Test("lc", _pattern(token.lower()))
    return Test("word", _pattern(token), flags="c")


def _pattern(token: str) -> str:
    if not _is_wildcard(token):
        return escaped(token)
    return ".*".join(escaped(part) for part in token.split("*"))


def _is_wildcard(token: str) -> bool:
    """Return whether a token has an asterisk beside letters, or is one."""
    return "*" in token and (token == "*" or any(sign.isalnum() for sign in token))


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
