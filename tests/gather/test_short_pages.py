"""Sites of short pages (notes, entries, profiles, posts, threads, poems): each page a document."""

import random
import re
from html import escape

import pytest

from tests.gather.small_sites import evaluated, page, site, stories

HOST = "short.example"
ROOT = f"http://{HOST}"
COUNT = 60
NAMES = ("Thandi", "Pieter", "Naledi", "Aisha", "Johan", "Lerato", "Sipho", "Anneke", "Bongani")
TOWNS = ("Umgeni", "Graaff", "Ceres", "Mokopane", "Springs", "Hermanus", "Upington", "Knysna")
JOBS = ("teacher", "welder", "nurse", "farmer", "driver", "potter", "clerk", "baker", "fisher")
SOUNDS = ("ba", "ke", "lo", "mu", "ni", "sa", "te", "vu", "wo", "zi")


def sentences():
    """Return sentences of the demo web, each once."""
    found = (
        sentence
        for story in stories(170)
        for paragraph in story.paragraphs
        for sentence in re.split(r"(?<=[.?])\s+(?=[A-Z])", paragraph)
    )
    return list(dict.fromkeys(each for each in found if 5 <= len(each.split()) <= 28))


def note(number, chance, said):
    body = f'<div class="note"><p>{escape(said)}</p><a href="/note/{number}">12 May</a></div>'
    return f"/note/{number}", page(f"Note {number}", body), said


def entry(number, chance, said):
    word = "".join(chance.choice(SOUNDS) for _ in range(3)) + chance.choice("kmnt")
    meaning = " ".join(said.rstrip(".").split()[:7]).lower()
    body = f"<h1>{word}</h1><p><i>noun</i></p><p>{escape(meaning)}.</p>"
    return f"/word/{word}", page(f"{word} - dictionary", body), f"{word} noun {meaning}"


def profile(number, chance, said):
    name = f"{chance.choice(NAMES)} {chance.choice(SOUNDS).title()}{chance.choice(SOUNDS)}si"
    town, job = chance.choice(TOWNS), chance.choice(JOBS)
    rows = f"<dt>Town</dt><dd>{town}</dd><dt>Work</dt><dd>{job}</dd>"
    body = f"<h1>{name}</h1><dl>{rows}</dl><p>{escape(said)}</p>"
    return f"/people/{number}", page(name, body), f"{name} Town {town} Work {job} {said}"


def post(number, chance, said):
    name = chance.choice(NAMES)
    body = f'<article class="post"><header>{name}</header><p>{escape(said)}</p></article>'
    return f"/@{name.lower()}/{1000 + number}", page(f"{name}: {said[:40]}", body), said


def poem(number, chance, said):
    words = said.split()
    lines = [" ".join(words[place : place + 4]) for place in range(0, len(words), 4)]
    body = f"<h1>Song {number}</h1><p>{'<br>'.join(map(escape, lines))}</p>"
    return f"/poems/song-{number}", page(f"Song {number}", body), f"Song {number} {said}"


GENRES = {"notes": note, "entries": entry, "profiles": profile, "posts": post, "poems": poem}


def thread(number, chance, said):
    others = chance.sample(sentences(), 4)
    shown = [(chance.choice(NAMES), each) for each in (said, *others)]
    rows = "".join(
        f'<div class="post"><b class="user">{who}</b> <span>4 May</span><p>{escape(each)}</p></div>'
        for who, each in shown
    )
    whole = " ".join(each for _, each in shown)
    return f"/thread/{number}", page(f"Thread {number}", f"<h1>{said[:30]}</h1>{rows}"), whole


def site_of(genre, count=COUNT):
    """Return the pages of a site of short pages, and its gold."""
    chance, said = random.Random(genre), sentences()
    chance.shuffle(said)
    kind = thread if genre == "threads" else GENRES[genre]
    made = [kind(number, chance, said[number]) for number in range(count)]
    pages = {path: body for path, body, _ in made}
    for start in range(0, count, 20):
        rows = "".join(f'<li><a href="{path}">{path}</a></li>' for path, _, _ in made[start:][:20])
        links = f'<a href="/all/{start + 20}">more</a>' if start + 20 < count else ""
        pages[f"/all/{start}"] = page("All of them", f"<ul>{rows}</ul>{links}")
    pages["/"] = page("Welcome", '<h1>Welcome</h1><p><a href="/all/0">All of them</a></p>')
    pages["/about"] = page("About", "<h1>About</h1><p>Made by us.</p>")
    pages["/contact"] = page("Contact", "<h1>Contact</h1><p>Write to us at the old mill.</p>")
    gold = [{"url": ROOT + path, "text": words} for path, _, words in made]
    others = [{"url": ROOT + path, "document": False} for path in ("/", "/all/0", "/contact")]
    return pages, [*{each["url"]: each for each in gold}.values(), *others]


@pytest.mark.parametrize("genre", [*GENRES, "threads"])
def test_short_pages_are_documents(web, hosts, make, genre):
    pages, gold = site_of(genre)
    hosts[HOST] = site(pages)
    corpus = make({"type": "crawl", "seeds": [f"{ROOT}/"]})
    corpus.gather(proxy=web.proxy_url)
    corpus.build()

    truth = evaluated(corpus, gold)

    assert truth.kept >= 0.98 * truth.gold
    assert truth.others_kept == 0
