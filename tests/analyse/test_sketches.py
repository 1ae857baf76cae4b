import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from izwi.analyse.selection import Selection
from izwi.analyse.sketch_grammar import grammar_for, languages, read_grammar
from izwi.analyse.sketches import (
    TaggedTokens,
    Wish,
    difference,
    log_dice,
    pairs_from_source,
    pairs_from_target,
    sketch,
)
from izwi.model.errors import ConfigError, QueryError
from izwi.query.engine import Filter

from .tagged import Text, corpus_of

DOGS = (
    "The/the/DT old/old/JJ dog/dog/NN chased/chase/VBD a/a/DT black/black/JJ house/house/NN "
    "cat/cat/NN ././.",
    "Dogs/dog/NNS chase/chase/VBP cats/cat/NNS ././.",
    "A/a/DT cat/cat/NN has/have/VBZ never/never/RB chased/chase/VBN the/the/DT dog/dog/NN ././.",
    "The/the/DT cat/cat/NN was/be/VBD chased/chase/VBN by/by/IN dogs/dog/NNS ././.",
    "The/the/DT dog/dog/NN is/be/VBZ old/old/JJ and/and/CC slow/slow/JJ ././.",
    "The/the/DT tail/tail/NN of/of/IN the/the/DT old/old/JJ dog/dog/NN wagged/wag/VBD",
    "The/the/DT dog/dog/NN 's/'s/POS old/old/JJ tail/tail/NN wagged/wag/VBD",
)


@pytest.fixture(scope="module")
def dogs(tmp_path_factory):
    """The sentences in two segments."""
    folder = tmp_path_factory.mktemp("dogs") / "dogs"
    return corpus_of(folder, [Text(DOGS[:3])], [Text(DOGS[3:])])


def counts(found):
    return {
        relation.name: {each.word: each.hits for each in relation.collocates}
        for relation in found.relations
    }


def test_relations_are_counted_as_by_hand(dogs):
    found = dogs.word_sketch("dog", language="en", least=1)

    assert found.hits == 7
    assert counts(found) == {
        "adjective": {"old": 2},
        "verb with it as subject": {"chase": 2, "wag": 1},
        "verb with it as object": {"chase": 1},
        "adjective it is": {"old": 1},
        "… of": {"tail": 1},
        "… by": {"chase": 1},
        "what it possesses": {"tail": 1},
    }


# What a looser query would find too: another head before, a word that is no head, a sentence's end.
TRAPS = (
    "The/the/DT back/back/NN of/of/IN the/the/DT farmer/farmer/NN 's/'s/POS bakkie/bakkie/NN ././.",
    "The/the/DT back/back/NN of/of/IN the/the/DT bakkie/bakkie/NN driver/driver/NN ././.",
    "The/the/DT back/back/NN of/of/IN the/the/DT bakkie/bakkie/NN",
    "Drivers/driver/NNS saw/see/VBD old/old/JJ man/man/NN 's/'s/POS bakkie/bakkie/NN ././.",
    "An/an/DT old/old/JJ taxi/taxi/NN driver/driver/NN 's/'s/POS old/old/JJ bakkie/bakkie/NN ././.",
    "He/he/PRP saw/see/VBD the/the/DT back/back/NN of/of/IN bakkie/bakkie/NN ,/,/,",
)


@pytest.mark.parametrize("word", ["bakkie", "back", "driver", "old", "see", "man"])
def test_every_number_of_a_sketch_equals_its_lines(tmp_path, word):
    corpus = corpus_of(tmp_path / "traps", [Text(TRAPS[:3])], [Text(TRAPS[3:])])
    found = corpus.word_sketch(word, language="en", least=1, most=1000)

    rows = [each for relation in found.relations for each in relation.collocates]
    assert rows
    assert [corpus.concordance(each.cql, mode="cql").hits for each in rows] == [
        each.hits for each in rows
    ]


def test_the_other_end_of_a_relation_says_the_same(dogs):
    found = counts(dogs.word_sketch("chase", language="en", least=1))

    assert found["subject"] == {"dog": 2, "cat": 1}
    assert found["object"] == {"cat": 2, "dog": 1}
    assert found["passive subject"] == {"cat": 1}
    assert found["adverb"] == {"never": 1}


def test_scores_are_log_dice(dogs):
    found = dogs.word_sketch("chase", language="en", least=1)

    subjects = next(each for each in found.relations if each.name == "subject")

    # Three subjects in all; dog occurs seven times in the corpus, cat four times.
    assert {each.word: each.score for each in subjects.collocates} == {
        "dog": round(14 + math.log2(2 * 2 / (3 + 7)), 2),
        "cat": round(14 + math.log2(2 * 1 / (3 + 4)), 2),
    }
    assert log_dice(5, 5, 5) == 14.0


def test_a_collocate_opens_its_lines(dogs):
    found = dogs.word_sketch("dog", language="en", least=1)

    for relation in found.relations:
        for each in relation.collocates:
            assert dogs.concordance(each.cql, mode="cql").hits == each.hits, each


def test_a_part_of_speech_narrows_the_sketch(dogs):
    assert dogs.word_sketch("dog", pos="verb", language="en").hits == 0
    with pytest.raises(QueryError, match="known are noun, verb, adjective, adverb"):
        dogs.word_sketch("dog", pos="nuon", language="en")


@pytest.mark.parametrize("word", ["unicorn", "", '"', "a b", "\\"])
def test_a_word_that_does_not_occur_is_told(dogs, word):
    found = dogs.word_sketch(word, language="en")

    assert found.hits == 0
    assert found.relations == ()
    assert found.notes == (f"'{word.strip()}' does not occur.",)


def test_a_form_stands_for_its_lemma(dogs):
    found = dogs.word_sketch("DOGS", language="en")

    assert found.word == "dog"
    assert "'DOGS' is not a lemma here; this is 'dog'." in found.notes


def test_a_language_without_a_grammar_is_told_which_have_one(dogs):
    with pytest.raises(
        QueryError, match="no sketch grammar for 'zul'; there are some for afr, eng"
    ):
        dogs.word_sketch("dog", language="zul")


def test_a_corpus_without_tags_is_told_how_to_get_some(tmp_path):
    file = tmp_path / "plain.vert"
    file.write_text("<doc>\n<s>\ndog\n</s>\n</doc>\n", encoding="utf-8")
    from izwi.cases.corpora import import_vertical
    from izwi.cases.corpus import Corpus

    import_vertical(file, tmp_path / "plain", attributes=("word",))

    with pytest.raises(QueryError, match="need tags"):
        Corpus(tmp_path / "plain").word_sketch("dog", language="en")


@pytest.mark.parametrize(("least", "most"), [(0, 5), (2, 0), (-1, 5)])
def test_impossible_bounds_are_refused(dogs, least, most):
    with pytest.raises(QueryError):
        dogs.word_sketch("dog", language="en", least=least, most=most)


def test_two_sketches_differ_by_their_scores(dogs):
    found = dogs.sketch_difference("dog", "cat", language="en", least=1)

    objects = next(each for each in found.relations if each.name == "verb with it as object")
    chase = objects.collocates[0]

    assert (found.first_hits, found.second_hits) == (7, 4)
    assert (objects.first_hits, objects.second_hits) == (1, 2)
    assert (chase.first_hits, chase.second_hits) == (1, 2)
    assert chase.difference == round(chase.first_score - chase.second_score, 2)


def test_a_sketch_has_no_difference_from_itself(dogs):
    one = dogs.word_sketch("dog", language="en", least=1)

    found = difference(one, one, most=20)

    assert {each.difference for row in found.relations for each in row.collocates} == {0.0}


def test_a_corpus_may_bring_a_grammar_of_its_own(dogs, tmp_path):
    grammar = """
language = "xxx"
[classes]
any = { tag = ".*" }
[pos]
word = "any"
[[pattern]]
source = "any"
target = "any"
gap = []
most = 0
source_sees = "next"
target_sees = "last"
"""
    (tmp_path / "sketches.toml").write_text(grammar, encoding="utf-8")

    assert grammar_for("zul", tmp_path).patterns[0].source_sees == "next"


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("most = 0", "most = 99"), "0 to 12"),
        (('target = "any"', 'target = "all"'), "'all' is missing"),
        (('language = "xxx"', "language ="), "not TOML"),
        (('tag = ".*"', "lemma = []"), "'tag' is missing"),
    ],
    ids=["gap", "class", "toml", "tag"],
)
def test_a_grammar_says_what_is_wrong_with_it(change, words):
    good = """
language = "xxx"
[classes]
any = { tag = ".*" }
[pos]
word = "any"
[[pattern]]
source = "any"
target = "any"
gap = []
most = 0
source_sees = "next"
target_sees = "last"
"""
    assert read_grammar(good, "own")

    with pytest.raises(ConfigError, match=words):
        read_grammar(good.replace(*change), "own")


TAGS = ("NN", "VB", "JJ", "DT", "IN", "RB", "CC", "POS", "VBZ")
WORDS = {"VBZ": ("be", "have", "run"), "IN": ("of", "that"), "CC": ("and", "but")}


def brute_pairs(tags, lemmas, pattern):
    """Return (source, target, link) of a pattern in one sentence, token by token."""

    def is_of(kind, place):
        import re

        return (
            re.fullmatch(kind.tag, tags[place]) is not None
            and (not kind.lemmas or lemmas[place] in kind.lemmas)
            and lemmas[place] not in kind.other_lemmas
        )

    def is_aim(step, place):
        follows = place + 1 < len(tags) and any(is_of(k, place + 1) for k in step.not_before)
        return is_of(step.aim, place) and not follows

    def reach(step, place):
        for other in range(place + 1, min(len(tags), place + step.most + 2)):
            if is_aim(step, other):
                return other
            if not any(is_of(kind, other) for kind in step.gap):
                return None
        return None

    found = set()
    for place in range(len(tags)):
        if not is_of(pattern.source, place):
            continue
        first = reach(pattern.steps[0], place)
        last = reach(pattern.steps[1], first) if pattern.has_link and first is not None else first
        if last is not None:
            found.add((place, last, first))
    return found


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.lists(
            st.sampled_from(TAGS).flatmap(
                lambda tag: st.tuples(st.just(tag), st.sampled_from(WORDS.get(tag, ("x",))))
            ),
            min_size=1,
            max_size=12,
        ),
        min_size=1,
        max_size=8,
    )
)
def test_both_ends_find_the_pairs_that_a_look_at_every_token_finds(tmp_path_factory, sentences):
    texts = [" ".join(f"{lemma}/{lemma}/{tag}" for tag, lemma in row) for row in sentences]
    folder = tmp_path_factory.mktemp("random") / "random"
    corpus = corpus_of(folder, [Text(texts)])
    tokens = TaggedTokens(corpus._snapshot(None)[1][0])
    every = np.arange(tokens.segment.tokens)

    for pattern in grammar_for("en").patterns:
        expected, begin = set(), 0
        for row in sentences:
            pairs = brute_pairs([tag for tag, _ in row], [lemma for _, lemma in row], pattern)
            expected |= {tuple(begin + place for place in pair) for pair in pairs}
            begin += len(row)
        for search in (pairs_from_source, pairs_from_target):
            found = search(tokens, pattern, every)
            rows = (found.sources.tolist(), found.targets.tolist(), found.links.tolist())
            assert set(zip(*rows, strict=True)) == expected, (search, pattern)


@pytest.mark.parametrize("language", languages())
def test_a_grammar_has_patterns_for_all_that_people_name(language):
    grammar = grammar_for(language)

    for pos, kind in grammar.class_by_pos:
        assert pos in ("noun", "verb", "adjective", "adverb")
        assert any(kind in (each.source, each.target) for each in grammar.patterns)
    assert grammar.anaphora


def test_afrikaans_relations_are_found(tmp_path):
    sentence = (
        "Die/die/LB ou/oud/ASA man/man/NSE koop/koop/VTHOG die/die/LB wit/wit/ASA "
        "bakkie/bakkie/NSE van/van/SVS die/die/LB boer/boer/NSE ././ZE"
    )
    corpus = corpus_of(tmp_path / "af", [Text([sentence])])

    found = counts(corpus.word_sketch("bakkie", language="af", least=1))

    assert found == {
        "adjective": {"wit": 1},
        "verb before it": {"koop": 1},
        "van …": {"boer": 1},
    }


def test_many_occurrences_in_small_blocks_are_counted_once(dogs, monkeypatch):
    monkeypatch.setattr("izwi.analyse.sketches._BLOCK", 2)
    number, segments = dogs._snapshot(None)

    selection = Selection(segments, Filter(), number=number)
    found = sketch(selection, grammar_for("en"), "dog", Wish(least=1))

    assert found.relations == dogs.word_sketch("dog", language="en", least=1).relations


def test_a_language_without_a_grammar_has_that_of_universal_tags(tmp_path):
    sentences = ["Koer/koer/NOUN sööb/sööma/VERB suur/suur/ADJ kala/kala/NOUN"] * 3
    corpus = corpus_of(tmp_path / "est", [Text(sentences, "2020-01-01", "http://a.example/1")])
    corpus.change_settings({"corpus.languages": ["et"]})

    found = {
        relation.name: [(each.word, each.hits) for each in relation.collocates]
        for relation in corpus.word_sketch("kala", language="est").relations
    }

    assert found == {"verb before it": [("sööma", 3)], "adjective before it": [("suur", 3)]}
    every = corpus.word_sketch("kala", language="est").rows()
    assert [corpus.concordance(row["cql"], mode="cql").hits for row in every] == [3, 3]
