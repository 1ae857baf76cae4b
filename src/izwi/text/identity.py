"""What a document is called, whatever was made of it."""

import hashlib
from datetime import UTC, datetime


def document_id(url: str, captured: datetime, part: str = "") -> str:
    """Return a document's identity: its address and part, hashed, and the time of capture."""
    digest = hashlib.blake2b(f"{url}\n{part}".encode(), digest_size=6).hexdigest()
    return f"{digest}-{captured.astimezone(UTC):%Y%m%d%H%M%S}"
