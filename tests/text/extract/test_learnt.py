from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import izwi
from izwi.model.document import PAGE_TYPES
from izwi.model.errors import ConfigError
from izwi.text.blocks import segment
from izwi.text.extract.cuts import cutoff_of, has_text_beside_comments
from izwi.text.extract.learnt import Izwi, IzwiOptions, block_chances
from izwi.text.features import NAMES, Vocabulary, features
from izwi.text.trees import Forest

STORY = "".join(
    f"<p>On day {n} of the drought the farmers of the valley drove their sheep to the dam, and the "
    f"children counted {n * 7} of them at the gate before the sun went down behind the ridge.</p>"
    for n in range(1, 7)
)
COMMENTS = "".join(
    f'<li class="comment"><b>Reader {n}</b><p>I was at the dam that day and I saw {n} sheep more '
    "than the paper says, which is a shame for all of us.</p></li>"
    for n in range(1, 5)
)
MENU = "".join(f'<li><a href="/{n}">Section {n}</a></li>' for n in range(12))
PAGE = (
    f"<title>Sheep at the dam</title><body><ul class=nav>{MENU}</ul><article><h1>Sheep at the dam"
    f'</h1>{STORY}</article><ol class="commentlist">{COMMENTS}</ol><div class=footer>All rights '
    "reserved. Privacy policy. Contact us.</div>"
)

# Goods whose page does not say so in its head or its data: its buttons and names do.
GOODS = (
    f"<title>Wool blanket</title><body><ul>{MENU}</ul><h1>Wool blanket</h1><div class=price>R 499"
    "</div><button class=add-to-cart>Add to cart</button><div class=description><p>Woven in the "
    "valley from the wool of our own sheep, it keeps two people warm.</p></div><p>In stock</p>"
    "<p>Free shipping</p><p>Quantity</p><p>Add to wishlist</p><h2>You may also like</h2>"
)


def test_menus_and_footers_are_left_out():
    text = izwi.extract(PAGE).text

    assert text.count("of the drought") == 6
    assert "Section 3" not in text
    assert "rights reserved" not in text


def test_comments_stand_apart_from_the_text():
    found = izwi.extract(PAGE)

    assert "sheep more" not in found.text
    assert len(found.comments) == 4
    assert all("I was at the dam" in comment for comment in found.comments)


def test_comments_below_a_bare_heading_stand_apart():
    readers = "".join(
        f"<p>{n}. I was at the dam that day and I saw more sheep than the paper says, a shame for "
        "all of us who live there.</p><p>Posted by a reader</p>"
        for n in range(1, 5)
    )
    found = izwi.extract(f"<title>Sheep</title><h1>Sheep</h1>{STORY}<h2>Comments</h2>{readers}")

    assert found.text.count("of the drought") == 6
    assert "I was at the dam" not in found.text


def test_each_block_says_why():
    for block in Izwi(IzwiOptions())(PAGE):
        kind, chance = block.reason.split()
        assert kind in ("main", "comment", "boilerplate")
        assert block.is_main == (kind == "main")
        assert 0 <= float(chance) <= 1


def test_the_type_of_a_page_is_told():
    found = izwi.extract(PAGE)

    assert found.page_type == "article"
    assert found.metadata.page_type == "article"
    assert found.page_type in PAGE_TYPES


def test_scripts_without_spaces_are_read():
    text = (
        "北京的春天很短，但是人们还是喜欢在公园里散步，看看刚刚开放的花。"
        "孩子们在湖边放风筝，老人们在树下下棋。"
    )
    page = (
        f"<ul>{MENU}</ul><div><h1>北京的春天</h1>" + f"<p>{text}</p>" + f"<p>{text[::-1]}</p></div>"
    )

    found = izwi.extract(page).text
    assert text in found
    assert "Section 3" not in found


CHANCES = st.lists(
    st.tuples(st.floats(2**-7, 1, width=32), st.integers(1, 500)), min_size=1, max_size=12
)


@given(CHANCES)
def test_the_cutoff_gives_the_best_f1_one_can_expect(blocks):
    chances = np.array([chance for chance, _ in blocks], dtype=np.float32)
    sizes = np.array([size for _, size in blocks], dtype=np.int64)

    def expected(marks):
        likely = (chances * sizes).sum()
        return 2 * (chances * sizes)[marks].sum() / (sizes[marks].sum() + likely)

    cutoff = cutoff_of(chances, sizes)
    best = max(expected(chances >= level) for level in chances)
    if chances.max() >= 0.2:
        assert expected(chances >= cutoff) == pytest.approx(best, abs=1e-4)
    else:
        assert not (chances >= cutoff).any()


def test_what_stands_in_one_place_is_judged_together():
    page = segment("".join(f"<p class=post>{'sheep ' * n}</p>" for n in (5, 20, 30)) + "<h1>Dam")
    rows = features(page, Vocabulary())
    # By one tree that looks at words alone, the short post is no text.
    limit = np.array([[NAMES.index("words"), 10, ~0, ~1]], dtype=np.float32)
    forest = Forest(limit, np.array([-2, 2], dtype=np.float32), np.zeros(1, dtype=np.int32))
    alone, together = forest.chances(rows), block_chances(forest, page, rows)

    assert together[0] > alone[0]
    assert together[1] == together[2] < alone[1]
    assert together[3] == alone[3]
    assert len(block_chances(forest, segment(""), rows[:0])) == 0


def test_a_stricter_cutoff_takes_less():
    lenient = Izwi(IzwiOptions(cutoff=0.05))(PAGE)
    strict = Izwi(IzwiOptions(cutoff=0.95))(PAGE)

    assert sum(b.is_main for b in strict) <= sum(b.is_main for b in lenient)
    with pytest.raises(ValueError, match="not between"):
        IzwiOptions(cutoff=0)


@pytest.mark.parametrize(
    ("sizes", "expected"),
    [([400, 100], True), ([50, 900], False), ([400, 90_000], False), ([400, 0], True)],
)
def test_comments_are_apart_only_beside_a_text(sizes, expected):
    marks, comments = np.array([True, True]), np.array([False, True])

    assert has_text_beside_comments(np.array(sizes), marks, comments) is expected


@pytest.mark.parametrize(
    "page",
    [
        b"",
        b"\x00\xff\xfe" * 1000,
        b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 50,
        b"<div>" * 100_000 + b"deep",
        b"<p>" + b"word " * 2_000_000,
        b"<table>" + b"<tr><td>x" * 50_000,
        b"<a href='" * 20_000,
        b"&" * 100_000,
        "<p>\ud800\udfff",
    ],
    ids=["empty", "bytes", "picture", "nested", "ten-megabytes", "cells", "quotes", "amp", "lone"],
)
def test_any_page_gives_a_result(page):
    found = izwi.extract(page)

    assert isinstance(found.text, str)
    assert found.metadata is not None


@given(st.binary(max_size=300))
def test_any_bytes_give_a_result(page):
    assert isinstance(izwi.extract(page).text, str)


def test_a_model_of_another_release_is_refused(tmp_path):
    held = dict(np.load(files("izwi") / "models" / "extractor.npz"))
    path = tmp_path / "old.npz"
    np.savez(path, **held | {"columns": np.uint64(1)})

    with pytest.raises(ConfigError, match="Train it again"):
        Izwi(IzwiOptions(model=str(path))).judge(PAGE)


def test_words_tell_the_type_and_change_no_block(tmp_path):
    shipped = Izwi(IzwiOptions()).judge(GOODS)
    held = dict(np.load(files("izwi") / "models" / "extractor.npz"))
    path = tmp_path / "before-types-were-told-by-words.npz"
    np.savez(path, **{name: each for name, each in held.items() if not name.startswith("told")})

    guessed = Izwi(IzwiOptions(model=str(path))).judge(GOODS)

    assert guessed.paragraphs == shipped.paragraphs
    assert list(guessed.type_chances) == list(shipped.type_chances) == list(PAGE_TYPES)
    assert shipped.type_chances["product"] == max(shipped.type_chances.values())
    assert guessed.type_chances["product"] < 0.5 * shipped.type_chances["product"]


@pytest.mark.parametrize(
    "line", ["<h3>Lesers sê</h3>", "<b>Readers wrote</b>", "<h2>12 Reader Comments:</h2>"]
)
def test_what_readers_wrote_below_a_line_that_says_so_is_no_text(line):
    told = "".join(
        f"<p>On day {n} the robots of the town were out again, and drivers waited {n} hours.</p>"
        for n in range(1, 6)
    )
    written = "<blockquote>My brother slept in his bakkie for three nights, shame man.</blockquote>"

    page = izwi.extract(f"<h1>Robots</h1>{told}<div>{line}</div>{written}<p>Sonja M</p>")

    assert "On day 5" in page.text
    assert "My brother" not in page.text
    assert "Lesers" not in page.text
