"""Train the profiles of connected text that come with izwi from a folder of language data.

python tools/train_profiles.py DATA src/izwi/models/profiles.json
"""

import argparse
import random
from dataclasses import replace
from pathlib import Path
from statistics import median

from train_language import SHIPPABLE, read_samples

from izwi.text.connected import Profile, train_profile
from izwi.text.profiles import dump_profiles

# How far a language's threshold may lie from the middle one.
LOWEST, HIGHEST = 0.9, 1.15


def main() -> None:
    """Read, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("profiles", type=Path)
    given = parser.parse_args()
    samples = read_samples(given.data, SHIPPABLE)
    profiles = {}
    for code, sources in samples.items():
        documents = [
            one for name, texts in sources.items() if name != "rules" for one in _documents(texts)
        ]
        if len(documents) >= 100 and not code.startswith("und"):
            profiles[code] = train_profile(code, documents)
            print(code, len(documents), round(profiles[code].threshold, 2))
    profiles = _levelled(profiles)
    given.profiles.write_text(dump_profiles(profiles), encoding="utf-8")


def _levelled(profiles: dict[str, Profile]) -> dict[str, Profile]:
    """Return the profiles with thresholds near each other's.

    Where lists stand in the training text itself, a percentile of it lies too high.
    """
    middle = median(profile.threshold for profile in profiles.values())
    return {
        code: replace(one, threshold=min(max(one.threshold, middle * LOWEST), middle * HIGHEST))
        for code, one in profiles.items()
    }


def _documents(lines: list[str]) -> list[str]:
    """Return texts of 40 to 400 words made of consecutive lines."""
    chance, documents, parts, size = random.Random(2), [], [], 0
    wanted = chance.randint(40, 400)
    for line in lines:
        parts.append(line)
        size += len(line.split())
        if size >= wanted:
            documents.append("\n".join(parts))
            parts, size, wanted = [], 0, chance.randint(40, 400)
    return documents


if __name__ == "__main__":
    main()
