"""Time queries on a generated corpus beside CWB and Manatee (their figures: the same shapes, 50 M tokens).

    python benchmarks/query/generate.py /tmp/50m.vert --tokens 50000000
    python benchmarks/query/measure.py /tmp/50m.vert --folder /tmp/50m

CPU time of this process alone, the best of three warm runs (up to two hundred of what takes less than .1 s together), nothing cached between them but what the operating system
keeps of the files. Peers' figures are of another text with the same shapes: read the ratios as orders of size.
"""

import argparse
import itertools
import resource
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from izwi.index.assemble import Origin, merge_segments
from izwi.index.reader import Segment
from izwi.index.vertical import VerticalShape, import_vertical
from izwi.pipeline.staleness import segments_to_merge
from izwi.query.concordance import Filter, View, concordance
from izwi.query.cql import parse
from izwi.query.values import allowed, compiled
from izwi.store.snapshots import SegmentEntry

SHAPE = VerticalShape(("word", "lemma", "tag"))
# name, query, sort, CWB ms, Manatee ms, goal as a share of CWB (or milliseconds if None)
QUERIES = (
    ("frequent word, a page", '"the"', "date", 129, 109, 0.15),
    (".*ation", '".*ation"', "date", 41, 17, 0.41),
    ("un.*ed", '"un.*ed"', "date", 20, 2.6, 0.13),
    (
        "sequence within s",
        '[lemma="make"] [tag="DT"]? [tag="J.*"]{0,2} [tag="N.*"] within <s/>',
        "date",
        65,
        236,
        0.3,
    ),
    ("J N within s", '[tag="J.*"] [tag="N.*"] within <s/>', "date", 979, 630, 0.3),
    ("phrase", '"at" "the" "end" "of"', "date", 46, 34, 0.1),
    ("sort by 3 right", '[lemma="make"]', "right", 114, 198, 0.15),
)


def cpu_ms(work: Callable[[], object]) -> float:
    """Return the best of three warm runs; of up to two hundred for what takes less than that."""
    taken: list[float] = []
    while len(taken) < (3 if sum(taken) > 0.1 else 200):
        begun = time.process_time()
        work()
        taken.append(time.process_time() - begun)
    return 1000 * min(taken)


def ask(segments: list[Segment], cql: str, sort: str = "date"):
    compiled.cache_clear()
    return concordance(
        segments, parse(cql), text=cql, snapshot=1, chosen=Filter(), view=View(sort, size=20)
    )


def measure(segments: list[Segment]) -> None:
    rare = rare_word(segments[0])
    shown = (("rare word, 20 lines", f'"{rare}"', "date", 0.11, 0.23, None), *QUERIES)
    print(f"{'query':24}{'hits':>12}{'izwi ms':>10}{'CWB':>8}{'Manatee':>9}{'/CWB':>8}{'goal':>8}")
    for name, cql, sort, cwb, manatee, goal in shown:
        hits = ask(segments, cql, sort).hits
        own = cpu_ms(lambda cql=cql, sort=sort: ask(segments, cql, sort))
        wanted = f"{goal:.2f}" if goal else ".5 ms"
        print(f"{name:24}{hits:>12,}{own:>10.2f}{cwb:>8}{manatee:>9}{own / cwb:>8.2f}{wanted:>8}")
    for pattern in (".*ation", "un.*ed", ".*ol.*ck.*", "[a-f]+ing"):
        test = parse(f'"{pattern}"').pattern.condition

        def look(test=test):
            compiled.cache_clear()
            return allowed(segments[0].word, test)

        print(f"  lexicon only, {pattern}: {len(look()):,} values, {cpu_ms(look):.2f} ms")


def rare_word(segment: Segment) -> str:
    """Return a word with twelve hits, or as near to that as there are."""
    distances = np.abs(segment.word.frequencies - 12)
    numbers = np.flatnonzero(distances == distances.min())
    return segment.word.lexicon[int(numbers[len(numbers) // 2])]


def build(source: Path, folder: Path) -> Segment:
    shutil.rmtree(folder, ignore_errors=True)
    begun = time.process_time()
    entry = import_vertical(source, folder, SHAPE, Origin("imported-"), memory_bytes=1 << 30)
    seconds = time.process_time() - begun
    size = sum(path.stat().st_size for path in (folder / entry.id).iterdir())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    segment = Segment(folder / entry.id)
    print(
        f"{entry.tokens:,} tokens, {len(segment.word.lexicon):,} types: built in {seconds:.1f} CPU s, "
        f"{entry.tokens / seconds:,.0f} tokens/s (goal 500,000; 50 M: 55 s), {size / entry.tokens:.2f} bytes a token "
        f"(goal 10), {memory:,.0f} MB"
    )
    return segment


def measure_growth(source: Path, folder: Path, whole: Segment) -> None:
    """Add a text in ten steps, merge as a build does, and compare what is left with one segment."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    entries: list[SegmentEntry] = []
    merging = 0.0
    for number, part in enumerate(tenths(source)):
        path = folder / f"{number}.vert"
        path.write_bytes(part)
        origin = Origin("grown", (f"{number:02}",))
        entries.append(import_vertical(path, folder, SHAPE, origin, memory_bytes=1 << 30))
        many = segments_to_merge(entries)
        if many:
            begun = time.process_time()
            shards = tuple(sorted(shard for entry in many for shard in entry.shards))
            segments = [Segment(folder / entry.id) for entry in many]
            merged = merge_segments(folder, segments, Origin("grown", shards))
            merging += time.process_time() - begun
            entries = [*(entry for entry in entries if entry not in many), merged]
    sizes = ", ".join(f"{entry.tokens:,}" for entry in entries)
    print(f"ten additions left segments of {sizes} tokens; merging took {merging:.1f} CPU s in all")
    compare(whole, [Segment(folder / entry.id) for entry in entries])


def tenths(source: Path) -> list[bytes]:
    documents = source.read_bytes().split(b"</doc>\n")
    cuts = [number * len(documents) // 10 for number in range(11)]
    return [b"</doc>\n".join([*documents[a:b], b""]) for a, b in itertools.pairwise(cuts)]


def compare(whole: Segment, several: list[Segment]) -> None:
    for name, cql, sort, *_ in QUERIES:
        one, more = (
            cpu_ms(lambda s=s, cql=cql, sort=sort: ask(s, cql, sort)) for s in ([whole], several)
        )
        assert ask(several, cql, sort).hits == ask([whole], cql, sort).hits
        print(
            f"  {name}: one segment {one:.2f} ms, {len(several)} segments {more:.2f} ms, "
            f"{more / one:.1f} times (goal 1.5)"
        )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("source", type=Path)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--keep", action="store_true", help="use the segment that is there")
    parser.add_argument(
        "--growth", action="store_true", help="also add the text in ten steps, merging"
    )
    asked = parser.parse_args()
    kept = (
        [Segment(path.parent) for path in asked.folder.glob("*/segment.json")] if asked.keep else []
    )
    segment = kept[0] if kept else build(asked.source, asked.folder)
    measure([segment])
    if asked.growth:
        measure_growth(asked.source, asked.folder.with_name(f"{asked.folder.name}-ten"), segment)
