"""Readers' comments as documents of their own: from interfaces' answers, and from pages."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from izwi.model.document import Claim, Metadata, Paragraph, PublicationDate
from izwi.model.json_text import read_json
from izwi.text.dates import find_date
from izwi.text.posts import posts_of

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
