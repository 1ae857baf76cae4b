"""A corpus at default settings, without rules for its sites: every article once, and no listing."""

import json

from izwi.demoweb import PUBLICATIONS, archive_urls, ground_truth
from izwi.demoweb.sites import views
from izwi.service.corpus import create_corpus

KEY = "umgeniherald"


def gold_lines():
    """Yield the articles of one site that are no copies, and its lists, which are no documents."""
    for url, true in ground_truth().items():
        if true.publication == KEY and true.language == "en" and not true.copy_of:
            text = "\n".join([true.title, *true.paragraphs])
            yield {"url": url, "text": text, "title": true.title, "date": str(true.date)}
    for path, view in views(PUBLICATIONS[KEY]).items():
        if view.articles:
            yield {"url": PUBLICATIONS[KEY].url(path), "document": False}


def test_every_article_of_a_site_can_be_searched_and_no_list_is_a_document(tmp_path, izwi_command):
    folder, gold = tmp_path / "c", tmp_path / "gold.jsonl"
    gold.write_text("".join(json.dumps(line) + "\n" for line in gold_lines()), encoding="utf-8")
    made = create_corpus(
        folder, contact="https://izwi.example/tests", name="c", languages=("en",), delay=0.0
    )
    made.add_source(archive_urls()[KEY], type="seeds", name=KEY, depth=4)

    assert izwi_command("run", folder).returncode == 0
    asked = izwi_command("evaluate", "corpus", folder, gold, "--json")

    found = json.loads(asked.stdout)
    assert found["kept"] == found["gold"] > 20
    assert found["f1"] >= 0.97
    assert found["titles"] >= 0.97
    assert found["dates"] >= 0.9
    assert found["others_kept"] <= 1
    assert found["twice"] == 0
