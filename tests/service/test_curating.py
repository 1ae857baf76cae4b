from dataclasses import replace

import pytest

from izwi.cases.corpus import create_corpus
from izwi.curation import decisions, labelling
from izwi.curation.takedown import target_of
from izwi.model.curation import LabelledBlock, LabelledPage
from izwi.model.errors import CorpusLocked, LaterChange, QueryError
from izwi.store.curation import changing
from izwi.store.layout import Layout
from izwi.store.lock import writing
from izwi.store.takedowns import Takedown, Takedowns, read_takedowns, write_takedowns

PAGE = LabelledPage(
    "https://a.example/", "<p>x", (LabelledBlock("x", "main"),), labeller="thandi", time="2026"
)
URL = "https://a.example/page"


@pytest.fixture
def corpus(tmp_path):
    return create_corpus(tmp_path / "news", contact="x")


@pytest.fixture
def layout(corpus):
    return Layout(corpus.path)


def test_labels_of_two_curators_stand_side_by_side(layout):
    decisions.record_labels(layout, (PAGE,), who="thandi")
    decisions.record_labels(layout, (replace(PAGE, labeller="sipho"),), who="sipho")

    assert {page.labeller for page in labelling.stored(layout)} == {"thandi", "sipho"}


def test_labels_given_again_are_taken_back_to_what_they_were(layout, corpus):
    other = replace(PAGE, blocks=(LabelledBlock("x", "boilerplate"),))
    decisions.record_labels(layout, (PAGE,), who="thandi")
    decisions.record_labels(layout, (other,), who="thandi")

    with pytest.raises(LaterChange, match="again since"):
        corpus.undo(1, by="thandi")
    corpus.undo(2, by="thandi")

    assert labelling.stored(layout) == (PAGE,)


def recorded(layout, kind, target):
    with changing(layout, "thandi") as desk:
        desk.record(kind, target, None, {"reason": "asked"})


def test_a_page_is_served_again_when_its_take_down_is_taken_back(layout, corpus):
    write_takedowns(layout, Takedowns((Takedown(URL, "asked", "2026"),)))
    recorded(layout, "takedown", URL)

    corpus.undo(1, by="thandi")

    assert read_takedowns(layout).entries == ()


def test_taking_back_is_not_taken_back(layout, corpus):
    write_takedowns(layout, Takedowns((Takedown(URL, "asked", "2026"),)))
    recorded(layout, "takedown", URL)
    corpus.undo(1, by="thandi")
    write_takedowns(layout, Takedowns((Takedown(URL, "asked again", "2027"),)))

    with pytest.raises(QueryError, match="cannot be taken back"):
        corpus.undo(2, by="thandi")

    assert len(read_takedowns(layout).entries) == 1


def test_a_take_down_is_not_taken_back_while_the_corpus_is_written(layout, corpus):
    write_takedowns(layout, Takedowns((Takedown(URL, "asked", "2026"),)))
    recorded(layout, "takedown", URL)

    with writing(layout.lock, "izwi gather"), pytest.raises(CorpusLocked):
        corpus.undo(1, by="thandi")

    assert [change.undone for change in corpus.changes()] == [0]


def test_labels_and_sources_are_recorded(corpus):
    corpus.import_labels([PAGE], by="thandi")
    corpus.add_source("https://a.example/feed", by="sipho")

    assert [(each.kind, each.who) for each in corpus.changes()] == [
        ("settings", "sipho"),
        ("labels", "thandi"),
    ]
    corpus.undo(2, by="sipho")
    assert corpus.config.sources == ()


def test_what_was_removed_from_the_files_is_gone(layout, corpus):
    write_takedowns(layout, Takedowns((Takedown(URL, "asked", "2026", compacted="2026"),)))
    recorded(layout, "takedown", URL)

    with pytest.raises(LaterChange, match="removed from the files"):
        corpus.undo(1, by="thandi")

    assert len(read_takedowns(layout).entries) == 1


def test_starting_a_run_is_recorded_and_cannot_be_taken_back(layout, corpus):
    recorded(layout, "run", "build")

    (change,) = corpus.changes()
    assert (change.kind, change.who, change.can_be_undone) == ("run", "thandi", False)
    with pytest.raises(QueryError, match="cannot be taken back"):
        corpus.undo(1)


@pytest.mark.parametrize("number", [0, 2])
def test_there_is_no_other_change(corpus, number):
    with pytest.raises(QueryError, match="no change number"):
        corpus.undo(number)


@pytest.mark.parametrize("text", ["", "-x.example", "--reason", "no host", "page/of/it"])
def test_what_is_no_address_is_not_taken_down(text):
    with pytest.raises(QueryError, match="neither a URL nor a host"):
        target_of(text)
