"""Workers that do not see the corpus folder work by way of its object store; a real S3 server."""

import pytest

from izwi.model.errors import BuildError, DiskFull
from izwi.pipeline.cluster import Dask, Elsewhere
from tests.pipeline.pages import Corpus, page, settings
from tests.pipeline.test_cluster import made_layers
from tests.store.samples import write_shard

pytest.importorskip("distributed", reason="needs izwi[dask]")
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


@pytest.fixture
def blind(tmp_path):
    """Return the address of a cluster that does not see the folder `hidden`."""
    from tests.pipeline.blind import blind_cluster

    (tmp_path / "hidden").mkdir()
    with blind_cluster(tmp_path / "hidden") as address:
        yield address


def put_pages(corpus, shards=range(3)):
    for shard in shards:
        pages = [page(f"{shard}-{n}", f"cows{shard}{n}") for n in range(3)]
        # One that all shards have: its owner lies in another shard.
        pages.append(page(f"{shard}-shared", "oxen"))
        write_shard(corpus.layout, f"2026-11-15-{shard + 1:04d}", pages)


def test_a_worker_needs_the_package_and_the_storage(blind, object_store, tmp_path):
    here, there = Corpus(tmp_path / "here"), Corpus(tmp_path / "hidden" / "news")
    url, config = object_store.url(f"{tmp_path.name}-work"), settings()

    def built(corpus, runner=None):
        result = corpus.build(config, runner=runner)
        assert result.failures == ()
        return result.snapshot

    for shards in (range(3), range(3, 5)):  # a second build goes on from what there is
        for corpus in (here, there):
            put_pages(corpus, shards)
        wanted = built(here)
        found = built(there, Elsewhere(Dask(scheduler=blind), there.layout.root, url))
        assert (found.documents, found.tokens) == (wanted.documents, wanted.tokens)

    assert made_layers(there) == made_layers(here)
    assert sum(each.copy_of is not None for each in there.documents(config).values()) == 4
    # Of the exchange nothing is left but the name of the folder, which Arrow keeps.
    assert object_store.names(f"{tmp_path.name}-work") <= {""}


def test_without_a_storage_a_worker_that_sees_no_folder_is_one_sentence(blind, tmp_path):
    corpus = Corpus(tmp_path / "hidden" / "news")
    put_pages(corpus)

    with pytest.raises(BuildError, match=r"The worker .* does not see .*objects = \"s3://"):
        corpus.build(settings(), runner=Elsewhere(Dask(scheduler=blind), corpus.layout.root, ""))


def test_a_full_disk_on_one_worker_is_one_sentence_and_loses_nothing(object_store, tmp_path):
    from tests.pipeline.blind import blind_cluster

    (tmp_path / "hidden").mkdir()
    corpus, config = Corpus(tmp_path / "hidden" / "news"), settings()
    put_pages(corpus)
    url = object_store.url(f"{tmp_path.name}-full")
    with (
        blind_cluster(tmp_path / "hidden", room="32k") as address,
        pytest.raises(DiskFull, match="The disk is full"),
    ):
        corpus.build(config, runner=Elsewhere(Dask(scheduler=address), corpus.layout.root, url))

    assert not list(corpus.layout.root.rglob("*.part"))
    assert corpus.build(config).snapshot.documents == 10


def test_a_layer_that_a_worker_found_damaged_and_made_again_comes_home(
    blind, object_store, tmp_path
):
    corpus, config = Corpus(tmp_path / "hidden" / "news"), settings()
    put_pages(corpus)
    corpus.build(config)
    wanted = made_layers(corpus)
    for shard in ("2026-11-15-0001", "2026-11-15-0002"):
        text = corpus.path(config, "text", shard)
        text.write_bytes(text.read_bytes()[:-100])
        # So that the workers are sent the text, and find it damaged.
        corpus.path(config, "sift", shard).unlink()
    url = object_store.url(f"{tmp_path.name}-damaged")

    result = corpus.build(config, runner=Elsewhere(Dask(scheduler=blind), corpus.layout.root, url))

    assert result.failures == ()
    assert len(result.warnings) == 2
    assert ("extract", "2026-11-15-0001") in corpus.work
    assert made_layers(corpus) == wanted
