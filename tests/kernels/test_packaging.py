"""A wheel from a clone on a machine without a C compiler: pip fetches one, and the kernels work."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# One kernel with what it needs: the others are built in the same way, and take a minute.
FILES = (
    "pyproject.toml", "README.md", "LICENSE", "NOTICE", "building/hook.py", "building/kernels.py",
    "src/izwi/__init__.py", "src/izwi/kernels/__init__.py", "src/izwi/kernels/columns.py",
    "src/izwi/kernels/feature_columns.py", "src/izwi/kernels/letters.py",
    "src/izwi/kernels/letters.pxd", "src/izwi/kernels/letters.pyi",
)  # fmt: skip
COUNTS = """
import array, sys
import izwi.kernels.letters as letters
from izwi.kernels.columns import CHARACTER_CLASSES
assert not letters.__file__.endswith(".py"), letters.__file__
view = lambda code, values: memoryview(array.array(code, values))
rows = view("f", [0] * 11).cast("B").cast("f", (1, 11))
classes = view("B", [2] * 65536)
kinds = view("q", [0] * CHARACTER_CLASSES)
letters.count(b"abc", view("q", [0]), view("q", [3]), classes, rows, kinds)
print(rows[0, 0])
"""


@pytest.mark.slow
@pytest.mark.timeout(1_200)
@pytest.mark.skipif(os.name == "nt", reason="there the compiler is always Visual Studio's")
def test_wheel_is_built_without_a_compiler_on_the_machine(tmp_path):
    clone, wheels, empty = tmp_path / "clone", tmp_path / "wheels", tmp_path / "no-programs"
    empty.mkdir()
    for name in FILES:
        (clone / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, clone / name)
    environment = os.environ | {
        "PATH": str(empty), "ZIG_GLOBAL_CACHE_DIR": str(tmp_path / "zig"), "PYTHONPATH": "",
    }  # fmt: skip
    environment.pop("CC", None)

    done = subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--no-deps", "-w", wheels, clone],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip

    if "No matching distribution found for ziglang" in done.stderr:
        pytest.skip("the compiler that comes as a wheel cannot be had here")
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel,) = wheels.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    counted = subprocess.run(
        [sys.executable, "-c", COUNTS],
        env=os.environ | {"PYTHONPATH": str(tmp_path / "installed")},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (counted.stdout, counted.stderr) == ("3.0\n", "")
