# ruff: noqa: E501 -- lines of markup are easier to read whole
"""Pages written for the project, with their main text: varied templates, languages and faults."""

from izwi.evaluate.gold_pages import GoldPage

_MENU = "".join(
    f'<li><a href="/{name}">{name}</a></li>'
    for name in ("Home", "News", "Sport", "Weather", "Contact")
)
_FOOT = '<div id="footer"><p>© 2020 The Courant. <a href="/terms">Terms</a> | <a href="/privacy">Privacy</a></p></div>'

ENGLISH = (
    "The ferry to the island was late again on Tuesday, and the people on the quay had "
    "long stopped asking why.",
    "A new engine was promised before the winter, said the harbour master, but the ship "
    "that was to bring it is "
    "still in a yard two hundred miles up the coast.",
    "Until then the old one will have to do. It has done so for thirty years, and nobody "
    "on the island would bet "
    "against it, although some have started to row.",
)
GERMAN = (
    "Die Fähre zur Insel kam am Dienstag wieder zu spät, und die Leute am Kai fragten "
    "schon lange nicht mehr, warum.",
    "Vor dem Winter soll ein neuer Motor kommen, sagte der Hafenmeister, aber das Schiff, "
    "das ihn bringen soll, "
    "liegt noch immer zweihundert Meilen weiter nördlich in der Werft.",
    "Bis dahin muss der alte genügen. Er hat dreißig Jahre lang genügt, und niemand auf "
    "der Insel würde gegen ihn "
    "wetten, auch wenn manche inzwischen rudern.",
)
ZULU = (
    "Isikebhe esiya esiqhingini siphinde safika sekwephuzile ngoLwesibili, futhi abantu "
    "abasethekwini sebayeka "
    "ukubuza ukuthi kungani kunjalo.",
    "Kuthenjiswe injini entsha ngaphambi kobusika, kusho umphathi wetheku, kodwa umkhumbi "
    "okufanele uyilethe "
    "usalokhu umi kude enyakatho.",
    "Kuze kube yileso sikhathi kuzofanele kusetshenziswe endala. Isisebenze iminyaka "
    "engamashumi amathathu, futhi "
    "akekho ongayingabaza esiqhingini.",
)
CHINESE = (
    "星期二，开往小岛的渡轮又晚点了，码头上的人们早已不再追问原因。",
    "港务长说，冬天之前会有一台新的发动机运来，可是负责运送它的那艘船至今还停在北边两百海里外的船厂里，没有人知道它什么时候能够出发。",
    "在那之前，只能继续使用旧的发动机。它已经工作了三十年，岛上没有人会怀疑它，尽管有些人已经开始自己划船了。",
)
POSTS = (
    "Has anybody here ever replaced the pump on the old model without taking out the "
    "whole engine? Mine has started "
    "to drip and I would rather not pay the garage for two days of work.",
    "Yes, I did it last summer. You have to loosen the bracket on the left first, then "
    "there is just enough room to "
    "reach the bolts with a long key. Take a photograph before you start.",
    "I would replace the belt at the same time. It costs next to nothing and you will not "
    "want to do all this again "
    "in the spring, believe me.",
    "Thank you both, that worked. It took me the whole afternoon and some words my mother "
    "would not like, but it "
    "is dry now.",
)


def modern(paragraphs, *, language, title):
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"""<!doctype html><html lang="{language}"><head><title>{title} | Courant</title></head><body>
<header><nav class="main-menu"><ul>{_MENU}</ul></nav></header>
<main><article class="post"><h1>{title}</h1><div class="entry-content">{body}</div>
<div class="share"><a href="#f">Facebook</a> <a href="#t">Twitter</a></div></article></main>
<aside class="sidebar"><h3>More</h3><ul>{_MENU}</ul></aside><footer>{_FOOT}</footer></body></html>"""


def old_table(paragraphs, *, title):
    body = "<br><br>\n".join(paragraphs)
    return f"""<HTML><HEAD><TITLE>{title}</TITLE></HEAD><BODY bgcolor=white><TABLE width=100%><TR>
<TD width=150><A href=a>Home</A><BR><A href=b>News</A><BR><A href=c>Sport</A><BR><A href=d>Letters</A></TD>
<TD><FONT size=4><B>{title}</B></FONT><BR><BR>{body}</TD></TR></TABLE>
<CENTER><FONT size=1>Copyright 1999 <A href=m>Mail us</A> | <A href=h>Help</A></FONT></CENTER>"""


def unclosed(paragraphs, *, title):
    body = "".join(f"<p>{text}" for text in paragraphs)
    return f"<title>{title}</title><ul class=nav>{_MENU}<h1>{title}</h1><div class=story>{body}</div>{_FOOT}"


def forum(posts, *, title):
    body = "".join(
        f'<div class="post"><div class="user"><a href="/u{number}">user{number}</a> Posts: {number * 17}</div>'
        f'<div class="postbody message-content"><p>{text}</p></div><div class="signature">'
        f'<a href="#r">Reply</a> <a href="#q">Quote</a></div></div>'
        for number, text in enumerate(posts, 1)
    )
    return f"""<html><head><title>{title} - Motor forum</title><meta name="generator" content="phpBB"></head><body>
<div id="menu" class="navbar"><ul>{_MENU}</ul></div><div class="thread topic"><h2 class="topic-title">{title}</h2>
{body}</div>{_FOOT}</body></html>"""


def gold_pages():
    """Return the pages, each with the text a person would keep."""
    title = "The late ferry"
    made = [
        ("modern-en", modern(ENGLISH, language="en", title=title), (title, *ENGLISH)),
        (
            "modern-de",
            modern(GERMAN, language="de", title="Die späte Fähre"),
            ("Die späte Fähre", *GERMAN),
        ),
        ("modern-zu", modern(ZULU, language="zu", title="Isikebhe"), ("Isikebhe", *ZULU)),
        ("modern-zh", modern(CHINESE, language="zh", title="晚点的渡轮"), ("晚点的渡轮", *CHINESE)),
        ("table-en", old_table(ENGLISH, title=title), (title, *ENGLISH)),
        ("table-zh", old_table(CHINESE, title="晚点的渡轮"), ("晚点的渡轮", *CHINESE)),
        ("unclosed-de", unclosed(GERMAN, title="Die späte Fähre"), ("Die späte Fähre", *GERMAN)),
        ("forum", forum(POSTS, title="Replacing the pump"), ("Replacing the pump", *POSTS)),
    ]
    return [GoldPage(html, "\n".join(text), name, name) for name, html, text in made]
