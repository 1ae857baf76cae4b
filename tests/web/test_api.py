import json

import pytest

from izwi.store.lock import writing
from izwi.web.app import create_app

from .serving import HOSTILE, asking


def test_status_says_what_is_current(client):
    status = client.get("/api/v1/c/tiny/status").json()

    assert status["snapshot"] == 2
    assert status["holder"] == ""
    assert {"extract", "index"} <= {stage["stage"] for stage in status["stages"]}
    assert all(stage["stale"] == 0 for stage in status["stages"])


def test_status_does_not_name_who_works_on_the_server(own_folder):
    with (
        writing(own_folder / "corpus.lock", "izwi build"),
        asking(create_app([own_folder])) as client,
    ):
        status = client.get("/api/v1/c/tiny/status").json()

    assert status["holder"] == "a curator"


def test_sources_are_those_of_the_home_page(client):
    sources = client.get("/api/v1/c/tiny/sources").json()

    assert [source["name"] for source in sources] == ["first-pages", "later-pages"]
    assert sources == client.get("/c/tiny.json").json()["sources"]


def test_the_summary_is_the_twin_of_the_home_page(client):
    for query in ("", "?v=1"):
        assert (
            client.get(f"/api/v1/c/tiny/summary{query}").json()
            == client.get(f"/c/tiny.json{query}").json()
        )


def test_the_concordance_is_the_twin_of_the_page(client):
    query = "?q=bakkie&sort=right&size=3&page=2&from=2010"

    assert (
        client.get(f"/api/v1/c/tiny/conc{query}").json()
        == client.get(f"/c/tiny/conc.json{query}").json()
    )


def test_the_ledger_has_every_url(client):
    ledger = client.get("/api/v1/c/tiny/drops").json()

    assert ledger["total"] == len(ledger["lines"]) == 11
    assert HOSTILE in {line["url"] for line in ledger["lines"]}


@pytest.mark.parametrize(
    ("query", "urls"),
    [
        ("outcome=dropped&stage=dedup&reason=exact-copy", ["faults.example/ok"]),
        (
            "source=later-pages&outcome=kept",
            ["braaiandbakkie", "faults.example/ok", "faults.example/script"],
        ),
        ("url=status/404", ["status/404"]),
        ("stage=nowhere", []),
    ],
)
def test_the_ledger_can_be_asked_for_a_part(client, query, urls):
    lines = client.get(f"/api/v1/c/tiny/drops?{query}").json()["lines"]

    found = sorted(line["url"] for line in lines)
    assert len(found) == len(urls)
    assert all(part in url for part, url in zip(urls, found, strict=True))


def test_the_ledger_comes_in_parts(client):
    whole = client.get("/api/v1/c/tiny/drops").json()["lines"]

    part = client.get("/api/v1/c/tiny/drops?first=2&most=3").json()

    assert part["lines"] == whole[2:5]
    assert part["total"] == len(whole)


def test_a_ledger_line_does_not_tell_the_servers_folders(own_folder):
    (shard,) = list(own_folder.glob("warc/*0001*.warc.gz"))[:1]
    damaged = shard.read_bytes()
    shard.write_bytes(damaged[: len(damaged) // 2])

    with asking(create_app([own_folder])) as client:
        text = client.get("/api/v1/c/tiny/drops").text

    assert json.loads(text)["total"] > 0
    assert str(own_folder) not in text
