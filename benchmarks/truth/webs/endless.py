"""Sites of some twenty stories beside which something has no end."""

from collections.abc import Callable
from urllib.parse import parse_qsl

from webs.sentences import Voice
from webs.sites import MISSING, Answer, Site, article, link, number, page, rows, slug, stories

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September",
          "October", "November", "December")  # fmt: skip


def _beside(
    host: str, voice: Voice, count: int, way: tuple[str, str], beyond: Callable[[str], Answer]
) -> Site:
    """Return a site of stories from each of which a link leads to what has no end."""
    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, menu=[way])
    site.page("/", page("Our village", rows(links), [way]))
    return site


def calendar(host: str, voice: Voice, count: int) -> Site:
    """Months for ever, a few of them with an event."""

    def month(path: str) -> Answer:
        if not path.startswith("/calendar"):
            return MISSING
        asked = dict(parse_qsl(path.partition("?")[2]))
        at = int(asked.get("y", 2024)) * 12 + int(asked.get("m", 5)) - 1
        ways = [f"/calendar?m={near % 12 + 1}&y={near // 12}" for near in (at - 1, at + 1)]
        days = " ".join(map(str, range(1, 31)))
        event = f"<p>{voice.sentence()}</p>" if number(path, 8) == 0 else "<p>No events.</p>"
        title = f"{MONTHS[at % 12]} {at // 12}"
        around = link(ways[0], "Previous") + link(ways[1], "Next")
        return Answer(page(title, f"<h1>{title}</h1><table>{days}</table>{event}{around}"))

    return _beside(host, voice, count, ("/calendar", "Calendar"), month)


def calendar_of_views(host: str, voice: Voice, count: int) -> Site:
    """Days, weeks and months of a calendar, each with forms for print and export."""

    def view(path: str) -> Answer:
        _, first, kind, *rest = [*path.partition("?")[0].split("/"), "", ""]
        if first != "events":
            return MISSING
        at = int(rest[0]) if rest[0].isdigit() else 19800
        kind = kind or "month"
        step = {"day": 1, "week": 7, "month": 30}.get(kind, 1)
        ways = [f"/events/{kind}/{at + step}", f"/events/{kind}/{at - step}"]
        ways += [f"/events/{other}/{at}" for other in ("day", "week", "month")]
        ways += [f"/events/{kind}/{at}?view=print", f"/events/{kind}/{at}?cat={at % 5}&export=1"]
        links = rows(
            (each, name)
            for each, name in zip(
                ways, ("Next", "Back", "Day", "Week", "Month", "Print", "Export"), strict=True
            )
        )
        title = f"{MONTHS[at // 30 % 12]} {at % 30 + 1}, {at // 365 + 1970}"
        return Answer(page(title, f"<h1>{title}</h1><p>There are no events.</p>{links}"))

    return _beside(host, voice, count, ("/events/", "Events"), view)


def sessions(host: str, voice: Voice, count: int) -> Site:
    """Every link has a session id of its own, as a parameter."""
    site, visits = Site(host), iter(range(10**9))
    told = [(voice.title(), voice.paragraphs()) for _ in range(count)]

    def marked(path: str) -> str:
        return f"{path}?visit={number(f'{host} {next(visits)}'):x}"

    def body(at: int) -> str:
        ways = [
            (marked(f"/story/{near}"), told[near][0]) for near in range(at, at + 4) if near < count
        ]
        return page(told[at][0], article(*told[at], rows(ways)), [(marked("/"), "First page")])

    def beyond(path: str) -> Answer:
        bare = path.partition("?")[0]
        known = site.bodies.get(site.url(bare))
        return MISSING if known is None else Answer(known() if callable(known) else known)

    site.beyond = beyond
    for at, (title, some) in enumerate(told):
        site.document(f"/story/{at}", title, lambda at=at: body(at), *some)
    site.page(
        "/",
        lambda: page(
            "Stories", rows((marked(f"/story/{at}"), told[at][0]) for at in range(0, count, 3))
        ),
    )
    # The plain addresses are there, too.
    site.page("/all", page("All", rows((f"/story/{at}", told[at][0]) for at in range(count))))
    front = site.bodies[site.url("/")]
    site.page("/", lambda: front().replace("</main>", f"{link('/all', 'All')}</main>"))
    return site


def tokens_in_paths(host: str, voice: Voice, count: int) -> Site:
    """Below every visitor's own folder is the whole site again."""

    def beyond(path: str) -> Answer:
        token, _, rest = path.strip("/").partition("/")
        if not token.startswith("s"):
            return MISSING
        known = site.bodies.get(site.url(f"/{rest}"))
        if not isinstance(known, str):
            return MISSING
        again = f"/s{number(path, 36**7):07x}"
        return Answer(known.replace('href="/', f'href="{again}/'))

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count)
    site.page("/", page("Stories", rows([*links, ("/s4e1b09c/", "Text only")])))
    return site


def sections(host: str, voice: Voice, count: int) -> Site:
    """Sections are linked relative to wherever the reader is."""
    names = ("news", "sport", "school", "church", "farm")
    ways = rows((f"{name}/", name.title()) for name in names)

    def beyond(path: str) -> Answer:
        folders = path.strip("/").split("/")
        if any(each not in names for each in folders):
            return MISSING
        return Answer(page("Sections", f"<h1>Our sections</h1>{ways}"))

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count)
    site.page("/", page("Our village", rows(links) + ways))
    return site


def tags_put_together(host: str, voice: Voice, count: int) -> Site:
    """Each tag can be added to those before."""
    names = [voice.word() for _ in range(12)]

    def beyond(path: str) -> Answer:
        _, first, *rest = path.split("/")
        chosen = rest[0].split("+") if rest else []
        if first != "tag" or any(each not in names for each in chosen):
            return MISSING
        more = [(f"/tag/{'+'.join(sorted({*chosen, each}))}/", each) for each in names]
        some = [links[number(path + str(n), len(links))] for n in range(4)]
        return Answer(page(f"Tags {' '.join(chosen)}", rows(some) + rows(more)))

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count)
    site.page("/", page("Stories", rows([*links, *((f"/tag/{name}/", name) for name in names)])))
    return site


def pages_without_end(host: str, voice: Voice, count: int) -> Site:
    """A list goes on after its last page: the same, or nothing."""
    site = Site(host)
    links = stories(site, voice, count)

    def beyond(path: str) -> Answer:
        asked = dict(parse_qsl(path.partition("?")[2]))
        if not path.startswith("/list") or not asked.get("page", "").isdigit():
            return MISSING
        at = int(asked["page"])
        some = links[at * 5 - 5 : at * 5] or links[-5:]
        return Answer(page(f"Page {at}", rows([*some, (f"/list?page={at + 1}", "Older")])))

    site.beyond = beyond
    for at in range(1, len(links) // 5 + 1):
        site.page(f"/list?page={at}", beyond(f"/list?page={at}").body)
    site.page("/", page("Stories", rows([("/list?page=1", "All stories")])))
    return site


def searches(host: str, voice: Voice, count: int) -> Site:
    """A search proposes five others."""

    def beyond(path: str) -> Answer:
        if not path.startswith("/find"):
            return MISSING
        own = Voice(path)
        words = [f"{own.word()} {own.word()}" for _ in range(5)]
        ways = [(f"/find?q={each.replace(' ', '+')}", each) for each in words]
        return Answer(page("Search", f"<p>Nothing was found. Others searched for</p>{rows(ways)}"))

    return _beside(host, voice, count, ("/find?q=rain", "Search"), beyond)


def link_farm(host: str, voice: Voice, count: int) -> Site:
    """Text made up for every address, that leads to more of it."""

    def beyond(path: str) -> Answer:
        if not path.startswith("/offers/"):
            return MISSING
        own = Voice(path)
        ways = [own.heap(4).rstrip(".") for _ in range(8)]
        links = rows((f"/offers/{slug(each)}-{number(path + each, 9999)}", each) for each in ways)
        return Answer(page(ways[0], article(ways[0].title(), [own.heap(60), own.heap(90)], links)))

    return _beside(host, voice, count, ("/offers/best-of-all-1", "Offers"), beyond)


def told_farm(host: str, voice: Voice, count: int) -> Site:
    """The same in good sentences, by words in the path."""

    def beyond(path: str) -> Answer:
        if not path.startswith("/topics/"):
            return MISSING
        own = Voice(path)
        ways = [(f"/topics/{own.word()}-{own.word()}.html", own.title()) for _ in range(6)]
        title = own.title()
        return Answer(page(title, article(title, own.paragraphs(), rows(ways))))

    return _beside(host, voice, count, ("/topics/first-one.html", "Topics"), beyond)


def quotations(host: str, voice: Voice, count: int) -> Site:
    """A page of chance: one of thirty sayings under a new number every time."""
    sayings = [voice.sentence() for _ in range(30)]

    def beyond(path: str) -> Answer:
        if not path.startswith("/saying"):
            return MISSING
        ways = [(f"/saying?r={number(path + str(n))}", "Another") for n in range(3)]
        return Answer(page("A saying", f"<p>{sayings[number(path, 30)]}</p>{rows(ways)}"))

    return _beside(host, voice, count, ("/saying", "A saying for you"), beyond)


def never_missing(host: str, voice: Voice, count: int) -> Site:
    """What is not there answers as if it were, and stories link to much that is gone."""

    def beyond(path: str) -> Answer:
        ways = [(f"/old/{number(path + str(n), 10**6)}.htm", "See also") for n in range(4)]
        words = f"<h1>We looked for {path} everywhere</h1><p>Please begin at our first page.</p>"
        return Answer(page("Sorry", words + rows(ways)))

    return _beside(host, voice, count, ("/old/1.htm", "Our old pages"), beyond)


def logins(host: str, voice: Voice, count: int) -> Site:
    """Every story can be saved, liked and answered by members: two redirects to one form."""
    places = ("save", "like", "answer", "report", "follow")

    def after(path: str) -> str:
        own = [(f"/{name}/{number(path, 10**6)}", name.title()) for name in places[:3]]
        own += [(f"/{name}?story={number(path, 10**6)}", name.title()) for name in places[3:]]
        return rows([*own, (f"/writer/{number(path, 900)}", "The writer")])

    def beyond(path: str) -> Answer:
        first = path.strip("/").partition("/")[0].partition("?")[0]
        if first in (*places, "writer"):
            return Answer(location=f"/go?to={path.strip('/').replace('?', '%3F')}", status=302)
        if first == "go":
            return Answer(location=f"/members/login?back={path.partition('to=')[2]}", status=302)
        if path.startswith("/members/login"):
            form = (
                "<form><input name=user><input type=password name=pass><button>In</button></form>"
            )
            return Answer(page("Log in", f"<h1>Log in</h1>{form}"))
        return MISSING

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, after=after)
    site.page("/", page("Stories", rows(links)))
    return site


KINDS = {
    each.__name__: each
    for each in (
        calendar, calendar_of_views, sessions, tokens_in_paths, sections, tags_put_together,
        pages_without_end, searches, link_farm, told_farm, quotations, never_missing, logins,
    )
}  # fmt: skip
