"""Inputs that nobody means well with: pages, files and queries changed by chance, and byte soups."""

import random
from collections.abc import Iterator
from pathlib import Path

PAGES = [
    path.read_bytes() for path in sorted((Path(__file__).parents[1] / "text/golden").glob("*.html"))
]
TAGS = (
    b"<p>", b"</p>", b"<div class='comment a' id=b>", b"</div>", b"<b>", b"</b>", b"<a href='/x'>",
    b"<table><tr><td>", b"<select><option>", b"<script>", b"</script>", b"<!--", b"-->", b"<svg>",
    b"<math><mi>", b"<style>", b"<title>", b"<template shadowrootmode=open>", b"<noscript>",
    b"<frameset><noframes>", b"<plaintext>", b"<textarea>", b"<![CDATA[", b"<br><br>", b"<h1>",
    b"<p style='display:none'>", b"<meta charset=utf-16>", b"<time datetime=2020-02-30>", b"&#x0;",
    b'<script type="application/ld+json">{"@type":"Article","articleBody":"',
    b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b$B", b"\xf0\x9f\x98\x80", b"\xed\xa0\x80", b"\x00",
    "é́ ﬁ 中文。 ‮ abc".encode(),
)  # fmt: skip
WORDS = (
    "The", "ferry", "didn't", "U.S.", "3.5km", ":-)", "e-mail", "a@b.co", "http://x.y/z.", "'n", "…",
    "中文。", "İstanbul", "ß", "é", "\u200d", "\ud800", "\x00", "\n", "\u2028", "(", "«", "10:30pm",
    "Suid-Afrika", "ngokuhlwa", "x" * 300, "1/2", "J.R.", "#tag", "@me", "--", "\U0001f600",
)  # fmt: skip
CQL = (
    "[", "]", "(", ")", "{", "}", '"', "word", "lemma", "=", "!=", "&", "|", "*", "+", "?", "[]{2,3}",
    '"the"', "within", "<s/>", "<doc", "containing", "1:", ":", "::", "f(", "~", "..", ".*", "\\",
    "%c", "!", "meet", "union", "1.word", ",", "<", ">", "/", "(?i)", "[[:alpha:]]", "é", "\x00",
)  # fmt: skip
CONLLU = (
    b"# newdoc id = a\n# sent_id = 1\n# text = Go home.\n1\tGo\tgo\tVERB\tVB\tMood=Imp\t0\troot\t_\t_\n"
    b"2\thome\thome\tADV\tRB\t_\t1\tadvmod\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\t.\t_\t1\tpunct\t_\t_\n\n"
)
TEI = (
    b'<TEI xmlns="http://www.tei-c.org/ns/1.0"><teiHeader><fileDesc><titleStmt><title>A</title></titleStmt>'
    b"</fileDesc></teiHeader><text><body><div><head>H</head><p>One <hi>two</hi>.</p></div></body></text></TEI>"
)
TEXTS = b'{"id": "1", "text": "One.\\nTwo.", "date": "2020-01-01", "metadata": {"author": "A"}}\n'
FEED = (
    b'<rss version="2.0"><channel><title>T</title><item><title>One</title><link>http://a.example/1</link>'
    b"<pubDate>Tue, 01 Jan 2019 10:00:00 GMT</pubDate><description>&lt;p&gt;x</description></item></channel></rss>"
)
SITEMAP = (
    b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>http://a.example/1</loc>'
    b"<lastmod>2020-01-01</lastmod></url></urlset>"
)
WARC = (
    b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"
    b"WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: 65\r\n\r\n"
    b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 3\r\n\r\n<p>\r\n\r\n"
)
ARC = (
    b"filedesc://x.arc 0.0.0.0 20200101000000 text/plain 73\n1 0 x\nURL IP-address Archive-date Content-type "
    b"Archive-length\n\n\nhttp://a.example/ 1.2.3.4 20200101000000 text/html 45\nHTTP/1.0 200 OK\r\nContent-Type:"
    b" text/html\r\n\r\n<p>\n"
)

CDX = (
    b'[["timestamp","original"],["20200101000000","http://a.example/"],[],["key"]]\n'
    b'com,a)/ 20200101000000 {"url": "http://a.example/", "mime": "text/html", "status": "200"}\n'
    b"com,a)/ 20200101000000 http://a.example/ text/html 200 X\n"
    b'<http://a.example/web/20200101000000/http://b.example/>; rel="memento"; datetime="Tue, 21 Jan 2020 08:00:05 GMT"'
)
ANSWERS = (
    b'{"response":[{"id":1,"author":{"name":"a"},"raw_message":"x","createdAt":"2020-01-01T00:00:00","parent":2}]}'
    b'[{"location": "/a/*", "tdm-reservation": 1, "tdm-policy": "http://a.example/p"}]'
)
SETTINGS = (
    b'[corpus]\nname = "a"\nlanguages = ["en"]\n[gather]\ncontact = "https://a.example/"\ndelay = 2.0\n'
    b'max_size = "10 MB"\n[[source]]\nname = "f"\ntype = "feed"\nurl = "http://a.example/feed"\nevery = "1h"\n'
)
PROTOCOLS = (
    b'"the ferry" AND (dog OR cat) [word="a" & pos="N"]{1,3} within s word/r 1>0~3>0 lemma -1<0'
)
ADDRESS = b"http://user:pw@[::ffff:127.0.0.1]:80/a/../b;jsessionid=1?utm_source=x&q=%zz#f xn--a.example 0x7f.1"


def mutated(chance: random.Random, data: bytes) -> bytes:
    """Return bytes with a few changes: bytes, pieces cut out, doubled, moved, or put in."""
    changed = bytearray(data)
    for _ in range(chance.randint(1, 6)):
        place = chance.randrange(len(changed) + 1)
        size = chance.choice((1, 1, 2, 8, 64, 500))
        match chance.randrange(6):
            case 0:
                changed[place : place + 1] = bytes([chance.randrange(256)])
            case 1:
                del changed[place : place + size]
            case 2:
                changed[place:place] = changed[place : place + size] * chance.choice((1, 2, 30))
            case 3:
                changed[place:place] = chance.choice(TAGS) * chance.choice((1, 1, 3, 50))
            case 4:
                other = chance.randrange(len(changed) + 1)
                changed[other:other] = changed[place : place + size]
            case _:
                changed[place:place] = chance.randbytes(chance.choice((1, 4, 40)))
    return bytes(changed)


def stretch(chance: random.Random, data: bytes, size: int) -> bytes:
    """Return a part of some bytes."""
    start = chance.randrange(max(1, len(data) - size))
    return data[start : start + size]


def page(chance: random.Random) -> bytes:
    """Return a page: a real one changed, tags by chance, or bytes by chance."""
    kind = chance.randrange(10)
    if kind < 5:
        return mutated(chance, stretch(chance, chance.choice(PAGES), 1_500))
    if kind < 9:
        return b"".join(
            chance.choice(TAGS)
            if chance.random() < 0.6
            else chance.choice(WORDS).encode("utf-8", "surrogatepass")
            for _ in range(chance.randrange(60))
        )
    return chance.randbytes(chance.randrange(400))


def text(chance: random.Random) -> bytes:
    """Return a text: words by chance, or bytes."""
    if chance.random() < 0.2:
        return chance.randbytes(chance.randrange(300))
    words = chance.choices(WORDS, k=chance.randrange(40))
    return chance.choice((" ", "", "\n")).join(words).encode("utf-8", "surrogatepass")


def query(chance: random.Random) -> bytes:
    """Return a query that may mean something."""
    return (
        chance.choice((" ", "")).join(chance.choices(CQL, k=chance.randrange(12))).encode("utf-8")
    )


def changed(sample: bytes):
    """Return what gives the sample, once or many times over, changed."""

    def made(chance: random.Random) -> bytes:
        return mutated(chance, sample * chance.choice((1, 1, 2, 5)))

    return made


def cases(make, seed: int) -> Iterator[bytes]:
    """Yield inputs without end, the same for the same seed."""
    chance = random.Random(seed)
    while True:
        yield make(chance)
