import io
import zipfile

import orjson


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
