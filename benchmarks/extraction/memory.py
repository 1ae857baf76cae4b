"""Memory of a long run: the resident size while pages go by, each made different.

    python benchmarks/extraction/memory.py DATA [--pages 100000]

The goal is a flat line: the last tenth of the run no higher than the first, but for the allocator.
"""

import argparse
import gzip
import json
from itertools import cycle, islice
from pathlib import Path

import izwi


def resident_mb() -> float:
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def sample(data: Path, most: int) -> list[str]:
    path = data / "pages.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8", errors="surrogatepass") as lines:
        rows = (json.loads(line) for line in islice(lines, most))
        return [row["html"] for row in rows if "html" in row]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="a folder with pages.jsonl.gz")
    parser.add_argument("--pages", type=int, default=100_000)
    given = parser.parse_args()
    pages = sample(given.data, 200)
    step = max(1, given.pages // 10)
    for number, html in enumerate(islice(cycle(pages), given.pages), 1):
        izwi.extract(html.replace('class="', f'class="x{number} ', 1)).text  # noqa: B018
        if number % step == 0:
            print(f"{number:7d} pages {resident_mb():8.1f} MB", flush=True)


if __name__ == "__main__":
    main()
