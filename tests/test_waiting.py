"""No test waits a fixed time, nor judges by the clock on the wall: tests pass on a busy machine."""

import ast
from pathlib import Path

TESTS = Path(__file__).parent
# A clock that counts only our own work is no clock on the wall.
CLOCKS = {"sleep", "monotonic", "perf_counter", "monotonic_ns", "perf_counter_ns"}
FILES = [path for path in sorted(TESTS.rglob("*.py")) if path.name != "waiting.py"]


def calls_of_a_clock(source: str) -> list[int]:
    """Return the lines in which a source asks a clock or sleeps; sleep(0) gives way, no more."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in CLOCKS
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id in ("time", "asyncio")
        and [ast.unparse(each) for each in node.args] != ["0"]
    ]


def test_clocks_are_found():
    assert calls_of_a_clock("time.sleep(1)\nawait asyncio.sleep(0)\nx = time.monotonic()") == [1, 3]


def test_no_test_goes_by_the_clock():
    found = {
        str(path.relative_to(TESTS)): calls_of_a_clock(path.read_text("utf-8")) for path in FILES
    }

    assert {path: lines for path, lines in found.items() if lines} == {}
