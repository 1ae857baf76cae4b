"""A shop, a library, a newspaper: what they show, and in how many ways."""

from urllib.parse import parse_qsl

from webs.sentences import Voice
from webs.sites import (
    MISSING,
    Answer,
    Site,
    article,
    lots,
    number,
    page,
    rows,
    said,
    slug,
    stories,
)


def _asked(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def shop(host: str, voice: Voice, count: int) -> Site:
    """Goods by facets that can be put together, in four orders, to buy, to compare, to remember."""
    site = Site(host)
    colours, sizes = ("red", "blue", "green", "grey"), ("s", "m", "l")
    links, says = [], {}
    for at in range(count):
        name = f"{voice.word().title()} {voice.any(('coat', 'lamp', 'chair', 'bowl', 'tent'))}"
        path = f"/product/{slug(name)}-{at}"
        links.append((path, name))
        says[path] = (name, voice.paragraphs(2, 3))

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        bare = path.partition("?")[0]
        if bare in says:
            return Answer(str(site.bodies[site.url(bare)]))
        if bare in ("/cart/add", "/wishlist/add", "/compare/add"):
            return Answer(location=f"/account/login?next={bare}", status=302)
        if bare in ("/account/login", "/cart", "/compare"):
            return Answer(page("Account", "<p>Please log in, or open an account.</p>"))
        if bare != "/goods":
            return MISSING
        some = (
            [each for each in links if number(each[0] + asked.get("colour", ""), 2)]
            if asked.get("colour")
            else links
        )
        at = int(asked.get("page", 1))
        facets = [("colour", each) for each in colours] + [("size", each) for each in sizes]
        facets += [("sort", each) for each in ("price", "name", "new", "stars")] + [
            ("show", each) for each in ("20", "all")
        ]
        ways = [
            "&".join(f"{key}={value}" for key, value in (asked | {name: each}).items())
            for name, each in facets
        ]
        more = f"/goods?{'&'.join(f'{key}={value}' for key, value in (asked | {'page': str(at + 1)}).items())}"
        return Answer(
            page(
                "Goods",
                rows(
                    [
                        *some[at * 10 - 10 : at * 10],
                        *((f"/goods?{way}", way) for way in ways),
                        (more, "Next"),
                    ]
                ),
            )
        )

    site.beyond = beyond
    for path, (name, told) in says.items():
        at = number(path, 999)
        tools = [
            (f"/cart/add?id={at}", "Buy"),
            (f"/wishlist/add?id={at}", "Remember"),
            (f"/compare/add?id={at}", "Compare"),
        ]
        tools += [(f"{path}?colour={each}", each) for each in colours]
        site.document(path, name, page(name, article(name, told, rows(tools))), *told)
    for at in range(1, (count - 1) // 10 + 2):
        site.page(f"/goods?page={at}", beyond(f"/goods?page={at}").body)
    site.page("/", page("Shop", rows([("/goods?page=1", "All goods")])))
    return site


def library(host: str, voice: Voice, count: int) -> Site:
    """Records of an archive by year, place and kind, in any combination, each with five views."""
    site = Site(host)
    keys = {
        "year": range(1950, 1958),
        "place": [voice.place() for _ in range(6)],
        "kind": ("letter", "map", "photo"),
    }

    def beyond(path: str) -> Answer:
        folders = path.strip("/").partition("?")[0].split("/")
        if folders[0] == "record" and len(folders) == 3:
            return Answer(page("Record", f"<pre>001 {folders[1]} 245 00 $a {folders[2]}</pre>"))
        if folders[0] != "browse":
            return MISSING
        chosen = folders[1:]
        ways = ["/".join(["/browse", *chosen, f"{key}-{value}"]) for key, some in keys.items() for value in some
                if not any(each.startswith(key) for each in chosen)]  # fmt: skip
        some = [links[number(path + str(n), count)] for n in range(max(1, 6 - len(chosen)))]
        return Answer(
            page("Browse", rows([*some, *((way, way.rpartition("-")[2]) for way in ways)]))
        )

    def after(path: str) -> str:
        return rows((f"{path}/{view}", view) for view in ("marc", "cite", "mail", "print"))

    links = stories(site, voice, count, "/record/{number}", after=after)
    site.beyond = beyond
    for at, some in enumerate(lots(links, 12), 1):
        site.page(f"/all/{at}", page("All records", rows([*some, (f"/all/{at + 1}", "Next")])))
    site.page("/", page("Library", rows([("/all/1", "All records"), ("/browse", "Browse")])))
    return site


def newspaper(host: str, voice: Voice, count: int) -> Site:
    """Stories by section, day and writer, with print, mail and sharing, and archives by page."""
    site = Site(host)
    heads = [(voice.title(), voice.paragraphs(), voice.name()) for _ in range(count)]
    links = [
        (f"/2021/{at % 9 + 1:02d}/{slug(head)}.html", head) for at, (head, _, _) in enumerate(heads)
    ]

    def beyond(path: str) -> Answer:
        asked, bare = _asked(path), path.partition("?")[0]
        if bare in ("/print", "/mail", "/share") and asked.get("id", "").isdigit():
            head, told, _ = heads[int(asked["id"]) % count]
            return Answer(
                page(head, article(head, told))
                if bare == "/print"
                else page("Send", "<form><input></form>")
            )
        return MISSING

    site.beyond = beyond
    for at, (path, head) in enumerate(links):
        told, who = heads[at][1:]
        tools = [(f"/{name}?id={at}", name) for name in ("print", "mail", "share")]
        by = [(f"/writer/{slug(who)}", who), (f"/section/{at % 4}/1", "Section")]
        site.document(path, head, page(head, article(head, told, rows([*tools, *by]))), *told)
        site.page(f"/writer/{slug(who)}", page(who, f"<h1>{who}</h1>{rows([links[at]])}"))
    for section in range(4):
        own = lots(links[section::4], 5)
        for at, some in enumerate(own, 1):
            more = [(f"/section/{section}/{at + 1}", "Older")] if at < len(own) else []
            site.page(f"/section/{section}/{at}", page(f"Section {section}", rows([*some, *more])))
    site.page(
        "/",
        page(
            "Paper",
            rows((f"/section/{section}/1", f"Section {section}") for section in range(4))
            + said(heads[0][1][:1]),
        ),
    )
    return site


KINDS = {each.__name__: each for each in (shop, library, newspaper)}
