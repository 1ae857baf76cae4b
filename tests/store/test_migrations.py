import sqlite3
from contextlib import closing

import pytest

from izwi.model.capture import Hints, Lead
from izwi.model.errors import StoreError
from izwi.store.catalog import Catalog
from izwi.store.database import MIGRATIONS, migrate, schema_version

NEWEST = len(MIGRATIONS)


@pytest.fixture
def connection(tmp_path):
    with closing(sqlite3.connect(tmp_path / "catalog.sqlite", isolation_level=None)) as opened:
        yield opened


def tables(connection):
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {row[0] for row in rows}


def add_language(connection):
    """A made-up next step."""
    connection.execute("ALTER TABLE leads ADD COLUMN language TEXT NOT NULL DEFAULT ''")


def break_down(connection):
    connection.execute("CREATE TABLE half (a)")
    connection.execute("INSERT INTO nowhere VALUES (1)")


def put_run(connection):
    connection.execute("INSERT INTO runs VALUES ('r1', 'gather', '2026', '', '{}')")


def test_empty_file_gets_every_table(connection):
    migrate(connection)

    assert tables(connection) == {
        "leads", "hosts", "origins", "addresses", "hints", "outcomes", "visits", "patterns",
        "refusals", "facts", "tallies", "captured",
        "captures", "shards", "artefacts", "runs",
    }  # fmt: skip
    assert schema_version(connection) == NEWEST


def test_migrating_again_changes_nothing(connection):
    migrate(connection)
    put_run(connection)

    migrate(connection)

    assert connection.execute("SELECT id FROM runs").fetchall() == [("r1",)]


def test_next_step_keeps_what_is_in_the_previous_schema(connection):
    migrate(connection)
    put_run(connection)
    connection.execute(
        "INSERT INTO leads (id, host, is_secure, path, origin, state, due)"
        " VALUES (7, 1, 0, '/a', 1, 0, 0)"
    )

    migrate(connection, (*MIGRATIONS, add_language))

    assert schema_version(connection) == NEWEST + 1
    assert connection.execute("SELECT id, path, language FROM leads").fetchall() == [(7, "/a", "")]
    assert connection.execute("SELECT id FROM runs").fetchall() == [("r1",)]


def test_only_the_steps_that_lack_are_taken(connection):
    taken = []
    first = [lambda _: taken.append(1), lambda _: taken.append(2)]
    migrate(connection, first)

    migrate(connection, [*first, lambda _: taken.append(3)])

    assert taken == [1, 2, 3]


def test_catalog_of_a_newer_izwi_is_refused_and_left_alone(connection):
    migrate(connection, (*MIGRATIONS, add_language))

    with pytest.raises(StoreError, match=rf"version {NEWEST + 1}.*knows {NEWEST}: update izwi"):
        migrate(connection)

    assert schema_version(connection) == NEWEST + 1


def test_step_that_fails_leaves_the_version_before_it(connection):
    migrate(connection)
    put_run(connection)

    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, (*MIGRATIONS, add_language, break_down))

    # The step before it has been taken for good; its own half is gone.
    assert schema_version(connection) == NEWEST + 1
    assert "half" not in tables(connection)
    assert connection.execute("SELECT id FROM runs").fetchall() == [("r1",)]
    assert not connection.in_transaction


def test_failed_step_can_be_taken_later(connection):
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, (*MIGRATIONS, break_down))

    migrate(connection, (*MIGRATIONS, add_language))

    assert schema_version(connection) == NEWEST + 1


def test_leads_of_the_first_schema_are_moved_into_the_small_tables(tmp_path):
    path = tmp_path / "catalog.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as old:
        migrate(old, MIGRATIONS[:1])
        rows = [
            (3, "https://a.example/x?y=1", "a.example", "s", "page", "http://r/", 2, 1,
             '{"title": "T", "author": "", "date": ""}', "2026", "waiting", 5.5, 1, "timeout",
             30.0, 30.0, "", "2027"),
            (4, "http://b.example/", "b.example", "f", "feed", "", 0, 0, "{}", "2026", "dropped",
             0.0, 1, "http-404", 404.0, 200.0, "gone", "2028"),
        ]  # fmt: skip
        old.executemany(f"INSERT INTO leads VALUES ({','.join('?' * 18)})", rows)
        old.execute("INSERT INTO hosts VALUES ('b.example', 'Disallow: /', 200, 9.0)")

    with Catalog.write(path) as catalog:
        (queued,) = catalog.waiting_leads("a.example", 1e12, most=9)
        (line,) = [line for line in catalog.ledger_lines() if line.outcome == "dropped"]

        assert queued.id == 3
        assert queued.attempts == 1
        assert queued.lead == Lead(
            "https://a.example/x?y=1", "s", "page", "http://r/", 2, 1, Hints(title="T")
        )
        assert (line.url, line.reason, line.detail) == ("http://b.example/", "http-404", "gone")
        assert catalog.robots("b.example") == ("Disallow: /", 200, 9.0)
        assert catalog.add_leads([queued.lead]) == 0


def test_facts_of_no_host_are_forgotten(connection):
    migrate(connection, MIGRATIONS[:6])
    connection.execute("INSERT INTO facts (hashes, until) VALUES (?, 800)", (bytes(800),))

    migrate(connection)

    assert connection.execute("SELECT count(*) FROM facts").fetchone() == (0,)


def test_captures_refer_to_the_leads_that_there_are(connection):
    migrate(connection)

    (made,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = 'captures'").fetchone()
    assert "REFERENCES leads (id)" in made
