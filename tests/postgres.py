"""A real PostgreSQL server for tests: started where its programs are installed, else said so."""

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from urllib.parse import quote

PASSWORD = "sesam-öffne-dich"
_NUMBERS = count(1)


@dataclass
class Server:
    """A running server; each test makes a place of its own."""

    programs: Path
    folder: Path
    port: int
    user: str | None

    def url(self, schema: str = "public", password: str = PASSWORD) -> str:
        """Return the address of a place in its database."""
        place = f"127.0.0.1:{self.port}/postgres?options=-csearch_path%3D{schema}"
        return f"postgresql://izwi:{quote(password)}@{place}"

    def new_place(self) -> str:
        """Make an empty place and return its address; a whole database takes longer."""
        import psycopg

        name = f"corpus{next(_NUMBERS)}"
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}".encode())
        return self.url(name)

    def run(self, *words: str) -> None:
        """Run one of its programs as a user that may."""
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        ended = subprocess.run(
            [str(self.programs / words[0]), *words[1:]],
            check=False, user=self.user, group=self.user and _group(self.user), env=environment,
            cwd=self.folder, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=120,
        )  # fmt: skip
        assert ended.returncode == 0, ended.stderr.decode(errors="replace")

    def start(self) -> None:
        """Start it and wait until it answers."""
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -F"
        self.run(
            "pg_ctl", "-D", self.data, "-l", f"{self.folder}/log", "-w", "-o", options, "start"
        )

    def stop(self, mode: str = "immediate") -> None:
        """Stop it, as a kill does unless told otherwise."""
        self.run("pg_ctl", "-D", self.data, "-m", mode, "-w", "stop")

    @property
    def data(self) -> str:
        """Where it keeps its files."""
        return str(self.folder / "data")


def programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, None if they are not installed."""
    found = shutil.which("pg_ctl")
    if found:
        return Path(found).parent
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return installed[-1].parent if installed else None


@contextmanager
def running() -> Iterator[Server]:
    """Run a server for as long as it is wanted."""
    found = programs()
    assert found is not None
    folder = Path(tempfile.mkdtemp(prefix="izwi-postgresql-"))
    server = Server(found, folder, _free_port(), _user())
    try:
        secret = folder / "password"
        secret.write_text(PASSWORD)
        if server.user:
            for path in (folder, secret):
                shutil.chown(path, server.user)
        server.run(
            "initdb", "-D", server.data, "-U", "izwi", "-A", "scram-sha-256",
            f"--pwfile={secret}", "-E", "UTF8", "--no-sync",
        )  # fmt: skip
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _user() -> str | None:
    """Return who runs it: never root."""
    if os.geteuid():
        return None
    names = {each.pw_name for each in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def _group(user: str) -> int:
    return pwd.getpwnam(user).pw_gid


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
