from collections import Counter
from dataclasses import replace

import pytest

from izwi.gather.sources import focused as focus_module
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.sources.focused import Focus, FocusedSource, Policy, Rate, judge
from izwi.model.capture import Lead
from izwi.store.catalog import Catalog
from tests.gather.manylanguages import ManyLanguages, sentences

POLICY = Policy(("zul",))


@pytest.fixture(scope="session")
def tell():
    from izwi.text.language.base import identifier

    identify = identifier("izwi")
    return lambda texts: [identify(text).code for text in texts]


@pytest.fixture
def languages(hosts):
    web = ManyLanguages()
    web.install(hosts)
    return web


def focused(web, **more):
    return FocusedSource("zulu", web.seeds, ("zu",), (".example",), **more)


def page(text, lang=""):
    said = f' lang="{lang}"' if lang else ""
    return f"<html{said}><body><p>{text}</p></body></html>".encode()


def zulu(words):
    return " ".join(" ".join(sentences("zu")).split()[:words])


@pytest.mark.parametrize(
    ("words", "lang", "is_good"),
    [(30, "zu", True), (15, "zu", False), (30, "en", False), (30, "", False), (60, "en", True)],
)
def test_page_that_declares_the_language_needs_fewer_words(tell, words, lang, is_good):
    assert judge(page(zulu(words), lang), POLICY, tell).is_good == is_good


def test_page_that_lies_about_its_language_is_not_good(tell):
    text = " ".join(sentences("en")[:20])

    assert judge(page(text, "zu"), POLICY, tell) == judge(page(text), POLICY, tell)
    assert not judge(page(text, "zu"), POLICY, tell).is_good


def test_rate_is_pulled_to_the_wider_one_while_little_is_known():
    assert Rate().towards(0.3) == pytest.approx(0.3)
    assert Rate(0, 100).towards(0.5) < 0.05
    assert Rate(2, 2).towards(0.1) > 0.3


def test_promise_is_learnt_from_host_pattern_and_words(tmp_path, tell):
    with Catalog.write(tmp_path / "catalog.sqlite") as catalog:
        focus = Focus(POLICY, tell, catalog)
        home = Lead("http://a.example/", "zulu")
        links = "".join(
            f'<a href="/{folder}/{n}">{word} {n}</a>'
            for folder, word in (("zu", "izindaba"), ("en", "news"))
            for n in range(9)
        )
        leads = [
            Lead(f"http://a.example/{folder}/{n}", "zulu", depth=1)
            for folder in ("zu", "en")
            for n in range(9)
        ]
        weighed = {
            each.url: each for each in focus.weigh(home, links.encode(), leads, is_good=True)
        }
        assert len({each.promise for each in weighed.values()}) == 1

        for n in range(4):
            focus.learn(weighed[f"http://a.example/zu/{n}"], page(zulu(80)), 100)
            focus.learn(
                weighed[f"http://a.example/en/{n}"], page("Only English words here. " * 20), 100
            )

        good, bad = (weighed[f"http://a.example/{folder}/8"] for folder in ("zu", "en"))
        assert focus.promise(good) > 2 * focus.promise(bad)
        elsewhere = Lead("http://b.example/p/1", "zulu", depth=1)
        named = focus.weigh(
            home, b'<a href="http://b.example/p/1">izindaba</a>', [elsewhere], is_good=True
        )
        other = replace(elsewhere, url="http://b.example/p/2")
        assert focus.promise(named[0]) > focus.promise(other)
        assert focus.harvest.rate == 0.5
        catalog.commit()
        assert Focus(POLICY, tell, catalog).good_pages("a.example") == 4


def test_only_what_was_learnt_is_remembered_and_the_newer_half_stays(tmp_path, tell, monkeypatch):
    monkeypatch.setattr(focus_module, "_MOST_REMEMBERED", 10)
    with Catalog.write(tmp_path / "catalog.sqlite") as catalog:
        focus = Focus(POLICY, tell, catalog)
        leads = [Lead(f"http://a.example/{name}/", "zulu", depth=1) for name in "abcdefghijklmnop"]
        for lead in leads:
            focus.promise(lead)
        assert not focus._others

        for lead in leads:
            focus.learn(lead, page("Only English words here. " * 20), 100)

        assert len(focus._others) <= 11
        assert focus._others["from a good page"].all == len(leads)
        assert any("/p/" in key for key in focus._others)
        assert not any("/a/" in key for key in focus._others)


def harvest(gathering, web):
    pages = [url for url in gathering.captures if ".example" in url]
    good = sum(
        web.language(host, int(path.rpartition("/")[2] or 0)) == "zu"
        for host, _, path in (url.partition("://")[2].partition("/") for url in pages)
    )
    return good / len(pages), len(pages)


@pytest.mark.slow
def test_focused_crawl_harvests_at_least_twice_what_breadth_first_does(
    tmp_path, web, languages, tell
):
    from tests.gather.conftest import Gathering

    plain, keen = Gathering(tmp_path / "plain", web), Gathering(tmp_path / "keen", web)
    crawl = CrawlSource("all", languages.seeds, (".example",))

    plain.run(crawl, pages=500, seconds=120.0, respect=())
    keen.run(focused(languages), pages=500, seconds=120.0, tell=tell, respect=())

    (before, many), (after, as_many) = harvest(plain, languages), harvest(keen, languages)
    assert (many, as_many) == (500, 500)
    assert after >= 2 * before, f"focused {after:.2f}, breadth first {before:.2f}"
    asked = Counter(each.url for each in web.log if not each.url.endswith("robots.txt"))
    twice = {url for url, count in asked.items() if count > 2}
    assert not twice
    assert len(keen.captures) == 500
    assert "harvest rate" in keen.notices[-1]


def test_quota_counts_good_pages_of_a_host(gathering, languages, tell):
    gathering.run(focused(languages, quota=5), pages=120, seconds=60.0, tell=tell, respect=())

    good = Counter(
        host
        for url in gathering.captures
        for host, _, path in [url.partition("://")[2].partition("/")]
        if languages.language(host, int(path.rpartition("/")[2] or 0)) == "zu"
    )
    assert max(good.values()) <= 6
    assert len(good) >= 6


def test_page_of_a_host_that_gave_nothing_is_left_out_with_its_promise(gathering, languages, tell):
    host = next(host for host, kind in languages.kinds.items() if kind == "en")
    source = FocusedSource(
        "zulu", (f"http://{host}/",), ("zu",), (host,), depth=9, least_promise=0.05
    )

    gathering.run(source, seconds=60.0, tell=tell, respect=())

    with Catalog.read(gathering.layout.catalog) as catalog:
        lines = [line for line in catalog.ledger_lines() if line.reason == "unpromising"]
    assert lines
    assert len(gathering.captures) < 20
    assert all(line.value < line.threshold == 0.05 for line in lines)


@pytest.mark.parametrize(
    "fields", [{"seeds": ()}, {"languages": ()}, {"depth": 0}, {"least_promise": 2.0}]
)
def test_wrong_keys_are_told(fields):
    given = {"seeds": ("http://a.example/",), "languages": ("zu",)} | fields
    with pytest.raises(ValueError, match=r"empty|below"):
        FocusedSource("zulu", **given)
