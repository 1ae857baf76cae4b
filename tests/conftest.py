import functools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import hypothesis
import pytest

from tests import objectstore, postgres

Compare = Callable[[Path, str], None]

# No test is timed: two tests at once on a slow machine must not fail for it.
hypothesis.settings.register_profile("izwi", deadline=None, derandomize=True)
# The same inputs in every run, so that a failure is the change's; IZWI_CHANCE=1 looks for others.
hypothesis.settings.register_profile("chance", deadline=None)
# Pages are waited for, however busy the machine is; tests of waiting set another patience.
os.environ["IZWI_PATIENCE"] = "600"
hypothesis.settings.load_profile("chance" if os.environ.get("IZWI_CHANCE") else "izwi")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the kernels whose source has changed, once, before any test imports them.

    Python's own compiled files are kept, too: hundreds of processes begin with the same imports.
    """
    sys.dont_write_bytecode = False
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    if not hasattr(config, "workerinput"):
        command = [sys.executable, Path(__file__).parents[1] / "tools" / "build_kernels.py"]
        subprocess.run(command, check=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="rewrite the golden files from what the code gives now; review the diff",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run long files first, so that no process ends alone with one; browsers may try thrice.

    The summary names the tests that needed another try.
    """
    in_browser = [item for item in items if item.get_closest_marker("browser")]
    for item in in_browser:
        item.add_marker(pytest.mark.flaky(reruns=2))
    slow = [item for item in items if item.get_closest_marker("slow")]
    long = {item.path for item in (*in_browser, *slow)}
    items.sort(key=lambda item: item.path not in long)


@pytest.fixture(scope="session", autouse=True)
def quick_passwords() -> Iterator[tuple[type, str]]:
    """Hash the passwords of tests with little work; return what hashes them in earnest."""
    import argon2

    from izwi.cases import accounts

    earnest = argon2.PasswordHasher, accounts._NOBODY
    quick = functools.partial(argon2.PasswordHasher, time_cost=1, memory_cost=64, parallelism=1)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accounts, "_NOBODY", quick().hash("nobody's password"))
        patch.setattr(argon2, "PasswordHasher", quick)
        yield earnest


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Compare:
    """Compare a text with a golden file, or rewrite the file with --update-golden."""

    def compare(path: Path, text: str) -> None:
        if request.config.getoption("--update-golden"):
            path.write_text(text, encoding="utf-8")
        assert path.is_file(), f"{path} is missing; make it with: pytest --update-golden"
        assert text == path.read_text(encoding="utf-8")

    return compare


@pytest.fixture(scope="session")
def postgresql() -> Iterator[postgres.Server]:
    """Return a running PostgreSQL server; skip, and say so, where there is none to start."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: pip install izwi[postgresql]")
    if postgres.programs() is None:
        pytest.skip("PostgreSQL is not installed here: apt-get install postgresql")
    with postgres.running() as server:
        yield server


@pytest.fixture(scope="session")
def object_store() -> Iterator[objectstore.Server]:
    """Return a running S3 server with an empty bucket."""
    pytest.importorskip("moto", reason="moto is not installed: pip install 'moto[server]'")
    before = dict(os.environ)
    os.environ.update(objectstore.KEYS)
    with objectstore.running() as server:
        server.client().create_bucket(Bucket="corpora")
        yield server
    os.environ.clear()
    os.environ.update(before)
