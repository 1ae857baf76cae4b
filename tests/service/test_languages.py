import importlib.util

import pytest

import izwi
from izwi.model.errors import IzwiError

ENGLISH = "The council met on Tuesday to talk about the water supply of the town and its schools."
AFRIKAANS = "Die raad het Dinsdag vergader om oor die dorp se water en sy skole te praat."
HAS_LINGUA = importlib.util.find_spec("lingua") is not None
METHODS = [
    "izwi",
    "pycld2",
    "profile-distance",
    "kneser-ney",
    pytest.param("lingua", marks=pytest.mark.skipif(not HAS_LINGUA, reason="the extra is large")),
]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_tells_languages_apart(method):
    assert izwi.identify(ENGLISH, method=method)[0].code == "eng"
    many = izwi.identify_many([ENGLISH, AFRIKAANS], method=method)
    assert [guess.code for guess in many] == ["eng", "afr"]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("text", ["", "7", "\ud800", "🙂🙂"])
def test_no_method_fails_on_what_is_no_text(method, text):
    assert izwi.identify(text, method=method)[0].code == "und"


def test_an_unknown_method_is_named_with_those_there_are():
    with pytest.raises(IzwiError, match=r"nonsense.*kneser-ney"):
        izwi.identify(ENGLISH, method="nonsense")
