"""Make what the alternative identifiers know (profile distance, Kneser-Ney) from language data.

python tools/train_alternatives.py DATA src/izwi/models/alternatives.json.gz --more MORE
"""

import argparse
from pathlib import Path

from train_language import SHIPPABLE, read_samples

from izwi.text.language.alternative_models import Alternatives, dump_alternatives
from izwi.text.language.distance import ranking
from izwi.text.language.kneserney import count_characters

# Rankings settle after some hundred thousand letters.
MOST_LINES = 1500


def main() -> None:
    """Read, count, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--more", type=Path, help="folder made by tools/gather_samples.py")
    given = parser.parse_args()
    samples = read_samples(given.data, SHIPPABLE, given.more)
    texts = {
        # Pidgin made of English by rules tells these methods, which have no counter-weights, wrong.
        code: [
            text
            for name, source in sources.items()
            if name != "rules"
            for text in source[:MOST_LINES]
        ]
        for code, sources in samples.items()
        if not code.startswith("und")
    }
    rankings = {
        code: tuple(ranking(" ".join(own[:: len(own) // 150 + 1]))) for code, own in texts.items()
    }
    characters = {code: count_characters(own) for code, own in texts.items()}
    given.file.write_bytes(dump_alternatives(Alternatives(rankings, characters)))
    print(f"{given.file}: {given.file.stat().st_size:,} bytes, {len(texts)} languages")


if __name__ == "__main__":
    main()
