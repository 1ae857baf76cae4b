"""The table of queries in one command: costs at each size, equal counts, and peers where they are installed.

    python benchmarks/query/table.py --folder /tmp/query --sizes 5 50 [--times 10]

Texts and segments are those of growth.py and are kept in the folder. Where `cwb-encode` and `cqp`, or `encodevert` and
`corpquery`, are on the path, the text of the last size is indexed by them too and each query asked three times in a process
of its own: CPU of the process, less that of one which is asked for a word that does not occur. Neither could be had where
this was written, so what asks them was never run against the real programs.
"""

import argparse
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import counts
import growth
from measure import rare_word

REGISTRY = "registry"
# What CQP writes otherwise.
CQP = {
    "1:[] 2:[] within s & 1.word = 2.word": "a:[] b:[] :: a.word = b.word within s",
    "<doc/>": "<doc> []* </doc>",
}
SETTINGS = """PATH {data}
VERTICAL {text}
ENCODING utf-8
ATTRIBUTE word
ATTRIBUTE lemma
ATTRIBUTE tag
STRUCTURE s
STRUCTURE p
STRUCTURE doc {{
    ATTRIBUTE id
    ATTRIBUTE date
    ATTRIBUTE source
}}
"""


def cpu_of(command: list[str], said: str = "") -> float:
    """Return the CPU milliseconds of a process; one that fails ends the comparison."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, input=said, text=True, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


class Cwb:
    """CWB's programs; queries are given to cqp on its standard input."""

    name, programs = "CWB", ("cwb-encode", "cwb-makeall", "cqp")

    def __init__(self, folder: Path, text: Path) -> None:
        self.registry, data = folder / REGISTRY, folder / "data"
        data.mkdir(parents=True)
        self.registry.mkdir()
        places = f"-d {data} -f {text} -R {self.registry / 'text'}"
        kinds = "-c utf8 -xsB -P lemma -P tag -S s:0 -S p:0 -S doc:0+id+date+source"
        cpu_of(["cwb-encode", *places.split(), *kinds.split()])
        cpu_of(["cwb-makeall", "-r", str(self.registry), "TEXT"])

    def ask(self, query: str) -> float:
        """Return what a query and its size take."""
        asked = f"A = {CQP.get(query, query).replace('<s/>', 's')};\nsize A;\n"
        return cpu_of(["cqp", "-r", str(self.registry), "-D", "TEXT"], asked)


class Manatee:
    """Manatee's programs; its corpora are described by a file."""

    name, programs = "Manatee", ("encodevert", "corpquery")

    def __init__(self, folder: Path, text: Path) -> None:
        self.settings = folder / "text.conf"
        folder.mkdir(parents=True)
        self.settings.write_text(SETTINGS.format(data=folder / "data", text=text), encoding="utf-8")
        cpu_of(["encodevert", "-c", str(self.settings)])

    def ask(self, query: str) -> float:
        """Return what a query takes."""
        return cpu_of(["corpquery", str(self.settings), query])


def peers(folder: Path, text: Path) -> dict[str, Cwb | Manatee]:
    """Return the peers that are installed, each with the text indexed."""
    found: dict[str, Cwb | Manatee] = {}
    for kind in (Cwb, Manatee):
        if not all(map(shutil.which, kind.programs)):
            print(f"{kind.name} is not installed here ({', '.join(kind.programs)})")
            continue
        place = folder / kind.name.lower()
        shutil.rmtree(place, ignore_errors=True)
        found[kind.name] = kind(place, text)
    return found


def compare(own: dict[str, float], rare: str, known: dict[str, Cwb | Manatee]) -> None:
    """Print what peers take for the questions they can be asked, and our share of it."""
    asked = [("rare word", f'"{rare}"'), *((name, cql) for name, cql, *_ in growth.QUERIES)]
    for peer, corpus in known.items():
        empty = min(corpus.ask('"no-such-word"') for _ in range(3))
        for name, cql in asked:
            if not name.startswith("sort"):
                theirs = max(0.01, min(corpus.ask(cql) for _ in range(3)) - empty)
                print(f"{peer:8} {name:22}{theirs:>10.2f} ms, ours {own[name] / theirs:.2f} of it")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    growth.add_arguments(parser)
    given = parser.parse_args()
    every, segments = growth.table(given)
    size = given.sizes[-1]
    found = peers(given.folder, given.folder / f"{size}m.vert")
    compare(every[size], rare_word(segments[size]), found)
    # It reads what it is asked from the command line, which was ours here.
    sys.argv = sys.argv[:1]
    return counts.main()


if __name__ == "__main__":
    sys.exit(main())
