from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.analyse import vocabulary
from izwi.analyse.keywords import (
    FrequencyList,
    KeywordsAsked,
    candidate_words,
    from_list,
    keyed,
    read_frequency_list,
    rest_of,
    word_reference,
)
from izwi.analyse.ngrams import candidate_terms, term_patterns, term_reference
from izwi.analyse.selection import Selection
from izwi.analyse.vocabulary import Choice
from izwi.model.errors import QueryError
from izwi.query.engine import Filter
from tests.analyse.counting import document, selected, words_of
from tests.index.corpora import SOURCES, corpora, partitions


def asked(**wanted):
    choice = Choice(pattern="", least=wanted.pop("least", 1), most=1000)
    return KeywordsAsked(**{"sites": 1, **wanted}, choice=choice)


def compared(selection, **wanted):
    """Return the keywords of a selection beside the rest of its corpus."""
    candidates = candidate_words(selection, asked(**wanted))
    rest = rest_of(selection, Selection(selection.segments, Filter()))
    reference = word_reference(candidates, rest, name="the rest")
    return keyed(candidates, reference, asked(**wanted), name="focus")


@settings(max_examples=50)
@given(st.data(), corpora(), st.sampled_from(SOURCES))
def test_counts_here_and_there_are_those_of_a_linear_count(data, documents, source):
    parts = data.draw(partitions(documents))
    here, there = Counter(), Counter()
    for each in documents:
        (here if each.source == source else there).update(words_of(each))

    with selected(parts=parts, chosen=Filter(sources=(source,))) as selection:
        found = compared(selection)

    assert (found.focus_tokens, found.reference_tokens) == (here.total(), there.total())
    if not there:
        assert found.lines == ()
        assert any("nothing to compare with" in note for note in found.notes) or not here
        return
    assert {line.value: line.hits for line in found.lines} == here
    assert all(line.reference_hits == there[line.value] for line in found.lines)


def test_one_site_cannot_make_a_keyword():
    documents = [
        document("one", "braai braai braai maas the", source="herald"),
        document("two", "the maas the the the", source="post"),
        document("three", "the cat sat on the mat", source="other"),
    ]
    both = Filter(sources=("herald", "post"))
    with selected(*documents, chosen=both) as selection:
        guarded = compared(selection, sites=2)
        free = compared(selection, sites=1)

    assert free.lines[0].value == "braai"
    assert [line.value for line in guarded.lines] == ["maas", "the"]
    assert all(line.sites == 2 for line in guarded.lines)


def test_a_text_of_one_site_is_not_guarded_and_says_so():
    with selected(document("one", "a b"), document("two", "b", source="post"),
                  chosen=Filter(sources=("herald",))) as selection:  # fmt: skip
        found = compared(selection, sites=2)

    assert found.sites == 1
    assert "1 site only" in found.notes[0]


@pytest.mark.parametrize("measure", ["simple", "logratio", "ll", "diff"])
def test_lines_come_in_the_order_of_the_measure(measure):
    documents = [document("one", "a a b c c c d"), document("two", "a b b b d", source="post")]
    with selected(*documents, chosen=Filter(sources=("herald",))) as selection:
        found = compared(selection, measure=measure)

    scores = [getattr(line, measure) for line in found.lines]
    # What the reference has none of is beyond all per cent, and is None.
    scores = [float("inf") if score is None else score for score in scores]
    assert scores == sorted(scores, reverse=True)
    assert found.lines[0].value == "c"


def test_no_documents_have_no_keywords_and_say_so():
    with selected(document("one", "a"), chosen=Filter(sources=("nowhere",))) as selection:
        found = compared(selection)
    with selected(parts=[]) as selection:
        empty = compared(selection)

    assert found.lines == empty.lines == ()
    assert "No document matches" in found.notes[0]


def test_another_corpus_may_be_the_reference():
    with (
        selected(document("one", "braai the the")) as here,
        selected(document("two", "the the barbecue the")) as there,
    ):
        candidates = candidate_words(here, asked())
        reference = word_reference(candidates, there, name="there")
        found = keyed(candidates, reference, asked(), name="here")

    assert {(line.value, line.hits, line.reference_hits) for line in found.lines} == {
        ("braai", 1, 0),
        ("the", 2, 3),
    }


def list_of(tmp_path, text):
    path = tmp_path / "list.tsv"
    path.write_text(text, encoding="utf-8")
    return read_frequency_list(path)


def test_a_frequency_list_is_read_with_its_size(tmp_path):
    found = list_of(tmp_path, "word\tfrequency\n# tokens 1,000\nThe\t60\nthe\t40\nbraai\t1\n")

    assert (found.tokens, found.frequencies["the"]) == (1000, 40)
    reference = from_list(found, [("the",), ("braai",), ("maas",)], _hits(5, 2, 1), "lc")
    assert reference.counts.tolist() == [100, 1, 0]
    assert reference.notes == ()


def test_without_a_size_a_list_is_as_long_as_it_adds_up_to(tmp_path):
    assert list_of(tmp_path, "a\t3\nb\t4\n").tokens == 7


def test_a_list_of_another_spelling_is_warned_of():
    given_list = FrequencyList("caps.tsv", {"THE": 10}, 10)

    reference = from_list(given_list, [("the",), ("maas",)], _hits(9, 1), "word")

    assert "knows only 0%" in reference.notes[0]
    assert "spelt" in reference.notes[0]


@pytest.mark.parametrize("text", ["", "no tabs here\n", "a\t1\nb\tmany\n"])
def test_what_is_no_list_is_refused(tmp_path, text):
    with pytest.raises(QueryError):
        list_of(tmp_path, text)


def test_a_list_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(QueryError):
        read_frequency_list(tmp_path / "nowhere.tsv")


def _hits(*counts):
    import numpy as np

    return np.array(counts)


def test_terms_are_counted_here_and_there():
    documents = [
        document("one", "load shedding again . load shedding now", source="herald"),
        document("two", "load shedding , blue light", source="post"),
        document("three", "blue light load", source="other"),
    ]
    chosen = Filter(sources=("herald", "post"))
    with selected(*documents, chosen=chosen) as selection:
        patterns = term_patterns(selection, ['[lc="load|blue"] [lc="shedding|light"]'])
        candidates = candidate_terms(selection, patterns, asked())
        rest = rest_of(selection, Selection(selection.segments, Filter()))
        words = candidates.all_words()
        reference = term_reference(rest, patterns, words, "lc", name="rest")
        found = keyed(candidates, reference, asked(), name="focus")

    rows = [(line.value, line.hits, line.reference_hits, line.documents, line.sites)
            for line in found.lines]  # fmt: skip
    assert rows == [("load shedding", 3, 0, 2, 2), ("blue light", 1, 1, 1, 1)]
    assert found.lines[0].opens.query == '[lc="load"] [lc="shedding"]'
    assert found.lines[0].dp == pytest.approx(abs(2 / 3 - 7 / 12))


def test_terms_without_tags_need_patterns():
    with selected(document("one", "a b")) as selection, pytest.raises(QueryError, match="patterns"):
        term_patterns(selection, ())


@pytest.mark.parametrize("wanted", [{"measure": "x"}, {"smoothing": 0.0}, {"sites": 0}])
def test_what_makes_no_sense_is_refused(wanted):
    with pytest.raises(QueryError):
        KeywordsAsked(**wanted)


def test_a_corpus_without_segments_has_no_keywords():
    found = compared(Selection((), Filter()))

    assert found.lines == ()
    assert found.notes


def test_batches_do_not_change_how_words_are_spread(monkeypatch):
    documents = [document(f"d{n}", "a b a c", source=SOURCES[n % 2]) for n in range(6)]
    everything = Filter(sources=SOURCES[:2])
    with selected(parts=[documents[:3], documents[3:]], chosen=everything) as selection:
        whole = candidate_words(selection, asked())
        monkeypatch.setattr(vocabulary, "_BATCH", 5)
        found = candidate_words(selection, asked())

    assert found.documents.tolist() == whole.documents.tolist() == [6, 6, 6]
    assert found.sites.tolist() == whole.sites.tolist()
    assert found.dp.tolist() == whole.dp.tolist()
