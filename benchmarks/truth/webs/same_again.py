"""Sites of stories whose addresses have no end of spellings: looked at while rules are made."""

from collections.abc import Callable
from itertools import product
from urllib.parse import parse_qsl

from webs.sentences import Voice
from webs.sites import MISSING, Answer, Site, article, lots, number, page, rows, slug, stories


def _asked(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def _with_front(
    host: str, voice: Voice, count: int, beyond: Callable[[str], Answer], way: tuple[str, str]
) -> tuple[Site, list[tuple[str, str]]]:
    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, menu=[way])
    site.page("/", page("Our village", rows([*links, way])))
    return site, links


def days_of_months(host: str, voice: Voice, count: int) -> Site:
    """A month leads to its days, its neighbours and years; a day to an export and a form."""

    def beyond(path: str) -> Answer:
        parts = path.partition("?")[0].strip("/").split("/")
        if parts[0] != "cal" or not all(map(str.isdigit, parts[1:])):
            return MISSING
        year, month, *day = map(int, parts[1:] if len(parts) > 2 else (2024, 5))
        near = [divmod(year * 12 + month - 1 + step, 12) for step in (-12, -1, 1, 12)]
        ways = [(f"/cal/{a}/{b + 1:02d}", f"{b + 1}/{a}") for a, b in near]
        if not day:
            ways += [(f"/cal/{year}/{month:02d}/{n:02d}", str(n)) for n in range(1, 29)]
        at = f"/cal/{year}/{month:02d}/{day[0]:02d}" if day else "/cal"
        ways += [(f"{at}?export=ics", "Export"), (f"{at}?add=1", "Add an event")]
        words = "Nothing is planned for this day." if day else "Choose a day."
        return Answer(page("Calendar", f"<h1>{year} {month}</h1><p>{words}</p>{rows(ways)}"))

    return _with_front(host, voice, count, beyond, ("/cal/2024/05", "Calendar"))[0]


def filters(host: str, voice: Voice, count: int) -> Site:
    """Goods filtered by four properties, each of which can be chosen more than once."""
    values = {"brand": "abc", "colour": "rgb", "size": "sml", "price": "123"}

    def beyond(path: str) -> Answer:
        if not path.startswith("/goods"):
            return MISSING
        chosen = sorted(path.partition("?")[2].split("&")) if "?" in path else []
        some = links[number(path, 4) :: 4][:6]
        more = [f"{key}={one}" for key, each in values.items() for one in each]
        ways = [(f"/goods?{'&'.join(sorted({*chosen, each}))}", each) for each in more]
        return Answer(page("Goods", rows([*some, *ways])))

    site, links = _with_front(host, voice, count, beyond, ("/goods", "Goods"))
    return site


def filters_in_folders(host: str, voice: Voice, count: int) -> Site:
    """The same as folders, in the order in which they were chosen."""
    names = [f"{key}-{value}" for key in ("brand", "colour", "size") for value in ("a", "b", "c")]

    def beyond(path: str) -> Answer:
        first, *chosen = path.strip("/").split("/")
        if first != "goods" or any(each not in names for each in chosen):
            return MISSING
        some = links[number("".join(sorted(chosen)), 4) :: 4][:6]
        ways = [(f"{path.rstrip('/')}/{each}/", each) for each in names if each not in chosen]
        return Answer(page("Goods", rows([*some, *ways])))

    site, links = _with_front(host, voice, count, beyond, ("/goods/", "Goods"))
    return site


def visitors(host: str, voice: Voice, count: int) -> Site:
    """Each link carries a new id of the visitor behind that of the page, in the path."""
    turn = iter(range(10**9))
    site = Site(host)
    links = stories(site, voice, count)

    def beyond(path: str) -> Answer:
        bare, mark, _ = path.partition("~")
        known = site.bodies.get(site.url(bare.rstrip("/") or "/"))
        if not mark or not isinstance(known, str):
            return MISSING
        return Answer(_marked(known))

    def _marked(body: str) -> str:
        for way, _ in [*links, ("/all", "")]:
            body = body.replace(f'"{way}"', f'"{way}/~{number(f"{next(turn)}"):09x}"')
        return body

    site.beyond = beyond
    site.page("/all", page("All", rows(links)))
    front = page("Stories", rows([*links[:6], ("/all", "All")]))
    site.page("/", lambda: _marked(front) + rows([("/all", "Plain")]))
    return site


def orders(host: str, voice: Voice, count: int) -> Site:
    """One table of all stories in eight orders, three sizes, two views, and its parts."""

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        if not path.startswith("/table"):
            return MISSING
        size = int(asked.get("per", 10))
        key = asked.get("sort", "") + asked.get("dir", "")
        own = lots(sorted(links, key=lambda each: number(key + each[0]) if key else 0), size)
        at = int(asked.get("p", 1))
        shown = own[at - 1] if 0 < at <= len(own) else []
        kept = f"sort={asked.get('sort', 'date')}&dir={asked.get('dir', 'up')}&per={size}"
        ways = [(f"/table?{kept}&p={n}", str(n)) for n in range(1, len(own) + 1)]
        ways += [(f"/table?sort={name}&dir={way}&per={size}&p={at}", name)
                 for name, way in product(("date", "title", "writer", "read"), ("up", "down"))]  # fmt: skip
        ways += [(f"/table?{kept}&p={at}&view={view}", view) for view in ("grid", "list")]
        ways += [(f"/table?sort=date&dir=up&per={n}&p={at}", f"{n} a page") for n in (10, 20, 50)]
        return Answer(page("Table", rows([*shown, *ways])))

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count)
    site.page("/", page("Table", rows([("/table", "All stories")])))
    return site


def doors(host: str, voice: Voice, count: int) -> Site:
    """What a member could do leads by three redirects to a form with a new state each time."""
    state = iter(range(10**9))

    def after(path: str) -> str:
        at = number(path, 10**5)
        return rows((f"/do/{name}/{at}", name) for name in ("keep", "vote", "mail", "flag", "edit"))

    def beyond(path: str) -> Answer:
        if path.startswith("/do/"):
            return Answer(location=f"/session/check?next={path}", status=302)
        if path.startswith("/session/check"):
            return Answer(location=f"/session/start?t={number(str(next(state))):x}", status=302)
        if path.startswith("/session/start"):
            return Answer(location=f"/session/form?state={number(str(next(state))):x}", status=302)
        if path.startswith("/session/form"):
            return Answer(page("Members", "<p>Who are you?</p><form><input type=password></form>"))
        return MISSING

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, after=after)
    site.page("/", page("Stories", rows(links)))
    return site


def maze(host: str, voice: Voice, count: int) -> Site:
    """Text made up for every address, in folders of words that grow: a pit for crawlers."""
    words = [voice.word() for _ in range(60)]

    def beyond(path: str) -> Answer:
        if not path.startswith("/lib/"):
            return MISSING
        own = Voice(path)
        bare = path.rstrip("/")
        deep = bare if bare.count("/") < 6 else "/lib"
        ways = [(f"{deep}/{own.any(words)}/{own.any(words)}", own.word()) for _ in range(5)]
        return Answer(
            page(own.word(), article(own.word(), [own.heap(70), own.heap(40)], rows(ways)))
        )

    return _with_front(host, voice, count, beyond, ("/lib/", "Library"))[0]


def tales_in_a_row(host: str, voice: Voice, count: int) -> Site:
    """The same by number, each of which leads to the next alone."""

    def beyond(path: str) -> Answer:
        if not path.startswith("/tale?n="):
            return MISSING
        own, at = Voice(path), path[8:]
        after = int(at) + 1 if at.isdigit() else 1
        return Answer(
            page("Tale", article("Tale", own.paragraphs(), rows([(f"/tale?n={after}", "Next")])))
        )

    return _with_front(host, voice, count, beyond, ("/tale?n=1", "A tale"))[0]


def page_actions(host: str, voice: Voice, count: int) -> Site:
    """MoinMoin: what may be done with a page, its versions, what links to it, its attachments."""
    site = Site(host)
    doings = ("edit", "info", "raw", "print", "AttachFile", "LikePages", "fullsearch", "login",
              "LocalSiteMap", "SpellCheck")  # fmt: skip

    def after(path: str) -> str:
        ways = [(f"{path}?action={do}", do) for do in doings]
        return rows([*ways, (f"{path}?action=diff&rev1={number(path, 50)}&rev2=51", "Changes")])

    def beyond(path: str) -> Answer:
        bare, asked = path.partition("?")[0], _asked(path)
        if site.url(bare) not in site.documents:
            return MISSING
        title, told = site.documents[site.url(bare)]
        do, own = asked.get("action", ""), Voice(path)
        if do == "info":
            versions = [
                (f"{bare}?action=recall&rev={n}", f"{own.name()}: {own.sentence()}")
                for n in range(6)
            ]
            versions += [(f"{bare}?action=diff&rev1={n}&rev2={n + 1}", "diff") for n in range(5)]
            return Answer(page(f"Info {title}", rows(versions) + after(bare)))
        if do in ("diff", "recall"):
            some = [*told.split("\n")[1:-1], own.sentence()]
            return Answer(page(title, article(title, some, after(bare))))
        if do in ("LikePages", "fullsearch", "LocalSiteMap"):
            return Answer(page(do, rows(links[number(path + str(n), count)] for n in range(5))))
        if do in ("raw", "print"):
            return Answer(page(title, article(title, told.split("\n")[1:])))
        return Answer(page(do, f"<p>You are not allowed to do {do} on this page.</p>"))

    links = stories(site, voice, count, "/{slug}", after=after)
    site.beyond = beyond
    site.page("/", page("Front page", rows(links)))
    return site


def compared(host: str, voice: Voice, count: int) -> Site:
    """Any two stories side by side, and each as it was found from another."""

    def after(path: str) -> str:
        own, near = slug(path[7:]), [number(path + str(n), count) for n in range(4)]
        ways = [(f"/compare/{own}-vs-{slug(links[n][0][7:])}", "Compare") for n in near if links]
        return rows([*ways, *((f"{links[n][0]}?from={own}&pos={n}", links[n][1]) for n in near)])

    def beyond(path: str) -> Answer:
        bare = path.partition("?")[0]
        if bare in told:
            return Answer(page(told[bare][0], article(*told[bare], after(bare))))
        if path.startswith("/compare/"):
            both = [told.get(f"/story/{each}") for each in path[9:].split("-vs-")]
            shown = "".join(article(*each) for each in both if each)
            return Answer(page("Side by side", shown) if shown else "")
        return MISSING

    site, told = Site(host), dict[str, tuple[str, list[str]]]()
    for _ in range(count):
        title = voice.title()
        told[f"/story/{slug(title)}"] = (title, voice.paragraphs())
    links = [(path, title) for path, (title, _) in told.items()]
    count = len(links)
    for path, (title, some) in told.items():
        site.document(path, title, page(title, article(title, some, after(path))), *some)
    site.beyond = beyond
    site.page("/", page("Stories", rows(links)))
    return site


def devices(host: str, voice: Voice, count: int) -> Site:
    """Every story to print, for a phone, large, as plain text, and in a frame."""

    def after(path: str) -> str:
        name = path.removeprefix("/story/")
        ways = [f"{path}/print", f"/m/story/{name}", f"{path}?font=large", f"{path}?plain=1",
                f"/amp/{name}", f"/frame?of={name}"]  # fmt: skip
        return rows((each, "View") for each in ways)

    def beyond(path: str) -> Answer:
        bare = path.partition("?")[0].removesuffix("/print").removeprefix("/m")
        bare = bare.replace("/amp/", "/story/") if "frame" not in path else f"/story/{path[10:]}"
        known = site.documents.get(site.url(bare))
        if known is None:
            return MISSING
        return Answer(page(known[0], article(known[0], known[1].split("\n")[1:], after(bare))))

    site = Site(host)
    links = stories(site, voice, count, after=after)
    site.beyond = beyond
    site.page("/", page("Stories", rows(links)))
    return site


def empty_pages(host: str, voice: Voice, count: int) -> Site:
    """An archive goes on behind its last page with stories of chance, by folder."""

    def beyond(path: str) -> Answer:
        if not path.startswith("/archive/page/") or not path[14:].strip("/").isdigit():
            return MISSING
        at = int(path[14:].strip("/"))
        some = [links[number(f"{path} {n}", count)] for n in range(5)]
        ways = [(f"/archive/page/{n}/", str(n)) for n in (at + 1, at + 2, at + 10)]
        return Answer(page("Archive", rows([*some, *ways])))

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count)
    count = len(links)
    for at, some in enumerate(lots(links, 8), 1):
        more = [(f"/archive/page/{at + 1}/", "Older")]
        site.page(f"/archive/page/{at}/", page("Archive", rows([*some, *more])))
    site.page("/", page("Stories", rows([("/archive/page/1/", "Archive")])))
    return site


def found_words(host: str, voice: Voice, count: int) -> Site:
    """Every word of a story's head leads to a search, which shows the places it was found at."""

    def after(path: str) -> str:
        return rows((f"/search?q={each}", each) for each in path[7:].split("-")[:5])

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        if not path.startswith("/search"):
            return MISSING
        found = [each for each in links if asked.get("q", "") in each[0]][:6]
        shown = "".join(
            f"<p>...{site.documents[site.url(each[0])][1][40:140]}...</p>" for each in found
        )
        more = [
            (f"/search?q={asked.get('q')}+{word}", word)
            for word in "".join(e[0] for e in found[:2])[7:].split("-")[:4]
        ]
        return Answer(
            page("Found", f"<h1>Found {len(found)} times</h1>{shown}{rows([*found, *more])}")
        )

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, after=after)
    site.page("/", page("Stories", rows(links)))
    return site


KINDS = {
    each.__name__: each
    for each in (
        days_of_months, filters, filters_in_folders, visitors, orders, doors, maze, tales_in_a_row,
        page_actions, compared, devices, empty_pages, found_words,
    )
}  # fmt: skip
