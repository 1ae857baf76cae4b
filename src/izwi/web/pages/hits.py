"""The permanent page of one hit; if the hit is gone, a page that says why."""

from dataclasses import dataclass
from typing import Annotated

import fastapi
from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.model.errors import IzwiError, NotFound, TakenDown
from izwi.model.results import KwicLine
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS
from izwi.web.pages.addresses import Version
from izwi.web.pages.citing import citations
from izwi.web.pages.views import row_of
from izwi.web.session.reader import gettext as _
from izwi.web.site import Site, ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
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
        return Lost(_("The document is here, but its text is another now."), 410, earlier)
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
