"""The corpus card as one HTML page that needs nothing from outside."""

from collections.abc import Sequence
from html import escape

from izwi.model.card import AuditFigure, CorpusCard, Share
from izwi.model.results import FunnelStep

STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;"
    "color-scheme:light dark}table{border-collapse:collapse}th,td{text-align:left;"
    "padding:.15rem 1rem .15rem 0}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}"
    "svg{max-width:100%;height:auto}rect{fill:#2f6f8f}text{font-size:10px;fill:currentColor}"
)
_SLOT, _HEIGHT = 30, 120


def card_page(card: CorpusCard) -> str:
    """Return the page."""
    title = escape(card.title or card.name)
    time = f"{card.first} to {card.last}" if card.first else "no dates"
    facts = (
        f"Version {card.snapshot} of {escape(card.name)}, published {escape(card.published)}, "
        f"settings {escape(card.settings)}. {card.documents:,} documents, {card.tokens:,} tokens, "
        f"{card.captures:,} captures, {card.copies:,} copies folded; {time}."
    )
    bias = (
        f"{card.hosts_in_all:,} hosts, as varied as {card.effective_hosts:,} hosts of equal size."
    )
    parts = (
        f"<h1>{title}</h1><p>{facts}</p>",
        f"<h2>From pages to corpus</h2>{_funnel(card.funnel)}",
        f"<h2>Documents per year</h2>{year_chart(card.years)}{_table('year', card.years)}",
        f"<h2>Languages</h2>{_table('language', card.languages)}",
        f"<h2>Sources</h2>{_table('source', card.sources)}",
        f"<h2>Hosts</h2><p>{bias}</p>{_table('host', card.hosts)}",
        f"<h2>Dates</h2>{_table('rests on', card.date_evidence)}",
        _table("exact to the", card.date_precision),
        _audit(card.audit),
    )
    return page_of(card.title or card.name, "".join(parts))


def page_of(title: str, body: str, style: str = STYLE) -> str:
    """Return a report as a page."""
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{style}</style></head><body>{body}</body></html>\n"
    )


def year_chart(years: Sequence[Share]) -> str:
    """Return bars of documents by year; years without any have none, undated ones are left out."""
    count_by_year = {int(each.name): each.documents for each in years if each.name.isdigit()}
    if not count_by_year:
        return ""
    axis = range(min(count_by_year), max(count_by_year) + 1)
    most = max(count_by_year.values())
    bars = "".join(
        _bar(place, year, count_by_year.get(year, 0), most) for place, year in enumerate(axis)
    )
    width = _SLOT * len(axis)
    return (
        f'<svg viewBox="0 0 {width} {_HEIGHT + 15}" width="{width}" role="img" '
        f'aria-label="Documents per year, at most {most:,}">{bars}</svg>'
    )


def _bar(place: int, year: int, count: int, most: int) -> str:
    tall = round(_HEIGHT * count / most, 1)
    x = place * _SLOT
    return (
        f'<rect x="{x}" y="{_HEIGHT - tall}" width="{_SLOT - 4}" height="{tall}">'
        f"<title>{year}: {count:,}</title></rect>"
        f'<text x="{x}" y="{_HEIGHT + 12}">{year}</text>'
    )


def _table(name: str, shares: Sequence[Share]) -> str:
    total = sum(each.tokens for each in shares) or 1
    rows = "".join(
        f'<tr><td>{escape(each.name) or "not known"}</td><td class="n">{each.documents:,}</td>'
        f'<td class="n">{each.tokens:,}</td><td class="n">{each.tokens / total:.1%}</td></tr>'
        for each in shares
    )
    return (
        f'<table><tr><th>{name}</th><th class="n">documents</th><th class="n">tokens</th>'
        f'<th class="n">share</th></tr>{rows}</table>'
    )


def _funnel(steps: Sequence[FunnelStep]) -> str:
    rows = "".join(
        f'<tr><td>{escape(step.name)}</td><td class="n">{step.documents:,}</td>'
        f"<td>{escape(_losses(step))}</td></tr>"
        for step in steps
    )
    return f'<table><tr><th>step</th><th class="n">left</th><th>lost here</th></tr>{rows}</table>'


def _audit(figures: Sequence[AuditFigure]) -> str:
    """Return what people found who looked at a random sample; nothing if nobody did."""
    if not figures:
        return ""
    rows = "".join(
        f'<tr><td>{escape(each.fault)}</td><td class="n">{each.count}</td>'
        f'<td class="n">{each.low:.1%} to {each.high:.1%}</td></tr>'
        for each in figures
    )
    first = figures[0]
    return (
        f"<h2>Audit</h2><p>{first.judged} documents of version {first.version}, drawn at random "
        'and judged by people.</p><table><tr><th>fault</th><th class="n">documents</th>'
        f'<th class="n">in the whole (95 %)</th></tr>{rows}</table>'
    )


def _losses(step: FunnelStep) -> str:
    return ", ".join(f"{loss.count:,} {loss.reason}" for loss in step.losses)
