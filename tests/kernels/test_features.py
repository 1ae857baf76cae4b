"""What a classifier sees is the same compiled and interpreted."""

import random

import numpy as np
import pytest

from izwi.kernels import features as compiled_features
from izwi.kernels import letters as compiled_letters
from izwi.kernels import records as compiled_records
from izwi.kernels import tidiness as compiled_tidiness
from izwi.kernels import trees as compiled_trees
from izwi.kernels.columns import N_WORDS, N_WORDS_END, NODE_COLUMNS
from izwi.model.document import Paragraph
from izwi.text import characters, elements, features, page_types, stripped_html, trees
from izwi.text.blocks import segment
from izwi.text.extract import cuts
from izwi.text.extract.cuts import split_of
from tests.kernels.interpreted import interpreted
from tests.text.test_lean import PIECES

PAGE = segment(
    "<title>Ferry late again</title><body><nav class='menu top'><ul><li><a href=a>Home</a><li>"
    "<a href=b>About us</a></ul></nav><main id=story><h1>Ferry Late Again</h1><p>The ferry was"
    " late, said the captain of the ship. It had been late before, too.<p>中文的段落。<p>Nobody was"
    " surprised by it, 3.5 hours or not! Those who waited had <b>brought</b> their books.</main>"
    "<aside><p>More: <a href=c>Storms | Tides</a></aside><h2>Comments</h2><div class=comment>"
    "<p>I was there, and it was cold.</div><footer>© The Paper</footer>"
)
ARTICLES = segment(
    "<h2>News of 2024</h2>"
    + "".join(
        f"<article><h3>Storm {day}</h3><p>{day} May 2024, 9:05"
        f"<p>{'The ferry was late again. ' * day}<li><a href=a>One</a> <a href=b>Two</a>"
        " <a href=c>Three</a></ul></article><p>Menu"
        for day in range(1, 9)
    )
)
SOUP = segment("".join(PIECES) * 2)
WORDS = features.Weights(
    np.sort(
        np.array([elements.hash_of(word) for word in ("home", "about", "menu", "story")], np.uint64)
    ),
    np.array([-1.5, 0.25, -2.0, 3.0], dtype=np.float32),
)
VOCABULARY = features.Vocabulary(WORDS, WORDS)
OF_TYPES = features.Weights(
    WORDS.hashes, np.outer(WORDS.values, np.arange(1, 8)).astype(np.float32)
)
LEANINGS = page_types.Leanings(OF_TYPES, OF_TYPES)


class Views:
    """A kernel that is given views instead of arrays: numbers of Python do not overflow."""

    def __init__(self, module):
        self._module = module

    def __getattr__(self, name):
        function = getattr(self._module, name)

        def called(*arguments):
            views = [memoryview(a) if isinstance(a, np.ndarray) else a for a in arguments]
            found = function(*views)
            return Views(found) if type(found).__module__.startswith("interpreted") else found

        return called


@pytest.mark.parametrize("page", [PAGE, SOUP, ARTICLES], ids=["page", "soup", "articles"])
def test_features_are_the_same_interpreted(page, monkeypatch):
    rows = features.features(page, VOCABULARY)

    monkeypatch.setattr(features, "kernel", Views(interpreted("features")))
    monkeypatch.setattr(characters, "kernel", Views(interpreted("letters")))
    monkeypatch.setattr(features, "sections_kernel", Views(interpreted("sections")))

    np.testing.assert_allclose(features.features(page, VOCABULARY), rows, rtol=1e-5, atol=1e-6)
    assert len(np.unique(rows)) > 50


@pytest.mark.parametrize("kernel", [features.kernel, Views(interpreted("features"))])
def test_every_word_has_its_own_weight_and_others_have_none(kernel):
    chance = np.random.default_rng(5)
    # Some begin alike: they are told apart by the rest.
    one = np.uint64(1)
    known = np.unique(chance.integers(0, 1 << 64, 900, np.uint64) >> one)
    known = np.unique(np.concatenate([known, known[:200] + one, ~known[:9]]))
    weights = features.Weights(known, chance.normal(size=len(known)).astype(np.float32))
    asked = np.concatenate([known, known[:300] ^ np.uint64(2)])
    nodes = np.zeros((len(asked), NODE_COLUMNS), dtype=np.int64)
    nodes[:, N_WORDS], nodes[:, N_WORDS_END] = range(len(asked)), range(1, len(asked) + 1)
    out = np.zeros(len(asked), dtype=np.float32)

    kernel.hints(out, nodes, asked, *weights.table)

    by_hash = dict(zip(known.tolist(), weights.values.tolist(), strict=True))
    assert out.tolist() == [by_hash.get(word, 0.0) for word in asked.tolist()]


@pytest.mark.parametrize("kernel", [page_types.kernel, Views(interpreted("features"))])
def test_a_page_leans_to_a_type_by_each_of_its_words_once(kernel, monkeypatch):
    monkeypatch.setattr(page_types, "kernel", kernel)
    once = segment("<p class=menu>Home</p><p class=other>The ferry was late.</p>")
    often = segment("<p class=menu>Home</p>" * 3 + "<p class=other>The ferry was late.</p>")
    bare = segment("<p>The ferry was late.</p>")
    found = [page_types.leaning_row(page, LEANINGS).reshape(2, 7) for page in (once, often, bare)]

    # Its names say "menu", its short blocks "home".
    known = OF_TYPES.hashes.tolist()
    said = [OF_TYPES.values[known.index(elements.hash_of(word))] for word in ("menu", "home")]
    assert found[0].tolist() == [each.tolist() for each in said]
    assert found[1].tolist() == found[0].tolist()
    assert not found[2].any()


@pytest.mark.parametrize("page", [PAGE, SOUP, ARTICLES], ids=["page", "soup", "articles"])
def test_cuts_and_page_types_are_the_same_interpreted(page, monkeypatch):
    rows = features.features(page, VOCABULARY)
    chances = np.random.default_rng(4).random(len(page)).astype(np.float32)
    split, types = split_of(page, chances, 0.65), np.zeros(0, dtype=np.float32)
    made, row = (
        cuts.cuts(page, rows, chances, split, types),
        features.page_row(page, rows, chances),
    )

    plain = Views(interpreted("cuts"))
    monkeypatch.setattr(cuts, "Cutter", plain.Cutter)
    monkeypatch.setattr(cuts, "find_copies", plain.find_copies)
    monkeypatch.setattr(features, "kernel", Views(interpreted("features")))
    again = cuts.cuts(page, rows, chances, split, types)

    assert again.marks.tolist() == made.marks.tolist()
    np.testing.assert_allclose(again.rows, made.rows, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(features.page_row(page, rows, chances), row, rtol=1e-5, atol=1e-6)


def test_page_ends_where_its_comments_are_headed(monkeypatch):
    below = features.after_comments_heading(PAGE)
    assert 0 < below.sum() < len(below)

    monkeypatch.setattr(features, "kernel", Views(interpreted("features")))
    assert features.after_comments_heading(PAGE).tolist() == below.tolist()


def test_texts_are_looked_at_alike_interpreted():
    plain = interpreted("tidiness")
    table = stripped_html._table()
    texts = [b"", b"plain", "e\u0301 \U0001f600 中".encode(), b"a\x00b\xff\xf0", b"<script>x</"]
    texts += [piece.encode() * 3 for piece in PIECES]

    for text in texts:
        assert plain.suspects(text, memoryview(table)) == compiled_tidiness.suspects(text, table)
        assert plain.letters(text) == compiled_tidiness.letters(text)


def test_words_are_found_together_as_one_by_one():
    words = [b"phpBB", b'"@type"', b"schema.org/QAPage", b"schema.org/Article", b"Forum", b"orums"]
    texts = [b"", b"php", b"phpB phpBB", b"phphpBB", b"a Forums", b'"@type', b'x"@type":"QAPage"']
    texts += [b"schema.org/Articl", b"http://schema.org/Articles", "é".encode() * 9 + b"Forum"]

    for kernel in (compiled_tidiness, interpreted("tidiness")):
        found = [list(kernel.Words(words).inside(text)) for text in texts]
        assert found == [[int(word in text) for word in words] for text in texts]


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 2500])
@pytest.mark.parametrize("sign", ["x", "é", "“", "中", "\uffff", "😀"])
def test_texts_are_encoded_as_their_own_method_does(sign, size):
    chance = random.Random(size)
    for text in ("“" + sign * size, "".join(chance.choices("ab <>“" + sign, k=size))):
        assert compiled_letters.encoded(text) == text.encode()
        assert interpreted("letters").encoded(text) == text.encode()


def test_texts_of_other_classes_are_encoded_too():
    assert compiled_letters.encoded(type("Markup", (str,), {})("’n dag")) == "’n dag".encode()


def test_surrogates_are_encoded_as_one_asks_for():
    text = "“quoted” \ud800" * 20

    for errors in ("replace", "surrogatepass"):
        assert compiled_letters.encoded(text, errors) == text.encode("utf-8", errors)
    with pytest.raises(UnicodeEncodeError):
        compiled_letters.encoded(text)


def test_records_made_at_once_are_as_those_made_one_by_one():
    fields = ("text", "kind", "is_main", "reason", "marks")
    columns = (["One", "Two"], ["p", "h"], [True, False], ["a", "b"])
    wanted = [Paragraph(*row, ()) for row in zip(*columns, strict=True)]

    for kernel in (compiled_records, interpreted("records")):
        assert kernel.made(Paragraph, fields, (*columns, ())) == wanted
        with pytest.raises(ValueError, match="lengths"):
            kernel.made(Paragraph, fields, (*columns, [()]))


def test_a_word_that_is_too_short_to_be_looked_for_is_refused():
    with pytest.raises(ValueError, match="too short"):
        compiled_tidiness.Words([b"one"])


def test_forests_asked_together_say_what_each_says_alone():
    chance = np.random.default_rng(3)
    forests = tuple(random_forest(chance) for _ in range(3))
    rows = chance.normal(size=(70, 5)).astype(np.float32)

    together = trees.Forests(forests).chances(rows)

    assert together.tolist() == np.stack([one.chances(rows) for one in forests], 1).tolist()


def random_forest(chance):
    """Return trees of three nodes and four leaves each."""
    count = 40
    nodes = np.zeros((3 * count, 4), dtype=np.float32)
    for tree in range(count):
        at, leaf = 3 * tree, 4 * tree
        nodes[at : at + 3, 0] = chance.integers(0, 5, 3)
        nodes[at : at + 3, 1] = chance.normal(size=3)
        nodes[at, 2:] = at + 1, at + 2
        nodes[at + 1, 2:] = ~leaf, ~(leaf + 1)
        nodes[at + 2, 2:] = ~(leaf + 2), ~(leaf + 3)
    roots = np.arange(0, 3 * count, 3, dtype=np.int32)
    return trees.Forest(nodes, chance.normal(size=4 * count).astype(np.float32), roots)


def test_trees_are_the_same_interpreted(monkeypatch):
    chance = np.random.default_rng(18)
    forest, rows = random_forest(chance), chance.normal(size=(30, 5)).astype(np.float32)
    sums = forest.sums(rows)

    monkeypatch.setattr(trees, "kernel", Views(interpreted("trees")))
    np.testing.assert_allclose(forest.sums(rows), sums)


def test_tree_that_names_a_column_too_many_is_an_error():
    forest = random_forest(np.random.default_rng(1))

    with pytest.raises(IndexError):
        forest.sums(np.zeros((30, 2), dtype=np.float32))


@pytest.mark.parametrize("way", [0, -200])
def test_trees_that_lead_in_a_circle_or_out_of_order_are_none(way):
    forest = random_forest(np.random.default_rng(1))
    forest.nodes[1, 2] = way

    with pytest.raises(ValueError, match="leaves, or in no order"):
        forest.sums(np.zeros((30, 5), dtype=np.float32))


def test_numbers_of_kinds_and_tags_are_those_of_the_elements():
    from izwi.kernels import columns

    assert elements.KINDS[columns.HEADING] == "h"
    assert (elements.TAGS["h1"], elements.TAGS["h6"]) == (columns.TAG_H1, columns.TAG_H6)
    assert elements.TAGS["article"] == columns.TAG_ARTICLE
    kinds = (columns.QUOTE, columns.LISTED, columns.CELL)
    assert [elements.KINDS[kind] for kind in kinds] == ["quote", "li", "td"]


def test_kernels_are_compiled():
    for module in (compiled_features, compiled_letters, compiled_trees):
        assert not module.__file__.endswith(".py")
