"""Questions, goods, authorities and manuals: looked at while losses were mended."""

import json
from collections.abc import Sequence
from html import escape

from webs.portals import (
    Portal,
    Story,
    cards,
    consent,
    foot,
    head_of,
    menu,
    others,
    paged,
    share,
    stories,
    whole,
)
from webs.sites import MISSING, Answer, link, number, rows, said, slug
from webs.speakers import Speaker


def answers(host: str, voice: Speaker, count: int) -> Portal:
    """Questions with votes, answers, comments, tags and people, as on a well known network."""
    site = Portal(host, voice=voice)
    name = "Ask the Workshop"
    header, footer = (
        menu(
            voice, [("/questions", "Questions"), ("/tags", "Tags"), ("/users", "Users")], "s-topbar"
        ),
        foot(voice),
    )
    some = stories(voice, count, "/questions/{number}/{slug}", fewest=1, most=3)
    for at, each in enumerate(some):
        replies = [
            (voice.writer(), voice.paragraphs(1, 3), [voice.sentence()] if n == 0 else [])
            for n in range(1 + number(each.path, 3))
        ]
        posts = _post(voice, each.author, each.told, [], "question", each) + "".join(
            _post(voice, who, text, notes, "answer", each) for who, text, notes in replies
        )
        side = f'<div id="sidebar"><div class="s-sidebarwidget"><h4>Linked</h4>{rows((n.path, n.title) for n in others(some, at, 3))}</div><div class="module sidebar-related"><h4>Related</h4>{"".join(f"<div class={chr(34)}spacer{chr(34)}><span>{number(n.path, 60)}</span>{link(n.path, n.title)}</div>" for n in others(some, at + 2, 8))}</div><div id="hot-network-questions"><h4>Hot Network Questions</h4>{rows((n.path, n.title) for n in others(some, at + 6, 9))}</div></div>'
        main = f'<div id="content"><div id="question-header"><h1><a href="{each.path}" class="question-hyperlink">{escape(each.title)}</a></h1><a href="/questions/ask">Ask Question</a></div><div class="d-flex">Asked <time datetime="{each.day}T10:00:00">{voice.said_on(each.day)}</time> Modified 3 months ago Viewed {number(each.path, 9000)} times</div><div id="mainbar">{posts}<form id="post-form"><h2>Your Answer</h2><textarea></textarea><p>By clicking "Post Your Answer", you agree to our terms of service and acknowledge you have read our privacy policy.</p></form><h2 class="bottom-notice">Not the answer you\'re looking for? Browse other questions tagged <a href="/tags/wood">wood</a> or ask your own question.</h2></div>{side}</div>'
        data = json.dumps(
            {
                "@type": "QAPage",
                "mainEntity": {
                    "@type": "Question",
                    "name": each.title,
                    "text": " ".join(each.told),
                    "dateCreated": f"{each.day}T10:00:00",
                    "author": {"@type": "Person", "name": each.author},
                },
            }
        )
        texts = [*each.told, *(p for _, text, notes in replies for p in (*text, *notes))]
        site.story(
            each,
            whole(
                voice,
                head_of(site, name, each, f'<script type="application/ld+json">{data}</script>'),
                header + main + footer,
                "question-page",
            ),
            *texts,
        )
        site.page(
            f"/users/{number(each.author, 900)}/{slug(each.author)}",
            whole(
                voice,
                head_of(site, f"User {each.author}"),
                f"{header}<div id=content><h1>{each.author}</h1><p>Member for 6 years</p><div>112 reputation</div>{rows([(each.path, each.title)])}</div>{footer}",
            ),
        )
    paged(
        site,
        "/questions",
        "All questions",
        some,
        (header, footer),
        size=15,
        classes="s-post-summary",
    )
    paged(
        site, "/", "Top questions", some[:20], (header, footer), size=99, classes="s-post-summary"
    )
    site.page(
        "/tags",
        whole(
            voice,
            head_of(site, "Tags"),
            f"{header}<h1>Tags</h1>{rows([('/tags/wood', 'wood'), ('/tags/metal', 'metal')])}{footer}",
        ),
    )
    for tag in ("wood", "metal"):
        paged(
            site,
            f"/tags/{tag}",
            f"Questions tagged [{tag}]",
            some[len(tag) % 2 :: 2],
            (header, footer),
            size=30,
            classes="s-post-summary",
        )
    return site


def _post(
    voice: Speaker, who: str, text: Sequence[str], notes: Sequence[str], kind: str, story: Story
) -> str:
    said_on = voice.said_on(story.day)
    person = f'<div class="user-details"><a href="/users/{number(who, 900)}/{slug(who)}">{who}</a><span class="reputation-score">{number(who, 4000)}</span></div>'
    below = "".join(
        f'<li class="comment"><span class="comment-copy">{escape(each)}</span> – <a class="comment-user" href="/users/1/x">{voice.writer()}</a> <span class="comment-date">{said_on}</span></li>'
        for each in notes
    )
    return f'<div class="{kind}" id="{kind}-{number(who + story.path, 99999)}"><div class="votecell"><button aria-label="Up vote"></button><div>{number(story.path, 40)}</div><button></button></div><div class="postcell"><div class="s-prose js-post-body">{said(text)}</div><div class="mt16"><a href="{story.path}/share">Share</a> <a href="/posts/{number(story.path, 99)}/edit">Improve this question</a> Follow</div><div class="user-action-time">asked {said_on}</div>{person}</div><div class="comments"><ul class="comments-list">{below}</ul><a>Add a comment</a></div></div>'


def shop(host: str, voice: Speaker, count: int) -> Portal:
    """Goods with a description, facts and what customers wrote, lists with filters."""
    site = Portal(host, voice=voice)
    kinds = ("lampen", "stuehle")
    header, footer = (
        consent(voice, "cc-window")
        + menu(voice, [(f"/c/{n}", n.title()) for n in kinds], "shop-header"),
        foot(voice),
    )
    some = stories(voice, count, "/p/{slug}", fewest=2, most=3, length=(2, 3))
    for at, each in enumerate(some):
        facts = {
            "Material": ("Eiche", "Stahl", "Leinen")[at % 3],
            "Höhe": f"{40 + at} cm",
            "Gewicht": f"{1 + at / 7:.1f} kg",
            "Artikelnummer": f"{number(each.path, 10**6)}",
        }
        table = "".join(f"<tr><th>{key}</th><td>{value}</td></tr>" for key, value in facts.items())
        opinions = [
            (voice.title(), voice.paragraph(1, 3), voice.writer())
            for _ in range(number(each.path, 4))
        ]
        reviews = "".join(
            f'<div class="review" itemprop="review"><div class="stars" aria-label="4 von 5 Sternen">★★★★☆</div><h4 class="review-title">{escape(head)}</h4><p class="review-text">{escape(text)}</p><div class="review-meta">{who} am {voice.said_on(each.day)} · Verifizierter Kauf</div><button>Hilfreich (3)</button></div>'
            for head, text, who in opinions
        )
        data = json.dumps(
            {
                "@context": "https://schema.org",
                "@type": "Product",
                "name": each.title,
                "sku": str(at),
                "offers": {"@type": "Offer", "price": "59.90", "priceCurrency": "EUR"},
            }
        )
        buy = f'<div class="buybox"><span class="price">{59 + at},90 €</span><span>inkl. MwSt. zzgl. Versand</span><select><option>1</option><option>2</option></select><button>In den Warenkorb</button><p>Lieferung in 2-4 Werktagen</p></div>'
        main = f'<main><nav class="breadcrumbs">{rows([("/", "Start"), (f"/c/{kinds[at % 2]}", kinds[at % 2])])}</nav><div class="product"><h1>{escape(each.title)}</h1>{buy}<div class="tabs"><div class="tab" id="desc"><h2>Beschreibung</h2>{said(each.told)}</div><div class="tab" id="specs"><h2>Technische Daten</h2><table>{table}</table></div><div class="tab" id="rev"><h2>Kundenbewertungen</h2>{reviews}</div><div class="tab"><h2>Versand und Rückgabe</h2><p>Wir liefern innerhalb von vier Werktagen. Sie können die Ware binnen 30 Tagen zurückgeben.</p></div></div></div><section class="upsell"><h2>Kunden kauften auch</h2>{cards(voice, others(some, at, 5), "tile", is_dated=False)}</section></main>'
        texts = [
            *each.told,
            *(f"{key} {value}" for key, value in facts.items()),
            *(part for head, text, _ in opinions for part in (head, text)),
        ]
        site.story(
            each,
            whole(
                voice,
                head_of(
                    site, "Haus & Hof", each, f'<script type="application/ld+json">{data}</script>'
                ).replace('content="article"', 'content="product"'),
                header + main + footer,
                "product-page",
            ),
            *texts,
            date="",
            author="",
        )
    for at, name in enumerate(kinds):
        filters = "".join(f'<a href="/c/{name}?farbe={n}">{n}</a>' for n in ("rot", "blau", "grau"))
        paged(
            site,
            f"/c/{name}",
            name.title(),
            some[at::2],
            (f'{header}<div class="filters">{filters}</div>', footer),
            size=12,
        )
    paged(site, "/", "Haus & Hof", some[:9], (header, footer), size=99)
    _beyond_shop(site)
    return site


def _beyond_shop(site: Portal) -> None:
    def beyond(path: str) -> Answer:
        known = site.bodies.get(site.url(path.partition("?")[0]))
        return Answer(str(known)) if known and "farbe=" in path else MISSING

    site.beyond = beyond


def authority(host: str, voice: Speaker, count: int) -> Portal:
    """Services with steps, questions that unfold, statements, tables of fees."""
    site = Portal(host, voice=voice)
    header = f'<div class="gov-banner"><p>Official website</p></div>{menu(voice, [("/services", "Services"), ("/news", "News"), ("/faq", "FAQ")], "gov-header")}'
    footer = foot(voice, [("/paia", "PAIA")], "gov-footer")
    services = stories(voice, count // 2, "/services/{slug}", fewest=2, most=3, length=(1, 2))
    for at, each in enumerate(services):
        steps, asked = (
            [voice.sentence() for _ in range(3)],
            [(voice.title(), voice.sentence()) for _ in range(2)],
        )
        fees = "".join(
            f"<tr><td>{escape(head)}</td><td>R{90 + at * 5}</td></tr>" for head, _ in asked
        )
        details = "".join(
            f'<details class="accordion"><summary>{escape(head)}</summary><div><p>{escape(text)}</p></div></details>'
            for head, text in asked
        )
        near = rows((n.path, n.title) for n in others(services, at, 4))
        main = f'<main id="main"><ol class="gov-breadcrumb"><li><a href="/">Home</a></li><li><a href="/services">Services</a></li></ol><h1>{escape(each.title)}</h1><div class="rich-text">{said(each.told)}<h2>1 2 3</h2><ol class="steps">{"".join(f"<li>{escape(step)}</li>" for step in steps)}</ol></div>{details}<table class="fees"><tbody>{fees}</tbody></table><div class="feedback"><p>Was this page helpful?</p><button>Yes</button><button>No</button></div></main><aside class="related-services"><h2>{voice.words["related"]}</h2>{near}</aside>'
        texts = [*each.told, *steps, *(part for pair in asked for part in pair)]
        site.story(
            each,
            whole(voice, head_of(site, "Umnyango", each), header + main + footer),
            *texts,
            date="",
            author="",
        )
    news = stories(voice, count // 2, "/news/{day:%Y}/{slug}", fewest=2, most=4, length=(1, 3))
    for each in news:
        main = f'<main id="main"><h1>{escape(each.title)}</h1><p class="meta">{voice.said_on(each.day)}</p><div class="rich-text">{said(each.told)}</div><p class="issued">Issued by: Communications Unit, 012 555 0100, media@{host}</p>{share(voice)}</main><aside><h2>Latest</h2>{rows((n.path, n.title) for n in news[:5])}</aside>'
        site.story(
            each, whole(voice, head_of(site, "Umnyango", each), header + main + footer), author=""
        )
    pairs = [(voice.title(), voice.sentence()) for _ in range(10)]
    items = "".join(
        f'<div class="accordion-item"><h3><button aria-expanded="false">{escape(head)}</button></h3><div class="panel" hidden><p>{escape(text)}</p></div></div>'
        for head, text in pairs
    )
    site.document(
        "/faq",
        "FAQ",
        whole(
            voice,
            head_of(site, "FAQ | Umnyango"),
            f"{header}<main><h1>FAQ</h1>{items}</main>{footer}",
        ),
        *(part for pair in pairs for part in pair),
    )
    site.facts[site.url("/faq")] = {"lang": voice.language}
    paged(site, "/services", "Services", services, (header, footer), size=99)
    paged(site, "/news", "News", news, (header, footer), size=10)
    paged(site, "/", "Umnyango", news[:3], (header, footer), size=99)
    return site


def manual(host: str, voice: Speaker, count: int) -> Portal:
    """Documentation with a tree of all pages on each, a table of contents, and older versions."""
    site = Portal(host, voice=voice)
    header, footer = (
        menu(voice, [("/docs/intro", "Docs"), ("/blog", "Blog")], "navbar"),
        foot(voice),
    )
    some = stories(voice, count // 2, "/docs/{slug}", fewest=3, most=5)
    heads_of = {each.path: (voice.title(), voice.title()) for each in some}
    for version in ("", "2.x", "1.x"):
        for at, each in enumerate(some):
            heads = heads_of[each.path]
            path = each.path.replace("/docs/", f"/docs/{version}/") if version else each.path
            if version == "1.x" and at % 2:
                continue
            tree = "".join(
                f'<li class="menu__list-item"><a class="menu__link" href="{n.path if not version else n.path.replace("/docs/", f"/docs/{version}/")}">{escape(n.title)}</a></li>'
                for n in some
            )
            code = '<div class="language-bash codeBlockContainer"><pre><code>npm install ledger\nledger start --port 80</code></pre><button>Copy</button></div>'
            warn = (
                f'<div class="theme-doc-version-banner alert" role="alert">This is documentation for {version}, which is no longer actively maintained. For up-to-date documentation, see the <a href="{each.path}">latest version</a>.</div>'
                if version
                else ""
            )
            toc = f'<div class="tableOfContents">{rows((f"#{slug(head)}", head) for head in heads)}</div>'
            ways = f'<nav class="pagination-nav"><a class="pagination-nav__link" href="{some[at - 1].path}"><div>Previous</div><div>{escape(some[at - 1].title)}</div></a></nav>'
            text = f'<div class="theme-doc-markdown markdown"><h1>{escape(each.title)}</h1><p>{escape(each.told[0])}</p><h2 id="a">{escape(heads[0])}</h2>{said(each.told[1:2])}{code}<h2 id="b">{escape(heads[1])}</h2>{said(each.told[2:])}</div>'
            main = f'<div class="main-wrapper"><aside class="theme-doc-sidebar-container"><nav class="menu"><ul>{tree}</ul></nav></aside><main><div class="row"><div class="col">{warn}<article>{text}</article><div class="theme-doc-footer"><a href="https://code.example/edit">Edit this page</a> Last updated on {voice.said_on(each.day)}</div>{ways}</div><div class="col col--3">{toc}</div></div></main></div>'
            head = f'<title>{escape(each.title)} | Ledger</title><meta name="generator" content="Docusaurus v3.1"><link rel="canonical" href="http://{host}{path}"><meta name="docusaurus_version" content="{version or "current"}">'
            body = whole(voice, head, header + main + footer, "docs-wrapper")
            if version:
                site.aside(path, body)
            else:
                texts = (*each.told, *heads, "npm install ledger ledger start --port 80")
                site.story(each, body, *texts, date="", author="")
    links = "".join(f"<li>{link(n.path, n.title)}</li>" for n in some)
    old = rows([(some[0].path.replace("/docs/", f"/docs/{n}/"), n) for n in ("2.x", "1.x")])
    site.page(
        "/",
        whole(
            voice,
            head_of(site, "Ledger"),
            f"{header}<main><h1>Ledger</h1><p>Books for makers.</p><ul>{links}</ul>{old}</main>{footer}",
        ),
    )
    return site


KINDS = {each.__name__: each for each in (answers, shop, authority, manual)}
# Each writes in one language, with its own part of the sentences, and so many pages at most.
LANGUAGES = {
    "answers": ("eng", 7),
    "shop": ("deu", 0),
    "authority": ("zul", 0),
    "manual": ("eng", 8),
}
