from collections import Counter, defaultdict
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.analyse import ngrams, wordlists
from izwi.analyse import vocabulary as values
from izwi.analyse.frequency import deviation_of_proportions
from izwi.analyse.ngrams import NgramsAsked, ngram_list
from izwi.analyse.vocabulary import LETTERS, Choice, has_letter
from izwi.analyse.wordlists import word_list
from izwi.index.limits import Deadline
from izwi.model.analyses import escaped
from izwi.model.errors import QueryError, QueryTimeout
from izwi.query import tree
from izwi.query.engine import Filter
from izwi.query.values import allowed
from tests.analyse.counting import document, selected, sentences_of, words_of
from tests.index.corpora import corpora, partitions

EVERYTHING = Choice(pattern="", most=1000)


def listed(selection, choice=EVERYTHING, sort="hits"):
    return word_list(selection, choice, sort=sort)


def sequences(selection, size, holding="", **wanted):
    choice = Choice(pattern="", **{"least": 1, "most": 1000, **wanted})
    return ngram_list(selection, NgramsAsked(size, "s", choice, holding))


@settings(max_examples=50)
@given(st.data(), corpora(), st.booleans(), st.sampled_from(["hits", "documents", "sites"]))
def test_lists_are_those_of_a_linear_count(data, documents, is_compiled, sort):
    parts = data.draw(partitions(documents))
    counts, spread_over = Counter(), defaultdict(set)
    for each in documents:
        counts.update(words_of(each))
        for word in words_of(each):
            spread_over[word].add(each.id)

    with selected(parts=parts) as selection, pytest.MonkeyPatch.context() as patch:
        for module in (wordlists, values):
            patch.setattr(module, "is_worth_compiling", lambda size: is_compiled)
        found = listed(selection, sort=sort)

    assert {line.value: line.hits for line in found.lines} == counts
    assert {line.value: line.documents for line in found.lines} == {
        word: len(own) for word, own in spread_over.items()
    }
    assert found.types == found.total == len(counts)
    column = [getattr(line, sort) for line in found.lines]
    assert column == sorted(column, reverse=True)


@settings(max_examples=40)
@given(st.data(), corpora(), st.booleans())
def test_spread_in_one_reading_is_that_of_each_word_alone(data, documents, is_compiled):
    parts = data.draw(partitions(documents))
    hosts = sorted({each.source for each in documents if words_of(each)})
    tokens = np.array([sum(len(words_of(d)) for d in documents if d.source == h) for h in hosts])
    from izwi.analyse.vocabulary import vocabulary_of

    with selected(parts=parts) as selection, pytest.MonkeyPatch.context() as patch:
        for module in (wordlists, values):
            patch.setattr(module, "is_worth_compiling", lambda size: is_compiled)
        vocabulary = vocabulary_of(selection.segments, "lc")
        counts = values.value_counts(selection, vocabulary, "lc")
        found = wordlists.spread_over(selection, vocabulary, "lc", counts, name="source")
        words = vocabulary.values(np.flatnonzero(counts))
        (few,) = wordlists.spreads_of(selection, "lc", words, names=("source",))

    occurring = np.flatnonzero(counts)
    for number, word, at in zip(occurring.tolist(), words, range(len(words)), strict=True):
        hits = np.array(
            [sum(words_of(d).count(word) for d in documents if d.source == h) for h in hosts]
        )
        dp = deviation_of_proportions(hits, tokens)[0]
        assert found.dp[number] == pytest.approx(dp, abs=1e-9)
        assert few.dp[at] == pytest.approx(dp, abs=1e-9)
        assert found.ranges[number] == few.ranges[at] == (hits > 0).sum()


@settings(max_examples=60)
@given(
    st.data(), corpora(), st.integers(1, 4), st.booleans(), st.integers(1, 3), st.integers(1, 20)
)
def test_sequences_are_those_of_a_linear_count(data, documents, size, is_compiled, least, most):
    parts = data.draw(partitions(documents))
    present = sorted({word for each in documents for words in sentences_of(each) for word in words})
    holding = data.draw(st.sampled_from(["", *present]))
    counts = Counter()
    for each in documents:
        for words in sentences_of(each):
            rows = [words[at : at + size] for at in range(len(words) - size + 1)]
            counts.update(" ".join(row) for row in rows if not holding or holding in row)
    frequent = {key: many for key, many in counts.items() if many >= least}

    with selected(parts=parts) as selection, pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "is_worth_compiling", lambda tokens: is_compiled)
        # So small that sequences share places, and that tables grow.
        patch.setattr(ngrams, "_SKETCH", 4)
        patch.setattr(ngrams, "_TABLE", 16)
        patch.setattr(ngrams, "_LARGEST", 64)
        found = sequences(selection, size, escaped(holding), least=least, most=most)

    shown = [line.hits for line in found.lines]
    assert shown == sorted(frequent.values(), reverse=True)[:most]
    assert all(frequent[line.value] == line.hits for line in found.lines)
    assert found.total in (None, len(frequent))


def test_sequences_too_long_to_be_written_out_are_counted_too():
    text = "\n".join(["one two three four five six seven eight nine"] * 3)
    with selected(document("d", text)) as selection, pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "is_worth_compiling", lambda tokens: True)
        patch.setattr(ngrams, "bits_for", lambda largest: 21)
        found = sequences(selection, 8)

    assert {(line.value, line.hits) for line in found.lines} == {
        ("one two three four five six seven eight", 3),
        ("two three four five six seven eight nine", 3),
    }


def test_stop_words_and_patterns_leave_sequences_out():
    with selected(document("d", "the cat of the cat 9 cat")) as selection:
        stopped = sequences(selection, 2, stop=("of",))
        choice = Choice(pattern=LETTERS)
        words = ngram_list(selection, NgramsAsked(2, "s", choice))

    assert {line.value for line in stopped.lines} == {"the cat", "cat 9", "9 cat"}
    assert {line.value for line in words.lines} == {"the cat", "cat of", "of the"}


def test_a_list_takes_pattern_stop_list_minimum_and_case():
    with selected(document("d", "The the cat cat , Cat cannot")) as selection:
        plain = listed(selection, Choice())
        some = listed(selection, Choice(pattern="c.*", least=2))
        stopped = listed(selection, Choice(stop=("the", "nowhere")))
        cased = listed(selection, Choice(is_exact_case=True))

    assert [(line.value, line.hits) for line in plain.lines][:2] == [("cat", 3), ("the", 2)]
    assert "," not in {line.value for line in plain.lines}
    assert [line.value for line in some.lines] == ["cat"]
    assert "the" not in {line.value for line in stopped.lines}
    assert {"The", "the", "Cat"} <= {line.value for line in cased.lines}


def test_by_value_a_list_is_in_the_order_of_people():
    with selected(document("d", "b A c B a")) as selection:
        found = listed(selection, Choice(attribute="word"), sort="value")

    assert [line.value for line in found.lines] == ["A", "a", "B", "b", "c"]


def test_letters_are_found_as_the_expression_finds_them():
    text = "a É 9 , ‘ 中 ٣ ß1 — x9"
    with selected(document("d", text)) as selection:
        attribute = selection.segments[0].word
        expected = allowed(attribute, tree.Test("word", LETTERS)).tolist()

        assert np.flatnonzero(has_letter(attribute)).tolist() == expected


@pytest.mark.parametrize("chosen", [Filter(), Filter(sources=("nowhere",))])
def test_empty_texts_have_empty_lists_that_say_so(chosen):
    for parts in ([], [[document("d", "")]]):
        with selected(parts=parts, chosen=chosen) as selection:
            assert listed(selection).lines == ()
            assert listed(selection).notes
            assert sequences(selection, 2).lines == ()


def test_a_list_that_takes_too_long_stops():
    with selected(document("d", "a b c")) as selection, pytest.raises(QueryTimeout):
        word_list(replace(selection, deadline=Deadline(-1.0)), EVERYTHING, sort="hits")


@pytest.mark.parametrize("size", [0, 9])
def test_sequences_have_one_to_eight_words(size):
    with pytest.raises(QueryError):
        NgramsAsked(size)


def test_a_list_is_sorted_by_what_there_is():
    with selected(document("d", "a")) as selection, pytest.raises(QueryError):
        listed(selection, sort="planet")
