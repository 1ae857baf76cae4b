"""Pages per CPU second: this crawler beside Scrapy, the same web, the same pages, in one run.

    .venv/bin/pip install scrapy
    .venv/bin/python benchmarks/gather/crawl.py [copies ...]

Both crawl the project's test web through its proxy, with robots.txt, canonical URLs (Scrapy: its
request fingerprints), a WARC file of request and response, and links followed on the same hosts.
The test web is small, so each article is also linked under `?copy=N`. CPU seconds are those of the
crawling process, user and system, without imports and start-up.
"""

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.demoweb.truth import ground_truth

from izwi.demoweb import DemoWeb, archive_urls

GOAL = 4.0
OURS = """
import json, sys, time
from pathlib import Path
from izwi.cases.corpus import create_corpus
folder, proxy, seeds = Path(sys.argv[1]), sys.argv[2], json.loads(sys.stdin.read())
create_corpus(folder, contact="https://izwi.example/bench", name="bench", delay=0.0)
with (folder / "corpus.toml").open("a") as file:
    file.write('\\n[[source]]\\nname = "all"\\ntype = "crawl"\\ndepth = 9\\n')
    file.write("seeds = " + json.dumps(seeds))
import izwi.gather.loop, izwi.service.gathering
from izwi.cases.corpus import Corpus
corpus = Corpus(folder)
began = time.process_time()
report = corpus.gather(proxy=proxy)
print(json.dumps([report.fetched, time.process_time() - began]))
"""
SCRAPYS = """
import io, json, sys, time, warnings
from urllib.parse import urlsplit
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
from warcio.warcwriter import WARCWriter
from warcio.statusandheaders import StatusAndHeaders
folder, proxy, seeds = sys.argv[1], sys.argv[2], json.loads(sys.stdin.read())
hosts = sorted({urlsplit(url).hostname for url in seeds})
output = open(folder + "/scrapy.warc.gz", "wb")
writer = WARCWriter(output, gzip=True)
count = 0

class All(scrapy.Spider):
    name = "all"
    allowed_domains = hosts
    links = LinkExtractor(allow_domains=hosts, canonicalize=True)
    async def start(self):
        for url in seeds:
            yield scrapy.Request(url, meta={"proxy": proxy})
    def parse(self, response):
        global count
        count += 1
        fields = [(n.decode(), v[0].decode("latin-1")) for n, v in response.headers.items()]
        asked = StatusAndHeaders("GET / HTTP/1.1", [], is_http_request=True)
        http = StatusAndHeaders(f"{response.status} OK", fields, protocol="HTTP/1.1")
        body = io.BytesIO(response.body)
        answer = writer.create_warc_record(
            response.url, "response", payload=body, http_headers=http)
        request = writer.create_warc_record(response.url, "request", http_headers=asked)
        writer.write_request_response_pair(request, answer)
        if isinstance(response, scrapy.http.HtmlResponse):
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url, meta={"proxy": proxy})

process = CrawlerProcess({
    "ROBOTSTXT_OBEY": True, "LOG_ENABLED": False, "TELNETCONSOLE_ENABLED": False,
    "CONCURRENT_REQUESTS": 8, "CONCURRENT_REQUESTS_PER_DOMAIN": 8, "DOWNLOAD_DELAY": 0,
    "RETRY_ENABLED": False, "COOKIES_ENABLED": False, "DEPTH_LIMIT": 9, "DUPEFILTER_DEBUG": False,
})
process.crawl(All)
began = time.process_time()
process.start()
print(json.dumps([count, time.process_time() - began]))
"""


def crawl(script: str, folder: Path, proxy: str, seeds: list[str]) -> tuple[int, float]:
    """Return how many pages a crawler fetched and how many CPU seconds it took."""
    folder.mkdir(parents=True)
    ended = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script, str(folder), proxy],
        input=json.dumps(seeds), capture_output=True, text=True, check=False,
    )  # fmt: skip
    if ended.returncode:
        sys.exit(ended.stderr)
    pages, seconds = json.loads(ended.stdout.splitlines()[-1])
    return pages, seconds


def seeds_for(copies: int) -> list[str]:
    copied = [
        f"{url}{'&' if '?' in url else '?'}copy={n}"
        for url in ground_truth()
        for n in range(copies)
    ]
    return [*archive_urls().values(), *copied]


def main() -> None:
    for copies in map(int, sys.argv[1:] or ("0", "2", "8")):
        with DemoWeb() as web, tempfile.TemporaryDirectory() as name:
            speeds = {}
            for label, script in (("izwi", OURS), ("scrapy", SCRAPYS)):
                if label == "scrapy" and find_spec("scrapy") is None:
                    print("scrapy is not here: pip install 'izwi[bench]'", flush=True)
                    continue
                folder = Path(name) / label
                pages, seconds = crawl(script, folder, web.proxy_url, seeds_for(copies))
                speeds[label] = pages / seconds
                speed = f"{speeds[label]:8.1f} pages per CPU s"
                print(f"{label:<7}{pages:6d} pages {seconds:7.2f} CPU s {speed}")
            if "scrapy" in speeds:
                ratio = speeds["izwi"] / speeds["scrapy"]
                print(f"ratio  {ratio:.1f} (goal {GOAL:.0f})", flush=True)


if __name__ == "__main__":
    main()
