import json
from collections import Counter

import pytest
from typer.testing import CliRunner

from izwi.cases.corpus import create_corpus
from izwi.cli.main import app
from izwi.model.reports import Share, SideBySide
from izwi.presentation.report_pages import comparison_page
from izwi.service.comparing import frequencies, side_by_side, telling_words


@pytest.fixture(scope="module")
def other(tmp_path_factory):
    """A corpus of one text beside those of the tiny one."""
    folder = tmp_path_factory.mktemp("other")
    row = {"text": "Lemons & limes. " * 9, "date": "1999", "language": "en"}
    (folder / "a.jsonl").write_text(json.dumps(row), encoding="utf-8")
    corpus = create_corpus(folder / "c", contact="https://izwi.example/", title="<C&D>")
    corpus.import_texts(folder / "a.jsonl", name="lemons")
    corpus.build(workers=1)
    return corpus


def test_two_corpora_stand_side_by_side(built, other):
    found = built.comparison(other)

    assert (found.first.name, found.second.name) == ("tiny", "c")
    assert found.shared_addresses == 0
    assert {row.name for row in found.years} == {"1999", "2020"}
    assert "lemons" in {row.name for row in found.sources}
    assert [each.word for each in found.second_words] == ["lemons", "limes"]
    assert found.second_words[0].first_hits == 0
    assert "the" in {each.word for each in found.first_words}


def test_a_corpus_beside_itself_shares_all_and_nothing_sets_it_apart(built):
    found = built.comparison(built.path, version=1, other_version=1)

    assert found.shared_documents == found.shared_addresses == built.summary().documents
    assert (found.first_words, found.second_words) == ((), ())


def test_the_page_escapes_and_needs_nothing_from_outside(built, other):
    page = comparison_page(built.comparison(other))

    assert "&lt;C&amp;D&gt;" in page
    assert "<C&D>" not in page
    assert "http" not in page.split("<h2>Sources")[0]
    assert '<rect class="second"' in page


def test_the_command_writes_the_page_and_tells_the_words(built, other, tmp_path):
    page = tmp_path / "page.html"

    result = CliRunner().invoke(
        app, ["report", "compare", str(built.path), str(other.path), "--html", str(page)]
    )

    assert result.exit_code == 0
    assert "lemons (" in result.stdout
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    alone = CliRunner().invoke(app, ["report", "compare", str(built.path), "--other-version", "1"])
    assert alone.stdout.startswith(f"{built.name}, version 1")
    wrong = CliRunner().invoke(app, ["report", "compare", str(built.path), "--other-version", "x"])
    assert wrong.exit_code == 2


def test_shares_meet_by_name():
    found = side_by_side([Share("a", 1, 10), Share("b", 1, 1)], [Share("b", 2, 20)])

    assert found == (SideBySide("b", 1, 1, 2, 20), SideBySide("a", 1, 10, 0, 0))


def test_folded_copies_count_in_no_frequency(built):
    _, segments = built._snapshot(None)

    counted = frequencies(segments)

    assert any(segment.is_copy.any() for segment in segments)
    assert counted["oranges"] == built.concordance('[lc="oranges"]').hits
    assert built.concordance('[lc="oranges"]', copies=True).hits > counted["oranges"]


def test_rare_words_are_not_telling():
    assert telling_words(Counter(a=4), Counter(b=4)) == ((), ())
