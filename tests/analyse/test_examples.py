import threading

import pytest

from izwi.analyse.examples import Sentence, factors_of
from izwi.cases.corpus import Corpus
from izwi.model.errors import QueryError, QueryTimeout
from izwi.model.lexicography import weighted

from .tagged import Text, corpus_of

ANAPHORA = frozenset({"he", "it", "this"})


def sentence(text, node="bakkie", rare=()):
    tokens = tuple(text.split())
    place = tokens.index(node)
    return Sentence(tokens, place, place + 1, tuple(token not in rare for token in tokens))


def values(text, *, avoid=(), **others):
    factors = factors_of(sentence(text, **others), ANAPHORA, frozenset(avoid))
    return {factor.name: (factor.value, factor.reason) for factor in factors}


GOOD = "The farmer drove his old bakkie to the market every week ."


def test_a_sentence_with_nothing_against_it_has_the_full_score():
    factors = factors_of(sentence(GOOD), ANAPHORA, frozenset())

    assert weighted(factors) == pytest.approx(1 - (0.5 / 11) / 13)  # "the" twice among 11 words


@pytest.mark.parametrize(
    ("text", "factor", "value", "reason"),
    [
        ("A bakkie .", "length", 0.3, "3 tokens; 10 to 25 are best"),
        ("the bakkie stopped .", "whole sentence", 0.5, "no capital at its beginning"),
        ("The bakkie stopped", "whole sentence", 0.5, "no mark at its end"),
        ("“ The bakkie stopped . ”", "whole sentence", 1.0, "begins and ends as one"),
        ("He saw the bakkie .", "stands alone", 0.0, "begins with 'he', which points back"),
        ("The Toyota bakkie .", "few names", 0.0, "words with capitals: Toyota"),
        ("The bakkie of 1994 .", "few numbers and signs", 0.2, "numbers or signs: 1994"),
        ("A bakkie and a bakkie .", "no repetition", 0.3, "the word itself is repeated"),
    ],
)
def test_each_factor_says_what_it_saw(text, factor, value, reason):
    found, words = values(text)[factor]

    assert found == pytest.approx(value)
    assert words == reason


def test_rare_words_are_named_but_the_word_itself_may_be_rare():
    found = values("The bakkie is defenestrated .", rare=("bakkie", "defenestrated"))

    assert found["common words"] == (pytest.approx(2 / 3), "rare words: defenestrated")


def test_words_to_avoid_weigh_most_and_are_judged_only_if_there_are_any():
    assert "words to avoid" not in values(GOOD)
    assert values(GOOD, avoid={"market"})["words to avoid"] == (0.0, "has market")


TEXTS = [
    Text(["The old dog slept near the warm fire all day long .", "dog ."], "2014-01-01"),
    Text(["The old dog slept near the warm fire all day long ."], "2015-01-01"),
    Text(["A dog", "He saw the dog ."], "2016-01-01"),
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return corpus_of(tmp_path_factory.mktemp("examples") / "examples", TEXTS[:2], TEXTS[2:])


def test_the_best_of_each_document_come_first_and_no_sentence_twice(corpus):
    found = corpus.good_examples("dog", language="en")

    assert (found.hits, found.judged, len(found)) == (5, 5, 4)
    texts = [each.line.left + each.line.match + each.line.right for each in found.lines]
    assert texts[0].startswith("The old dog slept")
    assert len(set(texts)) == 4
    scores = [each.score for each in found.lines]
    assert scores[0] == max(scores)


def test_a_score_is_made_of_its_factors(corpus):
    for each in corpus.good_examples("dog", language="en").lines:
        assert each.score == round(weighted(each.factors), 3)


def test_of_many_lines_some_are_judged_and_that_is_said(corpus, monkeypatch):
    monkeypatch.setattr("izwi.analyse.examples.MOST_JUDGED", 2)

    found = Corpus(corpus.path).good_examples("dog", language="en")

    assert found.judged < found.hits
    assert f"{found.judged} of 5 lines were judged" in found.notes[0]


def test_what_was_asked_before_is_kept_for_its_version(corpus):
    first = corpus.good_examples("dog", language="en", most=3)

    assert corpus.good_examples("dog", language="en", most=3) is first
    assert corpus.good_examples("dog", language="en", most=3, version=1) is not first


def test_a_question_can_be_cancelled(corpus):
    cancelled = threading.Event()
    cancelled.set()

    for ask in (corpus.word_sketch, corpus.thesaurus, corpus.good_examples):
        with pytest.raises(QueryTimeout, match="cancelled"):
            ask("fire", language="en", cancelled=cancelled)


def test_a_language_without_pointing_words_says_what_is_not_judged(corpus):
    found = corpus.good_examples("dog", language="zul")

    assert "not judged" in found.notes[0]
    assert "stands alone" not in {factor.name for factor in found.lines[0].factors}


def test_a_word_that_does_not_occur_is_told(corpus):
    found = corpus.good_examples("unicorn", language="en")

    assert (found.hits, found.lines) == (0, ())
    assert "'unicorn' does not occur in the text chosen." in found.notes


@pytest.mark.parametrize("most", [0, -1, 1000])
def test_an_impossible_number_of_examples_is_refused(corpus, most):
    with pytest.raises(QueryError, match=r"1 to 200|at least 1"):
        corpus.good_examples("dog", most=most)
