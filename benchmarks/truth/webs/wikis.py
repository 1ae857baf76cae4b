"""A wiki: what its writers wrote, and the views that the system makes of every page."""

from html import escape
from itertools import product
from urllib.parse import parse_qsl, quote

from webs.sentences import Voice
from webs.sites import (
    Answer,
    Site,
    article,
    link,
    number,
    page,
    rows,
)


def _asked(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def wiki(host: str, voice: Voice, count: int) -> Site:
    """MediaWiki: each page with its talk, history, differences, forms and special pages."""
    site = Site(host)
    names = list(dict.fromkeys(voice.title().rstrip(".?") for _ in range(count)))
    told = {name: voice.paragraphs(2, 4) for name in names}
    edits = {name: voice.chance.randint(3, 12) for name in names}
    tools = ("WhatLinksHere", "RecentChangesLinked")

    def place(name: str) -> str:
        return "/wiki/" + quote(name.replace(" ", "_"))

    def script(name: str, **keys: object) -> str:
        pairs = "".join(f"&{key}={value}" for key, value in keys.items())
        return f"/w/index.php?title={quote(name.replace(' ', '_'))}{pairs}"

    def views(name: str) -> str:
        newest = number(name, 9000) + edits[name]
        ways = [(script(name, action="edit"), "Edit"), (script(name, action="history"), "History"),
                (script(name, action="info"), "Information"), (script(name, oldid=newest), "Lasting link"),
                (script(name, printable="yes"), "To print"), (place(f"Talk:{name}"), "Talk"),
                (script("Special:UserLogin", returnto=quote(name)), "Log in"),
                (f"/wiki/Special:CiteThisPage?page={quote(name)}&id={newest}", "Cite this page")]  # fmt: skip
        ways += [(f"/wiki/Special:{tool}/{quote(name.replace(' ', '_'))}", tool) for tool in tools]
        return rows(
            [
                *ways,
                ("/wiki/Special:RecentChanges", "Changes"),
                ("/wiki/Special:Random", "Any page"),
            ]
        )

    def body(name: str, some: list[str]) -> str:
        others = [names[number(name + str(n), len(names))] for n in range(5)]
        gone = script(f"{voice.any(names)} {number(name, 90)}", action="edit", redlink=1)
        see = rows([*((place(each), each) for each in others), (gone, "Not written yet")])
        return page(name, article(name, some, see) + views(name))

    def history(name: str, newest: int) -> str:
        own = Voice(name)
        lines = []
        for at in range(newest, newest - edits[name], -1):
            who = own.name().replace(" ", "_")
            lines += [link(script(name, oldid=at), f"{at % 28 + 1} May 2019"),
                      link(script(name, diff=at, oldid="prev"), "prev"),
                      link(script(name, diff="cur", oldid=at), "cur"),
                      link(f"/wiki/User:{who}", who), link(f"/wiki/Special:Contributions/{who}", "contribs"),
                      link(script(name, action="edit", undo=at), "undo"), f"<i>{own.sentence()}</i>"]  # fmt: skip
        more = [
            (script(name, action="history", limit=n, offset=newest), f"{n}") for n in (20, 50, 100)
        ]
        return page(f"History of {name}", "<br>".join(lines) + rows(more) + views(name))

    def special(path: str, title: str) -> Answer:
        name, _, rest = title.partition(":")[2].partition("/")
        if name == "Random":
            return Answer(
                location=place(names[number(path + str(voice.chance.random()), len(names))]),
                status=302,
            )
        if name == "UserLogin":
            return Answer(page("Log in", "<form><input type=password></form>"))
        asked = _asked(path)
        around = [(f"/w/index.php?title={quote(title)}&{key}={value}", f"{key} {value}")
                  for key, value in product(("limit", "days", "hideminor", "from"), (1, 50, 100))]  # fmt: skip
        some = [names[number(path + str(n), len(names))] for n in range(6)]
        own = Voice(f"{name}{rest}{sorted(asked.items())}")
        words = rows((place(each), each) for each in some) + f"<p>({own.sentence()})</p>"
        return Answer(page(f"{name} {rest}", f"<h1>{name}</h1>{words}{rows(around)}"))

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        title = asked.get("title", path.removeprefix("/wiki/").partition("?")[0])
        title = site_name(title)
        if title.startswith("Special:"):
            return special(path, title)
        space, colon, rest = title.partition(":")
        if colon and space in ("User", "User_talk", "User talk"):
            return Answer(
                page(title, "<p>There is no page of this name yet. You may write it.</p>"),
                status=404,
            )
        name = rest if space in ("Talk",) and colon else title
        if name not in told:
            return Answer(page(title, "<p>There is no text on this page yet.</p>"), status=404)
        newest = number(name, 9000) + edits[name]
        if asked.get("action") == "history":
            return Answer(history(name, newest))
        if asked.get("action") in ("edit", "info"):
            source = f"<textarea>{escape(' '.join(told[name]))}</textarea>"
            return Answer(page(f"{asked['action']} {name}", source + views(name)))
        if "diff" in asked or "oldid" in asked:
            at = int(asked["diff"] if asked.get("diff", "").isdigit() else asked.get("oldid", "0"))
            own = Voice(f"{name} {at}")
            older = [*told[name][:-1], own.paragraph(1, 3)]
            ways = [(script(name, diff=at + n, oldid=at), "Difference") for n in (-1, 1)]
            lead = f"<p>Version of {at % 28 + 1} May by {own.name()} ({own.sentence()})</p>"
            return Answer(
                page(f"{name}: versions", lead + article(name, older) + rows(ways) + views(name))
            )
        if asked.get("printable"):
            return Answer(page(name, article(name, told[name])))
        return Answer(page(title, "<p>There is no talk about this page yet.</p>"), status=404)

    def site_name(title: str) -> str:
        return title.replace("_", " ").replace("%20", " ").replace("%2C", ",").replace("%3A", ":")

    site.beyond = beyond
    for name in names:
        site.document(place(name), name, body(name, told[name]), *told[name])
        if number(name, 4) == 0:
            talk = [f"{voice.sentence()} {voice.name()}" for _ in range(4)]
            site.page(
                place(f"Talk:{name}"),
                page(f"Talk:{name}", article(f"Talk:{name}", talk) + views(name)),
            )
    site.page(
        "/",
        page(
            "Main page",
            rows((place(name), name) for name in names[::4])
            + rows([("/wiki/Special:AllPages", "All pages")]),
        ),
    )
    site.page(
        "/wiki/Special:AllPages", page("All pages", rows((place(name), name) for name in names))
    )
    return site


KINDS = {each.__name__: each for each in (wiki,)}
