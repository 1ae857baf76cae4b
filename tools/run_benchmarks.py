"""Run every benchmark, small or in full; write what they print, with when and where.

    ./run.sh bench                   all that need no data from outside, small (some minutes)
    ./run.sh bench --full            the same in the sizes that the goals are for (hours; alone)
    ./run.sh bench --data FOLDER     also those that want the collections of a folder
    ./run.sh bench query web         those whose path has one of these words in it

The figures go to docs/explanation/figures.json and from there into docs/explanation/measurements.md,
each with its date, commit, machine, size and CPU seconds. What was not run keeps its older figures.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "explanation" / "figures.json"
PAGE = ROOT / "docs" / "explanation" / "measurements.md"
BEGIN, END = "<!-- figures: made by ./run.sh bench -->", "<!-- end of figures -->"


class Script(NamedTuple):
    """A benchmark with the words behind it, small and in full.

    In braces: a demo corpus, a generated text, its segment and the folder it stands in, a folder of
    collections from outside.
    """

    path: str
    small: str = ""
    full: str = ""


# In this order: the text that the first of them makes is what others measure.
SCRIPTS = (
    Script("query/generate.py", "{text} --tokens 200000", "{text} --tokens 50000000"),
    Script("query/measure.py", "{text} --folder {folder}", "{text} --folder {folder}"),
    Script("query/analyses.py", "{folder}", "{folder}"),
    Script("query/counts.py"),
    Script("query/table.py", "--folder {scratch} --sizes 1", "--folder {scratch} --sizes 5 50"),
    Script("query/growth.py", "--folder {scratch} --sizes 1", "--folder {scratch}"),
    Script("lexicography/measure.py", "{segment}", "{segment}"),
    Script(
        "web/readers.py",
        "{segment} --seconds 5 --readers 4",
        "{segment} --readers 32 --seconds 600",
    ),
    Script("web/lines.py", "{segment}", "{segment}"),
    Script("web/soak.py", "{corpus}", "{corpus} --seconds 600"),
    Script("web/pages.py", "{segment} --only wordlist", "{segment}"),
    Script("foundation.py"),
    Script("startup.py", "{corpus}", "{corpus}"),
    Script("export/speed.py", "--documents 50"),
    Script("export/memory.py", "--documents 500 1000", "--documents 15000 60000 120000"),
    Script("export/cwb.py", "{corpus}", "{corpus}"),
    Script("export/validity.py", "{corpus}", "{corpus}"),
    Script("gather/crawl.py", "1", "10"),
    Script("gather/feed.py", "--every 30s --items 2 --apart 35 --idle 120"),
    Script("gather/focus.py", "125"),
    Script("gather/frontier.py", "20000"),
    Script("scale/build.py", "--pages 60 120"),
    Script("scale/home.py", "--documents 500 2000"),
    Script("scale/profile_build.py", "--pages 60"),
    Script("annotate/run.py", "{data}/tagging", "{data}/tagging"),
    Script("dedup/onion.py", "{data} --pages 60", "{data}"),
    Script("dedup/speed.py", "{data} --sizes 10", "{data}"),
    Script(
        "extraction/charsets.py",
        "{data}/language/world/dev.tsv.gz",
        "{data}/language/world/dev.tsv.gz",
    ),
    Script("extraction/comments.py", "{data}/extract", "{data}/extract"),
    Script("extraction/compare.py", "{data}/extract", "{data}/extract"),
    Script("extraction/memory.py", "{data}/extract --pages 1000", "{data}/extract"),
    Script("extraction/metadata.py", "{data}/extract --limit 40", "{data}/extract"),
    Script("extraction/well_formed.py", "{data}/extract --limit 40", "{data}/extract --limit 0"),
    Script("language/ceiling.py", "{data}/language", "{data}/language"),
    Script("language/connected.py", "{data}/language", "{data}/language"),
    Script("language/expected.py", "{data}/language --south", "{data}/language --priors 1 5 10"),
    Script("language/greetings.py"),
    Script("language/identify.py", "{data}/language", "{data}/language"),
    Script("language/mixed.py", "{data}/language", "{data}/language"),
    Script("language/world.py", "{data}/language", "{data}/language"),
    Script(
        "language/figures.py",
        "{data}/language {scratch}/figures.json",
        "{data}/language {scratch}/figures.json",
    ),
    Script(
        "truth/run.py",
        "{data}/extract {scratch}/truth --pages 60",
        "{data}/extract {scratch}/truth --pages 600",
    ),
    Script(
        "truth/traps.py",
        "{scratch}/traps --kinds wiki logins notes --count 20 --no-build",
        "{scratch}/traps",
    ),
    Script(
        "truth/portals.py",
        "{scratch}/portals --kinds agency --count 20",
        "{scratch}/portals --held-out --losses",
    ),
    Script(
        "truth/genres.py",
        "{scratch}/genres --kinds poems plays --count 10",
        "{scratch}/genres --data {data}/language --held-out",
    ),
)
# What the others are made of, and two that need PostgreSQL.
PARTS = (
    "export/posts.py", "scale/pages.py", "scale/kills.py", "gather/together.py",
    *(f"truth/webs/{name}.py" for name in (
        "__init__", "endless", "forums", "friendly", "genre_books", "genre_held_books",
        "genre_held_offices", "genre_lists", "genre_offices", "genre_parts", "held_out",
        "held_out_again", "held_out_texts", "measuring", "portals", "portals_meeting",
        "portals_press", "portals_reading", "portals_services", "same_again", "sentences",
        "short_texts", "sites", "speakers", "systems", "wikis",
    )),
)  # fmt: skip


def main() -> None:
    """Run the benchmarks asked for and write their figures."""
    parser = argparse.ArgumentParser(description="Run benchmarks and write their figures.")
    parser.add_argument("words", nargs="*", help="only scripts with one of these in their path")
    parser.add_argument("--full", action="store_true", help="in the sizes that the goals are for")
    parser.add_argument("--data", type=Path, help="a folder of collections from outside")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="izwi-bench-") as scratch:
        places = Places(Path(scratch), asked.data)
        for script in wanted(asked.words, has_data=asked.data is not None):
            words = places.filled(script.full if asked.full else script.small)
            size = "full" if asked.full else "small"
            keep(script.path, measure(f"benchmarks/{script.path}", words) | {"size": size})


def keep(path: str, found: dict[str, object]) -> None:
    """Write the figures of one script beside those that are there, and all of them into the page."""
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    figures[path] = found
    FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    page = with_figures(PAGE.read_text(encoding="utf-8"), figures)
    PAGE.write_text(page, encoding="utf-8")


def wanted(words: list[str], *, has_data: bool) -> list[Script]:
    """Return the scripts asked for, those without their data left out."""
    return [
        script
        for script in SCRIPTS
        if (not words or any(word in script.path for word in words))
        and (has_data or "{data}" not in script.small)
    ]


class Places:
    """Where the things stand that benchmarks measure; made when the first asks for them."""

    def __init__(self, scratch: Path, data: Path | None) -> None:
        self.scratch, self.data = scratch, data

    def filled(self, words: str) -> list[str]:
        """Return the words behind a script with the places in them."""
        return [word.format_map(self._of(word)) for word in words.split()]

    def _of(self, word: str) -> Mapping[str, object]:
        folder = self.scratch / "segments"
        found: dict[str, object] = {"data": self.data, "folder": folder}
        found |= {"text": self.scratch / "text.vert", "scratch": self.scratch}
        if "{segment}" in word:
            found["segment"] = self._segment(folder)
        if "{corpus}" in word:
            found["corpus"] = self._corpus()
        return found

    def _segment(self, folder: Path) -> Path:
        """Return the index that is measured; a small one is made if those before made none."""
        if not folder.exists():
            for name in ("query/generate.py", "query/measure.py"):
                script = next(each for each in SCRIPTS if each.path == name)
                command = [sys.executable, f"benchmarks/{name}", *self.filled(script.small)]
                subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return next(path for path in folder.iterdir() if path.is_dir())

    def _corpus(self) -> Path:
        corpus = self.scratch / "demo"
        if not corpus.exists():
            command = [sys.executable, "-m", "izwi", "demo", "--no-serve", "--folder", str(corpus)]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        return corpus


def measure(script: str, words: list[str]) -> dict[str, object]:
    """Run one script and return what it printed, with CPU seconds, date, commit, machine and load."""
    before, load = resource.getrusage(resource.RUSAGE_CHILDREN), os.getloadavg()[0]
    ended = subprocess.run(
        [sys.executable, script, *words],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    sys.stdout.write(ended.stdout)
    failed = (
        ""
        if ended.returncode == 0
        else f"\nended with status {ended.returncode}: {_last(ended.stderr)}"
    )
    return {
        "printed": ended.stdout.strip() + failed,
        "cpu_seconds": round(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1
        ),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _commit(),
        "load": round(load, 1),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }


def with_figures(page: str, figures: dict[str, dict[str, object]]) -> str:
    """Return the page with the figures in their place."""
    head, _, rest = page.partition(BEGIN)
    tail = rest.partition(END)[2]
    blocks = "".join(_block(script, found) for script, found in sorted(figures.items()))
    return f"{head}{BEGIN}\n{blocks}\n{END}{tail}"


def _block(script: str, found: dict[str, object]) -> str:
    facts = f"{found['size']}, {found['date']}, commit {found['commit']}, {found['machine']}"
    # Where others work at the same time, only CPU time says something.
    facts += f", load {found['load']}" if "load" in found else ""
    return f"\n`benchmarks/{script}` ({facts}; {found['cpu_seconds']} CPU s)\n\n```text\n{found['printed']}\n```\n"


def _last(text: str) -> str:
    """Return the last line, without the folders of this machine."""
    line = (text.strip().splitlines() or [""])[-1]
    return line.replace(str(ROOT), ".")[:200]


def _commit() -> str:
    line = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(
        line, cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()


if __name__ == "__main__":
    main()
