import dataclasses

import pytest
from rich.console import Console

from izwi.cases.corpus import create_corpus
from izwi.cases.lines import LinesOf
from izwi.cli import render
from izwi.cli.kwic import kwic_lines
from izwi.model.results import (
    Concordance,
    DocumentCard,
    FunnelStep,
    KwicLine,
    LineToken,
    ReasonCount,
    RunReport,
)


def line(left, match, right, source="herald"):
    card = DocumentCard("1", "http://a.example/", "", "", None, "", "", source, "", "", "", None)
    return KwicLine("1", left, match, right, dataclasses.replace(card, publication=source))


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lines_fill_the_width_and_begin_and_end_with_whole_words(width):
    long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    lines = [
        line(long, "bakkie", f" {long}"),
        line(long, "bakkies", f" {long}", "a-much-longer-name"),
    ]

    found = [text.plain for text in kwic_lines(lines, width)]

    assert width - 3 <= max(len(text) for text in found) <= width
    assert {text.index("bakkie") for text in found} == {found[0].index("bakkie")}
    words = set(long.split())
    assert all(set(text.split()[:-1]) - {"bakkie", "bakkies"} <= words for text in found)


ADDRESS = "http://karoocourant.example/feeds/of/all/sections/that/there/are/feed.xml"
SOURCE = ("karoocourant-feed", "feed", ADDRESS, "1,234", "2020-04-16", "2020-05-01")


def show_sources_table():
    render.show_table(
        ("name", "type", "address", "documents", "from", "to"), [SOURCE], numbers=("documents",)
    )


def test_a_table_in_a_pipe_is_whole_and_has_a_line_for_each_row(capsys):
    show_sources_table()

    head, row = capsys.readouterr().out.splitlines()
    assert row.split() == list(SOURCE)
    assert head.index("address") == row.index("http://")


def test_in_a_window_only_the_address_is_cut_and_that_is_shown(capsys, monkeypatch):
    monkeypatch.setattr(render, "out", Console(force_terminal=True, width=80, color_system=None))
    show_sources_table()

    _, row = capsys.readouterr().out.splitlines()
    name, kind, address, *facts = row.split()
    assert (name, kind, *facts) == (*SOURCE[:2], *SOURCE[3:])
    assert address.endswith("…")
    assert ADDRESS.startswith(address[:-1])
    assert len(row) <= 80


def test_in_a_window_prose_at_the_end_goes_on_in_the_next_line(capsys, monkeypatch):
    monkeypatch.setattr(render, "out", Console(force_terminal=True, width=60, color_system=None))
    words = "12 other-language, 14 near-duplicate, 3 link-list, 2 too-short"
    render.show_table(("step", "lost here"), [("unique documents", words)])

    head, *rows = capsys.readouterr().out.splitlines()
    assert len(rows) > 1
    assert " ".join(row[head.index("lost") :].strip() for row in rows) == words


def test_lines_without_a_width_are_whole_and_their_matches_below_each_other():
    long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    lines = [
        line(long, "bakkie", f" {long}", "Egoli Evening Post of the Day"),
        line("a ", "bakkies", " b"),
    ]

    first, second = (text.plain for text in kwic_lines(lines, None))

    assert f"{long}bakkie {long}" in first
    assert first.endswith("Egoli Evening Post of the Day")
    assert first.index("bakkie") == second.index("bakkie")


def test_a_publication_that_is_cut_says_so():
    (found,) = kwic_lines([line("a ", "b", " c", "Egoli Evening Post of the Day")], 80)

    assert found.plain.endswith("  Egoli Evening P…")


@pytest.mark.parametrize(
    ("asked", "is_whole"),
    [({}, False), ({"unit": "sentence"}, True), ({"context": 60}, True)],
)
def test_in_a_window_lines_are_whole_if_a_context_was_asked_for(
    capsys, monkeypatch, asked, is_whole
):
    monkeypatch.setattr(render, "out", Console(force_terminal=True, width=80, color_system=None))
    long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    found = Concordance(
        *("b", ("b",), 1, 1, 1, 1, 1.0, 1, 1, 1, 50, "date"), lines=(line(long, "b", " c"),)
    )
    render.show_concordance(found, asked=LinesOf(query="b", **asked))

    assert (long in capsys.readouterr().out) == is_whole


def test_lines_show_what_was_asked_for_of_their_tokens():
    tokens = tuple(
        LineToken(text, (lemma, "X"), text == "bakkies", has_space)
        for text, lemma, has_space in (
            ("two", "2", True),
            ("bakkies", "bakkie", False),
            (".", ".", False),
        )
    )
    own = dataclasses.replace(line("two ", "bakkies", "."), tokens=tokens)

    (found,) = kwic_lines([own], 80)

    assert "two/2/X bakkies/bakkie/X././X" in found.plain


def test_a_run_that_was_stopped_says_what_waits(capsys):
    steps = (
        FunnelStep("fetched", 120, None, (ReasonCount("waiting", "fetch", "", 239),)),
        FunnelStep("text", 0, None, (ReasonCount("waiting", "build", "not-built", 120),)),
    )
    render.show_report(RunReport("r", "run", "", 1.5, 120, was_stopped=True, funnel=steps))

    told = capsys.readouterr().out
    assert "239 waiting" in told
    assert "Stopped. 120 pages fetched now, all safe; 239 addresses wait." in told


def test_a_corpus_that_was_never_built_does_not_claim_that_a_word_is_missing(tmp_path, capsys):
    corpus = create_corpus(tmp_path / "new", contact="https://izwi.example/bot")

    render.show_concordance(corpus.concordance("bakkie"))

    assert "izwi build" in capsys.readouterr().out
