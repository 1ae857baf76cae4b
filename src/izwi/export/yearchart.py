"""Documents per year as stacked bars, one colour a source (Indig et al. 2020, figure 2)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from itertools import count

from izwi.model.card import SourceYear

# Told apart by people who see no red or green as well (Okabe and Ito 2008), and on dark ground.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a800")
_OTHERS, _OTHER_COLOUR = "other sources", "#8a949b"
_WIDTH, _HEIGHT, _LEFT, _TOP = 720, 220, 56, 12
# As many labels as fit below the bars.
_MOST_LABELS = 16
_MOST_LINES = 5


def year_chart(years: Sequence[SourceYear]) -> str:
    """Return the chart; years without documents have a place, documents without a year none."""
    dated = [each for each in years if each.year.isdigit()]
    if not dated:
        return ""
    named = _named(dated)
    stacks: dict[int, Counter[str]] = {}
    for each in dated:
        stack = stacks.setdefault(int(each.year), Counter())
        stack[each.source if each.source in named else _OTHERS] += each.documents
    axis = range(min(stacks), max(stacks) + 1)
    most = max(stack.total() for stack in stacks.values())
    lines = steps(most)
    bars = "".join(
        _stack(place, stacks[year], len(axis), lines[-1], named)
        for place, year in enumerate(axis)
        if year in stacks
    )
    label = f"Documents per year, {axis[0]} to {axis[-1]}, at most {most:,}"
    return (
        f'<figure><svg viewBox="0 0 {_WIDTH} {_TOP + _HEIGHT + 24}" role="img" '
        f'aria-label="{label}">{_grid(lines)}{bars}{_labels(axis)}</svg>{_key(named)}</figure>'
    )


def _named(years: Sequence[SourceYear]) -> Mapping[str, str]:
    """Return the colours of the largest sources, in the order in which they are stacked."""
    sizes: Counter[str] = Counter()
    for each in years:
        sizes[each.source] += each.documents
    names = sorted(sizes, key=lambda name: (-sizes[name], name))
    room = len(_COLOURS) if len(names) <= len(_COLOURS) else len(_COLOURS) - 1
    found = dict(zip(names[:room], _COLOURS, strict=False))
    return found if len(names) <= room else found | {_OTHERS: _OTHER_COLOUR}


def steps(most: int) -> range:
    """Return where lines are drawn: at most five round numbers up to one that holds the most.

    >>> [list(steps(most)) for most in (1, 23, 198)]
    [[0, 1], [0, 5, 10, 15, 20, 25], [0, 50, 100, 150, 200]]
    """
    sizes = (first * 10**power for power in count() for first in (1, 2, 5))
    size = next(size for size in sizes if size * _MOST_LINES >= most)
    return range(0, -(-most // size) * size + 1, size)


def _grid(lines: range) -> str:
    drawn = ""
    for value in lines:
        y = _TOP + _HEIGHT * (1 - value / lines[-1])
        drawn += (
            f'<line x1="{_LEFT}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>'
            f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{value:,}</text>'
        )
    return drawn


def _stack(
    place: int, stack: Counter[str], slots: int, highest: int, colours: Mapping[str, str]
) -> str:
    """Return the bar of a year: a piece for each source, the largest at the bottom."""
    slot = (_WIDTH - _LEFT) / slots
    width, x = slot * 0.8, _LEFT + slot * (place + 0.1)
    y, drawn = float(_TOP + _HEIGHT), ""
    for name, colour in colours.items():
        if documents := stack[name]:
            tall = _HEIGHT * documents / highest
            y -= tall
            drawn += (
                f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{tall:.1f}" '
                f'style="fill:{colour}"><title>{escape(name)}: {documents:,}</title></rect>'
            )
    return drawn


def _labels(axis: range) -> str:
    """Return the years below the bars, as many as fit."""
    slot = (_WIDTH - _LEFT) / len(axis)
    every = -(-len(axis) // _MOST_LABELS)
    return "".join(
        f'<text x="{_LEFT + slot * (place + 0.5):.1f}" y="{_TOP + _HEIGHT + 18}" '
        f'text-anchor="middle">{year}</text>'
        for place, year in enumerate(axis)
        if place % every == 0
    )


def _key(colours: Mapping[str, str]) -> str:
    names = (
        f'<li><i style="background:{colour}"></i>{escape(name) or "not known"}</li>'
        for name, colour in colours.items()
    )
    return f'<ul class="key">{"".join(names)}</ul>'
