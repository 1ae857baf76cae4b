"""Traps that are measured and never tuned on: other spellings, other doors, other made-up text."""

from collections.abc import Callable
from itertools import product
from urllib.parse import parse_qsl

from webs.sentences import Voice
from webs.sites import MISSING, Answer, Site, article, link, lots, number, page, rows, stories


def _asked(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def _with_front(
    host: str, voice: Voice, count: int, beyond: Callable[[str], Answer], way: tuple[str, str],
    form: str = "/story/{slug}",
) -> tuple[Site, list[tuple[str, str]]]:  # fmt: skip
    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, form, menu=[way])
    site.page("/", page("Our town", rows([*links, way])))
    return site, links


def planner(host: str, voice: Voice, count: int) -> Site:
    """A calendar by date, category and list or grid, whose pages tell what the time is."""

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        if not path.startswith("/planner"):
            return MISSING
        year, month = (asked.get("date", "2025-03") + "-").split("-")[:2]
        at = int(year) * 12 + int(month) - 1
        ways = [
            f"/planner?date={near // 12}-{near % 12 + 1:02d}&cat={cat}&view={view}"
            for near in (at - 1, at + 1)
            for cat, view in ((asked.get("cat", "all"), asked.get("view", "grid")),)
        ]
        ways += [
            f"/planner?date={year}-{month}&cat={cat}&view={view}"
            for cat, view in product(("all", "music", "sport", "church"), ("grid", "list", "ics"))
        ]
        words = f"<p>It is {number(path, 24)}:{number(path, 60):02d}. No dates were found.</p>"
        return Answer(page("Planner", words + rows((each, "Go") for each in ways)))

    return _with_front(host, voice, count, beyond, ("/planner", "Planner"))[0]


def versions_of_code(host: str, voice: Voice, count: int) -> Site:
    """Trac: sets of changes, a time line, files as they were, and their differences."""

    def beyond(path: str) -> Answer:
        first = path.strip("/").partition("?")[0].split("/")[0]
        if first not in ("changeset", "timeline", "browser", "log", "diff"):
            return MISSING
        own = Voice(path)
        at = number(path, 4000)
        ways = [(f"/changeset/{at + n}", f"[{at + n}]") for n in range(3)]
        ways += [(f"/browser/src/{name}.c?rev={at}", name) for name in ("main", "read")]
        ways += [(f"/timeline?from={at % 28 + 1}/03/19&daysback={at % 90}", "Earlier"),
                 (f"/log/src?rev={at}", "Log"), (f"/diff?old={at}&new={at + 1}", "Diff")]  # fmt: skip
        lines = "<br>".join(f"- {own.word()} = {own.word()};" for _ in range(4))
        return Answer(page(f"Source {at}", f"<pre>{lines}</pre>{rows(ways)}"))

    return _with_front(host, voice, count, beyond, ("/timeline", "Source"), "/wiki/{slug}")[0]


def baskets(host: str, voice: Voice, count: int) -> Site:
    """Every link has the number of the reader's basket, a parameter between semicolons."""
    site, turn = Site(host), iter(range(10**9))

    def mark(path: str) -> str:
        return f"{path}{'&' if '?' in path else '?'}bsk={number(f'{next(turn)}'):d}"

    told = [(voice.title(), voice.paragraphs()) for _ in range(count)]

    def show(at: int) -> str:
        near = [
            (mark(f"/item?no={n % count}"), told[n % count][0]) for n in (at + 1, at + 2, at + 7)
        ]
        return page(told[at][0], article(*told[at], rows(near)), [(mark("/"), "Home")])

    def beyond(path: str) -> Answer:
        asked, bare = _asked(path), path.partition("?")[0]
        if bare == "/item" and asked.get("no", "").isdigit() and int(asked["no"]) < count:
            return Answer(show(int(asked["no"])))
        if bare == "/":
            return Answer(front())
        return MISSING

    def front() -> str:
        links = [(mark(f"/item?no={at}"), told[at][0]) for at in range(0, count, 4)]
        plain = [(f"/item?no={at}", told[at][0]) for at in range(count)]
        return page("Goods", rows([*links, *plain]))

    site.beyond = beyond
    for at, (title, some) in enumerate(told):
        site.document(f"/item?no={at}", title, lambda at=at: show(at), *some)
    site.page("/", front)
    return site


def pit(host: str, voice: Voice, count: int) -> Site:
    """Numbered pages of words thrown together, one folder each, ten links a page."""

    def beyond(path: str) -> Answer:
        parts = path.strip("/").split("/")
        if parts[0] != "notes" or len(parts) != 3:
            return MISSING
        own = Voice(path)
        ways = [
            (f"/notes/{number(path + str(n), 90)}/{own.word()}{own.word()}.htm", own.title())
            for n in range(10)
        ]
        return Answer(
            page(own.title(), article(own.title(), [own.heap(50) for _ in range(3)], rows(ways)))
        )

    return _with_front(host, voice, count, beyond, ("/notes/1/first.htm", "Notes"))[0]


def letters_to_nobody(host: str, voice: Voice, count: int) -> Site:
    """Whole stories made up at the root of a site beside the true ones."""

    def beyond(path: str) -> Answer:
        if not path.endswith(".html"):
            return MISSING
        own = Voice(path)
        ways = [(f"/{own.word()}-{own.word()}-{own.word()}.html", own.title()) for _ in range(4)]
        return Answer(page(own.title(), article(own.title(), own.paragraphs(), rows(ways))))

    return _with_front(host, voice, count, beyond, ("/more-of-it.html", "More"))[0]


def gate(host: str, voice: Voice, count: int) -> Site:
    """Comments, profiles and replies lead to one gate by two redirects; it answers 200."""

    def after(path: str) -> str:
        at = number(path, 10**5)
        ways = [f"/node/{at}/reply", f"/node/{at}/subscribe", f"/profile/{at % 997}", f"/rate/{at}/5",
                f"/bookmark?n={at}", f"/node/{at}/translate?to=fr"]  # fmt: skip
        return rows((each, "Do it") for each in ways)

    def beyond(path: str) -> Answer:
        if path.startswith(("/node/", "/profile/", "/rate/", "/bookmark")):
            return Answer(location=f"/gate/{number(path):x}", status=307)
        if path.startswith("/gate/"):
            return Answer(location=f"/welcome?ticket={path[6:]}", status=302)
        if path.startswith("/welcome"):
            return Answer(
                page("Join us", "<h1>Join us</h1><p>Members can do this. Join us today!</p>")
            )
        return MISSING

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, after=after)
    site.page("/", page("Stories", rows(links)))
    return site


def flats(host: str, voice: Voice, count: int) -> Site:
    """What was chosen stands in one folder, between commas, in any order."""
    names = ("rooms-2", "rooms-3", "garden", "lift", "old", "new", "quiet", "cheap")

    def beyond(path: str) -> Answer:
        parts = path.strip("/").split("/")
        chosen = parts[1].split(",") if len(parts) > 1 else []
        if parts[0] != "flats" or any(each not in names for each in chosen):
            return MISSING
        some = links[number("".join(sorted(chosen)), 5) :: 5][:5]
        ways = [
            (f"/flats/{','.join([*chosen, each])}", each) for each in names if each not in chosen
        ]
        return Answer(page("Flats", rows([*some, *ways])))

    site, links = _with_front(host, voice, count, beyond, ("/flats", "Flats"))
    return site


def shelves(host: str, voice: Voice, count: int) -> Site:
    """Lists by an order, a direction and a page, all as folders."""

    def beyond(path: str) -> Answer:
        parts = path.strip("/").split("/")
        if parts[0] != "books" or len(parts) != 4 or not parts[3].startswith("page-"):
            return MISSING
        own = lots(sorted(links, key=lambda each: number(parts[1] + parts[2] + each[0])), 8)
        at = int(parts[3][5:])
        shown = own[at % len(own)]
        ways = [(f"/books/{by}/{way}/page-{at}", by)
                for by, way in product(("by-title", "by-writer", "by-year", "by-length"), ("up", "down"))]  # fmt: skip
        ways += [(f"/books/{parts[1]}/{parts[2]}/page-{at + 1}", "Next")]
        return Answer(page("Books", rows([*shown, *ways])))

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count)
    site.page("/", page("Books", rows([("/books/by-title/up/page-0", "Books"), *links])))
    return site


def alike(host: str, voice: Voice, count: int) -> Site:
    """Stories like a story, like that, and like those before: ever longer rows of numbers."""

    def after(path: str) -> str:
        return link(f"/similar/{number(path, 900)}", "Similar ones")

    def beyond(path: str) -> Answer:
        parts = path.strip("/").split("/")
        if parts[0] != "similar":
            return MISSING
        some = [links[number(f"{path} {n}", count)] for n in range(4)]
        ways = [
            (f"/similar/{'/'.join(parts[1:][-4:])}/{number(path + str(n), 900)}", "Like this")
            for n in range(4)
        ]
        return Answer(page("Similar", rows([*some, *ways])))

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, after=after)
    count = len(links)
    site.page("/", page("Stories", rows(links)))
    return site


def readers(host: str, voice: Voice, count: int) -> Site:
    """Stories for readers of all kinds: below a folder, behind an ending, in a language."""

    def after(path: str) -> str:
        name = path[6:]
        ways = [f"/print{path}", f"/text{name}", f"{path}.pdf.html", f"{path}?lang=fr", f"{path}?lang=de",
                f"/share?url={path}&on=mail", f"/reader{path}?theme=dark"]  # fmt: skip
        return rows((each, "Read") for each in ways)

    def beyond(path: str) -> Answer:
        if path.startswith("/share"):
            return Answer(page("Share", "<form><input name=mail></form>"))
        bare = path.partition("?")[0].removesuffix(".pdf.html")
        for folder in ("/print", "/reader"):
            bare = bare.removeprefix(folder)
        bare = f"/story{bare[5:]}" if bare.startswith("/text/") else bare
        known = site.documents.get(site.url(bare))
        if known is None:
            return MISSING
        return Answer(page(known[0], article(known[0], known[1].split("\n")[1:], after(bare))))

    site = Site(host)
    links = stories(site, voice, count, after=after)
    site.beyond = beyond
    site.page("/", page("Stories", rows(links)))
    return site


def numbers_of_phones(host: str, voice: Voice, count: int) -> Site:
    """Who called? The same words about any number, which lead to the numbers beside it."""

    def beyond(path: str) -> Answer:
        digits = path.rpartition("/")[2]
        if not path.startswith("/number/") or not digits.isdigit():
            return MISSING
        at = int(digits)
        ways = [(f"/number/0{at + step}", f"0{at + step}") for step in (1, 2, 10, 100)]
        words = (
            f"<p>Do you know who called from 0{at}? It was looked up {number(path, 90)} times.</p>"
        )
        return Answer(page(f"0{at}", words + rows([*ways, (f"/number/0{at}/report", "Report")])))

    return _with_front(host, voice, count, beyond, ("/number/0215550100", "Who called?"))[0]


KINDS = {
    each.__name__: each
    for each in (
        planner, versions_of_code, baskets, pit, letters_to_nobody, gate, flats, shelves, alike,
        readers, numbers_of_phones,
    )
}  # fmt: skip
