"""Profile distance and Kneser-Ney models, small enough to check by hand."""

import math

import pytest

from izwi.cases.language_tools import train_language
from izwi.model.errors import ConfigError
from izwi.text.language.alternative_models import Alternatives, dump_alternatives, load_alternatives
from izwi.text.language.base import identifier
from izwi.text.language.distance import RANKS, ProfileDistance, out_of_place, ranking
from izwi.text.language.kneserney import KneserNey, character_model, count_characters

ENGLISH = "The children walk to school every morning because the bus is always late for them."
ZULU = "Abantwana baya esikoleni nsuku zonke ekuseni ngoba bafuna ukufunda ukubhala nokubala."


def test_the_most_frequent_ngram_comes_first():
    assert next(iter(ranking("aaaa aaaa"))) == "a"


def test_a_ranking_is_in_place_with_itself_and_far_from_nothing_shared():
    own = ranking(ENGLISH)

    assert out_of_place(own, own) == 0.0
    assert out_of_place(own, {}) == 1.0
    assert len(own) <= RANKS


def test_out_of_place_adds_the_places_ngrams_are_away():
    assert out_of_place({"a": 0, "b": 1}, {"b": 0, "a": 1}) == pytest.approx(2 / (2 * RANKS))


@pytest.mark.parametrize("kind", [ProfileDistance, KneserNey])
def test_long_sentences_are_told(kind):
    identify = kind()

    assert (identify(ENGLISH * 5).code, identify("").code) == ("eng", "und")


def test_kneser_ney_tells_zulu_from_english():
    assert KneserNey()(ZULU).code == "zul"


def test_probabilities_after_a_context_add_up_to_one():
    model = character_model(count_characters(["abab abba baab"]))
    seen = {ngram[2] for ngram in model.costs if len(ngram) == 3}

    total = sum(math.exp(-model._letter("ab", letter)) for letter in seen)

    assert total == pytest.approx(1.0, abs=0.02)


def test_alternatives_survive_being_written_and_read():
    found = Alternatives({"eng": tuple(ranking(ENGLISH))}, {"eng": count_characters([ENGLISH])})

    assert load_alternatives(dump_alternatives(found)) == found


@pytest.mark.parametrize("method", ["profile-distance", "kneser-ney"])
def test_a_language_is_added_from_a_sample_and_used_by_name(tmp_path, method):
    sample, model = tmp_path / "sample.txt", tmp_path / "own.json.gz"
    syllables = ("qex", "wyv", "zoq", "fyx", "juv", "xaq", "vyz", "quf")
    lines = [
        " ".join(syllables[(n * k) % 8] + syllables[(n + k) % 8] for k in range(1, 12))
        for n in range(80)
    ]
    sample.write_text("\n".join(lines), encoding="utf-8")

    report = train_language("qaa", sample, model, method=method)
    identify = identifier(method, str(model))

    assert report.accuracy > 0.9
    assert identify(" ".join(lines[:3])).code == "qaa"
    assert identify("Die kinders loop elke oggend skool toe want die bus is laat.").code == "afr"


def test_what_cannot_be_trained_is_named(tmp_path):
    with pytest.raises(ConfigError, match="pycld2"):
        train_language("qaa", tmp_path, tmp_path / "x", method="pycld2")
