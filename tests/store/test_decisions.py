import json
import multiprocessing
import threading

import pytest

from izwi.model.errors import StoreError
from izwi.model.lexicography import WordDecision
from izwi.store.curation import append_decision, read_word_decisions
from izwi.store.layout import Layout


def decided(word, who="a"):
    return WordDecision(word, "accept", who, "2026-01-01T00:00:00+00:00", "")


def append_many(folder, who):
    for number in range(40):
        append_decision(Layout(folder), decided(f"word{number}", who))


def test_what_was_decided_is_there_in_order(tmp_path):
    for word in ("braai", "bakkie", "braai"):
        append_decision(Layout(tmp_path), decided(word))

    assert [each.word for each in read_word_decisions(Layout(tmp_path))] == [
        "braai",
        "bakkie",
        "braai",
    ]


def test_a_corpus_without_decisions_has_none(tmp_path):
    assert read_word_decisions(Layout(tmp_path)) == ()


@pytest.mark.parametrize("kind", [threading.Thread, multiprocessing.get_context("spawn").Process])
def test_nothing_is_lost_when_two_decide_at_once(tmp_path, kind):
    writers = [kind(target=append_many, args=(tmp_path, who)) for who in ("a", "b", "c")]

    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()

    made = read_word_decisions(Layout(tmp_path))
    assert len(made) == 120
    for who in ("a", "b", "c"):
        assert [each.word for each in made if each.who == who] == [f"word{n}" for n in range(40)]


def test_a_line_cut_off_is_not_read_and_harms_no_other(tmp_path):
    append_decision(Layout(tmp_path), decided("braai"))
    with Layout(tmp_path).decisions.open("ab") as file:
        file.write(b'{"word": "bak')

    assert [each.word for each in read_word_decisions(Layout(tmp_path))] == ["braai"]
    append_decision(Layout(tmp_path), decided("bakkie"))
    assert [each.word for each in read_word_decisions(Layout(tmp_path))] == ["braai", "bakkie"]


def test_a_whole_line_without_its_break_is_kept(tmp_path):
    row = {"word": "braai", "decision": "accept", "who": "", "when": "", "note": ""}
    Layout(tmp_path).decisions.write_text(json.dumps(row), encoding="utf-8")

    append_decision(Layout(tmp_path), decided("bakkie"))

    assert [each.word for each in read_word_decisions(Layout(tmp_path))] == ["braai", "bakkie"]


def test_a_damaged_line_is_named(tmp_path):
    Layout(tmp_path).decisions.write_text("nonsense\n{}\n", encoding="utf-8")

    with pytest.raises(StoreError, match="line 1"):
        read_word_decisions(Layout(tmp_path))
