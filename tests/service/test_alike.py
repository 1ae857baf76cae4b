"""Whoever builds, and wherever files and queue lie: the same documents, counts and bytes."""

import hashlib

import pytest

import izwi
from izwi.cases.corpus import Corpus
from izwi.store.layout import Layout
from tests.pipeline.pages import page
from tests.store.samples import write_shard

pytest.importorskip("distributed", reason="needs izwi[dask]")
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
SETTINGS = '[corpus]\nname = "news"\nlanguages = ["en"]\n[gather]\ncontact = "x"\n'


def make(folder, *lines):
    """Make a corpus of three shards that share a page."""
    folder.mkdir()
    (folder / "corpus.toml").write_text("\n".join((SETTINGS, *lines)), encoding="utf-8")
    for shard in range(3):
        pages = [page(f"{shard}-{n}", f"cows{shard}{n}") for n in range(3)]
        pages += [page(f"{shard}-shared", "oxen"), page(f"{shard}-short", "x", "Only {what}.")]
        write_shard(Layout(folder), f"2026-11-15-{shard + 1:04d}", pages)
    return folder


def built(folder, **options):
    """Build a corpus and return all that should not depend on how that was done."""
    with Corpus(folder) as corpus:
        report = corpus.build(**options)
        assert report.failures == ()
        drops = corpus.drops(most=100)
        found = {
            "bytes": sums(folder),
            "funnel": report.funnel,
            "lines": sorted(map(str, corpus.concordance("cows01").lines)),
            "reasons": sorted(map(str, drops.counts)),
            "pages": sorted(line.url for line in drops.lines),
            "version": [(each.documents, each.tokens) for each in corpus.versions()],
        }
        # The page that owns what is shared: another has it then.
        corpus.takedown("http://one.example/0-shared", reason="asked")
        lines = sorted(map(str, corpus.concordance("oxen").lines))
        return found | {"bytes after": sums(folder), "lines after": lines}


def sums(folder):
    """Return the sums of layers by name, and of what segments are made of, which have no names."""
    layout = Layout(folder)
    layers = {
        path.relative_to(folder).as_posix(): digest(path)
        for path in layout.layers.glob("*/*.parquet")
    }
    files = [path for path in layout.segments.glob("*/*") if path.suffix != ".json"]
    return layers, sorted((path.name, digest(path)) for path in files)


def digest(path):
    return hashlib.blake2b(path.read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def wanted(tmp_path_factory):
    """Return what one process makes in a folder, the queue in a file."""
    return built(make(tmp_path_factory.mktemp("alike") / "news"), workers=1)


def test_one_process_finds_what_is_there(wanted):
    assert wanted["version"] == [(10, wanted["version"][0][1])]
    assert len(wanted["lines"]) > 0
    assert any("short" in each for each in wanted["pages"])
    assert wanted["bytes after"][0] != wanted["bytes"][0]
    assert all("0-shared" not in each for each in wanted["lines after"])
    assert any("1-shared" in each for each in wanted["lines after"])


@pytest.mark.parametrize(
    ("lines", "options"),
    [
        ((), {"workers": 2}),
        ((), {"workers": 2, "runner": "dask"}),
        (("[build]", 'memory = "4 KiB"'), {"workers": 2}),
    ],
    ids=["processes", "dask", "in-many-parts"],
)
def test_many_processes_make_what_one_does(tmp_path, wanted, lines, options):
    assert built(make(tmp_path / "news", *lines), **options) == wanted


def test_a_queue_in_postgresql_changes_nothing(tmp_path, wanted, postgresql):
    place = f'catalog = "{postgresql.new_place()}"'

    assert built(make(tmp_path / "news", "[store]", place), workers=1) == wanted


def test_workers_that_see_only_the_object_store_change_nothing(tmp_path, wanted, object_store):
    from tests.pipeline.blind import blind_cluster

    url = object_store.url(f"{tmp_path.name}-alike")
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    with blind_cluster(hidden) as address:
        found = built(
            make(
                hidden / "news", f'[store]\nobjects = "{url}"',
                f'[build]\nrunner = "dask"\nscheduler = "{address}"',
            )
        )  # fmt: skip

    assert found == wanted
    izwi.move(url, tmp_path / "back")
    assert sums(tmp_path / "back") == wanted["bytes after"]
