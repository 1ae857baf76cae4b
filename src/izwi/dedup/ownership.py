"""Which document owns a text: the first in corpus order.

Corpus order is shard order; inside a shard a rank decides (articles, longest, earliest date, id),
so the answer does not depend on the order in which pages happened to be fetched.
"""

from collections.abc import Callable, Iterable
from datetime import date
from urllib.parse import urlsplit

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


def rank(document: Document) -> tuple[bool, int, date, str]:
    """Return what decides between documents of one shard; the smallest owns.

    Whole articles come before pages that list them, then the longest, then the earliest.
    """
    when = document.metadata.date
    return (
        is_listing(document),
        -len(document.text),
        when.value if when else date.max,
        document.id,
    )


def is_listing(document: Document) -> bool:
    """Whether a document looks like a home or section page: undated and near the site's root."""
    path = urlsplit(document.url).path.strip("/")
    return document.metadata.date is None and (
        not path
        or ("/" not in path and "." not in path and "-" not in path and document.url.endswith("/"))
    )
