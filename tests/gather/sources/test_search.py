import json

import pytest

from izwi.demoweb.server import whole_reply
from izwi.gather.sources.search import SearchSource
from izwi.service.gathering import with_words
from izwi.store.catalog import Catalog

FIND, FOUND = "find.example", "found.example"
WORDS = ("bakkie", "braai", "koppie", "veld", "kloof", "stoep")


def service(visit):
    """Answer as SearXNG does: two pages of two results for every search."""
    if visit.path == "/robots.txt":
        return whole_reply(b"", status=404)
    assert visit.query["format"] == "json"
    words, page = visit.query["q"].split(), int(visit.query.get("pageno", "1"))
    rows = [
        {"url": f"http://{FOUND}/{word}?utm_source=x", "title": f"All about {word} and more"}
        for word in words[(page - 1) * 2 : page * 2]
    ]
    rows.append({"url": f"http://{FOUND}/picture.png", "title": "x"})
    return whole_reply(json.dumps({"results": rows}).encode(), content_type="application/json")


def found(visit):
    return whole_reply(f"<h1>{visit.path}</h1><p>Words about it.</p>".encode())


@pytest.fixture
def web_of_results(hosts):
    hosts[FIND], hosts[FOUND] = service, found


def search(**more):
    return SearchSource("seeds", f"http://{FIND}/search", **{"words": WORDS, "tuples": 4} | more)


def test_results_of_tuples_become_pages(gathering, web_of_results):
    gathering.run(search(pages=2))

    asked = [path for path in gathering.paths(FIND) if path.startswith("/search")]
    queries = search().queries()
    assert len(asked) == 8
    assert len(set(queries)) == 4
    wanted = {f"http://{FOUND}/{word}" for query in queries for word in query.split()}
    assert {url for url in gathering.captures if FOUND in url} == wanted


def test_seeds_are_counted_for_the_bias_of_hosts(gathering, web_of_results):
    gathering.run(search())

    with Catalog.read(gathering.layout.catalog) as catalog:
        assert list(catalog.seeds_by_host()) == [FOUND]


def test_tuples_are_the_same_for_the_same_seed_and_each_comes_once():
    assert search().queries() == search().queries()
    assert search(seed=2).queries() != search().queries()
    assert len(search(tuples=1000).queries()) == 20


def test_results_outside_the_domains_are_left_out(gathering, web_of_results):
    gathering.run(search(domains=(".za",)))

    assert gathering.paths(FOUND) == []


def test_service_that_answers_a_page_is_told(gathering, hosts, web_of_results):
    hosts[FIND] = found

    gathering.run(search())

    assert "Source 'seeds'" in gathering.notices[0]
    assert "format=json" in gathering.notices[0]


def test_words_of_the_corpus_make_a_round_for_each_version():
    class Words:
        lexicon = ("about", "bakkie", "braai", "cat", "kloof", "koppie", "the")
        frequencies = __import__("numpy").array([50, 5, 6, 3, 4, 2, 90])

    class Segment:
        lc = Words()

    own = search(words=(), words_from="corpus", ranks=(2, 6), rounds=2)

    first, second, third = (with_words(own, [Segment()], version) for version in (1, 2, 3))

    assert first.words == ("about", "braai", "bakkie", "kloof")
    assert first.queries() != second.queries()
    assert third.queries() == with_words(own, [], 0).queries() == []
    assert with_words(search(), [], 1) == search()


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"words": ("a",)}, "fewer than 3"),
        ({"url": "nowhere"}, "is not a web address"),
        ({"tuples": 0}, "below 1"),
        ({"ranks": (9, 2)}, "first and a last rank"),
    ],
)
def test_wrong_keys_are_told(fields, words):
    with pytest.raises(ValueError, match=words):
        SearchSource("s", **{"url": "http://a.example/", "words": WORDS} | fields)
