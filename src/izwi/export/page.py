"""Reports as one HTML page that needs nothing from outside: its frame, tables and bars."""

from collections.abc import Iterable, Sequence
from html import escape

from izwi.model.card import Share

STYLE = (
    ":root{color-scheme:light dark;--ink:#1d2327;--soft:#5c676e;--line:#dde2e5;--ground:#fff;"
    "--card:#f5f7f8;--bar:#2f6f8f}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6eaec;--soft:#9aa6ad;--line:#333c42;"
    "--ground:#14181b;--card:#1d2327;--bar:#6fb1d1}}"
    "*{box-sizing:border-box}"
    "body{font:16px/1.55 system-ui,sans-serif;max-width:62rem;margin:0 auto;padding:2rem 1.25rem "
    "4rem;color:var(--ink);background:var(--ground)}"
    "h1{font-size:2rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.25rem;margin:3rem 0 .5rem;"
    "padding-top:.75rem;border-top:1px solid var(--line)}h3{font-size:1rem;margin:1.5rem 0 .25rem}"
    "p{max-width:44rem}.soft,caption,figcaption,footer{color:var(--soft);font-size:.9rem}"
    "nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin:1.25rem 0;font-size:.9rem}"
    "a{color:var(--bar)}"
    "dl.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(8.5rem,1fr));gap:.75rem;"
    "margin:1.5rem 0}dl.tiles div{background:var(--card);border-radius:.5rem;padding:.75rem 1rem}"
    "dl.tiles dt{color:var(--soft);font-size:.85rem}dl.tiles dd{margin:0;font-size:1.45rem;"
    "font-variant-numeric:tabular-nums}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:.75rem 0;"
    "font-size:.93rem}th,td{text-align:left;padding:.25rem 1rem .25rem 0;vertical-align:top}"
    "th{color:var(--soft);font-weight:500;border-bottom:1px solid var(--line)}"
    "td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}"
    "td.b{width:28%;min-width:6rem;padding-top:.55rem}"
    "td.b i{display:block;height:.75rem;min-width:1px;border-radius:2px;background:var(--bar)}"
    "td.w{overflow-wrap:anywhere}"
    "figure{margin:1rem 0}svg{display:block;width:100%;height:auto}rect{fill:var(--bar)}"
    "svg text{font-size:11px;fill:var(--soft)}svg line{stroke:var(--line)}"
    "ul.key{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;list-style:none;padding:0;"
    "margin:.5rem 0;font-size:.9rem}ul.key i{display:inline-block;width:.8rem;height:.8rem;"
    "border-radius:2px;margin-right:.4rem}"
    "summary{cursor:pointer;color:var(--bar);font-size:.9rem}"
    "@media(max-width:36rem){td.b,th.b{display:none}}"
    "@media print{body{max-width:none}nav{display:none}h2{break-after:avoid}}"
)
# Rows that a table shows; the others are one click away.
_SHOWN = 12


def page_of(title: str, body: str, style: str = STYLE) -> str:
    """Return a report as a page."""
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


def share_table(name: str, shares: Sequence[Share]) -> str:
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
