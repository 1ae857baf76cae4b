"""What status, drops, the home page and the end of a run read: counts, and no documents."""

import pytest

from izwi.cases.corpus import Corpus
from izwi.index.reader import Segment
from izwi.model.capture import Capture
from izwi.model.document import KEPT
from izwi.service import documents, ledger, ledger_counts
from izwi.service.run_counts import counted_by_run, counts_by_run
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.layers import read_columns
from izwi.store.layout import Layout
from izwi.store.sums import read_sums, summed_files
from tests.service import tiny

LOOKS = {
    "status": lambda corpus: corpus.status(),
    "drops": lambda corpus: corpus.drops(most=0),
    "home": lambda corpus: corpus.summary(),
    "parts": lambda corpus: corpus.parts,
    "versions": lambda corpus: corpus.versions(),
    "growth": lambda corpus: corpus.growth(),
    "nothing to do": lambda corpus: corpus.build(workers=1).snapshot,
}


def no(what):
    return lambda *_, **__: pytest.fail(f"it reads {what}")


@pytest.fixture
def unread(monkeypatch):
    """Nothing that has a row for each document can be read."""
    monkeypatch.setattr(Segment, "cards", property(no("the cards of documents")))
    monkeypatch.setattr(Segment, "dates", property(no("the dates of documents")))
    monkeypatch.setattr(Segment, "is_gone", property(no("which documents are gone")))
    monkeypatch.setattr(Segment, "document_lengths", property(no("lengths of documents")))
    for module in (ledger, ledger_counts):
        monkeypatch.setattr(module, "read_columns", no("a layer"))
    monkeypatch.setattr(ledger, "read_entries", no("a list of captures"))
    monkeypatch.setattr(ledger_counts._Known, "_rows", property(no("the counts of single shards")))


@pytest.mark.parametrize("look", LOOKS.values(), ids=LOOKS)
def test_no_document_is_read_to_tell_how_many_there_are(own_folder, look, request):
    with Corpus(own_folder) as corpus:
        told = look(corpus)
    request.getfixturevalue("unread")

    with Corpus(own_folder) as corpus:
        assert look(corpus) == told


def test_the_counts_of_a_home_page_leave_out_what_was_taken_down(own_folder):
    with Corpus(own_folder) as corpus:
        before = corpus.summary()
        corpus.takedown(f"{tiny.HOST}/2020/03/02/oranges", reason="asked")
        after = corpus.summary()

    for each in (before, after):
        assert sum(one.documents for one in each.publications) == each.documents
        assert sum(one.tokens for one in each.publications) == each.tokens
        assert sum(one.documents for one in each.sources) == each.documents
    assert after.documents == before.documents - 1


def test_a_page_of_drops_asks_no_shard_after_its_last_line(own_folder, monkeypatch):
    with Corpus(own_folder) as corpus:
        found = corpus.drops(most=1000)
        asked = []
        kept = ledger_counts._matching

        def watched(counts, wanted):
            asked.append(counts.total())
            return kept(counts, wanted)

        monkeypatch.setattr(ledger_counts, "_matching", watched)
        first = corpus.drops(most=2)

    assert first.lines == found.lines[:2]
    assert first.counts == found.counts
    # All together, and the one shard that has both; neither what grows nor the queue.
    assert len(asked) == 2


def test_a_shard_that_was_touched_is_counted_again_and_once(own_folder, monkeypatch):
    with Corpus(own_folder) as corpus:
        corpus.build(workers=1)
        before = corpus.drops(most=0).counts
        for path in (own_folder / "layers").glob("select-*/*.parquet"):
            path.touch()
        counted = []
        again = ledger_counts._counted
        monkeypatch.setattr(
            ledger_counts, "_counted", lambda *given: counted.append(given[2]) or again(*given)
        )

        assert corpus.drops(most=0).counts == before

    assert len(counted) == 1


def test_every_file_has_its_sum_and_what_passes_has_none(own_folder):
    layout = Layout(own_folder)
    for name in ("layers/.hidden/x", "layers/x.part", "index/new/y", "warc/z.warc.gz.open"):
        (own_folder / name).parent.mkdir(exist_ok=True)
        (own_folder / name).write_text("x")
    (own_folder / "layers" / "link").symlink_to(own_folder / "index" / "new" / "y")
    (own_folder / "layers" / "nowhere").symlink_to(own_folder / "nothing")

    found = set(summed_files(layout))

    below = {
        path.relative_to(own_folder).as_posix()
        for folder in ("layers", "index", "warc")
        for path in (own_folder / folder).rglob("*")
        if path.is_file()
    }
    assert below - found == {"layers/.hidden/x", "layers/x.part", "warc/z.warc.gz.open"}
    assert found - below <= {"curation.sqlite", "decisions.jsonl", "versions.jsonl"}
    assert "layers/link" in found


def test_sums_of_one_folder_are_read_alone(own_folder):
    every = read_sums(Layout(own_folder))

    (folder,) = {name.rpartition("/")[0] for name in every if name.startswith("layers/dup-")}

    below = read_sums(Layout(own_folder), f"{folder}/")
    assert below == {name: each for name, each in every.items() if name.startswith(f"{folder}/")}
    assert below


def test_a_build_leaves_nothing_half_made(built_folder):
    # What was asked about owners, a twelfth of all layers, lay there until the next build.
    assert not list(built_folder.rglob("*.part"))


def test_a_document_is_found_by_the_index_and_not_shard_by_shard(tmp_path, monkeypatch):
    corpus = tiny.make(tmp_path / "tiny")
    layout = Layout(tmp_path / "tiny")
    with Catalog.write(layout.catalog) as catalog:
        store = CaptureStore(layout, catalog, shard_bytes=1 << 30, software="izwi/tests")
        for lead, status, kind, body in tiny.PAGES[1:4]:
            catalog.add_leads([lead])
            queued = catalog.find_lead(lead.url)
            headers = (("Content-Type", kind),)
            store.append(queued, Capture(lead, tiny.WHEN, status, "OK", headers, body))
            catalog.settle(queued, "fetched", KEPT)
            store.commit()
            store.seal()
        store.close()
    corpus.build(workers=1)
    assert len(layout.sealed_shards()) == 3
    read = []
    monkeypatch.setattr(
        documents,
        "read_columns",
        lambda path, names: read.append(path) or read_columns(path, names),
    )

    for card in corpus.documents().documents:
        assert corpus.document(card.id).id == card.id

    assert len(read) == len(corpus.documents().documents)


def test_what_a_run_brought_is_counted_as_its_lines_are(own_folder):
    with Corpus(own_folder) as corpus:
        corpus.build(workers=1)
        layout = Layout(own_folder)
        # Runs that began before, with and after what was captured at noon.
        for name in ("2020-06-15T11-59-59", "2020-06-15T12-00-00", "2020-06-15T12-00-01"):
            (layout.runs / name).mkdir()
        names = sorted(path.name for path in layout.runs.iterdir())
        for is_down in (False, True):
            if is_down:
                corpus.takedown(f"{tiny.HOST}/2020/03/02/oranges", reason="asked")
            with Catalog.read(layout.catalog) as catalog:
                found = counts_by_run(layout, corpus.config, catalog, names)
                lines = list(ledger.ledger_lines(layout, corpus.config, catalog))

            assert found == counted_by_run(lines, names)
            assert {key[5] for key in found} >= {"2020-06-15T12-00-00"}
            for name in names:
                counts = corpus.drops(run=name, most=0)
                read = corpus.drops(run=name, most=1000)
                assert (counts.counts, counts.total) == (read.counts, read.total)


def test_no_line_is_made_to_tell_how_sources_do(own_folder, monkeypatch):
    monkeypatch.setattr(ledger, "_judged", no("line after line"))

    with Corpus(own_folder) as corpus:
        assert sum(each.pages for each in corpus.source_health()) > 0
