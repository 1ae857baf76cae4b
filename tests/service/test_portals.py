import json
from dataclasses import replace

import pytest

from izwi.cases.corpus import create_corpus, open_corpus
from izwi.curation import labelling
from izwi.evaluate.gold_pages import read_gold
from izwi.model.curation import LabelledBlock, LabelledPage, read_labels, write_labels
from izwi.model.errors import QueryError, StoreError
from izwi.model.portal import Portal
from izwi.store.layout import Layout
from tests.store.samples import capture, later, write_shard
from tests.text.test_portal_rules import PAGES, page

SOURCE = '\n[[source]]\nname = "{name}"\ntype = "seeds"\nurls = ["http://a.example/"]\n'
# The pages repeat themselves, which real text does not.
SETTINGS = "\n[language]\nconnected = false\n"
PORTAL = '[source.portal]\nbody = "div.story"\nauthor = "span.byline"\n'


@pytest.fixture
def corpus(tmp_path):
    create_corpus(tmp_path / "news", contact="x", name="news")
    pages = [
        later(capture(f"http://a.example/{number}", html.encode()), number)
        for number, html in enumerate(PAGES)
    ]
    write_shard(Layout(tmp_path / "news"), "2026-11-15-0001", pages)
    config = tmp_path / "news" / "corpus.toml"
    text = config.read_text(encoding="utf-8")
    source = pages[0].lead.source
    text = text.replace("[language]\n", SETTINGS) + SOURCE.format(name=source) + PORTAL
    config.write_text(text, encoding="utf-8")
    return open_corpus(tmp_path / "news"), source


def test_tags_of_a_source_are_counted_in_its_body(corpus):
    made, source = corpus

    found = made.portal_tags(source)

    assert found.pages == len(PAGES)
    assert {line.tag for line in found.tags} == {"div.story", "p", "div.promo"}
    assert made.portal_tags(source, body="h1", pages=3).pages == 3


def test_rules_are_proposed_where_they_better_what_people_labelled(corpus):
    made, source = corpus

    assert made.portal_suggestion(source).portal == Portal()
    labels = [
        replace(
            draft,
            blocks=tuple(
                replace(block, label="main" if "Subscribe" in block.text else "boilerplate")
                for block in draft.blocks
            ),
            time="2026-11-15T10:00:00Z",
        )
        for draft in made.label_drafts(source=source, pages=4)
    ]
    made.import_labels(labels)

    found = made.portal_suggestion(source)
    assert (found.portal.body, found.labelled) == ("div.promo", 4)


def test_an_unknown_source_is_an_error_that_names_the_known(corpus):
    made, source = corpus

    with pytest.raises(QueryError, match=source):
        made.portal_tags("nobody")


def test_a_portals_body_becomes_the_text(corpus, tmp_path):
    made, _ = corpus
    made.build(workers=1)

    line = made.concordance("subscribe").lines[0]
    assert not made.concordance("rights").lines
    assert line.document.author.startswith("Writer ")


def test_drafts_become_labels_and_gold(corpus, tmp_path):
    made, source = corpus
    drafts = made.label_drafts(source=source, pages=3)
    path = tmp_path / "drafts.jsonl"
    path.write_text("".join(write_labels(drafts)), encoding="utf-8")

    assert made.import_labels(labelling.read_file(path)) == 3
    assert made.labels() == drafts
    again = LabelledPage(drafts[0].url, "<p>x", (LabelledBlock("x", "main"),), labeller="jo")
    made.import_labels([again])
    assert len(made.labels()) == 4
    assert {each.url for each in made.label_drafts(pages=100)}.isdisjoint(
        each.url for each in drafts
    )
    (gold, *_) = read_gold(path.read_text(encoding="utf-8").splitlines())
    assert gold.host == "a.example"
    assert "the old bakkie of the miller" in gold.text


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"format": "other"}, "format"),
        ({"blocks": 3}, "blocks"),
        ({"blocks": [{"text": "a", "label": "good"}]}, "good"),
        ({"blocks": [{"label": "main"}]}, "text"),
        ({"url": 3}, "url"),
    ],
)
def test_labels_that_make_no_sense_are_refused(change, word, tmp_path):
    (line,) = write_labels([LabelledPage("u", page(1), (LabelledBlock("a", "main"),))])
    path = tmp_path / "labels.jsonl"
    path.write_text("\n" + json.dumps(json.loads(line) | change) + "\n", encoding="utf-8")

    with pytest.raises(StoreError, match=f"line 2.*{word}"):
        labelling.read_file(path)


def test_labels_come_back_as_they_were_written():
    pages = (LabelledPage("u", "<p>é", (LabelledBlock("é", "comment"),), "forum", "jo", "2026"),)

    assert tuple(read_labels(write_labels(pages))) == pages


def test_after_a_build_rules_are_proposed_from_the_documents_alone(corpus):
    made, source = corpus
    listing = "".join(f"<div class=item><a href=/{n}>Story {n}</a></div>" for n in range(40))
    html = f"<div class=lists>{listing}</div>".encode()
    lists = [later(capture(f"http://a.example/list/{n}", html), n) for n in range(10)]
    write_shard(Layout(made.path), "2026-11-15-0002", lists)
    made.build(workers=1)

    assert made.portal_suggestion(source).pages <= len(PAGES)
