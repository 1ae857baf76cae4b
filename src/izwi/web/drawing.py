"""Charts over HTTP: what can be drawn has a twin that ends in .svg, of the same parameters."""

import inspect
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from izwi.analyse.charting import chart_of
from izwi.web import analysing, api, describing
from izwi.web.errors import PROBLEMS

# Our own rules of colour only; nothing else is loaded or run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_DRAWN: dict[str, Callable[..., Any]] = {
    "/frequencies": analysing.frequencies,
    "/wordlist": analysing.wordlist,
    "/ngrams": analysing.ngrams,
    "/dispersion": analysing.dispersion,
    "/collocations": analysing.collocations,
    "/keywords": analysing.keywords,
    "/terms": analysing.terms,
    "/trend": analysing.trend,
    "/compare": analysing.compare,
    "/sketch": describing.sketch,
    "/sketch/difference": describing.sketch_difference,
    "/thesaurus": describing.thesaurus,
    "/new-words": describing.new_words,
    "/conc": api.conc,
    "/summary": api.summary,
    "/card": api.card,
}


class SvgResponse(Response):
    """A drawing."""

    media_type = "image/svg+xml"


def router() -> APIRouter:
    """Return a route that draws for each route whose answer has a chart."""
    made = APIRouter(prefix="/api/v1/c/{corpus}", tags=["charts"], responses=PROBLEMS)
    for path, endpoint in _DRAWN.items():
        made.get(f"{path}.svg", summary=f"Chart of {path}", response_class=SvgResponse)(
            _drawing(endpoint)
        )
    return made


def _drawing(endpoint: Callable[..., Any]) -> Callable[..., SvgResponse]:
    """Return a function of the same parameters that draws what another answers."""

    def draw(**parameters: Any) -> SvgResponse:
        chart = chart_of(endpoint(**parameters), f"/c/{parameters['corpus'].name}")
        return SvgResponse(chart.svg, headers={"Content-Security-Policy": _POLICY})

    signature = inspect.signature(endpoint)
    draw.__signature__ = signature.replace(return_annotation=SvgResponse)  # type: ignore[attr-defined]
    draw.__name__ = f"{endpoint.__name__}_svg"
    draw.__doc__ = f"Draw it: {inspect.getdoc(endpoint)}"
    return draw
