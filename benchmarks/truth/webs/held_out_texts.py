"""Sites of short texts that are measured and never tuned on: nothing of them is a trap."""

from html import escape

from webs.sentences import Voice
from webs.sites import Site, lots, page, rows, slug


def proverbs(host: str, voice: Voice, count: int) -> Site:
    """A saying and what it means, linked to the next, and the first of every fifteen."""
    site = Site(host)
    for at in range(count):
        said = " ".join(voice.sentence().split()[:5])
        body = (
            f"<blockquote>{escape(said)}</blockquote><p>{escape(voice.word())} {voice.word()}</p>"
        )
        ways = [(f"/p{at + 1}.html", "Next")] if at + 1 < count else []
        site.document(f"/p{at}.html", "", page("Proverb", body + rows(ways)), said)
    firsts = [(f"/p{at}.html", f"From {at}") for at in range(0, count, 15)]
    site.page("/", page("Proverbs", rows(firsts)))
    return site


def guestbook(host: str, voice: Voice, count: int) -> Site:
    """Entries in one script, by number, each under its own address and on a list."""
    site, some = Site(host), list[tuple[str, str]]()
    for at in range(count):
        who, said = voice.name(), voice.sentence()
        path = f"/guestbook.cgi?entry={at}"
        body = f"<p><b>{who}</b> wrote:</p><p>{escape(said)}</p><p>Thank you for your visit!</p>"
        site.document(path, "", page("Our guests", body), said)
        some.append((path, who))
    own = lots(some, 8)
    for at, links in enumerate(own):
        more = [(f"/guestbook.cgi?page={at + 1}", "Earlier")] if at + 1 < len(own) else []
        site.page(f"/guestbook.cgi?page={at}", page("Our guests", rows([*links, *more])))
    site.page("/", page("Welcome", rows([("/guestbook.cgi?page=0", "Guests")])))
    return site


def vacancies(host: str, voice: Voice, count: int) -> Site:
    """Jobs of the same few kinds in towns, filtered by town and by kind."""
    site, lists = Site(host), dict[str, list[tuple[str, str]]]()
    towns, kinds = [voice.place() for _ in range(5)], ("driver", "nurse", "teacher", "clerk")
    for at in range(count):
        town, kind, said = voice.any(towns), voice.any(kinds), voice.sentence()
        head, path = f"{kind.title()} in {town}", f"/jobs/{at + 7000}-{kind}-{town.lower()}"
        body = f"<h1>{head}</h1><p>{escape(said)}</p><p>Send your letter before the end of the month.</p>"
        site.document(path, head, page(head, body), said)
        lists.setdefault(f"/jobs?town={town.lower()}", []).append((path, head))
        lists.setdefault(f"/jobs?kind={kind}", []).append((path, head))
    for path, links in lists.items():
        site.page(path, page("Jobs", rows(links)))
    site.page("/", page("Jobs", rows((path, path[6:]) for path in lists)))
    return site


def obituaries(host: str, voice: Voice, count: int) -> Site:
    """The same words of mourning under other names."""
    site, links = Site(host), []
    for _ in range(count):
        who, town, kin = voice.name(), voice.place(), voice.name()
        told = [f"{who} of {town} died in peace.", "The family thanks all friends for their help.",
                f"In the name of all: {kin}."]  # fmt: skip
        path = f"/mourning/{slug(who)}"
        said = "".join(f"<p>{each}</p>" for each in told)
        site.document(path, who, page(who, f"<h1>{who}</h1>{said}"), *told)
        links.append((path, who))
    for at, some in enumerate(lots(links, 6)):
        more = [(f"/mourning/page/{at + 1}", "Earlier")] if at * 6 + 6 < count else []
        site.page(f"/mourning/page/{at}", page("In memory", rows([*some, *more])))
    site.page("/", page("Paper", rows([("/mourning/page/0", "In memory")])))
    return site


def songs(host: str, voice: Voice, count: int) -> Site:
    """Songs by singer; lines come back, and each has its chords above it."""
    site, singers = Site(host), dict[str, list[tuple[str, str]]]()
    for _ in range(count):
        head, who = voice.title(), voice.any(("anna", "the-hills", "old-road"))
        lines = [" ".join(voice.sentence().split()[:5]) for _ in range(3)]
        shown = "<br>".join(f"C G Am<br>{escape(each)}" for each in (*lines, lines[0], lines[0]))
        path = f"/songs/{who}/{slug(head)}"
        site.document(path, head, page(head, f"<h1>{head}</h1><p>{shown}</p>"), *lines)
        singers.setdefault(f"/songs/{who}", []).append((path, head))
    for path, links in singers.items():
        site.page(path, page(path[7:], rows(links)))
    site.page("/", page("Songs", rows((path, path[7:]) for path in singers)))
    return site


def faults(host: str, voice: Voice, count: int) -> Site:
    """A list of faults of a program: a title, a state, who found it, now and then a word."""
    site, links = Site(host), []
    for at in range(count):
        head, who = " ".join(voice.title().split()[:5]), voice.name()
        said = voice.sentence() if at % 2 else ""
        facts = f"<dl><dt>State</dt><dd>{voice.any(('open', 'closed'))}</dd><dt>By</dt><dd>{who}</dd></dl>"
        near = [(f"/bugs/{(at * 5 + 2) % count}", "Blocks")]
        body = f"<h1>#{at} {head}</h1>{facts}<p>{escape(said)}</p>{rows(near)}"
        site.document(f"/bugs/{at}", head, page(head, body), said or f"By {who}")
        links.append((f"/bugs/{at}", head))
    for at, some in enumerate(lots(links, 15)):
        more = [(f"/bugs?start={at + 1}", "More")] if at * 15 + 15 < count else []
        site.page(f"/bugs?start={at}", page("Faults", rows([*some, *more])))
    site.page("/", page("Program", rows([("/bugs?start=0", "Faults")])))
    return site


def phrasebook(host: str, voice: Voice, count: int) -> Site:
    """A phrase in two languages a page, by theme."""
    site, themes = Site(host), dict[str, list[tuple[str, str]]]()
    for at in range(count):
        said = " ".join(voice.sentence().split()[:4])
        other = " ".join(voice.word() for _ in range(3))
        path = f"/phrase/{at}/"
        site.document(path, "", page("Phrase", f"<p>{escape(said)}</p><p>{other}</p>"), said, other)
        themes.setdefault(f"/theme/{at % 6}/", []).append((path, said))
    for path, links in themes.items():
        site.page(path, page("Theme", rows(links)))
    site.page("/", page("Phrases", rows((path, path) for path in themes)))
    return site


def plants(host: str, voice: Voice, count: int) -> Site:
    """Kinds of plants: a table of the same features, a sentence, by family."""
    site, families = Site(host), dict[str, list[tuple[str, str]]]()
    kin = [voice.word() + "aceae" for _ in range(5)]
    for _ in range(count):
        name, family = f"{voice.word()} {voice.word()}", voice.any(kin)
        where = " ".join(voice.sentence().split()[-4:])
        table = "".join(
            f"<tr><td>{key}</td><td>{voice.any(('green', 'white', 'large', 'small'))}</td></tr>"
            for key in ("Leaf", "Flower", "Fruit")
        )
        path = f"/flora/{family}/{name.replace(' ', '_')}"
        body = f"<h1>{name}</h1><table>{table}</table><p>{escape(where)}</p>"
        site.document(path, name, page(name, body), where)
        families.setdefault(f"/flora/{family}/", []).append((path, name))
    for path, links in families.items():
        site.page(path, page(path, rows(links)))
    site.page("/", page("Flora", rows((path, path[7:-1]) for path in families)))
    return site


KINDS = {
    each.__name__: each
    for each in (proverbs, guestbook, vacancies, obituaries, songs, faults, phrasebook, plants)
}
