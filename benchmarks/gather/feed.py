"""How soon an item of a growing feed can be searched, and what waiting for it costs.

    python benchmarks/gather/feed.py [--every 30s] [--items 3] [--apart 60] [--idle 120]

A feed on the local web gets an item now and then while `izwi watch` follows it in a process of its
own. Prints the seconds from publishing to the version that holds the item, and the CPU time that an
hour without news would cost. Promised: two minutes at --every 30s, and 20 CPU seconds an hour.
"""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.demoweb import faults  # noqa: E402
from tests.demoweb.truth import ground_truth  # noqa: E402

import izwi  # noqa: E402
from izwi.demoweb.server import Reply  # noqa: E402

HOST = "busy.example"


class Feed:
    """A host with a feed that grows."""

    def __init__(self) -> None:
        self.published: list[datetime] = []

    def publish(self) -> None:
        self.published.append(datetime.now(UTC))

    def __call__(self, visit: object) -> Reply:
        path = str(getattr(visit, "path", ""))
        if path == "/feed.xml":
            return whole(self._rss(), "application/rss+xml")
        if path.startswith("/item/"):
            return whole(page(int(path.removeprefix("/item/"))), "text/html")
        return Reply(404, length=0)

    def _rss(self) -> str:
        items = "".join(
            f"<item><title>Item {number}</title><link>http://{HOST}/item/{number}</link>"
            f"<pubDate>{format_datetime(moment)}</pubDate></item>"
            for number, moment in enumerate(self.published)
        )
        return f'<rss version="2.0"><channel><title>Busy</title>{items}</channel></rss>'


def whole(text: str, kind: str) -> Reply:
    body = text.encode()
    return Reply(200, f"{kind}; charset=utf-8", {}, (body,), len(body))


def page(number: int) -> str:
    """Return an article of the local web, with a word that no other has."""
    english = [each for each in ground_truth().values() if each.language == "en"]
    first, *others = english[number].paragraphs
    paragraphs = "".join(f"<p>{escape(each)}</p>" for each in (f"{first} Word{number}x.", *others))
    return f"<html><head><title>Item {number}</title></head><body>{paragraphs}</body></html>"


def cpu_seconds(process: int) -> float:
    """Return what a process and its ended children have used."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def hits(folder: Path, number: int) -> int:
    if not any((folder / "index" / "snapshots").glob("*.json")):
        return 0
    with izwi.open(folder) as corpus:
        return int(corpus.concordance(f"Word{number}x").hits)


def wait_for(folder: Path, number: int, process: "subprocess.Popen[bytes]") -> None:
    while not hits(folder, number):
        assert process.poll() is None, "the watch has ended"
        time.sleep(0.5)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", default="30s")
    parser.add_argument("--items", type=int, default=3)
    parser.add_argument("--apart", type=float, default=60, help="seconds from item to item")
    parser.add_argument("--idle", type=float, default=120, help="seconds without news")
    asked = parser.parse_args()
    feed = Feed()
    faults.HOSTS = {**faults.HOSTS, HOST: feed}
    with tempfile.TemporaryDirectory() as scratch, faults.FaultyWeb() as web:
        folder = Path(scratch) / "busy"
        corpus = izwi.create(
            folder, contact="https://izwi.example/", name="busy", languages=("en",), delay=0
        )
        corpus.add_source(f"http://{HOST}/feed.xml", type="feed", name="busy", every=asked.every)
        feed.publish()
        command = [sys.executable, "-m", "izwi", "watch", folder, "--every", asked.every]
        process = subprocess.Popen(
            [*map(str, command), "--workers", "1"],
            env=os.environ | {"IZWI_PROXY": web.proxy_url},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            measure(folder, feed, process, asked)
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def measure(
    folder: Path, feed: Feed, process: "subprocess.Popen[bytes]", asked: argparse.Namespace
) -> None:
    wait_for(folder, 0, process)
    seconds = []
    for number in range(1, asked.items + 1):
        feed.publish()
        begun = time.monotonic()
        wait_for(folder, number, process)
        seconds.append(time.monotonic() - begun)
        time.sleep(max(0.0, asked.apart - seconds[-1]) if number < asked.items else 0)
    print(
        f"searchable after {', '.join(f'{each:.0f}' for each in seconds)} s "
        f"at --every {asked.every}"
    )
    before, begun = cpu_seconds(process.pid), time.monotonic()
    time.sleep(asked.idle)
    used = (cpu_seconds(process.pid) - before) / (time.monotonic() - begun) * 3600
    print(f"idle: {used:.0f} CPU s an hour")


if __name__ == "__main__":
    main()
