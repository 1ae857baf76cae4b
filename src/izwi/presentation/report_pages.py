"""Reports as HTML pages that need nothing from outside: the corpus card, two corpora in comparison.

What a page says stands in `templates`; here is what it is reckoned from.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count

from izwi.model import reports
from izwi.presentation.layouts import filled

# Told apart by people who see no red or green as well (Okabe and Ito 2008), and on dark ground.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a800")
_OTHERS, _OTHER_COLOUR = "other sources", "#8a949b"
_MOST_LINES = 5


def card_page(card: reports.CorpusCard) -> str:
    """Return the corpus card."""
    return filled("card.html", card=card, chart=year_chart(card.years_by_source))


def year_chart(years: Sequence[reports.SourceYear]) -> str:
    """Return the chart; years without documents have a place, documents without a year none."""
    dated = [each for each in years if each.year.isdigit()]
    if not dated:
        return ""
    colours = _named(dated)
    stacks: dict[int, Counter[str]] = {}
    for each in dated:
        stack = stacks.setdefault(int(each.year), Counter())
        stack[each.source if each.source in colours else _OTHERS] += each.documents
    most = max(stack.total() for stack in stacks.values())
    axis = range(min(stacks), max(stacks) + 1)
    return filled(
        "years.svg", axis=axis, stacks=stacks, colours=colours, most=most, lines=steps(most)
    )


def _named(years: Sequence[reports.SourceYear]) -> Mapping[str, str]:
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


def comparison_page(found: reports.CorpusComparison) -> str:
    """Return two corpora side by side."""
    dated = [each for each in found.years if each.name.isdigit()]
    shares = [
        (each.name, each.first_tokens / all_first, each.second_tokens / all_second)
        for all_first, all_second in [_totals(dated)]
        for each in dated
    ]
    # How much more frequent on the side the table is about.
    turned = [replace(each, factor=1 / each.factor) for each in found.second_words]
    sides = [f"{card.title or card.name}, version {card.snapshot}"
             for card in (found.first, found.second)]  # fmt: skip
    return filled(
        "comparison.html", found=found, sides=sides, years=shares, turned=turned, totals=_totals
    )


def _totals(rows: Sequence[reports.SideBySide]) -> tuple[int, int]:
    first, second = (sum(getattr(each, f"{side}_tokens") for each in rows) for side in _SIDES)
    return first or 1, second or 1


_SIDES = ("first", "second")
