"""The figures of the foundation: start-up, a build with nothing to do, the demo, growth with size.

./run.sh bench          run it alone on the machine
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path


def cpu_and_wall(*arguments: object, env: dict[str, str] | None = None) -> tuple[float, float]:
    """Run `izwi` and return its CPU and wall seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "izwi", *map(str, arguments)],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | (env or {}),
    )
    wall = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall


def best(runs: int, *arguments: object) -> tuple[float, float]:
    return min(cpu_and_wall(*arguments) for _ in range(runs))


def growth(folder: Path) -> list[tuple[int, float]]:
    """Return tokens and CPU seconds of a build for one, two and four times the demo's captures."""
    from izwi.demoweb import DemoWeb

    rows = []
    for times in (1, 2, 4):
        place = folder / f"times-{times}"
        _write_corpus(place, times)
        with DemoWeb() as web:
            cpu_and_wall("gather", place, env={"IZWI_PROXY": web.proxy_url})
        cpu, _ = cpu_and_wall("build", place, "--workers", 1)
        status = subprocess.run(
            [sys.executable, "-m", "izwi", "status", str(place), "--json"],
            check=True, capture_output=True, text=True,
        )  # fmt: skip
        rows.append((json.loads(status.stdout)["captures"], cpu))
    return rows


def _write_corpus(place: Path, times: int) -> None:
    """Write a corpus that fetches every article `times` times under different addresses."""
    sys.path.insert(0, str(Path(__file__).parents[1]))
    from tests.demoweb.truth import ground_truth

    from izwi.cases.corpus import create_corpus

    create_corpus(place, contact="https://izwi.example/bench", name="bench", delay=0.0)
    urls = [
        f"{url}{'&' if '?' in url else '?'}n={n}" for url in ground_truth() for n in range(times)
    ]
    with (place / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(
            f'\n[dedup]\nexact = false\n\n[[source]]\nname = "all"\ntype = "seeds"\nurls = {json.dumps(urls)}\n'
        )


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cpu, wall = best(3, "--help")
        print(
            f"izwi --help                    {cpu:6.2f} s CPU  {wall:6.2f} s wall   goal 0.30 s CPU"
        )
        cpu, wall = cpu_and_wall("demo", "--folder", folder / "demo", "--no-serve")
        print(
            f"demo: crawl, build, show       {cpu:6.2f} s CPU  {wall:6.2f} s wall   goal 120 s wall"
        )
        cpu, wall = best(3, "build", folder / "demo")
        print(
            f"build with nothing to do       {cpu:6.2f} s CPU  {wall:6.2f} s wall   goal 1.0 s wall"
        )
        cpu, wall = best(3, "query", folder / "demo", "bakkie")
        print(f"query on the command line      {cpu:6.2f} s CPU  {wall:6.2f} s wall")
        for captures, seconds in growth(folder):
            print(
                f"build of {captures:5d} captures         {seconds:6.2f} s CPU  {1000 * seconds / captures:6.2f} ms each"
            )


if __name__ == "__main__":
    main()
