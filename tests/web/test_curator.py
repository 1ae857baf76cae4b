import os
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

import izwi
from izwi.cases import long_runs as work
from izwi.store.lock import writing
from izwi.web.session.rights import READ_ONLY

from ..waiting import until
from .serving import TOKEN

BASE = "/api/v1/c/tiny"
PROTECTED = (
    ("POST", f"{BASE}/gather"),
    ("POST", f"{BASE}/build"),
    ("POST", f"{BASE}/run"),
    ("POST", f"{BASE}/sources"),
    ("GET", f"{BASE}/doctor"),
)


@pytest.mark.parametrize(("method", "path"), PROTECTED)
def test_without_a_token_of_its_own_a_server_changes_nothing(client, method, path):
    answer = client.request(method, path, headers={"Authorization": "Bearer x"})

    assert answer.status_code == 403
    assert answer.json()["error"] == {"type": "Forbidden", "message": READ_ONLY}


@pytest.mark.parametrize(("method", "path"), PROTECTED)
@pytest.mark.parametrize(
    "header",
    [b"", b"Bearer", b"Bearer wrong", f"Basic {TOKEN}".encode(), TOKEN.encode(), b"Bearer \xff"],
)
def test_a_wrong_token_is_asked_for_again(guarded, method, path, header):
    answer = guarded.request(method, path, headers={"Authorization": header})

    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    assert answer.json()["error"]["type"] == "Unauthorized"


def test_the_token_is_asked_for_before_the_body_is_read(guarded):
    answer = guarded.post(
        f"{BASE}/sources", content="{not json", headers={"Authorization": "Bearer wrong"}
    )

    assert answer.status_code == 401


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1"])
def test_a_page_of_another_site_changes_nothing(curator, own_folder, origin):
    before = (own_folder / "corpus.toml").read_text()

    answer = curator.post(
        f"{BASE}/sources", json={"url": "https://example.org/feed"}, headers={"Origin": origin}
    )

    assert answer.status_code == 403
    assert "another site" in answer.json()["error"]["message"]
    assert (own_folder / "corpus.toml").read_text() == before


def test_a_page_of_this_site_may_ask(curator):
    answer = curator.post(
        f"{BASE}/sources",
        json={"url": "https://example.org/feed"},
        headers={"Origin": str(curator.base_url).rstrip("/")},
    )

    assert answer.status_code == 201


def test_a_source_is_added_to_the_settings(curator, own_folder):
    answer = curator.post(
        f"{BASE}/sources", json={"url": "https://example.org/feed.xml", "every": "2h"}
    )

    assert answer.status_code == 201
    assert answer.json() == {"name": "example-feed"}
    added = izwi.open(own_folder).config.sources[-1]
    assert (added.type, added.url, added.every) == ("feed", "https://example.org/feed.xml", "2h")
    names = [source["name"] for source in curator.get(f"{BASE}/sources").json()]
    assert names[-1] == "example-feed"


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({}, "The field 'url' of the body cannot be used"),
        ({"url": "https://example.org/", "depth": "deep"}, "The field 'depth' of the body"),
        ({"url": "not a web address", "type": "seeds"}, "is not a web address"),
        ({"url": "https://example.org/", "type": "telepathy"}, "There is no source 'telepathy'"),
        ({"url": "https://example.org/", "name": "first-pages"}, "two sources are named"),
    ],
)
def test_a_source_that_makes_no_sense_is_refused(curator, own_folder, body, part):
    before = (own_folder / "corpus.toml").read_text()

    answer = curator.post(f"{BASE}/sources", json=body)

    assert answer.status_code == 400
    assert part in answer.json()["error"]["message"]
    assert (own_folder / "corpus.toml").read_text() == before


def test_a_body_that_is_not_json_is_refused(curator):
    answer = curator.post(
        f"{BASE}/sources", content="{", headers={"Content-Type": "application/json"}
    )

    assert answer.status_code == 400
    assert answer.json()["error"]["message"].startswith("The body cannot be used")


def test_sources_added_at_once_are_all_kept(curator, own_folder):
    def add(number):
        return curator.post(
            f"{BASE}/sources", json={"url": f"https://example.org/{number}", "type": "seeds"}
        ).status_code

    with ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(add, range(16)))

    assert statuses == [201] * 16
    assert len(izwi.open(own_folder).config.sources) == 2 + 16


def test_the_doctor_sees_the_corpus(curator):
    findings = {each["check"]: each for each in curator.get(f"{BASE}/doctor").json()}

    assert findings["corpus.toml"]["is_well"]
    assert findings["index"]["message"].startswith("version 2")


def test_work_is_done_by_the_command_line(tmp_path):
    assert work.command_line("build", tmp_path) == [
        sys.executable, "-m", "izwi", "build", str(tmp_path), "--json",
    ]  # fmt: skip


@pytest.fixture
def released(tmp_path, monkeypatch):
    """Work that says what it was asked, waits for a file, and ends; the file is returned."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    signal = tmp_path / "go"
    script = (
        "import pathlib, sys, time\n"
        "print(*sys.argv[1:], flush=True)\n"
        f"while not pathlib.Path({str(signal)!r}).exists(): time.sleep(0.01)\n"
    )
    monkeypatch.setattr(
        work,
        "command_line",
        lambda command, folder: [sys.executable, "-c", script, command, folder.name],
    )
    yield signal
    signal.touch()


@pytest.mark.parametrize("command", ["gather", "build", "run"])
def test_work_goes_on_in_a_process_of_its_own(curator, released, command):
    answer = curator.post(f"{BASE}/{command}")

    assert answer.status_code == 202
    started = answer.json()
    assert started["started"] == command
    log = Path(started["log"])
    until(lambda: log.read_text() == f"{command} own\n")
    os.kill(started["pid"], 0)  # raises if there is no such process
    assert curator.get("/c/tiny").status_code == 200


@pytest.mark.parametrize(
    ("path", "body", "kind"),
    [
        ("sources", {"url": "https://example.org/feed"}, "settings"),
        ("subcorpora", {"name": "early", "where": 'source="first-pages"'}, "subcorpus"),
        ("labels", [{"url": "https://a.example/", "html": "<p>x", "blocks": []}], "labels"),
        ("takedown", {"target": "nowhere.example", "reason": "asked"}, "takedown"),
    ],
)
def test_what_is_changed_is_recorded_with_who(curator, own_folder, released, path, body, kind):
    curator.post(f"{BASE}/{path}", json=body)

    (change,) = izwi.open(own_folder).changes()
    assert change.kind == kind
    assert change.who


@pytest.mark.parametrize("number", [-1, 2**63, 2**80])
def test_numbers_that_no_file_holds_are_refused(curator, number):
    judged = {"audit": number, "document": "x"}
    answers = [
        curator.post(f"{BASE}/undo", json={"number": number}),
        curator.post(f"{BASE}/audits", json={"seed": number}),
        curator.post(f"{BASE}/audits/judge", json=judged),
        curator.get(f"{BASE}/changes", params={"first": number}),
    ]

    assert [answer.status_code for answer in answers] == [400] * 4


def test_one_corpus_has_one_worker_at_a_time(curator, released):
    first = curator.post(f"{BASE}/build")

    refused = curator.post(f"{BASE}/build")
    assert refused.status_code == 409
    assert f"process {first.json()['pid']}" in refused.json()["error"]["message"]

    released.touch()
    until(lambda: curator.post(f"{BASE}/build").status_code == 202)


def test_work_is_refused_while_another_process_writes(curator, own_folder, released):
    with writing(own_folder / "corpus.lock", "izwi gather"):
        answer = curator.post(f"{BASE}/build")

    assert answer.status_code == 409
    assert answer.json()["error"]["type"] == "CorpusLocked"
    assert "'izwi gather' of" in answer.json()["error"]["message"]


def test_an_unknown_corpus_is_not_worked_on(curator, released):
    with pytest.raises(httpx.HTTPStatusError, match="404"):
        curator.post("/api/v1/c/other/build").raise_for_status()


@pytest.mark.parametrize("route", ["portal/tags", "portal/suggest"])
def test_pages_of_a_portal_are_taken_apart_for_curators_only(client, curator, route):
    address = f"{BASE}/{route}?source=first-pages"

    assert client.get(address).status_code == 403
    assert curator.get(address).status_code == 200
