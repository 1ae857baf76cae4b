"""How long the first answer takes in a new process: CPU seconds of commands, the least of some runs.

python benchmarks/startup.py [CORPUS]    # with the demo corpus: query, and a build with nothing to do
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

RUNS = 5
PAGE = "<title>t</title><p>A paragraph with some words in it, and then a few more of them.</p>" * 20


def cpu_seconds(command: list[str]) -> float:
    """Return the least CPU time of a command, its own and the system's."""
    least = float("inf")
    # With bytecode kept, as for everybody who runs a command twice.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            command,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        least = min(least, used)
    return least


def main() -> None:
    python, corpus = sys.executable, Path(sys.argv[1] if len(sys.argv) > 1 else "demo-corpus")
    extract = f"import izwi; izwi.extract({PAGE!r}).text"
    commands = {
        "python alone": [python, "-c", "pass"],
        "first izwi.extract (goal 0.3)": [python, "-c", extract],
        "izwi --help (goal 0.2)": [python, "-m", "izwi", "--help"],
    }
    if corpus.is_dir():
        commands |= {
            "izwi query CORPUS bakkie (goal 0.4)": [
                python,
                "-m",
                "izwi",
                "query",
                str(corpus),
                "bakkie",
            ],
            "izwi build, nothing to do (goal 0.5)": [python, "-m", "izwi", "build", str(corpus)],
        }
    for name, command in commands.items():
        print(f"{name:40} {cpu_seconds(command):.2f} CPU s", flush=True)


if __name__ == "__main__":
    main()
