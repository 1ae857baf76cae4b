"""The recipe beside each layer's files, so that one can say later which setting changed."""

import json
from typing import Any

from izwi.config.fingerprint import Recipe, canonical
from izwi.store.files import write_text
from izwi.store.layout import Layout


def write_recipe(layout: Layout, layer: str, fingerprint: str, recipe: Recipe) -> None:
    """Put the recipe into the layer's folder, unless it is there."""
    path = layout.layer(layer, fingerprint) / "recipe.json"
    if not path.exists():
        write_text(path, canonical(recipe))


def read_recipe(layout: Layout, layer: str, fingerprint: str) -> dict[str, Any]:
    """Return the recipe of a layer's folder; empty if it has none."""
    path = layout.layer(layer, fingerprint) / "recipe.json"
    try:
        recipe: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return recipe
