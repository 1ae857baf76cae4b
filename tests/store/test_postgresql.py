"""What is special about a catalog on a server: who may open it, leases, and how it comes there."""

import pytest

from izwi.model.document import KEPT
from izwi.model.errors import StoreError
from izwi.store.catalog import Catalog, ShardState
from izwi.store.database import copy_to_file
from izwi.store.layout import Layout
from izwi.store.postgresql import Address
from tests import postgres
from tests.store.samples import lead
from tests.store.test_catalog import SHARD, entry, the_only, waiting


@pytest.fixture
def address(postgresql):
    return Address(postgresql.new_place(), "news")


@pytest.fixture
def two(address):
    """Two gatherers on one catalog, with a host that waits for one of them."""
    with Catalog.write(address) as first, Catalog.write(address) as second:
        first.add_leads([lead()])
        first.commit()
        assert (first.join(), second.join()) == (True, False)
        yield first, second


def host(catalog):
    (found,) = catalog.waiting_hosts()
    return found.id, found.host


def said(call, *about):
    with pytest.raises(StoreError) as caught:
        call(*about)
    words = str(caught.value)
    assert "\n" not in words
    assert postgres.PASSWORD not in words
    return words


def test_a_server_that_cannot_be_reached_is_one_sentence_without_the_password():
    nowhere = Address(f"postgresql://izwi:{postgres.PASSWORD}@127.0.0.1:1/news", "news")

    words = said(Catalog.write, nowhere)

    assert words.startswith("The catalog at postgresql://izwi@127.0.0.1:1/news cannot be opened")
    assert "whether the server runs" in words
    assert postgres.PASSWORD not in repr(nowhere) + str(nowhere)


def test_a_wrong_password_is_one_sentence_that_does_not_repeat_it(postgresql):
    words = said(Catalog.read, Address(postgresql.url(password="guess-me"), "news"))

    assert "password authentication failed" in words
    assert "guess-me" not in words


def test_an_address_that_is_none_does_not_show_its_password():
    words = said(Catalog.write, Address("postgresql://izwi:geheim@[::1/news", "news"))

    assert "geheim" not in words


@pytest.mark.parametrize(
    ("version", "advice"), [(99, "update izwi"), (-1, "no step leads")], ids=["newer", "older"]
)
def test_tables_of_another_version_are_refused(address, version, advice):
    with Catalog.write(address) as catalog:
        catalog._execute("UPDATE about SET version = ?", (version,))

    assert "is of another version" in said(Catalog.read, address)
    assert advice in said(Catalog.write, address)


def test_older_tables_get_what_was_added_since(address):
    with Catalog.write(address) as catalog:
        catalog.add_leads([lead("http://one.example/a"), lead("http://one.example/b")])
        catalog.commit()
        for what in ("TABLE tallies", "FUNCTION tally_lead CASCADE", "INDEX outcomes_by_reason"):
            catalog._execute(f"DROP {what}")
        for what in ("FUNCTION tally_outcome", "FUNCTION count_capture", "TABLE captured"):
            catalog._execute(f"DROP {what} CASCADE")
        catalog._execute("UPDATE about SET version = 1")

    with Catalog.write(address) as catalog:
        catalog.settle(waiting(catalog)[0], "fetched", KEPT)
        assert catalog.counts() == (0, 1)


def test_the_catalog_of_another_corpus_is_refused(address):
    Catalog.write(address).close()

    words = said(Catalog.write, Address(address.url, "letters"))

    assert "belongs to the corpus 'news', not to 'letters'" in words


def test_an_empty_database_takes_over_what_the_file_held(address, tmp_path):
    path = tmp_path / "catalog.sqlite"
    with Catalog.write(path) as file:
        queued = the_only(file, "http://one.example/1")
        file.put_shard(ShardState(SHARD, False, 0, 0))
        file.add_capture(queued, SHARD, entry())
        file.settle(queued, "fetched", KEPT)
        the_only(file, "http://two.example/1")
        file.add_facts(b"12345678", most=100)
        file.commit()

    with Catalog.write(Address(address.url, "news", path)) as catalog:
        assert catalog.counts() == (1, 1)
        assert list(catalog.captures(SHARD)) == [entry()]
        assert list(catalog.facts()) == [b"12345678"]
        # Numbers go on behind those that were taken over.
        assert catalog.add_leads([lead("http://two.example/2"), lead("http://one.example/1")]) == 1
        assert len(waiting(catalog, "two.example")) == 2
        catalog.commit()
    with Catalog.write(Address(address.url, "news", path)) as again:
        assert again.counts() == (1, 2)


def test_a_catalog_on_a_server_can_be_copied_to_a_file(two, tmp_path):
    first, _ = two
    first.hold(*host(first))
    first.add_leads([lead("http://two.example/2")])
    first.commit()

    copy_to_file(first._sql.place, tmp_path / "copy.sqlite")

    with Catalog.write(tmp_path / "copy.sqlite") as copy:
        assert [each.host for each in copy.waiting_hosts()] == ["one.example", "two.example"]
        assert copy.add_leads([lead("http://two.example/2"), lead("http://two.example/3")]) == 1


def test_text_that_no_database_takes_is_mended(address):
    with Catalog.write(address) as catalog:
        catalog.put_robots("one.example", "User-agent: \0 *", 200, 1.0)

        assert catalog.robots("one.example") == ("User-agent: \ufffd *", 200, 1.0)


def test_corpus_toml_says_where_the_catalog_is(tmp_path):
    layout = Layout(tmp_path)
    layout.config.write_text('[corpus]\nname = "news"\n[store]\ncatalog = "postgresql://db/news"\n')

    assert layout.catalog == Address("postgresql://db/news", "news", tmp_path / "catalog.sqlite")


def test_a_host_is_held_by_one_gatherer_at_a_time(two):
    first, second = two
    number, name = host(first)

    held = first.hold(number, name), second.hold(number, name)

    assert held == (True, False)
    assert second.waiting_hosts() == []
    assert first.holdings(due=0.0, rested=1.0).own == 1
    assert second.holdings(due=0.0, rested=1.0).others == 1


def test_who_joins_waits_until_the_first_has_queued_what_it_begins_with(two):
    first, second = two

    waiting_for = second.holdings(due=0.0, rested=1.0).beginning
    first.begin_asking()

    assert waiting_for == 1
    assert second.holdings(due=0.0, rested=1.0).beginning == 0


def test_a_host_that_is_let_go_comes_with_its_work_and_its_rest(two):
    first, second = two
    number, name = host(first)
    first.hold(number, name)
    first.settle(waiting(first)[0], "fetched", KEPT)
    first.add_leads([lead("http://one.example/b")])
    first.rest(number, 5000.0)

    first.let_go(number, name)
    too_early = second.hold(number, name)
    first.commit()

    assert not too_early
    assert second.hold(number, name)
    assert [each.lead.url for each in waiting(second)] == ["http://one.example/b"]
    assert second.pause(name) == 5000.0


def test_a_gatherer_that_says_nothing_loses_its_hosts_and_what_it_had_not_written(two):
    first, second = two
    number, name = host(first)
    first.hold(number, name)
    first.settle(waiting(first)[0], "fetched", KEPT)

    # As if its lease had ended.
    second._execute("UPDATE gatherers SET until = 0 WHERE id = ?", (first._gatherer,))
    second.holdings(due=0.0, rested=1.0)

    assert second.hold(number, name)
    assert "others took its hosts over" in said(first.commit)
    first.leave()
    assert len(waiting(second)) == 1


def test_what_two_gatherers_find_at_the_same_time_is_queued_once(two):
    first, second = two
    found = [lead(f"http://two.example/{number}") for number in range(20)]

    added = first.add_leads(found) + second.add_leads(found[::-1])
    first.commit()
    second.commit()

    assert added == 20
    assert len(waiting(first, "two.example")) == 20


def test_each_gatherer_writes_a_file_of_its_own(two):
    first, second = two

    assert (first.new_shard(SHARD), second.new_shard(SHARD)) == (True, False)
    assert (first.others_shards(), second.others_shards()) == (set(), {SHARD})


def test_a_row_in_another_gatherers_hand_is_left_to_it(two):
    first, second = two
    number, name = host(first)
    first.hold(number, name)
    (queued,) = waiting(second)
    first.settle(waiting(first)[0], "fetched", KEPT)

    second.settle(queued, "dropped", KEPT)
    first.commit()

    assert first.state_of(queued.lead.url) == "fetched"


def test_a_server_that_is_killed_loses_nothing_that_was_committed():
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed here: apt-get install postgresql")
    with postgres.running() as server:
        address = Address(server.new_place(), "news")
        with Catalog.write(address) as catalog:
            catalog.add_leads([lead("http://one.example/1")])
            catalog.commit()
            catalog.add_leads([lead("http://one.example/2")])
            server.stop()

            assert "does not answer any more" in said(catalog.commit)

        server.start()
        with Catalog.read(address) as catalog:
            assert catalog.counts() == (0, 1)
