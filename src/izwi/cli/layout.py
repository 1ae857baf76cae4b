"""How wide are tables? Whole in files and pipes; in a window only addresses and prose give way."""

from collections.abc import Container, Iterable, Iterator

from rich.cells import cell_len
from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.table import Table
from rich.text import Text

# What gives way keeps this many columns, however narrow the window is.
_LEAST = 24
_UNBOUNDED = 1_000_000


def table_lines(
    console: Console,
    heads: Iterable[str],
    rows: Iterable[Iterable[str]],
    *,
    numbers: Container[str] = (),
) -> Iterator[Text]:
    """Yield the lines of a table; columns of numbers are aligned right."""
    heads, cells = list(heads), [list(row) for row in rows]
    columns = list(zip(*cells, strict=True)) if cells else [()] * len(heads)
    table = Table(box=None, pad_edge=False)
    least = 0
    for place, (head, column) in enumerate(zip(heads, columns, strict=True)):
        justify: JustifyMethod = "right" if head in numbers else "left"
        is_address = any("://" in cell for cell in column)
        is_prose = place == len(heads) - 1 and any(" " in cell for cell in column)
        # An address is cut, and what is said at the end goes on in the next line.
        table.add_column(
            escape(head),
            justify=justify,
            overflow="ellipsis" if is_address else "fold",
            no_wrap=not (is_address or is_prose),
        )
        widest = max(map(cell_len, (head, *column)))
        least += (min(widest, _LEAST) if is_address or is_prose else widest) + 1
    for row in cells:
        table.add_row(*map(escape, row))
    width = max(console.width, least) if console.is_terminal else _UNBOUNDED
    for line in console.render_lines(table, console.options.update(width=width), pad=False):
        text = Text.assemble(*((part.text, part.style or "") for part in line))
        text.rstrip()
        yield text
