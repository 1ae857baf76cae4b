"""What shows a page again is left alone once that is sure; numbers of pages never are."""

import random

import pytest

from izwi.demoweb.server import whole_reply
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.traps import Traps
from izwi.gather.variants import roots
from izwi.model.capture import Lead
from izwi.model.document import dropped
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

    # Tokens of figures alone have another shape than those with letters; some are samples.
    assert asked <= 15
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

    assert asked <= 15


def test_a_curator_opens_variants(catalog):
    traps = Traps(catalog, frozenset({"a.example/s/#?all"}))
    for turn in range(8):
        for url in (f"http://a.example/s/{turn}", f"http://a.example/s/{turn}?all=1"):
            assert traps.verdict(url) is None
            traps.learn(url, article(turn), [])


def test_roots_of_an_address_are_few_however_many_parameters_it_has():
    url = "http://a.example/list?" + "&".join(f"k{n}=1" for n in range(500))

    assert len(roots(url)) <= 4


def crawled(traps, pages):
    """Ask for pages (address, text) as they come; return the addresses that were left out."""
    left_out = []
    for url, text in pages:
        if traps.verdict(url) is None:
            traps.learn(url, text, [])
        else:
            traps.sift([Lead(url, "crawl")])
            left_out.append(url)
    return left_out


def long_text(number, lines=8):
    chance = random.Random(number)
    return "\n".join(" ".join(word(chance) for _ in range(12)) for _ in range(lines))


def in_turn(first, second):
    return [page for pair in zip(first, second, strict=True) for page in pair]


# What comes in pairs, of which the first few say the same and all others have a text of their own.
ACCIDENTS = {
    "phone folder": ("http://a.example/story/of-{}-k", "http://a.example/talk/story/of-{}-k"),
    "parameter": ("http://a.example/story/{}", "http://a.example/story/{}?part=b"),
    "same name elsewhere": ("http://a.example/news/of-{}-k", "http://a.example/blog/of-{}-k"),
    "comments": ("http://a.example/post/{}", "http://a.example/post/{}/comments"),
    "second page": ("http://a.example/list/{}", "http://a.example/list/{}?page=2"),
}


@pytest.mark.parametrize("kind", ACCIDENTS)
def test_a_habit_of_the_first_pages_ends_when_a_later_one_has_its_own_text(catalog, kind):
    traps, (plain, other) = Traps(catalog), ACCIDENTS[kind]
    pages = in_turn(
        [(plain.format(n), long_text(n)) for n in range(80)],
        [(other.format(n), long_text(n if n < 4 else 1000 + n)) for n in range(80)],
    )

    left_out = crawled(traps, pages)

    assert len(left_out) <= 4
    back = [lead.url for leads in traps.returned().values() for lead in leads]
    assert set(left_out) - {other.format(3)} <= set(back)
    assert traps.verdict(other.format(7)) is None


LANGUAGES = {
    "folder": "http://a.example/af/of-{}-k",
    "folder behind": "http://a.example/of-{}-k/zu",
    "region": "http://a.example/en-ZA/of-{}-k",
    "parameter": "http://a.example/of-{}-k?lang=af",
    "parameter by another name": "http://a.example/of-{}-k?to=af",
    "with another parameter": "http://a.example/of-{}-k?id=7&lang=zulu",
}


@pytest.mark.parametrize("kind", LANGUAGES)
def test_another_language_is_no_variant_though_the_first_pages_are_untranslated(catalog, kind):
    pages = in_turn(
        [(f"http://a.example/of-{n}-k", long_text(n)) for n in range(80)],
        [(LANGUAGES[kind].format(n), long_text(n if n < 4 else 1000 + n)) for n in range(80)],
    )

    assert not crawled(Traps(catalog), pages)


def test_what_is_left_out_is_asked_ever_less_often(catalog):
    pages = in_turn(
        [(f"http://a.example/story/{n}", long_text(n)) for n in range(1000)],
        [(f"http://a.example/story/{n}?print=1", long_text(n)) for n in range(1000)],
    )

    assert 980 <= len(crawled(Traps(catalog), pages)) < 997


@pytest.mark.parametrize("folder", ["http://a.example/archive/{}", "http://a.example/2019/{}"])
def test_an_archive_that_shows_its_only_page_whole_does_not_stand_for_those_of_others(
    catalog, folder
):
    pages = []
    for year in range(10, 14):
        place = folder.format(year)
        pages += [(place, long_text(year)), (f"{place}/of-{year}-k", long_text(year))]
    for year in range(14, 40):
        notes, place = [long_text(year * 100 + n) for n in range(20)], folder.format(year)
        pages.append((place, "\n".join(note[:60].rpartition(" ")[0] for note in notes)))
        pages += [(f"{place}/on-{n}-k", note) for n, note in enumerate(notes)]

    assert len(crawled(Traps(catalog), pages)) <= 4


def test_a_page_shown_whole_in_a_long_archive_is_not_that_archive(catalog):
    pages = []
    for year in range(10, 20):
        place, chance = f"http://a.example/in/{year}", random.Random(year)
        longest = "\n".join(" ".join(word(chance) for _ in range(40)) for _ in range(2))
        notes = [long_text(year * 100 + n) for n in range(4)]
        pages += [(place, "\n".join([longest, *notes])), (f"{place}/on-it-k", longest)]

    assert not crawled(Traps(catalog), pages)


@pytest.mark.parametrize(("state", "is_left_out"), [("dropped", False), ("fetched", True)])
def test_a_page_that_was_never_had_has_no_variants(catalog, state, is_left_out):
    traps = Traps(catalog)
    for turn in range(4):
        for url in (f"http://a.example/s/{turn}", f"http://a.example/s/{turn}?visit={turn}a"):
            traps.learn(url, article(turn), [])
    catalog.add_leads([Lead("http://a.example/s/70", "crawl")])
    queued = catalog.find_lead("http://a.example/s/70")
    catalog.settle(queued, state, dropped("fetch", "robots"))

    assert (traps.verdict("http://a.example/s/70?visit=9") is not None) is is_left_out


def test_a_run_asks_for_what_was_left_out_when_it_turns_out_to_have_its_own_text(gathering, hosts):
    numbers = range(40)

    def answer(visit):
        name = visit.path.removeprefix("/story/")
        if visit.path == "/":
            links = "".join(f"<a href='/story/{n}'>on</a>" for n in numbers)
            return page(links)
        if not (name.isdigit() and int(name) in numbers):
            return whole_reply(b"no", status=404, content_type="text/plain")
        text = long_text(int(name) + 1000 * ("part" in visit.query and int(name) > 4))
        return page(f"<p>{text}</p><a href='/story/{name}?part=b'>more</a>")

    def page(body):
        whole = f"<html><title>x</title><body>{body}</body></html>"
        return whole_reply(whole.encode(), content_type="text/html")

    hosts["pairs.example"] = answer
    gathering.run(CrawlSource("one", ("http://pairs.example/",)))

    had = [path for path in gathering.paths("pairs.example") if path.endswith("?part=b")]
    assert {f"/story/{n}?part=b" for n in numbers if n > 4} <= set(had)
    assert len(had) == len(set(had))
