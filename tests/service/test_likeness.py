import json

import pytest

from izwi.cases.collection_tools import deduplicate
from izwi.model.errors import QueryError
from tests.service.test_deduplicating import prose


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "in.jsonl"
    documents = {"a": [prose(1), prose(2)], "b": [prose(3)], "c": [prose(1) + ".", prose(2)]}
    lines = (json.dumps({"id": name, "paras": paras}) for name, paras in documents.items())
    path.write_text("\n".join(lines))
    return path


@pytest.mark.parametrize("method", ["sentences", "shingles"])
def test_whole_documents_are_kept_or_not(source, tmp_path, method):
    report = deduplicate(source, tmp_path / "out", method=method)

    lines = (tmp_path / "out").read_text().splitlines()
    found = {line["id"]: line for line in map(json.loads, lines)}
    assert [found[name]["keep"] for name in "abc"] == [[0, 1], [0], []]
    assert (found["c"]["copy_of"], found["c"]["method"]) == ("a", method)
    assert (report.documents, report.copied_blocks, report.copied_tokens) == (3, 2, 120)


def test_an_unknown_method_is_refused(source, tmp_path):
    with pytest.raises(QueryError, match="guessing"):
        deduplicate(source, tmp_path / "out", method="guessing")
