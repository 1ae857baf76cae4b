"""What curators decide about documents, and what a build does about it."""

import pytest

from izwi.model.curation import Decision
from izwi.pipeline import shard
from izwi.store.curation import changing
from izwi.store.snapshots import current
from tests.pipeline.pages import settings
from tests.pipeline.test_build import SECOND, THIRD, USUAL, VERDICTS, corpus_at, indexed


@pytest.fixture
def corpus(tmp_path):
    made = corpus_at(tmp_path / "news")
    made.build(USUAL)
    return made


def decide(corpus, name, verdict, shard):
    document = corpus.documents(USUAL)[name]
    with changing(corpus.layout, "thandi") as desk:
        desk.put_decision(Decision(document.id, document.url, verdict, shard))


def test_a_restored_copy_is_indexed_and_only_its_shard_is_worked_on(corpus):
    before = indexed(corpus)

    decide(corpus, "owls-again", "keep", SECOND)
    corpus.build(USUAL)

    assert corpus.work == [(stage, SECOND) for stage in ("sift", "select", "annotate")]
    assert corpus.verdicts(USUAL) == VERDICTS | {"owls-again": "restored"}
    assert "http://one.example/owls-again" in indexed(corpus)
    assert current(corpus.layout).documents == list(VERDICTS.values()).count("") + 1
    assert set(before) <= set(indexed(corpus))


def test_a_decision_survives_other_settings(corpus):
    decide(corpus, "uile", "keep", THIRD)
    other = settings(language="minimum = 0.6")

    corpus.build(other)

    assert corpus.verdicts(other)["uile"] == "restored"


def test_a_decision_that_is_taken_back_leaves_no_trace(corpus):
    decide(corpus, "bats", "drop", "2026-11-15-0001")
    corpus.build(USUAL)
    assert "http://one.example/bats" not in indexed(corpus)

    decide(corpus, "bats", "", "2026-11-15-0001")
    corpus.build(USUAL)

    assert corpus.verdicts(USUAL) == VERDICTS
    assert "http://one.example/bats" in indexed(corpus)


def test_a_build_after_a_decision_was_obeyed_does_nothing(corpus):
    decide(corpus, "owls-again", "keep", SECOND)
    first = corpus.build(USUAL)

    again = corpus.build(USUAL)

    assert corpus.work == []
    assert again.snapshot == first.snapshot


def test_a_document_is_found_whose_file_was_joined_to_another(corpus):
    decide(corpus, "rats-again", "keep", "2026-11-15-0099")

    corpus.build(USUAL)

    assert corpus.verdicts(USUAL)["rats-again"] == "restored"


def test_a_stage_that_fails_everywhere_takes_no_good_version_away(corpus, monkeypatch):
    good = current(corpus.layout)
    changed = settings(language="connected_by = 'fixed'")

    def failing(task, told=None):
        report = build_shard(task, told)
        if task.stage != "language":
            return report
        task.output.unlink()
        return type(report)(task.stage, task.shard, error="RuntimeError: no model")

    build_shard = shard.run_shard
    monkeypatch.setattr(shard, "run_shard", failing)
    result = corpus.build(changed)

    assert len(result.failures) == 3
    assert current(corpus.layout) == good
    assert indexed(corpus)

    monkeypatch.undo()
    assert corpus.build(changed).snapshot.number == good.number + 1
