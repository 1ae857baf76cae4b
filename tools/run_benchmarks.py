"""Run every benchmark that needs no data from outside; write what they print, with when and where.

    ./run.sh bench                   all of them (run it alone on the machine)
    ./run.sh bench foundation        those whose path has this in it

The figures go to docs/explanation/figures.json and from there into docs/explanation/measurements.md,
each with its date, commit, machine and CPU seconds. What was not run keeps its older figures.
"""

import json
import os
import platform
import resource
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "docs" / "explanation" / "figures.json"
PAGE = ROOT / "docs" / "explanation" / "measurements.md"
BEGIN, END = "<!-- figures: made by ./run.sh bench -->", "<!-- end of figures -->"
# They make what they measure; the others want a collection or a corpus as an argument.
SCRIPTS = (
    "benchmarks/foundation.py",
    "benchmarks/export/speed.py",
    "benchmarks/export/posts.py",
    "benchmarks/gather/focus.py",
    "benchmarks/gather/frontier.py",
    "benchmarks/lexicography/measure.py",
)


def main() -> None:
    """Run the benchmarks asked for and write their figures."""
    wanted = [each for each in SCRIPTS if not sys.argv[1:] or any(w in each for w in sys.argv[1:])]
    figures = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    for script in wanted:
        figures[script] = measure(script)
        FIGURES.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", "utf-8")
    PAGE.write_text(with_figures(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


def measure(script: str) -> dict[str, object]:
    """Run one script and return what it printed, with CPU seconds, date, commit and machine."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(
        [sys.executable, script],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    sys.stdout.write(ended.stdout)
    failed = "" if ended.returncode == 0 else f"\nended with status {ended.returncode}"
    return {
        "printed": ended.stdout.strip() + failed,
        "cpu_seconds": round(
            after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1
        ),
        "date": f"{datetime.now(UTC):%Y-%m-%d}",
        "commit": _commit(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}",
    }


def with_figures(page: str, figures: dict[str, dict[str, object]]) -> str:
    """Return the page with the figures in their place."""
    head, _, rest = page.partition(BEGIN)
    tail = rest.partition(END)[2]
    blocks = "".join(_block(script, found) for script, found in sorted(figures.items()))
    return f"{head}{BEGIN}\n{blocks}\n{END}{tail}"


def _block(script: str, found: dict[str, object]) -> str:
    facts = f"{found['date']}, commit {found['commit']}, {found['machine']}"
    return f"\n`{script}` ({facts}; {found['cpu_seconds']} CPU s)\n\n```text\n{found['printed']}\n```\n"


def _commit() -> str:
    line = ["git", "rev-parse", "--short", "HEAD"]
    return subprocess.run(
        line, cwd=ROOT, capture_output=True, text=True, check=False
    ).stdout.strip()


if __name__ == "__main__":
    main()
