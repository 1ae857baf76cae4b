"""Charts as files."""

from pathlib import Path
from typing import Any

from rich.markup import escape

from izwi.cli.render import errors


def draw(result: Any, path: Path | None) -> None:
    """Write the chart of a result into a file, if one is named."""
    if path is None:
        return
    from izwi.analyse.charting import chart_of
    from izwi.store.files import disk_errors, write_text

    with disk_errors():
        write_text(path, chart_of(result).svg)
    errors.print(f"Drew {escape(str(path))}.", soft_wrap=True)
