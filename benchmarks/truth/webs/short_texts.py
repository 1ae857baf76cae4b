"""Sites of short or formal texts, of which nothing is a trap: looked at while rules are made."""

from html import escape

from webs.sentences import Voice
from webs.sites import Site, link, lots, page, rows, slug


def _listed(
    site: Site, links: list[tuple[str, str]], form: str = "/page/{}", size: int = 12
) -> None:
    """Add a front and the lists after it, each of which leads to the next alone."""
    own = lots(links, size)
    for at, some in enumerate(own, 1):
        more = [(form.format(at + 1), "Older")] if at < len(own) else []
        site.page("/" if at == 1 else form.format(at), page("All of them", rows([*some, *more])))


def glossary(host: str, voice: Voice, count: int) -> Site:
    """Terms with a line of explanation, by letter, each with links to others."""
    site, by_letter = Site(host), dict[str, list[tuple[str, str]]]()
    terms = sorted({voice.word() for _ in range(count)})
    for at, term in enumerate(terms):
        means = " ".join(voice.sentence().split()[:8])
        see = [(f"/term/{terms[(at * 7 + n) % len(terms)]}", "See") for n in (3, 11)]
        body = f"<h1>{term}</h1><p>{escape(means)}</p>{rows(see)}"
        site.document(f"/term/{term}", term, page(term, body), means)
        by_letter.setdefault(term[0], []).append((f"/term/{term}", term))
    for letter, links in by_letter.items():
        site.page(f"/letter/{letter}", page(f"Letter {letter}", rows(links)))
    site.page("/", page("Terms", rows((f"/letter/{each}", each) for each in by_letter)))
    return site


def recipes(host: str, voice: Voice, count: int) -> Site:
    """Recipes of the same few things and steps, by course, with a view to print."""
    site, courses = Site(host), dict[str, list[tuple[str, str]]]()
    things = (
        "flour",
        "sugar",
        "eggs",
        "butter",
        "milk",
        "salt",
        "yeast",
        "lemon",
        "carrots",
        "rice",
    )
    steps = (
        "Mix the {} with the {}.",
        "Add {} and {} slowly.",
        "Bake the {} until the {} is brown.",
    )
    for at in range(count):
        head = f"{voice.word().title()} with {voice.any(things)}"
        told = [voice.any(steps).format(voice.any(things), voice.any(things)) for _ in range(4)]
        told.append(voice.sentence())
        some = "".join(f"<li>{at % 9 + n} {voice.any(things)}</li>" for n in range(4))
        ways = [(f"/recipe/{at}?print=1", "Print")] if at % 3 == 0 else []
        body = f"<h1>{head}</h1><ul>{some}</ul><p>{escape(' '.join(told))}</p>{rows(ways)}"
        site.document(f"/recipe/{at}", head, page(head, body), *told)
        site.page(f"/recipe/{at}?print=1", page(head, f"<h1>{head}</h1>{escape(' '.join(told))}"))
        courses.setdefault(f"/course/{at % 5}", []).append((f"/recipe/{at}", head))
    for path, links in courses.items():
        site.page(path, page("Course", rows(links)))
    site.page("/", page("Kitchen", rows((path, path[1:]) for path in courses)))
    return site


def questions(host: str, voice: Voice, count: int) -> Site:
    """A question and an answer each, with its title in the address, ten a list."""
    site, links = Site(host), []
    for at in range(count):
        head, told = voice.title(), [voice.sentence(), voice.sentence()]
        path = f"/questions/{at + 300}/{slug(head)}"
        tags = [(f"/questions/tagged/{voice.any(('cats', 'soil', 'cars'))}", "Tag")]
        body = f"<h1>{head}</h1><p>{escape(told[0])}</p><h2>1 answer</h2><p>{escape(told[1])}</p>"
        site.document(path, head, page(head, body + rows(tags)), *told)
        links.append((path, head))
    for at, tag in enumerate(("cats", "soil", "cars")):
        site.page(f"/questions/tagged/{tag}", page(tag, rows(links[at::3])))
    _listed(site, links, "/questions?tab=newest&page={}", 10)
    return site


def minutes(host: str, voice: Voice, count: int) -> Site:
    """Minutes by number, nearly all of it the words of the last."""
    site, links = Site(host), []
    for at in range(count):
        who, matter = voice.name(), voice.sentence()
        told = [f"Meeting {at + 1} of the council.", f"Present: {who} and all members.",
                "The minutes of the last meeting were approved.", f"Item 3: {matter}",
                "There was no other business. The meeting was closed."]  # fmt: skip
        said = "".join(f"<p>{escape(each)}</p>" for each in told)
        path, head = f"/council/minutes/{at + 1}", f"Minutes {at + 1}"
        site.document(path, head, page(head, f"<h1>{head}</h1>{said}"), *told)
        links.append((path, head))
    _listed(site, links, "/council/minutes?offset={}")
    return site


def sections_of_law(host: str, voice: Voice, count: int) -> Site:
    """A law in numbered sections, each a page with its neighbours; some are repealed."""
    site = Site(host)
    kinds = ("The minister may make rules about {}.", "No person shall keep {} without a licence.",
             "Whoever breaks a rule about {} pays a fine.", "In this act {} means any {} of a town.")  # fmt: skip
    for at in range(count):
        thing = f"{voice.word()} {voice.word()}"
        text = "(repealed)" if at % 6 == 5 else voice.any(kinds).replace("{}", thing)
        near = [(f"/act/section/{n + 1}", f"Section {n + 1}") for n in (at - 1, at + 1)
                if 0 <= n < count]  # fmt: skip
        body = f"<h1>Section {at + 1}</h1><p>{text}</p>{rows(near)}"
        path = f"/act/section/{at + 1}"
        if at % 6 == 5:
            site.page(path, page("Act", body))
        else:
            site.document(path, f"Section {at + 1}", page("Act", body), text)
    parts = [(f"/act/section/{n + 1}", f"Part {n}") for n in range(0, count, 15)]
    site.page("/", page("Act", rows(parts)))
    return site


def dictionary(host: str, voice: Voice, count: int) -> Site:
    """Words of two languages, found by letters only, in one script's addresses."""
    site, by_letter = Site(host), dict[str, list[tuple[str, str]]]()
    for _ in range(count):
        word, other = voice.word(), voice.word()
        path = f"/dict.php?w={word}&l=en"
        body = f"<h1>{word}</h1><p>{other} {voice.word()}</p>"
        site.document(path, word, page(word, body), other)
        by_letter.setdefault(f"/dict.php?letter={word[0]}", []).append((path, word))
    for path, links in by_letter.items():
        site.page(path, page("Letter", rows(links)))
    site.page("/", page("Words", rows((path, path[-1]) for path in by_letter)))
    return site


def photo_notes(host: str, voice: Voice, count: int) -> Site:
    """A picture and a few words, one after the other, and albums."""
    site = Site(host)
    for at in range(count):
        words = " ".join(voice.sentence().split()[:6])
        ways = [(f"/photo/{n}", way) for n, way in ((at - 1, "Previous"), (at + 1, "Next"))
                if 0 <= n < count]  # fmt: skip
        body = f'<img src="/i/{at}.jpg"><p>{escape(words)}</p>{rows(ways)}{link(f"/album/{at // 10}", "Album")}'
        site.document(f"/photo/{at}", "", page("Photo", body), words)
        links = [(f"/photo/{n}", "") for n in range(at // 10 * 10, min(count, at // 10 * 10 + 10))]
        site.page(f"/album/{at // 10}", page("Album", rows(links)))
    albums = [(f"/album/{at}", f"Album {at}") for at in range((count + 9) // 10)]
    site.page("/", page("Photos", rows([("/photo/0", "First"), *albums])))
    return site


def changes(host: str, voice: Voice, count: int) -> Site:
    """What changed in each version of a program, by a number with dots."""
    site, links = Site(host), []
    fixed = ("Fixed a fault in", "Improved the speed of", "Removed", "Added tests for")
    for at in range(count):
        told = [f"{voice.any(fixed)} {voice.word()} {voice.word()}." for _ in range(2)]
        path, head = f"/releases/v{at // 10}.{at % 10}.0", f"Version {at // 10}.{at % 10}.0"
        said = "".join(f"<li>{each}</li>" for each in told)
        site.document(path, head, page(head, f"<h1>{head}</h1><ul>{said}</ul>"), *told)
        links.append((path, head))
    _listed(site, links, "/releases?page={}")
    return site


def verses(host: str, voice: Voice, count: int) -> Site:
    """Books, chapters and verses; each verse has a page."""
    site, books = Site(host), list[tuple[str, str]]()
    for book in range(max(1, count // 10)):
        name, chapters = voice.word(), []
        for chapter in (1, 2):
            links = []
            for verse in range(1, 6):
                text, path = voice.sentence(), f"/{name}/{chapter}/{verse}"
                site.document(
                    path, "", page(f"{name} {chapter}:{verse}", f"<p>{escape(text)}</p>"), text
                )
                links.append((path, str(verse)))
            site.page(f"/{name}/{chapter}", page(f"{name} {chapter}", rows(links)))
            chapters.append((f"/{name}/{chapter}", str(chapter)))
        site.page(f"/{name}", page(name, rows(chapters)))
        books.append((f"/{name}", f"Book {book + 1}"))
    site.page("/", page("The book", rows(books)))
    return site


def event_pages(host: str, voice: Voice, count: int) -> Site:
    """What is on: a date, a place, a sentence; by month, and by place."""
    site, lists = Site(host), dict[str, list[tuple[str, str]]]()
    halls = [voice.place() for _ in range(4)]
    for at in range(count):
        head, hall, text = voice.title(), voice.any(halls), voice.sentence()
        path = f"/event/2019-{at % 12 + 1:02d}-{at % 27 + 1:02d}/{slug(head)}"
        body = f"<h1>{head}</h1><p>{hall}, 19:00, entrance is free</p><p>{escape(text)}</p>"
        site.document(path, head, page(head, body), text)
        lists.setdefault(f"/month/2019-{at % 12 + 1:02d}", []).append((path, head))
        lists.setdefault(f"/hall/{hall.lower()}", []).append((path, head))
    for path, links in lists.items():
        site.page(path, page("What is on", rows(links)))
    site.page("/", page("What is on", rows((path, path[1:]) for path in lists)))
    return site


KINDS = {
    each.__name__: each
    for each in (
        glossary, recipes, questions, minutes, sections_of_law, dictionary, photo_notes, changes,
        verses, event_pages,
    )
}  # fmt: skip
