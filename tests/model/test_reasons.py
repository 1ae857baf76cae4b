import re
from pathlib import Path

import pytest

import izwi
from izwi.cli import render
from izwi.config.load import SECTIONS
from izwi.model.reasons import all_reasons, all_stages, in_words, stage_in_ledger
from izwi.model.results import CorpusStatus, StageStatus
from izwi.pipeline.stages import INDEX, STAGES
from izwi.presentation.catalogues import catalogue

SOURCES = Path(izwi.__file__).parent.rglob("*.py")
DECIDED = re.compile(r'\b(?:dropped|failed)\(\s*"(\w+)"')
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


def test_a_stage_is_called_by_the_section_of_the_settings_that_says_how_it_works():
    called = {stage_in_ledger(each.name) for each in (*STAGES, INDEX)}

    assert called == {"extract", "language", "select", "dedup", "annotate", "index"} <= {*SECTIONS}


def test_the_ledger_calls_stages_as_the_other_surfaces_do():
    texts = (path.read_text("utf-8") for path in Path(izwi.__file__).parent.rglob("*.py"))
    given = {stage for text in texts for stage in DECIDED.findall(text)}

    # What people decide is no stage.
    assert {"fetch", "dedup"} <= given
    assert given - {"curator", "takedown"} <= {stage_in_ledger(each) for each in all_stages()}


def test_status_and_the_ledger_are_asked_by_one_name(capsys):
    status = CorpusStatus("news", 1, 9, 0, 1, (StageStatus("judge", "dup", "0f", 1, 0, 0, 0),))
    render.show_status(status)

    assert "dedup 3/3" in capsys.readouterr().out
    assert stage_in_ledger("dedup 3/3") == stage_in_ledger("judge") == "dedup"
