"""The format of a layer: its columns, and the way between them and a document."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from izwi.model.document import Document

Row = dict[str, Any]

VERDICT = pa.struct(
    [
        ("outcome", pa.string()),
        ("stage", pa.string()),
        ("reason", pa.string()),
        ("value", pa.float64()),
        ("threshold", pa.float64()),
        ("detail", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class LayerFormat:
    """The columns of a layer and the way between them and a document."""

    name: str
    schema: pa.Schema
    to_row: Callable[[Document], Row]
    apply: Callable[[Document, Row], Document]
