"""Compaction of small real corpora: nothing changes but the files."""

import shutil
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from izwi.cases.corpus import Corpus, create_corpus
from izwi.curation import takedown
from izwi.demoweb import DemoWeb
from izwi.model.errors import BuildError
from izwi.model.results import Progress, ShardReport
from izwi.service import building
from izwi.store import rewriting
from izwi.store.layers import read_columns
from tests.e2e.conftest import contents
from tests.e2e.test_kills import _is_clean
from tests.gather.test_manners import let_a_day_pass

# Each page has a text of its own: near copies would be folded.
TEXTS = {
    "bakkie": "The bakkie came down the pass on Tuesday night with one headlight and took the low "
    "bridge at a crawl, because the river had been over the planks since noon. "
    "In the back sat two goats and a man with a harmonica, who said afterwards that "
    "he had not been afraid, only wet.",
    "braai": "Nobody lights a braai in a gale, said the captain, but the club had paid for the "
    "meat and so forty people ate half-raw chops behind the scoreboard. "
    "The rain came at nine, as it had been told to, and put out what the wind had "
    "left of the coals.",
    "dorp": "Our dorp has a bank that opens once a week, two churches that do not greet each other "
    "and a library whose only new book this year is about bees. "
    "On market days the square smells of oranges until noon, and after that of diesel "
    "and of people who would rather be elsewhere.",
    "koppie": "From the koppie you can see three districts and, when the dust lies still, the mine "
    "that closed before my grandmother learned to read. "
    "Surveyors leave small white stones there; the boys of the hostel carry them down "
    "again and paint numbers on them for draughts.",
    "robot": "At the third robot turn left, they told us, but the lamps were stolen last winter "
    "and now a retired teacher waves the traffic through with a school bell. "
    "She has not lost a single car so far, which is more than the council can say of "
    "its engineers and their machines.",
    "veld": "After the fire the veld stood black for eleven days; then it rained a little and the "
    "first green came up along the old fence like a line drawn with a crayon. "
    "The sheep were brought back in March, thin and suspicious, and stood a whole "
    "morning at the gate before one of them dared to walk in.",
}
WORDS = tuple(TEXTS)


def page(word):
    return f"<html lang='en'><title>{word}</title><body><p>{TEXTS[word]}</p></body></html>"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Return a corpus of four shards: new pages, and in the later ones copies of earlier pages."""
    root = tmp_path_factory.mktemp("compacting")
    corpus = create_corpus(
        root / "corpus", contact="https://izwi.example/tests", name="tried", languages=("en",)
    )
    for number, word in enumerate(WORDS[:4]):
        folder = root / f"pages-{number}"
        folder.mkdir()
        (folder / "own.html").write_text(page(word), encoding="utf-8")
        (folder / "copy.html").write_text(page(WORDS[0]), encoding="utf-8")
        corpus.import_files(folder, address=f"http://host{number}.example/")
    corpus.build(workers=1)
    return corpus.path


@pytest.fixture
def folder(built, tmp_path):
    shutil.copytree(built, tmp_path / "corpus")
    return tmp_path / "corpus"


def shards(folder):
    return sorted(path.name for path in (folder / "warc").glob("*.warc.gz"))


def counted(folder):
    """Return the addresses of the documents that count: in the index, and not as a copy."""
    found = contents(folder)
    return set(found["index"]) - {copy for _, copy in found["copies"]}


def records(folder):
    """Return the kinds and addresses of all records, in order."""
    found = []
    for name in shards(folder):
        with (folder / "warc" / name).open("rb") as file:
            found += [
                (record.rec_type, record.rec_headers.get_header("WARC-Target-URI"))
                for record in ArchiveIterator(file)
            ]
    return found


def test_small_shards_become_one_and_only_owners_are_found_again(folder):
    before, kept = contents(folder), records(folder)
    assert (len(counted(folder)), len(before["copies"])) == (4, 4)
    first, *_ = shards(folder)

    report = Corpus(folder).compact(workers=1)

    assert shards(folder) == [first]
    assert contents(folder) == before
    assert records(folder) == kept
    stages = [stage.stage for stage in Corpus(folder).status().stages]
    # No page is read again: the stages from ownership to annotation look at the joined shard.
    assert report.shards_built == len(stages) - 1 - stages.index("own")
    assert Corpus(folder).status().is_current
    assert _is_clean(folder)


def test_a_joined_corpus_grows_and_judges_copies_as_before(folder, tmp_path):
    Corpus(folder).compact(workers=1)
    pages = tmp_path / "more"
    pages.mkdir()
    (pages / "copy.html").write_text(page(WORDS[2]), encoding="utf-8")
    (pages / "own.html").write_text(page(WORDS[4]), encoding="utf-8")
    Corpus(folder).import_files(pages, address="http://later.example/")

    report = Corpus(folder).build(workers=1)

    lines = {line.url: line for line in Corpus(folder).drops(most=100).lines}
    assert len(shards(folder)) == 2
    assert report.shards_built == len(Corpus(folder).status().stages) - 1
    assert lines["http://later.example/copy.html"].stage == "dedup"
    assert lines["http://later.example/own.html"].outcome == "kept"


def test_a_corpus_without_small_shards_is_left_as_it_is(folder):
    Corpus(folder).compact(workers=1)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}

    report = Corpus(folder).compact(workers=1)

    assert report.warnings == ()
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")} == before


STEPS = ("_copy_whole", "_join_layer", "write_text", "_put_in_place", "_finish_layer")


@pytest.mark.parametrize("last", [0, 3, 5, 9, 10, 11, 12, 14, 17, 19])
def test_a_compaction_that_is_cut_short_is_finished_by_the_next_run(folder, monkeypatch, last):
    before = contents(folder)
    cut_short(monkeypatch, last)
    with pytest.raises(SystemExit):
        Corpus(folder).compact(workers=1)
    monkeypatch.undo()

    Corpus(folder).build(workers=1)
    between = contents(folder)
    Corpus(folder).compact(workers=1)

    assert between == before
    assert contents(folder) == before
    assert len(shards(folder)) == 1
    assert _is_clean(folder)


def cut_short(monkeypatch, last):
    """Have the process end at the step after so many."""
    done = iter(range(1000))

    def cutting(step):
        def run(*arguments, **options):
            if next(done) == last:
                raise SystemExit
            return step(*arguments, **options)

        return run

    for name in STEPS:
        monkeypatch.setattr(rewriting, name, cutting(getattr(rewriting, name)))


def test_revisits_stay_when_a_page_is_taken_out_of_their_file(tmp_path: Path):
    corpus = create_corpus(
        tmp_path / "c", contact="https://izwi.example/tests", name="tried", delay=0.0
    )
    corpus.add_source("http://karoocourant.example/feed.xml", type="feed", name="it", every="0s")
    with DemoWeb() as web:
        corpus.gather(proxy=web.proxy_url, pages=3)
        let_a_day_pass(corpus)
        corpus.gather(proxy=web.proxy_url, pages=4)
    pages = [url for kind, url in records(corpus.path) if kind == "response"]
    revisits = [url for kind, url in records(corpus.path) if kind == "revisit"]

    corpus.takedown(pages[-1], reason="asked")
    corpus.compact(workers=1)

    left = records(corpus.path)
    assert revisits == [pages[0]]
    assert [url for kind, url in left if kind == "revisit"] == revisits
    assert [url for kind, url in left if kind == "response"] == pages[:-1]
    assert not [url for _, url in left if url == pages[-1]]


def test_what_was_taken_down_goes_and_the_rest_is_joined_at_once(folder):
    Corpus(folder).takedown("host1.example", reason="asked")

    Corpus(folder).compact(workers=1)

    left = {url for _, url in records(folder) if url}
    assert len(shards(folder)) == 1
    assert {url.split("/")[2] for url in left} == {f"host{n}.example" for n in (0, 2, 3)}
    assert Corpus(folder).status().is_current
    index = counted(folder)
    assert index == {f"http://host{n}.example/own.html" for n in (0, 2, 3)}


def test_a_take_down_that_could_not_be_done_says_so(folder, monkeypatch):
    monkeypatch.setattr(building, "build", lambda *given, **named: None)

    with pytest.raises(BuildError, match="still served"):
        Corpus(folder).takedown("http://host1.example/own.html", reason="asked")

    assert Corpus(folder).takedowns() == ()


def test_no_stage_looks_at_a_shard_again_from_which_a_page_was_taken_out(folder, monkeypatch):
    # Owners are found anew, and what follows is made, when small files are joined.
    monkeypatch.setattr(takedown, "join_small", lambda *given: 0)
    taken = "http://host1.example/own.html"
    Corpus(folder).takedown(taken, reason="asked")
    index = contents(folder)["index"]
    done = []

    Corpus(folder).compact(workers=1, listener=done.append)

    assert [each for each in done if isinstance(each, ShardReport)] == []
    assert {each.step for each in done if isinstance(each, Progress)} == {"merge"}
    assert taken not in {url for _, url in records(folder)}
    assert contents(folder)["index"] == index
    assert not any("scoreboard" in each for each in texts(folder))


@pytest.mark.parametrize("place", ["build", "forget_older"])
def test_what_was_taken_down_leaves_the_index_after_a_compaction_was_cut_off(
    folder, monkeypatch, place
):
    def cut(*given, **named):
        raise KeyboardInterrupt

    Corpus(folder).takedown("http://host1.example/own.html", reason="asked")
    with monkeypatch.context() as patch:
        patch.setattr(building if place == "build" else takedown, place, cut)
        with pytest.raises(KeyboardInterrupt):
            Corpus(folder).compact(workers=1)
    # Small files are joined another time: that makes the index anew, whatever was in it.
    monkeypatch.setattr(takedown, "join_small", lambda *given: 0)

    Corpus(folder).compact(workers=1)

    assert Corpus(folder).status().is_current
    assert not any("scoreboard" in each for each in texts(folder))


def texts(folder):
    """Return what the text layers and the lexicons of the index hold."""
    for path in (folder / "layers").glob("text-*/*.parquet"):
        yield str(read_columns(path, ["paragraphs"]).to_pylist())
    for path in (folder / "index").rglob("word.*"):
        yield path.read_bytes().decode("utf-8", "replace")


def test_the_text_of_an_owner_that_was_taken_down_goes_to_the_next(folder):
    text = "http://host0.example/own.html"
    assert text in counted(folder)

    Corpus(folder).takedown("host0.example", reason="asked")

    index = counted(folder)
    heirs = {url for url in index if url.endswith("copy.html")}
    assert text not in index
    assert len(heirs) == 1
    assert len(Corpus(folder).concordance("harmonica").lines) == 1


def test_what_was_taken_down_is_in_no_export(folder, tmp_path):
    Corpus(folder).takedown("host1.example", reason="asked")

    Corpus(folder).export("jsonl", tmp_path / "out")

    written = "".join(path.read_text("utf-8") for path in (tmp_path / "out").glob("*.jsonl"))
    assert "host0.example" in written
    assert "host1.example" not in written
