"""How much memory a Parquet export takes at three sizes: it is to be the same.

    python benchmarks/export/memory.py --documents 2000 20000 100000

Documents are made one by one and written as `izwi export FOLDER parquet` does it, part by part; each size runs in a process of its own.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
from datetime import UTC, date, datetime
from pathlib import Path

PART = 1000
WORDS = 200


def documents(first, last):
    from izwi.model.document import (
        Annotation,
        Document,
        LanguageGuess,
        Metadata,
        Paragraph,
        PublicationDate,
    )

    for number in range(first, last):
        words = tuple(f"word{(number * 7 + place * 13) % 50_000}" for place in range(WORDS))
        text = " ".join(words)
        ends, end = [], -1
        for word in words:
            end += len(word) + 1
            ends.append(end)
        starts = tuple(end - len(word) for end, word in zip(ends, words, strict=True))
        yield Document(
            f"doc{number}", f"https://example.org/{number}", datetime(2020, 1, 1, tzinfo=UTC), f"source{number % 40}",
            metadata=Metadata(f"Title {number}", date=PublicationDate(date(2000 + number % 20, 1, 1))),
            paragraphs=(Paragraph(text),), language=LanguageGuess("eng", 0.99),
            annotation=Annotation(words, starts, tuple(ends), (0,), (0,)),
        )  # fmt: skip


def write(count):
    from izwi.export.base import Edition
    from izwi.export.parquet import Parquet
    from izwi.export.release import Workplace

    with tempfile.TemporaryDirectory() as folder:
        place = Workplace(Path(folder) / "whole", Path(folder) / "rough")
        place.whole.mkdir()
        place.rough.mkdir()
        form = Parquet(Edition("made", version=1, published="2020-01-01", made="2020-01-01"))
        form.begin(place)
        # What is loaded and laid out once is not what grows.
        form.add(documents(0, min(PART, count)), place, before=0)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        for first in range(PART, count, PART):
            form.add(documents(first, min(first + PART, count)), place, before=first)
        form.finish(place)
        size = (place.whole / "made.parquet").stat().st_size
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cpu = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    print(json.dumps({"documents": count, "file_mb": round(size / 1e6, 1), "peak_mb": round(peak / 1024, 1),
                      "after_first_part_mb": round(before / 1024, 1), "cpu_s": round(cpu, 1)}))  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, nargs="+", default=[2_000, 20_000, 100_000])
    parser.add_argument("--one", type=int)
    asked = parser.parse_args()
    if asked.one:
        write(asked.one)
        return
    for count in asked.documents:
        subprocess.run([sys.executable, __file__, "--one", str(count)], check=True)


if __name__ == "__main__":
    main()
