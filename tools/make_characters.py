"""Write the table of characters by which words are hashed: src/izwi/dedup/characters.npz.

    python tools/make_characters.py

It is made once, not at every start, and for all versions of Python alike: states and runs made
under one stay true under the next, whatever Unicode each knows.
"""

from pathlib import Path

import numpy as np

from izwi.dedup.characters import made_tables


def main() -> None:
    tables = made_tables()
    path = Path(__file__).parents[1] / "src" / "izwi" / "dedup" / "characters.npz"
    np.savez_compressed(
        path,
        kinds=tables.kinds,
        folded=tables.folded - np.arange(len(tables.folded), dtype=np.uint32),
        expansions=tables.expansions,
        plain=tables.plain,
    )


if __name__ == "__main__":
    main()
