"""Write what stages look up of each character: a characters.npz in text, dedup and annotate.

    python tools/make_characters.py

The tables are made once, not at every start (which cost an extraction 60 ms), and for all versions
of Python alike: what was made under one stays true under the next, whatever Unicode each knows.
"""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.annotate import tokens as of_tokens
from izwi.dedup import batch as of_copies
from izwi.text import characters as of_blocks

PACKAGE = Path(__file__).parents[1] / "src" / "izwi"


def main() -> None:
    copies = of_copies.made_tables()
    _write(
        "dedup",
        kinds=copies.kinds,
        folded=_offsets(copies.folded),
        expansions=copies.expansions,
        plain=copies.plain,
    )
    classes, small = of_blocks.made_tables()
    _write("text", classes=classes, lower=_offsets(small))
    kinds, lower = of_tokens.made_tables()
    _write("annotate", kinds=kinds, lower=_offsets(lower))


def _offsets(table: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return how far each is from its place: most characters stand for themselves."""
    return table - np.arange(len(table), dtype=table.dtype)


def _write(room: str, **tables: NDArray[np.integer]) -> None:
    np.savez_compressed(PACKAGE / room / "characters.npz", **tables)


if __name__ == "__main__":
    main()
