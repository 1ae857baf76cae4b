"""Words set apart inside a paragraph as TEI elements: hi, emph, ref."""

from collections.abc import Iterator, Sequence
from urllib.parse import quote
from xml.sax.saxutils import escape

from izwi.model.document import Mark

EMPHASIS, LINK = "em", "a"
# Characters that a pointer may hold as they are.
SAFE = "%/:?#[]@!$&'()*+,;=-._~"
_QUOTES = {'"': "&quot;"}


def marked_up(text: str, marks: Sequence[Mark]) -> str:
    """Return a text with its marks as elements; a mark that crosses another ends with it.

    >>> marked_up("a b & c", [Mark(0, 3, "b"), Mark(2, 3, "em")])
    '<hi rend="b">a <emph>b</emph></hi> &amp; c'
    """
    if not marks:
        return escape(text)
    return "".join(_pieces(text, list(nested(marks, len(text)))))


def nested(marks: Sequence[Mark], size: int) -> Iterator[tuple[int, int, Mark]]:
    """Yield where marks begin and end, outer ones first, cut so that none crosses another."""
    around: list[int] = []
    for mark in sorted(marks, key=lambda each: (each.start, -each.end)):
        while around and around[-1] <= mark.start:
            around.pop()
        end = min(mark.end, around[-1] if around else size)
        if 0 <= mark.start < end:
            around.append(end)
            yield mark.start, end, mark


def _pieces(text: str, spans: list[tuple[int, int, Mark]]) -> Iterator[str]:
    place = 0
    opened: list[tuple[int, str]] = []
    for start, end, mark in spans:
        while opened and opened[-1][0] <= start:
            stop, name = opened.pop()
            yield f"{escape(text[place:stop])}</{name}>"
            place = stop
        name, attributes = _element(mark)
        yield f"{escape(text[place:start])}<{name}{attributes}>"
        place = start
        opened.append((end, name))
    while opened:
        stop, name = opened.pop()
        yield f"{escape(text[place:stop])}</{name}>"
        place = stop
    yield escape(text[place:])


def _element(mark: Mark) -> tuple[str, str]:
    if mark.name == LINK:
        target = quote(mark.target.strip(), safe=SAFE)
        return "ref", f' target="{escape(target, _QUOTES)}"' if target else ""
    if mark.name == EMPHASIS:
        return "emph", ""
    return "hi", f' rend="{escape(mark.name, _QUOTES)}"'
