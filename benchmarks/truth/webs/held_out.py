"""Kinds that are measured and never tuned on: other systems, other traps, other short texts."""

from itertools import product
from urllib.parse import parse_qsl

from webs.sentences import Voice
from webs.sites import (
    MISSING,
    Answer,
    Site,
    article,
    link,
    lots,
    number,
    page,
    rows,
    slug,
    stories,
)


def _asked(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def blog(host: str, voice: Voice, count: int) -> Site:
    """WordPress: answers to each comment, shares, feeds, tags, writers and months."""
    site = Site(host)

    def after(path: str) -> str:
        many = [number(path + str(n), 10**5) for n in range(4)]
        ways = [(f"{path}?replytocom={each}", "Answer") for each in many]
        ways += [(f"{path}?share={name}&nb=1", name) for name in ("mail", "print", "chat")]
        ways += [(f"{path}?like_comment={each}&_wpnonce={each:x}", "Like") for each in many]
        ways += [(f"{path}feed/", "Feed"), (f"{path}embed/", "Embed"), (f"/?p={many[0]}", "Short")]
        return rows(
            [
                *ways,
                (f"/tag/{slug(path)[:4]}/", "Tag"),
                ("/wp-login.php?redirect_to=" + path, "Log in"),
            ]
        )

    def beyond(path: str) -> Answer:
        bare = path.partition("?")[0]
        known = site.bodies.get(site.url(bare))
        if known and bare != "/":
            return (
                Answer(location="/wp-login.php", status=302)
                if "like" in path
                else Answer(str(known))
            )
        if path.startswith("/wp-login"):
            return Answer(page("Log in", "<form><input type=password></form>"))
        if bare.endswith("/embed/"):
            return Answer(str(site.bodies.get(site.url(bare.removesuffix("embed/")), "")))
        if path.startswith("/tag/"):
            return Answer(page("Tag", rows(links[number(bare + str(n), count)] for n in range(3))))
        return MISSING

    links = stories(site, voice, count, "/2019/04/{slug}/", after=after)
    site.beyond = beyond
    own = lots(links, 8)
    for at, some in enumerate(own, 1):
        more = [(f"/page/{at + 1}/", "Older")] if at < len(own) else []
        site.page("/" if at == 1 else f"/page/{at}/", page("Blog", rows([*some, *more])))
    return site


def plain_wiki(host: str, voice: Voice, count: int) -> Site:
    """DokuWiki: ids, versions, differences, backlinks, an index that unfolds."""
    site = Site(host)

    def after(path: str) -> str:
        name = path.partition("id=")[2]
        first = number(name)
        ways = [
            (f"/doku.php?id={name}&do={do}", do)
            for do in ("edit", "revisions", "backlink", "index", "login", "recent", "export_xhtml")
        ]
        ways += [(f"/doku.php?id={name}&rev={first - n * 7919}", "Older") for n in range(1, 5)]
        ways += [
            (f"/doku.php?id={name}&do=diff&rev2[0]={first - n}&rev2[1]={first}", "Compare")
            for n in range(1, 4)
        ]
        return rows([*ways, (f"/doku.php?id=wiki:{name}&idx=wiki", "Unfold")])

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        name = asked.get("id", "")
        known = site.documents.get(site.url(f"/doku.php?id={name}"))
        if known is None:
            return Answer(
                page("Not here", f"<p>This topic does not exist yet: {name}</p>"), status=404
            )
        title, told = known
        own = Voice(path)
        if "rev" in asked or asked.get("do") == "diff":
            return Answer(
                page(
                    title,
                    article(
                        title,
                        [*told.split("\n")[1:-1], own.sentence()],
                        after(f"/doku.php?id={name}"),
                    ),
                )
            )
        if asked.get("do") in ("backlink", "index", "recent"):
            return Answer(
                page(asked["do"], rows(links[number(path + str(n), count)] for n in range(5)))
            )
        if asked.get("do") == "export_xhtml":
            return Answer(page(title, article(title, told.split("\n")[1:])))
        return Answer(
            page(
                asked.get("do", title),
                "<form><textarea></textarea></form>" + after(f"/doku.php?id={name}"),
            )
        )

    links = stories(site, voice, count, "/doku.php?id={slug}", after=after)
    site.beyond = beyond
    site.page(
        "/", page("Start", rows(links[::2]) + rows([("/doku.php?id=start&do=index", "Index")]))
    )
    for at, some in enumerate(lots(links, 10)):
        site.page(f"/list/{at}", page("List", rows([*some, (f"/list/{at + 1}", "More")])))
    site.page("/", page("Start", rows([("/list/0", "All topics"), *links[:5]])))
    return site


def simple_board(host: str, voice: Voice, count: int) -> Site:
    """SMF: threads as `topic=12.0`, next and previous, single messages, sorts, a phone's view."""
    site = Site(host)
    heads = [voice.title() for _ in range(count)]
    posts = [
        [(voice.name(), voice.paragraph(1, 3)) for _ in range(voice.chance.randint(2, 7))]
        for _ in heads
    ]
    links = [(f"/index.php?topic={at}.0", head) for at, head in enumerate(heads)]

    def thread(at: int) -> str:
        shown = "".join(
            f"<div><h5>{link(f'/index.php?action=profile;u={number(who, 300)}', who)}</h5><p>{words}</p>"
            f"{link(f'/index.php?topic={at}.msg{at * 10 + n}#msg', 'Message')}"
            f"{link(f'/index.php?action=reporttm;topic={at}.0;msg={at * 10 + n}', 'Report')}</div>"
            for n, (who, words) in enumerate(posts[at])
        )
        ways = [(f"/index.php?topic={at}.0;prev_next={way}", way) for way in ("next", "prev")]
        ways += [
            (f"/index.php?action={do};topic={at}.0", do)
            for do in ("printpage", "sendtopic", "notify")
        ]
        ways += [(f"/index.php?topic={at}.0;wap2", "Phone")]
        return page(heads[at], f"<h2>{heads[at]}</h2>{shown}{rows(ways)}")

    def beyond(path: str) -> Answer:
        keys = path.partition("?")[2]
        if keys.startswith("topic="):
            digits = keys[6:].partition(".")[0]
            at = int(digits) if digits.isdigit() else 0
            if "prev_next" in keys:
                return Answer(location=links[(at + 1) % count][0], status=302)
            return Answer(thread(at)) if at < count else MISSING
        if "printpage" in keys:
            at = int(keys.partition("topic=")[2].partition(".")[0])
            return Answer(page(heads[at], "".join(f"<p>{words}</p>" for _, words in posts[at])))
        if keys.startswith("action="):
            return Answer(page("Warning", "<p>Only members may see this. Please log in below.</p>"))
        if keys.startswith("board="):
            at = int(keys.partition(".")[2].partition(";")[0] or 0)
            ways = [
                (f"/index.php?board=1.{at};sort={key}{down}", key)
                for key, down in product(("subject", "views", "starter"), ("", ";desc"))
            ]
            return Answer(page("Board", rows([*links[at : at + 10], *ways])))
        return MISSING

    site.beyond = beyond
    for at, (path, head) in enumerate(links):
        site.document(path, head, thread(at), *(words for _, words in posts[at]))
    for start in range(0, count, 10):
        path = f"/index.php?board=1.{start}"
        more = [(f"/index.php?board=1.{n}", "Page") for n in range(0, count, 10)]
        site.page(path, beyond(path).body.replace("</main>", f"{rows(more)}</main>"))
    site.page("/", page("Board", rows([("/index.php?board=1.0", "All of it")])))
    return site


def letters(host: str, voice: Voice, count: int) -> Site:
    """A mailing list by thread, date, writer and subject; letters lead to their neighbours."""
    site, links = Site(host), []
    for at in range(count):
        head, told = f"[list] {voice.title()}", voice.paragraphs(1, 3)
        path = f"/2008-May/{at:06d}.html"
        near = [
            (f"/2008-May/{other:06d}.html", "Near")
            for other in (at - 1, at + 1)
            if 0 <= other < count
        ]
        near += [
            (f"/2008-May/{by}.html#{at}", by) for by in ("thread", "date", "author", "subject")
        ]
        site.document(
            path,
            head,
            page(head, f"<h1>{head}</h1><pre>{chr(10).join(told)}</pre>{rows(near)}"),
            *told,
        )
        links.append((path, head))
    for by in ("thread", "date", "author", "subject"):
        site.page(
            f"/2008-May/{by}.html",
            page(by, rows(sorted(links, key=lambda each: number(by + each[0])))),
        )
    site.page(
        "/",
        page(
            "Archive",
            rows((f"/2008-May/{by}.html", by) for by in ("thread", "date", "author", "subject")),
        ),
    )
    return site


def weeks(host: str, voice: Voice, count: int) -> Site:
    """A calendar by week as a folder, with one page of a real event now and then."""

    def beyond(path: str) -> Answer:
        _, first, name, *_ = [*path.partition("?")[0].split("/"), ""]
        if first != "agenda" or not name.startswith("week-"):
            return MISSING
        at = int(name[5:]) if name[5:].isdigit() else 0
        rooms = [(f"/agenda/week-{at}?room={n}", f"Room {n}") for n in range(4)]
        shown = f"<h1>Week {at % 52 + 1} of {2000 + at // 52}</h1><p>Monday Tuesday Wednesday: all rooms are free.</p>"
        return Answer(
            page(
                "Agenda",
                shown
                + rows(
                    [
                        (f"/agenda/week-{at + 1}", "Next"),
                        (f"/agenda/week-{at - 1}" if at else "/", "Back"),
                        *rooms,
                    ]
                ),
            )
        )

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, "/event/{slug}", menu=[("/agenda/week-1200", "Agenda")])
    site.page("/", page("Our hall", rows([*links, ("/agenda/week-1200", "Agenda")])))
    return site


def single_sign_on(host: str, voice: Voice, count: int) -> Site:
    """What members alone may see leads to a door with a new state in its address each time."""
    state = iter(range(10**9))

    def after(path: str) -> str:
        at = number(path, 10**5)
        ways = [(f"/story/{at}/{name}", name) for name in ("bookmark", "gift", "listen")]
        return rows(
            [*ways, (f"/account/notes/{at}", "Your notes"), (f"/comment/new/{at}", "Say something")]
        )

    def beyond(path: str) -> Answer:
        if path.startswith("/auth"):
            return Answer(
                page("Welcome back", "<form><input name=mail><input type=password></form>")
            )
        if path.startswith(("/account/", "/comment/")) or path.endswith(
            ("bookmark", "gift", "listen")
        ):
            return Answer(
                location=f"/auth/authorize?client_id=web&state={number(str(next(state))):x}",
                status=303,
            )
        return MISSING

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, "/{slug}", after=after)
    site.page("/", page("Weekly", rows(links)))
    return site


def families(host: str, voice: Voice, count: int) -> Site:
    """People of a family in a few words each, with trees by so many generations."""
    site = Site(host)
    names = [voice.name() for _ in range(count)]

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        if not path.startswith(("/pedigree.php", "/descend.php", "/register.php")):
            return MISSING
        at, deep = number(asked.get("personID", ""), count), int(asked.get("generations", "4"))
        bare = path.partition("?")[0]
        ways = [
            (f"{bare}?personID=I{at}&generations={n}&display={how}", f"{n}")
            for n in (deep, deep + 1, 8)
            for how in ("box", "text")
        ]
        return Answer(
            page(
                "Tree",
                rows(
                    [*((f"/person/I{n}", names[n]) for n in range(at, min(count, at + 4))), *ways]
                ),
            )
        )

    site.beyond = beyond
    for at, who in enumerate(names):
        born, about = 1800 + number(who, 150), voice.sentence()
        kin = [
            (f"/person/I{n}", names[n])
            for n in (at * 2 + 1, at * 2 + 2, (at - 1) // 2)
            if 0 <= n < count
        ]
        trees = [
            (f"/{kind}.php?personID=I{at}&generations=4", kind)
            for kind in ("pedigree", "descend", "register")
        ]
        facts = f"<p>Born {born} in {voice.place()}</p><p>{about}</p>"
        site.document(
            f"/person/I{at}", who, page(who, f"<h1>{who}</h1>{facts}{rows([*kin, *trees])}"), about
        )
    site.page("/", page("Families", rows([("/person/I0", names[0])])))
    return site


def statuses(host: str, voice: Voice, count: int) -> Site:
    """Posts of a sentence by some members, with replies, boosts and a list by date with gaps."""
    site, who = Site(host), [voice.word() for _ in range(4)]
    links = []
    for at in range(count):
        some, by = voice.sentence(), who[at % 4]
        path = f"/@{by}/{10**9 + at * 7919}"
        acts = [(f"{path}/{name}", name) for name in ("reblogs", "favourites")]
        site.document(path, "", page(f"{by}: {some[:20]}", f"<p>{some}</p>{rows(acts)}"), some)
        links.append((path, some[:30]))
    for by in who:
        own = lots([each for each in links if f"@{by}/" in each[0]], 8)
        for at, some in enumerate(own):
            more = [(f"/@{by}?max_id={at + 1}", "Older")] if at + 1 < len(own) else []
            site.page(f"/@{by}?max_id={at}", page(by, rows([*some, *more])))
    site.page("/", page("Members", rows((f"/@{by}?max_id=0", by) for by in who)))
    return site


def hymns(host: str, voice: Voice, count: int) -> Site:
    """Hymns whose refrain is the same in many, each in two spellings of its address."""
    site, links = Site(host), []
    refrains = [[" ".join(voice.sentence().split()[:5]) for _ in range(3)] for _ in range(4)]
    for at in range(count):
        verses = [[" ".join(voice.sentence().split()[:6]) for _ in range(2)] for _ in range(2)]
        lines = [line for verse in verses for line in (*verse, *refrains[at % 4])]
        head = f"Hymn {at + 1}"
        site.document(
            f"/hymn/{at + 1}",
            head,
            page(head, f"<h1>{head}</h1><p>{'<br>'.join(lines)}</p>"),
            *lines,
        )
        links.append((f"/hymn/{at + 1}", head))
    site.page("/", page("Hymns", rows(links)))
    return site


def code(host: str, voice: Voice, count: int) -> Site:
    """A browser of code: trees, versions, differences and blame of every file beside the guides."""

    def beyond(path: str) -> Answer:
        folders = path.strip("/").partition("?")[0].split("/")
        if folders[0] != "cgit":
            return MISSING
        kind = folders[1] if len(folders) > 1 else "log"
        at = _asked(path).get("id", f"{number('head'):x}")
        older = f"{number(at):08x}"
        files = [f"{name}.c" for name in ("main", "read", "write")]
        ways = [
            (f"/cgit/{view}/src/{name}?id={at}", view)
            for view in ("tree", "blame", "log", "plain")
            for name in files
        ]
        ways += [(f"/cgit/{view}/?id={older}", view) for view in ("commit", "diff", "tree", "log")]
        own = Voice(at)
        lines = "".join(f"int {own.word()} = {own.word()} ({n});<br>" for n in range(6))
        return Answer(
            page(f"{kind} {at}", f"<p>{own.word()} {own.word()}</p><pre>{lines}</pre>{rows(ways)}")
        )

    site = Site(host, beyond=beyond)
    links = stories(site, voice, count, "/guide/{slug}.html")
    site.page("/", page("Project", rows([*links, ("/cgit/log/", "Code")])))
    return site


KINDS = {
    each.__name__: each
    for each in (
        blog, plain_wiki, simple_board, letters, weeks, single_sign_on, families, statuses, hymns, code,
    )
}  # fmt: skip
