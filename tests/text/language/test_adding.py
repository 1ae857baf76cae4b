"""A language is added from a sample, and the others stay what they were."""

import pytest

from izwi.model.errors import ConfigError
from izwi.text.language.adding import add_language
from izwi.text.language.model import shipped_model
from izwi.text.language.ngrams import Izwi

# An invented language: no shipped one writes like this.
SYLLABLES = ("qex", "wyv", "zoq", "fyx", "juv", "xaq", "vyz", "quf")


def lines(count):
    return [
        " ".join(SYLLABLES[(n * k) % 8] + SYLLABLES[(n + k) % 8] for k in range(1, 12))
        for n in range(count)
    ]


@pytest.fixture(scope="module")
def added():
    return add_language(shipped_model(), "qaa", lines(80))


def test_the_new_language_is_named(added):
    model, report = added

    assert Izwi(model)(lines(3)[2]).code == "qaa"
    assert report.accuracy > 0.9


def test_the_others_are_named_as_before(added):
    english = "The children walk to school every morning because the bus is always late."

    assert Izwi(added[0])(english).code == "eng"


def test_a_language_may_be_added_again(added):
    model, _ = add_language(added[0], "qaa", lines(80))

    assert model.classes.count("qaa") == 1


def test_too_small_a_sample_is_refused():
    with pytest.raises(ConfigError, match="at least 2,000"):
        add_language(shipped_model(), "qaa", lines(3))
