"""Poems, plays, songs, novels in parts, letters with notes, a wiki: looked at while mending."""

from collections.abc import Sequence
from html import escape

from webs.genre_parts import broken, filled, lines_of, paragraphs, speech, stanzas, undated
from webs.portals import Portal, Story, consent, data_of, foot, menu, ranked, share
from webs.sites import link, number, rows, slug
from webs.speakers import Speaker


def poems(host: str, voice: Speaker, count: int) -> Portal:
    """A magazine of verse, blocks of WordPress: preformatted verse, a note on who wrote it."""
    frame = (
        '<div class="wp-site-blocks">'
        + menu(voice, [("/poems/", "Poems"), ("/essays/", "Essays")], "wp-block-template-part"),
        foot(voice, [("/submit", "Submit")], "wp-block-template-part") + "</div>",
    )

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        verse = stanzas(voice, voice.chance.randint(2, 5))
        note = f"{each.author} {voice.sentence()}"
        text = "\n\n".join("\n".join(lines) for lines in verse)
        body = (
            '<main class="wp-block-group" id="wp--skip-link--target">'
            f'<h1 class="wp-block-post-title">{escape(each.title)}</h1>'
            f'<div class="wp-block-post-author-name">{each.author}</div>'
            f'<div class="wp-block-post-date"><time datetime="{each.day}T08:00:00+00:00">{voice.said_on(each.day)}</time></div>'
            f'<div class="entry-content wp-block-post-content"><pre class="wp-block-verse">{escape(text)}</pre>'
            f'<hr class="wp-block-separator"><p class="has-small-font-size"><em>{escape(note)}</em></p></div>'
            f'<div class="taxonomy-post_tag wp-block-post-terms">{link("/tag/rain/", "rain")}, {link("/tag/home/", "home")}</div>'
            f'<nav class="post-navigation-link-next wp-block-post-navigation-link">{link(near[0].path, near[0].title)}</nav></main>'
        )
        return body, [line for lines in verse for line in lines] + [note]

    return filled(host, voice, count, "The Reed Boat", "/{day:%Y}/{slug}/", frame, drawn,
                  paths=("/poems/", "/category/verse/"), classes="wp-singular single-post",
                  card="wp-block-post")  # fmt: skip


def plays(host: str, voice: Speaker, count: int) -> Portal:
    """Scenes of plays: who speaks in capitals, what they do in brackets."""
    frame = (menu(voice, [("/szenen/", "Szenen")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        said, texts, shown = speech(voice, voice.chance.randint(12, 20)), [voice.sentence()], []
        shown.append(f'<p class="stage">({escape(texts[0])})</p>')
        for who, words in said:
            name = who.split()[0].upper()
            words = words if number(words, 3) else words.split(".")[0][:60] + "."
            shown.append(
                f'<p class="speech"><span class="speaker">{name}.</span> {escape(words)}</p>'
            )
            texts.append(f"{name}. {words}")
        body = (
            f'<div id="content"><div class="breadcrumbs">{link("/szenen/", "Szenen")} » {escape(each.title)}</div>'
            f'<h1>{escape(each.title)}</h1><p class="author">{each.author}</p>{"".join(shown)}</div>'
            f'<div id="sidebar"><h3>Weitere Szenen</h3>{rows((n.path, n.title) for n in near)}</div>'
        )
        return body, texts

    return filled(host, voice, count, "Bühnentexte", "/szenen/{slug}.html", frame, drawn,
                  head=lambda each: f'<meta name="date" content="{each.day}">', paths=("/szenen/",))  # fmt: skip


def songs(host: str, voice: Speaker, count: int) -> Portal:
    """Song texts: verses, and a refrain that comes again; what others listen to beside them."""
    frame = (consent(voice) + menu(voice, [("/izingoma/", "Izingoma")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        verses, refrain = stanzas(voice, 3), lines_of(voice, 4)
        parts = [part for verse in verses for part in (("Verse", verse), ("Chorus", refrain))]
        shown = "".join(f"<p><b>[{head}]</b><br>{broken(lines)}</p>" for head, lines in parts)
        body = (
            f'<div class="song-page"><div class="song-head"><h1>{escape(each.title)}</h1><h2>{link("/a/" + slug(each.author), each.author)}</h2>'
            f'<span class="date">{voice.said_on(each.day)}</span></div><div class="lyrics-body">{shown}</div>{share(voice)}'
            f'<div class="more-songs"><h3>{voice.words["related"]}</h3>{rows((n.path, n.title) for n in near)}</div></div>'
        )
        return body, [f"[{head}] " + "\n".join(lines) for head, lines in parts]

    return filled(
        host, voice, count, "Amagama", "/izingoma/{slug}", frame, drawn, paths=("/izingoma/",)
    )


def serial(host: str, voice: Speaker, count: int) -> Portal:
    """A novel in chapters, much of it talk in short lines; ways to the chapters before and after."""
    frame = (menu(voice, [("/chapters/", "Chapters")], "masthead"), foot(voice, [], "colophon"))
    chapters = iter(range(count, 0, -1))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        told, texts = [], []
        for _ in range(voice.chance.randint(5, 9)):
            told += [
                voice.paragraph(2, 4),
                *(f"“{voice.sentence()}”" for _ in range(number(each.title, 3))),
            ]
        texts = [*told, f"{voice.sentence()}"]
        ways = f'<p class="chapter-nav">{link(near[0].path, "← Previous chapter")} | {link("/chapters/", "Table of contents")} | {link(near[1].path, "Next chapter →")}</p>'
        body = (
            f'<main><article class="post type-post hentry"><header class="entry-header"><h1 class="entry-title">{escape(each.title)}</h1>'
            f'<div class="entry-meta">Chapter {next(chapters)} · <time class="entry-date published" datetime="{each.day}">{voice.said_on(each.day)}</time></div></header>'
            f'<div class="entry-content">{ways}{paragraphs(texts[:-1])}<p style="text-align:center">* * *</p><p>{escape(texts[-1])}</p>{ways}</div></article></main>'
        )
        return body, texts

    return filled(host, voice, count, "The Salt Road", "/chapter-{number}/", frame, drawn,
                  paths=("/chapters/",), card="hentry")  # fmt: skip


def letters_with_notes(host: str, voice: Speaker, count: int) -> Portal:
    """An edition of letters: head, body, who signed, notes below with ways back."""
    frame = (menu(voice, [("/lettres/", "Lettres"), ("/index", "Index")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        told, notes = list(each.told), [voice.sentence() for _ in range(voice.chance.randint(4, 8))]
        marked = paragraphs(told)
        for at in range(1, len(notes) + 1):
            ref = f'<sup class="ref"><a id="r{at}" href="#n{at}">{at}</a></sup>'
            marked = marked.replace(". ", f".{ref} ", 1) if at < len(told) else marked
        shown = "".join(
            f'<li id="n{at}">{escape(note)} <a href="#r{at}">↩</a></li>'
            for at, note in enumerate(notes, 1)
        )
        place = f"{voice.writer().split()[-1]}, le {voice.said_on(each.day)}"
        body = (
            f'<div class="tei"><div class="letter-head"><h1>{escape(each.title)}</h1></div><div class="opener"><span class="dateline">{place}</span></div>'
            f'<div class="letter">{marked}<p class="closer">{each.author}</p></div><div class="notes"><h3>Notes</h3><ol>{shown}</ol></div></div>'
            f'<div class="lettersnav">{link(near[0].path, near[0].title)} {link(near[1].path, near[1].title)}</div>'
        )
        return body, [*told, *notes]

    return filled(
        host,
        voice,
        count,
        "Correspondance",
        "/lettres/{number}",
        frame,
        drawn,
        paths=("/lettres/",),
    )


def encyclopedia(host: str, voice: Speaker, count: int) -> Portal:
    """MediaWiki: a box of facts, a table of contents, references, boxes at the foot."""
    header = '<div id="mw-page-base" class="noprint"></div>'
    panel = f'<div id="mw-navigation"><div id="mw-panel"><nav id="p-navigation" class="vector-menu"><h3>Навигация</h3>{rows([("/", "Заглавная"), ("/wiki/index", "Указатель")])}</nav></div></div>'
    footer = f'{panel}<footer id="footer" class="mw-footer"><ul id="footer-info"><li>Эта страница в последний раз была отредактирована 5 мая 2024 года.</li><li>Текст доступен по лицензии.</li></ul>{rows([("/about", "О нас")])}</footer>'

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        facts = [(voice.title(), voice.writer()) for _ in range(3)]
        box = "".join(f"<tr><th>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in facts)
        heads = [voice.title() for _ in each.told[1:]]
        refs = [voice.sentence() for _ in range(3)]
        parts = "".join(
            f'<h2><span class="mw-headline" id="s{at}">{escape(head)}</span><span class="mw-editsection">[<a href="/w/index.php?action=edit">править</a>]</span></h2>'
            f'<p>{escape(text)}<sup class="reference"><a href="#cite_note-{at}">[{at}]</a></sup></p>'
            for at, (head, text) in enumerate(zip(heads, each.told[1:], strict=True), 1)
        )
        toc = f'<div id="toc" class="toc" role="navigation"><h2>Содержание</h2>{rows((f"#s{at}", head) for at, head in enumerate(heads, 1))}</div>'
        shown = "".join(
            f'<li id="cite_note-{at}"><span class="mw-cite-backlink"><a href="#cite_ref-{at}">↑</a></span> <span class="reference-text">{escape(ref)}</span></li>'
            for at, ref in enumerate(refs, 1)
        )
        body = (
            f'<div id="content" class="mw-body"><h1 id="firstHeading" class="firstHeading">{escape(each.title)}</h1><div id="bodyContent"><div id="siteSub">Материал из справочника</div>'
            f'<div id="mw-content-text"><div class="mw-parser-output"><table class="infobox"><tbody>{box}</tbody></table><p>{escape(each.told[0])}</p>{toc}{parts}'
            f'<h2><span class="mw-headline">Примечания</span></h2><ol class="references">{shown}</ol><table class="navbox"><tr><td>{rows((n.path, n.title) for n in near)}</td></tr></table></div></div>'
            f'<div id="catlinks" class="catlinks">Категория: {link("/wiki/Category:1", "Все")}</div></div></div>'
        )
        texts = [f"{a} {b}" for a, b in facts] + [each.told[0]]
        texts += [part for pair in zip(heads, each.told[1:], strict=True) for part in pair] + refs
        return body, texts

    site = filled(host, voice, count, "Справочник", "/wiki/{slug}", (header, footer), drawn)
    return undated(site)


def obituaries(host: str, voice: Speaker, count: int) -> Portal:
    """Notices of deaths in a newspaper's part: who, when, the family, what is read most beside."""
    frame = (consent(voice) + menu(voice, [("/sterfgevalle/", "Sterfgevalle")]), foot(voice))

    def drawn(site: Portal, each: Story, near: Sequence[Story]) -> tuple[str, Sequence[str]]:
        texts = [voice.paragraph(1, 2), voice.paragraph(1, 2), voice.sentence()]
        service = voice.sentence()
        body = (
            f'<main class="obit"><figure><img src="/p.jpg" alt="{escape(each.title)}"></figure><h1 class="obit__name">{escape(each.title)}</h1>'
            f'<p class="obit__dates">{each.day.year - 80} – {each.day.year}</p><div class="obit__text">{paragraphs(texts)}</div>'
            f'<div class="obit__service">{escape(service)}</div></main><aside>{ranked(voice, near)}</aside>'
        )
        return body, [*texts, service]

    return filled(host, voice, count, "Die Weskus", "/sterfgevalle/{slug}", frame, drawn,
                  head=data_of, paths=("/sterfgevalle/",))  # fmt: skip


KINDS = {
    each.__name__: each
    for each in (poems, plays, songs, serial, letters_with_notes, encyclopedia, obituaries)
}
LANGUAGES = {
    "poems": ("eng", 6), "plays": ("deu", 0, 24), "songs": ("xho", 0), "serial": ("eng", 7),
    "letters_with_notes": ("fra", 0), "encyclopedia": ("rus", 0, 24), "obituaries": ("afr", 1),
}  # fmt: skip
