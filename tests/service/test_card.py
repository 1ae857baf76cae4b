import json
from dataclasses import replace
from datetime import date
from html.parser import HTMLParser

import pytest

from izwi.cases.corpus import Corpus
from izwi.curation import decisions
from izwi.model.capture import Capture, Lead
from izwi.model.curation import LabelledBlock, LabelledPage
from izwi.model.document import KEPT, dropped
from izwi.model.errors import QueryError
from izwi.model.reports import RightsSignal, Share, SourceYear
from izwi.presentation.report_pages import card_page, year_chart
from izwi.reports import card as card_service
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.store.warc import WarcWriter, rights_in, write_entries
from tests.service import tiny


def test_every_part_of_the_card_adds_up_to_the_corpus(built):
    card = built.card()

    summary = built.summary()
    assert (card.documents, card.tokens) == (summary.documents, summary.tokens)
    for name in (
        "years",
        "languages",
        "sources",
        "hosts",
        "date_evidence",
        "date_precision",
        "licences",
    ):
        shares = getattr(card, name)
        assert sum(each.documents for each in shares) == card.documents, name
        assert sum(each.tokens for each in shares) == card.tokens, name
    assert [each.name for each in card.hosts] == ["courant.example"]
    assert card.effective_hosts == 1.0
    assert {each.name for each in card.sources} == {"feed", "pages"}
    assert card.first == date(2020, 3, 1)


def test_an_unknown_version_has_no_card(built):
    with pytest.raises(QueryError, match="no version 9"):
        built.card(version=9)


class Balance(HTMLParser):
    """Collects the elements that are open."""

    def __init__(self):
        super().__init__()
        self.open, self.seen = [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_is_balanced_and_escapes_what_pages_say(built):
    hostile = Share('<script>"&', 1, 1)
    card = replace(built.card(), title="A & <b>", hosts=(hostile,), languages=(hostile,))
    reader = Balance()

    reader.feed(card_page(card))

    assert reader.open == []
    assert "script" not in reader.seen
    assert {"svg", "rect", "table"} <= set(reader.seen)


def test_the_chart_has_a_place_for_years_without_documents():
    years = (SourceYear("a", "", 3), SourceYear("a", "2012", 2), SourceYear("b", "2014", 4))

    chart = year_chart(years)

    assert chart.count("<rect") == 2
    assert [year in chart for year in (">2012<", ">2013<", ">2014<")] == [True] * 3
    assert "b: 4" in chart
    assert year_chart(years[:1]) == ""


def test_small_sources_share_a_colour():
    years = [SourceYear(f"s{number}", "2014", 20 - number) for number in range(12)]

    chart = year_chart(years)

    assert chart.count("<rect") == 7
    assert f"other sources: {sum(20 - number for number in range(6, 12))}" in chart


def test_the_card_counts_licences_and_signals(tmp_path):
    corpus = tiny.make(tmp_path / "tiny")
    licensed = b'<link rel="license" href="https://creativecommons.org/licenses/by/4.0/">'
    pages = [
        ("a", licensed + f"<p>{tiny.ENGLISH}</p>".encode(), "nosnippet; tdm-policy=/terms"),
        ("b", f"<p>Oranges! {tiny.ENGLISH}</p>".encode(), "nosnippet"),
        ("c", f"<p>Lemons too. {tiny.ENGLISH}</p>".encode(), ""),
    ]
    put(tmp_path / "tiny", pages)
    corpus.build(workers=1)

    card = corpus.card()

    assert {(each.name, each.documents) for each in card.licences} == {
        ("CC BY 4.0", 1), ("none stated", 2),
    }  # fmt: skip
    assert sum(each.tokens for each in card.licences) == card.tokens
    assert card.rights == (
        RightsSignal("noai", "pages", 0, 1, True),
        RightsSignal("nosnippet", "pages", 2, 0, False),
    )
    page = card_page(card)
    assert "CC BY 4.0" in page
    assert "noai" in page


def put(folder, pages):
    """Put pages with what their owners said into a corpus, and one that was refused."""
    layout = Layout(folder)
    with Catalog.write(layout.catalog) as catalog:
        store = CaptureStore(layout, catalog, shard_bytes=1 << 30, software="izwi/tests")
        leads = [Lead(f"{tiny.HOST}/{name}", "pages") for name, _, _ in pages]
        catalog.add_leads([*leads, Lead(f"{tiny.HOST}/refused", "pages")])
        queue = catalog.waiting_leads("courant.example", 0.0, most=100)
        for queued, lead, (_, body, rights) in zip(queue, leads, pages, strict=False):
            headers = (("Content-Type", "text/html"),)
            capture = Capture(lead, tiny.WHEN, 200, "", headers, body, rights=rights)
            store.append(queued, capture)
            catalog.settle(queued, "fetched", KEPT)
        catalog.settle(queue[-1], "dropped", dropped("fetch", "noai"))
        store.commit()
        store.seal()
        store.close()


def test_a_corpus_without_its_raw_files_has_a_card_too(own_folder):
    before = Corpus(own_folder).card()
    for path in Layout(own_folder).warcs.glob("*.warc.gz"):
        path.unlink()

    card = Corpus(own_folder).card()

    assert (before.rights_unread, card.rights_unread) == (0, 1)
    assert card.licences == before.licences
    assert "1 raw files could not be read" in card_page(card)


def test_a_corpus_without_gold_says_that_its_quality_is_not_known(built):
    page = card_page(built.card())

    assert built.card().quality == ()
    assert "nobody has labelled any" in page
    assert "neither an audit nor" in page


def test_labels_stated_languages_and_audits_measure_quality(own_folder, tmp_path):
    corpus = Corpus(own_folder)
    html = f"<p>{tiny.ENGLISH}</p><p>{tiny.ENGLISH.upper()}</p>"
    blocks = (LabelledBlock(tiny.ENGLISH.strip(), "main"),)
    labelled = LabelledPage(f"{tiny.HOST}/x", html, blocks, time="2026-11-16T00:00:00Z")
    draft = LabelledPage(f"{tiny.HOST}/y", html, ())
    corpus.import_labels([labelled, draft])
    texts = [{"text": tiny.ENGLISH, "language": "en"}, {"text": tiny.AFRIKAANS, "language": "zu"}]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, texts)), encoding="utf-8")
    corpus.import_texts(tmp_path / "t.jsonl")
    corpus.build(workers=1)
    audit = decisions.start(
        Layout(own_folder), corpus._snapshot(None)[1], 1, size=2, seed=1, who="x"
    )
    first = decisions.judgements(Layout(own_folder), audit)[0]
    decisions.judge(Layout(own_folder), audit, first.document, ["language"], who="x")

    figures = {(each.what, each.measure, each.judged): each for each in corpus.card().quality}

    assert set(figures) == {
        ("main text", "precision", 1), ("main text", "recall", 1), ("main text", "f1", 1),
        ("language", "accuracy", 2), ("language", "accuracy", 1),
    }  # fmt: skip
    assert 0.3 < figures["main text", "f1", 1].value <= 1
    assert figures["language", "accuracy", 2].value == 0.5
    assert figures["language", "accuracy", 1].value == 0.0
    assert "pages labelled, izwi" in card_page(corpus.card())


def test_what_a_card_reads_of_the_shards_is_kept_until_they_change(own_folder, monkeypatch):
    first = Corpus(own_folder).card()
    asked = []
    for name in ("count_rights", "quality_figures"):
        real = getattr(card_service, name)
        monkeypatch.setattr(
            card_service,
            name,
            lambda *given, real=real, name=name: (asked.append(name), real(*given))[1],
        )

    assert Corpus(own_folder).card() == first
    assert asked == []
    blocks = (LabelledBlock(tiny.ENGLISH.strip(), "main"),)
    page = LabelledPage(f"{tiny.HOST}/x", f"<p>{tiny.ENGLISH}</p>", blocks, time="2026-11-16")
    Corpus(own_folder).import_labels([page])
    assert Corpus(own_folder).card().quality
    assert asked == ["quality_figures"]


def test_signals_longer_than_a_piece_are_read_whole(tmp_path):
    long = "noai; tdm-policy=" + "".join(f"{number:x}" for number in range(3000))
    writer = WarcWriter.create(tmp_path / "x.warc.gz", "tests")
    entry = writer.append(
        Capture(Lead("http://a.example/", "s"), tiny.WHEN, 200, "", (), b"x", rights=long)
    )
    writer.commit()
    writer.close()
    write_entries(tmp_path / "x.list", [entry])

    found = rights_in(tmp_path / "x.warc.gz", tmp_path / "x.list")

    assert found == {("http://a.example/", "2020-06-15T12:00:00+00:00"): long}
