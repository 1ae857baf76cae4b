"""Forums of well-known systems, with the forms, orders and single posts that they make."""

from itertools import product
from urllib.parse import parse_qsl

from webs.sentences import Voice
from webs.sites import (
    MISSING,
    Answer,
    Site,
    link,
    lots,
    number,
    page,
    rows,
    slug,
)


def _asked(path: str) -> dict[str, str]:
    return dict(parse_qsl(path.partition("?")[2], keep_blank_values=True))


def board(host: str, voice: Voice, count: int) -> Site:
    """phpBB: threads by forum, with orders, single posts, profiles, reports and a session id."""
    site = Site(host)
    heads = [voice.title() for _ in range(count)]
    posts = [
        [(voice.name(), voice.paragraph(1, 4)) for _ in range(voice.chance.randint(3, 9))]
        for _ in heads
    ]

    def thread(at: int) -> str:
        shown = []
        for place, (who, words) in enumerate(posts[at]):
            post, member = at * 10 + place + 1, number(who, 500)
            ways = [(f"/posting.php?mode=quote&f={at % 3}&p={post}", "Quote"),
                    (f"/report.php?f={at % 3}&p={post}", "Report"),
                    (f"/viewtopic.php?p={post}", "Post"),
                    (f"/memberlist.php?mode=viewprofile&u={member}", who),
                    (f"/search.php?author_id={member}&sr=posts", "Their posts")]  # fmt: skip
            shown.append(
                f'<div class="post"><p class="author">by {who}</p><div class="content">{words}</div>{rows(ways)}</div>'
            )
        tools = [
            (f"/viewtopic.php?f={at % 3}&t={at}&view={view}", view)
            for view in ("print", "next", "previous")
        ]
        tools += [
            (f"/viewtopic.php?f={at % 3}&t={at}&sk={key}&sd={way}", "Order")
            for key, way in product("tas", "ad")
        ]
        tools += [
            (f"/posting.php?mode=reply&f={at % 3}&t={at}", "Answer"),
            ("/ucp.php?mode=login", "Log in"),
        ]
        return page(heads[at], f"<h2>{heads[at]}</h2>{''.join(shown)}{rows(tools)}")

    def beyond(path: str) -> Answer:
        asked = _asked(path)
        if path.startswith("/viewtopic.php"):
            at = (
                int(asked["t"])
                if asked.get("t", "").isdigit()
                else (int(asked.get("p", 0)) - 1) // 10
            )
            if asked.get("view") in ("next", "previous"):
                at = (at + 1) % count
                return Answer(location=f"/viewtopic.php?f={at % 3}&t={at}", status=302)
            return Answer(thread(at)) if 0 <= at < count else MISSING
        if path.startswith(
            ("/posting.php", "/report.php", "/ucp.php", "/memberlist.php", "/search.php")
        ):
            form = "<h2>The board requires you to be registered and logged in.</h2><form><input type=password></form>"
            return Answer(page("Login", form))
        if path.startswith("/viewforum.php"):
            own = [each for at, each in enumerate(links) if at % 3 == int(asked.get("f", 0))]
            start = int(asked.get("start", 0))
            orders = [
                (f"/viewforum.php?f={asked.get('f', 0)}&start={start}&sk={key}&sd={way}", "Order")
                for key, way in product("tras", "ad")
            ]
            more = [
                (f"/viewforum.php?f={asked.get('f', 0)}&start={n}", "Page")
                for n in range(0, len(own), 10)
            ]
            return Answer(page("Forum", rows([*own[start : start + 10], *orders, *more])))
        return MISSING

    site.beyond = beyond
    links = [(f"/viewtopic.php?f={at % 3}&t={at}", heads[at]) for at in range(count)]
    for at, (path, head) in enumerate(links):
        site.document(path, head, thread(at), *(words for _, words in posts[at]))
    for forum in range(3):
        for start in range(0, count // 3 + 1, 10):
            path = f"/viewforum.php?f={forum}&start={start}"
            site.page(path, beyond(path).body)
    site.page(
        "/",
        page(
            "Board",
            rows((f"/viewforum.php?f={forum}&start=0", f"Forum {forum}") for forum in range(3)),
        ),
    )
    return site


def talk(host: str, voice: Voice, count: int) -> Site:
    """XenForo: slugs with numbers, posts and reactions by redirect, searches that get new numbers."""
    site, fresh = Site(host), iter(range(5000, 10**9))
    heads = [voice.title() for _ in range(count)]
    posts = [
        [(voice.name(), voice.paragraph(1, 4)) for _ in range(voice.chance.randint(3, 8))]
        for _ in heads
    ]
    links = [(f"/threads/{slug(head)}.{at + 100}/", head) for at, head in enumerate(heads)]

    def thread(at: int) -> str:
        shown = []
        for place, (who, words) in enumerate(posts[at]):
            post = at * 10 + place
            ways = [(f"{links[at][0]}post-{post}", f"#{place + 1}"), (f"/posts/{post}/react?reaction_id=1", "Like"),
                    (f"/posts/{post}/report", "Report"), (f"/posts/{post}/reactions", "Who liked it"),
                    (f"/members/{slug(who)}.{number(who, 400)}/", who), (f"{links[at][0]}reply?quote={post}", "Reply"),
                    (f"/goto/post?id={post}", "Up")]  # fmt: skip
            shown.append(
                f'<article class="message"><h4>{who}</h4><div class="bbWrapper">{words}</div>{rows(ways)}</article>'
            )
        tools = [
            (f"{links[at][0]}latest", "Latest"),
            (f"{links[at][0]}watch", "Watch"),
            ("/whats-new/posts/", "New"),
        ]
        return page(
            heads[at],
            f"<h1>{heads[at]}</h1>{''.join(shown)}{rows(tools)}",
            [("/search/", "Search")],
        )

    def beyond(path: str) -> Answer:
        first, *rest = path.strip("/").partition("?")[0].split("/")
        if first == "threads" and rest:
            known = site.bodies.get(site.url(f"/threads/{rest[0]}/"))
            if known is None:
                return MISSING
            if path.rstrip("/").endswith(("latest",)) or "post-" in rest[-1]:
                return Answer(location=f"/threads/{rest[0]}/", status=301)
        if first in ("posts", "members", "threads") or path.startswith("/search/member"):
            return Answer(
                page(
                    "Log in",
                    "<p>You must be registered to do this.</p><form><input type=password></form>",
                ),
                status=403,
            )
        if first == "goto":
            at = int(_asked(path).get("id", 0)) // 10
            return Answer(location=f"{links[at][0]}post-{_asked(path).get('id')}", status=301)
        if path.rstrip("/") in ("/whats-new/posts", "/search"):
            return Answer(location=f"{path.rstrip('/')}/{next(fresh)}/", status=303)
        if first in ("whats-new", "search"):
            some = [links[number(path + str(n), count)] for n in range(8)]
            return Answer(page("New posts", rows([*some, ("/whats-new/posts/", "Again")])))
        if first == "forums":
            order = [
                (f"/forums/all.1/?order={key}&direction={way}", key)
                for key, way in product(("date", "title", "views"), ("asc", "desc"))
            ]
            return Answer(page("Forum", rows([*links[:10], *order])))
        return MISSING

    site.beyond = beyond
    for at, (path, head) in enumerate(links):
        site.document(path, head, thread(at), *(words for _, words in posts[at]))
    for at, some in enumerate(lots(links, 10), 1):
        order = [(f"/forums/all.1/?order={key}", key) for key in ("date", "title")]
        more = [(f"/forums/all.1/page-{n}", "Page") for n in range(1, len(links) // 10 + 2)]
        site.page(f"/forums/all.1/page-{at}", page("Forum", rows([*some, *order, *more])))
    site.page("/", page("Talk", rows([("/forums/all.1/page-1", "Everything")])))
    return site


def discourse(host: str, voice: Voice, count: int) -> Site:
    """Discourse: threads at every post's address, tags, users and orders."""
    site = Site(host)
    heads = [voice.title() for _ in range(count)]
    posts = [
        [(voice.name(), voice.paragraph(1, 4)) for _ in range(voice.chance.randint(3, 8))]
        for _ in heads
    ]
    links = [(f"/t/{slug(head)}/{at + 40}", head) for at, head in enumerate(heads)]
    tags = [voice.word() for _ in range(9)]

    def thread(at: int) -> str:
        shown = "".join(
            f'<div class="topic-post">{link(f"/u/{slug(who)}", who)}<div class="cooked"><p>{words}</p></div>'
            f"{link(f'{links[at][0]}/{place}', f'post {place}')}{link(f'{links[at][0]}/{place}?u=guest', 'Share')}</div>"
            for place, (who, words) in enumerate(posts[at], 1)
        )
        more = [(f"/tag/{tags[number(heads[at] + str(n), 9)]}", "tag") for n in range(2)]
        return page(
            heads[at], f"<h1>{heads[at]}</h1>{shown}{rows(more)}{rows(links[at + 1 : at + 4])}"
        )

    def beyond(path: str) -> Answer:
        first, *rest = path.strip("/").partition("?")[0].split("/")
        asked = _asked(path)
        if first == "t" and len(rest) == 3:
            return Answer(str(site.bodies.get(site.url(f"/t/{rest[0]}/{rest[1]}"), "")))
        if first == "u":
            return Answer(
                page("User", "<p>You need to log in to see this profile.</p>"), status=403
            )
        if first in ("latest", "top", "tag"):
            orders = [
                (f"/{'/'.join([first, *rest])}?order={key}&ascending={way}", key)
                for key, way in product(("created", "views", "posts"), ("true", "false"))
            ]
            at = int(asked.get("page", 0))
            some = sorted(
                links,
                key=lambda each: number(path.partition("?")[0] + asked.get("order", "") + each[0]),
            )
            return Answer(
                page(
                    first,
                    rows(
                        [
                            *some[at * 10 : at * 10 + 10],
                            *orders,
                            (f"/{'/'.join([first, *rest])}?page={at + 1}", "Next"),
                        ]
                    ),
                )
            )
        return MISSING

    site.beyond = beyond
    for at, (path, head) in enumerate(links):
        site.document(path, head, thread(at), *(words for _, words in posts[at]))
    for at, some in enumerate(lots(links, 10)):
        site.page(
            f"/latest?page={at}", page("Latest", rows([*some, (f"/latest?page={at + 1}", "Next")]))
        )
    site.page("/", page("Forum", rows([("/latest?page=0", "Latest"), ("/top?period=all", "Top")])))
    return site


KINDS = {each.__name__: each for each in (board, talk, discourse)}
