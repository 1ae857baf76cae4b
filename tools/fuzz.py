"""Throw inputs made by chance at everything that reads something, until stopped or something breaks.

    python tools/fuzz.py                  # all targets, new seeds, until Ctrl-C
    python tools/fuzz.py --seconds 600
    python tools/fuzz.py extract cql      # these targets alone

What breaks is kept in tests/fuzz/finds and is a test case from then on.
"""

import argparse
import hashlib
import random
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.fuzz.targets import TARGETS
from tests.fuzz.throwing import thrown

_AT_A_TIME = 2_000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--seconds", type=float, default=float("inf"))
    given = parser.parse_args()
    names, finds, tried = given.targets or list(TARGETS), 0, 0
    end = time.monotonic() + given.seconds
    try:
        while time.monotonic() < end:
            for name in names:
                finds += _round(name, random.SystemRandom().randrange(1 << 40))
                tried += _AT_A_TIME
    except KeyboardInterrupt:
        pass
    print(f"{tried:,} inputs, {finds} finds")
    return bool(finds)


def _round(name: str, seed: int) -> int:
    words, data = thrown(name, seed, _AT_A_TIME)
    if not words:
        print(f"{name}: {_AT_A_TIME:,} inputs of seed {seed}", flush=True)
        return 0
    digest = hashlib.sha256(data).hexdigest()[:10]
    path = ROOT / "tests" / "fuzz" / "finds" / f"{name}-{digest}.bin"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(data)
    print(f"{name}, seed {seed}: kept as {path.relative_to(ROOT)}\n{words}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
