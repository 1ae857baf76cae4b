import json
import random

import pytest

from izwi.cases.collection_tools import agreements, evaluate_copies, ngram_tables
from izwi.dedup.batch import NgramReading
from izwi.evaluate.copies import KINDS, Forged, block_agreement, forge, score
from izwi.model.errors import SourceError

WORDS = [f"word{number}" for number in range(3000)]


def collection(count=60, seed=1):
    chance = random.Random(seed)
    return [
        (f"d{number}", [" ".join(chance.choices(WORDS, k=40)) for _ in range(4)])
        for number in range(count)
    ]


def test_every_kind_of_copy_is_made():
    forged = forge(collection())

    assert {each.kind for each in forged} == {"", *KINDS}
    assert all(each.copied for each in forged if each.kind)


def test_the_same_seed_makes_the_same_copies():
    assert forge(collection(), seed=3) == forge(collection(), seed=3)
    assert forge(collection(), seed=3) != forge(collection(), seed=4)


def test_keeping_everything_finds_nothing_and_loses_nothing():
    forged = forge(collection())
    everything = {each.id: list(range(len(each.paragraphs))) for each in forged}

    scores = score(forged, everything, (7, 0.5, 0))

    assert dict(scores.found) == dict.fromkeys(KINDS, 0.0)
    assert scores.unique_lost == 0
    assert scores.duplicate_left > 0.05


def test_dropping_everything_finds_all_and_loses_all():
    forged = [
        Forged("a", ["one two three four five six"]),
        Forged("b", ["x y"], "exact", frozenset({0})),
    ]

    scores = score(forged, {"a": [], "b": []}, (7, 0.5, 0))

    assert (dict(scores.found)["exact"], scores.unique_lost) == (1.0, 1.0)


def test_the_usual_settings_find_what_they_should(tmp_path):
    source = tmp_path / "in.jsonl"
    lines = (json.dumps({"id": name, "paras": paras}) for name, paras in collection(150))
    source.write_text("\n".join(lines))

    usual, long = evaluate_copies(source, ngrams=(7, 20))

    found = dict(usual.found)
    assert min(found[kind] for kind in ("exact", "variant", "5%", "half", "index")) == 1.0
    assert found["20%"] >= 0.7
    assert usual.unique_lost <= 0.01
    assert dict(long.found)["20%"] < found["20%"]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    texts = [(name, [f"{text}." for text in paras]) for name, paras in collection(120)]
    lines = (json.dumps({"id": name, "paras": paras}) for name, paras in texts)
    path.write_text("\n".join(lines))
    return path


def test_all_methods_decide_as_a_full_pairwise_comparison(source):
    found = {each.method: each for each in agreements(source, most=200)}

    assert list(found) == ["blocks", "sentences", "shingles"]
    assert all(each.both > 5 for each in found.values())
    assert found["blocks"].share == found["sentences"].share == 1.0
    # Min-hashes estimate what the pairwise comparison counts.
    assert found["shingles"].share >= 0.97


def test_a_decision_that_differs_is_counted():
    documents = [["one two three four five six seven eight"], ["nine ten"]]

    found = block_agreement(documents, [[0], []], NgramReading(), 0.5)

    assert (found.judged, found.only_method, found.only_pairwise) == (2, 1, 0)
    assert found.share == 0.5


def test_tables_show_what_each_kind_of_ngram_leaves(source):
    rows = ngram_tables(source, most=60)

    assert len(rows) == 3 * 2 * 2 * 4
    by_setting = {(r.threshold, r.has_stop_words, r.has_marks, r.ngram): r for r in rows}
    strict, loose = by_setting[0.5, True, False, 10], by_setting[0.1, True, False, 3]
    assert strict.words >= loose.words
    assert strict.duplicate_ngrams <= loose.duplicate_ngrams
    assert all(0 <= row.words_share <= 1 for row in rows)


def test_a_collection_without_documents_is_refused(tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text("\n")

    with pytest.raises(SourceError, match="no documents"):
        ngram_tables(source)


def test_a_collection_too_small_to_copy_from_is_refused(tmp_path):
    source = tmp_path / "in.jsonl"
    source.write_text('{"id": "a", "paras": ["short"]}')

    with pytest.raises(SourceError, match="long enough"):
        evaluate_copies(source)
