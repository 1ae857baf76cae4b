import re
from pathlib import Path

import pytest

import izwi
from izwi.model.reasons import all_reasons, in_words
from izwi.presentation.catalogues import catalogue

SOURCES = Path(izwi.__file__).parent.rglob("*.py")
GIVEN = re.compile(r'\b(?:dropped|failed)\(\s*(?:STAGE|CURATOR|"\w+"),\s*"([a-z-]+)"')


def test_every_reason_that_a_page_may_be_given_is_said_in_words():
    given = {reason for path in SOURCES for reason in GIVEN.findall(path.read_text("utf-8"))}

    assert len(given) > 20
    assert sorted(given - all_reasons().keys()) == []


def test_what_needs_no_words_has_none():
    assert in_words("") == ""


@pytest.mark.parametrize("language", ["af", "zu"])
def test_pages_say_every_reason_in_the_readers_language(language):
    known = catalogue(language)

    assert [words for words in all_reasons().values() if known.sentence(words) == words] == []
    assert "503" in known.sentence(in_words("http-503")) != in_words("http-503")
