"""JSON texts: what one says, if it is one (they come from others), and lines of a log."""

import json
import logging
from datetime import UTC, datetime
from typing import Any


def read_json(text: str | bytes, *, strict: bool = True) -> Any:
    """Return the value of a JSON text; raise ValueError if it is none, or nested without end.

    >>> read_json("[" * 100_000)
    Traceback (most recent call last):
    ValueError: it is nested too deeply
    """
    try:
        return json.loads(text, strict=strict)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


class LogLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return what is told, with its facts and the trace of an error."""
        row = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **getattr(record, "facts", {}),
        }
        if record.exc_info:
            row["trace"] = self.formatException(record.exc_info)
        return json.dumps(row, ensure_ascii=False, default=str)
