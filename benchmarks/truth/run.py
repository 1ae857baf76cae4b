"""Is the corpus true? Pages with a gold text are served, crawled at default settings, and looked for.

    python benchmarks/truth/run.py DATA FOLDER [--pages 300] [--json]

DATA holds folders with pages.jsonl.gz (id, html or html_b64, text; url, title, date, lang, page_type
if known). So many pages, chosen by a hash of their names, stand at their own addresses (those without
one on made hosts), each host with a front page of teasers, a feed, a site map and a contact page. A
hash of its name says whether a host is crawled from its front, read by its feed or by its map.
FOLDER becomes the corpus; the table is that of `izwi evaluate corpus`.
"""

import argparse
import base64
import gzip
import hashlib
import json
import re
import threading
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import izwi
from izwi.cases.page_tools import evaluate_corpus
from izwi.gather.urls import canonical

# A teaser has so many words; a made host so many pages; a front so many teasers.
TEASER_WORDS, PAGES_A_HOST, ON_FRONT = 45, 40, 12
NO_DOCUMENTS = ("listing", "collection")


@dataclass
class Web:
    """All that the proxy serves, and what is true of it."""

    bodies: dict[str, tuple[str, bytes]] = field(default_factory=dict)
    gold: list[dict[str, object]] = field(default_factory=list)
    by_host: dict[str, list[dict[str, object]]] = field(default_factory=lambda: defaultdict(list))


def number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:6], "big")


def rows(data: Path, most: int) -> list[dict]:
    found = []
    for path in sorted(data.glob("*/pages.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8", errors="surrogatepass") as lines:
            found += [json.loads(line) | {"set": path.parent.name} for line in lines]
    found.sort(key=lambda row: number(f"{row['set']} {row['id']}"))
    return found[:most] if most else found


def address(row: dict) -> str:
    """Return where a page stands: at its own address, or on a made host."""
    own = canonical(str(row.get("url") or "").replace("https://", "http://", 1))
    if own and urlsplit(own).path not in ("", "/"):
        return own
    place = number(row["id"])
    words = re.findall(r"[a-z]+", str(row.get("title") or row.get("text") or "page").lower())[:6]
    host = f"{row['set']}-{place % max(1, 1000 // PAGES_A_HOST):02d}.example"
    return f"http://{host}/2012/05/{'-'.join(words) or 'page'}-{place % 10**6}"


def make_web(data: Path, most: int) -> Web:
    web = Web()
    for row in rows(data, most):
        url, text = address(row), str(row.get("text") or "")
        raw = row.get("html_b64")
        body = base64.b64decode(raw) if raw else row["html"].encode("utf-8", "replace")
        if url in web.bodies:
            continue
        web.bodies[url] = ("text/html", re.sub(rb'(rel="canonical" href=")https', rb"\1http", body))
        kind = str(row.get("page_type") or "article")
        gold = {"url": url, "text": text, "type": kind, "document": kind not in NO_DOCUMENTS}
        gold |= {key: str(row.get(key) or "") for key in ("title", "date", "lang")}
        web.gold.append(gold | {"date": str(gold["date"])[:10]})
        web.by_host[urlsplit(url).netloc].append(gold)
    for host, own in web.by_host.items():
        _make_lists(web, host, own)
    return web


def _make_lists(web: Web, host: str, own: list[dict]) -> None:
    """Add front page, contact page, feed and site map of a host; none is a document."""
    root = f"http://{host}/"
    teasers = "".join(_teaser(each) for each in own[:ON_FRONT])
    menu = (
        f'<ul><li><a href="{root}">Home</a></li><li><a href="{root}contact">Contact</a></li></ul>'
    )
    front = f"<html><title>{host}</title><body>{menu}<h1>{host}</h1>{teasers}</body></html>"
    contact = (
        f"<html><title>Contact</title><body>{menu}<p>Write to {host}, or call us.</p></body></html>"
    )
    items = "".join(f"<item><link>{escape(str(each['url']))}</link></item>" for each in own)
    places = "".join(f"<url><loc>{escape(str(each['url']))}</loc></url>" for each in own)
    made = {
        root: ("text/html", front),
        f"{root}contact": ("text/html", contact),
        f"{root}feed.xml": (
            "application/rss+xml",
            f'<rss version="2.0"><channel>{items}</channel></rss>',
        ),
        f"{root}map.xml": ("application/xml", f"<urlset>{places}</urlset>"),
    }
    for url, (kind, body) in made.items():
        web.bodies.setdefault(url, (kind, body.encode("utf-8", "replace")))
    web.gold += [{"url": url, "document": False} for url in (root, f"{root}contact")]


def _teaser(gold: dict) -> str:
    words = str(gold["text"]).split()
    title = str(gold["title"]) or " ".join(words[:8])
    url, text = escape(str(gold["url"])), escape(" ".join(words[:TEASER_WORDS]))
    return f'<div><h2><a href="{url}">{escape(title)}</a></h2><p>{text} ...</p></div>'


def serve(web: Web) -> ThreadingHTTPServer:
    """Start a proxy that answers for every host."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            kind, body = web.bodies.get(self.path, ("", b""))
            self.send_response(200 if kind else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def make_corpus(web: Web, folder: Path) -> izwi.Corpus:
    """Make a corpus at default settings with a source for every host."""
    izwi.create(folder, contact="https://example.org/truth", name="truth", delay=0.0)
    fronts, tables = [], []
    for host in web.by_host:
        way = number(host) % 4
        if way < 2:
            fronts.append(f"http://{host}/")
        else:
            kind, name = (("feed", "feed.xml"), ("sitemap", "map.xml"))[way - 2]
            tables.append((kind, f"{kind}-{number(host) % 10**9}", f"http://{host}/{name}"))
    text = (
        f'\n[[source]]\ntype = "seeds"\nname = "fronts"\ndepth = 1\nurls = {json.dumps(fronts)}\n'
    )
    for kind, name, url in tables:
        text += f'\n[[source]]\ntype = "{kind}"\nname = "{name}"\nurl = "{url}"\n'
    with (folder / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(text if fronts else text.partition("\n\n")[2])
    return izwi.open(folder)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pages", type=int, default=300, help="0 for all")
    parser.add_argument("--json", action="store_true")
    asked = parser.parse_args()
    web = make_web(asked.data, asked.pages)
    server, corpus = serve(web), make_corpus(web, asked.folder)
    corpus.gather(proxy=f"http://127.0.0.1:{server.server_port}")
    corpus.build()
    gold = asked.folder / "gold.jsonl"
    gold.write_text("".join(json.dumps(each) + "\n" for each in web.gold), encoding="utf-8")
    truth = evaluate_corpus(asked.folder, gold)
    if asked.json:
        print(json.dumps(asdict(truth)))
        return
    print(f"{truth.gold} documents: {truth.kept_share:.1%} kept (wishes aside), F1 {truth.f1}, "
          f"of those kept {truth.f1_kept}; dates {truth.dates}, titles {truth.titles}")  # fmt: skip
    print(f"{truth.others_kept} of {truth.others} pages that are none are kept, and own words of "
          f"{truth.owned_by_others} documents; lost: {dict(truth.reasons)}")  # fmt: skip
    for name, part in truth.by_type.items():
        print(f"  {name:14} {part.gold:4} documents, {part.kept:4} kept, F1 {part.f1}")


if __name__ == "__main__":
    main()
