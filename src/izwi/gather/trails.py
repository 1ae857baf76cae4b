"""What a page of a list carries from the pages before it, as text in its lead's hints."""

import json
from dataclasses import fields
from typing import Any, TypeVar

from izwi.model.capture import Lead

T = TypeVar("T")


def trail_text(trail: Any) -> str:
    """Return a trail, a flat dataclass with defaults, as a lead carries it."""
    known = {each.name: getattr(trail, each.name) for each in fields(trail)}
    defaults = {each.name: each.default for each in fields(trail)}
    return json.dumps({key: value for key, value in known.items() if value != defaults[key]})


def trail_of(kind: type[T], lead: Lead) -> T:
    """Return the trail a lead carries."""
    return kind(**json.loads(lead.hints.trail or "{}"))
