"""Requests that change something come from our own pages only."""

from typing import Annotated, Any
from urllib.parse import parse_qs, urlsplit

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

# A form of ours sends far less.
_MOST_BYTES = 1_000_000
_MOST_FIELDS = 5000


def refuse_other_sites(request: Request) -> None:
    """Refuse what a page of another site makes a browser send."""
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.headers.get("Host"):
        raise HTTPException(403, "This request was sent by a page of another site.")


async def form_fields(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form that a page of ours sent."""
    refuse_other_sites(request)
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > _MOST_BYTES:
            raise HTTPException(413, "This form is too long.")
    try:
        return parse_qs(body.decode(), keep_blank_values=True, max_num_fields=_MOST_FIELDS)
    except ValueError:
        raise HTTPException(400, "This form cannot be read.") from None


Fields = Annotated[dict[str, list[str]], Depends(form_fields)]


def form_body(**fields: str) -> dict[str, Any]:
    """Return how the interface describes a form: its fields and what they mean."""
    properties = {
        name: {"type": "string", "description": meaning} for name, meaning in fields.items()
    }
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}
