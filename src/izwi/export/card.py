"""The corpus card as one HTML page that needs nothing from outside."""

from collections.abc import Iterator, Sequence
from html import escape

from izwi.export.page import bar, contents, number, page_of, section, share_table, table, tiles
from izwi.export.yearchart import year_chart
from izwi.model.card import AuditFigure, CorpusCard, QualityFigure, RightsSignal, Share
from izwi.model.results import FunnelStep


def card_page(card: CorpusCard) -> str:
    """Return the page."""
    parts = dict(_parts(card))
    body = "".join(section(title, part) for title, part in parts.items())
    return page_of(
        card.title or card.name, f"{_head(card)}{contents(parts)}<main>{body}</main>{_foot(card)}"
    )


def _parts(card: CorpusCard) -> Iterator[tuple[str, str]]:
    yield "From pages to corpus", _funnel(card.funnel)
    yield "Time", _time(card)
    yield "Publications", share_table("publication", card.publications)
    yield "Sources", share_table("source", card.sources)
    yield "Hosts", _hosts(card)
    yield "Languages", share_table("language", card.languages)
    yield "Duplicates", _duplicates(card)
    yield "Quality", _quality(card.quality) + _audit(card.audit)
    yield "Rights", _rights(card)


def _head(card: CorpusCard) -> str:
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


def _foot(card: CorpusCard) -> str:
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


def _time(card: CorpusCard) -> str:
    undated = next((each.documents for each in card.years if not each.name), 0)
    said = f"<p>{undated:,} documents have no date.</p>" if undated else ""
    years = share_table("year", [each for each in card.years if each.name])
    return (
        f"{year_chart(card.years_by_source)}{said}"
        f"<details><summary>Year by year</summary>{years}</details><h3>What the dates rest on</h3>"
        f"{share_table('evidence', card.date_evidence)}"
        f"<h3>How exact they are</h3>{share_table('exact to the', card.date_precision)}"
    )


def _hosts(card: CorpusCard) -> str:
    return (
        f"<p>{card.hosts_in_all:,} hosts, as varied as {card.effective_hosts:,} hosts of equal "
        f"size.</p>{share_table('host', card.hosts)}"
    )


def _duplicates(card: CorpusCard) -> str:
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


def _quality(figures: Sequence[QualityFigure]) -> str:
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


def _audit(figures: Sequence[AuditFigure]) -> str:
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


def _rights(card: CorpusCard) -> str:
    down = f"{card.takedowns:,} addresses or hosts were taken down." if card.takedowns else _NO_DOWN
    return (
        f"<h3>Licences that pages state</h3>{share_table('licence', _plain(card.licences))}"
        f"<h3>What owners ask of machines</h3>{_signals(card.rights)}{_unread(card)}<p>{down}</p>"
    )


def _unread(card: CorpusCard) -> str:
    if not card.rights_unread:
        return ""
    return f"<p>{card.rights_unread:,} raw files could not be read for what their owners ask.</p>"


_NO_DOWN = "Nothing was taken down so far."


def _plain(licences: Sequence[Share]) -> Sequence[Share]:
    return licences or (Share("none stated", 0, 0),)


def _signals(signals: Sequence[RightsSignal]) -> str:
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
