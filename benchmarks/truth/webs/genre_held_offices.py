"""A high court, a council, manuals, help, talks, tables, tickers, galleries, radio: looked at last."""

from collections.abc import Sequence
from html import escape

from webs.genre_offices import code_of
from webs.genre_parts import filled, flat, paragraphs, speech, table, undated
from webs.portals import Portal, Story, cards, consent, data_of, foot, menu, ranked
from webs.sites import link, number, rows
from webs.speakers import Speaker


def high_court(host: str, voice: Speaker, count: int) -> Portal:
    """A court: guiding sentences, facts, grounds with numbers in the margin, notes at the end."""
    frame = (menu(voice, [("/entscheidungen/", "Entscheidungen")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        lead, told = (
            voice.sentence(),
            [voice.paragraph(1, 3) for _ in range(voice.chance.randint(6, 9))],
        )
        notes = [voice.sentence() for _ in range(voice.chance.randint(3, 6))]
        shown = "".join(
            f'<div class="rd"><span class="rdnr">{at}</span><p>{escape(text)}<sup>{at}</sup></p></div>'
            for at, text in enumerate(told, 1)
        )
        ends = "".join(
            f'<p class="fn"><sup>{at}</sup> {escape(note)}</p>' for at, note in enumerate(notes, 1)
        )
        body = (
            f'<div class="jurisprudenz"><h1>{escape(each.title)}</h1><table class="kopf"><tr><td>Gericht</td><td>Landgericht</td></tr><tr><td>Datum</td><td>{voice.said_on(each.day)}</td></tr><tr><td>Aktenzeichen</td><td>7 O {number(each.path, 400)}/19</td></tr></table>'
            f'<h4>Leitsatz</h4><p>{escape(lead)}</p><h4>Gründe</h4>{shown}<hr>{ends}</div><div class="nav-bottom">{link(near[0].path, "Vorheriges Dokument")} {link(near[1].path, "Nächstes Dokument")}</div>'
        )
        return body, ["Leitsatz", lead, "Gründe", *told, *notes]

    return filled(
        host,
        voice,
        count,
        "Rechtsprechung",
        "/entscheidungen/{number}.html",
        frame,
        drawn,
        paths=("/entscheidungen/",),
        length=(1, 1),
    )


def council(host: str, voice: Speaker, count: int) -> Portal:
    """A town's minutes: points as a definition list, who was there as a list, a table of moneys."""
    frame = (menu(voice, [("/amaminithi/", "Amaminithi")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        there = list(dict.fromkeys(voice.writer() for _ in range(6)))
        points = [(f"{at}. {voice.title()}", voice.paragraph(1, 2)) for at in range(1, 7)]
        head, lines = (
            ("Into", "Imali"),
            [(voice.title(), f"R{number(voice.word(), 90000)}") for _ in range(5)],
        )
        shown = "".join(f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in points)
        body = (
            f'<div class="portal-content"><h1 class="documentFirstHeading">{escape(each.title)}</h1><span class="documentPublished">{voice.words["published"]}: {voice.said_on(each.day)}</span>'
            f'<div id="content-core"><h3>Abebekhona</h3><ul>{"".join(f"<li>{who}</li>" for who in there)}</ul><dl>{shown}</dl>{table(head, lines, "listing")}</div></div><aside>{rows((n.path, n.title) for n in near)}</aside>'
        )
        return body, ["Abebekhona", *there, *(f"{a} {b}" for a, b in points), flat(head, lines)]

    return filled(
        host,
        voice,
        count,
        "Umkhandlu",
        "/amaminithi/{slug}",
        frame,
        drawn,
        paths=("/amaminithi/",),
        length=(1, 1),
    )


def sphinx_pages(host: str, voice: Speaker, count: int) -> Portal:
    """A manual by Sphinx with a theme as of Read the Docs: code, notes, options as definitions."""
    frame = (
        '<div class="wy-grid-for-nav">',
        '<footer><a href="/about">About</a><p>© Copyright 2021.</p>Built with Sphinx.</footer></div>',
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        shown, texts = [], []
        for at, text in enumerate(each.told):
            code, name = code_of(voice, at + 1 + number(each.path, 5)), voice.title()
            option = (f"--{voice.word()} N", voice.sentence())
            shown.append(
                f'<section id="s{at}"><h2>{escape(name)}<a class="headerlink" href="#s{at}" title="Permalink">¶</a></h2><p>{escape(text)}</p><div class="highlight-default notranslate"><div class="highlight"><pre><span></span>{escape(code)}</pre></div></div>'
                f'<dl class="option"><dt class="sig"><code>{option[0]}</code></dt><dd><p>{escape(option[1])}</p></dd></dl></section>'
            )
            texts += [name, text, code, *option]
        note = voice.sentence()
        tree = f'<nav class="wy-nav-side"><div class="wy-menu wy-menu-vertical"><ul>{"".join(f"<li class=toctree-l1>{link(n.path, n.title)}</li>" for n in near)}</ul></div></nav>'
        body = (
            f'{tree}<section class="wy-nav-content-wrap"><div class="rst-content"><div role="navigation"><ul class="wy-breadcrumbs"><li>{link("/", "home")}</li></ul></div><div role="main" class="document"><div itemprop="articleBody"><section><h1>{escape(each.title)}</h1>'
            f'<div class="admonition note"><p class="admonition-title">Note</p><p>{escape(note)}</p></div>{"".join(shown)}</section></div></div></div></section>'
        )
        return body, ["Note", note, *texts]

    site = filled(
        host,
        voice,
        count,
        "Rondawel",
        "/manual/{number}.html",
        frame,
        drawn,
        paths=("/manual/",),
        length=(1, 2),
    )
    return undated(site)


def help_centre(host: str, voice: Speaker, count: int) -> Portal:
    """Answers as a shop's service has them: panels of an accordion, whether it helped, others."""
    frame = (menu(voice, [("/help", "مساعدة")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        pairs = [(f"{voice.title()}؟", voice.sentence()) for _ in range(voice.chance.randint(5, 7))]
        shown = "".join(
            f'<div class="accordion-item"><h3 class="accordion-header"><button class="accordion-button" type="button" aria-controls="p{at}">{escape(q)}</button></h3><div id="p{at}" class="accordion-collapse collapse"><div class="accordion-body">{escape(a)}</div></div></div>'
            for at, (q, a) in enumerate(pairs)
        )
        body = f'<main><h1>{escape(each.title)}</h1><div class="accordion">{shown}</div><div class="vote"><span>هل كان هذا مفيدا؟</span><button>نعم</button></div><ul class="related-articles">{"".join(f"<li>{link(n.path, n.title)}</li>" for n in near)}</ul></main>'
        return body, [f"{q} {a}" for q, a in pairs]

    site = filled(
        host,
        voice,
        count,
        "مساعدة",
        "/help/{number}",
        frame,
        drawn,
        paths=("/help",),
        length=(1, 1),
    )
    return undated(site)


def talks(host: str, voice: Speaker, count: int) -> Portal:
    """Interviews of a paper: questions in h3, answers with initials, pull quotes, more by the writer."""
    frame = (consent(voice) + menu(voice, [("/entrevistas/", "Entrevistas")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        pairs = [
            (f"¿{voice.title()}?", voice.paragraph(1, 2)) for _ in range(voice.chance.randint(6, 9))
        ]
        shown = "".join(f"<h3>P: {escape(q)}</h3><p><b>R.</b> {escape(a)}</p>" for q, a in pairs)
        body = (
            f'<article id="main-content"><header class="a_e"><h1 class="a_t">{escape(each.title)}</h1><h2 class="a_st">{escape(each.told[0])}</h2></header><div class="a_md"><a href="/autor/1">{each.author}</a> <time datetime="{each.day}T05:00:00+01:00">{voice.said_on(each.day)}</time></div>'
            f'<div class="a_c clearfix">{shown}</div><section class="more"><h4>{voice.words["related"]}</h4>{cards(voice, near, "b-st_a")}</section></article>'
        )
        return body, [each.told[0], *(f"P: {q} R. {a}" for q, a in pairs)]

    return filled(
        host,
        voice,
        count,
        "El Faro",
        "/entrevistas/{day:%Y-%m-%d}/{slug}.html",
        frame,
        drawn,
        head=data_of,
        paths=("/entrevistas/",),
        length=(1, 1),
    )


def leagues(host: str, voice: Speaker, count: int) -> Portal:
    """Sport: a report, then line-ups as lists and results in a table, then another paragraph."""
    frame = (menu(voice, [("/michezo/", "Michezo")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        told = [voice.paragraph(1, 3) for _ in range(4)]
        head = ("Timu", "M", "Pointi")
        lines = [
            (voice.place(), str(number(voice.word(), 30)), str(number(voice.word(), 60)))
            for _ in range(9)
        ]
        team = [voice.name() for _ in range(11)]
        body = f'<main class="storyfullwrap"><h1>{escape(each.title)}</h1><div class="timestamp">{voice.said_on(each.day)}</div><div class="byline">{voice.words["by"]} {each.author}</div><div class="storybody">{paragraphs(told[:3])}<h3>Kikosi</h3><ul>{"".join(f"<li>{name}</li>" for name in team)}</ul>{table(head, lines)}{paragraphs(told[3:])}</div></main><aside>{ranked(voice, near)}</aside>'
        return body, [*told[:3], "Kikosi", *team, flat(head, lines), *told[3:]]

    return filled(
        host,
        voice,
        count,
        "Uwanja",
        "/michezo/{slug}-{number}",
        frame,
        drawn,
        paths=("/michezo/",),
        length=(1, 1),
    )


def ticker(host: str, voice: Speaker, count: int) -> Portal:
    """A ticker: posts in list items with hours in bold, key points above."""
    frame = (consent(voice) + menu(voice, [("/live", "लाइव")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        points, entries = [voice.sentence() for _ in range(2)], [voice.sentence() for _ in range(7)]
        shown = "".join(
            f'<li class="lx-stream__post"><h4>{20 - at}:15</h4><div class="lx-body"><p>{escape(text)}</p></div></li>'
            for at, text in enumerate(entries)
        )
        body = f'<div role="main"><h1 id="content">{escape(each.title)}</h1><p><time datetime="{each.day}">{voice.said_on(each.day)}</time></p><section><h2>मुख्य बातें</h2><ul>{"".join(f"<li>{escape(p)}</li>" for p in points)}</ul></section><ol class="lx-stream">{shown}</ol></div><section class="more">{cards(voice, near)}</section>'
        return body, ["मुख्य बातें", *points, *entries]

    return filled(
        host, voice, count, "ख़बर", "/live/{number}", frame, drawn, paths=("/live",), length=(1, 1)
    )


def galleries(host: str, voice: Speaker, count: int) -> Portal:
    """A gallery in a list: a picture, its name, some words, who took it."""
    frame = (menu(voice, [("/gallery/", "Φωτογραφίες")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        captions = [voice.sentence() for _ in range(voice.chance.randint(5, 8))]
        shown = "".join(
            f'<li class="gallery__slide"><a href="/i/{at}.jpg"><img data-src="/i/{at}-s.jpg" alt=""></a><div class="gallery__caption"><span class="count">{at}/{len(captions)}</span><p>{escape(text)}</p></div></li>'
            for at, text in enumerate(captions, 1)
        )
        body = f'<main><h1>{escape(each.title)}</h1><div class="date">{voice.said_on(each.day)}</div><p class="lead">{escape(each.told[0])}</p><ul class="gallery">{shown}</ul></main><aside>{rows((n.path, n.title) for n in near)}</aside>'
        return body, [each.told[0], *captions]

    return filled(
        host,
        voice,
        count,
        "Εικόνες",
        "/gallery/{number}",
        frame,
        drawn,
        paths=("/gallery/",),
        length=(1, 1),
    )


def radio(host: str, voice: Speaker, count: int) -> Portal:
    """What was said on the radio: names in bold capitals with a colon, a summary, how to listen."""
    frame = (menu(voice, [("/transcripts/", "Transcripts")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        said = [(who.upper(), words) for who, words in speech(voice, voice.chance.randint(9, 14))]
        body = (
            f'<article class="program"><h1>{escape(each.title)}</h1><div class="meta">{voice.said_on(each.day)} · 24 min</div><p class="teaser">{escape(each.told[0])}</p><div class="audio">Listen / Download</div>'
            f'<div class="storytext">{"".join(f"<p><strong>{who}:</strong> {escape(words)}</p>" for who, words in said)}<p class="disclaimer">Copyright © Letlhakore. All rights reserved. Transcripts are created on a rush deadline and may not be in their final form.</p></div></article><aside>{ranked(voice, near)}</aside>'
        )
        return body, [each.told[0], *(f"{who}: {words}" for who, words in said)]

    return filled(
        host,
        voice,
        count,
        "Letlhakore",
        "/transcripts/{number}/{slug}",
        frame,
        drawn,
        paths=("/transcripts/",),
        length=(1, 1),
    )


def services(host: str, voice: Speaker, count: int) -> Portal:
    """A state's services: what to bring, steps, fees, in parts with headings of a few words."""
    frame = (
        f'<header class="govuk-header">{link("/", "Dienste")}</header>',
        foot(voice, [], "govuk-footer"),
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        steps, needs = [voice.sentence() for _ in range(4)], [voice.title() for _ in range(4)]
        head, lines = ("Diens", "Fooi"), [(voice.title(), f"R{20 + at * 5}") for at in range(4)]
        body = (
            f'<div class="govuk-width-container"><div class="govuk-breadcrumbs"><ol><li>{link("/", "Tuis")}</li></ol></div><main class="govuk-main-wrapper"><h1 class="govuk-heading-xl">{escape(each.title)}</h1><p class="govuk-body-l">{escape(each.told[0])}</p><h2>Wat u nodig het</h2><ul class="govuk-list--bullet">{"".join(f"<li>{escape(n)}</li>" for n in needs)}</ul>'
            f'<h2>Wat om te doen</h2><ol>{"".join(f"<li>{escape(s)}</li>" for s in steps)}</ol><div class="govuk-inset-text">{escape(each.told[1])}</div><h2>Wat dit kos</h2>{table(head, lines, "govuk-table")}<p class="gem-c-metadata">Laas gewysig {voice.said_on(each.day)}</p></main><aside class="gem-related"><h2>Verwante inhoud</h2>{rows((n.path, n.title) for n in near)}</aside></div>'
        )
        return body, [
            each.told[0],
            "Wat u nodig het",
            *needs,
            "Wat om te doen",
            *steps,
            each.told[1],
            "Wat dit kos",
            flat(head, lines),
        ]

    site = filled(
        host,
        voice,
        count,
        "Dienste",
        "/{slug}",
        frame,
        drawn,
        paths=("/browse/alles/",),
        length=(1, 2),
    )
    return undated(site)


def notebooks(host: str, voice: Speaker, count: int) -> Portal:
    """A weblog with notes on words: a sentence, then code and short remarks in Japanese."""
    frame = (menu(voice, [("/archive", "アーカイブ")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        shown, texts = [], []
        for at, text in enumerate(each.told):
            code = code_of(voice, at)
            shown.append(
                f'<p>{escape(text)}</p><pre class="code lang-go" data-lang="go" data-unlink>{escape(code)}</pre>'
            )
            texts += [text, code]
        body = f'<div id="main"><article class="entry hentry"><div class="entry-inner"><header class="entry-header"><div class="date entry-date"><time datetime="{each.day}T03:00:00Z">{each.day}</time></div><h1 class="title entry-title"><a href="{each.path}">{escape(each.title)}</a></h1></header><div class="entry-content hatenablog-entry">{"".join(shown)}</div><footer class="entry-footer"><span class="author">{each.author}</span></footer></div></article></div><aside id="box2"><div class="hatena-module">{rows((n.path, n.title) for n in near)}</div></aside>'
        return body, texts

    return filled(
        host,
        voice,
        count,
        "手帳",
        "/entry/{day:%Y/%m/%d}/{number}",
        frame,
        drawn,
        paths=("/archive/",),
        length=(2, 3),
    )


KINDS = {
    each.__name__: each
    for each in (high_court, council, sphinx_pages, help_centre, talks, leagues, ticker, galleries, radio, services, notebooks)
}  # fmt: skip
LANGUAGES = {
    "high_court": ("deu", 1, 30), "council": ("zul", 1), "sphinx_pages": ("eng", 12), "help_centre": ("ara", 0, 30),
    "talks": ("spa", 1), "leagues": ("swa", 1), "ticker": ("hin", 0, 24), "galleries": ("ell", 0, 30),
    "radio": ("tsn", 1), "services": ("afr", 3), "notebooks": ("jpn", 0, 24),
}  # fmt: skip
