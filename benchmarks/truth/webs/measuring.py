"""What a crawl of made hosts asked for, found and kept, by the kind of host."""

import json
import threading
import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import izwi
from izwi.cases.page_tools import evaluate_corpus
from izwi.gather.urls import canonical
from webs.sentences import Voice
from webs.sites import MISSING, Kind, Site

# What every host is asked for before its pages, and what has no page to be.
_OF_HOST = ("/robots.txt", "/.well-known/tdmrep.json")


@dataclass(frozen=True)
class Figures:
    """How the hosts of one kind were crawled."""

    kind: str
    documents: int
    fetched: int
    kept: int | None
    # Requests for what is neither a document nor a list of documents, of the worst host.
    beyond: int
    seconds: float
    # The shapes of what was asked for most beyond the real pages.
    most: tuple[tuple[str, int], ...] = ()
    # Real documents that were never asked for: false traps, as nothing else bounds these crawls.
    missed: tuple[str, ...] = ()

    @property
    def false_traps(self) -> int:
        """How many real documents were never asked for."""
        return self.documents - self.fetched


class Web:
    """A proxy that answers for many made hosts and remembers what it was asked."""

    def __init__(self, kinds: Mapping[str, Kind], count: int, hosts: int = 1) -> None:
        self.sites: dict[str, Site] = {}
        self.kinds: dict[str, str] = {}
        self.asked: list[str] = []
        for name, kind in kinds.items():
            for at in range(hosts):
                host = f"{name.replace('_', '-')}-{at}.example"
                self.sites[host] = kind(host, Voice(host), count)
                self.kinds[host] = name
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    @property
    def proxy(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._server.server_port}"

    def close(self) -> None:
        """Stop listening."""
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site = web.sites.get(self.path.split("/")[2])
                is_of_host = self.path.endswith(_OF_HOST)
                if not is_of_host:
                    web.asked.append(self.path)
                found = MISSING if is_of_host or site is None else site.answer(self.path)
                body = found.body.encode()
                self.send_response(found.status)
                if found.location:
                    self.send_header("Location", found.location)
                self.send_header("Content-Type", found.kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def handle_one_request(self) -> None:
                with suppress(ConnectionError):  # a crawl that is over hangs up
                    super().handle_one_request()

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        return Handler

    def gold(self) -> list[dict[str, object]]:
        """Return what is true of all real pages, as `izwi evaluate corpus` reads it."""
        lines: list[dict[str, object]] = []
        for host, site in self.sites.items():
            for url in site.bodies:
                title, text = site.documents.get(url, ("", ""))
                facts = {"title": title, "text": text} if text else {"document": False}
                lines.append({"url": url, "type": self.kinds[host], **facts})
        return lines

    def figures(self, kept: Mapping[str, int] | None, seconds: float) -> list[Figures]:
        """Return what was asked for of each kind."""
        asked = Counter(self.asked)
        found = []
        for kind in dict.fromkeys(self.kinds.values()):
            own = [self.sites[host] for host, name in self.kinds.items() if name == kind]
            real = [url for site in own for url in site.documents]
            missed = [url for url in real if url not in asked]
            beyond = {site.host: _beyond(site, asked) for site in own}
            shapes = Counter(_shape(url) for urls in beyond.values() for url in urls)
            found.append(
                Figures(
                    kind, len(real), len(real) - len(missed),
                    None if kept is None else kept.get(kind, 0),
                    max(map(len, beyond.values())), seconds,
                    tuple(shapes.most_common(8)), tuple(missed),
                )
            )  # fmt: skip
        return found


def _beyond(site: Site, asked: Counter[str]) -> list[str]:
    """Return what a host was asked for that is no real page, or a real one again."""
    found = []
    for url, times in asked.items():
        if url.split("/")[2] == site.host:
            found += [url] * (times - (url in site.bodies))
    return found


def _shape(url: str) -> str:
    from izwi.gather.address_shapes import shape_of

    return shape_of(canonical(url) or url).partition("/")[2]


def crawled(
    folder: Path, web: Web, *, seconds: float = 60.0, is_built: bool = True, settings: str = ""
) -> tuple[list[Figures], izwi.Corpus]:
    """Crawl every host from its front, at default settings but for the pause, and say how it went.

    `settings` are lines of a source's own, such as "depth = 5".
    """
    izwi.create(folder, contact="https://example.org/webs", name="webs", delay=0.0)
    text = "".join(
        f'\n[[source]]\ntype = "crawl"\nname = "{host.partition(".")[0]}"\nseeds = ["http://{host}/"]\n{settings}\n'
        for host in web.sites
    )
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(text)
    corpus = izwi.open(folder)
    began = time.process_time()
    corpus.gather(proxy=web.proxy, seconds=seconds)
    spent = time.process_time() - began
    return web.figures(_kept(folder, web, corpus) if is_built else None, spent), corpus


def _kept(folder: Path, web: Web, corpus: izwi.Corpus) -> dict[str, int]:
    corpus.build()
    gold = folder / "gold.jsonl"
    gold.write_text("".join(f"{json.dumps(each)}\n" for each in web.gold()), encoding="utf-8")
    return {kind: part.kept for kind, part in evaluate_corpus(folder, gold).by_type.items()}
