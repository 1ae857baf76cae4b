"""How far a few hosts make up a corpus (Schäfer and Bildhauer 2012, figures 1 to 3)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import accumulate

# The curve is told at these numbers of hosts.
_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 100_000)
_WIDTH, _HEIGHT, _MARGIN = 520, 320, 48
# Told apart without colour, too.
_LINES = {
    "seeds": ("#7a4b00", "2 4"),
    "captures": ("#0b5cad", "8 4"),
    "corpus": ("#1a1a1a", "none"),
}


@dataclass(frozen=True, slots=True)
class BiasCurve:
    """The share of the documents that the n most frequent hosts contribute."""

    name: str
    documents: int
    hosts: int
    # How many hosts contribute half of the documents.
    half: int
    points: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True, slots=True)
class HostBias:
    """One curve each for seeds, captures and corpus."""

    curves: tuple[BiasCurve, ...]

    def svg(self) -> str:
        """Return the curves as a picture that explains itself."""
        return _picture([curve for curve in self.curves if curve.points])


def bias_curve(name: str, documents_by_host: Mapping[str, int]) -> BiasCurve:
    """Return the curve of one set of documents.

    >>> bias_curve("corpus", {"a.example": 3, "b.example": 1}).points
    ((1, 0.75), (2, 1.0))
    """
    counts = sorted(documents_by_host.values(), reverse=True)
    total = sum(counts)
    shares = [done / total for done in accumulate(counts)] if total else []
    half = next((number for number, share in enumerate(shares, 1) if share >= 0.5), 0)
    wanted = sorted({*(step for step in _STEPS if step < len(shares)), len(shares)} - {0})
    points = tuple((number, round(shares[number - 1], 4)) for number in wanted)
    return BiasCurve(name, total, len(counts), half, points)


def _picture(curves: Iterable[BiasCurve]) -> str:
    drawn = list(curves)
    most = max((curve.hosts for curve in drawn), default=1)
    title = "Share of the documents by the n most frequent hosts"
    told = "; ".join(f"{c.name}: half of {c.documents} from {c.half} of {c.hosts}" for c in drawn)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="12"><title>{title}</title>'
        f"<desc>{escape(told)}</desc>",
        *_axes(most),
        *(_curve(curve, most, place) for place, curve in enumerate(drawn)),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _axes(most: int) -> list[str]:
    left, bottom, right = _MARGIN, _HEIGHT - _MARGIN, _WIDTH - _MARGIN
    lines = [
        f'<path d="M{left} {_MARGIN / 2} V{bottom} H{right}" fill="none" stroke="#666"/>',
        f'<text x="{right}" y="{bottom + 32}" text-anchor="end">hosts</text>',
    ]
    for share in (0.0, 0.5, 1.0):
        y = _y(share)
        lines.append(f'<text x="{left - 6}" y="{y + 4}" text-anchor="end">{share:.0%}</text>')
    numbers = (
        f'<text x="{_x(number, most)}" y="{bottom + 16}">{number}</text>' for number in (1, most)
    )
    return [*lines, *numbers]


def _curve(curve: BiasCurve, most: int, place: int) -> str:
    colour, dashes = _LINES.get(curve.name, ("#444", "none"))
    path = " L".join(f"{_x(n, most)} {_y(share)}" for n, share in ((0, 0.0), *curve.points))
    label = f"{escape(curve.name)} ({curve.documents} documents)"
    top = _HEIGHT - _MARGIN - 16 * (3 - place)
    return (
        f'<path d="M{path}" fill="none" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/>'
        f'<path d="M{_WIDTH / 2} {top - 4} h24" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/><text x="{_WIDTH / 2 + 30}" y="{top}">{label}</text>'
    )


def _x(number: int, most: int) -> float:
    return round(_MARGIN + (_WIDTH - 2 * _MARGIN) * number / max(most, 1), 1)


def _y(share: float) -> float:
    return round(_HEIGHT - _MARGIN - (_HEIGHT - 1.5 * _MARGIN) * share, 1)
