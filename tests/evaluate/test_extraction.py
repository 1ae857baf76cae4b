import gzip
import json
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.cases.extractors import earlier_scores, sample
from izwi.cases.page_tools import evaluate_extractors
from izwi.evaluate.extraction import fragments, score_page, summed
from izwi.evaluate.gold_pages import (
    GoldPage,
    aligned,
    block_labels,
    common_length,
    read_gold,
    words,
)
from izwi.model.document import Paragraph
from izwi.model.errors import StoreError
from izwi.model.scores import Scores, got_worse, means_of_sets
from izwi.text.blocks import segment

LETTERS = st.lists(st.sampled_from("abc"), max_size=12)


def brute(first, second):
    table = [[0] * (len(second) + 1) for _ in range(len(first) + 1)]
    for i, left in enumerate(first):
        for j, right in enumerate(second):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if left == right else max(table[i][j + 1], table[i + 1][j])
            )
    return table[-1][-1]


@given(LETTERS, LETTERS)
def test_the_common_subsequence_is_the_longest(first, second):
    assert common_length(first, second) == brute(first, second)


@given(LETTERS, LETTERS)
def test_aligned_words_are_a_longest_common_subsequence(first, second):
    found = [
        word for word, is_common in zip(first, aligned(first, second), strict=True) if is_common
    ]

    rest = iter(second)
    assert all(word in rest for word in found)
    assert len(found) == brute(first, second)


def test_a_page_is_scored_by_its_words():
    gold = GoldPage("", "one two three four")
    blocks = [
        Paragraph("one two", is_main=True),
        Paragraph("five", is_main=True),
        Paragraph("x", is_main=False),
    ]

    score = score_page(gold, blocks)

    assert (score.precision, score.recall) == (pytest.approx(2 / 3), 0.5)
    assert summed("m", [score]).deleted == 0.5


def test_fragments_are_runs_of_main_text():
    marks = [True, True, False, True, False, False, True]

    assert fragments([Paragraph("x", is_main=mark) for mark in marks]) == 3


def test_labels_come_from_the_order_of_words():
    page = segment("<p>menu news</p><p>the story of the news</p><p>more menu</p>")

    labels = block_labels(page, GoldPage("", "The story of the news"))

    assert list(labels) == [0.0, 1.0, 0.0]


def test_labels_come_from_pieces_where_there_is_no_text():
    page = segment("<p>menu news</p><p>the story of the news</p><p>more</p>")

    labels = block_labels(page, GoldPage("", wanted=("the story",), unwanted=("menu",)))

    assert list(labels) == [0.0, 1.0, -1.0]


def test_gold_pages_come_back_as_they_were_written():
    pages = [
        GoldPage("<p>ä", "ä", "1", "h", "forum"),
        GoldPage("<p>b", id="2", host="i", wanted=("b",)),
    ]

    assert list(read_gold(json.dumps(asdict(each)) for each in pages)) == pages


def test_a_line_that_is_no_gold_page_is_named():
    with pytest.raises(ValueError, match="line 1"):
        list(read_gold([json.dumps({"text": "x"})]))


def test_ideographs_are_words():
    assert words("北京 2 Zulu") == ["北", "京", "2", "zulu"]


def test_pages_that_got_worse_are_named_worst_first():
    now = Scores("izwi", 3, *[0.0] * 13, f1_by_page={"a": 0.9, "b": 0.3, "c": 0.5})

    assert got_worse(now, {"a": 0.92, "b": 0.9, "c": 0.6, "gone": 1.0}) == [
        ("b", 0.9, 0.3),
        ("c", 0.6, 0.5),
    ]


def test_sets_of_a_folder_are_scored_apart_and_compared_with_an_earlier_run(tmp_path):
    text = "The ferry was late again on Monday, said the harbour master, who had waited since dawn."
    page = {"id": "a", "html": f"<h1>Ferry late</h1><p>{text}</p>" * 4, "text": text * 4}
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        row = {**page, "page_type": "article" if name == "one" else ""}
        with gzip.open(tmp_path / name / "pages.jsonl.gz", "wt", encoding="utf-8") as file:
            file.write(json.dumps(row))
    before = tmp_path / "before.json"
    before.write_text(json.dumps([{"set": "two", "method": "bte", "f1_by_page": {"a": 1.0}}]))

    found = evaluate_extractors(tmp_path, ["bte"])

    assert [(scores.set, scores.pages) for scores in found] == [("one", 1), ("two", 1)]
    assert set(found[0].f1_by_kind) == {"article"}
    assert earlier_scores(before) == {("two", "bte"): {"a": 1.0}}


def test_sets_count_alike_in_the_mean_of_a_method():
    large = Scores("izwi", 30, *[0.9] * 13, set="a", f1_by_page={"x": 0.9})
    small = Scores("izwi", 10, *[0.5] * 13, set="b")
    alone = Scores("bte", 10, *[0.5] * 13, set="b")

    (found,) = means_of_sets([large, small, alone])

    assert (found.method, found.set, found.pages) == ("izwi", "mean of sets", 40)
    assert found.f1 == found.under_half == pytest.approx(0.7)
    assert not found.f1_by_page


def test_a_sample_of_a_set_is_always_the_same_and_of_more_than_its_first_type():
    kinds = ["article"] * 40 + ["forum"] * 40
    pages = [GoldPage("", "x", str(place), kind=kind) for place, kind in enumerate(kinds)]

    found = sample(pages, 20)

    assert found == sample(pages[::-1], 20)
    assert {page.kind for page in found} == {"article", "forum"}
    assert sample(pages, 0) == pages


def test_a_file_that_is_no_earlier_run_is_refused(tmp_path):
    (tmp_path / "x.json").write_text("{}{")

    with pytest.raises(StoreError, match="is not what"):
        earlier_scores(tmp_path / "x.json")
