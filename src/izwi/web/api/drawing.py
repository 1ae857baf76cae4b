"""Charts over HTTP: what can be drawn has a twin that ends in .svg, of the same parameters."""

import inspect
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from izwi.analyse.charting import svg_of
from izwi.cases.registry import all_cases
from izwi.web.api.derived import CaseRoute, endpoint
from izwi.web.errors import PROBLEMS

# Our own rules of colour only; nothing else is loaded or run.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


class SvgResponse(Response):
    """A drawing."""

    media_type = "image/svg+xml"


def router() -> APIRouter:
    """Return a route that draws for each route whose answer has a chart."""
    made = APIRouter(tags=["charts"], responses=PROBLEMS, route_class=CaseRoute)
    for case in all_cases().values():
        if case.is_drawn:
            path = case.route.removeprefix("GET ")
            name = path.removeprefix("/api/v1/c/{corpus}")
            route = made.get(f"{path}.svg", summary=f"Chart of {name}", response_class=SvgResponse)
            route(_drawing(endpoint(case.method)))
    return made


def _drawing(answer: Callable[..., Any]) -> Callable[..., SvgResponse]:
    """Return a function of the same parameters that draws what another answers."""

    def draw(**parameters: Any) -> SvgResponse:
        drawn = svg_of(answer(**parameters), f"/c/{parameters['corpus'].name}")
        return SvgResponse(drawn, headers={"Content-Security-Policy": _POLICY})

    signature = inspect.signature(answer)
    draw.__signature__ = signature.replace(return_annotation=SvgResponse)  # type: ignore[attr-defined]
    draw.addresses = answer.addresses  # type: ignore[attr-defined]
    draw.__name__ = f"{answer.__name__}_svg"
    draw.__doc__ = f"Draw it: {inspect.getdoc(answer)}"
    return draw
