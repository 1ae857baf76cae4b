"""The pages of one document and of one hit in it.

Of a document: text, paragraphs, metadata, copies, and the page it came from. The page of a hit is
permanent; if the hit is gone, a page says why.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Literal

import fastapi
from fastapi import APIRouter, Query
from selectolax.lexbor import LexborHTMLParser, LexborNode
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.model.analyses import escaped
from izwi.model.errors import IzwiError, NotFound, QueryError, TakenDown
from izwi.model.reading import DocumentView
from izwi.model.results import CopyCluster, DocumentCard, KwicLine
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS
from izwi.web.middleware import ARCHIVED_HEADERS
from izwi.web.pages.addresses import Version
from izwi.web.pages.citing import citations, coins, document_citations, meta_tags
from izwi.web.pages.views import language_tag, row_of
from izwi.web.session.reader import gettext as _
from izwi.web.site import Site, ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisId = Annotated[str, fastapi.Path(description="The document's id.")]
Tab = Literal["text", "paragraphs", "metadata", "copies", "archived"]

# These could name other hosts to a browser in spite of the policy, or are of no use without them.
_REMOVED = "script, link, meta, base, iframe, frame, object, embed, noscript, template"
# No page needs so many; each costs time.
_MOST_ATTRIBUTES = 200
# Banners that stick to the edges of a window would cover the text.
_UNSTUCK = "<style>*{position:static!important}</style>"
# Without these there is no page: they lose their attributes instead.
_FRAME = ("html", "body")


@twins(router, "/c/{corpus}/doc/{id}", summary="Document")
def document_twin(corpus: ThisCorpus, id: ThisId, v: Version = None) -> DocumentView:
    """Return a document: paragraphs, metadata with evidence, where its capture lies."""
    return corpus.document(id, version=v)


@twins(router, "/c/{corpus}/doc/{id}/copies", summary="Copies of a document")
def copies_twin(corpus: ThisCorpus, id: ThisId) -> CopyCluster:
    """List the copies of a document, the original first, with the words that differ."""
    return corpus.copies(id)


@router.get("/c/{corpus}/doc/{id}", response_class=HTMLResponse, summary="Document")
def document(
    site: ThisSite,
    corpus: ThisCorpus,
    id: ThisId,
    v: Version = None,
    mark: Annotated[str, Query(description="Words to be marked in the text.")] = "",
    hit: Annotated[str, Query(description="The line from which one came.")] = "",
) -> HTMLResponse:
    """Show the text of a document."""
    view = corpus.document(id, version=v)
    main = [each for each in view.paragraphs if each.is_main]
    line, card = _line(corpus, hit, v), _card(view)
    title, number = corpus.config.corpus.title or corpus.name, v or corpus.newest
    more = {
        "shown": [(each, cut_at(each.text, mark)) for each in main],
        "line": line,
        "mark": mark,
        "words": view.words,
        "citations": citations(line, title, number) if line else document_citations(card),
        "coins": coins(card),
        "meta": meta_tags(card),
    }
    return _page(site, corpus, view, "text", more)


def _line(corpus: Corpus, hit: str, version: int | None) -> KwicLine | None:
    """Return the line from which one came to a document; None if it is not there any more."""
    if not hit:
        return None
    try:
        return corpus.hit(hit, unit="sentence", version=version)
    except (NotFound, QueryError):
        return None


def _card(view: DocumentView) -> DocumentCard:
    """Return a document as citations want it."""
    return DocumentCard(
        id=view.id,
        url=view.url,
        title=view.title,
        author=view.author,
        date=view.date,
        date_precision=view.date_precision,
        date_evidence=view.date_evidence,
        source=view.source,
        site=view.site,
        section=view.section,
        language=view.language,
        captured=view.capture.captured,
        publication=view.publication,
    )


def _copies(corpus: Corpus, view: DocumentView) -> int:
    """Return how many copies of a document are folded into it."""
    if not view.snapshot:
        return 0
    found = corpus.documents(where=f'id="{escaped(view.id)}"', copies=True, size=1)
    return found.documents[0].copies if found.documents else 0


@router.get("/c/{corpus}/doc/{id}/paragraphs", response_class=HTMLResponse, summary="Paragraphs")
def paragraphs(site: ThisSite, corpus: ThisCorpus, id: ThisId) -> HTMLResponse:
    """Show every paragraph of a page, kept or not, with the reason."""
    return _page(site, corpus, corpus.document(id), "paragraphs", {})


@router.get("/c/{corpus}/doc/{id}/metadata", response_class=HTMLResponse, summary="Metadata")
def metadata(site: ThisSite, corpus: ThisCorpus, id: ThisId) -> HTMLResponse:
    """Show what is known of a document, and everything that claims to know it."""
    return _page(site, corpus, corpus.document(id), "metadata", {})


@router.get("/c/{corpus}/doc/{id}/copies", response_class=HTMLResponse, summary="Copies")
def copies(site: ThisSite, corpus: ThisCorpus, id: ThisId) -> HTMLResponse:
    """Show the copies of a document beside each other, with the words that differ."""
    return _page(site, corpus, corpus.document(id), "copies", {"cluster": corpus.copies(id)})


@router.get("/c/{corpus}/doc/{id}/archived", response_class=HTMLResponse, summary="Archived page")
def archived(site: ThisSite, corpus: ThisCorpus, id: ThisId) -> HTMLResponse:
    """Show the page as it was captured, in a frame where nothing runs."""
    page = corpus.archived(id)
    return _page(site, corpus, corpus.document(id), "archived", {"page": page})


@router.get(
    "/c/{corpus}/doc/{id}/archived/frame",
    response_class=HTMLResponse,
    summary="Archived page alone",
)
def archived_frame(corpus: ThisCorpus, id: ThisId) -> HTMLResponse:
    """Send a page as it was captured, without scripts and without leave to load anything."""
    page = corpus.archived(id)
    is_markup = "html" in page.media_type or "xml" in page.media_type or not page.media_type
    return HTMLResponse(
        harmless(page.text) if is_markup else _as_text(page.text), 200, ARCHIVED_HEADERS
    )


def harmless(markup: str) -> str:
    """Return a page without what could run or name another host to the browser.

    >>> harmless("<p>a<script>b()</script></p>")
    '<html><head><style>*{position:static!important}</style></head><body><p>a</p></body></html>'
    """
    tree = LexborHTMLParser(markup)
    for node in tree.css(_REMOVED):
        node.decompose()
    for node in tree.css("*"):
        _disarm(node)
    # As a node: in the text of the page a style of its own may hold "</head>" too.
    style = LexborHTMLParser(_UNSTUCK).css_first("style")
    if tree.head is not None and style is not None:
        tree.head.insert_child(style)
    return tree.html or ""


def _disarm(node: LexborNode) -> None:
    # Each look at `attributes` reads them all: once is enough.
    given = dict(node.attributes)
    is_too_much = len(given) > _MOST_ATTRIBUTES
    if is_too_much and node.tag not in _FRAME:
        node.decompose()
        return
    for name, value in given.items():
        if is_too_much or _could_run(name, value):
            del node.attrs[name]


def _could_run(name: str, value: str | None) -> bool:
    plain = "".join((value or "").split()).lower()
    return name.lower().startswith("on") or plain.startswith(("javascript:", "vbscript:"))


def cut_at(text: str, words: str) -> tuple[str, str, str]:
    """Return what stands before some words, the words, and what follows; all before if absent.

    >>> cut_at("a white bakkie.", "bakkie")
    ('a white ', 'bakkie', '.')
    """
    before, found, after = text.partition(words) if words else (text, "", "")
    return before, found, after


def _as_text(text: str) -> str:
    safe = text.replace("&", "&amp;").replace("<", "&lt;")
    return f"<!doctype html><title>-</title><pre>{safe}</pre>"


def _page(
    site: Site, corpus: Corpus, view: DocumentView, tab: Tab, more: Mapping[str, object]
) -> HTMLResponse:
    content = {
        "corpus": corpus,
        "view": view,
        "tab": tab,
        "tag": language_tag(view.language),
        "copies": _copies(corpus, view),
    }
    headers = {"X-Robots-Tag": "noindex"}
    return site.pages.page("document.html", {**content, **more}, headers=headers)


ThisHit = Annotated[str, fastapi.Path(description="The id of a line.")]
# Earlier versions in which a lost hit is looked for.
_MOST_VERSIONS = 12


@dataclass(frozen=True, slots=True)
class Lost:
    """Why a hit is not in a version, and an earlier version that has it (0: none)."""

    reason: str
    status: int
    version: int


@twins(router, "/c/{corpus}/hit/{id}", summary="Hit")
def hit_twin(corpus: ThisCorpus, id: ThisHit, v: Version = None) -> KwicLine:
    """Return one hit by its permanent id, with its paragraph."""
    return corpus.hit(id, unit="paragraph", version=v)


@router.get("/c/{corpus}/hit/{id}", response_class=HTMLResponse, summary="Hit")
def hit(
    site: ThisSite,
    corpus: ThisCorpus,
    id: ThisHit,
    v: Version = None,
    part: Annotated[
        bool, Query(description="Only the part that a concordance puts under a line.")
    ] = False,
) -> HTMLResponse:
    """Show one hit in its paragraph, with its document and its citation in several styles."""
    try:
        line = corpus.hit(id, unit="paragraph", version=v)
    except NotFound as error:
        return _tombstone(site, corpus, id, v, error)
    number = v or corpus.newest
    title = corpus.config.corpus.title or corpus.name
    content = {
        "corpus": corpus,
        "row": row_of(line, title, number),
        "citations": citations(line, title, number),
        "version": number,
    }
    return site.pages.page("hit_part.html" if part else "hit.html", content)


@router.get("/h/{id}", response_class=HTMLResponse, summary="Hit in whichever corpus has it")
def hit_anywhere(site: ThisSite, id: ThisHit) -> HTMLResponse:
    """Show one hit, looked for in every corpus served here."""
    for corpus in site.corpora.values():
        try:
            corpus.hit(id)
        except IzwiError:
            continue
        return hit(site, corpus, id)
    raise NotFound(_("No corpus served here has the hit %(id)s.") % {"id": id[:80]})


def lost(corpus: Corpus, id: str, error: NotFound) -> Lost:
    """Return why a hit is not there, and which earlier version still has it."""
    document = id.rpartition(".")[0].rpartition(".")[0]
    earlier = _earlier_version(corpus, id)
    try:
        view = corpus.document(document)
    except TakenDown as taken:
        return Lost(str(taken), 410, 0)
    except IzwiError:
        return Lost(str(error), 404, earlier)
    if view.snapshot:
        return Lost(_("The document is here, but its text has changed."), 410, earlier)
    words = _("Its document was left out at the stage “%(stage)s” (%(reason)s).")
    return Lost(words % {"stage": view.stage, "reason": view.reason}, 410, earlier)


def _earlier_version(corpus: Corpus, id: str) -> int:
    newest = corpus.newest
    for number in range(newest - 1, max(0, newest - 1 - _MOST_VERSIONS), -1):
        try:
            corpus.hit(id, version=number)
        except IzwiError:
            continue
        return number
    return 0


def _tombstone(
    site: Site, corpus: Corpus, id: str, version: int | None, error: NotFound
) -> HTMLResponse:
    found = lost(corpus, id, error)
    content = {"corpus": corpus, "id": id, "version": version, "lost": found}
    return site.pages.page("lost.html", content, status=found.status)
