"""Gold pages, their file format, and which blocks of a page are in the gold text."""

import json
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from izwi.model.curation import LabelledPage, labelled_page
from izwi.model.json_text import read_json
from izwi.text.blocks import Segmented
from izwi.text.decode import decode

UNKNOWN = -1.0


@dataclass(frozen=True, slots=True)
class GoldPage:
    """A page and what a person says its main text is: all of it, or pieces to have and to lack."""

    html: str
    text: str = ""
    id: str = ""
    # Pages of one host are never split between training and testing.
    host: str = ""
    kind: str = ""
    wanted: tuple[str, ...] = ()
    unwanted: tuple[str, ...] = ()


def read_gold(lines: Iterable[str]) -> Iterator[GoldPage]:
    """Yield the pages of a JSON Lines file; `html` and `text` (or `with`, `without`) are needed.

    Lines of a label file (model/curation.py) are read too.
    """
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = read_json(line)
            is_labelled = isinstance(row, dict) and "blocks" in row
            yield from_labels(labelled_page(row)) if is_labelled else _gold_page(row, number)


def from_labels(page: LabelledPage) -> GoldPage:
    """Return a labelled page as a gold page: its text is what was labelled as main text."""
    host = urlsplit(page.url).hostname or page.url
    return GoldPage(page.html, page.main_text, page.url, host, page.page_type)


def _gold_page(row: object, number: int) -> GoldPage:
    if not isinstance(row, dict) or not isinstance(row.get("html") or row.get("html_b64"), str):
        raise ValueError(f"line {number}: a gold page is a JSON object with 'html' and 'text'")
    return GoldPage(
        row["html"] if row.get("html") else decode(b64decode(row["html_b64"])).text,
        str(row.get("text") or ""),
        str(row.get("id") or number),
        str(row.get("host") or row.get("id") or number),
        str(row.get("page_type") or row.get("kind") or ""),
        tuple(row.get("with") or row.get("wanted") or ()),
        tuple(row.get("without") or row.get("unwanted") or ()),
    )


def write_gold(pages: Iterable[GoldPage]) -> Iterator[str]:
    """Yield one line of JSON for each page, as `read_gold` reads them."""
    for page in pages:
        yield json.dumps(asdict(page), ensure_ascii=False) + "\n"


def block_labels(page: Segmented, gold: GoldPage) -> NDArray[np.float64]:
    """Return for each block the share of its words that the gold text has, or UNKNOWN."""
    if not gold.text:
        return _from_pieces(page, gold)
    by_block = [words(text) for text in page.texts]
    flat = [word for block in by_block for word in block]
    marks = aligned(flat, words(gold.text))
    marks += [False] * (len(flat) - len(marks))
    return np.array(list(_shares(by_block, marks)))


def _shares(by_block: Sequence[Sequence[str]], marks: Sequence[bool]) -> Iterator[float]:
    start = 0
    for block in by_block:
        end = start + len(block)
        yield sum(marks[start:end]) / len(block) if block else 0.0
        start = end


def _from_pieces(page: Segmented, gold: GoldPage) -> NDArray[np.float64]:
    wanted = [" ".join(piece.split()) for piece in gold.wanted]
    unwanted = [" ".join(piece.split()) for piece in gold.unwanted]
    labels = np.full(len(page), UNKNOWN)
    for place, text in enumerate(page.texts):
        if any(piece in text for piece in wanted):
            labels[place] = 1.0
        elif any(piece in text for piece in unwanted):
            labels[place] = 0.0
    return labels


_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af"
_WORD = re.compile(f"[{_CJK}]|[^\\W{_CJK}]+")
# Longer texts are aligned in their first part only; the table grows with the product.
MOST_WORDS = 30_000


def words(text: str) -> list[str]:
    """Return a text's words in lower case; of scripts without spaces, each character.

    >>> words("The 2 Bakkies 北京")
    ['the', '2', 'bakkies', '北', '京']
    """
    return _WORD.findall(text.lower())


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the longest common subsequence of two lists of words."""
    rows = _rows(first, second)
    return len(first) - rows[-1].bit_count() if rows else 0


def aligned(first: Sequence[str], second: Sequence[str]) -> list[bool]:
    """Return for each word of the first list whether it is part of the common subsequence."""
    first, second = first[:MOST_WORDS], second[:MOST_WORDS]
    rows, found = _rows(first, second), [False] * len(first)
    row, column = len(second), len(first)
    while row and column:
        if rows[row - 1] >> (column - 1) & 1:
            column -= 1
            continue
        row -= 1
        if not row or rows[row - 1] >> (column - 1) & 1:
            column -= 1
            found[column] = True
    return found


def _rows(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """Return the bit-parallel table (Hyyrö 2004): bit j of row i is 0 where the length grows."""
    masks: dict[str, int] = {}
    for place, word in enumerate(first):
        masks[word] = masks.get(word, 0) | 1 << place
    full = (1 << len(first)) - 1
    state, rows = full, []
    for word in second:
        matches = state & masks.get(word, 0)
        state = ((state + matches) | (state - matches)) & full
        rows.append(state)
    return rows
