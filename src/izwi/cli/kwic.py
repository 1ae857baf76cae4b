"""How are lines shown? One below the other, filling the window, or whole for files and pipes."""

import dataclasses
from collections.abc import Iterator, Sequence

from rich.text import Text

from izwi.model import results


def kwic_lines(lines: Sequence[results.KwicLine], width: int | None) -> Iterator[Text]:
    """Yield lines that fill the width: date, context with the match in the middle, publication.

    Without a width they are whole.
    """
    lines = [_with_values(line) for line in lines]
    match = min(30, max(len(line.match) for line in lines))
    source = max(len(line.document.publication) for line in lines)
    if width is None:
        match = max(len(line.match) for line in lines)
        longest = max(max(len(line.left), len(line.right)) for line in lines)
        # The matches of sentences and paragraphs would stand far from their dates.
        side = longest if longest <= _MOST_ALIGNED else 0
    else:
        source = min(_SOURCE_WIDTH, source, width // 5)
        side = max(10, (width - _DATE_WIDTH - match - source - 2) // 2)
    for line in lines:
        card = line.document
        when = str(card.date or "")[: {"year": 4, "month": 7}.get(card.date_precision, 10)]
        text = Text(f"{when:<{_DATE_WIDTH}}", style="dim", no_wrap=True)
        left, right = printable(line.left), printable(line.right)
        text.append((left if width is None else _end_of(left, side)).rjust(side), style="not dim")
        text.append(printable(line.match), style="bold not dim")
        room = side + match - len(line.match)
        right = right if width is None else _beginning_of(right, room)
        text.append(right.ljust(room), style="not dim")
        text.append(f"  {shortened(card.publication, source)}")
        if card.copies:
            text.append(f"  +{card.copies:,} {'copy' if card.copies == 1 else 'copies'}")
        yield text


def _with_values(line: results.KwicLine) -> results.KwicLine:
    """Return a line as word/lemma/tag, if anything was asked for of its tokens."""
    if not line.tokens:
        return line
    texts = ["/".join((each.text, *each.values)) + " " * each.has_space for each in line.tokens]
    own = [place for place, each in enumerate(line.tokens) if each.is_match]
    first, end = own[0], own[-1] + 1
    match, right = "".join(texts[first:end]), "".join(texts[end:])
    space = " " if match.endswith(" ") else ""
    return dataclasses.replace(
        line, left="".join(texts[:first]), match=match.rstrip(), right=space + right
    )


def shortened(text: str, room: int) -> str:
    """Return a text that fits the room; if it was cut, it says so.

    >>> shortened("Egoli Evening Post", 16)
    'Egoli Evening P…'
    """
    return text if len(text) <= room else f"{text[: max(0, room - 1)]}…"


_DATE_WIDTH = 11
_MOST_ALIGNED = 100
_SOURCE_WIDTH = 20


def _end_of(text: str, room: int) -> str:
    """Return as many whole words from the end as there is room for.

    >>> _end_of("in the back of the ", 12)
    'back of the '
    """
    if len(text) <= room:
        return text
    cut = text[-room:]
    return cut if text[-room - 1].isspace() or " " not in cut.rstrip() else cut[cut.index(" ") :]


def _beginning_of(text: str, room: int) -> str:
    """Return as many whole words from the beginning as there is room for.

    >>> _beginning_of(" outside the hall", 14)
    ' outside the'
    """
    if len(text) <= max(0, room):
        return text
    cut = text[: max(0, room)]
    return cut if text[len(cut)].isspace() or " " not in cut.lstrip() else cut[: cut.rindex(" ")]


def printable(text: str) -> str:
    """Return text that cannot move the cursor or colour the terminal."""
    return "".join(character if character.isprintable() else " " for character in text)
