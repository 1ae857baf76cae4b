"""Results that can be drawn."""

from importlib import import_module
from typing import Any


class Charted:
    """A result with a chart."""

    __slots__ = ()

    def chart(self, address: str = "") -> Any:
        """Return the chart; with a corpus's address (`/c/news`) its marks lead to their lines.

        It has `.svg`, `.table()`, `.csv()`, `.df()` and `.altair()`, and a notebook shows it.
        """
        # By name: drawing is far above what results are, and loads a good deal.
        return import_module("izwi.analyse.charting").chart_of(self, address)
