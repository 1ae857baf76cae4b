"""What is left of duplicates and what is lost with them, beside onion's published method.

    python benchmarks/dedup/onion.py DATA [--pages 1500]

DATA is the folder with extract/*/pages.jsonl.gz. The programme itself is not used: its method, as
Pomikálek (2011, 3.5) describes it, is written down below. A paragraph is a duplicate if at least half
of the 7-grams that begin in it stood in the text before, whoever has them; n-grams run over the ends
of paragraphs, words are taken as they are written, and a rest of at most 20 words between two
duplicates goes with them. Three collections: gold texts with forged copies of nine kinds, the main text
of real pages, as a corpus has it, and all their text, menus and notices too. Counted in each for both: 10-grams in what is kept
that stood there before, in another document or in the same one, and 5-grams lost that stand in no
other paragraph of the originals.
"""

import argparse
import base64
import gzip
import hashlib
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import izwi
from izwi.cases.collection_tools import deduplicate
from izwi.evaluate.copies import Forged, forge, score
from izwi.model.document import Paragraph

N, THRESHOLD, STUB = 7, 0.5, 20
_WORD = re.compile(r"\w+")
Kept = Mapping[str, Sequence[int]]


def by_onion(documents: Sequence[Forged]) -> Kept:
    """Return the places of the paragraphs that onion's method keeps."""
    seen: set[int] = set()
    return {each.id: _kept(each.paragraphs, seen) for each in documents}


def _kept(paragraphs: Sequence[str], seen: set[int]) -> list[int]:
    words = [(word, place) for place, text in enumerate(paragraphs) for word in text.split()]
    known, counts = [0] * len(paragraphs), [0] * len(paragraphs)
    for at in range(len(words) - N + 1):
        gram = hash(tuple(word for word, _ in words[at : at + N]))
        place = words[at][1]
        counts[place] += 1
        known[place] += gram in seen
        seen.add(gram)
    copied = [bool(n) and k >= THRESHOLD * n for k, n in zip(known, counts, strict=True)]
    lengths = [len(text.split()) for text in paragraphs]
    return [
        at for at, is_copy in enumerate(copied) if not is_copy and not _stub(at, copied, lengths)
    ]


def _stub(at: int, copied: Sequence[bool], lengths: Sequence[int]) -> bool:
    """Return whether a paragraph is part of a short rest between two duplicates."""
    first = last = at
    while first > 0 and not copied[first - 1]:
        first -= 1
    while last < len(copied) - 1 and not copied[last + 1]:
        last += 1
    is_between = first > 0 and last < len(copied) - 1
    return is_between and sum(lengths[first : last + 1]) <= STUB


def by_izwi(documents: Sequence[Forged]) -> Kept:
    """Return the places of the paragraphs that `izwi dedup` keeps at default settings."""
    with tempfile.TemporaryDirectory() as name:
        source, target = Path(name) / "in.jsonl", Path(name) / "out.jsonl"
        with source.open("w", encoding="utf-8") as file:
            for each in documents:
                file.write(json.dumps({"id": each.id, "paras": each.paragraphs}) + "\n")
        deduplicate(source, target)
        lines = map(json.loads, target.read_text(encoding="utf-8").splitlines())
        return {line["id"]: line["keep"] for line in lines}


def rows(data: Path) -> list[dict[str, str]]:
    found = []
    for path in sorted(data.glob("extract/*/pages.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8", errors="replace") as file:
            found += [json.loads(line) for line in file]
    # By a hash, so that a part has pages of all sets.
    return sorted(found, key=lambda row: hashlib.sha256(str(row["id"]).encode()).digest())


def gold(pages: Sequence[dict[str, str]]) -> Iterator[tuple[str, list[str]]]:
    for number, row in enumerate(pages):
        if paragraphs := [line for line in (row.get("text") or "").split("\n") if line.strip()]:
            yield f"d{number}", paragraphs


def whole(pages: Sequence[dict[str, str]]) -> Iterator[tuple[str, Sequence[Paragraph]]]:
    for number, row in enumerate(pages):
        body = row["html"].encode() if "html" in row else base64.b64decode(row["html_b64"])
        found = izwi.extract(body, row.get("url") or f"http://p{number}.example/")
        yield f"p{number}", found.paragraphs


def left(documents: Sequence[Forged], kept: Kept) -> tuple[float, float]:
    """Return the shares of 10-grams kept that stood before: in other documents, in the same."""
    first: dict[int, str] = {}
    total = elsewhere = here = 0
    for each in documents:
        for place in kept[each.id]:
            words = _WORD.findall(each.paragraphs[place].lower())
            for at in range(len(words) - 9):
                gram, total = hash(tuple(words[at : at + 10])), total + 1
                if gram in first:
                    here += first[gram] == each.id
                    elsewhere += first[gram] != each.id
                first.setdefault(gram, each.id)
    return elsewhere / max(total, 1), here / max(total, 1)


def compare(name: str, documents: Sequence[Forged]) -> None:
    words = sum(len(text.split()) for each in documents for text in each.paragraphs)
    print(f"{name}: {len(documents)} documents, {words:,} words", flush=True)
    figures = {}
    methods: tuple[tuple[str, Callable[[Sequence[Forged]], Kept]], ...] = (
        ("nothing removed", lambda some: {e.id: range(len(e.paragraphs)) for e in some}),
        ("onion's method", by_onion),
        ("izwi", by_izwi),
    )
    for label, method in methods:
        kept = method(documents)
        lost = score(documents, kept, (N, THRESHOLD, 0)).unique_lost
        elsewhere, here = left(documents, kept)
        figures[label] = elsewhere, elsewhere + here, lost
        print(f"  {label:16} 10-grams left: of other documents {elsewhere:.4%}, of the same {here:.4%}; "
              f"unique lost {lost:.4%}", flush=True)  # fmt: skip
    ratios = [
        ours / theirs if theirs else float(ours > 0)
        for ours, theirs in zip(figures["izwi"], figures["onion's method"], strict=True)
    ]
    print("  izwi / onion: left of other documents {:.2f}, of all {:.2f} (goal 0.8), "
          "lost {:.2f} (goal 0.2)".format(*ratios))  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--pages", type=int, default=1500)
    given = parser.parse_args()
    pages = rows(given.data)[: given.pages or None]
    compare("gold texts with forged copies", forge(list(gold(pages))))
    read = list(whole(pages))
    main_text = [
        Forged(name, [block.text for block in blocks if block.is_main]) for name, blocks in read
    ]
    compare("main text of pages", main_text)
    compare(
        "all text of pages",
        [Forged(name, [block.text for block in blocks]) for name, blocks in read],
    )


if __name__ == "__main__":
    main()
