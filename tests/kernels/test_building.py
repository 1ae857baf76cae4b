"""What is compiled, when, and that nothing else pretends to be."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from izwi.kernels import columns

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "building"))

import kernels as building  # noqa: E402


@pytest.mark.parametrize("name", building.sources())
def test_kernel_is_compiled_and_has_types(name):
    module = __import__(f"izwi.kernels.{name}", fromlist=[name])

    assert Path(module.__file__) == building.module_file(name)
    assert (building.FOLDER / f"{name}.pyi").is_file()


@pytest.mark.parametrize("name", building.sources())
def test_inner_functions_say_what_they_return_after_an_error(name):
    source = building.sources()[name].read_text(encoding="utf-8")
    inner = re.findall(r"@cython\.cfunc\n((?: *@.*\n)*) *def (\w+)", source)

    # Those that hold the lock are called once, and need not say it.
    free = [(marks, function) for marks, function in inner if "nogil" in marks]
    assert [function for marks, function in free if "exceptval" not in marks] == []


def test_only_kernels_import_cython():
    found = [
        path.relative_to(ROOT).as_posix()
        for path in (ROOT / "src").rglob("*.py")
        if "import cython" in path.read_text(encoding="utf-8") and path.parent != building.FOLDER
    ]

    assert not found


def test_constants_are_those_of_python():
    listed = building.FOLDER.joinpath("columns.pxd").read_text(encoding="utf-8").splitlines()[2:]
    numbers = dict(line.strip().split(" = ") for line in listed)

    assert numbers
    assert {name: getattr(columns, name) for name in numbers} == {
        name: int(value) for name, value in numbers.items()
    }


def test_a_changed_source_is_stale_and_a_second_build_does_nothing(tmp_path, monkeypatch):
    assert building.stale() == []
    changed = tmp_path / "lean.py"
    changed.write_text(building.sources()["lean"].read_text(encoding="utf-8") + "\n# changed\n")
    sources = building.sources() | {"lean": changed}
    monkeypatch.setattr(building, "sources", lambda: sources)

    assert building.stale() == ["lean"]


def test_asking_what_is_stale_needs_no_compiler():
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "build_kernels.py", "--check"],
        env={"PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "\n", "")


def test_compiler_of_the_wheel_is_asked_for_only_where_none_is_found(monkeypatch):
    monkeypatch.delenv("CC", raising=False)

    monkeypatch.setenv("PATH", "")
    assert not building.has_compiler()

    monkeypatch.setenv("CC", sys.executable)
    assert building.has_compiler()
