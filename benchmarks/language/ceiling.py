"""How many short pieces nobody could tell: no letters, names only, or words of two languages.

    python benchmarks/language/ceiling.py DATA --more MORE

The pieces are those of identify.py (South African languages, sources not trained on, 1-5 words). A
piece is shared if the same words in the same order stand in the training text of another language,
and lost if they are there at least as frequent as in the training text of its own.
"""

import argparse
import sys
from collections import Counter, defaultdict
from pathlib import Path

from identify import read_items

from izwi.evaluate.language import SOUTH_AFRICAN, pieces
from izwi.text.language.letters import words

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from train_language import SHIPPABLE, read_samples


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--more", type=Path, help="folder made by tools/gather_samples.py")
    given = parser.parse_args()
    items = [i for i in read_items(given.data, is_trained=False) if i.language in SOUTH_AFRICAN]
    asked = pieces(items, 1, 5, 5)
    keys = {" ".join(words(piece.text)) for piece in asked}
    per_million = frequencies(read_samples(given.data, SHIPPABLE, given.more), keys)
    by_language = defaultdict(Counter)
    for piece in asked:
        found = kind(piece, per_million)
        by_language[piece.language][found] += 1
        by_language["all"][found] += 1
    for code, kinds in by_language.items():
        shares = ", ".join(f"{name} {n / kinds.total():.1%}" for name, n in kinds.most_common())
        print(f"{code} ({kinds.total()} pieces): {shares}")


def kind(piece, per_million) -> str:
    """Return why a piece cannot be told, or that it may be."""
    found = words(piece.text)
    key = " ".join(found)
    if len(key) < 2:
        return "no letters"
    own = per_million[piece.language].get(key, 0.0)
    other = max(
        (shares.get(key, 0.0) for code, shares in per_million.items() if code != piece.language),
        default=0.0,
    )
    if other:
        return "lost" if other >= own else "shared, more frequent in its own language"
    initials = [letter[0] for word in piece.text.split() if (letter := _letters(word))]
    is_name = bool(initials) and all(initial.isupper() for initial in initials)
    return "capital letters only, not seen in another" if is_name else "its own"


def _letters(word: str) -> str:
    """Return the letters of a word, without quotation marks and the like before them."""
    return "".join(filter(str.isalpha, word))


def frequencies(samples, keys) -> dict[str, dict[str, float]]:
    """Return per million words how often each key stands in the text of each class."""
    found = {}
    for code, sources in samples.items():
        counts, size = Counter(), 0
        for texts in sources.values():
            for text in texts:
                one = words(text)
                size += len(one)
                for n in range(1, 6):
                    runs = (" ".join(one[i : i + n]) for i in range(len(one) - n + 1))
                    counts.update(run for run in runs if run in keys)
        found[code] = {key: 1e6 * count / max(1, size) for key, count in counts.items()}
    return found


if __name__ == "__main__":
    main()
