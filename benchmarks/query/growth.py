"""How costs grow with the corpus: the same questions at three sizes, and what a rare word costs at each.

    python benchmarks/query/growth.py --folder /tmp/growth               # 1, 5 and 20 million tokens
    python benchmarks/query/growth.py --folder /tmp/growth --sizes 1 50  # others, in millions

Texts are made by generate.py and kept in the folder. CPU milliseconds of this process, the best of three warm runs
(twenty below 5 ms). A rare word has twelve hits at every size, so its page of twenty lines should cost the same.
"""

import argparse
from pathlib import Path

from generate import generate
from measure import ask, build, cpu_ms, rare_word

from izwi.analyse.selection import Selection
from izwi.analyse.vocabulary import Choice
from izwi.analyse.wordlists import word_list
from izwi.index.reader import Segment
from izwi.query.deadline import NEVER
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


def costs(segment: Segment) -> dict[str, float]:
    """Return what each question costs, in milliseconds."""
    asked = (("rare word", f'"{rare_word(segment)}"', "date"), *QUERIES)
    found = {
        name: cpu_ms(lambda cql=cql, sort=sort: ask([segment], cql, sort))
        for name, cql, sort in asked
    }
    everything = Selection((segment,), Filter())
    found["word list"] = cpu_ms(
        lambda: word_list(everything, Choice(), sort="hits", snapshot=1, deadline=NEVER)
    )
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1, 5, 20])
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    every = {size: costs(segment_of(given.folder, size)) for size in given.sizes}
    print("".join([f"{'CPU ms':22}", *(f"{size:>8} M" for size in every), "    growth"]))
    for name in every[given.sizes[0]]:
        row = [found[name] for found in every.values()]
        times = row[-1] / row[0]
        print("".join([f"{name:22}", *(f"{each:>10.2f}" for each in row), f"{times:>9.1f}x"]))


if __name__ == "__main__":
    main()
