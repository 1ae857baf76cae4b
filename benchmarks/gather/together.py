"""How much more two gatherers fetch than one, on one catalog in PostgreSQL, and whether politely.

    python benchmarks/gather/together.py postgresql://host/one postgresql://host/two --seconds 30

A server on loopback answers for 80 hosts, each page after half a second, as servers far away do;
what bounds a gatherer is then its number of connections. Its log says whether a host was ever asked
for two pages at once, or too early.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path
from urllib.parse import urlsplit

from aiohttp import web

HOSTS, PAGES, DELAY, ANSWER_SECONDS = 80, 200, 0.5, 0.5
SETTINGS = """
[corpus]
name = "together{number}"
[gather]
contact = "https://izwi.example/benchmark"
delay = {delay}
concurrency = 8
proxy = "http://127.0.0.1:{port}"
respect = []
[store]
catalog = "{catalog}"
[[source]]
name = "one"
type = "seeds"
urls = {urls}
"""


class Far:
    """A server that answers late, and notes when it was asked and when it had answered."""

    def __init__(self) -> None:
        self.visits: list[tuple[str, float, float]] = []
        self.port = 0
        self._ready = threading.Event()
        threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True).start()
        self._ready.wait()

    async def _serve(self) -> None:
        runner = web.ServerRunner(web.Server(self._answer))
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", 0)
        await site.start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await asyncio.Event().wait()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        url = urlsplit(str(request.url) if request.url.host else request.path)
        if url.path == "/robots.txt":
            return web.Response(status=404)
        begun = time.monotonic()
        await asyncio.sleep(ANSWER_SECONDS)
        self.visits.append((request.host, begun, time.monotonic()))
        return web.Response(text=f"<p>{request.host}{url.path}", content_type="text/html")


def gathered(far: Far, catalog: str, number: int, gatherers: int, seconds: int) -> dict[str, float]:
    """Return how many pages some gatherers fetched in a while, and the shortest pause of a host."""
    far.visits.clear()
    urls = [f"http://host{h}.example/{p}" for p in range(PAGES) for h in range(HOSTS)]
    with tempfile.TemporaryDirectory() as folder:
        settings = SETTINGS.format(
            number=number, delay=DELAY, port=far.port, catalog=catalog, urls=json.dumps(urls)
        )
        Path(folder, "corpus.toml").write_text(settings, encoding="utf-8")
        words = [sys.executable, "-m", "izwi", "gather", folder, "--for", f"{seconds}s"]
        runs = [subprocess.Popen(words, stdout=subprocess.DEVNULL) for _ in range(gatherers)]
        if any(run.wait() for run in runs):
            raise SystemExit("a gatherer failed")
    by_host = defaultdict(list)
    for host, begun, ended in sorted(far.visits, key=lambda visit: visit[1]):
        by_host[host].append((begun, ended))
    pauses = [
        later[0] - earlier[1] for visits in by_host.values() for earlier, later in pairwise(visits)
    ]
    return {
        "gatherers": gatherers,
        "pages": len(far.visits),
        "shortest pause": round(min(pauses), 3),
    }


def main() -> None:
    """Print a line for one gatherer and one for two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("catalog", nargs="+", help="addresses of two empty databases")
    parser.add_argument("--seconds", type=int, default=30)
    given = parser.parse_args()
    far = Far()
    for gatherers, catalog in zip((1, 2), given.catalog, strict=True):
        print(json.dumps(gathered(far, catalog, gatherers, gatherers, given.seconds)), flush=True)


if __name__ == "__main__":
    main()
