"""Newspapers, an agency, weblogs and pages drawn by scripts: looked at while losses were mended."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from html import escape

from webs.portals import (
    Portal,
    Story,
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


def _sections(words: Sequence[str]) -> list[tuple[str, str]]:
    return [(f"/{slug(each)}", each) for each in words]


def newspaper(host: str, voice: Speaker, count: int) -> Portal:
    """Sections, live reports, galleries, opinion, what only subscribers may read, twins for phones."""
    site = Portal(host, voice=voice)
    names = ("Politics", "Business", "Sport", "Opinion")
    header = consent(voice) + menu(voice, _sections(names))
    footer = foot(voice, [("/terms", "Terms and conditions"), ("/privacy", "Privacy")])
    some = stories(voice, count, "/{day:%Y-%m-%d}-{slug}")
    some = [
        replace(each, path=f"/{slug(names[at % 4])}{each.path}") for at, each in enumerate(some)
    ]
    for at, each in enumerate(some):
        kind = ("live", "closed", "gallery", "opinion")[at // 5 % 4] if at % 5 == 0 else "news"
        body, texts, data = _news_body(voice, each, kind)
        near = others(some, at, 4)
        twin = f"/amp{each.path}"
        head = head_of(site, "The Daily Ledger", each, data + f'<link rel="amphtml" href="{twin}">')
        aside = (
            f'<aside class="sidebar">{ranked(voice, others(some, at + 3, 5))}<div class="ad-slot">Advertisement</div>'
            f'<div class="widget"><h2>Latest</h2>{rows((n.path, n.title) for n in others(some, at + 9, 6))}</div></aside>'
        )
        below = (
            f'<div class="tags">Topics: {link(f"/topic/{slug(each.title)[:5]}", each.title.split()[0])}</div>'
            f'<section class="related"><h2>{voice.words["related"]}</h2>{cards(voice, near)}</section>'
            '<section class="promoted"><h4>You may also like</h4><div class="tile"><a href="https://ads.example/1">'
            "Doctors are stunned by this simple trick for better sleep</a><span>Sponsored | HealthyNow</span></div>"
            '<div class="tile"><a href="https://ads.example/2">Homeowners over 50 should know this before summer</a>'
            '<span>Sponsored | SolarCheck</span></div></section><div id="comments"><h2>Comments (14)</h2>'
            "<p>Please sign in to comment.</p></div>"
        )
        crumbs = f'<nav class="breadcrumb">{rows([("/", "Home"), (f"/{slug(names[at % 4])}", names[at % 4])])}</nav>'
        page = f'{header}<main id="content">{crumbs}<article class="article article--{kind}">{body}</article>{below}</main>{aside}{footer}'
        site.story(each, whole(voice, head, page, f"page-{kind}"), *texts)
        site.page(twin, _amp(site, each, texts))
        topic = f"/topic/{slug(each.title)[:5]}"
        if site.url(topic) not in site.bodies:
            paged(site, topic, each.title.split()[0], [each, *near[:2]], (header, footer))
    for at, name in enumerate(names):
        paged(site, f"/{slug(name)}", name, some[at::4], (header, footer), size=6)
    for who in {each.author for each in some}:
        own = [each for each in some if each.author == who]
        bio = f'<div class="bio"><p>{who} writes about courts and schools. Follow {who.split()[0]} on social media.</p></div>'
        paged(site, f"/profile/{slug(who)}", who, own, (header + bio, footer), size=50)
    _front(site, "The Daily Ledger", some, header, footer)
    served(site, "The Daily Ledger", header, footer)
    for path in ("/terms", "/privacy"):
        site.aside(
            path,
            whole(
                voice,
                head_of(site, "Terms"),
                f"{header}<main><h1>Terms</h1>{said([voice.paragraph()])}</main>{footer}",
            ),
        )
    return site


def _news_body(voice: Speaker, story: Story, kind: str) -> tuple[str, tuple[str, ...], str]:
    """Return the article of one kind, what it says and what machines are told of it."""
    said_on = voice.said_on(story.day)
    who = f'<a rel="author" href="/profile/{slug(story.author)}">{story.author}</a>'
    top = (
        f'<h1 class="headline">{escape(story.title)}</h1><div class="byline">By {who} <span class="role">Senior reporter</span></div>'
        f'<div class="dateline"><time datetime="{story.day:%Y-%m-%d}T06:30:00+02:00">{said_on} 06:30</time>'
        f'<span class="updated">Updated {said_on} 09:12</span> <span>4 min read</span></div>{share(voice)}'
    )
    data = data_of(story)
    if kind == "live":
        texts = [voice.paragraph(1, 3) for _ in range(8)]
        heads = [voice.title() for _ in texts]
        posts = "".join(
            f'<article class="live-post" id="p{n}"><header><time>{17 - n}:{10 + n * 4}</time><h3>{escape(head)}</h3>'
            f'</header><div class="live-post__body"><p>{escape(text)}</p></div><button>Share</button></article>'
            for n, (head, text) in enumerate(zip(heads, texts, strict=True))
        )
        summary = rows((f"#p{n}", head) for n, head in enumerate(heads[:4]))
        shown = f'{top}<p class="standfirst">{escape(story.told[0])}</p><div class="key-events"><h2>Key events</h2>{summary}</div><div class="live-blog">{posts}</div>'
        return (
            shown,
            (story.told[0], *heads, *texts),
            data_of(story, "LiveBlogPosting", coverageStartTime=f"{story.day}T06:00:00"),
        )
    if kind == "closed":
        wall = '<div class="paywall"><h3>This story is for subscribers</h3><p>Try it now for R29 the first month. Cancel any time.</p><a href="/subscribe">Subscribe now</a> <a href="/login">Already a member? Sign in</a></div>'
        data = data_of(story, articleBody="\n\n".join(story.told), isAccessibleForFree=False)
        return (
            f'{top}<div class="article-body">{said(story.told[:2])}</div>{wall}',
            story.told[:2],  # what an owner keeps for those who pay is theirs
            data,
        )
    if kind == "gallery":
        texts = [voice.paragraph(1, 2) for _ in range(8)]
        figures = "".join(
            f'<figure class="gallery__item"><img src="/img/{n}.jpg" alt=""><figcaption><span class="count">{n + 1}/8</span>'
            f'<p>{escape(text)}</p><span class="credit">Picture: {voice.writer()}</span></figcaption></figure>'
            for n, text in enumerate(texts)
        )
        return (
            f'{top}<p class="standfirst">{escape(story.told[0])}</p><div class="gallery">{figures}</div>',
            (story.told[0], *texts),
            data,
        )
    box = f'<div class="author-box"><img src="/a.jpg" alt=""><h4>{story.author}</h4><p>{story.author} is a columnist and teaches law in the evenings.</p><a href="/profile/{slug(story.author)}">More from {story.author}</a></div>'
    shown = [f"<p>{escape(each)}</p>" for each in story.told]
    shown.insert(2, '<div class="ad-slot ad-inline"><span>Advertisement</span></div>')
    shown.insert(
        3,
        f'<aside class="inline-related"><strong>READ | </strong><a href="/topic/x">{escape(story.teaser[:50])}</a></aside>',
    )
    shown.insert(
        5,
        '<div class="newsletter-inline"><h4>Morning brief</h4><p>Sign up for our free newsletter and never miss a story.</p><form><input><button>Sign up</button></form></div>',
    )
    picture = '<figure><img src="/img/main.jpg" alt=""><figcaption>File picture. Image: Supplied</figcaption></figure>'
    start = box if kind == "opinion" else picture
    return (
        f'{top}{start}<div class="article-body">{"".join(shown)}</div>{box if kind != "opinion" else ""}',
        story.told,
        data,
    )


def _amp(site: Portal, story: Story, texts: Sequence[str]) -> str:
    head = f'<title>{escape(story.title)}</title><link rel="canonical" href="http://{site.host}{story.path}"><script async src="https://cdn.ampproject.example/v0.js"></script>'
    return whole(
        site.voice,
        head,
        f'<amp-sidebar><a href="/">Home</a></amp-sidebar><article><h1>{escape(story.title)}</h1><p class="by">By {story.author}</p>{said(texts)}</article>',
    )


def _front(site: Portal, name: str, some: Sequence[Story], header: str, footer: str) -> None:
    voice = site.voice
    lead = f'<section class="hero">{cards(voice, some[:1], "hero-card")}</section>'
    strips = "".join(
        f'<section class="strip"><h2>{n}</h2>{cards(voice, some[start : start + 4])}</section>'
        for n, start in (("Today", 1), ("In depth", 5), ("Life", 9))
    )
    site.page(
        "/",
        whole(
            voice,
            head_of(site, name),
            f"{header}<main>{lead}{strips}{ranked(voice, some[3:8])}</main>{footer}",
        ),
    )


def _wires(host: str, voice: Speaker, count: int, paper: int) -> Portal:
    """One of three hosts with the same stories of an agency, each with own ones and an own page."""
    site = Portal(host, voice=voice)
    shared = stories(
        Speaker("wires", voice.code, voice.data, voice.part + 1), count // 2, "/{slug}"
    )
    own = stories(voice, count // 2, "/{slug}")
    name = ("News Agency", "Coast Herald", "Valley Times")[paper]
    header, footer = (
        menu(voice, [("/archive", "Archive")], f"h{paper}"),
        foot(voice, [], f"f{paper}"),
    )
    form = ("/stories/{}", "/news/{}/", "/a/{}.html")[paper]
    told = []
    for each in shared:
        lead = ("", "(NEWS AGENCY) ", "")[paper]
        day = each.day + timedelta(days=paper)
        texts = (lead + each.told[0], *each.told[1:])
        told.append(
            (replace(each, path=form.format(each.path[1:]), told=texts, day=day), paper > 0)
        )
    told += [(replace(each, path=form.format(each.path[1:])), False) for each in own]
    listed = [each for each, _ in told]
    for at, (each, is_copy) in enumerate(told):
        box = f'<div class="c{paper}-text">{said(each.told)}</div>'
        by = f'<p class="c{paper}-meta">{voice.said_on(each.day)} | {each.author}</p>'
        credit = "<p><em>Source: News Agency</em></p>" if is_copy else ""
        main = f'<main><h1>{escape(each.title)}</h1>{by}{box}{credit}<div class="next-reads">{cards(voice, others(listed, at, 3))}</div></main>'
        body = whole(voice, head_of(site, name, each, data_of(each)), header + main + footer)
        if is_copy:
            site.aside(each.path, body)
        else:
            site.story(each, body)
    paged(site, "/", name, listed, (header, footer), size=10)
    paged(site, "/archive", "Archive", listed, (header, footer), size=20)
    return site


def agency(host: str, voice: Speaker, count: int) -> Portal:
    """The first to have the stories."""
    return _wires(host, voice, count, 0)


def coast_paper(host: str, voice: Speaker, count: int) -> Portal:
    """A paper that prints an agency's stories a day later."""
    return _wires(host, voice, count, 1)


def valley_paper(host: str, voice: Speaker, count: int) -> Portal:
    """Another one, two days later."""
    return _wires(host, voice, count, 2)


def block_theme(host: str, voice: Speaker, count: int) -> Portal:
    """WordPress with a theme of blocks, comments and related posts."""
    site = Portal(host, voice=voice)
    name = "Cuadernos de la Sierra"
    header = f'<div class="wp-site-blocks">{menu(voice, [("/sobre/", "Sobre mí")], "wp-block-template-part")}'
    footer = f"{foot(voice, [], 'wp-block-template-part')}</div>"
    some = stories(voice, count, "/{day:%Y}/{day:%m}/{slug}/", fewest=2, most=6)
    for at, each in enumerate(some):
        quotes = "".join(
            f'<li class="comment even depth-1" id="comment-{n}"><article class="comment-body"><footer class="comment-meta"><b class="fn">{voice.writer()}</b> <a href="{each.path}#comment-{n}"><time>{voice.said_on(each.day)}</time></a></footer>'
            f'<div class="comment-content"><p>{escape(voice.sentence())}</p></div><a class="comment-reply-link" href="{each.path}?replytocom={n}">{voice.words["reply"]}</a></article></li>'
            for n in range(number(each.path, 4))
        )
        related = f'<div id="jp-relatedposts" class="jp-relatedposts"><h3 class="jp-relatedposts-headline"><em>Relacionado</em></h3><div class="jp-relatedposts-items">{cards(voice, others(some, at, 3), "jp-relatedposts-post")}</div></div>'
        ways = f'<div class="wp-block-group is-layout-flex"><div class="post-navigation-link-previous wp-block-post-navigation-link"><a href="{some[at - 1].path}" rel="prev">← {escape(some[at - 1].title)}</a></div><div class="post-navigation-link-next"><a href="{some[(at + 1) % count].path}">{escape(some[(at + 1) % count].title)} →</a></div></div>'
        main = (
            f'<main class="wp-block-group" id="wp--skip-link--target"><h1 class="wp-block-post-title">{escape(each.title)}</h1>'
            f'<div class="wp-block-template-part"><div class="wp-block-post-date"><time datetime="{each.day}T10:11:12+00:00">{voice.said_on(each.day)}</time></div><div class="wp-block-post-author"><div class="wp-block-post-author__content"><p class="wp-block-post-author__name">{each.author}</p></div></div>'
            f'<div class="taxonomy-category wp-block-post-terms"><a href="/category/{"viajes" if at % 2 else "cocina"}/" rel="tag">{"Viajes" if at % 2 else "Cocina"}</a></div></div>'
            f'<div class="entry-content wp-block-post-content is-layout-constrained">{"".join(f"<p class={chr(34)}has-text-align-left{chr(34)}>{escape(p)}</p>" for p in each.told)}<div class="sharedaddy">{share(voice, "sd-content")}</div>{related}</div>{ways}'
            f'<div class="wp-block-comments"><h2>{voice.words["comments"]}</h2><ol class="wp-block-comment-template">{quotes}</ol><div id="respond"><h3>Deja una respuesta</h3><form><p>Tu dirección de correo electrónico no será publicada.</p><textarea></textarea></form></div></div></main>'
        )
        aside = f'<aside class="wp-block-group"><h2>Entradas recientes</h2><ul class="wp-block-latest-posts">{"".join(f"<li>{link(n.path, n.title)}</li>" for n in some[:5])}</ul><h2>Archivos</h2>{rows((f"/{n.day:%Y}/{n.day:%m}/", f"{n.day:%m %Y}") for n in some[::9])}</aside>'
        site.story(
            each,
            whole(
                voice,
                head_of(site, name, each, data_of(each, "BlogPosting") if at % 2 else ""),
                header + main + aside + footer,
                "single single-post",
            ),
        )
    paged(
        site, "/", name, some, (header, footer), size=8, form="/page/{at}/", classes="wp-block-post"
    )
    for at, topic in enumerate(("cocina", "viajes")):
        paged(
            site,
            f"/category/{topic}/",
            topic.title(),
            some[at::2],
            (header, footer),
            size=10,
            form="{path}page/{at}/",
        )
    for month in {f"/{each.day:%Y}/{each.day:%m}/" for each in some}:
        paged(
            site,
            month,
            month,
            [n for n in some if n.path.startswith(month)],
            (header, footer),
            size=99,
        )
    _beyond_blog(site)
    return site


def _beyond_blog(site: Portal) -> None:
    def beyond(path: str) -> Answer:
        known = site.bodies.get(site.url(path.partition("?")[0]))
        return Answer(str(known)) if known and "replytocom" in path else MISSING

    site.beyond = beyond


def app_pages(host: str, voice: Speaker, count: int) -> Portal:
    """Next.js: a third drawn by the server, a third HTML in the state, a third blocks of it."""
    site = Portal(host, voice=voice)
    name = "समाचार मंच" if voice.code == "hin" else "News Forum"
    header, footer = (
        menu(voice, [("/latest", "Latest")], "Header_root__9fKd2"),
        foot(voice, [], "Footer_root__2hGs1"),
    )
    some = stories(voice, count, "/articles/{slug}", fewest=3, most=5, length=(2, 3))
    for at, each in enumerate(some):
        near = [
            {"slug": n.path, "title": n.title, "excerpt": n.teaser} for n in others(some, at, 5)
        ]
        article: dict[str, object] = {
            "id": number(each.path),
            "slug": each.path,
            "title": each.title,
            "publishedAt": f"{each.day}T05:00:00.000Z",
            "author": {"name": each.author, "slug": slug(each.author)},
            "excerpt": each.teaser,
        }
        if at % 3 == 1:
            article["content"] = {"rendered": said(each.told)}
        if at % 3 == 2:
            article["body"] = [
                {
                    "_type": "block",
                    "_key": f"k{n}",
                    "style": "normal",
                    "markDefs": [],
                    "children": [{"_type": "span", "marks": [], "text": text}],
                }
                for n, text in enumerate(each.told)
            ]
        state = json.dumps(
            {
                "props": {"pageProps": {"article": article, "related": near}, "__N_SSG": True},
                "page": "/articles/[slug]",
                "query": {"slug": each.path},
                "buildId": "x8Kd",
            },
            ensure_ascii=False,
        )
        top = f'<h1 class="Article_title__1abcD">{escape(each.title)}</h1><div class="Article_meta__zz12"><span class="Byline_author__k2">{each.author}</span><span class="Byline_date__p9">{voice.said_on(each.day)}</span></div>'
        body = (
            f'<div class="Article_body__x3fG1">{said(each.told)}</div><div class="Related_grid__aa1">{cards(voice, others(some, at, 3), "Card_root__77")}</div>'
            if at % 3 == 0
            else '<div class="Skeleton_root__1"><div></div><div></div></div>'
        )
        page = f'<div id="__next">{header}<main class="Layout_main__q1">{top}{body}</main>{footer}</div><script id="__NEXT_DATA__" type="application/json">{state}</script>'
        site.story(each, whole(voice, head_of(site, name, each), page))
    paged(site, "/", name, some[:15], (header, footer), size=99, classes="Card_root__77")
    paged(site, "/latest", "Latest", some, (header, footer), size=10, classes="Card_root__77")
    return site


KINDS = {
    each.__name__: each
    for each in (newspaper, agency, coast_paper, valley_paper, block_theme, app_pages)
}
# Each writes in one language, with its own part of the sentences, and so many pages at most.
LANGUAGES = {
    "newspaper": ("eng", 0),
    "agency": ("eng", 1),
    "coast_paper": ("eng", 3),
    "valley_paper": ("eng", 5),
    "block_theme": ("spa", 0),
    "app_pages": ("hin", 0, 30),
}
