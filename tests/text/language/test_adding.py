"""A language is added from a sample, and the others stay what they were."""

import pytest

from izwi.model.errors import ConfigError
from izwi.text.language.new_language import (
    frequent_words,
    held_back,
    learn_column,
    losses,
    read_column,
    stop_words,
    texts_of_others,
    with_columns,
    write_column,
)
from izwi.text.language.ngrams import Izwi
from izwi.text.language.world import shipped_world

# An invented language: no shipped one writes like this.
SYLLABLES = ("qex", "wyv", "zoq", "fyx", "juv", "xaq", "vyz", "quf")
ENGLISH = "The children walk to school every morning because the bus is always late."


def lines(count):
    return [
        " ".join(SYLLABLES[(n * k) % 8] + SYLLABLES[(n + k) % 8] for k in range(1, 12))
        for n in range(count)
    ]


@pytest.fixture(scope="module")
def column():
    return learn_column(shipped_world(), "qaa", lines(80))


@pytest.fixture(scope="module")
def identify(column):
    return Izwi(world=with_columns(shipped_world(), {"qaa": column}))


def test_the_new_language_is_named_and_was_not_before(identify):
    assert identify(lines(3)[2]).code == "qaa"
    assert Izwi()(lines(3)[2]).code != "qaa"


def test_the_others_are_named_as_before(identify):
    assert identify(ENGLISH).code == "eng"
    assert identify("God morgon, hur mår du idag min vän?").code == "swe"
    assert losses(Izwi(), identify, "qaa", texts_of_others("qaa", 1)).share < 0.01


def test_texts_that_become_the_new_language_are_counted_as_lost(identify):
    found = losses(Izwi(), lambda text: identify(lines(3)[2]), "qaa", [("eng", ENGLISH)])

    assert (found.texts, found.lost, found.languages) == (1, 1, (("eng", 1),))


def test_a_language_may_be_added_again(column):
    once = with_columns(shipped_world(), {"qaa": column})
    twice = with_columns(once, {"qaa": column})

    assert twice.classes.count("qaa") == 1
    assert len(twice.languages) == len(once.languages)


def test_a_column_comes_back_from_its_file(tmp_path, column):
    path = tmp_path / "identifier.npz"
    with path.open("wb") as file:
        write_column(column, file)

    found = read_column(path)

    assert found.prints.tolist() == column.prints.tolist()
    assert found.weights == pytest.approx(column.weights, abs=0.01)
    assert found.likeness == column.likeness


def test_a_language_like_a_south_african_one_is_measured_so(column):
    lines = [f"{ENGLISH[:n]} wi {SYLLABLES[n % 8]} an aw" for n in range(20, 70)]
    near = learn_column(shipped_world(), "qab", lines)
    world = with_columns(shipped_world(), {"qaa": column, "qab": near})

    assert near.likeness > 0.5 > column.likeness
    assert world.likeness[-2:] == pytest.approx([column.likeness, near.likeness])


def test_a_damaged_column_is_named(tmp_path):
    (tmp_path / "identifier.npz").write_bytes(b"PK nothing")

    with pytest.raises(ConfigError, match="not the identifier"):
        read_column(tmp_path / "identifier.npz")


def test_what_is_measured_was_not_learnt_from():
    text = [f"{line} {number}" for number, line in enumerate(lines(80))]

    learnt, _ = held_back("qaa", text)

    assert not {*text[::10]} & {*learnt}


def test_too_small_a_sample_is_refused():
    with pytest.raises(ConfigError, match="at least 2,000"):
        held_back("qaa", lines(3))


def test_stop_words_are_those_a_language_is_full_of():
    assert {"the", "of"} <= {*stop_words("eng")}
    assert {"och", "att"} <= {*stop_words("swe")}
    assert stop_words("xqz") == ()
    assert "zho" not in frequent_words()
