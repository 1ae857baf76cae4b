"""Which kernels are stale, and how they are compiled: Cython writes C, the C compiler the rest.

Every module in src/izwi/kernels that imports cython is compiled, each by a process of its own, and
lies beside its source; a stamp of what it was made from says whether it is current. Modules there
that do not are constants: compiled ones get them as a list of C's (`.pxd`), made here.
"""

import hashlib
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import sysconfig
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src" / "izwi" / "kernels"
MADE = ROOT / "build" / "kernels"
PACKAGE = "izwi.kernels"
# Views of memory need 30,000 lines of C: written and compiled once, not in each module.
SHARED = "_shared"
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
# The C compiler that comes as a wheel, for machines that have none.
COMPILER = "ziglang>=0.13"
# Bounds are checked; an index below zero is out of bounds, too.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": True,
    "wraparound": False,
    "initializedcheck": False,
    "embedsignature": False,
    "show_performance_hints": False,
}
# MSVC has no such options, and optimises by itself.
FLAGS = [] if os.name == "nt" else ["-O2", "-g0"]
# These do the same with many numbers, which vectors do: 1.7 and 1.15 times as fast, trees three
# times.
MORE_FLAGS = {} if os.name == "nt" else {
    name: ["-O3"]
    for name in ("lean", "letters", "nesting", "ngrams", "postings", "tagging", "trees")
}  # fmt: skip


def sources() -> dict[str, Path]:
    """Return the source of each kernel by its name."""
    paths = sorted(FOLDER.glob("*.py"))
    return {path.stem: path for path in paths if _is_compiled(path)}


def constants() -> list[Path]:
    """Return the modules of constants, which are not compiled."""
    paths = sorted(FOLDER.glob("*.py"))
    return [path for path in paths if path.stem != "__init__" and not _is_compiled(path)]


def _is_compiled(path: Path) -> bool:
    return re.search(r"^import cython$", path.read_text(encoding="utf-8"), re.MULTILINE) is not None


def stale() -> list[str]:
    """Return the names of the modules that are missing or were made from something else."""
    stamps = {SHARED: _stamp(None), **{name: _stamp(path) for name, path in sources().items()}}
    return [name for name, stamp in stamps.items() if not _is_current(name, stamp)]


def _stamp(source: Path | None) -> str:
    """Return the hash of all that a module is made from; the shared one is made from settings."""
    found = hashlib.sha256(repr((DIRECTIVES, FLAGS)).encode())
    if source and source.stem in MORE_FLAGS:
        found.update(repr(MORE_FLAGS[source.stem]).encode())
    for path in _made_from(source) if source else ():
        found.update(path.read_bytes())
    return found.hexdigest()


def _made_from(source: Path) -> list[Path]:
    """Return the files that a kernel is made from: its own, and what it takes from others."""
    text = source.read_text(encoding="utf-8")
    taken = re.findall(r"from cython\.cimports\.izwi\.kernels\.(\w+) import", text)
    named = {path.stem for path in constants()}
    others = [FOLDER / f"{name}{'.py' if name in named else '.pxd'}" for name in sorted(set(taken))]
    own = source.with_suffix(".pxd")
    return [source, *([own] if own.is_file() else []), *others]


def _is_current(name: str, stamp: str) -> bool:
    kept = _kept(name)
    is_made = kept.is_file() and module_file(name).is_file()
    return is_made and kept.read_text(encoding="utf-8") == stamp


def _kept(name: str) -> Path:
    return MADE / f"{name}{SUFFIX}.stamp"


def module_file(name: str) -> Path:
    """Return where a compiled module lies."""
    return FOLDER / f"{name}{SUFFIX}"


def has_compiler() -> bool:
    """Return whether the machine has a C compiler."""
    if os.name == "nt":
        # Where Visual Studio is, setuptools finds it; zig cannot build for MSVC's Python this way.
        return True
    wanted = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(shlex.split(wanted)[0]) is not None


def build() -> list[str]:
    """Compile what is stale, as much at once as there are processors; return the names."""
    with _alone():
        names = stale()
        if names:
            _write_constants()
            environment = os.environ | _compiler()
            with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
                # The largest first, so that none is left to the end alone.
                largest = sorted(names, key=lambda name: -_size(name))
                for done in [pool.submit(_compile_apart, name, environment) for name in largest]:
                    done.result()
    return names


@contextmanager
def _alone() -> Iterator[None]:
    """Wait until no other process builds here."""
    MADE.mkdir(parents=True, exist_ok=True)
    with (MADE / "lock").open("w") as lock:
        if os.name != "nt":
            import fcntl

            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _size(name: str) -> int:
    # The shared module is some 5,000 lines of C by itself.
    return 10**9 if name == SHARED else sources()[name].stat().st_size


def _write_constants() -> None:
    """Write the numbers in modules of constants as C's."""
    for path in constants():
        numbers = {
            name: value
            for name, value in runpy.run_path(str(path)).items()
            if name.isupper() and type(value) is int
        }
        lines = [f"# Made by building/kernels.py from {path.name}.", "cdef enum:"]
        lines += [f"    {name} = {value}" for name, value in numbers.items()]
        path.with_suffix(".pxd").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _compiler() -> dict[str, str]:
    """Return what the environment must say so that the compiler of the wheel is used."""
    if has_compiler():
        return {}
    import ziglang

    zig = shlex.quote(str(Path(ziglang.__file__).with_name("zig")))
    return {"CC": f"{zig} cc", "LDSHARED": f"{zig} cc -shared -Wl,-s"}


def _compile_apart(name: str, environment: dict[str, str]) -> None:
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, __file__, name],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        cwd=ROOT,
    )
    if done.returncode:
        raise SystemExit(f"{PACKAGE}.{name} could not be compiled:\n{done.stdout}")
    seconds = time.perf_counter() - begun
    print(f"compiled {PACKAGE}.{name} in {seconds:.0f} s", file=sys.stderr, flush=True)


def _compile(name: str) -> None:
    """Compile one module, put it in its place, and write down what it was made from."""
    from Cython.Build import cythonize
    from setuptools import Distribution, Extension

    source = None if name == SHARED else FOLDER / f"{name}.py"
    stamp = _stamp(source)
    path = source.relative_to(ROOT) if source else MADE.relative_to(ROOT) / f"{SHARED}.c"
    extensions = cythonize(
        [
            Extension(
                f"{PACKAGE}.{name}",
                [str(path)],
                extra_compile_args=[*FLAGS, *MORE_FLAGS.get(name, ())],
            )
        ],
        build_dir=str(MADE.relative_to(ROOT) / "c"),
        compiler_directives=DIRECTIVES,
        shared_utility_qualified_name=f"{PACKAGE}.{SHARED}",
        include_path=["src"],
        force=True,
        quiet=True,
    )
    command = Distribution({"name": "izwi", "ext_modules": extensions}).get_command_obj("build_ext")
    # A folder of its own, since modules are compiled at the same time.
    command.build_temp = str(MADE / "temp" / name)
    command.build_lib = str(MADE / "lib" / name)
    command.force = True
    command.ensure_finalized()
    command.run()
    made = Path(command.get_ext_fullpath(f"{PACKAGE}.{name}"))
    # Renamed, not copied: a process that has the old one loaded keeps it.
    shutil.copy2(made, FOLDER / f".{made.name}")
    (FOLDER / f".{made.name}").replace(module_file(name))
    _kept(name).write_text(stamp, encoding="utf-8")


if __name__ == "__main__":
    _compile(sys.argv[1])
