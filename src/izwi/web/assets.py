"""Our style sheet, script and icon; small files are joined, so that a page asks for three."""

from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.exceptions import HTTPException
from starlette.responses import Response

STATIC = Path(__file__).parent / "static"
_YEAR_SECONDS = 31_536_000
_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}
# What is joined, in the order of the file names, and under which name it is sent.
_JOINED = {"izwi.css": "styles/*.css", "izwi.js": "scripts/*.js"}
# Anybody may ask for names that are not there.
_MOST_NAMES = 64

router = APIRouter(include_in_schema=False)


@dataclass(frozen=True, slots=True)
class Asset:
    """A file as it is sent; the digest is in its address, which changes when the file does."""

    body: bytes
    media_type: str
    digest: str


@lru_cache(_MOST_NAMES)
def asset(name: str) -> Asset | None:
    """Return a file of ours by the name under which pages ask for it."""
    if name in _JOINED:
        parts = sorted(STATIC.glob(_JOINED[name]))
        body = b"\n".join(part.read_bytes() for part in parts)
    elif name in {path.name for path in STATIC.iterdir() if path.is_file()}:
        body = (STATIC / name).read_bytes()
    else:
        return None
    media_type = _TYPES.get(Path(name).suffix, "application/octet-stream")
    return Asset(body, media_type, blake2b(body, digest_size=5).hexdigest())


def static_address(name: str) -> str:
    """Return the address of a file of ours."""
    found = asset(name)
    assert found is not None, f"no file {name} in {STATIC}"
    return f"/static/{name}?{found.digest}"


@router.get("/static/{name}")
def static(request: Request, name: str) -> Response:
    """Send a file of ours; under an address with the right digest it may be kept for good."""
    found = asset(name)
    if found is None:
        raise HTTPException(404)
    is_exact = request.url.query == found.digest
    kept = f"public, max-age={_YEAR_SECONDS}, immutable" if is_exact else "no-cache"
    headers = {"Cache-Control": kept, "ETag": f'"{found.digest}"'}
    if headers["ETag"] in request.headers.get("If-None-Match", ""):
        return Response(status_code=304, headers=headers)
    return Response(found.body, media_type=found.media_type, headers=headers)
