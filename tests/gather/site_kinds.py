"""Small sites of many kinds, each as its makers would build it, and what is true of them."""

import random
import re
import textwrap
from html import escape

from tests.demoweb.truth import ground_truth
from tests.gather.small_sites import stories, text
from tests.text.test_office import pdf

HOST = "kinds.example"
ROOT = f"http://{HOST}"
NAMES = ("Thandi", "Pieter", "Naledi", "Aisha", "Johan", "Lerato", "Sipho", "Anneke", "Bongani")
FOOTER = (
    "The publishers take every care that what stands here is right, but no claim can be made on "
    "the strength of it. Prices are shown without delivery. Whoever sends us letters, pictures or "
    "poems agrees that they may be shortened and printed. We keep the names of those who write to "
    "us in a book in the office and show it to nobody. Complaints go to the ombudsman of the press "
    "council within twenty days. No part of these pages may be shown in a frame of another site "
    "without a letter from the editor."
)
FOODS = (
    "maize meal", "brown onions", "curry powder", "apricot jam", "stale bread", "minced lamb",
    "sour milk", "dried peaches", "white vinegar", "bay leaves", "salted butter", "ground ginger",
    "eggs", "green beans", "pumpkin", "tripe", "sweet potatoes", "red wine", "cinnamon", "honey",
    "flour", "coriander seed", "biltong", "cabbage", "tomatoes", "chicken thighs", "lentils",
    "rice", "mustard", "olive oil", "garlic", "spinach", "snoek", "raisins", "turmeric",
)  # fmt: skip
UNITS = (
    "a cup of", "2 cups of", "half a kilo of", "a pinch of", "three spoons of", "a handful of",
    "250 g of", "a small tin of", "1 teaspoon of", "a good deal of", "100 ml of",
)  # fmt: skip
STATES = ("", "", "", ", chopped", ", peeled", " from the garden", ", or what there is", ", soaked")
USUAL = ("Preheat the oven to 180 degrees.", "Season with salt and pepper to taste.")


def batched(values, size):
    """Yield values in lots of a size."""
    for start in range(0, len(values), size):
        yield values[start : start + size]


class Site:
    """Pages by their path, and the gold lines of them."""

    def __init__(self):
        self.pages, self.gold = {}, []

    def document(self, path, body, words, title="", date=""):
        """Add a page that is a document."""
        self.pages[path] = body
        self.gold.append({"url": ROOT + path, "text": words, "title": title, "date": date})

    def other(self, path, body):
        """Add a page that is none."""
        self.pages[path] = body
        self.gold.append({"url": ROOT + path, "document": False})


def framed(title, main, aside="", head="", foot="<p>Made in Rietkuil.</p>", language="en"):
    """Return a page as most systems make them."""
    menu = "".join(f'<li><a href="/{name}">{name}</a></li>' for name in ("", "about", "contact"))
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)}'
        f"</title>{head}</head><body><nav><ul>{menu}</ul></nav><main>{main}</main>{aside}"
        f"<footer>{foot}</footer></body></html>"
    )


def linked(paths, heading):
    """Return a list of links to pages by their titles."""
    rows = "".join(f'<li><a href="{path}">{escape(title)}</a></li>' for path, title in paths)
    return f"<h1>{heading}</h1><ul>{rows}</ul>"


def name_of(title):
    """Return the last part of a page's address."""
    return "-".join(re.findall(r"[a-z0-9]+", title.lower())[:6])


def sentences(paragraphs):
    """Return the sentences of a text."""
    return [each for one in paragraphs for each in re.split(r"(?<=[.?])\s+(?=[A-Z“])", one)]


def blog_with_whole_posts():
    """Return a blog whose front pages show its last posts whole."""
    site, shown = Site(), stories(24)
    paths = [f"/{name_of(each.title)}" for each in shown]
    posts = [
        f'<article><h2><a href="{path}">{escape(each.title)}</a></h2>'
        f'<p class="meta">{each.date}</p>'
        f"{text(each.paragraphs)}</article>"
        for path, each in zip(paths, shown, strict=True)
    ]
    for number, some in enumerate(batched(posts, 6), 1):
        more = f'<a href="/page/{number + 1}/">Older posts</a>' if number < 4 else ""
        site.other(
            "/" if number == 1 else f"/page/{number}/", framed("My stoep", "".join(some) + more)
        )
    for path, each in zip(paths, shown, strict=True):
        body = (
            f'<article><h1>{escape(each.title)}</h1><p class="meta"><time datetime="{each.date}">'
            f"{each.date}</time></p>{text(each.paragraphs)}</article>"
        )
        words = "\n".join([each.title, *each.paragraphs])
        site.document(
            path, framed(f"{each.title} | My stoep", body), words, each.title, str(each.date)
        )
    return site


def _posts_in_rows(posts):
    rows = "".join(
        f'<tr><td class="who"><b>{who}</b><br>Posts: {len(said)}<br>Joined: 3 May 2009</td>'
        f"<td>{escape(said)}</td></tr>"
        for who, said in posts
    )
    return f"<table>{rows}</table>"


def _posts_in_boxes(posts):
    return "".join(
        f'<div class="post"><div class="head">{who} &raquo; 4 May 2015, 10:{at:02d}</div>'
        f'<div class="content">{escape(said)}</div>'
        '<a href="#">Reply</a> <a href="#">Report</a></div>'
        for at, (who, said) in enumerate(posts)
    )


def _posts_in_items(posts):
    rows = "".join(
        f'<li class="message"><span class="avatar">{who[0]}</span><a href="/u/{who}">{who}</a>'
        f"<p>{escape(said)}</p><span>Like</span> <span>Share</span></li>"
        for who, said in posts
    )
    return f'<ol class="messages">{rows}</ol>'


def forum_of_three_templates():
    """Return a forum that changed its system twice."""
    site, chance = Site(), random.Random("forum")
    threads = []
    for number, each in enumerate(stories(45)):
        said = [" ".join(some) for some in batched(sentences(each.paragraphs), 2)][:6]
        posts = [(chance.choice(NAMES), one) for one in said]
        shape = (_posts_in_rows, _posts_in_boxes, _posts_in_items)[number % 3]
        name = name_of(each.title)
        paths = (f"/viewtopic.php?t={number}", f"/thread/{number}", f"/t/{name}/{number}")
        path = paths[number % 3]
        title = f"{each.title}?"
        body = f"<h1>{escape(title)}</h1>{shape(posts)}"
        site.document(path, framed(f"{title} - Karoo forum", body), " ".join([title, *said]), title)
        threads.append((path, title))
    site.other("/", framed("Karoo forum", linked(threads, "All threads")))
    return site


def forum_with_forms():
    """Return a forum that has forms, reports, orders and views for every post and thread.

    Its threads go on by numbers of posts, and each is there under several addresses.
    """
    site, shown = Site(), stories(40)
    login = framed("Login", "<h1>Login</h1><p>You need to log in first.</p>")
    said = {
        thread: [" ".join(some) for some in batched(sentences(each.paragraphs), 1)][:9]
        for thread, each in enumerate(shown)
    }
    for thread, each in enumerate(shown):
        address = f"/viewtopic.php?f=2&t={thread}"
        starts = range(0, len(said[thread]), 6)
        for start in starts:
            rows = ""
            for place, one in enumerate(said[thread][start : start + 6], start):
                number = 1000 + thread * 20 + place
                forms = [
                    f"/{name}={number}"
                    for name in ("posting.php?mode=quote&p", "report.php?p", "ucp.php?mode=in&back")
                ]
                site.pages |= dict.fromkeys(forms, login)
                tools = "".join(f'<a href="{escape(form)}">{form[1]}</a> ' for form in forms)
                who = NAMES[place % len(NAMES)]
                rows += (
                    f'<div class="post"><a href="/memberlist.php?u={place}">{who}</a>'
                    f'<div class="content">{escape(one)}</div>{tools}'
                    f'<a href="/viewtopic.php?p={number}#p{number}">Post</a></div>'
                )
                site.pages[f"/memberlist.php?u={place}"] = framed(who, f"<h1>{who}</h1>")
            numbers = "".join(
                f'<a href="{escape(f"{address}&start={other}")}">{other // 6 + 1}</a> '
                for other in starts
                if other != start
            )
            body = f"<h2>{escape(each.title)}</h2>{numbers}{rows}"
            own = f"{address}&start={start}" if start else address
            head = f'<link rel="canonical" href="{escape(own)}">'
            whole = framed(f"{each.title} - Board", body, head=head)
            if start:
                site.pages[own] = whole
            else:
                text_of = " ".join([each.title, *said[thread]])
                site.document(address, whole, text_of, each.title)
            for place in range(start, min(start + 6, len(said[thread]))):
                site.pages[f"/viewtopic.php?p={1000 + thread * 20 + place}"] = whole
    orders = [f"/viewforum.php?f=2&sk={key}&sd={way}" for key in "atrs" for way in "ad"]
    rows = [(f"/viewtopic.php?f=2&t={thread}", each.title) for thread, each in enumerate(shown)]
    for start in (0, 20):
        lists = [*orders, f"/viewforum.php?f=2&start={20 - start}"]
        tools = "".join(f'<a href="{escape(order)}">order</a> ' for order in lists)
        body = framed("Talk", linked(rows[start : start + 20], "Talk") + tools)
        site.other(f"/viewforum.php?f=2&start={start}", body)
        site.pages |= dict.fromkeys(orders, body)
    site.other(
        "/", framed("Board", '<a href="/viewforum.php?f=2&amp;start=0">Talk of the town</a>')
    )
    return site


def wiki():
    """Return a wiki: boxes of facts, words to edit, categories, changes."""
    site, shown = Site(), stories(30)
    links = [(f"/wiki/{name_of(each.title).title()}", each.title) for each in shown]
    for (path, title), each in zip(links, shown, strict=True):
        box = f'<table class="infobox"><tr><th>Place</th><td>{each.section}</td></tr></table>'
        parts = "".join(
            f'<h2><span>Part {at}</span> [<a href="{path}?action=edit">edit</a>]</h2>{text([one])}'
            for at, one in enumerate(each.paragraphs, 1)
        )
        near = "".join(
            f'<li><a href="{there}">{escape(name)}</a></li>' for there, name in links[:4]
        )
        tail = (
            '<div class="catlinks">Categories: <a href="/category/Karoo">Karoo</a></div>'
            f"<h2>See also</h2><ul>{near}</ul>"
        )
        body = f"<h1>{escape(title)}</h1>{box}{parts}{tail}"
        words = "\n".join([title, *each.paragraphs])
        site.document(path, framed(f"{title} - Karoo wiki", body), words, title)
    site.other("/", framed("Karoo wiki", linked(links, "All pages")))
    site.other("/category/Karoo", framed("Category: Karoo", linked(links, "Category: Karoo")))
    return site


def shop():
    """Return a shop: things with a price, a table and a description, and shelves of them."""
    site, chance, things = Site(), random.Random("shop"), []
    for number, each in enumerate(stories(30)):
        name = f"{chance.choice(FOODS).title()} no. {number + 1}"
        said = " ".join(sentences(each.paragraphs)[:4])
        rows = "".join(
            f"<tr><th>{key}</th><td>{value}</td></tr>"
            for key, value in (("Weight", f"{number + 2} kg"), ("Colour", "brown"))
        )
        body = (
            f'<h1>{name}</h1><p class="price">R {number * 7 + 12}.00</p>'
            "<button>Add to cart</button>"
            f'<div class="description"><p>{escape(said)}</p></div><table>{rows}</table>'
        )
        path = f"/products/{name_of(name)}"
        site.document(path, framed(f"{name} | Winkel", body), f"{name} {said}", name)
        things.append((path, name, number * 7 + 12))
    shelf = "".join(
        f'<li><a href="{path}">{name}</a><span>R {price}.00</span></li>'
        for path, name, price in things
    )
    site.other("/", framed("Winkel", f"<h1>All that we have</h1><ul>{shelf}</ul>"))
    return site


def government():
    """Return an office that publishes notices, and what is long as PDF."""
    site, links = Site(), []
    for number, each in enumerate(stories(16)):
        if number % 2:
            path, body = f"/notices/2019/{number}.html", text(each.paragraphs)
            words = "\n".join([each.title, *each.paragraphs])
            site.document(
                path,
                framed(f"{each.title} - Municipality", f"<h1>{escape(each.title)}</h1>{body}"),
                words,
                each.title,
            )
        else:
            path, lines = f"/documents/notice-{number}.pdf", []
            for word in " ".join(each.paragraphs).encode("ascii", "ignore").decode().split():
                word = word.replace("(", "").replace(")", "")
                if not lines or len(lines[-1]) + len(word) > 90:
                    lines.append(word)
                else:
                    lines[-1] += f" {word}"
            whole = pdf([list(some) for some in batched(lines, 45)])
            site.document(path, whole, " ".join(lines))
        links.append((path, each.title))
    site.other("/", framed("Municipality", linked(links, "Notices")))
    return site


def recipes():
    """Return recipes: a story, what one needs, what one does."""
    site, chance, links = Site(), random.Random("recipes"), []
    for number, each in enumerate(stories(30)):
        used = chance.sample(FOODS, 6)
        title = f"{used[0].title()} with {used[1]}"
        needs = [f"{chance.choice(UNITS)} {food}{chance.choice(STATES)}" for food in used]
        said = sentences(each.paragraphs)
        steps = [USUAL[0], *said[3:8], USUAL[1]]
        story = " ".join(said[:3])
        body = (
            f"<h1>{title}</h1><p>{escape(story)}</p><h2>Ingredients</h2><ul>"
            + "".join(f"<li>{need}</li>" for need in needs)
            + "</ul><h2>Method</h2><ol>"
            + "".join(f"<li>{step}</li>" for step in steps)
            + "</ol>"
        )
        path = f"/recipes/{name_of(title)}-{number}"
        words = " ".join([title, story, "Ingredients", *needs, "Method", *steps])
        site.document(path, framed(f"{title} - Ouma's kitchen", body), words, title)
        links.append((path, title))
    site.other("/", framed("Ouma's kitchen", linked(links, "Recipes")))
    return site


def podcast():
    """Return episodes, each with what was said in it, by whom and when."""
    site, links = Site(), []
    for number, each in enumerate(stories(24)):
        who = ("Thandi", "Pieter")
        turns = [
            f"<p><b>{who[at % 2]}</b> [00:{at:02d}:10] {escape(said)}</p>"
            for at, said in enumerate(sentences(each.paragraphs))
        ]
        said = " ".join(
            f"{who[at % 2]} 00 {at:02d} 10 {one}"
            for at, one in enumerate(sentences(each.paragraphs))
        )
        title = f"Episode {number + 1}: {each.title}"
        body = (
            f'<h1>{escape(title)}</h1><audio src="/{number}.mp3"></audio>'
            f'<p><a href="/{number}.mp3">Download</a></p>'
            f"<h2>Transcript</h2>{''.join(turns)}"
        )
        path = f"/episodes/{number + 1}"
        site.document(path, framed(f"{title} - Stoep talk", body), f"{title} {said}", title)
        links.append((path, title))
    site.other("/", framed("Stoep talk", linked(links, "Episodes")))
    return site


def poems():
    """Return poems, a page each, in verses."""
    site, links = Site(), []
    for number, each in enumerate(stories(30)):
        words = " ".join(each.paragraphs[:2]).split()[:72]
        lines = [" ".join(some) for some in batched(words, 6)]
        verses = "".join(f"<p>{'<br>'.join(map(escape, some))}</p>" for some in batched(lines, 4))
        title = f"Song of the {FOODS[number % len(FOODS)]}, {number}"
        path = f"/poems/{number}.html"
        page = framed(title, f"<h1>{title}</h1>{verses}")
        site.document(path, page, f"{title} {' '.join(words)}", title)
        links.append((path, title))
    site.other("/", framed("Poems", linked(links, "Poems")))
    return site


def questions():
    """Return questions with their answers, votes and what else was asked."""
    site, chance = Site(), random.Random("questions")
    shown = stories(30)
    titles = [f"Why is it said: {each.title}?" for each in shown]
    paths = [f"/questions/{100 + at}/{name_of(title)}" for at, title in enumerate(titles)]
    for number, each in enumerate(shown):
        said = [" ".join(some) for some in batched(sentences(each.paragraphs), 3)][:4]
        answers = "".join(
            f'<div class="answer"><div class="vote">{chance.randint(0, 40)}</div><div>'
            f'<p>{escape(one)}</p><a href="#">share</a> answered May 4 at 10:2{at} by '
            f"{chance.choice(NAMES)}</div></div>"
            for at, one in enumerate(said[1:])
        )
        near = "".join(
            f'<li><a href="{paths[at]}">{escape(titles[at])}</a></li>'
            for at in chance.sample(range(30), 6)
        )
        body = (
            f'<h1>{escape(titles[number])}</h1><div class="question"><div class="vote">3</div>'
            f"<p>{escape(said[0])}</p><p>asked May 3 by {chance.choice(NAMES)}</p></div>"
            f"<h2>{len(said) - 1} Answers</h2>{answers}"
        )
        aside = f"<aside><h4>Related</h4><ul>{near}</ul></aside>"
        page = framed(f"{titles[number]} - Askers", body, aside)
        words = " ".join([titles[number], *said])
        site.document(paths[number], page, words, titles[number])
    links = zip(paths, titles, strict=True)
    site.other("/", framed("Askers", linked(links, "Newest questions")))
    return site


def languages():
    """Return a site in three languages with one layout, each page leading to the others."""
    site, links = Site(), []
    told = [each for each in ground_truth().values() if not each.copy_of]
    for language in ("en", "af", "zu"):
        own = [each for each in told if each.language == language][:10]
        for number, each in enumerate(own):
            others = "".join(
                f'<li><a hreflang="{code}" href="/{code}/{number}">{code}</a></li>'
                for code in ("en", "af", "zu")
            )
            body = f"<ul>{others}</ul><h1>{escape(each.title)}</h1>{text(each.paragraphs)}"
            path = f"/{language}/{number}"
            words = "\n".join([each.title, *each.paragraphs])
            page = framed(f"{each.title} - Rietkuil", body, language=language)
            site.document(path, page, words, each.title)
            links.append((path, each.title))
    site.other("/", framed("Rietkuil", linked(links, "Stories")))
    return site


def archive_by_month():
    """Return a site whose texts are found by month, each with its first lines there."""
    site, months = Site(), {}
    for number, each in enumerate(stories(36)):
        month = f"/2019/{number % 6 + 1:02d}/"
        path = f"{month}{number % 28 + 1:02d}/{name_of(each.title)}/"
        date = f"2019-{number % 6 + 1:02d}-{number % 28 + 1:02d}"
        body = f"<h1>{escape(each.title)}</h1>{text(each.paragraphs)}"
        words = "\n".join([each.title, *each.paragraphs])
        site.document(path, framed(each.title, body), words, each.title, date)
        first = " ".join(" ".join(each.paragraphs).split()[:40])
        teaser = (
            f'<div><h3><a href="{path}">{escape(each.title)}</a></h3>'
            f"<p>{escape(first)} ...</p></div>"
        )
        months.setdefault(month, []).append(teaser)
    for month, teasers in months.items():
        site.other(month, framed(f"Archive {month}", f"<h1>Archive</h1>{''.join(teasers)}"))
    rows = [(month, month.strip("/")) for month in months]
    site.other("/", framed("Archive", linked(rows, "By month")))
    return site


def layout_of_tables():
    """Return a site of the nineties: tables in tables, fonts, no paragraph and no heading."""
    site, links = Site(), []
    menu = "".join(
        f'<tr><td><font size="1"><a href="/{at}.htm">Link {at}</a></font></td></tr>'
        for at in range(5)
    )
    for number, each in enumerate(stories(24)):
        said = "<br><br>".join(map(escape, each.paragraphs))
        body = (
            f"<HTML><HEAD><TITLE>{escape(each.title)}</TITLE></HEAD><BODY BGCOLOR=white>"
            '<TABLE WIDTH=600><TR><TD COLSPAN=2><font size="5"><b>The Rietkuil Page</b></font>'
            f"</TD></TR><TR><TD VALIGN=top><TABLE>{menu}</TABLE></TD><TD>"
            f'<font face="Arial" size="4"><b>{escape(each.title)}</b></font><br><br>'
            f'<font face="Arial" size="2">{said}</font></TD></TR><TR><TD COLSPAN=2><center>'
            f'<font size="1">You are visitor number 12{number}. Best seen at 800 x 600.</font>'
            "</center></TD></TR></TABLE></BODY></HTML>"
        )
        path = f"/stories/s{number}.htm"
        site.document(path, body, "\n".join([each.title, *each.paragraphs]), each.title)
        links.append((path, each.title))
    site.other("/", framed("The Rietkuil Page", linked(links, "Stories")))
    return site


def long_footer():
    """Return a site whose every page ends in the same long words."""
    site, links = Site(), []
    for number, each in enumerate(stories(30)):
        body = (
            f'<div class="c1"><div class="c2"><h1>{escape(each.title)}</h1>{text(each.paragraphs)}'
            f'</div><div class="c3"><p>{FOOTER}</p></div></div>'
        )
        path = f"/story/{number}"
        words = "\n".join([each.title, *each.paragraphs])
        site.document(path, framed(each.title, body), words, each.title)
        links.append((path, each.title))
    site.other("/", framed("Stories", linked(links, "Stories")))
    return site


def blog_with_permalinks():
    """Return a blog whose fronts show whole posts under plain titles, linked by their dates."""
    site, shown = Site(), stories(20)
    paths = [f"/post/{100 + at}" for at in range(len(shown))]
    posts = [
        f'<div class="entry"><h3>{escape(each.title)}</h3>{text(each.paragraphs)}'
        f'<p class="foot">Posted by Anneke on <a href="{path}">{each.date}</a></p></div>'
        for path, each in zip(paths, shown, strict=True)
    ]
    for number, some in enumerate(batched(posts, 5), 1):
        more = f'<a href="/older/{number + 1}">Older</a>' if number < 4 else ""
        site.other(
            "/" if number == 1 else f"/older/{number}", framed("Diary", "".join(some) + more)
        )
    for path, each, post in zip(paths, shown, posts, strict=True):
        words = "\n".join([each.title, *each.paragraphs])
        site.document(path, framed(f"{each.title} - Diary", post), words, each.title)
    return site


def songs():
    """Return songs, whose choruses come again."""
    site, links = Site(), []
    for each in stories(24):
        words = " ".join(each.paragraphs).split()
        lines = [" ".join(some) for some in batched(words[:90], 5)]
        chorus, verses = lines[:4], [lines[4:8], lines[8:12], lines[12:16]]
        parts = [part for verse in verses for part in (verse, chorus)]
        body = "".join(f"<p>{'<br>'.join(map(escape, part))}</p>" for part in parts)
        title = f"{each.title} (song)"
        path = f"/lyrics/{name_of(each.title)}.html"
        said = " ".join(line for part in parts for line in part)
        page = framed(f"{title} lyrics", f"<h1>{escape(title)}</h1>{body}")
        site.document(path, page, f"{title} {said}", title)
        links.append((path, title))
    site.other("/", framed("Lyrics", linked(links, "Songs")))
    return site


def letters_to_a_list():
    """Return the archive of a mailing list: plain letters, wrapped by hand."""
    site, links = Site(), []
    for number, each in enumerate(stories(24)):
        body = "\n\n".join(textwrap.fill(one, 72) for one in each.paragraphs)
        sender, sent = NAMES[number % 9], f"Tue May {number + 1} 10:22:03 CEST 2007"
        path = f"/pipermail/2007-May/{number:06d}.html"
        page = (
            f"<HTML><HEAD><TITLE>[karoo] {escape(each.title)}</TITLE></HEAD><BODY>"
            f"<H1>[karoo] {escape(each.title)}</H1><B>{sender}</B><BR><I>{sent}</I>"
            f'<UL><LI>Previous message: <A HREF="{number - 1:06d}.html">before</A></LI></UL><HR>'
            f"<PRE>{escape(body)}</PRE><HR></BODY></HTML>"
        )
        title = f"[karoo] {each.title}"
        site.document(path, page, f"{title} {body}", title)
        links.append((path, title))
    site.other("/", framed("karoo list", linked(links, "May 2007")))
    return site


def laws():
    """Return laws: numbered sections and subsections."""
    site, links = Site(), []
    for number, each in enumerate(stories(24)):
        said = sentences(each.paragraphs)
        rows = "".join(f"<p>({at}) {escape(one)}</p>" for at, one in enumerate(said, 1))
        title = f"By-law {number + 1} of 2011: {each.title}"
        body = f"<h1>{escape(title)}</h1><h2>1. Definitions</h2>{rows}"
        path = f"/acts/2011/{number + 1}/"
        numbered = [f"({at}) {one}" for at, one in enumerate(said, 1)]
        words = " ".join([title, "1. Definitions", *numbered])
        site.document(path, framed(f"{title} | Gazette", body), words, title)
        links.append((path, title))
    site.other("/", framed("Gazette", linked(links, "By-laws")))
    return site


def day_after_the_name():
    """Return a magazine whose addresses end in the day, after the story's name."""
    site, links = Site(), []
    for number, each in enumerate(stories(20)):
        path = f"/stories/{name_of(each.title)}/2018/03/{number % 28 + 1:02d}/"
        body = f"<h1>{escape(each.title)}</h1>{text(each.paragraphs)}"
        words = "\n".join([each.title, *each.paragraphs])
        date = f"2018-03-{number % 28 + 1:02d}"
        site.document(path, framed(each.title, body), words, each.title, date)
        links.append((path, each.title))
    site.other("/", framed("Magazine", linked(links, "Stories")))
    return site


def print_and_phone_views():
    """Return a paper whose every story is there three times: page, print, phone."""
    site, links = Site(), []
    for number, each in enumerate(stories(20)):
        path = f"/news/{number + 1}/{name_of(each.title)}"
        others = f'<a href="{path}/print">Print</a> <a href="{path}/amp">Phone</a>'
        said = f"<h1>{escape(each.title)}</h1>{text(each.paragraphs)}"
        words = "\n".join([each.title, *each.paragraphs])
        page = framed(f"{each.title} - Post", f"{said}<p>{others}</p>")
        site.document(path, page, words, each.title)
        bare = f"<html><title>{escape(each.title)}</title><body>{said}</body></html>"
        for view in ("print", "amp"):
            site.other(f"{path}/{view}", bare)
        links.append((path, each.title))
    site.other("/", framed("Post", linked(links, "News")))
    return site


def talks():
    """Return interviews: bold questions, plain answers."""
    site, links = Site(), []
    for number, each in enumerate(stories(20)):
        said = sentences(each.paragraphs)
        rows = "".join(
            f"<p><strong>{escape(one)}</strong></p>" if at % 2 else f"<p>{escape(one)}</p>"
            for at, one in enumerate(said)
        )
        title = f"Ten minutes with {NAMES[number % 9]} {number}"
        path = f"/interviews/{name_of(title)}"
        page = framed(title, f"<h1>{title}</h1>{rows}")
        site.document(path, page, " ".join([title, *said]), title)
        links.append((path, title))
    site.other("/", framed("Talks", linked(links, "Talks")))
    return site


def glossary_of_letters():
    """Return a glossary: a page for each letter, with its words and what they mean."""
    site, links = Site(), []
    said = [one for each in stories(60) for one in sentences(each.paragraphs)]
    for letter, some in zip("abcdefghijklmnopqrst", batched(said, 12), strict=False):
        meant = [(f"{letter}{one.split()[0].lower()}", one) for one in some]
        rows = "".join(f"<dt>{word}</dt><dd>{escape(one)}</dd>" for word, one in meant)
        body = f"<h1>Words with {letter.upper()}</h1><dl>{rows}</dl>"
        words = " ".join([f"Words with {letter}", *(f"{word} {one}" for word, one in meant)])
        site.document(f"/glossary/{letter}", framed(f"Words with {letter.upper()}", body), words)
        links.append((f"/glossary/{letter}", letter.upper()))
    site.other("/", framed("Glossary", linked(links, "Glossary")))
    return site


SURNAMES = ("Botha", "Dlamini", "Naidoo", "Jacobs", "Mokoena", "van Wyk", "Khumalo", "Adams")
TOWNS = ("Loxton", "Ceres", "Upington", "Knysna", "Springs", "Mokopane", "Hermanus", "Graaff")


def posts_to_fill():
    """Return advertisements of posts, each with what the office says under all of them."""
    site, chance, links = Site(), random.Random("posts"), []
    for number, each in enumerate(stories(24)):
        said = sentences(each.paragraphs)[:5]
        rows = "".join(f"<li>{escape(one)}</li>" for one in said)
        title = f"Post {number + 1}: clerk at {chance.choice(TOWNS)}"
        body = (
            f"<h1>{title}</h1><h2>What you do</h2><ul>{rows}</ul>"
            f"<h2>How to apply</h2><p>{FOOTER}</p>"
        )
        path = f"/vacancies/{number + 1}"
        words = " ".join([title, "What you do", *said, "How to apply"])
        site.document(path, framed(title, body), words, title)
        links.append((path, title))
    site.other("/", framed("Posts", linked(links, "Vacancies")))
    return site


def minutes_of_a_council():
    """Return debates: who says what, with the same words of order in all."""
    site, links = Site(), []
    for number, each in enumerate(stories(24)):
        said = sentences(each.paragraphs)
        turns = [f"Cllr {SURNAMES[at % 8]}: {one}" for at, one in enumerate(said)]
        order = (
            "The mayor opened the meeting with a prayer and counted those who had come.",
            "The minutes of the last meeting were read and taken as correct.",
        )
        title = f"Council, sitting {number + 1}"
        path = f"/minutes/{number + 1}.html"
        page = framed(title, f"<h1>{title}</h1>{text([*order, *turns])}")
        site.document(path, page, " ".join([title, *turns]), title)
        links.append((path, title))
    site.other("/", framed("Council", linked(links, "Sittings")))
    return site


def manual():
    """Return documentation: a long tree of links beside each page, code between the words."""
    site, shown = Site(), stories(24)
    links = [(f"/docs/guide/{name_of(each.title)}.html", each.title) for each in shown]
    tree = "".join(f'<li><a href="{path}">{escape(title)}</a></li>' for path, title in links)
    for (path, title), each in zip(links, shown, strict=True):
        parts = "".join(
            f'<h2>{at}. Step <a class="headerlink" href="#s{at}">¶</a></h2><p>{escape(one)}</p>'
            f"<pre>izwi run --step {at} {name_of(title)}</pre>"
            for at, one in enumerate(each.paragraphs, 1)
        )
        body = (
            f'<div class="sidebar"><ul>{tree}</ul></div><div class="body"><h1>{escape(title)}</h1>'
            f"{parts}</div>"
        )
        said = [
            f"{at}. Step {one} izwi run --step {at} {name_of(title)}"
            for at, one in enumerate(each.paragraphs, 1)
        ]
        site.document(path, framed(f"{title} — Manual 2.1", body), " ".join([title, *said]), title)
    site.other("/", framed("Manual", linked(links, "Contents")))
    return site


def shouts():
    """Return short posts of a network, a page each, with likes and replies."""
    site, links = Site(), []
    said = [one for each in stories(30) for one in sentences(each.paragraphs)]
    for number, one in enumerate(said[:40]):
        who = NAMES[number % 9]
        body = (
            f'<div class="status"><a href="/@{who}">{who}</a> <p>{escape(one)}</p>'
            "<span>3 likes</span> <span>1 reply</span></div>"
        )
        path = f"/@{who}/{10000 + number}"
        site.document(path, framed(f"{who} on Stoep", body), one)
        links.append((path, f"{who}: {one[:30]}"))
    site.other("/", framed("Stoep", linked(links, "New")))
    return site


KINDS = {
    each.__name__: each
    for each in (
        blog_with_whole_posts, forum_of_three_templates, forum_with_forms, wiki, shop,
        government, recipes, podcast, poems, questions, languages, archive_by_month,
        layout_of_tables, long_footer, blog_with_permalinks, songs, letters_to_a_list, laws,
        day_after_the_name, print_and_phone_views, talks, glossary_of_letters,
        posts_to_fill, minutes_of_a_council, manual, shouts,
    )
}  # fmt: skip
