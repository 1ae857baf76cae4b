import numpy as np
import pytest

from izwi.evaluate.gold_pages import (
    GoldPage,
    aged,
    example,
    foreign,
    graft,
    grafts,
    part_of,
)
from izwi.evaluate.word_weights import blind_vocabularies, vocabulary
from izwi.kernels.columns import N_PARENT
from izwi.text.elements import hash_of
from izwi.text.features import NAMES, Vocabulary, features
from tests.evaluate.goldpages import gold_pages

ARTICLE = """<body><main class="story"><h1>Ferry Late Again</h1><p>The ferry was late, said
 the master.</p><p>Nobody asked why, and nobody will.</p></main><div id="footer">© 2020</div>"""
LIST = "<body><ul class=links>" + "".join(f"<li><a href=/{n}>Page {n}</a>" for n in range(40))


def made(html, text="", host="a.example", kind="article"):
    found = example(GoldPage(html, text, host, host, kind))
    assert found is not None
    return found


@pytest.fixture
def article():
    return made(
        ARTICLE,
        "Ferry Late Again The ferry was late, said the master. Nobody asked why, and nobody will.",
    )


@pytest.fixture
def links():
    return made(LIST, "x", "b.example", "listing")


@pytest.mark.parametrize("is_before", [True, False])
def test_a_graft_stands_beside_the_article_and_is_no_text(article, links, is_before):
    both = graft(article, links.page, 5, 15, is_before=is_before)

    own, other = list(article.page.texts), list(links.page.texts[5:15])
    assert list(both.page.texts) == (other + own if is_before else own + other)
    assert both.labels.sum() == article.labels.sum()
    assert len(both.costs) == len(both.page) == len(own) + 10


def test_parents_come_before_children_in_a_graft(article, links):
    both = graft(article, links.page, 0, 12, is_before=True).page

    parents = both.elements[:, N_PARENT]
    assert (parents < np.arange(len(parents))).all()
    assert (parents[len(article.page.elements) :] >= 0).all()
    assert np.isfinite(features(both, Vocabulary())).all()


def test_the_words_of_a_graft_are_its_own(article, links):
    both = graft(article, links.page, 3, 9, is_before=False).page

    assert len(set(both.words.tolist()) & {hash_of("page")}) == 1
    assert features(both, Vocabulary())[-1, NAMES.index("chars")] == len("Page8")


def test_only_articles_are_grafted_and_the_same_each_time(article, links):
    once, again = grafts([article, links], 1, 7), grafts([article, links], 1, 7)

    assert len(once) == 1
    assert len(once[0].page) > len(article.page)
    assert once[0].page.text == again[0].page.text
    assert grafts([article], 1, 7) == [] == grafts([article, links], 0, 7)


def test_a_foreign_page_has_no_capitals_and_no_known_words(article):
    rows = features(foreign(article).page, Vocabulary())

    for name in ("capital_share", "is_capital", "wording", "title_share"):
        assert not rows[:, NAMES.index(name)].any()
    assert features(article.page, Vocabulary())[:, NAMES.index("is_capital")].any()


def test_an_old_page_has_no_names_and_no_modern_elements(article):
    rows = features(aged(article).page, vocabulary([article], 1))

    assert not rows[:, NAMES.index("path_hint")].any()
    assert not rows[:, NAMES.index("in_main")].any()


def test_weights_for_a_host_are_made_without_it():
    pages = [
        made(page.html.replace("<p", '<p class="zebra"'), page.text, f"{number}.example")
        for number, page in enumerate(gold_pages())
    ]
    without = [one for one in pages if part_of(one.host, 3)]

    blind = blind_vocabularies(pages, 3, 1)

    assert blind[0].names.values.tolist() == vocabulary(without, 1).names.values.tolist()
    assert blind[0].names.values.tolist() != vocabulary(pages, 1).names.values.tolist()


def test_without_other_hosts_nothing_is_known_blind(article):
    part = part_of(article.host, 2)

    assert not len(blind_vocabularies([article], 2, 1)[part].names.hashes)
