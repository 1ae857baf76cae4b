import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.evaluate.alignment import aligned, common_length, words
from izwi.evaluate.extraction import fragments, score_page, summed
from izwi.evaluate.labels import GoldPage, block_labels, read_gold, write_gold
from izwi.model.document import Paragraph
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

    assert list(read_gold(write_gold(pages))) == pages


def test_a_line_that_is_no_gold_page_is_named():
    with pytest.raises(ValueError, match="line 1"):
        list(read_gold([json.dumps({"text": "x"})]))


def test_ideographs_are_words():
    assert words("北京 2 Zulu") == ["北", "京", "2", "zulu"]
