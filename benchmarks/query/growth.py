"""How costs grow with the corpus: the same questions at three sizes, and what a rare word costs at each.

    python benchmarks/query/growth.py --folder /tmp/growth               # 1, 5 and 20 million tokens
    python benchmarks/query/growth.py --folder /tmp/growth --sizes 1 50  # others, in millions
    python benchmarks/query/growth.py --folder /tmp/growth --sizes 50 --times 4  # 50, and 4 times 50

Texts are made by generate.py and kept in the folder. CPU milliseconds of this process, the best of three warm runs
(up to two hundred of what takes less than .1 s together, more of a rare word). A rare word has twelve hits at every size, so its page of twenty lines should cost the same.
With --times the largest segment is merged with itself so many times, which takes a fraction of the time of making new
text: positions, lists and documents are as many as in a text of that size, but it has no more types than one of them.
"""

import argparse
import resource
import time
from pathlib import Path

from generate import generate
from measure import ask, build, cpu_ms, rare_word

from izwi.analyse.selection import Selection
from izwi.analyse.vocabulary import Choice
from izwi.analyse.wordlists import word_list
from izwi.index.assemble import Origin, merge_segments
from izwi.index.reader import Segment
from izwi.query.engine import Filter

QUERIES = (
    ("frequent word", '"the"', "date"),
    ("lemma", '[lemma="make"]', "date"),
    ("phrase", '"at" "the" "end" "of"', "date"),
    ("expression", '".*ation"', "date"),
    ("sequence within s", '[lemma="make"] [tag="DT"]? [tag="J.*"]{0,2} [tag="N.*"] within <s/>', "date"),
    ("labels compared", "1:[] 2:[] within s & 1.word = 2.word", "date"),
    ("documents", "<doc/>", "date"),
    ("sort by 3 right", '[lemma="make"]', "right"),
    ("sort by target", '[tag="DT"] @[tag="J.*"] [lemma="make.*"]', "target.lemma"),
)  # fmt: skip


def segment_of(folder: Path, millions: int) -> Segment:
    """Return a segment of that size, made once."""
    place, text = folder / f"{millions}m", folder / f"{millions}m.vert"
    kept = [Segment(path.parent) for path in place.glob("*/segment.json")]
    if not kept and not text.exists():
        generate(text, millions * 1_000_000)
    return kept[0] if kept else build(text, place)


def multiplied(folder: Path, segment: Segment, millions: int, times: int) -> Segment:
    """Return a segment that holds another so many times, made once."""
    place = folder / f"{millions * times}m"
    kept = [path.parent for path in place.glob("*/segment.json")]
    if kept:
        return Segment(kept[0])
    begun = time.process_time()
    entry = merge_segments(place, [segment] * times, Origin("multiplied"), memory_bytes=1 << 30)
    seconds = time.process_time() - begun
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = Segment(place / entry.id)
    size = sum(path.stat().st_size for path in found.folder.iterdir())
    print(
        f"{entry.tokens:,} tokens: merged in {seconds:.1f} CPU s, {size / entry.tokens:.2f} bytes a "
        f"token, {memory:,.0f} MB"
    )
    return found


def costs(segment: Segment) -> dict[str, float]:
    """Return what each question costs, in milliseconds."""
    rare = f'"{rare_word(segment)}"'
    # So short that other programs' use of the memory is felt: the best of many.
    found = {"rare word": min(cpu_ms(lambda: ask([segment], rare)) for _ in range(8))}
    found |= {
        name: cpu_ms(lambda cql=cql, sort=sort: ask([segment], cql, sort))
        for name, cql, sort in QUERIES
    }
    everything = Selection((segment,), Filter())
    found["word list"] = cpu_ms(lambda: word_list(everything, Choice(), sort="hits"))
    return found


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add which sizes are measured, and where their texts are kept."""
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 5, 20])
    parser.add_argument("--times", type=int, default=1, help="the last size so many times, too")


def table(given: argparse.Namespace) -> tuple[dict[int, dict[str, float]], dict[int, Segment]]:
    """Print what each question costs at each size; return it, and the segments."""
    given.folder.mkdir(parents=True, exist_ok=True)
    segments = {size: segment_of(given.folder, size) for size in given.sizes}
    if given.times > 1:
        last = given.sizes[-1]
        larger = multiplied(given.folder, segments[last], last, given.times)
        segments[last * given.times] = larger
    every = {size: costs(segment) for size, segment in segments.items()}
    print("".join([f"{'CPU ms':22}", *(f"{size:>8} M" for size in every), "    growth"]))
    for name in every[given.sizes[0]]:
        row = [found[name] for found in every.values()]
        times = row[-1] / row[0]
        print("".join([f"{name:22}", *(f"{each:>10.2f}" for each in row), f"{times:>9.1f}x"]))
    return every, segments


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    add_arguments(parser)
    table(parser.parse_args())
