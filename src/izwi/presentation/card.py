"""The corpus card as one HTML page that needs nothing from outside; the frame of such pages."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import count
from pathlib import Path

from izwi.model import reports
from izwi.model.results import FunnelStep

STYLE = Path(__file__).with_name("card.css")
# Rows that a table shows; the others are one click away.
_SHOWN = 12


def page_of(title: str, body: str, more_style: str = "") -> str:
    """Return a report as a page."""
    style = STYLE.read_text(encoding="utf-8").replace("\n", "") + more_style
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{escape(title)}</title><style>{style}</style></head><body>{body}</body></html>\n"
    )


def tiles(facts: Iterable[tuple[str, str]]) -> str:
    """Return numbers that are read first."""
    found = (f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    return f'<dl class="tiles">{"".join(found)}</dl>'


def section(title: str, body: str) -> str:
    """Return a part of the page; its place in the address is its title."""
    return f'<section id="{anchor(title)}"><h2>{escape(title)}</h2>{body}</section>'


def contents(titles: Iterable[str]) -> str:
    """Return links to the parts of the page."""
    links = (f'<a href="#{anchor(title)}">{escape(title)}</a>' for title in titles)
    return f"<nav>{''.join(links)}</nav>"


def anchor(title: str) -> str:
    """Return the name by which an address finds a part.

    >>> anchor("From pages to corpus")
    'from-pages-to-corpus'
    """
    return "-".join(title.lower().split())


def share_table(name: str, shares: Sequence[reports.Share]) -> str:
    """Return documents and tokens by name, with a bar for the share of tokens."""
    total = sum(each.tokens for each in shares) or 1
    most = max((each.tokens for each in shares), default=1) or 1
    rows = [
        f'<tr><td class="w">{escape(each.name) or "not known"}</td>{number(each.documents)}'
        f'{number(each.tokens)}<td class="n">{each.tokens / total:.1%}</td>'
        f"{bar(each.tokens / most)}</tr>"
        for each in shares
    ]
    return table((name, "documents", "tokens", "share", ""), rows, numbers=(1, 2, 3))


def table(heads: Sequence[str], rows: Sequence[str], *, numbers: Sequence[int] = ()) -> str:
    """Return rows under their heads; a long table shows its first ones."""
    head = "".join(
        f'<th class="{"n" if place in numbers else "b" if not each else ""}">{escape(each)}</th>'
        for place, each in enumerate(heads)
    )
    shown = f'<div class="wide"><table><tr>{head}</tr>{"".join(rows[:_SHOWN])}</table></div>'
    rest = rows[_SHOWN:]
    if not rest:
        return shown
    more = f'<div class="wide"><table><tr>{head}</tr>{"".join(rest)}</table></div>'
    return f"{shown}<details><summary>{len(rest):,} more</summary>{more}</details>"


def number(value: int) -> str:
    """Return a cell with a number."""
    return f'<td class="n">{value:,}</td>'


def bar(share: float) -> str:
    """Return a cell with a bar of that length, 0 to 1."""
    return f'<td class="b"><i style="width:{max(0.0, min(1.0, share)):.1%}"></i></td>'


# Told apart by people who see no red or green as well (Okabe and Ito 2008), and on dark ground.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a800")
_OTHERS, _OTHER_COLOUR = "other sources", "#8a949b"
_WIDTH, _HEIGHT, _LEFT, _TOP = 720, 220, 56, 12
# As many labels as fit below the bars.
_MOST_LABELS = 16
_MOST_LINES = 5


def year_chart(years: Sequence[reports.SourceYear]) -> str:
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


def card_page(card: reports.CorpusCard) -> str:
    """Return the page."""
    parts = dict(_parts(card))
    body = "".join(section(title, part) for title, part in parts.items())
    return page_of(
        card.title or card.name, f"{_head(card)}{contents(parts)}<main>{body}</main>{_foot(card)}"
    )


def _parts(card: reports.CorpusCard) -> Iterator[tuple[str, str]]:
    yield "From pages to corpus", _funnel(card.funnel)
    yield "Time", _time(card)
    yield "Publications", share_table("publication", card.publications)
    yield "Sources", share_table("source", card.sources)
    yield "Hosts", _hosts(card)
    yield "Languages", share_table("language", card.languages)
    yield "Duplicates", _duplicates(card)
    yield "Quality", _quality(card.quality) + _audit(card.audit)
    yield "Rights", _rights(card)


def _head(card: reports.CorpusCard) -> str:
    time = f"{card.first} to {card.last}" if card.first else "no dates"
    facts = (
        ("documents", f"{card.documents:,}"),
        ("tokens", f"{card.tokens:,}"),
        ("pages captured", f"{card.captures:,}"),
        ("copies folded", f"{card.copies:,}"),
        ("publications", f"{len(card.publications):,}"),
        ("sources", f"{len(card.sources):,}"),
        ("hosts", f"{card.hosts_in_all:,}"),
    )
    return (
        f"<header><h1>{escape(card.title or card.name)}</h1>"
        f'<p class="soft">Corpus card of <b>{escape(card.name)}</b>, version {card.snapshot}, '
        f"published {escape(card.published[:10] or 'never')}; texts of {time}.</p>"
        f"{tiles(facts)}</header>"
    )


def _foot(card: reports.CorpusCard) -> str:
    return (
        f"<footer><p>Settings {escape(card.settings)}. Copies are counted in no figure unless it "
        "says so. The same figures for programs: <code>izwi report card FOLDER --json</code>.</p>"
        "</footer>"
    )


def _funnel(steps: Sequence[FunnelStep]) -> str:
    most = max((step.documents for step in steps), default=1) or 1
    rows = [
        f"<tr><td>{escape(step.name)}</td>{number(step.documents)}{bar(step.documents / most)}"
        f'<td class="w">{escape(_losses(step))}</td></tr>'
        for step in steps
    ]
    said = "<p>How many pages were left after each step, and why the others went.</p>"
    return said + table(("step", "left", "", "lost here"), rows, numbers=(1,))


def _losses(step: FunnelStep) -> str:
    return ", ".join(f"{loss.count:,} {loss.reason}" for loss in step.losses)


def _time(card: reports.CorpusCard) -> str:
    undated = next((each.documents for each in card.years if not each.name), 0)
    said = f"<p>{undated:,} documents have no date.</p>" if undated else ""
    years = share_table("year", [each for each in card.years if each.name])
    return (
        f"{year_chart(card.years_by_source)}{said}"
        f"<details><summary>Year by year</summary>{years}</details><h3>What the dates rest on</h3>"
        f"{share_table('evidence', card.date_evidence)}"
        f"<h3>How exact they are</h3>{share_table('exact to the', card.date_precision)}"
    )


def _hosts(card: reports.CorpusCard) -> str:
    return (
        f"<p>{card.hosts_in_all:,} hosts, as varied as {card.effective_hosts:,} hosts of equal "
        f"size.</p>{share_table('host', card.hosts)}"
    )


def _duplicates(card: reports.CorpusCard) -> str:
    dropped = [loss for step in card.funnel for loss in step.losses if loss.stage == "dedup"]
    all_of_it = card.documents + card.copies
    said = (
        f"<p>{card.copies:,} of {all_of_it:,} documents in the index are copies of another one and "
        "folded under it: they are found, but not counted.</p>"
    )
    if not dropped:
        return said
    rows = [f"<tr><td>{escape(each.reason)}</td>{number(each.count)}</tr>" for each in dropped]
    return said + table(("found to be copies by", "documents"), rows, numbers=(1,))


def _quality(figures: Sequence[reports.QualityFigure]) -> str:
    """Return the measures, and of what is not measured that it is not."""
    rows = [
        f'<tr><td>{escape(each.what)}</td><td>{escape(each.measure)}</td><td class="n">'
        f"{each.value:.3f}</td>{bar(each.value)}{number(each.judged)}"
        f'<td class="w">{escape(each.gold)}</td></tr>'
        for each in figures
    ]
    heads = ("of", "measure", "value", "", "judged", "measured by")
    measured = table(heads, rows, numbers=(2, 4)) if rows else ""
    known = {each.what for each in figures}
    missing = "".join(f"<p>{said}</p>" for what, said in _NO_GOLD.items() if what not in known)
    return measured + missing


_NO_GOLD = {
    "main text": "How well the main text was found in these pages is not known: nobody has "
    "labelled any yet (<code>izwi labels draft</code>, or Label in the web pages).",
    "language": "How often the language is right is not known: there is neither an audit nor an "
    "imported text that states its language.",
}


def _audit(figures: Sequence[reports.AuditFigure]) -> str:
    """Return what people found who looked at a random sample."""
    if not figures or not figures[0].judged:
        return "<h3>Audit</h3><p>Nobody has looked at a random sample of the documents yet.</p>"
    rows = [
        f'<tr><td>{escape(each.fault)}</td>{number(each.count)}<td class="n">{each.low:.1%} to '
        f"{each.high:.1%}</td>{bar(each.high)}</tr>"
        for each in figures
    ]
    first = figures[0]
    return (
        f"<h3>Audit</h3><p>{first.judged:,} documents of version {first.version}, drawn at random "
        "and judged by people.</p>"
        + table(("fault", "documents", "in the whole (95 %)", ""), rows, numbers=(1, 2))
    )


def _rights(card: reports.CorpusCard) -> str:
    down = f"{card.takedowns:,} addresses or hosts were taken down." if card.takedowns else _NO_DOWN
    return (
        f"<h3>Licences that pages state</h3>{share_table('licence', _plain(card.licences))}"
        f"<h3>What owners ask of machines</h3>{_signals(card.rights)}{_unread(card)}<p>{down}</p>"
    )


def _unread(card: reports.CorpusCard) -> str:
    if not card.rights_unread:
        return ""
    return f"<p>{card.rights_unread:,} raw files could not be read for what their owners ask.</p>"


_NO_DOWN = "Nothing was taken down so far."


def _plain(licences: Sequence[reports.Share]) -> Sequence[reports.Share]:
    return licences or (reports.Share("none stated", 0, 0),)


def _signals(signals: Sequence[reports.RightsSignal]) -> str:
    if not signals:
        return "<p>No page says noindex, noarchive, noai or reserves text and data mining.</p>"
    rows = [
        f'<tr><td>{escape(each.signal)}</td><td class="w">{escape(each.source)}</td>'
        f"{number(each.documents)}{number(each.refused)}"
        f"<td>{'left out' if each.is_respected else 'kept'}</td></tr>"
        for each in signals
    ]
    heads = ("signal", "source", "documents here", "pages not taken", "such pages are")
    return table(heads, rows, numbers=(2, 3))
