"""Which document owns a text: the first in corpus order.

Corpus order is shard order; inside a shard a rank decides (longest, then earliest date, then id),
so the answer does not depend on the order in which pages happened to be fetched.
"""

from collections.abc import Callable, Iterable
from datetime import date

from izwi.model.document import Document

Owner = Callable[[int], str | None]


def claims(documents: Iterable[Document], owner: Owner) -> list[tuple[int, str]]:
    """Return the hashes a shard is first to have, sorted, with the documents that own them."""
    best: dict[int, Document] = {}
    for document in documents:
        signature = document.signature
        if signature is None or owner(signature) is not None:
            continue
        rival = best.get(signature)
        if rival is None or rank(document) < rank(rival):
            best[signature] = document
    return sorted((signature, document.id) for signature, document in best.items())


def rank(document: Document) -> tuple[int, date, str]:
    """Return what decides between documents of one shard; the smallest owns."""
    when = document.metadata.date
    return -len(document.text), when.value if when else date.max, document.id
