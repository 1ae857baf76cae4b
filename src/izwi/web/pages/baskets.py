"""Baskets of quotations: kept without an account; whoever has the link may read and change one."""

from typing import Annotated

import fastapi
from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from izwi.cases import kept_lists
from izwi.cases.corpus import Corpus
from izwi.model.reading import Basket, Quotation, quotation_of
from izwi.presentation.quotations import QUOTATION_FORMATS, quotations_file
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS
from izwi.web.session.reader import current_basket, remember_basket
from izwi.web.session.rights import ReaderForm, form_body
from izwi.web.site import ThisCorpus, ThisSite

router = APIRouter(tags=["pages"], responses=PROBLEMS)
ThisBasket = Annotated[str, fastapi.Path(description="The id in the basket's link.")]
_SEE_OTHER = 303
_MOST_AT_ONCE = 1000


@twins(router, "/c/{corpus}/baskets/{id}", summary="Basket")
def basket_twin(corpus: ThisCorpus, id: ThisBasket) -> Basket:
    """Return a basket's quotations."""
    return kept_lists.read_basket(corpus.name, id)


@router.get("/c/{corpus}/baskets", response_class=HTMLResponse, summary="Your basket")
def own_basket(site: ThisSite, corpus: ThisCorpus) -> Response:
    """Lead to the basket that this browser used last, or say how to begin one."""
    known = current_basket(corpus.name)
    if known is not None:
        return RedirectResponse(address_of(known), _SEE_OTHER)
    return site.pages.page("baskets.html", {"corpus": corpus})


@router.get("/c/{corpus}/baskets/{id}", response_class=HTMLResponse, summary="Basket")
def basket(site: ThisSite, corpus: ThisCorpus, id: ThisBasket) -> HTMLResponse:
    """Show a basket's quotations in the order of their dates."""
    found = kept_lists.read_basket(corpus.name, id)
    shown = sorted(found.quotations, key=lambda each: (each.headword, each.date or "9999"))
    content = {"corpus": corpus, "basket": found, "quotations": shown, "formats": QUOTATION_FORMATS}
    answer = site.pages.page("basket.html", content)
    # To look at somebody's basket is not to give up one's own.
    if current_basket(corpus.name) is None:
        remember_basket(answer, found)
    return answer


@router.post(
    "/c/{corpus}/baskets",
    response_class=Response,
    status_code=_SEE_OTHER,
    summary="Put hits into your basket",
    openapi_extra=form_body(hit="The id of a line; may be given several times."),
)
def add(request: Request, corpus: ThisCorpus, said: ReaderForm) -> Response:
    """Put hits into the basket that this browser used last, or into a new one."""
    new = _quotations(corpus, said.all("hit"))
    known = current_basket(corpus.name)
    found = (
        kept_lists.new_basket(corpus.name, new)
        if known is None
        else kept_lists.add_quotations(corpus.name, known.id, new)
    )
    wants_json = "application/json" in request.headers.get("Accept", "")
    answer: Response = (
        JSONResponse({"basket": address_of(found), "quotations": len(found.quotations)})
        if wants_json
        else RedirectResponse(address_of(found), _SEE_OTHER)
    )
    remember_basket(answer, found)
    return answer


@router.post(
    "/c/{corpus}/baskets/{id}",
    response_class=RedirectResponse,
    status_code=_SEE_OTHER,
    summary="Change a basket",
    openapi_extra=form_body(
        act="note, remove, rename or delete.",
        hit="Which quotation.",
        headword="Its headword.",
        sense="Its sense.",
        note="A note.",
        name="The basket's new name.",
    ),
)
def change(corpus: ThisCorpus, id: ThisBasket, said: ReaderForm) -> Response:
    """Write a note, take a quotation out, rename the basket or throw it away."""
    act, hit = said.get("act", ""), said.get("hit", "")
    if act == "note":
        notes = {name: said.get(name, "") for name in kept_lists.NOTES}
        found = kept_lists.note_quotation(corpus.name, id, hit, **notes)
    elif act == "remove":
        found = kept_lists.remove_quotation(corpus.name, id, hit)
    elif act == "rename":
        found = kept_lists.rename_basket(corpus.name, id, said.get("name", ""))
    elif act == "delete":
        kept_lists.delete_basket(corpus.name, id)
        return RedirectResponse(f"/c/{corpus.name}/baskets", _SEE_OTHER)
    else:
        raise HTTPException(400, "A basket can be asked to note, remove, rename or delete.")
    answer = RedirectResponse(address_of(found), _SEE_OTHER)
    remember_basket(answer, found)
    return answer


@router.get(
    "/c/{corpus}/baskets/{id}/export/{format}",
    response_class=Response,
    summary="Basket for other programs",
)
def export(
    request: Request,
    corpus: ThisCorpus,
    id: ThisBasket,
    format: Annotated[str, fastapi.Path(description="tei, bibtex, csl, lexonomy, tsv, ...")],
) -> Response:
    """Write a basket's quotations in a format of dictionaries and libraries."""
    found = kept_lists.read_basket(corpus.name, id)
    base = str(request.base_url).rstrip("/")
    content = quotations_file(found.quotations, format=format, address=base)
    written = QUOTATION_FORMATS[format]
    name = f"{corpus.name}-quotations{written.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=written.media_type, headers=headers)


def address_of(basket: Basket) -> str:
    """Return a basket's link."""
    return f"/c/{basket.corpus}/baskets/{basket.id}"


def _quotations(corpus: Corpus, hits: list[str]) -> list[Quotation]:
    if not hits or len(hits) > _MOST_AT_ONCE:
        raise HTTPException(400, f"Choose 1 to {_MOST_AT_ONCE} lines for the basket.")
    version = corpus.newest
    return [quotation_of(corpus.hit(hit, unit="sentence"), corpus.name, version) for hit in hits]
