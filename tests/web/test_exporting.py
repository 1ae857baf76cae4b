import io
import tarfile
import tempfile
import zipfile

import orjson
import pytest

from tests.waiting import until


def test_an_export_comes_as_a_zip_file_to_curators_only(client, guarded, curator):
    address = "/api/v1/c/tiny/export?format=jsonl"

    assert client.get(address).status_code == 403
    assert guarded.get(address).status_code == 401
    answer = curator.get(address)

    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert sorted(packed.namelist()) == ["manifest.json", "tiny.jsonl"]
        rows = [orjson.loads(line) for line in packed.read("tiny.jsonl").splitlines()]
    assert rows
    assert answer.headers["Content-Type"] == "application/zip"


def test_an_unknown_format_is_the_asker_s_error(curator):
    answer = curator.get("/api/v1/c/tiny/export?format=xls")

    assert 400 <= answer.status_code < 500
    assert "Known formats" in answer.text


def test_a_backup_comes_as_one_file_and_leaves_nothing_behind(curator, tmp_path, monkeypatch):
    place = tmp_path / "sent"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))

    answer = curator.get("/api/v1/c/tiny/backup")

    with tarfile.open(fileobj=io.BytesIO(answer.content)) as packed:
        assert any(name.endswith("corpus.toml") for name in packed.getnames())
    assert answer.headers["Content-Type"] == "application/x-tar"
    until(lambda: not list(place.iterdir()))


@pytest.mark.parametrize(
    "wish", ["src=nowhere", "source=nowhere", "q=nosuchword", "from=1800&to=1801", "language=zul"]
)
def test_an_export_takes_the_names_that_other_addresses_have(curator, wish):
    answer = curator.get(f"/api/v1/c/tiny/export?format=jsonl&v=1&{wish}")

    assert answer.status_code == 400
    assert "No document of the corpus is as asked for" in answer.text
