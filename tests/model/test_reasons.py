import re
from pathlib import Path

import izwi
from izwi.model.reasons import REASONS, in_words

SOURCES = Path(izwi.__file__).parent.rglob("*.py")
GIVEN = re.compile(r'\b(?:dropped|failed)\(\s*(?:STAGE|CURATOR|"\w+"),\s*"([a-z-]+)"')


def test_every_reason_that_a_page_may_be_given_is_said_in_words():
    given = {reason for path in SOURCES for reason in GIVEN.findall(path.read_text("utf-8"))}

    assert len(given) > 20
    assert sorted(given - REASONS.keys()) == []


def test_what_needs_no_words_has_none():
    assert in_words("") == ""
