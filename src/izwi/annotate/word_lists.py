"""Which lemma the word lists of simplemma have for a word, each list read once a process.

simplemma keeps the lists of eight languages. The pages of a corpus in more come as they were
fetched, one in this language and one in that, and every page would read its list anew, which takes
up to four seconds. So the first lists are kept as it keeps them, and those of further languages
packed: slower to look into, and a tenth of the size.
"""

from functools import cache, lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

from izwi.model.languages import iso639_1

if TYPE_CHECKING:
    from simplemma import Lemmatizer
    from simplemma.strategies import DictionaryFactory

# One less than simplemma keeps, as English is asked for in other places, too.
_READ_WHOLE = 7
# Words remembered with their lemmas, of all languages together: 14 MB.
_MOST_WORDS = 65_536


@cache
def has_word_list(language: str) -> bool:
    """Whether simplemma has a word list of a language."""
    name = f"{iso639_1(language)}.plzma"
    return (files("simplemma") / "strategies" / "dictionaries" / "data" / name).is_file()


@lru_cache(maxsize=_MOST_WORDS)
def list_lemma(word: str, language: str) -> str:
    """Return the lemma of a word by the list of its language and the rules for its endings."""
    code = iso639_1(language)
    return str(_lemmatizer(code).lemmatize(word, code))


@lru_cache(maxsize=100_000)
def lemma_in_list(word: str, language: str) -> str | None:
    """Return what the list itself has for a word; None if it is not in it."""
    from simplemma.strategies import DictionaryLookupStrategy

    code = iso639_1(language)
    found = DictionaryLookupStrategy(_lists(code)).get_lemma(word, code)
    return None if found is None else str(found)


@cache
def _lemmatizer(code: str) -> "Lemmatizer":
    from simplemma import Lemmatizer
    from simplemma.strategies import DefaultStrategy

    strategy = DefaultStrategy(dictionary_factory=_lists(code))
    # It would remember as many words of each language.
    return Lemmatizer(cache_max_size=0, lemmatization_strategy=strategy)


@cache
def _lists(code: str) -> "DictionaryFactory":
    """Return what reads the list of a language, and keeps it; `code` is counted, not used."""
    from simplemma.strategies.dictionaries import StreamDictionaryFactory
    from simplemma.strategies.dictionaries.dictionary_factory import DEFAULT_DICTIONARY_FACTORY

    is_one_of_many = _lists.cache_info().currsize >= _READ_WHOLE
    return StreamDictionaryFactory(1) if is_one_of_many else DEFAULT_DICTIONARY_FACTORY
