"""Eighty queries in CQP's language, counted by the engine and by a matcher that tries everything.

    python benchmarks/query/counts.py            # compare with the answers in counts.tsv
    python benchmarks/query/counts.py --write    # write the answers anew, by the matcher alone

The text is generated (seed 1, 1,000 tokens). CWB itself could not be had where this was written: no package of it is in the
registries. Where `cqp` is installed, `cwb-encode` of the same text and `size` of each query are to give these counts with the
same strategy; until then they are those of `tests/query/matcher.py`, which shares no code with the engine.
"""

import argparse
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from generate import generate
from tests.query.matcher import Plain, search

from izwi.index.assemble import Origin
from izwi.index.limits import Deadline
from izwi.index.reader import Segment
from izwi.index.vertical import VerticalShape, import_vertical
from izwi.query.cql import parse
from izwi.query.execute import execute

TABLE = Path(__file__).with_name("counts.tsv")
SHAPE = VerticalShape(("word", "lemma", "tag"), ("doc", "p", "s"))
PATTERNS = (
    '"the"', '[lemma="time"]', '[tag="N.*"]', '[tag!="N.*"]', '"th.*"', '".*ing"', '[word="the" & tag="DT"]',
    '[word="the" | word="a"]', '[tag="DT"] [tag="N.*"]', '[tag="J.*"] [tag="N.*"] within s',
    '[tag="DT"]? [tag="J.*"]* [tag="N.*"]', '[tag="DT"] []{0,2} [tag="N.*"] within s',
    '[tag="V.*"] []{0,6} [tag="N.*"] within s', '<s> [tag="PR"]', '[tag="N.*"] </s>', '<s/> containing "of"',
)  # fmt: skip
STRATEGIES = ("standard", "traditional", "shortest", "longest", "")


def queries() -> list[str]:
    """Return each pattern with each strategy."""
    return [f"(?{name}) {each}" if name else each for name in STRATEGIES for each in PATTERNS]


def plain(text: str) -> Plain:
    """Return vertical text as lists."""
    tokens, structures, opened = [], {"doc": [], "p": [], "s": []}, {}
    for line in text.splitlines():
        if line.startswith("</"):
            structures[line[2:-1]].append((opened.pop(line[2:-1]), len(tokens), {}))
        elif line.startswith("<"):
            opened[line[1:-1].split()[0]] = len(tokens)
        else:
            tokens.append(dict(zip(SHAPE.attributes, line.split("\t"), strict=True)))
    return Plain(tokens, structures)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "text.vert"
        generate(source, 1_000)
        if given.write:
            corpus = plain(source.read_text(encoding="utf-8"))
            rows = [f"{each}\t{len(search(corpus, parse(each)))}\n" for each in queries()]
            TABLE.write_text("".join(rows), encoding="utf-8")
            return 0
        folder = Path(place) / "segments"
        entry = import_vertical(source, folder, SHAPE, Origin("counts"), memory_bytes=1 << 24)
        segment = Segment(folder / entry.id)
        differing = 0
        for line in TABLE.read_text(encoding="utf-8").splitlines():
            query, _, expected = line.rpartition("\t")
            found = len(execute(segment, parse(query), Deadline(None)))
            if found != int(expected):
                differing += 1
                print(f"{query}: {found}, not {expected}")
        print(f"{len(queries()) - differing} of {len(queries())} counts are equal")
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
