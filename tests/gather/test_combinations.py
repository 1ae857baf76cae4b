"""Choices put together end after a few where they lead nowhere new, and go on where they do."""

from itertools import combinations

import pytest

from izwi.gather.combinations import splits
from izwi.gather.traps import Traps
from tests.gather.test_traps import article, catalog

__all__ = ["catalog"]

NAMES = ("red", "blue", "wool", "silk", "small", "large", "cheap", "old-style")
FORMS = {
    "folders": lambda some: "http://a.example/goods/" + "/".join(some),
    "keys": lambda some: (
        "http://a.example/goods?" + "&".join(f"k{NAMES.index(n)}={n}" for n in some)
    ),
    "one folder": lambda some: "http://a.example/goods/" + "+".join(some),
}


def learnt(traps, form, stories, news=()):
    """Ask for every choice, then for two and three of them; return how many of these were asked."""
    for each in NAMES:
        traps.learn(form([each]), "", [f"http://a.example/story/{n}" for n in range(stories)])
    asked = 0
    for size in (2, 3):
        for at, some in enumerate(combinations(NAMES, size)):
            url = form(some)
            if traps.verdict(url) is None:
                asked += 1
                more = [form([*some, each]) for each in NAMES if each not in some]
                fresh = [f"http://a.example/story/{size * 1000 + at}"] if news else []
                traps.learn(url, "", [*more, *fresh, "http://a.example/story/1"])
    return asked


@pytest.mark.parametrize("kind", FORMS)
def test_choices_put_together_end_after_a_few(catalog, kind):
    traps = Traps(catalog)

    assert learnt(traps, FORMS[kind], 12) <= 8
    assert traps.verdict(FORMS[kind](NAMES[2:5])) is not None
    assert traps.verdict("http://a.example/goods/linen") is None


@pytest.mark.parametrize("kind", FORMS)
def test_choices_that_lead_to_pages_nobody_knew_go_on(catalog, kind):
    assert learnt(Traps(catalog), FORMS[kind], 3, news=("yes",)) == 28 + 56


def test_verses_of_chapters_are_no_choices(catalog):
    traps = Traps(catalog)
    for chapter in range(1, 20):
        traps.learn(f"http://a.example/book/{chapter}", "", [])
        for verse in range(1, 10):
            url = f"http://a.example/book/{chapter}/{verse}"
            assert traps.verdict(url) is None
            traps.learn(url, article(chapter * 10 + verse), [])


@pytest.mark.parametrize(
    "url",
    ["http://a.example/2019/04/12", "http://a.example/goods/red/page-2", "http://a.example/a?c=x&page=3",
     "http://a.example/a?f=3&t=17", "http://a.example/goods/red"],
)  # fmt: skip
def test_dates_pages_and_numbers_are_no_choices(url):
    assert not splits(url)
