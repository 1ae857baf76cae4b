"""Whether CWB encodes the vertical text of a corpus, and of hostile documents, without a word.

python benchmarks/export/cwb.py CORPUS

Runs `encode-cwb.sh` as it comes with the export: cwb-encode, then cwb-makeall with validation.
Goal: nothing on the error output, and as many tokens in the index of CWB as in ours.
"""

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from speed import EDITION, annotation, document

from izwi.cases.corpus import Corpus
from izwi.export.characters import writable_document
from izwi.export.vertical import Vertical, cwb_name
from izwi.model.document import Document, Paragraph

TOOLS = ("cwb-encode", "cwb-makeall", "cwb-describe-corpus")
HARD = (
    "\x00", "\x1f", "\x85", "\u2028", "\ud800", "\ufffe", "\ufeff", "\u202e", "<", ">", "&", "]]>",
    "&amp;", '"', "'", "\u00a0", "שלום", "مرحبا", "😀", "👩‍👩‍👧", "e\u0301", "<!--", "<?xml", "x" * 5000,
)  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    corpus = Corpus(parser.parse_args().corpus)
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"Skipped: {', '.join(missing)} is not on PATH. Install the Corpus Workbench (CWB).")
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        tokens = corpus.export("vertical", root / "corpus").tokens
        tell(corpus.name, root / "corpus", tokens)
        (root / "hostile").mkdir()
        found = list(hostile(250))
        Vertical(EDITION).write(found, root / "hostile")
        tell("hostile documents", root / "hostile", sum(map(count, found)))


def tell(name: str, folder: Path, tokens: int) -> None:
    """Encode an export and print what came of it."""
    begun = time.perf_counter()
    said = run("sh", folder / "encode-cwb.sh", folder / "data", folder / "registry")
    seconds = time.perf_counter() - begun
    corpus = next(path.stem for path in folder.glob("*.vert"))
    about = run("cwb-describe-corpus", "-r", folder / "registry", cwb_name(corpus).upper())
    outcome = "without a word" if not said.stderr else said.stderr[:500]
    is_whole = f"{tokens}" in about.stdout.replace(",", "")
    print(f"{name}: {tokens:,} tokens, {'all' if is_whole else 'NOT ALL'} encoded, {outcome}; "
          f"{seconds:.1f} s, exit status {said.returncode} (goal: without a word, 0)")  # fmt: skip


def run(*command: object) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([str(part) for part in command], capture_output=True, text=True)


def hostile(number: int) -> Iterator[Document]:
    """Yield documents of what breaks formats."""
    chance = random.Random(1)
    for place in range(number):
        text = " ".join(chance.choices(HARD, k=40))
        found = replace(document(place, ["a"], chance), paragraphs=(Paragraph(text),))
        clean, _ = writable_document(found)
        yield replace(clean, annotation=annotation(clean.text, chance))


def count(found: Document) -> int:
    return len(found.annotation.words) if found.annotation else 0


if __name__ == "__main__":
    sys.exit(main())
