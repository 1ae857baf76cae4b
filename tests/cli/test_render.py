import dataclasses

import pytest

from izwi.cases.corpus import create_corpus
from izwi.cli import render
from izwi.model.results import DocumentCard, FunnelStep, KwicLine, LineToken, ReasonCount, RunReport


def line(left, match, right, source="herald"):
    card = DocumentCard("1", "http://a.example/", "", "", None, "", "", source, "", "", "", None)
    return KwicLine("1", left, match, right, card)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_lines_fill_the_width_and_begin_and_end_with_whole_words(width):
    long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    lines = [
        line(long, "bakkie", f" {long}"),
        line(long, "bakkies", f" {long}", "a-much-longer-name"),
    ]

    found = [text.plain for text in render.kwic_lines(lines, width)]

    assert width - 3 <= max(len(text) for text in found) <= width
    assert {text.index("bakkie") for text in found} == {found[0].index("bakkie")}
    words = set(long.split())
    assert all(set(text.split()[:-1]) - {"bakkie", "bakkies"} <= words for text in found)


def test_a_table_wider_than_the_window_loses_nothing(capsys):
    render.show_table(["a"] * 14, [["letters" * 3] * 14])

    shown = "".join(capsys.readouterr().out.split())
    assert sorted(shown) == sorted("a" * 14 + "letters" * 3 * 14)


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

    (found,) = render.kwic_lines([own], 80)

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
