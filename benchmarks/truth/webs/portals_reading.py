"""A magazine, letters, recipes, programmes and small ads: looked at last."""

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
    served,
    stories,
    whole,
)
from webs.sites import number, rows, said, slug
from webs.speakers import Speaker


def magazine(host: str, voice: Speaker, count: int) -> Portal:
    """A page builder: elements in elements whose names say nothing, with promotion between them."""
    site = Portal(host, voice=voice)
    name = "Veld & Vuur"
    header, footer = (
        consent(voice, "cmplz-cookiebanner")
        + menu(voice, [("/reise/", "Reise"), ("/kos/", "Kos")], "elementor-location-header"),
        foot(voice, [], "elementor-location-footer"),
    )
    some = stories(voice, count, "/{slug}/")
    for at, each in enumerate(some):
        parts = "".join(_widget("text-editor", f"<p>{escape(text)}</p>") for text in each.told[1:])
        quote = (
            _widget("blockquote", f"<blockquote><p>{escape(voice.sentence())}</p></blockquote>")
            if at % 3 == 0
            else ""
        )
        promo = _widget(
            "call-to-action",
            f'<div class="elementor-cta"><h2>{voice.words["subscribe"]}</h2><div>{voice.words["newsletter"]}</div><a class="elementor-button" href="/subscribe">{voice.words["subscribe"]}</a></div>',
        )
        author = _widget(
            "author-box",
            f'<div class="elementor-author-box"><div class="elementor-author-box__name">{each.author}</div><div class="elementor-author-box__bio">{each.author} skryf oor kos en paaie.</div></div>',
        )
        info = _widget(
            "post-info",
            f'<ul class="elementor-post-info"><li><span class="elementor-icon-list-text elementor-post-info__item--type-author">{each.author}</span></li><li><span class="elementor-post-info__item--type-date">{voice.said_on(each.day)}</span></li></ul>',
        )
        near = _widget(
            "posts",
            f"<h3>{voice.words['related']}</h3>{cards(voice, others(some, at, 3), 'elementor-post')}",
        )
        main = f'<div class="elementor elementor-{at}">{_widget("theme-post-title", f"<h1 class={chr(34)}elementor-heading-title{chr(34)}>{escape(each.title)}</h1>")}{info}{_widget("text-editor", f"<p>{escape(each.told[0])}</p>")}{promo if at % 2 else ""}{parts}{quote}{author}{near}</div>'
        texts = [*each.told, *([quote_text(quote)] if quote else [])]
        site.story(
            each,
            whole(voice, head_of(site, name, each), header + main + footer, "elementor-page"),
            *texts,
        )
    for at, topic in enumerate(("reise", "kos")):
        paged(
            site,
            f"/{topic}/",
            topic.title(),
            some[at::2],
            (header, footer),
            size=9,
            form="{path}page/{at}/",
            classes="elementor-post",
        )
    paged(site, "/", name, some[:10], (header, footer), size=99, classes="elementor-post")
    return site


def quote_text(markup: str) -> str:
    """Return what stands between the tags of a quotation."""
    from html import unescape

    return unescape(markup.partition("<p>")[2].partition("</p>")[0])


def _widget(kind: str, inner: str) -> str:
    return f'<div class="elementor-section elementor-top-section"><div class="elementor-container"><div class="elementor-column elementor-col-100"><div class="elementor-widget-wrap"><div class="elementor-element elementor-widget elementor-widget-{kind}"><div class="elementor-widget-container">{inner}</div></div></div></div></div></div>'


def letter(host: str, voice: Speaker, count: int) -> Portal:
    """Letters to subscribers with claps, invitations to subscribe, notes and an archive."""
    site = Portal(host, voice=voice)
    name = "The Quiet Desk"
    header, footer = menu(voice, [("/archive", "Archive")], "gh-head"), foot(voice, [], "gh-foot")
    some = stories(voice, count, "/p/{slug}", length=(2, 4))
    for at, each in enumerate(some):
        widget = '<div class="subscription-widget-wrap"><div class="subscription-widget"><p class="preamble">The Quiet Desk is a reader-supported publication. To receive new posts and support my work, consider becoming a free or paid subscriber.</p><form><input type="email"><button>Subscribe</button></form></div></div>'
        shown = [f"<p>{escape(text)}</p>" for text in each.told]
        shown.insert(2, widget)
        top = f'<div class="post-header"><h1 class="post-title">{escape(each.title)}</h1><h3 class="subtitle">{escape(voice.title())}</h3><div class="byline"><a href="/@{slug(each.author)}">{each.author}</a><div class="pencraft">{voice.said_on(each.day)}</div></div><div class="post-ufi"><a>37</a><a href="{each.path}/comments">4</a><button>Share</button></div></div>'
        talk = "".join(
            f'<div class="comment"><div class="comment-meta"><a href="/@x">{voice.writer()}</a> <span>Mar 3</span></div><div class="comment-body"><p>{escape(voice.sentence())}</p></div><button>Like</button><button>Reply</button></div>'
            for _ in range(at % 3)
        )
        below = f'<div class="post-footer"><p class="button-wrapper"><a class="button primary" href="/share">Share The Quiet Desk</a></p><div class="discussion"><h4>Discussion about this post</h4>{talk}</div><div class="portable-archive"><div class="tabs">Top Latest Discussions</div>{cards(voice, others(some, at, 4), "post-preview")}</div><div class="ready">Ready for more?</div></div>'
        main = f'<div id="main"><article class="newsletter-post post">{top}<div class="available-content"><div class="body markup">{"".join(shown)}</div></div>{below}</article></div>'
        site.story(
            each, whole(voice, head_of(site, name, each, data_of(each)), header + main + footer)
        )
        site.page(
            f"{each.path}/comments",
            whole(
                voice,
                head_of(site, f"Comments - {each.title}"),
                f"{header}<h1>{escape(each.title)}</h1><div class=comments>{talk or 'No comments yet'}</div>{footer}",
            ),
        )
        if at % 3:
            site.unasked.add(site.url(f"{each.path}/comments"))
    paged(site, "/", name, some[:10], (header, footer), size=99, classes="post-preview")
    paged(site, "/archive", "Archive", some, (header, footer), size=12, classes="post-preview")
    return site


def recipes(host: str, voice: Speaker, count: int) -> Portal:
    """Long stories before the card of a recipe, stars, notes and readers below."""
    site = Portal(host, voice=voice)
    name = "Two Spoons"
    header, footer = menu(voice, [("/recipes/", "Recipes")], "site-header genesis"), foot(voice)
    foods = (
        "flour",
        "butter",
        "brown sugar",
        "eggs",
        "olive oil",
        "garlic",
        "red lentils",
        "rice",
        "thyme",
        "lemon juice",
    )
    some = stories(voice, count, "/{slug}/", fewest=4, most=6, length=(1, 3))
    for at, each in enumerate(some):
        needs = [
            f"{1 + number(each.path + food, 4)} {['cups', 'tbsp', 'g'][number(food + each.path, 3)]} {food}"
            for food in foods[at % 4 : at % 4 + 6]
        ]
        steps = [voice.sentence() for _ in range(4)]
        card = f'<div class="wprm-recipe-container" id="wprm-{at}"><div class="wprm-recipe"><div class="wprm-recipe-image"></div><h2 class="wprm-recipe-name">{escape(each.title)}</h2><div class="wprm-recipe-rating">4.8 from 31 votes</div><a class="wprm-recipe-print" href="/wprm_print/{at}">Print Recipe</a><div class="wprm-recipe-times"><span>Prep Time 15 minutes</span><span>Cook Time 40 minutes</span><span>Servings 4</span></div><div class="wprm-recipe-ingredients"><h3>Ingredients</h3><ul>{"".join(f"<li>{need}</li>" for need in needs)}</ul></div><div class="wprm-recipe-instructions"><h3>Instructions</h3><ol>{"".join(f"<li><div>{escape(step)}</div></li>" for step in steps)}</ol></div><div class="wprm-nutrition">Calories: 312kcal | Fat: 12g | Protein: 7g</div></div></div>'
        talk = "".join(
            f'<li class="comment"><article><header><p class="comment-author"><span>{voice.writer()}</span> says</p></header><div class="comment-content"><p>{escape(voice.sentence())}</p></div></article></li>'
            for _ in range(at % 4)
        )
        jump = f'<div class="wprm-jump"><a href="#wprm-{at}">Jump to Recipe</a></div><p class="disclosure"><em>This post may contain affiliate links. Please read our disclosure policy.</em></p>'
        main = f'<div class="content-sidebar-wrap"><main class="content"><article class="entry"><header class="entry-header"><h1 class="entry-title">{escape(each.title)}</h1><p class="entry-meta">By <span class="entry-author">{each.author}</span> / <time class="entry-time" datetime="{each.day}">{voice.said_on(each.day)}</time></p></header><div class="entry-content">{jump}{said(each.told)}{card}</div></article><div class="entry-comments"><h3>Reader Interactions</h3><ol class="comment-list">{talk}</ol></div></main><aside class="sidebar sidebar-primary"><section class="widget"><h3>Hi, I am {each.author}!</h3><p>I cook what my mother cooked, in half the time. <a href="/about">Learn more</a></p></section>{cards(voice, others(some, at, 4), "entry", is_dated=False)}</aside></div>'
        data = json.dumps(
            {
                "@context": "https://schema.org",
                "@graph": [
                    {
                        "@type": "Article",
                        "headline": each.title,
                        "datePublished": f"{each.day}T08:00:00+00:00",
                        "author": {"name": each.author},
                    },
                    {
                        "@type": "Recipe",
                        "name": each.title,
                        "recipeIngredient": needs,
                        "recipeInstructions": [
                            {"@type": "HowToStep", "text": step} for step in steps
                        ],
                    },
                ],
            }
        )
        site.story(
            each,
            whole(
                voice,
                head_of(site, name, each, f'<script type="application/ld+json">{data}</script>'),
                header + main + footer,
            ),
            *each.told,
            *needs,
            *steps,
        )
        site.page(
            f"/wprm_print/{at}", whole(voice, f"<title>{escape(each.title)} - Print</title>", card)
        )
    paged(
        site,
        "/recipes/",
        "Recipes",
        some,
        (header, footer),
        size=12,
        form="{path}page/{at}/",
        classes="entry",
    )
    paged(site, "/", name, some[:8], (header, footer), size=99, classes="entry")
    served(site, name, header, footer)
    return site


def programme(host: str, voice: Speaker, count: int) -> Portal:
    """Events of a hall and talks of a radio: what happens when, and whole transcripts."""
    site = Portal(host, voice=voice)
    header, footer = (
        menu(voice, [("/events", "Events"), ("/episodes", "Episodes")], "hdr"),
        foot(voice),
    )
    events = stories(voice, count // 2, "/events/{slug}", fewest=1, most=2, length=(2, 3))
    for at, each in enumerate(events):
        facts = f'<dl class="event-facts"><dt>Date</dt><dd>{voice.said_on(each.day)}</dd><dt>Time</dt><dd>18:30 - 20:00</dd><dt>Venue</dt><dd>Ukumbi wa {voice.any(("Kati", "Bahari", "Mlima"))}</dd><dt>Cost</dt><dd>{500 + at * 10} TSh</dd></dl>'
        data = json.dumps(
            {
                "@type": "Event",
                "name": each.title,
                "startDate": f"{each.day}T18:30",
                "location": {"name": "Ukumbi"},
            }
        )
        main = f'<main><a href="/events">« All Events</a><h1 class="tribe-events-single-event-title">{escape(each.title)}</h1><div class="tribe-events-schedule"><span class="tribe-event-date-start">{voice.said_on(each.day)} @ 18:30</span></div><div class="tribe-events-single-event-description">{said(each.told)}</div><div class="tribe-events-cal-links"><a href="{each.path}?ical=1">Add to calendar</a></div>{facts}<nav class="tribe-events-nav">{rows((n.path, n.title) for n in others(events, at, 2))}</nav></main>'
        site.story(
            each,
            whole(
                voice,
                head_of(
                    site, "Ukumbi", each, f'<script type="application/ld+json">{data}</script>'
                ),
                header + main + footer,
            ),
            *each.told,
            date="",
            author="",
        )
    talks = stories(voice, count // 2, "/episodes/{slug}", fewest=1, most=1)
    for at, each in enumerate(talks):
        turns = [(("Amina", "Juma")[n % 2], voice.paragraph(1, 2)) for n in range(8)]
        shown = "".join(
            f'<div class="cue"><span class="ts">00:{n * 3:02d}:14</span> <b>{who}:</b> <span>{escape(text)}</span></div>'
            for n, (who, text) in enumerate(turns)
        )
        player = '<div class="player"><audio controls src="/a.mp3"></audio><button>1x</button><span>00:00 / 31:20</span></div><ul class="subscribe-links"><li><a href="https://pod.example">Apple Podcasts</a></li><li><a href="https://pod.example/s">Spotify</a></li></ul>'
        main = f'<main class="episode"><h1>{escape(each.title)}</h1><p class="ep-meta">Episode {at + 1} · {voice.said_on(each.day)} · 31 min</p>{player}<section class="notes">{said(each.told)}</section><section class="transcript"><h2>Transcript</h2>{shown}</section><section class="more-episodes"><h2>More</h2>{cards(voice, others(talks, at, 4), "ep")}</section></main>'
        site.story(
            each,
            whole(voice, head_of(site, "Ukumbi", each), header + main + footer),
            *each.told,
            *(f"{who} {text}" for who, text in turns),
            author="",
        )
    paged(site, "/events", "Events", events, (header, footer), size=8, classes="tribe-event")
    paged(site, "/episodes", "Episodes", talks, (header, footer), size=8, classes="ep")
    paged(site, "/", "Ukumbi", [*events[:3], *talks[:3]], (header, footer), size=99)
    return site


def small_ads(host: str, voice: Speaker, count: int) -> Portal:
    """Things for sale and work on offer, with facts, a way to write, and what else is near."""
    site = Portal(host, voice=voice)
    header, footer = menu(voice, [("/ads", "Matangazo"), ("/jobs", "Kazi")], "top"), foot(voice)
    for kind, path in (("ads", "/ad/{number}-{slug}"), ("jobs", "/job/{slug}")):
        some = stories(voice, count // 2, path, fewest=1, most=3, length=(1, 2))
        for at, each in enumerate(some):
            facts = {
                "Mahali": voice.any(("Arusha", "Mwanza", "Dodoma", "Tanga")),
                "Bei" if kind == "ads" else "Mshahara": f"TSh {(at + 3) * 12500}",
                "Hali": voice.any(("Mpya", "Imetumika")),
            }
            table = "".join(
                f'<li><span class="label">{key}</span> <span class="value">{value}</span></li>'
                for key, value in facts.items()
            )
            tips = '<div class="safety"><h4>Safety tips</h4><ul><li>Meet the seller in a public place.</li><li>Check the item before you pay.</li><li>Never send money in advance.</li></ul></div>'
            apply = '<div class="apply-box"><a class="btn" href="/login">Apply now</a><p>Log in to send your application. It takes less than a minute.</p></div>'
            main = f'<main><h1>{escape(each.title)}</h1><div class="posted">{voice.said_on(each.day)} · {number(each.path, 800)} views</div><ul class="ad-attributes">{table}</ul><div class="description"><h2>Maelezo</h2>{said(each.told)}</div><div class="seller-card"><strong>{each.author}</strong><p>Member since 2017</p><button>Show phone number</button></div>{tips if kind == "ads" else apply}<div class="similar"><h3>{voice.words["related"]}</h3>{cards(voice, others(some, at, 4), "ad-tile")}</div></main>'
            site.story(
                each,
                whole(voice, head_of(site, "Soko", each), header + main + footer),
                *each.told,
                *(f"{key} {value}" for key, value in facts.items()),
                author="",
            )
        paged(site, f"/{kind}", kind.title(), some, (header, footer), size=10, classes="ad-tile")
    paged(site, "/", "Soko", some[:6], (header, footer), size=99, classes="ad-tile")
    return site


KINDS = {each.__name__: each for each in (magazine, letter, recipes, programme, small_ads)}
# Each writes in one language, with its own part of the sentences, and so many pages at most.
LANGUAGES = {
    "magazine": ("afr", 0),
    "letter": ("eng", 10),
    "recipes": ("eng", 11),
    "programme": ("swa", 0),
    "small_ads": ("swa", 1),
}
