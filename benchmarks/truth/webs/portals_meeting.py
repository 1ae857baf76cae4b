"""Pages in three languages, an endless archive, forums and a firm: looked at last."""

import json
from html import escape

from webs.portals import (
    Portal,
    cards,
    consent,
    data_of,
    foot,
    head_of,
    menu,
    others,
    paged,
    ranked,
    served,
    share,
    stories,
    whole,
)
from webs.sites import MISSING, Answer, link, number, rows, said, slug
from webs.speakers import Speaker


def tongues(host: str, voice: Speaker, count: int) -> Portal:
    """The same pages in three languages, each naming the others."""
    site = Portal(host, voice=voice)
    codes = {"en": ("eng", 9), "af": ("afr", 2), "zu": ("zul", 1)}
    speakers = {
        name: Speaker(f"{host} {name}", code, voice.data, part)
        for name, (code, part) in codes.items()
    }
    told = {
        name: stories(speaker, count // 3, f"/{name}/story-{{number}}", fewest=3, most=5)
        for name, speaker in speakers.items()
    }
    twins = {name: sorted(some, key=lambda each: each.path) for name, some in told.items()}
    for name, speaker in speakers.items():
        switch = "".join(f'<li><a hreflang="{n}" href="/{n}/">{n.upper()}</a></li>' for n in codes)
        header = f'<div class="lang-switch"><ul>{switch}</ul></div>{menu(speaker, [(f"/{name}/news", "News")], "hd")}'
        footer = foot(speaker)
        site.voice = speaker
        for at, each in enumerate(twins[name]):
            ways = "".join(
                f'<link rel="alternate" hreflang="{n}" href="http://{host}{twins[n][at].path}">'
                for n in codes
            )
            see = "".join(
                f'<a href="{twins[n][at].path}" hreflang="{n}">{n.upper()}</a> '
                for n in codes
                if n != name
            )
            main = f'<main><div class="also">{see}</div><article><h1>{escape(each.title)}</h1><p class="date">{speaker.said_on(each.day)}</p>{said(each.told)}</article><section class="more"><h2>{speaker.words["related"]}</h2>{cards(speaker, others(twins[name], at, 3))}</section></main>'
            site.story(
                each,
                whole(speaker, head_of(site, "Ilanga Trust", each, ways), header + main + footer),
                author="",
            )
        paged(site, f"/{name}/news", "News", twins[name], (header, footer), size=10)
        paged(site, f"/{name}/", "Ilanga Trust", twins[name][:5], (header, footer), size=99)
    site.page(
        "/", whole(voice, head_of(site, "Ilanga Trust"), f"<h1>Ilanga Trust</h1><ul>{switch}</ul>")
    )
    return site


def load_more(host: str, voice: Speaker, count: int) -> Portal:
    """An archive that a script goes on with, and the same for machines as JSON."""
    site = Portal(host, voice=voice)
    name = "صحيفة الميناء"
    header, footer = menu(voice, [("/archive", "الأرشيف")], "navbar"), foot(voice)
    some = stories(voice, count, "/news/{number}", fewest=3, most=4, length=(2, 3))
    for at, each in enumerate(some):
        main = f'<div class="container"><div class="row"><div class="col-8"><h1 class="post__title">{escape(each.title)}</h1><div class="post__info"><span>{voice.words["by"]} {each.author}</span><time datetime="{each.day}">{voice.said_on(each.day)}</time></div><div class="post__text">{said(each.told)}</div>{share(voice, "sharer")}</div><div class="col-4">{ranked(voice, others(some, at, 6))}</div></div><section class="suggest">{cards(voice, others(some, at + 4, 3), "suggest-item")}</section></div>'
        site.story(
            each, whole(voice, head_of(site, name, each, data_of(each)), header + main + footer)
        )
    size = 8
    for start in range(0, count, size):
        part = some[start : start + size]
        more = (
            f'<button class="load-more" data-next="/archive?offset={start + size}">{voice.words["more"]}</button><noscript><a href="/archive?offset={start + size}">{voice.words["more"]}</a></noscript>'
            if start + size < count
            else ""
        )
        body = f'{header}<main id="feed">{cards(voice, part, "feed-item")}{more}</main>{footer}'
        site.page(
            f"/archive?offset={start}" if start else "/archive",
            whole(voice, head_of(site, "الأرشيف"), body),
        )
    paged(site, "/", name, some[:6], (header, footer), size=99, classes="feed-item")

    def beyond(path: str) -> Answer:
        if not path.startswith("/api/"):
            return MISSING
        return Answer(
            json.dumps([{"title": each.title, "url": each.path} for each in some]),
            kind="application/json",
        )

    site.beyond = beyond
    return site


def new_board(host: str, voice: Speaker, count: int) -> Portal:
    """Discourse as it is sent to those without scripts, categories and tags beside."""
    site = Portal(host, voice=voice)
    header = f'<div class="wrap"><a href="/"><img alt="Makers Forum"></a></div>{menu(voice, [("/categories", "Categories")], "crawler-nav")}'
    footer = '<footer class="container wrap"><nav class="crawler-nav"><ul><li><a href="/">Home</a></li><li><a href="/guidelines">Guidelines</a></li><li><a href="/tos">Terms of Service</a></li></ul></nav></footer>'
    some = stories(voice, count, "/t/{slug}/{number}", fewest=1, most=2, length=(1, 3))
    for at, each in enumerate(some):
        posts = [(each.author, list(each.told))] + [
            (voice.writer(), [voice.paragraph(1, 3)]) for _ in range(1 + number(each.path, 5))
        ]
        shown = "".join(
            f'<div id="post_{n}" itemscope class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator"><a href="/u/{slug(who)}"><span itemprop="name">{who}</span></a></span><link itemprop="mainEntityOfPage" href="{each.path}"><span class="crawler-post-infos"><time datetime="{each.day}T1{n}:00:00Z" class="post-time">{voice.said_on(each.day)}, 1{n}:00</time><meta itemprop="dateModified" content="{each.day}"><span itemprop="position">{n + 1}</span></span></div><div class="post" itemprop="text">{said(text)}</div><div itemprop="interactionStatistic"><meta itemprop="userInteractionCount" content="{n}"><span class="post-likes">{n} Likes</span></div></div>'
            for n, (who, text) in enumerate(posts)
        )
        related = "".join(
            f'<tr class="topic-list-item"><td class="main-link"><a href="{n.path}" class="title raw-link">{escape(n.title)}</a></td><td>3</td><td>112</td><td>{voice.said_on(n.day)}</td></tr>'
            for n in others(some, at, 5)
        )
        main = f'<div id="main-outlet" class="wrap"><div id="topic-title"><h1><a href="{each.path}">{escape(each.title)}</a></h1><div class="topic-category"><a href="/c/tools/5" class="badge-wrapper"><span>Tools</span></a></div></div>{shown}<div class="more-topics"><h3>Related topics</h3><table class="topic-list"><thead><tr><th>Topic</th><th>Replies</th><th>Views</th><th>Activity</th></tr></thead><tbody>{related}</tbody></table></div></div>'
        site.story(
            each,
            whole(
                voice,
                head_of(
                    site, "Makers Forum", each, '<meta name="generator" content="Discourse 3.2">'
                ),
                header + main + footer,
                "crawler",
            ),
            *(p for _, text in posts for p in text),
        )
        who = f"/u/{slug(each.author)}"
        site.page(
            who,
            whole(
                voice,
                head_of(site, each.author),
                f"{header}<h1>{each.author}</h1><p>Joined 2019. Last post yesterday.</p>{rows([(each.path, each.title)])}{footer}",
            ),
        )
    for path in ("/", "/c/tools/5"):
        parts = [some[start : start + 15] for start in range(0, count, 15)]
        for at, part in enumerate(parts):
            table = "".join(
                f'<tr class="topic-list-item"><td class="main-link"><a href="{n.path}" class="title">{escape(n.title)}</a><div class="excerpt">{escape(n.teaser)}</div></td><td>{number(n.path, 30)}</td><td>{voice.said_on(n.day)}</td></tr>'
                for n in part
            )
            more = (
                f'<div role="navigation"><span><b><a rel="next" href="{path}?page={at + 1}">next page →</a></b></span></div>'
                if at + 1 < len(parts)
                else ""
            )
            site.page(
                f"{path}?page={at}" if at else path,
                whole(
                    voice,
                    head_of(site, "Makers Forum"),
                    f'{header}<div id="main-outlet"><table class="topic-list">{table}</table>{more}</div>{footer}',
                ),
            )
    return site


def old_board(host: str, voice: Speaker, count: int) -> Portal:
    """phpBB: posts in panels with signatures, people beside them, threads in parts."""
    site = Portal(host, voice=voice)
    header, footer = (
        menu(voice, [("/index.php", "Foren"), ("/faq.php", "FAQ")], "headerbar"),
        '<div id="page-footer"><p>Powered by phpBB® Forum Software © phpBB Limited</p><p>Alle Zeiten sind UTC+01:00</p></div>',
    )
    some = stories(voice, count, "/viewtopic.php?t={number}", fewest=1, most=1, length=(2, 3))
    signs = {who: voice.sentence() for who in sorted({each.author for each in some})}
    for each in some:
        posts = [(each.author, each.told[0])] + [
            (voice.writer(), voice.paragraph(1, 2)) for _ in range(1 + number(each.path, 4))
        ]
        shown = "".join(
            f'<div id="p{n}" class="post has-profile bg{n % 2}"><div class="inner"><dl class="postprofile"><dt><a href="/memberlist.php?u={number(who, 90)}" class="username">{who}</a></dt><dd><strong>Beiträge:</strong> {number(who, 900)}</dd><dd><strong>Registriert:</strong> Mo 3. Aug 2015, 10:11</dd></dl><div class="postbody"><h3><a href="#p{n}">{"Re: " if n else ""}{escape(each.title)}</a></h3><p class="author"><a href="{each.path}#p{n}"><span>Beitrag</span></a> von <strong><a href="/memberlist.php?u={number(who, 90)}">{who}</a></strong> » {voice.said_on(each.day)}, 1{n}:20</p><div class="content">{escape(text)}</div><div class="signature">{escape(signs.get(who, ""))}</div></div></div></div>'
            for n, (who, text) in enumerate(posts)
        )
        main = f'<div id="page-body"><h2 class="topic-title"><a href="{each.path}">{escape(each.title)}</a></h2><div class="action-bar"><a href="/posting.php?t=1">Antworten</a> {len(posts)} Beiträge • Seite 1 von 1</div>{shown}<p class="jumpbox-return"><a href="/viewforum.php?f=2">Zurück zu „Technik“</a></p><div class="stat-block"><h3>Wer ist online?</h3><p>Mitglieder in diesem Forum: 0 Mitglieder und 3 Gäste</p></div></div>'
        head = f"<title>{escape(each.title)} - Werkbank Forum</title>"
        site.story(
            each,
            whole(voice, head, header + main + footer, "nojs notouch section-viewtopic ltr"),
            *(text for _, text in posts),
        )
    parts = [some[start : start + 20] for start in range(0, count, 20)]
    for at, part in enumerate(parts):
        topics = "".join(
            f'<li class="row"><dl><dt><a href="{n.path}" class="topictitle">{escape(n.title)}</a><br>von <a href="/memberlist.php?u=2">{n.author}</a> » {voice.said_on(n.day)}</dt><dd class="posts">{number(n.path, 9)} Antworten</dd></dl></li>'
            for n in part
        )
        more = rows(
            (f"/viewforum.php?f=2&start={n * 20}" if n else "/viewforum.php?f=2", str(n + 1))
            for n in range(len(parts))
        )
        site.page(
            f"/viewforum.php?f=2&start={at * 20}" if at else "/viewforum.php?f=2",
            whole(
                voice,
                "<title>Technik - Werkbank Forum</title>",
                f'{header}<h2>Technik</h2><ul class="topiclist">{topics}</ul><div class="pagination">{more}</div>{footer}',
            ),
        )
    site.page(
        "/",
        whole(
            voice,
            "<title>Werkbank Forum</title>",
            f'{header}<ul class="forums"><li>{link("/viewforum.php?f=2", "Technik")}<br>Alles über Maschinen</li></ul>{footer}',
        ),
    )
    return site


def company(host: str, voice: Speaker, count: int) -> Portal:
    """What a firm offers, its cases, notices to the press, people, places that are vacant."""
    site = Portal(host, voice=voice)
    name = "Norvia"
    header, footer = (
        consent(voice, "ot-sdk-container")
        + menu(
            voice,
            [("/servicios", "Servicios"), ("/prensa", "Prensa"), ("/equipo", "Equipo")],
            "c-header",
        ),
        foot(voice),
    )
    offers = stories(voice, count // 2, "/servicios/{slug}", fewest=3, most=4, length=(1, 2))
    for at, each in enumerate(offers):
        tiles = "".join(
            f'<div class="c-tile"><h3>{escape(head)}</h3><p>{escape(text)}</p></div>'
            for head, text in ((voice.title(), voice.sentence()) for _ in range(0))
        )
        blocks = "".join(
            f'<section class="c-split c-split--{"left" if n % 2 else "right"}"><div class="c-split__media"><img src="/m.jpg" alt=""></div><div class="c-split__body"><p>{escape(text)}</p></div></section>'
            for n, text in enumerate(each.told)
        )
        numbers = '<section class="c-stats"><div><strong>25+</strong><span>países</span></div><div><strong>1.200</strong><span>clientes</span></div></section>'
        call = '<section class="c-cta"><h2>¿Hablamos?</h2><p>Cuéntanos tu proyecto y te llamamos en 24 horas.</p><a class="c-btn" href="/contact">Contactar</a></section>'
        main = f'<main><section class="c-hero"><h1>{escape(each.title)}</h1></section>{blocks}{tiles}{numbers}{call}<section class="c-more">{cards(voice, others(offers, at, 3), "c-card", is_dated=False)}</section></main>'
        site.story(
            each,
            whole(voice, head_of(site, name, each), header + main + footer),
            date="",
            author="",
        )
    notices = stories(voice, count // 2, "/prensa/{slug}", fewest=2, most=4, length=(1, 3))
    for each in notices:
        main = f'<main><p class="c-eyebrow">Nota de prensa | {voice.said_on(each.day)}</p><h1>{escape(each.title)}</h1><div class="c-rte">{said(each.told)}</div><div class="c-boiler"><h4>Sobre Norvia</h4><p>Norvia ayuda desde 1987 a empresas de toda Europa a mover mercancías por mar y por tierra con menos papel.</p></div><div class="c-contact"><p>Contacto de prensa: prensa@{host}</p></div></main>'
        site.story(each, whole(voice, head_of(site, name, each), header + main + footer), author="")
    people = "".join(
        f'<div class="c-person"><h3>{voice.writer()}</h3><p>{role}</p></div>'
        for role in ("Directora general", "Finanzas", "Operaciones", "Ventas")
    )
    site.aside(
        "/equipo",
        whole(
            voice, head_of(site, "Equipo"), f"{header}<main><h1>Equipo</h1>{people}</main>{footer}"
        ),
    )
    paged(site, "/servicios", "Servicios", offers, (header, footer), size=99, classes="c-card")
    paged(site, "/prensa", "Prensa", notices, (header, footer), size=8, classes="c-card")
    paged(site, "/", name, [*offers[:3], *notices[:3]], (header, footer), size=99, classes="c-card")
    served(site, name, header, footer)
    return site


KINDS = {each.__name__: each for each in (tongues, load_more, new_board, old_board, company)}
# Each writes in one language, with its own part of the sentences, and so many pages at most.
LANGUAGES = {
    "tongues": ("eng", 9),
    "load_more": ("ara", 0, 36),
    "new_board": ("eng", 12),
    "old_board": ("deu", 1),
    "company": ("spa", 1),
}
