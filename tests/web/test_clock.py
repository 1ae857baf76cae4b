"""Runs by the clock: each corpus at its time, whatever befalls the others."""

from datetime import datetime, timedelta
from types import SimpleNamespace

import pytest

from izwi.cases.corpus import create_corpus
from izwi.web import app

BEFORE = datetime(2026, 11, 16, 2, 59, 50).astimezone()
NOW = BEFORE + timedelta(seconds=20)


@pytest.fixture
def corpora(tmp_path):
    made = {}
    for name in ("first", "second", "idle"):
        made[name] = create_corpus(tmp_path / name, contact="https://example.org/bot")
        if name != "idle":
            made[name].change_settings({"schedule.daily": "03:00"})
    return made


def site_of(corpora, start):
    return SimpleNamespace(corpora=corpora, work=SimpleNamespace(start=start))


def test_what_is_due_is_started(corpora):
    site = site_of(corpora, lambda *_, **__: SimpleNamespace(run="a"))

    assert app.start_due(site, BEFORE, NOW) == ["first", "second"]
    assert app.start_due(site, NOW, NOW + timedelta(seconds=20)) == []


def test_a_fault_in_one_corpus_leaves_the_clock_going_for_the_others(corpora):
    def start(task, corpus, *_, **__):
        if corpus.name == "first":
            raise OSError("no space left")
        return SimpleNamespace(run="a")

    assert app.start_due(site_of(corpora, start), BEFORE, NOW) == ["second"]
