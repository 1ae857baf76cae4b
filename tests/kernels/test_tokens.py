"""Tokens, sentences and tags are the same compiled and interpreted; neither leaves its bounds."""

import numpy as np
import pytest

import izwi.kernels.tagging
import izwi.kernels.tokens
from izwi.annotate.conventions import conventions, text_hash
from izwi.annotate.tokens import looked_up
from izwi.kernels.features_of_words import FACTS, LISTED, OF_LISTS, STATIC
from tests.kernels.interpreted import interpreted

TEXTS = (
    "",
    "'",
    "Dr. Smith can't e-mail me@x.org :-) See http://x.org/a, well-known U.S. 'n 10km 1/2!",
    "Am 2. Juli 1990. war es am 3. heiß, bzw. 1990. kalt. 45. Die",
    "He left [17]. “So,” she said… 2. And then? 中文。日本 #tag @you 3,5-4.1",
    'EU:n 3:e 12:30 l\' amore il-ktieb צה"ל ה"ארץ" ١٬٢٣٤٫٥ R$ 5 bl.a. մրցեցին: Եվ',
    "-" * 100 + "a-b-" * 40 + "'" * 9,
)


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("language", ["eng", "afr", "deu", "fin", "hye", "mlt"])
def test_tokens_and_sentences_are_the_same(text, language):
    codes, kinds = (np.ascontiguousarray(each) for each in looked_up(text))
    rules_of = conventions(language)
    both = []
    for loops in (izwi.kernels.tokens, interpreted("tokens")):
        rules = loops.Rules(tuple(map(memoryview, rules_of.lists)), rules_of.switches)
        starts, ends, begins = (np.zeros(len(codes), np.int32) for _ in range(3))
        views = [memoryview(each) for each in (codes, kinds, starts, ends, begins)]
        cutter = loops.Text(*views[:2], rules, *views[2:4])
        count = cutter.cut()
        limits = memoryview(np.array([count], np.int64))
        found = cutter.find_sentences(limits, views[4])
        both.append((starts[:count].tolist(), ends[:count].tolist(), begins[:found].tolist()))

    assert both[0] == both[1]


@pytest.mark.parametrize("of_lists", [0, OF_LISTS])
def test_features_of_words_are_the_same(of_lists):
    words = ["The", "bakkies", "42", "Suid-Afrika", "é"]
    codes, kinds = looked_up("".join(words))
    offsets = np.cumsum([0, *map(len, words)])
    both = []
    for loops in (izwi.kernels.tagging, interpreted("tagging")):
        facts = np.zeros((len(words) + 4, FACTS), np.int64)
        found = np.zeros((len(words), STATIC + of_lists), np.int64)
        listed = np.array([text_hash("bakkies")]), np.arange(1, FACTS - LISTED + 1)[None]
        given = (codes.astype(np.int64), kinds, offsets, np.array([0, 5]), *[np.zeros(0, int)] * 2)
        # Only the lower 32 bits count: what overflows is cut off.
        with np.errstate(over="ignore"):
            loops.all_features(*given, *listed, 1023, facts, found)
        both.append(found.tolist())

    assert both[0] == both[1]


def test_a_word_behind_the_end_is_refused():
    with pytest.raises(IndexError):
        izwi.kernels.tagging.edit_features(
            np.zeros(2, np.int64), np.array([0, 5]), np.zeros(1, np.int64), 7,
            np.zeros((1, 30), np.int64),
        )  # fmt: skip
