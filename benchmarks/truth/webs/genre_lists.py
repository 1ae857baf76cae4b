"""Documents that look like lists: glossaries, timelines, proverbs, listicles, links with remarks."""

from collections.abc import Sequence
from html import escape

from webs.genre_parts import filled, flat, table, undated
from webs.portals import Portal, Story, consent, data_of, foot, menu, ranked
from webs.sites import link, number, rows, slug
from webs.speakers import Speaker


def glossaries(host: str, voice: Speaker, count: int) -> Portal:
    """Terms of a field, a letter a page: a definition below each, some lead to others."""
    frame = (menu(voice, [("/glossaire/", "Glossaire")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        terms = [(voice.title(), voice.sentence()) for _ in range(voice.chance.randint(8, 14))]
        shown = "".join(
            f'<dt id="{slug(term)}">{escape(term)}</dt><dd>{escape(said)} {link(near[at % len(near)].path, near[at % len(near)].title) if at % 4 == 0 else ""}</dd>'
            for at, (term, said) in enumerate(terms)
        )
        body = f'<main><h1>{escape(each.title)}</h1><p>{escape(each.told[0])}</p><dl class="glossary">{shown}</dl></main>'
        return body, [each.told[0], *(f"{term} {said}" for term, said in terms)]

    return undated(filled(host, voice, count, "Glossaire", "/glossaire/{slug}", frame, drawn, paths=("/glossaire/",), length=(1, 1)))  # fmt: skip


def timelines(host: str, voice: Speaker, count: int) -> Portal:
    """What happened year by year: a year in bold and a sentence."""
    frame = (menu(voice, [("/geskiedenis/", "Geskiedenis")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        years = [
            (f"{1890 + 7 * at}", voice.sentence()) for at in range(voice.chance.randint(9, 15))
        ]
        shown = "".join(
            f'<li><span class="year">{year}</span><div class="event">{escape(said)}</div></li>'
            for year, said in years
        )
        body = f'<article class="timeline-page"><h1>{escape(each.title)}</h1><p>{escape(each.told[0])}</p><ul class="timeline">{shown}</ul></article><aside>{rows((n.path, n.title) for n in near)}</aside>'
        return body, [each.told[0], *(f"{year} {said}" for year, said in years)]

    return undated(filled(host, voice, count, "Erfenis", "/geskiedenis/{slug}", frame, drawn, paths=("/geskiedenis/",), length=(1, 1)))  # fmt: skip


def proverbs(host: str, voice: Speaker, count: int) -> Portal:
    """Proverbs with what they mean, a theme a page."""
    frame = (menu(voice, [("/diane/", "Diane")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        some = [(voice.title(), voice.sentence()) for _ in range(voice.chance.randint(10, 16))]
        shown = "".join(f"<li><strong>{escape(a)}</strong><br>{escape(b)}</li>" for a, b in some)
        body = f'<div class="entry-content"><h1>{escape(each.title)}</h1><ol>{shown}</ol></div>'
        return body, [f"{a} {b}" for a, b in some]

    return undated(filled(host, voice, count, "Diane", "/diane/{number}", frame, drawn, paths=("/diane/",), length=(1, 1)))  # fmt: skip


def listicles(host: str, voice: Speaker, count: int) -> Portal:
    """Ten things worth a visit: linked headings with a picture and a paragraph each."""
    frame = (consent(voice) + menu(voice, [("/guides/", "Guides")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        things = [(voice.title(), voice.paragraph(1, 3)) for _ in range(8)]
        shown = "".join(
            f'<h2>{at}. <a href="https://shop{at}.example/">{escape(name)}</a></h2><figure><img src="/{at}.jpg" alt=""></figure><p>{escape(said)}</p><p><a class="btn" href="https://shop{at}.example/buy">Check price</a></p>'
            for at, (name, said) in enumerate(things, 1)
        )
        body = f'<main><article><h1>{escape(each.title)}</h1><p class="meta">{voice.words["by"]} {each.author} · {voice.said_on(each.day)}</p><p>{escape(each.told[0])}</p>{shown}</article></main><aside>{ranked(voice, near)}</aside>'
        return body, [
            each.told[0],
            *(f"{at}. {name} {said}" for at, (name, said) in enumerate(things, 1)),
        ]

    return filled(
        host,
        voice,
        count,
        "Long Weekend",
        "/guides/{slug}/",
        frame,
        drawn,
        head=data_of,
        paths=("/guides/",),
        length=(1, 2),
    )


def link_notes(host: str, voice: Speaker, count: int) -> Portal:
    """A weblog's links of the week: a linked title elsewhere and what its writer thinks of it."""
    frame = (menu(voice, [("/links/", "Links")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        some = [(voice.title(), voice.paragraph(1, 2)) for _ in range(7)]
        shown = "".join(
            f'<li><a href="https://news{at}.example/{slug(a)}">{escape(a)}</a>: {escape(b)}</li>'
            for at, (a, b) in enumerate(some)
        )
        body = f'<article class="post"><h1 class="entry-title">{escape(each.title)}</h1><time datetime="{each.day}">{voice.said_on(each.day)}</time><div class="entry-content"><p>{escape(each.told[0])}</p><ul>{shown}</ul></div></article>'
        return body, [each.told[0], *(f"{a}: {b}" for a, b in some)]

    return filled(
        host,
        voice,
        count,
        "Margins",
        "/links/{day:%Y-%m-%d}",
        frame,
        drawn,
        paths=("/links/",),
        length=(1, 1),
    )


def phrasebooks(host: str, voice: Speaker, count: int) -> Portal:
    """Phrases in two columns, with a note on when one says them."""
    frame = (menu(voice, [("/frases/", "Frases")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        head, lines = ("Frase", "Uso"), [(voice.title(), voice.sentence()) for _ in range(12)]
        body = f"<main><h1>{escape(each.title)}</h1><p>{escape(each.told[0])}</p>{table(head, lines, 'frases')}</main>"
        return body, [each.told[0], flat(head, lines)]

    return undated(filled(host, voice, count, "Frases", "/frases/{slug}", frame, drawn, paths=("/frases/",), length=(1, 1)))  # fmt: skip


def programmes(host: str, voice: Speaker, count: int) -> Portal:
    """A festival's day: an hour, a linked title and a few lines for each reading."""
    frame = (menu(voice, [("/programm/", "Programm")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        some = [(f"{10 + at}:30", voice.title(), voice.paragraph(1, 2)) for at in range(6)]
        shown = "".join(
            f'<div class="event"><span class="time">{time}</span><h3><a href="/tickets/{number(name, 9999)}">{escape(name)}</a></h3><p>{escape(said)}</p></div>'
            for time, name, said in some
        )
        body = f"<main><h1>{escape(each.title)}</h1><p>{escape(each.told[0])}</p>{shown}</main>"
        return body, [each.told[0], *(" ".join(one) for one in some)]

    return undated(filled(host, voice, count, "Lesefest", "/programm/{slug}", frame, drawn, paths=("/programm/",), length=(1, 1)))  # fmt: skip


def releases(host: str, voice: Speaker, count: int) -> Portal:
    """Notes on versions: points with marks of changes, the writers linked."""
    frame = (menu(voice, [("/releases/", "Releases")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        some = [voice.sentence() for _ in range(9)]
        shown = "".join(
            f'<li>{escape(said)} (<a href="https://code.example/p/{at}">#{4100 + at}</a>, <a href="https://code.example/u/{at}">@{slug(voice.name())}</a>)</li>'
            for at, said in enumerate(some)
        )
        body = f'<main class="markdown-body"><h1>{escape(each.title)}</h1><p><relative-time datetime="{each.day}">{voice.said_on(each.day)}</relative-time></p><h2>Added</h2><ul>{shown}</ul></main>'
        return body, ["Added", *some]

    return filled(
        host,
        voice,
        count,
        "Kraal",
        "/releases/v{number}",
        frame,
        drawn,
        paths=("/releases/",),
        length=(1, 1),
    )


KINDS = {
    each.__name__: each
    for each in (glossaries, timelines, proverbs, listicles, link_notes, phrasebooks, programmes, releases)
}  # fmt: skip
LANGUAGES = {
    "glossaries": ("fra", 2), "timelines": ("afr", 2), "proverbs": ("tsn", 2), "listicles": ("eng", 2),
    "link_notes": ("eng", 5), "phrasebooks": ("spa", 1), "programmes": ("swa", 0, 24), "releases": ("eng", 11),
}  # fmt: skip
