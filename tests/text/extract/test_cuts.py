"""Several cuts of a page are made, each once, and the one that promises most is taken."""

import numpy as np
import pytest

from izwi.evaluate.gold_pages import GoldPage, example
from izwi.evaluate.training import scores_of
from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import segment
from izwi.text.extract.cuts import CUT_NAMES, best_cut, cuts, likely_marks, split_of
from izwi.text.features import Vocabulary, features
from izwi.text.trees import NO_TREES, Forest

NO_TYPES = np.zeros(0, dtype=np.float32)
LINE = "The ferry was late again on Monday, said the harbour master, who had waited since dawn."
HTML = f"""<body><main><h1>Ferry late</h1><p>{LINE}</p><p>{LINE} Nobody knew why.</p></main>
<div class="aside"><p>I was there, {LINE}</p><p>So was I.</p></div>
<ul><li>Home</li><li>News</li></ul><p>All rights are with the harbour.</p></body>"""
CHANCES = np.array([0.9, 0.95, 0.85, 0.6, 0.5, 0.02, 0.02, 0.3], dtype=np.float32)


@pytest.fixture
def made():
    page = segment(HTML)
    assert len(page) == len(CHANCES)
    split = split_of(page, CHANCES, 0.65)
    return cuts(page, features(page, Vocabulary()), CHANCES, split, NO_TYPES)


def test_the_usual_cut_is_the_first_and_no_cut_comes_twice_or_is_empty(made):
    page = segment(HTML)
    likely = likely_marks(page, CHANCES, split_of(page, CHANCES, 0.65), NO_TYPES)

    assert made.marks[0].tolist() == likely.tolist()
    assert len({marks.tobytes() for marks in made.marks}) == len(made.marks) > 2
    assert made.marks.any(axis=1).all()
    assert made.rows.shape == (len(made.marks), len(CUT_NAMES))
    assert np.isfinite(made.rows).all()


def test_where_readers_commented_the_usual_cut_is_taken():
    page = segment(HTML.replace("aside", "comments"))
    split = split_of(page, CHANCES, 0.65)
    found = cuts(page, features(page, Vocabulary()), CHANCES, split, NO_TYPES)

    assert split.comments.any()
    assert len(found.marks) == 1


def test_what_a_page_says_twice_is_its_text_once():
    wide = f"<section><div><div><p>{LINE}</p><p>Short.</p></div></div></section>"
    found = marked(f"<body>{wide}{wide}</body>")

    assert found[0] == [True, True, False, True]
    assert all(not (first and copy) for first, _, copy, _ in found)


@pytest.mark.parametrize(
    "html",
    [
        f"<main><p>{LINE}</p><p>The sea was calm.</p><p>{LINE}</p></main>",
        f"<table><tr><td>1</td><td>{LINE}</td></tr><tr><td>2</td><td>{LINE}</td></tr></table>",
    ],
    ids=["refrain", "table"],
)
def test_what_is_said_again_in_one_place_is_no_copy(html):
    assert all(all(marks) for marks in marked(html))


def test_a_copy_stays_where_the_first_is_no_text():
    wide = f"<section><div><div><p>{LINE}</p></div></div></section>"
    found = marked(f"<body>{wide}{wide}</body>", [0.1, 0.95])

    assert found == [[False, True]]


def marked(html, chances=None):
    """Return the blocks of each cut of a page that is all text, or as likely as is said."""
    page = segment(html)
    likely = np.array(chances or [0.95] * len(page), dtype=np.float32)
    split = split_of(page, likely, 0.65)
    return cuts(page, features(page, Vocabulary()), likely, split, NO_TYPES).marks.tolist()


def test_the_cut_that_promises_most_is_taken_and_without_trees_the_usual_one(made):
    larger = Forest(
        np.array([[CUT_NAMES.index("blocks"), made.marks[0].sum(), ~0, ~1]], dtype=np.float32),
        np.array([0.0, 0.5], dtype=np.float32),
        np.zeros(1, dtype=np.int32),
    )

    assert best_cut(larger, made).sum() > made.marks[0].sum()
    assert best_cut(NO_TREES, made).tolist() == made.marks[0].tolist()


def test_a_page_without_text_has_one_cut_without_blocks():
    page = segment("<p>Menu</p>")
    chances = np.array([0.1], dtype=np.float32)
    found = cuts(
        page, features(page, Vocabulary()), chances, split_of(page, chances, 0.65), NO_TYPES
    )

    assert found.marks.tolist() == [[False]]


def test_a_cut_is_worth_most_where_it_is_the_gold_text(made):
    gold = example(GoldPage(HTML, f"Ferry late {LINE} {LINE} Nobody knew why."))
    scores = scores_of(made, gold)
    wanted = (gold.labels >= 0.5).tolist()

    assert made.marks[int(scores.argmax())].tolist() == wanted
    assert scores.max() == pytest.approx(1.0)


@pytest.mark.parametrize(("kind", "is_read"), [("forum", True), ("article", False)])
def test_of_a_thread_whose_posts_are_named_comments_the_posts_are_the_text(kind, is_read):
    posts = "".join(
        f'<div class="comment"><a href="/u/{name}">{name}, who has been a member since 2011</a>'
        f"<p>{LINE} {name}</p><p>2 May 2020</p></div>"
        for name in ("Sam", "Lea", "Mira")
    )
    page = segment(f"<body><h1>Ferry late</h1>{posts}</body>")
    chances = np.full(len(page), 0.08, dtype=np.float32)
    types = np.array([0.6 * (name == kind) for name in PAGE_TYPES], dtype=np.float32)

    marks = likely_marks(page, chances, split_of(page, chances, 0.65), types)

    said = [text for text, mark in zip(page.texts, marks, strict=True) if mark]
    assert said == ([f"{LINE} {name}" for name in ("Sam", "Lea", "Mira")] if is_read else [])


@pytest.mark.parametrize(
    ("kind", "beside", "others", "is_read"),
    [
        ("forum", 0.7, 0.8, True),
        ("forum", 0.95, 0.8, False),
        ("article", 0.7, 0.8, False),
        ("forum", 0.7, 0.05, False),
    ],
    ids=["a-thread", "less-likely-than-the-text", "below-an-article", "most-are-none"],
)
def test_likely_posts_beside_a_less_likely_text_are_a_thread(kind, beside, others, is_read):
    rules = f"<p>{LINE}</p>" * 4
    posts = "".join(f'<div class="comment"><p>{LINE} {n}</p></div>' for n in range(6))
    page = segment(f"<body><h1>Ferry late</h1>{rules}{posts}</body>")
    chances = np.array([0.1, *[beside] * 4, 0.8, *[others] * 5], dtype=np.float32)
    types = np.array([0.6 * (name == kind) for name in PAGE_TYPES], dtype=np.float32)

    marks = likely_marks(page, chances, split_of(page, chances, 0.65), types)

    assert marks[1:5].all()
    assert marks[5:].tolist() == [is_read] * 6


@pytest.mark.parametrize("mark", ["hidden", 'style="display: none"', 'aria-hidden="true"'])
def test_what_is_shown_once_and_hidden_once_in_the_same_place_is_text_once(mark):
    found = marked(f"<body><main><p>{LINE}</p><p>The sea was calm.</p><p {mark}>{LINE}</p></main>")

    assert found[0] == [True, True, False]
