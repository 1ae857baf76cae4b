"""Verse, drama, hymns, novels, memoirs, lives, a parish and a department: looked at last."""

from collections.abc import Sequence
from html import escape

from webs.genre_parts import broken, filled, lines_of, paragraphs, speech, stanzas, undated
from webs.portals import Portal, Story, consent, foot, menu, share
from webs.sites import link, number, rows, slug
from webs.speakers import Speaker


def blog_verse(host: str, voice: Speaker, count: int) -> Portal:
    """Blogger: a poem in one element, lines parted by breaks, stanzas by two; gadgets beside."""
    frame = (
        f'<div class="header section" id="header"><h1 class="title">{link("/", "Encre et vent")}</h1></div>',
        foot(voice, [], "footer-outer"),
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        verse = stanzas(voice, voice.chance.randint(2, 5), voice.chance.randint(3, 5))
        shown = "<br /><br />".join(map(broken, verse))
        tops = "".join(f'<li class="archivedate">{link(n.path, n.title)}</li>' for n in near)
        body = (
            f'<div class="main section" id="main"><div class="widget Blog"><div class="blog-posts hfeed"><div class="date-outer"><h2 class="date-header"><span>{voice.said_on(each.day)}</span></h2>'
            f'<div class="post hentry uncustomized-post-template"><h3 class="post-title entry-title">{escape(each.title)}</h3><div class="post-body entry-content"><div dir="ltr" style="text-align: left;">{shown}</div></div>'
            f'<div class="post-footer"><span class="post-author vcard">{voice.words["by"]} <span class="fn">{each.author}</span></span><span class="post-labels">{voice.words["tags"]}: {link("/search/label/mer", "mer")}</span></div></div></div></div>'
            f'<div class="comments" id="comments"><h4>0 {voice.words["comments"]}:</h4></div></div></div><div class="sidebar"><div class="widget BlogArchive"><h2>Archives</h2><ul>{tops}</ul></div></div>'
        )
        return body, [line for lines in verse for line in lines]

    return filled(host, voice, count, "Encre et vent", "/{day:%Y/%m}/{slug}.html", frame, drawn,
                  paths=("/search/label/mer",), card="post hentry")  # fmt: skip


def drama(host: str, voice: Speaker, count: int) -> Portal:
    """Pages by hand: a table of two columns, who speaks and what is said."""
    frame = (
        f'<table width="100%"><tr><td colspan="2">{link("/", "Театр")} | {link("/pesy.html", "Пьесы")}</td></tr></table>',
        '<hr><address><a href="/about">О нас</a> © Театр 2003</address>',
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        said = speech(voice, voice.chance.randint(9, 13))
        shown = "".join(
            f"<tr><td valign=top><b>{who}</b></td><td>{escape(words)}</td></tr>"
            for who, words in said
        )
        note = voice.sentence()
        body = (
            f"<center><h2>{escape(each.title)}</h2><i>{escape(each.author)}, {voice.said_on(each.day)}</i></center><p><i>{escape(note)}</i></p><table border=0 cellpadding=4>{shown}</table>"
            f"<p align=center>{link(near[0].path, 'назад')} | {link(near[1].path, 'дальше')}</p>"
        )
        return body, [note, *(f"{who} {words}" for who, words in said)]

    return filled(
        host,
        voice,
        count,
        "Театр",
        "/pesy/{number}.html",
        frame,
        drawn,
        paths=("/pesy/",),
        length=(1, 1),
    )


def hymns_of_all(host: str, voice: Speaker, count: int) -> Portal:
    """A book of hymns: numbered verses in a list, the refrain in full after each, who wrote it below."""
    frame = (menu(voice, [("/ilahiler/", "İlahiler")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        verses, refrain = stanzas(voice, 4), lines_of(voice, 3)
        shown = "".join(
            f'<li class="stanza"><p>{broken(lines)}</p><p class="refrain"><em>{broken(refrain)}</em></p></li>'
            for lines in verses
        )
        body = (
            f'<article class="hymn"><header><h1>{escape(each.title)}</h1><p class="meta">{each.author} · <time datetime="{each.day}">{voice.said_on(each.day)}</time></p></header><ol class="stanzas">{shown}</ol>'
            f'<p class="source">{escape(each.told[0])}</p></article><nav class="siblings">{link(near[0].path, near[0].title)}</nav>'
        )
        return body, [*("\n".join((*lines, *refrain)) for lines in verses), each.told[0]]

    return filled(
        host,
        voice,
        count,
        "İlahiler",
        "/ilahiler/{number}",
        frame,
        drawn,
        paths=("/ilahiler/",),
        length=(1, 1),
    )


def web_novel(host: str, voice: Speaker, count: int) -> Portal:
    """A house of web novels: notes of the author above, chapters of talk, reviews and offers."""
    frame = (consent(voice) + menu(voice, [("/fictions", "Fictions")], "navbar-main"), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        told = []
        for _ in range(voice.chance.randint(5, 8)):
            told += [voice.paragraph(2, 4), f"“{voice.sentence()}” {voice.name()} said.", "“No.”"]
        body = (
            f'<div class="page-container"><div class="fic-header"><div class="col-md-5"><h1 class="font-white">{escape(each.title)}</h1></div><h3>by {link("/profile/7", each.author)}</h3></div>'
            f'<div class="portlet author-note-portlet"><div class="caption">A note from {each.author}</div><div class="author-note"><p>Thank you for reading, new chapters come every Friday.</p></div></div>'
            f'<div class="chapter-inner chapter-content">{paragraphs(told)}</div><div class="row nav-buttons"><a class="btn" href="{near[0].path}">Previous Chapter</a><a class="btn" href="{near[1].path}">Next Chapter</a></div>'
            f'<div class="profile-info"><time datetime="{each.day}T10:00:00Z">{voice.said_on(each.day)}</time></div><div class="portlet"><h4>Support the author</h4><a class="btn" href="/donate">Donate</a></div></div>'
        )
        return body, told

    return filled(
        host,
        voice,
        count,
        "Quill Harbour",
        "/fiction/9/chapter/{number}/{slug}",
        frame,
        drawn,
        paths=("/fictions",),
        length=(1, 1),
    )


def diaries(host: str, voice: Speaker, count: int) -> Portal:
    """An archive of diaries and letters: a transcription in lines, notes of the editors in a definition list."""
    frame = (menu(voice, [("/briefe/", "Briefe")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        notes = [
            (voice.title().split()[0], voice.sentence()) for _ in range(voice.chance.randint(3, 6))
        ]
        told = list(each.told)
        shown = "".join(
            f'<dt><a name="fn{at}"></a>{at} {escape(word)}</dt><dd>{escape(text)}</dd>'
            for at, (word, text) in enumerate(notes, 1)
        )
        facts = f'<table class="meta-table"><tr><td>Absender</td><td>{each.author}</td></tr><tr><td>Datum</td><td>{voice.said_on(each.day)}</td></tr><tr><td>Signatur</td><td>Kasten {number(each.path, 90)}</td></tr></table>'
        body = (
            f'<div id="main"><h2 class="heading">{escape(each.title)}</h2>{facts}<div class="transcription">{paragraphs(told, "tx")}</div><div class="footnotes"><h4>Anmerkungen</h4><dl>{shown}</dl></div></div>'
            f'<div class="browse">{link(near[0].path, "« " + near[0].title)} {link(near[1].path, near[1].title + " »")}</div>'
        )
        return body, [*told, *(f"{word} {text}" for word, text in notes)]

    return filled(
        host, voice, count, "Nachlass", "/briefe/{slug}.htm", frame, drawn, paths=("/briefe/",)
    )


def parish(host: str, voice: Speaker, count: int) -> Portal:
    """A parish's letter with Joomla: a greeting, notices, times of services, birthdays in a list."""
    frame = (
        menu(voice, [("/nuusbriewe", "Nuusbriewe")], "ja-header"),
        foot(voice, [], "ja-footer"),
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        heads = [voice.title() for _ in range(4)]
        parts = [(head, voice.paragraph(1, 2)) for head in heads]
        times = [f"Sondag {9 + at}:00: {voice.sentence()}" for at in range(3)]
        names = list(
            dict.fromkeys(
                f"{voice.writer()} ({1 + number(voice.word(), 28)} Mei)" for _ in range(5)
            )
        )
        shown = "".join(
            f"<p><strong>{escape(head)}</strong></p><p>{escape(text)}</p>" for head, text in parts
        )
        body = (
            f'<div class="item-page" itemscope itemtype="https://schema.org/Article"><div class="page-header"><h2 itemprop="headline">{escape(each.title)}</h2></div><dl class="article-info muted"><dt class="article-info-term">Details</dt><dd class="published"><time datetime="{each.day}T06:00:00+02:00" itemprop="datePublished">{voice.words["published"]}: {voice.said_on(each.day)}</time></dd><dd class="hits">Treffers: 213</dd></dl>'
            f'<div itemprop="articleBody">{shown}<p><strong>Eredienste</strong></p><ul>{"".join(f"<li>{escape(t)}</li>" for t in times)}</ul><p><strong>Verjaarsdae</strong></p><ul>{"".join(f"<li>{n}</li>" for n in names)}</ul></div>'
            f'<ul class="pager pagenav"><li class="previous">{link(near[0].path, "Vorige")}</li></ul></div><div class="moduletable"><h3>{voice.words["most_read"]}</h3>{rows((n.path, n.title) for n in near)}</div>'
        )
        texts = [f"{head} {text}" for head, text in parts]
        return body, [*texts, "Eredienste", *times, "Verjaarsdae", *names]

    return filled(
        host,
        voice,
        count,
        "Gemeente",
        "/nuusbriewe/{number}-{slug}",
        frame,
        drawn,
        paths=("/nuusbriewe",),
        card="items-row",
    )


def scholars(host: str, voice: Speaker, count: int) -> Portal:
    """A department: what a scholar does, papers as a list, a box with ways to reach them."""
    frame = (menu(voice, [("/people/", "People")], "uni-header"), foot(voice, [], "uni-footer"))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        told, papers = [voice.paragraph(2, 3), voice.paragraph(2, 3)], [
            f"{each.author} ({2005 + at}). {voice.title()}. Journal of {voice.place()} Studies, {at + 3}({at}), {at * 12}–{at * 12 + 11}."
            for at in range(voice.chance.randint(4, 9))
        ]  # fmt: skip
        shown = "".join(f"<li>{escape(paper)}</li>" for paper in papers)
        box = f'<aside class="contact-card"><h2>Contact</h2><p>Room {number(each.path, 300)}</p><p>{slug(each.author)}@{site.host}</p></aside>'
        body = (
            f'<main id="main-content"><div class="profile-header"><h1>{escape(each.title)}</h1><p class="role">Senior lecturer</p></div>{box}<div class="tabs"><section><h2>Biography</h2>{paragraphs(told)}</section>'
            f'<section><h2>Selected publications</h2><ul class="publications">{shown}</ul></section></div></main>'
        )
        return body, [*told, *papers]

    site = filled(
        host,
        voice,
        count,
        "School of Letters",
        "/people/{slug}",
        frame,
        drawn,
        paths=("/people/",),
        card="person",
    )
    return undated(site)


def lives(host: str, voice: Speaker, count: int) -> Portal:
    """Memories of the dead on a house's site: a life, candles and words of others below."""
    frame = (consent(voice) + menu(voice, [("/memorials", "Memorials")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        told = [voice.paragraph(1, 3) for _ in range(3)]
        talk = "".join(
            f'<li class="tribute"><strong>{voice.name()}</strong> <span>left a candle</span><p>{escape(voice.sentence())}</p></li>'
            for _ in range(3)
        )
        body = (
            f'<div class="memorial"><div class="memorial-top"><img src="/c.jpg" alt=""><h1>{escape(each.title)}</h1><div class="dates">12 March {each.day.year - 77} – {voice.said_on(each.day)}</div></div>'
            f'<div class="tab-pane active" id="obituary">{paragraphs(told)}</div><div class="tributes" id="comments"><h3>Tributes</h3><ul class="comments-list">{talk}</ul></div>{share(voice)}</div>'
        )
        return body, told

    site = filled(
        host,
        voice,
        count,
        "Willow House",
        "/memorials/{slug}",
        frame,
        drawn,
        paths=("/memorials",),
        length=(1, 1),
    )
    return undated(site)


KINDS = {
    each.__name__: each
    for each in (blog_verse, drama, hymns_of_all, web_novel, diaries, parish, scholars, lives)
}
LANGUAGES = {
    "blog_verse": ("fra", 1), "drama": ("rus", 0, 24), "hymns_of_all": ("tur", 0, 28), "web_novel": ("eng", 2),
    "diaries": ("deu", 0), "parish": ("afr", 2), "scholars": ("eng", 4), "lives": ("eng", 11),
}  # fmt: skip
