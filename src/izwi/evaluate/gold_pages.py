"""Gold pages: their file format, which blocks are in the gold text, and made ready for training.

Articles beside text of other pages, so that trees learn what stands round an article. Weblogs of
before 2015 have long lists of links on both sides and readers' comments below, often without a
telling name; newer pages, which can be had with labels, hide both or leave them out.

What the words in names of elements and in short blocks speak for is learnt here, too.
"""

import hashlib
import re
from base64 import b64decode
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import (
    B_END,
    B_FIRST,
    B_LAST,
    B_NODE,
    B_START,
    B_WORDS,
    B_WORDS_END,
    N_FLAGS,
    N_HASH,
    N_PARENT,
    N_TAG,
    N_WORDS,
    N_WORDS_END,
)
from izwi.model.curation import LabelledPage, labelled_page
from izwi.model.notation import read_json
from izwi.text.blocks import Segmented, segment
from izwi.text.decode import decode
from izwi.text.elements import FLAGS, TAGS

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


# Elements and flags that pages of before HTML 5 do not have.
_MODERN = ("nav", "header", "footer", "aside", "article", "main", "section", "figure", "figcaption")
_OLD_FLAGS = ~sum(FLAGS[name] for name in _MODERN if name in FLAGS)


@dataclass(frozen=True, slots=True)
class Example:
    """A page ready for training: its blocks, their labels and what a mistake in each costs."""

    page: Segmented
    labels: NDArray[np.float64]
    costs: NDArray[np.float64]
    host: str
    kind: str = ""
    is_aged: bool = False


def example(gold: GoldPage) -> Example | None:
    """Return a gold page as an example, or None if it has no text."""
    page = segment(gold.html)
    if not len(page):
        return None
    labels = block_labels(page, gold)
    return Example(page, labels, _costs(page, labels, gold), gold.host or gold.id, gold.kind)


def _costs(page: Segmented, labels: NDArray[np.float64], gold: GoldPage) -> NDArray[np.float64]:
    """Return what each block weighs: its part of the page's text, so that pages count alike."""
    if not gold.text:
        return np.where(labels == UNKNOWN, 0.0, 0.06)
    return shares(page.sizes, len(gold.text))


def shares(sizes: NDArray[np.int64], wanted: float) -> NDArray[np.float64]:
    """Return what blocks of these sizes weigh on a page with so much main text."""
    share = np.minimum(sizes, 2500) / max(wanted, 150, sizes.sum() * 0.1)
    costs: NDArray[np.float64] = share / max(1.0, share.sum() / 3) + 0.002
    return costs


def aged(given: Example) -> Example:
    """Return an example as an old page would show it: no names, no modern elements."""
    nodes = given.page.elements.copy()
    nodes[:, N_WORDS_END] = nodes[:, N_WORDS]
    nodes[:, N_FLAGS] &= _OLD_FLAGS
    nodes[np.isin(nodes[:, N_TAG], [TAGS[name] for name in _MODERN]), N_TAG] = TAGS["div"]
    nodes[:, N_HASH] = nodes[:, N_TAG]
    page = replace(given.page, elements=nodes, sorts=0)
    return replace(given, page=page, costs=given.costs / 2, is_aged=True)


def foreign(given: Example) -> Example:
    """Return an example as in a script without capitals, and without a word that is known."""
    table, utf8 = given.page.table.copy(), given.page.utf8
    table[:, B_WORDS_END] = table[:, B_WORDS]
    is_capital = (utf8 >= ord("A")) & (utf8 <= ord("Z"))
    page = replace(given.page, table=table, utf8=np.where(is_capital, utf8 + 32, utf8))
    return replace(given, page=page, costs=given.costs / 2)


def part_of(host: str, parts: int) -> int:
    """Return the part a host's pages belong to; always the same for the same name."""
    return int(hashlib.md5(host.encode(), usedforsecurity=False).hexdigest(), 16) % parts


_LISTS = ("listing", "collection", "product", "service", "article")
# Lists have short lines; a longer one is a text.
_USUAL_LINE, _LONGEST_LINE = 70, 600
_TRIES = 8
_AGED_HOST, _AGED_DONOR, _BEFORE, _WITH_COMMENTS = 0.5, 0.8, 0.5, 0.35
# What holds a whole page or its text means something else beside another text.
_HOLDERS = [TAGS["body"], TAGS["main"], TAGS["article"]]
_HOLDING = ~(FLAGS["main"] | FLAGS["article"])


def grafts(examples: Sequence[Example], every: int, seed: int) -> list[Example]:
    """Return every n-th article among lists, and sometimes above the posts of a forum."""
    chance = np.random.default_rng(seed)
    articles = [one for one in examples if one.kind == "article" and _is_whole(one)]
    lists = [one for one in examples if one.kind in _LISTS and len(one.page) > 30]
    forums = [one for one in examples if one.kind == "forum" and (one.labels >= 0.5).sum() > 10]
    made = []
    for article in articles[::every] if every and lists else ():
        grafted = aged(article) if chance.random() < _AGED_HOST else article
        for _ in range(int(chance.integers(1, 3))):
            grafted = _beside_list(grafted, lists, chance)
        if forums and chance.random() < _WITH_COMMENTS:
            grafted = _above_posts(grafted, forums, chance)
        made.append(replace(grafted, costs=grafted.costs / 2, is_aged=True))
    return made


def _is_whole(one: Example) -> bool:
    return len(one.page) > 3 and bool((one.labels != UNKNOWN).all())


def _beside_list(
    article: Example, lists: Sequence[Example], chance: np.random.Generator
) -> Example:
    donor = _drawn(lists, chance)
    sizes = donor.page.sizes
    count = int(chance.integers(10, min(120, len(sizes))))
    for _ in range(_TRIES):
        start = int(chance.integers(0, len(sizes) - count + 1))
        lines = sizes[start : start + count]
        if np.median(lines) < _USUAL_LINE and lines.max() < _LONGEST_LINE:
            is_before = bool(chance.random() < _BEFORE)
            return graft(article, donor.page, start, start + count, is_before=is_before)
    return article


def _above_posts(
    article: Example, forums: Sequence[Example], chance: np.random.Generator
) -> Example:
    donor = _drawn(forums, chance)
    posts = np.flatnonzero(donor.labels >= 0.5)
    start = int(posts[chance.integers(0, len(posts) // 2)])
    end = min(int(posts[-1]) + 1, start + int(chance.integers(5, 150)))
    return graft(article, donor.page, start, end, is_before=False)


def _drawn(donors: Sequence[Example], chance: np.random.Generator) -> Example:
    donor = donors[int(chance.integers(len(donors)))]
    return aged(donor) if chance.random() < _AGED_DONOR else donor


def graft(article: Example, donor: Segmented, start: int, end: int, *, is_before: bool) -> Example:
    """Return an article with blocks of another page before or after its own; they are no text."""
    own, blocks = article.page, donor.table[start:end].copy()
    elements, places = _elements(own, donor, blocks[:, B_NODE])
    blocks[:, B_NODE] = places
    first, last = blocks[0].copy(), blocks[-1].copy()
    blocks[:, [B_FIRST, B_LAST]] += len(own.utf8) - first[B_FIRST]
    blocks[:, [B_START, B_END]] += len(own.text) - first[B_START]
    blocks[:, [B_WORDS, B_WORDS_END]] += len(own.words) - first[B_WORDS]
    page = replace(
        own,
        text=own.text + donor.text[first[B_START] : last[B_END]],
        utf8=np.concatenate([own.utf8, donor.utf8[first[B_FIRST] : last[B_LAST]]]),
        words=np.concatenate([own.words, donor.words[first[B_WORDS] : last[B_WORDS_END]]]),
        names=np.concatenate([own.names, donor.names]),
        elements=np.concatenate([own.elements, elements]),
        table=_joined(own.table, blocks, is_before=is_before),
        spans=own.spans[:0],
    )
    labels = _joined(article.labels, np.zeros(len(blocks)), is_before=is_before)
    return replace(
        article, page=page, labels=labels, costs=shares(page.sizes, float(page.sizes @ labels))
    )


def _joined(own: NDArray[Any], other: NDArray[Any], *, is_before: bool) -> NDArray[Any]:
    return np.concatenate([other, own] if is_before else [own, other])


def _elements(
    own: Segmented, donor: Segmented, places: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the elements round a donor's blocks as they are numbered after the page's own."""
    used = _used(donor.elements, places)
    numbers = np.where(used, np.cumsum(used) - 1 + len(own.elements), -1)
    found = donor.elements[used].copy()
    is_holder = (found[:, N_PARENT] < 0) | np.isin(found[:, N_TAG], _HOLDERS)
    bodies = np.flatnonzero(own.elements[:, N_TAG] == TAGS["body"])
    body = int(bodies[0]) if len(bodies) else 0
    above = found[:, N_PARENT]
    found[:, N_PARENT] = np.where(above >= 0, numbers[above], body)
    found[is_holder, N_TAG] = TAGS["div"]
    found[is_holder, N_WORDS_END] = found[is_holder, N_WORDS]
    found[:, [N_WORDS, N_WORDS_END]] += len(own.names)
    found[:, N_FLAGS] &= _HOLDING
    return found, np.where(places >= 0, numbers[places], body)


def _used(elements: NDArray[np.int64], places: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which elements stand round any of the places."""
    used = np.zeros(len(elements), dtype=bool)
    for place in places.tolist():
        node = place
        while node >= 0 and not used[node]:
            used[node] = True
            node = int(elements[node, N_PARENT])
    return used
