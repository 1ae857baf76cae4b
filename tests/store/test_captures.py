import errno
import os
import shutil
from datetime import datetime

import pytest

from izwi.model.document import KEPT
from izwi.model.errors import CorruptShard, DiskFull, StoreError
from izwi.store import captures as captures_module
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog, ShardState, Visit, host_of
from izwi.store.layout import Layout
from izwi.store.warc import WarcWriter, read_capture, read_entries
from tests.store.samples import capture, write_shard

BIG = 10**9


@pytest.fixture
def layout(tmp_path):
    return Layout(tmp_path / "news")


@pytest.fixture
def opened(layout):
    """Return a way to open the store as a new process does, closing what was open before."""
    alive = []

    def _open(shard_bytes=BIG, shard_pages=1000):
        _die()
        catalog = Catalog.write(layout.catalog)
        store = CaptureStore(
            layout, catalog, shard_bytes=shard_bytes, shard_pages=shard_pages, software="izwi tests"
        )
        alive.append((store, catalog))
        return store, catalog

    def _die():
        for store, catalog in alive:
            store.close()
            catalog.close()
        alive.clear()

    yield _open
    _die()


def fetch(store, catalog, *urls, body=b"<p>Sawubona.</p>"):
    """Do what the gatherer does with pages: write them and settle their leads."""
    for url in urls:
        found = capture(url, body)
        catalog.add_leads([found.lead])
        queued = next(
            each
            for each in catalog.waiting_leads(host_of(url), 1e12, most=1000)
            if each.lead.url == url
        )
        store.append(queued, found)
        catalog.settle(queued, "fetched", KEPT)


def stored(layout):
    """Return the URLs of all sealed captures, each read from its file."""
    return [
        read_capture(layout.warc(shard), entry).lead.url
        for shard in layout.sealed_shards()
        for entry in read_entries(layout.captures(shard))
    ]


A, B, C, D = (f"http://one.example/{name}" for name in "abcd")


def test_committed_and_sealed_captures_are_a_shard(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A, B)
    store.commit()

    store.seal()

    (state,) = catalog.shards()
    assert state.is_sealed
    assert state.committed == layout.warc(state.name).stat().st_size
    assert stored(layout) == [A, B]
    assert list(catalog.captures(state.name)) == list(read_entries(layout.captures(state.name)))
    assert not layout.open_warc(state.name).exists()


def test_open_shard_is_not_yet_a_shard_of_the_corpus(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A)

    store.commit()

    assert layout.sealed_shards() == []
    assert [state.is_sealed for state in catalog.shards()] == [False]


def test_full_shard_is_sealed_at_the_next_commit(layout, opened):
    store, catalog = opened(shard_bytes=100)
    fetch(store, catalog, A, body=b"x" * 60)
    store.commit()
    before = layout.sealed_shards()

    fetch(store, catalog, B, body=b"x" * 60)
    store.commit()
    fetch(store, catalog, C, body=b"x" * 60)
    store.commit()
    store.seal()

    assert before == []
    first, second = layout.sealed_shards()
    assert first < second
    assert stored(layout) == [A, B, C]


def test_a_shard_is_full_of_pages_however_small_and_goes_on_counting_after_a_kill(layout, opened):
    store, catalog = opened(shard_pages=2)
    fetch(store, catalog, A, body=b"x")
    store.commit()
    store.close()

    store, catalog = opened(shard_pages=2)
    store.recover()
    fetch(store, catalog, B, body=b"x")
    store.commit()
    fetch(store, catalog, C, body=b"x")
    store.commit()

    assert len(layout.sealed_shards()) == 1
    assert stored(layout) == [A, B]


def test_captures_without_a_body_are_sealed_too(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A, body=b"")
    store.commit()

    store.seal()

    assert stored(layout) == [A]


def test_run_that_fetched_nothing_leaves_no_file(layout, opened):
    store, _ = opened()

    store.commit()
    store.seal()

    assert layout.sealed_shards() == []
    assert not layout.warcs.exists()


def test_nothing_is_to_be_mended_after_a_good_end(opened):
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()
    store.seal()

    store, catalog = opened()

    assert store.recover() == []
    assert catalog.counts() == (1, 0)


def test_open_shard_goes_on_in_the_next_run(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()
    name = catalog.shards()[0].name

    store, catalog = opened()
    store.recover()
    fetch(store, catalog, B)
    store.commit()
    store.seal()

    assert layout.sealed_shards() == [name]
    assert stored(layout) == [A, B]


def test_killed_after_append_the_lead_waits_and_the_tail_is_cut(layout, opened):
    store, catalog = opened()
    catalog.add_leads([capture(B).lead])
    fetch(store, catalog, A)
    store.commit()
    name, committed = catalog.shards()[0].name, catalog.shards()[0].committed
    fetch(store, catalog, B)
    store._writer._file.flush()
    assert layout.open_warc(name).stat().st_size > committed

    store, catalog = opened()
    notices = store.recover()

    assert notices == []
    assert layout.open_warc(name).stat().st_size == committed
    assert catalog.counts() == (1, 1)
    fetch(store, catalog, B, C)
    store.commit()
    store.seal()
    assert stored(layout) == [A, B, C]


def test_killed_between_file_and_catalog_nothing_is_there_twice(layout, opened, tmp_path):
    store, catalog = opened()
    catalog.add_leads([capture(B).lead])
    fetch(store, catalog, A)
    store.commit()
    shutil.copytree(layout.root, tmp_path / "before", ignore=shutil.ignore_patterns("*.open"))
    fetch(store, catalog, B)
    store.commit()
    store.close()
    catalog.close()
    # The file has both captures, the catalog knows of one.
    growing = next(layout.warcs.glob("*.open"))
    for path in layout.root.glob("catalog.sqlite*"):
        path.unlink()
    for path in (tmp_path / "before").glob("catalog.sqlite*"):
        shutil.copy(path, layout.root)
    size = growing.stat().st_size

    store, catalog = opened()
    store.recover()

    assert growing.stat().st_size < size
    assert catalog.counts() == (1, 1)
    fetch(store, catalog, B)
    store.commit()
    store.seal()
    assert stored(layout) == [A, B]


def test_killed_before_the_first_commit_the_file_is_forgotten(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A)

    store, catalog = opened()
    notices = store.recover()

    assert notices == []
    assert catalog.shards() == []
    assert list(layout.warcs.iterdir()) == []


def test_killed_after_the_list_was_written_the_shard_goes_on(layout, opened, monkeypatch):
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()

    def die(path, target):
        raise KeyboardInterrupt

    with monkeypatch.context() as killing:
        killing.setattr("pathlib.Path.replace", die)
        with pytest.raises(KeyboardInterrupt):
            store.seal()
    store, catalog = opened()
    store.recover()
    fetch(store, catalog, B)
    store.commit()
    store.seal()

    assert stored(layout) == [A, B]


def test_killed_after_the_seal_the_catalog_follows(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()
    name = catalog.shards()[0].name
    store._writer.seal(layout.warc(name), layout.captures(name), catalog.captures(name))

    store, catalog = opened()
    notices = store.recover()

    assert notices == []
    assert [state.is_sealed for state in catalog.shards()] == [True]
    fetch(store, catalog, B)
    store.commit()
    store.seal()
    assert layout.sealed_shards()[0] == name
    assert stored(layout) == [A, B]


def test_growing_file_the_catalog_does_not_know_is_put_aside(layout, opened):
    path = layout.open_warc("2026-11-15-0003")
    WarcWriter.create(path, "someone else").close()
    raw = path.read_bytes()

    store, catalog = opened()
    (notice,) = store.recover()

    aside = layout.warcs / "2026-11-15-0003.warc.gz.orphan"
    assert aside.read_bytes() == raw
    assert not path.exists()
    assert path.name in notice
    assert aside.name in notice
    assert catalog.shards() == []


def test_name_of_a_file_put_aside_is_not_used_again(layout, opened):
    orphan = layout.warcs / "2999-12-31-0007.warc.gz.orphan"
    orphan.parent.mkdir(parents=True)
    orphan.touch()

    store, catalog = opened()
    fetch(store, catalog, A)

    assert catalog.shards()[0].name == "2999-12-31-0008"


def test_sealed_file_the_catalog_does_not_know_is_adopted(layout, opened):
    write_shard(layout, "2026-11-15-0003", [capture(A), capture(B)])

    store, catalog = opened()
    notice, lost = store.recover()

    assert "2026-11-15-0003: 2 captures" in notice
    assert "The catalog was lost" in lost
    assert catalog.counts() == (2, 0)
    assert [state.name for state in catalog.shards()] == ["2026-11-15-0003"]
    assert catalog.add_leads([capture(A).lead]) == 0


def test_lost_catalog_costs_the_queue_only(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A, B)
    store.commit()
    store.seal()
    opened()
    for path in layout.root.glob("catalog.sqlite*"):
        path.unlink()

    store, catalog = opened()
    _, lost = store.recover()

    assert "what waited, was refused or failed" in lost
    assert catalog.counts() == (2, 0)
    store, catalog = opened()
    assert store.recover() == []


def test_sealed_file_without_its_list_gets_it_back_from_the_catalog(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A, B)
    store.commit()
    store.seal()
    name = catalog.shards()[0].name
    listing = layout.captures(name).read_bytes()
    layout.captures(name).unlink()

    store, catalog = opened()
    store.recover()

    assert layout.captures(name).read_bytes() == listing


def test_sealed_file_that_neither_list_nor_catalog_knows_is_named(layout, opened):
    write_shard(layout, "2026-11-15-0003", [capture(A)])
    layout.captures("2026-11-15-0003").unlink()

    store, catalog = opened()
    notice, _ = store.recover()

    assert str(layout.warc("2026-11-15-0003")) in notice
    assert "cannot be taken into the catalog" in notice
    assert catalog.shards() == []


class Clock(datetime):
    """A clock that says what it is told."""

    moment = datetime(2026, 11, 15)

    @classmethod
    def now(cls, tz=None):
        return cls.moment.replace(tzinfo=tz)


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(captures_module, "datetime", Clock)
    return Clock


@pytest.mark.parametrize(
    ("moments", "names"),
    [
        ([15, 15, 15], ["2026-11-15-0001", "2026-11-15-0002", "2026-11-15-0003"]),
        ([15, 16, 16], ["2026-11-15-0001", "2026-11-16-0001", "2026-11-16-0002"]),
        ([15, 3, 14], ["2026-11-15-0001", "2026-11-15-0002", "2026-11-15-0003"]),
    ],
    ids=["one day", "next day", "clock gone back"],
)
def test_names_only_grow(opened, clock, moments, names):
    store, catalog = opened()

    for number, day in enumerate(moments):
        clock.moment = datetime(2026, 11, day)
        fetch(store, catalog, f"http://one.example/{number}")
        store.commit()
        store.seal()

    assert [state.name for state in catalog.shards()] == names


def test_name_is_later_than_a_sealed_file_the_catalog_forgot(layout, opened, clock):
    write_shard(layout, "2030-01-01-0005", [capture(A)])
    clock.moment = datetime(2026, 11, 15)

    store, catalog = opened()
    fetch(store, catalog, B)

    assert catalog.shards()[-1].name == "2030-01-01-0006"


def test_day_with_too_many_shards_lends_from_the_next(layout, opened):
    layout.warcs.mkdir(parents=True)
    layout.warc("2030-12-31-9999").touch()

    store, catalog = opened()
    fetch(store, catalog, A)

    assert catalog.shards()[-1].name == "2031-01-01-0001"


def test_full_disk_stops_with_its_own_error_and_nothing_counts(layout, opened, monkeypatch):
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()
    name = catalog.shards()[0].name
    fetch(store, catalog, B)

    def fail(descriptor):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr("os.fsync", fail)
        with pytest.raises(DiskFull, match="The disk is full"):
            store.commit()
    store, catalog = opened()
    store.recover()

    assert [entry.url for entry in catalog.captures(name)] == [A]


def waiting(catalog):
    return [each.lead.url for each in catalog.waiting_leads("one.example", 1e12, most=1000)]


def layer_of(layout, shard):
    """Pretend that a stage has been over a shard."""
    path = layout.layers / "text-0" / f"{shard}.parquet"
    path.parent.mkdir(parents=True)
    path.touch()


# A copy that took the file before, the catalog after a commit or a seal; so is a broken disk.
@pytest.mark.parametrize("is_sealed", [False, True])
@pytest.mark.parametrize("left", [0, 1, 2, 3])
def test_committed_captures_that_are_lost_are_named_and_asked_again(
    layout, opened, is_sealed, left
):
    store, catalog = opened()
    fetch(store, catalog, D)
    store.commit()
    store.seal()
    ends = []
    for url in (A, B, C):
        fetch(store, catalog, url)
        catalog.put_visit(catalog.find_lead(url), Visit(etag="7"))
        store.commit()
        ends.append(catalog.shards()[1].committed)
    name = catalog.shards()[1].name
    path = layout.open_warc(name)
    early = path.read_bytes()
    if is_sealed:
        store.seal()
        layout.warc(name).unlink()
        layout.captures(name).unlink()
    store.close()
    path.unlink(missing_ok=True)
    if left:  # and some bytes of the next
        path.write_bytes(early[: ends[left - 1] + 10])

    store, catalog = opened()
    notices = store.recover()
    again = waiting(catalog)
    visits = [catalog.visit(catalog.find_lead(url)) for url in again]
    fetch(store, catalog, *again)
    store.commit()
    store.seal()

    words = f"{path.name} has lost {3 - left} committed captures. The next gathering asks"
    assert [each.startswith(words) for each in notices] == ([True] if left < 3 else [])
    assert again == [A, B, C][left:]
    assert visits == [Visit()] * len(again)
    assert stored(layout) == [D, A, B, C]
    assert [each.url for name in layout.sealed_shards() for each in catalog.captures(name)] == [
        D, A, B, C,
    ]  # fmt: skip
    assert store.recover() == []


@pytest.mark.parametrize("is_gone", [False, True])
def test_what_was_made_of_a_growing_file_that_lost_its_end_stays(layout, opened, is_gone):
    store, catalog = opened()
    fetch(store, catalog, A, B)
    store.commit()
    name = catalog.shards()[0].name
    path = layout.open_warc(name)
    store.close()
    path.write_bytes(path.read_bytes()[:-10])
    if is_gone:
        path.unlink()
    layer_of(layout, name)

    store, catalog = opened()
    notices = store.recover()

    first, second = read_entries(layout.captures(name))
    assert f"{path.name} has lost committed captures." in notices
    assert any(f"{layout.warc(name)} is missing" in each for each in notices) is is_gone
    if not is_gone:
        assert read_capture(layout.warc(name), first).lead.url == A
    with pytest.raises(CorruptShard):
        read_capture(layout.warc(name), second)
    assert [state.is_sealed for state in catalog.shards()] == [True]
    assert waiting(catalog) == []


def test_sealed_file_that_is_gone_and_was_built_is_named_in_every_run(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()
    store.seal()
    name = catalog.shards()[0].name
    layout.warc(name).unlink()
    layer_of(layout, name)

    store, catalog = opened()

    notice = f"{layout.warc(name)} is missing; put it back if you have a copy."
    assert notice in store.recover()
    assert notice in store.recover()
    assert waiting(catalog) == []


def two_files(opened, *, is_sealed):
    """Gather into a sealed file and another, which may still grow; return their names."""
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()
    store.seal()
    fetch(store, catalog, B)
    store.commit()
    if is_sealed:
        store.seal()
    return [shard.name for shard in catalog.shards()]


def all_captures(catalog):
    return [each.url for shard in catalog.shards() for each in catalog.captures(shard.name)]


def gone(path):
    """Move a file or folder away; return a way to bring it back."""
    away = path.rename(path.with_name("away"))

    def back():
        if path.is_symlink():
            path.unlink()
        elif path.is_dir():
            shutil.rmtree(path)
        away.rename(path)

    return back


def left_as_a_mount_point(path):
    back = gone(path)
    path.mkdir()
    return back


def left_as_a_link(path):
    back = gone(path)
    path.symlink_to(path.with_name("nowhere"))
    return back


@pytest.mark.parametrize("is_sealed", [False, True])
@pytest.mark.parametrize("goes", [gone, left_as_a_mount_point, left_as_a_link])
def test_a_disk_of_captures_that_is_away_for_a_while_costs_none(layout, opened, goes, is_sealed):
    names = two_files(opened, is_sealed=is_sealed)
    back = goes(layout.warcs)

    store, catalog = opened()
    try:
        notices = store.recover()
    except StoreError as error:  # a link cannot be written through
        notices = [str(error)]
    queued = waiting(catalog)
    store.close()
    back()
    store, catalog = opened()

    assert str(layout.warcs) in notices[0]
    assert queued == []
    assert store.recover() == []
    assert all_captures(catalog) == [A, B]
    assert [shard.name for shard in catalog.shards()] == names
    fetch(store, catalog, C)
    store.commit()
    store.seal()
    assert stored(layout) == [A, B, C]


def test_a_sealed_file_that_its_list_outlived_is_named_and_not_asked_again(layout, opened):
    _, name = two_files(opened, is_sealed=True)
    back = gone(layout.warc(name))

    store, catalog = opened()
    notices = store.recover()
    queued = waiting(catalog)
    back()

    assert notices == [f"{layout.warc(name)} is missing; put it back if you have a copy."]
    assert queued == []
    assert store.recover() == []
    assert stored(layout) == all_captures(catalog) == [A, B]


def test_a_link_to_a_file_on_a_disk_that_is_away_is_said(layout, opened):
    _, name = two_files(opened, is_sealed=True)
    back = left_as_a_link(layout.warc(name))
    layout.captures(name).unlink()

    store, catalog = opened()
    with pytest.raises(StoreError, match="Is a disk missing"):
        store.recover()
    back()

    assert store.recover() == []
    assert stored(layout) == all_captures(catalog) == [A, B]


@pytest.mark.parametrize("is_sealed", [False, True])
@pytest.mark.parametrize("error", [errno.EIO, errno.EACCES, errno.ESTALE], ids=errno.errorcode.get)
@pytest.mark.parametrize("what", ["warc", "layers"])
def test_a_file_that_cannot_be_looked_at_is_not_lost(
    layout, opened, monkeypatch, what, error, is_sealed
):
    _, name = two_files(opened, is_sealed=is_sealed)
    layer_of(layout, "2001-01-01-0001")
    path = layout.warc(name) if is_sealed else layout.open_warc(name)
    layout.captures(name).unlink(missing_ok=True)
    if what == "layers":  # what was made of the file is not to be seen
        path.unlink()
    looked = os.stat

    def fail(given, *more, **named):
        if str(given).startswith(str(path if what == "warc" else layout.layers)):
            raise OSError(error, os.strerror(error), str(given))
        return looked(given, *more, **named)

    store, catalog = opened()
    with monkeypatch.context() as failing:
        failing.setattr("os.stat", fail)
        with pytest.raises(StoreError):
            store.recover()
    store.close()

    assert waiting(catalog) == []
    assert all_captures(catalog) == [A, B]


def test_what_was_sealed_after_the_catalog_was_copied_is_not_asked_again(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A)
    store.commit()
    store.close()
    catalog.close()
    old = layout.catalog.read_bytes()
    store, catalog = opened()
    store.recover()
    fetch(store, catalog, B)
    store.commit()
    store.seal()
    store.close()
    catalog.close()
    for path in layout.root.glob("catalog.sqlite*"):
        path.unlink()
    layout.catalog.write_bytes(old)

    store, catalog = opened()
    notices = store.recover()

    (name,) = layout.sealed_shards()
    assert notices == []
    assert [each.url for each in catalog.captures(name)] == stored(layout) == [A, B]
    assert catalog.state_of(B) == "fetched"
    assert catalog.shards()[0].committed == layout.warc(name).stat().st_size


def test_list_of_captures_that_is_torn_is_written_again(layout, opened):
    store, catalog = opened()
    fetch(store, catalog, A, B)
    store.commit()
    store.seal()
    listing = layout.captures(catalog.shards()[0].name)
    whole = listing.read_bytes()
    listing.write_bytes(whole[: whole.index(b"\n") + 1])

    store, _ = opened()
    store.recover()

    assert listing.read_bytes() == whole


def test_folder_that_cannot_be_listed_is_an_error_of_the_store(layout, opened):
    store, catalog = opened()
    catalog.put_shard(ShardState("2026-11-15-0001", False, 10, 10))
    catalog.commit()
    layout.open_warc("2026-11-15-0001").mkdir(parents=True)

    with pytest.raises(StoreError, match="cannot be used"):
        store.recover()
