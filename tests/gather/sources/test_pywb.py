"""Our client against a real pywb, which lives in an environment of its own (it is GPL)."""

import contextlib
import http.client
import os
import socket
import subprocess
import sys
import venv
from pathlib import Path
from urllib.parse import urlencode

import pytest

from izwi.demoweb.server import Reply
from izwi.gather.sources.archive import ArchiveSource
from izwi.gather.web_archives import moment_of
from izwi.model.capture import Capture, Lead
from izwi.store.warc import WarcWriter
from tests.gather.sources import archivesite
from tests.gather.sources.archivesite import DAYS, LIVE, LOST, NEWS
from tests.waiting import until

HOST = "pywb.example"


@pytest.fixture(scope="module")
def pywb(tmp_path_factory):
    """Serve the collection with pywb and yield its port; skip where it cannot be installed.

    IZWI_PYWB names the folder of the commands of an environment that has pywb already.
    """
    folder = tmp_path_factory.mktemp("pywb")
    commands = Path(os.environ.get("IZWI_PYWB") or _installed(folder / "environment"))
    warc = folder / "news.warc.gz"
    _write_warc(warc, archivesite.collection())
    for task in (["init", "c"], ["add", "c", str(warc)]):
        subprocess.run(
            [commands / "wb-manager", *task], cwd=folder, check=True, capture_output=True
        )
    port = _free_port()
    order = [commands / "wayback", "-b", "127.0.0.1", "-p", str(port)]
    with subprocess.Popen(
        order, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as server:
        try:
            _wait_for(port)
            yield port
        finally:
            server.terminate()


def _installed(folder):
    venv.create(folder, with_pip=True)
    pip = [folder / "bin" / "python", "-m", "pip", "--retries", "1", "--timeout", "10"]
    try:
        subprocess.run(
            [*pip, "install", "--quiet", "pywb"],
            capture_output=True, text=True, check=True, timeout=250,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        pytest.skip("pywb cannot be installed here: it takes longer than four minutes")
    except subprocess.CalledProcessError as error:
        pytest.skip(f"pywb cannot be installed here: {error.stderr.strip()[-200:]}")
    return folder / "bin"


def _write_warc(path, kept):
    with WarcWriter.create(path, "izwi tests") as writer:
        for each in kept:
            headers = (("Content-Type", each.media_type),)
            lead = Lead(each.url, "old")
            writer.append(
                Capture(lead, moment_of(each.stamp), each.status, "OK", headers, each.body)
            )
        writer.commit()


def _free_port():
    with contextlib.closing(socket.socket()) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def _wait_for(port):
    def is_there():
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
        return True

    until(is_there)


@pytest.fixture
def served(hosts, pywb):
    """Let the local web answer for pywb's host with what the real pywb says."""

    def answer(visit):
        if visit.path == "/robots.txt":
            return Reply(404, length=0)
        connection = http.client.HTTPConnection("127.0.0.1", pywb, timeout=20)
        target = f"{visit.path}?{urlencode(visit.query)}" if visit.query else visit.path
        connection.request("GET", target, headers={"Host": HOST})
        found = connection.getresponse()
        body = found.read()
        connection.close()
        kept = ("location", "memento-datetime", "link")
        headers = {name: value for name, value in found.getheaders() if name.lower() in kept}
        kind = found.getheader("Content-Type", "text/html")
        return Reply(found.status, kind, headers, (body,), len(body))

    hosts[HOST], hosts[NEWS] = answer, archivesite.live


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="pywb is started as on Unix")
@pytest.mark.parametrize("way", ["cdx", "walk"])
def test_every_page_that_only_the_archive_has_is_recovered(gathering, served, way):
    url = f"http://{NEWS}/" if way == "walk" else f"{NEWS}/*"
    source = ArchiveSource("old", url, way, f"http://{HOST}/c/")

    gathering.run(source, seconds=60.0, timeout=20.0)

    found = {
        url: page for url, page in gathering.captures.items() if url.startswith(f"http://{NEWS}")
    }
    assert {f"http://{NEWS}{path}" for path in LOST} <= set(found)
    capture = found[f"http://{NEWS}{LOST[1]}"]
    assert capture.time == moment_of(DAYS[1])
    assert b"first" in capture.body
    assert b"wombat" not in capture.body
    assert (f"http://{NEWS}{LIVE}" in found) == (way == "walk")


@pytest.mark.slow
@pytest.mark.parametrize("paging", ["key", "pages"])
def test_paging_that_the_server_ignores_loses_and_doubles_nothing(gathering, served, paging):
    source = ArchiveSource("old", f"{NEWS}/*", "cdx", f"http://{HOST}/c/", rows=3, paging=paging)

    gathering.run(source, seconds=60.0, timeout=20.0)

    paths = [path for path in gathering.paths(HOST) if "id_/" in path]
    assert len(paths) == len(set(paths))
    assert {f"http://{NEWS}{path}" for path in LOST} <= set(gathering.captures)
