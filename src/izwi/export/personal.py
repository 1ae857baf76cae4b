"""E-mail addresses, telephone numbers and user names, masked letter by letter.

A mask is as long as what it hides (`xxx@xxxxx.xx`, `000 000 0000`, `@xxxx`), so tokens and places
in the text stay true, and one still sees what stood there.
"""

import re
from collections.abc import Callable
from dataclasses import replace

from izwi.export.characters import as_sliced
from izwi.export.passages import is_comment
from izwi.model.document import Document, Paragraph

_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
# In the form people dial: a plus or a nought first, so that sums and years are left alone.
_PHONE = re.compile(r"(?<![\w.,+-])(?:\+|\(?0)\d[\d ()/.-]{6,18}\d(?!\w)")
_USER = re.compile(r"(?<![\w@.+-])@\w{2,30}(?![\w.]*@)")
_DIGITS = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]")
_PERSONAL = ("mailto:", "tel:", "sms:")
_FEWEST_DIGITS, _MOST_DIGITS = 9, 15


def mask(text: str, counts: dict[str, int]) -> str:
    """Return a text in which what points to a person is masked, and count what was.

    >>> mask("Ask jan@dorp.example or 051 555 0142, or @jan.", {})
    'Ask xxx@xxxx.xxxxxxx or 000 000 0000, or @xxx.'
    """
    for kind, pattern in (("email", _EMAIL), ("phone", _PHONE), ("user", _USER)):
        text = pattern.sub(_masking(kind, counts), text)
    return text


def mask_document(document: Document, counts: dict[str, int]) -> Document:
    """Return a document whose text, title and author are masked, and count what was."""
    paragraphs = tuple(
        _masked(each, counts) if each.is_main or is_comment(each) else each
        for each in document.paragraphs
    )
    metadata = replace(
        document.metadata,
        title=mask(document.metadata.title, counts),
        author=mask(document.metadata.author, counts),
    )
    masked = replace(document, paragraphs=paragraphs, metadata=metadata)
    if document.annotation is None:
        return masked
    return replace(masked, annotation=as_sliced(document.annotation, masked.text))


def _masked(paragraph: Paragraph, counts: dict[str, int]) -> Paragraph:
    """Return a paragraph whose links lead to no person either."""
    marks = tuple(
        replace(mark, target="") if mark.target.startswith(_PERSONAL) else mark
        for mark in paragraph.marks
    )
    return replace(paragraph, text=mask(paragraph.text, counts), marks=marks)


def _masking(kind: str, counts: dict[str, int]) -> Callable[[re.Match[str]], str]:
    def masked(match: re.Match[str]) -> str:
        found = match[0]
        digits = len(_DIGITS.findall(found))
        if kind == "phone" and not _FEWEST_DIGITS <= digits <= _MOST_DIGITS:
            return found
        counts[kind] = counts.get(kind, 0) + 1
        return _DIGITS.sub("0", _LETTERS.sub("x", found))

    return masked
