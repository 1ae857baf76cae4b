"""One document looked at closely, the page it came from, and its copies side by side."""

import difflib
from collections.abc import Iterator
from typing import Annotated
from urllib.parse import urlencode

from fastapi import Query
from selectolax.lexbor import LexborHTMLParser, LexborNode
from starlette.responses import HTMLResponse, RedirectResponse, Response

from izwi.model.curation import JudgedParagraph
from izwi.model.errors import IzwiError
from izwi.model.reading import differences
from izwi.web.desk import frame
from izwi.web.desk.frame import ThisDesk, extractor_names, share_of
from izwi.web.middleware import ARCHIVED_HEADERS
from izwi.web.pages.documents import harmless
from izwi.web.session.rights import curator_pages
from izwi.web.site import ThisCorpus

router = curator_pages()


@router.get("/inspect", response_class=HTMLResponse)
def find(desk: ThisDesk, corpus: ThisCorpus, document: Annotated[str, Query()] = "") -> Response:
    """Lead to the page of a document given by URL or id; ask again if there is none."""
    try:
        found = corpus.inspect(document.strip()) if document.strip() else None
    except IzwiError as error:
        # What was never captured has a line in the ledger, which says why.
        if corpus.drops(url=document.strip(), most=0).total:
            query = urlencode({"outcome": "any", "url": document.strip()})
            return RedirectResponse(f"/admin/c/{corpus.name}/drops?{query}", 303)
        return desk.page("find", corpus, "inspect", {"document": document}, error=error)
    if found is None:
        return desk.page("find", corpus, "inspect", {"document": document})
    return RedirectResponse(f"/admin/c/{corpus.name}/inspect/{found.document.id}", 303)


@router.get("/inspect/{document}", response_class=HTMLResponse)
def inspect(
    desk: ThisDesk,
    corpus: ThisCorpus,
    document: str,
    method: Annotated[str, Query()] = "",
    cutoff: Annotated[str, Query()] = "",
) -> HTMLResponse:
    """Show a document's paragraphs with class and reason; with `method`, as that would judge."""
    found = corpus.inspect(document, method=method, cutoff=share_of(cutoff))
    decided = {each.document: each for each in corpus.document_decisions()}
    content = {
        "found": found,
        "tried": found.tried,
        "pairs": list(_pairs(found.paragraphs, found.tried)) if found.tried else [],
        "method": method,
        "cutoff": cutoff,
        "methods": extractor_names(),
        "decision": decided.get(found.document.id),
        "reasons": frame,
    }
    return desk.page("inspect", corpus, "inspect", content)


@router.get("/inspect/{document}/archived")
def archived(
    corpus: ThisCorpus, document: str, words: Annotated[str, Query(max_length=500)] = ""
) -> Response:
    """Send the page as it was captured, to be shown where it can do nothing.

    With `words`, the place where they stand is marked and bears the name `here`.
    """
    html = corpus.archived(document).text
    page = marked(harmless(html), words) if words else harmless(html)
    return HTMLResponse(page.encode("utf-8", "replace"), headers=ARCHIVED_HEADERS)


@router.get("/copies/{document}", response_class=HTMLResponse)
def copies(desk: ThisDesk, corpus: ThisCorpus, document: str) -> HTMLResponse:
    """Show a document beside its original, with the words that differ."""
    cluster = corpus.copies(document)
    original = corpus.inspect(cluster.original).document
    chosen = document if document != cluster.original else ""
    others = [each for each in cluster.members if each.id != cluster.original]
    if not chosen and others:
        chosen = others[0].id
    copy = corpus.inspect(chosen or cluster.original).document
    content = {
        "cluster": cluster,
        "original": original,
        "copy": copy,
        "sides": _sides(original.text, copy.text),
    }
    return desk.page("copies", corpus, "drops", content)


def _pairs(
    now: tuple[JudgedParagraph, ...], then: tuple[JudgedParagraph, ...]
) -> Iterator[tuple[JudgedParagraph | None, JudgedParagraph | None]]:
    """Yield paragraphs side by side, those of the same words in one row."""
    matcher = difflib.SequenceMatcher(
        None, [each.text for each in now], [each.text for each in then], autojunk=False
    )
    for _, i, j, k, m in matcher.get_opcodes():
        for place in range(max(j - i, m - k)):
            left = now[i + place] if i + place < j else None
            right = then[k + place] if k + place < m else None
            yield left, right


def _sides(one: str, other: str) -> tuple[list[tuple[str, bool]], list[tuple[str, bool]]]:
    """Return two texts in pieces, each marked whether the other text lacks it."""
    left, right = one.split(), other.split()
    first, second = [], []
    for kind, i, j, k, m in differences(left, right):
        is_other = kind != "equal"
        if j > i:
            first.append((" ".join(left[i:j]), is_other))
        if m > k:
            second.append((" ".join(right[k:m]), is_other))
    return first, second


HERE = "here"
_STYLE = "outline: 3px solid #c2410c; outline-offset: 3px; scroll-margin: 4rem"
_MOST_STEPS = 200


def marked(markup: str, words: str) -> str:
    """Return a page in which the smallest element that holds some words is named and outlined.

    >>> "here" in marked("<div><p>One  two.</p></div>", "One two.")
    True
    """
    tree = LexborHTMLParser(markup)
    wanted = _plain(words)
    place = _smallest(tree.body, wanted) if tree.body is not None and wanted else None
    if place is None:
        return markup
    place.attrs["id"] = HERE
    place.attrs["style"] = _STYLE
    return tree.html or markup


def _smallest(node: LexborNode, wanted: str) -> LexborNode | None:
    """Return the deepest element whose text holds the words."""
    if wanted not in _plain(node.text()):
        return None
    for _ in range(_MOST_STEPS):
        inner = next((each for each in _elements(node) if wanted in _plain(each.text())), None)
        if inner is None:
            break
        node = inner
    return node


def _elements(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        if child.is_element_node:
            yield child
        child = child.next


def _plain(text: str) -> str:
    return "".join(text.split())
