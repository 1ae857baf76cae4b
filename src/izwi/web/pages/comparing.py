"""Two texts side by side: what sets each apart, and how a word behaves in both."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import HTMLResponse

from izwi.cases.corpus import Corpus
from izwi.cases.counts import TwoTexts
from izwi.model.analyses import WHERE, TextComparison
from izwi.model.errors import QueryError
from izwi.web.api.derived import endpoint
from izwi.web.api.twins import twins
from izwi.web.errors import PROBLEMS, status_of
from izwi.web.pages import tables
from izwi.web.pages.addresses import Here, Sent, here, lines_address, sent, ways_of
from izwi.web.pages.text_menu import (
    REST,
    contrasts,
    name_among,
    rest_beside,
    text_here,
    texts_of,
    with_text,
)
from izwi.web.session.reader import gettext as _
from izwi.web.site import Site, ThisCorpus, ThisSite, site_address

router = APIRouter(tags=["pages"], responses=PROBLEMS)
Typed = Annotated[str, Query(description="A condition, in place of a text that was chosen.")]
twins(router, "/c/{corpus}/compare", summary="Comparison")(endpoint("compare"))


@sent(TwoTexts)
class Compared(Sent):
    """Which texts are compared, and by what."""


@router.get("/c/{corpus}/compare", response_class=HTMLResponse, summary="Comparison")
def compare_page(
    request: Request,
    site: ThisSite,
    corpus: ThisCorpus,
    asked: Annotated[Compared, Depends()],
    first_where: Typed = "",
    second_where: Typed = "",
) -> HTMLResponse:
    """Show two parts of a corpus, or two corpora, side by side."""
    place, problem, status, found = here(request), "", 200, None
    try:
        place = _with_texts(site, corpus, place)
        if place.first("first"):
            found = _compared(site, corpus, asked, place)
    except QueryError as error:
        problem, status = site.without_folders(str(error)), status_of(error)
    base = site_address(request)
    content = {
        "corpus": corpus,
        "here": place,
        "found": found,
        "problem": problem,
        "columns": tables.keyword_columns()[:7],
        "opened": lambda opens: lines_address(corpus.name, opens, asked.v),
        "ways": ways_of(corpus.path.name, "compare", place, version=found.snapshot, base=base)
        if found is not None
        else (),
        **_form(site, corpus, place),
    }
    return site.pages.page("compare.html", content, status=status)


def _with_texts(site: Site, corpus: Corpus, place: Here) -> Here:
    """Return the address with both texts as the analysis takes them, however they were named."""
    first, second = (_named(site, corpus, place, name) for name in ("first", "second"))
    second = rest_beside(corpus, first) if second == REST else second
    place = with_text(place, "first", first, "first_where")
    return with_text(place, "second", second, "second_where")


def _named(site: Site, corpus: Corpus, place: Here, name: str) -> str:
    typed, chosen = place.first(f"{name}_where").strip(), place.first(name)
    if typed:
        return f"{WHERE}{typed.removeprefix(WHERE)}"
    if not chosen or chosen == REST or ":" in chosen:
        return chosen
    # Folders of the server stay out of addresses.
    found = text_here(site, corpus, chosen)
    return f"corpus:{chosen}" if chosen in site.corpora and "/" in found else found


def _form(site: Site, corpus: Corpus, place: Here) -> dict[str, object]:
    """Return what the form offers, what of it is chosen, and what both texts are called."""
    groups = texts_of(site, corpus)
    first, second = place.first("first"), place.first("second")
    is_rest = bool(first) and second == rest_beside(corpus, first) and bool(second)
    return {
        "groups": groups,
        "contrasts": contrasts(corpus),
        "chosen": {
            "first": first if name_among(groups, first) else "",
            "second": REST if is_rest or not first else second,
        },
        "names": (
            name_among(groups, first),
            _("the rest of the corpus") if is_rest else name_among(groups, second),
        ),
    }


def _compared(site: Site, corpus: Corpus, asked: Compared, place: Here) -> TextComparison:
    first, second = place.first("first"), place.first("second")
    one, other = (text_here(site, corpus, named) for named in (first, second))
    return corpus.compare(**asked.values() | {"first": one, "second": other})
