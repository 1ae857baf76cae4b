"""Corpora at default settings, without rules for their sites: every article once, no listing."""

import json
import re
from collections import Counter

from izwi.cases.corpus import create_corpus
from izwi.cases.demo import create_demo
from izwi.demoweb import PUBLICATIONS, archive_urls
from izwi.demoweb.sites import views
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


def test_the_demo_has_every_article_once_and_no_listing_without_a_rule(tmp_path, izwi_command):
    corpus = create_demo(tmp_path / "demo")

    found = evaluated(corpus.path, izwi_command, *PUBLICATIONS)

    assert found["kept"] == found["gold"] > 150
    assert found["f1"] >= 0.95
    assert found["titles"] >= 0.99
    assert found["dates"] >= 0.94
    assert not bakkies_missed(corpus)
    assert (found["others_kept"], found["owned_by_others"], found["twice"]) == (0, 0, 0)
    for words in FURNITURE:
        assert corpus.concordance(words).hits == 0, words
    for document in corpus.documents(size=500).documents:
        # Pages of contacts shared a line below all pages with news.
        assert corpus.document(document.id).copy_of == "", document.url


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
