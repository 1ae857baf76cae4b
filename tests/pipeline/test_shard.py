import gzip

import pytest

from izwi.annotate.base import AnnotateConfig
from izwi.dedup.signatures import SignConfig
from izwi.model.document import KEPT
from izwi.model.errors import DiskFull
from izwi.pipeline import shard as shard_module
from izwi.pipeline.shard import Task, run_shard
from izwi.store.layers import read_documents, write_layer
from izwi.store.layout import Layout
from izwi.text.extract.base import ExtractConfig
from izwi.text.language import LanguageConfig
from izwi.text.verdicts import SiftConfig
from tests.pipeline.pages import AFRIKAANS, html, page
from tests.store.samples import HINTS, HTML, capture, write_shard

SHARD = "2026-11-15-0001"
GZIP = (*HTML, ("Content-Encoding", "gzip"))


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "news")


def extract_task(layout, **config):
    inputs = {"warc": layout.warc(SHARD), "captures": layout.captures(SHARD)}
    return Task("extract", "text", SHARD, ExtractConfig(**config), inputs, layout.root / "text")


def extracted(layout, captures, **config):
    """Write captures, extract them, and return the report and the documents by last part."""
    write_shard(layout, SHARD, captures)
    report = run_shard(extract_task(layout, **config))
    documents = read_documents({"text": layout.root / "text"})
    return report, {document.url.rpartition("/")[2]: document for document in documents}


def text_of(layout, *captures):
    """Return the path of a text layer made of some pages."""
    extracted(layout, captures)
    return layout.root / "text"


def test_pages_become_documents_in_file_order(layout):
    report, found = extracted(layout, [page("b", "baboons"), page("a", "locusts")])

    assert list(found) == ["b", "a"]
    assert "baboons" in found["b"].text
    assert found["b"].verdict == KEPT
    assert (report.rows, report.kept, report.error) == (2, 2, "")


def test_hints_of_the_feed_reach_the_document(layout):
    _, found = extracted(layout, [capture(body=html("baboons"), hints=HINTS)])

    metadata = found["a"].metadata
    assert (metadata.title, metadata.author) == (HINTS.title, HINTS.author)
    assert str(metadata.date.value) == HINTS.date


def test_damaged_capture_fails_alone(layout):
    captures = [page(name, what) for name, what in (("a", "owls"), ("b", "bats"), ("c", "rats"))]
    entries = write_shard(layout, SHARD, captures)
    raw = bytearray(layout.warc(SHARD).read_bytes())
    middle = entries[1].offset + entries[1].length // 2
    raw[middle : middle + 8] = b"\0" * 8
    layout.warc(SHARD).write_bytes(raw)

    report = run_shard(extract_task(layout))

    a, b, c = read_documents({"text": layout.root / "text"})
    assert (b.verdict.outcome, b.verdict.stage) == ("failed", "extract")
    assert b.verdict.reason == "damaged-capture"
    assert str(layout.warc(SHARD)) in b.verdict.detail
    assert (a.verdict, c.verdict) == (KEPT, KEPT)
    assert (report.rows, report.kept, report.failed, report.error) == (3, 2, 1, "")


def test_bomb_is_dropped_with_the_threshold(layout):
    bomb = capture("http://one.example/bomb", gzip.compress(b" " * 1_000_000), headers=GZIP)

    report, found = extracted(layout, [bomb, page("a", "owls")], max_size="100 kB")

    verdict = found["bomb"].verdict
    assert (verdict.outcome, verdict.reason) == ("dropped", "unpacks-too-large")
    assert verdict.threshold == 100_000
    assert found["a"].verdict == KEPT
    assert (report.kept, report.dropped) == (1, 1)


def test_page_that_does_not_unpack_fails_with_the_reason(layout):
    _, found = extracted(layout, [capture(body=b"plain after all", headers=GZIP)])

    verdict = found["a"].verdict
    assert (verdict.outcome, verdict.reason) == ("failed", "broken-encoding")
    assert "compressed body is broken" in verdict.detail


def test_packed_page_is_unpacked(layout):
    _, found = extracted(layout, [capture(body=gzip.compress(html("owls")), headers=GZIP)])

    assert "owls" in found["a"].text


def test_feed_is_not_a_document(layout):
    feed = capture(body=b"<rss/>", headers=(("Content-Type", "application/rss+xml"),), kind="feed")

    _, found = extracted(layout, [feed])

    assert (found["a"].verdict.outcome, found["a"].verdict.reason) == ("dropped", "is-a-feed")


@pytest.mark.parametrize(
    ("headers", "reason"),
    [
        ((("Content-Type", "image/png"),), "media-type"),
        ((("Content-Type", "text/plain"),), "no-main-text"),
        (HTML, "empty"),
        ((), "empty"),
    ],
    ids=["picture", "plain text", "nothing in it", "no type"],
)
def test_page_without_html_is_dropped_with_the_reason(layout, headers, reason):
    _, found = extracted(layout, [capture(body=b" ", headers=headers)])

    assert found["a"].verdict.reason == reason


def test_page_with_half_a_character_in_its_title_does_not_fail_the_shard(layout):
    # json.loads gives an unpaired surrogate, which no file can hold.
    head = (
        '<script type="application/ld+json">'
        '{"@type": "NewsArticle", "headline": "Owls \\ud83d and bats"}</script>'
    )
    odd = capture("http://one.example/odd", html("owls", head=head))

    report, found = extracted(layout, [odd, page("a", "bats")])

    assert report.error == ""
    assert found["a"].verdict == KEPT
    assert "Owls" in found["odd"].metadata.title


def test_raw_file_that_cannot_be_opened_fails_the_shard_and_no_document(layout):
    write_shard(layout, SHARD, [page("a", "owls")])
    layout.warc(SHARD).unlink()

    report = run_shard(extract_task(layout))

    assert report.damaged == str(layout.warc(SHARD))
    assert "cannot be read" in report.error
    assert not (layout.root / "text").exists()


def test_damaged_list_of_captures_is_named_in_the_report(layout):
    write_shard(layout, SHARD, [page("a", "owls")])
    layout.captures(SHARD).write_text("{")

    report = run_shard(extract_task(layout))

    assert report.damaged == str(layout.captures(SHARD))
    assert not (layout.root / "text").exists()


def test_language_is_told(layout):
    text = text_of(layout, page("a", "owls"), page("b", "uile", AFRIKAANS))
    output = layout.root / "lang"

    report = run_shard(Task("language", "lang", SHARD, LanguageConfig(), {"text": text}, output))

    found = [each.language.code for each in read_documents({"text": text, "lang": output})]
    assert report.error == ""
    assert found == ["eng", "afr"]


def test_damaged_input_layer_is_named_in_the_report(layout):
    text = text_of(layout, page("a", "owls"))
    text.write_bytes(text.read_bytes()[:-20])
    output = layout.root / "lang"

    report = run_shard(Task("language", "lang", SHARD, LanguageConfig(), {"text": text}, output))

    assert report.damaged == str(text)
    assert "damaged or missing" in report.error
    assert not output.exists()


def test_second_of_two_input_layers_can_be_the_damaged_one(layout):
    text = text_of(layout, page("a", "owls"), page("b", "bats"))
    select, output = layout.root / "select", layout.root / "tokens"
    write_layer(select, "select", list(read_documents({"text": text}))[:1])

    report = run_shard(
        Task(
            "annotate", "tokens", SHARD, AnnotateConfig(), {"text": text, "select": select}, output
        )
    )

    assert report.damaged == str(select)
    assert "has too few rows" in report.error


def test_report_counts_tokens(layout):
    text = text_of(layout, page("a", "owls"))
    select, output = layout.root / "select", layout.root / "tokens"
    write_layer(select, "select", read_documents({"text": text}))

    report = run_shard(
        Task(
            "annotate", "tokens", SHARD, AnnotateConfig(), {"text": text, "select": select}, output
        )
    )

    (document,) = read_documents({"text": text, "tokens": output})
    assert report.tokens == len(document.annotation.words) > 40


def test_sift_writes_its_verdicts(layout):
    text = text_of(layout, page("a", "owls"))
    paths = {"text": text, "lang": layout.root / "lang"}
    write_layer(paths["lang"], "lang", read_documents({"text": text}))
    output = layout.root / "sift"

    report = run_shard(
        Task("sift", "sift", SHARD, SiftConfig(minimum_words=1000, notes=False), paths, output)
    )

    (document,) = read_documents({"text": text, "sift": output})
    assert (document.verdict.reason, document.verdict.threshold) == ("too-short", 1000)
    assert (report.kept, report.dropped) == (0, 1)


def test_stage_that_breaks_down_fails_its_shard_with_the_place(layout, monkeypatch):
    text = text_of(layout, page("a", "owls"))

    class Broken:
        def __init__(self, config): ...

        def __call__(self, documents):
            raise ZeroDivisionError("of the stage")

    monkeypatch.setattr(shard_module, "Sign", Broken)
    output = layout.root / "sign"

    report = run_shard(Task("sign", "sign", SHARD, SignConfig(), {"text": text}, output))

    assert "ZeroDivisionError: of the stage (test_shard.py, line" in report.error
    assert report.damaged == ""
    assert not output.exists()


def test_stage_that_loses_a_document_fails_its_shard(layout, monkeypatch):
    text = text_of(layout, page("a", "owls"), page("b", "bats"))

    class Losing:
        def __init__(self, config): ...

        def __call__(self, documents):
            return (document for document in documents if "owls" in document.text)

    monkeypatch.setattr(shard_module, "Sign", Losing)
    output = layout.root / "sign"

    report = run_shard(Task("sign", "sign", SHARD, SignConfig(), {"text": text}, output))

    assert "stage sign made 1 documents of 2" in report.error
    assert not output.exists()


def test_full_disk_stops_everything(layout, monkeypatch):
    write_shard(layout, SHARD, [page("a", "owls")])

    def fail(path, layer, documents):
        raise OSError(28, "No space left on device", str(path))

    monkeypatch.setattr(shard_module, "write_layer", fail)

    with pytest.raises(DiskFull, match="The disk is full"):
        run_shard(extract_task(layout))


def test_other_trouble_with_a_file_fails_the_shard_alone(layout, monkeypatch):
    write_shard(layout, SHARD, [page("a", "owls")])

    def fail(path, layer, documents):
        raise OSError(5, "Input/output error", str(path))

    monkeypatch.setattr(shard_module, "write_layer", fail)

    report = run_shard(extract_task(layout))

    assert "Input/output error" in report.error
