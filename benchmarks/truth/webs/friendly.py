"""Small sites of short texts, of which nothing is a trap."""

from html import escape

from webs.sentences import Voice
from webs.sites import Site, link, lots, page, rows, said, slug


def _listed(site: Site, links: list[tuple[str, str]], size: int = 15) -> None:
    """Add a front and the lists after it."""
    own = lots(links, size)
    for at, some in enumerate(own, 1):
        more = [(f"/page/{at + 1}", "Older")] if at < len(own) else []
        site.page("/" if at == 1 else f"/page/{at}", page("All of them", rows([*some, *more])))


def notes(host: str, voice: Voice, count: int) -> Site:
    """Notes of a sentence or two, whole on the front as well."""
    site = Site(host)
    told = [voice.paragraph(1, 2) for _ in range(count)]
    for at, some in enumerate(told):
        body = f'<div class="note"><p>{escape(some)}</p>{link(f"/note/{at}", "Lasting link")}</div>'
        ways = [(f"/note/{near}", "Next") for near in (at + 1,) if near < count]
        site.document(f"/note/{at}", "", page("A note", body + rows(ways)), some)
    for start in range(0, count, 20):
        shown = "".join(
            f"<p>{escape(told[at])} {link(f'/note/{at}', '#')}</p>"
            for at in range(start, min(count, start + 20))
        )
        site.page(
            f"/older/{start}" if start else "/",
            page("Notes", shown + link(f"/older/{start + 20}", "Older")),
        )
    return site


def entries(host: str, voice: Voice, count: int) -> Site:
    """A dictionary: a word, its class, what it means, once in use."""
    site, links = Site(host), []
    for _ in range(count):
        word = voice.word()
        meaning, use = " ".join(voice.sentence().split()[2:9]).rstrip(".,"), voice.sentence()
        body = f"<h1>{word}</h1><p><i>{voice.any(('noun', 'verb', 'adverb'))}</i></p><p>{meaning}.</p><p><q>{use}</q></p>"
        path = f"/word/{word}"
        site.document(
            path, word, page(f"{word}: dictionary", body + rows(links[-2:])), meaning, use
        )
        links.append((path, word))
    _listed(site, links, 30)
    return site


def profiles(host: str, voice: Voice, count: int) -> Site:
    """People of a club, in the same few words."""
    site, links = Site(host), []
    for at in range(count):
        who, town, about = voice.name(), voice.place(), voice.sentence()
        facts = f"<dl><dt>Town</dt><dd>{town}</dd><dt>Since</dt><dd>{1990 + at % 30}</dd></dl>"
        path = f"/people/{at}"
        site.document(
            path, who, page(who, f"<h1>{who}</h1>{facts}<p>{about}</p>"), f"Town {town}", about
        )
        links.append((path, who))
    _listed(site, links)
    return site


def threads(host: str, voice: Voice, count: int) -> Site:
    """Short questions with an answer or three."""
    site, links = Site(host), []
    for at in range(count):
        head, some = voice.title(), [voice.sentence() for _ in range(voice.chance.randint(2, 4))]
        shown = "".join(
            f'<div class="post"><b>{voice.name()}</b><p>{escape(each)}</p></div>' for each in some
        )
        path = f"/thread.php?id={at}"
        site.document(path, head, page(head, f"<h1>{head}</h1>{shown}"), *some)
        links.append((path, head))
    _listed(site, links)
    return site


def comments(host: str, voice: Voice, count: int) -> Site:
    """Every comment on a story has a page of its own, which says it and nothing else."""
    site, links = Site(host), []
    for at in range(max(1, count // 8)):
        head, told = voice.title(), voice.paragraphs(2, 3)
        under = [(f"/story/{at}/comment/{n}", voice.paragraph(1, 2)) for n in range(7)]
        for path, some in under:
            site.document(
                path,
                "",
                page("Comment", f"<p>{escape(some)}</p>{link(f'/story/{at}', 'Story')}"),
                some,
            )
        ways = rows((path, some[:30]) for path, some in under)
        site.document(f"/story/{at}", head, page(head, f"<h1>{head}</h1>{said(told)}{ways}"), *told)
        links.append((f"/story/{at}", head))
    _listed(site, links)
    return site


def days(host: str, voice: Voice, count: int) -> Site:
    """A diary by date: years, months and days, of which many are empty and not there."""
    site, months, when = Site(host), {}, 0
    for _ in range(count):
        when += voice.chance.choice((1, 1, 2, 5, 40))
        year, month, day = 2012 + when // 372, when // 31 % 12 + 1, when % 31 + 1
        some = voice.paragraph(2, 4)
        path = f"/{year}/{month:02d}/{day:02d}/"
        site.document(
            path,
            "",
            page(f"{day}.{month}.{year}", f"<h1>{day}.{month}.{year}</h1><p>{escape(some)}</p>"),
            some,
        )
        months.setdefault(f"/{year}/{month:02d}/", []).append((path, str(day)))
    for path, links in months.items():
        site.page(path, page("A month", "<h1>1 2 3 4 5 6 7</h1>" + rows(links)))
    site.page("/", page("Diary", rows((path, path.strip("/")) for path in months)))
    return site


def poems(host: str, voice: Voice, count: int) -> Site:
    """Short poems, linked in a ring."""
    site = Site(host)
    by_path = {f"/poems/{slug(head)}.html": head for head in (voice.title() for _ in range(count))}
    paths, heads = list(by_path), list(by_path.values())
    for at, (path, head) in enumerate(zip(paths, heads, strict=True)):
        lines = [" ".join(voice.sentence().split()[:6]) for _ in range(8)]
        ways = [(paths[(at + 1) % len(paths)], "Next poem"), ("/", "All poems")]
        body = f"<h2>{head}</h2><p>{'<br>'.join(map(escape, lines))}</p>{rows(ways)}"
        site.document(path, head, page(head, body), *lines)
    site.page("/", page("Poems", rows(zip(paths[::9], heads[::9], strict=True))))
    return site


def adverts(host: str, voice: Voice, count: int) -> Site:
    """Small advertisements with the same rules below each."""
    site, links = Site(host), []
    rules = "Whoever answers pays no fee. Meet in a public place and look at what you buy before you pay for it."
    for at in range(count):
        head, some = f"{voice.word().title()} for sale", voice.sentence()
        body = f"<h1>{head}</h1><p>{escape(some)} R {at * 35 + 90}</p><p>{rules}</p>"
        site.document(f"/ad/{at}", head, page(head, body), some)
        links.append((f"/ad/{at}", head))
    _listed(site, links)
    return site


KINDS = {
    each.__name__: each
    for each in (notes, entries, profiles, threads, comments, days, poems, adverts)
}
