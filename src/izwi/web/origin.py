"""Requests that change something come from our own pages only."""

from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request
from starlette.exceptions import HTTPException

# A form of ours sends far less.
_MOST_BYTES = 1_000_000
_MOST_FIELDS = 5000

Pairs = list[tuple[str, str]]


def refuse_other_sites(request: Request) -> None:
    """Refuse what a page of another site makes a browser send."""
    origin = request.headers.get("Origin")
    if origin is not None and not _is_at(origin, request.headers.get("Host")):
        raise HTTPException(403, "This request was sent by a page of another site.")


async def form_fields(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form that a page of ours sent."""
    refuse_other_sites(request)
    fields: dict[str, list[str]] = {}
    for name, value in await form_pairs(request):
        fields.setdefault(name, []).append(value)
    return fields


async def form_pairs(
    request: Request, *, most_bytes: int = _MOST_BYTES, most_fields: int = _MOST_FIELDS
) -> Pairs:
    """Return the names and values of a form; whoever asks again gets what was read first."""
    if not hasattr(request.state, "form"):
        body = await read_body(request, most_bytes)
        try:
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=most_fields)
        except ValueError:
            raise HTTPException(400, "This form cannot be read.") from None
        request.state.form = pairs
    kept: Pairs = request.state.form
    return kept


async def read_body(request: Request, most_bytes: int) -> bytearray:
    """Read a body, and no further than it may go."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most_bytes:
            raise HTTPException(413, "This form is too long.")
    return body


def _is_at(origin: str, host: str | None) -> bool:
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


Fields = Annotated[dict[str, list[str]], Depends(form_fields)]


def form_body(**fields: str) -> dict[str, Any]:
    """Return how the interface describes a form: its fields and what they mean."""
    properties = {
        name: {"type": "string", "description": meaning} for name, meaning in fields.items()
    }
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}
