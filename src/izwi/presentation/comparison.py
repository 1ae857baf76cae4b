"""The comparison of two corpora as one HTML page that needs nothing from outside."""

from collections.abc import Sequence
from dataclasses import replace
from html import escape

from izwi.model.reports import CorpusCard, CorpusComparison, SideBySide, TellingWord
from izwi.presentation.card import page_of

_SLOT, _HEIGHT = 36, 120
_BARS = (
    "rect.second,ul.key i.second{fill:#c2703d;background:#c2703d}ul.key i{background:var(--bar)}"
)


def comparison_page(found: CorpusComparison) -> str:
    """Return the page."""
    first, second = _label(found.first), _label(found.second)
    title = f"{first} and {second}"
    shared = (
        f"{found.shared_addresses:,} documents have the same address on both sides, "
        f"{found.shared_documents:,} of them are the same capture."
    )
    # How much more frequent on the side the table is about.
    turned = [replace(each, factor=1 / each.factor) for each in found.second_words]
    parts = (
        f"<h1>{escape(title)}</h1>",
        _sizes(found.first, found.second, first, second),
        f"<p>{shared}</p>",
        f"<h2>Tokens per year, in shares</h2>{years_chart(found.years)}{_key(first, second)}",
        _table("year", found.years, first, second),
        f"<h2>Languages</h2>{_table('language', found.languages, first, second)}",
        f"<h2>Sources</h2>{_table('source', found.sources, first, second)}",
        f"<h2>Hosts</h2>{_table('host', found.hosts, first, second)}",
        f"<h2>Dates</h2>{_table('rests on', found.date_evidence, first, second)}",
        f"<h2>More frequent in {escape(first)}</h2>{_words(found.first_words, first, second)}",
        f"<h2>More frequent in {escape(second)}</h2>{_words(turned, first, second)}",
    )
    return page_of(title, "".join(parts), _BARS)


def _key(first: str, second: str) -> str:
    return (
        f'<ul class="key"><li><i></i>{escape(first)}</li>'
        f'<li><i class="second"></i>{escape(second)}</li></ul>'
    )


def years_chart(years: Sequence[SideBySide]) -> str:
    """Return two bars a year: the share of each side's dated tokens."""
    dated = [each for each in years if each.name.isdigit()]
    totals = (
        sum(each.first_tokens for each in dated) or 1,
        sum(each.second_tokens for each in dated) or 1,
    )
    shares = [(e.name, e.first_tokens / totals[0], e.second_tokens / totals[1]) for e in dated]
    most = max((max(one, two) for _, one, two in shares), default=0) or 1
    bars = "".join(_bars(place, *share, most) for place, share in enumerate(shares))
    width = _SLOT * len(shares)
    return (
        f'<svg viewBox="0 0 {width} {_HEIGHT + 15}" style="max-width:{width}px" role="img" '
        f'aria-label="Share of tokens per year, at most {most:.1%}">{bars}</svg>'
        if shares
        else ""
    )


def _bars(place: int, year: str, first: float, second: float, most: float) -> str:
    x, half = place * _SLOT, (_SLOT - 4) / 2
    drawn = ""
    for number, share in enumerate((first, second)):
        tall = round(_HEIGHT * share / most, 1)
        kind = ' class="second"' if number else ""
        drawn += (
            f'<rect{kind} x="{x + number * half}" y="{_HEIGHT - tall}" width="{half}" '
            f'height="{tall}"><title>{year}: {share:.1%}</title></rect>'
        )
    return f'{drawn}<text x="{x + half}" y="{_HEIGHT + 13}" text-anchor="middle">{year}</text>'


def _label(card: CorpusCard) -> str:
    return f"{card.title or card.name}, version {card.snapshot}"


def _sizes(one: CorpusCard, two: CorpusCard, first: str, second: str) -> str:
    rows = (
        ("documents", f"{one.documents:,}", f"{two.documents:,}"),
        ("tokens", f"{one.tokens:,}", f"{two.tokens:,}"),
        ("captures", f"{one.captures:,}", f"{two.captures:,}"),
        ("copies folded", f"{one.copies:,}", f"{two.copies:,}"),
        ("from", str(one.first or ""), str(two.first or "")),
        ("to", str(one.last or ""), str(two.last or "")),
        ("hosts", f"{one.hosts_in_all:,}", f"{two.hosts_in_all:,}"),
        ("hosts of equal size", f"{one.effective_hosts:,}", f"{two.effective_hosts:,}"),
        ("settings", one.settings, two.settings),
    )
    body = "".join(
        f'<tr><td>{name}</td><td class="n">{escape(a)}</td><td class="n">{escape(b)}</td></tr>'
        for name, a, b in rows
    )
    head = f'<th></th><th class="n">{escape(first)}</th><th class="n">{escape(second)}</th>'
    return f"<table><tr>{head}</tr>{body}</table>"


def _table(name: str, rows: Sequence[SideBySide], first: str, second: str) -> str:
    totals = (
        sum(each.first_tokens for each in rows) or 1,
        sum(each.second_tokens for each in rows) or 1,
    )
    body = "".join(
        f'<tr><td>{escape(each.name) or "not known"}</td><td class="n">{each.first_tokens:,}</td>'
        f'<td class="n">{each.first_tokens / totals[0]:.1%}</td>'
        f'<td class="n">{each.second_tokens:,}</td>'
        f'<td class="n">{each.second_tokens / totals[1]:.1%}</td></tr>'
        for each in rows
    )
    head = (
        f'<th>{name}</th><th class="n">{escape(first)}</th><th class="n">share</th>'
        f'<th class="n">{escape(second)}</th><th class="n">share</th>'
    )
    return f"<table><tr>{head}</tr>{body}</table>"


def _words(rows: Sequence[TellingWord], first: str, second: str) -> str:
    body = "".join(
        f'<tr><td>{escape(each.word)}</td><td class="n">{each.first_per_million:,.1f}</td>'
        f'<td class="n">{each.second_per_million:,.1f}</td>'
        f'<td class="n">{each.factor:.2f}</td></tr>'
        for each in rows
    )
    head = (
        f'<th>word</th><th class="n">{escape(first)}, per million</th>'
        f'<th class="n">{escape(second)}, per million</th><th class="n">factor</th>'
    )
    return f"<table><tr>{head}</tr>{body}</table>"
