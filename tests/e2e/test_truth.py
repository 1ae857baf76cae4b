"""Corpora at default settings, without rules for their sites: every article once, no listing."""

import json
import re
from collections import Counter
from urllib.parse import urlsplit

from izwi.cases.corpus import Corpus, create_corpus
from izwi.cases.demo import create_demo
from izwi.demoweb import PUBLICATIONS, archive_urls, feed_urls
from izwi.demoweb.sites import month_name, views
from tests.demoweb.truth import ground_truth

KEY = "umgeniherald"
# What stands on every page of a site is no text of any of them.
FURNITURE = (
    "Stud rams on auction", "Drive away in a new hatchback", "boreholes sunk", "braai packs",
    "Funeral cover", "rights reserved", "reasonable effort", "accept no liability", "cookies",
    "unsubscribe", "Best viewed", "Print this page", "Most read",
)  # fmt: skip


def gold_lines(*keys):
    """Yield the articles of sites that are no copies, and their lists, which are no documents."""
    for url, true in ground_truth().items():
        if true.publication in keys and true.language == "en" and not true.copy_of:
            text = "\n".join([true.title, *true.paragraphs])
            yield {"url": url, "text": text, "title": true.title, "date": str(true.date)}
    for key in keys:
        for path, view in views(PUBLICATIONS[key]).items():
            if view.articles:
                yield {"url": PUBLICATIONS[key].url(path), "document": False}


def evaluated(folder, izwi_command, *keys):
    """Gather, build and evaluate a corpus by the command, as a user does."""
    gold = folder.parent / "gold.jsonl"
    gold.write_text(
        "".join(json.dumps(line) + "\n" for line in gold_lines(*keys)), encoding="utf-8"
    )
    assert izwi_command("run", folder).returncode == 0
    return json.loads(izwi_command("evaluate", "corpus", folder, gold, "--json").stdout)


def test_every_article_of_a_site_can_be_searched_and_no_list_is_a_document(tmp_path, izwi_command):
    folder = tmp_path / "c"
    made = create_corpus(
        folder, contact="https://izwi.example/tests", name="c", languages=("en",), delay=0.0
    )
    made.add_source(archive_urls()[KEY], type="seeds", name=KEY, depth=4)

    found = evaluated(folder, izwi_command, KEY)

    assert found["kept"] == found["gold"] > 20
    assert found["f1"] >= 0.97
    assert found["titles"] >= 0.97
    assert found["dates"] >= 0.9
    assert (found["others_kept"], found["twice"]) == (0, 0)


def documents_of(corpus):
    """Return every kept document by its address, as a reader opens it."""
    listed = corpus.documents(size=1000).documents
    return {each.url: corpus.document(each.id) for each in listed}


def faults_of(document, true):
    """Return what a document has that its article has not, and the other way round."""
    shown = [plain(each.text) for each in document.paragraphs if each.is_main]
    written = [plain(each) for each in true.paragraphs]
    lines = {plain(true.section), plain(true.title), ""}
    over = [
        each
        for each in (Counter(shown) - Counter(written))
        # What readers see just above a text: its title, section, byline and date.
        if each not in lines and not (len(each.split()) <= 8 and is_of_head(each, true))
    ]
    found = {
        "title": document.title, "author": document.author, "date": str(document.date),
        "lost": list(Counter(written) - Counter(shown)), "over": over,
    }  # fmt: skip
    # The page itself may show another date, or call somebody unnamed so.
    unnamed = document.author if document.author in ("", "Post Reporter") else "nobody"
    right = {
        "title": true.title, "author": true.author or unnamed,
        "date": str(true.shown_date or true.date), "lost": [], "over": [],
    }  # fmt: skip
    return {name: found[name] for name in found if found[name] != right[name]}


def plain(text):
    return " ".join(re.findall(r"\w+", text.casefold()))


def is_of_head(line, true):
    """Whether a line says nothing but who wrote an article and when."""
    named = set(plain(f"{true.author or ''} {true.section} {true.date.year}").split())
    day = {str(true.date.day), str((true.shown_date or true.date).year)}
    months = {plain(month_name(true.date, language)) for language in ("en", "af")}
    return set(line.split()) <= named | day | months | {"by", "deur"}


def assert_true(corpus, *, wanted):
    """Every article once, whole, under its title, author and date; nothing else but who we are."""
    found, truth = documents_of(corpus), ground_truth()

    wrong = {
        url: faults
        for url, document in found.items()
        if url in truth and (faults := faults_of(document, truth[url]))
    }
    assert not wrong
    assert {urlsplit(url).path for url in found.keys() - truth.keys()} <= {"/about", "/contact"}
    stories = Counter(truth[url].copy_of or url for url in found if url in truth)
    assert set(stories) == {each.copy_of or each.url for each in wanted}
    assert max(stories.values()) == 1


def test_the_demo_has_every_article_once_and_no_listing_without_a_rule(tmp_path, izwi_command):
    corpus = create_demo(tmp_path / "demo")

    found = evaluated(corpus.path, izwi_command, *PUBLICATIONS)

    assert found["kept"] == found["gold"] > 150
    assert found["f1"] >= 0.95
    assert found["titles"] >= 0.99
    assert found["dates"] >= 0.94
    assert not bakkies_missed(corpus)
    assert (found["others_kept"], found["owned_by_others"], found["twice"]) == (0, 0, 0)
    english = [each for each in ground_truth().values() if each.language == "en"]
    assert_true(corpus, wanted=english)
    for words in FURNITURE:
        assert corpus.concordance(words).hits == 0, words
    for document in corpus.documents(size=500).documents:
        # Pages of contacts shared a line below all pages with news.
        assert corpus.document(document.id).copy_of == "", document.url


def test_the_corpus_of_the_tutorial_is_true_too(tmp_path, izwi_command):
    """A feed and a list of which some pages are followed."""
    folder = tmp_path / "first"
    made = create_corpus(
        folder, contact="https://example.org/me", name="first", languages=("en",), delay=0.0
    )
    made.add_source(feed_urls()["karoocourant"], type="feed", name="karoocourant-feed")
    made.add_source(archive_urls()["egolipost"], type="seeds", name="egoli", depth=2)

    assert izwi_command("run", folder).returncode == 0

    corpus = Corpus(folder)
    reached = {line.url for line in corpus.drops(most=1000).lines}
    wanted = [each for url, each in ground_truth().items() if url in reached]
    assert len(wanted) > 40
    assert_true(corpus, wanted=wanted)


def bakkies_missed(corpus):
    """Return the articles of which the lemma finds fewer bakkies than their paragraphs have."""
    lines = corpus.concordance('[lemma="bakkie"]', size=500).lines
    found = Counter(line.document.url for line in lines)
    written = {
        url: len(re.findall(r"(?i)\bbakkies?\b", "\n".join(true.paragraphs)))
        for url, true in ground_truth().items()
        if true.language == "en" and not true.copy_of
    }
    assert sum(written.values()) > 100
    return {url: number for url, number in written.items() if found[url] < number}
