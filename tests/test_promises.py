"""Every promise names a test that exists, and the page shows what the last report said."""

import ast
import importlib.util
import json
from pathlib import Path

import pytest

from tests.promises import PROMISES

TESTS = Path(__file__).parent
_spec = importlib.util.spec_from_file_location(
    "reliability", TESTS.parent / "tools" / "write_reliability.py"
)
reliability = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(reliability)

REPORT = """<testsuites><testsuite>
<testcase classname="tests.web.test_rights" name="test_strangers_reach_nothing_of_the_curators"/>
<testcase classname="tests.e2e.test_kills" name="test_what_is_killed[gather]"/>
<testcase classname="tests.e2e.test_kills" name="test_what_is_killed[a]"><failure/></testcase>
</testsuite></testsuites>"""


@pytest.mark.parametrize("test", PROMISES.values())
def test_the_test_of_a_promise_exists(test):
    path, name = test.split("::")
    tree = ast.parse((TESTS / path).read_text(encoding="utf-8"))

    assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}


def test_the_page_is_made_of_the_results():
    found = json.loads(reliability.RESULTS.read_text(encoding="utf-8"))

    assert found
    assert reliability.PAGE.read_text(encoding="utf-8") == reliability.page(found)


def test_results_come_from_a_report_and_older_ones_stay(tmp_path):
    report = tmp_path / "report.xml"
    report.write_text(REPORT, encoding="utf-8")
    old, new = (
        next(iter(PROMISES.values())),
        "web/test_rights.py::test_strangers_reach_nothing_of_the_curators",
    )

    found = reliability.results(report, {old: "1 passed (2026-01-01, abc)"})

    assert found[old] == "1 passed (2026-01-01, abc)"
    assert found[new].startswith("1 passed (")
    told = reliability.outcomes(report)["e2e/test_kills.py::test_what_is_killed"]
    assert told == {"passed": 1, "failed": 1}
