"""Courts, councils, manuals, answers, interviews, matches, live reports, pictures: looked at while mending."""

from collections.abc import Sequence
from html import escape

from webs.genre_parts import filled, flat, paragraphs, speech, table
from webs.portals import Portal, Story, cards, consent, data_of, foot, menu, ranked, share
from webs.sites import link, number, rows, slug
from webs.speakers import Speaker


def judgments(host: str, voice: Speaker, count: int) -> Portal:
    """A court: parties in capitals and tables, numbered paragraphs, an order, footnotes."""
    frame = (menu(voice, [("/judgments/", "Judgments")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        told = [voice.paragraph(1, 3) for _ in range(voice.chance.randint(8, 14))]
        notes = [voice.sentence() for _ in range(voice.chance.randint(5, 12))]
        parties = [(each.author.upper(), "Applicant"), (voice.writer().upper(), "Respondent")]
        top = "".join(f"<tr><td>{who}</td><td>{what}</td></tr>" for who, what in parties)
        shown = "".join(
            f'<p class="num">[{at}]&nbsp;&nbsp;{escape(text)}'
            f"{f'<sup><a href=#ftn{at} name=ftnref{at}>[{at}]</a></sup>' if at <= len(notes) else ''}</p>"
            for at, text in enumerate(told, 1)
        )
        below = "".join(
            f'<div id="ftn{at}"><p class="MsoFootnoteText"><a href="#ftnref{at}">[{at}]</a> {escape(note)}</p></div>'
            for at, note in enumerate(notes, 1)
        )
        body = (
            f'<div class="container"><ol class="breadcrumb"><li>{link("/", "Home")}</li><li>{link("/judgments/", "Judgments")}</li></ol>'
            f'<h1>{escape(each.title)}</h1><dl class="document-metadata-list"><dt>Judgment date</dt><dd>{voice.said_on(each.day)}</dd><dt>Language</dt><dd>English</dd></dl>'
            f'<div class="content judgment"><p align="center"><b>IN THE HIGH COURT</b></p><table>{top}</table><p align="center"><b>JUDGMENT</b></p><hr>{shown}<hr align="left" width="33%">{below}</div></div>'
        )
        return body, [*(" ".join(pair) for pair in parties), *told, *notes]

    return filled(host, voice, count, "Law Reports", "/judgments/{day:%Y}/{number}", frame, drawn,
                  paths=("/judgments/",))  # fmt: skip


def minutes(host: str, voice: Speaker, count: int) -> Portal:
    """A council with Drupal: who was there, points by number, votes in a table."""
    frame = (menu(voice, [("/dikopano", "Dikopano")], "region-header"), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        there = list(dict.fromkeys(voice.writer() for _ in range(6)))
        points = [
            (voice.title(), [voice.sentence() for _ in range(voice.chance.randint(1, 3))])
            for _ in range(6)
        ]
        head, lines = ("Leina", "Ee", "Nnyaa"), [(who, "1", "0") for who in there]
        shown = "".join(
            f"<li><strong>{escape(name)}</strong><ol>{''.join(f'<li>{escape(text)}</li>' for text in some)}</ol></li>"
            for name, some in points
        )
        body = (
            f'<main role="main"><div class="region-content"><h1 class="page-title"><span class="field--name-title">{escape(each.title)}</span></h1><article class="node node--type-minutes" about="{each.path}"><div class="node__content">'
            f'<div class="field field--name-field-date field__item"><time datetime="{each.day}T12:00:00Z" class="datetime">{voice.said_on(each.day)}</time></div>'
            f'<div class="field--name-body text-formatted"><p>Ba ba neng ba le teng: {", ".join(there)}</p><ol>{shown}</ol>{table(head, lines)}</div></div></article></div></main>'
        )
        return body, ["Ba ba neng ba le teng: " + ", ".join(there),
                      *(f"{name} {' '.join(some)}" for name, some in points), flat(head, lines)]  # fmt: skip

    return filled(host, voice, count, "Khansele", "/dikopano/{slug}", frame, drawn, paths=("/dikopano",),
                  card="views-row")  # fmt: skip


_CODE = (
    "import {name}\n\nclient = {name}.Client(host=\"localhost\", port={port})\nfor row in client.query(\"select * from {name}\"):\n    print(row)",
    "$ {name} init --force\n$ {name} run --port {port}\nListening on :{port}\n[INFO] ready",
    "server:\n  name: {name}\n  port: {port}\n  tls:\n    enabled: true\n    cert: /etc/{name}/tls.pem",
    "{{\n  \"{name}\": {{\"port\": {port}, \"retries\": 3}},\n  \"level\": \"debug\"\n}}",
    "func main() {{\n\tsrv := {name}.New({port})\n\tif err := srv.Run(); err != nil {{\n\t\tlog.Fatal(err)\n\t}}\n}}",
)  # fmt: skip


def code_of(voice: Speaker, at: int) -> str:
    """Return some lines for a machine."""
    return _CODE[at % len(_CODE)].format(
        name=f"{voice.word()}{at}", port=8000 + number(voice.word(), 999)
    )


def manual_pages(host: str, voice: Speaker, count: int) -> Portal:
    """A manual with Hugo: as much code as text, a tree of pages on the left, a table of options."""
    frame = (
        '<nav class="td-navbar js-navbar-scroll"><a class="navbar-brand" href="/">Kista</a></nav>',
        foot(voice, [], "td-footer"),
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        shown, texts = [], []
        for at, text in enumerate(each.told):
            code, name = code_of(voice, at + number(each.path, 5)), voice.title()
            shown.append(
                f'<h2 id="s{at}">{escape(name)}<a class="td-heading-self-link" href="#s{at}" aria-label="Heading self-link"></a></h2><p>{escape(text)}</p>'
                f'<div class="highlight"><pre tabindex="0" class="chroma"><code class="language-sh">{escape(code)}</code></pre></div>'
            )
            texts += [name, text, code]
        head, lines = ("Flag", "Default"), [(f"--{voice.word()}", "true") for _ in range(4)]
        tree = f'<aside class="td-sidebar"><ul class="td-sidebar-nav__section">{"".join(f"<li>{link(n.path, n.title)}</li>" for n in near)}</ul></aside>'
        body = (
            f'<div class="td-main">{tree}<main class="td-content" role="main"><nav class="td-breadcrumbs"><ol class="breadcrumb"><li>{link("/docs/", "Docs")}</li></ol></nav>'
            f'<h1>{escape(each.title)}</h1>{"".join(shown)}{table(head, lines)}<div class="td-page-meta__lastmod">{voice.said_on(each.day)}</div></main></div>'
        )
        return body, [*texts, flat(head, lines)]

    return filled(host, voice, count, "Kista", "/docs/{slug}/", frame, drawn, paths=("/docs/",),
                  length=(1, 2))  # fmt: skip


def questions(host: str, voice: Speaker, count: int) -> Portal:
    """Questions and answers of a theme each, folded in `details`."""
    frame = (consent(voice) + menu(voice, [("/ayuda/", "Ayuda")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        pairs = [
            (f"¿{voice.title()}?", voice.paragraph(1, 2)) for _ in range(voice.chance.randint(5, 9))
        ]
        shown = "".join(
            f"<details><summary>{escape(q)}</summary><div><p>{escape(a)}</p></div></details>"
            for q, a in pairs
        )
        body = f'<main><div class="hero"><h1>{escape(each.title)}</h1></div><div class="faq">{shown}</div><div class="help-more"><h2>¿No encuentra lo que busca?</h2>{link("/contact", "Escríbanos")}</div></main>'
        return body, [f"{q} {a}" for q, a in pairs]

    return filled(host, voice, count, "Ayuda", "/ayuda/{slug}", frame, drawn, paths=("/ayuda/",))


def interviews(host: str, voice: Speaker, count: int) -> Portal:
    """Ghost: questions in bold, answers below, a quotation, a sign-up in between."""
    frame = (
        f'<header id="gh-head" class="gh-head outer">{link("/", "Gesprek")}</header>',
        foot(voice, [], "gh-footer outer"),
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        pairs = [
            (voice.sentence(), [voice.paragraph(1, 3) for _ in range(1 + at % 2)])
            for at in range(voice.chance.randint(5, 8))
        ]
        parts = [f"<p><strong>{escape(q)}</strong></p>{paragraphs(a)}" for q, a in pairs]
        card = f'<div class="kg-card kg-signup-card"><h2>{voice.words["subscribe"]}</h2><p>{voice.words["newsletter"]}</p><form><input type="email"><button>{voice.words["subscribe"]}</button></form></div>'
        parts.insert(2, card)
        body = (
            f'<main id="site-main" class="site-main"><article class="article post tag-gesprek"><header class="article-header gh-canvas"><div class="article-tag">{link("/tag/gesprek/", "Gesprek")}</div><h1 class="article-title">{escape(each.title)}</h1><p class="article-excerpt">{escape(each.told[0])}</p>'
            f'<div class="article-byline"><h4 class="author-name">{link("/author/" + slug(each.author) + "/", each.author)}</h4><time datetime="{each.day}">{voice.said_on(each.day)}</time></div></header>'
            f'<section class="gh-content gh-canvas">{"".join(parts)}</section></article></main><aside class="read-more-wrap"><div class="read-more">{cards(voice, near, "post-card")}</div></aside>'
        )
        return body, [each.told[0], *(f"{q} {' '.join(a)}" for q, a in pairs)]

    return filled(host, voice, count, "Gesprek", "/{slug}/", frame, drawn, head=data_of, paths=("/tag/gesprek/",),
                  card="post-card")  # fmt: skip


def matches(host: str, voice: Speaker, count: int) -> Portal:
    """Reports of matches under a table of results."""
    frame = (consent(voice) + menu(voice, [("/matches", "Matches")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        head = ("Team", "P", "W", "D", "L", "Pts")
        lines = [
            (voice.place(), *(str(number(f"{each.path}{at}{n}", 20)) for n in range(5)))
            for at in range(10)
        ]
        told = [voice.paragraph(2, 4) for _ in range(3)]
        body = (
            f'<main><h1>{escape(each.title)}</h1><p class="byline">{voice.words["by"]} {each.author} | {voice.said_on(each.day)}</p><div class="table-wrap"><h3>Standings</h3>{table(head, lines, "standings")}</div>'
            f'<div class="report">{paragraphs(told)}</div>{share(voice)}</main><aside>{ranked(voice, near)}</aside>'
        )
        return body, ["Standings", flat(head, lines), *told]

    return filled(
        host, voice, count, "Second Half", "/matches/{slug}", frame, drawn, paths=("/matches",)
    )


def live(host: str, voice: Speaker, count: int) -> Portal:
    """Reports as things happen: entries with a time each, the newest first."""
    frame = (consent(voice) + menu(voice, [("/live/", "Live")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        entries = [
            (f"{22 - at // 3}:{59 - at % 3 * 17}", voice.paragraph(1, 2))
            for at in range(voice.chance.randint(7, 10))
        ]
        shown = "".join(
            f'<section class="live-entry" id="e{at}"><header><time datetime="{each.day}T{time}">{time}</time></header><p>{escape(text)}</p><ul class="entry-share"><li><a href="#e{at}">{voice.words["share"]}</a></li></ul></section>'
            for at, (time, text) in enumerate(entries)
        )
        body = (
            f'<main><article class="liveblog"><h1>{escape(each.title)}</h1><div class="by">{each.author}, {voice.said_on(each.day)}</div><p class="summary">{escape(each.told[0])}</p><div class="entries">{shown}</div></article></main>'
            f'<section class="related"><h2>{voice.words["related"]}</h2>{cards(voice, near)}</section>'
        )
        return body, [each.told[0], *(text for _, text in entries)]

    return filled(host, voice, count, "Ζωντανά", "/live/{slug}", frame, drawn,
                  head=lambda each: data_of(each, "LiveBlogPosting"), paths=("/live/",), length=(1, 1))  # fmt: skip


def pictures(host: str, voice: Speaker, count: int) -> Portal:
    """Essays in pictures: a few words below each."""
    frame = (menu(voice, [("/photos/", "Photos")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        captions = [voice.sentence() for _ in range(voice.chance.randint(7, 11))]
        shown = "".join(
            f'<figure class="essay-photo"><img src="/i/{at}.jpg" alt=""><figcaption>{escape(text)} <span class="credit">{each.author}</span></figcaption></figure>'
            for at, text in enumerate(captions)
        )
        body = f'<main class="photo-essay"><h1>{escape(each.title)}</h1><p class="intro">{escape(each.told[0])}</p><p class="date">{voice.said_on(each.day)}</p>{shown}</main><aside>{cards(voice, near)}</aside>'
        return body, [each.told[0], *captions]

    return filled(
        host,
        voice,
        count,
        "Grain",
        "/photos/{slug}",
        frame,
        drawn,
        paths=("/photos/",),
        length=(1, 2),
    )


def transcripts(host: str, voice: Speaker, count: int) -> Portal:
    """What was said in a podcast, with names and times, below a player and notes."""
    frame = (menu(voice, [("/bolumler/", "Bölümler")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        said = speech(voice, voice.chance.randint(10, 16))
        shown = "".join(
            f'<div class="turn"><span class="speaker">{who}</span> <a class="ts" href="#t={at * 41}">00:{at:02}:{at * 7 % 60:02}</a><p>{escape(words)}</p></div>'
            for at, (who, words) in enumerate(said)
        )
        body = (
            f'<main><h1>{escape(each.title)}</h1><p class="pub">{voice.said_on(each.day)}</p><div class="player"><audio src="/a.mp3"></audio><button>Play</button><span>00:00 / 48:12</span></div>'
            f'<div class="shownotes"><p>{escape(each.told[0])}</p></div><div class="transcript"><h2>Metin</h2>{shown}</div></main><aside>{rows((n.path, n.title) for n in near)}</aside>'
        )
        return body, [each.told[0], *(f"{who} {words}" for who, words in said)]

    return filled(
        host,
        voice,
        count,
        "Dinle",
        "/bolumler/{slug}",
        frame,
        drawn,
        paths=("/bolumler/",),
        length=(1, 2),
    )


KINDS = {
    each.__name__: each
    for each in (judgments, minutes, manual_pages, questions, interviews, matches, live, pictures, transcripts)
}  # fmt: skip
LANGUAGES = {
    "judgments": ("eng", 8), "minutes": ("tsn", 0), "manual_pages": ("deu", 1), "questions": ("spa", 0),
    "interviews": ("afr", 0, 24), "matches": ("eng", 9), "live": ("ell", 0, 30), "pictures": ("eng", 10),
    "transcripts": ("tur", 0),
}  # fmt: skip
