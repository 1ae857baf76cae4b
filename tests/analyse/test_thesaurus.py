import math
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.analyse import thesaurus as module
from izwi.analyse.selection import Selection
from izwi.analyse.sketch_grammar import grammar_for
from izwi.analyse.sketches import Wish
from izwi.query.engine import Filter

from .tagged import Text, corpus_of

VERBS = ("eat", "buy", "see")
NOUNS = ("apple", "pear", "stone", "idea")


def sentences(pairs):
    return [f"{verb}/{verb}/VB {noun}/{noun}/NN ././." for verb, noun in pairs]


def expected_likeness(pairs):
    """Return the likeness of every two words by the formula, from counted objects alone."""
    counted = Counter()
    for verb, noun in pairs:
        counted[verb, "object", noun] += 1
        counted[noun, "of", verb] += 1
    own = Counter()
    other = Counter()
    for (word, relation, partner), hits in counted.items():
        own[word, relation] += hits
        other[partner] += hits
    score = {
        (word, relation, partner): 14 + math.log2(2 * hits / (own[word, relation] + other[partner]))
        for (word, relation, partner), hits in counted.items()
        if hits >= 2
    }
    words = {word for word, _, _ in counted}
    weight = Counter()
    for (word, _, _), value in score.items():
        weight[word] += value
    found = {}
    for one in words:
        for two in words - {one}:
            shared = 0.0
            for (word, relation, partner), value in score.items():
                twin = score.get((two, relation, partner))
                if word == one and twin is not None:
                    shared += value + twin - (value - twin) ** 2 / 50
            if shared > 0:
                found[one, two] = shared / (weight[one] + weight[two])
    return found


PAIRS = [
    *[("eat", "apple")] * 4, *[("eat", "pear")] * 3, *[("buy", "apple")] * 2,
    *[("buy", "pear")] * 2, *[("see", "stone")] * 3, *[("buy", "stone")] * 2, ("see", "idea"),
]  # fmt: skip


@pytest.fixture(scope="module")
def fruit(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fruit") / "fruit"
    texts = sentences(PAIRS)
    return corpus_of(folder, [Text(texts[:6])], [Text(texts[6:])])


def test_words_that_are_eaten_and_bought_are_alike(fruit):
    found = fruit.thesaurus("apple", language="en", least=1)

    assert [line.word for line in found.lines] == ["pear", "stone"]
    assert found.lines[0].shared == ("verb with it as object: eat", "verb with it as object: buy")
    assert found.lines[0].hits == 5


def test_likeness_is_that_of_the_formula(fruit):
    expected = expected_likeness(PAIRS)

    for word in NOUNS + VERBS:
        found = fruit.thesaurus(word, language="en", least=1)
        assert {line.word: line.score for line in found.lines} == {
            two: round(value, 3) for (one, two), value in expected.items() if one == word
        }


@settings(max_examples=8)
@given(st.lists(st.tuples(st.sampled_from(VERBS), st.sampled_from(NOUNS)), min_size=1, max_size=40))
def test_likeness_goes_both_ways(tmp_path_factory, pairs):
    corpus = corpus_of(tmp_path_factory.mktemp("pairs") / "pairs", [Text(sentences(pairs))])
    expected = expected_likeness(pairs)

    found = {
        (word, line.word): line.score
        for word in {word for pair in pairs for word in pair}
        for line in corpus.thesaurus(word, language="en", least=1).lines
    }

    assert found == {key: round(value, 3) for key, value in expected.items()}
    assert all(found[two, one] == score for (one, two), score in found.items())


def test_a_word_that_does_not_occur_is_told(fruit):
    found = fruit.thesaurus("unicorn", language="en")

    assert (found.hits, found.lines) == (0, ())
    assert found.notes == ("'unicorn' does not occur.",)


def test_a_word_in_no_relation_is_told(fruit):
    found = fruit.thesaurus("idea", language="en", least=1)

    assert found.lines == ()
    assert "too few relations" in found.notes[-1]


def test_a_part_of_speech_narrows_both_sides(fruit):
    assert fruit.thesaurus("apple", pos="verb", language="en", least=1).lines == ()
    assert fruit.thesaurus("eat", pos="verb", language="en", least=1).lines[0].word == "buy"


def test_a_large_corpus_is_looked_at_in_stretches_and_that_is_said(fruit, monkeypatch):
    monkeypatch.setattr(module, "MOST_TOKENS", 20)
    monkeypatch.setattr(module, "_BLOCK", 6)
    _, segments = fruit._snapshot(None)

    found = module.contexts_of(Selection(segments, Filter()), grammar_for("en"), Wish(least=1))

    assert found.is_sampled
    assert 0 < found.hits.sum() < 2 * len(PAIRS)


def test_an_empty_corpus_has_no_similar_words(tmp_path):
    import izwi

    corpus = izwi.create(tmp_path / "empty", contact="https://example.org/", languages=("en",))

    assert corpus.thesaurus("dog").lines == ()
    assert corpus.word_sketch("dog").relations == ()
    assert corpus.attestations(["dog"]).lines[0].verdict == "absent"
    assert corpus.good_examples("dog").lines == ()
