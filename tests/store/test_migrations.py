import sqlite3
from contextlib import closing

import pytest

from izwi.model.errors import StoreError
from izwi.store.migrations import MIGRATIONS, migrate, schema_version

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

    assert tables(connection) == {"leads", "hosts", "captures", "shards", "artefacts", "runs"}
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
        "INSERT INTO leads VALUES (7, 'http://a/', 'a', 's', 'page', '', 0, 0, '{}', '2026',"
        " 'waiting', 0, 0, '', NULL, NULL, '', '2026')"
    )

    migrate(connection, (*MIGRATIONS, add_language))

    assert schema_version(connection) == NEWEST + 1
    assert connection.execute("SELECT id, url, language FROM leads").fetchall() == [
        (7, "http://a/", "")
    ]
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
