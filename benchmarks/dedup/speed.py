"""CPU and memory of finding copies, beside rensa and datasketch, on 10, 50 and 200 MB.

    python benchmarks/dedup/speed.py DATA [--sizes 10,50,200] [--datasketch-up-to 10]

DATA is the folder with language/lid/*.tsv.gz and extract/*/pages.jsonl.gz. Their 46 MB of text are
used once as they are; what is needed beyond is made of the same paragraphs with their words in
another order, so the vocabulary stays real and no n-gram returns; every tenth document is an
exact copy of an earlier one. Each tool runs in a process of its own, from raw JSON lines to
decisions, start-up included. Needs the extra `bench`.
"""

import argparse
import gzip
import json
import random
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

# The addition of a hundredth takes less than start-up varies by.
REPETITIONS = 7

OURS = """
import sys
from pathlib import Path
from izwi.cases.collection_tools import deduplicate
state = Path(sys.argv[3]) if len(sys.argv) > 3 else None
print(deduplicate(Path(sys.argv[1]), Path(sys.argv[2]), state=state).copied_blocks)
"""
_PEER = """
import json, re, sys
{imports}
found = 0
for number, line in enumerate(open(sys.argv[1], "rb")):
    words = re.findall(r"\\w+", " ".join(json.loads(line)["paras"]).lower())
    shingles = [" ".join(words[i : i + 5]) for i in range(max(1, len(words) - 4))]
{steps}
print(found)
"""
RENSA = _PEER.format(
    imports="from rensa import RMinHash, RMinHashLSH\n"
    "lsh = RMinHashLSH(threshold=0.5, num_perm=128, num_bands=32)",
    steps="    sketch = RMinHash(num_perm=128, seed=42)\n    sketch.update(shingles)\n"
    "    found += bool(lsh.query(sketch))\n    lsh.insert(number, sketch)",
)
DATASKETCH = _PEER.format(
    imports="from datasketch import MinHash, MinHashLSH\n"
    "lsh = MinHashLSH(threshold=0.5, num_perm=128)",
    steps="    sketch = MinHash(num_perm=128)\n"
    "    sketch.update_batch([each.encode() for each in shingles])\n"
    "    found += bool(lsh.query(sketch))\n    lsh.insert(str(number), sketch)",
)


def documents(folder: Path) -> list[list[str]]:
    """Return real documents: gold texts of pages, and runs of paragraphs in 28 languages."""
    chance = random.Random(1)
    found, lines = [], []
    for path in sorted(folder.glob("language/lid/*.train.tsv.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            texts = [line.rstrip("\n").split("\t", 1)[-1] for line in file]
        lines += [" ".join(texts[i : i + 3]) for i in range(0, len(texts), 3)]
    for path in sorted(folder.glob("extract/*/pages.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            texts = [json.loads(line).get("text") or "" for line in file]
        found += [[p for p in text.split("\n") if p.strip()] for text in texts if text.strip()]
    while lines:
        size = chance.randint(3, 12)
        found.append(lines[:size])
        del lines[:size]
    chance.shuffle(found)
    return found


def write_collection(path: Path, base: list[list[str]], size_mb: int) -> None:
    """Write about so many megabytes of text."""
    chance = random.Random(2)
    written = number = 0
    with path.open("w", encoding="utf-8") as file:
        while written < size_mb * 1_000_000:
            paras = base[number % len(base)]
            if number >= len(base):
                paras = [" ".join(chance.sample(p.split(), len(p.split()))) for p in paras]
            if number % 10 == 9:
                paras = base[chance.randrange(min(number, len(base)))]
            line = json.dumps({"id": f"d{number}", "paras": paras}, ensure_ascii=False)
            written += file.write(line + "\n")
            number += 1


def measured(code: str, *arguments: object) -> tuple[float, float]:
    """Return the CPU seconds and the peak megabytes of a process of its own."""
    wrapper = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-c', *sys.argv[1:]], check=True, stdout=sys.stderr)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)"
    )
    command = [sys.executable, "-c", wrapper, code, *map(str, arguments)]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, megabytes = map(float, out.split())
    return seconds, megabytes


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", type=Path)
    parser.add_argument("--sizes", default="10,50,200")
    parser.add_argument("--datasketch-up-to", type=int, default=10)
    given = parser.parse_args()
    base = documents(given.data)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Once before, so that the compiled loops are in their cache.
        write_collection(folder / "warm.jsonl", base, 12)
        measured(OURS, folder / "warm.jsonl", folder / "out", folder / "warm")
        for size in map(int, given.sizes.split(",")):
            compare(folder, base, size, has_datasketch=size <= given.datasketch_up_to)


def compare(folder: Path, base: list[list[str]], size: int, *, has_datasketch: bool) -> None:
    source, state = folder / f"{size}.jsonl", folder / f"state{size}"
    write_collection(source, base, size)
    ours, memory = measured(OURS, source, folder / "out")
    peer, peer_memory = measured(RENSA, source)
    print(f"{size} MB: izwi {ours:.2f} CPU s, {memory:.0f} MB; rensa {peer:.2f} s, "
          f"{peer_memory:.0f} MB; ratio {ours / peer:.2f} (goal 0.40)", flush=True)  # fmt: skip
    if has_datasketch:
        other, other_memory = measured(DATASKETCH, source)
        print(f"{size} MB: datasketch {other:.2f} s, {other_memory:.0f} MB; "
              f"ratio {ours / other:.2f}", flush=True)  # fmt: skip
    grow(folder, source, state, size)


def typical(source: Path, state: Path, copy: Path) -> float:
    """Return the median CPU seconds of adding to a state, each time to the same one."""
    found = []
    for _ in range(REPETITIONS):
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(state, copy)
        found.append(measured(OURS, source, copy.parent / "grown", copy)[0])
    return statistics.median(found)


def grow(folder: Path, source: Path, state: Path, size: int) -> None:
    """Measure a rebuild with a state folder, and the addition of its last hundredth."""
    lines = source.read_bytes().splitlines(keepends=True)
    cut = len(lines) * 99 // 100
    (folder / "most.jsonl").write_bytes(b"".join(lines[:cut]))
    (folder / "rest.jsonl").write_bytes(b"".join(lines[cut:]))
    # Start-up is what a handful of documents takes, added to the state of a handful of others.
    (folder / "few.jsonl").write_bytes(b"".join(lines[:30]))
    (folder / "more.jsonl").write_bytes(b"".join(lines[30:60]))
    measured(OURS, folder / "few.jsonl", folder / "out", folder / f"few{size}")
    whole, _ = measured(OURS, folder / "most.jsonl", folder / "out", state)
    start = typical(folder / "more.jsonl", folder / f"few{size}", folder / "again")
    added = typical(folder / "rest.jsonl", state, folder / "again")
    measured(OURS, folder / "rest.jsonl", folder / "grown", state)
    manifest = json.loads((state / "state.json").read_text())
    filters = sum(
        (state / "runs" / run / name).stat().st_size
        for run in manifest["runs"]
        for name in ("prints", "directory")
    )
    share = max(added - start, 0) / (whole - start)
    per = filters / manifest["hashes"]
    print(f"{size} MB: rebuild {whole:.2f} s, last 1 % {added:.2f} s, start-up {start:.2f} s: "
          f"{share:.1%} without start-up (goal 2 %); {manifest['hashes']:,} hashes, "
          f"{per:.2f} bytes of memory each (goal 4)", flush=True)  # fmt: skip


if __name__ == "__main__":
    # The peak of children is what is measured; nothing else may run in this process.
    assert resource
    main()
