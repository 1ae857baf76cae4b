"""What one page of 50 lines, and its JSON, costs the server through HTTP: CPU of its process alone.

    python benchmarks/web/lines.py /tmp/50m/SEGMENT

The segment is one that benchmarks/query/measure.py has built. A rare word, a common one and the most frequent are asked
for again and again over one connection, with gzip, as a browser asks. Goal: 15 CPU ms. An address without a page says
what every request costs.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path
from urllib.parse import urlencode

import httpx
from readers import corpus_round, cpu_seconds, served

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "query"))
from measure import rare_word

from izwi.index.reader import Segment

GOAL_MS = 15
# What a server loads ahead is done by then, and is no part of a page.
_LOADED_SECONDS = 15.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("segment", type=Path)
    parser.add_argument("--times", type=int, default=100)
    given = parser.parse_args()
    words = (rare_word(Segment(given.segment)), "house", "the")
    with tempfile.TemporaryDirectory() as place:
        folder = corpus_round(given.segment, Path(place))
        with served(folder) as (address, process):
            wait_for(address)
            client = httpx.Client(
                base_url=address, trust_env=False, timeout=300, headers={"Accept": "text/html"}
            )
            with client:
                for kind in ("/c/big/conc", "/api/v1/c/big/conc"):
                    for word in words:
                        cost(client, process, f"{kind}?{urlencode({'q': word})}", given.times)
                cost(client, process, "/nothing", given.times)


def wait_for(address: str) -> None:
    """Wait until a server answers and has loaded what it loads ahead."""
    begun = time.monotonic()
    while True:
        try:
            httpx.get(address, trust_env=False, timeout=300)
            break
        except httpx.ConnectError:
            time.sleep(0.2)
    time.sleep(max(0.0, _LOADED_SECONDS - (time.monotonic() - begun)))


def cost(client: httpx.Client, process: int, path: str, times: int) -> None:
    """Ask for an address so many times, and say what one answer cost."""
    for _ in range(10):
        client.get(path)
    used, begun = cpu_seconds(process), time.perf_counter()
    for _ in range(times):
        size = len(client.get(path).content)
    milliseconds = 1000 * (cpu_seconds(process) - used) / times
    waited = 1000 * (time.perf_counter() - begun) / times
    print(
        f"{milliseconds:6.1f} CPU ms (goal {GOAL_MS}), {waited:6.1f} ms, {size:,} bytes  {path}",
        flush=True,
    )


if __name__ == "__main__":
    main()
