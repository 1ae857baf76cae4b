from datetime import date
from urllib.parse import urlsplit

import pytest

from izwi.cases.corpus import create_corpus
from izwi.cases.reports import Fates
from izwi.cli import render
from izwi.model.errors import QueryError, TakenDown
from izwi.reports import copies
from izwi.store.layout import Layout
from tests.pipeline.pages import ENGLISH, html
from tests.store.samples import capture, later, write_shard

NOTE = " Our own reporter adds that nobody in the hall had seen it before."


def dated(url, when, text, seconds):
    head = f'<meta property="article:published_time" content="{when}">'
    return later(capture(url, html("owls", text, head)), seconds)


@pytest.fixture
def corpus(tmp_path):
    made = create_corpus(tmp_path / "news", contact="x", name="news", languages=("en",))
    pages = [
        dated("http://late.example/2020/owls", "2020-03-05", ENGLISH + NOTE, 0),
        dated("http://early.example/2020/owls", "2020-03-01", ENGLISH, 1),
        later(capture("http://other.example/bats", html("bats")), 2),
    ]
    write_shard(Layout(tmp_path / "news"), "2026-11-15-0001", pages)
    made.build(workers=1)
    return made


def test_the_ledger_names_the_original_of_a_copy_by_its_address(corpus, capsys):
    ledger = corpus.drops(stage="dedup")
    render.show_ledger(ledger, asked=Fates(), lines=True)

    (line,) = ledger.lines
    assert line.original == "http://early.example/2020/owls"
    assert corpus.copies(line.detail).members[0].url == line.original
    assert f"(copy of {line.original})" in capsys.readouterr().out
    assert not any(each.original for each in corpus.drops(outcome="kept").lines)


def test_a_cluster_begins_with_the_earliest_and_shows_the_words_that_differ(corpus):
    found = corpus.copies("http://late.example/2020/owls")

    first, second = found.members
    assert (first.url, first.date) == ("http://early.example/2020/owls", date(2020, 3, 1))
    assert first.changes == ()
    assert [(change.original, change.copy) for change in second.changes] == [("", NOTE.strip())]
    assert corpus.copies(first.id) == found
    assert first.originals == ()
    (original,) = second.originals
    assert (original.document, original.date) == (first.id, date(2020, 3, 1))
    assert original.share > 0.5


def test_what_was_taken_down_is_not_among_the_copies(corpus):
    early, late = (f"http://{name}.example/2020/owls" for name in ("early", "late"))
    report = corpus.takedown(early, reason="asked")

    assert [trace.url for trace in report.traces] == [late]
    assert report.traces[0].quotes
    (left,) = corpus.copies(late).members

    assert (left.url, left.originals) == (late, ())
    with pytest.raises(TakenDown):
        corpus.copies(early)
    assert corpus.duplicates() == ()


def test_copies_of_a_document_that_was_taken_down_still_belong_together(corpus):
    third = dated("http://third.example/2020/owls", "2020-03-06", ENGLISH, 9)
    write_shard(Layout(corpus.path), "2026-11-15-0002", [third])
    corpus.build(workers=1)
    corpus.takedown("early.example", reason="asked")

    found = corpus.copies("http://late.example/2020/owls")

    hosts = [urlsplit(each.url).hostname for each in found.members]
    assert sorted(hosts) == ["late.example", "third.example"]


def test_paragraphs_are_read_once(corpus, monkeypatch):
    corpus.copies("http://other.example/bats")
    monkeypatch.setattr(copies, "read_columns", None)

    assert corpus.copies("http://other.example/bats").members


def test_a_document_without_copies_is_alone(corpus):
    assert len(corpus.copies("http://other.example/bats").members) == 1


def test_an_unknown_document_is_an_error(corpus):
    with pytest.raises(QueryError, match="nothing-here"):
        corpus.copies("nothing-here")


def test_who_copies_whom_is_counted_by_host_and_month(corpus):
    (row,) = corpus.duplicates()

    assert (row.original_host, row.host, row.documents) == ("early.example", "late.example", 1)
    assert row.month == "2020-03"
    assert row.words > 40


def test_a_link_that_is_no_address_does_not_end_a_takedown(tmp_path):
    made = create_corpus(tmp_path / "news", contact="x", name="news", languages=("en",))
    gone = "http://early.example/2020/bats"
    linking = f'{ENGLISH} <a href="http://[foo">one</a> and <a href="{gone}">other</a>'
    pages = [
        dated("http://late.example/2020/owls", "2020-03-05", linking, 0),
        later(capture(gone, html("bats")), 1),
    ]
    write_shard(Layout(tmp_path / "news"), "2026-11-15-0001", pages)
    made.build(workers=1)

    (trace,) = made.takedown(gone, reason="asked").traces

    assert trace.links
