"""Readers' comments as documents of their own: from interfaces' answers, and from pages."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from izwi.model.document import Claim, Metadata, Paragraph, PublicationDate
from izwi.text.dates import find_date

PAGE_TYPE = "comment"
# Where comments stand in pages: schema.org's mark, then the classes of widespread systems.
_COMMENTS = (
    '[itemtype*="schema.org/Comment"], [itemtype*="schema.org/UserComments"], li.comment, '
    "article.comment, div.comment, .comment-item, .commentlist > li, .comment-list > li"
)
_TEXT = (
    '[itemprop="text"], [itemprop="commentText"], .comment-content, .comment-text, '
    ".comment__body, .comment__content, .comment-body p, .message, .body"
)
_AUTHOR = '[itemprop="author"], [itemprop="creator"], .comment-author .fn, .fn, .comment-author'
_DATE = 'time[datetime], [itemprop="dateCreated"], [itemprop="datePublished"], .comment-date'
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
    found = json.loads(body)
    rows = found.get("response") if isinstance(found, dict) else found
    if not isinstance(rows, list):
        raise ValueError("it is no list of comments")
    comments = [_from_json(row) for row in rows if isinstance(row, dict)]
    return list({each.key: each for each in comments if each.text}.values())


def comments_of_page(html: str) -> list[Comment]:
    """Return the comments that stand in a page, each once, in order."""
    page = LexborHTMLParser(html)
    found: dict[str, Comment] = {}
    for number, node in enumerate(page.css(_COMMENTS)[:_MOST], 1):
        comment = _from_node(node, number)
        if comment.text:
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


def _from_node(node: Any, number: int) -> Comment:
    own = node.css_first(_TEXT)
    author, when = node.css_first(_AUTHOR), node.css_first(_DATE)
    stamp = (when.attributes.get("datetime") or when.text()) if when is not None else ""
    return Comment(
        key=node.attributes.get("id") or f"comment-{number}",
        text=_plain(own.html or "") if own is not None else "",
        user=" ".join(author.text().split()) if author is not None else "",
        date=stamp or "",
    )


def _plain(html: str) -> str:
    """Return the text of a piece of HTML, a line for every block."""
    body = LexborHTMLParser(html).body
    return "\n".join(_lines(body)) if body is not None else ""


def _lines(body: Any) -> Iterator[str]:
    text = body.text(separator="\n")
    return (line.strip() for line in text.splitlines() if line.strip())
