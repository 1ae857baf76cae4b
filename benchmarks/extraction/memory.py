"""Memory of a long run: the resident size while pages go by, each made different.

    python benchmarks/extraction/memory.py DATA ... [--pages 100000]

DATA are folders with pages.jsonl.gz, of which 100 pages each are taken in turn. The resident size is
printed after 1,000, 10,000, ... pages and after every tenth. The goal is a flat line: the last tenth
of the run no higher than the first, but for the allocator.
"""

import argparse
import gzip
import json
import time
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
    parser.add_argument("data", type=Path, nargs="+", help="a folder with pages.jsonl.gz")
    parser.add_argument("--pages", type=int, default=100_000)
    given = parser.parse_args()
    pages = [page for folder in given.data for page in sample(folder, 100)]
    marks = {1_000, 10_000, 100_000, 1_000_000}
    step = max(1, given.pages // 10)
    for number, html in enumerate(islice(cycle(pages), given.pages), 1):
        izwi.extract(html.replace('class="', f'class="x{number} ', 1)).text  # noqa: B018
        if number % step == 0 or number in marks:
            spent = 1000 * time.process_time() / number
            print(f"{number:7d} pages {resident_mb():8.1f} MB {spent:6.2f} ms/page", flush=True)


if __name__ == "__main__":
    main()
