"""What a page of a list carries from the pages before it, as text in its lead's hints."""

import json
from dataclasses import fields
from typing import Any, TypeVar

from izwi.model.capture import Lead

T = TypeVar("T")


def trail_text(trail: Any) -> str:
    """Return a trail, a flat dataclass with defaults, as a lead carries it."""
    known = {field.name: getattr(trail, field.name) for field in fields(trail)}
    return json.dumps({name: value for name, value in known.items() if value})


def trail_of(kind: type[T], lead: Lead) -> T:
    """Return the trail a lead carries."""
    return kind(**json.loads(lead.hints.trail or "{}"))
