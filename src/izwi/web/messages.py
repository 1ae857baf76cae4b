"""Texts of the interface in the reader's language."""

from izwi.config.catalogues import catalogue
from izwi.web.session.reader import reader


def gettext(message: str) -> str:
    """Return a message in the reader's language."""
    return catalogue(reader().language).one(message)


def sentence(text: str) -> str:
    """Return a finished sentence of a part below the pages in the reader's language."""
    return catalogue(reader().language).sentence(text)


def ngettext(single: str, plural: str, count: int) -> str:
    """Return a message in the reader's language, in the form that a number takes."""
    return catalogue(reader().language).many(single, plural, count)
