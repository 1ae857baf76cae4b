"""How fast each format is written, from documents in memory and from the layers of a corpus.

python benchmarks/export/speed.py [--documents 400]

CPU time of one core, part by part with their journal as `izwi export` does it; goal: 300,000 tokens a
second to vertical text at three sizes, and memory that does not grow with the corpus (the peak of
Python's own objects).
"""

import argparse
import random
import re
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

from izwi.export import release
from izwi.export.base import Choice, Edition
from izwi.export.characters import Outgoing
from izwi.export.release import ExportReading, Journal, Writing, releasing
from izwi.model.document import (
    Annotation,
    Document,
    LanguageGuess,
    Metadata,
    Paragraph,
    PublicationDate,
)
from izwi.service.exporting import FORMATS
from izwi.store.layers import read_documents, write_layer

GOAL = 300_000
LAYERS = ("text", "lang", "select", "tokens")
EDITION = Edition("bench", version=1, settings="bench", made="2026-01-01")
WHEN = datetime(2026, 1, 1, tzinfo=UTC)
TAGS = ("NN", "VB", "DT", "IN", "JJ", "PRP", ",", ".")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=400)
    count = parser.parse_args().documents
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        paths = {layer: root / f"{layer}.parquet" for layer in LAYERS}
        for layer, path in paths.items():
            write_layer(path, layer, documents(count))
        in_memory = list(documents(count))
        print(f"{count} documents of some 500 tokens; tokens per second of CPU time")
        print(f"{'format':<12} {'in memory':>12} {'from layers':>12}   goal for vertical {GOAL:,}")
        for name in FORMATS:
            one = rate(name, lambda: iter(in_memory), root)
            other = rate(name, lambda: read_documents(paths), root)
            print(f"{name:<12} {one:>12,.0f} {other:>12,.0f}")
        print("\nvertical text from layers at three sizes")
        for size in (count // 4, count // 2, count):
            print(f"{size:>8} documents {growing(size, root):>12,.0f} tokens/s")
    release.PART = count // 16
    print(f"\npeak memory of the vertical export, in parts of {release.PART} documents")
    for size in (count // 4, count // 2, count):
        print(f"{size:>8} documents {peak(size) / 1e6:8.1f} MB")


def growing(size: int, root: Path) -> float:
    """Return the rate of the vertical export of so many documents in layers."""
    with tempfile.TemporaryDirectory(dir=root) as folder:
        paths = {layer: Path(folder) / f"{layer}.parquet" for layer in LAYERS}
        for layer, path in paths.items():
            write_layer(path, layer, documents(size))
        return rate("vertical", lambda: read_documents(paths), root)


def rate(name: str, source: Callable[[], Iterator[Document]], root: Path) -> float:
    """Return tokens per second of CPU time, the best of three."""
    best = 0.0
    for _ in range(3):
        with tempfile.TemporaryDirectory(dir=root) as folder:
            begun = time.process_time()
            tokens = export(name, source, Path(folder) / "out")
            best = max(best, tokens / (time.process_time() - begun))
    return best


def export(name: str, source: Callable[[], Iterator[Document]], target: Path) -> int:
    """Write documents as `izwi export` does and return how many tokens they have."""
    reading, outgoing = ExportReading([source]), Outgoing(Choice())
    with releasing(target) as work:
        writing = Writing(FORMATS[name](EDITION), reading, outgoing, work, Journal({}, ""))
        writing.write(reading.documents())
    return outgoing.counts.tokens


def peak(size: int) -> int:
    tracemalloc.start()
    with tempfile.TemporaryDirectory() as folder:
        export("vertical", lambda: documents(size), Path(folder) / "out")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def documents(count: int) -> Iterator[Document]:
    """Yield documents of invented words, tagged by chance."""
    chance = random.Random(1)
    words = [
        "".join(chance.choices("abcdefghijklmnop", k=chance.randint(2, 9))) for _ in range(5000)
    ]
    for number in range(count):
        yield document(number, words, chance)


def document(number: int, words: list[str], chance: random.Random) -> Document:
    paragraphs = [
        " ".join(
            f"{' '.join(chance.choices(words, k=14))}, {chance.choice(words)}." for _ in range(6)
        )
        for _ in range(5)
    ]
    found = Document(
        f"{number:012x}-20260101000000", f"https://news.example/{number}", WHEN, "feed",
        metadata=Metadata("A title", "N. N.", PublicationDate(date(2020, 1, 1)), "News", "The News"),
        paragraphs=tuple(map(Paragraph, paragraphs)), language=LanguageGuess("eng", 0.99),
    )  # fmt: skip
    return replace(found, annotation=annotation(found.text, chance))


def annotation(text: str, chance: random.Random) -> Annotation:
    spans = [match.span() for match in re.finditer(r"\w+|[^\w\s]", text)]
    words = tuple(text[a:b] for a, b in spans)
    firsts = [0, *(place + 1 for place, word in enumerate(words[:-1]) if word == ".")]
    begins = [0, *(p for p in firsts if p and text[spans[p][0] - 1] == "\n")]
    return Annotation(
        words, tuple(a for a, _ in spans), tuple(b for _, b in spans), tuple(firsts), tuple(begins),
        lemmas=words, xpos=tuple(chance.choices(TAGS, k=len(words))),
    )  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
