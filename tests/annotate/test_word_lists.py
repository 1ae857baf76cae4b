"""Word lists of many languages in one process."""

import subprocess
import sys
import tracemalloc

from izwi.annotate.word_lists import list_lemma

LANGUAGES = ("nld", "swa", "isl", "gle", "lav", "glg", "cat", "bul", "slk", "mkd")
# Words that the lists have, and that they have not.
WORDS = ("huizen", "vitabu", "hestur", "leabhar", "grāmatas", "casas", "cases", "Xyzzq", "котки")
ASKED = f"""
from simplemma.strategies.dictionaries import dictionary_factory as whole
from simplemma.strategies.dictionaries import stream_dictionary_factory as packed
from izwi.annotate.word_lists import lemma_in_list, list_lemma

read = []
def counted(kind):
    reads = kind._get_dictionary_uncached
    def reading(self, lang):
        read.append(lang)
        return reads(self, lang)
    kind._get_dictionary_uncached = reading

# The first is the one that all parts of a process share: what it reads goes past its own cache.
shared = whole.DEFAULT_DICTIONARY_FACTORY._get_dictionary
counted(packed.StreamDictionaryFactory)
for _ in range(3):
    for language in {LANGUAGES!r}:
        print([(list_lemma(word, language), lemma_in_list(word, language)) for word in {WORDS!r}])
print(len(read), shared.cache_info().misses)
"""


def _asked(languages):
    code = ASKED.replace(repr(LANGUAGES), repr(languages))
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, encoding="utf-8"
    )
    *lemmas, counts = done.stdout.splitlines()
    return lemmas, counts


def test_each_list_is_read_once_however_many_languages_come_in_turn():
    lemmas, counts = _asked(LANGUAGES)

    assert counts == "3 7"
    assert lemmas[: len(LANGUAGES)] * 3 == lemmas


def test_a_list_that_is_kept_packed_says_the_same():
    forward, backward = _asked(LANGUAGES)[0], _asked(LANGUAGES[::-1])[0]

    assert forward[: len(LANGUAGES)] == backward[: len(LANGUAGES)][::-1]


def test_what_is_remembered_of_words_does_not_grow_with_the_languages():
    languages = ("nld", "swa", "glg", "gle")
    for language in languages:
        list_lemma("casas", language)

    tracemalloc.start()
    for language in languages:
        for number in range(25_000):
            list_lemma(f"{number}casas", language)
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert held < 18_000_000
