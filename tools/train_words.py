"""Count the frequent words of the world's languages: stop lists, and rivals of new languages.

    python tools/train_words.py DATA src/izwi/models/words.json.xz

DATA is as in `train_world.py`. Languages written without spaces have no such words and are left out.
"""

import json
import lzma
import sys
from collections import Counter
from pathlib import Path

from train_world import letters_of, read_data

from izwi.annotate.tokens import kind_of
from izwi.kernels.kinds import SPACELESS

# Ranks kept of a language; the first are its stop words.
MOST = 200


def frequent(lines: list[str]) -> list[str]:
    """Return the words of a language, the most frequent first."""
    words = Counter(
        word for line in lines for word in "".join(map(chr, letters_of(line).tolist())).split()
    )
    letters = Counter(kind_of(ord(sign)) for word in words for sign in word)
    if letters[SPACELESS] > letters.total() / 2:
        return []
    # Ties by spelling: the same data give the same file.
    return [w for w, _ in sorted(words.items(), key=lambda each: (-each[1], each[0]))[:MOST]]


def main() -> None:
    """Read, count, write."""
    lines, _ = read_data(Path(sys.argv[1]), None)
    found = {code: frequent(lines[code]) for code in sorted(lines)}
    text = json.dumps(
        {code: " ".join(own) for code, own in found.items() if own}, ensure_ascii=False
    )
    packed = lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME)
    Path(sys.argv[2]).write_bytes(packed)
    sys.stdout.write(f"{len(found)} languages, {len(packed):,} bytes\n")


if __name__ == "__main__":
    main()
