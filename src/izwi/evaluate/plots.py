"""Charts of an evaluation as SVG, drawn without a library."""

from collections.abc import Mapping, Sequence
from html import escape

_COLOURS = ("#1b6ca8", "#d1495b", "#4f772d", "#8d6a9f")
_WIDTH, _HEIGHT, _MARGIN = 640, 320, 40


def bars(rows: Sequence[tuple[str, Mapping[str, float]]]) -> str:
    """Return bars from 0 to 1 for each named row, its measures side by side."""
    slot = (_WIDTH - 2 * _MARGIN) / max(len(rows), 1)
    parts = []
    for place, (name, values) in enumerate(rows):
        wide = slot * 0.7 / max(len(values), 1)
        for number, value in enumerate(values.values()):
            x = _MARGIN + place * slot + number * wide
            tall = value * (_HEIGHT - 2 * _MARGIN)
            parts.append(
                f'<rect x="{x:.1f}" y="{_HEIGHT - _MARGIN - tall:.1f}" width="{wide - 2:.1f}" '
                f'height="{tall:.1f}" fill="{_COLOURS[number % 4]}"/>'
            )
        x = _MARGIN + place * slot
        parts.append(_label(x, _HEIGHT - _MARGIN + 16, name))
    names = list(rows[0][1]) if rows else []
    return _framed(parts, names)


def curves(points: Sequence[tuple[float, Mapping[str, float]]]) -> str:
    """Return one line for each measure over x from 0 to 1."""
    names = list(points[0][1]) if points else []
    parts = []
    for number, name in enumerate(names):
        line = " ".join(f"{_x(x):.1f},{_y(values[name]):.1f}" for x, values in points)
        parts.append(
            f'<polyline points="{line}" fill="none" stroke="{_COLOURS[number % 4]}" '
            'stroke-width="2"/>'
        )
    parts += [_label(_x(step / 4), _HEIGHT - _MARGIN + 16, f"{step / 4:.2f}") for step in range(5)]
    return _framed(parts, names)


def _framed(parts: Sequence[str], names: Sequence[str]) -> str:
    grid = [
        f'<line x1="{_MARGIN}" x2="{_WIDTH - _MARGIN}" y1="{_y(step / 4):.1f}" '
        f'y2="{_y(step / 4):.1f}" stroke="#ccc"/>{_label(4, _y(step / 4) + 4, f"{step / 4:.2f}")}'
        for step in range(5)
    ]
    legend = [
        f'<g fill="{_COLOURS[number % 4]}">{_label(_MARGIN + 110 * number, 20, name)}</g>'
        for number, name in enumerate(names)
    ]
    inside = "\n".join([*grid, *parts, *legend])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'font-family="sans-serif" font-size="12" role="img">\n{inside}\n</svg>\n'
    )


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}">{escape(text)}</text>'


def _x(share: float) -> float:
    return _MARGIN + share * (_WIDTH - 2 * _MARGIN)


def _y(share: float) -> float:
    return _HEIGHT - _MARGIN - share * (_HEIGHT - 2 * _MARGIN)
