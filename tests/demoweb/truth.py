"""What a perfect corpus of the demo web would hold."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from izwi.demoweb.articles import PUBLICATIONS, Comment
from izwi.demoweb.sites import Charset, View, article_url, views


@dataclass(frozen=True, slots=True)
class TrueDocument:
    """One article as it is meant; `date` is right even where the page shows `shown_date`."""

    url: str
    publication: str
    title: str
    author: str | None
    date: dt.date
    shown_date: dt.date | None
    language: str
    section: str
    paragraphs: tuple[str, ...]
    comments: tuple[Comment, ...]
    copy_of: str | None
    exact_copy: bool
    charset: Charset


@cache
def ground_truth() -> Mapping[str, TrueDocument]:
    """Return every article by its URL, publication by publication, newest first."""
    documents = [
        document
        for publication in PUBLICATIONS.values()
        for view in views(publication).values()
        for document in _documents(view)
    ]
    return MappingProxyType({document.url: document for document in documents})


def _documents(view: View) -> list[TrueDocument]:
    article = view.article
    if article is None:
        return []
    return [
        TrueDocument(
            url=article_url(article),
            publication=article.publication,
            title=article.title,
            author=article.author,
            date=article.date,
            shown_date=article.shown_date,
            language=article.language,
            section=article.section,
            paragraphs=article.paragraphs,
            comments=article.comments,
            copy_of=article.copy_of,
            exact_copy=article.exact_copy,
            charset=view.charset,
        )
    ]
