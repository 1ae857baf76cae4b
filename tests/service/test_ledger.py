from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.cases.corpus import Corpus
from izwi.model.errors import QueryError
from izwi.model.results import LedgerLine, ReasonCount
from izwi.service import ledger_counts
from izwi.service.ledger import Wanted, count_lines, funnel, ledger, ledger_lines
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedown, Takedowns
from tests.service import tiny

LINE = LedgerLine(
    "https://courant.example/a", "dropped", "language", "other-language", source="courant"
)

KEPT = st.just(("kept", "", ""))
REASONS = st.sampled_from(
    [
        ("waiting", "fetch", ""),
        ("dropped", "fetch", "robots"),
        ("failed", "fetch", "unreachable"),
        ("redirected", "fetch", ""),
        ("dropped", "extract", "is-a-feed"),
        ("dropped", "extract", "http-status"),
        ("failed", "extract", "extractor-error"),
        ("waiting", "build", "not-built"),
        ("dropped", "select", "too-short"),
        ("dropped", "language", "other-language"),
        ("dropped", "language", "uncertain"),
        ("dropped", "dedup", "exact-copy"),
    ]
)
LINES = st.lists(
    st.builds(
        lambda place, reason: LedgerLine(f"https://a.example/{place}", *reason),
        st.integers(0, 99),
        KEPT | REASONS,
    ),
    max_size=30,
)


@pytest.mark.parametrize(
    ("wanted", "is_match"),
    [
        pytest.param(Wanted(), True, id="all"),
        pytest.param(Wanted(outcome="dropped"), True, id="outcome"),
        pytest.param(Wanted(outcome="kept"), False, id="other-outcome"),
        pytest.param(Wanted(stage="language"), True, id="stage"),
        pytest.param(Wanted(stage="lang"), False, id="part-of-a-stage"),
        pytest.param(Wanted(reason="other-language"), True, id="reason"),
        pytest.param(Wanted(reason="uncertain"), False, id="other-reason"),
        pytest.param(Wanted(source="courant"), True, id="source"),
        pytest.param(Wanted(source="herald"), False, id="other-source"),
        pytest.param(Wanted(kind="page"), True, id="kind"),
        pytest.param(Wanted(kind="pattern"), False, id="other-kind"),
        pytest.param(Wanted(url="example/a"), True, id="part-of-a-url"),
        pytest.param(Wanted(url="example/b"), False, id="other-url"),
        pytest.param(Wanted("dropped", "language", "other-language", "courant", "page", "/a"), True,
                     id="everything"),
        pytest.param(Wanted("dropped", "language", "other-language", "courant", "page", "/b"),
                     False, id="all-but-one"),
    ],
)  # fmt: skip
def test_a_line_is_wanted_if_every_field_asked_for_fits(wanted, is_match):
    assert wanted.matches(LINE) is is_match


@given(LINES, st.sampled_from(["", "kept", "dropped", "waiting"]))
def test_counts_are_of_all_lines_that_match(lines, outcome):
    matching = [line for line in lines if outcome in ("", line.outcome)]

    found = ledger(lines, Wanted(outcome=outcome), first=0, most=3)

    counts = Counter((line.outcome, line.stage, line.reason) for line in matching)
    assert {(c.outcome, c.stage, c.reason): c.count for c in found.counts} == dict(counts)
    assert [c.count for c in found.counts] == sorted(counts.values(), reverse=True)
    assert found.total == len(matching)
    assert found.lines == tuple(matching[:3])


@given(LINES, st.integers(1, 5))
def test_pages_of_the_ledger_hold_every_line_once(lines, most):
    pages = [
        ledger(lines, Wanted(), first=first, most=most).lines
        for first in range(0, len(lines) + 1, most)
    ]

    assert [line for page in pages for line in page] == lines


def test_an_empty_ledger_has_no_counts():
    found = ledger([], Wanted(), first=0, most=10)

    assert (found.counts, found.lines, found.total) == ((), (), 0)


@given(LINES, st.integers(0, 1000))
def test_what_was_found_less_the_losses_is_indexed(lines, tokens):
    steps = funnel(count_lines(lines), tokens)

    found, *later = steps
    losses = sum(loss.count for step in steps for loss in step.losses)
    assert [step.name for step in steps] == ["found", "fetched", "text", "language", "indexed"]
    assert steps[-1].documents == found.documents - losses
    assert steps[-1].documents == sum(line.outcome == "kept" for line in lines)
    assert steps[-1].tokens == tokens
    before = found.documents
    for step in later:
        assert step.documents == before - sum(loss.count for loss in step.losses)
        before = step.documents


@given(LINES)
def test_feeds_and_redirects_are_not_counted_as_pages(lines):
    lines = [replace(line, kind="feed") if line.reason == "is-a-feed" else line for line in lines]
    pages = [line for line in lines if line.kind == "page" and line.outcome != "redirected"]

    assert funnel(count_lines(lines), 0) == funnel(count_lines(pages), 0)
    assert funnel(count_lines(lines), 0)[0].documents == len(pages)


def test_every_url_of_a_corpus_is_in_its_ledger_once(built):
    found = built.drops(most=1000)

    urls = sorted(line.url for line in found.lines)
    leads = [*(page[0] for page in tiny.PAGES), tiny.WAITING, tiny.FORBIDDEN]
    assert urls == sorted(lead.url for lead in leads)


def test_the_ledger_says_why_each_page_went(built):
    reasons = {
        line.url.removeprefix(tiny.HOST): (line.outcome, line.stage, line.reason)
        for line in built.drops(most=1000).lines
    }

    assert reasons == {
        "/feed.xml": ("dropped", "extract", "is-a-feed"),
        "/2020/03/01/robots": ("kept", "", ""),
        "/2020/03/02/oranges": ("kept", "", ""),
        "/print/robots": ("dropped", "dedup", "exact-copy"),
        "/af/robots": ("dropped", "language", "other-language"),
        "/gone": ("dropped", "extract", "http-status"),
        "/short": ("dropped", "extract", "no-main-text"),
        "/waiting": ("waiting", "fetch", ""),
        "/forbidden": ("dropped", "fetch", "robots"),
    }


def test_a_ledger_line_has_the_measured_value_and_the_document(built):
    (line,) = built.drops(reason="http-status").lines
    (copy,) = built.drops(stage="dedup").lines
    (owner,) = built.drops(url="/03/01/robots").lines

    assert (line.value, line.threshold, line.source) == (404, 200, "pages")
    assert line.time == "2020-06-15T12:00:00+00:00"
    assert copy.detail == owner.document


def test_a_corpus_counts_by_source_and_pages_through_its_ledger(built):
    found = built.drops(source="pages", first=1, most=2)

    assert (found.total, len(found.lines)) == (7, 2)
    assert ReasonCount("kept", "", "", 1) in found.counts


def test_the_funnel_of_a_corpus_ends_with_what_is_indexed(built):
    summary = built.summary()

    steps = {step.name: step.documents for step in summary.funnel}
    assert steps == {"found": 8, "fetched": 6, "text": 4, "language": 3, "indexed": 2}
    assert summary.documents == 2
    assert summary.funnel[-1].tokens == summary.tokens > 0


@pytest.mark.parametrize("is_sealed", [True, False], ids=["sealed", "open"])
def test_captures_that_are_not_built_yet_wait(tmp_path, is_sealed):
    tiny.make(tmp_path)
    tiny.gather(tmp_path, is_sealed=is_sealed)

    found = Corpus(tmp_path).drops(stage="build", most=1000)

    assert found.counts == (ReasonCount("waiting", "build", "not-built", len(tiny.PAGES)),)


def test_a_changed_setting_shows_the_last_built_verdicts_until_the_next_build(own_folder):
    path = own_folder / "corpus.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('languages = ["en"]', "languages = []"), encoding="utf-8")

    before = Corpus(own_folder).drops(stage="language").total
    Corpus(own_folder).build(workers=1)
    after = Corpus(own_folder).drops(stage="language").total

    assert (before, after) == (1, 0)


def counted(folder):
    """Return the counts as they are kept, and as they are if every line is read."""
    with Corpus(folder) as corpus, Catalog.read(corpus._layout.catalog) as catalog:
        found = ledger_counts.parted_ledger(corpus._layout, corpus.config, catalog)
        lines = ledger_lines(corpus._layout, corpus.config, catalog)
        return found.counts, count_lines(lines)


def test_counts_are_those_of_the_lines_before_and_after_a_build_and_a_take_down(tmp_path):
    folder = tmp_path / "tiny"
    corpus = tiny.make(folder)
    tiny.gather(folder)
    waiting = counted(folder)
    corpus.build(workers=1)
    built = counted(folder)
    corpus.takedown(f"{tiny.HOST}/2020/03/01/robots", reason="asked")
    gone = counted(folder)

    for kept, read in (waiting, built, gone):
        assert kept == read
        assert kept.total() == len(tiny.PAGES) + 2
    assert len({str(kept) for kept, _ in (waiting, built, gone)}) == 3


def test_a_version_that_a_take_down_deleted_is_said_to_be(tmp_path):
    corpus = tiny.make(tmp_path / "tiny")
    tiny.gather(tmp_path / "tiny")
    corpus.build(workers=1)
    corpus.takedown(f"{tiny.HOST}/2020/03/01/robots", reason="asked")
    (done,) = corpus.takedowns()

    with pytest.raises(QueryError) as deleted:
        corpus.concordance("the", version=1)
    with pytest.raises(QueryError) as never:
        corpus.concordance("the", version=9)

    assert str(deleted.value) == (
        f"Version 1 of this corpus was deleted by the take-down of {done.asked[:10]}; "
        "the newest is 2."
    )
    assert str(never.value) == "There is no version 9 of this corpus; the newest is 2."


def test_counts_know_what_lies_in_files_that_grow(tmp_path):
    tiny.make(tmp_path / "tiny")
    tiny.gather(tmp_path / "tiny", is_sealed=False)

    kept, read = counted(tmp_path / "tiny")

    assert kept == read
    assert kept.total() == len(tiny.PAGES) + 2


def test_what_was_counted_is_not_read_again(own_folder, monkeypatch):
    with Corpus(own_folder) as corpus:
        corpus.build(workers=1)
        before = corpus.drops(most=0), corpus.summary().funnel
        monkeypatch.setattr(ledger_counts, "_counted", lambda *_: pytest.fail("it reads a shard"))

        assert (corpus.drops(most=0), corpus.summary().funnel) == before

        for path in (own_folder / "layers").glob("select-*/*.parquet"):
            path.touch()
        with pytest.raises(pytest.fail.Exception, match="it reads a shard"):
            corpus.drops(most=0)


@pytest.mark.parametrize(("shards", "is_kept"), [(("elsewhere",), True), ((), False)])
def test_what_was_taken_down_in_other_shards_changes_no_counts(own_folder, shards, is_kept):
    layout = Layout(own_folder)
    shard = layout.sealed_shards()[0]
    before = ledger_counts._state(layout, None, shard, Takedowns())

    gone = Takedowns((Takedown("http://a.example/", "", "", shards=shards),))

    assert (ledger_counts._state(layout, None, shard, gone) == before) is is_kept


@pytest.mark.parametrize("damage", ["", "[]", '{"x": 1}', '{"2026": {"state": 1}}'])
def test_counts_that_cannot_be_read_are_counted_again(own_folder, damage):
    (own_folder / "counts.tsv").write_text(damage)

    kept, read = counted(own_folder)

    assert kept == read != {}


@pytest.mark.parametrize("wanted", [{}, {"outcome": "dropped"}, {"source": "pages"}, {"url": "a"}])
def test_pages_of_the_ledger_are_its_lines_in_order(built_folder, wanted):
    with Corpus(built_folder) as corpus:
        whole = corpus.drops(most=1000, **wanted)
        pages = [corpus.drops(first=at, most=2, **wanted) for at in range(0, whole.total + 2, 2)]

    assert [line for page in pages for line in page.lines] == list(whole.lines)
    assert whole.total == len(whole.lines) > 0
    assert {(page.total, page.counts) for page in pages} == {(whole.total, whole.counts)}
