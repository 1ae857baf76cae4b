"""Articles beside text of other pages, so that trees learn what stands round an article.

Weblogs of before 2015 have long lists of links on both sides and readers' comments below, often
without a telling name; newer pages, which can be had with labels, hide both or leave them out.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.examples import Example, aged, shares
from izwi.evaluate.labels import UNKNOWN
from izwi.kernels.columns import (
    B_END,
    B_FIRST,
    B_LAST,
    B_NODE,
    B_START,
    B_WORDS,
    B_WORDS_END,
    N_FLAGS,
    N_PARENT,
    N_TAG,
    N_WORDS,
    N_WORDS_END,
)
from izwi.text.blocks import Segmented
from izwi.text.elements import FLAGS, TAGS

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
