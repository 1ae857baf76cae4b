"""What shows a page again is left alone once that is sure; numbers of pages never are."""

import random

import pytest

from izwi.gather.traps import Traps
from izwi.gather.variants import roots
from izwi.model.capture import Lead
from tests.gather.test_traps import article, catalog, word

__all__ = ["catalog"]

SPELLINGS = {
    "print": "http://a.example/story/{}?print=1",
    "visit": "http://a.example/story/{}?visit={token}",
    "phone": "http://a.example/m/story/{}",
    "below": "http://a.example/story/{}/text",
    "visit in the path": "http://a.example/story/{}/~{token}",
    "of two keys": "http://a.example/story/{}?size={token}&from=home",
}


@pytest.mark.parametrize("kind", SPELLINGS)
def test_other_spellings_of_pages_that_were_asked_are_left_alone_after_a_few(catalog, kind):
    traps, chance, asked = Traps(catalog), random.Random(1), 0
    for turn in range(60):
        traps.learn(f"http://a.example/story/{turn}", article(turn), [])
        for _ in range(2):
            url = SPELLINGS[kind].format(turn, token=f"{chance.randbytes(5).hex()}")
            if traps.verdict(url) is None:
                asked += 1
                traps.learn(url, article(turn), [])

    # Tokens of figures alone have another shape than those with letters.
    assert asked <= 12
    assert traps.verdict(SPELLINGS[kind].format(59, token="0a1b2c3d4e")).reason == "variant"
    # It may be the only way to a page that was never asked.
    fresh = traps.verdict(SPELLINGS[kind].format(9000, token="0a1b2c3d4e"))
    assert fresh is None or fresh.reason == "trap"


def test_a_variant_is_left_alone_while_its_page_waits(catalog):
    traps = Traps(catalog)
    for turn in range(4):
        for url in (f"http://a.example/s/{turn}", f"http://a.example/s/{turn}?visit={turn}a"):
            traps.learn(url, article(turn), [])
    catalog.add_leads([Lead("http://a.example/s/70", "crawl")])

    assert traps.verdict("http://a.example/s/70?visit=9").reason == "variant"
    assert traps.verdict("http://a.example/s/71?visit=9") is None


@pytest.mark.parametrize("share", [3, 10])
def test_numbers_of_pages_are_no_variants_though_some_pages_say_the_same(catalog, share):
    traps = Traps(catalog)
    for turn in range(200):
        url = f"http://a.example/ad.php?id={turn}"
        assert traps.verdict(url) is None
        traps.learn(url, article(turn - turn % share if turn % share == 1 else turn), [])


def test_a_form_behind_every_number_is_one_text(catalog):
    traps = Traps(catalog)
    form = "Please write your name and your secret word and then send them to us all"
    for turn in range(5):
        traps.learn(f"http://a.example/cart?id={turn}", form, [])

    verdict = traps.verdict("http://a.example/cart?id=99")
    assert verdict is None or verdict.reason == "trap"


def test_versions_with_a_sentence_of_their_own_are_variants(catalog):
    traps, chance, asked = Traps(catalog), random.Random(2), 0
    for turn in range(20):
        old = "\n".join(article(turn * 10 + n) for n in range(6))
        traps.learn(f"http://a.example/doc?id=p{turn}", old, [])
        for version in range(4):
            url = f"http://a.example/doc?id=p{turn}&rev={turn * 7 + version}"
            if traps.verdict(url) is None:
                asked += 1
                traps.learn(url, f"{old}\n{' '.join(word(chance) for _ in range(4))}", [])

    assert asked <= 10


def test_a_curator_opens_variants(catalog):
    traps = Traps(catalog, frozenset({"a.example/s/#?all"}))
    for turn in range(8):
        for url in (f"http://a.example/s/{turn}", f"http://a.example/s/{turn}?all=1"):
            assert traps.verdict(url) is None
            traps.learn(url, article(turn), [])


def test_roots_of_an_address_are_few_however_many_parameters_it_has():
    url = "http://a.example/list?" + "&".join(f"k{n}=1" for n in range(500))

    assert len(roots(url)) <= 4
