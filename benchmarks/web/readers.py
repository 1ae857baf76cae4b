"""Readers at once on a large corpus: how long the server takes for a page of 50 lines.

    python benchmarks/query/generate.py /tmp/50m.vert --tokens 50000000
    python benchmarks/query/measure.py /tmp/50m.vert --folder /tmp/50m
    python benchmarks/web/readers.py /tmp/50m/SEGMENT --readers 8 --seconds 60

A corpus is put round the segment (nothing is copied), served by `izwi serve` in a process of its own, and asked by
readers that each wait for their page, look at it for a moment (--pause; 0: none at all, which no reader does) and ask
for the next. Queries are of all kinds, each page is asked for as browsers do, with gzip. Goal: p95 under 300 ms and no
error with 8 readers for a minute. Ten minutes (--seconds 600) show whether memory stays flat: anonymous memory is
looked at ten times. Files of the index that are mapped do not count: the system takes them back when it needs room.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode

import httpx

from izwi.store.layout import Layout
from izwi.store.snapshots import SegmentEntry, publish

GOAL_MS = 300
GOAL_MB = 600
SETTINGS = (
    '[corpus]\nname = "big"\nlanguages = ["en"]\n\n[gather]\ncontact = "https://example.org/bot"\n'
)
QUERIES = (
    ("the", {}),
    ("house", {}),
    ("house", {"sort": "right"}),
    ("water", {"sort": "newest"}),
    ("at the end of", {}),
    ("time", {"sort": "left", "page": 3}),
    ("take", {"mode": "lemma"}),
    ('[lemma="make"] [tag="DT"]? [tag="J.*"]{0,2} [tag="N.*"] within <s/>', {"mode": "cql"}),
    ('"un.*ed"', {"mode": "cql"}),
    ("old house", {"from": "2015", "to": "2019"}),
    ("new", {"sample": 100, "seed": 7}),
)
# Read beside the lines now and then, as people do; they ask for other words each time.
ANALYSES = ("freq?q={}&by=year", "coll?q={}", "wordlist?pattern={}.*", "facets?q={}&part=1")
WORDS = (
    "time",
    "water",
    "house",
    "old",
    "new",
    "make",
    "take",
    "end",
    "work",
    "day",
    "man",
    "part",
)


def corpus_round(segment: Path, folder: Path) -> Path:
    """Return a corpus folder whose only version is a segment that lies elsewhere."""
    (folder / "corpus.toml").write_text(SETTINGS, encoding="utf-8")
    layout = Layout(folder)
    known = json.loads((segment / "segment.json").read_text())
    layout.segments.mkdir(parents=True)
    (layout.segments / known["id"]).symlink_to(segment.resolve())
    entry = SegmentEntry(known["id"], known["fingerprint"], (), known["documents"], known["tokens"])
    publish(layout, [entry], published="2026-01-01T00:00:00+00:00", versions={})
    print(f"{known['tokens']:,} tokens, {known['documents']:,} documents")
    return folder


def read_for(
    address: str, seconds: float, pause: float, seed: int, taken: list, errors: list
) -> None:
    """Ask for page after page until the time is up."""
    chance, end = random.Random(seed), time.monotonic() + seconds
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        while time.monotonic() < end:
            query, more = chance.choice(QUERIES)
            path, is_lines = f"conc?{urlencode({'q': query, **more})}", chance.random() < 0.8
            if not is_lines:
                query = path = chance.choice(ANALYSES).format(chance.choice(WORDS))
            begun = time.perf_counter()
            try:
                answer = client.get(f"/c/big/{path}")
            except httpx.TimeoutException:
                # A reader who waited a minute for nothing asks for something else.
                errors.append((query, 0))
                continue
            taken.append((1000 * (time.perf_counter() - begun), query))
            if answer.status_code != 200 or (is_lines and "Lines" not in answer.text):
                errors.append((query, answer.status_code))
            time.sleep(chance.uniform(0, 2 * pause))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("segment", type=Path)
    parser.add_argument("--readers", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=1.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = corpus_round(given.segment, Path(place))
        with served(folder) as (address, process):
            report(address, given, process)
            report_memory(process, "after")
            print(f"CPU of the server in all: {cpu_seconds(process):.1f} s")


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """Serve a corpus in a process of its own; yield its address and the number of the process."""
    command = [sys.executable, "-m", "izwi", "serve", str(folder), "--port", "0", "--json"]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        # Pretty-printed: it ends with a line of its own.
        said = "".join(iter(lambda: server.stdout.readline().rstrip(), "}")) + "}"
        yield json.loads(said)["address"].rstrip("/"), server.pid
    finally:
        server.terminate()
        server.wait()


def cpu_seconds(process: int) -> float:
    """Return how much CPU a process has used."""
    return sum(map(int, Path(f"/proc/{process}/stat").read_text().split()[13:15])) / 100


def anonymous_mb(process: int) -> float:
    """Return what a process holds in memory that is not a file of the index."""
    lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("Anonymous"))


def report_memory(process: int, when: str) -> float:
    """Say what a process holds just now."""
    held = anonymous_mb(process)
    print(f"anonymous memory {when}: {held:,.0f} MB (goal under {GOAL_MB}, and flat)", flush=True)
    return held


def watch(process: int, seconds: float, held: list[float]) -> None:
    """Note what a process holds, ten times in all."""
    for tenth in range(1, 11):
        time.sleep(seconds / 10)
        held.append(report_memory(process, f"at {tenth * seconds / 10:.0f} s"))


def report(address: str, given: argparse.Namespace, process: int) -> None:
    taken: list[tuple[float, str]] = []
    errors: list[tuple[str, int]] = []
    while True:
        try:
            httpx.get(address, trust_env=False, timeout=300)
            break
        except httpx.ConnectError:
            time.sleep(0.2)
    # Every query once, so that files are in memory and loops compiled, as on a server that runs.
    with httpx.Client(base_url=address, trust_env=False, timeout=300) as client:
        for query, more in QUERIES:
            client.get(f"/c/big/conc?{urlencode({'q': query, **more})}")
    held = [report_memory(process, "after each query once")]
    watcher = threading.Thread(target=watch, args=(process, given.seconds, held))
    threads = [
        threading.Thread(
            target=read_for, args=(address, given.seconds, given.pause, seed, taken, errors)
        )
        for seed in range(given.readers)
    ]
    used = cpu_seconds(process)
    for thread in (*threads, watcher):
        thread.start()
    for thread in (*threads, watcher):
        thread.join()
    print(f"memory grew by {held[-1] - held[0]:,.0f} MB; at most {max(held):,.0f} MB")
    times = sorted(ms for ms, _ in taken)
    p50, p95 = times[len(times) // 2], times[int(0.95 * len(times))]
    print(
        f"{given.readers} readers, {given.seconds:.0f} s, pause {given.pause} s: {len(times)} pages"
    )
    print(f"p50 {p50:.0f} ms, p95 {p95:.0f} ms (goal under {GOAL_MS}), longest {times[-1]:.0f} ms")
    # On a machine that does other work this says more than the clock.
    each = 1000 * (cpu_seconds(process) - used) / len(times)
    print(f"CPU of the server a page: {each:.1f} ms")
    print(f"errors: {len(errors)} (goal 0) {Counter(errors).most_common(9)}")
    slow = {}
    for ms, query in taken:
        slow.setdefault(query, []).append(ms)
    for query, own in sorted(slow.items(), key=lambda pair: -max(pair[1])):
        print(f"  {sorted(own)[len(own) // 2]:7.0f} ms median  {query}")


if __name__ == "__main__":
    main()
