"""BibTeX: an entry for each document that is quoted."""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence

from izwi.model.quotation import Quotation

_SPECIAL = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#",
    "%": r"\%", "_": r"\_", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
}  # fmt: skip
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_NOT_IN_A_KEY = re.compile(r"[^a-z0-9]+")
_NAME_PARTS = 4
Address = Callable[[Quotation], str]


def bibtex(quotations: Sequence[Quotation], address: Address) -> str:
    """Return the documents of quotations as entries, each once, in the order they come."""
    once: dict[str, Quotation] = {}
    for each in quotations:
        once.setdefault(each.document, each)
    return "".join(_entry(each, key) for key, each in _keyed(list(once.values())))


def protected(text: str) -> str:
    r"""Return a text in which nothing is a command of TeX.

    >>> protected("R&B 50% {so}")
    'R\\&B 50\\% \\{so\\}'
    """
    return "".join(_SPECIAL.get(sign, sign) for sign in text)


def _keyed(quotations: Sequence[Quotation]) -> Iterator[tuple[str, Quotation]]:
    """Yield entries with keys such as ncube2014, told apart by letters where they are equal."""
    used: dict[str, int] = {}
    for each in quotations:
        name = _plain(each.author.split()[-1] if each.author.split() else each.site or each.source)
        key = f"{name or 'web'}{each.date[:4]}"
        used[key] = used.get(key, 0) + 1
        yield (key if used[key] == 1 else f"{key}-{used[key]}"), each


def _plain(text: str) -> str:
    ascii_only = unicodedata.normalize("NFKD", text.lower()).encode("ascii", "ignore").decode()
    return _NOT_IN_A_KEY.sub("", ascii_only)[:30]


def _entry(quotation: Quotation, key: str) -> str:
    author = quotation.author
    # A name of many words is an institution: braces keep BibTeX from taking it apart.
    is_name = 0 < len(author.split()) <= _NAME_PARTS and "," not in author
    fields = {
        "author": protected(author) if is_name else _braced(author),
        "title": _braced(quotation.title),
        "journal": protected(quotation.site or quotation.source),
        "year": quotation.date[:4],
        "month": _month(quotation.date),
        "url": quotation.url.replace("{", "%7B").replace("}", "%7D"),
        "urldate": quotation.captured[:10],
        "note": protected(f"Document {quotation.document} of the corpus {quotation.corpus}, "
                          f"version {quotation.version}"),
    }  # fmt: skip
    lines = "".join(
        f"  {name} = {value if name == 'month' else f'{{{value}}}'},\n"
        for name, value in fields.items()
        if value
    )
    return f"@online{{{key},\n{lines}}}\n\n"


def _braced(text: str) -> str:
    return f"{{{protected(text)}}}" if text else ""


def _month(date: str) -> str:
    part = date[5:7]
    return _MONTHS[int(part) - 1] if part.isdecimal() and 1 <= int(part) <= len(_MONTHS) else ""
