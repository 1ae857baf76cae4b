"""What addresses have in common: their host, first folder and shape, and paths that go round.

A shape is an address without its digits, tokens, slugs and values of parameters.
"""

import re
from functools import lru_cache
from urllib.parse import unquote

from izwi.gather.evidence import number
from izwi.model.document import Verdict, dropped
from izwi.store.leads import split_url

_STAGE = "fetch"
# What a host, a first folder and a shape may cost before they must bring something new.
CREDITS = (22, 8, 6)
# The same folders so often in a row are a link that a server resolves against itself; the same one
# here and there is how some sites name their sections.
_MOST_REPEATS = 2
_DEEPEST, _MOST_FOLDERS = 15, 50
# Addresses held in memory with what is read from them: some have thousands of letters.
_MOST_ADDRESSES = 2_000
_DIGITS = re.compile(r"\d+")
# Two words or more in one folder are the name of a page; a word with a number counts pages, and a
# program is called the same whatever it shows.
_SEAM = re.compile(r"[-_+]|%20")
_LETTER = re.compile(r"[^\W\d_]")
_PROGRAM = re.compile(r"\.(?:php\d?|aspx?|jsp|cgi|pl|do|cfm)$", re.IGNORECASE)
# A token in a path is another one at every visit: its letters and figures are no shape of pages.
_TOKEN = re.compile(
    r"(?<=[/_.~-])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?=[a-z]*\d)(?=\d*[a-z])(?:[0-9a-f]{8,}|[0-9a-z]{24,})"
    # Others change between letters and figures again and again.
    r"|(?=[0-9a-z]{8})[a-z]*(?:\d+[a-z]+){2,}\d*)(?![^/_.~-])",
    re.IGNORECASE,
)
# A short one may be the name of a page.
_LONG_TOKEN = re.compile(
    r"(?<=[/_.~-])(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"
    r"|(?=[a-z]*\d)(?=\d*[a-z])(?:[0-9a-f]{16,}|[0-9a-z]{24,}))(?![^/_.~-])",
    re.IGNORECASE,
)
# A value such as 12.msg9 says what of 12 is shown.
_VALUES = re.compile(r"=(?:\d+(\.[a-z]+)\d+(?![^&;])|[^&;]*)")
_BETWEEN = re.compile("[&;]")


@lru_cache(maxsize=_MOST_ADDRESSES)
def winding(url: str) -> Verdict | None:
    """Return whether a path goes round in circles, or far too deep."""
    _, host, path = split_url(url)
    folders = [part for part in path.partition("?")[0].split("/") if part]
    # A path of thousands of folders is deep as well: its beginning tells whether it goes round.
    repeats = _turns(folders[:_MOST_FOLDERS])
    if repeats > _MOST_REPEATS:
        return dropped(_STAGE, "repeated-path", value=repeats, threshold=_MOST_REPEATS, detail=host)
    if len(folders) > _DEEPEST:
        return dropped(_STAGE, "deep-path", value=len(folders), threshold=_DEEPEST, detail=host)
    return None


def _turns(folders: list[str]) -> int:
    """Return how often the same folders, up to three of them, follow each other in a path.

    >>> _turns(["en", "news", "en", "africa", "en"]), _turns(["x", "y", "x", "y", "x", "y"])
    (1, 3)
    """
    most = 1 if folders else 0
    for size in (1, 2, 3):
        for start in range(len(folders) - 2 * size + 1):
            part, count, place = folders[start : start + size], 1, start + size
            if all(map(str.isdigit, part)):  # a date, or a number of a number
                continue
            while folders[place : place + size] == part:
                count, place = count + 1, place + size
            most = max(most, count)
    return most


@lru_cache(maxsize=_MOST_ADDRESSES)
def patterns(url: str) -> tuple[tuple[str, int, int], ...]:
    """Return the patterns of a URL, the widest first: name, hash and first credit of each.

    >>> [name for name, _, _ in patterns("http://a.example/news/2020/07?page=2")]
    ['a.example', 'a.example/news', 'a.example/news/#/#?page']
    """
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    folders = _DIGITS.sub("#", _TOKEN.sub("*", folders))
    shape = "/".join(map(_folder, folders.split("/"))) + _keys(query)
    names = (host, f"{host}/{_first(folders)}", f"{host}{shape}")
    return tuple(
        (name, number(f"{credit} {name}"), credit)
        for name, credit in zip(names, CREDITS, strict=True)
    )


def former_names(url: str) -> list[str]:
    """Return what a URL's patterns were called before tokens and slugs were taken out.

    What a curator has opened under such a name stays open.
    """
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    written = [_DIGITS.sub("#", each) for each in (folders, _TOKEN.sub("*", folders))]
    return [
        f"{host}{name}" for each in written for name in (f"/{_first(each)}", each + _keys(query))
    ]


def _first(folders: str) -> str:
    return folders.split("/")[1] if folders.count("/") > 1 else ""


def _keys(query: str) -> str:
    return f"?{'&'.join(sorted(_BETWEEN.split(_VALUES.sub(_way_of, query))))}" if query else ""


def _way_of(value: re.Match[str]) -> str:
    return value[1] or ""


def _folder(name: str) -> str:
    """Return the shape of a folder's name: a slug is one of many, a word before a colon is not.

    >>> [_folder(name) for name in ("rain-at-last", "page-#", "Talk:Rain_at_last", "new_post.php")]
    ['~', 'page-#', 'Talk:~', 'new_post.php']
    """
    space, colon, rest = name.rpartition(":")
    words = sum(_LETTER.search(part) is not None for part in _SEAM.split(rest))
    return f"{space}{colon}~" if words > 1 and not _PROGRAM.search(rest) else name


def shape_of(url: str) -> str:
    """Return a URL's narrowest pattern."""
    return patterns(url)[-1][0]


def carries(link: str, url: str) -> bool:
    """Return whether a link takes its page's own address along, as those to log in or share do.

    >>> carries("http://a.example/login?back=%2Fnews%3Fid%3D4", "http://a.example/news?id=4")
    True
    """
    path = unquote(split_url(url)[2])
    return len(path) > 1 and path in unquote(link.partition("?")[2])


def bare_address(url: str) -> str:
    """Return an address without tokens and parameters: other values show the same page again.

    >>> bare_address("http://a.example/note/7?visit=1")
    'a.example/note/7'
    """
    _, host, path = split_url(url)
    return host + _LONG_TOKEN.sub("*", path.partition("?")[0])


def host_in(pattern: str) -> str:
    """Return the host of a pattern, or of an address without its scheme."""
    return pattern.partition("/")[0]


def places_of(url: str) -> list[str]:
    """Return the names of a URL's patterns, the narrowest first."""
    return [name for name, _, _ in reversed(patterns(url))]
