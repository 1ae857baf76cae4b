"""Quotations over HTTP: hits by their ids, as a file for other programs."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from izwi.presentation.quotations import QUOTATION_FORMATS, quotations_file
from izwi.web.errors import PROBLEMS
from izwi.web.pages.addresses import Version
from izwi.web.site import ThisCorpus

router = APIRouter(prefix="/api/v1/c/{corpus}", tags=["interface"], responses=PROBLEMS)
_MOST = 1000
Hits = Annotated[
    list[str],
    Query(alias="hit", description="The id of a line; repeatable.", max_length=_MOST),
]
_FORMATS = ", ".join(QUOTATION_FORMATS)


@router.get("/quotations", summary="Hits as quotations", response_class=Response)
def quotations(
    request: Request,
    corpus: ThisCorpus,
    hits: Hits = [],  # noqa: B006 -- read only; a tuple is no list of parameters
    q: Annotated[
        str, Query(description="Quote the first hits of this query.", examples=["bakkie"])
    ] = "",
    most: Annotated[int, Query(description="So many of them.", ge=1, le=_MOST)] = 100,
    format: Annotated[str, Query(description=f"{_FORMATS}.", examples=["tsv"])] = "tsv",
    context: Annotated[int, Query(description="Tokens on each side.")] = 12,
    v: Version = None,
) -> Response:
    """Send hits as a file: a table, a spreadsheet, TEI, BibTeX, entries of a dictionary."""
    found = corpus.quotations(hits, query=q, most=most, context=context, version=v)
    address = str(request.base_url).rstrip("/")
    content = quotations_file(found, format=format, address=address)
    form = QUOTATION_FORMATS[format]
    name = f"{corpus.name}-quotations.{form.suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=form.media_type, headers=headers)
