"""Compile those kernels (src/izwi/kernels) whose source has changed; quick where none has.

    python tools/build_kernels.py           # in any clone or worktree, in place
    python tools/build_kernels.py --check   # only say which are stale: exit status 1 if any is

Needs Cython and a C compiler; where one of them is missing, pip fetches it for the time of the build.
"""

import importlib.util
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "building"))

import kernels


def main() -> int:
    names = kernels.stale()
    if "--check" in sys.argv:
        print(" ".join(names))
        return bool(names)
    if not names:
        return 0
    if kernels.has_compiler() and _has("Cython") and _has("setuptools"):
        kernels.build()
        return 0
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "-e", str(ROOT)]
    return subprocess.run(command, check=False).returncode


def _has(module: str) -> bool:
    return importlib.util.find_spec(module) is not None


if __name__ == "__main__":
    sys.exit(main())
