"""Charts over HTTP: what can be drawn has a twin that ends in .svg, of the same parameters."""

import inspect
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from izwi.analyse.charting import chart_of
from izwi.web import api
from izwi.web.derived import CaseRoute, endpoint
from izwi.web.errors import PROBLEMS

# Our own rules of colour only; nothing else is loaded or run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
_DRAWN: dict[str, Callable[..., Any]] = {
    "/frequencies": endpoint("frequencies"),
    "/wordlist": endpoint("wordlist"),
    "/ngrams": endpoint("ngrams"),
    "/dispersion": endpoint("dispersion"),
    "/collocations": endpoint("collocations"),
    "/keywords": endpoint("keywords"),
    "/terms": endpoint("terms"),
    "/trend": endpoint("trend"),
    "/compare": endpoint("compare"),
    "/sketch": endpoint("word_sketch"),
    "/sketch/difference": endpoint("sketch_difference"),
    "/thesaurus": endpoint("thesaurus"),
    "/new-words": endpoint("new_words"),
    "/conc": api.conc,
    "/summary": api.summary,
    "/card": api.card,
}


class SvgResponse(Response):
    """A drawing."""

    media_type = "image/svg+xml"


def router() -> APIRouter:
    """Return a route that draws for each route whose answer has a chart."""
    made = APIRouter(
        prefix="/api/v1/c/{corpus}", tags=["charts"], responses=PROBLEMS, route_class=CaseRoute
    )
    for path, answer in _DRAWN.items():
        made.get(f"{path}.svg", summary=f"Chart of {path}", response_class=SvgResponse)(
            _drawing(answer)
        )
    return made


def _drawing(answer: Callable[..., Any]) -> Callable[..., SvgResponse]:
    """Return a function of the same parameters that draws what another answers."""

    def draw(**parameters: Any) -> SvgResponse:
        chart = chart_of(answer(**parameters), f"/c/{parameters['corpus'].name}")
        return SvgResponse(chart.svg, headers={"Content-Security-Policy": _POLICY})

    signature = inspect.signature(answer)
    draw.__signature__ = signature.replace(return_annotation=SvgResponse)  # type: ignore[attr-defined]
    draw.__name__ = f"{answer.__name__}_svg"
    draw.__doc__ = f"Draw it: {inspect.getdoc(answer)}"
    return draw
