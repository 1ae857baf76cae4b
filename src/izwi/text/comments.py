"""Posts of a forum and readers' comments: who wrote what when, in answer to whom."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser, LexborNode

from izwi.model.document import Claim, Metadata, Paragraph, PublicationDate
from izwi.model.notation import read_json
from izwi.text.elements import hint_words
from izwi.text.metadata.dates import find_date

PAGE_TYPE = "comment"
_MOST = 5_000


@dataclass(frozen=True, slots=True)
class Comment:
    """What somebody wrote below a page."""

    key: str
    text: str
    user: str = ""
    date: str = ""
    # The comment it answers.
    answers: str = ""
    url: str = ""


def comments_of_answer(body: bytes) -> list[Comment]:
    """Return the comments of a JSON answer, each once; raise ValueError if it holds none such."""
    found = read_json(body)
    rows = found.get("response") if isinstance(found, dict) else found
    if not isinstance(rows, list):
        raise ValueError("it is no list of comments")
    comments = [_from_json(row) for row in rows if isinstance(row, dict)]
    return list({each.key: each for each in comments if each.text}.values())


def comments_of_page(page: LexborHTMLParser) -> list[Comment]:
    """Return what readers wrote in a page, comments or posts of a forum, each once, in order."""
    found: dict[str, Comment] = {}
    for post in islice(posts_of(page), _MOST):
        comment = Comment(post.key, post.text, post.user, post.date, post.answers)
        found.setdefault(comment.text + comment.user, comment)
    return list(found.values())


def metadata_of(comment: Comment, parent: str, users: str) -> Metadata:
    """Return what is known of a comment; who wrote it as `users` says."""
    day = find_date(comment.date) if comment.date else None
    claims = [Claim("isPartOf", parent, "comments")]
    if comment.answers:
        claims.append(Claim("parentItem", comment.answers, "comments"))
    return Metadata(
        author=named(comment.user, parent, users),
        date=PublicationDate(day, "day", "comments") if day else None,
        page_type=PAGE_TYPE,
        parent=parent,
        claims=tuple(claims),
    )


def named(user: str, parent: str, users: str) -> str:
    """Return how a user is called in the corpus: a pseudonym for each site, the name, or nothing.

    >>> named("Thabo M.", "http://a.example/1", "none")
    ''
    """
    if not user or users == "none":
        return ""
    if users == "name":
        return user
    site = parent.partition("://")[2].partition("/")[0]
    digest = hashlib.blake2b(f"{site}\n{user}".encode(), digest_size=5, person=b"izwi user")
    return f"user-{digest.hexdigest()}"


def paragraphs_of(comment: Comment) -> tuple[Paragraph, ...]:
    """Return a comment's text, a paragraph a line."""
    lines = (" ".join(line.split()) for line in comment.text.splitlines())
    return tuple(Paragraph(line) for line in lines if line)


def _from_json(row: Mapping[str, Any]) -> Comment:
    content = row.get("content")
    html = content.get("rendered") if isinstance(content, dict) else row.get("message")
    raw = row.get("raw_message")
    author = row.get("author")
    facts = author if isinstance(author, dict) else {}
    name = row.get("author_name") or facts.get("username") or facts.get("name") or ""
    return Comment(
        key=str(row.get("id", "")),
        text=str(raw) if raw else _plain(str(html or "")),
        user=str(name),
        date=str(row.get("createdAt") or row.get("date_gmt") or row.get("date") or ""),
        answers=str(row.get("parent") or ""),
        url=str(row.get("link") or row.get("url") or ""),
    )


def _plain(html: str) -> str:
    """Return the text of a piece of HTML, a line for every block."""
    body = LexborHTMLParser(html).body
    return "\n".join(_lines(body)) if body is not None else ""


def _lines(body: Any) -> Iterator[str]:
    text = body.text(separator="\n")
    return (line.strip() for line in text.splitlines() if line.strip())


# Elements that hold one post: schema.org's marks, then the names of widespread systems.
_POSTS = (
    '[itemtype*="schema.org/Comment"], [itemtype*="schema.org/UserComments"], '
    '[itemtype*="schema.org/Answer"], [itemtype*="schema.org/Question"], '
    '[itemtype$="DiscussionForumPosting"], '
    "li.comment, article.comment, div.comment, .comment-item, .commentlist > li, "
    ".comment-list > li, .comments-list > li, .comment-container, .comment-wrap, "
    '[id^="comment-"], [id^="div-comment-"], li[id^="comment"], div[id^="comment_"], '
    ".topic-post, .crawler-post, article.message, li.message, .message--post, .postcontainer, "
    ".postbit, .post_block, .post_wrapper, .post-wrapper, .forum-post, .forumpost, .topic-reply, "
    ".bbp-body > div, .js-post, .lia-message-view, .cPost, .ipsComment, .ipsEntry, .ItemComment, "
    ".ItemDiscussion, .forum-post-wrapper, .question, .answer, shreddit-comment, "
    'table[id^="post"], div.post[id], li.post[id], article[id^="post-"], div[id^="post_"], '
    'div[id^="edit"]'
)
_TEXTS = (
    '[itemprop="text"], [itemprop="articleBody"], [itemprop="commentText"], [slot="comment"], '
    ".comment-content, .comment-text, .comment__body, .comment__content, .comment-body p, "
    ".postbody .content, .post-content, .post_message, .postcontent, .message-body .bbWrapper, "
    ".message-content, .messageText, .cooked, .s-prose, .post-text, .postText, .Message, "
    '.lia-message-body-content, [data-role="commentContent"], '
    '[id^="post_message_"], .post_body, .postbody, .cPost_contentWrap, .message, .body'
)
_USERS = (
    '[itemprop="author"] [itemprop="name"], [itemprop="creator"] [itemprop="name"], '
    '[itemprop="author"], [itemprop="creator"], .comment-author .fn, .fn, .comment-author, '
    ".username, .user-name, .poster, .author, .post-author, .postauthor, .user-details a, "
    'a[rel="author"], a[href*="/user"], a[href*="/member"], a[href*="profile"], cite'
)
_DATES = (
    'time[datetime], .DateTime, [itemprop="dateCreated"], [itemprop="datePublished"], '
    '[itemprop="dateModified"], .comment-date, .relativetime, .post-date, .postdate, .date, '
    ".posttime, .comment-meta a, abbr[title], .comment-metadata, .commentmetadata, .comment-meta"
)
# Elements of a post that are not what its writer wrote.
_BESIDE = frozenset(
    {"author", "avatar", "user", "userinfo", "profile", "postprofile", "signature", "sig", "meta",
     "metadata", "date", "time", "actions", "controls", "buttons", "toolbar", "reactions", "likes",
     "share", "vote", "votes", "votecell", "permalink", "badge", "rank", "footer", "attribution",
     "reply", "header", "postcell-footer"}
)  # fmt: skip
_UNREAD = frozenset(
    {"script", "style", "form", "button", "nav", "select", "textarea", "svg", "time", "rt", "rp",
     "rtc"}
)  # fmt: skip
_BREAKING = frozenset(
    {"p", "div", "li", "ul", "ol", "blockquote", "pre", "br", "h1", "h2", "h3", "h4", "h5", "h6",
     "table", "tr", "td", "dd", "dt", "dl", "section", "article", "aside", "hr"}
)  # fmt: skip
_LONGEST_NAME, _DEEPEST, _MOST_LINES = 60, 200, 2_000
# Lines at the beginning of a post that may hold its date.
_FIRST_LINES = 8
_LONGEST_DATED = 80
# Elements that may hold a date, and how many of a kind make a thread.
_MAYBE_DATED = (
    'time, abbr, [class*="date"], [class*="Date"], [class*="time"], [class*="Time"], '
    '[class*="posted"], [class*="meta"], a[href*="#p"], a[href*="comment"], small, dt, h2 span'
)
_MOST_DATED, _FEWEST, _LONGEST_AGO = 3_000, 2, 40
# Names of elements that say when: "8 years ago" is no date by itself, in no language.
_OF_DATES = frozenset({"date", "postdate", "datetime", "time", "timestamp", "posted", "ago", "age"})
_OF_POSTS = frozenset(
    {"post", "posts", "blockpost", "comment", "comments", "message", "messages", "reply", "replies",
     "thread", "topic", "forum", "discussion", "answer", "answers", "kommentare", "kommentar"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Post:
    """What one person wrote: the key of its element, the text, and whose it answers."""

    key: str
    text: str
    user: str = ""
    date: str = ""
    answers: str = ""


def posts_of(page: LexborHTMLParser) -> Iterator[Post]:
    """Yield the posts of a page in order; an element round others has what they have not."""
    nodes = _distinct(page.css(_POSTS)) or _in_rhythm(page)
    places = {node.mem_id: f"comment-{number}" for number, node in enumerate(nodes, 1)}
    keys = {node.mem_id: node.attributes.get("id") or places[node.mem_id] for node in nodes}
    shown: dict[int, str] = {}
    for node in nodes:
        above = _post_above(node, keys)
        text = "\n".join(_text_lines(node, keys))
        if not text or (above is not None and shown.get(above.mem_id) == text):
            continue
        shown[node.mem_id] = text
        has_text = above is not None and above.mem_id in shown
        yield Post(
            keys[node.mem_id],
            text,
            _user(node, keys),
            _date(node, keys),
            keys[above.mem_id] if has_text and above is not None else "",
        )


def _distinct(nodes: list[LexborNode]) -> list[LexborNode]:
    """Return elements without those inside that have the same number: parts of the same post.

    Forms for writing one are named alike, but have no number.
    """
    known: dict[int, str] = {}
    kept = []
    for node in nodes:
        name = node.attributes.get("id") or ""
        number = "".join(filter(str.isdigit, name))
        if name.startswith(("comment", "div-comment", "post")) and not number:
            continue
        above = _post_above(node, known)
        is_part = above is not None and number and known[above.mem_id] == number
        known[node.mem_id] = number
        if not is_part:
            kept.append(node)
    return kept


def _in_rhythm(page: LexborHTMLParser) -> list[LexborNode]:
    """Return the elements round dates that come again in the same place, where names tell of posts.

    The element of a post is the largest round its date that holds no other's.
    """
    dated = _most_alike(page, _is_dated) or _most_alike(page, _is_called_date)
    counts: dict[int, int] = {}
    for node in dated:
        for above in _above(node):
            counts[above.mem_id] = counts.get(above.mem_id, 0) + 1
    found = [_largest_alone(node, counts) for node in dated]
    named = {word for node in found for above in (node, *_above(node)) for word in _names(above)}
    return found if not _OF_POSTS.isdisjoint(named) else []


def _most_alike(
    page: LexborHTMLParser, is_wanted: Callable[[LexborNode, str], bool]
) -> list[LexborNode]:
    """Return those wanted that stand in the same place most often, or none if that is once."""
    places: dict[tuple[str, ...], list[LexborNode]] = {}
    # An element that several selectors find comes several times.
    nodes = {node.mem_id: node for node in page.css(_MAYBE_DATED)[:_MOST_DATED]}
    for node in nodes.values():
        text = node.text(separator=" ", strip=True)
        if len(text) <= _LONGEST_DATED and is_wanted(node, text):
            places.setdefault(_place(node), []).append(node)
    found = max(places.values(), key=len, default=[])
    return found if len(found) >= _FEWEST else []


def _is_dated(node: LexborNode, text: str) -> bool:
    said = node.attributes.get("datetime") or text
    return any(map(str.isdigit, said)) and find_date(said) is not None


def _is_called_date(node: LexborNode, text: str) -> bool:
    """Return whether the name of a short text says that it is a date: "8 years ago"."""
    is_short = len(text) <= _LONGEST_AGO and any(map(str.isdigit, text))
    return is_short and not _OF_DATES.isdisjoint(_names(node))


def _place(node: LexborNode) -> tuple[str, ...]:
    round_it = [node, *_above(node)[:2]]
    return tuple(f"{one.tag} {one.attributes.get('class') or ''}" for one in round_it)


def _above(node: LexborNode) -> list[LexborNode]:
    """Return the elements round one, up to the body."""
    found: list[LexborNode] = []
    above = node.parent
    while above is not None and above.tag not in ("body", "html") and len(found) < _DEEPEST:
        found.append(above)
        above = above.parent
    return found


def _largest_alone(node: LexborNode, counts: dict[int, int]) -> LexborNode:
    alone = [above for above in _above(node) if counts[above.mem_id] == 1]
    return alone[-1] if alone else node


def _names(node: LexborNode) -> tuple[str, ...]:
    attributes = node.attributes
    return hint_words(f'class="{attributes.get("class") or ""} {attributes.get("id") or ""}"')


def _post_above(node: LexborNode, keys: dict[int, str]) -> LexborNode | None:
    """Return the post that a post lies in, which it answers."""
    above = node.parent
    for _ in range(_DEEPEST):
        if above is None or above.mem_id in keys:
            return above
        above = above.parent
    return None


def _own(node: LexborNode, selector: str, keys: dict[int, str]) -> Iterator[LexborNode]:
    """Yield the elements of a post that a selector finds, not those of posts inside it."""
    for found in node.css(selector):
        if found.mem_id != node.mem_id:
            above = _post_above(found, keys)
            if above is not None and above.mem_id == node.mem_id and found.mem_id not in keys:
                yield found


def _text_lines(node: LexborNode, keys: dict[int, str]) -> list[str]:
    """Return the lines of a post: of the elements named for its text, or of all it has."""
    named = list(_own(node, _TEXTS, keys))
    # An element inside another that is named, too, is read with it.
    seen = {found.mem_id for found in named}
    outer = [found for found in named if not _is_inside(found, seen)]
    parts = [line for found in outer for line in _lines_below(found, keys, is_named=True)]
    return parts or _lines_below(node, keys, is_named=False)


def _is_inside(node: LexborNode, others: set[int]) -> bool:
    above = node.parent
    for _ in range(_DEEPEST):
        if above is None:
            return False
        if above.mem_id in others:
            return True
        above = above.parent
    return False


def _lines_below(node: LexborNode, keys: dict[int, str], *, is_named: bool) -> list[str]:
    pieces: list[str] = []
    _collect(node, keys, pieces, is_named, 0)
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    return [line for line in lines if line][:_MOST_LINES]


def _collect(
    node: LexborNode, keys: dict[int, str], pieces: list[str], is_named: bool, depth: int
) -> None:
    """Add the text of an element, lines apart, without posts inside and what stands beside it."""
    for child in node.iter(include_text=True):
        tag = child.tag
        if tag == "-text":
            pieces.append((child.text_content or "").replace("\n", " "))
            continue
        if tag in _UNREAD or child.mem_id in keys or depth > _DEEPEST:
            continue
        if not is_named and _is_beside(child):
            continue
        mark = "\n" if tag in _BREAKING else ""
        pieces.append(mark)
        _collect(child, keys, pieces, is_named, depth + 1)
        pieces.append(mark)


def _is_beside(node: LexborNode) -> bool:
    return not _BESIDE.isdisjoint(_names(node))


def _user(node: LexborNode, keys: dict[int, str]) -> str:
    if name := node.attributes.get("author") or node.attributes.get("data-author"):
        return " ".join(name.split())[:_LONGEST_NAME]
    for found in _own(node, _USERS, keys):
        name = " ".join(found.text(separator=" ").split())
        if 0 < len(name) <= _LONGEST_NAME and not find_date(name):
            return name
    return ""


def _date(node: LexborNode, keys: dict[int, str]) -> str:
    """Return when a post was written: as its element says, or the first short line with a date."""
    for found in _own(node, _DATES, keys):
        said = found.attributes.get("datetime") or found.attributes.get("content")
        said = said or found.attributes.get("title") or found.text(separator=" ")
        if said and find_date(said):
            return " ".join(said.split())[:_LONGEST_DATED]
    lines = node.text(separator="\n", strip=True).split("\n")
    dated = (line for line in lines[:_FIRST_LINES] if len(line) <= _LONGEST_DATED)
    return next((line for line in dated if find_date(line)), "")
