"""Harvest rate of the focused crawl beside breadth first, over the same web, in one run.

    .venv/bin/python benchmarks/gather/focus.py [pages ...]

The web (tests/gather/manylanguages.py) has 48 hosts of 60 pages: 8 in isiZulu, 4 half, 36 in English
or Afrikaans; of the html lang attributes 40 % are true, 40 % missing, 20 % false. Both crawls begin
with the same six seeds (two in isiZulu) and may go everywhere. A page counts as good by what the web
knows of it, not by what the crawler thinks.
"""

import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from tests.demoweb import faults  # noqa: E402
from tests.gather.conftest import Gathering  # noqa: E402
from tests.gather.manylanguages import ManyLanguages  # noqa: E402

from izwi.gather.sources.crawl import CrawlSource  # noqa: E402
from izwi.gather.sources.focused import FocusedSource  # noqa: E402
from izwi.text.language.base import identifier  # noqa: E402

GOAL = 2.0


def main(sizes):
    identify = identifier("izwi")
    for seed in (7, 8, 9):
        web = ManyLanguages(seed)
        own = dict(faults.HOSTS)
        web.install(own)
        faults.HOSTS = own
        for pages in sizes:
            plain = measured(CrawlSource("all", web.seeds, (".example",)), web, pages, None)
            source = FocusedSource("zulu", web.seeds, ("zu",), (".example",))
            keen = measured(source, web, pages, lambda texts: [identify(t).code for t in texts])
            print(
                f"web {seed}, {pages:5d} pages: breadth first {plain[0]:.3f}, focused {keen[0]:.3f}, "
                f"ratio {keen[0] / plain[0]:.2f} (goal {GOAL:g}); CPU {plain[1]:.1f} s and {keen[1]:.1f} s"
            )


def measured(source, web, pages, tell):
    """Return the harvest rate over so many pages, and the CPU seconds (server included)."""
    with faults.FaultyWeb() as server, tempfile.TemporaryDirectory() as folder:
        gathering = Gathering(Path(folder) / "c", server)
        began = time.process_time()
        gathering.run(source, pages=pages, seconds=600.0, tell=tell, respect=())
        seconds = time.process_time() - began
        urls = list(gathering.captures)
    places = (url.partition("://")[2].partition("/") for url in urls)
    good = sum(
        web.language(host, int(path.rpartition("/")[2] or 0)) == "zu" for host, _, path in places
    )
    return good / max(1, len(urls)), seconds


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or [125, 250, 500])
